//! Speech: in what form a command answers: in words for people, as JSON or CBOR for programs.
//!
//! JSON is one value a line; CBOR is a sequence of values, one after the other (RFC 8742), with the same keys and the same order. The
//! other stream, for warnings and errors, speaks JSON to all programs, which read it as a log, and repeats no secret. Control characters in texts are
//! escaped, so that no author of a text takes hold of a terminal.

use std::borrow::Cow;
use std::io::Write;

use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;

use crate::fact::{harmless, harmless_json, masked};

use super::paint::{painted, shows_colour};

/// The format in which a command answers.
#[derive(Clone, Copy, Args)]
pub struct Speech {
    /// Speak JSON: one value, or one a line
    #[arg(long, global = true)]
    json: bool,
    /// Speak CBOR: the same values, one after the other
    #[arg(long, global = true, conflicts_with = "json")]
    cbor: bool,
}

impl Speech {
    /// Whether a program reads the answer.
    pub fn is_for_programs(self) -> bool {
        self.json || self.cbor
    }

    /// Writes one value.
    pub fn write<T: Serialize>(self, out: &mut impl Write, item: &T, words: impl FnOnce() -> String) -> Result<()> {
        match self {
            Self { cbor: true, .. } => ciborium::into_writer(item, out).map_err(|error| match error {
                // As it is, so that whoever broke a pipe off is known.
                ciborium::ser::Error::Io(io) => io.into(),
                ciborium::ser::Error::Value(what) => anyhow!("{what}"),
            }),
            Self { json: true, .. } => Ok(writeln!(out, "{}", harmless_json(&serde_json::to_string(item)?))?),
            Self { .. } => {
                let words = words();
                let text = harmless(words.trim_end());
                let shown = if shows_colour() { Cow::Owned(painted(&text)) } else { text };
                Ok(writeln!(out, "{shown}")?)
            }
        }
    }

    /// Says something beside the answer, on the other stream.
    pub fn aside(self, key: &str, text: &str, words: impl FnOnce() -> String) {
        let line = if self.is_for_programs() {
            harmless_json(&serde_json::json!({ key: masked(text) }).to_string()).into_owned()
        } else {
            // A text of others that breaks a line begins no line that could pass for one of ours.
            harmless(&masked(&words())).replace('\n', "\n  ")
        };
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// A stream for the log, as text or JSON: each line comes as a whole, and what others wrote in it takes hold of no terminal.
pub struct Tame<W>(pub W);

pub(super) fn tame_stderr() -> Tame<std::io::Stderr> {
    Tame(std::io::stderr())
}

impl<W: Write> Write for Tame<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write_all(harmless_json(&masked(&String::from_utf8_lossy(bytes))).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}
