//! Change: the wakes of beings that a frame leaves wearing something else.
//!
//! Of a signal and of time whoever reads them is woken by these. Of anything else only those are woken whose stack is another for it: what
//! they would wear with no wake, at the frame's own instant, after it and before.

use std::sync::Arc;

use crate::fact::{BeingId, Cognition, Millis, Rank, Text, Trigger, WakeKind};

use super::being::Being;
use super::fold::Cause;
use super::heed::Wore;
use super::wake::Body;
use super::whole::World;

impl World {
    /// Wakes those whose stack is another than it was.
    pub(super) fn changed(&mut self, wore: Wore, cause: &Cause) {
        for (id, wore) in wore.all() {
            let Some(being) = self.beings.get(&id).filter(|being| !being.ended).cloned() else { continue };
            let now = self.worn_now(&being, cause.at);
            // A being left with nothing to wear has nothing to think with, and wakes when it is dressed again.
            if now != wore && !now.is_empty() && Self::heeds(&being, cause.at) && !self.is_signalled(id, cause) {
                self.wake_changed(&being, wore, cause);
            }
        }
    }

    /// Whether a being is woken so at all: scripts are, others if a role says so that they may come to wear.
    fn heeds(being: &Being, at: Millis) -> bool {
        being.cognition_at(at) == Cognition::Script || being.listens.contains(&Trigger::Change)
    }

    /// Whether the same frame wakes it by a signal: one wake is enough to find itself changed.
    fn is_signalled(&self, id: BeingId, cause: &Cause) -> bool {
        self.inbox.of(id).any(|wake| wake.id.kind == WakeKind::Signal && wake.newest.seq == cause.seq)
    }

    fn wake_changed(&mut self, being: &Being, wore: Arc<[Text]>, cause: &Cause) {
        let mut wake = cause.wake(WakeKind::Change, Rank::Normal, u32::MAX, Body::Change { wore });
        if u64::from(wake.depth) > self.count_setting("brakes.depth", being) {
            return self.being_mut(being.id, |being| being.withheld.changes = being.withheld.changes.saturating_add(1));
        }
        wake.id.due = self.changes_from(being.id, wake.id.due);
        self.add_wake(being.id, wake);
    }

    /// The first instant from another on at which a being may wake so again.
    pub(super) fn changes_from(&self, id: BeingId, at: Millis) -> Millis {
        let Some(being) = self.beings.get(&id) else { return at };
        let between = self.setting("wakes.change", being).as_int().unwrap_or(0);
        being.withheld.last_change.map_or(at, |last| at.max(last.saturating_add(between)))
    }
}
