//! Course: how a run is to go: how fast, until when, who holds it and who watches; and what it came to.

use std::sync::Arc;

use crate::fact::{BeingId, Call, Millis, Seq, Value};
use crate::moment::Terms;
use crate::world::World;

use super::audience::Audience;
use super::checkpoint::Checkpointer;
use super::clock::{Pace, wall};
use super::engine::Next;
use super::feed::Feed;
use super::going::Going;
use super::living::{Living, RunError};
use super::measure::Measures;
use super::reins::Reins;
use super::report::Report;
use super::seal::Round;
use super::seats::Seats;
use super::tally::Tally;
use super::until::When;

/// When a run stops by itself.
#[derive(Clone, Debug, Default)]
pub struct Until {
    /// After so much world time: it stands there then.
    pub duration: Option<Millis>,
    /// When world time comes to an instant.
    pub instant: Option<Millis>,
    /// After the round in which so many moments have closed.
    pub moments: Option<u64>,
    /// As soon as a condition over the world holds.
    pub when: Option<When>,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// What was asked for was reached.
    Done,
    /// Nobody has anything to do any more.
    Quiet,
    /// It was told to stop.
    Told,
    /// The world waits for a person.
    WaitsFor(String),
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Why it stopped.
    pub stopped: Stopped,
    /// How its moments closed.
    pub tally: Tally,
    /// The next seq.
    pub seq: Seq,
    /// World time at the end.
    pub at: Millis,
    /// Where it was told to end, if it stopped before.
    pub short_of: Option<Millis>,
}

/// How a run goes and who watches.
pub struct Course<'a> {
    /// How fast.
    pub pace: Pace,
    /// How long.
    pub until: Until,
    /// Pulled from outside to stop, pause or step.
    pub reins: &'a Reins,
    /// Told of each moment once it is durable; none: nobody watches.
    pub watch: Option<&'a mut dyn FnMut(&Report)>,
    /// Sampled on the way.
    pub measures: Option<&'a mut Measures>,
}

impl Living {
    /// Runs rounds until the course says stop. Everything is durable when it returns, and world time stands where it was told to end.
    pub fn run(&mut self, course: Course<'_>) -> Result<Ran, RunError> {
        Going::begin(self, course, None)?.go()
    }

    /// Runs rounds and, between them, carries out what people propose, until the reins say stop: a world that is quiet or waits for
    /// somebody waits with them. The feed tells what has become durable.
    pub fn serve<'a>(&mut self, course: Course<'a>, seats: &'a Seats, feed: &'a Feed) -> Result<Ran, RunError> {
        Going::begin(self, course, Some((seats, feed)))?.go()
    }

    /// Until when world time may pass by itself: what is due next; no further where the world waits for somebody.
    pub(super) fn until(&self) -> Millis {
        match self.engine.next() {
            Next::At(due) => due,
            Next::WaitsFor(_) => self.world().now(),
            Next::Nothing if self.world().is_paused() => self.world().now(),
            Next::Nothing => Millis::MAX,
        }
    }

    /// The world, if a `part` of the frames between two checkpoints has been folded since the last.
    pub(super) fn checkpoint(&mut self, part: u64) -> Option<Arc<World>> {
        let next = self.world().next_seq();
        if next - self.checkpointed < Checkpointer::every(self.world()) / part {
            return None;
        }
        self.checkpointed = next;
        Some(self.world().clone())
    }

    /// A clock switch is a fact.
    pub(super) fn switch_clock(&mut self, pace: Pace, audience: &mut Audience<'_>) -> Result<(), RunError> {
        if self.world().config_text("clock").unwrap_or("virtual") == pace.word() {
            return Ok(());
        }
        let args = Value::map([("key", Value::text("clock")), ("value", Value::from(pace.word()))]);
        let at = if pace == Pace::Real { wall().max(self.world().now()) } else { self.world().now() };
        if let Some(draft) = self.engine.gesture(BeingId::WORLD, Call::doing("/", "config.set", args), Terms::default(), at)? {
            let told = audience.told(&draft, self.engine.world());
            self.sealing.give(Round::new(vec![draft], told))?;
            if audience.feed.is_some() {
                audience.hear(self.sealing.durable(true)?);
            }
        }
        Ok(())
    }
}
