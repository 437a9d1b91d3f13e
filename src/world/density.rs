//! Density: when there were how many moments, refusals and failures, among each so many frames of the past: what a bar of the whole past is
//! drawn from, without reading any of it.
//!
//! Like [`chapters`](super::chapter) it follows from the frames, is no part of the world hash, and stands in checkpoints.

use std::ops::Range;

use imbl::OrdMap;

use crate::fact::canon::canon_struct;
use crate::fact::{Closing, Code, Draft, Millis, Seq};

/// So many frames are counted together.
pub const STRETCH: u64 = 256;

/// Counts of moments by how they closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many there were.
    pub moments: u64,
    /// How many of them were refused.
    pub refused: u64,
    /// How many failed, or were given up.
    pub failed: u64,
}

canon_struct!(Counts { moments, refused, failed });

impl Counts {
    /// That of one frame; one that only asks a model is no moment.
    pub fn of(draft: &Draft) -> Self {
        let is_asking = matches!(&draft.closing, Closing::Requeued(reason) if reason.code == Code::Asking);
        Self {
            moments: u64::from(!is_asking),
            refused: u64::from(draft.closing.refusal().is_some()),
            failed: u64::from(matches!(draft.closing, Closing::Failed(_) | Closing::DeadLetter(_))),
        }
    }

    /// Adds others.
    pub fn add(&mut self, other: Self) {
        self.moments += other.moments;
        self.refused += other.refused;
        self.failed += other.failed;
    }

    /// The share of them that falls on one of so many parts; all parts together have all.
    pub fn share(self, part: u64, parts: u64) -> Self {
        let share = |count: u64| count.saturating_mul(part + 1) / parts.max(1) - count.saturating_mul(part) / parts.max(1);
        Self { moments: share(self.moments), refused: share(self.refused), failed: share(self.failed) }
    }
}

/// Some frames of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// When the first of them was, and the last.
    pub began: Millis,
    /// See `began`.
    pub ended: Millis,
    /// Its moments by how they closed.
    pub counts: Counts,
}

canon_struct!(Stretch { began, ended, counts });

/// The density of a world's past.
#[derive(Clone, Debug, Default)]
pub struct Density {
    pub(super) stretches: OrdMap<u64, Stretch>,
}

impl Density {
    /// The stretches in which some frames lie, the oldest first, each with the seqs of its frames.
    pub fn of(&self, frames: Range<Seq>) -> impl Iterator<Item = (Range<Seq>, Stretch)> {
        let last = frames.end.saturating_sub(1) / STRETCH;
        self.stretches.range(frames.start / STRETCH..=last).map(move |(at, stretch)| {
            let begins = at.saturating_mul(STRETCH);
            (begins..begins.saturating_add(STRETCH).min(frames.end), *stretch)
        })
    }

    /// When the first frame was.
    pub fn began(&self) -> Option<Millis> {
        self.stretches.get_min().map(|(_, stretch)| stretch.began)
    }

    pub(super) fn note(&mut self, draft: &Draft) {
        let new = Stretch { began: draft.at, ended: draft.at, counts: Counts::default() };
        let stretch = self.stretches.entry(draft.seq / STRETCH).or_insert(new);
        stretch.ended = draft.at;
        stretch.counts.add(Counts::of(draft));
    }
}
