//! Hue: the place that each role has among the hues of a world, given when it is first worn and never taken back.
//!
//! So a role looks alike on every page, in every browser and at each point of the past. Like [`density`](super::density) it follows from the
//! frames, is no part of the world hash, and stands in checkpoints.

use imbl::OrdMap;

use crate::fact::Text;
use crate::fact::canon::canon_struct;

/// How many hues there are; the roles behind them have the same again, and rings that differ.
pub const HUES: u64 = 14;

/// The place of a role among the hues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hue {
    /// It: the hue is this modulo how many there are, the ring this divided by it.
    pub place: u64,
    /// Whether somebody has worn the role first, above all others.
    pub is_primary: bool,
}

canon_struct!(Hue { place, is_primary });

/// The hues of a world's roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hues(pub(super) OrdMap<Text, Hue>);

impl Hues {
    /// The roles that somebody has worn, each with its place.
    pub fn all(&self) -> impl Iterator<Item = (&Text, Hue)> {
        self.0.iter().map(|(role, hue)| (role, *hue))
    }

    /// Gives a role the hue of its name, or the next one that is free. A ring shows the role that is worn first, so where all hues are
    /// given such a role takes one that only modifiers have.
    pub(super) fn give(&mut self, role: &Text, is_primary: bool) {
        if let Some(known) = self.0.get(role).copied() {
            if is_primary && !known.is_primary {
                self.0.insert(role.clone(), Hue { is_primary, ..known });
            }
            return;
        }
        let own = hash_of(role) % HUES;
        let round = |round: u64| (own..own + HUES).map(move |slot| round * HUES + slot % HUES);
        let is_taken = |place: &u64, by: fn(&Hue) -> bool| self.0.values().any(|hue| hue.place == *place && by(hue));
        let free = (0..).find_map(|at| {
            let of_nobody = round(at).find(|place| !is_taken(place, |_| true));
            of_nobody.or_else(|| round(at).filter(|_| is_primary).find(|place| !is_taken(place, |hue| hue.is_primary)))
        });
        self.0.insert(role.clone(), Hue { place: free.unwrap_or(own), is_primary });
    }
}

/// A number of 32 bits from a text, as the page has it: FNV-1a over its code points, then two rounds that mix high bits into low ones.
fn hash_of(text: &str) -> u64 {
    let hash = text.chars().fold(0x811c_9dc5_u32, |hash, letter| (hash ^ u32::from(letter)).wrapping_mul(0x0100_0193));
    let hash = (hash ^ (hash >> 15)).wrapping_mul(0x85eb_ca6b);
    u64::from(hash ^ (hash >> 13))
}
