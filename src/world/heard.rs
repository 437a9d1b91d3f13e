//! Heard: the words that a wake stands for, of which the newest are kept.

use std::borrow::Cow;

use crate::fact::canon::canon_struct;
use crate::fact::{BeingId, Made, Seq, SpaceId, Text};

/// How many words a wake keeps: the newest.
pub const HEARD: usize = 16;
/// And how many bytes of them.
const HEARD_BYTES: usize = 16 * 1024;

/// A word that a being has heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeardWord {
    /// By whom.
    pub who: BeingId,
    /// What.
    pub content: Text,
    /// The fact by which it was said.
    pub made: Made,
    /// The fact with which all this began.
    pub root: Made,
    /// How many wakes lie between the root and this one.
    pub depth: u32,
}

/// The words that a wake stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeardWords {
    /// The newest of them, the oldest first.
    pub words: Vec<HeardWord>,
    /// How many there were in all.
    pub count: u64,
    /// The space where they were said, if further words there join them; none: each word is a wake of its own.
    pub joins: Option<SpaceId>,
}

/// The subject of a call, while the model of a wake by hearing is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedAbout {
    /// The root to which the call counts.
    pub root: Made,
    /// How deep it is.
    pub depth: u32,
    /// How many words it was told of, those that are not kept among them.
    pub count: u64,
}

canon_struct!(HeardWord { who, content, made, root, depth });
canon_struct!(HeardWords { words, count, joins });
canon_struct!(AskedAbout { root, depth, count });

impl HeardWords {
    /// The newest word of a root, or else the newest of all.
    pub(super) fn of_root(&self, root: Option<Made>) -> Option<&HeardWord> {
        self.words.iter().rev().find(|heard| Some(heard.root) == root).or_else(|| self.words.last())
    }

    /// All that it keeps, one word below the other.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self.words.as_slice() {
            [heard] => Cow::from(heard.content.as_ref()),
            words => words.iter().map(|heard| heard.content.as_ref()).collect::<Vec<_>>().join("\n").into(),
        }
    }

    /// How many more words there were than it keeps.
    pub fn more(&self) -> u64 {
        self.count.saturating_sub(self.words.len() as u64)
    }

    /// Takes further words in; the roots of those that it keeps no more.
    pub(super) fn join(&mut self, further: &Self) -> Vec<Made> {
        self.words.extend(further.words.iter().cloned());
        self.count = self.count.saturating_add(further.count);
        let mut left = HEARD_BYTES;
        let fits = |heard: &&HeardWord| left.checked_sub(heard.content.len()).map(|rest| left = rest).is_some();
        let fit = self.words.iter().rev().take_while(fits).count().clamp(1, HEARD);
        self.words.drain(..self.words.len().saturating_sub(fit)).map(|heard| heard.root).collect()
    }

    /// The words that were said from a seq on, if any were; of those before `told` in all it is known that they are not among them.
    pub(super) fn since(&self, seq: Seq, told: Option<u64>) -> Option<Self> {
        let words: Vec<HeardWord> = self.words.iter().filter(|heard| heard.made.seq >= seq).cloned().collect();
        let count = told.map_or(0, |told| self.count.saturating_sub(told)).max(words.len() as u64);
        (!words.is_empty()).then_some(Self { words, count, joins: self.joins })
    }
}
