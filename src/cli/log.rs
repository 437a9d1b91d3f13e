//! `log`: what happened, moment by moment.

use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;

use crate::fact::Seq;
use crate::past::{has_sentence, load, report, retell};
use crate::store::Store;
use crate::world::World;

use super::{Door, Ended};

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
        let store = door.store()?;
        let name = self.being.as_deref().map(|being| being.trim_start_matches('@').to_owned());
        let mut failed = None;
        // Where the round of a moment opened, and what stood right before it.
        let (mut opened, mut before): (Option<Arc<World>>, Option<Arc<World>>) = (None, None);
        let loaded = load(&store, store.world_file().world, self.to, |frame, world| {
            let draft = frame.draft();
            let stood = before.replace(Arc::new(world.clone()));
            if let Some(stood) = stood.as_ref().filter(|stood| stood.next_seq() == draft.opened) {
                opened = Some(stood.clone());
            }
            let is_named = name.as_ref().is_none_or(|name| world.being(draft.being).is_some_and(|being| being.name.as_ref() == name));
            if draft.seq < self.from || !is_named || failed.is_some() {
                return;
            }
            let notes = match (&opened, &stood) {
                (Some(opened), Some(stood)) if has_sentence(draft) && opened.next_seq() == draft.opened => retell(draft, opened, stood),
                _ => Vec::new(),
            };
            let told = report(draft, world, None).noting(notes);
            let all = serde_json::json!({ "report": told, "n": draft.n, "hash": frame.hash(), "facts": draft.facts, "call": draft.call, "closing": draft.closing });
            failed = door.say(&all, || told.to_string()).err();
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        if let Some(name) = &name {
            loaded
                .world
                .being_named(name)
                .with_context(|| format!("there is no being `@{name}` in this world (of {} frames)", store.ending().seq))?;
        }
        Ok(Ended::Well)
    }
}
