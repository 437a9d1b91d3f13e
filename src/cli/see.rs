//! `see`: what an address shows, now or in the past.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;

use crate::fact::{Code, Reason, Text, Value};
use crate::past::Point;
use crate::run::Measures;
use crate::source::{MeasureItem, MeasureList, OnLine};
use crate::store::ClockFile;
use crate::verb::{ListPart, SeeReader, SeenValue, address_meant, named, unsought_from};
use crate::world::{Being, World};

use super::bundle::{bundle_has, world_of_bundle};
use super::door::{Door, Ended};
use super::given::AtPoint;
use super::outline::outline;
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
    /// The address to look at
    address: String,
    #[command(flatten)]
    then: AtPoint,
    /// The being for which `.` and `~` stand; whoever may read the world's files may see all, whatever this being's role lets it see
    #[arg(long = "as", value_name = "@BEING", default_value = "@operator")]
    as_being: String,
    /// Of a list: how many items are passed over
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// Of a list: only the items whose line has all these words
    #[arg(long)]
    words: Option<String>,
    /// The world of a bundle instead, if that carries a checkpoint: behind its last frame, or at a point among its frames
    #[arg(long)]
    file: Option<PathBuf>,
}

impl See {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let at = &self.then.at;
        let world = self.file.as_deref().map_or_else(|| Ok(door.world_at(at)?.1), |file| world_of_bundle(file, at))?;
        if self.address == "/.clock" {
            let ticking = if self.file.is_none() { ClockFile::load(&door.data)? } else { None };
            let value = clock(ticking.filter(|_| *at == Point::Now), &world);
            door.say(&value, || outline(&value))?;
            return Ok(Ended::Well);
        }
        if self.address == "/.measures" {
            let value = measured(Arc::new(world))?;
            door.say(&value, || outline(&value))?;
            return Ok(Ended::Well);
        }
        let name = self.as_being.trim_start_matches('@');
        let speaker = world.being_named(name).with_context(|| format!("there is no being `@{name}` in this world{}", self.has(&world)))?;
        let value = self.seen(&world, speaker).map_err(|reason| self.cannot(&world, &reason))?;
        door.say(&value, || outline(&with_instants(&value, &world)))?;
        if let Some(count) = value.get("unsought").and_then(Value::as_int) {
            let from = unsought_from(usize::try_from(self.from).unwrap_or(usize::MAX));
            door.note(&format!("nothing was sought in {count} more of them: --from {from} goes on there"));
        }
        Ok(Ended::Well)
    }

    /// Why it cannot be seen, and what may have been meant.
    fn cannot(&self, world: &World, reason: &Reason) -> anyhow::Error {
        let address = self.address.as_str();
        let name = address.trim_start_matches(['@', '/']);
        let is_lone = !name.contains('/');
        let meant = match reason.code {
            Code::BadAddress if is_lone && world.being_named(name).is_some() => format!("; did you mean `@{name}`?"),
            Code::BadAddress => format!("; {}", reason.code.sentence()),
            Code::NotFound => address_meant(world, address).map(|question| format!("; {question}")).unwrap_or_default(),
            _ => String::new(),
        };
        let has = if reason.code == Code::NotFound { self.has(world) } else { String::new() };
        anyhow::anyhow!("cannot see `{address}`: {reason}{meant}{has}")
    }

    /// The beings and places of a bundle, as the end of a sentence.
    fn has(&self, world: &World) -> String {
        self.file.as_deref().map(|file| format!("; {}", bundle_has(file, world))).unwrap_or_default()
    }

    fn seen(&self, world: &World, speaker: &Being) -> Result<Value, Reason> {
        let reader =
            SeeReader { id: Some(speaker.id), part: ListPart::new(self.from, self.words.as_deref()), ..SeeReader::of_all(world.now()) };
        reader.show(world, &named(world, speaker, &self.address, world.now())?).map(SeenValue::to_value)
    }
}

/// The instants of claims as people read them.
fn with_instants(value: &Value, world: &World) -> Value {
    match value {
        Value::List(list) => Value::List(list.iter().map(|item| with_instants(item, world)).collect()),
        Value::Map(map) => {
            let is_claim = map.len() == 5 && ["by", "on", "since", "until", "why"].iter().all(|key| map.contains_key(*key));
            let told = |key: &Text, value: &Value| match (key.as_ref(), value) {
                ("since" | "until", Value::Int(at)) if is_claim => Value::text(time(*at, world)),
                (_, value) => with_instants(value, world),
            };
            Value::Map(map.iter().map(|(key, value)| (key.clone(), told(key, value))).collect())
        }
        value => value.clone(),
    }
}

/// The measures of the world, each with its present value.
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
fn clock(clock: Option<ClockFile>, world: &World) -> Value {
    let target = clock.filter(|clock| !clock.done).and_then(|clock| clock.target);
    Value::map([
        ("time", Value::text(time(world.now(), world))),
        ("at", Value::Int(world.now())),
        ("lastFrame", Value::text(time(world.at(), world))),
        ("runsTo", target.map_or(Value::Null, |target| Value::text(time(target, world)))),
        ("clock", world.world_setting("clock").clone()),
    ])
}
