//! History: what happened in a world, opened for reading: the one door to it, for the command line, the portal and whoever comes.
//!
//! It is opened as it is durable now, beside whoever writes it, and nothing of it is changed. What it shows was admitted as any reader
//! admits it, and lies behind a seal that holds; what is torn or damaged is an error that names its place. Where an answer needs the world
//! as of some seq, the folding begins at the nearest checkpoint before it; what needs the whole says so, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::fact::{BeingId, Canon, Content, Frame, Hash, N, Seq, Value};
use crate::store::{LogStore, Lost, Mode, Recovery, Store, WorldFile};
use crate::world::World;

use super::checkpoint::{checkpointed, resume};
use super::load::{LoadError, Loaded, frame_at, load_from};

/// The history of the world in a directory.
pub struct History {
    dir: PathBuf,
    pub(super) store: LogStore,
    recovery: Recovery,
}

impl History {
    /// Opens it.
    pub fn of(dir: &Path) -> Result<Self, LoadError> {
        let (store, recovery) = LogStore::open(dir, Mode::Read)?;
        Ok(Self { dir: dir.to_owned(), store, recovery })
    }

    /// What `world.toml` says.
    pub fn world_file(&self) -> &WorldFile {
        self.store.world_file()
    }

    /// The first seq that there is not.
    pub fn end(&self) -> Seq {
        self.store.ending().seq
    }

    /// What was acknowledged once and is gone.
    pub fn lost(&self) -> Option<Lost> {
        self.recovery.lost
    }

    /// How many bytes of a torn group stand behind the end; they are not read.
    pub fn torn_bytes(&self) -> u64 {
        self.recovery.cut_bytes
    }

    /// The records themselves, for whoever walks all of them: a replay, an export.
    pub fn into_store(self) -> LogStore {
        self.store
    }

    /// The world hash that each checkpoint says that its world has, newest first.
    pub fn checkpoints(&self) -> Vec<(Seq, Hash)> {
        checkpointed(&self.dir, &self.store)
    }

    /// The world as of a seq: all frames below it.
    pub fn world_at(&self, seq: Seq) -> Result<World, LoadError> {
        self.world(Some(seq), &mut |_| {})
    }

    /// The world as it is now, standing where its clock stands, or as of a seq; `progress` hears of each frame that is folded.
    pub fn world(&self, below: Option<Seq>, progress: &mut dyn FnMut(Seq)) -> Result<World, LoadError> {
        Ok(resume(&self.dir, &self.store, below, progress)?.world)
    }

    /// Folds up to the end, or up to a seq; `step` hears of each frame from another seq on, with the world after it.
    ///
    /// What it hears is only believed once this has come back: the seal is checked behind the last frame.
    pub fn fold(&self, from: Seq, below: Option<Seq>, step: impl FnMut(&Frame, &World)) -> Result<World, LoadError> {
        let begins = below.map_or(from, |below| from.min(below));
        let begun = resume(&self.dir, &self.store, Some(begins), &mut |_| {})?;
        let Loaded { world, .. } = load_from(&self.store, begun, below, step)?;
        Ok(world)
    }

    /// The worlds as of some seqs, folded once from the first to the last.
    pub fn worlds_at(&self, seqs: &BTreeSet<Seq>) -> Result<BTreeMap<Seq, World>, LoadError> {
        let (Some(first), Some(last)) = (seqs.first(), seqs.last()) else { return Ok(BTreeMap::new()) };
        let begun = resume(&self.dir, &self.store, Some(*first), &mut |_| {})?;
        let mut worlds = BTreeMap::from([(*first, begun.world.clone())]);
        load_from(&self.store, begun, Some(*last), |frame, world| {
            let next = frame.draft().seq + 1;
            if seqs.contains(&next) {
                worlds.insert(next, world.clone());
            }
        })?;
        Ok(worlds)
    }

    /// One frame by itself, signed by its being, whom the given world knows.
    pub fn frame(&self, seq: Seq, world: &World) -> Result<Option<Frame>, LoadError> {
        frame_at(&self.store, world, seq)
    }

    /// The seqs of a being's frames, from its n-th on.
    pub fn reel(&self, being: BeingId, from: N) -> Result<Vec<Seq>, LoadError> {
        Ok(self.store.reel(being, from)?)
    }

    /// A recorded value, read from its blob if it was large; none if it was not kept or is no value.
    pub(super) fn content(&self, content: &Content) -> Result<Option<Value>, LoadError> {
        Ok(match content {
            Content::Here(value) => Some(value.clone()),
            Content::There { hash, .. } => self.store.blob(hash)?.and_then(|bytes| Value::from_canon(&bytes).ok()),
            Content::Unread { .. } => None,
        })
    }
}
