//! Foresee: does one read before one publishes what the last day would have come to?

use serde_json::{Value, json};

use super::kit;
use super::served::{Person, Served};
use super::terminal::{Terminal, package};

/// A role of the world, as a value.
fn role(served: &Served, person: &Person, name: &str) -> Value {
    served.get(person, &format!("/api/roles/{name}")).ok()["role"].clone()
}

/// What the server foresees, once it had the time for all of it: a busy machine may need several attempts.
fn foresee(served: &Served, person: &Person, draft: &Value) -> Value {
    let mut told = Value::Null;
    kit::until("all is lived", || {
        told = served.post(person, "/api/foresee", draft.clone()).ok();
        told["isWhole"] == true
    });
    told
}

fn without(role: &Value, operation: &str) -> Value {
    let mut role = role.clone();
    role["canDo"].as_array_mut().unwrap().retain(|rule| !rule.to_string().contains(operation));
    role
}

/// How many moments of a being did an operation.
fn done(served: &Served, person: &Person, being: &str, action: &str) -> u64 {
    served.get(person, &format!("/api/moments?being={being}&action={action}&closing=act&limit=500")).ok()["moments"]
        .as_array()
        .unwrap()
        .len() as u64
}

#[test]
fn taking_an_operation_away_says_whose_deeds_would_be_refused() {
    let served = Served::begin(Terminal::with_world("skateco", 500), "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let presser = role(&served, &operator, "skateco:presser");
    let told = foresee(&served, &operator, &json!({ "roles": { "skateco:presser": without(&presser, "skateco:operate-press") } }));
    let pressed = done(&served, &operator, "ada", "skateco:operate-press");
    assert!(pressed > 3, "{pressed}");
    let deed = &told["deeds"][0];
    assert_eq!(
        (deed["being"].as_str(), deed["all"].as_u64(), deed["refused"].as_u64()),
        (Some("ada"), Some(pressed), Some(pressed)),
        "{told}"
    );
    let sentence = deed["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("Ada ") && sentence.ends_with(": all would be refused."), "{sentence}");
    assert_eq!(told["sentences"].as_array().unwrap().last().unwrap(), "Nobody else would do otherwise.", "{told}");
    // It leads to the first of them.
    let first = served.get(&operator, &format!("/api/moment/{}", deed["first"])).ok();
    assert_eq!(
        (first["report"]["being"].as_str(), first["report"]["action"].as_str()),
        (Some("ada"), Some("skateco:operate-press")),
        "{first}"
    );
    assert_eq!((told["isWhole"].as_bool(), told["failed"].as_u64(), told["worn"].as_u64()), (Some(true), Some(0), Some(0)));
    // As it is, nothing would be otherwise; and nothing was sealed.
    let same = foresee(&served, &operator, &json!({ "roles": { "skateco:presser": presser } }));
    assert_eq!((same["deeds"].as_array().unwrap().len(), &same["sentences"]), (0, &json!(["Nobody would do otherwise."])), "{same}");
    assert_eq!(same["moments"], told["moments"]);
}

#[test]
fn another_flow_says_what_would_be_worn_and_a_space_bounds_a_role() {
    let served = Served::begin(Terminal::with_world("skateco", 400), "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let told = foresee(&served, &operator, &json!({ "being": "@ada", "flow": [{ "role": "skateco:off-duty" }] }));
    assert!(told["worn"].as_u64() > Some(9) && told["otherwise"].as_u64() > Some(9), "{told}");
    assert!(told["deeds"].as_array().unwrap().iter().all(|deed| deed["being"] == "ada"), "{told}");
    let presser = without(&role(&served, &operator, "skateco:presser"), "skateco:operate-press");
    let there = |space: &str| foresee(&served, &operator, &json!({ "roles": { "skateco:presser": presser }, "space": space }));
    assert_eq!(there("/town")["refused"], 0, "nobody presses in the town");
    assert!(there("/factory/line")["refused"].as_u64() > Some(0));
}

#[test]
fn a_draft_that_is_none_and_a_reader_who_may_not_publish_are_told_so() {
    let served = Served::begin(Terminal::with_world("court", 60), "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    for (draft, status, at) in [
        (json!({}), 400, Value::Null),
        (json!({ "flow": [] }), 400, json!("/being")),
        (json!({ "roles": { "x": { "name": 3 } } }), 400, json!("/roles/x")),
        (json!({ "being": "@nobody", "flow": [] }), 404, Value::Null),
    ] {
        let answer = served.post(&operator, "/api/foresee", draft.clone());
        assert_eq!(answer.status, status, "{draft}: {}", answer.body);
        if !at.is_null() {
            assert_eq!(answer.body["error"]["place"], at, "{draft}: {}", answer.body);
        }
    }
    let visitor = served.post(&Person::default(), "/api/foresee", json!({ "roles": { "x": null } }));
    assert!([401, 403].contains(&visitor.status), "{}", visitor.body);
}

#[test]
fn replay_with_says_the_same_in_sentences() {
    let terminal = Terminal::with_world("skateco", 900);
    kit::copy(&package().join("extensions/skateco"), &terminal.path("skateco"));
    let text = terminal.read("skateco/roles/presser.md");
    let line = text.lines().find(|line| line.contains("skateco:operate-press")).unwrap().to_owned();
    terminal.write("skateco/roles/presser.md", &text.replace(&line, ""));
    let told = terminal.types("replay --with skateco").fails(3).out;
    let sentence = told.lines().find(|line| line.starts_with("Ada ")).unwrap_or_else(|| panic!("{told}"));
    assert!(sentence.ends_with(": all would be refused."), "{told}");
    assert!(told.contains("Nobody else would do otherwise."), "{told}");
    let json: Value = serde_json::from_str(&terminal.types("replay --with skateco --json").fails(3).out).unwrap();
    assert_eq!(json["byDeed"][0]["being"], "ada", "{json}");
    assert_eq!(json["ends"]["refused"], json["byDeed"][0]["all"], "{json}");
}
