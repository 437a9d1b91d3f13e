//! Going: one run on its way: rounds, one after the other, until it is told to stop; between them, what people propose.

use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use crate::cognition::{Reply, Request};
use crate::fact::{BeingId, Call, Code, Millis, Seq, Value};
use crate::minds::{AnswerWait, Knock};
use crate::moment::Terms;
use crate::verb::REOPENED;
use crate::world::World;

use super::audience::{Audience, Taken, Told};
use super::breaks::Lookout;
use super::clock::{Pace, WallClock, wall};
use super::course::{Course, Ran, Stopped, Until};
use super::engine::{Begun, Engine, Next, RoundError};
use super::feed::{Feed, Standing, Ticking};
use super::foresight::{Foresight, RunHorizon};
use super::living::{Living, RunError};
use super::measure::{Mark, MeasureError, Measures};
use super::reins::{Bond, Order, Reins};
use super::seal::Round;
use super::seats::Seats;
use super::tally::Tally;

impl Living {
    /// Runs rounds until the course says stop. Everything is durable when it returns, and world time stands where it was told to end.
    pub fn run(&mut self, course: Course<'_>) -> Result<Ran, RunError> {
        Going::begin(self, course, None)?.go()
    }

    /// Gives the world the clock by which it will go, and lets it say that it was opened again: whoever sees it served sees that done. It is
    /// durable when this returns.
    pub fn go_by(&mut self, pace: Pace) -> Result<(), RunError> {
        let mut nobody = Audience { watch: None, feed: None };
        switch_clock(self, pace, &mut nobody)?;
        reopen(self, pace, &mut nobody)?;
        self.sealing.durable(true)?;
        Ok(())
    }

    /// Runs rounds and, between them, carries out what people propose, until the reins say stop: a world that is quiet or waits for
    /// somebody waits with them. The feed tells what has become durable.
    pub fn serve<'a>(&mut self, course: Course<'a>, seats: &'a Seats, feed: &'a Feed) -> Result<Ran, RunError> {
        Going::begin(self, course, Some((seats, feed)))?.go()
    }
}

/// How long a moment of real time waits for an endpoint that does not answer: after that it opens anew, on the world as it is then.
const STAND: Duration = Duration::from_secs(300);
/// How long answers that were given up take to be told at most.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long before their moments models are asked at most where a world goes by a clock, in wall time: a reply that comes earlier helps nobody.
const LEAD: Duration = Duration::from_secs(30);

/// How long calls take to come back that nothing works on.
const AT_ONCE: Duration = Duration::from_millis(200);

/// Waits for the answers on which endpoints work, as long as the reins let it; whether they came.
fn wait_for_the_last(reins: &Reins, told: &mpsc::Receiver<()>) -> bool {
    let until = Instant::now() + reins.grace();
    // A call that no endpoint works on comes back at once, and needs no notice.
    if is_told_by(reins, told, Instant::now() + AT_ONCE) {
        return true;
    }
    if Instant::now() < until {
        say_that_it_waits();
    }
    is_told_by(reins, told, until)
}

/// Whether the word comes by then.
fn is_told_by(reins: &Reins, told: &mpsc::Receiver<()>, until: Instant) -> bool {
    while told.try_recv().is_err() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        reins.linger(left);
    }
    true
}

fn say_that_it_waits() {
    tracing::warn!("stopping: models are still answering, and are waited for as long as `--grace` says; another Ctrl-C stops at once");
}

/// Says, when it goes, that nobody waits for answers any more.
struct Departure(AnswerWait);

impl Drop for Departure {
    fn drop(&mut self) {
        self.0.give_up();
    }
}

/// A being, and the reply of its model.
type Arrived = (BeingId, Reply);

/// The answers to the requests of a round.
struct RoundAnswers {
    replies: Vec<Option<Reply>>,
    told: mpsc::Receiver<(usize, Reply)>,
    has_news: bool,
}

impl RoundAnswers {
    /// Begins to ask; each answer knocks.
    fn of(requests: Vec<Request>, engine: &mut Engine, reins: &Reins) -> Self {
        let (tell, told) = mpsc::channel();
        let replies = vec![None; requests.len()];
        for (place, request) in requests.into_iter().enumerate() {
            let (tell, reins) = (tell.clone(), reins.clone());
            let heard = move |reply| {
                // Said before the knock: whoever hears the knock finds it said. Nobody hears it where the run has ended.
                let _ = tell.send((place, reply));
                reins.knock();
            };
            engine.begin_asking(request, heard);
        }
        Self { replies, told, has_news: false }
    }

    /// Takes in what was answered; whether all of it is there.
    fn are_there(&mut self, engine: &mut Engine) -> bool {
        engine.ask_again();
        for (place, reply) in self.told.try_iter() {
            self.has_news = true;
            if let Some(slot) = self.replies.get_mut(place) {
                *slot = Some(reply);
            }
        }
        self.replies.iter().all(Option::is_some)
    }

    /// Whether anything was answered since this was asked last.
    fn has_news(&mut self) -> bool {
        std::mem::take(&mut self.has_news)
    }

    fn into_replies(self) -> Vec<Reply> {
        self.replies.into_iter().map(|reply| reply.unwrap_or_else(|| Reply::failed(Code::ReplyLost))).collect()
    }
}

/// One run on its way.
pub(super) struct Going<'l, 'a> {
    living: &'l mut Living,
    pace: Pace,
    until: Until,
    /// Where it is to end.
    end: Option<Millis>,
    reins: &'a Reins,
    /// While it goes, a stop ends its scripts.
    _bound: Bond<'a>,
    served: Option<(&'a Seats, &'a Feed)>,
    audience: Audience<'a>,
    measures: Option<&'a mut Measures>,
    clock: WallClock,
    /// Where world time stood when the world was told to stand still.
    held: Option<Millis>,
    tally: Tally,
    /// Whether so many moments have closed, or the condition held.
    is_done: bool,
    /// Whether it came to where it is to end.
    is_at_end: bool,
    /// In real time nobody waits for a model: whoever is ready closes next.
    answers: (mpsc::Sender<Arrived>, mpsc::Receiver<Arrived>),
    leaving: Departure,
    foresight: Foresight,
    /// Up to which frame it was looked ahead while the world waited for its clock, and whether a model was due then.
    looked_at: (Seq, bool),
}

/// What comes next.
enum Turn {
    /// Another look at what is asked for.
    Again,
    /// A round that is due.
    Round(Order, Millis),
    /// Nothing.
    Over(Stopped),
}

impl<'l, 'a> Going<'l, 'a> {
    /// Begins a run: where it is to end is durable before its first round.
    pub(super) fn begin(living: &'l mut Living, course: Course<'a>, served: Option<(&'a Seats, &'a Feed)>) -> Result<Self, RunError> {
        let Course { pace, until, reins, watch, mut measures } = course;
        let mut audience = Audience { watch, feed: served.map(|(_, feed)| feed) };
        living.engine.watched(audience.is_there());
        let _bound = reins.bind(living.engine.stopping());
        switch_clock(living, pace, &mut audience)?;
        reopen(living, pace, &mut audience)?;
        let (now, end) = living.term.begin(&until, pace, living.engine.world())?;
        if let Some(measures) = &mut measures {
            measures.heed(living.engine.stopping());
            measures.begin(now);
        }
        living.engine.call_back();
        living.engine.going_on(pace == Pace::Real);
        let (clock, answers) = (WallClock::new(pace, now), mpsc::channel());
        let (held, tally, leaving) = (None, Tally::default(), Departure(AnswerWait::standing(STAND)));
        let (is_done, is_at_end) = (false, false);
        Ok(Self {
            living,
            pace,
            until,
            end,
            reins,
            _bound,
            served,
            audience,
            measures,
            clock,
            held,
            tally,
            is_done,
            is_at_end,
            answers,
            leaving,
            foresight: Foresight::default(),
            looked_at: (0, false),
        })
    }

    fn world(&self) -> &Arc<World> {
        self.living.world()
    }

    /// Shows what is durable; with `all`, waits until everything is.
    fn show(&mut self, all: bool) -> Result<(), RunError> {
        let told = self.living.sealing.durable(all)?;
        if self.living.sealing.is_durable() {
            self.living.engine.settle();
        }
        self.audience.hear(told);
        Ok(())
    }

    /// World time as the running clock says it. A step moves no clock: what comes in then comes at the time that stands.
    fn now(&self) -> Millis {
        self.held.unwrap_or_else(|| self.clock.now())
    }

    /// Where world time would stand if it stood still now: never beyond what is due.
    fn stands(&self) -> Millis {
        self.held.unwrap_or_else(|| self.clock.now().min(self.living.until())).max(self.world().now())
    }

    /// Goes on until it is over. Everything is durable when it returns.
    pub(super) fn go(mut self) -> Result<Ran, RunError> {
        let before = self.world().paid().total();
        let stopped = loop {
            match self.turn()? {
                Turn::Again => {}
                Turn::Over(stopped) => break stopped,
                Turn::Round(order, due) => self.round(order, due)?,
            }
        };
        if stopped == Stopped::Told || self.living.engine.has_calls_under_way() {
            self.take_leave()?;
        }
        self.living.logs.rest();
        self.living.engine.call_back();
        self.show(true)?;
        self.stand(&stopped)?;
        if let Some(measures) = &mut self.measures {
            measures.end(self.living.world())?;
        }
        let (seq, at) = (self.world().next_seq(), self.world().now());
        let short_of = self.end.filter(|_| !self.is_at_end && !self.is_done);
        let (ahead, vain) = (self.living.engine.ahead_count(), self.world().paid().total().minus(before).vain);
        let turned_away = self.living.outages().now().into_iter().filter(|out| out.is_turned_away).collect();
        Ok(Ran { stopped, tally: self.tally, seq, at, short_of, ahead, vain, held: self.living.engine.held(), turned_away })
    }

    /// Waits for the answers under way, as long as the reins let it, and closes their moments; also of those that were given up then, which
    /// have cost one attempt at most and keep their wakes.
    fn take_leave(&mut self) -> Result<(), RunError> {
        let reins = self.reins;
        let (_finishing, until) = (reins.finishing(), Instant::now() + reins.grace());
        self.leaving.0.leave();
        // A call that no endpoint works on comes back at once, and needs no notice.
        self.hear_out(until.min(Instant::now() + AT_ONCE))?;
        if self.living.engine.has_calls_under_way() && !reins.grace().is_zero() {
            say_that_it_waits();
        }
        self.hear_out(until)?;
        self.leaving.0.give_up();
        self.hear_out(Instant::now() + LAST_WORDS)
    }

    /// Closes the moments of those who answer, until nobody is asked any more or for so long.
    fn hear_out(&mut self, until: Instant) -> Result<(), RunError> {
        loop {
            self.hear_answers()?;
            let left = until.saturating_duration_since(Instant::now());
            if !self.living.engine.has_calls_under_way() || left.is_zero() {
                return Ok(());
            }
            self.reins.linger(left);
        }
    }

    /// Lets world time stand where the run ended.
    fn stand(&mut self, stopped: &Stopped) -> Result<(), RunError> {
        let position = self.end.filter(|_| self.is_at_end).unwrap_or_else(|| self.stands());
        let is_done = match stopped {
            Stopped::Done => true,
            Stopped::Quiet => self.end.is_none() || self.is_at_end,
            Stopped::Told | Stopped::Broke(_) | Stopped::WaitsFor(_) => false,
        };
        self.living.engine.stand(position);
        Ok(self.living.term.end(position, is_done, self.pace)?)
    }

    /// Takes up what the reins, people and models say, and looks what is due.
    fn turn(&mut self) -> Result<Turn, RunError> {
        if let Some(broken) = self.reins.ends_behind() {
            return Ok(Turn::Over(Stopped::Broke(broken)));
        }
        self.reins.reach(self.world().now());
        let order = self.reins.order();
        if order == Order::Go
            && let Some(since) = self.held.take()
        {
            self.clock = WallClock::new(self.pace, since.max(self.world().now()));
        }
        if self.served.is_some() {
            if order == Order::Hold && self.held.is_none() {
                self.held = Some(self.clock.now().min(self.living.until()));
            }
            self.seat()?;
        }
        match order {
            Order::Stop => return Ok(Turn::Over(Stopped::Told)),
            Order::Pace(pace) => return self.change_pace(pace),
            Order::Hold => return self.hold(),
            Order::Step | Order::Go => {}
        }
        self.hear_answers()?;
        self.is_done = self.is_done
            || self.until.moments.is_some_and(|most| self.tally.moments() >= most)
            || self.until.when.as_ref().is_some_and(|when| when.holds(self.living.world()));
        let next = self.living.engine.next();
        if let Some(turn) = self.over(order, next)? {
            return Ok(turn);
        }
        match next {
            Next::At(due) => self.come_to(order, due),
            Next::WaitsFor(being) => self.rest(Some(being)),
            Next::Nothing => self.rest(None),
        }
    }

    fn change_pace(&mut self, pace: Pace) -> Result<Turn, RunError> {
        let stands = self.stands();
        // The new clock begins with the time that is shown meanwhile.
        self.audience.ticks(Some(Ticking::still(stands)));
        self.pace = pace;
        self.living.engine.going_on(pace == Pace::Real);
        switch_clock(self.living, pace, &mut self.audience)?;
        self.clock = WallClock::new(pace, stands.max(self.world().now()));
        Ok(Turn::Again)
    }

    fn hold(&mut self) -> Result<Turn, RunError> {
        // Everything that has happened is shown before the world stands still.
        self.show(true)?;
        let stands = self.stands();
        self.held = Some(stands);
        self.audience.ticks(Some(Ticking::still(stands)));
        self.audience.stands(Standing::of("paused"));
        self.reins.hold();
        Ok(Turn::Again)
    }

    /// Closes the moments of those whose models have answered meanwhile.
    fn hear_answers(&mut self) -> Result<(), RunError> {
        self.living.engine.ask_again();
        let mut taken = self.taken();
        let now = self.now();
        while let Ok((being, reply)) = self.answers.1.try_recv() {
            let mark = self.mark();
            if !self.sample(now)? {
                break;
            }
            match self.living.engine.arrived(being, reply, now, &mut |closed, world| taken.take(closed, world)) {
                Err(RoundError::Stopped) => {
                    self.rewind(mark);
                    break;
                }
                arrived => arrived?,
            }
        }
        if !taken.drafts.is_empty() {
            let checkpoint = self.living.checkpoint();
            self.hand_on(taken, checkpoint)?;
            self.show(true)?;
        }
        Ok(())
    }

    /// Whether nothing more is to happen, or only what models still think.
    fn over(&mut self, order: Order, next: Next) -> Result<Option<Turn>, RunError> {
        let comes_to_end = self.end.is_some_and(|end| match next {
            Next::At(due) => due > end,
            Next::Nothing => !self.world().is_paused(),
            Next::WaitsFor(_) => false,
        });
        let (is_over, is_idle) = (self.is_done || comes_to_end, !matches!(next, Next::At(_)));
        if !self.living.engine.waits_for_answers() {
            return if is_over { self.come_to_end(order, is_idle).map(Some) } else { Ok(None) };
        }
        // Where nothing else is due, and before the run ends or time goes by another clock, what was begun in real time is waited for.
        if !(is_idle || is_over || self.pace != Pace::Real) {
            return Ok(None);
        }
        self.show(true)?;
        if is_idle {
            self.audience.ticks(self.clock.ticking(self.living.until()));
        }
        self.audience.stands(Standing::of("running"));
        self.reins.idle();
        Ok(Some(Turn::Again))
    }

    /// Lets the clock come to where the run is to end.
    fn come_to_end(&mut self, order: Order, is_idle: bool) -> Result<Turn, RunError> {
        let Some(end) = self.end.filter(|_| !self.is_done) else { return Ok(Turn::Over(Stopped::Done)) };
        if order == Order::Go && self.clock.must_wait(end) {
            self.show(true)?;
            if !self.reins.wait(self.clock.left(end)) {
                return Ok(Turn::Again);
            }
        }
        if !self.sample(end)? {
            return Ok(Turn::Again);
        }
        self.is_at_end = true;
        Ok(Turn::Over(if is_idle { Stopped::Quiet } else { Stopped::Done }))
    }

    /// Nothing is due: a world that is served waits for whoever comes, any other has ended.
    fn rest(&mut self, waits_for: Option<BeingId>) -> Result<Turn, RunError> {
        let waits_for = waits_for.map(|being| self.world().being(being).map(|being| being.name.to_string()).unwrap_or_default());
        if self.served.is_none() {
            return Ok(Turn::Over(waits_for.map_or(Stopped::Quiet, Stopped::WaitsFor)));
        }
        self.show(true)?;
        let state = match (&waits_for, self.world().is_paused()) {
            (_, true) => "paused",
            (Some(_), false) => "waits",
            (None, false) => "quiet",
        };
        self.audience.ticks(self.clock.ticking(self.living.until()));
        self.audience.stands(Standing { state, waits_for: waits_for.map(|name| format!("@{name}")) });
        match self.living.outages().asked_again_after() {
            Some(after) => drop(self.reins.wait(after)),
            None => self.reins.idle(),
        }
        Ok(Turn::Again)
    }

    /// Lets the clock come to what is due.
    fn come_to(&mut self, order: Order, due: Millis) -> Result<Turn, RunError> {
        if order == Order::Go {
            self.audience.ticks(self.clock.ticking(due));
            self.audience.stands(Standing::of("running"));
            if self.clock.must_wait(due) {
                self.show(true)?;
                self.look_while_waiting();
                let left = self.living.outages().asked_again_after().map_or(self.clock.left(due), |after| self.clock.left(due).min(after));
                if !self.reins.wait(left.checked_sub(LEAD).unwrap_or(left)) || self.clock.must_wait(due) {
                    return Ok(Turn::Again);
                }
            }
        }
        Ok(Turn::Round(order, due))
    }

    /// Asks those ahead who are due soon, while the world waits for its clock: once for each thing that happens.
    fn look_while_waiting(&mut self) {
        let (has_news, end) = (self.living.engine.has_news(), self.clock.after(LEAD));
        let now = (self.world().next_seq(), self.living.engine.has_model_due(end));
        if !now.1 || (!has_news && self.looked_at == now) {
            return;
        }
        self.looked_at = now;
        let end = self.end.map_or(end, |ends| ends.min(end));
        let begun = Begun::nobody(self.world().now());
        self.look_until(Some(end), &begun, &[]);
    }

    /// Opens, thinks and closes the round that is due. Of one that is given up nothing is kept: another turn begins it anew, if it may.
    fn round(&mut self, order: Order, due: Millis) -> Result<(), RunError> {
        let has_closed = match self.open(self.clock.instant(due))? {
            Some(begun) => self.finish(begun)?,
            None => false,
        };
        if !has_closed {
            self.gave_up();
            self.reins.give_back(order);
            return Ok(());
        }
        // A step leaves time where its round left the world.
        if order == Order::Step {
            self.held = Some(self.world().now());
        }
        self.show(false)
    }

    /// Opens the round at an instant, and lets everybody think who needs nobody outside; nothing where it is given up.
    fn open(&mut self, at: Millis) -> Result<Option<Begun>, RunError> {
        let (yielding, mark, mut taken) = (self.reins.yielding(), self.mark(), self.taken());
        if !self.sample(at)? {
            return Ok(None);
        }
        let begun = match self.living.engine.begin_round(at, &mut |closed, world| taken.take(closed, world)) {
            Err(RoundError::Stopped) => {
                self.rewind(mark);
                return Ok(None);
            }
            begun => begun?,
        };
        drop(yielding);
        if !taken.drafts.is_empty() {
            self.hand_on(taken, None)?;
            self.before_asking(&begun)?;
        }
        Ok(Some(begun))
    }

    /// Has all that has happened durable before any request leaves: a crash from here on is counted. Where models have answered ahead, none
    /// leaves.
    fn before_asking(&mut self, begun: &Begun) -> Result<(), RunError> {
        if self.pace != Pace::Real && self.living.engine.is_answered(begun) { Ok(()) } else { self.show(true) }
    }

    /// Asks the models of a round that is open, and closes it; whether it came to that.
    fn finish(&mut self, mut begun: Begun) -> Result<bool, RunError> {
        if self.pace == Pace::Real {
            self.living.engine.heed(self.leaving.0.clone());
            let answered = self.answered();
            self.living.engine.send_away(&mut begun, &answered);
        }
        let requests = begun.requests();
        if requests.is_empty() {
            return self.close(&mut begun);
        }
        let replies = self.ask(&begun, requests)?;
        begun.hear(replies);
        // Replies of models are paid for: no stop ends the scripts that carry them out.
        let reins = self.reins;
        let _finishing = reins.finishing();
        while !self.close(&mut begun)? {
            self.gave_up();
            // Nobody is asked twice: who gets in acts as if the models still thought.
            self.seat()?;
        }
        Ok(true)
    }

    /// Asks those who are due next, while the models of a round are waited for: nobody whose moment this run may not come to, and nobody
    /// where it goes step by step.
    fn look_ahead(&mut self, begun: &Begun, replies: &[Option<Reply>]) {
        self.look_until(self.end, begun, replies);
    }

    fn look_until(&mut self, end: Option<Millis>, begun: &Begun, replies: &[Option<Reply>]) {
        let closing = self.tally.moments().saturating_add(begun.pondered.len() as u64);
        let moments = self.until.moments.map_or(u64::MAX, |most| most.saturating_sub(closing));
        if self.held.is_some() {
            return;
        }
        let reins = self.reins.clone();
        let knock: Knock = Arc::new(move || reins.knock());
        let horizon = RunHorizon { end, moments, is_live: self.served.is_some() && self.pace != Pace::Virtual };
        self.foresight.look(&mut self.living.engine, (begun, replies), &horizon, (&self.leaving.0, &knock));
    }

    /// Says that a round which had begun is begun anew.
    fn gave_up(&self) {
        if !self.reins.is_stopped() {
            tracing::info!("a round was given up, because the operator waited for its scripts; it is begun anew");
        }
    }

    /// Closes a round that was thought about; whether it was not given up.
    fn close(&mut self, begun: &mut Begun) -> Result<bool, RunError> {
        let (yielding, mark, mut taken) = (self.reins.yielding(), self.mark(), self.taken());
        // The draft of a long thought appears when it closes, and in no sample before.
        if !self.sample(self.living.engine.closes_at(begun))? {
            return Ok(false);
        }
        match self.living.engine.end_round(begun, &mut |closed, world| taken.take(closed, world)) {
            Err(RoundError::Stopped) => {
                self.rewind(mark);
                return Ok(false);
            }
            ended => ended?,
        }
        yielding.closed();
        let checkpoint = self.living.checkpoint();
        self.hand_on(taken, checkpoint)?;
        Ok(true)
    }

    /// Nothing taken yet.
    fn taken(&self) -> Taken {
        let lookout = Lookout::of(self.reins.breaks(), self.world());
        Taken { is_watched: self.audience.is_there(), lookout, ..Taken::default() }
    }

    /// Takes the samples that are due before an instant; whether it came to that: none of them is taken where it is told to stop.
    fn sample(&mut self, at: Millis) -> Result<bool, RunError> {
        let Some(measures) = &mut self.measures else { return Ok(true) };
        match measures.until(self.living.engine.world(), at) {
            Err(MeasureError::Stopped) => Ok(false),
            taken => Ok(taken.map(|()| true)?),
        }
    }

    /// Where the measures stand.
    fn mark(&mut self) -> Option<Mark> {
        self.measures.as_mut().map(|measures| measures.mark())
    }

    /// Takes back what was sampled since.
    fn rewind(&mut self, mark: Option<Mark>) {
        if let (Some(measures), Some(mark)) = (&mut self.measures, mark) {
            measures.rewind(mark);
        }
    }

    /// The callback for an answer that comes while the rounds go on.
    fn answered(&self) -> impl Fn(BeingId, Reply) + Clone + Send + 'static + use<> {
        let (tell, reins) = (self.answers.0.clone(), self.reins.clone());
        move |being, reply| {
            // Said before the knock: whoever hears the knock finds it said. Nobody hears it where the run has ended.
            let _ = tell.send((being, reply));
            reins.knock();
        }
    }

    /// Hands what was closed on to be sealed: from here on it has happened.
    fn hand_on(&mut self, taken: Taken, checkpoint: Option<Arc<World>>) -> Result<(), RunError> {
        let Taken { drafts, reports, lines, tally, waits, lookout, .. } = taken;
        self.foresight.note(&drafts, self.living.engine.world());
        let world = self.served.map(|_| self.world().clone());
        self.living.sealing.give(Round { drafts, told: Told { reports, world, waits }, checkpoint })?;
        lines.into_iter().for_each(|line| self.living.logs.say(line));
        self.tally.add(tally);
        self.reins.look_out(lookout);
        Ok(())
    }

    /// Asks models, and lets people act meanwhile and others be asked ahead. While no endpoint answers the round stands, until the run is to
    /// end: what an endpoint works on then is waited for as long as the reins let it.
    fn ask(&mut self, begun: &Begun, requests: Vec<Request>) -> Result<Vec<Reply>, RunError> {
        self.before_asking(begun)?;
        let patience = AnswerWait::standing(Duration::MAX);
        self.living.engine.heed(patience.clone());
        if !self.living.engine.looks_ahead() {
            return self.ask_all(&requests, &patience);
        }
        let mut answers = RoundAnswers::of(requests, &mut self.living.engine, self.reins);
        let waited = self.wait_for(begun, &mut answers, &patience);
        patience.give_up();
        // Calls ahead are waited for no longer than the rest.
        if !matches!(waited, Ok(true)) {
            self.leaving.0.give_up();
        }
        while !answers.are_there(&mut self.living.engine) {
            self.reins.linger(AT_ONCE);
        }
        waited.map(|_| answers.into_replies())
    }

    /// Waits until answers are there, or the run is to end; whether they came.
    fn wait_for(&mut self, begun: &Begun, answers: &mut RoundAnswers, patience: &AnswerWait) -> Result<bool, RunError> {
        let mut has_looked = false;
        loop {
            let are_there = answers.are_there(&mut self.living.engine);
            // A connection with room is asked before a round closes whose answers are there: to close it takes its time.
            let has_news = self.living.engine.has_news() || answers.has_news();
            if has_news || !(has_looked || are_there) {
                has_looked = true;
                self.look_ahead(begun, &answers.replies);
            }
            if are_there {
                return Ok(true);
            }
            self.seat()?;
            if self.reins.listen() {
                patience.leave();
                self.leaving.0.leave();
                return Ok(self.wait_for_the_last(answers));
            }
        }
    }

    /// Waits for the answers on which endpoints work, as long as the reins let it; whether they came.
    fn wait_for_the_last(&mut self, answers: &mut RoundAnswers) -> bool {
        let until = Instant::now() + self.reins.grace();
        // A call that stands comes back at once, and is worth no word.
        if self.come_by(answers, Instant::now() + AT_ONCE) {
            return true;
        }
        if Instant::now() < until {
            say_that_it_waits();
        }
        self.come_by(answers, until)
    }

    /// Whether answers come by then.
    fn come_by(&mut self, answers: &mut RoundAnswers, until: Instant) -> bool {
        while !answers.are_there(&mut self.living.engine) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            self.reins.linger(left);
        }
        true
    }

    /// Asks those who answer all requests at once.
    fn ask_all(&mut self, requests: &[Request], patience: &AnswerWait) -> Result<Vec<Reply>, RunError> {
        let mut minds = self.living.engine.lend_minds();
        let (tell, told) = mpsc::channel();
        let reins = self.reins;
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
                if let Err(error) = self.seat() {
                    break Err(error);
                }
                if reins.listen() {
                    patience.leave();
                    break Ok(wait_for_the_last(reins, &told));
                }
            };
            patience.give_up();
            let replies = asking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            waited.map(|_| replies)
        });
        self.living.engine.asking(minds);
        asked
    }

    /// Carries out what was proposed. An answer is heard only once what it tells is durable and can be read by all.
    fn seat(&mut self) -> Result<(), RunError> {
        let Some((seats, feed)) = self.served else { return Ok(()) };
        let proposals = seats.take();
        if proposals.is_empty() {
            return Ok(());
        }
        self.show(true)?;
        // An act between two rounds is dated now, and never after the next due moment.
        let at = self.now().min(self.living.until());
        for proposal in proposals {
            (self.living.instant, self.living.lookout) = (Some(at), Lookout::of(self.reins.breaks(), self.world()));
            let done = (proposal.work)(self.living);
            self.living.instant = None;
            self.reins.look_out(std::mem::take(&mut self.living.lookout));
            if let Ok(reports) = &done {
                feed.publish(reports.iter().cloned(), self.world().clone());
            }
            let fatal = done.as_ref().err().filter(|error| error.is_fatal()).map(ToString::to_string);
            (proposal.heard)(done);
            if let Some(why) = fatal {
                // Memory and disk may differ now: the world has to be opened again.
                return Err(RunError::Broken(why));
            }
        }
        Ok(())
    }
}

/// A clock switch is a fact.
fn switch_clock(living: &mut Living, pace: Pace, audience: &mut Audience<'_>) -> Result<(), RunError> {
    if living.world().world_setting("clock").as_str() == Some(&pace.word()) {
        return Ok(());
    }
    let args = Value::map([("key", Value::text("clock")), ("value", Value::from(pace.word()))]);
    by_the_world(living, Call::doing("/", "config.set", args), pace, audience)
}

/// Where time has passed without the world, it says so first of all. Any other clock has stood still with it, and it says so where somebody
/// wakes by that.
fn reopen(living: &mut Living, pace: Pace, audience: &mut Audience<'_>) -> Result<(), RunError> {
    let is_said = pace == Pace::Real || living.world().boots();
    let Some(since) = living.stood_since.take().filter(|_| is_said) else { return Ok(()) };
    let args = Value::map([("since", Value::Int(since))]);
    by_the_world(living, Call::doing("/", REOPENED, args), pace, audience)
}

/// Carries out an act of the world itself when a run begins.
fn by_the_world(living: &mut Living, call: Call, pace: Pace, audience: &mut Audience<'_>) -> Result<(), RunError> {
    let at = if pace == Pace::Real { wall().max(living.world().now()) } else { living.world().now() };
    if let Some(draft) = living.engine.gesture(BeingId::WORLD, call, Terms::default(), at)? {
        let told = audience.told(&draft, living.engine.world());
        living.sealing.give(Round::new(vec![draft], told))?;
        if audience.feed.is_some() {
            audience.hear(living.sealing.durable(true)?);
        }
    }
    Ok(())
}
