//! SignalKind: of which kind a signal is: by its value or, where it has none, by what conditions compare it with, by what scripts set it to,
//! and by what it was before.

use std::collections::BTreeSet;

use crate::fact::{Map, Value};
use crate::role::Operator;
use crate::world::{NOW, World, entries};

pub(super) const TRUTH: &str = "true or false";
pub(super) const NUMBER: &str = "a number";
pub(super) const TEXT: &str = "text";

/// A kind, and how it is known.
pub(super) struct SignalKind {
    pub(super) kind: &'static str,
    /// In brackets; nothing where the signal itself has a value.
    pub(super) why: &'static str,
}

impl SignalKind {
    /// Finds the kind of a signal. `before` is asked for its last value where nothing else tells.
    pub(super) fn of(world: &World, path: &str, before: &dyn Fn(&str) -> Option<Value>) -> Option<Self> {
        let said = |kind, why| Self { kind, why };
        let now = world.signals().at(path).filter(|value| !value.is_null());
        if let Some(value) = now {
            return kind(value).map(|kind| said(kind, ""));
        }
        match written(world, path).as_slice() {
            [only] => Some(said(only, " (conditions and scripts have it so)")),
            // Several kinds leave it open.
            [_, ..] => None,
            [] => before(path).as_ref().and_then(kind).map(|kind| said(kind, " (as it was before)")),
        }
    }
}

/// The kind of a value that is one alone.
pub(super) fn kind(value: &Value) -> Option<&'static str> {
    match value {
        Value::Bool(_) => Some(TRUTH),
        Value::Int(_) | Value::Float(_) => Some(NUMBER),
        Value::Text(_) => Some(TEXT),
        Value::List(_) | Value::Map(_) | Value::Null => None,
    }
}

/// The kinds that are written of a signal in conditions and scripts.
fn written(world: &World, path: &str) -> Vec<&'static str> {
    let registry = world.registry();
    let mut found = BTreeSet::new();
    let mut hear = |value: &Value| compared(value, path, &mut found);
    world.living().for_each(|being| hear(being.flow.source()));
    world.spaces().filter_map(|space| space.flow.as_ref()).for_each(|flow| hear(flow.flow.source()));
    let local = registry.local_roles.values().flat_map(|places| places.values());
    registry.roles.values().chain(local).filter_map(|role| role.spec.when.as_ref()).for_each(|when| hear(when.source()));
    registry.rules.values().for_each(|rule| hear(&rule.source));
    registry.extensions.values().flat_map(|extension| entries(&extension.manifest, "rules")).for_each(&mut hear);
    registry.page(NOW).iter().for_each(hear);
    found.extend(registry.scripts.values().flat_map(|script| set_to(&script.source, path)));
    found.into_iter().collect()
}

/// Takes in the kinds with which a signal is compared anywhere in a value that holds conditions.
fn compared(value: &Value, path: &str, found: &mut BTreeSet<&'static str>) {
    match value {
        Value::Map(map) => {
            for (key, inner) in map {
                match key.strip_prefix("world").map(|rest| rest.strip_prefix('.').unwrap_or(rest)) {
                    Some(rest) if key.as_ref() == "world" || key.starts_with("world.") => below(rest, inner, path, found),
                    _ => compared(inner, path, found),
                }
            }
        }
        Value::List(list) => list.iter().for_each(|inner| compared(inner, path, found)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => {}
    }
}

/// The same of a condition that stands at a path already.
fn below(at: &str, value: &Value, path: &str, found: &mut BTreeSet<&'static str>) {
    let operators = |map: &Map| map.keys().any(|key| Operator::parse(key).is_some());
    match value {
        Value::Map(map) if !operators(map) => {
            let dot = if at.is_empty() { "" } else { "." };
            map.iter().for_each(|(key, inner)| below(&format!("{at}{dot}{key}"), inner, path, found));
        }
        Value::Map(map) if at == path => {
            found.extend(map.iter().filter_map(|(key, inner)| Some((Operator::parse(key)?, inner))).flat_map(operand));
        }
        value if at == path => found.extend(choices(value)),
        _ => {}
    }
}

/// The kinds that an operator compares with.
fn operand((operator, value): (Operator, &Value)) -> Vec<&'static str> {
    match operator {
        Operator::Present | Operator::Contains => Vec::new(),
        Operator::StartsWith | Operator::Matches => vec![TEXT],
        _ => choices(value),
    }
}

/// The kinds of a value, or of the values in a list.
fn choices(value: &Value) -> Vec<&'static str> {
    match value {
        Value::List(list) => list.iter().filter_map(kind).collect(),
        other => kind(other).into_iter().collect(),
    }
}

/// The kinds of the literal values to which a script sets a signal by its name in quotes.
fn set_to(script: &str, path: &str) -> Vec<&'static str> {
    let named = script.split("signal.set").skip(1).filter_map(|behind| {
        let (_, behind) = behind.split_once(&format!("path: \"{path}\""))?;
        let (_, value) = behind.split_once('}')?.0.split_once("value:")?;
        serde_json::from_str::<Value>(value.trim().trim_end_matches(',')).ok()
    });
    named.filter_map(|value| kind(&value)).collect()
}
