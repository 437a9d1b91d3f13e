//! `outbox`: the requests to the outside that wait to be approved, with the very bytes that would leave.

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::fact::{Cognition, Text, Value};
use crate::verb::outbox;
use crate::world::{Local, World};

use super::door::{Door, Ended};
use super::given::AtPoint;

/// Lists the requests to the outside that wait to be approved
#[derive(Args)]
#[command(after_help = "Example: reelm outbox

Each with the very bytes that would leave, who asks, what it may cost at most, and the commands that approve and decline it. An approval names the
hash of those bytes: where they have changed by then, it is asked for anew.")]
pub struct Outbox {
    /// Only those that somebody is asked about, or asked for, such as @pat
    #[arg(value_name = "@BEING")]
    being: Option<String>,
    #[command(flatten)]
    then: AtPoint,
}

impl Outbox {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (_, world) = door.world_at(&self.then.at)?;
        let reader = match &self.being {
            None => None,
            Some(name) => match world.being_named(name.trim_start_matches('@')) {
                Some(being) => Some(being.id),
                None => bail!("there is no being `{name}` in this world; `reelm see /` shows who is there"),
            },
        };
        let waiting = outbox(&world, reader);
        if waiting.is_empty() && !door.speech.is_for_programs() {
            door.say(&Value::Null, || "nothing waits to be approved".to_owned())?;
        }
        for request in &waiting {
            let told = told(request, &world).context("expected a request that waits")?;
            door.say(request, || told)?;
        }
        Ok(Ended::Well)
    }
}

/// A request in lines, with what to type.
fn told(request: &Value, world: &World) -> Option<String> {
    let text = |key: &str| request.get(key).and_then(Value::as_text);
    let (bridge, wake, hash, by) = (text("bridge")?, text("wake")?, text("request")?, text("by")?);
    let root: Text = text("root").cloned().unwrap_or_else(|| "nothing".into());
    let until = Local::of(request.get("until").and_then(Value::as_int)?, world.zone()).iso();
    let cost = request.get("cost")?;
    let (bytes, money) = (cost.get("bytes")?, cost.get("money")?);
    // Nobody acts as a mind: of what that is asked, the operator may answer too.
    let is_person = world.being_named(by.trim_start_matches('@')).is_some_and(|being| being.cognition == Cognition::Human);
    let who = if is_person { format!(" --as {by}") } else { String::new() };
    let call = |action: &str| format!("reelm do {bridge} {action} '{{\"wake\":\"{wake}\",\"request\":\"{hash}\"}}'{who}");
    Some(format!(
        "{bridge}  wake {wake}  {} asks, in what began with {root}; {by} approves it until {until}\n  {}\n  at most {bytes} bytes, price {money}\n  {}\n  {}",
        text("asker")?,
        text("bytes")?,
        call("wake.approve"),
        call("wake.decline"),
    ))
}
