//! Copies: is whatever leaves a world noted, and are its lines of JSON what happened?

use std::collections::BTreeSet;

use reelm::fact::Hash;
use serde_json::Value;

use super::terminal::Terminal;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_copy_is_noted_with_what_it_is_known_by_and_not_with_where_it_went() {
    let terminal = Terminal::with_world("court", 60);
    terminal.types("copies").says(&["no copy of this world is noted"]);
    assert_eq!(terminal.types("copies --json").json(), serde_json::json!([]));
    terminal.types("du").says(&["no copy of it is noted"]);
    terminal.write("secret-place/here", "");
    terminal.types("export secret-place/whole.reelm").ok();
    terminal.types("export bern.bundle --being @bern").ok();
    terminal.types("export --lines facts --from 10 --to 20 facts.jsonl").says(&["wrote"]);
    let out = terminal.types("export --lines moments --from 10 --to 20").ok();
    terminal.types("export source --source").ok();
    terminal.types("fork strict").ok();
    let end = terminal.types("verify --json").json()["frames"].as_u64().unwrap();
    let notes = terminal.types("copies --json").json();
    let notes = notes.as_array().unwrap();
    let what: Vec<&str> = notes.iter().map(|note| note["what"].as_str().unwrap()).collect();
    assert_eq!(what, ["export", "bundle", "facts", "moments", "source", "fork"]);
    let names: Vec<Option<&str>> = notes.iter().map(|note| note["name"].as_str()).collect();
    assert_eq!(names, [Some("whole.reelm"), Some("bern.bundle"), Some("facts.jsonl"), None, Some("source"), Some("strict")]);
    for (at, file) in [(0, "secret-place/whole.reelm"), (1, "bern.bundle"), (2, "facts.jsonl")] {
        let bytes = std::fs::read(terminal.path(file)).unwrap();
        assert_eq!(notes[at]["hash"].as_str().unwrap(), Hash::of(&bytes).to_string(), "{file}");
        assert_eq!(notes[at]["size"].as_u64(), Some(bytes.len() as u64), "{file}");
    }
    assert_eq!(notes[3]["hash"].as_str().unwrap(), Hash::of(out.as_bytes()).to_string());
    assert_eq!((notes[0]["from"].as_u64(), notes[0]["to"].as_u64()), (Some(0), Some(end)));
    assert_eq!((notes[1]["being"].as_str(), notes[2]["from"].as_u64(), notes[2]["to"].as_u64()), (Some("bern"), Some(10), Some(20)));
    assert!(!terminal.read("world/copies").contains("secret-place"));
    terminal.types("copies").says(&[
        "bundle of @bern, frames",
        "to `bern.bundle`",
        "to standard output",
        &format!("fork, frames 0 to {}", end - 1),
    ]);
    terminal.types("du").says(&["copies of it that are noted: 6; `reelm copies` lists them"]);
    assert_eq!(terminal.types("du --json").json()["copies"].as_u64(), Some(6));
    // It is no part of the world: neither the fork nor who imports the export gets the list, and nothing of the history is another.
    terminal.types("copies --data strict").says(&["no copy of this world is noted"]);
    terminal.types("verify").ok();
}

#[test]
fn a_copy_that_cannot_be_noted_is_made_and_that_is_said() {
    let terminal = Terminal::with_world("court", 30);
    terminal.write("world/copies/in-the-way", "");
    terminal.types("export one.bundle --moment 5").warns(&["the copy was made and could not be noted", "copies"]).fails(0);
    terminal.types("verify one.bundle").ok();
    terminal.types("export --lines facts --to 5 --json").warns(&["could not be noted"]).fails(0);
    terminal.types("copies").fails(1).warns(&["cannot read", "copies"]);
}

#[test]
fn lines_tell_what_the_log_tells_of_the_same_frames() {
    let terminal = Terminal::with_world("court", 80);
    let log = terminal.types("log --from 20 --to 60 --json").json_lines();
    let facts = lines(&terminal.types("export --lines facts --from 20 --to 60").ok());
    let told: usize = log.iter().map(|frame| frame["facts"].as_array().unwrap().len()).sum();
    assert_eq!(facts.len(), told);
    for line in &facts {
        let frame = log.iter().find(|frame| frame["report"]["seq"] == line["seq"]).unwrap();
        let (kind, index) = (line["kind"].as_str().unwrap(), line["index"].as_u64().unwrap() as usize);
        let mut fact = frame["facts"][index].clone();
        assert_eq!(fact.as_object_mut().unwrap().remove("fact"), Some(Value::from(kind)), "{line}");
        assert_eq!(fact, line["fact"], "{line}");
        assert_eq!(line["time"], frame["report"]["time"]);
        assert_eq!(line["moment"], format!("@{}/{}", frame["report"]["being"].as_str().unwrap(), frame["n"]));
    }
    let moments = lines(&terminal.types("export --lines moments --from 20 --to 60").ok());
    assert_eq!(moments.len(), log.len());
    for (line, frame) in moments.iter().zip(&log) {
        for (key, value) in frame["report"].as_object().unwrap().iter().filter(|(key, _)| *key != "notes") {
            assert_eq!(&line[key], value, "{key}");
        }
    }
    let own = lines(&terminal.types("export --lines moments --being @bern --from 20").ok());
    let beings: BTreeSet<&str> = own.iter().map(|line| line["being"].as_str().unwrap()).collect();
    assert_eq!(beings, BTreeSet::from(["bern"]));
    // Large values stand in their places: a source holds whole roles and scripts.
    let planted = terminal.types("export --lines facts --to 150").ok();
    assert!(!planted.contains("\"blob\":"), "{planted}");
    assert_eq!(terminal.types("export --lines prompts").ok(), "", "no model has answered");
    terminal.types("export --lines moments --moment 5").fails(2);
    terminal.types("export").fails(2).warns(&["<FILE>"]);
}

#[test]
fn prompts_and_replies_are_told_whole_each_with_its_moment() {
    let terminal = Terminal::new();
    let cassette = super::terminal::package().join("fixtures/cassettes/salon.jsonl");
    terminal.types(&format!("run $worlds/salon --moments 6 --quiet --from {}", cassette.display())).ok();
    let (prompts, replies) = (terminal.types("export --lines prompts").ok(), terminal.types("export --lines replies").ok());
    let (prompts, replies) = (lines(&prompts), lines(&replies));
    assert!(!prompts.is_empty() && prompts.len() == replies.len(), "{} and {}", prompts.len(), replies.len());
    for (prompt, reply) in prompts.iter().zip(&replies) {
        assert_eq!((&prompt["moment"], &prompt["seq"]), (&reply["moment"], &reply["seq"]));
        let body: Value = serde_json::from_str(prompt["request"]["body"].as_str().unwrap()).unwrap();
        assert_eq!(prompt["request"]["connection"], reply["spent"]["connection"], "{reply}");
        assert!(reply["spent"]["model"].is_string() && reply["spent"]["calls"].as_u64() > Some(0), "{reply}");
        assert!(!reply["reply"].is_null() && reply["reply"].get("blob").is_none(), "{reply}");
        let explained = terminal.types(&format!("explain {} --prompt", prompt["moment"].as_str().unwrap())).ok();
        let said = body["messages"][0]["content"].as_str().unwrap();
        assert!(explained.contains(said.lines().next().unwrap()), "{explained}");
    }
}
