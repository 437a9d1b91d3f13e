//! Plan: where each place of a world lies on its map. It follows from the [plots](crate::world::Plots) alone.
//!
//! The places of a source are laid together: those with a column and a row on a grid, the others so that little is left empty. Each place that
//! is made later takes half of the largest neighbour's room. So walls stand still: neither who is where nor the window of a reader moves them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Coords, Made, Seq, SpaceId, Value};
use crate::world::{HIDDEN, Plot, Space, World};

use super::slice::{Area, Extent, Laid, largest};

/// How wide a map is against its height.
const RATIO: f64 = 1.6;
/// How deep the map is drawn.
const DEPTH: usize = 12;
/// Between places, and between those of the world itself.
const GAP: [f64; 2] = [12.0, 18.0];
/// Inside the edge of a place: its wall, its title, and the air around what is in it.
const EDGE: f64 = 5.0;
const HEAD: f64 = 32.0;
const PAD: f64 = 14.0;
/// The air around all places of the world.
const MARGIN: f64 = 10.0;
/// No more of a place than this share is air at one side of it, or its title.
const AIR_MOST: f64 = 0.1;
const HEAD_MOST: f64 = 0.3;
/// The least floor that a place has.
const LEAST: Extent = Extent { w: 168.0, h: 112.0 };
/// The floor of a world whose source has no places: all that are made later share it.
const BARE: Extent = Extent { w: 1_120.0, h: 700.0 };
/// A piece of matter with its name.
const THING: Extent = Extent { w: 78.0, h: 74.0 };
/// A cell of a grid.
const CELL: Extent = Extent { w: 62.0, h: 80.0 };
/// No grid is drawn larger.
const GRID: Extent = Extent { w: 780.0, h: 560.0 };
/// The furniture along the far side of a room, and along the near one.
const BACK: f64 = 62.0;
const FRONT: f64 = 58.0;
/// Where people may stand in a place that is made of places.
const STRIP: f64 = 60.0;
/// More seats or pieces of matter than this count no more: they are drawn smaller.
const SEATS_MAX: u64 = 2_048;
const THINGS_MAX: u64 = 15;
/// A room has seats for so many, by steps.
const STEPS: [u64; 17] = [2, 4, 6, 9, 12, 16, 20, 25, 30, 36, 49, 64, 81, 100, 144, 196, 256];

/// Where a place lies on the map, in units of the map: `[x, y, width, height]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Lot)]
pub struct LotTold {
    /// All of it, with its walls.
    pub whole: [f64; 4],
    /// The part of its floor that no place in it takes.
    pub floor: [f64; 4],
}

/// The plan of a world.
#[derive(Debug, Default)]
pub struct MapPlan {
    /// The frame from which it holds.
    pub since: Seq,
    grounds: BTreeMap<SpaceId, LotTold>,
}

impl MapPlan {
    fn of(world: &World, hidden: &BTreeSet<SpaceId>) -> Self {
        let mut grounds = BTreeMap::new();
        let mut map = Drawing::of(world, hidden);
        let sizes = map.measure(0, 0);
        let shape = Area { w: RATIO, h: 1.0, ..Area::default() };
        if let Some(Extent { w, h }) = largest(sizes, |size| *size, shape) {
            map.lay(0, Area { w: w.max(h * RATIO), h: h.max(w / RATIO), ..Area::default() }, 0, &mut grounds);
        }
        Self { since: world.plots().since(), grounds }
    }

    /// Where a place lies; nothing for those that are not drawn.
    pub fn ground(&self, place: SpaceId) -> Option<LotTold> {
        self.grounds.get(&place).copied()
    }
}

/// How many plans are kept.
const KEPT: usize = 8;

/// The plans that were asked for lately, the last one first: each with the places that it leaves out.
#[derive(Debug, Default)]
pub struct MapPlans(Mutex<Vec<(BTreeSet<SpaceId>, Arc<MapPlan>)>>);

impl MapPlans {
    /// The plan of a world as of some seq.
    pub fn of(&self, world: &World) -> Arc<MapPlan> {
        let (hidden, since) = (hidden_in(world), world.plots().since());
        let is_it = |(left_out, plan): &(BTreeSet<SpaceId>, Arc<MapPlan>)| plan.since == since && *left_out == hidden;
        if let Some(plan) = self.again(is_it) {
            return plan;
        }
        // Nobody waits for another's drawing; of two that draw the same the later is kept too.
        let plan = Arc::new(MapPlan::of(world, &hidden));
        let mut kept = self.kept();
        kept.insert(0, (hidden, plan.clone()));
        kept.truncate(KEPT);
        plan
    }

    /// A plan that is kept; the one that was asked for last is forgotten last.
    fn again(&self, is_it: impl Fn(&(BTreeSet<SpaceId>, Arc<MapPlan>)) -> bool) -> Option<Arc<MapPlan>> {
        let mut kept = self.kept();
        let found = kept.iter().position(is_it)?;
        let known = kept.remove(found);
        let plan = known.1.clone();
        kept.insert(0, known);
        Some(plan)
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(BTreeSet<SpaceId>, Arc<MapPlan>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The places that are left out of a map, with all in them.
fn hidden_in(world: &World) -> BTreeSet<SpaceId> {
    let looks = world.registry().looks();
    let is_hidden = |space: &Space| {
        let own = space.qualities.at(HIDDEN).and_then(Value::as_bool);
        space.name.starts_with('.') || own.or_else(|| looks.get(&space.kind)?.hidden) == Some(true)
    };
    world.spaces().filter(|space| is_hidden(space)).map(|space| space.id).collect()
}

/// One place of the map, or the room that one has left.
struct PlaceDrawn<'a> {
    plot: &'a Plot,
    /// The places in it that its source made, and those made later.
    planted: Vec<usize>,
    later: Vec<usize>,
    /// The size of its own floor, and how the places in it are laid; known once it is measured.
    own: Extent,
    inner: Option<Inner>,
}

/// All places of a map, the outer before the inner; the first is the world itself.
struct Drawing<'a>(Vec<PlaceDrawn<'a>>);

impl<'a> Drawing<'a> {
    fn of(world: &'a World, hidden: &BTreeSet<SpaceId>) -> Self {
        let mut nodes: Vec<PlaceDrawn<'a>> = Vec::new();
        let mut known: BTreeMap<Made, usize> = BTreeMap::new();
        for (made, plot) in world.plots().all() {
            let parent = plot.parent.map(|parent| known.get(&parent).copied());
            if parent == Some(None) || plot.place.is_some_and(|place| hidden.contains(&place)) {
                continue;
            }
            known.insert(made, nodes.len());
            let at = nodes.len();
            if let Some(parent) = parent.flatten().and_then(|parent| nodes.get_mut(parent)) {
                if plot.is_planted { parent.planted.push(at) } else { parent.later.push(at) }
            }
            nodes.push(PlaceDrawn { plot, planted: Vec::new(), later: Vec::new(), own: Extent::default(), inner: None });
        }
        Self(nodes)
    }

    /// Whether it is the world itself, and made of places.
    fn is_world(&self, at: usize, depth: usize) -> bool {
        depth == 0 && self.0.get(at).is_some_and(|node| !node.planted.is_empty() || !node.later.is_empty())
    }

    /// The sizes that a place may have, from those in it.
    fn measure(&mut self, at: usize, depth: usize) -> Vec<Extent> {
        let Some((plot, planted)) = self.0.get(at).map(|node| (node.plot, node.planted.clone())) else { return Vec::new() };
        let is_world = self.is_world(at, depth);
        let places: Vec<Placing> = planted
            .iter()
            .filter(|_| depth < DEPTH)
            .filter_map(|inner| Some(Placing { at: self.0.get(*inner)?.plot.at, sizes: self.measure(*inner, depth + 1) }))
            .collect();
        let own = if is_world && places.is_empty() { vec![BARE] } else { own_sizes(plot, !places.is_empty(), is_world) };
        let gap = gap(is_world);
        let inner = (!places.is_empty()).then(|| Inner::of(places, gap));
        let first = own.first().copied().unwrap_or_default();
        let floors = inner.as_ref().map_or(own, |inner| {
            let below = |size: Extent| Extent { w: size.w.max(first.w), h: size.h + first.h + if first.h > 0.0 { gap } else { 0.0 } };
            inner.sizes().into_iter().map(below).collect()
        });
        if let Some(node) = self.0.get_mut(at) {
            (node.own, node.inner) = (first, inner);
        }
        let least = if is_world { Extent::default() } else { LEAST };
        let frame = frame(is_world);
        floors.into_iter().map(|floor| Extent { w: floor.w.max(least.w) + frame.w, h: floor.h.max(least.h) + frame.h }).collect()
    }

    /// Lays a place into an area, and those in it.
    fn lay(&self, at: usize, whole: Area, depth: usize, grounds: &mut BTreeMap<SpaceId, LotTold>) {
        let Some(node) = self.0.get(at) else { return };
        let is_world = self.is_world(at, depth);
        let gap = gap(is_world).min(whole.w.min(whole.h) * AIR_MOST);
        let floor = floor(whole, is_world);
        let (own, rest) = match &node.inner {
            // Its own floor keeps its height; the places in it take the rest.
            Some(_) if node.own.h > 0.0 => floor.below((node.own.h / (floor.h - gap).max(1.0)).min(0.5), gap),
            Some(_) => (Area { h: 0.0, ..floor }, floor),
            None if node.later.is_empty() => (floor, floor),
            None if is_world => (Area { h: 0.0, ..floor }, floor),
            None => floor.below(0.5, gap),
        };
        if let Some(place) = node.plot.place {
            grounds.insert(place, LotTold { whole: rounded(whole), floor: rounded(own) });
        }
        let mut laid: Vec<(usize, Area)> =
            node.inner.iter().flat_map(|inner| node.planted.iter().copied().zip(inner.areas(rest))).collect();
        for later in node.later.iter().filter(|_| depth < DEPTH) {
            let area = self.taken(*later, rest, gap, &mut laid);
            laid.push((*later, area));
        }
        laid.into_iter().for_each(|(inner, area)| self.lay(inner, area, depth + 1, grounds));
    }

    /// The room that a later place takes: half of the neighbour that is nearest by column and row, else of the largest.
    fn taken(&self, later: usize, rest: Area, gap: f64, laid: &mut [(usize, Area)]) -> Area {
        let at_of = |at: usize| self.0.get(at).and_then(|node| node.plot.at);
        let far = |(at, area): &(usize, Area)| {
            let steps = at_of(later).zip(at_of(*at)).map(|(one, other)| one.0.abs_diff(other.0) + one.1.abs_diff(other.1));
            (steps.unwrap_or(u64::MAX), -(area.w * area.h))
        };
        let nearer = |one: &(u64, f64), other: &(u64, f64)| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1));
        let Some((_, neighbour)) = laid.iter_mut().min_by(|one, other| nearer(&far(one), &far(other))) else { return rest };
        let (kept, taken) = neighbour.halves(gap);
        *neighbour = kept;
        taken
    }
}

fn gap(is_world: bool) -> f64 {
    let [inside, between] = GAP;
    if is_world { between } else { inside }
}

/// The floor of a place that has been laid; a small one keeps most of its room for it.
fn floor(Area { x, y, w, h }: Area, is_world: bool) -> Area {
    let wide = frame(is_world).w;
    let (side, foot) = ((wide / 2.0).min(w * AIR_MOST), (if is_world { MARGIN } else { PAD + EDGE }).min(h * AIR_MOST));
    let head = (if is_world { MARGIN } else { EDGE + HEAD }).min(h * HEAD_MOST);
    Area { x: x + side, y: y + head, w: w - 2.0 * side, h: h - head - foot }
}

/// How much larger a place is than its floor.
fn frame(is_world: bool) -> Extent {
    if is_world {
        return Extent { w: 2.0 * MARGIN, h: 2.0 * MARGIN };
    }
    Extent { w: 2.0 * (PAD + EDGE), h: HEAD + PAD + 2.0 * EDGE }
}

/// The numbers of an area, to a hundredth.
fn rounded(Area { x, y, w, h }: Area) -> [f64; 4] {
    [x, y, w, h].map(|number| (number * 100.0).round() / 100.0)
}

/// The sizes of what a place holds itself: broad, even, or narrow.
fn own_sizes(plot: &Plot, holds_places: bool, is_world: bool) -> Vec<Extent> {
    if let Some(size) = plot.size {
        return vec![grid(size)];
    }
    // Those who keep a world running stand beside the places of which it is made.
    let homes = if is_world { 0 } else { plot.homes };
    let things = plot.things.min(THINGS_MAX);
    if holds_places && homes == 0 && things == 0 {
        return vec![Extent { w: 0.0, h: if is_world { 0.0 } else { STRIP } }];
    }
    let seats = if is_world { 0 } else { stepped(homes.clamp(1, SEATS_MAX)) };
    let seat = seat(seats);
    [0.6, 1.4, 3.0]
        .map(|ratio| {
            let columns = (seats as f64 * ratio * seat.h / seat.w).sqrt().round().clamp(1.0, seats.max(1) as f64);
            let per_row = (things as f64)
                .min(if ratio > 2.0 {
                    8.0
                } else if ratio > 1.0 {
                    5.0
                } else {
                    3.0
                })
                .max(1.0);
            let rows = if things > 0 { (things as f64 / per_row).ceil() * THING.h } else { FRONT };
            let back = if holds_places { 0.0 } else { BACK };
            Extent {
                w: (columns * seat.w).max(if things > 0 { per_row * THING.w } else { 0.0 }),
                h: back + (seats as f64 / columns).ceil() * seat.h + rows,
            }
        })
        .to_vec()
}

fn stepped(count: u64) -> u64 {
    STEPS.into_iter().find(|step| *step >= count).unwrap_or_else(|| count.div_ceil(128) * 128)
}

/// The room that one of so many has.
fn seat(seats: u64) -> Extent {
    let (w, h) = match seats {
        0..=12 => (84.0, 86.0),
        13..=42 => (70.0, 68.0),
        43..=256 => (40.0, 40.0),
        _ => (22.0, 22.0),
    };
    Extent { w, h }
}

fn grid(size: Coords) -> Extent {
    let (x, y) = (size.x.max(1) as f64, size.y.max(1) as f64);
    let (w, h) = (CELL.w.min(GRID.w / x), CELL.h.min(GRID.h / y));
    // A grid of many cells is square, as it is meant.
    let (w, h) = if w < 40.0 || h < 40.0 { (w.min(h), w.min(h)) } else { (w, h) };
    Extent { w: x * w, h: y * h + 12.0 }
}

/// The column and the row for which a place asks, and the sizes that it may have.
struct Placing {
    at: Option<(u64, u64)>,
    sizes: Vec<Extent>,
}

/// How the places of one place are laid: those with a column and a row on a grid, the others below it.
struct Inner {
    gap: f64,
    /// Of each place its column and its row on the grid, or its number among the others.
    spots: Vec<Result<(usize, usize), usize>>,
    widths: Vec<f64>,
    heights: Vec<f64>,
    others: Option<Laid>,
}

impl Inner {
    fn of(places: Vec<Placing>, gap: f64) -> Self {
        let mut taken: BTreeSet<(u64, u64)> = places.iter().filter_map(|place| place.at).collect();
        let ranked = |axis: fn(&(u64, u64)) -> u64| {
            let all: BTreeSet<u64> = taken.iter().map(axis).collect();
            all.into_iter().zip(0usize..).collect::<BTreeMap<u64, usize>>()
        };
        let (columns, rows) = (ranked(|at| at.0), ranked(|at| at.1));
        let (mut widths, mut heights) = (vec![0.0_f64; columns.len()], vec![0.0_f64; rows.len()]);
        let (mut spots, mut others) = (Vec::new(), Vec::new());
        for Placing { at, sizes } in places {
            // Of two that ask for the same spot the first has it.
            let spot = at.filter(|at| taken.remove(at)).and_then(|at| Some((*columns.get(&at.0)?, *rows.get(&at.1)?)));
            let Some((column, row)) = spot else {
                spots.push(Err(others.len()));
                others.push(sizes);
                continue;
            };
            spots.push(Ok((column, row)));
            let even = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
            let wider = |all: &mut Vec<f64>, at: usize, to: f64| all.get_mut(at).into_iter().for_each(|one| *one = one.max(to));
            wider(&mut widths, column, even.w);
            wider(&mut heights, row, even.h);
        }
        let others = (!others.is_empty()).then(|| Laid::of(&others, gap));
        Self { gap, spots, widths, heights, others }
    }

    fn grid(&self) -> Extent {
        let long = |all: &[f64]| all.iter().sum::<f64>() + self.gap * (all.len() as f64 - 1.0).max(0.0);
        Extent { w: long(&self.widths), h: long(&self.heights) }
    }

    fn sizes(&self) -> Vec<Extent> {
        let grid = self.grid();
        let gap = if grid.h > 0.0 { self.gap } else { 0.0 };
        let others = self.others.as_ref().map(Laid::sizes);
        others.map_or(vec![grid], |others| {
            others.into_iter().map(|size| Extent { w: size.w.max(grid.w), h: size.h + gap + grid.h }).collect()
        })
    }

    /// Where each place lies in an area.
    fn areas(&self, into: Area) -> Vec<Area> {
        let grid = self.grid();
        let (above, below) = match &self.others {
            Some(others) if grid.h > 0.0 => {
                let high = largest(others.sizes(), |size| *size, into).map_or(0.0, |size| size.h);
                into.below(grid.h / (grid.h + high).max(1.0), self.gap)
            }
            _ => (into, into),
        };
        let (columns, rows) = (self.stretched(&self.widths, above.w), self.stretched(&self.heights, above.h));
        let others = self.others.as_ref().map(|others| others.areas(below)).unwrap_or_default();
        let on_grid = |(column, row): (usize, usize)| {
            let ((x, w), (y, h)) = (columns.get(column)?, rows.get(row)?);
            Some(Area { x: above.x + x, y: above.y + y, w: *w, h: *h })
        };
        let area = |spot: &Result<(usize, usize), usize>| spot.map_or_else(|other| others.get(other).copied(), on_grid);
        self.spots.iter().map(|spot| area(spot).unwrap_or_default()).collect()
    }

    /// Where each column begins, and how wide it is, where all of them fill a length.
    fn stretched(&self, all: &[f64], length: f64) -> Vec<(f64, f64)> {
        let sum = all.iter().sum::<f64>().max(1.0);
        let gaps = all.len().saturating_sub(1) as f64;
        let gap = self.gap.min(length * 0.1 / gaps.max(1.0));
        let room = length - gap * gaps;
        let mut begins = 0.0;
        let next = |wide: &f64| {
            let (at, wide) = (begins, wide / sum * room);
            begins += wide + gap;
            (at, wide)
        };
        all.iter().map(next).collect()
    }
}
