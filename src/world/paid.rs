//! Paid: what asking models has cost since a world began, summed by being, space, model and day: sums only grow, so what was paid between two
//! seqs is what the later world has more. They follow from the frames, so they are no part of the world hash; checkpoints hold them.

use std::cmp::Reverse;
use std::ops::Bound;

use imbl::OrdMap;
use serde::Serialize;

use crate::fact::canon::{canon_code, canon_struct};
use crate::fact::{Draft, Made, Spend, Spent, Text};

/// A sum of costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// Moments in which a model was asked.
    pub moments: u64,
    /// Calls and tokens, and millionths of the currency.
    #[serde(flatten)]
    pub spend: Spend,
    /// How much of that went to calls ahead in vain.
    pub vain: Spend,
    /// How long the answers took in all, in milliseconds of the wall clock.
    pub ms: u64,
    /// Moments of which nobody heard the end: what was reserved for them counts as spent.
    pub unanswered: u64,
}

impl Sum {
    /// Adds a moment.
    pub fn add(&mut self, cost: &Spent) {
        self.moments += 1;
        self.spend = self.spend.plus(cost.spend);
        self.vain = self.vain.plus(cost.vain);
        self.ms = self.ms.saturating_add(cost.ms);
        self.unanswered += u64::from(!cost.is_heard());
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        let moments = self.moments.saturating_add(other.moments);
        let (ms, unanswered) = (self.ms.saturating_add(other.ms), self.unanswered.saturating_add(other.unanswered));
        Self { moments, spend: self.spend.plus(other.spend), vain: self.vain.plus(other.vain), ms, unanswered }
    }

    /// The difference from an earlier sum of the same account.
    pub fn minus(self, before: Self) -> Self {
        let moments = self.moments.saturating_sub(before.moments);
        let (ms, unanswered) = (self.ms.saturating_sub(before.ms), self.unanswered.saturating_sub(before.unanswered));
        Self { moments, spend: self.spend.minus(before.spend), vain: self.vain.minus(before.vain), ms, unanswered }
    }

    /// By what one sum is dearer than another: money, tokens, calls.
    pub fn dearness(&self) -> [u64; 3] {
        [self.spend.money, self.spend.tokens(), self.spend.calls]
    }

    /// The mean time of an answer, in milliseconds.
    pub fn latency(&self) -> Option<u64> {
        self.ms.checked_div(self.moments - self.unanswered.min(self.moments))
    }
}

/// The key that costs are summed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PaidBy {
    /// All of it.
    All,
    /// The being that was to answer.
    Being,
    /// The space where it stood.
    Space,
    /// The model as it was served.
    Model,
    /// The day in the world's zone.
    Day,
    /// The reservations for all calls.
    Reserved,
    /// The fact with which it all began, as `seq.index`: of those of which nothing is open any more the dearest.
    Root,
}

/// Of how many roots of which nothing is open any more the sums are kept.
const ROOTS: usize = 16;

canon_code!(PaidBy { 0 => All, 1 => Being, 2 => Space, 3 => Model, 4 => Day, 5 => Reserved, 6 => Root });
canon_struct!(Sum { moments, spend, vain, ms, unanswered });

/// The costs of asking models, by account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paid {
    pub(super) sums: OrdMap<(PaidBy, Text), Sum>,
}

impl Paid {
    /// The sums, each by what, and its name.
    pub fn sums(&self) -> impl Iterator<Item = (PaidBy, &Text, &Sum)> {
        self.sums.iter().map(|((by, name), sum)| (*by, name, sum))
    }

    /// All that was paid.
    pub fn total(&self) -> Sum {
        self.of(PaidBy::All, &Text::from(""))
    }

    /// The sum paid under one name.
    pub fn of(&self, by: PaidBy, name: &Text) -> Sum {
        self.sums.get(&(by, name.clone())).copied().unwrap_or_default()
    }

    /// Adds what a frame has held back, and what it has cost: whose it is, where it stood, and on which day.
    pub(super) fn note(&mut self, draft: &Draft, root: Option<Made>, whose: impl FnOnce() -> [Text; 3]) {
        if let Some(reserved) = draft.reserved() {
            let sum = self.sums.entry((PaidBy::Reserved, Text::from(""))).or_default();
            sum.spend = sum.spend.plus(reserved);
        }
        let Some(cost) = draft.cost() else { return };
        let [being, space, day] = whose();
        let keys = [
            (PaidBy::All, Text::from("")),
            (PaidBy::Being, being),
            (PaidBy::Space, space),
            (PaidBy::Model, cost.model.clone()),
            (PaidBy::Day, day),
        ];
        for key in keys.into_iter().chain(root.map(|root| (PaidBy::Root, root.to_string().into()))) {
            self.sums.entry(key).or_default().add(cost);
        }
    }

    /// Lets a root go of which nothing is open any more, unless it is among the dearest of those.
    pub(super) fn close(&mut self, root: Made, is_open: impl Fn(&Made) -> bool) {
        if !self.sums.contains_key(&(PaidBy::Root, root.to_string().into())) {
            return;
        }
        let all = self.sums.range((Bound::Included((PaidBy::Root, Text::from(""))), Bound::Unbounded));
        let is_closed = |name: &str| name.parse().is_ok_and(|root: Made| !is_open(&root));
        let mut closed: Vec<(Reverse<[u64; 3]>, Text)> =
            all.filter(|((_, name), _)| is_closed(name)).map(|((_, name), sum)| (Reverse(sum.dearness()), name.clone())).collect();
        closed.sort();
        for (_, name) in closed.into_iter().skip(ROOTS) {
            self.sums.remove(&(PaidBy::Root, name));
        }
    }
}
