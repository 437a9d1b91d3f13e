//! Setting: one lookup of a setting for a being, eight spaces deep: where nobody says anything, where every space on the way does, and where
//! the being itself does too.

use std::hint::black_box;

use crate::fact::{BeingId, Coords, Fact, Made, SpaceId, Text, Thing, Value};
use crate::run::Living;
use crate::store::MemoryStore;
use crate::world::World;

use super::figure::Figure;
use super::figure::{median, timed};
use super::ground::{BenchError, Ground};
use super::size::Size;

/// How many lookups are timed at once.
const BATCH: usize = 200_000;
/// How deep the being stands.
const DEPTH: u32 = 8;
/// The key that is looked up.
const KEY: &str = "brakes.depth";

fn say(of: Thing, value: i64) -> Fact {
    Fact::ConfigSetIn { of, key: KEY.into(), value: Value::Int(value).into() }
}

/// A world of nested spaces with a citizen in the innermost, and the spaces.
fn nested(ground: &Ground) -> Result<(World, BeingId, Vec<SpaceId>), BenchError> {
    let source = ground.town(1, false)?;
    let (_, id) = crate::fact::simulated(&source.name, source.seed);
    let living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
    let world = living.world().clone();
    let being = world.being_named("citizen-1").map(|being| being.id).ok_or(BenchError::Nothing("the town has no citizen"))?;
    let (seq, none) = (world.next_seq(), None::<Coords>);
    let mut facts = Vec::new();
    let mut spaces = vec![SpaceId::ROOT];
    for index in 0..DEPTH {
        let parent = spaces.last().copied();
        facts.push(Fact::SpaceMade { name: Text::from("in"), parent, kind: "space".into(), size: None, coords: none, owner: None });
        spaces.push(SpaceId(Made { seq, index }));
    }
    let innermost = spaces.last().copied().unwrap_or(SpaceId::ROOT);
    facts.push(Fact::Moved { of: Thing::Being(being), to: Thing::Space(innermost), coords: none });
    Ok((world.imagine(BeingId::WORLD, (seq, 0), world.at(), &facts), being, spaces))
}

fn cost(world: &World, being: BeingId, size: &Size) -> Result<f64, BenchError> {
    let being = world.being(being).ok_or(BenchError::Nothing("the town has no citizen"))?;
    let once = || {
        let (_, took) = timed(|| (0..BATCH).for_each(|_| drop(black_box(world.setting(black_box(KEY), black_box(being))))));
        took.as_secs_f64() * 1e9 / BATCH as f64
    };
    Ok(median((0..size.runs).map(|_| once()).collect()))
}

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let (silent, being, spaces) = nested(ground)?;
    let seq = silent.next_seq() + 1;
    let said: Vec<Fact> = spaces.iter().skip(1).zip(0..).map(|(space, at)| say(Thing::Space(*space), 60 - at)).collect();
    let spaces_say = silent.imagine(BeingId::WORLD, (seq, 0), silent.at(), &said);
    let being_says = spaces_say.imagine(BeingId::WORLD, (seq + 1, 0), silent.at(), &[say(Thing::Being(being), 3)]);
    let cases = [
        ("where nobody says anything", &silent),
        ("where each of them says one", &spaces_say),
        ("where the being says one too", &being_says),
    ];
    let figure = |(what, world): (&str, &World)| {
        let cost = cost(world, being, size)?;
        Ok(Figure::new("setting", format!("a setting, eight spaces deep, {what}"), cost, "ns").noting("aim: under 200"))
    };
    cases.into_iter().map(figure).collect()
}
