//! `bisect`: the first moment after which a condition holds, and by which version of a role.

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;

use crate::fact::{BeingId, Seq};
use crate::past::{Bisected, History, LookedFor, Point, Turned};
use crate::role::{Inquiry, or_meant};
use crate::world::World;

use super::door::{Door, Ended};

/// Finds the first moment after which a condition holds
#[derive(Args)]
#[command(after_help = "Example: reelm bisect --bad 'when {\"world.court.in-session\": true}'
         reelm bisect @ada --bad '{\"me.quality.bag.count\": {\"lt\": 0}}' --role judge

A condition is written as in a flow: `me` is the named being, else the operator. It can also ask about the moment itself: moment.being,
moment.verb, moment.action, moment.target, moment.closing, moment.reason, moment.role, moment.wake, moment.cognition, moment.seq.
One that flips more than once is found where it held first, so everything before that is folded.")]
pub struct Bisect {
    /// The being from whose standpoint the condition is asked: @ada
    being: Option<String>,
    /// The condition
    #[arg(long, value_name = "WHEN")]
    bad: Inquiry,
    /// Look from here on
    #[arg(long, value_name = "POINT", default_value = "0")]
    from: Point,
    /// Look at nothing behind this point
    #[arg(long, value_name = "POINT", default_value = "now")]
    to: Point,
    /// Also say which version of this role was in force where the being stood
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
}

impl Bisect {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let within = history.span_there(&self.from, &self.to)?;
        door.warn_unread(&history, within.start);
        let world = history.world_at(within.end)?;
        let me = self.being.as_deref().map_or(Ok(world.operator()), |being| being_of(&world, being))?;
        let wanted = LookedFor { inquiry: self.bad, me: Some(me) };
        let found = history.bisect(&wanted, within.clone())?;
        let (first, turned) = match found {
            Bisected::First(seq) => ("found", history.turned(&wanted, seq, self.role.as_deref().map(Into::into).as_ref())?),
            Bisected::Already => ("already", None),
            Bisected::Never => ("never", None),
        };
        let all = json!({ "first": first, "from": within.start, "to": within.end, "turned": turned });
        door.say(&all, || words(first, (within.start, within.end), turned.as_ref(), &history))?;
        Ok(Ended::Well)
    }
}

fn words(first: &str, (from, to): (Seq, Seq), turned: Option<&Turned>, history: &History) -> String {
    match (first, turned) {
        (_, Some(turned)) => turned.to_string(),
        ("already", None) if from <= history.begins() => {
            format!("it holds already below #{from}, with which the log begins; `reelm import FILE` brings back what was archived")
        }
        ("already", None) => format!("it holds already below #{from}; look further back: --from {}", (from / 2).max(history.begins())),
        _ if to < history.end() => format!("it holds after no moment from #{from} to below #{to}; the world goes on to #{}", history.end()),
        _ => format!("it holds after no moment from #{from} to below #{to}, which is all there is"),
    }
}

/// The being of a name, with or without its `@`.
pub(super) fn being_of(world: &World, name: &str) -> Result<BeingId> {
    let name = name.trim_start_matches('@');
    let meant = || or_meant("@", name, world.beings().map(|being| being.name.as_ref()));
    world.being_named(name).map(|being| being.id).with_context(|| format!("there is no being `@{name}` in this world{}", meant()))
}
