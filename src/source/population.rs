//! Populations: N beings from a CSV of personas and a CSV of ties.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::fact::{Map, Text, Value};

use super::error::PopulationError;
use super::files::inside;
use super::item::{BeingItem, OfPopulation, OnLine, PopulationItem, ScheduleItem};

/// The most beings that a source may have.
pub(super) const BEINGS_MAX: usize = 1_000_000;

type CsvRow = (usize, BTreeMap<String, String>);

fn rows(dir: &Path, name: &str) -> Result<Vec<CsvRow>, PopulationError> {
    let path = dir.join(name);
    let file = path.display().to_string();
    let failed = |source| PopulationError::Csv { file: file.clone(), source };
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(&path).map_err(failed)?;
    let headers = reader.headers().map_err(failed)?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(failed)?;
        let line = record.position().map_or(0, |position| position.line() as usize);
        rows.push((line, headers.iter().zip(record.iter()).map(|(key, value)| (key.to_owned(), value.to_owned())).collect()));
    }
    Ok(rows)
}

/// A CSV field as a value: a number or truth where it reads as one, else text.
fn field(text: &str) -> Value {
    match text {
        "" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        text => text
            .parse::<i64>()
            .map(Value::Int)
            .ok()
            .or_else(|| text.parse().ok().and_then(Value::number))
            .unwrap_or_else(|| Value::text(text)),
    }
}

/// The beings of a population, of which the source has room for so many.
pub fn expand(dir: &Path, file: &str, written: &OnLine<PopulationItem>, room: usize) -> Result<Vec<OnLine<BeingItem>>, PopulationError> {
    let item = &written.item;
    let wrong = |what: String| PopulationError::Wrong { file: file.to_owned(), line: written.line, what };
    for (key, name) in [("personas", &item.personas), ("ties", &item.ties)] {
        if let Some(name) = name {
            inside(dir, name).map_err(|what| wrong(format!("{key}: {what}")))?;
        }
    }
    let personas = item.personas.as_deref().map(|name| rows(dir, name)).transpose()?;
    let count = match (item.count, &personas) {
        (Some(count), None) => count,
        (None, Some(rows)) => rows.len(),
        (Some(count), Some(rows)) => count.min(rows.len()),
        (None, None) => return Err(wrong("population: expected `count` or `personas`".into())),
    };
    if count > room {
        return Err(wrong(format!(
            "count: source-beings: expected at most {BEINGS_MAX} beings in a source, found {}; plant several worlds",
            BEINGS_MAX - room + count
        )));
    }
    let ties = item.ties.as_deref().map(|name| ties(dir, name)).transpose()?.unwrap_or_default();
    let nobody = BTreeMap::new();
    let of = Arc::new(of_population(item));
    let mut beings = Vec::with_capacity(count);
    for at in 0..count {
        let row = personas.as_ref().and_then(|rows| rows.get(at)).map_or(&nobody, |(_, row)| row);
        let being = BeingItem { of: Some(of.clone()), ..one(item, at, count, row, &ties) };
        beings.push(OnLine { item: being, line: written.line });
    }
    let names: BTreeSet<&str> = beings.iter().map(|being| being.item.name.as_str()).collect();
    match ties.keys().find(|name| !names.contains(name.as_str())) {
        Some(stranger) => Err(PopulationError::Wrong {
            file: dir.join(item.ties.as_deref().unwrap_or_default()).display().to_string(),
            line: ties.get(stranger).map_or(0, |(line, _)| *line),
            what: format!("`{stranger}` is not a being of this population"),
        }),
        None => Ok(beings),
    }
}

type Ties = BTreeMap<String, (usize, BTreeSet<String>)>;

fn ties(dir: &Path, name: &str) -> Result<Ties, PopulationError> {
    let mut ties = Ties::new();
    for (line, row) in rows(dir, name)? {
        let end = |key: &str| row.get(key).filter(|name| !name.is_empty()).cloned();
        let (Some(from), Some(to)) = (end("from"), end("to")) else {
            let what = "expected the columns `from` and `to`, each with a name".to_owned();
            return Err(PopulationError::Wrong { file: dir.join(name).display().to_string(), line, what });
        };
        for (one, other) in [(&from, &to), (&to, &from)] {
            ties.entry(one.clone()).or_insert_with(|| (line, BTreeSet::new())).1.insert(other.clone());
        }
    }
    Ok(ties)
}

fn one(item: &PopulationItem, at: usize, count: usize, row: &BTreeMap<String, String>, ties: &Ties) -> BeingItem {
    let of = |key: &str| row.get(key).filter(|value| !value.is_empty()).cloned();
    let name = of("name").unwrap_or_else(|| format!("{}-{}", item.prefix, at + 1));
    let mut quality = item.quality.as_ref().and_then(Value::as_map).cloned().unwrap_or_default();
    let persona: Map = row
        .iter()
        .filter(|(key, value)| !["name", "home", "role", "script", "cognition"].contains(&key.as_str()) && !value.is_empty())
        .map(|(key, value)| (Text::from(key.as_str()), field(value)))
        .collect();
    if !persona.is_empty() {
        quality.insert("persona".into(), Value::Map(persona));
    }
    if let Some((_, tied)) = ties.get(&name) {
        let list = tied.iter().map(|other| Value::from(format!("@{other}"))).collect();
        quality.insert("social".into(), Value::map([("ties", Value::List(list))]));
    }
    let mut schedule = item.schedule.clone();
    for entry in schedule.iter_mut().filter(|entry| entry.spread) {
        spread(entry, at, count);
    }
    BeingItem {
        name,
        parent: item.parent.clone(),
        home: of("home").unwrap_or_else(|| item.home.clone()),
        coords: None,
        cognition: of("cognition").or_else(|| item.cognition.clone()),
        script: of("script").or_else(|| item.script.clone()),
        panel: None,
        role: of("role").or_else(|| item.role.clone()),
        grants: item.grants.clone(),
        flow: item.flow.clone(),
        settings: item.settings.clone(),
        quality: (!quality.is_empty()).then_some(Value::Map(quality)),
        schedule,
        of: None,
    }
}

/// A population as it is remembered: no two of a source have both the same prefix and the same rows.
fn of_population(item: &PopulationItem) -> OfPopulation {
    let rows = item.personas.as_ref().map(|personas| format!(" {personas}")).unwrap_or_default();
    OfPopulation { name: format!("population {}{rows}", item.prefix), personas: item.personas.is_some(), ties: item.ties.is_some() }
}

/// Gives the schedule of one of `count` beings an interval that starts at its own offset.
fn spread(entry: &mut ScheduleItem, at: usize, count: usize) {
    if let Some(every) = entry.every.as_deref().and_then(crate::fact::parse_duration) {
        let offset = (every as i128 * at as i128 / count.max(1) as i128) as i64;
        entry.offset = Some(offset);
    }
}
