//! Cassette: does a world live offline by what a real model once answered, and is it said where a cassette has no answer?

use super::faulty::{Faulty, good};
use super::real_model::Served;
use super::terminal::Terminal;

/// The salon for some minutes, by what the real small model answered.
const RUN: &str = "run $worlds/salon --for 3m --json";

fn cassette() -> String {
    format!("{}/fixtures/cassettes/salon.jsonl", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_salon_lives_offline_by_what_a_real_model_answered_and_replays() {
    let terminal = Terminal::new();
    let moments = terminal.types(&format!("{RUN} --from {}", cassette())).json_lines();
    let of_models: Vec<&serde_json::Value> =
        moments.iter().filter(|moment| ["ada", "ben", "cleo"].contains(&moment["being"].as_str().unwrap_or_default())).collect();
    assert!(of_models.len() >= 9, "{moments:?}");
    let acts = of_models.iter().filter(|moment| moment["closing"] == "act").count();
    assert!(acts >= 3, "{acts} acts in {of_models:?}");
    terminal.types("replay").ok();
    let used = terminal.types("usage --json").json();
    // A chain of answers that goes too deep is ended by a brake: nobody was asked.
    let asked = of_models.iter().filter(|moment| !moment["cost"].is_null()).count();
    assert_eq!(used["total"]["moments"].as_u64(), Some(asked as u64));
    assert!(used["models"]["smollm2-135m-instruct"]["input"].as_u64().unwrap() > 1000, "{used}");
    terminal.types("usage").says(&["@ada", "/salon", "smollm2-135m-instruct", "2026-03-06", "in all"]);
}

#[test]
fn a_request_that_a_cassette_does_not_hold_is_an_error_that_names_the_moment_and_nothing_is_written() {
    let terminal = Terminal::new();
    terminal.write("empty.jsonl", "");
    terminal.types("run $worlds/salon --moments 0 --quiet").ok();
    let before = terminal.types("verify --json").json();
    terminal.types("run --for 3m --from empty.jsonl").fails(1).warns(&["holds no answer to the request of @ben/0", "--record"]);
    assert_eq!(terminal.types("verify --json").json(), before);
    terminal.write("broken.jsonl", "{}\n");
    terminal.types("run --for 3m --from broken.jsonl").fails(1).warns(&["`broken.jsonl`, line 1"]);
    terminal.types("run --for 3m --from nowhere.jsonl").fails(1).warns(&["`nowhere.jsonl`"]);
}

#[test]
#[ignore = "long: a real language model"]
fn what_is_recorded_from_a_real_model_answers_again() {
    let Some(served) = Served::start() else { return };
    let terminal = Terminal::new();
    salon_at(&terminal, &served.base_url);
    let first = terminal.types("run salon --for 21s --record heard.jsonl --data one --json").json_lines();
    drop(served);
    let again = terminal.types("run salon --for 21s --from heard.jsonl --data two --json").json_lines();
    assert_eq!(first.last().unwrap()["worldHash"], again.last().unwrap()["worldHash"]);
    assert!(terminal.read("heard.jsonl").lines().count() >= 1);
}

#[test]
fn with_a_file_to_record_models_are_asked_only_for_what_a_cassette_lacks() {
    let server = Faulty::new(|_| good());
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    terminal.types("run salon --for 3m --record heard.jsonl --data one --quiet").ok();
    let (asked, whole) = (server.count(), terminal.read("heard.jsonl"));
    let requests = |text: &str| -> Vec<String> {
        text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["request"].as_str().unwrap().to_owned()).collect()
    };
    assert!(asked >= 6 && requests(&whole).len() == asked, "{asked}");
    let lines: Vec<&str> = whole.lines().collect();
    let some = [&lines[..1], &lines[3..]].concat().join("\n") + "\n";
    terminal.write("some.jsonl", &some);
    terminal.types("run salon --for 3m --from some.jsonl --record all.jsonl --data two --quiet").ok();
    assert_eq!(server.count(), asked + 2);
    let mut all = [requests(&whole), requests(&terminal.read("all.jsonl"))];
    all.iter_mut().for_each(|all| all.sort());
    assert_eq!(all[0], all[1]);
    assert!(terminal.read("all.jsonl").starts_with(&some) && terminal.read("some.jsonl") == some);
    terminal.types("run salon --for 3m --from all.jsonl --record all.jsonl --data three --quiet").ok();
    assert_eq!((server.count(), terminal.read("all.jsonl").lines().count()), (asked + 2, asked), "nothing was missing");
    terminal
        .types("run salon --for 3m --from some.jsonl --record heard.jsonl --data four")
        .fails(1)
        .warns(&["`heard.jsonl` holds other answers"]);
}

/// Writes the salon's source to `salon`, with its model at another address.
pub fn salon_at(terminal: &Terminal, base_url: &str) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/worlds/salon");
    let read = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
    terminal.write("salon/world.toml", &read(&folder.join("world.toml")).replace("http://127.0.0.1:8080/v1", base_url));
    for entry in std::fs::read_dir(folder.join("roles")).unwrap() {
        let path = entry.unwrap().path();
        terminal.write(&format!("salon/roles/{}", path.file_name().unwrap().to_str().unwrap()), &read(&path));
    }
}

#[test]
fn an_estimate_counts_what_would_come_by_itself_and_asks_nobody() {
    let terminal = Terminal::new();
    let guess = terminal.types("usage --estimate $worlds/salon --for 10m --json").json();
    // Three beings, ten turns each.
    assert_eq!((guess["estimate"].as_bool(), guess["total"]["moments"].as_u64()), (Some(true), Some(30)));
    assert!(guess["reserved"]["calls"].as_u64().unwrap() == 90 && guess["total"]["input"].as_u64().unwrap() > 30 * 100, "{guess}");
    assert!(!terminal.path("world").exists());
    terminal.types("usage --estimate $worlds/salon --for 10m").says(&["about:", "@cleo", "at most"]);
}
