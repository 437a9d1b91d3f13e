//! Engine: who is next. It opens and thinks many moments at once, closes them in order, and hands the drafts on to be sealed.
//!
//! A *round* is all beings due at one instant, one moment each: the same `opened`, thought about in parallel, closed in wake order,
//! committed as one atomic group. A round takes at least a millisecond of world time, and holds so many moments at most: who is left comes
//! in the next. Nothing here reads a clock: the instant comes in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::cognition::{self, Connection, Reply, Request, Unasked, think};
use crate::fact::{BeingId, Call, Closing, Code, Cognition, Draft, Made, Master, Millis, Reason, SpaceId, Text, Thought, WakeId, WakeKind};
use crate::minds::{AheadCount, AnswerWait, Endpoints, Foreseen, Heard, Minds, Outages, Unready};
use crate::moment::{ARRIVAL, Answer, Closer, Composer, Opening, Terms, Thinker, ask, close, open};
use crate::role::{ClauseTrace, Outcome, Trace};
use crate::script::{Limits, Sandbox};
use crate::verb::Hands;
use crate::world::{Being, FoldError, HELD_WAIT, NoBlobs, Wake, World};

use super::request_cache::RequestCache;

/// Below this many moments a thread of its own does not pay.
const ALONE: usize = 16;
/// Among how many who are due next a model is sought.
const LOOKED_AT: usize = 2_048;

/// A being whose moment has come, and for which wake.
pub(super) type DueMoment = (Arc<Being>, Arc<Wake>);

/// One worker's own engine and composer; never shared, so workers never wait for each other.
struct Worker {
    sandbox: Sandbox,
    composer: Composer,
    /// The requests of the last looks, where its world is a copy that nobody seals.
    requests: Option<RequestCache>,
}

impl Worker {
    fn new(stop: &Arc<AtomicBool>) -> Self {
        Self { sandbox: Sandbox::heeding(Limits::default(), stop.clone()), composer: Composer::default(), requests: None }
    }

    fn request(&mut self, opening: &Opening, world: &Arc<World>) -> Result<Request, Unasked> {
        let sandbox = &mut self.sandbox;
        match &mut self.requests {
            None => cognition::request(opening, world, sandbox),
            Some(requests) => requests.request(opening, || cognition::request(opening, world, sandbox)),
        }
    }

    fn moment(&mut self, world: &Arc<World>, being: &Arc<Being>, wake: &Arc<Wake>, at: Millis, watched: bool) -> Pondered {
        let opening = open(world, being, wake, at, None, &mut self.composer);
        self.sandbox.begin();
        let (answer, request) = match opening.thinker() {
            Thinker::Nobody | Thinker::Person => (Answer::none(), None),
            Thinker::Script => (think(&opening, world, &mut self.sandbox), None),
            Thinker::Panel => (cognition::deliberate(&opening, world, &mut self.sandbox), None),
            Thinker::Outside => match self.request(&opening, world) {
                Ok(request) => (Answer::none(), Some(request)),
                Err(unasked) => (unasked.answer(), None),
            },
        };
        let changed = opening.stack.iter().map(|worn| &worn.role).ne(being.wearing.iter());
        let why = (watched && changed).then(|| why(&opening.trace(world, None)));
        Pondered { opening, request, answer, why, notes: self.sandbox.notes() }
    }
}

/// The clauses that chose a stack, in a line; where nothing is worn, why none of them did.
fn why(trace: &Trace) -> String {
    if trace.stack.is_empty() {
        let clauses: Vec<String> = trace.clauses.iter().map(ToString::to_string).collect();
        return if clauses.is_empty() { "it has no flow and no default role".to_owned() } else { clauses.join("; ") };
    }
    let chose = |clause: &&ClauseTrace| matches!(clause.outcome, Outcome::Primary | Outcome::Stacked);
    let lent = trace
        .spaces
        .iter()
        .flat_map(|space| space.clauses.iter().filter(chose).map(|clause| format!("the flow of {}: {clause}", space.address)));
    let clauses: Vec<String> = trace.clauses.iter().filter(chose).map(ToString::to_string).chain(lent).collect();
    if trace.stack.primary().is_some_and(|primary| primary.clause().is_none()) {
        let default = "no clause for a primary matches: the default role".to_owned();
        return std::iter::once(default).chain(clauses).collect::<Vec<_>>().join("; ");
    }
    clauses.join("; ")
}

/// A moment that has been thought about.
#[derive(Clone)]
pub(super) struct Pondered {
    pub(super) opening: Opening,
    /// The request to an outside model.
    pub(super) request: Option<Request>,
    answer: Answer,
    why: Option<String>,
    notes: Vec<String>,
}

impl Pondered {
    /// How much world time the thought takes.
    fn takes(&self) -> Millis {
        if self.opening.verdict.is_some() { 0 } else { self.opening.worn.thinks.unwrap_or(0) }
    }
}

/// A moment that has been closed.
pub struct Closed {
    /// The draft to be sealed.
    pub draft: Draft,
    /// Why the being wears what it wears, where somebody watches and it wore something else before.
    pub why: Option<String>,
    /// The messages of its scripts to watchers; no seal holds them.
    pub notes: Vec<String>,
}

/// A round that is open: thought about, as far as nobody outside is to be asked.
#[derive(Clone)]
#[must_use = "a round that was begun is to be ended"]
pub struct Begun {
    pub(super) pondered: Vec<Pondered>,
    pub(super) at: Millis,
    /// The world that all of them read, where models have to be asked.
    opened: Option<Arc<World>>,
    /// Whether models have answered.
    is_heard: bool,
}

impl Begun {
    /// A round of nobody.
    pub(super) fn nobody(at: Millis) -> Self {
        Self { pondered: Vec::new(), at, opened: None, is_heard: false }
    }

    /// The requests to models, in the order in which their replies are to be given.
    pub fn requests(&self) -> Vec<Request> {
        self.pondered.iter().filter_map(|pondered| pondered.request.clone()).collect()
    }

    /// Hears what the models replied.
    pub fn hear(&mut self, replies: Vec<Reply>) {
        let Some(world) = &self.opened else { return };
        let mut replies = replies.into_iter();
        for Pondered { opening, request, answer, .. } in &mut self.pondered {
            if request.is_some()
                && let (Some(request), Some(reply)) = (request.take(), replies.next())
            {
                *answer = cognition::hear(opening, world, &request, reply);
                self.is_heard = true;
            }
        }
    }
}

impl Begun {
    /// Hears those replies that are there: of each model it is said where it stands, who it is and what it is asked.
    pub(super) fn hear_some(&mut self, mut reply_of: impl FnMut(SpaceId, &str, &Request) -> Option<Reply>) {
        let Some(world) = &self.opened else { return };
        for Pondered { opening, request, answer, .. } in &mut self.pondered {
            let Some(asked) = request.as_ref() else { continue };
            if let Some(reply) = reply_of(opening.being.position, &opening.being.name, asked) {
                *answer = cognition::hear(opening, world, asked, reply);
                *request = None;
            }
        }
    }

    /// A copy of it, in which those have been heard who have answered.
    fn heard_so_far(&self, replies: &[Option<Reply>]) -> Self {
        let mut begun = Self { pondered: self.pondered.clone(), at: self.at, opened: self.opened.clone(), is_heard: false };
        let mut replies = replies.iter();
        begun.hear_some(|_, _, _| replies.next().cloned().flatten());
        begun
    }
}

/// Why a round came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum RoundError {
    /// A draft could not be folded.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// Nobody can be asked.
    #[error(transparent)]
    Unready(#[from] Unready),
    /// It was given up: nothing of it is kept, and the world is as it was before.
    #[error("the round was given up while scripts ran; nothing of it is kept")]
    Stopped,
}

/// The next event for the engine: a due moment, a person to wait for, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Somebody is due at this instant.
    At(Millis),
    /// The world waits for a person who has an open wake.
    WaitsFor(BeingId),
    /// Nobody has an open wake that the engine can open.
    Nothing,
}

/// A living world in memory: the fold, and the workers.
pub struct Engine {
    pub(super) world: Arc<World>,
    master: Master,
    workers: Vec<Worker>,
    closer: Closer,
    pub(super) minds: Box<dyn Minds>,
    /// The connections that do not answer now.
    outages: Outages,
    /// Whether rounds go on while models are asked.
    goes_on: bool,
    /// The beings whose moments wait for models while the rounds go on.
    away: BTreeMap<BeingId, Begun>,
    last_round: Millis,
    watched: bool,
    stop: Arc<AtomicBool>,
    /// Whether its world is a copy that nobody seals.
    is_copy: bool,
}

impl Engine {
    /// An engine that goes on from a world.
    pub fn new(world: World, master: Master, threads: usize) -> Self {
        let stop = Arc::default();
        let workers = (0..threads.max(1)).map(|_| Worker::new(&stop)).collect();
        let mut hands = Hands::new(Sandbox::heeding(Limits::default(), stop.clone()));
        // Outside of rounds somebody waits for what is done: it is finished, within its bound.
        hands.heed(false);
        let closer = Closer { hands, composer: Composer::default() };
        let last_round = world.at();
        let minds = Box::new(Endpoints::default());
        let (outages, world, away) = (minds.outages(), Arc::new(world), BTreeMap::new());
        Self { world, master, workers, closer, minds, outages, goes_on: false, away, last_round, watched: false, stop, is_copy: false }
    }

    /// The world as it is in memory; what of it is durable the sealing knows.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// The secret from which the keys of the newly born grow.
    pub fn master(&self) -> &Master {
        &self.master
    }

    /// Asks other minds than the endpoints that connections name.
    pub fn asking(&mut self, minds: Box<dyn Minds>) {
        self.outages = minds.outages();
        self.minds = minds;
    }

    /// Lets world time stand at an instant: nothing happens before it any more.
    pub fn stand(&mut self, at: Millis) {
        Arc::make_mut(&mut self.world).stand(at);
    }

    /// Whether somebody watches, and wants to know why beings change what they wear.
    pub fn watched(&mut self, watched: bool) {
        self.watched = watched;
    }

    /// Gives up a round by its scripts, as soon as it is true.
    pub fn stopping(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    /// Whether time waits for a person who is not there.
    fn waits_for(&self, being: &Being) -> bool {
        self.world.setting("absence", being).as_str() == Some("wait")
    }

    /// Whether rounds go on while models are asked: who thinks by a connection that does not answer is not due then, but for one.
    pub fn going_on(&mut self, goes_on: bool) {
        self.goes_on = goes_on;
    }

    /// The connections that do not answer now, as they come and go.
    pub fn outages(&self) -> &Outages {
        &self.outages
    }

    /// Whether a model can be asked what to do about a wake: there is a connection with a key, and a price where money is counted; and it
    /// answers, or nobody else waits for it.
    pub(super) fn reaches(&self, being: &Being, wake: Option<&Wake>) -> bool {
        let (counts_money, may_ask) = (self.world.counts_money(being, wake), self.world.may_ask_models());
        let can_be_asked = |connection: &Connection| {
            let why = self.lacks(being, connection, counts_money, may_ask);
            // A being that waits in a copy waits nowhere.
            if !self.is_copy {
                self.outages.note_held(&connection.name, why.filter(|why| *why != Code::ConnectionHeld));
            }
            why.is_none()
        };
        if is_unset(&self.world, being) {
            return true;
        }
        Connection::any(&self.world, being, can_be_asked) && self.out_by(being).is_none_or(|name| !self.waits_on(&name))
    }

    /// Why a being cannot be asked by a connection, nor by those after it.
    fn lacks(&self, being: &Being, connection: &Connection, counts_money: bool, may_ask: bool) -> Option<Code> {
        let after = connection.after(&self.world, being);
        let all = std::iter::once(connection).chain(&after);
        if !may_ask {
            Some(Code::NoBudget)
        } else if counts_money && all.clone().any(|one| one.price.is_none()) {
            Some(Code::NoPrice)
        } else {
            self.lacked_by_all(all)
        }
    }

    /// The fault that keeps the first of some connections from being asked, where one keeps each of those that follow it too.
    fn lacked_by_all<'c>(&self, all: impl Iterator<Item = &'c Connection>) -> Option<Code> {
        let mut first = None;
        for one in all {
            let turned_away = self.outages.turned_away(one, Instant::now());
            match (self.minds.lacks_key(one), &turned_away) {
                (true, _) => drop(first.get_or_insert(Code::KeyMissing)),
                (false, Some(_)) => drop(first.get_or_insert(Code::ConnectionHeld)),
                (false, None) => return None,
            }
            if turned_away.is_some_and(|status| !one.fails_over_on(&status)) {
                break;
            }
        }
        first
    }

    /// Why nobody can be asked in a being's moment for a wake that is due.
    pub(super) fn why_held(&self, being: &Being, wake: Option<&Wake>, at: Millis) -> Option<Code> {
        if self.world.is_undressed(being, wake, at) {
            return Some(Code::Undressed);
        }
        if self.world.tripped(being, at).is_some() {
            return Some(Code::BrakeTripped);
        }
        if !being.cognition_at(at).is_asked_outside() || is_unset(&self.world, being) {
            return None;
        }
        let (counts_money, may_ask, mut why) =
            (self.world.counts_money(being, wake), self.world.may_ask_models(), Some(Code::NoConnection));
        Connection::any(&self.world, being, |connection| {
            why = self.lacks(being, connection, counts_money, may_ask);
            why.is_none()
        });
        why
    }

    /// The names of those who cannot be asked though a wake of theirs is due now, by what is lacking.
    pub(super) fn held(&self) -> BTreeMap<Code, Vec<Text>> {
        let now = self.world.now();
        // A being that is held by a connection would ask anew a while later, and is held by then.
        let asked_in_vain = |being: &Being| self.world.inbox().of(being.id).any(|wake| wake.is_held_by_its_connection());
        let due = self.world.inbox().due().take_while(|(due, _)| *due <= now.saturating_add(HELD_WAIT));
        let beings = due.filter_map(|(due, id)| self.world.being(id).filter(|being| due <= now || asked_in_vain(being)));
        beings.fold(BTreeMap::new(), |mut held, being| {
            if let Some(why) = self.why_held(being, None, now) {
                held.entry(why).or_insert_with(Vec::new).push(being.name.clone());
            }
            held
        })
    }

    /// The connection for which a being would have to wait, where rounds go on and all that it may be asked by do not answer.
    fn out_by(&self, being: &Being) -> Option<Text> {
        let mut first = None;
        let answers = |connection: &Connection| {
            first.get_or_insert_with(|| connection.name.clone());
            let after = connection.after(&self.world, being);
            std::iter::once(connection).chain(&after).any(|one| !self.outages.is_out(&one.name))
        };
        if !self.goes_on || Connection::any(&self.world, being, answers) { None } else { first }
    }

    /// Whether a moment is under way that waits for a connection.
    fn waits_on(&self, connection: &str) -> bool {
        let mut asked = self.away.values().flat_map(|begun| &begun.pondered).filter_map(|pondered| pondered.request.as_ref());
        asked.any(|request| request.connection.name.as_ref() == connection)
    }

    /// Whether somebody waits for what a person does about any of their wakes.
    fn is_awaited(&self, being: BeingId, at: Millis) -> bool {
        self.world.inbox().of(being).any(|wake| wake.id.due <= at && wake.is_waited_for())
    }

    /// Says how far the world has come to whoever notes since when a connection does not answer; a copy says nothing.
    fn note_time(&self, at: Millis) {
        if !self.is_copy {
            self.outages.note_time(at);
        }
    }

    /// When the next round is due.
    pub fn next(&self) -> Next {
        self.note_time(self.world.now());
        // An act beside the rounds may have moved world time on: nothing happens before it any more.
        let soonest = self.last_round.saturating_add(1).max(self.world.now());
        let mut next: Option<Millis> = None;
        let mut waited_for: Option<(Millis, BeingId)> = None;
        for (since, id) in self.world.inbox().due() {
            let due = since.max(soonest);
            // A being later in the order is due later still. A being due together with a person comes before the world waits for that
            // person; so does a being left out of a full round.
            if next.is_some_and(|next| next <= due) || waited_for.is_some_and(|(first, _)| since > first) {
                break;
            }
            let Some(being) = self.world.being(id).filter(|_| !self.away.contains_key(&id)) else { continue };
            if self.world.holds_still(being) && !being.ended {
                continue;
            }
            // A being with nothing to wear is held with its wakes, until it has a role.
            let Some(from) = self.world.dressed_from(being, due) else { continue };
            // One that a brake holds is due once its window turns.
            let from = self.world.cooled_from(being, from);
            match self.asked_at(being, from) {
                Some(at) => next = Some(next.map_or(at, |next| next.min(at))),
                // Nobody can answer for these two: the world itself, and whoever comes unknown.
                None if from == due
                    && id != BeingId::WORLD
                    && being.name.as_ref() != ARRIVAL
                    && self.waits_for(being)
                    && self.is_awaited(id, due) =>
                {
                    waited_for = waited_for.or(Some((since, id)));
                }
                None => {}
            }
        }
        next.map_or_else(|| waited_for.map_or(Next::Nothing, |(_, id)| Next::WaitsFor(id)), Next::At)
    }

    /// From when on the engine can ask a being by itself; one that is driven, when the lease is over.
    fn asked_at(&self, being: &Being, due: Millis) -> Option<Millis> {
        match (being.ended, being.cognition, being.driver) {
            (true, _, _) | (false, Cognition::Script | Cognition::Panel, None) => Some(due),
            (false, Cognition::Script | Cognition::Panel, Some((_, until))) => Some(due.max(until)),
            // A model that cannot be reached by any connection waits for one, as a person is waited for.
            (false, Cognition::Llm | Cognition::Bridge, driver)
                if self.reaches(being, self.world.inbox().next(being.id, due).map(Arc::as_ref)) =>
            {
                Some(driver.map_or(due, |(_, until)| due.max(until)))
            }
            (false, Cognition::Llm | Cognition::Bridge | Cognition::Human, _) => None,
        }
    }

    /// When those are due next who have to do with what began with a root, and their moments: each takes the wake that comes first with it.
    /// No bridge is among them: whoever is only asked reaches nothing outside.
    pub(super) fn due_for(&self, root: Made) -> Option<(Millis, Vec<DueMoment>)> {
        let world = &self.world;
        let is_bridge = |being: BeingId| world.being(being).is_some_and(|being| being.cognition == Cognition::Bridge);
        let first = |being: BeingId| world.inbox().of(being).filter(|wake| wake.root == Some(root)).map(|wake| wake.id.due).min();
        let mut instants: Vec<Millis> =
            world.inbox().due().filter(|(_, being)| !is_bridge(*being)).filter_map(|(_, being)| first(being)).collect();
        instants.sort_unstable();
        instants.dedup();
        let soonest = self.last_round.saturating_add(1).max(world.now());
        instants.into_iter().map(|due| due.max(soonest)).find_map(|at| {
            let mut due = self.due(at);
            due.retain(|(being, _)| !is_bridge(being.id) && first(being.id).is_some_and(|due| due <= at));
            (!due.is_empty()).then_some((at, due))
        })
    }

    /// The moments of the round at an instant, in wake order, no more than a round holds.
    fn due(&self, at: Millis) -> Vec<DueMoment> {
        let world = &self.world;
        let mut due: Vec<DueMoment> = Vec::new();
        for (_, id) in world.inbox().due().take_while(|(due, _)| *due <= at) {
            // One moment at a time: who still thinks about the last is not due.
            let Some(being) = world.being(id).filter(|_| !self.away.contains_key(&id)) else { continue };
            let is_asked = |wake: &Wake| match being.cognition_at(at) {
                Cognition::Script | Cognition::Panel => true,
                Cognition::Llm | Cognition::Bridge => self.reaches(being, Some(wake)),
                Cognition::Human => false,
            };
            let is_ours = |wake: &Wake| being.ended || (!world.holds_still(being) && is_asked(wake));
            if let Some(wake) = world.inbox().next(id, at)
                && is_ours(wake)
                && !world.is_undressed(being, Some(wake), at)
                && world.tripped(being, at).is_none()
            {
                due.push((being.clone(), wake.clone()));
            }
        }
        due.sort_by_key(|(being, wake)| (wake.id.rank, wake.id.due, wake.id.cause, being.id));
        // Of those who wait for one connection the first tries whether it answers again.
        let mut tries = BTreeSet::new();
        let is_model = |being: &Being| !being.ended && being.cognition_at(at) == Cognition::Llm;
        due.retain(|(being, _)| !is_model(being) || self.out_by(being).is_none_or(|name| tries.insert(name)));
        due.truncate(world.round_moments());
        due
    }

    /// Both halves of the round at an instant at once: for measuring and trying. A run takes them one by one, because what holds back the
    /// cost of a call has to be durable before a model is asked.
    pub fn round(&mut self, at: Millis, watch: &mut dyn FnMut(Closed, &World)) -> Result<(), RoundError> {
        let mut begun = self.begin_round(at, watch)?;
        let requests = begun.requests();
        if !requests.is_empty() {
            begun.hear(self.minds.ask(&requests));
        }
        self.end_round(&mut begun, watch)
    }

    /// Opens the round at an instant and lets everybody think who needs nobody outside. Its frames must be durable before the round is
    /// ended: for each model to ask, the frame that reserves its cost, or its end where no budget has room.
    pub fn begin_round(&mut self, at: Millis, watch: &mut dyn FnMut(Closed, &World)) -> Result<Begun, RoundError> {
        let due = self.due(at);
        self.note_time(at);
        self.begin_for(due, at, watch)
    }

    /// The same for some of those who are due.
    pub(super) fn begin_for(
        &mut self,
        due: Vec<DueMoment>,
        at: Millis,
        watch: &mut dyn FnMut(Closed, &World),
    ) -> Result<Begun, RoundError> {
        let mut pondered = self.think_all(&due, at);
        drop(due);
        // The result of a script that was ended is not sealed.
        if self.stop.load(Ordering::Relaxed) {
            return Err(RoundError::Stopped);
        }
        if pondered.iter().all(|moment| moment.request.is_none()) {
            return Ok(Begun { pondered, at, opened: None, is_heard: false });
        }
        let opened = self.world.clone();
        let stamped = self.hold_back(&mut pondered, at).and_then(|stamped| {
            let requests: Vec<&Request> = pondered.iter().filter_map(|moment| moment.request.as_ref()).collect();
            self.minds.ready(&requests)?;
            Ok(stamped)
        });
        match stamped {
            Ok(stamped) => stamped.into_iter().for_each(|(closed, world)| watch(closed, &world)),
            Err(error) => {
                self.world = opened;
                return Err(error);
            }
        }
        Ok(Begun { pondered, at, opened: Some(opened), is_heard: false })
    }

    /// Holds back what each model of a round can cost. Left in the round are those who can be asked, and whoever needs nobody; the frames
    /// come back, each with the world as of it: what no budget has room for has ended with its own.
    fn hold_back(&mut self, pondered: &mut Vec<Pondered>, at: Millis) -> Result<Vec<(Closed, Arc<World>)>, RoundError> {
        let mut stamped = Vec::with_capacity(pondered.len());
        for mut moment in std::mem::take(pondered) {
            let Some(request) = moment.request.take() else {
                pondered.push(moment);
                continue;
            };
            let (master, id) = (&self.master, self.world.id());
            let key_of = |being: BeingId| master.credential(id, being, false);
            let closed = match cognition::afford(&moment.opening, &self.world, request) {
                Ok((request, most)) => {
                    let draft = ask(&moment.opening, &self.world, at, most, &key_of);
                    Arc::make_mut(&mut self.world).apply(&draft, &NoBlobs)?;
                    pondered.push(Pondered { request: Some(request), ..moment });
                    Closed { draft, why: None, notes: Vec::new() }
                }
                Err(reason) => {
                    let draft = self.stamp(moment.opening, cognition::unasked(reason), at)?;
                    Closed { draft, why: moment.why, notes: moment.notes }
                }
            };
            stamped.push((closed, self.world.clone()));
        }
        Ok(stamped)
    }

    /// When a round that was begun closes: it waits for whoever of it thinks longest, by what the worn roles declare; people may have acted
    /// meanwhile.
    pub fn closes_at(&self, begun: &Begun) -> Millis {
        let takes = begun.pondered.iter().map(Pondered::takes).max().unwrap_or(0);
        begun.at.saturating_add(takes).max(self.world.now())
    }

    /// Closes the moments of a round that was begun, in wake order. One that is given up in between and in which models have answered
    /// stays open, to be closed again: what they have said was paid for.
    pub fn end_round(&mut self, begun: &mut Begun, watch: &mut dyn FnMut(Closed, &World)) -> Result<(), RoundError> {
        let at = self.closes_at(begun);
        let runs = || begun.pondered.iter().any(|pondered| self.runs(&pondered.answer));
        let kept = (begun.is_heard && runs()).then(|| begun.pondered.clone());
        let closed = self.close(std::mem::take(&mut begun.pondered), at, watch);
        if let (Err(RoundError::Stopped), Some(kept)) = (&closed, kept) {
            begun.pondered = kept;
        }
        closed
    }

    /// Closes moments that have been thought about. Where they are given up while operations run, all of them are taken back.
    fn close(&mut self, pondered: Vec<Pondered>, at: Millis, watch: &mut dyn FnMut(Closed, &World)) -> Result<(), RoundError> {
        let last_round = std::mem::replace(&mut self.last_round, at);
        // Kept only where a script can be ended in the middle: what is kept has to be copied from.
        let before = pondered.iter().any(|pondered| self.runs(&pondered.answer)).then(|| self.world.clone());
        self.closer.hands.heed(before.is_some());
        let closed = self.close_each(pondered, at, watch);
        self.closer.hands.heed(false);
        if let (Err(RoundError::Stopped), Some(before)) = (&closed, before) {
            (self.world, self.last_round) = (before, last_round);
            self.closer.hands.notes();
        }
        closed
    }

    /// Whether an answer calls an operation that is a script.
    fn runs(&self, answer: &Answer) -> bool {
        answer.call.as_ref().is_some_and(|(call, _)| self.world.registry().operations.contains_key(&call.action))
    }

    fn close_each(&mut self, pondered: Vec<Pondered>, at: Millis, watch: &mut dyn FnMut(Closed, &World)) -> Result<(), RoundError> {
        for Pondered { opening, answer, why, mut notes, .. } in pondered {
            let (being, wake) = (opening.being.id, &opening.wake.id);
            // A being that ended earlier in this round has its own last wake, and not this one any more; what a call has cost is said all the same.
            if self.world.inbox().get(being, wake).is_some() || self.world.ledger().held(being, wake).is_some() {
                let runs = self.runs(&answer);
                let draft = self.stamp(opening, answer, at)?;
                if runs {
                    notes.extend(self.closer.hands.notes());
                }
                watch(Closed { draft, why, notes }, &self.world);
            }
        }
        Ok(())
    }

    /// Takes the moments out of a round that wait for models, and begins to ask: the others can be closed without them. `told` hears each
    /// answer with the being that it is for, and [`Engine::arrived`] takes it.
    pub fn send_away(&mut self, begun: &mut Begun, told: &(impl Fn(BeingId, Reply) + Clone + Send + 'static)) {
        for (being, request) in self.put_away(begun) {
            let told = told.clone();
            self.minds.begin(request, Heard::new(move |reply| told(being, reply)));
        }
    }

    /// Closes the moment that waited for this answer. The wall clock says how long it took, whatever its role declares.
    pub fn arrived(&mut self, being: BeingId, reply: Reply, now: Millis, watch: &mut dyn FnMut(Closed, &World)) -> Result<(), RoundError> {
        let Some(mut begun) = self.away.remove(&being) else { return Ok(()) };
        let at = now.max(self.world.now());
        begun.hear(vec![reply]);
        self.close(begun.pondered, at, watch)
    }

    /// Waits for nobody any more: what was held back for their calls is found when their wakes are opened again.
    pub fn call_back(&mut self) {
        self.away.clear();
    }

    /// Whether any moment waits for a model while the rounds go on.
    pub fn waits_for_answers(&self) -> bool {
        !self.away.is_empty()
    }

    /// Whether any model is being asked, for a moment that is open or still to come.
    pub fn has_calls_under_way(&mut self) -> bool {
        self.waits_for_answers() || self.minds.ahead().is_some_and(|ahead| ahead.is_under_way())
    }

    /// Whether models can be asked ahead of their moments.
    pub(super) fn looks_ahead(&mut self) -> bool {
        self.minds.ahead().is_some()
    }

    /// Whether a model is among those who are due next, up to an instant.
    pub(super) fn has_model_due(&self, until: Millis) -> bool {
        let due = self.world.inbox().due().take_while(|(due, _)| *due <= until).take(LOOKED_AT);
        due.filter_map(|(_, id)| self.world.being(id)).any(|being| being.cognition == Cognition::Llm)
    }

    /// Whether models have answered everything that a round asks, ahead of it.
    pub(super) fn is_answered(&mut self, begun: &Begun) -> bool {
        let Some(ahead) = self.minds.ahead() else { return false };
        let mut requests = begun.pondered.iter().filter_map(|pondered| pondered.request.as_ref()).peekable();
        requests.peek().is_some() && requests.all(|request| matches!(ahead.foreseen(request), Foreseen::Replied(_)))
    }

    /// How many calls were begun ahead of their moments.
    pub(super) fn ahead_count(&mut self) -> AheadCount {
        self.minds.ahead().map(|ahead| ahead.count()).unwrap_or_default()
    }

    /// Takes in that all that was handed on is durable.
    pub(super) fn settle(&mut self) {
        if let Some(ahead) = self.minds.ahead() {
            ahead.settle();
        }
    }

    /// Begins to ask for a moment that is open.
    pub(super) fn begin_asking(&mut self, request: Request, heard: impl FnOnce(Reply) + Send + 'static) {
        self.minds.begin(request, Heard::new(heard));
    }

    /// Whether any call ahead was answered since this was asked last.
    pub(super) fn has_news(&mut self) -> bool {
        self.minds.ahead().is_some_and(|ahead| ahead.has_news())
    }

    /// Asks again where an answer is of no use that was begun ahead of its moment.
    pub(super) fn ask_again(&mut self) {
        if let Some(ahead) = self.minds.ahead() {
            ahead.ask_again();
        }
    }

    /// Says how long the next answers are waited for.
    pub fn heed(&mut self, patience: AnswerWait) {
        self.minds.heed(patience);
    }

    /// The minds, lent to whoever asks them while the world goes on; they are to be given back by [`Engine::asking`].
    pub fn lend_minds(&mut self) -> Box<dyn Minds> {
        std::mem::replace(&mut self.minds, Box::new(Endpoints::default()))
    }

    /// One that goes on with copies of this one's world, and asks nobody.
    pub(super) fn apprentice(&self) -> Self {
        let mut apprentice = Self::new(World::clone(&self.world), self.master.clone(), 1);
        apprentice.workers.iter_mut().for_each(|worker| worker.requests = Some(RequestCache::default()));
        (apprentice.outages, apprentice.is_copy) = (self.outages.clone(), true);
        apprentice.rest();
        apprentice
    }

    /// Holds no world any more: while anybody holds one, folding has to copy of it what changes.
    pub(super) fn rest(&mut self) {
        self.world = Arc::new(World::new(self.world.id()));
        self.away.clear();
    }

    /// Goes on where another stands with a round that is open: whoever of it has answered is closed here, and the others are waited for.
    pub(super) fn follow(&mut self, other: &Self, begun: &Begun, replies: &[Option<Reply>]) -> Result<(), RoundError> {
        (self.world, self.last_round, self.goes_on) = (other.world.clone(), other.last_round, other.goes_on);
        self.away.clone_from(&other.away);
        self.end_those_heard(&mut begun.heard_so_far(replies))
    }

    /// Closes those moments of a round of a copy that have been heard; the others are waited for.
    pub(super) fn end_those_heard(&mut self, begun: &mut Begun) -> Result<(), RoundError> {
        self.put_away(begun);
        let mut drafts = Vec::with_capacity(begun.pondered.len());
        let ended = self.end_round(begun, &mut |closed, _| drafts.push(closed.draft));
        if let Some(requests) = self.workers.first_mut().and_then(|worker| worker.requests.as_mut()) {
            requests.note(&drafts, &self.world);
        }
        ended
    }

    /// The requests of the last looks, where its world is a copy that nobody seals.
    pub(super) fn requests(&mut self) -> Option<&mut RequestCache> {
        self.workers.first_mut()?.requests.as_mut()
    }

    /// Takes the moments out of a round that wait for models: whose they are, and what is asked.
    pub(super) fn put_away(&mut self, begun: &mut Begun) -> Vec<(BeingId, Request)> {
        let (at, opened) = (begun.at, begun.opened.clone());
        let asked = begun.pondered.extract_if(.., |pondered| pondered.request.is_some());
        let put = |pondered: Pondered| {
            let (being, request) = (pondered.opening.being.id, pondered.request.clone()?);
            self.away.insert(being, Begun { pondered: vec![pondered], at, opened: opened.clone(), is_heard: false });
            Some((being, request))
        };
        asked.filter_map(put).collect()
    }

    /// The moments that wait for models while the rounds go on.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Pondered> {
        self.away.values().flat_map(|begun| &begun.pondered)
    }

    /// The moments of those who are due, thought about; only some of them where the round is given up.
    fn think_all(&mut self, due: &[DueMoment], at: Millis) -> Vec<Pondered> {
        let (watched, world, stop) = (self.watched, &self.world, &self.stop);
        let think = |worker: &mut Worker, due: &[DueMoment]| -> Vec<Pondered> {
            let thought = due.iter().take_while(|_| !stop.load(Ordering::Relaxed));
            thought.map(|(being, wake)| worker.moment(world, being, wake, at, watched)).collect()
        };
        let workers = self.workers.len().min(due.len().div_ceil(ALONE)).max(1);
        let share = due.len().div_ceil(workers).max(1);
        if workers == 1 {
            let Some(worker) = self.workers.first_mut() else { return Vec::new() };
            return think(worker, due);
        }
        std::thread::scope(|scope| {
            let think = &think;
            let parts: Vec<_> =
                due.chunks(share).zip(&mut self.workers).map(|(part, worker)| scope.spawn(move || think(worker, part))).collect();
            parts.into_iter().flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }

    /// A person's own act: opened when it is submitted and closed at once.
    pub fn gesture(&mut self, being: BeingId, call: Call, terms: Terms, at: Millis) -> Result<Option<Draft>, RoundError> {
        let Some(being) = self.world.being(being).cloned() else { return Ok(None) };
        self.closer.hands.notes();
        let at = at.max(self.world.now());
        let wake = Arc::new(Wake::gesture(self.world.next_seq(), at));
        let opening = open(&self.world, &being, &wake, at, Some(&call), &mut self.closer.composer).narrowed(terms.only);
        let bound = opening.bind(&self.world, &call);
        let answer = Answer { thought: Thought::Given, call: Some((call, bound)), once: terms.once, ..Answer::none() };
        self.stamp(opening, answer, at).map(Some)
    }

    /// A person's answer to an open wake: opened when it is submitted and closed at once. Without a call the being only looks.
    pub fn answer(
        &mut self,
        being: BeingId,
        wake: &WakeId,
        call: Option<Call>,
        terms: Terms,
        at: Millis,
    ) -> Result<Option<Draft>, RoundError> {
        let Some(being) = self.world.being(being).cloned() else { return Ok(None) };
        let Some(wake) = self.world.inbox().get(being.id, wake).cloned() else { return Ok(None) };
        self.closer.hands.notes();
        let at = at.max(self.world.now());
        let opening = open(&self.world, &being, &wake, at, None, &mut self.closer.composer).narrowed(terms.only);
        let call = call.map(|call| {
            let bound = opening.bind(&self.world, &call);
            (call, bound)
        });
        let answer = Answer { thought: Thought::Given, call, once: terms.once, ..Answer::none() };
        self.stamp(opening, answer, at).map(Some)
    }

    /// The messages of the last act's operation to watchers; taken once.
    pub fn notes(&mut self) -> Vec<String> {
        self.closer.hands.notes()
    }

    /// Why a moment of an open wake would close without any mind being asked.
    pub fn verdict(&mut self, being: BeingId, wake: &WakeId, at: Millis) -> Option<Reason> {
        let being = self.world.being(being)?.clone();
        let wake = self.world.inbox().get(being.id, wake)?.clone();
        let opening = open(&self.world, &being, &wake, at.max(self.world.now()), None, &mut self.closer.composer);
        opening.verdict.map(|verdict| verdict.reason().cloned().unwrap_or_else(|| Reason::new(Code::Ended, "")))
    }

    fn stamp(&mut self, opening: Opening, answer: Answer, at: Millis) -> Result<Draft, RoundError> {
        let runs = self.runs(&answer);
        let (master, id) = (&self.master, self.world.id());
        let delegates = self.world.seals_in_batches();
        let key_of = |being: BeingId| master.credential(id, being, delegates);
        let draft = close(&opening, answer, &self.world, at, &key_of, &mut self.closer);
        if runs && self.closer.hands.was_stopped() {
            return Err(RoundError::Stopped);
        }
        // While anybody holds the being, folding would have to copy it.
        drop(opening);
        Arc::make_mut(&mut self.world).apply(&draft, &NoBlobs)?;
        Ok(draft)
    }

    /// Takes back what was tried since the world was so; nothing of it was handed on to be sealed.
    pub fn rewind(&mut self, world: Arc<World>) {
        self.world = world;
    }

    /// Folds a draft in that was made elsewhere: genesis, or a trial that succeeded.
    pub fn begin(&mut self, draft: &Draft) -> Result<(), FoldError> {
        self.last_round = draft.at;
        Arc::make_mut(&mut self.world).apply(draft, &NoBlobs)
    }
}

/// Whether nothing says what a bridge reaches: its moments end by that, and wait for nobody.
fn is_unset(world: &World, being: &Being) -> bool {
    being.cognition == Cognition::Bridge && Connection::of(world, being, None).is_none()
}

/// Whether a draft's own act was refused, and why.
pub fn refusal(draft: &Draft) -> Option<&crate::fact::Reason> {
    if draft.closing == Closing::Act || draft.wake.kind == WakeKind::End { None } else { draft.closing.reason() }
}
