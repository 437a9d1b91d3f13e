//! Lanes: the life of one being in a span of the past: what it wore, where it stood, and its moments.
//!
//! A short span is folded, and all of it is told. A long one is never read: checkpoints say what the being wore, where it stood and how many
//! moments it had had, and behind each of some of them so many frames are looked through for its own. The moments between are counted.

use std::ops::Range;

use crate::fact::{BeingId, ClosingKind, Draft, Fact, Millis, N, Seq, SpaceId, Spend, Text, Thing};
use crate::moment::is_asking;
use crate::reel::Recorded;
use crate::store::{RungName, Stored};
use crate::world::{Being, World};

use super::checkpoint::resume;
use super::history::History;
use super::load::{LoadError, load_from};
use super::report::{Report, report};

/// The longest span of which every frame is folded.
const FOLDED: u64 = 8_192;
/// From so many checkpoints a longer one is known,
const FOOTHOLDS: usize = 32;
/// and so many frames are looked through behind all of them together, of which so many may be the being's own.
const READ: u64 = 32_768;
const OWN: usize = 8_192;

/// How something stood for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneBand<T> {
    /// From which point on, as far as it is known.
    pub from: Seq,
    /// When that was.
    pub at: Millis,
    /// The moment with which it began; none where only a checkpoint says that it was so.
    pub by: Option<Seq>,
    /// What it was.
    pub is: T,
}

/// A moment, and how many others are told by it.
#[derive(Clone, Debug)]
pub struct LaneMark {
    /// Its place on the being's reel.
    pub n: N,
    /// The moment; where it was is told by the bands.
    pub report: Report,
    /// The cost of asking models, that of the others included.
    pub cost: Spend,
    /// How many others there were close by.
    pub others: u64,
}

/// A stretch of which it is only known how many moments the being had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneGap {
    /// From when.
    pub from: Millis,
    /// Until when.
    pub to: Millis,
    /// How many.
    pub moments: u64,
}

/// The life of a being in a span of the past.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    /// The stacks that it wore, the oldest first.
    pub wore: Vec<LaneBand<Vec<Text>>>,
    /// The spaces in which it stood.
    pub stood: Vec<LaneBand<String>>,
    /// Its moments.
    pub marks: Vec<LaneMark>,
    /// The stretches that were not read.
    pub gaps: Vec<LaneGap>,
    /// Whether bands were left out that are too short to be seen, or moments of which nothing is known.
    is_short: bool,
}

impl Lanes {
    /// How many moments it had, as far as that is known.
    pub fn moments(&self) -> u64 {
        let marked: u64 = self.marks.iter().map(|mark| 1 + mark.others).sum();
        marked + self.gaps.iter().map(|gap| gap.moments).sum::<u64>()
    }

    /// Whether anything of it is told in short.
    pub fn is_thinned(&self) -> bool {
        self.is_short || !self.gaps.is_empty() || self.marks.iter().any(|mark| mark.others > 0)
    }

    /// At most so many marks and bands: of what lies close by the most telling.
    fn thin(&mut self, parts: usize) {
        let (Some(first), Some(last)) = (self.marks.first(), self.marks.last()) else { return self.smooth(parts) };
        let began = first.report.at;
        let width = width(began..last.report.at, parts);
        if self.marks.len() > parts {
            let mut kept: Vec<LaneMark> = Vec::new();
            for mark in self.marks.drain(..) {
                match kept.last_mut().filter(|last| (last.report.at - began) / width == (mark.report.at - began) / width) {
                    Some(last) => last.take(mark),
                    None => kept.push(mark),
                }
            }
            self.marks = kept;
        }
        self.smooth(parts);
    }

    fn smooth(&mut self, parts: usize) {
        let wore = smoothed(&mut self.wore, parts);
        self.is_short |= smoothed(&mut self.stood, parts) || wore;
    }
}

impl LaneMark {
    fn of(draft: &Draft, world: &World) -> Self {
        let cost = draft.cost().map(|spent| spent.spend).unwrap_or_default();
        Self { n: draft.n, report: report(draft, world, None), cost, others: 0 }
    }

    /// Stands for another too, or lets that one stand for both.
    fn take(&mut self, other: Self) {
        let (cost, others) = (self.cost.plus(other.cost), self.others + other.others + 1);
        if other.weight() > self.weight() {
            *self = other;
        }
        (self.cost, self.others) = (cost, others);
    }

    /// How telling it is: failures are rare, looks are not.
    fn weight(&self) -> u8 {
        match self.report.closing {
            ClosingKind::Failed | ClosingKind::DeadLetter => 4,
            _ if self.report.is_refused() => 3,
            ClosingKind::Act if self.report.said.is_some() => 2,
            ClosingKind::Act => 1,
            _ => 0,
        }
    }
}

/// How long one of so many parts of a time is, at least a millisecond.
fn width(time: Range<Millis>, parts: usize) -> Millis {
    time.end.saturating_sub(time.start).max(0) / parts.max(1) as i64 + 1
}

/// Leaves out what stood too short to be seen, where there is more than has room; whether anything was.
fn smoothed<T: PartialEq>(bands: &mut Vec<LaneBand<T>>, parts: usize) -> bool {
    let (Some(first), Some(last)) = (bands.first(), bands.last()) else { return false };
    if bands.len() <= parts {
        return false;
    }
    let width = width(first.at..last.at, parts);
    let mut kept: Vec<LaneBand<T>> = Vec::new();
    for band in bands.drain(..) {
        match kept.last_mut() {
            Some(last) if last.is == band.is => {}
            // The one before it stood for less than a part: this one stands in its place.
            Some(last) if band.at - last.at < width => *last = LaneBand { at: last.at, from: last.from, ..band },
            _ => kept.push(band),
        }
    }
    *bands = kept;
    true
}

/// Leaves out what was over at a seq already.
fn begin_at<T>(bands: &mut Vec<LaneBand<T>>, begins: Seq) {
    let over = bands.iter().skip(1).take_while(|band| band.from <= begins).count();
    bands.drain(..over);
}

/// The lanes under construction.
struct Weaving {
    span: Range<Seq>,
    lanes: Lanes,
    position: Option<SpaceId>,
    /// How many moments it has had, and since when that is known.
    counted: Option<u64>,
    since: Millis,
}

impl Weaving {
    fn over(span: Range<Seq>) -> Self {
        Self { span, lanes: Lanes::default(), position: None, counted: None, since: 0 }
    }

    /// At a point and an instant all of it is known.
    fn stands(&mut self, (from, at): (Seq, Millis), me: &Being, names: &World) {
        self.wears((from, at), None, me.wearing.to_vec());
        self.is_in((from, at), None, me.position, names);
        let missed = me.moments.saturating_sub(self.counted.unwrap_or(me.moments));
        if missed > 0 && from > self.span.start {
            self.lanes.gaps.push(LaneGap { from: self.since, to: at, moments: missed });
        }
        (self.counted, self.since) = (Some(me.moments), at);
    }

    /// One of its own frames.
    fn acts(&mut self, draft: &Draft, names: &World) {
        if is_asking(draft) {
            return;
        }
        self.wears((draft.seq, draft.at), Some(draft.seq), draft.stack.iter().map(|worn| worn.role.clone()).collect());
        self.counted = self.counted.map(|counted| counted + 1);
        self.since = draft.at;
        if self.span.contains(&draft.seq) {
            self.lanes.marks.push(LaneMark::of(draft, names));
        }
    }

    fn wears(&mut self, (from, at): (Seq, Millis), by: Option<Seq>, is: Vec<Text>) {
        if self.lanes.wore.last().is_none_or(|last| last.is != is) {
            self.lanes.wore.push(LaneBand { from, at, by, is });
        }
    }

    fn is_in(&mut self, (from, at): (Seq, Millis), by: Option<Seq>, space: SpaceId, names: &World) {
        if self.position.replace(space) != Some(space) {
            self.lanes.stood.push(LaneBand { from, at, by, is: names.path_of(space) });
        }
    }

    fn woven(mut self, parts: usize) -> Lanes {
        begin_at(&mut self.lanes.wore, self.span.start);
        begin_at(&mut self.lanes.stood, self.span.start);
        self.lanes.thin(parts);
        self.lanes
    }
}

impl History {
    /// The life of a being in a span, in at most so many marks; `newest` is the world as it is now.
    pub fn lanes(&self, of: BeingId, span: Range<Seq>, parts: usize, newest: &World) -> Result<Lanes, LoadError> {
        let span = span.start.max(of.0.seq).max(self.begins())..span.end.min(self.end());
        if span.is_empty() {
            return Ok(Lanes::default());
        }
        let weaving = Weaving::over(span.clone());
        let weaving = if span.end - span.start <= FOLDED { self.near(of, weaving)? } else { self.far(of, weaving, newest)? };
        Ok(weaving.woven(parts))
    }

    /// Folds the span.
    fn near(&self, of: BeingId, mut weaving: Weaving) -> Result<Weaving, LoadError> {
        let Range { start, end } = weaving.span;
        let begun = resume(self.dir(), &self.store, Some(start), &mut |_| {})?;
        if let Some(me) = begun.world.being(of) {
            weaving.stands((start, begun.world.at()), me, &begun.world);
        }
        load_from(&self.store, begun, Some(end), |frame, world| {
            let (draft, Some(me)) = (frame.draft(), world.being(of)) else { return };
            if draft.being == of {
                weaving.acts(draft, world);
            }
            weaving.is_in((draft.seq, draft.at), Some(draft.seq), me.position, world);
        })?;
        Ok(weaving)
    }

    /// Looks at it from some checkpoints.
    fn far(&self, of: BeingId, mut weaving: Weaving, newest: &World) -> Result<Weaving, LoadError> {
        let span = weaving.span.clone();
        let (ladder, footholds) = (self.ladder(), self.footholds(&span));
        let (share, own) = (READ / footholds.len() as u64, OWN / footholds.len());
        let ends = footholds.iter().skip(1).map(|(seq, _)| (*seq, false)).chain([(span.end, true)]);
        for ((begins, rung), (next, is_last)) in footholds.iter().zip(ends) {
            let known = rung.and_then(|rung| ladder.as_ref()?.being(rung, of));
            if let Some((at, me)) = known {
                weaving.stands((*begins, at), &me, newest);
            }
            let until = if is_last && rung.is_some() { next } else { next.min(span.start.max(*begins) + share) };
            let is_all = self.own_frames(of, (*begins, *rung), until, own, |draft| {
                weaving.acts(draft, newest);
                for fact in &draft.facts {
                    if let Fact::Moved { of: Thing::Being(moved), to: Thing::Space(to), .. } = fact
                        && *moved == of
                    {
                        weaving.is_in((draft.seq, draft.at), Some(draft.seq), *to, newest);
                    }
                }
            })?;
            weaving.lanes.is_short |= is_last && !is_all;
        }
        if let Some(me) = newest.being(of).filter(|_| span.end == self.end()) {
            weaving.stands((span.end, newest.at()), me, newest);
        }
        Ok(weaving)
    }

    /// Checkpoints from which a span is known, the oldest first: the one before it and some of those in it, evenly, the last among them.
    fn footholds(&self, span: &Range<Seq>) -> Vec<(Seq, Option<RungName>)> {
        let names = self.ladder().map(|ladder| ladder.names()).unwrap_or_default();
        let before = names.iter().find(|name| name.seq <= span.start);
        let within: Vec<&RungName> = names.iter().rev().filter(|name| name.seq > span.start && name.seq < span.end).collect();
        let step = within.len().div_ceil(FOOTHOLDS - 1).max(1);
        let evenly = within.iter().rev().step_by(step).rev().map(|name| (name.seq, Some(**name)));
        let first = before.map_or((span.start, None), |name| (name.seq, Some(*name)));
        std::iter::once(first).chain(evenly).collect()
    }

    /// Reads the frames of a being from a foothold up to a seq, at most so many; whether that was all. Their seals are not checked.
    fn own_frames(
        &self,
        of: BeingId,
        (begins, rung): (Seq, Option<RungName>),
        until: Seq,
        most: usize,
        mut hear: impl FnMut(&Draft),
    ) -> Result<bool, LoadError> {
        let border = rung.and_then(|rung| Some(self.ladder()?.manifest(rung)?.border()));
        let mut heard = 0;
        for entry in self.entries_behind(border, begins)? {
            let Stored::Frame { seq, being, n, bytes, at } = entry? else { continue };
            if seq >= until {
                break;
            }
            if being == of && seq >= begins {
                if heard >= most {
                    return Ok(false);
                }
                heard += 1;
                hear(Recorded { seq, being, n }.read(&bytes).map_err(LoadError::at(at))?.draft());
            }
        }
        Ok(true)
    }
}
