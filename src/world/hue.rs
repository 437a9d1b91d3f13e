//! Hue: the place that each role has among the hues of a world, given when it is first worn and never taken back.
//!
//! So a role looks alike on every page, in every browser and at each point of the past. Like [`density`](super::density) it follows from the
//! frames, is no part of the world hash, and stands in checkpoints.

use imbl::OrdMap;

use crate::fact::Text;

use super::whole::World;

/// How many hues there are; the roles behind them have the same again, and rings that differ.
pub const HUES: u64 = 14;

impl World {
    /// The roles that somebody has worn, each with its place among the hues.
    pub fn hues(&self) -> &OrdMap<Text, u64> {
        &self.hues
    }

    /// Gives a role the hue of its name, or the next one that is free in its round.
    pub(super) fn give_hue(&mut self, role: &Text) {
        if self.hues.contains_key(role) {
            return;
        }
        let round = self.hues.len() as u64 / HUES;
        let taken: Vec<u64> = self.hues.values().filter(|place| **place / HUES == round).map(|place| place % HUES).collect();
        let own = hash_of(role) % HUES;
        let free = (own..own + HUES).map(|place| place % HUES).find(|place| !taken.contains(place));
        self.hues.insert(role.clone(), round * HUES + free.unwrap_or(own));
    }
}

/// A number of 32 bits from a text, as the page has it: FNV-1a over its code points, then two rounds that mix high bits into low ones.
fn hash_of(text: &str) -> u64 {
    let hash = text.chars().fold(0x811c_9dc5_u32, |hash, letter| (hash ^ u32::from(letter)).wrapping_mul(0x0100_0193));
    let hash = (hash ^ (hash >> 15)).wrapping_mul(0x85eb_ca6b);
    u64::from(hash ^ (hash >> 13))
}
