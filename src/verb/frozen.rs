//! Frozen: in a place that is frozen nothing is changed by anybody, until whoever owns it or the operator lets it go on.

use crate::fact::{Code, Fact, Reason, Thing};

use super::actor::Actor;
use super::case::goes_to;
use super::op::PAUSE_END;

/// The operation by which somebody walks.
const MOVE: &str = "move";

impl Actor<'_> {
    /// That what is done to a thing changes nothing in a frozen place. One may walk out of it, and end it.
    pub(super) fn thaws(&self, action: &str, target: Thing) -> Result<(), Reason> {
        let walks = action == MOVE && target == Thing::Being(self.being.id);
        if walks || action == PAUSE_END { Ok(()) } else { self.is_open(target) }
    }

    /// The same of where the facts of an act bring something.
    pub(super) fn thaws_at_its_end(&self, facts: &[Fact]) -> Result<(), Reason> {
        goes_to(facts).map_or(Ok(()), |to| self.is_open(to))
    }

    fn is_open(&self, thing: Thing) -> Result<(), Reason> {
        let around = self.world.space_of(thing).into_iter().flat_map(|space| self.world.upward(space));
        match around.into_iter().find(|space| space.frozen) {
            Some(space) => Err(Reason::new(Code::GateFrozen, self.world.path_of(space.id))),
            None => Ok(()),
        }
    }
}
