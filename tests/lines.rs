//! Lines: do the facts of a history, folded by a program that knows their lines alone, come to what `see` shows at every point?
//!
//! The program is tests/verifier/fold.py. It is told what `see` has shown, and names each field that it compares.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use reelm::fact::{Seq, Thing, Value};
use reelm::past::History;
use reelm::verb::{SeeReader, SeenValue, named};
use reelm::world::{World, address_of};
use serde_json::{Value as Json, json};

use super::terminal::{Terminal, package};
use super::verifier::python;

/// All that is compared: what of somebody, a space or a thing follows from facts alone, and some registers.
const BEING: &str = "address cognition coords defaultRole ended holds home id inhabitedBy kind name parent paused position qualities";
const SPACE: &str = "address allow beings contributors count id kind matter name owner paused qualities size spaces type";
const MATTER: &str = "address author content coords holds id kind name qualities type";
const REGISTERS: &str = ".children .config .extensions .flow .key .roles .schedules .scripts .scripts/… .signals";
/// The fields of a being that follow from more than facts: from flows, from settings, and from what was opened.
const NOT_COMPARED: &[&str] = &["being wearing", "being undressed", "being lets", "being panel"];

/// Acts of people that no script does.
const ACTS: &[&str] = &[
    "do / space.make '{\"name\":\"yard\",\"type\":\"ground\",\"size\":{\"x\":3,\"y\":3}}'",
    "be birth '{\"name\":\"eve\",\"home\":\"/yard\",\"defaultRole\":\"operator\",\"cognition\":\"human\",\"qualities\":{\"mood\":{\"calm\":{\"from\":1,\"to\":0,\"at\":\"now\",\"over\":\"10m\"}}}}'",
    "be birth '{\"name\":\"pip\",\"home\":\"/yard\",\"cognition\":\"human\",\"parent\":\"@eve\"}'",
    "do /yard own.contribute '{\"being\":\"@eve\"}'",
    "do /yard own.allow '{\"allow\":[\"say\"]}'",
    "do /yard matter.make '{\"name\":\"box\",\"type\":\"thing\",\"content\":{\"n\":1.5}}'",
    "do /yard/box matter.set '{\"name\":\"chest\",\"type\":\"case\",\"content\":[0.1]}'",
    "do /yard/chest quality.inc '{\"path\":\"t.n\",\"by\":0.3}'",
    "do /yard/chest quality.inc '{\"path\":\"t.n\",\"by\":0.7}'",
    "do /yard/chest quality.push '{\"path\":\"t.all\",\"value\":1,\"keep\":2}'",
    "do /yard/chest quality.push '{\"path\":\"t.all\",\"value\":2,\"keep\":2}'",
    "do /yard/chest quality.push '{\"path\":\"t.all\",\"value\":3,\"keep\":2}'",
    "do /yard/chest quality.set '{\"path\":\"u.fades\",\"value\":{\"from\":-1,\"to\":7.25,\"at\":\"now\",\"over\":\"30m\"}}'",
    "do /yard/chest quality.unset '{\"path\":\"t.n\"}'",
    "do /yard own.set '{\"owner\":\"@eve\"}'",
    "be inhabit '{\"being\":\"@pip\",\"for\":\"1h\"}' --as @eve",
    "be inhabit '{\"being\":\"@eve\",\"for\":\"10m\"}'",
    "do @eve home.set '{\"home\":\"/\"}'",
    "do @eve pause.set",
    "do @pip schedule.set '{\"name\":\"odd\",\"every\":\"90s\"}'",
    "do @pip schedule.set '{\"name\":\"even\",\"cron\":\"0 7 * * *\"}'",
    "do @pip schedule.end '{\"name\":\"odd\"}'",
    "do @pip flow.default '{\"role\":null}'",
    "do @eve pause.end",
    "be end '{\"being\":\"@eve\"}'",
];

/// The page that an address shows in a world.
fn shown(world: &World, address: &str) -> Value {
    let reader = SeeReader::of_all(world.now());
    let speaker = world.being_named("operator").unwrap();
    reader.show(world, &named(world, speaker, address, world.now()).unwrap()).map(SeenValue::to_value).unwrap()
}

/// Everything in a world, and what is registered of it.
fn addresses(world: &World) -> Vec<String> {
    let beings = world.beings().map(|being| format!("@{}", being.name));
    let beings = beings.flat_map(|being| ["", "/.children", "/.flow", "/.schedules", "/.key"].map(|register| format!("{being}{register}")));
    let spaces = world.spaces().map(|space| world.path_of(space.id));
    let matter = world.all_matter().map(|matter| address_of(world, Thing::Matter(matter.id)));
    let registers = ["config", "extensions", "roles", "scripts", "signals"].into_iter().map(|name| format!("/.{name}"));
    let scripts = world.registry().scripts.keys().map(|name| format!("/.scripts/{name}"));
    let flows = world.spaces().map(|space| format!("{}/.flow", world.path_of(space.id).trim_end_matches('/')));
    beings.chain(spaces).chain(matter).chain(registers).chain(scripts).chain(flows).collect()
}

/// Writes what everything shows at some points; of each point some of it as the command line says it.
fn write_seen(terminal: &Terminal, points: &BTreeSet<Seq>) -> BTreeSet<String> {
    let history = History::of(&terminal.path("world")).unwrap();
    let (mut lines, mut fields) = (String::new(), BTreeSet::new());
    for (nth, seq) in points.iter().enumerate() {
        let world = history.world_at(*seq).unwrap();
        let all = addresses(&world);
        for (at, address) in all.iter().enumerate() {
            let seen = json!(shown(&world, address));
            if at % all.len() == (nth * 31 + *seq as usize) % all.len() {
                assert_eq!(terminal.types(&format!("see {address} --at {seq} --json")).json(), seen, "{address} at {seq}");
            }
            if let Some(kind) = seen["kind"].as_str().filter(|_| !address.contains("/.")) {
                fields.extend(seen.as_object().unwrap().keys().map(|field| format!("{kind} {field}")));
            }
            lines += &format!("{}\n", json!({ "seq": seq, "at": world.now(), "address": address, "seen": seen }));
        }
    }
    terminal.write("seen.jsonl", &lines);
    fields
}

fn fold(terminal: &Terminal) -> Option<Output> {
    let program = package().join("tests/verifier/fold.py");
    Some(Command::new(python()?).arg(program).args([terminal.path("facts.jsonl"), terminal.path("seen.jsonl")]).output().unwrap())
}

/// The names of the fields that the program has compared.
fn compared(said: &Output) -> BTreeSet<String> {
    assert!(said.status.success(), "{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    let lines = String::from_utf8(said.stdout.clone()).unwrap();
    lines.lines().filter_map(|line| Some(line.trim().split_once(' ')?.1.to_owned())).collect()
}

/// All that is to be compared, as the program names it.
fn wanted() -> BTreeSet<String> {
    let of = |kind: &'static str, fields: &'static str| fields.split(' ').map(move |field| format!("{kind} {field}"));
    of("being", BEING).chain(of("space", SPACE)).chain(of("matter", MATTER)).chain(REGISTERS.split(' ').map(str::to_owned)).collect()
}

/// Twelve points up to the end of a world.
fn drawn(end: Seq) -> BTreeSet<Seq> {
    proptest::collection::btree_set(1..=end, 12).new_tree(&mut TestRunner::default()).unwrap().current()
}

#[test]
#[ignore = "long: three worlds, looked at again at many points"]
fn facts_alone_say_what_see_shows_at_every_point() {
    let mut seen = BTreeSet::new();
    for (world, moments, acts) in [("skateco", 300, ACTS), ("court", 120, &[][..]), ("library", 200, &[][..])] {
        let terminal = Terminal::with_world(world, moments);
        acts.iter().for_each(|line| drop(terminal.types(line).ok()));
        terminal.types("run --moments 20 --quiet").ok();
        let end = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
        terminal.types("export --lines facts facts.jsonl").ok();
        let mut points = drawn(end);
        println!("{world} at {points:?}");
        points.extend([1, end]);
        let fields = write_seen(&terminal, &points);
        // Nothing is shown of which nobody says whether it follows from facts.
        let known = wanted();
        let left: Vec<&String> = fields.difference(&known).filter(|field| !NOT_COMPARED.contains(&field.as_str())).collect();
        assert!(left.is_empty(), "{left:?}");
        if let Some(said) = fold(&terminal) {
            seen.extend(compared(&said));
        }
    }
    assert!(seen.is_empty() || seen == wanted(), "{:?}", wanted().symmetric_difference(&seen).collect::<Vec<_>>());
}

#[test]
fn a_fact_that_is_other_or_missing_is_found_in_what_see_shows() {
    let terminal = Terminal::with_world("skateco", 200);
    terminal.types("export --lines facts facts.jsonl").ok();
    let end = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
    write_seen(&terminal, &BTreeSet::from([end]));
    let Some(said) = fold(&terminal) else { return };
    compared(&said);
    let whole = terminal.read("facts.jsonl");
    let lines: Vec<Json> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for kind in ["moved", "quality-inc", "signalled", "schedule-set"] {
        // The newest of its kind stands under no later one; what happened to matter may have ended with it.
        let is_of_matter = |line: &Json| line["fact"]["of"].as_str().is_some_and(|of| of.starts_with('m'));
        let nth = lines.iter().rposition(|line| line["kind"] == kind && !is_of_matter(line)).unwrap();
        let less: String = whole.lines().enumerate().filter(|(at, _)| *at != nth).map(|(_, line)| format!("{line}\n")).collect();
        terminal.write("facts.jsonl", &less);
        let said = fold(&terminal).unwrap();
        assert!(!said.status.success(), "without the last `{kind}`: {}", String::from_utf8_lossy(&said.stdout));
    }
}
