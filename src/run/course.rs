//! Course: how a run goes: rounds, one after the other, until it is told to stop; between them, what people propose.

use crate::fact::{BeingId, Call, Millis, Seq, Value};
use crate::world::World;
use std::sync::Arc;

use super::checkpoint::Checkpointer;
use super::clock::{Pace, WallClock, wall};
use super::engine::Next;
use super::feed::{Feed, Standing};
use super::living::{Living, RunError, Told};
use super::measure::Measures;
use super::reins::{Order, Reins};
use super::report::{Report, report};
use super::seal::Round;
use super::seats::Seats;
use super::until::When;

/// When a run stops by itself.
#[derive(Clone, Debug, Default)]
pub struct Until {
    /// After so much world time.
    pub duration: Option<Millis>,
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
    /// How many moments closed.
    pub moments: u64,
    /// The next seq.
    pub seq: Seq,
    /// World time at the end.
    pub at: Millis,
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

/// Who hears of what has become durable.
struct Audience<'a> {
    watch: Option<&'a mut dyn FnMut(&Report)>,
    feed: Option<&'a Feed>,
}

impl Audience<'_> {
    fn is_there(&self) -> bool {
        self.watch.is_some() || self.feed.is_some()
    }

    fn hear(&mut self, told: Vec<Told>) {
        for Told { reports, world } in told {
            if let Some(watch) = &mut self.watch {
                reports.iter().for_each(watch);
            }
            if let (Some(feed), Some(world)) = (self.feed, world) {
                feed.publish(reports, world);
            }
        }
    }

    fn stands(&self, standing: Standing) {
        if let Some(feed) = self.feed {
            feed.stands(standing);
        }
    }
}

impl Living {
    /// Runs rounds until the course says stop. Everything is durable when it returns.
    pub fn run(&mut self, course: Course<'_>) -> Result<Ran, RunError> {
        self.go(course, None)
    }

    /// Runs rounds and, between them, carries out what people propose, until the reins say stop: a world that is quiet or waits for
    /// somebody waits with them. The feed tells what has become durable.
    pub fn serve<'a>(&mut self, course: Course<'a>, seats: &'a Seats, feed: &'a Feed) -> Result<Ran, RunError> {
        self.go(course, Some((seats, feed)))
    }

    fn go<'a>(&mut self, course: Course<'a>, served: Option<(&'a Seats, &'a Feed)>) -> Result<Ran, RunError> {
        let Course { mut pace, until, reins, watch, mut measures } = course;
        let mut audience = Audience { watch, feed: served.map(|(_, feed)| feed) };
        self.engine.watched(audience.is_there());
        self.switch_clock(pace, &mut audience)?;
        let start = self.world().at();
        if let Some(measures) = &mut measures {
            measures.begin(start);
        }
        let end = until.duration.map(|duration| start.saturating_add(duration));
        let mut clock = WallClock::new(pace, start);
        let mut moments = 0u64;
        let stopped = loop {
            let order = reins.order();
            if let Some((seats, feed)) = served {
                let is_held = order == Order::Hold;
                self.seat(seats, feed, (!is_held).then_some(&clock), &mut audience)?;
            }
            match order {
                Order::Stop => break Stopped::Told,
                Order::Pace(other) => {
                    pace = other;
                    self.switch_clock(pace, &mut audience)?;
                    clock = WallClock::new(pace, self.world().at());
                    continue;
                }
                Order::Hold => {
                    // Everything that has happened is shown before the world stands still.
                    audience.hear(self.sealing.durable(true)?);
                    audience.stands(Standing::of("paused"));
                    reins.hold();
                    clock = WallClock::new(pace, self.world().at());
                    continue;
                }
                Order::Step | Order::Go => {}
            }
            if until.moments.is_some_and(|most| moments >= most) || until.when.as_ref().is_some_and(|when| when.holds(self.world())) {
                break Stopped::Done;
            }
            let due = match self.engine.next() {
                Next::At(due) if end.is_some_and(|end| due > end) => break Stopped::Done,
                Next::At(due) => due,
                next @ (Next::WaitsFor(_) | Next::Nothing) => {
                    let waits_for = match next {
                        Next::WaitsFor(being) => Some(self.world().being(being).map(|being| being.name.to_string()).unwrap_or_default()),
                        Next::At(_) | Next::Nothing => None,
                    };
                    if served.is_some() {
                        audience.hear(self.sealing.durable(true)?);
                        let state = if waits_for.is_some() { "waits" } else { "quiet" };
                        audience.stands(Standing { state, waits_for: waits_for.map(|name| format!("@{name}")) });
                        reins.idle();
                        // Nothing could happen meanwhile, so no world time has passed either, but by the wall clock.
                        continue;
                    }
                    break waits_for.map_or(Stopped::Quiet, Stopped::WaitsFor);
                }
            };
            if order == Order::Go {
                audience.stands(Standing::of("running"));
                if clock.must_wait(due) {
                    audience.hear(self.sealing.durable(true)?);
                    if !reins.wait(clock.left(due)) {
                        continue;
                    }
                }
            }
            if let Some(measures) = &mut measures {
                measures.until(self.engine.world(), due)?;
            }
            let at = clock.instant(due);
            let (mut drafts, mut reports) = (Vec::new(), Vec::new());
            let is_watched = audience.is_there();
            self.engine.round(at, &mut |closed, world| {
                if is_watched {
                    reports.push(report(&closed.draft, world, closed.why));
                }
                drafts.push(closed.draft);
            })?;
            moments += drafts.len() as u64;
            let checkpoint = self.checkpoint(1);
            let world = served.map(|_| self.world().clone());
            self.sealing.give(Round { drafts, told: Told { reports, world }, checkpoint })?;
            // Virtual time within a step: the clock stands where the round left the world.
            if order == Order::Step {
                clock = WallClock::new(pace, self.world().at());
            }
            audience.hear(self.sealing.durable(false)?);
        };
        // At the end a shorter tail is worth one too: the world is at rest, and the next opening is saved its fold.
        if let Some(world) = self.checkpoint(4) {
            self.sealing.give(Round { checkpoint: Some(world), ..Round::new(Vec::new(), Told::default()) })?;
        }
        audience.hear(self.sealing.durable(true)?);
        if let Some(measures) = &mut measures {
            measures.end(self.engine.world())?;
        }
        Ok(Ran { stopped, moments, seq: self.world().next_seq(), at: self.world().at() })
    }

    /// Carries out what was proposed. An answer is heard only once what it tells is durable and can be read by all.
    fn seat(&mut self, seats: &Seats, feed: &Feed, clock: Option<&WallClock>, audience: &mut Audience<'_>) -> Result<(), RunError> {
        let proposals = seats.take();
        if proposals.is_empty() {
            return Ok(());
        }
        audience.hear(self.sealing.durable(true)?);
        // Whoever acts between two rounds acts at the time it is, and never after what is due before.
        let due = if let Next::At(due) = self.engine.next() { due } else { Millis::MAX };
        for proposal in proposals {
            self.instant = clock.map(|clock| clock.now().min(due));
            let done = (proposal.work)(self);
            self.instant = None;
            if let Ok(reports) = &done {
                feed.publish(reports.iter().cloned(), self.world().clone());
            }
            let is_fatal = done.as_ref().is_err_and(RunError::is_fatal);
            (proposal.heard)(done);
            if is_fatal {
                // What is in memory and what is on disk may differ now: the world has to be opened again.
                return Err(RunError::Broken);
            }
        }
        Ok(())
    }

    /// The world, if a `part` of the frames between two checkpoints has been folded since the last.
    fn checkpoint(&mut self, part: u64) -> Option<Arc<World>> {
        let next = self.world().next_seq();
        if next - self.checkpointed < Checkpointer::every(self.world()) / part {
            return None;
        }
        self.checkpointed = next;
        Some(self.world().clone())
    }

    /// A clock switch is a fact.
    fn switch_clock(&mut self, pace: Pace, audience: &mut Audience<'_>) -> Result<(), RunError> {
        if self.world().config_text("clock").unwrap_or("virtual") == pace.word() {
            return Ok(());
        }
        let args = Value::map([("key", Value::text("clock")), ("value", Value::from(pace.word()))]);
        let at = if pace == Pace::Real { wall().max(self.world().at()) } else { self.world().at() };
        if let Some(draft) = self.engine.gesture(BeingId::WORLD, Call::doing("/", "config.set", args), at)? {
            let told = if audience.feed.is_some() {
                Told { reports: vec![report(&draft, self.engine.world(), None)], world: Some(self.world().clone()) }
            } else {
                Told::default()
            };
            self.sealing.give(Round::new(vec![draft], told))?;
            if audience.feed.is_some() {
                audience.hear(self.sealing.durable(true)?);
            }
        }
        Ok(())
    }
}
