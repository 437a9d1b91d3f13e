//! Loaded: a history that was folded up to some seq: the world there, where each reel stands, and which blobs there are.

use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::{Hash, Lineage};
use crate::reel::Chain;
use crate::store::Ending;
use crate::world::World;

/// A history, folded.
#[derive(Clone)]
pub struct Loaded {
    /// The world as of its last frame, or of the seq asked for.
    pub world: World,
    /// Where each reel stands.
    pub chain: Chain,
    /// The blobs that the store has, with their lengths.
    pub blobs: OrdMap<Hash, u64>,
    /// The border in the log at which all of it stands, where a checkpoint knows it.
    pub border: Option<Ending>,
}

impl Loaded {
    /// Nothing: a world before its first frame.
    pub fn nothing(lineage: Arc<Lineage>) -> Self {
        Self { world: World::of(lineage.clone()), chain: Chain::of(lineage), blobs: OrdMap::new(), border: None }
    }
}
