//! Timeline: a span of the past in equal parts of its time, with how much happened in each: what a bar of the past is drawn from.
//!
//! A short span is counted frame by frame; a long one is never read: the newest world knows its [`Density`](crate::world::Density).

use std::ops::Range;

use crate::fact::{Frame, Millis, Seq};
use crate::world::{Counts, Stretch, World};

use super::history::History;
use super::load::LoadError;

/// The longest span of which every frame is read.
const READ: u64 = 8_192;

/// One part of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePart {
    /// When it begins.
    pub at: Millis,
    /// The first seq behind it: as a point of the past, the world at its end.
    pub seq: Seq,
    /// The counts of its moments.
    pub counts: Counts,
}

/// A span of the past.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// When its first frame was, and its last.
    pub began: Millis,
    /// See `began`.
    pub ended: Millis,
    /// Its parts, the oldest first.
    pub parts: Vec<TimePart>,
}

impl Timeline {
    /// Sorts what there was into equal parts of the time between the first and the last of it.
    pub fn of(stretches: &[(Range<Seq>, Stretch)], parts: usize) -> Self {
        let (Some((first, Stretch { began, .. })), Some((_, Stretch { ended, .. }))) = (stretches.first(), stretches.last()) else {
            return Self::default();
        };
        let width = ended.saturating_sub(*began).max(0) / parts.max(1) as i64 + 1;
        let mut timeline = Self { began: *began, ended: *ended, parts: Vec::new() };
        let begin = |index: i64| began.saturating_add(index.saturating_mul(width));
        timeline.parts.extend((0..parts as i64).map(|index| TimePart { at: begin(index), seq: 0, counts: Counts::default() }));
        let place = |at: Millis| usize::try_from(at.saturating_sub(*began) / width).unwrap_or(0).min(parts.saturating_sub(1));
        for (frames, stretch) in stretches {
            let (from, to) = (place(stretch.began), place(stretch.ended));
            let (length, many) = (frames.end.saturating_sub(frames.start), (to - from.min(to)) as u64 + 1);
            for (index, part) in (0u64..).zip(timeline.parts.get_mut(from..=to).into_iter().flatten()) {
                part.seq = part.seq.max(frames.start + length.saturating_mul(index + 1) / many);
                part.counts.add(stretch.counts.share(index, many));
            }
        }
        // Where nothing happened the world is still the one before.
        let mut reached = first.start;
        for part in &mut timeline.parts {
            reached = reached.max(part.seq);
            part.seq = reached;
        }
        timeline
    }
}

impl History {
    /// A span in so many parts, without what was archived; `newest` is the world as it is now.
    pub fn timeline(&self, span: Range<Seq>, parts: usize, newest: &World) -> Result<Timeline, LoadError> {
        let span = span.start.max(self.begins())..span.end.min(self.end());
        if span.is_empty() {
            return Ok(Timeline::default());
        }
        let stretches = if span.end - span.start <= READ {
            self.each_frame(span)?
        } else {
            newest.density().of(span.clone()).map(|(frames, stretch)| (frames.start.max(span.start)..frames.end, stretch)).collect()
        };
        Ok(Timeline::of(&stretches, parts))
    }

    /// Every frame of a span by itself.
    fn each_frame(&self, span: Range<Seq>) -> Result<Vec<(Range<Seq>, Stretch)>, LoadError> {
        let within = |frame: &Frame| frame.draft().seq < span.end;
        let stretch = |frame: Frame| {
            let draft = frame.draft();
            (draft.seq..draft.seq + 1, Stretch { began: draft.at, ended: draft.at, counts: Counts::of(draft) })
        };
        self.frames(span.start)?
            .take_while(|frame| frame.as_ref().is_ok_and(within) || frame.is_err())
            .map(|frame| Ok(stretch(frame?)))
            .collect()
    }
}
