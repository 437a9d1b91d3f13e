//! Rule: one act in a world of a thousand rules, of which three are asked about it, against the same act in a world without any.

use std::hint::black_box;

use crate::fact::{BeingId, Call, Credential, Fact, Value};
use crate::role::{Spec, Worn, compose};
use crate::run::Living;
use crate::script::{Limits, Sandbox};
use crate::store::MemoryStore;
use crate::verb::{Actor, Errand, Hands, bind_target};
use crate::world::World;

use super::figure::{Figure, median, micros, timed};
use super::ground::{BenchError, Ground};
use super::size::Size;

/// How many rules there are, and how many acts are timed at once.
const RULES: usize = 1_000;
const BATCH: usize = 20_000;

/// Three rules about a quality, and all others about what nobody does.
fn rules(world: &World) -> World {
    let rule = |at: usize| {
        let on = match at {
            0 => r#""quality.set""#.to_owned(),
            500 => r#""quality.*""#.to_owned(),
            999 => r#"{"action":"quality.set","on":"citizen"}"#.to_owned(),
            at if at % 2 == 0 => format!(r#""other-{at}:do""#),
            at => format!(r#""other-{at}:*""#),
        };
        let rule = format!(r#"{{"on":[{on}],"when":{{"target.quality.t.locked":true,"actor.name":{{"ne":"operator"}}}},"refuse":"no"}}"#);
        let rule: Value = serde_json::from_str(&rule).unwrap_or_default();
        Fact::RuleSet { name: format!("rule-{at:04}").into(), rule: rule.into() }
    };
    let facts: Vec<Fact> = (0..RULES).map(rule).collect();
    world.imagine(BeingId::WORLD, (world.next_seq(), 0), world.at(), &facts)
}

pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let source = ground.town(1, false)?;
    let (_, id) = crate::fact::simulated(&source.name, source.seed);
    let living = Living::plant_in(&source, None, Box::new(MemoryStore::new(id)), 1)?;
    let bare = living.world().clone();
    let ruled = rules(&bare);
    let asked = ruled.registry().judges.on("quality.set").len();
    let role: Value = serde_json::from_str(r#"{"name":"citizen","canDo":["quality.set"]}"#).unwrap_or_default();
    let worn = Spec::from_value(&role).ok().and_then(|spec| compose(&[&spec])).ok_or(BenchError::Nothing("no role is worn"))?;
    let cost = |world: &World| {
        let costs = (0..size.runs).map(|_| acts(world, &worn)).collect::<Option<Vec<f64>>>();
        costs.map(median).ok_or(BenchError::Nothing("the act is refused"))
    };
    let (without, with) = (cost(&bare)?, cost(&ruled)?);
    Ok(vec![
        Figure::new("rule", format!("{asked} of {RULES} rules, asked about an act"), with - without, "µs")
            .noting(format!("aim: under 5; the act itself takes {without:.2}")),
    ])
}

/// Microseconds for an act, judged and drafted.
fn acts(world: &World, worn: &Worn) -> Option<f64> {
    let being = world.being_named("citizen-1")?;
    let mut hands = Hands::new(Sandbox::new(Limits::default()));
    let args = Value::map([("path", Value::text("t.n")), ("value", Value::Int(1))]);
    let call = Call::doing("@citizen-1", "quality.set", args);
    let bound = bind_target(world, being, &call, None, world.at());
    let actor = Actor {
        world,
        being,
        worn,
        stack: &[],
        behalf: None,
        cognition: being.cognition_at(world.at()),
        caller: None,
        errand: Errand::default(),
        at: world.at(),
        seq: world.next_seq(),
        key_of: &|_| Credential::default(),
    };
    let (done, took) = timed(|| (0..BATCH).all(|_| black_box(actor.perform(black_box(&call), &bound, &mut hands)).is_ok()));
    done.then(|| micros(took, BATCH))
}
