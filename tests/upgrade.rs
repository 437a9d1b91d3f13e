//! Upgrade: does a plan say what this program would make of a world, and leave the world as it is?

use std::collections::BTreeMap;
use std::path::Path;

use reelm::fact::{Fact, Value};

use super::forge::History;
use super::served::Served;
use super::terminal::Terminal;

/// Every file below a directory, with its bytes, but the one that says who writes there.
pub fn everything(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        if entry.metadata().unwrap().is_dir() {
            let below = everything(&entry.path());
            found.extend(below.into_iter().map(|(name, bytes)| (format!("{}/{name}", entry.file_name().display()), bytes)));
        } else if entry.file_name() != "lock" {
            found.insert(entry.file_name().display().to_string(), std::fs::read(entry.path()).unwrap());
        }
    }
    found
}

#[test]
fn a_plan_computes_the_world_again_on_a_copy_and_touches_nothing() {
    let terminal = Terminal::with_world("court", 40);
    let was = everything(&terminal.path("world"));
    let plan = terminal.types("upgrade --plan --json").json();
    assert_eq!((plan["can"].as_bool(), plan["against"].as_array().map(Vec::len)), (Some(true), Some(0)));
    assert_eq!((plan["spans"][0]["how"].as_str(), plan["spans"][0]["to"].as_u64()), (Some("computed"), plan["frames"].as_u64()));
    assert!(plan["spans"][0]["moments"].as_u64() >= Some(40) && plan["bytes"].as_u64() > Some(1000), "{plan}");
    assert_eq!(plan["rewritten"].as_array().map(Vec::len), Some(0), "{plan}");
    terminal.types("upgrade --plan").says(&["moments computed again, identical", "you can upgrade"]);
    terminal.types("upgrade").says(&["nothing is to be done but to start this program with the world", "--plan"]);
    assert!(everything(&terminal.path("world")) == was);
    let left: Vec<_> = std::fs::read_dir(terminal.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["world"], "the copy is gone");
}

#[test]
fn a_plan_says_what_is_written_anew() {
    let terminal = Terminal::with_world("court", 40);
    let rungs = std::fs::read_dir(terminal.path("world/checkpoints")).unwrap().map(|entry| entry.unwrap().path());
    for rung in rungs {
        // Behind the length and two arrays stands the version of the pages.
        let mut bytes = std::fs::read(&rung).unwrap();
        assert_eq!(bytes[10], 0x18, "a number of one byte, which follows");
        bytes[11] += 1;
        std::fs::write(&rung, bytes).unwrap();
    }
    std::fs::remove_file(terminal.path("world/index/clean")).unwrap();
    terminal
        .types("upgrade --plan")
        .says(&["written anew at the first start: checkpoints (", "written anew at the first start: index (1)"]);
}

#[test]
fn a_plan_is_made_beside_a_world_that_is_served() {
    let served = Served::paused("court");
    served.operator();
    let plan = served.terminal.types("upgrade --plan --json").json();
    assert_eq!((plan["can"].as_bool(), plan["rewritten"].as_array().map(Vec::len)), (Some(true), Some(0)), "{plan}");
}

#[test]
fn frames_of_other_rules_are_only_verified() {
    let terminal = Terminal::new();
    let mut history = History::small();
    let facts = &mut history.moment(0).draft.facts;
    let rules = |fact: &&mut Fact| matches!(fact, Fact::ConfigSet { key, .. } if key.as_ref() == "semantics");
    let Some(Fact::ConfigSet { value, .. }) = facts.iter_mut().find(rules) else { panic!("genesis says its semantics") };
    *value = Value::Int(1).into();
    history.export(&terminal.path("old.reelm"));
    terminal.types("import old.reelm").ok();
    let plan = terminal.types("upgrade --plan --json").json();
    assert_eq!((plan["can"].as_bool(), plan["spans"][0]["how"].as_str()), (Some(true), Some("verified")), "{plan}");
    terminal.types("upgrade --plan").says(&["(semantics 1): they hold, and can only be verified", "you can upgrade"]);
}

#[test]
fn what_does_not_hold_stands_against_it() {
    let terminal = Terminal::with_world("court", 40);
    terminal
        .types("upgrade --plan --data nowhere")
        .fails(1)
        .warns(&["found no directory of that name", "`reelm run SOURCE` makes one there"]);
    let log = terminal.path("world/log/0000000000000000.seg");
    let mut bytes = std::fs::read(&log).unwrap();
    bytes[2000] ^= 1;
    std::fs::write(&log, bytes).unwrap();
    let was = everything(&terminal.path("world"));
    terminal
        .types("upgrade --plan")
        .fails(1)
        .says(&["against it: damage in", "do not upgrade yet"])
        .warns(&["cannot go on with the world"]);
    assert!(everything(&terminal.path("world")) == was);
}

#[test]
fn a_plan_does_not_look_into_archives() {
    let terminal = Terminal::with_world("court", 40);
    terminal.types("archive old.archive --before now").ok();
    terminal.types("run --moments 10 --quiet").ok();
    let plan = terminal.types("upgrade --plan --json").json();
    let how: Vec<_> = plan["spans"].as_array().unwrap().iter().map(|span| span["how"].as_str().unwrap()).collect();
    assert_eq!((how, plan["can"].as_bool()), (vec!["archived", "computed"], Some(true)));
}
