//! `see`: what an address shows, now or in the past.

use anyhow::{Context, Result};
use clap::Args;

use crate::fact::Value;
use crate::past::Point;
use crate::store::ClockFile;
use crate::verb::see;
use crate::world::World;

use super::door::pretty;
use super::door::{Door, Ended};
use super::screen::time;

/// Shows what an address names
#[derive(Args)]
#[command(after_help = "Example: reelm see /factory/line --at 120

Points: 120 (all frames below it) · 120+ (right after it) · @ada/7 (the world as that moment was opened on) · @ada/7+ (right after its frame)
  · 2026-03-02T09:00 (all frames at or before that instant in the world's zone) · 2026-03-02 · ~10m (so much world time before the newest) · now

Addresses: / · /a/b · @ada · /court@judge · @ada/bag · /.roles/x · /.ops · /.extensions · /.config · /.settings · /.clock · /.signals · /.dead
  · /a/.settings · @ada/.settings/brakes.depth · @ada/.flow · @ada/.inbox · @ada/.schedules · @ada/.children · @ada/.key")]
pub struct See {
    /// What to look at
    address: String,
    /// Look at the world as it was at a point of its past
    #[arg(long, value_name = "POINT", default_value = "now")]
    at: Point,
    /// What `.` and `~` mean; whoever may read the world's files may see all of it, whatever this being's role lets it see
    #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
    as_being: String,
}

impl See {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (_, world) = door.world_at(&self.at)?;
        if self.address == "/.clock" {
            let value = clock(door, &world, &self.at)?;
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
fn clock(door: &Door, world: &World, at: &Point) -> Result<Value> {
    let clock = ClockFile::load(&door.data)?.filter(|_| *at == Point::Now);
    let target = clock.filter(|clock| !clock.done).and_then(|clock| clock.target);
    Ok(Value::map([
        ("time", Value::text(time(world.now(), world))),
        ("at", Value::Int(world.now())),
        ("lastFrame", Value::text(time(world.at(), world))),
        ("runsTo", target.map_or(Value::Null, |target| Value::text(time(target, world)))),
        ("clock", world.world_setting("clock").clone()),
    ]))
}
