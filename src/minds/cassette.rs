//! Cassette: the answers of models, recorded in a file and replayed from it: one line of JSON for each request.
//!
//! A request is known by the hash of its connection's name and its body, so a cassette answers wherever the server stood. The same
//! request may stand in it more than once; its answers are given in their order.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::cognition::{Connection, Reply, Request, Upshot};
use crate::fact::{Code, Hash, Text};

use super::asking::{AnswerWait, Foresees, Heard, Minds, Unready};
use super::outages::Outages;

/// Why a cassette cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    /// The file cannot be reached.
    #[error("cassette `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A line is no answer.
    #[error("cassette `{}`, line {line}: expected {{\"request\": a hash, \"who\": …, \"reply\": …}}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
}

/// One line.
#[derive(Serialize, Deserialize)]
struct CassetteLine {
    /// The request's hash.
    request: String,
    /// The being and moment that asked: for people who read the file.
    who: Text,
    /// The reply as it is recorded.
    reply: Reply,
}

/// The key of a request: a hash over its connections and bodies.
pub(super) fn hash(request: &Request) -> String {
    let mut text = String::new();
    for one in std::iter::once(request).chain(&request.failover) {
        text += &format!("{}\n{}\n", one.connection.name, one.body);
    }
    Hash::of(text.as_bytes()).to_string()
}

/// Whether a reply is one of those that are kept: where an endpoint did not answer, or the run was stopped, it is asked another time.
pub(super) fn is_kept(request: &Request, reply: &Reply) -> bool {
    !matches!(Upshot::of(&reply.last, request.connection.dialect), Upshot::Out | Upshot::Unasked | Upshot::GivenUp)
}

/// The file that answers are written to.
pub struct Tape {
    file: File,
    path: PathBuf,
    fault: Option<String>,
}

impl Tape {
    /// A new file.
    pub fn new(path: &Path) -> Result<Self, CassetteError> {
        Self::on(path, File::create(path))
    }

    /// Behind what a file holds already.
    pub fn adding(path: &Path) -> Result<Self, CassetteError> {
        Self::on(path, File::options().create(true).append(true).open(path))
    }

    fn on(path: &Path, file: std::io::Result<File>) -> Result<Self, CassetteError> {
        let file = file.map_err(|source| CassetteError::File { path: path.to_owned(), source })?;
        Ok(Self { file, path: path.to_owned(), fault: None })
    }

    fn keep(&mut self, request: &Request, reply: &Reply) {
        if is_kept(request, reply)
            && let Err(error) = self.write(request, reply)
        {
            // The answer is in the world all the same; the next round says what is wrong with the file.
            self.fault = Some(format!("cassette `{}`: {error}", self.path.display()));
        }
    }

    fn write(&mut self, request: &Request, reply: &Reply) -> std::io::Result<()> {
        let line = CassetteLine { request: hash(request), who: request.who.clone(), reply: reply.clone() };
        writeln!(self.file, "{}", serde_json::to_string(&line)?)
    }
}

/// Minds whose answers are written down.
pub struct Recorder {
    inner: Box<dyn Minds>,
    tape: Arc<Mutex<Tape>>,
}

impl Recorder {
    /// Writes down what these minds answer.
    pub fn new(inner: Box<dyn Minds>, tape: Tape) -> Self {
        Self { inner, tape: Arc::new(Mutex::new(tape)) }
    }
}

fn lock(tape: &Mutex<Tape>) -> MutexGuard<'_, Tape> {
    tape.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Minds for Recorder {
    fn heed(&mut self, patience: AnswerWait) {
        self.inner.heed(patience);
    }

    fn ahead(&mut self) -> Option<&mut dyn Foresees> {
        self.inner.ahead()
    }

    fn outages(&self) -> Outages {
        self.inner.outages()
    }

    fn lacks_key(&self, connection: &Connection) -> bool {
        self.inner.lacks_key(connection)
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let replies = self.inner.ask(requests);
        requests.iter().zip(&replies).for_each(|(request, reply)| lock(&self.tape).keep(request, reply));
        replies
    }

    fn begin(&mut self, request: Request, heard: Heard) {
        let (tape, asked) = (self.tape.clone(), request.clone());
        let hears = Heard::new(move |reply| {
            lock(&tape).keep(&asked, &reply);
            heard.tell(reply);
        });
        self.inner.begin(request, hears);
    }

    fn ready(&self, requests: &[&Request]) -> Result<(), Unready> {
        match &lock(&self.tape).fault {
            Some(fault) => Err(Unready(fault.clone())),
            None => self.inner.ready(requests),
        }
    }
}

/// Minds that answer from a cassette what it holds, and let others answer the rest.
pub struct Completed {
    cassette: Cassette,
    rest: Box<dyn Minds>,
}

impl Completed {
    /// Asks `rest` where the cassette holds no reply.
    pub fn new(cassette: Cassette, rest: Box<dyn Minds>) -> Self {
        Self { cassette, rest }
    }
}

impl Minds for Completed {
    fn heed(&mut self, patience: AnswerWait) {
        self.rest.heed(patience);
    }

    fn outages(&self) -> Outages {
        self.rest.outages()
    }

    fn lacks_key(&self, connection: &Connection) -> bool {
        self.cassette.is_used_up() && self.rest.lacks_key(connection)
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let mut replies: Vec<Option<Reply>> = requests.iter().map(|request| self.cassette.take(request)).collect();
        let missing = requests.iter().zip(&replies).filter(|(_, reply)| reply.is_none()).map(|(request, _)| request.clone());
        let missing: Vec<Request> = missing.collect();
        let mut asked = self.rest.ask(&missing).into_iter();
        replies.iter_mut().filter(|reply| reply.is_none()).for_each(|reply| *reply = asked.next());
        replies.into_iter().map(|reply| reply.unwrap_or_else(|| Reply::failed(Code::ReplyLost))).collect()
    }

    fn begin(&mut self, request: Request, heard: Heard) {
        match self.cassette.take(&request) {
            Some(reply) => heard.tell(reply),
            None => self.rest.begin(request, heard),
        }
    }

    fn ready(&self, requests: &[&Request]) -> Result<(), Unready> {
        self.rest.ready(requests)
    }
}

/// Minds that answer from a file, and ask nobody.
pub struct Cassette {
    path: PathBuf,
    answers: BTreeMap<String, VecDeque<Reply>>,
    /// Under what a request is looked for.
    key: fn(&Request) -> String,
    /// The connections that were turned away when it was recorded: nobody asks them again, as nobody did then.
    outages: Outages,
}

impl Cassette {
    /// One that holds no answer.
    pub fn empty() -> Self {
        Self { path: PathBuf::from("none"), answers: BTreeMap::new(), key: hash, outages: Outages::default() }
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, CassetteError> {
        Self::by(path, hash, |line| line.request.clone())
    }

    /// The same, of which each being and moment is answered in order, whatever it asks.
    pub fn by_asker(path: &Path) -> Result<Self, CassetteError> {
        Self::by(path, |request| request.who.to_string(), |line| line.who.to_string())
    }

    fn by(path: &Path, key: fn(&Request) -> String, key_of: fn(&CassetteLine) -> String) -> Result<Self, CassetteError> {
        let failed = |source| CassetteError::File { path: path.to_owned(), source };
        let mut answers: BTreeMap<String, VecDeque<Reply>> = BTreeMap::new();
        for (line, text) in (1..).zip(BufReader::new(File::open(path).map_err(failed)?).lines()) {
            let text = text.map_err(failed)?;
            if text.trim().is_empty() {
                continue;
            }
            let answered: CassetteLine =
                serde_json::from_str(&text).map_err(|source| CassetteError::Line { path: path.to_owned(), line, source })?;
            answers.entry(key_of(&answered)).or_default().push_back(answered.reply);
        }
        Ok(Self { path: path.to_owned(), answers, key, outages: Outages::default() })
    }

    /// The next answer to a request.
    fn take(&mut self, request: &Request) -> Option<Reply> {
        self.answers.get_mut(&(self.key)(request)).and_then(VecDeque::pop_front)
    }

    /// Whether every answer has been given.
    fn is_used_up(&self) -> bool {
        self.answers.values().all(VecDeque::is_empty)
    }
}

impl Minds for Cassette {
    fn outages(&self) -> Outages {
        self.outages.clone()
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let outages = self.outages.clone();
        let answer = |request: &Request| {
            let reply = self.take(request).unwrap_or_else(|| Reply::failed(Code::ReplyLost));
            reply.all().for_each(|attempt| outages.note_turned_away(&request.sent(attempt).connection, attempt));
            reply
        };
        requests.iter().map(answer).collect()
    }

    fn ready(&self, requests: &[&Request]) -> Result<(), Unready> {
        let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
        for request in requests {
            let key = (self.key)(request);
            let before = wanted.entry(key.clone()).or_default();
            *before += 1;
            if self.answers.get(&key).is_none_or(|answers| answers.len() < *before) {
                let path = self.path.display();
                return Err(Unready(format!(
                    "cassette `{path}` holds no answer to the request of {} ({key}); add it with --record and the same file, or record all anew, from the world's beginning",
                    request.who
                )));
            }
        }
        Ok(())
    }
}
