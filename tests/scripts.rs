//! Scripts: what a script may take, how a stop ends it, what it says to whoever watches, and what it may see.

use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use reelm::fact::{Call, Closing, Code, Draft, Value, Verb};
use reelm::past::{Report, has_sentence, retell};
use reelm::run::{Course, Measures, Pace, Reins, Stopped, Until};
use reelm::script::{Host, Limits, Program, Sandbox, ScriptError, Stream};
use reelm::source::Source;

use serde_json::json;

use super::kit::{Small, args, source};
use super::served::Served;
use super::terminal::Terminal;

/// As it was found: a callback within a callback, which the engine's own count passed by.
const NESTED: &str = "let a = []; a.pad(1900, 0); a.filter(|x| { let b = []; b.pad(1900, 0); b.filter(|y| { let c = []; c.pad(1900, 0); c.filter(|z| true); true }); true });";

pub const HALL: &str = "[[space]]\npath = \"/hall\"\nallow = [\"**\"]\n";

pub fn being(name: &str, role: &str, script: &str) -> String {
    format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"{role}\"\nscript = \"{script}\"\n")
}

/// An extension `x` that has one operation and one resolver.
pub const MANIFEST: &str = "name = \"x\"\nversion = \"1.0.0\"\ndescription = \"For tests\"\nreelm = \">=0.1\"\nneeds = {}\n\
    [[operation]]\nname = \"op\"\ndescription = \"For tests\"\nscript = \"ops/op.rhai\"\ntouches = [\"actor\"]\nargs = { type = \"object\" }\n\
    [[resolver]]\nname = \"res\"\nscript = \"resolvers/res.rhai\"\n";

/// A world with it, and a role that sees by it.
pub fn world(beings: &str, mind: &str, operation: &str, resolver: &str) -> Source {
    let dir = tempfile::tempdir().unwrap();
    ["roles", "ops", "resolvers"].iter().for_each(|folder| std::fs::create_dir(dir.path().join(folder)).unwrap());
    let role = "---\nname: looker\ncanSee: ['**']\ncanDo: ['**']\nsee: ['x:res']\ntriggerOn: [message, signal, schedule, watch]\n---\n\nYou look.\n";
    for (file, text) in
        [("manifest.toml", MANIFEST), ("ops/op.rhai", operation), ("resolvers/res.rhai", resolver), ("roles/looker.md", role)]
    {
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    let mut source = source(&format!("{HALL}{beings}"));
    source.extensions.push(reelm::extension::Package::load(dir.path()).unwrap_or_else(|error| panic!("{error}")));
    source.scripts.push(("mind".to_owned(), "scripts/mind.rhai".to_owned(), mind.to_owned()));
    source
}

const IDLE: &str = "fn think(face) { () }";
pub const ACTS: &str = "fn think(face) { act(face.me.address, \"x:op\") }";
pub const NO_OP: &str = "fn run(ctx) { [] }";
pub const NO_RES: &str = "fn resolve(face) { 1 }";

fn woken(source: &Source, names: &[&str]) -> Small {
    let mut small = Small::grow(source, 1, 1);
    for name in names {
        small.living().act("operator", Call::summon(&format!("@{name}"), args(r#"{"content":"go"}"#))).unwrap();
    }
    small
}

fn reason(draft: &Draft) -> String {
    draft.closing.reason().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn a_script_that_never_ends_ends_as_a_limit_in_each_place_where_a_script_may_stand() {
    let ada = being("ada", "free", "mind");
    let never = |function: &str| format!("fn {function} {{ {NESTED} }}");
    let limit = "script-limit-operations at";
    let mut mind = woken(&world(&ada, &never("think(face)"), NO_OP, NO_RES), &["ada"]);
    mind.run("100ms");
    assert!(reason(&mind.reel("ada").pop().unwrap()).starts_with(limit));
    let mut operation = woken(&world(&ada, ACTS, &never("run(ctx)"), NO_RES), &["ada"]);
    operation.run("100ms");
    let refused = operation.reel("ada").pop().unwrap();
    assert!(matches!(refused.closing, Closing::Refused(_)) && reason(&refused).starts_with(limit), "{:?}", refused.closing);
    let mut resolver = woken(&world(&being("ada", "x:looker", "mind"), IDLE, NO_OP, &never("resolve(face)")), &["ada"]);
    resolver.run("100ms");
    assert!(reason(&resolver.reel("ada").pop().unwrap()).starts_with(limit));
    for small in [mind, operation, resolver] {
        assert!(small.replay().unwrap().difference.is_none());
    }
}

#[test]
fn a_measure_that_never_ends_is_a_fault_of_the_source_and_says_where() {
    let text = format!("[[measure]]\nname = \"ever\"\nvalue = '{NESTED} 1'\nevery = \"1m\"\n");
    let mut measures = Measures::new(&reelm::source::MeasureList::of_source(&source(&text))).unwrap();
    let error = measures.end(&Small::plant(HALL).world()).unwrap_err();
    let whole = format!("{error}: {:?}", std::error::Error::source(&error).map(ToString::to_string));
    assert!(whole.contains("`ever`") && whole.contains("script-limit-operations"), "{whole}");
}

#[test]
fn resolvers_and_the_mind_of_one_moment_share_one_bound() {
    let half = "for i in 0..9000 { }";
    let looker = being("ada", "x:looker", "mind");
    let runs = |mind: &str, resolver: &str| {
        let source = world(&looker, &format!("fn think(face) {{ {mind} () }}"), NO_OP, &format!("fn resolve(face) {{ {resolver} 1 }}"));
        let mut small = woken(&source, &["ada"]);
        small.run("100ms");
        small.reel("ada").pop().unwrap().closing
    };
    let whole = format!("{half} {half} {half}");
    assert_eq!((runs(&whole, ""), runs("", &whole)), (Closing::See, Closing::See));
    assert!(matches!(runs(&whole, &whole), Closing::Failed(reason) if reason.code == Code::ScriptLimitOperations));
}

/// Stops a run in the middle of its second round, from another thread; what was sealed until then, and what is there afterwards.
fn stopped(source: &Source) -> (usize, Vec<Draft>, Small) {
    let names = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"];
    let mut small = woken(source, &names);
    let sealed = small.shelf.frames().len();
    let reins = Reins::default();
    let (tell, told) = mpsc::channel::<()>();
    let stopper = std::thread::spawn({
        let reins = reins.clone();
        // The first round is over when this is heard; the others take as long as they may.
        move || told.recv().is_ok() && !reins.stop()
    });
    let mut watch = |_: &Report| {
        let _ = tell.send(());
    };
    let course = Course { pace: Pace::Virtual, until: Until::default(), reins: &reins, watch: Some(&mut watch), measures: None };
    let ran = small.living().run(course).unwrap();
    assert_eq!(ran.stopped, Stopped::Told);
    assert!(stopper.join().unwrap());
    let frames: Vec<Draft> = small.shelf.frames().iter().map(|frame| frame.draft().clone()).skip(sealed).collect();
    (names.len(), frames, small)
}

fn whole_rounds((beings, frames, mut small): (usize, Vec<Draft>, Small)) {
    assert!(!frames.is_empty() && frames.len().is_multiple_of(beings), "{}", frames.len());
    assert!(frames.iter().all(|draft| draft.closing.reason().is_none_or(|reason| reason.code != Code::ScriptEngine)));
    // The world in memory is the world on disk, and goes on from there.
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
    assert!(small.replay().unwrap().difference.is_none());
}

fn eight(script: &str) -> String {
    (1..=8).map(|n| being(&format!("a{n}"), "tireless", script)).collect()
}

#[test]
fn a_stop_ends_the_scripts_of_minds_and_leaves_no_frame_of_their_round() {
    let mind = "fn think(face) { loop { let a = []; a.pad(1900, 0); a.map(|x| x); } }";
    whole_rounds(stopped(&world(&eight("mind"), mind, NO_OP, NO_RES)));
}

#[test]
fn a_stop_ends_the_scripts_of_resolvers_and_leaves_no_frame_of_their_round() {
    let resolver = "fn resolve(face) { loop { let a = []; a.pad(1900, 0); a.map(|x| x); } }";
    let lookers: String = (1..=8).map(|n| being(&format!("a{n}"), "x:looker", "mind")).collect();
    whole_rounds(stopped(&world(&lookers, IDLE, NO_OP, resolver)));
}

#[test]
fn a_stop_ends_the_scripts_of_operations_and_takes_back_what_was_closed_of_their_round() {
    let beings: String = (1..=8).map(|n| being(&format!("a{n}"), "free", "mind")).collect();
    // It wakes itself again, and its operation never ends.
    let mind = r#"fn think(face) { if face.time.sinceLastMoment < 0 { return (); } act(face.me.address, "x:op") }"#;
    let operation = "fn run(ctx) { loop { let a = []; a.pad(1900, 0); a.map(|x| x); } }";
    let source = world(&beings, mind, operation, NO_RES);
    let mut small = woken(&source, &["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"]);
    let sealed = small.shelf.frames().len();
    let reins = Reins::default();
    // Before the first round has closed there is nothing to watch: the stop comes while operations run, or before.
    let stopper = std::thread::spawn({
        let reins = reins.clone();
        move || reins.stop()
    });
    let course = Course { pace: Pace::Virtual, until: Until::default(), reins: &reins, watch: None, measures: None };
    let ran = small.living().run(course).unwrap();
    stopper.join().unwrap();
    assert_eq!(ran.stopped, Stopped::Told);
    let frames = small.shelf.frames().len() - sealed;
    assert!(frames.is_multiple_of(8), "{frames}");
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
}

/// Pulls the flag from inside of a script.
struct Pulls(Arc<std::sync::atomic::AtomicBool>);

impl Host for Pulls {
    fn ask(&self, _: &str, _: Vec<Value>) -> Result<Value, String> {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
        Ok(Value::Null)
    }
}

#[test]
fn a_flag_ends_a_script_that_has_all_the_steps_of_the_world_whatever_it_catches() {
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let mut sandbox = Sandbox::heeding(Limits { operations: u64::MAX, ..Limits::default() }, stop.clone());
    for body in ["space(); loop { }", "try { space(); loop { } } catch { 1 }", "[1].map(|x| { space(); loop { } })", "space(); 1"] {
        stop.store(false, std::sync::atomic::Ordering::Relaxed);
        let text = format!("fn think(face) {{ {body} }}");
        let program = Program { hash: reelm::fact::Hash::of(text.as_bytes()), file: "t.rhai".into(), source: text.as_str().into() };
        sandbox.begin();
        let stream = Stream::of(&[1; 32], "ada", 0, "think");
        let ended = sandbox.call(&program, "think", vec![Value::Null], Arc::new(Pulls(stop.clone())), stream);
        assert!(matches!(ended, Err(ScriptError::Stopped { .. })), "{body}: {ended:?}");
    }
}

#[test]
fn what_a_script_throws_and_logs_is_told_to_whoever_watches_and_stands_in_no_frame() {
    let mind = "fn think(face) {\n  log(`canary ${face.me.name}`);\n  print([1, \"two\"]);\n  throw \"thrown canary\";\n}";
    let mut small = woken(&world(&being("ada", "free", "mind"), mind, NO_OP, NO_RES), &["ada"]);
    let before = small.world();
    let heard = Mutex::new(Vec::new());
    small.watch("100ms", &mut |report: &Report| heard.lock().unwrap().push((report.notes.clone(), report.to_string())));
    let draft = small.reel("ada").pop().unwrap();
    // A name and a place are told once, and nothing else is sealed.
    assert_eq!(reason(&draft), "script-throw at `scripts/mind.rhai:4`");
    let frames = small.shelf.frames();
    let is_told = |frame: &reelm::fact::Frame| frame.draft().seq >= before.next_seq() && format!("{:?}", frame.draft()).contains("canary");
    assert!(!frames.iter().any(is_told));
    let (notes, line) = heard.lock().unwrap().first().cloned().unwrap();
    assert_eq!(notes[..2], ["canary ada".to_owned(), "[1, \"two\"]".to_owned()]);
    assert!(notes[2].contains("scripts/mind.rhai:4") && notes[2].contains("thrown canary"), "{notes:?}");
    assert_eq!(line.matches("script-throw").count(), 2, "once in the reason, once in the engine's sentence: {line}");
    // Later it is told by running the moment again, to the same word.
    let first = frames.iter().map(reelm::fact::Frame::draft).find(|draft| has_sentence(draft)).unwrap();
    assert_eq!(retell(first, &before, &before).notes, notes);
}

#[test]
fn run_log_and_explain_tell_why_a_script_failed_and_what_it_logged() {
    let terminal = Terminal::new();
    let world = format!("name = \"small\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n{HALL}{}", being("ada", "narrow", "fail"));
    terminal.write("src/world.toml", &format!("{world}[[being.schedule]]\nname = \"t\"\nevery = \"20m\"\n"));
    terminal.write("src/roles/narrow.md", "---\nname: narrow\ncanSee: ['**']\ncanDo: ['quality.inc']\n---\nYou are narrow.\n");
    terminal.write("src/scripts/fail.rhai", "fn think(face) {\n  log(\"canary\");\n  face.me.nothing()\n}");
    let sentence = "Function not found: nothing";
    let ran = terminal.types("run src --for 30m --raw").says(&["| canary", sentence]).out;
    let line = ran.lines().find(|line| line.contains("script-unknown-function")).unwrap();
    let seq = line.trim_start_matches('#').split(' ').next().unwrap().to_owned();
    terminal.types("log --raw @ada").says(&["| canary", sentence]);
    terminal.types(&format!("explain {seq}")).says(&[
        "its scripts said",
        "canary",
        sentence,
        "script-unknown-function at `scripts/fail.rhai:3`",
    ]);
    let told = terminal.types(&format!("explain {seq} --json")).json();
    assert_eq!(told["report"]["notes"][0], "canary");
}

#[test]
fn what_a_role_does_not_show_is_nothing_and_the_reason_has_a_name() {
    let mind = r#"fn think(face) {
        let seen = [see("/hall"), see("/other"), see("/nowhere"), see("no address")].map(|one| one != ());
        let why = [why_not("/hall"), why_not("/other"), why_not("/nowhere"), why_not("no address")];
        act(face.me.address, "quality.set", #{ path: "t.seen", value: [seen, why] })
    }"#;
    let mut source = world(&format!("[[space]]\npath = \"/other\"\n{}", being("ada", "narrow", "mind")), mind, NO_OP, NO_RES);
    let role =
        "---\nname: narrow\ncanSee: ['/hall']\ncanDo: ['**']\ntriggerOn: [message, signal, schedule, watch]\n---\n\nYou are narrow.\n";
    source.roles.push(reelm::role::Spec::from_markdown("narrow.md", role).unwrap());
    let mut small = woken(&source, &["ada"]);
    small.run("100ms");
    assert_eq!(small.quality("ada", "t.seen").to_string(), r#"[[true,false,false,false],[null,"gate-role","not-found","bad-address"]]"#);
    assert_eq!(small.reel("ada").pop().unwrap().call.unwrap().verb, Verb::Do);
}

#[test]
fn a_comparer_that_contradicts_itself_sorts_somehow_and_panics_nowhere() {
    let mind = r#"fn think(face) {
        let a = []; for i in 0..101 { a.push((i * 37) % 101); }
        let b = a.order(|x, y| if x % 3 == y % 2 { 1 } else { -1 });
        let c = a.order(|x, y| true);
        a.sort();
        act(face.me.address, "quality.set", #{ path: "t.n", value: [b.len(), c.len(), a[0], a[100], ["b", "a"].order()[0], [2, 1.5].order()[0]] })
    }"#;
    let mut small = woken(&world(&being("ada", "free", "mind"), mind, NO_OP, NO_RES), &["ada"]);
    small.run("100ms");
    assert_eq!(small.quality("ada", "t.n").to_string(), r#"[101,101,0,100,"a",1.5]"#);
}

#[test]
fn while_scripts_that_never_end_run_the_operator_gets_in_and_a_stop_is_heard() {
    let terminal = Terminal::new();
    let loopers: String =
        (0..6).map(|n| being(&format!("b{n}"), "narrow", "ever") + "[[being.schedule]]\nname = \"t\"\nevery = \"1s\"\n").collect();
    terminal.write("w/world.toml", &format!("name = \"w\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n{HALL}{loopers}"));
    terminal.write("w/roles/narrow.md", "---\nname: narrow\ncanSee: ['**']\n---\nYou are narrow.\n");
    terminal.write("w/scripts/ever.rhai", &format!("fn think(face) {{ {NESTED} }}"));
    let served = Served::begin(terminal, "serve w --port 0 --pace 60 --json");
    let operator = served.operator();
    for value in 0..3 {
        let set = json!({ "target": "/", "action": "signal.set", "args": { "path": "a.b", "value": value } });
        assert_eq!(served.post(&operator, "/api/do", set).ok()["closing"], "act");
    }
    assert_eq!(served.get(&operator, "/health").status, 200);
    served.stop().types("verify").fails(0);
}
