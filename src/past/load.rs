//! Load: a store's history becomes a world again: every record is admitted and every frame folded; nothing else is trusted.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::{Canon, Content, Frame, Hash, Lineage, PublicKey, Seq, Value, WorldId};
use crate::reel::{Admission, AdmissionError, Chain, Identity, Recorded};
use crate::store::{RecordPlace, Store, StoreError, Stored, WorldFile};
use crate::world::{Blobs, FoldError, World};

use super::ladder::standing_on;
use super::loaded::Loaded;
use super::rung::{PageList, Rung};

/// A frame that is asked for, of which there is none.
#[derive(Debug, thiserror::Error)]
#[error("there is no frame {seq}; the world ends before {end}")]
pub struct NoFrame {
    /// The seq that was asked for.
    pub seq: Seq,
    /// The first seq that there is not.
    pub end: Seq,
}

/// Why a history cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A record there does not belong in the history.
    #[error("`{}` at byte {}: {source}", at.file, at.offset)]
    Refused {
        /// Where.
        at: RecordPlace,
        /// Why.
        #[source]
        source: AdmissionError,
    },
    /// A frame cannot be folded.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// Of the checkpoint with which the log begins another version of this program wrote the pages.
    #[error(
        "the checkpoint of frame {seq}, with which the log begins, is of version {found}, and this program reads another: bring the archives back, \
         newest first (`reelm import FILE`), then archive anew"
    )]
    Version {
        /// Of which seq it is.
        seq: Seq,
        /// Its version.
        found: u64,
    },
}

impl LoadError {
    /// Whether more would have to be read than may be.
    pub fn is_too_far(&self) -> bool {
        matches!(self, Self::Store(StoreError::TooFar { .. }))
    }

    /// Wraps the refusal of a record with its place.
    pub fn at(at: RecordPlace) -> impl FnOnce(AdmissionError) -> Self {
        |source| Self::Refused { at, source }
    }
}

/// The identity of a store's world by its `world.toml`, apart from the history.
pub fn identity(store: &dyn Store) -> Result<Option<Identity>, LoadError> {
    let Some(file) = store.said() else { return Ok(None) };
    let root_key = &file.root_key;
    let wrong = |_| StoreError::BadFile { file: "world.toml".into(), what: format!("expected a key of 64 hex digits, found `{root_key}`") };
    root_key.parse::<Hash>().map_err(wrong)?;
    Ok(Some(Identity { lineage: file.lineage(), simulated: file.simulated }))
}

/// The large values of a history, kept while it is folded.
#[derive(Default)]
pub struct Kept(pub BTreeMap<Hash, Arc<[u8]>>);

impl Kept {
    /// A recorded value, read from its blob if it was large.
    pub fn value(&self, content: &Content) -> Option<Value> {
        match content {
            Content::Here(value) => Some(value.clone()),
            Content::There { hash, .. } => self.0.get(hash).and_then(|bytes| Value::from_canon(bytes).ok()),
            // Nothing read it then, and nothing has to now.
            Content::Unread { .. } => None,
        }
    }
}

impl Blobs for Kept {
    fn blob(&self, hash: &Hash) -> Option<Arc<[u8]>> {
        self.0.get(hash).cloned()
    }
}

impl Loaded {
    /// Where a store's history begins: nothing or, where what lies before was archived, the checkpoint there.
    pub fn beginning(store: &dyn Store, lineage: Arc<Lineage>) -> Result<Self, LoadError> {
        let Some(begun) = store.beginning() else { return Ok(Self::nothing(lineage)) };
        let (seq, bytes) = (begun.seq(), begun.rung()?);
        let bad = || StoreError::BadFile { file: "beginning".into(), what: format!("its checkpoint is not the one of frame {seq}") };
        let (found, name) = PageList::claimed(&bytes).ok_or_else(bad)?;
        if !PageList::reads(found) {
            return Err(LoadError::Version { seq, found });
        }
        let rung = Rung::read(bytes, name, &lineage.signers(seq)).filter(|rung| rung.manifest.seq == seq).ok_or_else(bad)?;
        let begun = standing_on(&lineage, &[rung]).filter(|loaded| loaded.chain.head() == begun.said.at.head);
        Ok(begun.ok_or_else(bad)?)
    }
}

/// The large values that a tail names: its own, and those that lie before it in the log.
pub(super) struct Large<'a> {
    store: &'a dyn Store,
    kept: RefCell<BTreeMap<Hash, Arc<[u8]>>>,
}

impl<'a> Large<'a> {
    pub(super) fn of(store: &'a dyn Store) -> Self {
        Self { store, kept: RefCell::default() }
    }
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

/// Folds a store's history from where it begins, or all frames below a seq; `step` hears of each frame.
pub fn load(store: &dyn Store, id: WorldId, below: Option<Seq>, step: impl FnMut(&Frame, &World)) -> Result<Loaded, LoadError> {
    let lineage = store.said().map_or_else(|| Arc::new(Lineage::plain(id)), WorldFile::lineage);
    load_from(store, Loaded::beginning(store, lineage)?, below, step)
}

/// Goes on folding where something loaded stands.
///
/// Everything but the signatures of frames is checked, up to the end of the group in which the folding ends; of the seals the last one, by
/// which `@world` answers for all before it.
pub fn load_from(store: &dyn Store, begun: Loaded, below: Option<Seq>, mut step: impl FnMut(&Frame, &World)) -> Result<Loaded, LoadError> {
    let Loaded { mut world, chain, blobs, border } = begun;
    let first = chain.next();
    let is_beyond = |seq: Seq| below.is_some_and(|below| seq >= below);
    let begins = RecordPlace { file: "the checkpoint".into(), offset: 0 };
    let mut admission = Admission::going_on(chain, blobs, identity(store)?).map_err(LoadError::at(begins))?;
    let large = Large::of(store);
    let mut last: Option<(RecordPlace, [u8; 64])> = None;
    let mut is_passing = first > 0 && border.is_none();
    // Where everything stands below the seq, if that is inside a group: the rest of the group is admitted for its head and seal alone.
    let mut stood: Option<(Chain, OrdMap<Hash, u64>)> = None;
    let entries = match border {
        // The group behind it names the commit on which a checkpoint stands.
        Some(border) => store.read_behind(&border)?,
        // From the last frame that is folded already: the commit behind it says what head was sealed there.
        None => store.read(first.saturating_sub(1))?,
    };
    for entry in entries {
        match entry? {
            Stored::Blob { hash, bytes, at } => {
                if is_passing {
                    admission.pass_blob(hash, &bytes);
                } else {
                    admission.blob(hash, &bytes).map_err(LoadError::at(at))?;
                }
                large.kept.borrow_mut().insert(hash, bytes);
            }
            Stored::Frame { seq, .. } if seq < first => admission.pass_frame(),
            Stored::Frame { seq, being, n, bytes, at } => {
                let admitted = admission.frame(Recorded { seq, being, n }, &bytes).map_err(LoadError::at(at.clone()))?;
                if is_beyond(seq) {
                    stood.get_or_insert_with(|| admission.clone().into_parts());
                }
                admission.advance(&admitted).map_err(LoadError::at(at))?;
                if stood.is_none() {
                    world.apply(admitted.frame.draft(), &large)?;
                    step(&admitted.frame, &world);
                }
            }
            Stored::Commit { commit, at } => {
                is_passing = false;
                admission.commit(&commit.head).map_err(LoadError::at(at.clone()))?;
                last = Some((at, commit.seal));
                if is_beyond(admission.chain().next()) {
                    break;
                }
            }
        }
    }
    if let Some((at, seal)) = last {
        admission.verify_seal(&seal).map_err(LoadError::at(at))?;
    }
    let (chain, blobs) = stood.unwrap_or_else(|| admission.into_parts());
    tracing::debug!(from = first, below = world.next_seq(), "folded");
    Ok(Loaded { world, chain, blobs, border: None })
}

/// One frame of a history, by itself: it is the one that its record says, and its being, whom the world knows, has signed it, or need not.
pub(super) fn frame_of(recorded: Recorded, bytes: &[u8], world: &World) -> Result<Frame, LoadError> {
    let at = RecordPlace { file: format!("frame {}", recorded.seq).into(), offset: 0 };
    let frame = recorded.read(bytes).map_err(LoadError::at(at))?;
    signed(&frame, world)?;
    Ok(frame)
}

/// Whether a being, whom the world knows, has signed a frame; or whether its world seals so that nobody does.
pub(super) fn signed(frame: &Frame, world: &World) -> Result<(), LoadError> {
    let (seq, being) = (frame.draft().seq, frame.draft().being);
    if frame.signature().is_none() && frame.draft().is_entrusted() && world.seals_in_batches() {
        return Ok(());
    }
    let key = world.being(being).and_then(|being| PublicKey::from_hash(&being.key).ok());
    if frame.signature().is_some() && key.is_some_and(|key| frame.verify(&key).is_ok()) {
        return Ok(());
    }
    let at = RecordPlace { file: format!("frame {seq}").into(), offset: 0 };
    Err(LoadError::at(at)(AdmissionError::Signature { seq, being }))
}
