//! Needed: what a world cannot do without: an operator who has something to wear, and so can mend whatever else was done to it.

use crate::fact::{BeingId, Code, Fact, Reason};
use crate::world::{Being, World};

/// Whether a being may come to wear any such role.
pub(super) fn may_wear(being: &Being, is_such: impl Fn(&str) -> bool) -> bool {
    being.flow.roles().chain(being.default_role.as_deref()).any(is_such)
}

/// Refuses what would leave the operator with nothing to wear where it stands. Who has nothing already loses nothing.
pub(super) fn keeps_operator(world: &World, facts: &[Fact]) -> Result<(), Reason> {
    let Some(operator) = world.being(world.operator()).filter(|operator| !operator.ended) else { return Ok(()) };
    let has_any =
        |world: &World| world.being(operator.id).is_some_and(|being| may_wear(being, |role| world.role_at(role, being.position).is_some()));
    let after = || world.imagine(BeingId::WORLD, (world.next_seq(), 0), world.now(), facts);
    if has_any(world) && !has_any(&after()) { Err(Reason::new(Code::Needed, format!("@{}", operator.name))) } else { Ok(()) }
}
