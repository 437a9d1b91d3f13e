//! Anew: `replay --with … --ask`: who asks models what they would be asked otherwise, out of which budget, and what is told of it.

use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde_json::json;

use crate::cognition::{Reply, Request};
use crate::fact::{Spend, Value};
use crate::minds::{AheadTerms, Guess, Minds, Purse, Pursed};
use crate::replay::Retakes;
use crate::run::Living;

use super::door::{Door, Ended};
use super::given;
use super::ground::every_core;

/// How many moments that were asked are told of by name.
const ASKED_TOLD: usize = 20;

/// Whether models are asked anew, and what they may cost.
#[derive(Args)]
pub(super) struct Anew {
    /// With other code: ask a model anew where it would be asked something else than was recorded; the world hears nothing of the answer
    #[arg(long, requires = "with")]
    ask: bool,
    /// The most that asking anew may cost in all, such as calls=40 or tokens=200000,money=0.5
    #[arg(long, value_name = "LIMITS", value_parser = given::budget, requires = "ask")]
    budget: Option<Value>,
    /// Say which moments would be asked anew and about what that would cost, and ask nobody
    #[arg(long, requires = "ask")]
    plan: bool,
    /// How many models are asked at once; what is told is the same
    #[arg(long, value_name = "N", value_parser = given::count(), requires = "ask")]
    jobs: Option<usize>,
}

impl Anew {
    pub(super) fn is_wanted(&self) -> bool {
        self.ask
    }

    pub(super) fn is_plan(&self) -> bool {
        self.plan
    }

    pub(super) fn at_once(&self) -> usize {
        self.jobs.unwrap_or_else(every_core)
    }

    /// The minds to ask, if any; for a plan, one that makes its answers up.
    pub(super) fn asking(&self) -> Result<Option<AskingAnew>> {
        if !self.ask {
            return Ok(None);
        }
        let purse = Purse::of(self.budget.clone().unwrap_or_default());
        if self.plan {
            return Ok(Some(AskingAnew { minds: Box::new(Guess), purse }));
        }
        if self.budget.is_none() {
            bail!("expected what asking anew may cost, such as `--budget calls=10`, found none; `--plan` says about what it would cost");
        }
        let minds = Box::new(Pursed::new(Living::endpoints(None, AheadTerms::NONE)?, purse.clone(), || ()));
        Ok(Some(AskingAnew { minds, purse }))
    }
}

/// Models that are asked anew, and the purse out of which they are paid.
pub(super) struct AskingAnew {
    minds: Box<dyn Minds>,
    purse: Purse,
}

impl AskingAnew {
    pub(super) fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        self.minds.ask(requests)
    }

    pub(super) fn spent(&self) -> Spend {
        self.purse.spent()
    }

    /// Fails where something was left out because nothing was left to pay for it.
    pub(super) fn settled(self) -> Result<()> {
        if self.purse.is_short() {
            return Err(anyhow!("the budget had no room for all moments that were to be asked anew; those are told as unknown"));
        }
        Ok(())
    }
}

/// Says what would be asked, and about what it would cost.
pub(super) fn say_plan(door: &Door, retakes: &Retakes) -> Result<Ended> {
    let about = cost(retakes);
    let moments: Vec<&str> = retakes.asked.iter().map(|retake| retake.moment.as_str()).collect();
    door.say(&json!({ "moments": moments, "about": about }), || {
        format!("to be asked anew: {}\nabout {} calls and {} tokens", named(&moments), about.calls, about.tokens())
    })?;
    Ok(Ended::Well)
}

/// A summary in words: the moments asked anew, those that did not answer, and what was paid.
pub(super) fn told_asked(retakes: &Retakes, spent: Spend) -> String {
    let moments: Vec<&str> = retakes.asked.iter().map(|retake| retake.moment.as_str()).collect();
    let silent = retakes.asked.iter().filter(|retake| retake.anew.as_ref().is_some_and(|anew| !anew.answered)).count();
    let silent = if silent == 0 { String::new() } else { format!(", of whom {silent} did not answer") };
    format!("\nasked anew: {}{silent}; {} calls, {} tokens", named(&moments), spent.calls, spent.tokens())
}

fn cost(retakes: &Retakes) -> Spend {
    retakes.asked.iter().filter_map(|retake| retake.anew.as_ref()).fold(Spend::default(), |sum, anew| sum.plus(anew.spend))
}

/// How many moments, and the first of them by name.
fn named(moments: &[&str]) -> String {
    match moments.get(..ASKED_TOLD) {
        _ if moments.is_empty() => "no moment".to_owned(),
        Some(first) if moments.len() > ASKED_TOLD => format!("{} moments ({}, …)", moments.len(), first.join(", ")),
        _ => format!("{} moments ({})", moments.len(), moments.join(", ")),
    }
}
