//! Step: a walk through the past, forward and back, moment by moment or to the next one at which something is so.
//!
//! It stands behind a frame, and the world there is the one that this frame left. The frames
//! that it passes over stay in hand ([`span`](super::span)).

use std::ops::Range;

use serde::Serialize;

use crate::fact::{BeingId, Closing, ClosingKind, Draft, Frame, Seq, Value};
use crate::moment::is_asking;
use crate::role::InquiryError;
use crate::world::{Chapter, Chapters, Of, World};

use super::gauge::{Gauge, GaugeError};
use super::history::History;
use super::load::LoadError;
use super::looking::LookedFor;
use super::report::{Report, report};
use super::span::{STRIDE, Spans};

/// The direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To later moments.
    On,
    /// To what came before.
    Back,
}

/// At what a walk stops.
#[derive(Clone, Debug)]
pub enum Stop {
    /// An act.
    Act,
    /// A refusal.
    Refused,
    /// A failure, or a wake that was given up.
    Failed,
    /// Somebody wears something else than in their moment before.
    Stack,
    /// A value is another than before.
    Changed(Gauge),
    /// A condition has come to hold; one that asks about the moment itself, each time that it holds.
    When(LookedFor),
    /// The first of several.
    First(Vec<Self>),
}

/// Why some words are nothing at which a walk stops.
#[derive(Debug, thiserror::Error)]
pub enum StopError {
    /// None of the words.
    #[error("expected act, refused, failed, stack, changed ADDRESS.quality or when {{…}} behind `until`, found `{0}`")]
    Unknown(String),
    /// Not a value.
    #[error(transparent)]
    Gauge(#[from] GaugeError),
    /// Not a condition.
    #[error(transparent)]
    When(#[from] InquiryError),
}

/// How far a walk looks for something before it says how far it came.
#[derive(Clone, Copy)]
pub struct Horizon<'a> {
    /// So many frames are folded at most, and the rest of the span of the last of them.
    pub frames: u64,
    /// The chapters of all the past: those that hold nothing of the sought are passed over and not counted.
    pub chapters: Option<&'a Chapters>,
}

/// The result of looking for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sighted {
    /// It stands there.
    There,
    /// There is none that way.
    Nowhere,
    /// Up to this point there is none; further it has not looked.
    Further(Seq),
}

/// Where a walk stands.
#[derive(Clone, Debug, Serialize)]
pub struct Here {
    /// The world is that of all frames below this seq.
    pub at: Seq,
    /// The first seq that there is not.
    pub end: Seq,
    /// The moment that left it so; none before the first.
    pub moment: Option<Report>,
    /// Its place on its being's reel.
    pub n: Option<u64>,
    /// The watched values, as they are here.
    pub watched: Vec<WatchedValue>,
}

/// One value that is watched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WatchedValue {
    /// Its name.
    pub name: String,
    /// What it is.
    pub value: Value,
}

/// A walk through the past.
pub struct Stepper {
    spans: Spans,
    me: Option<BeingId>,
    at: Seq,
    /// Where it was put: a step stops there too, so that so many back are as many forward.
    origin: Seq,
    /// The values that are shown after each step.
    watched: Vec<Gauge>,
}

impl Stepper {
    /// Stands at a seq of a history; with a being, its moments are those that are stepped over.
    pub fn new(history: History, me: Option<BeingId>, at: Seq) -> Self {
        Self { spans: Spans::of(history), me, at, origin: at, watched: Vec::new() }
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.spans.history
    }

    /// All frames below this seq are past.
    pub fn at(&self) -> Seq {
        self.at
    }

    /// The being whose moments are stepped over.
    pub fn me(&self) -> Option<BeingId> {
        self.me
    }

    /// Stands elsewhere.
    pub fn put(&mut self, at: Seq) {
        (self.at, self.origin) = (at, at);
    }

    /// Shows a value after each step from here on, or no more where it is shown already.
    pub fn watch(&mut self, gauge: Gauge) {
        match self.watched.iter().position(|watched| *watched == gauge) {
            Some(at) => drop(self.watched.remove(at)),
            None => self.watched.push(gauge),
        }
    }

    /// The world here.
    pub fn world(&mut self) -> Result<World, LoadError> {
        self.spans.world(self.at)
    }

    /// Where it stands.
    pub fn here(&mut self) -> Result<Here, LoadError> {
        let world = self.world()?;
        let watched = self.watched.iter().map(|gauge| WatchedValue { name: gauge.to_string(), value: gauge.read(&world) }).collect();
        let moment =
            if self.at <= self.history().begins() { None } else { self.spans.frame(self.at - 1)?.map(|frame| frame.draft().clone()) };
        Ok(Here {
            at: self.at,
            end: self.history().end(),
            n: moment.as_ref().map(|draft| draft.n),
            moment: moment.map(|draft| report(&draft, &world, None)),
            watched,
        })
    }

    /// One moment of the world; whether there was one.
    pub fn step_world(&mut self, way: Way) -> bool {
        let at = match way {
            Way::On => Some(self.at + 1).filter(|at| *at <= self.history().end()),
            Way::Back => self.at.checked_sub(1).filter(|at| *at > 0 && *at >= self.history().begins()),
        };
        self.at = at.unwrap_or(self.at);
        at.is_some()
    }

    /// One moment of its being; without one, of the world. Whether there was one.
    pub fn step(&mut self, way: Way) -> Result<bool, LoadError> {
        let Some(me) = self.me else { return Ok(self.step_world(way)) };
        let (own, origin) = match way {
            Way::On => (self.own_after(me)?, Some(self.origin).filter(|origin| *origin > self.at)),
            Way::Back => (self.own_before(me)?, Some(self.origin).filter(|origin| *origin < self.at)),
        };
        let to = match way {
            Way::On => own.into_iter().chain(origin).min(),
            Way::Back => own.into_iter().chain(origin).max(),
        };
        self.at = to.unwrap_or(self.at);
        Ok(to.is_some())
    }

    /// Behind the next moment of a being.
    fn own_after(&mut self, me: BeingId) -> Result<Option<Seq>, LoadError> {
        let mut n = self.world()?.being(me).map_or(0, |me| me.next_n);
        while let Some(seq) = self.history().nth(me, n)? {
            if self.spans.frame(seq)?.is_some_and(|frame| !is_asking(frame.draft())) {
                return Ok(Some(seq + 1));
            }
            n += 1;
        }
        Ok(None)
    }

    /// Behind the moment of a being before the one behind which it stands.
    fn own_before(&mut self, me: BeingId) -> Result<Option<Seq>, LoadError> {
        let mut last = self.world()?.being(me).filter(|me| me.next_n > 0).map(|me| me.last_seq);
        let begins = self.history().begins();
        while let Some(seq) = last.filter(|seq| *seq >= begins) {
            let Some(draft) = self.spans.frame(seq)?.map(Frame::draft) else { return Ok(None) };
            if seq + 1 < self.at && !is_asking(draft) {
                return Ok(Some(seq + 1));
            }
            last = (draft.n > 0).then_some(draft.prev_seq);
        }
        Ok(None)
    }

    /// Behind the next moment, or the one before, at which something is so; stays where there is none.
    pub fn seek(&mut self, way: Way, stop: &Stop) -> Result<bool, LoadError> {
        Ok(self.seek_within(way, stop, Horizon { frames: u64::MAX, chapters: None })? == Sighted::There)
    }

    /// The same, no further than one is to look at once.
    pub fn seek_within(&mut self, way: Way, stop: &Stop, horizon: Horizon<'_>) -> Result<Sighted, LoadError> {
        let (mut left, mut edge) = (horizon.frames, if way == Way::On { self.at } else { self.at.saturating_sub(1) });
        loop {
            let Some(span) = self.span_beyond(way, edge) else { return Ok(Sighted::Nowhere) };
            if horizon.may_have(stop, &span) {
                if left == 0 {
                    return Ok(Sighted::Further(if way == Way::On { edge } else { edge + 1 }));
                }
                left = left.saturating_sub(span.end - span.start);
                let found = if way == Way::On { self.first_in(span.clone(), stop)? } else { self.last_in(span.clone(), stop)? };
                if let Some(seq) = found {
                    self.at = seq + 1;
                    return Ok(Sighted::There);
                }
            }
            edge = if way == Way::On { span.end } else { span.start };
        }
    }

    /// The part of the next span that way that was not looked at.
    fn span_beyond(&self, way: Way, edge: Seq) -> Option<Range<Seq>> {
        match way {
            Way::On => (edge < self.history().end()).then(|| edge..self.spans.around(edge).end),
            Way::Back => (edge > self.history().begins()).then(|| self.spans.around(edge - 1).start..edge),
        }
    }

    fn first_in(&mut self, frames: Range<Seq>, stop: &Stop) -> Result<Option<Seq>, LoadError> {
        let me = self.me;
        self.spans.walk(frames, &mut |before, frame, after| stop.is_at(me, before, frame.draft(), after))
    }

    /// Piece by piece, the newest first: of each the last that fits.
    fn last_in(&mut self, frames: Range<Seq>, stop: &Stop) -> Result<Option<Seq>, LoadError> {
        let (me, mut ends) = (self.me, frames.end);
        while ends > frames.start {
            let begins = frames.start.max((ends - 1) / STRIDE * STRIDE);
            let mut last = None;
            self.spans.walk(begins..ends, &mut |before, frame, after| {
                if stop.is_at(me, before, frame.draft(), after) {
                    last = Some(frame.draft().seq);
                }
                false
            })?;
            if last.is_some() {
                return Ok(last);
            }
            ends = begins;
        }
        Ok(None)
    }
}

impl Horizon<'_> {
    fn may_have(&self, stop: &Stop, frames: &Range<Seq>) -> bool {
        self.chapters.is_none_or(|chapters| chapters.of(frames.clone()).any(|chapter| stop.could_be_in(chapter)))
    }
}

impl Stop {
    /// Reads what people say behind `until`: `refused`, `changed @ada.t.n`, `when {…}`; a condition is asked with the eyes of `me`.
    pub fn read(what: &str, me: Option<BeingId>) -> Result<Self, StopError> {
        let (word, rest) = what.split_once(char::is_whitespace).unwrap_or((what, ""));
        Ok(match word {
            "act" => Self::Act,
            "refused" => Self::Refused,
            "failed" => Self::Failed,
            "stack" => Self::Stack,
            "changed" => Self::Changed(rest.trim().parse()?),
            "when" => Self::When(LookedFor { inquiry: what.parse()?, me }),
            _ => return Err(StopError::Unknown(what.to_owned())),
        })
    }

    /// Whether a chapter may have a moment at which a walk stops. Of values and conditions it says nothing.
    fn could_be_in(&self, chapter: &Chapter) -> bool {
        let closed = |kinds: &[ClosingKind]| chapter.may_hold(Of::Closings, |found| kinds.iter().any(|kind| kind.word() == found));
        match self {
            Self::Act => closed(&[ClosingKind::Act]),
            Self::Refused => closed(&[ClosingKind::Refused]),
            Self::Failed => closed(&[ClosingKind::Failed, ClosingKind::DeadLetter]),
            Self::Stack | Self::Changed(_) | Self::When(_) => true,
            Self::First(stops) => stops.iter().any(|stop| stop.could_be_in(chapter)),
        }
    }

    /// Whether a walk stops behind a moment. Of what is done it is asked in the moments of the being alone, if there is one.
    fn is_at(&self, me: Option<BeingId>, before: &World, draft: &Draft, after: &World) -> bool {
        let is_own = me.is_none_or(|me| me == draft.being);
        match self {
            Self::Act => is_own && draft.closing == Closing::Act,
            Self::Refused => is_own && draft.closing.refusal().is_some(),
            Self::Failed => is_own && matches!(draft.closing, Closing::Failed(_) | Closing::DeadLetter(_)),
            Self::Stack => is_own && !is_asking(draft) && wears_other(before, draft),
            Self::Changed(gauge) => gauge.read(before) != gauge.read(after),
            Self::When(wanted) => wanted.comes_to_hold(before, draft, after),
            Self::First(stops) => stops.iter().any(|stop| stop.is_at(me, before, draft, after)),
        }
    }
}

/// Whether a moment's stack is another than that of its being's moment before; its first one is none that changed.
fn wears_other(before: &World, draft: &Draft) -> bool {
    let was = before.being(draft.being).filter(|being| being.next_n > 0).map(|being| &being.wearing);
    was.is_some_and(|was| !was.iter().eq(draft.stack.iter().map(|worn| &worn.role)))
}
