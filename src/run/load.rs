//! Load: a store's history becomes a world again: every frame is read, chained and folded; nothing else is trusted.

use std::cell::RefCell;
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

impl Loaded {
    /// Nothing: a world before its first frame.
    pub fn nothing(id: WorldId) -> Self {
        Self { world: World::new(id), chain: Chain::new(id), blobs: BTreeSet::new() }
    }
}

/// The large values that a tail names: its own, and those that lie before it in the log.
struct Large<'a> {
    store: &'a dyn Store,
    kept: RefCell<BTreeMap<Hash, Arc<[u8]>>>,
}

impl Blobs for Large<'_> {
    fn blob(&self, hash: &Hash) -> Option<Arc<[u8]>> {
        if let Some(bytes) = self.kept.borrow().get(hash) {
            return Some(bytes.clone());
        }
        let bytes = self.store.blob(hash).ok()??;
        self.kept.borrow_mut().insert(*hash, bytes.clone());
        Some(bytes)
    }
}

/// Folds a store's history, or all frames below a seq; `step` hears of each frame.
pub fn load(store: &dyn Store, id: WorldId, below: Option<Seq>, step: impl FnMut(&Frame, &World)) -> Result<Loaded, LoadError> {
    load_from(store, Loaded::nothing(id), below, step)
}

/// Goes on folding where something loaded stands; the head that it stands on must be sealed in the log.
pub fn load_from(store: &dyn Store, begun: Loaded, below: Option<Seq>, mut step: impl FnMut(&Frame, &World)) -> Result<Loaded, LoadError> {
    let Loaded { mut world, mut chain, mut blobs } = begun;
    let first = chain.next();
    let large = Large { store, kept: RefCell::default() };
    // From the last frame that is folded already: the commit behind it says what head was sealed there.
    for entry in store.read(first.saturating_sub(1))? {
        match entry? {
            Entry::Blob { hash, bytes, .. } => {
                blobs.insert(hash);
                large.kept.borrow_mut().insert(hash, bytes);
            }
            Entry::Frame { seq, .. } if seq < first => {}
            Entry::Frame { bytes, at, .. } => {
                let frame = Frame::read(&bytes).map_err(|source| LoadError::Frame { at: at.clone(), source })?;
                if below.is_some_and(|below| frame.draft().seq >= below) {
                    break;
                }
                chain.admit(&frame).map_err(|source| LoadError::Chain { at, source })?;
                world.apply(frame.draft(), &large)?;
                step(&frame, &world);
            }
            Entry::Commit(commit) if commit.head != chain.head() => {
                return Err(LoadError::Head { seq: chain.next().saturating_sub(1), found: chain.head(), sealed: commit.head });
            }
            Entry::Commit(_) => {}
        }
    }
    Ok(Loaded { world, chain, blobs })
}
