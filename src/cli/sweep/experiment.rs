//! Experiment: what a sweep compares, as a JSON file says it: arms, seeds, replicates, and until when each world lives.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Map, Value as Json};

use crate::fact::{Millis, parse_duration, simulated};
use crate::run::{End, Living, Until};
use crate::source::{Source, WantedChange};
use crate::store::MemoryStore;

use super::super::placed::{JsonPlace, Misplaced, read_placed};
use super::grid::{Parameters, points};

/// The plan of a sweep: the arms that it compares, and their seeds.
pub(super) struct Experiment {
    /// The conditions.
    pub(super) arms: Vec<Arm>,
    /// Where chance begins: each arm is run from each; none: from the seed of its source.
    seeds: Vec<u64>,
    /// The parameters that are varied, in their order.
    pub(super) parameters: Vec<String>,
    /// How often each is run.
    pub(super) replicates: u64,
    /// So much world time.
    duration: Option<Millis>,
    /// So many moments.
    moments: Option<u64>,
    /// An instant, or a condition.
    end: Option<End>,
    /// As it was written, for whoever looks whether it is the same.
    pub(super) ends: String,
}

/// One condition: a source, and what is otherwise in it.
pub(super) struct Arm {
    /// Its name in the table.
    pub(super) name: String,
    /// The condition without its parameters, by the first of those that come of it.
    pub(super) base: usize,
    /// The value of each parameter.
    pub(super) parameters: Parameters,
    /// The world's source.
    pub(super) source: PathBuf,
    /// The changes in it.
    changes: Vec<WantedChange>,
}

impl Experiment {
    /// Reads a file; what it names lies from its own folder on.
    pub(super) fn read(file: &Path) -> Result<Self> {
        let dir = file.parent().unwrap_or(Path::new(""));
        read_placed(file, "an experiment", |whole| Self::of(&whole, dir))
    }

    fn of(whole: &JsonPlace<'_>, dir: &Path) -> Result<Self, Misplaced> {
        let map = whole.map(&["source", "arms", "grid", "samples", "seeds", "replicates", "for", "moments", "until"])?;
        let source = map.contains_key("source").then(|| whole.text(map, "source")).transpose()?;
        let arms = whole.list(map, "arms")?.iter().map(|arm| Arm::of(arm, source.as_deref(), dir)).collect::<Result<Vec<_>, _>>()?;
        let points = points(whole, map)?;
        let arms = match source.as_deref() {
            Some(source) if arms.is_empty() && points.iter().any(|point| !point.is_empty()) => vec![Arm::only(dir.join(source))],
            _ => arms,
        };
        if arms.is_empty() {
            return whole.wrong("expected `arms`, a list of one condition at least, or a `source` with a `grid`, found neither");
        }
        let mut names = BTreeSet::new();
        if let Some((at, arm)) = arms.iter().enumerate().find(|(_, arm)| !names.insert(arm.name.as_str())) {
            return whole.at("arms").at(&format!("{at}/name")).wrong(format!("expected a name of its own, found `{}` again", arm.name));
        }
        let seeds = seeds(whole, map)?;
        if map.contains_key("for") && map.contains_key("moments") {
            return whole
                .at("moments")
                .wrong("expected `for` or `moments`, found both: a table of worlds that end by either compares unlike ends");
        }
        let ends: Map<String, Json> =
            ["for", "moments", "until"].iter().filter_map(|key| Some(((*key).to_owned(), map.get(*key)?.clone()))).collect();
        if ends.is_empty() {
            return whole.wrong("expected `for`, `moments` or `until`: when a world ends, found none of them");
        }
        let parameters = points.first().map(|point| point.iter().map(|(key, _)| key.clone()).collect()).unwrap_or_default();
        let varied = arms.into_iter().enumerate().flat_map(|(at, arm)| {
            points.iter().enumerate().map(|(number, point)| arm.varied((at, number), point, dir)).collect::<Vec<_>>()
        });
        let arms = varied.collect::<Result<Vec<_>, _>>().map_err(|what| whole.at("grid").fault(what))?;
        Ok(Self {
            arms,
            seeds,
            parameters,
            replicates: at_least_one(whole, map, "replicates")?.unwrap_or(1),
            duration: map.contains_key("for").then(|| duration(whole, map)).transpose()?,
            moments: at_least_one(whole, map, "moments")?,
            end: map.contains_key("until").then(|| until(whole, map)).transpose()?,
            ends: Json::Object(ends).to_string(),
        })
    }

    /// The seeds from which an arm is run.
    pub(super) fn seeds_of(&self, arm: &Arm) -> Result<Vec<u64>> {
        Ok(if self.seeds.is_empty() { vec![Source::read(&arm.source)?.seed] } else { self.seeds.clone() })
    }

    /// When a world ends that stands in a zone.
    pub(super) fn until(&self, living: &Living) -> Until {
        let mut until = Until { duration: self.duration, moments: self.moments, ..Until::default() };
        match &self.end {
            Some(End::When(when)) => until.when = Some(when.clone()),
            Some(End::At(instant)) => until.instant = Some(instant.in_zone(living.world().zone())),
            None => {}
        }
        until
    }
}

impl Arm {
    fn of(place: &JsonPlace<'_>, source: Option<&str>, dir: &Path) -> Result<Self, Misplaced> {
        let map = place.map(&["name", "source", "change"])?;
        let name = place.text(map, "name")?;
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
            return place.at("name").wrong(format!("expected letters, digits, `-` and `_`, found `{name}`"));
        }
        let own = map.contains_key("source").then(|| place.text(map, "source")).transpose()?;
        let source = own.as_deref().or(source).ok_or_else(|| place.fault("expected a `source`, here or for all arms, found none"))?;
        let change = |place: &JsonPlace<'_>| {
            let text: String = place.parsed()?;
            let change = WantedChange::beside(dir, &text).map_err(|what| place.fault(what))?;
            if change.is_reply() {
                return Err(place.fault("expected no reply: an arm begins with nothing recorded; `reelm fork` takes one".to_owned()));
            }
            Ok(change)
        };
        let changes = place.list(map, "change")?.iter().map(change).collect::<Result<_, _>>()?;
        Ok(Self { name, base: 0, parameters: Vec::new(), source: dir.join(source), changes })
    }

    /// The only condition of an experiment that varies nothing but parameters.
    fn only(source: PathBuf) -> Self {
        Self { name: String::new(), base: 0, parameters: Vec::new(), source, changes: Vec::new() }
    }

    /// The same at a point of the grid.
    fn varied(&self, (base, number): (usize, usize), point: &Parameters, dir: &Path) -> Result<Self, String> {
        let change = |(key, value): &(String, Json)| {
            let is_value = key.starts_with("setting:") || key.starts_with("signal:");
            let value = value.as_str().filter(|_| !is_value).map_or_else(|| value.to_string(), str::to_owned);
            WantedChange::of_json(dir, &format!("{key}={value}"))
        };
        let own = point.iter().map(change).collect::<Result<Vec<_>, _>>()?;
        let set: Vec<String> = self.changes.iter().filter_map(WantedChange::sets).collect();
        if let Some(twice) = own.iter().filter_map(WantedChange::sets).find(|own| set.contains(own)) {
            return Err(format!("expected a parameter that no arm sets, found `{twice}`, which the arm `{}` changes itself", self.name));
        }
        let dash = if self.name.is_empty() { "" } else { "-" };
        let name = if point.is_empty() { self.name.clone() } else { format!("{}{dash}g{}", self.name, number + 1) };
        let changes = self.changes.iter().cloned().chain(own).collect();
        Ok(Self { name, base, parameters: point.clone(), source: self.source.clone(), changes })
    }

    /// A hash of the world that the source makes, without any change.
    pub(super) fn source_hash(&self) -> Result<String> {
        let source = Source::read(&self.source)?;
        let (_, id) = simulated(&source.name, 0);
        let living = Living::plant_in(&source, Some(0), Box::new(MemoryStore::new(id)), 1)?;
        let hash = living.world().hash().to_string();
        Ok(hash.get(..16).unwrap_or(&hash).to_owned())
    }

    /// The arm's world in memory, as it begins.
    pub(super) fn imagine(&self, seed: u64) -> Result<(Source, Living)> {
        let source = Source::read(&self.source)?;
        let (_, id) = simulated(&source.name, seed);
        let mut living = Living::plant_in(&source, Some(seed), Box::new(MemoryStore::new(id)), 1)?;
        self.change(&mut living)?;
        Ok((source, living))
    }

    /// The same in a directory.
    pub(super) fn plant(&self, seed: u64, dir: &Path) -> Result<(Source, Living)> {
        let source = Source::read(&self.source)?;
        let mut living = Living::plant(&source, Some(seed), dir, 1)?;
        self.change(&mut living)?;
        Ok((source, living))
    }

    fn change(&self, living: &mut Living) -> Result<()> {
        for change in &self.changes {
            let steps = change.steps(living.world(), &|_| None)?;
            living.stamp(steps).with_context(|| format!("arm `{}`", self.name))?;
        }
        Ok(())
    }
}

/// The seeds, each once.
fn seeds(whole: &JsonPlace<'_>, map: &Map<String, Json>) -> Result<Vec<u64>, Misplaced> {
    let list = whole.list(map, "seeds")?;
    let seeds = list.iter().map(seed).collect::<Result<Vec<_>, _>>()?;
    let twice = (1..seeds.len()).find(|at| seeds.iter().take(*at).any(|other| seeds.get(*at) == Some(other)));
    match twice.and_then(|at| Some((list.get(at)?, seeds.get(at)?))) {
        Some((place, seed)) => {
            place.wrong(format!("expected each seed once, found {seed} again: from one seed a world comes out the same"))
        }
        None => Ok(seeds),
    }
}

fn seed(place: &JsonPlace<'_>) -> Result<u64, Misplaced> {
    place.json.as_u64().ok_or_else(|| place.fault(format!("expected a seed, a whole number of 0 or more, found {}", place.json)))
}

fn at_least_one(place: &JsonPlace<'_>, map: &Map<String, Json>, key: &str) -> Result<Option<u64>, Misplaced> {
    let Some(json) = map.get(key) else { return Ok(None) };
    let count = json.as_u64().filter(|count| *count > 0);
    count.map(Some).ok_or_else(|| place.at(key).fault(format!("expected a whole number of 1 or more, found {json}")))
}

fn duration(place: &JsonPlace<'_>, map: &Map<String, Json>) -> Result<Millis, Misplaced> {
    let text = place.text(map, "for")?;
    parse_duration(&text).ok_or_else(|| place.at("for").fault(format!("expected a duration such as 8h or 1d, found `{text}`")))
}

fn until(place: &JsonPlace<'_>, map: &Map<String, Json>) -> Result<End, Misplaced> {
    place.text(map, "until")?.parse().map_err(|error: crate::run::EndError| place.at("until").fault(error.to_string()))
}
