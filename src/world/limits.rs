//! Limits: how many wakes of a being may be open, and how many of its dead letters are kept.

use crate::fact::{BeingId, Millis, Reason};

use super::being::Being;
use super::wake::{DeadLetter, Wake};
use super::whole::World;

/// How many wakes of a being may be open before nobody can summon it.
const INBOX: &str = "limits.inbox";
const DEAD: &str = "limits.dead";
/// One sender may have this part of them.
const OF_ONE_SENDER: u64 = 4;

impl World {
    /// Whether a being takes no summons of a sender any more.
    pub fn is_full_for(&self, to: &Being, sender: &Being) -> bool {
        let most = self.count_setting(INBOX, to);
        let of_one = most.div_ceil(OF_ONE_SENDER);
        let sender = self.sends_as(sender);
        let (mut all, mut own) = (0, 0);
        self.inbox.of(to.id).any(|wake| {
            let is_own = || wake.caller().and_then(|from| self.beings.get(&from)).is_some_and(|from| self.sends_as(from) == sender);
            all += 1;
            own += u64::from(is_own());
            all >= most || own >= of_one
        })
    }

    /// As whom a being counts that sends: those whom one being gave birth to are one sender with it, but for the children of the operator.
    fn sends_as(&self, being: &Being) -> BeingId {
        let (mut top, operator) = (being, self.operator());
        while let Some(parent) = top.parent.filter(|parent| *parent != operator).and_then(|parent| self.beings.get(&parent)) {
            top = parent;
        }
        top.id
    }

    /// Lays a wake with the dead letters of its being; beyond those that are kept the oldest goes.
    pub(super) fn bury(&mut self, being: BeingId, wake: &Wake, reason: &Reason, at: Millis) {
        self.inbox.bury(being, DeadLetter { wake: wake.clone(), reason: reason.clone(), at });
        let most = self.beings.get(&being).map_or(u64::MAX, |being| self.count_setting(DEAD, being));
        self.inbox.keep_dead(being, usize::try_from(most).unwrap_or(usize::MAX));
    }
}
