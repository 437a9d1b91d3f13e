//! Course: how a run goes: rounds, one after the other, until it is told to stop; between them, what people propose.

use crate::cognition::Request;
use crate::fact::{BeingId, Call, Draft, Millis, Seq, Value};
use crate::moment::is_asking;
use crate::world::World;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

use super::checkpoint::Checkpointer;
use super::clock::{Pace, WallClock, wall};
use super::engine::{Closed, Next};
use super::feed::{Feed, Standing, Ticking};
use super::living::{Living, RunError, Told};
use super::logs::Logs;
use super::measure::Measures;
use super::reins::{Order, Reins};
use super::report::{Report, report};
use super::seal::Round;
use super::seats::Seats;
use super::tally::Tally;
use super::until::When;

/// When a run stops by itself.
#[derive(Clone, Debug, Default)]
pub struct Until {
    /// After so much world time.
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

    fn ticks(&self, ticking: Option<Ticking>) {
        if let Some(feed) = self.feed {
            feed.ticks(ticking);
        }
    }

    fn stands(&self, standing: Standing) {
        if let Some(feed) = self.feed {
            feed.stands(standing);
        }
    }
}

/// What the engine hands over of a round.
#[derive(Default)]
struct Taken {
    is_watched: bool,
    drafts: Vec<Draft>,
    reports: Vec<Report>,
    tally: Tally,
}

impl Taken {
    fn take(&mut self, closed: Closed, world: &World, logs: &mut Logs) {
        // That a model is about to be asked is no moment, and nobody's news.
        if !is_asking(&closed.draft) {
            logs.closed(&closed.draft, world);
            self.tally.count(&closed.draft.closing);
            if self.is_watched {
                self.reports.push(report(&closed.draft, world, closed.why));
            }
        }
        self.drafts.push(closed.draft);
    }
}

/// Says, when it goes, that nobody waits for answers any more.
#[derive(Default)]
struct Leaving(Arc<AtomicBool>);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
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
        let end = until.duration.map(|duration| start.saturating_add(duration)).or(until.instant);
        let mut clock = WallClock::new(pace, start);
        let mut tally = Tally::default();
        // Where world time stood when the world was told to stand still.
        let mut held: Option<Millis> = None;
        // In real time nobody waits for a model: whoever is ready closes next.
        let leaving = Leaving::default();
        self.engine.call_back();
        let (tell, told) = mpsc::channel();
        let knocker = reins.clone();
        let answered = move |being, reply| {
            // Said before the knock: whoever hears the knock finds it said. Nobody hears it where the run has ended.
            let _ = tell.send((being, reply));
            knocker.knock();
        };
        let mut is_done = false;
        let stopped = loop {
            let order = reins.order();
            if order == Order::Go
                && let Some(since) = held.take()
            {
                clock = WallClock::new(pace, since.max(self.world().at()));
            }
            if let Some((seats, feed)) = served {
                if order == Order::Hold {
                    held = held.or_else(|| Some(clock.now().min(self.until())));
                }
                self.seat(seats, feed, held.unwrap_or_else(|| clock.now()), &mut audience)?;
            }
            match order {
                Order::Stop => break Stopped::Told,
                Order::Pace(other) => {
                    let stands = held.unwrap_or_else(|| clock.now().min(self.until())).max(self.world().at());
                    // What is shown meanwhile is what the new clock begins with.
                    audience.ticks(Some(Ticking::still(stands)));
                    pace = other;
                    self.switch_clock(pace, &mut audience)?;
                    clock = WallClock::new(pace, stands.max(self.world().at()));
                    continue;
                }
                Order::Hold => {
                    // Everything that has happened is shown before the world stands still.
                    audience.hear(self.sealing.durable(true)?);
                    let stands = held.unwrap_or_else(|| clock.now().min(self.until())).max(self.world().at());
                    held = Some(stands);
                    audience.ticks(Some(Ticking::still(stands)));
                    audience.stands(Standing::of("paused"));
                    reins.hold();
                    continue;
                }
                Order::Step | Order::Go => {}
            }
            let mut taken = Taken { is_watched: audience.is_there(), ..Taken::default() };
            // A step moves no clock: what comes in then comes at the time that stands.
            let now = held.unwrap_or_else(|| clock.now());
            while let Ok((being, reply)) = told.try_recv() {
                if let Some(measures) = &mut measures {
                    measures.until(self.engine.world(), now)?;
                }
                self.engine.arrived(being, reply, now, &mut |closed, world| taken.take(closed, world, &mut self.logs))?;
            }
            if !taken.drafts.is_empty() {
                tally.add(self.close(taken, served.is_some())?);
                audience.hear(self.sealing.durable(true)?);
            }
            is_done = is_done
                || until.moments.is_some_and(|most| tally.moments() >= most)
                || until.when.as_ref().is_some_and(|when| when.holds(self.world()));
            let next = self.engine.next();
            let is_over = is_done || matches!(next, Next::At(due) if end.is_some_and(|end| due > end));
            if is_over && !self.engine.waits_for_answers() {
                break Stopped::Done;
            }
            // Where nothing else is due, and before the run ends or time goes by another clock, what was begun in real time is waited for.
            let is_idle = !matches!(next, Next::At(_));
            if self.engine.waits_for_answers() && (is_idle || is_over || pace != Pace::Real) {
                audience.hear(self.sealing.durable(true)?);
                if is_idle {
                    audience.ticks(clock.ticking(self.until()));
                }
                audience.stands(Standing::of("running"));
                reins.idle();
                continue;
            }
            let due = match next {
                Next::At(due) => due,
                next @ (Next::WaitsFor(_) | Next::Nothing) => {
                    let waits_for = match next {
                        Next::WaitsFor(being) => Some(self.world().being(being).map(|being| being.name.to_string()).unwrap_or_default()),
                        Next::At(_) | Next::Nothing => None,
                    };
                    if served.is_some() {
                        audience.hear(self.sealing.durable(true)?);
                        let state = match (&waits_for, self.world().is_paused()) {
                            (_, true) => "paused",
                            (Some(_), false) => "waits",
                            (None, false) => "quiet",
                        };
                        audience.ticks(clock.ticking(self.until()));
                        audience.stands(Standing { state, waits_for: waits_for.map(|name| format!("@{name}")) });
                        reins.idle();
                        continue;
                    }
                    break waits_for.map_or(Stopped::Quiet, Stopped::WaitsFor);
                }
            };
            if order == Order::Go {
                audience.ticks(clock.ticking(due));
                audience.stands(Standing::of("running"));
                if clock.must_wait(due) {
                    audience.hear(self.sealing.durable(true)?);
                    if !reins.wait(clock.left(due)) {
                        continue;
                    }
                }
            }
            let at = clock.instant(due);
            if let Some(measures) = &mut measures {
                measures.until(self.engine.world(), at)?;
            }
            let mut taken = Taken { is_watched: audience.is_there(), ..Taken::default() };
            let mut begun = self.engine.begin_round(at, &mut |closed, world| taken.take(closed, world, &mut self.logs))?;
            if !taken.drafts.is_empty() {
                // Durable before any request leaves: a crash from here on is counted.
                let told = Told { reports: std::mem::take(&mut taken.reports), world: served.map(|_| self.world().clone()) };
                self.sealing.give(Round::new(std::mem::take(&mut taken.drafts), told))?;
                audience.hear(self.sealing.durable(true)?);
            }
            if pace == Pace::Real {
                self.engine.heed(leaving.0.clone());
                self.engine.send_away(&mut begun, &answered);
            }
            let requests = begun.requests();
            let replies =
                if requests.is_empty() { Some(Vec::new()) } else { self.ask(&requests, reins, served, (&clock, held), &mut audience)? };
            // Told to stop while models think: what was held back for them is found at the next opening, as after a crash.
            let Some(replies) = replies else { break Stopped::Told };
            // What a long thought drafts is there when it closes, and in no sample before.
            if let Some(measures) = &mut measures {
                measures.until(self.engine.world(), self.engine.closes_at(&begun))?;
            }
            self.engine.end_round(begun, replies, &mut |closed, world| taken.take(closed, world, &mut self.logs))?;
            tally.add(self.close(taken, served.is_some())?);
            // A step leaves time where its round left the world.
            if order == Order::Step {
                held = Some(self.world().at());
            }
            audience.hear(self.sealing.durable(false)?);
        };
        self.logs.rest();
        self.engine.call_back();
        // At the end a shorter tail is worth one too: the world is at rest, and the next opening is saved its fold.
        if let Some(world) = self.checkpoint(4) {
            self.sealing.give(Round { checkpoint: Some(world), ..Round::new(Vec::new(), Told::default()) })?;
        }
        audience.hear(self.sealing.durable(true)?);
        if let Some(measures) = &mut measures {
            measures.end(self.engine.world())?;
        }
        Ok(Ran { stopped, tally, seq: self.world().next_seq(), at: self.world().at() })
    }

    /// Hands what was closed on to be sealed; how its moments closed.
    fn close(&mut self, taken: Taken, is_served: bool) -> Result<Tally, RunError> {
        let Taken { drafts, reports, tally, .. } = taken;
        let checkpoint = self.checkpoint(1);
        let world = is_served.then(|| self.world().clone());
        self.sealing.give(Round { drafts, told: Told { reports, world }, checkpoint })?;
        Ok(tally)
    }

    /// Asks models, and lets people act meanwhile; nothing where the run is to end before they have answered.
    fn ask<'a>(
        &mut self,
        requests: &[Request],
        reins: &Reins,
        served: Option<(&'a Seats, &'a Feed)>,
        (clock, held): (&WallClock, Option<Millis>),
        audience: &mut Audience<'a>,
    ) -> Result<Option<Vec<Value>>, RunError> {
        audience.hear(self.sealing.durable(true)?);
        let mut minds = self.engine.lend_minds();
        let stop = Arc::new(AtomicBool::new(false));
        minds.heed(stop.clone());
        let (tell, told) = std::sync::mpsc::channel();
        let asked = std::thread::scope(|scope| {
            let asking = scope.spawn(|| {
                let replies = minds.ask(requests);
                // Said before the knock: whoever hears the knock finds it said.
                let _ = tell.send(());
                reins.knock();
                replies
            });
            let waited = loop {
                if told.try_recv().is_ok() {
                    break Ok(true);
                }
                if let Some((seats, feed)) = served
                    && let Err(error) = self.seat(seats, feed, held.unwrap_or_else(|| clock.now()), audience)
                {
                    break Err(error);
                }
                if reins.listen() {
                    break Ok(false);
                }
            };
            stop.store(true, Ordering::Relaxed);
            let replies = asking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            waited.map(|answered| answered.then_some(replies))
        });
        self.engine.asking(minds);
        asked
    }

    /// Carries out what was proposed. An answer is heard only once what it tells is durable and can be read by all.
    fn seat(&mut self, seats: &Seats, feed: &Feed, now: Millis, audience: &mut Audience<'_>) -> Result<(), RunError> {
        let proposals = seats.take();
        if proposals.is_empty() {
            return Ok(());
        }
        audience.hear(self.sealing.durable(true)?);
        // Whoever acts between two rounds acts at the time it is, and never after what is due before.
        let due = self.until();
        for proposal in proposals {
            self.instant = Some(now.min(due));
            let done = (proposal.work)(self);
            self.instant = None;
            if let Ok(reports) = &done {
                feed.publish(reports.iter().cloned(), self.world().clone());
            }
            let fatal = done.as_ref().err().filter(|error| error.is_fatal()).map(ToString::to_string);
            (proposal.heard)(done);
            if let Some(why) = fatal {
                // What is in memory and what is on disk may differ now: the world has to be opened again.
                return Err(RunError::Broken(why));
            }
        }
        Ok(())
    }

    /// Until when world time may pass by itself: what is due next; no further where the world waits for somebody.
    fn until(&self) -> Millis {
        match self.engine.next() {
            Next::At(due) => due,
            Next::WaitsFor(_) => self.world().at(),
            Next::Nothing if self.world().is_paused() => self.world().at(),
            Next::Nothing => Millis::MAX,
        }
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
        if let Some(draft) = self.engine.gesture(BeingId::WORLD, Call::doing("/", "config.set", args), None, at)? {
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
