//! Checkpointer: writes rungs on a thread of its own, each on the one before it while that is cheaper than everything anew.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use imbl::OrdMap;

use crate::fact::{Hash, Master, WorldId, write_changes};
use crate::reel::Chain;
use crate::store::{Checkpoints, Ending, RungName, StoreError};
use crate::world::World;

use super::checkpoint::Resumed;
use super::checkpoint_policy::to_remove;
use super::ladder::{Base, DEPTH_MAX};
use super::loaded::Loaded;
use super::rung::{Footing, Pages, Part};

/// How many rungs may wait to be written; whoever runs a world waits for none of them.
const WAITING: usize = 2;

/// What is to be kept: a world as it is durable, and the border in the log at which it stands.
pub struct ToKeep {
    /// The world.
    pub world: Arc<World>,
    /// Its reels.
    pub chain: Chain,
    /// The blobs that its store has, with their lengths.
    pub blobs: OrdMap<Hash, u64>,
    /// Where its log ends.
    pub border: Ending,
}

/// Writes checkpoints, one after another, on a thread of its own.
pub struct Checkpointer {
    stands: Option<SyncSender<ToKeep>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// One for a new world in `dir`.
    pub fn new(dir: &Path, master: Master) -> Self {
        Self::over(Checkpoints::of(dir), master)
    }

    /// One for a new world whose checkpoints are kept there.
    pub fn over(checkpoints: Checkpoints, master: Master) -> Self {
        Self::start(checkpoints, master, None)
    }

    /// One for the world in `dir` as it was resumed, and what was loaded.
    pub fn going_on(dir: &Path, master: Master, resumed: Resumed) -> (Self, Loaded) {
        (Self::start(Checkpoints::of(dir), master, resumed.base), resumed.loaded)
    }

    fn start(checkpoints: Checkpoints, master: Master, base: Option<Base>) -> Self {
        let (stands, waiting) = sync_channel(WAITING);
        let mut writer = RungWriter { checkpoints, master, base };
        let thread = std::thread::spawn(move || writer.work(&waiting));
        Self { stands: Some(stands), thread: Some(thread) }
    }

    /// Has something written beside whatever goes on; nothing of it where too much waits to be written already.
    pub fn write(&self, stand: ToKeep) {
        let Some(Err(TrySendError::Full(stand))) = self.stands.as_ref().map(|stands| stands.try_send(stand)) else { return };
        tracing::debug!(seq = stand.border.seq, "the checkpoints before this one are still being written; it is left out");
    }

    /// Has something written, and waits until it and all before it are there.
    pub fn finish(mut self, stand: Option<ToKeep>) {
        if let (Some(stands), Some(stand)) = (&self.stands, stand) {
            let _ = stands.send(stand);
        }
        self.rest();
    }

    fn rest(&mut self) {
        self.stands = None;
        if let Some(thread) = self.thread.take() {
            // A panic there has cost a cache, and was reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for Checkpointer {
    fn drop(&mut self) {
        self.rest();
    }
}

/// The thread's own.
struct RungWriter {
    checkpoints: Checkpoints,
    master: Master,
    base: Option<Base>,
}

impl RungWriter {
    fn work(&mut self, waiting: &Receiver<ToKeep>) {
        let mut is_tidy = false;
        while let Ok(stand) = waiting.recv() {
            let seq = stand.border.seq;
            let is_there = self.base.as_ref().is_some_and(|base| base.footing.seq == seq);
            if is_there || stand.world.next_seq() != seq || stand.chain.next() != seq {
                continue;
            }
            if !std::mem::replace(&mut is_tidy, true) {
                self.checkpoints.tidy();
            }
            match self.write(stand) {
                Ok(base) => self.base = Some(base),
                Err(error) => tracing::warn!(%error, "no checkpoint was written; the world goes on, and takes longer to open"),
            }
        }
    }

    fn write(&self, stand: ToKeep) -> Result<Base, StoreError> {
        let border = stand.border;
        let of = (stand.world.id(), stand.world.at());
        let changed = self.base.as_ref().and_then(|base| Some((base, changed(base, &stand)?)));
        let (pages, depth, sums, below) = match changed {
            Some((base, pages)) => {
                let sums = (base.changed + pages.len(), base.whole);
                (pages, base.depth + 1, sums, Some(base.footing))
            }
            None => {
                let pages = everything(&stand);
                let whole = pages.len();
                (pages, 0, (0, whole), None)
            }
        };
        let (hash, bytes) = pages.rung(of, (&border, &stand.chain), below, &self.master);
        self.checkpoints.keep(RungName { seq: border.seq, base: below.map(|below| below.seq) }, &bytes)?;
        to_remove(&self.checkpoints.rungs()).into_iter().for_each(|rung| self.checkpoints.remove(rung));
        let ToKeep { world, chain, blobs, .. } = stand;
        let footing = Footing { seq: border.seq, hash };
        Ok(Base { footing, world: Arc::unwrap_or_clone(world), chain, blobs, depth, changed: sums.0, whole: sums.1 })
    }
}

/// What has changed since a rung; nothing where everything anew costs less, now or whenever it is read.
fn changed(base: &Base, stand: &ToKeep) -> Option<Pages> {
    if base.depth + 1 >= DEPTH_MAX {
        return None;
    }
    let pages = pages(&base.world, &base.chain, &base.blobs, stand);
    (base.changed + pages.len() < base.whole).then_some(pages)
}

/// A rung that holds everything and is not kept among the others.
pub(super) fn whole_rung(stand: &ToKeep, signer: WorldId, master: &Master) -> Vec<u8> {
    everything(stand).rung((signer, stand.world.at()), (&stand.border, &stand.chain), None, master).1
}

fn everything(stand: &ToKeep) -> Pages {
    let world = stand.world.id();
    pages(&World::new(world), &Chain::new(world), &OrdMap::new(), stand)
}

fn pages(world: &World, chain: &Chain, blobs: &OrdMap<Hash, u64>, stand: &ToKeep) -> Pages {
    let mut pages = Pages::default();
    stand.world.write_checkpoint(world, &mut |section, bytes| pages.add(Part::World { section }, &bytes));
    stand.chain.write_checkpoint(chain, &mut |bytes| pages.add(Part::Reels, &bytes));
    write_changes(blobs, &stand.blobs, &mut |bytes| pages.add(Part::Blobs, &bytes));
    pages
}
