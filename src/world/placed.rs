//! Placed: an index of the things on the grids of spaces by spot, so that the nearest are found at once among any number.
//!
//! Spots are listed by squares of 8 by 8 steps, so that most steps change nothing in the list. The two axes of a square are written into one
//! number, bit by bit in turn: what stands in a greater square is one stretch of the list, too. The list follows from where things stand; it
//! is no part of the world hash, and is made anew where a world is gathered from a checkpoint.

use imbl::{OrdMap, OrdSet};

use crate::fact::{BeingId, Coords, Made, MatterId, SpaceId, Thing};

/// How many bits of an axis lie within a square of the list.
const WITHIN: u32 = 3;

/// A kind of things that are listed by their spots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlacedKind {
    /// Beings.
    Beings,
    /// Matter.
    Matter,
}

/// One thing in the list: in which space, of which kind, in which square, and what.
pub(super) type PlacedSpot = (SpaceId, PlacedKind, u128, Made);

/// The index of things by spot.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    pub(super) spots: OrdSet<PlacedSpot>,
    /// How much matter lies in a thing.
    pub(super) matter: OrdMap<Thing, usize>,
}

/// A square: its first square of the list, and in how many bits the others differ from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Square {
    pub(super) first: u128,
    pub(super) bits: u32,
}

impl Placed {
    /// A thing stands elsewhere than before, or not there any more.
    pub(super) fn moved(&mut self, thing: Thing, from: Option<(Thing, Option<Coords>)>, to: Option<(Thing, Option<Coords>)>) {
        let listed = |at: Option<(Thing, Option<Coords>)>| at.and_then(|(place, coords)| listed(thing, place, coords?));
        if let (Thing::Matter(_), [was, is]) = (thing, [from, to].map(|at| at.map(|(place, _)| place))) {
            self.count(was, is);
        }
        let (from, to) = (listed(from), listed(to));
        if from != to {
            from.map(|from| self.spots.remove(&from));
            to.map(|to| self.spots.insert(to));
        }
    }

    /// A piece of matter lies in another thing than before.
    fn count(&mut self, was: Option<Thing>, is: Option<Thing>) {
        if let Some(count) = was.and_then(|was| self.matter.get_mut(&was)) {
            *count = count.saturating_sub(1);
        }
        if let Some(is) = is {
            *self.matter.entry(is).or_default() += 1;
        }
        if let Some(was) = was.filter(|was| self.matter.get(was) == Some(&0)) {
            self.matter.remove(&was);
        }
    }
}

impl PlacedKind {
    pub(super) fn thing(self, made: Made) -> Thing {
        match self {
            Self::Beings => Thing::Being(BeingId(made)),
            Self::Matter => Thing::Matter(MatterId(made)),
        }
    }
}

/// Under what a thing at a spot is listed. Spaces are few: they are not.
fn listed(thing: Thing, place: Thing, coords: Coords) -> Option<PlacedSpot> {
    let Thing::Space(space) = place else { return None };
    let (kind, made) = match thing {
        Thing::Being(id) => (PlacedKind::Beings, id.0),
        Thing::Matter(id) => (PlacedKind::Matter, id.0),
        Thing::Space(_) => return None,
    };
    Some((space, kind, in_turns(coords), made))
}

impl Square {
    pub(super) fn last(self) -> u128 {
        self.first | ones(self.bits)
    }

    /// The smallest square in this one in which two squares of the list lie.
    pub(super) fn around(self, one: u128, other: u128) -> Self {
        let differ = u128::BITS - (one ^ other).leading_zeros();
        let bits = differ.next_multiple_of(2);
        Self { first: one & !ones(bits), bits }
    }

    pub(super) fn quarters(self) -> impl Iterator<Item = Self> {
        let bits = self.bits.saturating_sub(2);
        (0..4_u128).map(move |quarter| Self { first: self.first | (quarter << bits), bits })
    }

    /// The square of the distance of its nearest spot.
    pub(super) fn apart(self, from: Coords) -> i128 {
        let ((x, y), (to_x, to_y)) = (axes(self.first), axes(self.last()));
        let end = |axis: i64| axis.saturating_add((1 << WITHIN) - 1);
        apart(from, Coords { x: from.x.clamp(x, end(to_x)), y: from.y.clamp(y, end(to_y)), z: from.z })
    }
}

/// So many ones.
fn ones(bits: u32) -> u128 {
    1_u128.checked_shl(bits).map_or(u128::MAX, |over| over - 1)
}

/// The square of the list in which a spot lies: both axes in one number, bit by bit in turn.
fn in_turns(at: Coords) -> u128 {
    let spread = |axis: i64| (0..u64::BITS).fold(0, |all, bit| all | (u128::from((above(axis) >> WITHIN) >> bit & 1) << (2 * bit)));
    spread(at.x) | (spread(at.y) << 1)
}

/// The first spot of a square of the list.
fn axes(square: u128) -> (i64, i64) {
    let gather = |square: u128| (0..u64::BITS).fold(0, |all, bit| all | ((((square >> (2 * bit)) & 1) as u64) << bit));
    (below(gather(square) << WITHIN), below(gather(square >> 1) << WITHIN))
}

/// A whole number as one that is not below 0, in the same order.
fn above(axis: i64) -> u64 {
    axis.cast_unsigned() ^ (1 << 63)
}

fn below(axis: u64) -> i64 {
    (axis ^ (1 << 63)).cast_signed()
}

/// The square of the distance between two places on a grid.
pub fn apart(from: Coords, to: Coords) -> i128 {
    let along = |from: i64, to: i64| {
        let steps = i128::from(from) - i128::from(to);
        steps.saturating_mul(steps)
    };
    along(from.x, to.x).saturating_add(along(from.y, to.y)).saturating_add(along(from.z, to.z))
}
