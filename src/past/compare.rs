//! Compare: is what checkpoints hold what the log folds to? Asked by whoever walks all of it.

use std::collections::BTreeMap;

use crate::fact::Seq;
use crate::world::World;

use super::ladder::Ladder;
use super::rung::{PageList, PageName, Pages, Part};

/// The checkpoints of a world, while somebody walks through its history.
#[derive(Default)]
pub struct Compared {
    manifests: BTreeMap<Seq, PageList>,
    /// How many stand on each and are still to come.
    footings: BTreeMap<Seq, usize>,
    /// The worlds at those, as they were folded.
    worlds: BTreeMap<Seq, World>,
}

impl Compared {
    pub(super) fn of(ladder: Option<Ladder>) -> Self {
        let ladder = ladder.iter().flat_map(|ladder| ladder.names().into_iter().filter_map(|name| ladder.manifest(name)));
        let manifests: BTreeMap<Seq, PageList> = ladder.map(|manifest| (manifest.seq, manifest)).collect();
        let mut footings: BTreeMap<Seq, usize> = BTreeMap::new();
        for base in manifests.values().filter_map(|manifest| manifest.base) {
            *footings.entry(base.seq).or_default() += 1;
        }
        Self { manifests, footings, worlds: BTreeMap::new() }
    }

    /// Whether the checkpoint as of a world's seq, if there is one, holds just that world.
    pub fn holds(&mut self, world: &World) -> bool {
        let seq = world.next_seq();
        let Some(manifest) = self.manifests.remove(&seq) else { return true };
        let holds = self.agrees(&manifest, world);
        if self.footings.contains_key(&seq) {
            self.worlds.insert(seq, world.clone());
        }
        if let Some((base, count)) = manifest.base.and_then(|base| Some((base.seq, self.footings.get_mut(&base.seq)?))) {
            *count -= 1;
            // It is kept no longer than somebody stands on it.
            self.worlds.retain(|kept, _| *kept != base || *count > 0);
        }
        holds
    }

    fn agrees(&self, manifest: &PageList, world: &World) -> bool {
        let nothing = World::new(world.id());
        let since = match manifest.base {
            None => &nothing,
            // The rung below it is missing: this one cannot be read.
            Some(base) => match self.worlds.get(&base.seq) {
                Some(since) => since,
                None => return true,
            },
        };
        let mut pages = Pages::default();
        world.write_checkpoint(since, &mut |section, bytes| pages.add(Part::World { section }, &bytes));
        let said = manifest.pages.iter().filter(|page| matches!(page.part, Part::World { .. }));
        let folded: Vec<PageName> = pages.into_names();
        said.eq(folded.iter())
    }
}
