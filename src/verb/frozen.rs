//! Frozen: in a place that is frozen nothing is changed by anybody, until whoever owns it or the operator lets it go on.

use crate::fact::{Code, Fact, Reason, Thing};
use crate::world::{Being, World};

use super::actor::Actor;
use super::case::goes_to;
use super::op::{PAUSE_END, TRIALS};

/// The operation by which somebody walks.
const MOVE: &str = "move";
/// And by which a driver lets a being go.
const RELEASE: &str = "release";

impl Actor<'_> {
    /// That what is done to a thing changes nothing in a frozen place.
    pub(super) fn thaws(&self, action: &str, target: Thing) -> Result<(), Reason> {
        thaws(self.world, self.being, action, target)
    }

    /// The same of where the facts of an act bring something.
    pub(super) fn thaws_at_its_end(&self, facts: &[Fact]) -> Result<(), Reason> {
        goes_to(facts).map_or(Ok(()), |to| is_open(self.world, to))
    }
}

/// That what a being does to a thing changes nothing in a frozen place. One may walk out of it, let go of a being there, and end the freeze
/// from without. What a trial costs is booked all the same: it changes nothing there.
pub(super) fn thaws(world: &World, actor: &Being, action: &str, target: Thing) -> Result<(), Reason> {
    let walks = action == MOVE && target == Thing::Being(actor.id);
    let around = if let Thing::Space(id) = target { world.space(id).and_then(|space| space.parent) } else { None };
    match around {
        _ if walks || action == RELEASE || TRIALS.contains(&action) => Ok(()),
        Some(around) if action == PAUSE_END => is_open(world, Thing::Space(around)),
        _ => is_open(world, target),
    }
}

fn is_open(world: &World, thing: Thing) -> Result<(), Reason> {
    let mut around = world.space_of(thing).into_iter().flat_map(|space| world.upward(space));
    match around.find(|space| space.frozen) {
        Some(space) => Err(Reason::new(Code::GateFrozen, world.path_of(space.id))),
        None => Ok(()),
    }
}
