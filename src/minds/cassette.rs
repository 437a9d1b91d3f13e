//! Cassette: what models answered, kept in a file, and given again from it: one line of JSON for each request.
//!
//! A request is known by the hash of its connection's name and its body, so a cassette answers wherever the server stood. The same
//! request may stand in it more than once; its answers are given in their order.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cognition::{Reply, Request};
use crate::fact::{Code, Hash, Text};

use super::asking::{Minds, Unready};

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
    /// Whose it was: for people who read the file.
    who: Text,
    /// The reply as it is recorded.
    reply: Reply,
}

/// What a request is known by.
fn hash(request: &Request) -> String {
    let mut text = String::new();
    for one in std::iter::once(request).chain(&request.failover) {
        text += &format!("{}\n{}\n", one.connection.name, one.body);
    }
    Hash::of(text.as_bytes()).to_string()
}

/// Minds whose answers are written down.
pub struct Recorder {
    inner: Box<dyn Minds>,
    file: File,
    path: PathBuf,
    fault: Option<String>,
}

impl Recorder {
    /// Writes what these minds answer to a new file.
    pub fn new(inner: Box<dyn Minds>, path: &Path) -> Result<Self, CassetteError> {
        let file = File::create(path).map_err(|source| CassetteError::File { path: path.to_owned(), source })?;
        Ok(Self { inner, file, path: path.to_owned(), fault: None })
    }

    fn write(&mut self, request: &Request, reply: &Reply) -> std::io::Result<()> {
        let line = CassetteLine { request: hash(request), who: request.who.clone(), reply: reply.clone() };
        writeln!(self.file, "{}", serde_json::to_string(&line)?)
    }
}

impl Minds for Recorder {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let replies = self.inner.ask(requests);
        for (request, reply) in requests.iter().zip(&replies) {
            if let Err(error) = self.write(request, reply) {
                // What was answered is in the world all the same; the next round says what is wrong with the file.
                self.fault = Some(format!("cassette `{}`: {error}", self.path.display()));
            }
        }
        replies
    }

    fn ready(&self, requests: &[&Request]) -> Result<(), Unready> {
        match &self.fault {
            Some(fault) => Err(Unready(fault.clone())),
            None => self.inner.ready(requests),
        }
    }
}

/// Minds that answer from a file, and ask nobody.
pub struct Cassette {
    path: PathBuf,
    answers: BTreeMap<String, VecDeque<Reply>>,
}

impl Cassette {
    /// One that holds no answer.
    pub fn empty() -> Self {
        Self { path: PathBuf::from("none"), answers: BTreeMap::new() }
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, CassetteError> {
        let failed = |source| CassetteError::File { path: path.to_owned(), source };
        let mut answers: BTreeMap<String, VecDeque<Reply>> = BTreeMap::new();
        for (line, text) in (1..).zip(BufReader::new(File::open(path).map_err(failed)?).lines()) {
            let text = text.map_err(failed)?;
            if text.trim().is_empty() {
                continue;
            }
            let answered: CassetteLine =
                serde_json::from_str(&text).map_err(|source| CassetteError::Line { path: path.to_owned(), line, source })?;
            answers.entry(answered.request).or_default().push_back(answered.reply);
        }
        Ok(Self { path: path.to_owned(), answers })
    }
}

impl Minds for Cassette {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let mut answer = |request: &Request| {
            let reply = self.answers.get_mut(&hash(request)).and_then(VecDeque::pop_front);
            reply.unwrap_or_else(|| Reply::failed(Code::ReplyLost))
        };
        requests.iter().map(&mut answer).collect()
    }

    fn ready(&self, requests: &[&Request]) -> Result<(), Unready> {
        let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
        for request in requests {
            let hash = hash(request);
            let before = wanted.entry(hash.clone()).or_default();
            *before += 1;
            if self.answers.get(&hash).is_none_or(|answers| answers.len() < *before) {
                let path = self.path.display();
                return Err(Unready(format!(
                    "cassette `{path}` holds no answer to the request of {} ({hash}); record it anew with --record, from the world's beginning",
                    request.who
                )));
            }
        }
        Ok(())
    }
}
