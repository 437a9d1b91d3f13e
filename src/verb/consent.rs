//! Consent: whether a step of an operation may move a being that is not its actor. Both the places and the being itself are asked.
//!
//! Lineage does not count here. The operation `move` alone goes by lineage.

use crate::fact::{BeingId, Code, Fact, Reason, Thing};
use crate::world::{World, address_of};

use super::actor::Actor;
use super::right::at_place;

/// A being that a step moves.
pub(super) struct MovedBeing<'t> {
    /// The being that is moved.
    pub(super) being: BeingId,
    /// The operations that the step is part of, the innermost first.
    pub(super) names: &'t [&'t str],
    /// The world that the act found: no step of an act makes the consent that a later one needs.
    pub(super) began: &'t World,
}

impl MovedBeing<'_> {
    /// Asks in this order: the place that is left and the one that is entered, whether what the being wears lists each of the
    /// operations under `lets`, and whether it has anything to wear where it comes to stand.
    pub(super) fn ask(&self, actor: &Actor<'_>, base: u32, drafted: &[Fact]) -> Result<(), Reason> {
        let (world, moved) = (actor.world, Thing::Being(self.being));
        let left = world.space_of(moved).map(Thing::Space);
        let entered = drafted.iter().find_map(|fact| if let Fact::Moved { to, .. } = fact { Some(*to) } else { None });
        left.into_iter().chain(entered).try_for_each(|place| at_place(world, actor.accountable(), place, self.names))?;
        if ![self.began, world].iter().all(|world| self.is_let(world, actor)) {
            return Err(Reason::new(Code::GateLets, address_of(world, moved)));
        }
        let after = world.imagine(actor.being.id, (actor.seq, base), actor.at, drafted);
        if after.being(self.being).is_some_and(|being| after.unwoken(being, actor.at).is_empty()) {
            return Err(Reason::new(Code::Undressed, address_of(world, moved)));
        }
        Ok(())
    }

    fn is_let(&self, world: &World, actor: &Actor<'_>) -> bool {
        let lets = world.lets(self.being, actor.at);
        self.names.iter().all(|name| lets.iter().any(|glob| glob.matches(name)))
    }
}

impl Actor<'_> {
    /// The being that a thing is, where that is neither who acts nor for whom.
    pub(super) fn other(&self, thing: Thing) -> Option<BeingId> {
        let is_own = |being: BeingId| being == self.being.id || being == self.accountable().id;
        if let Thing::Being(being) = thing { Some(being).filter(|being| !is_own(*being)) } else { None }
    }
}
