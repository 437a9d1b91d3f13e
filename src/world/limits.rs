//! Limits: how many wakes of a being may be open, how many of its dead letters are kept, and how many things may lie in a place.

use crate::fact::{BeingId, Fact, Millis, Reason, Thing};

use super::being::Being;
use super::wake::{DeadLetter, Wake};
use super::whole::World;

/// How many wakes of a being may be open before nobody can summon it.
const INBOX: &str = "limits.inbox";
const DEAD: &str = "limits.dead";
/// How many spaces and pieces of matter may lie in a place, or with a being.
const THINGS: &str = "limits.things";
/// One sender may have this part of them.
const OF_ONE_SENDER: u64 = 4;

impl World {
    /// The place or the being in which some facts would let more things lie than may.
    pub fn overfull(&self, facts: &[Fact]) -> Option<Thing> {
        facts.iter().filter_map(|fact| self.adds(fact)).find_map(|(of, count, to)| {
            let grows = |around: &Thing| of.is_none_or(|of| !self.lies_in(of, *around));
            self.outward(to).filter(grows).find(|around| self.tally(*around).saturating_add(count) > self.most_things(*around))
        })
    }

    /// How many things a fact brings into another: which, where it was there before.
    fn adds(&self, fact: &Fact) -> Option<(Option<Thing>, u64, Thing)> {
        match fact {
            Fact::MatterMade { place, .. } => Some((None, 1, *place)),
            Fact::Drafted { holder, .. } => Some((None, 1, Thing::Being(*holder))),
            Fact::SpaceMade { parent, .. } => Some((None, 1, Thing::Space((*parent)?))),
            Fact::Moved { of: of @ (Thing::Matter(_) | Thing::Space(_)), to, .. } => {
                Some((Some(*of), self.tally(*of).saturating_add(1), *to))
            }
            _ => None,
        }
    }

    /// How many things lie in a place or with a being, and how many may.
    pub fn things_in(&self, within: Thing) -> (u64, u64) {
        (self.tally(within), self.most_things(within))
    }

    fn most_things(&self, within: Thing) -> u64 {
        match within {
            Thing::Space(id) => self.setting_at(THINGS, id).as_int().and_then(|most| u64::try_from(most).ok()).unwrap_or(u64::MAX),
            Thing::Being(id) => self.beings.get(&id).map_or(u64::MAX, |being| self.count_setting(THINGS, being)),
            Thing::Matter(_) => u64::MAX,
        }
    }

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
