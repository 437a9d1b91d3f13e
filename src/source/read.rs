//! Read: a world source: the one human-written format of a world, read from a directory. docs/WORLDS.md is its reference.
//!
//! Reading gives things, not text: populations are expanded, flows, roles and scripts read in. Errors are named by file, line and key, and
//! nothing is half read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chrono::{NaiveDateTime, TimeZone};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::dialect::Dialect;
use crate::extension::{Package, order, toml_fault};
use crate::fact::{
    CALENDAR, Cognition, Map, Millis, SEALS, SEALS_BATCH, SEALS_OWN, Text, Value, composed, file_schema, is_type, line_of, parse_duration,
    type_of,
};
use crate::role::{Flow, or_may_mean};
use crate::verb::{WORDS, is_reserved};
use crate::world::{LANGUAGES, ROUNDS_MAX, is_core, settings, stem_languages};

use super::error::SourceError;
use super::files::{find_extension, inside, read, roles, scripts, words_of};
use super::inline::{InlineCode, InlineOperation, InlineResolver, InlineRule};
use super::item::{
    BeingItem, LookItem, MatterItem, MeasureItem, NowItem, OnLine, PopulationItem, SignalItem, SpaceItem, TableItem, TestItem, TryItem,
};
use super::misread::{HalfRead, Misread, read_all};
use super::page::look;
use super::pins::Pins;
use super::population::{BEINGS_MAX, expand};
use super::reader::SourceReader;
use super::rules::rules;
use super::said::{SAID_MAX, fits};
use super::schema::{ABSENCES, AbsenceWord, InlineRole, TypeLook, WorldSettings};
use super::shipped::{shipped, shipped_extension, shipped_extensions, texts, unpacked};
use super::written::Source;

/// A world.toml as written.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrittenWorld {
    /// The name of the world: letters, digits and `-`.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The purpose of the world, in a sentence or two.
    #[schemars(with = "Option<String>")]
    about: Option<Spanned<String>>,
    /// The time zone in which hours and days are counted: an IANA zone such as `Europe/Berlin`.
    #[schemars(with = "Option<String>")]
    zone: Option<Spanned<String>>,
    /// When the world begins, as a local time: `2026-03-02T06:00:00`.
    #[schemars(with = "Option<String>")]
    start: Option<Spanned<Value>>,
    /// Where chance begins.
    #[serde(default)]
    seed: u64,
    /// The course of time while a person is not there: `skip` (time goes on) or `wait`.
    #[schemars(with = "Option<AbsenceWord>")]
    absence: Option<Spanned<String>>,
    /// The extensions that it has, each found in `extensions/` of this folder or of one above it.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    extensions: Vec<Spanned<String>>,
    /// Those of its extensions or profiles that alone are enabled.
    #[schemars(with = "Option<Vec<String>>")]
    only: Option<Spanned<Vec<String>>>,
    /// Names for some of its extensions.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Vec<String>>")]
    profiles: BTreeMap<String, Spanned<Vec<String>>>,
    /// Settings for all of the world.
    #[serde(default)]
    #[schemars(with = "WorldSettings")]
    config: BTreeMap<String, Spanned<Value>>,
    /// Its spaces.
    #[serde(default)]
    #[schemars(with = "Vec<SpaceItem>")]
    space: Vec<Spanned<SpaceItem>>,
    /// The things that lie in it.
    #[serde(default)]
    #[schemars(with = "Vec<MatterItem>")]
    matter: Vec<Spanned<MatterItem>>,
    /// Its own roles.
    #[serde(default)]
    #[schemars(with = "Vec<InlineRole>")]
    role: Vec<Spanned<Map>>,
    /// Its own operations.
    #[serde(default)]
    #[schemars(with = "Vec<InlineOperation>")]
    operation: Vec<Spanned<InlineOperation>>,
    /// Its own see-resolvers.
    #[serde(default)]
    #[schemars(with = "Vec<InlineResolver>")]
    resolver: Vec<Spanned<InlineResolver>>,
    /// Its own rules.
    #[serde(default)]
    #[schemars(with = "Vec<InlineRule>")]
    rule: Vec<Spanned<InlineRule>>,
    /// Its beings.
    #[serde(default)]
    #[schemars(with = "Vec<BeingItem>")]
    being: Vec<Spanned<BeingItem>>,
    /// Its signals as it begins.
    #[serde(default)]
    #[schemars(with = "Vec<SignalItem>")]
    signal: Vec<Spanned<SignalItem>>,
    /// Many beings at once.
    #[serde(default)]
    #[schemars(with = "Vec<PopulationItem>")]
    population: Vec<Spanned<PopulationItem>>,
    /// Numbers that a run samples.
    #[serde(default)]
    #[schemars(with = "Vec<MeasureItem>")]
    measure: Vec<Spanned<MeasureItem>>,
    /// Tables with a row for each being.
    #[serde(default)]
    #[schemars(with = "Vec<TableItem>")]
    table: Vec<Spanned<TableItem>>,
    /// How types of things are drawn.
    #[serde(default)]
    #[schemars(with = "Vec<TypeLook>")]
    look: Vec<Spanned<Map>>,
    /// Things to try, as the page tells.
    #[serde(default, rename = "try")]
    #[schemars(with = "Vec<TryItem>")]
    attempt: Vec<Spanned<TryItem>>,
    /// The present state, as the page tells.
    #[serde(default)]
    #[schemars(with = "Vec<NowItem>")]
    now: Vec<Spanned<NowItem>>,
    /// Scenes: what must come out.
    #[serde(default)]
    #[schemars(with = "Vec<TestItem>")]
    test: Vec<Spanned<TestItem>>,
}

/// The setting that says what the world is for, and how long that may be, in characters.
pub const ABOUT: &str = "about";
const ABOUT_MAX: usize = 1000;
/// The most moments that a round can be told to hold.
const ROUND_MOMENTS_MOST: i64 = 1_000_000;

/// Settings by their keys, whether a key is written in one (`"brakes.depth" = 3`) or as TOML would have it (`brakes.depth = 3`).
fn flat(written: Map) -> Map {
    let is_known = |key: &str| is_core(key) || key.contains(':');
    let mut open: Vec<(Text, Value)> = written.into_iter().collect();
    let mut flat = Map::new();
    while let Some((key, value)) = open.pop() {
        match value {
            // A key that no register knows is left as it stands, to be refused by its name.
            Value::Map(inner) if !is_known(&key) && is_family(&key) => {
                open.extend(inner.into_iter().map(|(under, value)| (format!("{key}.{under}").into(), value)));
            }
            value => drop(flat.insert(key, value)),
        }
    }
    flat
}

/// Whether settings begin so.
fn is_family(key: &str) -> bool {
    settings().iter().any(|setting| setting.key.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}

/// Refuses what genesis would take: it judges nothing, so what it is told has to be right.
fn genesis_takes(key: &str, said: &Value) -> Result<(), String> {
    let dialect = said.get("dialect").and_then(Value::as_str).filter(|_| key.starts_with("llm."));
    Dialect::named(dialect).map_err(|error| error.to_string())?;
    let stranger = |one: &&Value| !stem_languages().any(|known| one.as_str() == Some(known));
    match key {
        ROUNDS_MAX if !said.as_int().is_some_and(|most| (1..=ROUND_MOMENTS_MOST).contains(&most)) => {
            Err(format!("expected a number from 1 to {ROUND_MOMENTS_MOST}, found `{said}`"))
        }
        SEALS if ![SEALS_OWN, SEALS_BATCH].contains(&said.as_str().unwrap_or_default()) => {
            Err(format!("expected `{SEALS_OWN}` or `{SEALS_BATCH}`, found `{said}`"))
        }
        LANGUAGES => match said.as_list().unwrap_or_default().iter().find(stranger) {
            Some(wrong) => Err(format!("expected some of {}, found {wrong}", stem_languages().collect::<Vec<_>>().join(", "))),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

impl SourceReader<'_> {
    /// The configuration, after what of it a refusal could only give the place of.
    fn config(&self, written: BTreeMap<String, Spanned<Value>>) -> BTreeMap<String, Value> {
        let mut config = BTreeMap::new();
        for (key, value) in written {
            for (key, said) in flat(Map::from([(key.into(), value.get_ref().clone())])) {
                let at = value.span().start;
                self.keep(genesis_takes(&key, &said).map_err(|what| self.wrong(at, format!("{key}: {what}"))));
                self.note_line("setting", &key, at);
                config.insert(key.to_string(), said);
            }
        }
        config
    }
}

impl Source {
    /// The JSON Schema of a world.toml.
    pub fn schema() -> serde_json::Value {
        file_schema::<WrittenWorld>("World of Reelm")
    }

    /// Reads a directory, or a shipped world by its name, where nothing of that name lies here.
    pub fn read(dir: &Path) -> Result<Self, SourceError> {
        let path = dir.join("world.toml");
        if path.is_file() {
            return Self::parse(dir, &path.display().to_string(), &read(&path)?);
        }
        let name = shipped(dir).filter(|_| !dir.exists()).ok_or_else(|| SourceError::Missing(dir.to_owned()))?;
        let folder = unpacked(name).map_err(|source| SourceError::Unpack { name, source })?;
        let unpacked = folder.path().join(name);
        let source = Self::parse(&unpacked, &path.display().to_string(), &read(&unpacked.join("world.toml"))?)?;
        Ok(Self { dir: dir.to_owned(), ..source })
    }

    /// Reads a world.toml's text; what it names is read from the directory.
    pub fn parse(dir: &Path, file: &str, text: &str) -> Result<Self, SourceError> {
        Self::parse_beside(dir, file, text, None)
    }

    /// The same, where one extension is at hand that need not be looked for.
    pub(super) fn parse_beside(dir: &Path, file: &str, text: &str, near: Option<&Package>) -> Result<Self, SourceError> {
        let reader = SourceReader::new(dir, file, text, near);
        let mut written = reader.written()?;
        reader.keep(reader.check_name(&written.name));
        let (zone, start) = reader.keep(reader.zone_and_start(written.zone.as_ref(), written.start.as_ref()));
        let mut config = reader.config(written.config);
        reader.keep(reader.absence(written.absence, &mut config));
        reader.keep(reader.about(written.about, &mut config));
        let code = InlineCode { operations: written.operation, resolvers: written.resolver, rules: written.rule };
        let extensions = reader.keep(reader.extensions(&written.extensions));
        let extensions = reader.with_own(&written.name, &code, extensions);
        let profiles = reader.keep(reader.profiles(written.profiles, &extensions));
        let only = reader.keep(reader.only(written.only, &extensions, &profiles));
        let words = reader.keep(words_of(config.get(WORDS), &extensions));
        let mut roles = reader.keep_all(roles(dir, words));
        let mut minds = reader.roles(written.role, words, &mut roles);
        minds.extend(reader.minds(&mut written.being, &mut written.population));
        let mut beings = reader.lines(written.being);
        let notes = reader.people(written.population, &mut beings);
        beings.iter_mut().for_each(|being| reader.being(being));
        let mut spaces = reader.spaces(written.space);
        reader.let_do(written.name.get_ref(), &code.operations, &mut roles, &mut spaces);
        spaces.sort_by_key(|space| space.item.path.matches('/').count());
        let source = Self {
            dir: dir.to_owned(),
            file: reader.file.clone(),
            text: text.into(),
            name: written.name.into_inner(),
            zone,
            start,
            seed: written.seed,
            roles,
            config,
            rules: reader.keep_all(rules(dir, &extensions)),
            extensions,
            only,
            profiles,
            scripts: reader.keep(reader.with_minds(reader.keep_all(scripts(dir)), minds)),
            spaces,
            matter: reader.matter(written.matter),
            beings: reader.keep(reader.parents_first(beings)),
            signals: reader.lines(written.signal),
            measures: reader.lines(written.measure),
            tables: reader.lines(written.table),
            looks: reader.looks(written.look),
            tries: reader.lines(written.attempt),
            now: reader.lines(written.now),
            tests: reader.lines(written.test),
            inline: reader.inline.take(),
            notes,
        };
        reader.keep(reader.once_each(&source));
        source.page_faults().into_iter().for_each(|fault| reader.keep(Err::<(), _>(fault)));
        reader.keep(fits(&source, SAID_MAX));
        reader.told()?;
        Ok(source)
    }
}

impl SourceReader<'_> {
    /// What is written, without the parts of it that are wrong.
    fn written(&self) -> Result<WrittenWorld, SourceError> {
        let HalfRead { read, faults, left_out } = read_all::<WrittenWorld>(self.text);
        self.leave_out(&left_out);
        for Misread { span, message } in faults {
            let at = span.as_ref().map_or(0, |span| span.start);
            self.misread.borrow_mut().push(self.wrong(at, toml_fault(&message, span, self.text)));
        }
        match read {
            Some(written) => Ok(written),
            None => self.told().and_then(|()| Err(self.wrong(0, "nothing of it can be read"))),
        }
    }

    /// How types are drawn; each type is said once.
    fn looks(&self, written: Vec<Spanned<Map>>) -> Vec<OnLine<LookItem>> {
        let mut looks: Vec<OnLine<LookItem>> = Vec::new();
        for written in written {
            let read = self.look(written, &looks).map(Some);
            looks.extend(self.keep(read));
        }
        looks
    }

    fn look(&self, written: Spanned<Map>, others: &[OnLine<LookItem>]) -> Result<OnLine<LookItem>, SourceError> {
        let at = written.span().start;
        let item = look(written.into_inner()).map_err(|what| self.wrong(at, format!("look: {what}")))?;
        if !is_type(&item.kind) {
            let what = format!("look: `{}` is no type, so nothing is drawn by it; write `{}`", item.kind, type_of(&item.kind));
            return Err(self.wrong(at, what));
        }
        if others.iter().any(|other| other.item.kind == item.kind) {
            return Err(self.wrong(at, format!("look: the type `{}` stands twice; say it once", item.kind)));
        }
        Ok(OnLine { item, line: line_of(self.text, at), from: None })
    }

    fn absence(&self, written: Option<Spanned<String>>, config: &mut BTreeMap<String, Value>) -> Result<(), SourceError> {
        let Some(absence) = written else { return Ok(()) };
        if !ABSENCES.contains(&absence.get_ref().as_str()) {
            let what = format!("absence: expected `skip` or `wait`, found `{}`", absence.get_ref());
            return Err(self.wrong(absence.span().start, what));
        }
        config.insert("absence".into(), Value::text(absence.get_ref()));
        Ok(())
    }

    /// The purpose of the world, where it is written.
    fn about(&self, written: Option<Spanned<String>>, config: &mut BTreeMap<String, Value>) -> Result<(), SourceError> {
        let Some(written) = written.filter(|about| !about.get_ref().is_empty()) else { return Ok(()) };
        let (at, count) = (written.span().start, written.get_ref().chars().count());
        if count > ABOUT_MAX {
            return Err(self.wrong(at, format!("about: expected at most {ABOUT_MAX} characters, found {count}")));
        }
        if config.contains_key(ABOUT) {
            return Err(self.wrong(at, "about: stands under [config] too; say it once"));
        }
        config.insert(ABOUT.into(), Value::text(written.get_ref()));
        Ok(())
    }

    fn check_name(&self, name: &Spanned<String>) -> Result<(), SourceError> {
        let text = name.get_ref();
        let is_fine = !text.is_empty() && text.len() <= 64 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if is_fine {
            Ok(())
        } else {
            Err(self.wrong(name.span().start, format!("name: expected letters, digits and `-`, at most 64, found `{text}`")))
        }
    }

    fn zone_and_start(&self, zone: Option<&Spanned<String>>, start: Option<&Spanned<Value>>) -> Result<(String, Millis), SourceError> {
        let name = zone.map_or("UTC", |zone| zone.get_ref().as_str());
        let at = zone.map_or(0, |zone| zone.span().start);
        let tz: chrono_tz::Tz =
            name.parse().map_err(|_| self.wrong(at, format!("zone: expected an IANA zone such as `Europe/Berlin`, found `{name}`")))?;
        let text = match start.map(Spanned::get_ref) {
            None => "2026-01-01T00:00:00",
            Some(Value::Text(text)) => text,
            Some(other) => &other.to_string(),
        };
        let at = start.map_or(0, |start| start.span().start);
        let wrong =
            |what: &str| self.wrong(at, format!("start: expected a local time such as `2026-03-02T06:00:00`, found `{text}`{what}"));
        let local: NaiveDateTime = text.parse().map_err(|_| wrong(""))?;
        let start =
            tz.from_local_datetime(&local).earliest().ok_or_else(|| wrong(", which does not exist in that zone"))?.timestamp_millis();
        if CALENDAR.contains(&start) { Ok((name.to_owned(), start)) } else { Err(wrong(", which is none of the years 1 to 9999")) }
    }

    fn extensions(&self, names: &[Spanned<String>]) -> Result<Vec<Package>, SourceError> {
        let (pins, mut packages) = (Pins::of(self.dir)?, BTreeMap::<String, Package>::new());
        let mut wanted: Vec<(String, usize)> = names.iter().map(|name| (name.get_ref().clone(), name.span().start)).collect();
        while let Some((name, at)) = wanted.pop() {
            if packages.contains_key(&name) {
                continue;
            }
            if let Some(near) = self.near.filter(|near| near.name == name) {
                wanted.extend(near.needs.keys().map(|need| (need.to_string(), at)));
                packages.insert(name, near.clone());
                continue;
            }
            let package = self.extension(&name, at, &pins)?;
            wanted.extend(package.needs.keys().map(|need| (need.to_string(), at)));
            packages.insert(name, package);
        }
        Ok(order(packages.into_values().collect())?)
    }

    /// The extension of a name: in `extensions/` of the source's folder or of one above it, else one that the program brings along.
    fn extension(&self, name: &str, at: usize, pins: &Pins) -> Result<Package, SourceError> {
        if let Some(found) = find_extension(self.dir, name) {
            return pins.checked(&found, Package::load(&found)?);
        }
        let files = shipped_extension(name).ok_or_else(|| {
            let known: Vec<&str> = shipped_extensions().collect();
            let meant = or_may_mean("", name, &known);
            let dir = self.dir.display();
            let looked = format!("looked for `extensions/{name}/manifest.toml` in {dir} and each folder above");
            self.wrong(
                at,
                format!("extensions: no extension `{name}`; {looked}, and among those that come along ({}){meant}", known.join(", ")),
            )
        })?;
        let shown = format!("extensions/{name}");
        let package = Package::of_files(&shown, &texts(files))?;
        pins.checked(Path::new(&shown), package)
    }

    /// Profiles of extensions that the source has, each called as none of them is.
    fn profiles(
        &self,
        written: BTreeMap<String, Spanned<Vec<String>>>,
        has: &[Package],
    ) -> Result<BTreeMap<String, Vec<String>>, SourceError> {
        let is_one = |name: &str| has.iter().any(|package| package.name == name);
        let known = || has.iter().map(|package| format!("`{}`", package.name)).collect::<Vec<_>>().join(", ");
        let checked = |(name, listed): (String, Spanned<Vec<String>>)| {
            let at = listed.span().start;
            if is_one(&name) {
                return Err(self.wrong(at, format!("profiles: `{name}` is an extension; call the profile otherwise")));
            }
            match listed.get_ref().iter().find(|one| !is_one(one)) {
                Some(other) => {
                    Err(self.wrong(at, format!("profiles.{name}: expected extensions of this source ({}), found `{other}`", known())))
                }
                None => Ok((name, listed.into_inner())),
            }
        };
        written.into_iter().map(checked).collect()
    }

    /// Those that alone are enabled: extensions that the source has, or profiles of them.
    fn only(
        &self,
        written: Option<Spanned<Vec<String>>>,
        has: &[Package],
        profiles: &BTreeMap<String, Vec<String>>,
    ) -> Result<Option<Vec<String>>, SourceError> {
        let Some(written) = written else { return Ok(None) };
        let is_one = |name: &&String| has.iter().any(|package| package.name == **name) || profiles.contains_key(*name);
        match written.get_ref().iter().find(|name| !is_one(name)) {
            Some(other) => {
                Err(self.wrong(written.span().start, format!("only: expected extensions or profiles of this source, found `{other}`")))
            }
            None => Ok(Some(written.into_inner())),
        }
    }

    /// Spaces, with their settings and flows.
    fn spaces(&self, written: Vec<Spanned<SpaceItem>>) -> Vec<OnLine<SpaceItem>> {
        let mut spaces = self.lines(written);
        for space in &mut spaces {
            space.item.path = composed(&space.item.path).into_owned();
            space.item.settings = flat(std::mem::take(&mut space.item.settings));
            self.keep(self.read_flow_in(space));
        }
        spaces
    }

    fn matter(&self, written: Vec<Spanned<MatterItem>>) -> Vec<OnLine<MatterItem>> {
        let mut matter = self.lines(written);
        for MatterItem { name, at, .. } in matter.iter_mut().map(|matter| &mut matter.item) {
            (*name, *at) = (composed(name).into_owned(), composed(at).into_owned());
        }
        matter
    }

    /// Adds the beings of populations; says what of their tables was made fit.
    fn people(&self, written: Vec<Spanned<PopulationItem>>, beings: &mut Vec<OnLine<BeingItem>>) -> Vec<String> {
        let mut notes = Vec::new();
        for population in self.lines(written) {
            let room = BEINGS_MAX.saturating_sub(beings.len());
            let expanded = self.keep(expand(self.dir, &self.file, &population, room));
            beings.extend(expanded.beings);
            notes.extend(expanded.notes);
        }
        notes
    }

    /// A being, with its schedules, its flow and its settings.
    fn being(&self, being: &mut OnLine<BeingItem>) {
        for name in [Some(&mut being.item.name), Some(&mut being.item.home), being.item.parent.as_mut()].into_iter().flatten() {
            *name = composed(name).into_owned();
        }
        self.keep(self.check_words(being));
        self.keep(self.check_schedules(being));
        self.keep(self.read_flow(being));
        being.item.settings = flat(std::mem::take(&mut being.item.settings));
    }

    /// That its name and its cognition are such as there are.
    fn check_words(&self, being: &OnLine<BeingItem>) -> Result<(), SourceError> {
        let wrong = |what: String| Err(SourceError::wrong(self.file.clone(), being.line, what));
        let BeingItem { name, cognition, .. } = &being.item;
        if is_reserved(name) {
            return wrong(format!("name: `{name}` means something else in every world; give the being another name"));
        }
        match cognition.as_deref().filter(|word| word.parse::<Cognition>().is_err()) {
            Some(word) => wrong(format!("cognition of `{name}`: expected `llm`, `human`, `script` or `panel`, found `{word}`")),
            None => Ok(()),
        }
    }

    /// That what has a name or a path of its own is written once.
    fn once_each(&self, source: &Source) -> Result<(), SourceError> {
        self.once("measure", &source.measures, |item| &item.name)?;
        self.once("table", &source.tables, |item| &item.name)?;
        self.once("signal", &source.signals, |item| &item.path)
    }

    /// That what is called by a name is written once.
    fn once<T>(&self, kind: &str, items: &[OnLine<T>], name_of: impl Fn(&T) -> &str) -> Result<(), SourceError> {
        let mut lines = BTreeMap::new();
        for OnLine { item, line, .. } in items {
            if let Some(first) = lines.insert(name_of(item), *line) {
                let what =
                    format!("{kind} `{}`: stands twice, first in line {first}; leave one out, or give it another name", name_of(item));
                return Err(SourceError::wrong(self.file.clone(), *line, what));
            }
        }
        Ok(())
    }

    /// That each schedule is written once, and that its interval can be read.
    fn check_schedules(&self, being: &OnLine<BeingItem>) -> Result<(), SourceError> {
        let mut names = BTreeSet::new();
        if let Some(twice) = being.item.schedule.iter().find(|schedule| !names.insert(&schedule.name)) {
            let what = format!("schedule `{}` of `{}`: stands twice; give one of them another name", twice.name, being.item.name);
            return Err(SourceError::wrong(self.file.clone(), being.line, what));
        }
        let is_wrong = |every: &&str| parse_duration(every).is_none_or(|every| every <= 0);
        for schedule in &being.item.schedule {
            let Some(every) = schedule.every.as_deref().filter(is_wrong) else { continue };
            let quoted = format!("\"{every}\"");
            let mut below = self.text.lines().enumerate().skip(being.line.saturating_sub(1));
            let line = below.find(|(_, text)| text.contains(&quoted)).map_or(being.line, |(at, _)| at + 1);
            let what = format!(
                "schedule `{}` of `{}`: every: expected a duration such as `30s`, `5m` or `1h30m`, found `{every}`",
                schedule.name, being.item.name
            );
            return Err(SourceError::wrong(self.file.clone(), line, what));
        }
        Ok(())
    }

    fn read_flow(&self, being: &mut OnLine<BeingItem>) -> Result<(), SourceError> {
        self.clauses(&mut being.item.flow, being.line, &being.item.name)?;
        if being.item.flow.is_null() {
            return Ok(());
        }
        Flow::compile(&being.item.flow).map(drop).map_err(|error| self.wrong_flow(being.line, &being.item.name, &error))
    }

    fn read_flow_in(&self, space: &mut OnLine<SpaceItem>) -> Result<(), SourceError> {
        let Some(flow) = &mut space.item.flow else { return Ok(()) };
        self.clauses(flow, space.line, &space.item.path)?;
        Flow::compile_for_space(flow).map(drop).map_err(|error| self.wrong_flow(space.line, &space.item.path, &error))
    }

    fn wrong_flow(&self, line: usize, of: &str, what: &dyn std::fmt::Display) -> SourceError {
        SourceError::wrong(self.file.clone(), line, format!("flow of `{of}`: {what}"))
    }

    /// A flow that names a file is what stands in it.
    fn clauses(&self, flow: &mut Value, line: usize, of: &str) -> Result<(), SourceError> {
        let Value::Text(name) = &*flow else { return Ok(()) };
        let path = inside(self.dir, name).map_err(|what| self.wrong_flow(line, of, &what))?;
        let text = read(&path)?;
        let wrong = |error: serde_json::Error| SourceError::wrong(path.display().to_string(), error.line(), error.to_string());
        *flow = serde_json::from_str(&text).map_err(wrong)?;
        Ok(())
    }

    /// Children stand behind their parents, otherwise as written.
    fn parents_first(&self, beings: Vec<OnLine<BeingItem>>) -> Result<Vec<OnLine<BeingItem>>, SourceError> {
        let mut known: BTreeSet<String> = beings.iter().map(|being| being.item.name.clone()).collect();
        if known.len() < beings.len() {
            let mut seen = BTreeSet::new();
            let twice = beings.iter().find(|being| !seen.insert(&being.item.name));
            if let Some(twice) = twice {
                let row = twice.from.as_ref().map(|row| format!(", here by {row}")).unwrap_or_default();
                let what = format!("name: a being `{}` is written twice{row}", twice.item.name);
                return Err(SourceError::wrong(self.file.clone(), twice.line, what));
            }
        }
        let mut sorted = Vec::with_capacity(beings.len());
        let mut left = beings;
        while !left.is_empty() {
            let waits = |being: &OnLine<BeingItem>| {
                being.item.parent.as_deref().is_some_and(|parent| known.contains(parent.trim_start_matches('@')))
            };
            let (later, now): (Vec<_>, Vec<_>) = left.into_iter().partition(waits);
            if now.is_empty() {
                let first = later.first().map_or((0, String::new()), |being| (being.line, being.item.name.clone()));
                let what = format!("parent: `{}` descends from itself", first.1);
                return Err(SourceError::wrong(self.file.clone(), first.0, what));
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
