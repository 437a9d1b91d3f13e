//! Brake: what is counted of a being within a window of world time, and the settings that bound it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::canon::canon_struct;
use crate::fact::{Code, Hash, Millis, Text};

const MINUTE: Millis = 60_000;
pub(super) const HOUR: Millis = 60 * MINUTE;

/// The counts of a being, each within the newest window in which anything was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BrakeCounts {
    /// Its refusals by the gate, by arguments that do not fit, and by scripts that failed.
    pub refusals: WindowCount,
    /// Its thoughts that came to nothing.
    pub failures: WindowCount,
    /// Its moments.
    pub moments: WindowCount,
    /// Its refusals that count and its failures, by code.
    pub codes: CodeCounts,
    /// How often in a row its moments by a watch have failed, by the entry as it is written, each within the newest hour.
    pub watches: BTreeMap<Text, WindowCount>,
    /// The same of its resolvers that may fail, by their names.
    pub resolvers: BTreeMap<Text, WindowCount>,
}

/// How often something failed in one hour, by code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeCounts {
    /// The number of the hour.
    pub number: i64,
    /// How often.
    pub counts: BTreeMap<Code, u64>,
}

impl CodeCounts {
    /// Counts one more in an hour; what was counted in another is over.
    pub(super) fn note(&mut self, number: i64, code: Code) {
        if self.number != number {
            *self = Self { number, counts: BTreeMap::new() };
        }
        *self.counts.entry(code).or_default() += 1;
    }
}

/// How often something happened in one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowCount {
    /// The number of the window.
    pub number: i64,
    /// How often.
    pub count: u64,
}

/// How often a being made one call with one end in a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatCount {
    /// The call and its end.
    pub call: Hash,
    /// How often.
    pub count: u64,
}

/// The calls of a being in a thread that are counted.
pub type Repeats = Arc<Vec<RepeatCount>>;

canon_struct!(RepeatCount { call, count });
canon_struct!(BrakeCounts { refusals, failures, moments, codes, watches, resolvers });
canon_struct!(CodeCounts { number, counts });
canon_struct!(WindowCount { number, count });

/// A brake that holds a being for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Brake {
    /// Too many refusals within an hour.
    Refusals,
    /// Too many failed thoughts within an hour.
    Failures,
    /// Too many moments within a minute.
    Rate,
}

impl Brake {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Refusals, Self::Failures, Self::Rate];

    /// The setting that says how many.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Refusals => "brakes.refusals",
            Self::Failures => "brakes.failures",
            Self::Rate => "brakes.rate",
        }
    }

    pub(super) const fn window(self) -> Millis {
        match self {
            Self::Refusals | Self::Failures => HOUR,
            Self::Rate => MINUTE,
        }
    }

    pub(super) const fn count(self, counts: &BrakeCounts) -> WindowCount {
        match self {
            Self::Refusals => counts.refusals,
            Self::Failures => counts.failures,
            Self::Rate => counts.moments,
        }
    }

    pub(super) fn count_mut(self, counts: &mut BrakeCounts) -> &mut WindowCount {
        match self {
            Self::Refusals => &mut counts.refusals,
            Self::Failures => &mut counts.failures,
            Self::Rate => &mut counts.moments,
        }
    }
}

/// A brake that holds a being: which, its count and limit, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tripped {
    /// Which.
    pub brake: Brake,
    /// How often it happened.
    pub count: u64,
    /// How often it may.
    pub most: u64,
    /// When its window turns.
    pub until: Millis,
}
