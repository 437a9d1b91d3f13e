//! Attempts: the language models outside, asked at once for all beings of a round; what they answer is recorded as it came.
//!
//! The connection's [`Dialect`](crate::dialect::Dialect) says what is sent and what comes back. A request goes from one connection to
//! the next until one answers. Where none does and one of them is out, it stands: it waits until that endpoint answers, and asks no other
//! again, since what they said cost money and would be said again.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::cognition::{Asking, Connection, Reply, Request, Upshot};
use crate::fact::{Code, Text};

use super::allowance::{Allowances, AllowedCall};
use super::asking::{AnswerWait, Heard, Minds};
use super::fetching::fetch;
use super::outages::Outages;
use super::paces::{CallTurn, LONGEST_REST, Paces};
use super::wire::{Wires, key};

/// How long the first wait is; each further one is twice as long, unless the server says otherwise.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait before another connection is asked, whatever the server asks for: from here on a request stands.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// How often a server fails for one prompt before that may be the prompt's fault.
const FAILURES: u32 = 3;
/// How often whoever stands looks whether it may ask.
const LOOK: Duration = Duration::from_millis(50);

/// Models behind the endpoints that connections name.
#[derive(Default)]
pub struct Endpoints {
    /// Made when the first model is asked: most worlds never ask one.
    runtime: Option<Result<tokio::runtime::Runtime, Code>>,
    wires: Wires,
    outages: Outages,
    paces: Paces,
    allowances: Allowances,
    patience: AnswerWait,
}

fn runtime() -> Result<tokio::runtime::Runtime, Code> {
    // Somebody may have installed one before; either will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // One thread: it waits for others all the time.
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(|_| Code::NoRuntime)
}

impl Endpoints {
    /// A call of one request.
    fn call(&self, request: Request) -> CallUnderWay {
        let (wires, outages, patience) = (self.wires.clone(), self.outages.clone(), self.patience.clone());
        let (paces, allowances, begun) = (self.paces.clone(), self.allowances.clone(), Instant::now());
        CallUnderWay {
            request,
            wires,
            outages,
            paces,
            allowances,
            patience,
            begun,
            tried: Vec::new(),
            attempts: 0,
            failures: BTreeMap::new(),
        }
    }
}

impl Minds for Endpoints {
    fn heed(&mut self, patience: AnswerWait) {
        self.patience = patience;
    }

    fn outages(&self) -> Outages {
        self.outages.clone()
    }

    fn lacks_key(&self, connection: &Connection) -> bool {
        connection.key.as_deref().is_some_and(|reference| key(reference).is_err())
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        if requests.is_empty() {
            return Vec::new();
        }
        let calls: Vec<CallUnderWay> = requests.iter().map(|request| self.call(request.clone())).collect();
        let runtime = match self.runtime.get_or_insert_with(runtime) {
            Ok(runtime) => runtime,
            Err(code) => return requests.iter().map(|_| Reply::failed(*code)).collect(),
        };
        let mut tasks = JoinSet::new();
        for (place, call) in calls.into_iter().enumerate() {
            tasks.spawn_on(async move { (place, call.answered().await) }, runtime.handle());
        }
        let mut replies = vec![Reply::failed(Code::ReplyLost); requests.len()];
        runtime.block_on(async {
            // Each of them ends by itself when they are given up.
            while let Some(done) = tasks.join_next().await {
                if let Ok((place, reply)) = done
                    && let Some(slot) = replies.get_mut(place)
                {
                    *slot = reply;
                }
            }
        });
        replies
    }

    fn begin(&mut self, request: Request, heard: Heard) {
        let call = self.call(request);
        match self.runtime.get_or_insert_with(runtime) {
            Ok(runtime) => drop(runtime.spawn(async move { heard.tell(call.answered().await) })),
            Err(code) => heard.tell(Reply::failed(*code)),
        }
    }
}

impl Drop for Endpoints {
    fn drop(&mut self) {
        // A request without an answer by now is not waited for.
        if let Some(Ok(runtime)) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// One request on its way over its connections, which are known by their places in it.
struct CallUnderWay {
    request: Request,
    wires: Wires,
    outages: Outages,
    paces: Paces,
    allowances: Allowances,
    patience: AnswerWait,
    begun: Instant,
    /// The attempts so far that did not end it.
    tried: Vec<Asking>,
    /// How often the connection was asked that was asked last.
    attempts: u32,
    /// How often each connection has failed for it, by its name, and how often that had answered anybody before it was asked.
    failures: BTreeMap<Text, (u32, u64)>,
}

/// The outcome of asking some connections one after the other.
enum Pass {
    /// It is over, with this.
    Over(Asking),
    /// Each of them has been asked, and none is worth asking again: this came of the last.
    Spent(Asking),
    /// These do not answer now.
    Out(Vec<usize>),
}

/// Returns when nobody waits for the answers any more; dropping what is under way then ends it.
async fn given_up(patience: &AnswerWait) {
    while !patience.has_given_up() {
        tokio::time::sleep(LOOK).await;
    }
}

impl CallUnderWay {
    /// Asks until there is an answer, or until none is to be waited for.
    async fn answered(mut self) -> Reply {
        let last = self.last().await;
        let (attempts, status, error) = (self.attempts, last.status, last.error.map(Code::word));
        let connection = last.connection.as_deref();
        tracing::debug!(moment = %self.request.moment, connection, attempts, status, error, "a model was asked");
        let mut reply = Reply::of(last);
        reply.attempts = Some(self.attempts);
        reply.tried = self.tried;
        reply.ms = u64::try_from(self.begun.elapsed().as_millis()).ok();
        reply
    }

    /// The outcome of the last attempt, once no connection is left to ask or to wait for.
    async fn last(&mut self) -> Asking {
        let (mut asks, mut waits) = ((0..=self.request.failover.len()).collect::<Vec<usize>>(), Vec::new());
        let mut most = self.request.attempts;
        loop {
            match self.pass(&asks, most).await {
                Pass::Over(last) => return last,
                Pass::Spent(last) if waits.is_empty() => return last,
                Pass::Spent(last) => self.tried.push(last),
                Pass::Out(out) => waits.extend(out),
            }
            match self.stands(&waits).await {
                Ok(again) => (asks, most) = (again, 1),
                Err(code) => return self.ended(&waits, code),
            }
            waits.retain(|place| !asks.contains(place));
        }
    }

    /// The outcome for connections that are not waited for any more: the newest attempt at the last of them, or why it was given up.
    fn ended(&mut self, waits: &[usize], code: Option<Code>) -> Asking {
        let connection = waits.last().and_then(|place| self.at(*place)).map(|one| one.connection.name.clone());
        let newest = self.tried.iter().rposition(|one| one.connection == connection);
        match (code, newest) {
            (None, Some(newest)) => self.tried.remove(newest),
            (code, _) => Asking { connection, error: Some(code.unwrap_or(Code::Outage)), ..Asking::default() },
        }
    }

    fn at(&self, place: usize) -> Option<&Request> {
        if place == 0 { Some(&self.request) } else { self.request.failover.get(place - 1) }
    }

    /// Keeps what came of an attempt at an endpoint that is out: of each connection no more than it may be asked, the newest.
    fn note_out(&mut self, asking: Asking) {
        let is_same = |one: &Asking| one.body.is_none() && one.connection == asking.connection;
        let most = usize::try_from(self.request.attempts).unwrap_or(usize::MAX);
        if self.tried.iter().filter(|one| is_same(one)).count() >= most
            && let Some(oldest) = self.tried.iter().position(is_same)
        {
            self.tried.remove(oldest);
        }
        // Of an attempt that is repeated it is enough to know how it ended.
        let error = asking.error.or_else(|| asking.is_answer().then_some(Code::ReplyError));
        self.tried.push(Asking { body: None, error, ..asking });
    }

    /// Goes once through connections until one ends it; each is asked so often at most while it is out. One that is known to be out and was
    /// asked a moment ago is passed over.
    async fn pass(&mut self, places: &[usize], most: u32) -> Pass {
        let (mut out, mut last) = (Vec::new(), None);
        for (index, place) in places.iter().enumerate() {
            let Some(one) = self.at(*place).cloned() else { continue };
            let (name, is_last) = (&one.connection.name, index + 1 == places.len());
            // A request that stands has claimed the connection that it asks.
            let is_known = most > 1 && self.outages.is_out(name);
            if is_known && !self.outages.claims(name) {
                out.push(*place);
                continue;
            }
            let (asking, upshot) = self.asked(&one, if is_known { 1 } else { most }, is_last).await;
            match upshot {
                Upshot::Out => {
                    self.note_out(asking);
                    out.push(*place);
                }
                // Another is asked where the connection says so, and as long as it is turned away.
                Upshot::Unusable(_)
                    if self
                        .outages
                        .turned_away(&one.connection, Instant::now())
                        .is_some_and(|status| one.connection.fails_over_on(&status)) =>
                {
                    self.tried.extend(last.replace(asking));
                }
                Upshot::Unasked | Upshot::Slow => self.tried.extend(last.replace(asking)),
                Upshot::Faulty(fault) if one.connection.fails_over_on(&fault) => {
                    self.tried.extend(last.replace(asking));
                }
                Upshot::Heard | Upshot::GivenUp | Upshot::Unusable(_) | Upshot::Faulty(_) => {
                    self.tried.extend(last);
                    return Pass::Over(asking);
                }
            }
        }
        match last {
            Some(last) if out.is_empty() => Pass::Spent(last),
            last => {
                self.tried.extend(last);
                Pass::Out(out)
            }
        }
    }

    /// Asks one connection, and again while it is out, as often as it may be asked: what came last, and what it comes to.
    async fn asked(&mut self, one: &Request, most: u32, is_last: bool) -> (Asking, Upshot) {
        let (mut wait, mut tries) = (FIRST_WAIT, 0);
        self.attempts = 0;
        let answers = self.outages.answers(&one.connection.name);
        self.failures.entry(one.connection.name.clone()).or_insert((0, answers));
        loop {
            self.attempts += 1;
            let CameOnce { asking: last, after, rests } = self.once(one).await;
            // To be asked too fast uses no attempt up: it is waited for as long as the server says, unless another connection may be faster.
            if let Some(rests) = rests {
                let stands = rests < LONGEST_WAIT || (is_last && self.begun.elapsed() + rests < self.patience.stand());
                if !stands || self.patience.is_leaving() {
                    self.outages.begin(&one.connection.name, last.status.unwrap_or_default().to_string().into(), Some(rests));
                    return (last, Upshot::Out);
                }
                self.note_out(last);
                continue;
            }
            tries += 1;
            let upshot = Upshot::of(&last, one.connection.dialect);
            self.outages.note_turned_away(&one.connection, &last);
            if upshot != Upshot::Out {
                if !matches!(upshot, Upshot::Unasked | Upshot::GivenUp) {
                    self.outages.end(&one.connection.name);
                }
                return (last, upshot);
            }
            if self.is_of_its_prompt(one, &last).await {
                return (Asking { error: Some(Code::ReplyMalformed), ..last }, Upshot::malformed());
            }
            // Nobody was asked: its turn did not come in time.
            if last.error == Some(Code::Outage) {
                return (last, upshot);
            }
            let wanted = after.unwrap_or(wait);
            let is_short = wanted < LONGEST_WAIT || (is_last && self.patience.stand().is_zero());
            if tries >= most || !is_short || self.patience.is_leaving() {
                let why = last.error.map_or_else(|| last.status.unwrap_or_default().to_string(), |code| code.to_string());
                self.outages.begin(&one.connection.name, why.into(), after);
                return (last, upshot);
            }
            self.note_out(last);
            tokio::time::sleep(wanted.min(LONGEST_WAIT)).await;
            wait *= 2;
        }
    }

    /// Whether a server that fails does so for this prompt alone: it has failed three times for it, and answered another in between. Where nobody else
    /// asks, one short request feels for it before the third, once a minute at most.
    async fn is_of_its_prompt(&mut self, one: &Request, last: &Asking) -> bool {
        let name = &one.connection.name;
        if last.error.is_some() || !last.status.is_some_and(may_be_of_a_prompt) {
            return false;
        }
        let Some((count, before)) = self.failures.get_mut(name) else { return false };
        *count += 1;
        let (count, before) = (*count, *before);
        let is_known = self.outages.is_of_prompt(&self.request.moment);
        let has_answered = |outages: &Outages| outages.answers(name) > before;
        if count + 1 >= FAILURES && !is_known && !has_answered(&self.outages) && !self.patience.is_leaving() && self.outages.may_feel(name)
        {
            self.feel(one).await;
        }
        let is_so = count >= FAILURES && (is_known || has_answered(&self.outages));
        if is_so {
            self.outages.note_of_prompt(&self.request.moment);
        }
        is_so
    }

    /// Feels by a short request whether a connection answers anybody.
    async fn feel(&mut self, one: &Request) {
        let felt = self.once(&one.shortest()).await.asking;
        self.note_out(felt);
    }

    /// The turn of a call at a connection; none where it is not waited for so long.
    async fn turn(&self, one: &Request) -> Option<(CallTurn, AllowedCall)> {
        let (since, most) = (Instant::now(), self.patience.stand().clamp(LONGEST_WAIT, LONGEST_REST));
        let (connection, tokens) = (&one.connection, one.likely_tokens());
        loop {
            let both = self.paces.turn(&connection.name).and_then(|turn| Ok((turn, self.allowances.begin(connection, tokens)?)));
            match both {
                Ok(both) => return Some(both),
                Err(_) if since.elapsed() >= most => return None,
                Err(wait) => tokio::time::sleep(wait.min(LOOK)).await,
            }
        }
    }

    /// Asks one connection once, when there is room for one more and it is its turn, until it is given up.
    async fn once(&self, one: &Request) -> CameOnce {
        let name = &one.connection.name;
        let ended_by = |code: Code| {
            let asking = Asking { connection: Some(name.clone()), error: Some(code), ..Asking::default() };
            CameOnce { asking, after: None, rests: None }
        };
        let room = tokio::select! {
            biased;
            room = self.wires.open(&one.connection).acquire_owned() => room,
            () = left(&self.patience) => return ended_by(Code::GivenUp),
        };
        let turn = tokio::select! {
            biased;
            turn = self.turn(one) => turn,
            () = left(&self.patience) => return ended_by(Code::GivenUp),
        };
        let Some((turn, allowed)) = turn else { return ended_by(Code::Outage) };
        // Looked at last: of many who wait for their turn the first may have been turned away.
        if self.outages.turned_away(&one.connection, Instant::now()).is_some() {
            return ended_by(Code::ConnectionHeld);
        }
        let (asking, after) = tokio::select! {
            asked = self.sent(one) => asked,
            () = given_up(&self.patience) => return ended_by(Code::ReplyGivenUp),
        };
        drop(room);
        if let Some(used) = asking.usage {
            allowed.cost(used.input.saturating_add(used.output));
        } else if !asking.is_answer() && asking.status.is_some() {
            allowed.cost(0);
        }
        let is_out = Upshot::of(&asking, one.connection.dialect) == Upshot::Out;
        let rests = if is_out && is_too_fast(&asking, after) {
            Some(turn.too_fast(after))
        } else {
            if asking.is_answer() {
                self.outages.note_answer(name);
                turn.answered();
            }
            None
        };
        CameOnce { asking, after, rests }
    }

    /// Sends a request to whom it is for; also after how long the server says that it may be asked again.
    async fn sent(&self, one: &Request) -> (Asking, Option<Duration>) {
        match &one.connection.web {
            Some(web) => (fetch(&self.wires, &one.connection, web, &one.body).await, None),
            None => self.wires.once(&one.connection, one.body.clone()).await,
        }
    }

    /// Waits until one of some connections that are out may be asked again: those that may; or why it is not waited for, by a code where the
    /// run was stopped.
    async fn stands(&self, out: &[usize]) -> Result<Vec<usize>, Option<Code>> {
        loop {
            if self.patience.is_leaving() {
                return Err(Some(Code::GivenUp));
            }
            if self.begun.elapsed() >= self.patience.stand() {
                return Err(None);
            }
            let may = |place: &usize| self.at(*place).is_some_and(|one| self.outages.claims(&one.connection.name));
            let again: Vec<usize> = out.iter().copied().filter(may).collect();
            if !again.is_empty() {
                return Ok(again);
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// The outcome of asking once.
struct CameOnce {
    asking: Asking,
    /// After how long the server says that it may be asked again.
    after: Option<Duration>,
    /// How long its connection rests, where it was asked too fast.
    rests: Option<Duration>,
}

/// Whether a status may be that of a server that fails at one prompt: 503 and 529 say that it is busy, whatever it was asked.
fn may_be_of_a_prompt(status: i64) -> bool {
    (500..=599).contains(&status) && !matches!(status, 503 | 529)
}

/// Whether a server says that it is asked too fast: by its status alone, or by one that says until when.
fn is_too_fast(asking: &Asking, after: Option<Duration>) -> bool {
    let says_when = after.is_some_and(|after| !after.is_zero());
    asking.error.is_none() && matches!((asking.status, says_when), (Some(429), _) | (Some(503 | 529), true))
}

/// Returns when nothing is begun any more.
async fn left(patience: &AnswerWait) {
    while !patience.is_leaving() {
        tokio::time::sleep(LOOK).await;
    }
}
