//! Series: what was measured along the past, and what lies ahead of it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use reelm::past::History;
use reelm::world::World;
use serde_json::{Value, json};

use super::served::{Person, Served};
use super::terminal::Terminal;

const WORLD: &str = "name = \"small\"\nzone = \"Europe/Berlin\"\nstart = \"2026-03-02T12:00:00\"\n[[space]]\npath = \"/hall\"\n\
[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"worker\"\ncognition = \"human\"\n\
flow = [{ role = \"worker\" }, { stack = true, when = { \"time.hour\" = { gte = 17 } }, role = \"tired\" }, { stack = true, when = { \"time.hour\" = 14, \"world.t.never\" = true }, role = \"tired\" }]\n\
[[being.schedule]]\nname = \"lunch\"\ncron = \"0 13 * * *\"\n[[being.schedule]]\nname = \"once\"\nat = \"2026-03-02T12:30:00\"\n\
[[being]]\nname = \"ben\"\nhome = \"/hall\"\nrole = \"worker\"\ncognition = \"human\"\n[[being.schedule]]\nname = \"look\"\nevery = \"2h\"\n";
const MEASURES: &str =
    "[[measure]]\nname = \"n\"\ntitle = \"How many\"\nvalue = 'signal(\"t.n\")'\n[[measure]]\nname = \"broken\"\nvalue = 'signal(1)'\n";

fn served(more: &str) -> Served {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", &format!("{WORLD}{more}{MEASURES}"));
    terminal.write("src/roles/worker.md", "---\nname: worker\n---\nWork.\n");
    terminal.write("src/roles/tired.md", "---\nname: tired\n---\nYawn.\n");
    terminal.write("src/roles/looker.md", "---\nname: looker\ncanSee: ['/', '/hall', '@ben', '/.moments']\n---\nLook.\n");
    Served::begin(terminal, "serve src --port 0 --paused --json")
}

#[test]
fn measures_along_the_past_are_those_of_the_worlds_at_the_ends_of_its_parts() {
    let served = served("");
    let operator = served.operator();
    let set = |n: i64| {
        let call = json!({ "target": "/", "action": "signal.set", "args": { "path": "t.n", "value": n } });
        served.post(&operator, "/api/do", call).ok()["seq"].as_u64().unwrap()
    };
    let first = set(1);
    for n in 2..=20 {
        set(n);
    }
    let get = |query: &str| served.get(&operator, &format!("/api/measures{query}")).ok();
    let told = get(&format!("?parts=6&from={first}"));
    let timeline = served.get(&operator, &format!("/api/timeline?buckets=6&from={first}")).ok();
    let seqs = |of: &Value| of.as_array().unwrap().iter().map(|part| part["seq"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(told["seqs"], json!(seqs(&timeline["buckets"])));
    assert_eq!((&told["series"][0]["name"], &told["series"][0]["title"]), (&json!("n"), &json!("How many")));
    assert_eq!(told["times"].as_array().unwrap().len(), 6);
    assert_eq!(told["times"][5], timeline["ended"]);
    for (at, seq) in told["seqs"].as_array().unwrap().iter().enumerate() {
        let then = served.get(&operator, &format!("/api/world?at={seq}")).ok();
        assert_eq!(told["series"][0]["values"][at].as_f64(), then["measures"][0]["now"].as_f64(), "at {seq}");
        assert!(told["series"][1]["values"][at].is_null());
    }
    assert_eq!(told["series"][0]["values"][5], 20.0);
    // The measured values are kept, and later ones are measured too.
    let newest = set(21);
    assert_eq!(get(&format!("?parts=6&from={first}"))["series"][0]["values"][5], 21.0);
    assert_eq!(get(&format!("?parts=1&from={first}&to={newest}"))["series"][0]["values"], json!([20.0]));
    assert_eq!(get("")["seqs"].as_array().unwrap().len(), 48);
    let looker = served.person(&operator, "pat", json!({ "defaultRole": "looker", "home": "/hall" }));
    assert_eq!(served.get(&looker, "/api/measures").status, 403, "who may not see measures");
    for query in ["?parts=0", "?parts=121", "?parts=x", "?from=zzz"] {
        assert_eq!(served.get(&operator, &format!("/api/measures{query}")).status, 400, "{query}");
    }
}

#[test]
fn a_world_along_the_past_is_the_one_that_is_folded_by_itself() {
    let terminal = Terminal::new();
    terminal.types("run $worlds/skateco --for 15m --quiet").ok();
    terminal.types("run --for 10m --quiet").ok();
    let history = History::of(&terminal.path("world")).unwrap();
    let rung = *history.checkpoints().iter().min().unwrap();
    let seqs: BTreeSet<u64> = [1, 90, rung - 1, rung, rung + 1, rung + 40, history.end()].into();
    let mut seen = Vec::new();
    let see = |seq: u64, world: &World| {
        seen.push((seq, world.hash()));
        if seq == rung + 40 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    history.along(&seqs, see).unwrap();
    let expected = seqs.iter().filter(|seq| **seq <= rung + 40).map(|seq| (*seq, history.world_at(*seq).unwrap().hash()));
    assert_eq!(seen, expected.collect::<Vec<_>>());
}

#[test]
fn what_lies_ahead_are_schedules_and_hours_at_which_somebody_wears_something_else() {
    let served = served("");
    let operator = served.operator();
    let ahead = |person: &Person, query: &str| served.get(person, &format!("/api/ahead{query}")).ok();
    let lines = |told: &Value| {
        let line = |due: &Value| {
            format!(
                "{} {} {} {}",
                &due["time"].as_str().unwrap()[11..16],
                due["who"].as_str().unwrap(),
                due["what"].as_str().unwrap(),
                due["kind"].as_str().unwrap()
            )
        };
        told["due"].as_array().unwrap().iter().map(line).collect::<Vec<_>>()
    };
    let told = ahead(&operator, "?for=6h");
    assert_eq!(
        lines(&told),
        [
            "12:30 @ada once schedule",
            "13:00 @ada lunch schedule",
            "14:00 @ben look schedule",
            "16:00 @ben look schedule",
            "17:00 @ada tired crossing",
            "18:00 @ben look schedule",
        ],
    );
    assert_eq!((&told["more"], &told["due"][4]["at"]), (&json!(0), &json!(1_772_467_200_000_i64)));
    assert!(told["until"].as_str().unwrap().starts_with("2026-03-02T18:00"), "{told}");
    // The clock crosses midnight too: then she is not tired any more.
    assert!(lines(&ahead(&operator, "")).contains(&"00:00 @ada tired crossing".to_owned()));
    let looker = served.person(&operator, "pat", json!({ "defaultRole": "looker", "home": "/hall" }));
    assert_eq!(lines(&ahead(&looker, "?for=4h")), ["14:00 @ben look schedule", "16:00 @ben look schedule"]);
    for query in ["?for=soon", "?for=0s", "?for=32d"] {
        assert_eq!(served.get(&operator, &format!("/api/ahead{query}")).status, 400, "{query}");
    }
}

#[test]
fn of_much_that_lies_ahead_the_next_is_told_and_the_rest_counted() {
    let many = "[[being.schedule]]\nname = \"beat\"\nevery = \"1m\"\n[[being.schedule]]\nname = \"minute\"\ncron = \"* * * * *\"\n";
    let served = served(many);
    let told = served.get(&served.operator(), "/api/ahead?for=2h").ok();
    let due = told["due"].as_array().unwrap();
    assert_eq!((due.len(), &told["more"]), (64, &json!(120 + 120 + 1 + 1 + 1 - 64)));
    let instants: Vec<i64> = due.iter().map(|due| due["at"].as_i64().unwrap()).collect();
    assert!(instants.is_sorted());
    assert_eq!(instants.last().unwrap() - instants[0], 31 * 60_000, "two each minute, and one of another");
}
