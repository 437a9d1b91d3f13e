//! Diverge: the first moment at which two histories differ.

use serde::Serialize;

use crate::fact::{Draft, Hash, Peaks, Seq};

use super::history::History;
use super::load::LoadError;
use super::report::Report;

/// Where two histories go apart.
#[derive(Debug, Serialize)]
pub struct Divergence {
    /// The first seq at which they differ.
    pub seq: Seq,
    /// The moment of the one there; nothing where it ends before.
    pub one: Option<Report>,
    /// That of the other.
    pub other: Option<Report>,
}

impl History {
    /// The first moment at which it differs from another history; nothing where both are the same.
    ///
    /// Two histories of one beginning are compared by their heads, from rung to rung, and then by the frames between two. Behind the origin of a
    /// fork it is compared what does not follow from its id and keys. Of two worlds that were planted apart no frame is the same: there it
    /// counts who did what when.
    pub fn divergence(&self, other: &Self) -> Result<Option<Divergence>, LoadError> {
        let is_one_world = self.begins_as(other)?;
        let is_one_log = self.world_file().world == other.world_file().world;
        let from = if is_one_world { self.agrees_until(other)? } else { 0 };
        let (mut ours, mut theirs) = (self.frames(from)?, other.frames(from)?);
        for seq in from.. {
            match (ours.next().transpose()?, theirs.next().transpose()?) {
                (None, None) => break,
                (Some(one), Some(two)) if one.hash() == two.hash() => {}
                (Some(one), Some(two)) if is_one_world && !is_one_log && one.draft().of_any_world() == two.draft().of_any_world() => {}
                (Some(one), Some(two)) if !is_one_world && is_same_deed(one.draft(), two.draft()) => {}
                _ => return Ok(Some(Divergence { seq, one: self.told(seq)?, other: other.told(seq)? })),
            }
        }
        Ok(None)
    }

    /// The seq below which both share one past, given where they go apart; 0 where they were planted apart.
    pub fn shared_with(&self, other: &Self, apart: Option<&Divergence>) -> Result<Seq, LoadError> {
        Ok(if self.begins_as(other)? { apart.map_or(Seq::MAX, |apart| apart.seq) } else { 0 })
    }

    /// Whether both begin with the same frame.
    fn begins_as(&self, other: &Self) -> Result<bool, LoadError> {
        let begins = self.begins().max(other.begins());
        // Of history that was archived there is only the head.
        if begins > 0 {
            return Ok(begins <= self.end().min(other.end()) && self.head_at(begins)? == other.head_at(begins)?);
        }
        let first = |history: &Self| history.frames(0)?.next().transpose();
        Ok(first(self)?.map(|frame| frame.hash()) == first(other)?.map(|frame| frame.hash()))
    }

    /// A seq below which both have the same frames: the newest rung of ours up to which their head is the same, since a head covers all below it.
    fn agrees_until(&self, other: &Self) -> Result<Seq, LoadError> {
        let begins = self.begins().max(other.begins());
        let Some(ladder) = self.ladder() else { return Ok(begins) };
        let end = self.end().min(other.end());
        let rungs: Vec<_> = ladder.names().into_iter().filter(|name| (begins..=end).contains(&name.seq)).collect();
        // The newest first: those that differ stand before those that agree.
        let (mut low, mut high) = (0, rungs.len());
        while low < high {
            let middle = low.midpoint(high);
            let ours = rungs.get(middle).and_then(|name| ladder.manifest(*name));
            let agrees = match ours {
                Some(manifest) => other.head_at(manifest.seq)? == Some(manifest.border().head),
                None => false,
            };
            if agrees { high = middle } else { low = middle + 1 }
        }
        Ok(rungs.get(low).map_or(begins, |name| name.seq))
    }

    /// The head over all frames below a seq, made from the peaks of the nearest rung on.
    fn head_at(&self, seq: Seq) -> Result<Option<Hash>, LoadError> {
        let ground = self.ladder().and_then(|ladder| ladder.ground(seq));
        let (border, mut peaks) = ground.map_or((None, Peaks::default()), |(border, peaks)| (Some(border), peaks));
        let from = border.as_ref().map_or(0, |border| border.seq);
        let frames = self.frames(from)?.take(usize::try_from(seq - from).unwrap_or(usize::MAX));
        for frame in frames {
            peaks.push(frame?.hash());
        }
        Ok(Some(peaks.head()))
    }

    /// The moment of a seq in short; nothing where there is none.
    pub(super) fn told(&self, seq: Seq) -> Result<Option<Report>, LoadError> {
        let mut told = None;
        if seq < self.end() {
            self.fold(seq, Some(seq + 1), |frame, world| told = Some(super::report::report(frame.draft(), world, None)))?;
        }
        Ok(told)
    }
}

/// Whether two moments are the same in all that does not follow from keys.
fn is_same_deed(one: &Draft, other: &Draft) -> bool {
    let of = |draft: &Draft| (draft.being, draft.at, draft.wake.kind, draft.stack.clone(), draft.call.clone(), draft.closing.clone());
    of(one) == of(other)
}
