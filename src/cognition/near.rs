//! Near: what a being can name without searching, the nearest first: by distance where there are coordinates, then the others. In a crowd its
//! kin and its caller come before those.

use std::collections::BTreeSet;

use crate::fact::{BeingId, Coords, MatterId, Orientation, Thing};
use crate::moment::Opening;
use crate::world::{Being, PlacedKind, World, apart};

/// How many things of a kind are named one by one.
pub(super) const LISTED: usize = 24;
/// How many of those who are there are named.
pub(super) const NAMED: usize = 64;
/// Among how many of its children a being looks for those that are where it is.
const CHILDREN: usize = 1_024;

/// The surroundings of a being.
pub(super) struct Near {
    /// Whoever woke it.
    pub(super) caller: Option<BeingId>,
    /// The things that can be named, in order: itself, its place and its home, its caller, and the things near by.
    pub(super) things: Vec<Thing>,
    /// How many of those come first in any order: they are not there for being near.
    own: usize,
    /// Whether it is told of what is elsewhere, too.
    pub(super) has_afar: bool,
}

impl Near {
    pub(super) fn of(opening: &Opening, world: &World) -> Self {
        let being = &opening.being;
        // Turned inward, it has itself, and whoever woke it.
        if opening.orientation == Orientation::Inward {
            let things: Vec<Thing> =
                [being.id].into_iter().chain(opening.caller.filter(|caller| *caller != being.id)).map(Thing::Being).collect();
            return Self { caller: opening.caller, own: things.len(), things, has_afar: false };
        }
        let mut things = vec![Thing::Being(being.id), Thing::Space(being.position), Thing::Space(being.home)];
        things.extend(being.parent.map(Thing::Being));
        let others: Vec<BeingId> = others(world, being, opening.caller).take(LISTED).collect();
        // A caller who is among the others keeps its place there, so that the order is the same for every caller.
        things.extend(opening.caller.filter(|caller| !others.contains(caller)).map(Thing::Being));
        let own: BTreeSet<Thing> = things.iter().copied().collect();
        things.extend(others.into_iter().map(Thing::Being));
        things.extend(world.children_of(being.id).take(LISTED).map(Thing::Being));
        things.extend(matter(world, being).take(LISTED).map(Thing::Matter));
        things.extend(world.matter_in(Thing::Being(being.id)).take(LISTED).map(|(_, id)| Thing::Matter(id)));
        things.extend(world.spaces_in(being.position).take(LISTED).map(|(_, id)| Thing::Space(id)));
        let mut seen = BTreeSet::new();
        things.retain(|thing| seen.insert(*thing));
        Self { caller: opening.caller, own: own.len(), things, has_afar: true }
    }

    /// The same things in another order: behind its own what has a spot by its distance, whatever it is; then a being, a thing and a space by
    /// turns.
    pub(super) fn by_distance<'a>(&'a self, world: &'a World, me: &'a Being) -> impl Iterator<Item = Thing> + 'a {
        let distance = move |thing: &Thing| {
            let coords = match thing {
                Thing::Being(id) => world.being(*id).filter(|other| other.position == me.position).and_then(|other| other.coords),
                Thing::Matter(id) => {
                    world.matter(*id).filter(|matter| matter.place == Thing::Space(me.position)).and_then(|matter| matter.coords)
                }
                Thing::Space(_) => None,
            };
            me.coords.zip(coords).map(|(from, to)| apart(from, to))
        };
        let kinds: [fn(&Thing) -> bool; 3] =
            [|thing| matches!(thing, Thing::Being(_)), |thing| matches!(thing, Thing::Matter(_)), |thing| matches!(thing, Thing::Space(_))];
        let mut lists = kinds.map(|is_of| (0_usize, self.things.iter().skip(self.own).copied().filter(is_of).peekable()));
        let merged = std::iter::from_fn(move || {
            let heads = lists.iter_mut().filter_map(|(turns, list)| {
                let distance = distance(list.peek()?);
                Some(((distance.is_none(), distance, *turns), (turns, list)))
            });
            let ((is_unplaced, ..), (turns, list)) = heads.min_by_key(|(rank, _)| *rank)?;
            *turns += usize::from(is_unplaced);
            list.next()
        });
        self.things.iter().take(self.own).copied().chain(merged)
    }
}

/// The others where a being stands: the nearest first, then all others in the order of their birth. Where they are more than can be listed,
/// its kin and whoever woke it come before those.
pub(super) fn others<'a>(world: &'a World, me: &'a Being, caller: Option<BeingId>) -> impl Iterator<Item = BeingId> + 'a {
    let placed = placed(world, me, PlacedKind::Beings);
    let placed = placed.filter_map(|thing| if let Thing::Being(id) = thing { Some(id) } else { None });
    let is_crowd = world.space(me.position).is_some_and(|space| space.count as usize > LISTED);
    let is_here = |being: &Being| being.position == me.position && !is_placed(me, being.coords);
    let mut kin: Vec<BeingId> = caller.into_iter().chain(me.parent).chain(world.children_of(me.id).take(CHILDREN)).collect();
    kin.retain(|id| is_crowd && world.being(*id).is_some_and(|being| !being.ended && is_here(being)));
    kin.sort_unstable();
    kin.dedup();
    let rest = world.beings_in(me.position).filter(move |id| world.being(*id).is_some_and(|being| is_here(being)));
    let rest = {
        let kin = kin.clone();
        rest.filter(move |id| kin.binary_search(id).is_err())
    };
    placed.chain(kin).chain(rest).filter(|id| *id != me.id)
}

/// The matter where a being stands: the nearest first, then all other in the order of its names.
pub(super) fn matter<'a>(world: &'a World, me: &'a Being) -> impl Iterator<Item = MatterId> + 'a {
    let placed = placed(world, me, PlacedKind::Matter);
    let placed = placed.filter_map(|thing| if let Thing::Matter(id) = thing { Some(id) } else { None });
    let is_rest = |id: &MatterId| world.matter(*id).is_some_and(|matter| !is_placed(me, matter.coords));
    placed.chain(world.matter_in(Thing::Space(me.position)).map(|(_, id)| id).filter(is_rest))
}

/// The beings or the matter with a spot, the nearest first; nothing where the being has none.
fn placed<'a>(world: &'a World, me: &'a Being, kind: PlacedKind) -> impl Iterator<Item = Thing> + 'a {
    me.coords.into_iter().flat_map(move |from| world.nearest(me.position, kind, from))
}

/// Whether something at a spot stands among what has one, for a being.
fn is_placed(me: &Being, at: Option<Coords>) -> bool {
    me.coords.is_some() && at.is_some()
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
