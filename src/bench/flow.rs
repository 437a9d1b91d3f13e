//! Flow: one evaluation of a flow of five clauses on a living world's open-context.

use std::hint::black_box;

use crate::fact::{Cognition, Text, Value};
use crate::role::{Flow, Own, Stack};
use crate::run::Living;
use crate::store::MemoryStore;
use crate::world::{OpenContext, Registered, Wake, World};

use super::figure::Figure;
use super::figure::{median, timed};
use super::ground::{BenchError, Ground};
use super::size::Size;

/// A flow of five clauses, of which only the last matches.
pub const FIVE: &str = r#"[
    {"when": {"verb": "summon", "caller.isParent": true}, "role": "citizen"},
    {"when": {"time.hour": {"gte": 22}}, "role": "citizen"},
    {"when": {"space.type": "court", "space.count": {"gte": 3}}, "role": "citizen"},
    {"when": {"world.mood": {"in": ["storm", "fire"]}}, "role": "citizen"},
    {"when": {"space.name": "square", "me.cognition": "script"}, "role": "citizen"}
]"#;

/// How many evaluations are timed at once.
const BATCH: usize = 200_000;

/// Gives a world with one citizen, its wake and a compiled flow to a measurement.
pub fn with_context<T>(ground: &Ground, measure: impl FnOnce(&World, &OpenContext<'_>, &Flow) -> T) -> Result<T, BenchError> {
    let source = ground.town(1, false)?;
    let (_, id) = crate::fact::simulated(&source.name, source.seed);
    let living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
    let world = living.world().clone();
    let being = world.being_named("citizen-1").cloned().ok_or(BenchError::Nothing("the town has no citizen"))?;
    let wake: Wake =
        world.inbox().of(being.id).next().map(|wake| (**wake).clone()).ok_or(BenchError::Nothing("the citizen has no wake"))?;
    let value: Value = serde_json::from_str(FIVE).unwrap_or_default();
    let flow = Flow::compile(&value).map_err(|_| BenchError::Nothing("the flow of five clauses does not compile"))?;
    let context = OpenContext::new(&world, &being, &wake, world.at(), None);
    Ok(measure(&world, &context, &flow))
}

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let costs = with_context(ground, |world, context, flow| {
        let (wardrobe, default, mut stack) =
            (Registered { world, at: crate::fact::SpaceId::ROOT }, Text::from("citizen"), Stack::default());
        let own = Own { default_role: Some(&default), cognition: Cognition::Script, requested: None };
        let mut once = || {
            let (_, took) = timed(|| (0..BATCH).for_each(|_| flow.evaluate(black_box(context), &wardrobe, &own, black_box(&mut stack))));
            took.as_secs_f64() * 1e9 / BATCH as f64
        };
        (0..size.runs).map(|_| once()).collect::<Vec<f64>>()
    })?;
    Ok(vec![
        Figure::new("flow", "a flow of five clauses, evaluated", median(costs), "ns")
            .noting("aim: under 300; allocations are counted by `cargo bench`"),
    ])
}
