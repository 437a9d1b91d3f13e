//! Lint scene: what a scene of a source names that its world has not: who acts or is asked, and what is done on what.
//!
//! A thing counts as made on the way where an act of the scene, or a script, says its name.

use crate::fact::Value;
use crate::role::{LintCode, Warning};
use crate::verb::address_meant;
use crate::world::World;

use super::item::{GivenItem, TestItem};
use super::known::Nameable;
use super::lint::Doubted;
use super::lint_args::strange_arguments;
use super::lint_steps::unknown_operation;
use super::written::Source;

/// The things that a place of a scene names.
struct SceneName {
    place: String,
    address: String,
}

impl SceneName {
    /// The actor may be named with the `@` or without it.
    fn at(of: &str, key: &str, written: &str) -> Self {
        let address = if key == "as" { format!("@{}", written.trim_start_matches('@')) } else { written.to_owned() };
        Self { place: format!("{of}.{key}"), address }
    }
}

/// Every warning about what the scenes of a source name.
pub fn scene_warnings(world: &World, source: &Source) -> Vec<(Doubted, Warning)> {
    let known = Nameable::of(world);
    let of = |(at, scene): (usize, &TestItem)| {
        let doubted = Doubted::Scene(at, scene.name.clone());
        of_scene(&known, scene).into_iter().map(move |warning| (doubted.clone(), warning)).collect::<Vec<_>>()
    };
    source.tests.iter().map(|test| &test.item).enumerate().flat_map(of).collect()
}

fn of_scene(known: &Nameable<'_>, scene: &TestItem) -> Vec<Warning> {
    let is_made =
        |address: &str| address.rsplit(['/', '@']).next().is_some_and(|name| scene.given.iter().any(|given| says(&given.args, name)));
    let strange = |named: &SceneName| !known.may_stand(&named.address) && !is_made(&named.address);
    let absent = |SceneName { place, address }: SceneName| {
        let what = format!("nothing stands at `{address}`");
        Warning { place, code: LintCode::UnknownName, what, hint: address_meant(known.world, &address) }
    };
    named_in(scene).into_iter().filter(strange).map(absent).chain(operations(known, scene)).collect()
}

/// The names in a scene: in each act that is given, and in what holds at the end.
fn named_in(scene: &TestItem) -> Vec<SceneName> {
    let of_given = |(at, given): (usize, &GivenItem)| {
        let named = [("as", &given.by), ("on", &given.on), ("summon", &given.summon)];
        let written = named.into_iter().filter_map(|(key, written)| Some((key, written.as_deref()?)));
        written.map(|(key, written)| SceneName::at(&format!("given[{at}]"), key, written)).collect::<Vec<_>>()
    };
    let of_expected = |(at, expected): (usize, &Value)| {
        let written = ["as", "on"].into_iter().filter_map(|key| Some((key, expected.get(key)?.as_str()?)));
        written.map(|(key, written)| SceneName::at(&format!("expect[{at}]"), key, written)).collect::<Vec<_>>()
    };
    let expected = scene.expect.as_list().unwrap_or(std::slice::from_ref(&scene.expect));
    let given = scene.given.iter().enumerate().flat_map(of_given);
    given.chain(expected.iter().enumerate().flat_map(of_expected)).collect()
}

/// Whether a text somewhere in a value is this name.
fn says(value: &Value, name: &str) -> bool {
    match value {
        Value::Text(text) => text.as_ref() == name,
        Value::List(list) => list.iter().any(|value| says(value, name)),
        Value::Map(map) => map.values().any(|value| says(value, name)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }
}

/// The operations that are given and that there are not, and their arguments.
fn operations(known: &Nameable<'_>, scene: &TestItem) -> Vec<Warning> {
    let of = |(at, given): (usize, &GivenItem)| {
        let (key, action, names) = match (&given.action, &given.be) {
            (Some(action), _) => ("do", action, &known.operations),
            (None, Some(operation)) => ("be", operation, &known.bindings),
            (None, None) => return Vec::new(),
        };
        if !names.contains(action.as_str()) {
            return vec![unknown_operation(format!("given[{at}].{key}"), action, names.iter().map(AsRef::as_ref))];
        }
        let given = given.args.as_map().into_iter().flat_map(|map| map.keys());
        strange_arguments(known.world, &format!("given[{at}].args"), action, given.map(AsRef::as_ref))
    };
    scene.given.iter().enumerate().flat_map(of).collect()
}
