//! Counted: whether a run has a row: only one that came to its end, and in which nobody was held by a connection, a budget or a person.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::fact::Code;
use crate::run::{Ran, Stopped, Tally, Until};
use crate::world::{Local, World};

/// Why the runs of some worlds have no row, by the world's name.
#[derive(Clone, Default)]
pub(super) struct Uncounted(Arc<Mutex<BTreeMap<String, String>>>);

impl Uncounted {
    /// Notes why a run does not count; the first reason stays.
    pub(super) fn note(&self, world: &str, why: String) {
        self.lock().entry(world.to_owned()).or_insert(why);
    }

    /// Whether a run does not count.
    pub(super) fn has(&self, world: &str) -> bool {
        self.lock().contains_key(world)
    }

    /// How many, and a line for each; nothing where all count.
    pub(super) fn told(&self) -> Option<(usize, String)> {
        let told = self.lock();
        let lines: String = told.iter().map(|(world, why)| format!("\n  {world}: {why}")).collect();
        (!told.is_empty()).then_some((told.len(), lines))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a run has no row, though it stopped by itself.
pub(super) fn why_uncounted(ran: &Ran, until: &Until, world: &World) -> Option<String> {
    let now = || Local::of(ran.at, world.zone()).iso();
    match &ran.stopped {
        Stopped::WaitsFor(name) => return Some(format!("at {} it waits for @{name}, a person", now())),
        Stopped::Quiet if until.duration.is_none() && until.instant.is_none() => {
            return Some(format!("at {} nobody has anything to do any more, and its end has not come", now()));
        }
        Stopped::Done | Stopped::Quiet | Stopped::Told | Stopped::Broke(_) => {}
    }
    // An outcome of a world's own brakes and roles is one as any other.
    let lacking = ran.held.iter().find(|(code, _)| !matches!(code, Code::BrakeTripped | Code::Undressed));
    if let Some((code, names)) = lacking {
        let names: Vec<String> = names.iter().map(|name| format!("@{name}")).collect();
        return Some(format!("{code}: {} cannot be asked", names.join(", ")));
    }
    let unpaid = ran.tally.failed.get(&Code::Budget)?;
    Some(format!("budget: its own budgets had no room for {unpaid} thoughts"))
}

/// How many moments of a run came to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FaultCounts {
    /// Thoughts that failed.
    pub(super) failed: u64,
    /// Wakes that were given up.
    pub(super) dead: u64,
    /// Acts that were refused.
    pub(super) refused: u64,
}

impl FaultCounts {
    /// Those of a run.
    pub(super) fn of(tally: &Tally) -> Self {
        let [failed, dead, refused] = [&tally.failed, &tally.dead_letters, &tally.refused].map(|reasons| reasons.values().sum());
        Self { failed, dead, refused }
    }

    /// The same in words; nothing where there are none.
    pub(super) fn told(self) -> Option<String> {
        let parts = [("failed", self.failed), ("dead letters", self.dead), ("refused", self.refused)];
        let told: Vec<String> = parts.into_iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what} {count}")).collect();
        (!told.is_empty()).then(|| told.join(", "))
    }
}
