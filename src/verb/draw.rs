//! Draw: the chance that a being has in one moment.

use crate::fact::Hash;
use crate::script::Stream;
use crate::world::{Being, World};

/// The draws of a being's moment for a purpose. They follow from the world's seed, the being's name, how many moments it has had, and what
/// they are for: neither who else is in the world nor what they do shifts them.
pub fn draw(world: &World, being: &Being, purpose: &str) -> Stream {
    let seed = Hash::of(&world.world_setting("seed").as_int().unwrap_or(0).to_be_bytes());
    Stream::of(&seed.0, &being.name, being.moments, purpose)
}
