//! SaidBefore: what a source says of things that a living world changes by itself, as the world remembers it.
//!
//! Things are remembered one by one: address → path → value. A population is remembered by its rule, however many it has: what it says of all
//! of them once, and of each column that is drawn from its rows a digest of fixed length. So `apply` finds what the author has changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::fact::{Call, Canon, Hash, Map, Value};
use crate::verb::ARGS_MAX;
use crate::world::{MEASURED, PAGE, SOURCE, World};

use super::error::SourceError;
use super::gone::{MADE, keep_left, matter_address, named, unapplied};
use super::item::{BeingItem, ScheduleItem};
use super::measured::MeasureList;
use super::written::Source;

/// Stands for its content there.
pub(super) const CONTENT: &str = "content";

/// Why it is remembered what the source says, where nothing else follows from that.
pub(super) const NOTED: &str = "remember what the source says";
/// Over how many parts the rows of a population are digested. The rows of a part where one has changed count as changed together.
const PARTS: usize = 256;
/// How a part is written.
const DIGITS: usize = 8;

/// SaidOf something is.
#[derive(Clone, Copy)]
pub(super) enum SaidOf<'a> {
    /// That of a thing, or of a register, by its address.
    Thing(&'a str),
    /// That of a being, which may be one of a population.
    Being(&'a BeingItem),
}

impl SaidOf<'_> {
    /// Where it is.
    pub(super) fn address(self) -> String {
        match self {
            Self::Thing(address) => address.to_owned(),
            Self::Being(item) => format!("@{}", item.name),
        }
    }

    /// Under which name it is remembered.
    fn name(self, kept: SaidKind) -> String {
        match self {
            Self::Being(BeingItem { of: Some(population), .. }) => format!("{}{}", population.name, kept.suffix()),
            other => format!("{}{}", other.address(), kept.suffix()),
        }
    }
}

/// The kind of the remembered text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SaidKind {
    Qualities,
    Settings,
    Schedules,
}

impl SaidKind {
    const fn suffix(self) -> &'static str {
        match self {
            Self::Qualities => "",
            Self::Settings => "/.settings",
            Self::Schedules => "/.schedules",
        }
    }
}

/// The digests of what is drawn from rows, by population and path.
type RowDigests<'a> = BTreeMap<(&'a str, String), [u32; PARTS]>;

/// The source as it was last applied, beside the source as it is now.
pub(super) struct SaidBefore<'a> {
    world: &'a World,
    remembered: Value,
    rows: RowDigests<'a>,
}

impl<'a> SaidBefore<'a> {
    pub(super) fn of(source: &'a Source, world: &'a World) -> Self {
        let remembered = world.registry().config.get(SOURCE).map(|said| (**said).clone()).unwrap_or_default();
        Self { world, remembered, rows: rows(source, |item| world.being_named(&item.name).is_some()) }
    }

    /// The act that has the world remember what the source says now, and why; none where it does already.
    pub(super) fn note(&self, source: &Source) -> Option<(Call, &'static str)> {
        let mut says = says(source);
        keep_left(&mut says, source, self.world, &self.remembered);
        let is_other = |key: &str| says.get(key) != self.remembered.get(key);
        let why = match (is_other(MEASURED), is_other(PAGE)) {
            (true, true) => "change what is measured of the world, and what the page is told",
            (true, false) => "change what is measured of the world",
            (false, true) => "change what the page is told",
            (false, false) => NOTED,
        };
        (says != self.remembered).then(|| (note(says), why))
    }

    /// The differences of the source that no act mends, in sentences.
    pub(super) fn unapplied(&self, source: &Source) -> Vec<String> {
        unapplied(source, self.world, &self.remembered)
    }

    /// Whether the source says something that it did not say when it was last applied.
    pub(super) fn is_new(&self, (whose, kept): (SaidOf<'_>, SaidKind), path: &str, value: &Value) -> bool {
        let SaidOf::Being(item) = whose else { return self.remembered(&whose.name(kept), path) != Some(value) };
        // Nothing was said of a being that is not there yet, also where its population has others.
        if self.world.being_named(&item.name).is_none() {
            return true;
        }
        match drawn_from(item, path).filter(|_| kept == SaidKind::Qualities) {
            None => self.remembered(&whose.name(kept), path) != Some(value),
            Some(population) => {
                let at = part(&item.name);
                let said = self.remembered(&rows_of(population), path).and_then(Value::as_str);
                let said = said.and_then(|said| u32::from_str_radix(said.get(at * DIGITS..(at + 1) * DIGITS)?, 16).ok());
                said.is_none() || said != self.rows.get(&(population, path.to_owned())).and_then(|parts| parts.get(at)).copied()
            }
        }
    }

    fn remembered(&self, name: &str, path: &str) -> Option<&Value> {
        self.remembered.get(name)?.get(path)
    }
}

/// The most that a world remembers of what its source says, in canonical bytes: it stands in one act.
pub(super) const SAID_MAX: usize = 4_000_000;
const _: () = assert!((SAID_MAX as u64) < ARGS_MAX, "what is remembered fits into an act");

/// Refuses a source that says more than a world remembers.
pub fn fits(source: &Source, most: usize) -> Result<(), SourceError> {
    let says = says(source);
    let found = says.to_canon().len();
    if found <= most {
        return Ok(());
    }
    let sizes = says.as_map().into_iter().flatten().map(|(address, said)| (said.to_canon().len(), address.to_string()));
    let (bytes, largest) = sizes.max().unwrap_or_default();
    Err(SourceError::TooMuch { file: source.file.clone(), found, most, largest, bytes })
}

fn note(says: Value) -> Call {
    Call::doing("/", "config.set", Value::map([("key", Value::text(SOURCE)), ("value", says)]))
}

/// The parts of a source that a living world changes by itself.
pub fn says(source: &Source) -> Value {
    let mut says = Map::new();
    let mut say = |address: &str, path: &str, value: &Value| {
        if let Value::Map(map) = says.entry(address.into()).or_insert_with(|| Value::Map(Map::new())) {
            map.insert(path.into(), value.clone());
        }
    };
    for space in &source.spaces {
        let of_place = space.item.qualities();
        qualities(of_place.as_ref()).for_each(|(path, value)| say(&space.item.path, &path, value));
        space.item.settings.iter().for_each(|(key, value)| say(&format!("{}/.settings", space.item.path), key, value));
    }
    for matter in &source.matter {
        let address = matter_address(&matter.item);
        qualities(matter.item.quality.as_ref()).for_each(|(path, value)| say(&address, &path, value));
        say(&address, MADE, &Value::Bool(true));
        if !matter.item.content.is_null() {
            say(&address, CONTENT, &matter.item.content);
        }
    }
    let (page, told) = source.page_said();
    let lists = MeasureList::of_source(source).said().map(|(key, listed)| (MEASURED, key, listed)).into_iter();
    for (under, key, listed) in lists.chain(told.map(|(key, listed)| (page, key, listed))) {
        if listed.as_list().is_some_and(|listed| !listed.is_empty()) {
            say(under, key, &listed);
        }
    }
    source.signals.iter().for_each(|signal| say("/.signals", &signal.item.path, &signal.item.value));
    for being in &source.beings {
        let (item, whose) = (&being.item, SaidOf::Being(&being.item));
        let own = qualities(item.quality.as_ref()).filter(|(path, _)| drawn_from(item, path).is_none());
        own.for_each(|(path, value)| say(&whose.name(SaidKind::Qualities), &path, value));
        item.settings.iter().for_each(|(key, value)| say(&whose.name(SaidKind::Settings), key, value));
        item.schedule.iter().for_each(|schedule| say(&whose.name(SaidKind::Schedules), &schedule.name, &written_schedule(schedule)));
    }
    named(source).for_each(|(under, name, value)| say(under, &name, &value));
    for ((population, path), parts) in rows(source, |_| true) {
        say(&rows_of(population), &path, &digest(&parts));
    }
    Value::Map(says)
}

/// Paths and values of what is written of qualities.
pub(super) fn qualities(written: Option<&Value>) -> impl Iterator<Item = (String, &Value)> {
    let namespaces = written.and_then(Value::as_map).into_iter().flatten();
    namespaces.flat_map(|(ns, values)| values.as_map().into_iter().flatten().map(move |(key, value)| (format!("{ns}.{key}"), value)))
}

fn rows_of(population: &str) -> String {
    format!("{population}/.rows")
}

/// The population from whose rows a being has a quality.
fn drawn_from<'a>(item: &'a BeingItem, path: &str) -> Option<&'a str> {
    item.of.as_ref().filter(|population| population.draws(path)).map(|population| population.name.as_str())
}

/// The digests of what those beings have that are meant. The order of rows does not count.
fn rows(source: &Source, is_meant: impl Fn(&BeingItem) -> bool) -> RowDigests<'_> {
    let mut rows = RowDigests::new();
    let drawing = source.beings.iter().map(|being| &being.item).filter(|item| item.of.as_ref().is_some_and(|of| of.is_drawn()));
    for item in drawing.filter(|item| is_meant(item)) {
        for (path, value) in qualities(item.quality.as_ref()) {
            let Some(population) = drawn_from(item, &path) else { continue };
            let cell = cell(&item.name, &path, value);
            let parts = rows.entry((population, path)).or_insert([0; PARTS]);
            if let Some(part) = parts.get_mut(part(&item.name)) {
                *part ^= cell;
            }
        }
    }
    rows
}

/// In which part of the rows that of a name lies.
fn part(name: &str) -> usize {
    let [first, ..] = Hash::of(name.as_bytes()).0;
    usize::from(first)
}

fn cell(name: &str, path: &str, value: &Value) -> u32 {
    let cell = Value::List(vec![Value::text(name), Value::text(path), value.clone()]);
    let [a, b, c, d, ..] = Hash::of(&cell.to_canon()).0;
    u32::from_be_bytes([a, b, c, d])
}

fn digest(parts: &[u32; PARTS]) -> Value {
    let mut text = String::with_capacity(PARTS * DIGITS);
    for part in parts {
        // A text grows without fail.
        let _ = write!(text, "{part:08x}");
    }
    Value::text(&text)
}

/// A schedule as its author wrote it, for comparison.
pub(super) fn written_schedule(item: &ScheduleItem) -> Value {
    let text = |text: &Option<String>| Value::from(text.clone());
    Value::List(vec![text(&item.every), text(&item.cron), text(&item.at), item.content.clone(), text(&item.rank)])
}
