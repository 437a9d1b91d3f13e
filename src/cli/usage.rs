//! `usage`: what language models have cost, by being, space, model and day; and what a run would cost, before it is begun.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::fact::{Draft, Millis, Spend, Text, simulated, visible};
use crate::minds::Guess;
use crate::past::{Point, Usage as Used, load};
use crate::run::{Course, Living, Pace, Reins, Until};
use crate::source::{Source, answers};
use crate::store::MemoryStore;
use crate::world::{CALLS, Paid, Sum, World};

use super::door::{Door, Ended};
use super::given::{self, AtPoint};

/// Sums what language models have cost: calls, tokens, money, time
#[derive(Args)]
#[command(after_help = "Example: reelm usage
         reelm usage --estimate salon --for 1d

An estimate plants the source in memory and lets its models do nothing: it counts the moments that come by themselves, prompts of a
token for every four bytes, and replies of 100 tokens. Beside it stands what answers come to: each model speaks once, whoever hears
it answers once, and whoever is summoned is answered once.")]
pub struct Usage {
    /// Estimate what a run of this world source would cost, instead
    #[arg(long, value_name = "SOURCE")]
    estimate: Option<PathBuf>,
    /// How much world time is estimated
    #[arg(long = "for", value_name = "DURATION", default_value = "1d", requires = "estimate", value_parser = given::duration)]
    duration: Millis,
    #[command(flatten)]
    then: AtPoint,
}

impl Usage {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let mut used = Used::default();
        let mut answered = Spend::default();
        let world = match &self.estimate {
            Some(source) => self.guess(source, &mut used, &mut answered)?,
            None => sum(door, &self.then.at, &mut used)?,
        };
        let (open, held) = world.ledger().held_in_all();
        let currency = world.world_setting("llm.currency").as_str().unwrap_or_default().to_owned();
        let json = serde_json::json!({
            "estimate": self.estimate.is_some(), "currency": currency, "total": used.total, "beings": used.beings, "spaces": used.spaces,
            "models": used.models, "days": used.days, "roots": used.roots, "reserved": used.reserved, "held": { "open": open, "spend": held }, "answers": self.estimate.is_some().then_some(answered),
        });
        let answered = self.estimate.is_some().then_some(answered);
        door.say(&json, || words(&used, &currency, answered, open))?;
        Ok(Ended::Well)
    }

    /// Lets a world live in memory whose models do nothing.
    fn guess(&self, source: &std::path::Path, used: &mut Used, answered: &mut Spend) -> Result<World> {
        let source = Source::read(source)?;
        let (_, id) = simulated(&source.name, source.seed);
        let mut living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
        living.asking(Box::new(Guess));
        let until = Until { duration: Some(self.duration), ..Until::default() };
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None })?;
        let (_, sealer) = living.stop()?;
        let mut hear = |draft: &Draft, world: &World| {
            used.add(draft, world);
            if let Some((being, cost)) = world.being(draft.being).zip(draft.cost()) {
                let more = answers(world, being).min(world.count_setting(CALLS, being));
                *answered = answered.plus(cost.spend.times(more));
            }
        };
        Ok(load(sealer.store(), id, None, |frame, world| hear(frame.draft(), world))?.world)
    }
}

/// The sums that the world holds.
fn sum(door: &Door, at: &Point, used: &mut Used) -> Result<World> {
    let (_, world) = door.world_at(at)?;
    used.pay(world.paid(), &Paid::default());
    Ok(world)
}

fn words(used: &Used, currency: &str, answered: Option<Spend>, open: usize) -> String {
    let mut text = match open {
        0 => String::new(),
        open => format!("{open} calls are under way, or were cut off: what is held back for them is not counted here yet\n"),
    };
    if used.total.moments == 0 {
        return text + "no model has answered";
    }
    if answered.is_some() {
        text += "about:\n";
    }
    let groups: [(&str, &BTreeMap<Text, Sum>); 4] =
        [("being", &used.beings), ("space", &used.spaces), ("model", &used.models), ("day", &used.days)];
    for (name, sums) in groups {
        text +=
            &format!("{name:<28}{:>9}{:>9}{:>12}{:>12}{:>14}{:>10}\n", "moments", "calls", "prompt", "reply", money(currency), "ms each");
        for (key, sum) in sums {
            text += &line(key, sum);
        }
        text += "\n";
    }
    text += &line("in all", &used.total);
    if used.total.vain.calls > 0 {
        text += "`in vain, at most` are calls that were made ahead of a moment and were of no use to it: most were cut, so nobody knows what the server \
                 counted; budgets count them, and the line above each does not\n";
    }
    if let Some(answered) = answered {
        text += &row("and answers, about", ["", ""], answered);
        text +=
            &format!("at most {} tokens and {} in {} calls\n", used.reserved.tokens(), amount(used.reserved.money), used.reserved.calls);
    }
    if used.total.unanswered > 0 {
        text += &format!("{} of these were never heard to end: what was reserved for them counts as spent\n", used.total.unanswered);
    }
    text
}

fn money(currency: &str) -> String {
    if currency.is_empty() { "money".to_owned() } else { currency.to_owned() }
}

pub(super) fn amount(millionths: u64) -> String {
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

fn line(key: &str, sum: &Sum) -> String {
    let latency = sum.latency().map_or_else(|| "-".to_owned(), |ms| ms.to_string());
    let moments = sum.moments.to_string();
    let vain = if sum.vain.is_nothing() { String::new() } else { row("  in vain, at most", ["", ""], sum.vain) };
    row(&visible(key), [&moments, &latency], sum.spend.minus(sum.vain)) + vain.as_str()
}

fn row(name: &str, [moments, latency]: [&str; 2], spend: Spend) -> String {
    let Spend { calls, input, output, money, .. } = spend;
    let row = format!("{name:<28}{moments:>9}{calls:>9}{input:>12}{output:>12}{:>14}{latency:>10}", amount(money));
    format!("{}\n", row.trim_end())
}
