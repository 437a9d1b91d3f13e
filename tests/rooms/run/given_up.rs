//! Given up: what a round that is ended in the middle of its closing leaves: nothing; and what models have said in it is heard all the same.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use reelm::cognition::{Asking, Reply, Request};
use reelm::extension::Package;
use reelm::fact::{Call, Closing, Draft, Thought, Value, simulated};
use reelm::minds::Minds;
use reelm::moment::Terms;
use reelm::role::Spec;
use reelm::source::Source;
use reelm::store::MemoryStore;

use reelm::run::Living;
use reelm::run::{Engine, Next, RoundError};

const MANIFEST: &str = "name = \"x\"\nversion = \"1.0.0\"\ndescription = \"For tests\"\nreelm = \">=0.1\"\nneeds = {}\n\
    [[operation]]\nname = \"op\"\ndescription = \"For tests\"\nscript = \"ops/op.rhai\"\ntouches = [\"actor\"]\n\
    args = { type = \"object\", additionalProperties = false }\n";

/// Ada counts, bob operates on himself, and cyd is a model's; all of them are due each minute.
const WORLD: &str = r#"name = "small"
seed = 1
[config]
"llm.connection" = "tiny"
"llm.tiny" = { base_url = "http://127.0.0.1:9/v1", model = "tiny" }
[[space]]
path = "/hall"
allow = ["**"]
"#;

/// A model that is never asked: what it says is said for it.
struct Mute;

impl Minds for Mute {
    fn ask(&mut self, _: &[Request]) -> Vec<Reply> {
        Vec::new()
    }
}

fn engine(with_model: bool) -> Engine {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("ops")).unwrap();
    std::fs::write(dir.path().join("manifest.toml"), MANIFEST).unwrap();
    std::fs::write(dir.path().join("ops/op.rhai"), "fn run(ctx) { log(\"op\"); [] }").unwrap();
    let minds = [("ada", "script = \"count\""), ("bob", "script = \"operate\""), ("cyd", "cognition = \"llm\"")];
    let beings = minds.iter().take(if with_model { 3 } else { 2 }).map(|(name, mind)| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\n{mind}\n[[being.schedule]]\nname = \"t\"\nevery = \"1m\"\n"
        )
    });
    let mut source = Source::parse(Path::new("."), "world.toml", &(WORLD.to_owned() + beings.collect::<String>().as_str())).unwrap();
    source.extensions.push(Package::load(dir.path()).unwrap());
    source.roles.push(Spec::from_markdown("free.md", "---\nname: free\ncanSee: ['**']\ncanDo: ['**']\n---\nYou are free.\n").unwrap());
    for (name, does) in [("count", "\"quality.inc\", #{ path: \"t.n\" }"), ("operate", "\"x:op\"")] {
        source.scripts.push((name.to_owned(), format!("{name}.rhai"), format!("fn think(face) {{ act(face.me.address, {does}) }}")));
    }
    let (_, id) = simulated(&source.name, 1);
    let mut engine = Living::plant_in(&source, Some(1), Box::new(MemoryStore::new(id)), 1).unwrap().engine;
    engine.asking(Box::new(Mute));
    engine
}

fn at(engine: &Engine) -> i64 {
    let Next::At(at) = engine.next() else { panic!("somebody is due") };
    at
}

fn says() -> Reply {
    let body = r#"{"model":"tiny","choices":[{"finish_reason":"stop","message":{"content":"Hm."}}],"usage":{"total_tokens":7}}"#;
    Reply::of(Asking { status: Some(200), body: Some(body.into()), ..Asking::default() })
}

/// The operator has an operation of the extension refused before its script begins.
fn refused(engine: &mut Engine) -> Draft {
    let operator = engine.world().operator();
    let call = Call::doing("@ada", "x:op", Value::map([("unknown", Value::Int(1))]));
    let now = engine.world().now();
    engine.gesture(operator, call, Terms::default(), now).unwrap().unwrap()
}

#[test]
fn a_round_that_is_given_up_while_it_closes_is_taken_back_and_what_comes_next_is_not_ended() {
    let mut engine = engine(false);
    let (next, before) = (at(&engine), engine.world().hash());
    let mut begun = engine.begin_round(next, &mut |_, _| ()).unwrap();
    let stop = engine.stopping().clone();
    stop.store(true, Ordering::Relaxed);
    let mut closed = 0;
    let ended = engine.end_round(&mut begun, &mut |_, _| closed += 1);
    assert!(matches!(ended, Err(RoundError::Stopped)), "{ended:?}");
    assert_eq!(closed, 1, "ada had closed her moment, and bob had begun to operate");
    assert_eq!((engine.world().hash(), at(&engine)), (before, next));
    assert_eq!(engine.notes(), [""; 0], "what was given up is not told either");
    stop.store(false, Ordering::Relaxed);
    assert!(matches!(refused(&mut engine).closing, Closing::Refused(_)));
    let (mut notes, next) = (Vec::new(), at(&engine));
    engine.round(next, &mut |closed, _| notes.push(closed.notes)).unwrap();
    assert_eq!(notes, [Vec::new(), vec!["op".to_owned()]]);
}

#[test]
fn what_models_have_answered_in_a_round_that_was_given_up_is_closed_after_whoever_got_in() {
    let mut engine = engine(true);
    let next = at(&engine);
    let mut begun = engine.begin_round(next, &mut |_, _| ()).unwrap();
    assert_eq!(begun.requests().len(), 1);
    begun.hear(vec![says()]);
    let before = engine.world().hash();
    let stop: Arc<_> = engine.stopping().clone();
    stop.store(true, Ordering::Relaxed);
    assert!(matches!(engine.end_round(&mut begun, &mut |_, _| ()), Err(RoundError::Stopped)));
    assert_eq!(engine.world().hash(), before);
    stop.store(false, Ordering::Relaxed);
    let got_in = refused(&mut engine).seq;
    let mut drafts = Vec::new();
    engine.end_round(&mut begun, &mut |closed, _| drafts.push(closed.draft)).unwrap();
    let told = drafts.iter().map(|draft| (draft.closing.clone(), matches!(draft.thought, Thought::Model { .. })));
    assert_eq!(told.collect::<Vec<_>>(), [(Closing::Act, false), (Closing::Act, false), (Closing::See, true)]);
    assert!(drafts.iter().all(|draft| draft.seq > got_in && draft.opened < got_in));
}
