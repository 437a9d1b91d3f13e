//! Press: a round that runs is given up for a stop, and for an operator who waits: nothing of it is kept, and nothing after it is lost.

use std::collections::BTreeMap;

use reelm::fact::{Closing, Value, parse_duration};
use reelm::past::Report;
use reelm::run::{Course, Measures, Pace, Reins, Stopped, Until};

use serde_json::json;

use super::kit::{self, Shelf, Small, args, code, source};
use super::scripts::{ACTS, HALL, MANIFEST, NO_OP, NO_RES, being, world};
use super::served::Served;
use super::terminal::Terminal;

/// Each of them takes all the steps that it may: so many take seconds on one thread, many times the patience of who waits.
fn loopers() -> usize {
    kit::size(300, 1500)
}

const LOOP: &str = "loop { let a = []; a.pad(1900, 0); a.map(|x| x); }";

/// A world on disk with many beings that are all due at the same instants.
fn crowded(mind: &str, operation: &str) -> Terminal {
    let terminal = Terminal::new();
    let due = "[[being.schedule]]\nname = \"t\"\nevery = \"1s\"\n";
    let loopers: String = (0..loopers()).map(|n| being(&format!("b{n}"), "able", "mind") + due).collect();
    terminal
        .write("w/world.toml", &format!("name = \"w\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\nextensions = [\"x\"]\n{HALL}{loopers}"));
    terminal.write("w/roles/able.md", "---\nname: able\ncanSee: ['**']\ncanDo: ['**']\n---\nYou are able.\n");
    terminal.write("w/scripts/mind.rhai", mind);
    terminal.write("w/extensions/x/manifest.toml", MANIFEST);
    terminal.write("w/extensions/x/ops/op.rhai", operation);
    terminal.write("w/extensions/x/resolvers/res.rhai", NO_RES);
    terminal
}

/// The operator pauses the hall in which everybody loops, once they do: had their round closed first, it would stand in the log.
fn gets_in(mind: &str, operation: &str) {
    let served = Served::begin(crowded(mind, operation), "serve w --port 0 --pace 60 --threads 1 --json");
    let operator = served.operator();
    // Nobody else closes any moment in between.
    let mut next = None;
    let mut acts = |action: &str| {
        let done = served.post(&operator, "/api/do", json!({ "target": "/hall", "action": action, "args": {} })).ok();
        assert_eq!(done["closing"], "act", "{done}");
        let seq = done["seq"].as_u64().unwrap();
        assert_eq!(next.replace(seq + 1).unwrap_or(seq), seq);
    };
    acts("pause.set");
    // A request that came before its round has not waited for it.
    while !served.terminal.read("server.log").contains("a round was given up") {
        acts("pause.end");
        acts("pause.set");
    }
    acts("pause.set");
    let terminal = served.stop();
    let log = terminal.types("log --raw").ok();
    let theirs: Vec<&str> = log.lines().filter(|line| line.split(' ').nth(3).is_some_and(|name| name.starts_with("@b"))).collect();
    assert_eq!(theirs, [""; 0]);
    terminal.types("verify").fails(0);
    terminal.types("replay").fails(0).says(&["identical"]);
}

#[test]
fn an_operator_gets_in_while_hundreds_of_minds_never_end_and_their_round_has_not_begun() {
    gets_in(&format!("fn think(face) {{ {LOOP} }}"), NO_OP);
}

#[test]
fn an_operator_gets_in_while_hundreds_of_operations_never_end_and_their_round_is_taken_back() {
    gets_in(ACTS, &format!("fn run(ctx) {{ {LOOP} }}"));
}

#[test]
fn a_stop_between_thinking_and_closing_takes_back_what_had_closed_and_the_world_goes_on_from_there() {
    // Bob's model is not asked, for want of a budget: that is told before the others close. Ada closes, and cyd's operation is ended.
    let beings = [("ada", "script = \"count\""), ("bob", "cognition = \"llm\""), ("cyd", "script = \"mind\"")].map(|(name, mind)| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"deaf\"\n{mind}\n[[being.schedule]]\nname = \"t\"\nevery = \"10m\"\n"
        )
    });
    let config = "[config]\n\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }\n\
        \"llm.budget\" = { hour = { calls = 0 } }\n";
    let mut source = world(&beings.concat(), ACTS, NO_OP, NO_RES);
    source.config.extend(super::kit::source(config).config);
    let mut small = Small::grow(&source, 1, 1);
    let planted = small.shelf.frames().len();
    let reins = Reins::default();
    let mut told = Vec::new();
    let mut watch = |report: &Report| {
        told.push(report.being.to_string());
        reins.stop();
    };
    let course = Course { pace: Pace::Virtual, until: Until::default(), reins: &reins, watch: Some(&mut watch), measures: None };
    assert_eq!(small.living().run(course).unwrap().stopped, Stopped::Told);
    assert_eq!(told, ["bob"], "nobody hears of what was taken back");
    let frames: Vec<_> = small.shelf.frames().into_iter().skip(planted).collect();
    assert_eq!(frames.iter().map(|frame| code(frame.draft())).collect::<Vec<_>>(), ["budget"]);
    let hash = small.world().hash();
    assert_eq!(small.quality("ada", "t.n"), Value::Null);
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    small.run("1m");
    assert_eq!(small.quality("ada", "t.n"), Value::Int(1));
    assert!(small.reel("cyd").iter().any(|draft| draft.closing == Closing::Act));
    assert!(small.replay().unwrap().difference.is_none());
}

/// Waits until something has been sealed, and stops the run.
fn stop_after(shelf: &Shelf, sealed: usize, reins: &Reins) {
    kit::until("something is sealed", || shelf.frames().len() > sealed);
    reins.stop();
}

#[test]
fn a_stop_ends_measures_that_take_long_and_no_sample_is_taken_twice_or_left_out() {
    // Once she has counted, the second measure takes minutes for the samples of a day; until the operator sets her back.
    let long = "if sum(\"t.n\") > 0.0 { let n = 0; for i in 0..150000 { n += i; } } beings()";
    let measure = |name: &str, value: &str| format!("[[measure]]\nname = \"{name}\"\nvalue = '{value}'\nevery = \"1m\"\n");
    let table = "[[table]]\nname = \"t\"\ncolumns = [\"me.name\"]\nevery = \"1m\"\n";
    let measured = [measure("short", "beings()"), measure("long", long), table.to_owned()].concat();
    // With a round that is due, and with none: then the world comes to its end.
    for schedule in ["[[being.schedule]]\nname = \"t\"\nevery = \"1d\"\n", ""] {
        let source = source(&format!("[[being]]\nname = \"ada\"\nrole = \"free\"\nscript = \"count\"\n{schedule}{measured}"));
        let mut small = Small::grow(&source, 1, 1);
        small.act("operator", reelm::fact::Call::summon("@ada", args(r#"{"content":"go"}"#)));
        let until = || Until { instant: Some(source.start + parse_duration("2d").unwrap()), ..Until::default() };
        let mut taken: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        let mut take = |name: &str, at: i64| taken.entry(name.to_owned()).or_default().push((at - source.start) / 60_000);
        for is_stopped in [true, false] {
            let (reins, mut measures) = (Reins::default(), Measures::new(&reelm::source::MeasureList::of_source(&source)).unwrap());
            let (shelf, sealed) = (small.shelf.clone(), small.shelf.frames().len());
            std::thread::scope(|scope| {
                if is_stopped {
                    scope.spawn(|| stop_after(&shelf, sealed, &reins));
                }
                let course = Course { pace: Pace::Virtual, until: until(), reins: &reins, watch: None, measures: Some(&mut measures) };
                let ran = small.living().run(course).unwrap();
                assert_eq!(ran.stopped == Stopped::Told, is_stopped);
            });
            measures.samples.iter().for_each(|sample| take(&sample.measure, sample.at));
            measures.tables().flat_map(|table| &table.rows).for_each(|row| take("rows", row.at));
            small.operate("@ada", "quality.set", args(r#"{"path":"t.n","value":-9}"#));
        }
        let every: Vec<i64> = (0..=2 * 24 * 60).collect();
        assert_eq!(taken, ["long", "rows", "short"].map(|name| (name.to_owned(), every.clone())).into());
    }
}
