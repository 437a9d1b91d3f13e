//! Play: a scene played in a new world in memory, and what of it came out otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::fact::{Call, ClosingKind, Value, parse_duration, simulated};
use crate::minds::{Cassette, CassetteError, Minds, Recorder, Tape};
use crate::past::Report;
use crate::role::{Judge, LintCode, Warning};
use crate::source::{GivenItem, Staged, TestItem};
use crate::store::MemoryStore;
use crate::verb::{Address, Named, explain_of};
use crate::world::World;

use super::clock::Pace;
use super::course::{Course, Until};
use super::living::{Living, RunError};
use super::reins::Reins;
use super::until::When;

/// The being that acts and is asked where a scene names none.
const SPEAKER: &str = "@operator";

/// Plays a scene in a world of this seed; what came out otherwise than it says, in sentences.
pub fn play(scene: &Staged, seed: u64) -> Vec<String> {
    let minds = match &scene.item.cassette {
        // Nobody outside is asked: what no cassette answers is a fault of the scene.
        None => Ok(Cassette::empty()),
        Some(file) => Cassette::read(&scene.beside.join(file)),
    };
    match minds {
        // A scene that cannot be played is as faulty as one with another outcome.
        Ok(minds) => acted(scene, seed, Box::new(minds)).unwrap_or_else(|error| vec![error.to_string()]),
        Err(error) => vec![error.to_string()],
    }
}

/// Writes the cassettes of scenes anew, where requests have changed and their answers have not: each being is answered in the same order.
pub fn retape(scenes: &[Staged]) -> Result<(), CassetteError> {
    let mut files = BTreeMap::<PathBuf, Vec<&Staged>>::new();
    for scene in scenes {
        let file = scene.item.cassette.as_ref().map(|file| scene.beside.join(file));
        file.into_iter().for_each(|file| files.entry(file).or_default().push(scene));
    }
    for (file, scenes) in files {
        let made = file.with_extension("new");
        for scene in scenes {
            let recorder = Recorder::new(Box::new(Cassette::by_asker(&file)?), Tape::adding(&made)?);
            // What comes out is told by whoever plays the scene.
            let _ = acted(scene, scene.world.seed, Box::new(recorder));
        }
        std::fs::rename(&made, &file).map_err(|source| CassetteError::File { path: file, source })?;
    }
    Ok(())
}

fn acted(scene: &Staged, seed: u64, minds: Box<dyn Minds>) -> Result<Vec<String>, RunError> {
    let faults = scene_faults(&scene.item);
    if !faults.is_empty() {
        return Ok(faults.iter().map(ToString::to_string).collect());
    }
    let expected = expectations(&scene.item.expect).unwrap_or_default();
    let (_, id) = simulated(&scene.world.name, seed);
    let mut living = Living::plant_in(&scene.world, Some(seed), Box::new(MemoryStore::new(id)), 1)?;
    living.asking(minds);
    let (mut faults, mut troubles) = (Vec::new(), BTreeSet::new());
    for (at, given) in scene.item.given.iter().enumerate() {
        if let Err(fault) = act(&mut living, given, &mut troubles)? {
            faults.push(format!("given[{at}]: {fault}"));
        }
    }
    pass(&mut living, scene.item.run.as_deref(), &mut troubles)?;
    let world = living.world().clone();
    faults.extend(
        expected.iter().enumerate().filter_map(|(at, expected)| expected.holds(&world).err().map(|fault| format!("expect[{at}]: {fault}"))),
    );
    // Why a thought failed is told where something came out otherwise.
    if !faults.is_empty() {
        faults.extend(troubles.into_iter().take(TROUBLES_MAX));
    }
    Ok(faults)
}

/// The most different failures of thoughts that are told of a scene.
const TROUBLES_MAX: usize = 5;

/// All that keeps a scene from being played, each with its place.
pub fn scene_faults(scene: &TestItem) -> Vec<Warning> {
    let mut faults = Vec::new();
    let mut fault = |place: String, what: String| faults.push(Warning { place, code: LintCode::NeverTrue, what, hint: None });
    if scene.given.is_empty() && scene.expect.is_null() {
        fault("given".to_owned(), "expected `given` or `expect`, found neither: it could not come out otherwise".to_owned());
    }
    for (at, given) in scene.given.iter().enumerate() {
        span_fault(given.after.as_deref()).into_iter().for_each(|what| fault(format!("given[{at}].after"), what));
        call_of(given).err().into_iter().for_each(|what| fault(format!("given[{at}]"), what));
    }
    span_fault(scene.run.as_deref()).into_iter().for_each(|what| fault("run".to_owned(), what));
    expectations(&scene.expect).err().into_iter().for_each(|(place, what)| fault(place, what));
    faults
}

/// Why a text is no span of world time.
fn span_fault(span: Option<&str>) -> Option<String> {
    let span = span.filter(|span| parse_duration(span).is_none())?;
    Some(format!("expected a duration such as `8h` or `1d`, found `{span}`"))
}

/// Lets a span of world time pass, and takes in why thoughts failed in it.
fn pass(living: &mut Living, span: Option<&str>, troubles: &mut BTreeSet<String>) -> Result<(), RunError> {
    let Some(duration) = span.and_then(parse_duration) else { return Ok(()) };
    let until = Until { duration: Some(duration), ..Until::default() };
    let mut watch = |report: &Report| {
        let told = report.notes.last().filter(|_| matches!(report.closing, ClosingKind::Failed | ClosingKind::DeadLetter));
        troubles.extend(told.map(|why| format!("@{} failed: {why}", report.being)));
    };
    living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: Some(&mut watch), measures: None })?;
    Ok(())
}

/// The call that is given.
fn call_of(given: &GivenItem) -> Result<Call, String> {
    match (&given.action, &given.summon, &given.be) {
        (Some(action), None, None) => Ok(Call::doing(given.on.as_deref().unwrap_or("/"), action, given.args.clone())),
        (None, Some(whom), None) => Ok(Call::summon(whom, given.args.clone())),
        (None, None, Some(operation)) => Ok(Call::be(operation, given.args.clone())),
        _ => Err("expected one of `do`, `summon` and `be`, found none or more".to_owned()),
    }
}

/// Does what is given, and says what came of it where that is not what was said.
fn act(living: &mut Living, given: &GivenItem, troubles: &mut BTreeSet<String>) -> Result<Result<(), String>, RunError> {
    pass(living, given.after.as_deref(), troubles)?;
    let call = match call_of(given) {
        Ok(call) => call,
        Err(fault) => return Ok(Err(fault)),
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

/// A condition at the end of a scene.
enum Expected {
    /// As whoever it is asked of sees it: the paths of a flow.
    Of { being: String, when: When },
    /// Of a thing: the paths of a rule, with the thing as their target.
    On { being: String, address: String, judge: Box<Judge> },
}

/// The conditions of the end; else the place of a malformed one, and how it is wrong.
fn expectations(expect: &Value) -> Result<Vec<Expected>, (String, String)> {
    let one = |place: String, value: &Value| expectation(value).map_err(|fault| (place, fault));
    match expect {
        Value::Null => Ok(Vec::new()),
        Value::List(list) if list.is_empty() => {
            Err(("expect".to_owned(), "expected conditions, found none: it could not come out otherwise".to_owned()))
        }
        Value::List(list) => list.iter().enumerate().map(|(at, value)| one(format!("expect[{at}]"), value)).collect(),
        value => one("expect".to_owned(), value).map(|one| vec![one]),
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
            asks_something(when)?;
            let rule = Value::map([("on", Value::from(vec!["*"])), ("when", when.clone()), ("refuse", Value::text("so it is"))]);
            let judge = Judge::compile("test:expect", &rule).map_err(|error| error.to_string())?;
            Ok(Expected::On { being, address, judge: Box::new(judge) })
        }
    }
}

/// Conditions that ask for nothing hold whatever happens.
fn asks_something(when: &Value) -> Result<(), String> {
    match when.as_map() {
        Some(map) if map.is_empty() => Err("expected conditions, found none: it could not come out otherwise".to_owned()),
        _ => Ok(()),
    }
}

fn condition(when: &Value) -> Result<When, String> {
    asks_something(when)?;
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
