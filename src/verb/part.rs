//! Part: a part of a list, the same at every door: from an item on, and of the items only those whose line holds some words.

use crate::fact::{Millis, Thing, Value, plain_letters};
use crate::world::{Matter, World, other_forms};

/// Through how many items of a list words are sought in one look. A look from so many on seeks in those behind them: `from` counts what was
/// looked through in such stretches, and within the last of them what was found.
pub const SOUGHT: usize = 4_096;
/// How much of what it says stands for a thing that does not say what it is about.
const ABOUT: usize = 80;

/// A part of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListPart {
    /// How many items are passed over.
    pub from: usize,
    /// The words that a line must hold, as they are written.
    words: Vec<String>,
}

/// The items of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct Parted<T> {
    /// Its items.
    pub items: Vec<T>,
    /// How many more there are behind them.
    pub more: usize,
    /// How many items no words were sought in.
    pub unsought: usize,
}

impl<T> Parted<T> {
    /// Each item told otherwise.
    pub fn map<U>(self, tell: impl Fn(T) -> U) -> Parted<U> {
        Parted { items: self.items.into_iter().map(tell).collect(), more: self.more, unsought: self.unsought }
    }
}

impl ListPart {
    /// The items behind so many, of those that hold words.
    pub fn new(from: u64, words: Option<&str>) -> Self {
        let words = words.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        Self { from: usize::try_from(from).unwrap_or(usize::MAX), words }
    }

    /// Whether it is the beginning of all of a list.
    pub fn is_first(&self) -> bool {
        self.from == 0 && !self.seeks()
    }

    /// The same from the beginning on.
    pub fn without_from(&self) -> Self {
        Self { from: 0, words: self.words.clone() }
    }

    /// The same of all items.
    pub fn without_words(&self) -> Self {
        Self { from: self.from, words: Vec::new() }
    }

    /// The words that are sought, one behind the other.
    pub fn sought(&self) -> String {
        self.words.join(" ")
    }

    /// Whether words are sought.
    pub fn seeks(&self) -> bool {
        !self.words.is_empty()
    }

    /// So many items at most; how many there are is counted where nobody knows it.
    pub fn of<T>(&self, mut all: impl Iterator<Item = T>, total: Option<usize>, most: usize, line: impl Fn(&T) -> String) -> Parted<T> {
        if self.seeks() {
            let before = self.from - self.from % SOUGHT;
            let wanted: Vec<SoughtWord> = self.words.iter().map(|word| SoughtWord::of(word)).collect();
            let is_in = |line: String| {
                let line = plain_letters(&line);
                wanted.iter().all(|word| word.is_in(&line))
            };
            let mut rest = all.by_ref().skip(before);
            let found: Vec<T> = rest.by_ref().take(SOUGHT).filter(|item| is_in(line(item))).collect();
            let unsought = total.map_or_else(|| rest.count(), |total| total.saturating_sub(before).saturating_sub(SOUGHT));
            let count = found.len();
            return Parted { unsought, ..first(found.into_iter(), Some(count), (self.from - before, most)) };
        }
        first(all, total, (self.from, most))
    }
}

/// So many items behind so many.
fn first<T>(all: impl Iterator<Item = T>, total: Option<usize>, (from, most): (usize, usize)) -> Parted<T> {
    let mut all = all.skip(from);
    let items: Vec<T> = all.by_ref().take(most).collect();
    let more = total.map_or_else(|| all.count(), |total| total.saturating_sub(from).saturating_sub(items.len()));
    Parted { items, more, unsought: 0 }
}

/// From where a look goes on that has sought no further.
pub fn unsought_from(from: usize) -> usize {
    (from / SOUGHT).saturating_add(1).saturating_mul(SOUGHT)
}

/// The marks that people set around a word and do not mean.
const AROUND_WORDS: &[char] = &['*', '_', '"', '\'', '“', '”', '„', '‘', '’', '«', '»', '(', ')', ',', '.', ';', ':', '!', '?'];

/// A word that is sought, in plain letters.
struct SoughtWord {
    /// As it is written.
    word: String,
    /// Without the marks around it; empty where nothing is left.
    bare: String,
    /// Its other forms, which the rules of no ending tell: `geese` of `goose`.
    forms: Vec<&'static str>,
}

impl SoughtWord {
    fn of(written: &str) -> Self {
        let word = plain_letters(written);
        let bare = word.trim_matches(AROUND_WORDS).to_owned();
        Self { forms: other_forms(&bare).collect(), word, bare }
    }

    fn is_in(&self, line: &str) -> bool {
        let has_form = || line.split(|sign: char| !sign.is_alphanumeric()).any(|word| self.forms.contains(&word));
        let has = |word: &str| !word.is_empty() && line.contains(word);
        has(&self.word) || has(&self.bare) || (!self.forms.is_empty() && has_form())
    }
}

/// The line of a thing in which words are sought: what it is called, what it is, and what it is about.
pub fn line_of(world: &World, thing: Thing, at: Millis) -> String {
    let name = world.thing_name(thing).map(AsRef::as_ref).unwrap_or_default();
    let told = match thing {
        Thing::Being(id) => world.wears(id, at).join(" "),
        Thing::Space(id) => world.space(id).map(|space| space.kind.to_string()).unwrap_or_default(),
        Thing::Matter(id) => {
            world.matter(id).map(|matter| format!("{} {}", matter.kind, about(matter).unwrap_or_default())).unwrap_or_default()
        }
    };
    format!("{name} {told}")
}

/// The line of an entry in which words are sought: all texts in it.
pub(super) fn texts(entry: &Value) -> String {
    match entry {
        Value::Text(text) => text.to_string(),
        Value::List(list) => list.iter().map(texts).collect::<Vec<_>>().join(" "),
        Value::Map(map) => map.values().map(texts).collect::<Vec<_>>().join(" "),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => entry.to_string(),
    }
}

/// The subject of a thing, as it says itself; else the beginning of its text.
pub fn about(matter: &Matter) -> Option<String> {
    let said = matter.qualities.at("doc.about").and_then(Value::as_str);
    let begins = || matter.content.as_str().filter(|text| !text.trim().is_empty());
    let text = said.or_else(begins)?;
    let mut start = String::new();
    for word in text.split_whitespace() {
        start += if start.is_empty() { "" } else { " " };
        start += word;
        if start.chars().nth(ABOUT).is_some() {
            break;
        }
    }
    let start: String = start.chars().take(ABOUT).collect();
    Some(if start.len() < text.trim().len() { format!("{start}…") } else { start })
}
