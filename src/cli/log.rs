//! `log`: what happened, moment by moment.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::fact::{BeingId, Frame, Seq};
use crate::past::{History, Point, report};
use crate::verb::address_meant;
use crate::world::World;

use super::bundle::{BundleSpan, log_bundle};
use super::door::{Door, Ended};
use super::lines::log_line;
use super::moment_line::MomentWriting;

/// Lists moments: of the whole world, or of one being
#[derive(Args)]
#[command(after_help = "Example: reelm log @ada --from 100 --to 200
         reelm log --from ~10m
         reelm log --last 10
         reelm log --file hour.bundle --last 10")]
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
    /// The moments of a bundle instead, which needs no world
    #[arg(long)]
    file: Option<PathBuf>,
    /// Say why each was done, as far as the frames say it
    #[arg(long, conflicts_with = "file")]
    because: bool,
    #[command(flatten)]
    writing: MomentWriting,
}

impl Log {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if let Some(file) = &self.file {
            let being = self.being.as_deref().map(|being| being.trim_start_matches('@'));
            let to = self.to.as_ref().unwrap_or(&Point::Now);
            return log_bundle(door, file, &BundleSpan { being, from: &self.from, to, last: self.last, writing: self.writing });
        }
        let history = door.history()?;
        let name = self.being.as_deref().map(|being| being.trim_start_matches('@').to_owned());
        let (mut failed, mut lines) = (None, self.writing.lines());
        let mut tell = |frame: &Frame, world: &World, notes: &dyn Fn() -> Vec<String>| {
            let draft = frame.draft();
            let is_named = name.as_ref().is_none_or(|name| world.being(draft.being).is_some_and(|being| being.name.as_ref() == name));
            if !is_named || failed.is_some() {
                return;
            }
            let told = report(draft, world, None).noting(notes());
            let told = match self.because.then(|| history.because(draft.seq, world, |_| true)) {
                Some(Ok(because)) => told.reasoned(because),
                Some(Err(error)) => return failed = Some(error.into()),
                None => told,
            };
            failed = door.say(&log_line(frame, &told), || lines.line(&told)).err();
        };
        let Range { start: from, end: below } = history.span_there(&self.from, self.to.as_ref().unwrap_or(&Point::Now))?;
        // A request for the newest alone asks for none that may be archived.
        if self.last.is_none() {
            door.warn_unread(&history, from);
        }
        let world = match self.last {
            None => history.retold(from, Some(below), &mut tell)?,
            Some(most) => {
                let world = history.world_at(below)?;
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
    if let Some(being) = world.being_named(name) {
        return Ok(being.id);
    }
    if let Some((of, _)) = name.split_once('/').filter(|(of, n)| world.being_named(of).is_some() && n.parse::<Seq>().is_ok()) {
        bail!(
            "`@{name}` is one moment of @{of}: `reelm explain @{name}` tells it, and `reelm log @{of} --from @{name}` lists from there on"
        );
    }
    let meant = address_meant(world, &format!("@{name}")).map(|question| format!("; {question}")).unwrap_or_default();
    bail!("there is no being `@{name}` in this world (of {} frames){meant}", history.end())
}
