//! Rung writer: puts a rung beside the others, on the one before it while that is cheaper than everything anew.

use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::{Hash, Master, WorldId, write_changes};
use crate::reel::Chain;
use crate::store::{Checkpoints, Ending, RungName, StoreError};
use crate::world::World;

use super::checkpoint_policy::to_remove;
use super::ladder::{Base, DEPTH_MAX};
use super::rung::{Footing, Pages, Part};

/// A world to be kept as it is durable, and the border in the log at which it stands.
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

/// Writes the rungs of one world, signed with its keys.
pub(super) struct RungWriter {
    pub(super) checkpoints: Checkpoints,
    pub(super) master: Master,
}

impl RungWriter {
    /// Writes one, on another where that costs less; others can be put on it.
    pub(super) fn write(&self, base: Option<&Base>, stand: ToKeep) -> Result<Base, StoreError> {
        let border = stand.border;
        let of = (stand.world.id(), stand.world.at());
        let changed = base.and_then(|base| Some((base, changed(base, &stand)?)));
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
        self.thin();
        let ToKeep { world, chain, blobs, .. } = stand;
        let footing = Footing { seq: border.seq, hash };
        Ok(Base { footing, world: Arc::unwrap_or_clone(world), chain, blobs, depth, changed: sums.0, whole: sums.1 })
    }

    /// Removes what is not needed any more; a rung at which words end proves them, and stays as long as they do.
    fn thin(&self) {
        let proving = self.checkpoints.with_words();
        let removed = to_remove(&self.checkpoints.rungs()).into_iter().filter(|rung| !proving.contains(&rung.seq));
        removed.for_each(|rung| self.checkpoints.remove(rung));
    }
}

/// The pages that changed since a rung; nothing where everything anew costs less, now or at a later read.
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
