//! Health: what is held back in a place and those inside it, and why, as `see /.health` shows it.

use crate::fact::{SpaceId, Text, Value};
use crate::world::{Being, World};

use super::short::PAGE;

/// What a space's `.health` shows, a part a line: the next thing that is held back is told of here too.
pub(super) fn health(world: &World, space: SpaceId) -> Value {
    Value::map([("withheld", withheld(world, space))])
}

/// Who would have woken because it wears something else, were it not for `brakes.depth`, and how often so far; in order of birth.
fn withheld(world: &World, space: SpaceId) -> Value {
    let is_inside = |being: &Being| world.upward(being.position).any(|around| around.id == space);
    let held = world.living().filter(|being| being.changes.withheld > 0 && is_inside(being));
    let count = |being: &Being| Value::Int(i64::try_from(being.changes.withheld).unwrap_or(i64::MAX));
    Value::Map(held.take(PAGE).map(|being| (Text::from(format!("@{}", being.name)), count(being))).collect())
}
