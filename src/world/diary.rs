//! Diary: all that a mind did and that it heard, however long ago, found again by its words.
//!
//! Each entry is listed under the words in it and under the internal names of the beings it is about. A listed entry is never weighed
//! again: a word counts by how rare it is in the diary, and in an entry by how often it stands there and how long that is (BM25, in whole
//! numbers, where all entries count as if they were of one length in the mean). A search looks through a bounded part of each list, so
//! that it costs the same in a long life as in a short one. All of it follows from the frames, so it is no part of the world hash.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;
use unicode_segmentation::UnicodeSegmentation;

use crate::fact::canon::canon_struct;
use crate::fact::{BeingId, Made, Millis, SpaceId, Text};

use super::happening::{Happened, Happening};
use super::stems::StemLanguages;

/// The path of the quality in which a being keeps what it wants to have before it always.
pub const KEPT: &str = "keep.words";
/// So many places of a word are listed together.
pub const LISTED: usize = 256;
/// Through how many of the newest entries with a word one looks.
pub const LOOKED_THROUGH: usize = 512;
/// How many of what is sought count, the rarest first.
const SOUGHT: usize = 12;
/// A word that stands in one of so many entries says nothing, unless there are only a few.
const COMMON: u64 = 4;
pub const FEW: u64 = 8;
/// The longest word, in characters.
const WORD: usize = 32;
/// How many words an entry counts to have in the mean.
const MEAN: u64 = 16;
/// One, in the fixed point numbers of ranks.
const ONE: u64 = 1024;
/// The milliseconds of an hour.
const HOUR: i64 = 3_600_000;

/// An entry under a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    entry: u32,
    weight: u32,
}

canon_struct!(Mention { entry, weight });

/// Under what an entry stands, and is sought.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// A word, in small letters.
    Word(Text),
    /// Somebody whom it is about.
    Being(BeingId),
    /// A space where it was.
    Space(SpaceId),
    /// The root that it belongs to.
    Root(Made),
    /// The stem of a word.
    Stem(Text),
}

impl Topic {
    /// The words of a text, each once.
    pub fn words(text: &str) -> impl Iterator<Item = Self> {
        counted(text).into_keys().map(Self::Word)
    }

    /// The word, if it is one.
    pub fn word(self) -> Option<Text> {
        if let Self::Word(word) = self { Some(word) } else { None }
    }

    /// Its key in the index; no word begins with the marks of the other kinds.
    fn key(&self) -> Text {
        match self {
            Self::Word(word) => word.clone(),
            Self::Being(being) => format!("@{being}").into(),
            Self::Space(space) => format!("/{space}").into(),
            Self::Root(root) => format!("#{root}").into(),
            Self::Stem(stem) => format!("~{stem}").into(),
        }
    }
}

/// The words of a text in small letters, each with how often it stands there.
fn counted(text: &str) -> BTreeMap<Text, u64> {
    let mut words: BTreeMap<Text, u64> = BTreeMap::new();
    // A possessive counts as the name: `Ada's` is `Ada`.
    for word in text.unicode_words().flat_map(|word| word.split(['\'', '\u{2019}'])).filter(|word| !word.is_empty()) {
        let word: String = word.chars().flat_map(char::to_lowercase).take(WORD).collect();
        *words.entry(word.into()).or_default() += 1;
    }
    words
}

/// The topics of an entry in a being's diary, each with its weight there.
fn listed_under(of: BeingId, happening: &Happening, languages: &StemLanguages) -> BTreeMap<Topic, u32> {
    let mut under: BTreeMap<Topic, u32> = BTreeMap::new();
    let mut texts: Vec<&str> = Vec::new();
    let mut others = vec![happening.who];
    match &happening.what {
        // Of another's deed it is found what is told of it.
        Happened::Did { told, .. } if happening.who != of && !told.is_empty() => texts.push(told),
        Happened::Did { action, target, args, told } => {
            texts.extend([action.as_ref(), target.as_ref()]);
            texts.extend([args, told].into_iter().filter(|_| happening.who == of).map(AsRef::as_ref));
        }
        Happened::Tried { deed, why } => texts.extend([deed.as_ref(), why.as_ref()]),
        Happened::Said { words } => texts.push(words),
        Happened::Summoned { to, words, .. } => {
            others.push(*to);
            texts.push(words);
        }
        Happened::Went { from, to } => under.extend([from, to].map(|space| (Topic::Space(*space), ONE as u32))),
        Happened::Became { operation } => texts.push(operation),
    }
    under.extend(others.into_iter().filter(|other| *other != of).map(|other| (Topic::Being(other), ONE as u32)));
    under.extend(happening.root.map(|root| (Topic::Root(root), ONE as u32)));
    let words = counted(&texts.join(" "));
    let length: u64 = words.values().sum();
    let mut stems: BTreeMap<Text, u64> = BTreeMap::new();
    words.iter().for_each(|(word, times)| languages.stems(word).into_iter().for_each(|stem| *stems.entry(stem).or_default() += times));
    under.extend(stems.into_iter().map(|(stem, times)| (Topic::Stem(stem), weight(times, length))));
    under.extend(words.into_iter().map(|(word, times)| (Topic::Word(word), weight(times, length))));
    under
}

/// How much a word counts that stands so often in an entry of so many: k1 is 1.2 and b is 0.75, as is usual.
pub fn weight(times: u64, length: u64) -> u32 {
    let (times, length) = (times.min(ONE), length.min(ONE));
    let norm = 12 * (MEAN + 3 * length) * ONE / (10 * 4 * MEAN);
    let weight = times * 22 * ONE * ONE / (10 * (times * ONE + norm));
    u32::try_from(weight).unwrap_or(u32::MAX)
}

/// How rare a word is that stands in so many entries of all: the binary logarithm of how many there are for each of them, as BM25 has it,
/// drawn straight between powers of two.
pub fn rarity(standing: u64, all: u64) -> u64 {
    let ratio = ((2 * all + 2) * ONE / (2 * standing + 1)).max(ONE);
    let bits = u64::from(ratio.ilog2());
    let beyond = ((ratio * ONE) >> bits) - ONE;
    (bits * ONE + beyond).saturating_sub(u64::from(ONE.ilog2()) * ONE)
}

/// The diaries of all who have a mind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diaries {
    pub entries: OrdMap<(BeingId, u32), Arc<Happening>>,
    pub found: OrdMap<(BeingId, Text, u32), Arc<Vec<Mention>>>,
    /// The languages whose words are listed by their stems too.
    pub languages: StemLanguages,
}

impl Diaries {
    /// How many entries a being's diary has.
    pub fn count(&self, of: BeingId) -> u32 {
        let last = self.entries.range((of, 0)..=(of, u32::MAX)).next_back();
        last.map_or(0, |((_, entry), _)| entry.saturating_add(1))
    }

    /// A being's entries before its so-manieth, the newest first.
    pub fn before(&self, of: BeingId, entry: u32) -> impl Iterator<Item = &Arc<Happening>> {
        self.entries.range((of, 0)..(of, entry)).rev().map(|(_, happening)| happening)
    }

    /// The so-manieth entry of a being's diary a happening is, from 0.
    pub fn entry(&self, of: BeingId, happening: &Happening) -> Option<u32> {
        let (mut from, mut to) = (0, self.count(of));
        while from < to {
            let middle = from + (to - from) / 2;
            let is_before = self.entries.get(&(of, middle)).is_some_and(|other| other.seq < happening.seq);
            (from, to) = if is_before { (middle + 1, to) } else { (from, middle) };
        }
        let of_frame = self.entries.range((of, from)..=(of, u32::MAX)).take_while(|(_, other)| other.seq == happening.seq);
        of_frame.map(|((_, entry), other)| (*entry, other)).find(|(_, other)| ***other == *happening).map(|(entry, _)| entry)
    }

    /// Writes an entry into a being's diary.
    pub fn write(&mut self, of: BeingId, happening: &Arc<Happening>) {
        let entry = self.count(of);
        for (sought, weight) in listed_under(of, happening, &self.languages) {
            let (key, mut at) = (sought.key(), 0);
            if let Some(((.., last), found)) = self.found.range((of, key.clone(), 0)..=(of, key.clone(), u32::MAX)).next_back() {
                at = if found.len() < LISTED { *last } else { last.saturating_add(1) };
            }
            Arc::make_mut(self.found.entry((of, key, at)).or_default()).push(Mention { entry, weight });
        }
        self.entries.insert((of, entry), happening.clone());
    }

    /// A being's entries that belong to a root, the newest first.
    pub fn of_root(&self, of: BeingId, root: Made) -> impl Iterator<Item = &Happening> {
        let key = Topic::Root(root).key();
        let found = self.found.range((of, key.clone(), 0)..=(of, key, u32::MAX)).rev().flat_map(|(_, found)| found.iter().rev());
        found.filter_map(move |mention| self.entries.get(&(of, mention.entry)).map(AsRef::as_ref))
    }

    /// In how many entries something stands.
    fn standing(&self, of: BeingId, key: &Text) -> u64 {
        let last = self.found.range((of, key.clone(), 0)..=(of, key.clone(), u32::MAX)).next_back();
        last.map_or(0, |((.., at), found)| u64::from(*at) * LISTED as u64 + found.len() as u64)
    }

    /// The entries of a being that have most of what is sought, the best first; each has one of those that are needed. Of two that have as
    /// much the later counts more.
    pub fn best(
        &self,
        of: BeingId,
        sought: &BTreeMap<Topic, u64>,
        is_needed: impl Fn(&Topic) -> bool,
        now: Millis,
    ) -> Vec<&Arc<Happening>> {
        let all = u64::from(self.count(of));
        let sought = &self.with_stems(sought);
        let standing = sought.iter().map(|(sought, counts)| (self.standing(of, &sought.key()), sought, counts));
        let is_telling = |standing: u64| standing > 0 && (standing <= FEW || standing <= all / COMMON);
        let mut telling: Vec<_> = standing.filter(|(standing, ..)| is_telling(*standing)).collect();
        telling.sort_by_key(|(standing, sought, counts)| (Reverse(rarity(*standing, all) * **counts), *sought));
        let mut places: Vec<(u32, u64, bool)> = Vec::new();
        for (standing, sought, counts) in telling.into_iter().take(SOUGHT) {
            let (key, rare, is_needed) = (sought.key(), rarity(standing, all) * counts, is_needed(sought));
            let lists = self.found.range((of, key.clone(), 0)..=(of, key, u32::MAX)).rev();
            let newest = lists.flat_map(|(_, found)| found.iter().rev()).take(LOOKED_THROUGH);
            places.extend(newest.map(|Mention { entry, weight }| (*entry, rare * u64::from(*weight) / ONE, is_needed)));
        }
        places.sort_unstable();
        let mut ranked: Vec<(u64, u32)> = Vec::new();
        for places in places.chunk_by(|one, other| one.0 == other.0) {
            if let Some((entry, ..)) = places.iter().find(|(.., is_needed)| *is_needed) {
                ranked.push((places.iter().map(|(_, rank, _)| rank).sum(), *entry));
            }
        }
        let entries = ranked.into_iter().filter_map(|(rank, entry)| Some((rank, entry, self.entries.get(&(of, entry))?)));
        let hours = |happening: &Happening| u64::try_from(now.saturating_sub(happening.at) / HOUR).unwrap_or(0);
        let mut best: Vec<_> =
            entries.map(|(rank, entry, happening)| (rank + rank / 4 / (1 + hours(happening)), entry, happening)).collect();
        best.sort_by_key(|(rank, entry, _)| Reverse((*rank, *entry)));
        best.into_iter().map(|(.., happening)| happening).collect()
    }

    /// The sought topics with the stems of their words, each of which counts as much as its word.
    fn with_stems(&self, sought: &BTreeMap<Topic, u64>) -> BTreeMap<Topic, u64> {
        let stems = |(topic, counts): (&Topic, &u64)| {
            let stems = if let Topic::Word(word) = topic { self.languages.stems(word) } else { Vec::new() };
            let counts = *counts;
            stems.into_iter().map(move |stem| (Topic::Stem(stem), counts)).collect::<Vec<_>>()
        };
        sought.iter().flat_map(stems).chain(sought.iter().map(|(topic, counts)| (topic.clone(), *counts))).collect()
    }

    /// Throws away the diary of a being that has ended.
    pub fn forget(&mut self, of: BeingId) {
        let entries: Vec<_> = self.entries.range((of, 0)..=(of, u32::MAX)).map(|(key, _)| *key).collect();
        entries.iter().for_each(|key| drop(self.entries.remove(key)));
        let lists = self.found.range((of, Text::from(""), 0)..).map(|(key, _)| key).take_while(|key| key.0 == of);
        for key in lists.cloned().collect::<Vec<_>>() {
            self.found.remove(&key);
        }
    }
}
