//! Lines: what a history holds as JSON Lines, for whoever counts and compares: an object a line.

use std::io::{self, Write};
use std::ops::Range;

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::fact::{BeingId, Content, Draft, Frame, N, Seq, Spent, Thought, harmless_json};
use crate::past::{History, Report};
use crate::store::CopyKind;
use crate::world::{World, iso};

/// The unit of a line of output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LineOf {
    /// Of each fact
    Facts,
    /// Of each moment, as `log --json` tells it
    Moments,
    /// Of each request that a model was sent and has answered
    Prompts,
    /// Of each reply of a model
    Replies,
}

impl LineOf {
    /// The same as a copy that is noted.
    pub(super) const fn copy(self) -> CopyKind {
        match self {
            Self::Facts => CopyKind::Facts,
            Self::Moments => CopyKind::Moments,
            Self::Prompts => CopyKind::Prompts,
            Self::Replies => CopyKind::Replies,
        }
    }

    /// Writes the lines of some frames, of one being or of all; how many they are.
    pub(super) fn write(self, history: &History, frames: Range<Seq>, being: Option<BeingId>, out: &mut dyn Write) -> Result<u64> {
        let mut out = LineSink { out, count: 0, failed: None };
        let is_meant = |draft: &Draft| being.is_none_or(|being| being == draft.being);
        if self == Self::Moments {
            history.moments(frames.start, Some(frames.end), |frame, report| {
                let (seq, n) = (frame.draft().seq, frame.draft().n);
                if seq >= frames.start && is_meant(frame.draft()) {
                    out.put(&MomentLine { moment: format!("@{}/{n}", report.being), n, report });
                }
            })?;
        } else {
            // Nobody is ever called otherwise, so the newest world knows all names.
            let world = history.world_at(frames.end)?;
            history.whole_drafts(frames, |draft| {
                if is_meant(&draft) {
                    self.of(&draft, &world, &mut out);
                }
            })?;
        }
        out.failed.map_or(Ok(out.count), |error| Err(error.into()))
    }

    /// The lines of one frame.
    fn of(self, draft: &Draft, world: &World, out: &mut LineSink<'_>) {
        let name = world.being(draft.being).map_or_else(|| draft.being.to_string(), |being| being.name.to_string());
        let (moment, time) = (format!("@{name}/{}", draft.n), iso(draft.at, draft.offset));
        let mut put = |more: FrameLine<'_>| out.put(&NamedLine { seq: draft.seq, moment: &moment, time: &time, being: &name, more });
        match (self, &draft.thought) {
            (Self::Facts, _) => draft.facts.iter().enumerate().for_each(|(index, fact)| put(fact_line(index, json!(fact)))),
            (Self::Prompts, Thought::Model { request, .. }) => put(FrameLine::Prompt { request }),
            (Self::Replies, Thought::Model { reply, .. }) => {
                put(FrameLine::Reply { spent: draft.spent(), closing: draft.closing.word(), reply })
            }
            (Self::Prompts | Self::Replies, Thought::None | Thought::Script | Thought::Given) | (Self::Moments, _) => {}
        }
    }
}

/// Where lines go.
struct LineSink<'a> {
    out: &'a mut dyn Write,
    count: u64,
    failed: Option<io::Error>,
}

impl LineSink<'_> {
    fn put(&mut self, line: &impl Serialize) {
        if self.failed.is_none() {
            let written = serde_json::to_string(line).map_err(io::Error::from);
            self.failed = written.and_then(|line| writeln!(self.out, "{}", harmless_json(&line))).err();
            self.count += 1;
        }
    }
}

/// A moment as `log --json` tells it.
pub(super) fn log_line(frame: &Frame, told: &Report) -> Json {
    let draft = frame.draft();
    json!({ "report": told, "n": draft.n, "hash": frame.hash(), "facts": draft.facts, "call": draft.call, "closing": draft.closing })
}

/// A moment as the log tells it, and its name.
#[derive(Serialize)]
struct MomentLine {
    moment: String,
    n: N,
    #[serde(flatten)]
    report: Report,
}

/// A line of output: the fields that name its frame, and what it says of it.
#[derive(Serialize)]
struct NamedLine<'a> {
    seq: Seq,
    moment: &'a str,
    time: &'a str,
    being: &'a str,
    #[serde(flatten)]
    more: FrameLine<'a>,
}

/// The content of a line about its frame.
#[derive(Serialize)]
#[serde(untagged)]
enum FrameLine<'a> {
    Fact { index: usize, kind: String, fact: Json },
    Prompt { request: &'a Content },
    Reply { spent: Option<&'a Spent>, closing: &'static str, reply: &'a Content },
}

/// A fact is told as its kind and all that it says beside it.
fn fact_line(index: usize, mut fact: Json) -> FrameLine<'static> {
    let kind = fact.as_object_mut().and_then(|fact| fact.remove("fact")).and_then(|kind| kind.as_str().map(str::to_owned));
    FrameLine::Fact { index, kind: kind.unwrap_or_default(), fact }
}
