//! Play: a scene played in a new world in memory, and what of it came out otherwise.

use crate::fact::{Call, Value, parse_duration, simulated};
use crate::minds::Cassette;
use crate::role::Judge;
use crate::source::{GivenItem, Staged};
use crate::store::MemoryStore;
use crate::verb::{Address, Named, explain_of};
use crate::world::World;

use super::clock::Pace;
use super::course::{Course, Until};
use super::living::{Living, RunError};
use super::reins::Reins;
use super::until::When;

/// Who acts and is asked where a scene names nobody.
const SPEAKER: &str = "@operator";

/// Plays a scene in a world of this seed; what came out otherwise than it says, in sentences.
pub fn play(scene: &Staged, seed: u64) -> Vec<String> {
    // What can be done in no way is as much a fault of the scene as what comes out otherwise.
    acted(scene, seed).unwrap_or_else(|error| vec![error.to_string()])
}

fn acted(scene: &Staged, seed: u64) -> Result<Vec<String>, RunError> {
    if scene.item.given.is_empty() && scene.item.expect.is_null() {
        return Ok(vec!["expected `given` or `expect`, found neither: it could not come out otherwise".to_owned()]);
    }
    let expected = match expectations(&scene.item.expect) {
        Ok(expected) => expected,
        Err(fault) => return Ok(vec![fault]),
    };
    let minds = match &scene.item.cassette {
        // Nobody outside is asked: what no cassette answers is a fault of the scene.
        None => Ok(Cassette::empty()),
        Some(file) => Cassette::read(&scene.beside.join(file)),
    };
    let minds = match minds {
        Ok(minds) => minds,
        Err(error) => return Ok(vec![error.to_string()]),
    };
    let (_, id) = simulated(&scene.world.name, seed);
    let mut living = Living::plant_in(&scene.world, Some(seed), Box::new(MemoryStore::new(id)), 1)?;
    living.asking(Box::new(minds));
    let mut faults = Vec::new();
    for (at, given) in scene.item.given.iter().enumerate() {
        if let Err(fault) = act(&mut living, given)? {
            faults.push(format!("given[{at}]: {fault}"));
        }
    }
    if let Err(fault) = pass(&mut living, "run", scene.item.run.as_deref())? {
        faults.push(fault);
    }
    let world = living.world().clone();
    faults.extend(
        expected.iter().enumerate().filter_map(|(at, expected)| expected.holds(&world).err().map(|fault| format!("expect[{at}]: {fault}"))),
    );
    Ok(faults)
}

/// Lets a span of world time pass.
fn pass(living: &mut Living, key: &str, span: Option<&str>) -> Result<Result<(), String>, RunError> {
    let Some(span) = span else { return Ok(Ok(())) };
    let Some(duration) = parse_duration(span) else {
        return Ok(Err(format!("{key}: expected a duration such as `8h` or `1d`, found `{span}`")));
    };
    let until = Until { duration: Some(duration), ..Until::default() };
    living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None })?;
    Ok(Ok(()))
}

/// Does what is given, and says what came of it where that is not what was said.
fn act(living: &mut Living, given: &GivenItem) -> Result<Result<(), String>, RunError> {
    if let Err(fault) = pass(living, "after", given.after.as_deref())? {
        return Ok(Err(fault));
    }
    let call = match (&given.action, &given.summon, &given.be) {
        (Some(action), None, None) => Call::doing(given.on.as_deref().unwrap_or("/"), action, given.args.clone()),
        (None, Some(whom), None) => Call::summon(whom, given.args.clone()),
        (None, None, Some(operation)) => Call::be(operation, given.args.clone()),
        _ => return Ok(Err("expected one of `do`, `summon` and `be`, found none or more".to_owned())),
    };
    let who = given.by.as_deref().unwrap_or(SPEAKER);
    let done = match living.act(who, call) {
        Ok(report) => report.reason.map(|reason| reason.to_string()),
        Err(RunError::Turned { reason }) => Some(reason.to_string()),
        // Nobody of that name, or one who thinks by itself: no refusal, but a fault of the scene.
        Err(error @ (RunError::NoBeing(_) | RunError::NotDriven { .. } | RunError::Unfit { .. } | RunError::TooLarge { .. })) => {
            return Ok(Err(error.to_string()));
        }
        Err(error) => return Err(error),
    };
    Ok(match (&given.refused, done) {
        (None, None) => Ok(()),
        (None, Some(reason)) => Err(format!("expected that {who} may do it, found that it is refused: {reason}")),
        (Some(code), Some(reason)) if reason == *code || reason.split(' ').next() == Some(code) => Ok(()),
        (Some(code), Some(reason)) => Err(format!("expected it to be refused as `{code}`, found {reason}")),
        (Some(code), None) => Err(format!("expected it to be refused as `{code}`, found that {who} has done it")),
    })
}

/// What holds at the end of a scene.
enum Expected {
    /// As whoever it is asked of sees it: the paths of a flow.
    Of { being: String, when: When },
    /// Of a thing: the paths of a rule, with the thing as their target.
    On { being: String, address: String, judge: Box<Judge> },
}

fn expectations(expect: &Value) -> Result<Vec<Expected>, String> {
    match expect {
        Value::Null => Ok(Vec::new()),
        Value::List(list) => {
            list.iter().enumerate().map(|(at, one)| expectation(one).map_err(|fault| format!("expect[{at}]: {fault}"))).collect()
        }
        one => expectation(one).map(|one| vec![one]).map_err(|fault| format!("expect: {fault}")),
    }
}

fn expectation(value: &Value) -> Result<Expected, String> {
    let map = value.as_map().ok_or_else(|| format!("expected a `when`, or {{as, on, when}}, found {value}"))?;
    let Some(when) = map.get("when") else { return Ok(Expected::Of { being: SPEAKER.to_owned(), when: condition(value)? }) };
    if let Some(strange) = map.keys().find(|key| !["as", "on", "when"].contains(&key.as_ref())) {
        return Err(format!("expected only `as`, `on` and `when`, found `{strange}`"));
    }
    let text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    let being = text("as").unwrap_or_else(|| SPEAKER.to_owned());
    match text("on") {
        None => Ok(Expected::Of { being, when: condition(when)? }),
        Some(address) => {
            let rule = Value::map([("on", Value::from(vec!["*"])), ("when", when.clone()), ("refuse", Value::text("so it is"))]);
            let judge = Judge::compile("test:expect", &rule).map_err(|error| error.to_string())?;
            Ok(Expected::On { being, address, judge: Box::new(judge) })
        }
    }
}

fn condition(when: &Value) -> Result<When, String> {
    let when = When::of(when).map_err(|error| error.to_string())?;
    when.warnings().into_iter().next().map_or(Ok(when), Err)
}

impl Expected {
    /// Whether it holds; what was found where it does not.
    fn holds(&self, world: &World) -> Result<(), String> {
        let living = |name: &str| {
            let being = world.being_named(name.trim_start_matches('@'));
            being.ok_or_else(|| format!("there is no being `{name}` in this world"))
        };
        match self {
            Self::Of { being, when } => when.lacks(world, living(being)?).map_or(Ok(()), Err),
            Self::On { being, address, judge } => {
                let being = living(being)?;
                let parsed: Address = address.parse().map_err(|error: crate::verb::AddressError| error.to_string())?;
                let thing = match parsed.resolve(world, being, world.now()) {
                    Ok(Named::Thing(thing)) => thing,
                    Ok(Named::Register { .. }) => return Err(format!("`{address}` is no thing; name a being, a space or matter")),
                    Err(reason) => return Err(reason.to_string()),
                };
                let (holds, conditions) = explain_of(judge, world, being, thing, world.now());
                let lacking = conditions.iter().filter(|condition| !condition.held).map(ToString::to_string);
                if holds { Ok(()) } else { Err(lacking.collect::<Vec<_>>().join("; ")) }
            }
        }
    }
}
