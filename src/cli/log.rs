//! `log`: what happened, moment by moment.

use anyhow::{Context, Result};
use clap::Args;

use crate::fact::Seq;
use crate::past::report;

use super::door::{Door, Ended};

/// Lists moments: of the whole world, or of one being
#[derive(Args)]
#[command(after_help = "Example: reelm log @ada --from 100 --to 200")]
pub struct Log {
    /// Only this being's reel
    being: Option<String>,
    /// From this seq on
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    from: Seq,
    /// Up to and without this seq
    #[arg(long, value_name = "SEQ")]
    to: Option<Seq>,
}

impl Log {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let name = self.being.as_deref().map(|being| being.trim_start_matches('@').to_owned());
        let mut failed = None;
        let world = history.retold(self.from, self.to, |frame, world, notes| {
            let draft = frame.draft();
            let is_named = name.as_ref().is_none_or(|name| world.being(draft.being).is_some_and(|being| being.name.as_ref() == name));
            if !is_named || failed.is_some() {
                return;
            }
            let told = report(draft, world, None).noting(notes());
            let all = serde_json::json!({ "report": told, "n": draft.n, "hash": frame.hash(), "facts": draft.facts, "call": draft.call, "closing": draft.closing });
            failed = door.say(&all, || told.to_string()).err();
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        if let Some(name) = &name {
            world.being_named(name).with_context(|| format!("there is no being `@{name}` in this world (of {} frames)", history.end()))?;
        }
        Ok(Ended::Well)
    }
}
