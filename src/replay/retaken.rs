//! Retaken: what other code would have done in each moment, as it is counted and told.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fact::{Seq, Spend, Text, visible};

/// How many moments that differ are told of, and of those of which nobody knows.
const TOLD: usize = 20;
/// How many characters of a value are told.
const SHOWN: usize = 120;

/// In what a moment comes out otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RetakePart {
    /// It would not open, or not so.
    Wake,
    /// What is worn.
    Stack,
    /// The request to a model.
    Request,
    /// What is done.
    Act,
    /// How it closes.
    Closing,
    /// The facts stamped by the same act.
    Facts,
}

impl RetakePart {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wake => "wake",
            Self::Stack => "stack",
            Self::Request => "request",
            Self::Act => "act",
            Self::Closing => "closing",
            Self::Facts => "facts",
        }
    }
}

/// One part of a moment, as it was and as it would be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RetakeChange {
    /// Which.
    pub part: RetakePart,
    /// What was recorded.
    pub recorded: String,
    /// The part as it would come out.
    pub would: String,
}

/// A moment that comes out otherwise, or of which nobody knows.
#[derive(Clone, Debug, Serialize)]
pub struct Retake {
    /// Its frame.
    pub seq: Seq,
    /// Its name, as `explain` takes it.
    pub moment: String,
    /// When it was.
    pub time: String,
    /// The role that was worn first.
    pub role: Text,
    /// What is otherwise.
    pub changes: Vec<RetakeChange>,
    /// The new answer of its model, where it was asked anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anew: Option<AskedAnew>,
}

/// The result of asking a model anew.
#[derive(Clone, Debug, Serialize)]
pub struct AskedAnew {
    /// Its raw text, letter for letter.
    pub said: String,
    /// Whether that is an answer by which the moment could be judged.
    pub answered: bool,
    /// The cost of asking it.
    pub spend: Spend,
}

/// How a moment comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetakeEnd {
    /// As recorded.
    Same,
    /// Otherwise.
    Differs,
    /// Nobody knows what a model would have answered.
    Unknown,
}

impl Retake {
    /// How it comes out. That a model is asked something else is no difference by itself.
    pub(super) fn end(&self) -> RetakeEnd {
        let asks_otherwise = !self.changes.is_empty();
        if self.changes.iter().any(|change| change.part != RetakePart::Request) {
            RetakeEnd::Differs
        } else if asks_otherwise && self.anew.as_ref().is_none_or(|anew| !anew.answered) {
            RetakeEnd::Unknown
        } else {
            RetakeEnd::Same
        }
    }
}

impl std::fmt::Display for Retake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (#{}, {}) as {}", self.moment, self.seq, self.time, self.role)?;
        self.changes
            .iter()
            .try_for_each(|RetakeChange { part, recorded, would }| write!(f, "\n  {}: {recorded} → {would}", part.word()))?;
        self.anew.as_ref().map_or(Ok(()), |anew| write!(f, "\n  asked anew: {}", short(&anew.said)))
    }
}

/// How many moments came out how.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RetakeCount {
    /// As recorded.
    pub same: u64,
    /// Otherwise.
    pub differs: u64,
    /// A model would be asked something else.
    pub unknown: u64,
    /// The first that differs; where none does, the first that is not known.
    pub first: Option<String>,
}

/// The counts of how moments come out by other code, with the first that differ.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Retakes {
    /// All of it.
    pub all: RetakeCount,
    /// By the role that was worn first.
    pub by_role: BTreeMap<Text, RetakeCount>,
    /// How often each part came out otherwise.
    pub by_part: BTreeMap<RetakePart, u64>,
    /// The first that differ.
    pub first: Vec<Retake>,
    /// The first of which nobody knows.
    pub first_unknown: Vec<Retake>,
    /// Every moment whose model was asked anew, also those that came out as recorded.
    pub asked: Vec<Retake>,
}

impl Retakes {
    pub(super) fn add(&mut self, retake: Retake) {
        let end = retake.end();
        for count in [&mut self.all, self.by_role.entry(retake.role.clone()).or_default()] {
            count.add(&retake, end);
        }
        retake.changes.iter().for_each(|change| *self.by_part.entry(change.part).or_default() += 1);
        if retake.anew.is_some() {
            self.asked.push(retake.clone());
        }
        let told = match end {
            RetakeEnd::Same => return,
            RetakeEnd::Differs => &mut self.first,
            RetakeEnd::Unknown => &mut self.first_unknown,
        };
        if told.len() < TOLD {
            told.push(retake);
        }
    }
}

impl RetakeCount {
    fn add(&mut self, retake: &Retake, end: RetakeEnd) {
        let of = match end {
            RetakeEnd::Same => &mut self.same,
            RetakeEnd::Differs => &mut self.differs,
            RetakeEnd::Unknown => &mut self.unknown,
        };
        *of += 1;
        // A known difference goes before an unknown one.
        let is_first = end != RetakeEnd::Same && (self.first.is_none() || (end == RetakeEnd::Differs && self.differs == 1));
        if is_first {
            self.first = Some(retake.moment.clone());
        }
    }
}

/// On one line, and not too long.
pub(super) fn short(text: &str) -> String {
    let text = visible(&text.replace('\n', "⏎"));
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain(['…']).collect() }
}
