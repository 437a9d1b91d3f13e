//! Portrait: a thing as it is compared with itself at another point: what people set and see of it, without what each moment counts on.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{Millis, Text, Thing, Value};
use crate::world::{Being, Claim, Matter, OwnSettings, Schedule, Space, World, address_of};

fn path(world: &World, place: Thing, coords: Option<crate::fact::Coords>) -> Value {
    let path = address_of(world, place);
    Value::from(coords.map_or(path.clone(), |at| format!("{path} ({},{},{})", at.x, at.y, at.z)))
}

fn texts<'a>(texts: impl IntoIterator<Item = &'a Text>) -> Value {
    Value::List(texts.into_iter().map(Value::from).collect())
}

fn settings(of: &OwnSettings) -> Value {
    Value::Map(of.iter().map(|(key, said)| (key.clone(), (*said.value).clone())).collect())
}

/// Anything that has a form for programs.
fn told(of: &impl serde::Serialize) -> Value {
    serde_json::to_value(of).ok().and_then(|json| serde_json::from_value(json).ok()).unwrap_or_default()
}

fn schedule(of: &Schedule) -> Value {
    Value::map([("timing", told(&of.timing)), ("content", (*of.content).clone()), ("rank", Value::from(of.rank.word()))])
}

/// The stack of a being: in its open moment, else with no wake.
pub(super) fn wearing(world: &World, being: &Being, at: Millis) -> Value {
    texts(world.wears(being.id, at).iter())
}

/// The fields of a being that are compared.
pub(super) fn of_being(world: &World, being: &Being, at: Millis) -> Value {
    Value::map([
        ("name", Value::from(&being.name)),
        ("parent", being.parent.map_or(Value::Null, |parent| world.name_of(parent))),
        ("home", Value::from(world.path_of(being.home))),
        ("position", path(world, Thing::Space(being.position), being.coords)),
        ("cognition", Value::from(being.cognition.word())),
        ("script", being.script.as_ref().into()),
        ("panel", being.panel.as_ref().map_or(Value::Null, |panel| panel.to_value())),
        ("role", being.default_role.as_ref().into()),
        ("wearing", wearing(world, being, at)),
        ("flow", being.flow.source().clone()),
        ("grants", texts(&being.grants)),
        ("qualities", being.qualities.read(at)),
        ("settings", settings(&being.settings)),
        ("schedules", Value::Map(being.schedules.iter().map(|(name, of)| (name.clone(), schedule(of))).collect())),
        ("driver", being.driver_at(at).map_or(Value::Null, |driver| world.name_of(driver))),
        ("paused", Value::Bool(being.paused)),
        ("ended", Value::Bool(being.ended)),
    ])
}

/// The fields of a space that are compared.
pub(super) fn of_space(world: &World, space: &Space, at: Millis) -> Value {
    let within = space.parent.map_or(Value::Null, |parent| path(world, Thing::Space(parent), space.coords));
    Value::map([
        ("name", Value::from(&space.name)),
        ("position", within),
        ("type", Value::from(&space.kind)),
        ("size", told(&space.size)),
        ("owner", space.owner.map_or(Value::Null, |owner| world.name_of(owner))),
        ("contributors", Value::List(space.contributors.iter().map(|being| world.name_of(*being)).collect())),
        ("allow", texts(&space.allow)),
        ("flow", space.flow.as_ref().map_or(Value::Null, |flow| flow.flow.source().clone())),
        ("qualities", space.qualities.read(at)),
        ("settings", settings(&space.settings)),
        ("paused", Value::Bool(space.paused)),
    ])
}

/// The fields of matter that are compared.
pub(super) fn of_matter(world: &World, matter: &Matter, at: Millis) -> Value {
    Value::map([
        ("name", Value::from(&matter.name)),
        ("position", path(world, matter.place, matter.coords)),
        ("type", Value::from(&matter.kind)),
        ("content", (*matter.content).clone()),
        ("author", world.name_of(matter.author)),
        ("qualities", matter.qualities.read(at)),
    ])
}

/// The claims that live, by the address of what is claimed.
pub(super) fn of_claims(world: &World) -> BTreeMap<String, Value> {
    let told = |(thing, claim): (Thing, &Claim)| {
        let parts = [("by", world.name_of(claim.by)), ("until", Value::Int(claim.until)), ("why", Value::from(&claim.why))];
        (address_of(world, thing), Value::map(parts))
    };
    world.claims(world.now()).map(told).collect()
}

/// The entries of the registry that are compared, by kind and name.
pub(super) fn of_registry(world: &World) -> [(&'static str, Vec<(String, Value)>); 5] {
    let registry = world.registry();
    let local = registry.local_roles.iter().flat_map(|(name, places)| places.iter().map(move |(space, role)| (name, space, role)));
    let local = local.map(|(name, space, role)| (format!("{name} in {}", world.path_of(*space)), (*role.source).clone()));
    let roles = registry.roles.iter().map(|(name, role)| (name.to_string(), (*role.source).clone())).chain(local);
    let extension = |enabled: bool, manifest: &Arc<Value>| {
        let version = manifest.get("version").cloned().unwrap_or_default();
        Value::map([("enabled", Value::Bool(enabled)), ("version", version)])
    };
    let extensions = registry.extensions.iter();
    [
        ("role", roles.collect()),
        ("script", registry.scripts.iter().map(|(name, script)| (name.to_string(), Value::from(&script.source))).collect()),
        ("rule", registry.rules.iter().map(|(name, rule)| (name.to_string(), (*rule.source).clone())).collect()),
        ("extension", extensions.map(|(name, of)| (name.to_string(), extension(of.enabled, &of.manifest))).collect()),
        ("setting", registry.config.iter().map(|(key, value)| (key.to_string(), (**value).clone())).collect()),
    ]
}
