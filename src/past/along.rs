//! Along: the worlds at some points of the past, one after the other, each folded on from the one before or from a checkpoint that is nearer.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::fact::Seq;
use crate::world::World;

use super::checkpoint::resume;
use super::history::History;
use super::load::{LoadError, load_from};
use super::loaded::Loaded;

impl History {
    /// Shows the world as of each of some seqs, in their order, until `step` has seen enough.
    pub fn along(&self, seqs: &BTreeSet<Seq>, mut step: impl FnMut(Seq, &World) -> ControlFlow<()>) -> Result<(), LoadError> {
        let rungs = self.checkpoints();
        let mut reached: Option<Loaded> = None;
        for seq in seqs {
            let nearest = rungs.iter().copied().filter(|rung| rung <= seq).max();
            let ground = reached.take().filter(|loaded| nearest.is_none_or(|rung| rung <= loaded.chain.next()));
            let loaded = match ground {
                Some(loaded) => load_from(&self.store, loaded, Some(*seq), |_, _| {})?,
                None => resume(self.dir(), &self.store, Some(*seq), &mut |_| {})?,
            };
            if step(*seq, &loaded.world).is_break() {
                break;
            }
            reached = Some(loaded);
        }
        Ok(())
    }
}
