//! `find`: the moments in which something happened, by who, where, what was worn and done, how it closed, and words.

use anyhow::{Result, bail};
use clap::Args;

use crate::fact::Seq;
use crate::moment::is_asking;
use crate::past::{Names, Report, Sought, load, report};

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
        let store = door.store()?;
        let text = (!self.words.is_empty()).then(|| self.words.join(" "));
        let Self { being, space, role, action, closing, reason, model, cost, tokens, day, from, last, .. } = self;
        let sought = Sought { being, space, role, action, closing, reason, model, cost, tokens, day, text };
        let mut failed = None;
        let mut kept: std::collections::VecDeque<Report> = std::collections::VecDeque::new();
        let (mut names, mut is_found) = (Names::default(), false);
        let loaded = load(&store, store.world_file().world, None, |frame, world| {
            if failed.is_some() || is_asking(frame.draft()) {
                return;
            }
            let told = report(frame.draft(), world, None);
            if !is_found {
                names.note(&told);
            }
            if told.seq < from || !sought.fits(&told) {
                return;
            }
            is_found = true;
            match last {
                None => failed = door.say(&told, || told.to_string()).err(),
                Some(most) => {
                    kept.push_back(told);
                    if kept.len() > most {
                        kept.pop_front();
                    }
                }
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        for told in kept {
            door.say(&told, || told.to_string())?;
        }
        names.have(&loaded.world);
        if let Some(missing) = names.missing(&sought).filter(|_| !is_found) {
            bail!(missing);
        }
        Ok(Ended::Well)
    }
}
