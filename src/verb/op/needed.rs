//! Needed: what a world cannot do without: an operator who has something to wear, and so can mend whatever else was done to it.

use crate::fact::{BeingId, Code, Fact, Reason};
use crate::world::{Being, World};

/// Whether any role that somebody may come to wear is one where they stand.
pub(super) fn has_role(world: &World, being: &Being) -> bool {
    being.own_roles().any(|role| world.role_at(role, being.position).is_some())
}

/// Refuses what would leave the operator with nothing to wear where it stands. An operator with nothing to wear already loses nothing.
pub(super) fn keeps_operator(world: &World, facts: &[Fact]) -> Result<(), Reason> {
    let Some(operator) = world.being(world.operator()).filter(|operator| !operator.ended) else { return Ok(()) };
    let has_any = |world: &World| world.being(operator.id).is_some_and(|being| has_role(world, being));
    let after = || world.imagine(BeingId::WORLD, (world.next_seq(), 0), world.now(), facts);
    if has_any(world) && !has_any(&after()) { Err(Reason::new(Code::Needed, format!("@{}", operator.name))) } else { Ok(()) }
}
