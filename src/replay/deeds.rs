//! Deeds: the moments that come out otherwise, counted by who did what in them, and how.
//!
//! A model's recorded reply is heard again, also where it would be asked something else. So a deed that would be refused is found whoever
//! thinks.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fact::{BeingId, Closing, Draft, Seq, Text};
use crate::past::report;
use crate::tell::{ToldPart, plain_text, subjects};
use crate::world::World;

use super::retaken::{RetakeChange, RetakePart};

/// How many characters of what was said are told.
const SAID: usize = 60;

/// How moments come out, each kind by itself; one moment may be worn otherwise and be refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DeedEnds {
    /// Something else would be worn.
    pub worn: u64,
    /// It would be refused, and was not.
    pub refused: u64,
    /// It would fail, and did not.
    pub failed: u64,
    /// Something else would be done.
    pub otherwise: u64,
    /// A model would be asked something else; its recorded reply comes to the same.
    pub unknown: u64,
}

impl DeedEnds {
    /// How one moment comes out.
    fn of(recorded: &Draft, computed: Option<&Closing>, changes: &[RetakeChange]) -> Self {
        let differs = |part| changes.iter().any(|change| change.part == part);
        let is_failure = |closing: &Closing| matches!(closing, Closing::Failed(_) | Closing::DeadLetter(_));
        let is_refused = computed.is_some_and(|closing| closing.refusal().is_some()) && recorded.closing.refusal().is_none();
        let is_failed = computed.is_some_and(is_failure) && !is_failure(&recorded.closing);
        let is_other = changes.iter().any(|change| !matches!(change.part, RetakePart::Stack | RetakePart::Request));
        let is_known = is_refused || is_failed || is_other;
        Self {
            worn: differs(RetakePart::Stack).into(),
            refused: is_refused.into(),
            failed: is_failed.into(),
            otherwise: (is_other && !is_refused && !is_failed).into(),
            unknown: (differs(RetakePart::Request) && !is_known).into(),
        }
    }

    fn add(&mut self, other: Self) {
        self.worn += other.worn;
        self.refused += other.refused;
        self.failed += other.failed;
        self.otherwise += other.otherwise;
        self.unknown += other.unknown;
    }

    /// Whether nothing of it is otherwise.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// In words, of so many moments: `all would be refused`, or `2 of 9 would fail`.
    pub fn words(self, all: u64) -> String {
        let Self { worn, refused, failed, otherwise, unknown } = self;
        let kinds = [
            (refused, "would be refused"),
            (failed, "would fail"),
            (otherwise, "would be done otherwise"),
            (worn, "would wear something else"),
            (unknown, "would ask a model something else"),
        ];
        let said = |(count, what): (u64, &str)| match (count, all) {
            (0, _) => None,
            (1, 1) => Some(format!("it {what}")),
            (count, all) if count == all => Some(format!("all {what}")),
            (count, all) => Some(format!("{count} of {all} {what}")),
        };
        kinds.into_iter().filter_map(said).collect::<Vec<_>>().join(", ")
    }
}

/// One kind of deed of a being.
#[derive(Clone, Debug, Serialize)]
pub struct DeedCount {
    /// The being.
    pub being: Text,
    /// How often it was done in all.
    pub all: u64,
    /// How that comes out.
    #[serde(flatten)]
    pub ends: DeedEnds,
    /// The first that comes out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstDeed>,
}

/// A moment that comes out otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct FirstDeed {
    /// Its frame.
    pub seq: Seq,
    /// Its name, as `explain` takes it.
    pub moment: String,
    /// Its sentence, as people read it.
    pub told: String,
}

impl DeedCount {
    /// In one sentence: `Ada pressed deck 3, and so 611 times more: all would be refused`.
    pub fn sentence(&self) -> String {
        let told = self.first.as_ref().map_or_else(|| self.being.to_string(), |first| first.told.clone());
        let more = match self.all {
            0 | 1 => String::new(),
            2 => ", and so once more".to_owned(),
            all => format!(", and so {} times more", all - 1),
        };
        format!("{told}{more}: {}", self.ends.words(self.all))
    }
}

/// All deeds, by who did them and by their operation.
#[derive(Clone, Debug, Default)]
pub struct Deeds(BTreeMap<(BeingId, Text), DeedCount>);

impl Deeds {
    /// Counts a recorded moment and what it comes to, with the world right before its frame.
    pub(super) fn note(&mut self, recorded: &Draft, computed: Option<&Closing>, changes: &[RetakeChange], now: &World) {
        let action = recorded.call.as_ref().map(|call| format!("{} {}", call.verb.word(), call.action));
        let being = || now.being(recorded.being).map_or_else(|| recorded.being.to_string().into(), |being| being.name.clone());
        let count = self.0.entry((recorded.being, action.unwrap_or_default().into())).or_insert_with(|| DeedCount {
            being: being(),
            all: 0,
            ends: DeedEnds::default(),
            first: None,
        });
        count.all += 1;
        let ends = DeedEnds::of(recorded, computed, changes);
        count.ends.add(ends);
        if !ends.is_none() && count.first.is_none() {
            let told: Vec<ToldPart> =
                subjects(&[&count.being]).into_iter().chain([ToldPart::words(" ")]).chain(report(recorded, now, None).told).collect();
            let told = plain_text(&told, SAID);
            count.first = Some(FirstDeed { seq: recorded.seq, moment: format!("@{}/{}", count.being, recorded.n), told });
        }
    }

    /// Adds those of an earlier part of the same history.
    pub(super) fn precede(&mut self, earlier: Self) {
        for (key, mut before) in earlier.0 {
            if let Some(later) = self.0.get(&key) {
                before.all += later.all;
                before.ends.add(later.ends);
                before.first = before.first.or_else(|| later.first.clone());
            }
            self.0.insert(key, before);
        }
    }

    /// How many moments there are.
    pub fn moments(&self) -> u64 {
        self.0.values().map(|count| count.all).sum()
    }

    /// How all of them come out.
    pub fn ends(&self) -> DeedEnds {
        let mut ends = DeedEnds::default();
        self.0.values().for_each(|count| ends.add(count.ends));
        ends
    }

    /// Those that come out otherwise, the gravest first: refusals and failures, then other deeds, then what is worn.
    pub fn otherwise(&self) -> Vec<DeedCount> {
        let mut all: Vec<DeedCount> = self.0.values().filter(|count| !count.ends.is_none()).cloned().collect();
        let grave = |DeedEnds { worn, refused, failed, otherwise, unknown }: DeedEnds| (refused + failed, otherwise, worn, unknown);
        all.sort_by_key(|count| std::cmp::Reverse(grave(count.ends)));
        all
    }

    /// The gravest as sentences, at most so many, and how much there is besides.
    pub fn sentences(&self, most: usize) -> Vec<String> {
        let all = self.otherwise();
        let mut told: Vec<String> = all.iter().take(most).map(|count| format!("{}.", count.sentence())).collect();
        match all.len().saturating_sub(most) {
            _ if all.is_empty() => told.push("Nobody would do otherwise.".to_owned()),
            0 => told.push("Nobody else would do otherwise.".to_owned()),
            1 => told.push("One more kind of deed comes out otherwise.".to_owned()),
            more => told.push(format!("{more} more kinds of deeds come out otherwise.")),
        }
        told
    }
}
