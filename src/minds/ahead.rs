//! Ahead: models whose moments are still to come are asked while others are waited for. At its moment such a reply is given where the request
//! is still the same; where it is another, the model is asked again, and what the first has cost is said with that.
//!
//! A call ahead stands in no frame before its moment: until then it stands in a file, which is durable before the call is begun.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use crate::cognition::{Asking, Connection, Reply, Request, Upshot};
use crate::fact::{Code, Millis, Text};
use crate::store::{AheadCall, StoreError};

use super::asking::{AnswerWait, Foresees, Heard, Knock, Minds, Unready};
use super::cassette::hash;
use super::outages::Outages;

/// Minds that are asked ahead.
pub struct Ahead {
    inner: Box<dyn Minds>,
    /// How far ahead.
    span: Millis,
    dir: Option<PathBuf>,
    calls: Arc<Calls>,
    /// What is to be asked ahead once those have been asked whose moments have come.
    next: Vec<(Request, Heard)>,
    /// How long answers are waited for at their moments.
    patience: AnswerWait,
    /// How long those that are ahead of theirs are.
    patience_ahead: AnswerWait,
    /// Whose last call ahead was of no use.
    vain: BTreeSet<Text>,
    /// What stands in the file.
    written: Vec<AheadCall>,
    fault: Option<String>,
}

/// The calls that no frame speaks of yet, by their moments.
#[derive(Default)]
struct Calls {
    list: Mutex<BTreeMap<Text, CallAhead>>,
    heard: Condvar,
}

struct CallAhead {
    being: Text,
    request: String,
    connection: Text,
    reply: Option<Reply>,
    /// Whether its moment has come: a frame holds back now what it can cost.
    is_held: bool,
}

/// Whose a request is.
fn being_of(request: &Request) -> Text {
    request.who.split('/').next().unwrap_or_default().into()
}

impl Calls {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Text, CallAhead>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, moment: &Text, reply: Reply) {
        let mut list = self.lock();
        if reply.tried.is_empty() && reply.last.error == Some(Code::GivenUp) {
            // It never left.
            list.remove(moment);
        } else if let Some(call) = list.get_mut(moment) {
            call.reply = Some(reply);
        }
        drop(list);
        self.heard.notify_all();
    }

    /// Waits for the reply to a call, and takes it.
    fn take(&self, moment: &Text) -> Option<Reply> {
        let is_under_way = |list: &mut BTreeMap<Text, CallAhead>| list.get(moment).is_some_and(|call| call.reply.is_none());
        let mut list = self.heard.wait_while(self.lock(), is_under_way).unwrap_or_else(PoisonError::into_inner);
        list.remove(moment).and_then(|call| call.reply)
    }

    /// Takes what has come of a being's calls.
    fn take_all_of(&self, being: &Text) -> Vec<Reply> {
        let has_ended = |_: &Text, call: &mut CallAhead| call.being == *being && call.reply.is_some();
        self.lock().extract_if(.., has_ended).filter_map(|(_, call)| call.reply).collect()
    }
}

/// What a call that was of no use is said to be with the one that was: it has cost what it has cost.
fn in_vain(reply: Reply) -> impl Iterator<Item = Asking> {
    let Reply { last, tried, .. } = reply;
    let said = |one: Asking| {
        let error = if one.is_answer() { Some(Code::Ahead) } else { one.error };
        Asking { body: None, error, ..one }
    };
    tried.into_iter().chain([last]).map(said)
}

/// A reply, and what was asked in vain before.
fn after(mut reply: Reply, vain: Vec<Reply>) -> Reply {
    reply.tried.splice(0..0, vain.into_iter().flat_map(in_vain));
    reply
}

impl Ahead {
    /// Asks these so far ahead of a moment; what was begun before and is in no frame yet is read from the world's directory.
    pub fn new(inner: Box<dyn Minds>, span: Millis, dir: Option<&Path>) -> Result<Self, StoreError> {
        let written = dir.map(AheadCall::load).transpose()?.unwrap_or_default();
        let lost =
            |connection: &Text| Reply::of(Asking { connection: Some(connection.clone()), error: Some(Code::Ahead), ..Asking::default() });
        let list = written.iter().cloned().map(|AheadCall { being, moment, request, connection, reply }| {
            let connection = Text::from(connection);
            let reply = reply.and_then(|reply| serde_json::from_str(&reply).ok()).unwrap_or_else(|| lost(&connection));
            (Text::from(moment), CallAhead { being: being.into(), request, connection, reply: Some(reply), is_held: false })
        });
        let calls = Arc::new(Calls { list: Mutex::new(list.collect()), ..Calls::default() });
        let dir = dir.map(Path::to_owned);
        let (patience, patience_ahead) = (AnswerWait::default(), AnswerWait::default());
        Ok(Self { inner, span, dir, calls, next: Vec::new(), patience, patience_ahead, vain: BTreeSet::new(), written, fault: None })
    }

    /// Writes down what is in no frame yet, where that is something else than before; whether that is durable. What goes wrong the next round
    /// says.
    fn save(&mut self) -> bool {
        let Some(dir) = &self.dir else { return true };
        let written = |(moment, call): (&Text, &CallAhead)| AheadCall {
            being: call.being.to_string(),
            moment: moment.to_string(),
            request: call.request.clone(),
            connection: call.connection.to_string(),
            reply: call.reply.as_ref().and_then(|reply| serde_json::to_string(reply).ok()),
        };
        let calls: Vec<AheadCall> = self.calls.lock().iter().filter(|(_, call)| !call.is_held).map(written).collect();
        if calls != self.written {
            self.fault = AheadCall::save(&calls, dir).err().map(|error| error.to_string());
            self.written = if self.fault.is_none() { calls } else { Vec::new() };
        }
        self.fault.is_none()
    }

    /// Which of some requests were begun as they are. Their frames are durable by now, and stand for them from here on.
    fn begun(&mut self, requests: &[Request]) -> Vec<bool> {
        let hold = |request: &Request| {
            let mut calls = self.calls.lock();
            let call = calls.get_mut(&request.moment).filter(|call| call.request == hash(request));
            call.map(|call| call.is_held = true).is_some()
        };
        let begun: Vec<bool> = requests.iter().map(hold).collect();
        if begun.contains(&true) {
            self.save();
        }
        begun
    }

    /// Asks those whose moments have come, and behind them, while they answer, whoever is asked ahead.
    fn ask_before_others(&mut self, requests: &[Request]) -> Vec<Reply> {
        let (tell, told) = mpsc::channel();
        for (place, request) in requests.iter().enumerate() {
            let tell = tell.clone();
            // Nobody hears it where the run has gone.
            self.inner.begin(request.clone(), Heard::new(move |reply| drop(tell.send((place, reply)))));
        }
        drop(tell);
        self.inner.heed(self.patience_ahead.clone());
        for (request, heard) in std::mem::take(&mut self.next) {
            self.inner.begin(request, heard);
        }
        self.inner.heed(self.patience.clone());
        let mut replies: Vec<(usize, Reply)> = told.iter().collect();
        replies.sort_by_key(|(place, _)| *place);
        replies.into_iter().map(|(_, reply)| reply).collect()
    }

    /// The reply to a call that was begun ahead, if it can be heard; else it was in vain.
    fn foreseen(&mut self, request: &Request, vain: &mut Vec<Reply>) -> Option<Reply> {
        let reply = self.calls.take(&request.moment)?;
        let upshot = Upshot::of(&reply.last, request.connection.dialect);
        // Whoever is out is waited for, now that it is time.
        if reply.last.error == Some(Code::Ahead) || matches!(upshot, Upshot::Out | Upshot::GivenUp | Upshot::Unasked) {
            vain.push(reply);
            return None;
        }
        self.vain.remove(&being_of(request));
        Some(reply)
    }
}

impl Foresees for Ahead {
    fn span(&self) -> Millis {
        self.span
    }

    fn room(&self, connection: &Connection) -> usize {
        let under_way = self.calls.lock().values().filter(|call| call.reply.is_none() && call.connection == connection.name).count();
        (2 * connection.parallel.max(1)).saturating_sub(under_way)
    }

    fn was_vain(&self, being: &str) -> bool {
        self.vain.contains(format!("@{being}").as_str())
    }

    fn is_under_way(&self) -> bool {
        self.calls.lock().values().any(|call| call.reply.is_none())
    }

    fn foresee(&mut self, requests: Vec<Request>, patience: &AnswerWait, knock: &Knock) {
        let is_new = |request: &Request| !self.calls.lock().contains_key(&request.moment);
        let requests: Vec<Request> = requests.into_iter().filter(is_new).collect();
        if requests.is_empty() || self.fault.is_some() {
            return;
        }
        let begun = |request: &Request| CallAhead {
            being: being_of(request),
            request: hash(request),
            connection: request.connection.name.clone(),
            reply: None,
            is_held: false,
        };
        self.calls.lock().extend(requests.iter().map(|request| (request.moment.clone(), begun(request))));
        if !self.save() {
            self.calls.lock().retain(|moment, _| requests.iter().all(|request| request.moment != *moment));
            return;
        }
        self.patience_ahead = patience.clone();
        for request in requests {
            let (calls, moment, knock) = (self.calls.clone(), request.moment.clone(), knock.clone());
            let heard = Heard::new(move |reply| {
                calls.hear(&moment, reply);
                knock();
            });
            self.next.push((request, heard));
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
        let begun = self.begun(requests);
        let of = |requests: &[Request], asked: &[bool], wanted: bool| -> Vec<Request> {
            requests.iter().zip(asked).filter(|(_, asked)| **asked == wanted).map(|(request, _)| request.clone()).collect()
        };
        let mut anew = self.ask_before_others(&of(requests, &begun, false)).into_iter();
        let mut vain: Vec<Vec<Reply>> = vec![Vec::new(); requests.len()];
        let mut replies: Vec<Option<Reply>> = Vec::with_capacity(requests.len());
        for ((request, begun), vain) in requests.iter().zip(&begun).zip(&mut vain) {
            let reply = if *begun { self.foreseen(request, vain) } else { anew.next() };
            vain.extend(self.calls.take_all_of(&being_of(request)));
            if !vain.is_empty() || (!begun && self.calls.lock().contains_key(&request.moment)) {
                self.vain.insert(being_of(request));
            }
            replies.push(reply);
        }
        let is_there: Vec<bool> = replies.iter().map(Option::is_some).collect();
        let mut again = self.inner.ask(&of(requests, &is_there, false)).into_iter();
        let whole = replies.into_iter().map(|reply| reply.or_else(|| again.next()).unwrap_or_else(|| Reply::failed(Code::ReplyLost)));
        whole.zip(vain).map(|(reply, vain)| after(reply, vain)).collect()
    }

    fn begin(&mut self, request: Request, heard: Heard) {
        let vain = self.calls.take_all_of(&being_of(&request));
        self.inner.begin(request, Heard::new(move |reply| heard.tell(after(reply, vain))));
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
        // They never left.
        let moments: Vec<Text> = self.next.drain(..).map(|(request, _)| request.moment).collect();
        self.calls.lock().retain(|moment, _| !moments.contains(moment));
        let is_kept = self.save();
        if !is_kept {
            tracing::warn!(fault = self.fault, "what models were asked ahead cannot be written down; what it cost is booked nowhere");
        }
    }
}
