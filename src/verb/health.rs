//! Health: what is held back in a place and those inside it, and why, as `see /.health` shows it.

use crate::fact::{Millis, SpaceId, Text, Value};
use crate::world::{Being, World};

use super::short::PAGE;

/// What a space's `.health` shows, a part a line: the next thing that is held back is told of here too.
pub(super) fn health(world: &World, space: SpaceId, at: Millis) -> Value {
    Value::map([("undressed", undressed(world, space, at)), ("withheld", withheld(world, space))])
}

/// Who has nothing to wear there because of scopes or of what roles ask for themselves, in order of birth.
fn undressed(world: &World, space: SpaceId, at: Millis) -> Value {
    let held = world.living().filter(|being| is_inside(world, being, space) && world.stands_undressed(being, at));
    Value::List(held.take(PAGE).map(|being| world.name_of(being.id)).collect())
}

/// Who would have woken because it wears something else, were it not for `brakes.depth`, and how often so far; in order of birth.
fn withheld(world: &World, space: SpaceId) -> Value {
    let held = world.living().filter(|being| being.changes.withheld > 0 && is_inside(world, being, space));
    let count = |being: &Being| Value::Int(i64::try_from(being.changes.withheld).unwrap_or(i64::MAX));
    Value::Map(held.take(PAGE).map(|being| (Text::from(format!("@{}", being.name)), count(being))).collect())
}

fn is_inside(world: &World, being: &Being, space: SpaceId) -> bool {
    world.upward(being.position).any(|around| around.id == space)
}
