//! `log`: what happened, moment by moment.

use anyhow::{Context, Result};
use clap::Args;

use crate::fact::{BeingId, Frame, Seq};
use crate::past::{History, Point, report};
use crate::world::World;

use super::door::{Door, Ended};

/// Lists moments: of the whole world, or of one being
#[derive(Args)]
#[command(after_help = "Example: reelm log @ada --from 100 --to 200
         reelm log --from ~10m
         reelm log --last 10")]
pub struct Log {
    /// Only this being's reel
    being: Option<String>,
    /// From this point on
    #[arg(long, value_name = "POINT", default_value = "0")]
    from: Point,
    /// Up to this point: the frames that the world there has folded
    #[arg(long, value_name = "POINT")]
    to: Option<Point>,
    /// Only the newest so many
    #[arg(long, value_name = "N")]
    last: Option<usize>,
}

impl Log {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let name = self.being.as_deref().map(|being| being.trim_start_matches('@').to_owned());
        let mut failed = None;
        let mut tell = |frame: &Frame, world: &World, notes: &dyn Fn() -> Vec<String>| {
            let draft = frame.draft();
            let is_named = name.as_ref().is_none_or(|name| world.being(draft.being).is_some_and(|being| being.name.as_ref() == name));
            if !is_named || failed.is_some() {
                return;
            }
            let told = report(draft, world, None).noting(notes());
            let all = serde_json::json!({ "report": told, "n": draft.n, "hash": frame.hash(), "facts": draft.facts, "call": draft.call, "closing": draft.closing });
            failed = door.say(&all, || told.to_string()).err();
        };
        let from = history.seq_from(&self.from)?;
        let to = self.to.as_ref().map(|to| history.seq_of(to)).transpose()?;
        let below = to.unwrap_or(Seq::MAX);
        let world = match self.last {
            None => history.retold(from, to, &mut tell)?,
            Some(most) => {
                let world = history.world_at(below.min(history.end()))?;
                let being = name.as_ref().map(|name| named(&world, name, &history)).transpose()?;
                history.retold_of(&history.newest_frames(being, from, below, most)?, &mut tell)?;
                world
            }
        };
        if let Some(error) = failed {
            return Err(error);
        }
        if let Some(name) = &name {
            named(&world, name, &history)?;
        }
        Ok(Ended::Well)
    }
}

fn named(world: &World, name: &str, history: &History) -> Result<BeingId> {
    let being = world.being_named(name).map(|being| being.id);
    being.with_context(|| format!("there is no being `@{name}` in this world (of {} frames)", history.end()))
}
