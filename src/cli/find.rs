//! `find`: the moments in which something happened, by who, where, what was worn and done, how it closed, and words.

use std::ops::Range;

use anyhow::{Result, bail};
use clap::Args;

use crate::fact::Seq;
use crate::past::{History, Point, Sought};

use super::door::{Door, Ended};
use super::moment_line::MomentWriting;

/// Finds moments; all that is given has to hold
#[derive(Args)]
#[command(after_help = "Example: reelm find defect --space /factory --closing refused
         reelm find broken wheel or lost board --count")]
pub struct Find {
    /// Words that stand in what was done, said, refused or written by a model, in any order and any case; `or` parts alternatives
    words: Vec<String>,
    #[command(flatten)]
    sought: Sought,
    /// From this point on
    #[arg(long, value_name = "POINT", default_value = "0")]
    from: Point,
    /// Up to this point: the frames that the world there has folded
    #[arg(long, value_name = "POINT", default_value_t)]
    to: Point,
    /// Only the newest so many
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    /// Only how many there are
    #[arg(long, conflicts_with = "last")]
    count: bool,
    #[command(flatten)]
    writing: MomentWriting,
}

impl Find {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let Self { words, sought, from, to, last, count, writing } = self;
        let within = history.span_there(&from, &to)?;
        let from = within.start;
        let sought = Sought { text: (!words.is_empty()).then(|| words.join(" ")), ..sought };
        if last.is_none() {
            door.warn_unread(&history, from);
        }
        if count {
            let mut found = 0_u64;
            history.found(&sought, within, |_| found += 1)?;
            door.say(&serde_json::json!({ "count": found }), || found.to_string())?;
            return history.missing(&sought)?.filter(|_| found == 0).map_or(Ok(Ended::Well), |missing| bail!(missing));
        }
        let is_found = match last {
            Some(most) => newest(door, &history, &sought, within, (most, writing))?,
            None => all(door, &history, &sought, within, writing)?,
        };
        if !is_found && last.is_some() {
            door.warn_unread(&history, from);
        }
        if is_found {
            return Ok(Ended::Well);
        }
        history.missing(&sought)?.map_or(Ok(Ended::Well), |missing| bail!(missing))
    }
}

/// Says all that fit, as they come by; whether any did.
fn all(door: &Door, history: &History, sought: &Sought, within: Range<Seq>, writing: MomentWriting) -> Result<bool> {
    let (mut failed, mut is_found, mut lines) = (None, false, writing.lines());
    history.found(sought, within, |told| {
        if failed.is_none() {
            is_found = true;
            failed = door.say(&told, || lines.line(&told)).err();
        }
    })?;
    failed.map_or(Ok(is_found), Err)
}

/// Says the newest that fit, the oldest of them first; whether any did.
fn newest(door: &Door, history: &History, sought: &Sought, within: Range<Seq>, (most, writing): (usize, MomentWriting)) -> Result<bool> {
    let mut lines = writing.lines();
    let kept = history.newest(sought, within, most.max(1), Some)?.found;
    for told in kept.iter().take(most).rev() {
        door.say(told, || lines.line(told))?;
    }
    Ok(!kept.is_empty())
}
