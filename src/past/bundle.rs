//! Bundle: some frames of a history are taken out with what proves them, under the first seal behind them: from the nearest checkpoint on.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::{BeingId, Bytes, Content, FORMAT, Frame, Hash, Lineage, Peaks, Seq, Signature};
use crate::reel::{Asides, BundleError, BundleKey, Companion, FrameBundle};
use crate::store::{Commit, Entries, Store, StoreError, Stored};

use super::history::History;
use super::load::LoadError;

/// The frames that are wanted: all of a span, or those of one being in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundleWanted {
    /// Whose; none: everybody's.
    pub being: Option<BeingId>,
    /// From which seq on.
    pub from: Seq,
    /// Below which seq.
    pub to: Seq,
    /// Whether their moments are to be computed again by whoever gets it: then the checkpoint before them comes along.
    pub is_replayable: bool,
}

/// Why no bundle was made.
#[derive(Debug, thiserror::Error)]
pub enum BundlingError {
    /// There are no such frames.
    #[error("no such frame lies from {from} up to {to}; `reelm log` lists those that there are")]
    Nothing {
        /// From where.
        from: Seq,
        /// Up to where.
        to: Seq,
    },
    /// The history cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The log cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The frames that were found do not hold as a proof.
    #[error("the history does not hold, `reelm verify` says where: {0}")]
    Bundle(#[from] BundleError),
}

/// The frames picked from a log, and the first commit behind them.
struct Picked {
    frames: Vec<Frame>,
    commit: Commit,
}

impl History {
    /// Takes frames out. The bundle is checked here as its recipient will check it.
    pub fn bundle(&self, wanted: BundleWanted) -> Result<FrameBundle, BundlingError> {
        let BundleWanted { being, from, to, is_replayable } = wanted;
        let nothing = || BundlingError::Nothing { from, to };
        let seqs = self.newest_frames(being, from, to.min(self.end()), usize::MAX)?;
        let (Some(&first), Some(&last)) = (seqs.first(), seqs.last()) else { return Err(nothing()) };
        let mut picked = self.picked(&seqs)?.ok_or_else(nothing)?;
        let mut carried = (None, Vec::new());
        if is_replayable {
            let opened = picked.frames.iter().map(|frame| frame.draft().opened).min().unwrap_or_default();
            let (since, rungs) = self.ladder().and_then(|ladder| ladder.whole_stack(opened)).unwrap_or_default();
            picked = self.picked(&(since..last + 1).collect::<Vec<_>>())?.ok_or_else(nothing)?;
            carried = (Some(since), rungs);
        }
        let Picked { frames, commit: Commit { end_seq: count, head, seal, .. } } = picked;
        let (lineage, (since, rungs)) = (self.world_file().lineage().sealing(count), carried);
        let companions = self.companions(&lineage, &frames, count)?;
        let bundle = FrameBundle {
            format: FORMAT,
            being,
            from: first,
            to: last + 1,
            since,
            values: self.values_of(&frames)?,
            keys: self.keys_of(&lineage, &frames, &companions)?,
            count,
            asides: self.asides(&frames, count)?,
            head,
            seal: Signature(seal),
            companions,
            frames: frames.into_iter().map(|frame| Bytes(frame.into_bytes().into())).collect(),
            rungs: rungs.into_iter().map(|rung| Bytes(rung.into())).collect(),
            lineage,
        };
        bundle.check()?;
        Ok(bundle)
    }

    /// The log from the nearest checkpoint before a seq on, and the peaks over all before that.
    fn read_near(&self, seq: Seq) -> Result<(Peaks, Entries<'_>), StoreError> {
        let ground = self.ladder().and_then(|ladder| ladder.ground(seq));
        let behind = ground.and_then(|(border, peaks)| Some((peaks, self.store.read_behind(&border).ok()?)));
        behind.map_or_else(|| Ok((Peaks::default(), self.store.read(0)?)), Ok)
    }

    /// The frames of some seqs, ascending, and the first commit behind them.
    fn picked(&self, seqs: &[Seq]) -> Result<Option<Picked>, BundlingError> {
        let (Some(&first), Some(&last)) = (seqs.first(), seqs.last()) else { return Ok(None) };
        let mut frames = Vec::with_capacity(seqs.len());
        for entry in self.read_near(first)?.1 {
            match entry? {
                Stored::Frame { seq, bytes, .. } if seqs.binary_search(&seq).is_ok() => {
                    frames.push(Frame::read(&bytes).map_err(|source| BundleError::Frame { seq, source })?);
                }
                Stored::Commit { commit, .. } if commit.end_seq > last => return Ok(Some(Picked { frames, commit })),
                Stored::Frame { .. } | Stored::Blob { .. } | Stored::Commit { .. } => {}
            }
        }
        Ok(None)
    }

    /// The roots aside of some frames among so many.
    fn asides(&self, frames: &[Frame], count: u64) -> Result<Vec<Hash>, BundlingError> {
        let seqs: Vec<Seq> = frames.iter().map(|frame| frame.draft().seq).collect();
        let (peaks, entries) = self.read_near(seqs.first().copied().unwrap_or_default())?;
        let mut asides = Asides::going_on(&seqs, count, peaks);
        for entry in entries {
            match entry? {
                Stored::Frame { seq, .. } if seq >= count => break,
                Stored::Frame { seq, bytes, .. } => asides.pass(seq, Frame::hash_in(&bytes)),
                Stored::Blob { .. } | Stored::Commit { .. } => {}
            }
        }
        Ok(asides.hashes())
    }

    /// The large values that some frames name, in the order in which they first do.
    fn values_of(&self, frames: &[Frame]) -> Result<Vec<Bytes>, BundlingError> {
        let (mut values, mut known) = (Vec::new(), BTreeSet::new());
        for content in frames.iter().flat_map(|frame| frame.draft().contents()) {
            if let Content::There { hash, .. } = content
                && known.insert(*hash)
            {
                // One that is not there is missed when the bundle is checked.
                values.extend(self.store.blob(hash)?.map(Bytes));
            }
        }
        Ok(values)
    }

    /// The keys by which some frames and their companions are signed, in each world of the lineage.
    fn keys_of(&self, lineage: &Lineage, frames: &[Frame], companions: &[Companion]) -> Result<Vec<BundleKey>, BundlingError> {
        let companions: Vec<Frame> = companions.iter().filter_map(|companion| Frame::read(&companion.frame.0).ok()).collect();
        let signed = frames.iter().chain(&companions).filter(|frame| frame.signature().is_some());
        let mut signers: BTreeMap<Seq, (Seq, BTreeSet<BeingId>)> = BTreeMap::new();
        for frame in signed {
            // A key holds from its birth, or from the being's first frame in a fork, to the end of that world.
            let (seq, being) = (frame.draft().seq, frame.draft().being);
            let (last, beings) = signers.entry(lineage.reign(seq).began).or_default();
            *last = seq.max(*last);
            beings.extend((being != BeingId::WORLD).then_some(being));
        }
        let mut keys = Vec::new();
        for (began, (last, beings)) in signers {
            let world = self.world_at(last + 1)?;
            keys.extend(beings.into_iter().filter_map(|being| world.being(being)).map(|being| BundleKey {
                being: being.id,
                began,
                key: being.key,
            }));
        }
        keys.sort_by_key(|key| (key.being, key.began));
        Ok(keys)
    }
}
