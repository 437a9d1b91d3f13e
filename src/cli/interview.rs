//! `interview`: one question to a being at a point of the past, in a fork that nobody else moves in and that is thrown away.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;

use crate::fact::Value;
use crate::minds::AheadTerms;
use crate::past::Point;
use crate::run::{Interviewing, Living, Testimony};

use super::door::{Door, Ended};
use super::given;
use super::scratch::{Scratch, border_of};
use super::survey::{AnswerKind, refusal};

/// Asks a being one question in a fork; its world hears nothing of it
#[derive(Args)]
#[command(after_help = "Example: reelm interview @ada 'How content are you?' --at ~10m --kind scale=1..7
         reelm interview @ada 'What do you want?' --budget calls=1 --keep asked

The question is put in a fork, where its operator asks it and nobody else moves; the being may look and speak. It answers by its own
cognition: its script, or its model, for which --budget is needed. The fork is thrown away, or kept in a directory, where
`reelm explain MOMENT --data DIR` shows how the answer came about.")]
pub struct Interview {
    /// Whom: @ada
    being: String,
    /// The question
    question: String,
    /// When: 120, @ada/7, @ada/7+, 2026-03-02T09:00, ~10m or now
    #[arg(long, value_name = "POINT", default_value = "now")]
    at: Point,
    /// The form of the answer: open, scale, scale=1..7 or choice=yes,no
    #[arg(long, value_name = "KIND", default_value = "open")]
    kind: AnswerKind,
    /// The most that models may cost, such as calls=2 or tokens=20000,money=0.5; without it, none is asked
    #[arg(long, value_name = "LIMITS", value_parser = given::budget)]
    budget: Option<Value>,
    /// Keep the fork in this directory, which is absent or empty
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl Interview {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let (seq, point) = (border_of(&history, &self.at)?, &self.at);
        let (name, question) = (self.being.trim_start_matches('@'), self.kind.asks(&self.question));
        let instant = history.world_of(point, &mut |_| {})?.now();
        let interviewing =
            Interviewing { parent: &door.data, at: seq, instant, being: name, question: &question, budget: self.budget.clone() };
        let scratch = if self.keep.is_none() { Some(Scratch::beside(&door.data)?) } else { None };
        let dir = match (&self.keep, &scratch) {
            (Some(dir), _) => dir.clone(),
            (None, Some(scratch)) => scratch.place("fork"),
            (None, None) => bail!("there is no place for a fork"),
        };
        let told = interviewing.put(&history, &dir, Living::endpoints(None, AheadTerms::NONE)?)?;
        let answer = told.said.as_ref().and_then(|said| self.kind.read(said));
        let refusal = refusal(&told, answer.as_ref());
        let json = json!({
            "point": point, "seq": seq, "being": format!("@{name}"), "question": question, "answer": answer, "said": told.said,
            "raw": told.raw, "refusal": refusal, "spend": told.spend, "moment": told.moment, "fork": told.fork, "kept": self.keep,
        });
        door.say(&json, || words(name, &told, answer.as_ref(), self.keep.as_deref()))?;
        Ok(if answer.is_some() { Ended::Well } else { Ended::Refused })
    }
}

fn words(name: &str, told: &Testimony, answer: Option<&Value>, kept: Option<&Path>) -> String {
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut lines = match (answer, &told.said, &told.unsaid) {
        (Some(answer), ..) => format!("@{name}: {}", shown(answer)),
        (None, Some(said), _) => format!("@{name} has given no answer of that kind: {}", shown(said)),
        (None, None, Some(unsaid)) => format!("@{name} has not answered: {}", unsaid.sentence()),
        (None, None, None) => format!("@{name} has not answered"),
    };
    if let Some(moment) = &told.moment {
        let spend = told.spend;
        let cost = if spend.calls == 0 { String::new() } else { format!("; {} calls, {} tokens", spend.calls, spend.tokens()) };
        lines += &format!("\nin the moment {moment} of a fork{cost}");
    }
    if let Some((dir, moment)) = kept.zip(told.moment.as_ref()) {
        lines += &format!("\n`reelm explain {moment} --data {}` shows how it came about", dir.display());
    }
    lines
}
