//! Tally: how the moments of a run closed, counted by closing and reason.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::fact::{Closing, Code, Draft};

use super::refusals::{CalledOperations, MostlyRefused};

/// How many closed with each reason.
type Reasons = BTreeMap<Code, u64>;

/// How moments closed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// With an act.
    pub acts: u64,
    /// With a look.
    pub sees: u64,
    /// As a being's last.
    pub ended: u64,
    /// By the gate, an operation or a rule of the world.
    pub refused: Reasons,
    /// With a thought that came to nothing.
    pub failed: Reasons,
    /// As dead letters.
    pub dead_letters: Reasons,
    /// To be taken up again.
    pub requeued: Reasons,
    /// How often each operation was called, and refused.
    #[serde(skip)]
    pub called: CalledOperations,
}

impl Tally {
    /// Counts one moment.
    pub(super) fn count(&mut self, draft: &Draft) {
        self.called.count(draft);
        self.close(&draft.closing);
    }

    /// Counts how one closed; a try that was refused counts as refused.
    pub fn close(&mut self, closing: &Closing) {
        if let Some(reason) = closing.refusal() {
            *self.refused.entry(reason.code).or_default() += 1;
            return;
        }
        let (reasons, reason) = match closing {
            Closing::Act => return self.acts += 1,
            Closing::See => return self.sees += 1,
            Closing::Ended => return self.ended += 1,
            Closing::Refused(reason) => (&mut self.refused, reason),
            Closing::Failed(reason) => (&mut self.failed, reason),
            Closing::DeadLetter(reason) => (&mut self.dead_letters, reason),
            Closing::Requeued(reason) => (&mut self.requeued, reason),
        };
        *reasons.entry(reason.code).or_default() += 1;
    }

    /// Counts others with these.
    pub(super) fn add(&mut self, other: Self) {
        (self.acts, self.sees, self.ended) = (self.acts + other.acts, self.sees + other.sees, self.ended + other.ended);
        let pairs = [
            (&mut self.refused, other.refused),
            (&mut self.failed, other.failed),
            (&mut self.dead_letters, other.dead_letters),
            (&mut self.requeued, other.requeued),
        ];
        self.called.add(other.called);
        for (reasons, others) in pairs {
            others.into_iter().for_each(|(code, count)| *reasons.entry(code).or_default() += count);
        }
    }

    /// How many moments in all.
    pub fn moments(&self) -> u64 {
        let reasons = [&self.refused, &self.failed, &self.dead_letters, &self.requeued];
        self.acts + self.sees + self.ended + reasons.into_iter().map(sum).sum::<u64>()
    }

    /// The faults that a strict run may not have, in words: failed thoughts, wakes given up, operations mostly refused; `None` without any.
    pub fn failures(&self) -> Option<String> {
        let parts = [worded("failed", &self.failed), worded("dead letters", &self.dead_letters)];
        let refused = self.called.mostly_refused().into_iter().map(|one| MostlyRefused::to_string(&one));
        let parts: Vec<String> = parts.into_iter().flatten().chain(refused).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

fn sum(reasons: &Reasons) -> u64 {
    reasons.values().sum()
}

/// `refused 3 (gate-role 2, gate-place 1)`, the most frequent reason first.
fn worded(what: &str, reasons: &Reasons) -> Option<String> {
    let mut parts: Vec<(&Code, &u64)> = reasons.iter().collect();
    parts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let parts: Vec<String> = parts.into_iter().map(|(code, count)| format!("{code} {count}")).collect();
    (!parts.is_empty()).then(|| format!("{what} {} ({})", sum(reasons), parts.join(", ")))
}

/// A line: what there is of each closing, and of each reason.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = [("acts", self.acts), ("sees", self.sees), ("ended", self.ended)];
        let plain = plain.into_iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what} {count}"));
        let reasons =
            [("refused", &self.refused), ("failed", &self.failed), ("dead letters", &self.dead_letters), ("requeued", &self.requeued)];
        let parts: Vec<String> = plain.chain(reasons.into_iter().filter_map(|(what, reasons)| worded(what, reasons))).collect();
        f.write_str(&parts.join(", "))
    }
}
