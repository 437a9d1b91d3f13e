//! Rehearse: does a script that is tried in a moment of the past do there what it would have done, and is nothing written?

use reelm::fact::{Hash, Value};
use reelm::past::History;
use reelm::script::{Host, Limits, Program, Sandbox, Stream};
use std::sync::Arc;

use super::checkpoint::files;
use super::terminal::Terminal;

/// All that lies in a world, by name.
pub fn bytes(terminal: &Terminal) -> Vec<(String, Vec<u8>)> {
    let dir = terminal.path("world");
    let log = std::fs::read_dir(dir.join("log")).unwrap().map(|entry| entry.unwrap().path());
    let files = log.chain(files(&dir)).chain([dir.join("world.toml")]);
    let mut all: Vec<(String, Vec<u8>)> = files.map(|file| (file.display().to_string(), std::fs::read(&file).unwrap())).collect();
    all.sort();
    all
}

#[test]
#[ignore = "long: every fifth moment of a script, thought again"]
fn ones_own_script_does_in_each_recorded_moment_what_it_did() {
    let terminal = Terminal::with_world("skateco", 300);
    let was = bytes(&terminal);
    let history = History::of(&terminal.path("world")).unwrap();
    let mut drafts = Vec::new();
    let world = history.fold(0, None, |frame, _| drafts.push(frame.draft().clone())).unwrap();
    let mut tried = 0;
    for draft in drafts.iter().filter(|draft| draft.cognition.word() == "script" && draft.opened == draft.seq).step_by(5) {
        let name = &world.being(draft.being).unwrap().name;
        let told = terminal.types(&format!("try @{name} --at @{name}/{} --json", draft.n)).json();
        assert_eq!(told["opened"].as_u64(), Some(draft.opened), "{told}");
        for key in ["deed", "closing", "reason", "place", "stack"] {
            assert_eq!(told["moment"][key], told["recorded"][key], "{key} of @{name}/{}", draft.n);
        }
        assert_eq!(told["facts"], serde_json::to_value(&draft.facts).unwrap(), "@{name}/{}", draft.n);
        tried += 1;
    }
    assert!(tried > 3, "{tried}");
    // A moment that opened before others of its round closed is tried on the world on which it opened, by whichever seq it is named.
    let mut apart = drafts.iter().filter(|draft| draft.cognition.word() == "script" && draft.opened < draft.seq).step_by(3).peekable();
    assert!(apart.peek().is_some());
    for draft in apart {
        let name = &world.being(draft.being).unwrap().name;
        let told = terminal.types(&format!("try @{name} --at {} --json", draft.seq)).json();
        assert_eq!(told["opened"].as_u64(), Some(draft.opened), "{told}");
        for key in ["deed", "closing", "reason", "stack"] {
            assert_eq!(told["moment"][key], told["recorded"][key], "{key} of @{name}/{}", draft.n);
        }
    }
    assert_eq!(bytes(&terminal), was, "nothing is written");
}

#[test]
fn another_script_is_seen_statement_by_statement_and_judged() {
    let terminal = Terminal::with_world("court", 120);
    terminal.write(
        "think.rhai",
        "fn think(face) {\n  let n = 1;\n  for i in 0..2 {\n    n += twice(i);\n  }\n  let bag = [n];\n  bag.push(7);\n  act(\"/\", \"fly\")\n}\nfn twice(x) {\n  let two = 2;\n  x * two\n}\n",
    );
    let told = terminal.types("try @judith think.rhai --at @judith/3 --json").json();
    let steps: Vec<(u64, u64, String)> = told["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["line"].as_u64().unwrap(), step["depth"].as_u64().unwrap(), step["changed"].to_string()))
        .collect();
    let has = |line: u64, changed: &str| steps.iter().any(|(at, _, told)| *at == line && told == changed);
    assert!(has(2, r#"{"n":"1"}"#) && has(4, r#"{"n":"3"}"#) && has(6, r#"{"bag":"[3]"}"#) && has(7, r#"{"bag":"[3,7]"}"#), "{steps:?}");
    assert!(steps.iter().any(|(line, depth, told)| (*line, *depth) == (11, 1) && told == r#"{"two":"2"}"#), "{steps:?}");
    let line = |line: u64| told["steps"].as_array().unwrap().iter().find(|step| step["line"] == line).unwrap()["source"].clone();
    assert_eq!((line(2), line(4), line(11)), ("let n = 1;".into(), "n += twice(i);".into(), "let two = 2;".into()), "{told}");
    assert_eq!((told["moment"]["closing"].as_str(), told["moment"]["action"].as_str()), (Some("refused"), Some("fly")), "{told}");
    assert!(told["taken"].as_u64().unwrap() > 8 && told["most"].as_u64() == Some(50_000), "{told}");
    terminal.types("try @judith think.rhai --at @judith/3").says(&[
        "think.rhai:6",
        "let bag = [n];",
        "bag.push(7);",
        "bag = [3,7]",
        "would be #",
        "! refused",
        "was #",
    ]);
    // A long line is cut.
    let long = format!("let text = \"{}\";", "x".repeat(90));
    terminal.write("long.rhai", &format!("fn think(face) {{\n\t{long}\n  ()\n}}\n"));
    let told = terminal.types("try @judith long.rhai --at @judith/3 --json").json();
    let step = told["steps"].as_array().unwrap().iter().find(|step| step["line"] == 2).unwrap();
    let cut = step["source"].as_str().unwrap();
    assert!(cut.chars().count() == 80 && cut.ends_with('…') && long.starts_with(cut.trim_end_matches('…')), "{told}");
    // A draw gives what it gave then; a loop without an end is told in a bounded way, and what it came to.
    terminal.write("loop.rhai", "fn think(face) {\n  let n = 0;\n  loop {\n    n += 1;\n  }\n}\n");
    let told = terminal.types("try @judith loop.rhai --at @judith/3 --json").json();
    assert_eq!(
        (told["moment"]["closing"].as_str(), told["moment"]["reason"]["code"].as_str()),
        (Some("failed"), Some("script-limit-operations"))
    );
    assert!(told["steps"].as_array().unwrap().len() == 500 && told["leftOut"].as_u64().unwrap() > 100, "{}", told["leftOut"]);
}

#[test]
fn of_a_mind_in_the_world_toml_the_lines_are_shown_that_stand_there() {
    let terminal = Terminal::new();
    terminal.types("new café").ok();
    terminal.types("run café --for 1h --quiet").ok();
    let tried = terminal.types("try @theo --at @theo/3").ok();
    assert!(tried.contains("if wake.kind") && !tried.contains("fn think(face)"), "{tried}");
}

#[test]
fn what_cannot_be_tried_says_why() {
    let terminal = Terminal::with_world("court", 60);
    terminal.write("bad.rhai", "fn think(face) {\n  let a = ;\n}\n");
    terminal.types("try @judith bad.rhai --at 60").fails(1).warns(&["bad.rhai:2:11: not a script"]);
    terminal.write("other.rhai", "fn other() { 1 }\n");
    terminal.types("try @judith other.rhai").fails(1).warns(&["other.rhai: expected a function `think` of 1 arguments"]);
    terminal.types("try @judith no.rhai").fails(1).warns(&["cannot read `no.rhai`"]);
    terminal.types("try @judit").fails(1).warns(&["there is no being `@judit` in this world; did you mean `@judith`?"]);
    terminal.types("try @judith --at 3").fails(1).warns(&["the being is not born at that point"]);
    terminal.types("try @operator --at 5").fails(1).warns(&["@operator does not think by a script in this moment (it is human)"]);
}

#[test]
fn a_script_that_is_watched_takes_what_it_takes_unwatched() {
    struct Deaf;
    impl Host for Deaf {
        fn ask(&self, what: &str, _: Vec<Value>) -> Result<Value, String> {
            Err(what.to_owned())
        }
    }
    let source = "fn think(n) { let a = []; for i in 0..n { a.push(half(i)); } if a.len() > 3 { a.map(|x| x + 1) } else { a } }\nfn half(i) { let h = i / 2; h }";
    let program = Program { hash: Hash::of(source.as_bytes()), file: "t.rhai".into(), source: source.into() };
    for n in 0..9 {
        let took = |mut sandbox: Sandbox| {
            sandbox.begin();
            let said = sandbox.call(&program, "think", vec![Value::Int(n)], Arc::new(Deaf), Stream::of(&[1; 32], "ada", 0, "think"));
            (said, sandbox.spent())
        };
        assert_eq!(took(Sandbox::stepping(Limits::default())), took(Sandbox::new(Limits::default())), "{n}");
    }
}
