//! Step: a walk through the past, forward and back, moment by moment or to the next one at which something is so.
//!
//! It stands behind a frame, and the world there is the one that this frame left. What it passes over stays in hand ([`span`](super::span)).

use serde::Serialize;

use crate::fact::{BeingId, Closing, Draft, Frame, Seq, Value};
use crate::moment::is_asking;
use crate::world::World;

use super::gauge::Gauge;
use super::history::History;
use super::load::LoadError;
use super::looking::LookedFor;
use super::report::{Report, report};
use super::span::{STRIDE, Spans};

/// Which way a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To what came later.
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
    /// What is watched, and what it is here.
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
    /// What is shown after each step.
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

    /// Whose moments are stepped over.
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
        let moment = if self.at == 0 { None } else { self.spans.frame(self.at - 1)?.map(|frame| frame.draft().clone()) };
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
            Way::Back => self.at.checked_sub(1).filter(|at| *at > 0),
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
        while let Some(seq) = last {
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
        let found = match way {
            Way::On => self.seek_on(stop)?,
            Way::Back => self.seek_back(stop)?,
        };
        self.at = found.map_or(self.at, |seq| seq + 1);
        Ok(found.is_some())
    }

    fn seek_on(&mut self, stop: &Stop) -> Result<Option<Seq>, LoadError> {
        let (me, end, mut begins) = (self.me, self.history().end(), self.at);
        while begins < end {
            let ends = self.spans.around(begins).end;
            if let Some(seq) = self.spans.walk(begins..ends, &mut |before, frame, after| stop.is_at(me, before, frame.draft(), after))? {
                return Ok(Some(seq));
            }
            begins = ends;
        }
        Ok(None)
    }

    /// Piece by piece, the newest first: of each the last that fits.
    fn seek_back(&mut self, stop: &Stop) -> Result<Option<Seq>, LoadError> {
        let (me, mut ends) = (self.me, self.at.saturating_sub(1));
        while ends > 0 {
            let begins = self.spans.around(ends - 1).start.max((ends - 1) / STRIDE * STRIDE);
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

impl Stop {
    /// Whether a walk stops behind a moment. Of what is done it is asked in the moments of the being alone, if there is one.
    fn is_at(&self, me: Option<BeingId>, before: &World, draft: &Draft, after: &World) -> bool {
        let is_own = me.is_none_or(|me| me == draft.being);
        match self {
            Self::Act => is_own && draft.closing == Closing::Act,
            Self::Refused => is_own && matches!(draft.closing, Closing::Refused(_)),
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
