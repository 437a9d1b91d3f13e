//! Opened: the worlds on which the newest moments of a walk were opened.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{BeingId, Closing, Cognition, Draft, Seq, WakeId};
use crate::moment::is_asking;
use crate::world::World;

/// The world on which the newest moments were opened, and those of moments that wait for a model.
#[derive(Default)]
pub(super) struct OpenedWorlds {
    worlds: BTreeMap<Seq, Arc<World>>,
    /// The beings that wait for a model, each with the seq of the world on which its moment was opened.
    asked: BTreeMap<BeingId, (WakeId, Seq)>,
}

impl OpenedWorlds {
    /// Hears of each recorded moment in its turn, with the world right before its frame.
    pub(super) fn note(&mut self, recorded: &Draft, now: &Arc<World>) {
        // The first moment of a round stands on the world on which all of the round opened. Others may act while a model thinks, so the
        // world of its moment is kept until it has answered. No other is kept: each kept world has to be copied from.
        if now.next_seq() == recorded.opened {
            let asked = &self.asked;
            self.worlds.retain(|seq, _| asked.values().any(|(_, opened)| opened == seq));
            self.worlds.insert(recorded.opened, now.clone());
        }
        // A panel that waits for its members opens anew.
        if is_asking(recorded) && recorded.cognition != Cognition::Panel {
            self.asked.insert(recorded.being, (recorded.wake.clone(), recorded.opened));
        } else if self.asked.get(&recorded.being).is_some_and(|(wake, _)| *wake == recorded.wake || recorded.closing == Closing::Ended) {
            self.asked.remove(&recorded.being);
        }
    }

    /// The one on which a moment was opened, where it is kept.
    pub(super) fn of(&self, recorded: &Draft) -> Option<&Arc<World>> {
        self.worlds.get(&recorded.opened)
    }

    /// The newest of them.
    pub(super) fn newest(&self) -> Option<&Arc<World>> {
        self.worlds.values().next_back()
    }
}
