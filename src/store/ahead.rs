//! `ahead`: the calls of models that were begun before their moments and stand in no frame yet. It lies beside the log, and is durable before
//! any of them is begun: so a crash does not forget what they cost.
//!
//! It only grows at its end, by a line for each thing that became of a call, until it is written anew.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fact::{Hash, N};

use super::disk::{Disk, PlainDisk, read_all};
use super::error::StoreError;
use super::replace::{keep, take_away};

pub const NAME: &str = "ahead";
/// So many lines more than four for each call lie in a file before it is written anew.
const LINES: usize = 64;
/// How many digits of its hash close a line.
const DIGITS: usize = 16;

/// A call that was begun ahead of its moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AheadCall {
    /// The being whose moment it is for, as `@being`.
    pub being: String,
    /// The moment that it is for, as `@being/n`.
    pub moment: String,
    /// The hash of the request.
    pub request: String,
    /// The connection that it was sent over first.
    pub connection: String,
    /// The reply, as JSON; none: it was still under way, and nobody knows how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// The `n` of the frame that books it; nobody knows whether that frame is durable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub booked: Option<N>,
}

/// A thing that became of a call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum AheadLine {
    /// It is to be begun.
    Begun(AheadCall),
    /// It was answered.
    Replied { being: String, request: String, reply: String },
    /// The n-th frame of its being books it.
    Booked { being: String, request: String, n: N },
    /// The log speaks of it, or it never left.
    Gone { being: String, request: String },
}

/// The file of a world.
pub struct AheadFile {
    path: PathBuf,
    /// The calls in it, by whose they are and by the hashes of their requests.
    calls: BTreeMap<(String, String), AheadCall>,
    lines: usize,
}

impl AheadFile {
    /// That beside the log in `dir`, and what stands in it.
    pub fn of(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(NAME);
        let bytes = match read_all(&PlainDisk, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| StoreError::io("read", &path, error))?,
        };
        let bad = |(line, what): (usize, String)| StoreError::BadFile {
            file: path.clone(),
            what: format!(
                "line {line}: {what}; without the file, what it says of calls that were under way at the last stop is booked nowhere"
            ),
        };
        let written = read(&bytes).map_err(bad)?;
        let (mut calls, lines) = (BTreeMap::new(), written.len());
        written.into_iter().for_each(|line| fold(&mut calls, line));
        Ok(Self { path, calls, lines })
    }

    /// The calls in it.
    pub fn calls(&self) -> impl Iterator<Item = &AheadCall> {
        self.calls.values()
    }

    /// Writes down what became of calls: durable when this returns, where any of them is to be begun.
    pub fn note(&mut self, lines: Vec<AheadLine>) -> Result<(), StoreError> {
        if lines.is_empty() {
            return Ok(());
        }
        lines.iter().cloned().for_each(|line| fold(&mut self.calls, line));
        // Where writing fails, all of it is written anew the next time.
        let lines_before = std::mem::take(&mut self.lines);
        let wrong = |error| StoreError::io("write", &self.path, error);
        if self.calls.is_empty() {
            take_away(&PlainDisk, &self.path)?;
        } else if lines_before == 0 || lines_before + lines.len() > LINES + 4 * self.calls.len() {
            let lines: Vec<AheadLine> = self.calls.values().cloned().map(AheadLine::Begun).collect();
            keep(&self.path, &text(&lines)).map_err(wrong)?;
            self.lines = lines.len();
        } else {
            append(&self.path, &lines).map_err(wrong)?;
            self.lines = lines_before + lines.len();
        }
        Ok(())
    }
}

fn append(path: &Path, lines: &[AheadLine]) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(&text(lines))?;
    // A reply may be forgotten: then the call counts as one of which nobody knows how it ended. A booking is in the log before long.
    if lines.iter().any(|line| matches!(line, AheadLine::Begun(_))) { file.sync_data() } else { Ok(()) }
}

/// Lines, each closed by the beginning of its hash.
fn text(lines: &[AheadLine]) -> Vec<u8> {
    let line = |line: &AheadLine| serde_json::to_string(line).map(|json| format!("{json}\t{}\n", sum(&json))).unwrap_or_default();
    lines.iter().map(line).collect::<String>().into_bytes()
}

fn sum(json: &str) -> String {
    Hash::of(json.as_bytes()).to_string().chars().take(DIGITS).collect()
}

/// The lines of a file. One that a crash cut off at its end was not durable, and no call was begun by it.
fn read(bytes: &[u8]) -> Result<Vec<AheadLine>, (usize, String)> {
    let mut parts: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let last = parts.pop().unwrap_or_default();
    if last.split_last().is_some_and(|(_, line)| line_of(line).is_ok()) {
        return Err((parts.len() + 1, "its end is another than the one that was written".to_owned()));
    }
    parts.iter().enumerate().map(|(at, line)| line_of(line).map_err(|what| (at + 1, what))).collect()
}

fn line_of(bytes: &[u8]) -> Result<AheadLine, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("byte {} is not text", error.valid_up_to()))?;
    let (json, found) = text.rsplit_once('\t').ok_or("its closing hash is missing")?;
    let expected = sum(json);
    if found != expected {
        return Err(format!("expected the closing hash {expected}, found {found}"));
    }
    serde_json::from_str(json).map_err(|error| error.to_string())
}

fn fold(calls: &mut BTreeMap<(String, String), AheadCall>, line: AheadLine) {
    match line {
        AheadLine::Begun(call) => drop(calls.insert((call.being.clone(), call.request.clone()), call)),
        AheadLine::Gone { being, request } => drop(calls.remove(&(being, request))),
        AheadLine::Replied { being, request, reply } => {
            if let Some(call) = calls.get_mut(&(being, request)) {
                call.reply = Some(reply);
            }
        }
        AheadLine::Booked { being, request, n } => {
            if let Some(call) = calls.get_mut(&(being, request)) {
                call.booked = Some(n);
            }
        }
    }
}

/// Takes away what another world has left.
pub(super) fn remove(disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
    take_away(disk, &dir.join(NAME)).map(drop)
}
