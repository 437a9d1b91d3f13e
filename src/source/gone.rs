//! Gone: what a source named when it was last applied and names no more, and what it says otherwise of a world's beginning. Neither is changed by
//! `apply`: it is told.

use std::collections::BTreeSet;

use crate::fact::{Map, Text, Thing, Value};
use crate::world::{Local, World, iso, thing_at};

use super::item::{BeingItem, MatterItem};
use super::written::Source;

/// Stands for matter itself among its qualities, whose paths all have a dot: once made, it is where life has taken it.
pub(super) const MADE: &str = "made";

/// Under which names it is remembered what beings and spaces a source has, and how its world begins.
const BEINGS: &str = "/.beings";
const SPACES: &str = "/.spaces";
pub(super) const BEGINNING: &str = "/.beginning";
/// The part of its beginning that may be changed later.
pub(super) const ZONE: &str = "zone";

/// Of a population whose beings have names of their own, so many are remembered; of a larger one nobody is missed.
const NAMES_MAX: usize = 1000;
/// How many are told by name.
const TOLD: usize = 3;

/// The names of what a source has, each under which register and as what it is remembered.
pub(super) fn named(source: &Source) -> impl Iterator<Item = (&'static str, String, Value)> {
    let seed = source.seed.to_string();
    let beginning = [("start", Value::from(local_start(source))), ("seed", Value::text(&seed)), (ZONE, Value::text(&source.zone))];
    let beginning = beginning.into_iter().map(|(key, value)| (BEGINNING, key.to_owned(), value));
    let spaces = source.spaces.iter().map(|space| (SPACES, space.item.path.clone(), Value::Bool(true)));
    let singles = source.beings.iter().filter(|being| being.item.of.is_none());
    let singles = singles.map(|being| (BEINGS, being.item.name.clone(), Value::Bool(true)));
    let populations: BTreeSet<&str> = source.beings.iter().filter_map(|being| population_of(&being.item)).collect();
    let populations = populations.into_iter().filter_map(|population| Some((BEINGS, population.to_owned(), members(source, population)?)));
    beginning.chain(spaces).chain(singles).chain(populations.collect::<Vec<_>>())
}

/// When a world of a source begins, by the clock of its zone.
fn local_start(source: &Source) -> String {
    let offset = source.zone.parse().map_or(0, |zone| Local::of(source.start, zone).offset);
    iso(source.start, offset).chars().take(19).collect()
}

fn population_of(item: &BeingItem) -> Option<&str> {
    item.of.as_ref().map(|population| population.name.as_str())
}

/// The beings of a population: how many, where they are numbered, else their names.
fn members(source: &Source, population: &str) -> Option<Value> {
    let names = source.beings.iter().map(|being| &being.item).filter(|item| population_of(item) == Some(population));
    let names: Vec<&str> = names.map(|item| item.name.as_str()).collect();
    if names.iter().enumerate().all(|(at, name)| numbered(population, at + 1) == *name) {
        return Some(Value::Int(names.len() as i64));
    }
    (names.len() <= NAMES_MAX).then(|| Value::List(names.into_iter().map(Value::text).collect()))
}

/// Where matter lies, as its source says.
pub(super) fn matter_address(item: &MatterItem) -> String {
    format!("{}/{}", item.at.trim_end_matches('/'), item.name)
}

/// The name of one of a population, which is remembered as `population PREFIX`.
fn numbered(population: &str, number: usize) -> String {
    let prefix = population.split_whitespace().nth(1).unwrap_or_default();
    format!("{prefix}-{number}")
}

/// The things of a remembered source that a source has no more and that are still there.
struct LeftBehind<'w> {
    world: &'w World,
    remembered: &'w Value,
    beings: BTreeSet<&'w str>,
    spaces: BTreeSet<&'w str>,
    matter: BTreeSet<String>,
}

impl<'w> LeftBehind<'w> {
    fn of(source: &'w Source, world: &'w World, remembered: &'w Value) -> Self {
        Self {
            world,
            remembered,
            beings: source.beings.iter().map(|being| being.item.name.as_str()).collect(),
            spaces: source.spaces.iter().map(|space| space.item.path.as_str()).collect(),
            matter: source.matter.iter().map(|matter| matter_address(&matter.item)).collect(),
        }
    }

    fn under(&self, register: &str) -> impl Iterator<Item = (&'w Text, &'w Value)> + use<'w> {
        self.remembered.get(register).and_then(Value::as_map).into_iter().flatten()
    }

    /// How the world began, but for what may be changed later.
    fn begun(&self) -> impl Iterator<Item = (&'w Text, &'w Value)> + use<'w> {
        self.under(BEGINNING).filter(|(key, _)| key.as_ref() != ZONE)
    }

    /// Those of an entry that live on, as addresses.
    fn living(&self, name: &str, said: &Value) -> Vec<String> {
        let names: Vec<String> = match said {
            Value::Int(count) => (1..=usize::try_from(*count).unwrap_or_default()).map(|number| numbered(name, number)).collect(),
            Value::List(names) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => vec![name.to_owned()],
        };
        let lives = |name: &String| !self.beings.contains(name.as_str()) && self.world.being_named(name).is_some_and(|being| !being.ended);
        names.into_iter().filter(lives).map(|name| format!("@{name}")).collect()
    }

    fn is_left(&self, path: &str) -> bool {
        !self.spaces.contains(path) && matches!(thing_at(self.world, path), Some(Thing::Space(_)))
    }

    /// The addresses of matter that was made and still lies there.
    fn matter(&self) -> impl Iterator<Item = &'w Text> {
        let said = self.remembered.as_map().into_iter().flatten();
        let made = said.filter(|(_, said)| said.get(MADE).is_some()).map(|(address, _)| address);
        made.filter(|address| !self.matter.contains(address.as_ref()) && matches!(thing_at(self.world, address), Some(Thing::Matter(_))))
    }
}

/// Has what a source says, as it is to be remembered, keep what it names no more and what is still there, and how the world began: whoever
/// applies it again is told of that again.
pub(super) fn keep_left(says: &mut Value, source: &Source, world: &World, remembered: &Value) {
    let left = LeftBehind::of(source, world, remembered);
    let mut kept: Vec<(Text, Text, Value)> = Vec::new();
    let mut keep = |under: &str, key: &Text, said: &Value| kept.push((under.into(), key.clone(), said.clone()));
    left.begun().for_each(|(key, said)| keep(BEGINNING, key, said));
    left.under(BEINGS).filter(|(name, said)| !left.living(name, said).is_empty()).for_each(|(name, said)| keep(BEINGS, name, said));
    left.under(SPACES).filter(|(path, _)| left.is_left(path)).for_each(|(path, said)| keep(SPACES, path, said));
    left.matter().for_each(|address| keep(address, &MADE.into(), &Value::Bool(true)));
    let Value::Map(says) = says else { return };
    for (under, key, said) in kept {
        if let Value::Map(map) = says.entry(under).or_insert_with(|| Value::Map(Map::new())) {
            map.insert(key, said);
        }
    }
}

/// The differences of a source from a living world that no act of `apply` mends, in sentences.
pub(super) fn unapplied(source: &Source, world: &World, remembered: &Value) -> Vec<String> {
    let left = LeftBehind::of(source, world, remembered);
    let beings: Vec<String> = left.under(BEINGS).flat_map(|(name, said)| left.living(name, said)).collect();
    let spaces: Vec<String> = left.under(SPACES).map(|(path, _)| path.to_string()).filter(|path| left.is_left(path)).collect();
    let matter: Vec<String> = left.matter().map(ToString::to_string).collect();
    let mut told: Vec<String> = Vec::new();
    if let Some(first) = beings.first() {
        told.push(format!("in the file no more, {} on: {} (`reelm be end {first}`)", plural(&beings, "lives", "live"), listed(&beings)));
    }
    for (things, operation) in [(&matter, "matter.end"), (&spaces, "space.end")] {
        if let Some(first) = things.first() {
            told.push(format!("in the file no more, still there: {} (`reelm do {first} {operation}`)", listed(things)));
        }
    }
    let says: Map = named(source).filter(|(under, ..)| *under == BEGINNING).map(|(_, key, value)| (key.into(), value)).collect();
    let other: Vec<&str> = left.begun().filter(|(key, said)| says.get(*key) != Some(said)).map(|(key, _)| key.as_ref()).collect();
    if !other.is_empty() {
        let dir = source.dir.display();
        let is = plural(&other, "is", "are");
        told.push(format!("{} {is} fixed since the world began; `reelm run {dir} --anew` begins it again", other.join(" and ")));
    }
    told
}

fn plural<'a, T>(list: &[T], one: &'a str, many: &'a str) -> &'a str {
    if list.len() == 1 { one } else { many }
}

/// The first of some, and how many more there are.
fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(TOLD);
    let first = names.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}
