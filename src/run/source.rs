//! World sources: the one human-written format of a world, read from a directory. docs/WORLDS.md is its reference.
//!
//! Reading gives things, not text: populations are expanded, flows, roles and scripts read in. Whatever is wrong is named by file,
//! line and key, and nothing is half read.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use chrono::{NaiveDateTime, TimeZone};
use serde::Deserialize;
use toml::Spanned;

use crate::extension::{ExtensionError, Package, order};
use crate::fact::{Millis, Value};
use crate::role::{Flow, RoleError, Spec};

use super::population::{PopulationError, expand};

/// Why a source cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// There is no such directory, or no world.toml in it.
    #[error("`{0}` is no world source: expected a directory with a `world.toml` in it")]
    Missing(PathBuf),
    /// A file cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A file says something that it cannot say.
    #[error("{file}:{line}: {what}")]
    Wrong {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// What is wrong there, and what was expected.
        what: String,
    },
    /// A role file is malformed.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// An extension is broken.
    #[error(transparent)]
    Extension(#[from] ExtensionError),
    /// A population's files are malformed.
    #[error(transparent)]
    Population(#[from] PopulationError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: Spanned<String>,
    #[serde(default)]
    about: String,
    zone: Option<Spanned<String>>,
    start: Option<Spanned<String>>,
    #[serde(default)]
    seed: u64,
    absence: Option<Spanned<String>>,
    #[serde(default)]
    extensions: Vec<Spanned<String>>,
    #[serde(default)]
    config: BTreeMap<String, Value>,
    #[serde(default)]
    space: Vec<Spanned<SpaceItem>>,
    #[serde(default)]
    matter: Vec<Spanned<MatterItem>>,
    #[serde(default)]
    being: Vec<Spanned<BeingItem>>,
    #[serde(default)]
    signal: Vec<Spanned<SignalItem>>,
    #[serde(default)]
    population: Vec<Spanned<PopulationItem>>,
    #[serde(default)]
    measure: Vec<Spanned<MeasureItem>>,
    #[serde(default)]
    table: Vec<Spanned<TableItem>>,
}

/// A space as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpaceItem {
    /// Where it lies.
    pub path: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its grid.
    pub size: Option<Vec<i64>>,
    /// Where it lies on its parent's grid.
    pub coords: Option<Vec<i64>>,
    /// Who owns it.
    pub owner: Option<String>,
    /// Who contributes.
    #[serde(default)]
    pub contributors: Vec<String>,
    /// What anybody may do in it.
    pub allow: Option<Vec<String>>,
    /// Its qualities.
    pub quality: Option<Value>,
}

/// Matter as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatterItem {
    /// What holds it.
    pub at: String,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// What it is.
    #[serde(default)]
    pub content: Value,
    /// Where on a grid.
    pub coords: Option<Vec<i64>>,
    /// Its qualities.
    pub quality: Option<Value>,
}

/// A being as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeingItem {
    /// Its name.
    pub name: String,
    /// Whose child it is; the operator's unless it says.
    pub parent: Option<String>,
    /// Where it lives.
    #[serde(default = "root")]
    pub home: String,
    /// Where it stands.
    pub coords: Option<Vec<i64>>,
    /// Its cognition.
    pub cognition: Option<String>,
    /// Its script.
    pub script: Option<String>,
    /// Its default role.
    pub role: Option<String>,
    /// The roles it may give.
    #[serde(default)]
    pub grants: Vec<String>,
    /// Its flow: a list of clauses, or the name of a JSON file.
    #[serde(default)]
    pub flow: Value,
    /// Its qualities.
    pub quality: Option<Value>,
    /// Its schedules.
    #[serde(default)]
    pub schedule: Vec<ScheduleItem>,
}

/// A schedule as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleItem {
    /// Its name.
    pub name: String,
    /// An interval.
    pub every: Option<String>,
    /// A cron expression.
    pub cron: Option<String>,
    /// A local instant.
    pub at: Option<String>,
    /// What its wakes carry.
    #[serde(default)]
    pub content: Value,
    /// How urgent they are.
    pub rank: Option<String>,
    /// For populations: each being starts at its own offset within the interval.
    #[serde(default)]
    pub spread: bool,
    /// How long after the setting the first interval begins.
    #[serde(default, deserialize_with = "duration")]
    pub offset: Option<Millis>,
}

/// A duration as people write it.
fn duration<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Millis>, D::Error> {
    let text: String = serde::Deserialize::deserialize(deserializer)?;
    let wrong = || serde::de::Error::custom(format!("expected a duration such as `10s`, found `{text}`"));
    crate::fact::parse_duration(&text).map(Some).ok_or_else(wrong)
}

/// A signal as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalItem {
    /// Its path.
    pub path: String,
    /// Its value.
    pub value: Value,
}

/// A population as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PopulationItem {
    /// Names are `<prefix>-<number>`, unless the personas have names.
    #[serde(default = "someone")]
    pub prefix: String,
    /// How many.
    pub count: Option<usize>,
    /// A CSV, a row a being.
    pub personas: Option<String>,
    /// A CSV with the columns from and to.
    pub ties: Option<String>,
    /// As for a being.
    pub parent: Option<String>,
    /// As for a being.
    #[serde(default = "root")]
    pub home: String,
    /// As for a being.
    pub cognition: Option<String>,
    /// As for a being.
    pub script: Option<String>,
    /// As for a being.
    pub role: Option<String>,
    /// As for a being.
    #[serde(default)]
    pub grants: Vec<String>,
    /// As for a being.
    #[serde(default)]
    pub flow: Value,
    /// As for a being.
    pub quality: Option<Value>,
    /// As for a being.
    #[serde(default)]
    pub schedule: Vec<ScheduleItem>,
}

/// A measure as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureItem {
    /// Its name.
    pub name: String,
    /// A Rhai expression over the world.
    pub value: String,
    /// The interval at which it is sampled; none: once, at the end.
    pub every: Option<String>,
}

/// A table as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableItem {
    /// Its name, which the file of its rows bears.
    pub name: String,
    /// What of each being stands in a row: paths, as conditions read them.
    pub columns: Vec<String>,
    /// The interval at which rows are sampled; none: once, at the end.
    pub every: Option<String>,
}

fn root() -> String {
    "/".to_owned()
}

fn someone() -> String {
    "being".to_owned()
}

/// Something written, and the line on which it begins.
#[derive(Clone, Debug)]
pub struct Line<T> {
    /// What is written.
    pub item: T,
    /// Where.
    pub line: usize,
}

/// A world source, read.
#[derive(Clone, Debug)]
pub struct Source {
    /// The directory.
    pub dir: PathBuf,
    /// The world.toml, for messages.
    pub file: String,
    /// The world's name.
    pub name: String,
    /// For people.
    pub about: String,
    /// The zone's name.
    pub zone: String,
    /// When the world begins.
    pub start: Millis,
    /// The seed.
    pub seed: u64,
    /// The world's configuration.
    pub config: BTreeMap<String, Value>,
    /// Extensions, in the order of their needs.
    pub extensions: Vec<Package>,
    /// The world's own roles.
    pub roles: Vec<Spec>,
    /// The world's own scripts: name, file, source.
    pub scripts: Vec<(String, String, String)>,
    /// Spaces, parents first.
    pub spaces: Vec<Line<SpaceItem>>,
    /// Matter, as written.
    pub matter: Vec<Line<MatterItem>>,
    /// Beings, parents first, populations expanded.
    pub beings: Vec<Line<BeingItem>>,
    /// Signals.
    pub signals: Vec<Line<SignalItem>>,
    /// Measures.
    pub measures: Vec<Line<MeasureItem>>,
    /// Tables.
    pub tables: Vec<Line<TableItem>>,
}

/// Reads a file whole.
pub(super) fn read(file: &Path) -> Result<String, SourceError> {
    std::fs::read_to_string(file).map_err(|source| SourceError::Read { file: file.to_owned(), source })
}

/// The line, from 1, of a byte of some text.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

struct Reader<'a> {
    dir: &'a Path,
    file: String,
    text: &'a str,
}

impl Reader<'_> {
    fn wrong(&self, at: usize, what: impl Into<String>) -> SourceError {
        SourceError::Wrong { file: self.file.clone(), line: line_of(self.text, at), what: what.into() }
    }

    fn line<T>(&self, item: Spanned<T>) -> Line<T> {
        let line = line_of(self.text, item.span().start);
        Line { item: item.into_inner(), line }
    }

    fn lines<T>(&self, items: Vec<Spanned<T>>) -> Vec<Line<T>> {
        items.into_iter().map(|item| self.line(item)).collect()
    }
}

impl Source {
    /// Reads a directory.
    pub fn read(dir: &Path) -> Result<Self, SourceError> {
        let path = dir.join("world.toml");
        if !path.is_file() {
            return Err(SourceError::Missing(dir.to_owned()));
        }
        let text = read(&path)?;
        Self::parse(dir, &path.display().to_string(), &text)
    }

    /// Reads a world.toml's text; what it names is read from the directory.
    pub fn parse(dir: &Path, file: &str, text: &str) -> Result<Self, SourceError> {
        let reader = Reader { dir, file: file.to_owned(), text };
        let written: Written = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            reader.wrong(at, error.message().trim().replace('\n', "; "))
        })?;
        reader.check_name(&written.name)?;
        let (zone, start) = reader.zone_and_start(written.zone.as_ref(), written.start.as_ref())?;
        let mut config = written.config;
        if let Some(absence) = &written.absence {
            if !["skip", "wait"].contains(&absence.get_ref().as_str()) {
                return Err(
                    reader.wrong(absence.span().start, format!("absence: expected `skip` or `wait`, found `{}`", absence.get_ref()))
                );
            }
            config.insert("absence".into(), Value::text(absence.get_ref()));
        }
        let extensions = reader.extensions(&written.extensions)?;
        let mut beings = reader.lines(written.being);
        for population in reader.lines(written.population) {
            beings.extend(expand(dir, file, &population)?);
        }
        for being in &mut beings {
            reader.read_flow(being)?;
        }
        let mut spaces = reader.lines(written.space);
        spaces.sort_by_key(|space| space.item.path.matches('/').count());
        Ok(Self {
            dir: dir.to_owned(),
            file: reader.file.clone(),
            name: written.name.into_inner(),
            about: written.about,
            zone,
            start,
            seed: written.seed,
            config,
            extensions,
            roles: roles(dir)?,
            scripts: scripts(dir)?,
            spaces,
            matter: reader.lines(written.matter),
            beings: reader.parents_first(beings)?,
            signals: reader.lines(written.signal),
            measures: reader.lines(written.measure),
            tables: reader.lines(written.table),
        })
    }
}

impl Reader<'_> {
    fn check_name(&self, name: &Spanned<String>) -> Result<(), SourceError> {
        let text = name.get_ref();
        let is_fine = !text.is_empty() && text.len() <= 64 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if is_fine {
            Ok(())
        } else {
            Err(self.wrong(name.span().start, format!("name: expected letters, digits and `-`, at most 64, found `{text}`")))
        }
    }

    fn zone_and_start(&self, zone: Option<&Spanned<String>>, start: Option<&Spanned<String>>) -> Result<(String, Millis), SourceError> {
        let name = zone.map_or("UTC", |zone| zone.get_ref().as_str());
        let at = zone.map_or(0, |zone| zone.span().start);
        let tz: chrono_tz::Tz =
            name.parse().map_err(|_| self.wrong(at, format!("zone: expected an IANA zone such as `Europe/Berlin`, found `{name}`")))?;
        let text = start.map_or("2026-01-01T00:00:00", |start| start.get_ref().as_str());
        let at = start.map_or(0, |start| start.span().start);
        let wrong =
            |what: &str| self.wrong(at, format!("start: expected a local time such as `2026-03-02T06:00:00`, found `{text}`{what}"));
        let local: NaiveDateTime = text.parse().map_err(|_| wrong(""))?;
        let start = tz.from_local_datetime(&local).earliest().ok_or_else(|| wrong(", which does not exist in that zone"))?;
        Ok((name.to_owned(), start.timestamp_millis()))
    }

    fn extensions(&self, names: &[Spanned<String>]) -> Result<Vec<Package>, SourceError> {
        let mut packages: BTreeMap<String, Package> = BTreeMap::new();
        let mut wanted: Vec<(String, usize)> = names.iter().map(|name| (name.get_ref().clone(), name.span().start)).collect();
        while let Some((name, at)) = wanted.pop() {
            if packages.contains_key(&name) {
                continue;
            }
            let found = find_extension(self.dir, &name).ok_or_else(|| {
                self.wrong(
                    at,
                    format!(
                        "extensions: no extension `{name}`; looked for `extensions/{name}/manifest.toml` in {} and each folder above",
                        self.dir.display()
                    ),
                )
            })?;
            let package = Package::load(&found)?;
            wanted.extend(package.needs.keys().map(|need| (need.to_string(), at)));
            packages.insert(name, package);
        }
        Ok(order(packages.into_values().collect())?)
    }

    fn read_flow(&self, being: &mut Line<BeingItem>) -> Result<(), SourceError> {
        let wrong = |file: &str, line: usize, what: String| SourceError::Wrong { file: file.to_owned(), line, what };
        if let Value::Text(name) = &being.item.flow {
            let path =
                inside(self.dir, name).map_err(|what| wrong(&self.file, being.line, format!("flow of `{}`: {what}", being.item.name)))?;
            let text = read(&path)?;
            let parsed =
                serde_json::from_str(&text).map_err(|error| wrong(&path.display().to_string(), error.line(), error.to_string()))?;
            being.item.flow = parsed;
        }
        if !being.item.flow.is_null() {
            Flow::compile(&being.item.flow)
                .map_err(|error| wrong(&self.file, being.line, format!("flow of `{}`: {error}", being.item.name)))?;
        }
        Ok(())
    }

    /// Children stand behind their parents, otherwise as written.
    fn parents_first(&self, beings: Vec<Line<BeingItem>>) -> Result<Vec<Line<BeingItem>>, SourceError> {
        let mut known: std::collections::BTreeSet<String> = beings.iter().map(|being| being.item.name.clone()).collect();
        if known.len() < beings.len() {
            let mut seen = std::collections::BTreeSet::new();
            let twice = beings.iter().find(|being| !seen.insert(&being.item.name));
            if let Some(twice) = twice {
                let what = format!("name: a being `{}` is written twice", twice.item.name);
                return Err(SourceError::Wrong { file: self.file.clone(), line: twice.line, what });
            }
        }
        let mut sorted = Vec::with_capacity(beings.len());
        let mut left = beings;
        while !left.is_empty() {
            let waits =
                |being: &Line<BeingItem>| being.item.parent.as_deref().is_some_and(|parent| known.contains(parent.trim_start_matches('@')));
            let (later, now): (Vec<_>, Vec<_>) = left.into_iter().partition(waits);
            if now.is_empty() {
                let first = later.first().map_or((0, String::new()), |being| (being.line, being.item.name.clone()));
                let what = format!("parent: `{}` descends from itself", first.1);
                return Err(SourceError::Wrong { file: self.file.clone(), line: first.0, what });
            }
            now.iter().for_each(|being| {
                known.remove(&being.item.name);
            });
            sorted.extend(now);
            left = later;
        }
        Ok(sorted)
    }
}

/// The folder of an extension: in `extensions/` of a directory, or of each one above it.
pub fn find_extension(dir: &Path, name: &str) -> Option<PathBuf> {
    // A name, not a path: it is looked for in `extensions/` and nowhere else.
    if Path::new(name).components().count() != 1 || name.starts_with('.') || Path::new(name).is_absolute() {
        return None;
    }
    let start = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    start.ancestors().map(|above| above.join("extensions").join(name)).find(|folder| folder.join("manifest.toml").is_file())
}

/// A file that a source names: in its own folder, whatever links lead there, or it could carry any file into a history.
pub(super) fn inside(dir: &Path, name: &str) -> Result<PathBuf, String> {
    let path = dir.join(name);
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let whole = |path: &Path| path.canonicalize().ok();
    let leads_out = matches!((whole(dir), whole(&path)), (Some(dir), Some(path)) if !path.starts_with(&dir));
    if is_plain && !leads_out {
        Ok(path)
    } else {
        Err(format!("expected a file in the source's own folder, found `{name}`; copy it there"))
    }
}

fn files_in(dir: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, SourceError> {
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    if dir.is_symlink() {
        let what = "expected a folder, found a link, which may leave the source; copy the folder".to_owned();
        return Err(SourceError::Wrong { file: dir.display().to_string(), line: 1, what });
    }
    let failed = |source| SourceError::Read { file: dir.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| endings.contains(&ending)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The role files of a directory's `roles/`.
fn roles(dir: &Path) -> Result<Vec<Spec>, SourceError> {
    files_in(&dir.join("roles"), &["md", "json"])?.iter().map(|file| read_role(file)).collect()
}

/// Reads a role from a Markdown or JSON file.
pub fn read_role(file: &Path) -> Result<Spec, SourceError> {
    let (name, text) = (file.display().to_string(), read(file)?);
    let is_json = file.extension().is_some_and(|ending| ending == "json");
    Ok(if is_json { Spec::from_json(&name, &text)? } else { Spec::from_markdown(&name, &text)? })
}

fn scripts(dir: &Path) -> Result<Vec<(String, String, String)>, SourceError> {
    let mut scripts = Vec::new();
    for file in files_in(&dir.join("scripts"), &["rhai"])? {
        let source = read(&file)?;
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let shown = format!("scripts/{stem}.rhai");
        crate::script::Sandbox::check(&source, &file.display().to_string(), "think", 1).map_err(|error| SourceError::Wrong {
            file: file.display().to_string(),
            line: error.line().unwrap_or(1) as usize,
            what: error.to_string(),
        })?;
        scripts.push((stem, shown, source));
    }
    Ok(scripts)
}

/// A local instant of a source, in a zone.
pub fn instant(text: &str, zone: chrono_tz::Tz) -> Option<Millis> {
    let local: NaiveDateTime = text.parse().ok()?;
    zone.from_local_datetime(&local).earliest().map(|at| at.timestamp_millis())
}
