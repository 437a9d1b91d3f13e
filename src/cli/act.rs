//! `do`, `summon`, `be`: a person's own acts, each a durable moment when the command returns.

use anyhow::Result;
use clap::Args;

use crate::fact::{Call, Value};

use super::door::json_arg;
use super::line::Reach;
use super::{Door, Ended};

/// Does something to a thing, as a being
#[derive(Args)]
#[command(after_help = "Example: reelm do / signal.set '{\"path\":\"skateco.shift\",\"value\":\"night\"}' --as @operator

`reelm see /.ops` lists the operations, `reelm see /.ops/<name>` shows an operation's arguments.")]
pub struct Do {
    /// The address of the thing
    target: String,
    /// The operation
    action: String,
    /// Its arguments, as JSON
    args: Option<String>,
    /// Who does it
    #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
    as_being: String,
}

/// Speaks to a being, as a being
#[derive(Args)]
#[command(after_help = "Example: reelm summon @foreman 'how many boards today?'")]
pub struct Summon {
    /// Whom
    target: String,
    /// What is said
    text: String,
    /// What it is for
    #[arg(long)]
    intent: Option<String>,
    /// How urgent it is
    #[arg(long, value_parser = ["person", "urgent", "normal", "background"])]
    rank: Option<String>,
    /// A role asked for
    #[arg(long)]
    role: Option<String>,
    /// Who speaks
    #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
    as_being: String,
}

/// Binds an identity: birth, end, inhabit, release
#[derive(Args)]
#[command(after_help = "Example: reelm be birth '{\"name\":\"eve\",\"home\":\"/factory\",\"cognition\":\"human\"}'")]
pub struct Be {
    /// birth, end, inhabit or release
    operation: String,
    /// Its payload, as JSON
    payload: Option<String>,
    /// Who
    #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
    as_being: String,
}

impl Do {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let args = self.args.as_deref().map_or(Ok(Value::Null), |text| json_arg("ARGS", text))?;
        act(door, &self.as_being, Call::doing(&self.target, &self.action, args))
    }
}

impl Summon {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let options = [("intent", self.intent), ("rank", self.rank), ("role", self.role)];
        let given = options.into_iter().filter_map(|(key, value)| Some((key, Value::from(value?))));
        let args = Value::map(given.chain([("content", Value::from(self.text))]));
        act(door, &self.as_being, Call::summon(&self.target, args))
    }
}

impl Be {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let payload = self.payload.as_deref().map_or(Ok(Value::Null), |text| json_arg("PAYLOAD", text))?;
        act(door, &self.as_being, Call::be(&self.operation, payload))
    }
}

/// One act of one being, recorded whatever becomes of it.
pub(super) fn act(door: &Door, being: &str, call: Call) -> Result<Ended> {
    let mut world = Reach::to(door)?;
    let done = world.act(being, call)?;
    world.close()?;
    door.say(&done.report, || match &done.refused {
        Some(reason) => format!("#{} refused: {reason}", done.seq),
        None => format!("#{} done", done.seq),
    })?;
    Ok(if done.refused.is_some() { Ended::Refused } else { Ended::Well })
}
