//! Near: what a being can name without searching, the nearest first: by distance where there are coordinates, then whoever woke it and its
//! kin, then the others.

use std::collections::BTreeSet;

use crate::fact::{BeingId, Coords, Orientation, Thing};
use crate::moment::Opening;
use crate::world::{Being, World};

/// How many things of a kind are named one by one.
pub(super) const LISTED: usize = 24;
/// Through how many things of a kind one looks for the nearest: a crowd costs no more than that.
const LOOKED_THROUGH: usize = 1_024;

/// What lies around a being.
pub(super) struct Near {
    /// The others in its space, the nearest first.
    pub(super) others: Vec<BeingId>,
    /// What can be named, in order: itself, where it is and lives, whoever woke it, and what is near.
    pub(super) things: Vec<Thing>,
    /// Whether it is told of what is elsewhere, too.
    pub(super) has_afar: bool,
}

impl Near {
    pub(super) fn of(opening: &Opening, world: &World) -> Self {
        let being = &opening.being;
        // Turned inward, it has itself, and whoever woke it.
        if opening.orientation == Orientation::Inward {
            let things = [being.id].into_iter().chain(opening.caller.filter(|caller| *caller != being.id)).map(Thing::Being).collect();
            return Self { others: Vec::new(), things, has_afar: false };
        }
        let others = others(opening, world);
        let mut things = vec![Thing::Being(being.id), Thing::Space(being.position), Thing::Space(being.home)];
        things.extend(being.parent.map(Thing::Being));
        things.extend(opening.caller.map(Thing::Being));
        things.extend(others.iter().take(LISTED).copied().map(Thing::Being));
        things.extend(world.children_of(being.id).take(LISTED).map(Thing::Being));
        things.extend(world.matter_in(Thing::Space(being.position)).take(LISTED).map(|(_, id)| Thing::Matter(id)));
        things.extend(world.matter_in(Thing::Being(being.id)).take(LISTED).map(|(_, id)| Thing::Matter(id)));
        things.extend(world.spaces_in(being.position).take(LISTED).map(|(_, id)| Thing::Space(id)));
        let mut seen = BTreeSet::new();
        things.retain(|thing| seen.insert(*thing));
        Self { others, things, has_afar: true }
    }
}

/// The others where a being stands, the nearest first; among those who are as near, whoever was born first.
fn others(opening: &Opening, world: &World) -> Vec<BeingId> {
    let me = &opening.being;
    let others = world.beings_in(me.position).filter(|id| *id != me.id).take(LOOKED_THROUGH).filter_map(|id| world.being(id));
    let is_kin = |other: &Being| Some(other.id) == opening.caller || me.parent == Some(other.id) || other.parent == Some(me.id);
    let mut others: Vec<(Nearness, BeingId)> = others.map(|other| (nearness(me.coords, other, is_kin(other)), other.id)).collect();
    others.sort_unstable();
    others.into_iter().map(|(_, id)| id).collect()
}

/// How near somebody is: the distance squared, of kin, of nobody in particular.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    At(i128),
    Kin,
    There,
}

fn nearness(from: Option<Coords>, other: &Being, is_kin: bool) -> Nearness {
    match (from.zip(other.coords), is_kin) {
        (Some((from, to)), _) => Nearness::At(apart(from, to)),
        (None, true) => Nearness::Kin,
        (None, false) => Nearness::There,
    }
}

/// How many steps away something is, and in which direction.
pub(super) fn where_from(from: Coords, to: Coords) -> (i64, Option<&'static str>) {
    // A whole number of steps: the root is exact enough on every machine, as IEEE 754 says.
    ((apart(from, to) as f64).sqrt().round() as i64, bearing(i128::from(to.x) - i128::from(from.x), i128::from(to.y) - i128::from(from.y)))
}

/// The nearest of eight directions; on a grid, as on a page, rows are counted from the north.
fn bearing(east: i128, south: i128) -> Option<&'static str> {
    // Half of what is between two directions, as a share of the longer side: the tangent of an eighth of a turn's half.
    let is_along = |long: i128, short: i128| short.abs() * 1_000 <= long.abs() * 414;
    let upright = if is_along(east, south) {
        ""
    } else if south > 0 {
        "south"
    } else {
        "north"
    };
    let level = if is_along(south, east) {
        ""
    } else if east > 0 {
        "east"
    } else {
        "west"
    };
    match (upright, level) {
        ("", "") => None,
        ("north", "") => Some("north"),
        ("south", "") => Some("south"),
        ("", "east") => Some("east"),
        ("", _) => Some("west"),
        ("north", "east") => Some("north-east"),
        ("north", _) => Some("north-west"),
        (_, "east") => Some("south-east"),
        (_, _) => Some("south-west"),
    }
}

/// The square of the distance between two places on a grid.
fn apart(from: Coords, to: Coords) -> i128 {
    let along = |from: i64, to: i64| {
        let steps = i128::from(from) - i128::from(to);
        steps.saturating_mul(steps)
    };
    along(from.x, to.x).saturating_add(along(from.y, to.y)).saturating_add(along(from.z, to.z))
}
