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

/// What a sweep compares.
pub(super) struct Experiment {
    /// The conditions.
    pub(super) arms: Vec<Arm>,
    /// Where chance begins: each arm is run from each.
    pub(super) seeds: Vec<u64>,
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
    /// By which the table names it.
    pub(super) name: String,
    /// The world's source.
    pub(super) source: PathBuf,
    /// What is otherwise.
    changes: Vec<WantedChange>,
}

impl Experiment {
    /// Reads a file; what it names lies from its own folder on.
    pub(super) fn read(file: &Path) -> Result<Self> {
        let dir = file.parent().unwrap_or(Path::new(""));
        read_placed(file, "an experiment", |whole| Self::of(&whole, dir))
    }

    fn of(whole: &JsonPlace<'_>, dir: &Path) -> Result<Self, Misplaced> {
        let map = whole.map(&["source", "arms", "seeds", "replicates", "for", "moments", "until"])?;
        let source = map.contains_key("source").then(|| whole.text(map, "source")).transpose()?;
        let arms = whole.list(map, "arms")?.iter().map(|arm| Arm::of(arm, source.as_deref(), dir)).collect::<Result<Vec<_>, _>>()?;
        if arms.is_empty() {
            return whole.wrong("expected `arms`, a list of one condition at least, found none");
        }
        let mut names = BTreeSet::new();
        if let Some((at, arm)) = arms.iter().enumerate().find(|(_, arm)| !names.insert(arm.name.as_str())) {
            return whole.at("arms").at(&format!("{at}/name")).wrong(format!("expected a name of its own, found `{}` again", arm.name));
        }
        let seeds = whole.list(map, "seeds")?.iter().map(seed).collect::<Result<Vec<_>, _>>()?;
        let ends: Map<String, Json> =
            ["for", "moments", "until"].iter().filter_map(|key| Some(((*key).to_owned(), map.get(*key)?.clone()))).collect();
        if ends.is_empty() {
            return whole.wrong("expected `for`, `moments` or `until`: when a world ends, found none of them");
        }
        Ok(Self {
            arms,
            seeds: if seeds.is_empty() { vec![0] } else { seeds },
            replicates: at_least_one(whole, map, "replicates")?.unwrap_or(1),
            duration: map.contains_key("for").then(|| duration(whole, map)).transpose()?,
            moments: at_least_one(whole, map, "moments")?,
            end: map.contains_key("until").then(|| until(whole, map)).transpose()?,
            ends: Json::Object(ends).to_string(),
        })
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
        Ok(Self { name, source: dir.join(source), changes })
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
            let steps = change.steps(living.world())?;
            living.stamp(steps).with_context(|| format!("arm `{}`", self.name))?;
        }
        Ok(())
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
