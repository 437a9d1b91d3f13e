//! `diff`: what differs between two points of a world, or between two worlds.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::past::{DiffLine, History, Point, Report, Same, differences};
use crate::world::{Local, World};

use super::door::{Door, Ended};
use super::given;

/// Says what differs between two points of a world, or between two worlds
#[derive(Args)]
#[command(after_help = "Example: reelm diff ~1h now
         reelm diff 120 @ada/7+ --in /factory
         reelm diff now now --with ../other

With another world, things of a past that both share are the same whatever they are called since; later ones where they bear the same name or
lie under the same path. The first moment is named at which the two histories differ.")]
pub struct Diff {
    /// The one point, as `reelm see --help` says them
    #[arg(value_name = "A")]
    one: Point,
    /// The other
    #[arg(value_name = "B")]
    other: Point,
    /// The world of the other point, if it is another one
    #[arg(long, value_name = "DIR")]
    with: Option<PathBuf>,
    /// Only a being, a space or matter, and what is in it
    #[arg(long = "in", value_name = "ADDRESS")]
    within: Option<String>,
    /// How many differences are told at most
    #[arg(long, value_name = "N", default_value = "100", value_parser = given::count())]
    most: usize,
}

impl Diff {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let other = self.with.as_ref().map(|dir| History::of(dir).with_context(|| format!("--with `{}`", dir.display()))).transpose()?;
        let (was, is) = match &other {
            Some(other) => (history.world_of(&self.one, &mut |_| {})?, other.world_of(&self.other, &mut |_| {})?),
            None => {
                let (mut was, mut is) = history.two_worlds(history.begun(&self.one)?, history.begun(&self.other)?)?;
                history.stand(&mut was, &self.one)?;
                history.stand(&mut is, &self.other)?;
                (was, is)
            }
        };
        let divergence = other.as_ref().map(|other| history.divergence(other)).transpose()?;
        let same = match other.as_ref().zip(divergence.as_ref()) {
            Some((other, apart)) => Same::Below(history.shared_with(other, apart.as_ref())?),
            None => Same::Id,
        };
        let mut found = differences(&was, &is, same);
        if let Some(address) = &self.within {
            is_somewhere(address, &was, &is)?;
            found.retain(|difference| difference.is_in(address, &was, &is));
        }
        let more = found.len().saturating_sub(self.most);
        found.truncate(self.most);
        let side = |world: &World| serde_json::json!({ "seq": world.next_seq(), "time": Local::of(world.now(), world.zone()).iso() });
        let json = serde_json::json!({ "was": side(&was), "is": side(&is), "differences": found, "more": more, "divergence": divergence });
        door.say(&json, || {
            let apart = divergence.as_ref().map(|apart| match apart {
                None => "the two histories are the same".to_owned(),
                Some(apart) => format!("first apart at #{}\n  {}\n  {}", apart.seq, line(&apart.one), line(&apart.other)),
            });
            words(&found, more).into_iter().chain(apart).collect::<Vec<_>>().join("\n")
        })?;
        Ok(Ended::Well)
    }
}

/// A moment of one of two worlds, in a line.
pub(super) fn line(told: &Option<Report>) -> String {
    told.as_ref().map_or_else(|| "nothing: it ends there".to_owned(), Report::raw_line)
}

fn words(found: &[DiffLine], more: usize) -> Vec<String> {
    let lines = found.iter().map(ToString::to_string);
    let rest = if more > 0 { Some(format!("… {more} more; `--most` tells more, `--in` narrows it")) } else { None };
    let none = found.is_empty().then(|| "nothing differs".to_owned());
    lines.chain(rest).chain(none).collect()
}

/// Whether an address names something in one of both worlds.
fn is_somewhere(address: &str, was: &World, is: &World) -> Result<()> {
    let there = |world: &World| {
        let operator = world.being(world.operator())?;
        crate::verb::thing_named(world, operator, world.now(), address).ok()
    };
    if there(was).or_else(|| there(is)).is_none() {
        bail!("--in: expected a being, a space or matter such as @ada, /factory or @ada/bag, found `{address}`, which neither world has");
    }
    Ok(())
}
