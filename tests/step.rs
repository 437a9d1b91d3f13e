//! Step: does a walk through the past, forward and back, show at each place what a fold from the beginning shows?

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use proptest::prelude::*;
use reelm::fact::Seq;
use reelm::moment::is_asking;
use reelm::past::{Gauge, Horizon, LookedFor, Sighted, Stepper, Stop, Way};
use reelm::world::World;
use serde_json::Value as Json;

use super::kit;
use super::law::any_world;
use super::point::lived;
use super::terminal::Terminal;

/// Whether a walk over all frames stops at one.
type IsAt<'a> = Box<dyn Fn(usize) -> bool + 'a>;

/// All worlds of a history, folded from the beginning.
fn all_worlds(history: &reelm::past::History) -> BTreeMap<Seq, World> {
    let mut worlds = BTreeMap::new();
    history.fold(0, None, |frame, world| drop(worlds.insert(frame.draft().seq + 1, world.clone()))).unwrap();
    worlds
}

proptest! {
    #![proptest_config(kit::cases(1, 10))]

    #[test]
    fn so_many_steps_forward_and_back_end_where_they_began_and_each_world_is_the_folded_one(
        text in any_world(),
        begins in any::<prop::sample::Index>(),
        whose in 0usize..3,
        ways in prop::collection::vec((any::<bool>(), any::<bool>(), 1usize..7), 1..8),
    ) {
        let (_dir, history) = lived(&text);
        let worlds = all_worlds(&history);
        let begins = 1 + begins.index(history.end() as usize) as Seq;
        let me = worlds[&history.end()].being_named(["operator", "ada", "bob"][whose]).map(|being| being.id);
        let mut stepper = Stepper::new(history, me, begins);
        for (is_on, is_own, many) in ways {
            let (way, home) = if is_on { (Way::On, Way::Back) } else { (Way::Back, Way::On) };
            // From wherever it was put.
            let from = stepper.at();
            stepper.put(from);
            let step = |stepper: &mut Stepper, way| if is_own { stepper.step(way).unwrap() } else { stepper.step_world(way) };
            let taken = (0..many).filter(|_| step(&mut stepper, way)).count();
            let back = (0..taken).filter(|_| step(&mut stepper, home)).count();
            prop_assert_eq!((stepper.at(), back), (from, taken));
            for _ in 0..taken {
                prop_assert!(step(&mut stepper, way));
            }
            prop_assert_eq!(stepper.world().unwrap().hash(), worlds[&stepper.at()].hash());
            prop_assert_eq!(stepper.here().unwrap().moment.unwrap().seq + 1, stepper.at());
        }
    }

    #[test]
    fn the_next_place_and_the_one_before_are_those_that_a_walk_over_all_frames_finds(
        text in any_world(), begins in any::<prop::sample::Index>(), whose in 0usize..4,
    ) {
        let (_dir, history) = lived(&text);
        let worlds = all_worlds(&history);
        let mut drafts = Vec::new();
        history.fold(0, None, |frame, _| drafts.push(frame.draft().clone())).unwrap();
        let begins = 1 + begins.index(history.end() as usize) as Seq;
        let newest = &worlds[&history.end()];
        let me = ["operator", "ada", "bob"].get(whose).and_then(|name| newest.being_named(name)).map(|being| being.id);
        let mut stepper = Stepper::new(history, me, begins);
        let gauge: Gauge = "@ada.position".parse().unwrap();
        let when = LookedFor { inquiry: r#"{"me.position":"/other"}"#.parse().unwrap(), me };
        let nothing = World::new(newest.id());
        let stands = |seq: Seq| worlds.get(&seq).unwrap_or(&nothing);
        let is_own = |seq: usize| me.is_none_or(|me| drafts[seq].being == me);
        let stops: [(Stop, IsAt<'_>); 4] = [
            (Stop::Act, Box::new(|seq| is_own(seq) && drafts[seq].closing.word() == "act")),
            (Stop::Refused, Box::new(|seq| is_own(seq) && drafts[seq].closing.word() == "refused")),
            (Stop::Changed(gauge.clone()), Box::new(|seq| gauge.read(stands(seq as Seq)) != gauge.read(stands(seq as Seq + 1)))),
            (Stop::When(when.clone()), Box::new(|seq| {
                let when = LookedFor { me: me.or(Some(drafts[seq].being)), ..when.clone() };
                when.holds(stands(seq as Seq + 1), None) && !when.holds(stands(seq as Seq), None)
            })),
        ];
        for (stop, is_at) in stops {
            stepper.put(begins);
            let next = (begins as usize..drafts.len()).find(|seq| is_at(*seq));
            prop_assert_eq!(stepper.seek(Way::On, &stop).unwrap(), next.is_some(), "{:?} from {}", stop, begins);
            prop_assert_eq!(stepper.at(), next.map_or(begins, |seq| seq as Seq + 1));
            stepper.put(begins);
            let before = (0..begins as usize - 1).rev().find(|seq| is_at(*seq));
            prop_assert_eq!(stepper.seek(Way::Back, &stop).unwrap(), before.is_some(), "{:?} back from {}", stop, begins);
            prop_assert_eq!(stepper.at(), before.map_or(begins, |seq| seq as Seq + 1));
            // A little at once, and past chapters that hold nothing of it, it comes to the same place.
            for (way, found) in [(Way::On, next), (Way::Back, before)] {
                stepper.put(begins);
                let horizon = Horizon { frames: 1, chapters: Some(newest.chapters()) };
                let came = loop {
                    match stepper.seek_within(way, &stop, horizon).unwrap() {
                        Sighted::Further(seq) => stepper.put(seq),
                        came => break came,
                    }
                };
                prop_assert_eq!(came == Sighted::There, found.is_some());
                prop_assert!(found.is_none_or(|seq| stepper.at() == seq as Seq + 1), "{:?} {:?} from {}", stop, way, begins);
            }
        }
        prop_assert!(drafts.iter().all(|draft| !is_asking(draft)), "no model is asked in these worlds");
    }
}

/// The output of `debug` for some lines.
pub fn debug(terminal: &Terminal, options: &str, lines: &[&str]) -> String {
    let mut command = terminal.command(&format!("debug {options}"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_program_steps_by_one_value_a_line_in_both_directions() {
    let terminal = Terminal::with_world("court", 200);
    let lines = [
        r#""next 2""#,
        r#""back 2""#,
        r#"{"do":"watch world.court.in-session","id":7}"#,
        r#""until changed world.court.in-session""#,
        r#""back! 1""#,
        r#""break when {\"moment.being\":\"bern\",\"moment.closing\":\"act\"}""#,
        r#""go""#,
        r#""see /.signals""#,
        r#""explain""#,
        r#""prompt""#,
        r#""bck""#,
        r#""until changd""#,
        r#""break when {\"moment.closng\":1}""#,
        "what",
        r#""at @judith/1+""#,
        r#""quit""#,
        r#""next""#,
    ];
    let said = debug(&terminal, "@judith --at 60 --json", &lines);
    let told: Vec<Json> = said.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
    assert_eq!(told.len(), lines.len() - 1, "one answer a line and one at the beginning: {said}");
    assert_eq!((told[0]["at"].as_u64(), told[0]["moment"]["seq"].as_u64()), (Some(60), Some(59)));
    assert_eq!((told[1]["moment"]["being"].as_str(), told[2]["at"].as_u64()), (Some("judith"), Some(60)));
    assert_eq!((told[3]["id"].as_u64(), &told[3]["watched"][0]["value"]), (Some(7), &Json::Null));
    assert_eq!((told[4]["watched"][0]["value"].as_bool(), told[4]["moment"]["being"].as_str()), (Some(true), Some("bern")));
    assert_eq!(told[5]["watched"][0]["value"], Json::Null);
    assert_eq!(told[6]["value"][0].as_str(), Some("when {\"moment.being\":\"bern\",\"moment.closing\":\"act\"}"));
    assert_eq!(told[7]["at"], told[4]["at"]);
    assert_eq!(told[8]["value"]["court"]["in-session"].as_bool(), Some(true));
    assert_eq!(told[9]["value"]["seq"].as_u64().map(|seq| seq + 1), told[7]["at"].as_u64());
    for (at, expected) in [
        (10, "no model was asked in #"),
        (11, "expected a command, found `bck`; did you mean `back`?"),
        (12, "expected act, refused, failed, stack, changed ADDRESS.quality or when {…} behind `until`, found `changd`"),
        (13, "when.\"moment.closng\": expected something that a moment leaves behind"),
        (14, "expected a JSON string such as \"next\""),
    ] {
        let error = told[at]["error"].as_str().unwrap_or_else(|| panic!("{}", told[at]));
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!((told[15]["moment"]["being"].as_str(), told[15]["n"].as_u64()), (Some("judith"), Some(1)));
}

#[test]
fn a_script_is_tried_line_by_line_in_the_moment_behind_which_one_stands() {
    let terminal = Terminal::with_world("court", 120);
    terminal.write("think.rhai", "fn think(face) {\n  let n = 1;\n  see(\"/court\")\n}\n");
    let lines = [r#""try""#, r#""try think.rhai""#, r#""try nowhere.rhai""#, r#""at 1""#, r#""try""#];
    let said = debug(&terminal, "@bern --at @bern/3+ --json", &lines);
    let told: Vec<Json> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let own = terminal.types("try @bern --at @bern/3 --json").json();
    assert!(own["steps"].as_array().unwrap().iter().all(|step| step["source"] != ""), "{own}");
    assert_eq!(told[1]["value"], own);
    assert_eq!(told[2]["value"], terminal.types("try @bern think.rhai --at @bern/3 --json").json());
    let lines: Vec<&Json> = told[2]["value"]["steps"].as_array().unwrap().iter().map(|step| &step["source"]).collect();
    assert!(lines.contains(&&"let n = 1;".into()), "{lines:?}");
    assert!(told[3]["error"].as_str().unwrap().contains("cannot read `nowhere.rhai`"), "{said}");
    assert!(told[5]["error"].as_str().unwrap().contains("not born"), "{said}");
    let said = debug(&terminal, "@bern --at @bern/3+", &["try think.rhai"]);
    assert!(said.contains("think.rhai:2") && said.contains("let n = 1;"), "{said}");
}

#[test]
fn a_person_steps_by_words() {
    let terminal = Terminal::with_world("court", 120);
    let said = debug(&terminal, "@bern", &["back until act", "where", "next! 9999", "back until refused", "go", "help"]);
    for expected in
        ["court:call-to-order", "there is no later one", "there is none that way", "there is no breakpoint to go to", "until WHAT"]
    {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}
