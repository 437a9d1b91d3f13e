//! Extending: the scripts, roles and records that a world lacks of an extension, and which of those that a source lists are to be enabled.

use std::collections::{BTreeMap, BTreeSet};

use crate::extension::Package;
use crate::fact::{Call, Canon, Hash, Text, Value};
use crate::world::World;

use super::written::Source;

/// An act of the operator, and why.
pub(super) type Act = (Call, String);

/// A script, where the world has another under its name or none.
pub(super) fn script_step(world: &World, name: &str, file: &str, source: &str) -> Option<Act> {
    if world.registry().scripts.get(name).is_some_and(|script| script.hash == Hash::of(source.as_bytes())) {
        return None;
    }
    let args = Value::map([("name", Value::text(name)), ("file", Value::text(file)), ("source", Value::text(source))]);
    Some((Call::doing("/", "script.set", args), format!("load script {name}")))
}

/// A role, where the world has another under its name or none.
pub(super) fn role_step(world: &World, name: &Text, origin: &str, role: &Value) -> Option<Act> {
    if world.registry().roles.get(name).is_some_and(|now| now.hash == Hash::of(&role.to_canon())) {
        return None;
    }
    let args = Value::map([("name", Value::from(name)), ("origin", Value::text(origin)), ("role", role.clone())]);
    Some((Call::doing("/", "role.set", args), format!("load role {name}")))
}

/// The acts by which a world comes to have an extension and to use it: its scripts, its roles, its manifest.
pub fn steps_of(package: &Package, world: &World) -> Vec<Act> {
    let now = world.registry().extensions.get(package.name.as_str());
    let record = (!now.is_some_and(|now| now.enabled && package.is_recorded_as(&now.manifest))).then(|| record(package, true));
    contents(package, world).into_iter().chain(record).collect()
}

/// The same for all that a source lists: each behind those that it needs; where it says that only some are to be enabled, these alone.
pub(super) fn extension_steps(source: &Source, world: &World) -> Vec<Act> {
    let Some(chosen) = chosen(source) else { return source.extensions.iter().flat_map(|package| steps_of(package, world)).collect() };
    let known = &world.registry().extensions;
    let mut enabled: BTreeMap<&str, bool> = known.values().map(|extension| (extension.name.as_ref(), extension.enabled)).collect();
    let mut acts = Vec::new();
    for package in &source.extensions {
        let name = package.name.as_str();
        acts.extend(contents(package, world));
        // An extension that is there keeps its state until all are switched at once; a new one is not enabled before those that it needs.
        let is_served = package.needs.keys().all(|need| enabled.get(need.as_str()) == Some(&true));
        let is_on = is_served && enabled.get(name).copied().unwrap_or(chosen.contains(name));
        if !known.get(name).is_some_and(|now| package.is_recorded_as(&now.manifest)) {
            acts.push(record(package, is_on));
            enabled.insert(name, is_on);
        }
    }
    if enabled.iter().any(|(name, is_on)| chosen.contains(name) != *is_on) {
        let names = Value::List(chosen.iter().map(Value::text).collect());
        let why = format!("enable {} alone", chosen.into_iter().collect::<Vec<_>>().join(", "));
        acts.push((Call::doing("/", "extension.only", Value::map([("names", names)])), why));
    }
    acts
}

/// The scripts and roles of an extension that a world lacks or has otherwise.
fn contents(package: &Package, world: &World) -> Vec<Act> {
    let scripts = package.scripts.iter().filter_map(|script| script_step(world, &script.name, &script.file, &script.source));
    scripts.chain(package.specs().filter_map(|role| role_step(world, &role.name, &package.name, &role.to_value()))).collect()
}

fn record(package: &Package, is_on: bool) -> Act {
    let args = [("name", Value::text(&package.name)), ("enabled", Value::Bool(is_on)), ("manifest", package.manifest_value())];
    (Call::doing("/", "extension.set", Value::map(args)), format!("{} extension {}", if is_on { "enable" } else { "add" }, package.name))
}

/// The extensions that are to be enabled, where the source says which: those of its profiles, and what they need.
fn chosen(source: &Source) -> Option<BTreeSet<&str>> {
    let mut open: Vec<&String> = Vec::new();
    for name in source.only.as_ref()? {
        match source.profiles.get(name) {
            Some(listed) => open.extend(listed),
            None => open.push(name),
        }
    }
    let mut chosen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if chosen.insert(name.as_str()) {
            let package = source.extensions.iter().find(|package| package.name == *name);
            open.extend(package.into_iter().flat_map(|package| package.needs.keys()));
        }
    }
    Some(chosen)
}
