//! Checkpoint: a world, its reels and the blobs that its store has, as of one seq: written beside the log, read instead of its beginning.
//!
//! A checkpoint is a cache and never believed against the log: its manifest must carry the signature of `@world`, its pages must be
//! what they are named, and the head that it stands on must be the one sealed in the log at that place. Else it counts as not there.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use crate::fact::canon::{canon_enum, canon_struct};
use crate::fact::{BeingId, Canon, Hash, Made, Master, Millis, PublicKey, Seq, Signature, WorldId, read_page, write_pages};
use crate::reel::Chain;
use crate::store::{Checkpoints, ClockFile, LogStore, Store, StoreError};
use crate::world::{Section, World};

use super::checkpoint_policy::kept;
use super::load::{LoadError, Loaded, load_from};

/// The version of what pages hold; others are not read.
const FORMAT: u64 = 3;
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    World { section: Section },
    Reels,
    Blobs,
}

canon_enum!(Part { 0 => World { section }, 1 => Reels, 2 => Blobs });

/// What a checkpoint is of, and which pages it has, in order.
struct PageList {
    format: u64,
    world: WorldId,
    seq: Seq,
    at: Millis,
    head: Hash,
    /// The world hash.
    state: Hash,
    pages: Vec<(Part, Hash)>,
}

struct Signed {
    manifest: PageList,
    signature: Signature,
}

canon_struct!(PageList { format, world, seq, at, head, state, pages });
canon_struct!(Signed { manifest, signature });

impl PageList {
    /// What is signed: never the hash of a frame or a head.
    fn hash(&self) -> Hash {
        Hash(blake3::derive_key("reelm 1 checkpoint", &self.to_canon()))
    }
}

/// Folds the history of the world in `dir` up to its end, or all frames below a seq, from the nearest checkpoint on; `progress` hears of
/// each frame.
pub fn resume(dir: &Path, store: &LogStore, below: Option<Seq>, progress: &mut dyn FnMut(Seq)) -> Result<Loaded, LoadError> {
    let id = store.world_file().world;
    let most = store.ending().seq.min(below.unwrap_or(Seq::MAX));
    for manifest in known(dir, store).into_iter().filter(|manifest| manifest.seq <= most) {
        let seq = manifest.seq;
        let Some(begun) = read(&Checkpoints::of(dir), &manifest) else {
            tracing::warn!(seq, "a checkpoint has pages that are missing or damaged; it is not used");
            continue;
        };
        match load_from(store, begun, below, |frame, _| progress(frame.draft().seq)) {
            Ok(loaded) => return standing(dir, loaded, below),
            Err(error) => tracing::warn!(seq, %error, "a checkpoint does not fit the log; it is not used"),
        }
    }
    standing(dir, load_from(store, Loaded::nothing(id), below, |frame, _| progress(frame.draft().seq))?, below)
}

/// A world as it is stands where its clock does; one as it was stands where its last frame left it.
fn standing(dir: &Path, mut loaded: Loaded, below: Option<Seq>) -> Result<Loaded, LoadError> {
    if let Some(clock) = ClockFile::load(dir)?.filter(|_| below.is_none()) {
        loaded.world.stand(clock.position);
    }
    Ok(loaded)
}

/// The world hash that each checkpoint says that its world has.
pub fn checkpointed(dir: &Path, store: &LogStore) -> Vec<(Seq, Hash)> {
    known(dir, store).into_iter().map(|manifest| (manifest.seq, manifest.state)).collect()
}

/// The manifests that `@world` signed, newest first.
fn known(dir: &Path, store: &LogStore) -> Vec<PageList> {
    let file = store.world_file();
    let Some(key) = file.root_key.parse().ok().and_then(|hash| PublicKey::from_hash(&hash).ok()) else { return Vec::new() };
    let checkpoints = Checkpoints::of(dir);
    let read = |seq: Seq| {
        let Signed { manifest, signature } = Signed::from_canon(&checkpoints.manifest(seq)?).ok()?;
        let is_ours = manifest.format == FORMAT && manifest.world == file.world && manifest.seq == seq && seq > 0;
        (is_ours && key.verify(&manifest.hash(), &signature).is_ok()).then_some(manifest)
    };
    checkpoints.seqs().into_iter().filter_map(read).collect()
}

fn read(checkpoints: &Checkpoints, manifest: &PageList) -> Option<Loaded> {
    let mut world = World::new(manifest.world);
    let mut chain = Chain::going_on(manifest.world, manifest.seq, manifest.at, manifest.head);
    let mut blobs = BTreeSet::new();
    for (part, hash) in &manifest.pages {
        let bytes = checkpoints.page(hash)?;
        let read = match part {
            Part::World { section } => world.read_checkpoint(*section, &bytes),
            Part::Reels => chain.read_checkpoint(&bytes),
            Part::Blobs => read_page(&bytes, |hash: Hash| {
                blobs.insert(hash);
            }),
        };
        read.ok()?;
    }
    world.hold();
    Some(Loaded { world, chain, blobs })
}

/// Writes checkpoints, one at a time, on a thread of its own.
pub struct Checkpointer {
    checkpoints: Checkpoints,
    master: Master,
    working: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// One for the world in `dir`.
    pub fn new(dir: &Path, master: Master) -> Self {
        Self { checkpoints: Checkpoints::of(dir), master, working: None }
    }

    /// Whether one is being written, so that another cannot be.
    pub fn is_busy(&self) -> bool {
        self.working.as_ref().is_some_and(|working| !working.is_finished())
    }

    /// Writes what has been made durable; while another is being written, does nothing.
    pub fn write(&mut self, world: Arc<World>, chain: Chain, blobs: BTreeSet<Hash>) {
        if self.is_busy() || world.next_seq() != chain.next() {
            return;
        }
        self.finish();
        let (checkpoints, master) = (self.checkpoints.clone(), self.master.clone());
        self.working = Some(std::thread::spawn(move || {
            if let Err(error) = write(&checkpoints, &master, &world, &chain, &blobs) {
                tracing::warn!(%error, "no checkpoint was written; the world goes on, and takes longer to open");
            }
        }));
    }

    /// Waits until what is being written is there.
    pub fn finish(&mut self) {
        if let Some(working) = self.working.take() {
            // A panic there has cost a cache, and was reported where it happened.
            let _ = working.join();
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.finish();
    }
}

fn write(checkpoints: &Checkpoints, master: &Master, world: &World, chain: &Chain, blobs: &BTreeSet<Hash>) -> Result<(), StoreError> {
    let mut pages: Vec<(Part, Hash)> = Vec::new();
    let mut failed = None;
    let mut keep = |part: Part, bytes: &[u8]| {
        if failed.is_none() {
            match checkpoints.keep_page(bytes) {
                Ok(hash) => pages.push((part, hash)),
                Err(error) => failed = Some(error),
            }
        }
    };
    world.write_checkpoint(&mut |section, bytes| keep(Part::World { section }, &bytes));
    chain.write_checkpoint(&mut |bytes| keep(Part::Reels, &bytes));
    // Hashes are spread already: the first bytes say where a page ends.
    let spread = |hash: &Hash| Made { seq: u64::from_le_bytes(hash.0.first_chunk().copied().unwrap_or_default()), index: 0 };
    write_pages(blobs.iter().map(|hash| (spread(hash), *hash)), &mut |bytes| keep(Part::Blobs, &bytes));
    if let Some(error) = failed {
        return Err(error);
    }
    let (seq, at, head) = (chain.next(), world.at(), chain.head());
    let manifest = PageList { format: FORMAT, world: world.id(), seq, at, head, state: world.hash(), pages };
    let signature = master.key(world.id(), BeingId::WORLD).sign(&manifest.hash());
    checkpoints.keep_manifest(seq, &Signed { manifest, signature }.to_canon())?;
    thin(checkpoints);
    Ok(())
}

/// Takes away what tells of a past that is gone from a seq on: frames that come later take its place.
pub fn forget_beyond(dir: &Path, seq: Seq) {
    let checkpoints = Checkpoints::of(dir);
    let kept: Vec<Seq> = checkpoints.seqs().into_iter().filter(|known| *known <= seq).collect();
    retain(&checkpoints, &kept);
}

/// Takes away those that are not kept for good.
fn thin(checkpoints: &Checkpoints) {
    retain(checkpoints, &kept(&checkpoints.seqs()));
}

fn retain(checkpoints: &Checkpoints, kept: &[Seq]) {
    let manifests = kept.iter().filter_map(|seq| Signed::from_canon(&checkpoints.manifest(*seq)?).ok());
    let wanted: BTreeSet<Hash> = manifests.flat_map(|signed| signed.manifest.pages).map(|(_, hash)| hash).collect();
    checkpoints.retain(kept, &|hash| wanted.contains(hash));
}
