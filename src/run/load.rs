//! Load: a store's history becomes a world again: every frame is read, chained and folded; nothing else is trusted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::fact::{Frame, FrameError, Hash, Seq, WorldId};
use crate::reel::{Chain, ChainError};
use crate::store::{Entry, Place, Store, StoreError};
use crate::world::{Blobs, FoldError, World};

/// Why a history cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Bytes are not a frame.
    #[error("`{}` at byte {}: {source}", at.file, at.offset)]
    Frame {
        /// Where.
        at: Place,
        /// Why.
        #[source]
        source: FrameError,
    },
    /// A frame does not continue the world.
    #[error("`{}` at byte {}: {source}", at.file, at.offset)]
    Chain {
        /// Where.
        at: Place,
        /// Why.
        #[source]
        source: ChainError,
    },
    /// A frame cannot be folded.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// The frames are not those that `@world` sealed.
    #[error("the running head after frame {seq} is {found}, but {sealed} was sealed")]
    Head {
        /// The last frame of the group.
        seq: Seq,
        /// What the frames come to.
        found: Hash,
        /// What the commit says.
        sealed: Hash,
    },
}

/// The large values of a history, kept while it is folded.
#[derive(Default)]
pub struct Kept(pub BTreeMap<Hash, Arc<[u8]>>);

impl Blobs for Kept {
    fn blob(&self, hash: &Hash) -> Option<Arc<[u8]>> {
        self.0.get(hash).cloned()
    }
}

/// A history, folded.
pub struct Loaded {
    /// The world as of its last frame, or of the seq asked for.
    pub world: World,
    /// Where each reel stands.
    pub chain: Chain,
    /// The blobs that the store has.
    pub blobs: BTreeSet<Hash>,
}

/// Folds a store's history, or all frames below a seq; `step` hears of each frame.
pub fn load(store: &dyn Store, id: WorldId, below: Option<Seq>, mut step: impl FnMut(&Frame, &World)) -> Result<Loaded, LoadError> {
    let (mut world, mut chain, mut kept) = (World::new(id), Chain::new(id), Kept::default());
    for entry in store.read(0)? {
        match entry? {
            Entry::Blob { hash, bytes, .. } => {
                kept.0.insert(hash, bytes);
            }
            Entry::Frame { bytes, at, .. } => {
                let frame = Frame::read(&bytes).map_err(|source| LoadError::Frame { at: at.clone(), source })?;
                if below.is_some_and(|below| frame.draft().seq >= below) {
                    break;
                }
                chain.admit(&frame).map_err(|source| LoadError::Chain { at, source })?;
                world.apply(frame.draft(), &kept)?;
                step(&frame, &world);
            }
            Entry::Commit(commit) if commit.head != chain.head() => {
                return Err(LoadError::Head { seq: chain.next().saturating_sub(1), found: chain.head(), sealed: commit.head });
            }
            Entry::Commit(_) => {}
        }
    }
    Ok(Loaded { world, chain, blobs: kept.0.into_keys().collect() })
}
