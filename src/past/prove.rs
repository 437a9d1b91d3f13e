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
    /// The frame and hashes that were found do not hold as a proof.
    #[error("the history does not hold, `reelm verify` says where: {0}")]
    Proof(#[from] ProofError),
}

impl History {
    /// Proves the frame with that seq by the newest head of its world. The proof is checked here as its recipient will check it.
    pub fn prove(&self, seq: Seq) -> Result<Proof, ProveError> {
        let end = self.end();
        let none = || NoFrame { seq, end };
        if seq >= end {
            return Err(none().into());
        }
        let world = self.world_at(seq + 1)?;
        let frame = self.frame(seq, &world)?.ok_or_else(none)?;
        let key = frame.signature().and_then(|_| world.being(frame.draft().being)).map(|being| being.key);
        // A frame of a fork's parent is proved by the parent's own seal, at the fork's origin.
        let lineage = self.world_file().lineage();
        let origin = lineage.origins.iter().find(|origin| origin.seq > seq);
        let sealed = origin.and_then(|origin| Some((origin.sealed()?, origin.seal)));
        let count = sealed.map_or(end, |((count, _), _)| count);
        let roots = origin.and_then(|origin| Some(origin.within.as_ref()?.roots(origin.seq))).unwrap_or_default();
        let lineage = lineage.of_frame(seq);
        let companions = self.answering(&lineage, std::slice::from_ref(&frame))?;
        let seqs: Vec<Seq> = std::iter::once(seq).chain(companions.keys().copied()).collect();
        let (paths, newest) = self.ways_up(&seqs, count, roots)?;
        let newest = newest.map(|Commit { head, seal, .. }| (head, Signature(seal)));
        let (head, seal) = sealed.map(|((_, head), seal)| (head, seal)).or(newest).ok_or_else(none)?;
        let mut paths = paths.into_iter();
        let path = paths.next().unwrap_or_default();
        let companion = |(frame, path): (Frame, Vec<Hash>)| {
            let (key, frame) = (self.key_of(&frame)?, frame.into_bytes());
            Ok::<_, LoadError>(ProofCompanion { frame, key, path })
        };
        let companions = companions.into_values().zip(paths).map(companion).collect::<Result<_, _>>()?;
        let (format, world, root_key, origins) = (FORMAT, lineage.world, lineage.root_key, origins(&lineage));
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
        let ForkOrigin { world, root_key, seq, head, seal, within, .. } = origin.clone();
        ProofOrigin { world, root_key, seq, head, seal, within, fork: lineage.nth(next).name.to_owned() }
    });
    named.collect()
}
