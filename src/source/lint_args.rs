//! Lint args: which arguments some operations have, as far as their schemas tell, and what is wrong with a name that is none of them.

use std::collections::BTreeSet;

use crate::fact::{Text, Value};
use crate::role::{Entry, Judge, LintCode, Warning, may_mean};
use crate::verb::{Doable, operations_of};
use crate::world::World;

use super::known::Nameable;

/// The arguments of some operations together.
struct ArgumentNames {
    known: BTreeSet<Text>,
    /// Whether all of them refuse any other.
    is_closed: bool,
}

impl ArgumentNames {
    /// Those of the operations whose names are wanted; nothing where there is no operation of such a name.
    fn of(world: &World, is_wanted: impl Fn(&str) -> bool) -> Option<Self> {
        let operations = operations_of(world, is_wanted);
        let known = operations.iter().flat_map(properties).collect();
        (!operations.is_empty()).then(|| Self { known, is_closed: operations.iter().all(is_closed) })
    }

    /// The warning that there is no such argument. Where others are let through, only one that is like a known one is doubted.
    fn doubt(&self, place: &str, of: &str, name: &str) -> Option<Warning> {
        let known: Vec<&str> = self.known.iter().map(AsRef::as_ref).collect();
        let hint = may_mean("", name, &known);
        if self.known.contains(name) || (!self.is_closed && hint.is_none()) {
            return None;
        }
        let has = if self.known.is_empty() { "it takes none".to_owned() } else { format!("there are {}", known.join(", ")) };
        let what = format!("no argument of {of} is called `{name}`; {has}");
        Some(Warning { place: place.to_owned(), code: LintCode::UnknownKey, what, hint })
    }
}

/// The warnings about arguments that an operation is given and has not.
pub(super) fn strange_arguments<'n>(world: &World, place: &str, action: &str, given: impl IntoIterator<Item = &'n str>) -> Vec<Warning> {
    let names = ArgumentNames::of(world, |name| name == action);
    let doubt = |names: ArgumentNames| given.into_iter().filter_map(|name| names.doubt(place, &format!("`{action}`"), name)).collect();
    names.map(doubt).unwrap_or_default()
}

fn properties(operation: &Doable) -> Vec<Text> {
    let properties = operation.schema.get("properties").and_then(Value::as_map);
    properties.into_iter().flat_map(|map| map.keys().cloned()).collect()
}

/// Whether the schema of an operation itself says every argument.
fn is_closed(operation: &Doable) -> bool {
    let says_more = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "patternProperties"];
    operation.schema.get("additionalProperties").and_then(Value::as_bool) == Some(false)
        && !says_more.iter().any(|key| operation.schema.get(key).is_some())
}

/// The arguments that a rule asks for and that no operation has on which it is asked.
pub(super) fn rule_arguments(known: &Nameable<'_>, rule: &Judge) -> Vec<Warning> {
    let is_asked = |action: &str| rule.on().iter().any(|entry| entry.covers_action(action));
    let Some(on) = rule.on().iter().map(|entry| operation_of(known, entry)).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let of = on.iter().map(|action| format!("`{action}`")).collect::<Vec<_>>().join(", ");
    let doubt = |names: ArgumentNames| rule.arguments().into_iter().filter_map(|name| names.doubt("when", &of, name)).collect();
    ArgumentNames::of(known.world, is_asked).map(doubt).unwrap_or_default()
}

/// The operation that an entry of a rule names; what is done without one has arguments that no schema here tells.
fn operation_of<'e>(known: &Nameable<'_>, entry: &'e Entry) -> Option<&'e str> {
    let (Entry::Name(action) | Entry::Bound { action, .. }) = entry else { return None };
    Some(action.as_str()).filter(|action| known.operations.contains(*action))
}
