//! Anchor: does who kept one see that a history was written anew, even with the right keys?

use std::process::Command;

use serde_json::Value as Json;

use super::kit::copy;
use super::terminal::{Terminal, package};
use super::verifier::python;

#[test]
fn a_tail_that_was_signed_anew_with_the_right_keys_is_found_by_the_anchor_alone() {
    let terminal = Terminal::with_world("court", 60);
    copy(&terminal.path("world"), &terminal.path("other"));
    let begins = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
    terminal.types("do / say '{\"content\":\"I owe you ten\"}'").ok();
    terminal.types("run --moments 40 --quiet").ok();
    let anchored = terminal.types("anchor town.anchor --json").json()["seq"].as_u64().unwrap();
    terminal.types("anchor town.anchor").fails(1).warns(&["choose a name that is not there yet"]);
    // The holder of all keys continues an old copy with another history.
    terminal.types("do / say '{\"content\":\"I owe you nothing\"}' --data other").ok();
    terminal.types("run --moments 60 --quiet --data other").ok();
    terminal.types("verify --data other").says(&["all chains and seals hold"]);
    terminal.types("replay --data other").says(&["identical"]);
    let said = terminal.types("verify --anchor town.anchor --data other --json").fails(3);
    let told: Json = serde_json::from_str(&said.out).unwrap();
    let error = told["error"].as_str().unwrap();
    assert!(error.contains("rewritten after it was anchored, though its seals hold"), "{error}");
    let between: Vec<u64> = error.split("between ").nth(1).unwrap().split(" and ").map(|seq| seq.parse().unwrap()).collect();
    assert!(between[0] <= begins && begins <= between[1], "{begins} is the first that differs, found {error}");

    let holds = format!("the anchor holds: the first {anchored} frames are those that were anchored");
    terminal.types("verify --anchor town.anchor").says(&["all chains and seals hold", &holds]);
    terminal.types("run --moments 40 --quiet").ok();
    terminal.types("verify --anchor town.anchor").says(&["all chains and seals hold", &holds]);
    assert_eq!(terminal.types("verify --anchor town.anchor --json").json()["anchored"], anchored);
    assert!(terminal.types("verify --json").json()["anchored"].is_null());
    terminal.types("export town.reelm").ok();
    terminal.types("verify --file town.reelm --anchor town.anchor").says(&["all chains and seals hold", &holds]);
    if let Some(python) = python() {
        let holds = |file: &str, history: &str| {
            let program = package().join("tests/verifier/anchor.py");
            let output = Command::new(&python).arg(program).args([terminal.path(file), terminal.path(history)]).output().unwrap();
            let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            assert!(!said.contains("Traceback"), "{said}");
            (output.status.success(), said)
        };
        let (is_held, said) = holds("town.anchor", "town.reelm");
        assert!(is_held && said.contains(&format!("the first {anchored} frames")), "{said}");
        assert!(holds("town.anchor", "world").0);
        assert!(!holds("town.anchor", "other").0);
    }
}

#[test]
fn an_anchor_that_was_changed_a_shorter_history_and_another_world_are_named() {
    let terminal = Terminal::with_world("court", 30);
    copy(&terminal.path("world"), &terminal.path("old"));
    terminal.types("run --moments 30 --quiet").ok();
    terminal.types("anchor town.anchor").ok();
    terminal
        .types("verify --anchor town.anchor --data old")
        .fails(3)
        .says(&["the history was longer when it was anchored: it ends before"]);
    terminal.types("run $worlds/dance --moments 30 --quiet --data dance").fails(0);
    terminal.types("verify --anchor town.anchor --data dance").fails(3).says(&["the anchor is of the world"]);
    let text = terminal.read("town.anchor");
    let anchor: Json = serde_json::from_str(&text).unwrap();
    let head = anchor["head"].as_str().unwrap();
    terminal.write("town.anchor", &text.replace(head, &head.chars().rev().collect::<String>()));
    terminal.types("verify --anchor town.anchor").fails(3).says(&["the anchor was changed"]);
    terminal.write("town.anchor", "{}");
    terminal.types("verify --anchor town.anchor").fails(1).warns(&["`town.anchor` is no anchor; `reelm anchor FILE` writes one"]);
    std::fs::write(terminal.path("town.anchor"), [0xff, 0xfe]).unwrap();
    terminal.types("verify --anchor town.anchor").fails(1).warns(&["`town.anchor` is no anchor"]);
}
