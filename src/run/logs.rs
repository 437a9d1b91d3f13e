//! Logs: a line for each moment, under one name from the wake to the seal: `@ada:120.0`, whose it is and which fact woke it.
//!
//! No line holds what was said, asked or answered: that stands in the world, for those who may read it. A failure that repeats is told once
//! a second for each reason, with its count: a loop fills no disk.

use std::collections::BTreeMap;

use crate::fact::{Closing, Draft, Seq, Text};
use crate::verb::core;
use crate::world::World;

use super::clock::wall;

/// How loudly a line is said.
enum Loudness {
    GivenUp,
    Failed,
    Closed,
}

/// The fields of a moment's log line.
pub(super) struct LogLine {
    volume: Loudness,
    moment: String,
    seq: Seq,
    wake: &'static str,
    closing: &'static str,
    reason: &'static str,
    verb: &'static str,
    action: Text,
}

impl LogLine {
    /// The line of a moment, where the log level lets it through.
    pub(super) fn of(draft: &Draft, world: &World) -> Option<Self> {
        let (volume, is_heard) = match draft.closing {
            Closing::DeadLetter(_) => (Loudness::GivenUp, tracing::enabled!(tracing::Level::WARN)),
            Closing::Failed(_) => (Loudness::Failed, tracing::enabled!(tracing::Level::INFO)),
            Closing::Act | Closing::See | Closing::Refused(_) | Closing::Requeued(_) | Closing::Ended => {
                (Loudness::Closed, tracing::enabled!(tracing::Level::DEBUG))
            }
        };
        is_heard.then(|| Self::saying(volume, draft, world))
    }

    fn saying(volume: Loudness, draft: &Draft, world: &World) -> Self {
        let name = world.being(draft.being).map(|being| being.name.as_ref()).unwrap_or_default();
        // Any other name that a mind has given stays in the world, out of the log.
        let known = |action: &str| core(action).is_some() || world.registry().operations.contains_key(action);
        Self {
            volume,
            moment: format!("@{name}:{}", draft.wake.cause),
            seq: draft.seq,
            wake: draft.wake.kind.word(),
            closing: draft.closing.word(),
            reason: draft.closing.reason().map(|reason| reason.code.word()).unwrap_or_default(),
            verb: draft.call.as_ref().map(|call| call.verb.word()).unwrap_or_default(),
            action: draft.call.as_ref().map(|call| call.action.clone()).filter(|action| known(action)).unwrap_or_else(|| "".into()),
        }
    }
}

macro_rules! say {
    ($level:ident, $line:expr $(, $count:expr)?) => {{
        let LogLine { moment, seq, wake, closing, reason, verb, action, .. } = &$line;
        tracing::event!(tracing::Level::$level, %moment, seq, wake, closing, reason, verb, %action, $(count = $count,)? "closed");
    }};
}

/// How moments closed, as far as it is still to be said.
#[derive(Default)]
pub(super) struct Logs {
    given_up: PerSecond<LogLine>,
    failed: PerSecond<LogLine>,
}

impl Logs {
    /// Says how a moment closed, once its round is kept.
    pub(super) fn say(&mut self, line: LogLine) {
        match line.volume {
            Loudness::GivenUp => {
                self.given_up.count(line.reason, line, second()).iter().for_each(|(line, count)| say!(WARN, line, count));
            }
            Loudness::Failed => {
                self.failed.count(line.reason, line, second()).iter().for_each(|(line, count)| say!(INFO, line, count));
            }
            Loudness::Closed => say!(DEBUG, line),
        }
    }

    /// Says what was counted and not said yet.
    pub(super) fn rest(&mut self) {
        self.given_up.rest().iter().for_each(|(line, count)| say!(WARN, line, count));
        self.failed.rest().iter().for_each(|(line, count)| say!(INFO, line, count));
    }
}

fn second() -> i64 {
    wall() / 1000
}

/// Things that happen often: of each kind the first in a second is told at once, and the others when another second has begun.
pub struct PerSecond<T> {
    second: i64,
    kept: BTreeMap<&'static str, (u64, Option<T>)>,
}

impl<T> Default for PerSecond<T> {
    fn default() -> Self {
        Self { second: i64::MIN, kept: BTreeMap::new() }
    }
}

impl<T> PerSecond<T> {
    /// Counts one of a kind; what is to be told now, each the newest of its kind with how many it stands for.
    pub fn count(&mut self, kind: &'static str, one: T, second: i64) -> Vec<(T, u64)> {
        let mut told = Vec::new();
        let mut before = 0;
        if self.second != second {
            self.second = second;
            before = self.kept.remove(&kind).map_or(0, |(count, _)| count);
            told = self.rest();
        }
        match self.kept.get_mut(&kind) {
            Some(kept) => *kept = (kept.0 + 1, Some(one)),
            None => {
                self.kept.insert(kind, (0, None));
                told.push((one, before + 1));
            }
        }
        told
    }

    /// All that was not told yet.
    pub fn rest(&mut self) -> Vec<(T, u64)> {
        std::mem::take(&mut self.kept).into_values().filter_map(|(count, newest)| Some((newest?, count))).collect()
    }
}
