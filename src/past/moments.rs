//! Moments: what a history tells of its moments, from a seq on, or of the newest.

use std::sync::Arc;

use crate::fact::{BeingId, Frame, Seq};
use crate::moment::is_asking;
use crate::world::World;

use super::history::History;
use super::load::LoadError;
use super::report::{Report, report};
use super::retell::{has_sentence, retell};

/// How often it is looked further back for the beginning of a round; one that lies deeper is found from the beginning of the world.
const STEPS_BACK: u32 = 16;

impl History {
    /// Tells of the moments from a seq on, the oldest first; a frame that only asks a model is none.
    pub fn moments(&self, from: Seq, below: Option<Seq>, mut hear: impl FnMut(&Frame, Report)) -> Result<World, LoadError> {
        self.fold(from, below, |frame, world| {
            if !is_asking(frame.draft()) {
                hear(frame, report(frame.draft(), world, None));
            }
        })
    }

    /// Tells of the frames from a seq on, with the world after each; whoever hears of one may ask what its scripts said.
    pub fn retold(
        &self,
        from: Seq,
        below: Option<Seq>,
        mut hear: impl FnMut(&Frame, &World, &dyn Fn() -> Vec<String>),
    ) -> Result<World, LoadError> {
        // Where the round of a moment opened, and what stood right before it.
        let (mut opened, mut before): (Option<Arc<World>>, Option<Arc<World>>) = (None, None);
        self.fold(self.round_of(from)?.saturating_sub(1).max(self.begins()), below, |frame, world| {
            let draft = frame.draft();
            let stood = before.replace(Arc::new(world.clone()));
            if let Some(stood) = stood.as_ref().filter(|stood| stood.next_seq() == draft.opened) {
                opened = Some(stood.clone());
            }
            if draft.seq < from {
                return;
            }
            hear(frame, world, &|| match (&opened, &stood) {
                (Some(opened), Some(stood)) if has_sentence(draft) && opened.next_seq() == draft.opened => {
                    retell(draft, opened, stood).notes
                }
                _ => Vec::new(),
            });
        })
    }

    /// The seqs of the newest frames between two seqs, of one being or of all, the oldest first. A being's reel is walked back: each frame says
    /// where the one before it lies.
    pub fn newest_frames(&self, being: Option<BeingId>, from: Seq, below: Seq, most: usize) -> Result<Vec<Seq>, LoadError> {
        let (from, below) = (from.max(self.begins()), below.min(self.end()));
        let Some(being) = being else { return Ok((from.max(below.saturating_sub(most as u64))..below).collect()) };
        let world = self.world_at(below)?;
        let last = world.being(being).filter(|being| being.next_n > 0).map(|being| being.last_seq);
        let mut seqs = Vec::new();
        let mut next = last.filter(|last| *last >= from);
        while let Some(newest) = next.filter(|_| seqs.len() < most) {
            let (behind, before) = self.of_being_behind(being, newest)?;
            let oldest = behind.first().copied().unwrap_or(newest);
            seqs.extend(behind.into_iter().rev().filter(|seq| *seq >= from));
            next = before.filter(|before| *before >= from && *before < oldest);
        }
        seqs.truncate(most);
        seqs.reverse();
        Ok(seqs)
    }

    /// Tells of some frames as [`History::retold`] does, ascending: each stretch between two checkpoints by itself, and what lies between them not.
    pub fn retold_of(&self, seqs: &[Seq], mut hear: impl FnMut(&Frame, &World, &dyn Fn() -> Vec<String>)) -> Result<(), LoadError> {
        let rungs = self.checkpoints();
        let rung_of = |seq: Seq| rungs.iter().find(|rung| **rung <= seq).copied();
        for stretch in seqs.chunk_by(|one, other| rung_of(*one) == rung_of(*other)) {
            let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else { continue };
            self.retold(*first, Some(last + 1), |frame, world, notes| {
                if stretch.binary_search(&frame.draft().seq).is_ok() {
                    hear(frame, world, notes);
                }
            })?;
        }
        Ok(())
    }

    /// The seq at which the round opened of which a frame is; it is only where to begin, so nothing of it is checked here.
    fn round_of(&self, seq: Seq) -> Result<Seq, LoadError> {
        let mut opened = seq;
        for _ in 0..STEPS_BACK {
            if opened <= self.begins() {
                return Ok(self.begins());
            }
            let earlier = self.opened(opened)?.filter(|earlier| *earlier < opened);
            let Some(earlier) = earlier else { return Ok(opened) };
            opened = earlier;
        }
        Ok(self.begins())
    }

    /// The seq at which a frame says that its moment opened.
    pub(super) fn opened(&self, seq: Seq) -> Result<Option<Seq>, LoadError> {
        let Some((_, bytes)) = self.record(seq)? else { return Ok(None) };
        Ok(Frame::read(&bytes).ok().map(|frame| frame.draft().opened))
    }
}
