//! Nearest: the things nearest to a spot of a grid, found square by square in the list of spots.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::fact::{Coords, Made, SpaceId, Thing};

use super::placed::{PlacedKind, PlacedSpot, Square, apart};
use super::whole::{FIRST, LAST, World};

/// A square with no more in it is not divided.
const FEW: usize = 16;

/// The next step: the nearest, squares before things, and of things as near the first made.
type SearchStep = Reverse<(i128, Option<Made>, Square)>;

impl World {
    /// Beings or matter on a space's grid, the nearest to a spot first; of those as near the first made.
    pub fn nearest(&self, space: SpaceId, kind: PlacedKind, from: Coords) -> impl Iterator<Item = Thing> {
        let search = Search { world: self, space, kind, from };
        let mut open = BinaryHeap::from([Reverse((0, None, Square { first: 0, bits: u128::BITS }))]);
        std::iter::from_fn(move || {
            while let Some(Reverse((_, what, square))) = open.pop() {
                match what {
                    Some(made) => return Some(kind.thing(made)),
                    None => search.open(square, &mut open),
                }
            }
            None
        })
    }

    /// How many pieces of matter lie in a thing; of what they hold themselves nothing is counted.
    pub fn matter_count(&self, holder: Thing) -> usize {
        self.placed.matter.get(&holder).copied().unwrap_or_default()
    }

    /// Where a thing stands on a grid.
    fn spot(&self, thing: Thing) -> Option<Coords> {
        match thing {
            Thing::Being(id) => self.beings.get(&id)?.coords,
            Thing::Matter(id) => self.matter.get(&id)?.coords,
            Thing::Space(_) => None,
        }
    }
}

struct Search<'a> {
    world: &'a World,
    space: SpaceId,
    kind: PlacedKind,
    from: Coords,
}

impl Search<'_> {
    fn inside(&self, square: Square) -> impl DoubleEndedIterator<Item = &PlacedSpot> {
        let at = |square: u128, made: Made| (self.space, self.kind, square, made);
        self.world.placed.spots.range(at(square.first, FIRST)..=at(square.last(), LAST))
    }

    /// Opens a square: to what is in it where that is little, else to the quarters of the smallest square in which all of that lies.
    fn open(&self, square: Square, open: &mut BinaryHeap<SearchStep>) {
        let mut inside = self.inside(square);
        let Some((.., first, _)) = inside.next() else { return };
        let filled = square.around(*first, inside.next_back().map_or(*first, |(.., last, _)| *last));
        if filled.bits > 0 && self.inside(filled).nth(FEW).is_some() {
            open.extend(filled.quarters().map(|quarter| Reverse((quarter.apart(self.from), None, quarter))));
        } else {
            let made = self.inside(filled).map(|(.., made)| *made);
            let spots = made.filter_map(|made| Some((made, self.world.spot(self.kind.thing(made))?)));
            open.extend(spots.map(|(made, at)| Reverse((apart(self.from, at), Some(made), filled))));
        }
    }
}
