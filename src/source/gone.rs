//! Gone: what a source named when it was last applied and names no more, and what it says otherwise of a world's beginning. Neither is changed by
//! `apply`: it is told.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::{Map, Text, Thing, Value};
use crate::world::{Local, World, iso, thing_at};

use super::item::MatterItem;
use super::population::numbered;
use super::written::Source;

/// Stands for matter itself among its qualities, whose paths all have a dot: once made, it is where life has taken it.
pub(super) const MADE: &str = "made";

/// Under which names it is remembered what beings and spaces a source has, and how its world begins.
const BEINGS: &str = "/.beings";
const SPACES: &str = "/.spaces";
pub(super) const BEGINNING: &str = "/.beginning";
/// The part of its beginning that may be changed later.
pub(super) const ZONE: &str = "zone";
const SEED: &str = "seed";

/// Of a population whose beings have names of their own, so many are remembered; of a larger one nobody is missed.
const NAMES_MAX: usize = 1000;
/// How many are told by name.
const TOLD: usize = 3;

/// The names of what a source has, each under which register and as what it is remembered.
pub(super) fn named(source: &Source) -> impl Iterator<Item = (&'static str, String, Value)> {
    let beginning = beginning(source).into_iter().map(|(key, value)| (BEGINNING, key.to_owned(), value));
    let spaces = source.spaces.iter().map(|space| (SPACES, space.item.path.clone(), Value::Bool(true)));
    let singles = source.beings.iter().filter(|being| being.item.of.is_none());
    let singles = singles.map(|being| (BEINGS, being.item.name.clone(), Value::Bool(true)));
    let mut populations: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for item in source.beings.iter().map(|being| &being.item) {
        if let Some(population) = &item.of {
            populations.entry(&population.name).or_default().push(&item.name);
        }
    }
    let populations =
        populations.into_iter().filter_map(|(population, names)| Some((BEINGS, population.to_owned(), members(population, &names)?)));
    beginning.chain(spaces).chain(singles).chain(populations.collect::<Vec<_>>())
}

/// When a world of a source begins, by the clock of its zone.
fn local_start(source: &Source) -> String {
    let offset = source.zone.parse().map_or(0, |zone| Local::of(source.start, zone).offset);
    iso(source.start, offset).chars().take(19).collect()
}

/// How a world of a source begins.
fn beginning(source: &Source) -> [(&'static str, Value); 3] {
    let seed = source.seed.to_string();
    [("start", Value::from(local_start(source))), (SEED, Value::text(&seed)), (ZONE, Value::text(&source.zone))]
}

/// The beings of a population: how many, where they are numbered, else their names.
fn members(population: &str, names: &[&str]) -> Option<Value> {
    if names.iter().enumerate().all(|(at, name)| numbered(prefix_of(population), at + 1) == *name) {
        return Some(Value::Int(names.len() as i64));
    }
    (names.len() <= NAMES_MAX).then(|| Value::List(names.iter().copied().map(Value::text).collect()))
}

/// The prefix of a population that is remembered as `population PREFIX`.
fn prefix_of(population: &str) -> &str {
    population.split_whitespace().nth(1).unwrap_or_default()
}

/// Where matter lies, as its source says.
pub(super) fn matter_address(item: &MatterItem) -> String {
    format!("{}/{}", item.at.trim_end_matches('/'), item.name)
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
            Value::Int(count) => {
                // No more of them can be there than the world has beings.
                let count = usize::try_from(*count).unwrap_or_default().min(self.world.beings().len());
                (1..=count).map(|number| numbered(prefix_of(name), number)).collect()
            }
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

/// Keeps in what is to be remembered of a source what it names no more and what is still there, and how the world began. So whoever applies it
/// again is told again.
pub(super) fn keep_left(says: &mut Value, source: &Source, world: &World, remembered: &Value) {
    let left = LeftBehind::of(source, world, remembered);
    let mut kept: Vec<(Text, Text, Value)> = Vec::new();
    let mut keep = |under: &str, key: &str, said: &Value| kept.push((under.into(), key.into(), said.clone()));
    left.begun().for_each(|(key, said)| keep(BEGINNING, key, said));
    for (name, said) in left.under(BEINGS) {
        let living = left.living(name, said);
        match (says.get(BEINGS).and_then(|beings| beings.get(name)), said) {
            _ if living.is_empty() => {}
            (Some(Value::Int(now)), Value::Int(before)) => keep(BEINGS, name, &Value::Int(*now.max(before))),
            (None, Value::Int(_)) => keep(BEINGS, name, said),
            // The names that a population has now stand beside those of it who are left.
            _ => living.iter().take(NAMES_MAX).for_each(|being| keep(BEINGS, being.trim_start_matches('@'), &Value::Bool(true))),
        }
    }
    left.under(SPACES).filter(|(path, _)| left.is_left(path)).for_each(|(path, said)| keep(SPACES, path, said));
    left.matter().for_each(|address| keep(address, MADE, &Value::Bool(true)));
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
    let has_ended = |name: &&str| world.being_named(name).is_some_and(|being| being.ended);
    let ended: Vec<String> = left.beings.iter().copied().filter(has_ended).map(|name| format!("@{name}")).collect();
    if !ended.is_empty() {
        told.push(format!("in the file, and {} ended here: {}; no name is given twice", plural(&ended, "has", "have"), listed(&ended)));
    }
    let says = beginning(source);
    // The planting may have been told another seed than the source has.
    let is_so = |key: &str, said: &Value| {
        let now = says.iter().find(|(own, _)| *own == key).map(|(_, now)| now);
        now == Some(said) || key == SEED && now.and_then(Value::as_str) == Some(world.world_setting(SEED).to_string().as_str())
    };
    let other: Vec<&str> = left.begun().filter(|(key, said)| !is_so(key, said)).map(|(key, _)| key.as_ref()).collect();
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
