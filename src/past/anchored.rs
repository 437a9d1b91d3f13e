//! Anchored: an anchor of a history made, and a history held against one that was kept elsewhere.

use crate::fact::{FORMAT, Frame, Hash, Peaks, Seq, Signature, WorldId};
use crate::reel::{Anchor, AnchorError};
use crate::store::{Beginning, Store, StoreError, Stored};

use super::checkpoint::reach;
use super::history::History;
use super::load::LoadError;

/// Why a history is not the one that was anchored.
#[derive(Debug, thiserror::Error)]
pub enum AnchoredError {
    /// The anchor itself holds nothing.
    #[error(transparent)]
    Anchor(#[from] AnchorError),
    /// It is of another world.
    #[error("the anchor is of the world {anchored}; this is the world {found}")]
    World {
        /// Of which it is.
        anchored: WorldId,
        /// Which this is.
        found: WorldId,
    },
    /// It is of another key.
    #[error("the anchor names another key of `@world` than this history: {anchored}")]
    Key {
        /// The key that it names.
        anchored: Hash,
    },
    /// The history is shorter.
    #[error("the history was longer when it was anchored: it ends before {found}, and the anchor is over all frames below {anchored}")]
    Short {
        /// Over how many frames the anchor is.
        anchored: Seq,
        /// How many there are.
        found: Seq,
    },
    /// The history is another.
    #[error(
        "the history was rewritten after it was anchored, though its seals hold: the first frame that is another lies between {from} and {to}"
    )]
    Rewritten {
        /// The first frame that may be another.
        from: Seq,
        /// The last frame that may be the first other one.
        to: Seq,
    },
    /// The log cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl History {
    /// An anchor of all that is durable now.
    pub fn anchor(&self) -> Result<Anchor, LoadError> {
        let (mut peaks, mut sealed) = (peaks_before(&self.store), None);
        if let Some(begun) = self.store.beginning() {
            sealed = Some((begun.seq(), begun.said.at.head, begun.said.seal.0, peaks.clone()));
        }
        for entry in self.store.read(self.begins())? {
            match entry? {
                Stored::Frame { bytes, .. } => peaks.push(Frame::hash_in(&bytes)),
                Stored::Commit { commit, .. } => sealed = Some((commit.end_seq, commit.head, commit.seal, peaks.clone())),
                Stored::Blob { .. } => {}
            }
        }
        let root_key = self.world_file().root_key.parse().unwrap_or_default();
        let (seq, head, seal, peaks) = sealed.unwrap_or((0, Hash::NOTHING, [0; 64], Peaks::default()));
        let anchor = Anchor {
            format: FORMAT,
            world: self.world_file().world,
            root_key,
            seq,
            head,
            seal: Signature(seal),
            peaks: peaks.as_slice().to_vec(),
        };
        Ok(anchor)
    }
}

/// The peaks over what was archived, as the world has signed them.
fn peaks_before(store: &dyn Store) -> Peaks {
    store.beginning().and_then(Beginning::peaks).unwrap_or_default()
}

/// Holds a history against an anchor. In order: the anchor holds by itself, it is of this world and its key, the history is as long, and its
/// first frames come to the same head.
pub fn hold_against(store: &dyn Store, anchor: &Anchor) -> Result<(), AnchoredError> {
    anchor.check()?;
    if let Some(said) = store.said() {
        if said.world != anchor.world {
            return Err(AnchoredError::World { anchored: anchor.world, found: said.world });
        }
        if said.root_key.parse() != Ok(anchor.root_key) {
            return Err(AnchoredError::Key { anchored: anchor.root_key });
        }
    }
    let mut peaks = peaks_before(store);
    let mut count = store.begins();
    reach(store, anchor.seq)?;
    for entry in store.read(count)? {
        if count == anchor.seq {
            break;
        }
        if let Stored::Frame { bytes, .. } = entry? {
            peaks.push(Frame::hash_in(&bytes));
            count += 1;
        }
    }
    if count < anchor.seq {
        return Err(AnchoredError::Short { anchored: anchor.seq, found: count });
    }
    match anchor.differs(&peaks) {
        None => Ok(()),
        Some(frames) => Err(AnchoredError::Rewritten { from: frames.start, to: frames.end.saturating_sub(1) }),
    }
}
