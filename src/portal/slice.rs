//! Slice: rectangles laid into one by cutting it in two again and again, along or across, so that little is left empty.
//!
//! The same rectangles are always laid the same way. Each of them may have several sizes, of which one is taken.

use std::collections::BTreeMap;

/// How wide and how high something is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Extent {
    pub(super) w: f64,
    pub(super) h: f64,
}

/// A rectangle on a map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

/// A gap takes no more than this share of what it parts.
const GAP_MOST: f64 = 0.1;

impl Area {
    /// Its two halves along the longer side, with a gap between them.
    pub(super) fn halves(self, gap: f64) -> (Self, Self) {
        if self.w >= self.h { self.beside(0.5, gap) } else { self.below(0.5, gap) }
    }

    /// A share of its width, and the rest beside that.
    fn beside(self, share: f64, gap: f64) -> (Self, Self) {
        let gap = gap.min(self.w * GAP_MOST);
        let w = (self.w - gap) * share;
        (Self { w, ..self }, Self { w: self.w - gap - w, x: self.x + w + gap, ..self })
    }

    /// A share of its height, and the rest below that.
    pub(super) fn below(self, share: f64, gap: f64) -> (Self, Self) {
        let gap = gap.min(self.h * GAP_MOST);
        let h = (self.h - gap) * share;
        (Self { h, ..self }, Self { h: self.h - gap - h, y: self.y + h + gap, ..self })
    }
}

/// How many ways to lay the same rectangles are kept.
const WAYS: usize = 10;
/// More rectangles than this are laid in even rows.
const CUT_MAX: usize = 18;
/// Rectangles that are all alike are laid in even rows from so many on.
const ALIKE: usize = 7;
/// The shapes that even rows may have, as width by height.
const SHAPES: [f64; 4] = [0.7, 1.0, 1.6, 2.2];

/// How a way is cut: each number is the place of a way among all.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cut {
    Whole(usize),
    Beside { left: usize, right: usize },
    Below { upper: usize, lower: usize },
}

/// One way to lay some rectangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct SliceWay {
    size: Extent,
    cut: Cut,
}

/// Several ways to lay some rectangles.
pub(super) enum Laid {
    /// By cuts: all ways, and those of them that hold all rectangles.
    Cuts { ways: Vec<SliceWay>, whole: Vec<usize>, count: usize, gap: f64 },
    /// In even rows of cells of one size.
    Rows { cell: Extent, count: usize, gap: f64 },
}

impl Laid {
    /// Lays rectangles, each of one of its sizes.
    pub(super) fn of(sizes: &[Vec<Extent>], gap: f64) -> Self {
        let is_alike = sizes.len() >= ALIKE && sizes.windows(2).all(|pair| pair.first() == pair.last());
        if sizes.len() > CUT_MAX || is_alike {
            let first = |sizes: &Vec<Extent>| sizes.first().copied().unwrap_or_default();
            let largest = |one: Extent, other: Extent| Extent { w: one.w.max(other.w), h: one.h.max(other.h) };
            return Self::Rows { cell: sizes.iter().map(first).fold(Extent::default(), largest), count: sizes.len(), gap };
        }
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        let area = |at: &usize| sizes.get(*at).and_then(|sizes| sizes.first()).map_or(0.0, |size| size.w * size.h);
        order.sort_by(|one, other| area(other).total_cmp(&area(one)).then(one.cmp(other)));
        let mut cutting = Cutting { sizes, order: &order, gap, ways: Vec::new(), known: BTreeMap::new() };
        let whole = cutting.of(0, order.len());
        Self::Cuts { ways: cutting.ways, whole, count: sizes.len(), gap }
    }

    /// The size of each way, none both wider and higher than another.
    pub(super) fn sizes(&self) -> Vec<Extent> {
        match self {
            Self::Cuts { ways, whole, .. } => whole.iter().filter_map(|at| Some(ways.get(*at)?.size)).collect(),
            Self::Rows { cell, count, gap } => {
                SHAPES.map(|shape| in_rows(*cell, *count, *gap, columns(*cell, *count, *gap, shape))).to_vec()
            }
        }
    }

    /// Where each rectangle lies in an area, in the order in which they were given.
    pub(super) fn areas(&self, into: Area) -> Vec<Area> {
        match self {
            Self::Cuts { ways, whole, count, gap } => {
                let mut areas = vec![into; *count];
                let sizes: Vec<(usize, Extent)> = whole.iter().filter_map(|at| Some((*at, ways.get(*at)?.size))).collect();
                if let Some((at, _)) = largest(sizes, |(_, size)| *size, into) {
                    spread(ways, at, into, *gap, &mut areas);
                }
                areas
            }
            Self::Rows { cell, count, gap } => {
                let shapes = SHAPES.map(|shape| columns(*cell, *count, *gap, shape)).to_vec();
                let columns = largest(shapes, |columns| in_rows(*cell, *count, *gap, *columns), into).unwrap_or(1);
                let rows = count.div_ceil(columns).max(1);
                let gap = gap.min(into.w / columns as f64 / 4.0).min(into.h / rows as f64 / 4.0);
                let (w, h) = ((into.w + gap) / columns as f64, (into.h + gap) / rows as f64);
                let at = |at: usize| ((at % columns) as f64, (at / columns) as f64);
                let area = |(column, row)| Area { x: into.x + column * w, y: into.y + row * h, w: w - gap, h: h - gap };
                (0..*count).map(|index| area(at(index))).collect()
            }
        }
    }
}

/// How many columns even rows of a shape have.
fn columns(cell: Extent, count: usize, gap: f64, shape: f64) -> usize {
    let columns = (count as f64 * shape * (cell.h + gap) / (cell.w + gap).max(1.0)).sqrt().round();
    (columns as usize).clamp(1, count.max(1))
}

fn in_rows(cell: Extent, count: usize, gap: f64, columns: usize) -> Extent {
    let rows = count.div_ceil(columns.max(1));
    Extent { w: columns as f64 * (cell.w + gap) - gap, h: rows as f64 * (cell.h + gap) - gap }
}

/// Of several the one that can be drawn largest in an area.
pub(super) fn largest<T>(all: Vec<T>, size: impl Fn(&T) -> Extent, into: Area) -> Option<T> {
    let scale = |one: &T| (into.w / size(one).w.max(1.0)).min(into.h / size(one).h.max(1.0));
    all.into_iter().reduce(|best, next| if scale(&next) > scale(&best) { next } else { best })
}

/// The ways to lay a run of rectangles, found once for each run.
struct Cutting<'a> {
    sizes: &'a [Vec<Extent>],
    order: &'a [usize],
    gap: f64,
    ways: Vec<SliceWay>,
    known: BTreeMap<(usize, usize), Vec<usize>>,
}

impl Cutting<'_> {
    fn of(&mut self, from: usize, to: usize) -> Vec<usize> {
        if let Some(known) = self.known.get(&(from, to)) {
            return known.clone();
        }
        let mut all = Vec::new();
        if let Some(at) = self.order.get(from).copied().filter(|_| to == from + 1) {
            all.extend(self.sizes.get(at).into_iter().flatten().map(|size| SliceWay { size: *size, cut: Cut::Whole(at) }));
        }
        for cut in from + 1..to {
            let (large, small) = (self.of(from, cut), self.of(cut, to));
            for (large, small) in large.iter().flat_map(|large| small.iter().map(|small| (*large, *small))) {
                all.extend(self.together(large, small));
            }
        }
        let kept = best(all);
        let first = self.ways.len();
        self.ways.extend(kept);
        let kept: Vec<usize> = (first..self.ways.len()).collect();
        self.known.insert((from, to), kept.clone());
        kept
    }

    /// Two ways beside each other and below each other; what is small stands at the left of what is large, or below it.
    fn together(&self, large: usize, small: usize) -> [SliceWay; 2] {
        let size = |at: usize| self.ways.get(at).map_or(Extent::default(), |way| way.size);
        let (big, little) = (size(large), size(small));
        let beside = Extent { w: little.w + self.gap + big.w, h: little.h.max(big.h) };
        let below = Extent { w: little.w.max(big.w), h: little.h + self.gap + big.h };
        [
            SliceWay { size: beside, cut: Cut::Beside { left: small, right: large } },
            SliceWay { size: below, cut: Cut::Below { upper: large, lower: small } },
        ]
    }
}

/// The best of some ways: none of them both wider and higher than another, and of those the smallest.
fn best(mut ways: Vec<SliceWay>) -> Vec<SliceWay> {
    ways.sort_by(|one, other| one.size.w.total_cmp(&other.size.w).then(one.size.h.total_cmp(&other.size.h)));
    let mut kept: Vec<SliceWay> = Vec::new();
    for way in ways {
        if kept.last().is_none_or(|last| way.size.h < last.size.h - 0.5) {
            kept.push(way);
        }
    }
    if kept.len() > WAYS {
        let area = |way: &SliceWay| way.size.w * way.size.h;
        kept.sort_by(|one, other| area(one).total_cmp(&area(other)));
        kept.truncate(WAYS);
        kept.sort_by(|one, other| one.size.w.total_cmp(&other.size.w));
    }
    kept
}

/// Lays a way into an area; the room that is left is shared by size.
fn spread(ways: &[SliceWay], at: usize, into: Area, gap: f64, areas: &mut [Area]) {
    let Some(way) = ways.get(at) else { return };
    let size = |at: usize| ways.get(at).map_or(Extent::default(), |way| way.size);
    let share = |one: f64, other: f64| one / (one + other).max(1.0);
    let (first, second, parts) = match way.cut {
        Cut::Whole(whole) => {
            if let Some(area) = areas.get_mut(whole) {
                *area = into;
            }
            return;
        }
        Cut::Beside { left, right } => (left, right, into.beside(share(size(left).w, size(right).w), gap)),
        Cut::Below { upper, lower } => (upper, lower, into.below(share(size(upper).h, size(lower).h), gap)),
    };
    spread(ways, first, parts.0, gap, areas);
    spread(ways, second, parts.1, gap, areas);
}
