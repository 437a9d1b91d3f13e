//! `see`: what an address shows, now or in the past.

use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;

use crate::fact::{Reason, Value};
use crate::past::Point;
use crate::run::Measures;
use crate::source::{MeasureItem, MeasureList, OnLine};
use crate::store::ClockFile;
use crate::verb::{ListPart, SeeReader, SeenValue, named};
use crate::world::{Being, World};

use super::door::pretty;
use super::door::{Door, Ended};
use super::given::AtPoint;
use super::screen::time;

/// Shows what an address names
#[derive(Args)]
#[command(after_help = "Example: reelm see /factory/line --at 120
A list is a page: reelm see /library --from 64 · reelm see /library --words 'tea cups'

Points: 120 (all frames below it) · 120+ (right after it) · @ada/7 (the world as that moment was opened on) · @ada/7+ (right after its frame)
  · 2026-03-02T09:00 (all frames at or before that instant in the world's zone) · 2026-03-02 · ~10m (so much world time before the newest) · now

Addresses: / · /a/b · @ada · /court@judge · @ada/bag · /.roles/x · /.ops · /.extensions · /.config · /.settings · /.measures · /.clock · /.signals · /.dead
  · /a/.settings · @ada/.settings/brakes.depth · @ada/.flow · @ada/.inbox · @ada/.schedules · @ada/.children · @ada/.key")]
pub struct See {
    /// What to look at
    address: String,
    #[command(flatten)]
    then: AtPoint,
    /// What `.` and `~` mean; whoever may read the world's files may see all of it, whatever this being's role lets it see
    #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
    as_being: String,
    /// Of a list: how many items are passed over
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// Of a list: only the items whose line has all these words
    #[arg(long)]
    words: Option<String>,
}

impl See {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let (_, world) = door.world_at(&self.then.at)?;
        if self.address == "/.clock" {
            let value = clock(door, &world, &self.then.at)?;
            door.say(&value, || pretty(&value))?;
            return Ok(Ended::Well);
        }
        if self.address == "/.measures" {
            let value = measured(Arc::new(world))?;
            door.say(&value, || pretty(&value))?;
            return Ok(Ended::Well);
        }
        let name = self.as_being.trim_start_matches('@');
        let speaker = world.being_named(name).with_context(|| format!("there is no being `@{name}` in this world"))?;
        let value = self.seen(&world, speaker).map_err(|reason| anyhow::anyhow!("cannot see `{}`: {reason}", self.address))?;
        door.say(&value, || pretty(&value))?;
        Ok(Ended::Well)
    }

    fn seen(&self, world: &World, speaker: &Being) -> Result<Value, Reason> {
        let reader =
            SeeReader { id: Some(speaker.id), part: ListPart::new(self.from, self.words.as_deref()), ..SeeReader::of_all(world.now()) };
        reader.show(world, &named(world, speaker, &self.address, world.now())?).map(SeenValue::to_value)
    }
}

/// What is measured of the world, each with what it comes to.
fn measured(world: Arc<World>) -> Result<Value> {
    let measured = MeasureList::of_world(&world);
    let now = Measures::now(&measured, &world, world.now())?;
    let told = |(OnLine { item, .. }, now): (&OnLine<MeasureItem>, Value)| {
        Value::map([
            ("name", Value::text(&item.name)),
            ("value", Value::text(&item.value)),
            ("every", Value::from(item.every.clone())),
            ("now", now),
        ])
    };
    Ok(Value::List(measured.measures.iter().zip(now).map(told).collect()))
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
