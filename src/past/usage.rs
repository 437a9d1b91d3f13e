//! Usage: what language models have cost, summed from frames as they come by: by being, space, model and day.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fact::{Draft, Seq, Spend, Spent, Text};
use crate::world::World;

use super::history::History;
use super::load::LoadError;
use super::report::{Report, report, spent};

/// What something has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// Moments in which a model was asked.
    pub moments: u64,
    /// Calls and tokens, and millionths of the currency.
    #[serde(flatten)]
    pub spend: Spend,
    /// How long the answers took in all, in milliseconds of the wall clock.
    pub ms: u64,
    /// Moments of which nobody heard the end: what was reserved for them counts as spent.
    pub unanswered: u64,
}

impl Sum {
    fn add(&mut self, cost: &Spent) {
        self.moments += 1;
        self.spend = self.spend.plus(cost.spend);
        self.ms = self.ms.saturating_add(cost.ms);
        self.unanswered += u64::from(!cost.is_heard());
    }

    /// The mean time of an answer, in milliseconds.
    pub fn latency(&self) -> Option<u64> {
        self.ms.checked_div(self.moments - self.unanswered.min(self.moments))
    }
}

/// What a world's models have cost.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Usage {
    /// In all.
    pub total: Sum,
    /// By the being that was to answer.
    pub beings: BTreeMap<Text, Sum>,
    /// By the space where it stood.
    pub spaces: BTreeMap<Text, Sum>,
    /// By the model as it was served.
    pub models: BTreeMap<Text, Sum>,
    /// By the day in the world's zone.
    pub days: BTreeMap<Text, Sum>,
    /// What was held back for all of it: the most that it could have cost. Only where frames are counted, not reports.
    pub reserved: Spend,
}

impl History {
    /// Takes in what models have cost between two seqs.
    pub fn usage(&self, from: Seq, below: Option<Seq>, usage: &mut Usage) -> Result<World, LoadError> {
        self.fold(from, below, |frame, world| usage.add(frame.draft(), world))
    }
}

impl Usage {
    /// Takes in a frame, with the world after it.
    pub fn add(&mut self, draft: &Draft, world: &World) {
        self.reserved = self.reserved.plus(draft.reserved().unwrap_or_default());
        if spent(draft).is_some() {
            self.hear(&report(draft, world, None));
        }
    }

    /// Takes in a moment.
    pub fn hear(&mut self, report: &Report) {
        let Some(cost) = &report.cost else { return };
        let day: String = report.time.chars().take(10).collect();
        let sums = [
            &mut self.total,
            self.beings.entry(format!("@{}", report.being).into()).or_default(),
            self.spaces.entry(report.space.as_str().into()).or_default(),
            self.models.entry(cost.model.clone()).or_default(),
            self.days.entry(day.into()).or_default(),
        ];
        for sum in sums {
            sum.add(cost);
        }
    }
}
