//! Waits: the connections to models that do not answer now, since when, and who waits for them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::cognition::Connection;
use crate::fact::{BeingId, Thing};
use crate::minds::{OutageNow, Outages};
use crate::verb::Named;
use crate::world::{Local, iso};

use super::sight::Sight;

/// How many open wakes are looked at for those who wait.
const WAKES: usize = 1_024;
/// How many of those who wait are named.
const NAMED: usize = 64;

/// A connection to a model that does not answer now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ConnectionWait)]
pub struct WaitTold {
    connection: String,
    /// A status, or a code of the list.
    why: String,
    /// Since when, by the world's own time.
    since: String,
    /// The beings that wait for it, as far as one may see them; 64 at most.
    beings: Vec<String>,
}

impl WaitTold {
    /// All of them, for whoever may see `/.health`; of the past there are none.
    pub fn all(outages: &Outages, sight: &Sight) -> Vec<Self> {
        let out = outages.now();
        if out.is_empty() || sight.is_past || sight.register("health").is_err() {
            return Vec::new();
        }
        let mut waiting: Vec<BeingId> =
            sight.world.inbox().due().take_while(|(due, _)| *due <= sight.at).map(|(_, id)| id).take(WAKES).collect();
        waiting.sort_unstable();
        waiting.dedup();
        sight.walked.look(waiting.len());
        out.into_iter().map(|out| Self::of(&out, &waiting, sight)).collect()
    }

    fn of(out: &OutageNow, waiting: &[BeingId], sight: &Sight) -> Self {
        let world = &sight.world;
        let waits = |being: &&BeingId| {
            let being = world.being(**being).filter(|being| !being.ended);
            being.is_some_and(|being| Connection::any(world, being, |connection| connection.name == out.connection))
        };
        let is_seen = |being: &&BeingId| sight.may_see(&Named::Thing(Thing::Being(**being))).is_ok();
        let name = |being: &BeingId| world.being(*being).map(|being| format!("@{}", being.name));
        Self {
            connection: out.connection.to_string(),
            why: out.why.to_string(),
            since: iso(out.at, Local::of(out.at, world.zone()).offset),
            beings: waiting.iter().filter(waits).filter(is_seen).take(NAMED).filter_map(name).collect(),
        }
    }
}
