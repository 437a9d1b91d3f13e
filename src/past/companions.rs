//! Companions: the frames that let the seal answer for frames without a signature are found, with their ways up to a head.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

use crate::fact::{BeingId, Bytes, Frame, Hash, Lineage, Seq};
use crate::reel::{Companion, WaysUp};
use crate::store::{Beginning, Commit, RecordPlace, Store, StoreError, Stored};

use super::history::History;
use super::load::LoadError;

impl History {
    /// The frames by which those without a signature among some are believed, and which are none of them.
    pub(super) fn answering(&self, lineage: &Lineage, frames: &[Frame]) -> Result<BTreeMap<Seq, Frame>, LoadError> {
        let meant: BTreeSet<Seq> = frames.iter().map(|frame| frame.draft().seq).collect();
        let mut found: BTreeMap<Seq, Frame> = BTreeMap::new();
        let mut asked: BTreeSet<(BeingId, Seq)> = BTreeSet::new();
        let of = |frame: &Frame| (frame.draft().being, frame.draft().seq);
        let mut unsigned: VecDeque<_> = frames.iter().filter(|frame| frame.signature().is_none()).map(of).collect();
        while let Some((being, seq)) = unsigned.pop_front() {
            let began = lineage.reign(seq).began;
            if !asked.insert((being, began)) {
                continue;
            }
            let born = being.0.seq;
            let taken = if born < began { self.newest_frames(Some(being), began, seq + 1, usize::MAX)?.first().copied() } else { None };
            for needed in taken.into_iter().chain([born]).filter(|needed| !meant.contains(needed)) {
                if !found.contains_key(&needed)
                    && let Some((recorded, bytes)) = self.record(needed)?
                {
                    let at = RecordPlace { file: format!("frame {needed}").into(), offset: 0 };
                    let frame = recorded.read(&bytes).map_err(LoadError::at(at))?;
                    unsigned.extend(frame.signature().is_none().then(|| of(&frame)));
                    found.insert(needed, frame);
                }
            }
        }
        Ok(found)
    }

    /// The same, each with its way up to the head over so many.
    pub(super) fn companions(&self, lineage: &Lineage, frames: &[Frame], count: u64) -> Result<Vec<Companion>, LoadError> {
        let answering = self.answering(lineage, frames)?;
        if answering.is_empty() {
            return Ok(Vec::new());
        }
        let (ways, _) = self.ways_up(&answering.keys().copied().collect::<Vec<_>>(), count, Vec::new())?;
        let companion = |(frame, path): (Frame, Vec<Hash>)| Companion { frame: Bytes(frame.into_bytes().into()), path };
        Ok(answering.into_values().zip(ways).map(companion).collect())
    }

    /// The hashes beside the ways from some frames up to the head over so many, and the last commit below: the log goes by once. `roots` are those
    /// that are known of frames which it has not.
    pub(super) fn ways_up(
        &self,
        seqs: &[Seq],
        count: u64,
        roots: Vec<(Range<Seq>, Hash)>,
    ) -> Result<(Vec<Vec<Hash>>, Option<Commit>), StoreError> {
        let before = self.store.beginning().and_then(Beginning::peaks);
        let (mut ways, mut newest) = (WaysUp::going_on(seqs, count, &before.unwrap_or_default()), None);
        ways.know(roots);
        for entry in self.store.read(self.begins())? {
            match entry? {
                Stored::Frame { seq, .. } if seq >= count => break,
                Stored::Frame { seq, bytes, .. } => ways.pass(seq, Frame::hash_in(&bytes)),
                Stored::Commit { commit, .. } => newest = Some(commit),
                Stored::Blob { .. } => {}
            }
        }
        Ok((ways.hashes(), newest))
    }
}
