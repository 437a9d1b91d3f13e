//! Populations: N beings from a CSV of personas and a CSV of ties.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::fact::{Cognition, FADING_KEYS, Map, Text, Value};
use crate::verb::fit_name;
use crate::world::is_path;

use super::called::{Called, ascii, head_of, slug};
use super::column::ColumnKind;
use super::error::PopulationError;
use super::files::inside;
use super::item::{BeingItem, OfPopulation, OnLine, PopulationItem, ScheduleItem};
use super::sheet::{CsvSheet, SheetColumn, SheetRow, shown};

/// The most beings that a source may have.
pub(super) const BEINGS_MAX: usize = 1_000_000;
/// The columns that say something else of a being than a quality.
const OWN: [&str; 5] = ["name", "home", "role", "script", "cognition"];
/// The longest key that is made of a header, in bytes.
const KEY_MAX: usize = 200;

/// A population, as beings.
#[derive(Default)]
pub(super) struct Expanded {
    /// They, in their order.
    pub(super) beings: Vec<OnLine<BeingItem>>,
    /// The repairs to its tables.
    pub(super) notes: Vec<String>,
}

/// The personas of a population: a row a being.
struct Personas {
    sheet: CsvSheet,
    /// The meaning of each column: one of [`OWN`], or a key under `quality.persona`.
    keys: Vec<(SheetColumn, String)>,
    /// The kind of each that is a quality, by its key.
    kinds: BTreeMap<String, ColumnKind>,
    /// The name of each being, where its row has one.
    names: Vec<Option<String>>,
    notes: Vec<String>,
}

/// A name as an address takes it: as written where it can stand there.
fn name_of(said: &str) -> String {
    fit_name(said).map_or_else(|_| slug(said), |name| name.to_string())
}

impl Personas {
    fn read(dir: &Path, name: &str, prefix: &str) -> Result<Self, PopulationError> {
        let sheet = CsvSheet::read(dir, name)?;
        if sheet.rows.is_empty() {
            return Err(sheet.wrong(sheet.line, "expected a row for each being below the header, found none"));
        }
        let mut personas = Self { keys: Vec::new(), kinds: BTreeMap::new(), names: Vec::new(), notes: Vec::new(), sheet };
        personas.read_headers()?;
        personas.read_names(prefix)?;
        personas.read_kinds()?;
        personas.check_cognitions()?;
        personas.check_fading()?;
        Ok(personas)
    }

    fn note(&mut self, line: usize, what: String) {
        self.notes.push(format!("{}:{line}: {what}", self.sheet.file));
    }

    /// Gives each column a key, which no other has or lies in.
    fn read_headers(&mut self) -> Result<(), PopulationError> {
        for column in self.sheet.columns.clone() {
            let (header, _) = ColumnKind::of_header(&column.header);
            let key = key(header).map_err(|what| self.sheet.wrong_in(self.sheet.line, &column, what))?;
            let below = |key: &str, other: &str| key.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            if let Some((first, other)) = self.keys.iter().find(|(_, other)| below(&key, other) || below(other, &key)) {
                let what = format!(
                    "`{key}` and column {} {}, which is `{other}`, are one or lie in each other; rename one",
                    first.number,
                    shown(&first.header)
                );
                return Err(self.sheet.wrong_in(self.sheet.line, &column, &what));
            }
            let small = column.header.to_lowercase();
            if key != header {
                self.note(self.sheet.line, format!("column {} {} becomes quality.persona.{key}", column.number, shown(&column.header)));
            } else if OWN.contains(&small.as_str()) && small != key {
                self.note(
                    self.sheet.line,
                    format!(
                        "column {} `{key}` becomes quality.persona.{key}; write `{small}` if it says the being's {small}",
                        column.number
                    ),
                );
            }
            self.keys.push((column, key));
        }
        Ok(())
    }

    /// Finds of which kind each column of qualities is, and says so.
    fn read_kinds(&mut self) -> Result<(), PopulationError> {
        for (column, key) in self.keys.clone().into_iter().filter(|(_, key)| !OWN.contains(&key.as_str())) {
            let filled: Vec<(usize, &str)> =
                self.sheet.rows.iter().map(|row| (row.line, row.field(&column))).filter(|(_, field)| !field.is_empty()).collect();
            let fields: Vec<&str> = filled.iter().map(|(_, field)| *field).collect();
            let said = ColumnKind::of_header(&column.header).1;
            let kind = said.unwrap_or_else(|| ColumnKind::of_fields(&fields));
            let breaks = filled.iter().find(|(_, field)| !kind.has(field)).map(|(line, field)| (*line, (*field).to_owned()));
            let note = match (said, breaks) {
                (Some(_), Some((line, field))) => {
                    let what = format!("expected {}, as its header says, found {}", kind.fields(), shown(&field));
                    return Err(self.sheet.wrong_in(line, &column, &what));
                }
                (None, Some((line, field))) => {
                    Some((line, format!("{} stays text among {}s; write one, or leave it empty", shown(&field), kind.word())))
                }
                (None, None) => mixed(&filled).filter(|_| kind == ColumnKind::Text),
                (Some(_), None) => None,
            };
            let note = note.map(|(line, what)| (line, format!("column {} {}: {what}", column.number, shown(&column.header))));
            note.into_iter().for_each(|(line, what)| self.note(line, what));
            self.kinds.insert(key, kind);
        }
        let told: Vec<String> = self.kinds.iter().map(|(key, kind)| format!("`{key}` {}", kind.word())).collect();
        if !told.is_empty() {
            self.note(self.sheet.line, format!("kinds of the columns: {}", told.join(", ")));
        }
        Ok(())
    }

    /// Gives each row that has a name one that nobody else has.
    fn read_names(&mut self, prefix: &str) -> Result<(), PopulationError> {
        let Some(column) = self.sheet.column("name").cloned() else { return Ok(()) };
        let (mut called, mut fitted) = (Called::new(), Vec::new());
        for (number, row) in (1..).zip(&self.sheet.rows) {
            let said = row.field(&column);
            let name = if said.is_empty() { numbered(prefix, number) } else { name_of(said) };
            called.take(&name, &format!("which line {} is called", row.line)).map_err(|why| {
                let what =
                    format!("expected a name of letters and digits that nobody has, found {}, which {why}; write another", shown(said));
                self.sheet.wrong_in(row.line, &column, &what)
            })?;
            if !said.is_empty() && name != said {
                fitted.push((row.line, shown(said), name.clone()));
            }
            self.names.push(Some(name).filter(|_| !said.is_empty()));
        }
        if let Some((line, said, name)) = fitted.first() {
            let more = match fitted.len() {
                1 => String::new(),
                many => format!(", and {} more are made fit for an address", many - 1),
            };
            self.note(*line, format!("{said} is called @{name}{more}"));
        }
        Ok(())
    }

    fn check_cognitions(&self) -> Result<(), PopulationError> {
        let Some(column) = self.sheet.column("cognition") else { return Ok(()) };
        let wrong = self.sheet.rows.iter().find(|row| !row.field(column).is_empty() && row.field(column).parse::<Cognition>().is_err());
        match wrong {
            Some(row) => {
                let what = format!("expected `llm`, `human`, `script` or `panel`, found {}", shown(row.field(column)));
                Err(self.sheet.wrong_in(row.line, column, &what))
            }
            None => Ok(()),
        }
    }

    /// That no row says exactly what a fading number is: four columns are four qualities.
    fn check_fading(&self) -> Result<(), PopulationError> {
        let is_fading = |row: &&SheetRow| {
            let mut groups: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
            let said = self.said(row).into_keys().filter(|key| !OWN.contains(key)).collect::<Vec<_>>();
            said.iter().map(|key| key.rsplit_once('.').unwrap_or(("", key))).for_each(|(above, last)| {
                groups.entry(above).or_default().insert(last);
            });
            groups.into_values().any(|keys| keys.into_iter().eq(FADING_KEYS))
        };
        let what = "the columns `at`, `from`, `over` and `to` alone would be one fading number; rename one";
        self.sheet.rows.iter().find(is_fading).map_or(Ok(()), |row| Err(self.sheet.wrong(row.line, what)))
    }

    /// The filled fields of a row, by the keys of their columns.
    fn said(&self, row: &SheetRow) -> BTreeMap<&str, String> {
        let filled = self.keys.iter().filter(|(column, _)| !row.field(column).is_empty());
        filled.map(|(column, key)| (key.as_str(), row.field(column).to_owned())).collect()
    }
}

/// The key that a header becomes under `quality.persona`, or what is wrong with it.
fn key(header: &str) -> Result<String, &'static str> {
    if is_path(&format!("persona.{header}")) {
        return Ok(header.to_owned());
    }
    let is_foreign = |letter: char| letter.is_alphanumeric() && !letter.is_ascii();
    let key = head_of(&ascii(&header.to_lowercase()), KEY_MAX);
    if key.is_empty() || header.chars().any(is_foreign) {
        return Err("expected a header of the letters a to z and digits, joined by `-` or `_`; rename it");
    }
    Ok(key)
}

/// A field that makes a column text in which another is a number or a truth value, in words.
fn mixed(filled: &[(usize, &str)]) -> Option<(usize, String)> {
    let is_value = |field: &str| [ColumnKind::Number, ColumnKind::Truth].iter().any(|kind| kind.has(field));
    let is_quoted = |field: &str| field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).is_some_and(is_value);
    if let Some((line, field)) = filled.iter().find(|(_, field)| is_quoted(field)) {
        let what = format!(
            "a quotation mark counts only right behind a comma, so those of {} are a part of it; take the blank away",
            shown(field)
        );
        return Some((*line, what));
    }
    let kinds = [ColumnKind::Number, ColumnKind::Truth];
    let (kind, (_, one)) = kinds.into_iter().find_map(|kind| Some((kind, filled.iter().find(|(_, field)| kind.has(field))?)))?;
    let (line, other) = filled.iter().find(|(_, field)| !kind.has(field))?;
    let (one, other, kind) = (shown(one), shown(other), kind.word());
    let what = format!(
        "the column is text, since {other} is no {kind} as {one} is; write all of a column alike, or `:{kind}` behind its header to be told of each"
    );
    Some((*line, what))
}

/// The name of one of a population whose rows give none.
pub(super) fn numbered(prefix: &str, number: usize) -> String {
    format!("{prefix}-{number}")
}

/// The beings of a population, of which the source has room for so many.
pub(super) fn expand(dir: &Path, file: &str, written: &OnLine<PopulationItem>, room: usize) -> Result<Expanded, PopulationError> {
    let item = &written.item;
    let wrong = |what: String| PopulationError::Wrong { file: file.to_owned(), line: written.line, what };
    for (key, name) in [("personas", &item.personas), ("ties", &item.ties)] {
        if let Some(name) = name {
            let path = inside(dir, name).map_err(|what| wrong(format!("{key}: {what}")))?;
            if !path.exists() {
                return Err(wrong(format!("{key}: there is no file `{}`", path.display())));
            }
        }
    }
    let personas = item.personas.as_deref().map(|name| Personas::read(dir, name, &item.prefix)).transpose()?;
    let count = match (item.count, &personas) {
        (Some(count), None) => count,
        (None, Some(personas)) => personas.sheet.rows.len(),
        (Some(count), Some(personas)) => count.min(personas.sheet.rows.len()),
        (None, None) => return Err(wrong("population: expected `count` or `personas`".into())),
    };
    if count > room {
        return Err(wrong(format!(
            "count: source-beings: expected at most {BEINGS_MAX} beings in a source, found {}; plant several worlds",
            BEINGS_MAX - room + count
        )));
    }
    let ties = item.ties.as_deref().map(|name| Ties::read(dir, name)).transpose()?.unwrap_or_default();
    let of = Arc::new(of_population(item));
    let none = BTreeMap::new();
    let kinds = personas.as_ref().map_or(&none, |personas| &personas.kinds);
    let being = |at: usize| {
        let row = personas.as_ref().and_then(|personas| Some((personas, personas.sheet.rows.get(at)?)));
        let said = row.map(|(personas, row)| personas.said(row)).unwrap_or_default();
        let name = personas.as_ref().and_then(|personas| personas.names.get(at)?.clone()).unwrap_or_else(|| numbered(&item.prefix, at + 1));
        let from = row.map(|(personas, row)| format!("{}:{}", personas.sheet.file, row.line));
        let item = BeingItem { of: Some(of.clone()), ..one(item, (at, count), (name, kinds), &said, &ties) };
        OnLine { item, line: written.line, from }
    };
    let beings: Vec<OnLine<BeingItem>> = (0..count).map(being).collect();
    ties.check(&beings)?;
    Ok(Expanded { beings, notes: personas.map(|personas| personas.notes).unwrap_or_default() })
}

/// The pairs of beings that are tied, both ways.
#[derive(Default)]
struct Ties {
    sheet: Option<CsvSheet>,
    of: BTreeMap<String, BTreeSet<String>>,
    /// Where each name is first written, and in which column.
    first: BTreeMap<String, (usize, SheetColumn, String)>,
}

impl Ties {
    fn read(dir: &Path, name: &str) -> Result<Self, PopulationError> {
        let sheet = CsvSheet::read(dir, name)?;
        let (Some(from), Some(to)) = (sheet.column("from").cloned(), sheet.column("to").cloned()) else {
            let found: Vec<String> = sheet.columns.iter().map(|column| shown(&column.header)).collect();
            return Err(sheet.wrong(sheet.line, format!("expected the columns `from` and `to`, found {}; rename them", found.join(", "))));
        };
        if let Some(more) = sheet.columns.iter().find(|column| ![from.number, to.number].contains(&column.number)) {
            let what = format!(
                "expected the columns `from` and `to` alone, found {}; a tie has no qualities, so take it away",
                shown(&more.header)
            );
            return Err(sheet.wrong(sheet.line, what));
        }
        let mut ties = Self::default();
        for row in &sheet.rows {
            let mut ends = Vec::new();
            for column in [&from, &to] {
                let said = row.field(column);
                let name = name_of(said.strip_prefix('@').unwrap_or(said));
                if name.is_empty() {
                    return Err(sheet.wrong_in(row.line, column, &format!("expected the name of a being, found {}", shown(said))));
                }
                ties.first.entry(name.clone()).or_insert_with(|| (row.line, column.clone(), said.to_owned()));
                ends.push(name);
            }
            if let [one, other] = ends.as_slice() {
                ties.of.entry(one.clone()).or_default().insert(other.clone());
                ties.of.entry(other.clone()).or_default().insert(one.clone());
            }
        }
        ties.sheet = Some(sheet);
        Ok(ties)
    }

    /// That all of them are beings of the population.
    fn check(&self, beings: &[OnLine<BeingItem>]) -> Result<(), PopulationError> {
        let names: BTreeSet<&str> = beings.iter().map(|being| being.item.name.as_str()).collect();
        let stranger =
            self.first.iter().filter(|(name, _)| !names.contains(name.as_str())).min_by_key(|(_, (line, column, _))| (line, column.number));
        match (stranger, &self.sheet) {
            (Some((_, (line, column, said))), Some(sheet)) => {
                Err(sheet.wrong_in(*line, column, &format!("{} is not a being of this population", shown(said))))
            }
            _ => Ok(()),
        }
    }
}

fn one(
    item: &PopulationItem,
    (at, count): (usize, usize),
    (name, kinds): (String, &BTreeMap<String, ColumnKind>),
    said: &BTreeMap<&str, String>,
    ties: &Ties,
) -> BeingItem {
    let of = |key: &str| said.get(key).cloned();
    let mut quality = item.quality.as_ref().and_then(Value::as_map).cloned().unwrap_or_default();
    let value = |key: &str, field: &str| kinds.get(key).map_or_else(|| Value::text(field), |kind| kind.value(field));
    let persona: Map =
        said.iter().filter(|(key, _)| !OWN.contains(key)).map(|(key, field)| (Text::from(*key), value(key, field))).collect();
    if !persona.is_empty() {
        quality.insert("persona".into(), Value::Map(persona));
    }
    if let Some(tied) = ties.of.get(&name) {
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
        think: None,
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
