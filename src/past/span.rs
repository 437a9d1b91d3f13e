//! Span: the frames between two checkpoints with worlds along the way in hand, so that a step back costs a few frames and no folding.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use crate::fact::{Frame, Seq};
use crate::world::World;

use super::checkpoint::resume;
use super::checkpoint_policy::APART;
use super::history::History;
use super::load::{Large, LoadError, load_from};

/// A world is kept every so many frames: so many are folded again at most for one that lies between.
pub(super) const STRIDE: u64 = 32;
/// The most frames of a span, where checkpoints lie further apart than they should.
const SPAN_MAX: u64 = 2 * APART;
/// So many spans are in hand, so that going back and forth over a border reads none again.
const IN_HAND: usize = 2;

/// The frames of one span, and the worlds in hand.
struct Span {
    from: Seq,
    frames: Vec<Frame>,
    worlds: BTreeMap<Seq, World>,
}

impl Span {
    /// The seqs of its frames.
    fn frames(&self) -> Range<Seq> {
        self.from..self.from + self.frames.len() as u64
    }
}

/// A history with the spans that were looked at last in hand.
pub(super) struct Spans {
    pub(super) history: History,
    /// The newest first.
    in_hand: VecDeque<Span>,
}

impl Spans {
    pub(super) fn of(history: History) -> Self {
        Self { history, in_hand: VecDeque::new() }
    }

    /// The frame of a seq below the end.
    pub(super) fn frame(&mut self, seq: Seq) -> Result<Option<&Frame>, LoadError> {
        self.bring(seq)?;
        Ok(self.in_hand.front().and_then(|span| span.frames.get((seq - span.from) as usize)))
    }

    /// The world below a seq.
    pub(super) fn world(&mut self, at: Seq) -> Result<World, LoadError> {
        // The frame that left the first world may have been archived; the checkpoint there has that world.
        if at <= self.history.begins() {
            return self.history.world_at(at);
        }
        let mut found = None;
        // The world behind the last frame is the one sought.
        self.walk(at.saturating_sub(1)..at, &mut |_, _, after| {
            found = Some(after.clone());
            true
        })?;
        found.map_or_else(|| self.history.world_at(at), Ok)
    }

    /// Goes over some frames of one span, each with the world before it and after it, until one is enough; gives that one's seq.
    pub(super) fn walk(
        &mut self,
        frames: Range<Seq>,
        is_enough: &mut dyn FnMut(&World, &Frame, &World) -> bool,
    ) -> Result<Option<Seq>, LoadError> {
        if frames.is_empty() {
            return Ok(None);
        }
        self.bring(frames.start)?;
        let Some(span) = self.in_hand.front() else { return Ok(None) };
        let Some((begins, world)) = span.worlds.range(..=frames.start).next_back() else { return Ok(None) };
        let large = Large::of(&self.history.store);
        let mut before = world.clone();
        let ends = frames.end.saturating_sub(span.from) as usize;
        for frame in span.frames.iter().take(ends).skip((begins - span.from) as usize) {
            let mut after = before.clone();
            after.apply(frame.draft(), &large)?;
            let seq = frame.draft().seq;
            if seq >= frames.start && is_enough(&before, frame, &after) {
                return Ok(Some(seq));
            }
            before = after;
        }
        Ok(None)
    }

    /// The frames of the span in which a frame lies: that in hand, also where a running world has taken its checkpoint away.
    pub(super) fn around(&self, seq: Seq) -> Range<Seq> {
        if let Some(span) = self.in_hand.iter().find(|span| span.frames().contains(&seq)) {
            return span.frames();
        }
        let rungs = self.history.checkpoints();
        let begins = rungs.iter().find(|rung| **rung <= seq).copied().unwrap_or(0).max(self.history.begins());
        let begins = begins + (seq - begins) / SPAN_MAX * SPAN_MAX;
        let above = rungs.iter().rev().find(|rung| **rung > seq).copied();
        begins..above.unwrap_or(self.history.end()).min(begins + SPAN_MAX)
    }

    /// Has the span of a frame in hand, first.
    fn bring(&mut self, seq: Seq) -> Result<(), LoadError> {
        if let Some(at) = self.in_hand.iter().position(|span| span.frames().contains(&seq)) {
            self.in_hand.swap(0, at);
        } else {
            let span = self.history.span(self.around(seq))?;
            self.in_hand.push_front(span);
            self.in_hand.truncate(IN_HAND);
        }
        Ok(())
    }
}

impl History {
    fn span(&self, frames: Range<Seq>) -> Result<Span, LoadError> {
        let begun = resume(self.dir(), &self.store, Some(frames.start), &mut |_| {})?;
        let mut span = Span { from: frames.start, frames: Vec::new(), worlds: BTreeMap::from([(frames.start, begun.world.clone())]) };
        load_from(&self.store, begun, Some(frames.end), |frame, world| {
            span.frames.push(frame.clone());
            if world.next_seq() % STRIDE == 0 {
                span.worlds.insert(world.next_seq(), world.clone());
            }
        })?;
        Ok(span)
    }
}
