//! `see`: what an address shows, now or in the past.

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::fact::{Seq, Value};
use crate::store::ClockFile;
use crate::verb::see;
use crate::world::World;

use super::door::pretty;
use super::door::{Door, Ended};
use super::screen::time;

/// Shows what an address names
#[derive(Args)]
#[command(after_help = "Example: reelm see /factory/line --at 120

Addresses: / · /a/b · @ada · /court@judge · @ada/bag · /.roles/x · /.ops · /.extensions · /.config · /.settings · /.clock · /.signals · /.dead
  · /a/.settings · @ada/.settings/brakes.depth · @ada/.flow · @ada/.inbox · @ada/.schedules · @ada/.children · @ada/.key")]
pub struct See {
    /// What to look at
    address: String,
    /// Look at the world as of a seq: all frames below it
    #[arg(long, value_name = "SEQ")]
    at: Option<Seq>,
    /// What `.` and `~` mean; whoever may read the world's files may see all of it, whatever this being's role lets it see
    #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
    as_being: String,
}

impl See {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (history, world) = door.world(self.at)?;
        if let Some(at) = self.at.filter(|at| *at > history.end()) {
            bail!("--at: the world ends before {}, found {at}; leave --at out to see it as it is now", history.end());
        }
        if self.at == Some(0) {
            bail!("--at: before its first frame there is no world, found 0; 1 shows it as that frame left it");
        }
        if self.address == "/.clock" {
            let value = clock(door, &world, self.at)?;
            door.say(&value, || pretty(&value))?;
            return Ok(Ended::Well);
        }
        let name = self.as_being.trim_start_matches('@');
        let speaker = world.being_named(name).with_context(|| format!("there is no being `@{name}` in this world"))?;
        let value = see(&world, speaker, &self.address, world.now())
            .map_err(|reason| anyhow::anyhow!("cannot see `{}`: {reason}", self.address))?;
        door.say(&value, || pretty(&value))?;
        Ok(Ended::Well)
    }
}

/// Where world time stands, which no frame says, and where the newest run was told to end if it has not come there.
fn clock(door: &Door, world: &World, at: Option<Seq>) -> Result<Value> {
    let clock = ClockFile::load(&door.data)?.filter(|_| at.is_none());
    let target = clock.filter(|clock| !clock.done).and_then(|clock| clock.target);
    Ok(Value::map([
        ("time", Value::text(time(world.now(), world))),
        ("at", Value::Int(world.now())),
        ("lastFrame", Value::text(time(world.at(), world))),
        ("runsTo", target.map_or(Value::Null, |target| Value::text(time(target, world)))),
        ("clock", world.world_setting("clock").clone()),
    ]))
}
