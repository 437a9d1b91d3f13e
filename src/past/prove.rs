//! Prove: one frame of a history with its way up to the newest head: the log goes by once, and only hashes of it are kept.

use crate::fact::{FORMAT, Frame, Hash, Seq, Signature};
use crate::reel::{Proof, ProofError, WayUp};
use crate::store::{Beginning, Commit, Store, StoreError, Stored};

use super::history::History;
use super::load::{LoadError, NoFrame};

/// Why a frame cannot be proved.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// There is none of that seq.
    #[error(transparent)]
    NoFrame(#[from] NoFrame),
    /// The history cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The log cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was found proves nothing.
    #[error("the history does not hold, `reelm verify` says where: {0}")]
    Proof(#[from] ProofError),
}

impl History {
    /// Proves the frame with that seq by the newest head of its world. What is given was checked as whoever gets it will check it.
    pub fn prove(&self, seq: Seq) -> Result<Proof, ProveError> {
        let end = self.end();
        let none = || NoFrame { seq, end };
        if seq >= end {
            return Err(none().into());
        }
        let world = self.world_at(seq + 1)?;
        let frame = self.frame(seq, &world)?.ok_or_else(none)?;
        let key = frame.signature().and_then(|_| world.being(frame.draft().being)).map(|being| being.key);
        // What a fork's parent has written is proved by the parent's own seal, at the fork's origin.
        let lineage = self.world_file().lineage();
        let (reign, origin) = (lineage.reign(seq), lineage.origins.iter().find(|origin| origin.seq > seq));
        let count = origin.map_or(end, |origin| origin.seq);
        let (path, Commit { head, seal, .. }) = self.way_up(seq, count)?.ok_or_else(none)?;
        let (format, world, root_key, frame, seal) = (FORMAT, reign.world, *reign.root_key, frame.into_bytes(), Signature(seal));
        let proof = Proof { format, world, root_key, seq, frame, key, count, path, head, seal };
        proof.check()?;
        Ok(proof)
    }

    /// The hashes beside the way from a frame up to the head over so many, and the commit that has it.
    fn way_up(&self, seq: Seq, count: u64) -> Result<Option<(Vec<Hash>, Commit)>, StoreError> {
        let before = self.store.beginning().and_then(Beginning::peaks);
        let (mut way, mut newest) = (WayUp::going_on(seq, count, &before.unwrap_or_default()), None);
        for entry in self.store.read(self.begins())? {
            match entry? {
                Stored::Frame { seq, .. } if seq >= count => break,
                Stored::Frame { seq, bytes, .. } => way.pass(seq, Frame::hash_in(&bytes)),
                Stored::Commit { commit, .. } => newest = Some(commit),
                Stored::Blob { .. } => {}
            }
        }
        Ok(newest.map(|newest| (way.hashes(), newest)))
    }
}
