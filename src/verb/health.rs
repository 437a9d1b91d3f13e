//! Health: what is held back in a place and those inside it, and why, as `see /.health` shows it.

use crate::fact::{Millis, SpaceId, Text, Value};
use crate::world::{Being, Local, Tripped, World, iso};

use super::short::PAGE;

/// The value of a space's `.health`. Any further kind of thing that is held back gets its part here.
pub(super) fn health(world: &World, space: SpaceId, at: Millis) -> Value {
    let withheld = counted(world, space, |being| being.withheld.changes);
    Value::map([
        ("undressed", undressed(world, space, at)),
        ("tripped", tripped(world, space, at)),
        ("withheld", withheld),
        ("unheard", counted(world, space, |being| being.withheld.words)),
    ])
}

/// The beings there that have nothing to wear because of scopes or the roles' own conditions, in order of birth.
fn undressed(world: &World, space: SpaceId, at: Millis) -> Value {
    let held = world.living().filter(|being| is_inside(world, being, space) && world.stands_undressed(being, at));
    Value::List(held.take(PAGE).map(|being| world.name_of(being.id)).collect())
}

/// The beings there that a brake holds, each with the brake, its count and limit, and until when; in order of birth.
fn tripped(world: &World, space: SpaceId, at: Millis) -> Value {
    let held = world.living().filter(|being| is_inside(world, being, space));
    let told = |being: &std::sync::Arc<Being>| {
        let Tripped { brake, count, most, until } = world.tripped(being, at)?;
        let number = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
        let told = [
            ("brake", Value::from(brake.key())),
            ("count", number(count)),
            ("most", number(most)),
            ("until", Value::from(iso(until, Local::of(until, world.zone()).offset))),
        ];
        Some((Text::from(format!("@{}", being.name)), Value::map(told)))
    };
    Value::Map(held.filter_map(told).take(PAGE).collect())
}

/// The beings there of which something is counted, each with how often so far; in order of birth. Withheld are wakes by a change of role, by
/// `brakes.depth`; unheard are words, by `brakes.calls`.
fn counted(world: &World, space: SpaceId, of: impl Fn(&Being) -> u64) -> Value {
    let held = world.living().filter(|being| of(being) > 0 && is_inside(world, being, space));
    let count = |being: &Being| Value::Int(i64::try_from(of(being)).unwrap_or(i64::MAX));
    Value::Map(held.take(PAGE).map(|being| (Text::from(format!("@{}", being.name)), count(being))).collect())
}

fn is_inside(world: &World, being: &Being, space: SpaceId) -> bool {
    world.upward(being.position).any(|around| around.id == space)
}
