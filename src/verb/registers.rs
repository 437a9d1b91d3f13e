//! Registers: the names behind a dot, of what each tells, and those that say what a thing is rather than what lies in it.

use crate::fact::{BeingId, PublicKey, SpaceId, Text, Thing, Value};
use crate::world::World;

use super::short::number;

/// The thing that a register belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RegisterOf {
    World,
    Space,
    Being,
    Matter,
}

use RegisterOf::{Being, Matter, Space, World as Root};

/// Every register: its name, whose it is, and what it tells.
const REGISTERS: &[(&str, &[RegisterOf], &str)] = &[
    ("children", &[Being], "its children"),
    ("claims", &[Root, Space], "who has claimed what here, until when and why"),
    ("config", &[Root], "what is said for the world"),
    ("dead", &[Root, Being], "wakes that were given up"),
    ("extensions", &[Root], "the extensions, and which are enabled"),
    ("fading", &[Root, Space, Being, Matter], "qualities that fade"),
    ("flow", &[Root, Space, Being], "the clauses by which roles are worn"),
    ("health", &[Root, Space], "what is held back here, and why"),
    ("identity", &[Root, Being], "who it is, and by which key that is known"),
    ("inbox", &[Being], "its open wakes"),
    ("key", &[Being], "its key"),
    ("life", &[Being], "what it did and heard"),
    ("measures", &[Root], "what is measured"),
    ("moments", &[Root, Being], "how many moments there were, and the newest"),
    ("ops", &[Root], "all that can be done"),
    ("outbox", &[Root], "requests to the outside that wait to be approved"),
    ("roles", &[Root, Space], "the roles"),
    ("rules", &[Root], "the rules"),
    ("schedules", &[Being], "when it wakes by the clock"),
    ("scripts", &[Root], "the scripts"),
    ("settings", &[Root, Space, Being], "the settings that hold here"),
    ("signals", &[Root], "the signals"),
    ("threads", &[Root], "all that goes back to one beginning and is not over"),
];

/// The registers of a thing, each with what it tells.
pub(super) fn registers(thing: Thing) -> Value {
    let kind = match thing {
        Thing::Space(SpaceId::ROOT) => Root,
        Thing::Space(_) => Space,
        Thing::Being(_) => Being,
        Thing::Matter(_) => Matter,
    };
    let own = REGISTERS.iter().filter(|(_, of, _)| of.contains(&kind));
    Value::Map(own.map(|(name, _, about)| (Text::from(format!(".{name}")), Value::from(*about))).collect())
}

/// The identity of the world: its id, its name, by which code it computes, and the key of `@world`.
pub(super) fn identity_of_world(world: &World) -> Value {
    let said = |key: &str| world.world_setting(key).clone();
    Value::map([
        ("id", Value::from(world.id().to_string())),
        ("name", said("name")),
        ("did", did(world, BeingId::WORLD)),
        ("simulated", said("simulated")),
        ("semantics", said("semantics")),
        ("fork", Value::Bool(world.is_fork())),
        ("frames", number(world.next_seq())),
    ])
}

/// The identity of a being.
pub(super) fn identity_of(world: &World, id: BeingId) -> Value {
    let Some(being) = world.being(id) else { return Value::Null };
    Value::map([
        ("id", Value::from(id.to_string())),
        ("name", Value::from(&being.name)),
        ("did", did(world, id)),
        ("parent", being.parent.map_or(Value::Null, |parent| world.name_of(parent))),
        ("bornAt", Value::Int(being.born_at)),
    ])
}

/// The key of a being, as a `did:key`.
pub(super) fn did(world: &World, id: BeingId) -> Value {
    let key = world.being(id).and_then(|being| PublicKey::from_hash(&being.key).ok());
    key.map_or(Value::Null, |key| Value::from(key.did()))
}

/// How many moments there were, and how the newest is named: of a being, or of all.
pub(super) fn moments(world: &World, of: Option<BeingId>) -> Value {
    let Some(being) = of.and_then(|id| world.being(id)) else {
        return Value::map([("count", number(world.next_seq())), ("newest", number(world.next_seq().saturating_sub(1)))]);
    };
    let newest = being.next_n.checked_sub(1).map_or(Value::Null, |n| Value::from(format!("@{}/{n}", being.name)));
    Value::map([("count", number(being.next_n)), ("newest", newest)])
}
