//! Shared: a cache of the answers in some worlds, for every other world that asks the same at the same place of a being's life.
//!
//! So worlds that live alike up to some moment are paid for once up to it, and go apart only where they ask something else. A request that
//! two of them make at once is sent once. The answers lie in a file, a line of JSON each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::cognition::{Connection, Reply, Request, Upshot};
use crate::fact::{Code, Hash, Text};

use super::asking::{AnswerWait, Minds, Unready};
use super::cassette::{CassetteError, hash};
use super::outages::Outages;

/// The answers; each copy is the same store.
#[derive(Clone)]
pub struct SharedReplies(Arc<ReplyStore>);

struct ReplyStore {
    path: PathBuf,
    answers: Mutex<ReplyBook>,
    /// Told whenever an answer came that somebody may wait for.
    come: Condvar,
}

struct ReplyBook {
    of: BTreeMap<String, Reply>,
    /// The keys of the requests under way.
    under_way: BTreeSet<String>,
    file: File,
    fault: Option<String>,
}

/// One line.
#[derive(Serialize, Deserialize)]
struct SharedLine {
    /// Of which request, of whom, in which worlds: a hash.
    key: String,
    /// The being and moment that asked: for people who read the file.
    who: Text,
    reply: Reply,
}

impl SharedReplies {
    /// Those of a file, which is begun where it is not there. A line that was cut off at its end is written anew when it is asked again.
    pub fn of(path: &Path) -> Result<Self, CassetteError> {
        let failed = |source| CassetteError::File { path: path.to_owned(), source };
        let file = File::options().create(true).read(true).append(true).open(path).map_err(failed)?;
        let (mut of, mut whole) = (BTreeMap::new(), 0);
        let mut reader = BufReader::new(&file);
        for line in 1.. {
            let mut text = String::new();
            let len = reader.read_line(&mut text).map_err(failed)?;
            if !text.ends_with('\n') {
                break;
            }
            let kept: SharedLine =
                serde_json::from_str(&text).map_err(|source| CassetteError::Line { path: path.to_owned(), line, source })?;
            of.insert(kept.key, kept.reply);
            whole += len as u64;
        }
        file.set_len(whole).map_err(failed)?;
        let answers = Mutex::new(ReplyBook { of, under_way: BTreeSet::new(), file, fault: None });
        Ok(Self(Arc::new(ReplyStore { path: path.to_owned(), answers, come: Condvar::new() })))
    }

    fn lock(&self) -> MutexGuard<'_, ReplyBook> {
        self.0.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what came of a request. It is kept where the model has answered; else whoever waits for it asks itself.
    fn come(&self, key: &str, request: &Request, reply: &Reply, is_said: bool) {
        let mut answers = self.lock();
        answers.under_way.remove(key);
        if is_said {
            let line = SharedLine { key: key.to_owned(), who: request.who.clone(), reply: reply.clone() };
            let written = serde_json::to_string(&line).map_err(std::io::Error::from).and_then(|line| writeln!(answers.file, "{line}"));
            if let Err(error) = written {
                answers.fault = Some(format!("cannot write `{}`: {error}", self.0.path.display()));
            }
            answers.of.insert(key.to_owned(), reply.clone());
        }
        self.0.come.notify_all();
    }
}

/// Hears of a request to which no model has answered, and why.
type Unheard = Box<dyn FnMut(&Request, String) + Send>;

/// Minds that are asked only for what the store has not.
pub struct Sharing {
    inner: Box<dyn Minds>,
    replies: SharedReplies,
    /// The group of worlds that share answers with this one.
    among: String,
    /// Hears of each request to which no model has answered, and why.
    unheard: Unheard,
}

impl Sharing {
    /// Shares what these answer among all worlds of one name.
    pub fn new(inner: Box<dyn Minds>, replies: SharedReplies, among: &str) -> Self {
        Self { inner, replies, among: among.to_owned(), unheard: Box::new(|_, _| ()) }
    }

    /// The same, where somebody hears of each request to which no model has answered, and why.
    pub fn telling(self, unheard: impl FnMut(&Request, String) + Send + 'static) -> Self {
        Self { unheard: Box::new(unheard), ..self }
    }

    fn key(&self, request: &Request) -> String {
        Hash::of(format!("{}\n{}\n{}", self.among, request.who, hash(request)).as_bytes()).to_string()
    }

    /// Asks what neither is there nor is being asked by another world; where there is nothing of that kind, waits until something comes.
    fn ask_some(&mut self, waiting: &mut BTreeMap<usize, (String, &Request)>, replies: &mut [Reply]) {
        let mut answers = self.replies.lock();
        waiting.retain(|place, (key, _)| match (answers.of.get(key), replies.get_mut(*place)) {
            (Some(reply), Some(slot)) => {
                *slot = reply.clone();
                false
            }
            _ => true,
        });
        let mut own: Vec<(usize, String, Request)> = Vec::new();
        for (place, (key, request)) in &*waiting {
            if answers.under_way.insert(key.clone()) {
                own.push((*place, key.clone(), (*request).clone()));
            }
        }
        if own.is_empty() {
            if !waiting.is_empty() {
                drop(self.replies.0.come.wait(answers).unwrap_or_else(PoisonError::into_inner));
            }
            return;
        }
        drop(answers);
        let asked: Vec<Request> = own.iter().map(|(.., request)| request.clone()).collect();
        let mut heard = self.inner.ask(&asked).into_iter();
        for (place, key, request) in own {
            let reply = heard.next().unwrap_or_else(|| Reply::failed(Code::ReplyLost));
            let is_said = Upshot::is_said(&reply.last, request.connection.dialect);
            self.replies.come(&key, &request, &reply, is_said);
            // Where an endpoint is out it is asked again, and what was given up was given up here.
            let is_over = !matches!(Upshot::of(&reply.last, request.connection.dialect), Upshot::Out | Upshot::GivenUp);
            if is_over && !is_said {
                (self.unheard)(&request, why_unheard(&reply));
            }
            waiting.remove(&place);
            if let Some(slot) = replies.get_mut(place) {
                *slot = reply;
            }
        }
    }
}

/// Why a request was not answered: the status, or the word of what went wrong.
fn why_unheard(reply: &Reply) -> String {
    match (reply.last.error, reply.last.status) {
        (Some(error), _) => error.word().to_owned(),
        (None, Some(status)) if !reply.last.is_answer() => format!("status {status}"),
        (None, _) => Code::ReplyMalformed.word().to_owned(),
    }
}

impl Minds for Sharing {
    fn heed(&mut self, patience: AnswerWait) {
        self.inner.heed(patience);
    }

    fn outages(&self) -> Outages {
        self.inner.outages()
    }

    fn lacks_key(&self, connection: &Connection) -> bool {
        self.inner.lacks_key(connection)
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let mut replies = vec![Reply::failed(Code::ReplyLost); requests.len()];
        let mut waiting: BTreeMap<usize, (String, &Request)> =
            requests.iter().enumerate().map(|(place, request)| (place, (self.key(request), request))).collect();
        while !waiting.is_empty() {
            self.ask_some(&mut waiting, &mut replies);
        }
        replies
    }

    fn ready(&self, requests: &[&Request]) -> Result<(), Unready> {
        match &self.replies.lock().fault {
            Some(fault) => Err(Unready(fault.clone())),
            None => self.inner.ready(requests),
        }
    }
}
