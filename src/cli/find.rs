//! `find`: the moments in which something happened, by who, where, what was worn and done, how it closed, and words.

use anyhow::{Result, bail};
use clap::Args;

use crate::fact::Seq;
use crate::past::{History, Sought};

use super::{Door, Ended, given};

/// Finds moments; all that is given has to hold
#[derive(Args)]
#[command(after_help = "Example: reelm find defect --space /factory --closing refused")]
pub struct Find {
    /// Words that stand in what was done, said or refused, in any order and any case
    words: Vec<String>,
    /// Whose moments
    #[arg(long, value_name = "@BEING")]
    being: Option<String>,
    /// In which space, or below it
    #[arg(long, value_name = "ADDRESS")]
    space: Option<String>,
    /// Which role was worn
    #[arg(long)]
    role: Option<String>,
    /// Which operation was called
    #[arg(long, value_name = "OPERATION")]
    action: Option<String>,
    /// How it closed
    #[arg(long, value_parser = ["act", "see", "refused", "failed", "requeued", "dead-letter", "ended"])]
    closing: Option<String>,
    /// With which code it was refused or failed, such as gate-role
    #[arg(long, value_name = "CODE")]
    reason: Option<String>,
    /// Which model thought
    #[arg(long)]
    model: Option<String>,
    /// What asking a model has cost at least, in the world's currency
    #[arg(long, value_name = "MONEY", value_parser = given::money)]
    cost: Option<f64>,
    /// How many tokens it has taken at least
    #[arg(long, value_name = "N")]
    tokens: Option<u64>,
    /// On which day of the world's zone
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = given::day)]
    day: Option<String>,
    /// From this seq on
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    from: Seq,
    /// Only the newest so many
    #[arg(long, value_name = "N")]
    last: Option<usize>,
}

impl Find {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let text = (!self.words.is_empty()).then(|| self.words.join(" "));
        let Self { being, space, role, action, closing, reason, model, cost, tokens, day, from, last, .. } = self;
        let sought = Sought { being, space, role, action, closing, reason, model, cost, tokens, day, text };
        let is_found = match last {
            Some(most) => newest(door, &history, &sought, from, most)?,
            None => all(door, &history, &sought, from)?,
        };
        if is_found {
            return Ok(Ended::Well);
        }
        history.missing(&sought)?.map_or(Ok(Ended::Well), |missing| bail!(missing))
    }
}

/// Says all that fit, as they come by; whether any did.
fn all(door: &Door, history: &History, sought: &Sought, from: Seq) -> Result<bool> {
    let (mut failed, mut is_found) = (None, false);
    history.moments(from, None, |_, told| {
        if failed.is_none() && sought.fits(&told) {
            is_found = true;
            failed = door.say(&told, || told.to_string()).err();
        }
    })?;
    failed.map_or(Ok(is_found), Err)
}

/// Says the newest that fit, the oldest of them first; whether any did.
fn newest(door: &Door, history: &History, sought: &Sought, from: Seq, most: usize) -> Result<bool> {
    let kept = history.newest(from, Seq::MAX, most.max(1), |told| sought.fits(&told).then_some(told))?;
    for told in kept.iter().take(most).rev() {
        door.say(told, || told.to_string())?;
    }
    Ok(!kept.is_empty())
}
