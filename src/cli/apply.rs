//! `apply`: what a changed source asks of a living world, shown or stamped.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::run::rehearse;
use crate::source::{Source, plan, unapplied, warnings};

use super::door::{Door, Ended};
use super::line::Reach;

/// Stamps what differs between a source and the world
#[derive(Args)]
#[command(after_help = "Example: reelm apply fixtures/worlds/skateco --plan")]
pub struct Apply {
    /// The directory of the world source
    #[arg(default_value = ".")]
    source: PathBuf,
    /// Only show what would be done
    #[arg(long)]
    plan: bool,
}

impl Apply {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let source = Source::read(&self.source)?;
        source.notes.iter().for_each(|note| door.note(note));
        warnings(&source).iter().for_each(|warning| door.warn(warning));
        let (_, before) = door.world()?;
        check(&source, before.world_setting("name").as_str())?;
        let unapplied = unapplied(&source, &before);
        let done = if self.plan {
            let world = before;
            rehearse(&source, &world)?;
            plan(&source, &world).into_iter().map(|step| format!("{} ({})", step.why, step.place)).collect()
        } else {
            let mut world = Reach::to(door)?;
            check(&source, world.world(door)?.world_setting("name").as_str())?;
            let done = world.apply(&self.source, &source)?;
            world.close()?;
            done
        };
        let verb = if self.plan { "would be" } else { "was" };
        door.say(&done, || match done.len() {
            0 if unapplied.is_empty() => "the world is as the source says; nothing to do".to_owned(),
            0 => "nothing to do".to_owned(),
            count => format!("{}\n{count} acts; this {verb} done", done.join("\n")),
        })?;
        unapplied.iter().for_each(|told| door.warn(told));
        Ok(Ended::Well)
    }
}

/// Refuses a source that is another world's.
pub(super) fn check(source: &Source, name: Option<&str>) -> Result<()> {
    if name != Some(source.name.as_str()) {
        bail!("the source is of the world `{}`, the data of `{}`; choose another --data", source.name, name.unwrap_or_default());
    }
    Ok(())
}
