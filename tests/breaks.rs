//! Breaks: does a living world stand still behind the moment of a breakpoint, and does its history know nothing of that?

use serde_json::{Value, json};

use super::served::{Person, Served};
use super::terminal::Terminal;

const REFUSED: &str = r#"{"moment.closing": "refused"}"#;
const RULED: &str = r#"when {"moment.action": "court:rule"}"#;

/// Runs a day of the court as often as breakpoints end it; behind which moments they did, and the world in the end.
fn runs(terminal: &Terminal, more: &str) -> (Vec<Value>, Value) {
    let mut broken = Vec::new();
    loop {
        let ran = terminal.types(&format!("run $worlds/court --for 1d --quiet --json {more}")).json();
        if ran["broken"].is_null() {
            return (broken, ran["worldHash"].clone());
        }
        assert!(ran["shortOf"].is_i64(), "the same command goes on: {ran}");
        broken.push(ran["broken"].clone());
    }
}

#[test]
fn a_run_ends_behind_the_round_of_each_ruling_and_its_history_is_that_of_a_run_without_breaks() {
    let (with, without) = (Terminal::new(), Terminal::new());
    let (broken, hash) = runs(&with, &format!("--break '{RULED}'"));
    assert_eq!(hash, runs(&without, "").1);
    let ruled: Vec<Value> = with.types("find --action court:rule --json").json_lines().iter().map(|told| told["seq"].clone()).collect();
    let seqs: Vec<Value> = broken.iter().map(|broken| broken["seq"].clone()).collect();
    assert!(ruled.len() == 3 && seqs == ruled, "{seqs:?} of {ruled:?}");
    let first = &broken[0];
    assert_eq!(with.types(&format!("explain {} --json", first["moment"].as_str().unwrap())).json()["seq"], first["seq"]);
    assert_eq!(first["when"], RULED);
}

#[test]
fn a_condition_on_the_world_breaks_as_it_comes_to_hold_and_not_while_it_does() {
    let terminal = Terminal::new();
    let condition = r#"when {"world.court.in-session": true}"#;
    let (broken, _) = runs(&terminal, &format!("--break '{condition}' --break '{{\"moment.action\": \"fly\"}}'"));
    let found = terminal.types(&format!("bisect --bad '{condition}' --json")).json();
    assert_eq!(broken[0]["seq"], found["turned"]["moment"]["seq"], "{found}");
    let told: Vec<&str> = broken.iter().filter_map(|broken| broken["when"].as_str()).collect();
    assert!(told.len() < 4 && told.iter().all(|when| *when == condition), "{told:?}");
    terminal.types("run $worlds/court --break 'when {'").fails(2).warns(&["--break", "expected a condition such as"]);
    terminal.types(r#"run $worlds/court --break '{"moment.closng": 1}'"#).fails(2).warns(&["did you mean `moment.closing`?"]);
}

/// The clock once it stands still for a breakpoint.
fn broken(served: &Served, operator: &Person) -> Value {
    for _ in 0..20_000 {
        let clock = served.get(operator, "/api/world").ok()["clock"].clone();
        if !clock["broken"].is_null() {
            assert_eq!(clock["state"], "paused");
            return clock["broken"].clone();
        }
    }
    panic!("it never came to a breakpoint");
}

#[test]
fn a_served_world_stands_still_for_its_operator_alone_behind_acts_of_people_too() {
    let served = Served::begin(
        Terminal::new(),
        "serve $worlds/court --port 0 --pace 600 --paused --json --break 'when {\"moment.action\": \"fly\"}'",
    );
    let operator = served.operator();
    let visitor = Person { cookie: None };
    let clock = |body: Value| served.post(&operator, "/api/clock", body);
    assert_eq!(served.get(&operator, "/api/world").ok()["clock"]["breaks"], json!([r#"when {"moment.action": "fly"}"#]));
    assert!(served.get(&visitor, "/api/world").ok()["clock"].get("breaks").is_none());
    let thought = json!({ "breaks": [r#"{"moment.cognition": "script"}"#] });
    assert_eq!(clock(thought.clone()).ok()["breaks"], thought["breaks"]);
    clock(json!({ "do": "go" })).ok();
    // A script thinks, and then a person does what is refused.
    let told = served.get(&operator, &format!("/api/moment/{}", broken(&served, &operator)["seq"])).ok();
    assert_eq!(told["face"]["me"]["cognition"], "script", "{told}");
    assert!(served.get(&visitor, "/api/world").ok()["clock"].get("broken").is_none());
    clock(json!({ "breaks": [REFUSED] })).ok();
    assert!(clock(json!({ "do": "go" })).ok().get("broken").is_none());
    served.post(&operator, "/api/do", json!({ "target": "/court", "action": "quality.inc", "args": { "path": "court.n", "by": "x" } }));
    let refused = broken(&served, &operator);
    assert_eq!(refused["when"], REFUSED);
    // A step goes on from there; what is no condition changes nothing.
    clock(json!({ "do": "step" })).ok();
    let wrong = clock(json!({ "breaks": [REFUSED, "when {"] }));
    assert_eq!((wrong.status, wrong.body["error"]["place"].as_str()), (400, Some("/breaks/1")), "{:?}", wrong.body);
    assert_eq!(clock(json!({ "breaks": vec![REFUSED; 17] })).status, 400);
    assert_eq!(clock(json!({ "breaks": [REFUSED], "do": "go" })).status, 400);
    assert_eq!(served.get(&operator, "/api/world").ok()["clock"]["breaks"], json!([REFUSED]));
    let terminal = served.stop();
    terminal.types("replay").ok();
}
