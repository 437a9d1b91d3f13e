//! Ahead: models whose moments are still to come are asked while others are waited for. At its moment such a reply is given where the request
//! is still the same; where it is another, the model is asked again, and what the first has cost is said with that.
//!
//! A call ahead stands in no frame before its moment: until then it stands in a file, which is durable before the call is begun.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::cognition::{Asking, Connection, Reply, Request, Upshot};
use crate::fact::{Code, N, Text};
use crate::store::{AheadCall, AheadFile, AheadLine, StoreError};

use super::asking::{AheadCount, AnswerWait, Foreseen, Foresees, Heard, Knock, Minds, Unready};
use super::cassette::hash;
use super::outages::Outages;

/// How many moments ahead are looked at, for each call that a connection answers at once.
const WINDOW: usize = 4;

/// How far models are asked ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AheadTerms {
    /// How many moments ahead; nothing: four times as many as a connection answers at once.
    pub window: Option<usize>,
    /// The share of calls that may be in vain, where models are asked that another of their place may still affect; 0: none are.
    pub waste: f64,
}

impl AheadTerms {
    /// Nobody is asked ahead.
    pub const NONE: Self = Self { window: Some(0), waste: 0.0 };
}

impl Default for AheadTerms {
    fn default() -> Self {
        Self { window: None, waste: 0.05 }
    }
}

/// Minds that are asked ahead.
pub struct Ahead {
    inner: Box<dyn Minds>,
    terms: AheadTerms,
    /// Where they stand until their moments.
    file: Option<AheadFile>,
    calls: Arc<Calls>,
    /// How long answers are waited for at their moments.
    patience: AnswerWait,
    /// The beings whose last call ahead was of no use.
    vain: BTreeSet<Text>,
    /// How many calls were begun ahead.
    count: AheadCount,
    /// Those that a frame books which may not be durable yet.
    booked: BTreeSet<CallKey>,
    /// Those of which an earlier run does not know whether the frame that books them became durable.
    unsettled: Vec<AheadCall>,
    fault: Option<String>,
}

/// A call, by whose it is and by the hash of its request.
type CallKey = (Text, String);

/// The calls that no frame speaks of yet.
#[derive(Default)]
struct Calls {
    board: Mutex<CallBoard>,
    heard: Condvar,
}

#[derive(Default)]
struct CallBoard {
    list: BTreeMap<CallKey, CallAhead>,
    /// Those whose moments have come and whose answers are of no use: to be asked again.
    again: Vec<Waiter>,
    /// Whether anything was answered since it was looked at.
    has_news: bool,
    /// Lines that tell what became of calls, to be written down.
    lines: Vec<AheadLine>,
}

struct CallAhead {
    moment: Text,
    connection: Text,
    reply: Option<Reply>,
    /// Gives it up alone.
    patience: AnswerWait,
    /// The moment that waits for it, since it has come: a frame holds back now what it can cost.
    waiter: Option<Waiter>,
}

/// A moment that waits for an answer: its request, what was asked in vain for it, and who hears the answer.
struct Waiter {
    request: Request,
    vain: Vec<Reply>,
    heard: Heard,
}

/// The name of the being that a request is for.
fn being_of(request: &Request) -> Text {
    request.who.split('/').next().unwrap_or_default().into()
}

/// The how manieth moment of its being one is, as `@being/n` says it.
fn nth(moment: &str) -> u64 {
    moment.rsplit_once('/').and_then(|(_, nth)| nth.parse().ok()).unwrap_or_default()
}

fn key_of(request: &Request) -> CallKey {
    (being_of(request), hash(request))
}

fn gone((being, request): &CallKey) -> AheadLine {
    AheadLine::Gone { being: being.to_string(), request: request.clone() }
}

/// A call as it is written down.
fn written((being, request): &CallKey, call: &CallAhead) -> AheadCall {
    AheadCall {
        being: being.to_string(),
        moment: call.moment.to_string(),
        request: request.clone(),
        connection: call.connection.to_string(),
        reply: call.reply.as_ref().and_then(|reply| serde_json::to_string(reply).ok()),
        booked: None,
    }
}

/// A call as it was written down; how one ended that was under way, nobody knows.
fn read((being, request): CallKey, call: AheadCall) -> (CallKey, CallAhead) {
    let connection = Text::from(call.connection);
    let lost = || Reply::of(Asking { connection: Some(connection.clone()), error: Some(Code::Ahead), ..Asking::default() });
    let reply = call.reply.and_then(|reply| serde_json::from_str(&reply).ok()).unwrap_or_else(lost);
    let call = CallAhead { moment: call.moment.into(), connection, reply: Some(reply), patience: AnswerWait::default(), waiter: None };
    ((being, request), call)
}

/// Whether an answer that came ahead can be heard; whoever is out is waited for, now that it is time.
fn is_of_use(reply: &Reply, request: &Request) -> bool {
    let upshot = Upshot::of(&reply.last, request.connection.dialect);
    reply.last.error != Some(Code::Ahead) && !matches!(upshot, Upshot::Out | Upshot::GivenUp | Upshot::Unasked)
}

/// Whether it never left.
fn never_left(reply: &Reply) -> bool {
    reply.tried.is_empty() && reply.last.error == Some(Code::GivenUp)
}

impl CallBoard {
    /// Takes in what a call was answered before its moment.
    fn take(&mut self, (being, request): &CallKey, reply: Reply) {
        let Some(call) = self.list.get_mut(&(being.clone(), request.clone())) else { return };
        if let Ok(reply) = serde_json::to_string(&reply) {
            self.lines.push(AheadLine::Replied { being: being.to_string(), request: request.clone(), reply });
        }
        call.reply = Some(reply);
    }

    /// Has a moment wait for a call that is under way. The call stays where its answer looks for it: one that came meanwhile would be lost.
    fn wait(&mut self, key: &CallKey, waiter: Waiter) {
        self.lines.push(gone(key));
        if let Some(call) = self.list.get_mut(key) {
            call.waiter = Some(waiter);
        }
    }

    /// Takes out the calls of a being, but for one, that were answered and are for a moment or an earlier one; and whether more are under way.
    fn take_others(&mut self, key: &CallKey, moment: &str) -> (Vec<(CallKey, Reply)>, bool) {
        let is_other = |of: &CallKey, call: &CallAhead| of.0 == key.0 && of != key && nth(&call.moment) <= nth(moment);
        let ended = self.list.extract_if(.., |of, call| is_other(of, call) && call.reply.is_some());
        let ended = ended.filter_map(|(of, call)| Some((of, call.reply?))).collect();
        (ended, self.list.iter().any(|(of, call)| is_other(of, call)))
    }
}

impl Calls {
    fn lock(&self) -> MutexGuard<'_, CallBoard> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, key: &CallKey, reply: Reply) {
        let mut board = self.lock();
        board.has_news = true;
        let waiter = board.list.get_mut(key).and_then(|call| call.waiter.take());
        match waiter {
            None if never_left(&reply) => {
                board.list.remove(key);
                board.lines.push(gone(key));
            }
            None => board.take(key, reply),
            Some(waiter) => {
                board.list.remove(key);
                self.answer(board, waiter, reply);
            }
        }
        self.heard.notify_all();
    }

    /// Gives a moment the answer that it waits for, or has it asked again.
    fn answer(&self, mut board: MutexGuard<'_, CallBoard>, mut waiter: Waiter, reply: Reply) {
        if is_of_use(&reply, &waiter.request) {
            drop(board);
            return waiter.heard.tell(after(reply, waiter.vain));
        }
        if !never_left(&reply) {
            waiter.vain.push(reply);
        }
        board.again.push(waiter);
    }
}

/// The attempts of a call in vain, as the reply of the moment's own call has them: they cost what they cost.
fn in_vain(reply: Reply) -> impl Iterator<Item = Asking> {
    let Reply { last, tried, .. } = reply;
    let said = |one: Asking| {
        let error = if one.is_answer() { Some(Code::Ahead) } else { one.error };
        Asking { body: None, error, is_vain: true, ..one }
    };
    tried.into_iter().chain([last]).map(said)
}

/// A reply, and what was asked in vain before.
fn after(mut reply: Reply, vain: Vec<Reply>) -> Reply {
    reply.tried.splice(0..0, vain.into_iter().flat_map(in_vain));
    reply
}

impl Ahead {
    /// Asks these ahead; what was begun before and is in no frame yet is read from the world's directory.
    pub fn new(inner: Box<dyn Minds>, terms: AheadTerms, dir: Option<&Path>) -> Result<Self, StoreError> {
        let file = dir.map(AheadFile::of).transpose()?;
        let calls = file.iter().flat_map(AheadFile::calls).cloned();
        let (unsettled, open): (Vec<AheadCall>, Vec<AheadCall>) = calls.partition(|call| call.booked.is_some());
        let list = open.into_iter().map(|call| read((call.being.as_str().into(), call.request.clone()), call)).collect();
        let calls = Arc::new(Calls { board: Mutex::new(CallBoard { list, ..CallBoard::default() }), heard: Condvar::new() });
        let (patience, vain, booked) = (AnswerWait::default(), BTreeSet::new(), BTreeSet::new());
        Ok(Self { inner, terms, file, calls, patience, vain, count: AheadCount::default(), booked, unsettled, fault: None })
    }

    /// Writes down what became of calls; whether that is done. The next round says what went wrong.
    fn save(&mut self) -> bool {
        let lines = std::mem::take(&mut self.calls.lock().lines);
        if let Some(file) = &mut self.file {
            self.fault = file.note(lines).err().map(|error| error.to_string());
        }
        self.fault.is_none()
    }

    /// Has the n-th frame of a being book a call.
    fn book(&mut self, (being, request): CallKey, n: N) {
        self.calls.lock().lines.push(AheadLine::Booked { being: being.to_string(), request: request.clone(), n });
        self.booked.insert((being, request));
    }

    /// Takes what a being was asked in vain before a moment: whatever came of its other calls.
    fn vain_before(&mut self, key: &CallKey, moment: &str) -> Vec<Reply> {
        let (ended, is_under_way) = self.calls.lock().take_others(key, moment);
        if !ended.is_empty() || is_under_way {
            self.count.in_vain += ended.len() as u64;
            self.vain.insert(key.0.clone());
        }
        let (keys, vain): (Vec<CallKey>, Vec<Reply>) = ended.into_iter().unzip();
        // They stand in the frame that closes the moment, behind the one that holds back what its own call can cost.
        keys.into_iter().for_each(|key| self.book(key, nth(moment) + 1));
        vain
    }
}

impl Foresees for Ahead {
    fn window(&self, parallel: usize) -> usize {
        self.terms.window.unwrap_or(WINDOW * parallel.max(1))
    }

    fn room(&self, connection: &Connection) -> usize {
        // A bridge may change something: it asks never before its moment.
        if connection.web.is_some() {
            return 0;
        }
        let board = self.calls.lock();
        let is_ahead = |call: &&CallAhead| call.reply.is_none() && call.waiter.is_none() && call.connection == connection.name;
        let under_way = board.list.values().filter(is_ahead).count();
        connection.parallel.max(1).saturating_sub(under_way)
    }

    fn foreseen(&self, request: &Request) -> Foreseen {
        let key = key_of(request);
        match self.calls.lock().list.get(&key) {
            // One begun anew would stand under the same name in the file.
            None if self.booked.contains(&key) => Foreseen::UnderWay,
            None => Foreseen::Not,
            Some(CallAhead { reply: None, .. }) => Foreseen::UnderWay,
            Some(CallAhead { reply: Some(reply), .. }) if is_of_use(reply, request) => Foreseen::Replied(reply.clone()),
            // It is asked again at its moment and not before.
            Some(_) => Foreseen::UnderWay,
        }
    }

    fn dares(&self, being: &str) -> bool {
        let AheadCount { calls, in_vain } = self.count;
        !self.was_in_vain(being) && (in_vain + 1) as f64 <= self.terms.waste * (calls + 1) as f64
    }

    fn was_in_vain(&self, being: &str) -> bool {
        self.vain.contains(format!("@{being}").as_str())
    }

    fn is_under_way(&self) -> bool {
        self.calls.lock().list.values().any(|call| call.reply.is_none())
    }

    fn has_news(&mut self) -> bool {
        std::mem::take(&mut self.calls.lock().has_news)
    }

    fn give_up_others(&mut self, request: &Request) {
        let (being, hash) = key_of(request);
        let board = self.calls.lock();
        let others = board.list.iter().filter(|((whose, other), call)| *whose == being && *other != hash && call.waiter.is_none());
        others.for_each(|(_, call)| call.patience.give_up());
    }

    fn foresee(&mut self, requests: Vec<Request>, patience: &AnswerWait, knock: &Knock) {
        if requests.is_empty() || self.fault.is_some() {
            return;
        }
        let begun = |request: &Request| CallAhead {
            moment: request.who.clone(),
            connection: request.connection.name.clone(),
            reply: None,
            patience: patience.one(),
            waiter: None,
        };
        let calls: Vec<(CallKey, CallAhead)> = requests.iter().map(|request| (key_of(request), begun(request))).collect();
        let mut board = self.calls.lock();
        board.lines.extend(calls.iter().map(|(key, call)| AheadLine::Begun(written(key, call))));
        board.list.extend(calls);
        drop(board);
        if !self.save() {
            let keys: Vec<CallKey> = requests.iter().map(key_of).collect();
            let mut board = self.calls.lock();
            board.list.retain(|key, _| !keys.contains(key));
            board.lines.extend(keys.iter().map(gone));
            return;
        }
        self.count.calls += requests.len() as u64;
        for request in requests {
            let (calls, key, knock) = (self.calls.clone(), key_of(&request), knock.clone());
            let own = self.calls.lock().list.get(&key).map(|call| call.patience.clone()).unwrap_or_default();
            self.inner.heed(own);
            let heard = Heard::new(move |reply| {
                calls.hear(&key, reply);
                knock();
            });
            self.inner.begin(request, heard);
        }
        self.inner.heed(self.patience.clone());
    }

    fn count(&self) -> AheadCount {
        self.count
    }

    fn settle(&mut self) {
        let booked = std::mem::take(&mut self.booked);
        self.calls.lock().lines.extend(booked.iter().map(gone));
    }

    fn reconcile(&mut self, next_n: &dyn Fn(&str) -> Option<N>) {
        for call in std::mem::take(&mut self.unsettled) {
            let key: CallKey = (call.being.as_str().into(), call.request.clone());
            let is_booked = next_n(call.being.trim_start_matches('@')).zip(call.booked).is_some_and(|(next, booked)| next > booked);
            let mut board = self.calls.lock();
            if is_booked {
                board.lines.push(gone(&key));
            } else {
                let call = AheadCall { booked: None, ..call };
                board.lines.push(AheadLine::Begun(call.clone()));
                board.list.extend([read(key, call)]);
            }
        }
    }

    fn ask_again(&mut self) {
        let again = std::mem::take(&mut self.calls.lock().again);
        self.count.in_vain += again.len() as u64;
        for Waiter { request, vain, heard } in again {
            self.inner.begin(request, Heard::new(move |reply| heard.tell(after(reply, vain))));
        }
    }
}

impl Minds for Ahead {
    fn heed(&mut self, patience: AnswerWait) {
        self.patience = patience.clone();
        self.inner.heed(patience);
    }

    fn ahead(&mut self) -> Option<&mut dyn Foresees> {
        Some(self)
    }

    fn outages(&self) -> Outages {
        self.inner.outages()
    }

    fn lacks_key(&self, connection: &Connection) -> bool {
        self.inner.lacks_key(connection)
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let told: Arc<Mutex<BTreeMap<usize, Reply>>> = Arc::default();
        for (place, request) in requests.iter().enumerate() {
            let (told, calls) = (told.clone(), self.calls.clone());
            let heard = move |reply| {
                told.lock().unwrap_or_else(PoisonError::into_inner).insert(place, reply);
                // A waiter that looks now has not gone to wait yet.
                drop(calls.lock());
                calls.heard.notify_all();
            };
            self.begin(request.clone(), Heard::new(heard));
        }
        let missing = || told.lock().unwrap_or_else(PoisonError::into_inner).len() < requests.len();
        while missing() {
            self.ask_again();
            let waits = |board: &mut CallBoard| board.again.is_empty() && missing();
            drop(self.calls.heard.wait_while(self.calls.lock(), waits).unwrap_or_else(PoisonError::into_inner));
        }
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        (0..requests.len()).map(|place| told.remove(&place).unwrap_or_else(|| Reply::failed(Code::ReplyLost))).collect()
    }

    fn begin(&mut self, request: Request, heard: Heard) {
        let key = key_of(&request);
        let vain = self.vain_before(&key, &request.who);
        let calls = self.calls.clone();
        let mut board = calls.lock();
        if board.list.contains_key(&key) && vain.is_empty() {
            self.vain.remove(&key.0);
        }
        match board.list.get_mut(&key).map(|call| call.reply.take()) {
            None => {
                drop(board);
                self.inner.begin(request, Heard::new(move |reply| heard.tell(after(reply, vain))));
            }
            Some(None) => {
                board.wait(&key, Waiter { request, vain, heard });
                drop(board);
            }
            Some(Some(reply)) => {
                board.list.remove(&key);
                drop(board);
                self.book(key, nth(&request.who));
                self.save();
                calls.answer(calls.lock(), Waiter { request, vain, heard }, reply);
                return self.ask_again();
            }
        }
        self.save();
    }

    fn ready(&self, requests: &[&Request]) -> Result<(), Unready> {
        match &self.fault {
            Some(fault) => Err(Unready(fault.clone())),
            None => self.inner.ready(requests),
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        let is_kept = self.save();
        if !is_kept {
            tracing::warn!(fault = self.fault, "what models were asked ahead cannot be written down; what it cost is booked nowhere");
        }
    }
}
