//! Refusals: how often a run called each operation, and which it refused more often than not.
//!
//! One act that is refused says little. An operation that is refused in most of its calls is a fault of a role, of a manifest or of a place.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::fact::{Closing, Code, CodeKind, Draft, Text, Verb, visible};

/// The least calls of an operation of which anything is said.
const CALLS_MIN: u64 = 4;
/// The most operations that are counted: a mind may call by names that no operation has.
const NAMES_MAX: usize = 4096;

/// How often an operation was called, and how often it was refused with each code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CallCount {
    calls: u64,
    refused: BTreeMap<Code, u64>,
}

/// The operations of a run, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CalledOperations(BTreeMap<Text, CallCount>);

/// An operation that was refused in more than half of its calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MostlyRefused {
    /// Its name; `be.birth` and its like of an operation on identity.
    pub operation: String,
    /// How often it was called.
    pub calls: u64,
    /// How often it was refused.
    pub refused: u64,
    /// The codes with which, each with how often.
    pub reasons: BTreeMap<Code, u64>,
}

impl CalledOperations {
    /// Counts the call of a moment, where it called an operation: with whether that was refused. A refused try, after which the wake stays
    /// open, counts as a call of its own.
    pub(super) fn count(&mut self, draft: &Draft) {
        let (Some(call), Some(refused)) = (&draft.call, verdict(&draft.closing)) else { return };
        let name: Text = match call.verb {
            Verb::Do => call.action.clone(),
            Verb::Be => format!("be.{}", call.action).into(),
            Verb::See | Verb::Summon => return,
        };
        if self.0.len() >= NAMES_MAX && !self.0.contains_key(&name) {
            return;
        }
        let counted = self.0.entry(name).or_default();
        counted.calls += 1;
        if let Some(code) = refused {
            *counted.refused.entry(code).or_default() += 1;
        }
    }

    /// Counts others with these.
    pub(super) fn add(&mut self, other: Self) {
        for (name, more) in other.0 {
            let counted = self.0.entry(name).or_default();
            counted.calls += more.calls;
            more.refused.into_iter().for_each(|(code, count)| *counted.refused.entry(code).or_default() += count);
        }
    }

    /// The operations that were refused in more than half of at least four calls, by name.
    pub fn mostly_refused(&self) -> Vec<MostlyRefused> {
        let of = |(name, counted): (&Text, &CallCount)| {
            let refused: u64 = counted.refused.values().sum();
            let said = MostlyRefused { operation: visible(name), calls: counted.calls, refused, reasons: counted.refused.clone() };
            (said.calls >= CALLS_MIN && 2 * said.refused > said.calls).then_some(said)
        };
        self.0.iter().filter_map(of).collect()
    }
}

/// Whether a moment carried its call out: `Some(None)` if it did, the code if that was refused, nothing if neither came of it.
fn verdict(closing: &Closing) -> Option<Option<Code>> {
    if let Some(reason) = closing.refusal() {
        return Some(Some(reason.code));
    }
    match closing {
        Closing::Act => Some(None),
        // The wake goes on for another cause than a refusal.
        Closing::Requeued(reason) => match reason.code.kind() {
            CodeKind::Gate | CodeKind::Call | CodeKind::Args | CodeKind::Script => Some(Some(reason.code)),
            CodeKind::Mind | CodeKind::Brake | CodeKind::Endpoint | CodeKind::Reply | CodeKind::Beat | CodeKind::Door => None,
        },
        Closing::Refused(_) | Closing::See | Closing::Ended | Closing::Failed(_) | Closing::DeadLetter(_) => None,
    }
}

/// `ward:treat: 820 of 820 refused (gate-lineage)`; where there are several codes, each with how often.
impl fmt::Display for MostlyRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut reasons: Vec<(&Code, &u64)> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let reasons: Vec<String> = match reasons.as_slice() {
            [(code, _)] => vec![code.to_string()],
            reasons => reasons.iter().map(|(code, count)| format!("{code} {count}")).collect(),
        };
        write!(f, "{}: {} of {} refused ({})", self.operation, self.refused, self.calls, reasons.join(", "))
    }
}
