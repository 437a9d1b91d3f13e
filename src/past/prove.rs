//! Prove: one frame of a history with its way up to the newest head: the log goes by once, and only hashes of it are kept.

use crate::fact::{Draft, FORMAT, ForkOrigin, Frame, Hash, Lineage, Seq, Signature};
use crate::reel::{Proof, ProofCompanion, ProofError, ProofOrigin};
use crate::store::{Commit, StoreError};

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
        let origin = lineage.origins.iter().find(|origin| origin.seq > seq);
        let count = origin.map_or(end, |origin| origin.seq);
        let lineage = lineage.below(count);
        let companions = self.answering(&lineage, std::slice::from_ref(&frame))?;
        let seqs: Vec<Seq> = std::iter::once(seq).chain(companions.keys().copied()).collect();
        let (paths, newest) = self.ways_up(&seqs, count)?;
        let (mut paths, Commit { head, seal, .. }) = (paths.into_iter(), newest.ok_or_else(none)?);
        let path = paths.next().unwrap_or_default();
        let companion = |(frame, path): (Frame, Vec<Hash>)| {
            let (key, frame) = (self.key_of(&frame)?, frame.into_bytes());
            Ok::<_, LoadError>(ProofCompanion { frame, key, path })
        };
        let companions = companions.into_values().zip(paths).map(companion).collect::<Result<_, _>>()?;
        let (format, world, root_key, seal, origins) = (FORMAT, lineage.world, lineage.root_key, Signature(seal), origins(&lineage));
        let proof = Proof { format, world, root_key, origins, seq, frame: frame.into_bytes(), key, count, path, head, seal, companions };
        proof.check()?;
        Ok(proof)
    }

    /// The key of the being of a frame that is signed, as it has it there.
    fn key_of(&self, frame: &Frame) -> Result<Option<Hash>, LoadError> {
        let Draft { seq, being, .. } = *frame.draft();
        let world = frame.signature().map(|_| self.world_at(seq + 1)).transpose()?;
        Ok(world.as_ref().and_then(|world| world.being(being)).map(|being| being.key))
    }
}

/// The origins of a lineage as a proof names them, each with the name of the world behind it.
fn origins(lineage: &Lineage) -> Vec<ProofOrigin> {
    let named = (1..).zip(&lineage.origins).map(|(next, origin)| {
        let ForkOrigin { world, root_key, seq, head, seal, .. } = origin.clone();
        ProofOrigin { world, root_key, seq, head, seal, fork: lineage.nth(next).name.to_owned() }
    });
    named.collect()
}
