//! Usage: what language models have cost, by being, space, model and day: from the sums that a world holds, or from moments as they come by.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fact::{Draft, Seq, Spend, Text};
use crate::world::{Paid, PaidBy, Sum, World};

use super::history::History;
use super::load::LoadError;
use super::report::{Report, untold};

/// The cost of a world's models.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
    /// By the fact with which it all began, as `seq.index`: of those of which nothing is open any more the sixteen dearest.
    pub roots: BTreeMap<Text, Sum>,
    /// The amount held back for all of it: the most that it could have cost. Only where frames are counted, not reports.
    pub reserved: Spend,
}

impl History {
    /// Takes in what models have cost between two seqs: what the world as of the second has paid more than as of the first.
    pub fn usage(&self, from: Seq, below: Option<Seq>, usage: &mut Usage) -> Result<World, LoadError> {
        let before = if from == 0 { Paid::default() } else { self.world_at(from)?.paid().clone() };
        let world = self.world(below, &mut |_| {})?;
        usage.pay(world.paid(), &before);
        Ok(world)
    }
}

impl Usage {
    /// Takes in what was paid since something before it.
    pub fn pay(&mut self, paid: &Paid, before: &Paid) {
        for (by, name, sum) in paid.sums() {
            let sum = sum.minus(before.of(by, name));
            if sum == Sum::default() {
                continue;
            }
            let of = match by {
                PaidBy::All => &mut self.total,
                PaidBy::Being => self.beings.entry(name.clone()).or_default(),
                PaidBy::Space => self.spaces.entry(name.clone()).or_default(),
                PaidBy::Model => self.models.entry(name.clone()).or_default(),
                PaidBy::Day => self.days.entry(name.clone()).or_default(),
                PaidBy::Root => self.roots.entry(name.clone()).or_default(),
                PaidBy::Reserved => {
                    self.reserved = self.reserved.plus(sum.spend);
                    continue;
                }
            };
            *of = of.plus(sum);
        }
    }

    /// Takes in a frame, with the world after it.
    pub fn add(&mut self, draft: &Draft, world: &World) {
        self.reserved = self.reserved.plus(draft.reserved().unwrap_or_default());
        if draft.cost().is_some() {
            self.hear(&untold(draft, world));
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
