//! Replied: does a fork come to a recorded moment once more, and go on from what its model answers there instead?

use serde_json::{Value, json};

use super::faulty::{Does, Faulty, status};
use super::fork::drafts;
use super::mind::{body, tool};
use super::rehearse::bytes;
use super::terminal::Terminal;

/// A model that counts: whatever it is asked, it says the next number; every third time only when it is asked again.
fn counting() -> Faulty {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    Faulty::reading(move |_, _| {
        let number = asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1;
        if number.is_multiple_of(3) {
            return status(503);
        }
        let message = tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": format!("number {number}") } }));
        Does::Says(200, String::new(), body(&message).replacen("\"total_tokens\":7", "\"prompt_tokens\":9,\"completion_tokens\":1", 1))
    })
}

/// Mia and Moe think by a model each five minutes, and Ben by a script each minute: an hour of it.
pub fn hall() -> (Terminal, Faulty) {
    let (terminal, server) = (Terminal::new(), counting());
    let url = &server.url;
    let model = format!("\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"{url}\", model = \"tiny\", timeout_ms = 2000 }}");
    let being = |name: &str, thinks: &str, every: &str| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"guest\"\n{thinks}\nschedule = [{{ name = \"turn\", every = \"{every}\" }}]\n"
        )
    };
    let beings =
        [being("mia", "cognition = \"llm\"", "5m"), being("moe", "cognition = \"llm\"", "6m"), being("ben", "script = \"says\"", "1m")]
            .concat();
    terminal.write("hall/world.toml", &format!("name = \"hall\"\n[config]\n{model}\n[[space]]\npath = \"/hall\"\n{beings}"));
    terminal.write("hall/roles/guest.md", "---\nname: guest\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\n---\nYou are kind.\n");
    terminal.write("hall/scripts/says.rhai", "fn think(face) { act(\"/hall\", \"say\", #{ content: \"Tick.\" }) }\n");
    terminal.types("run hall --for 1h --quiet").ok();
    assert!(server.count() > 15, "{}", server.count());
    (terminal, server)
}

/// The moments in which a model has answered, each with the one in which it asked.
fn answered(terminal: &Terminal) -> Vec<(Value, Value)> {
    let log = terminal.types("log --json").json_lines();
    let told: Vec<&Value> = log.iter().map(|frame| &frame["report"]).filter(|told| told["cognition"] == "llm").collect();
    let is_asking = |told: &&&Value| told["reason"]["code"] == "asking";
    told.iter()
        .filter(|told| !is_asking(told) && told["closing"] == "act")
        .map(|closed| {
            let asked = told
                .iter()
                .filter(is_asking)
                .rfind(|asked| asked["being"] == closed["being"] && asked["seq"].as_u64() < closed["seq"].as_u64());
            ((*asked.unwrap()).clone(), (*closed).clone())
        })
        .collect()
}

const NO: &str = r#"{"name":"do","arguments":{"target":"/hall","action":"say","args":{"content":"No."}}}"#;

#[test]
#[ignore = "long: a fork for each reply of a model"]
fn a_fork_goes_on_from_another_reply_and_asks_nobody() {
    let (terminal, server) = hall();
    let (was, asked) = (bytes(&terminal), server.count());
    let (moments, whole) = (answered(&terminal), drafts(&terminal.path("world")));
    for (nth, (asking, closed)) in moments.iter().enumerate() {
        // Named by the frame in which it asked, or by the one in which it closed, by its reel or by its seq.
        let name = [closed["seq"].to_string(), asking["seq"].to_string()][nth % 2].clone();
        let made = terminal.types(&format!("fork other-{nth} --change 'reply:{name}={NO}' --json")).json();
        let origin = made["origin"]["seq"].as_u64().unwrap();
        assert!(origin <= asking["seq"].as_u64().unwrap(), "{made}");
        let log = terminal.types(&format!("log --data other-{nth} --json")).json_lines();
        let told = &log.last().unwrap()["report"];
        assert_eq!((&told["being"], &told["said"], &told["at"]), (&closed["being"], &json!("No."), &closed["at"]), "{made}");
        assert_eq!((&told["cost"]["model"], &told["cost"]["input"]), (&json!("given by the operator of the fork"), &json!(0)));
        // It begins where the moment was opened, and nothing else is lived before it.
        assert_eq!(whole[asking["seq"].as_u64().unwrap() as usize].opened, origin, "{made}");
        let lived: Vec<&Value> = log.iter().map(|frame| &frame["report"]).filter(|told| told["seq"].as_u64().unwrap() >= origin).collect();
        let others = lived.iter().filter(|told| told["being"] != "operator" && told["being"] != closed["being"]);
        assert_eq!(others.count(), 0, "{made}");
        terminal.types(&format!("replay --data other-{nth}")).says(&["identical"]).ok();
    }
    assert_eq!((server.count(), bytes(&terminal) == was), (asked, true), "nobody was asked, and nothing is written");
    // It goes on by itself: scripts move, and no model is asked that no budget pays for.
    terminal.types("run --data other-3 --for 10m --quiet").ok();
    assert_eq!(server.count(), asked);
    terminal.types("replay --data other-3").says(&["identical"]).ok();
}

#[test]
fn a_reply_is_a_call_or_prose_or_a_file_and_stands_before_other_changes() {
    let (terminal, _server) = hall();
    let (_, closed) = &answered(&terminal)[4];
    let name = closed["seq"].to_string();
    terminal.write("said.txt", "{\"do\":{\"target\":\"/hall\",\"action\":\"say\",\"args\":{\"content\":\"Never.\"}}}");
    terminal
        .types(&format!("fork filed --change reply:{name}=said.txt --change setting:brakes.depth=3"))
        .says(&["answer otherwise, in frame", "say"])
        .ok();
    let log = terminal.types("log --data filed --json").json_lines();
    let told: Vec<(&Value, &Value)> =
        log[log.len() - 2..].iter().map(|frame| (&frame["report"]["said"], &frame["report"]["action"])).collect();
    assert_eq!(told, [(&json!("Never."), &json!("say")), (&Value::Null, &json!("config.set"))]);
    terminal.types(&format!("fork prose --change 'reply:{name}=\"Nothing to say.\"'")).says(&["answer otherwise, in frame", "see"]).ok();
    terminal.types(&format!("fork worn --budget calls=3 --change 'reply:{name}={NO}'")).says(&["let it spend", "answer otherwise"]).ok();
    // A reply that is none is heard as such.
    terminal.types(&format!("fork garbled --change 'reply:{name}={{\"do\":3'")).says(&["answer otherwise, in frame"]).ok();
    terminal.types("replay --data garbled").says(&["identical"]).ok();
}

#[test]
fn what_cannot_be_answered_otherwise_is_said_and_leaves_nothing() {
    let (terminal, _server) = hall();
    let moments = answered(&terminal);
    let (one, two) = (moments[0].1["seq"].to_string(), moments[1].1["seq"].to_string());
    let ben = terminal.types("find --being @ben --json").json_lines()[0]["seq"].clone();
    for (changes, says) in [
        (format!("--change 'reply:{ben}={NO}'"), vec!["expected a moment that a model has answered", "reelm explain"]),
        (format!("--change 'reply:moon={NO}'"), vec!["reply:moon=…: "]),
        (format!("--change 'reply:99999={NO}'"), vec!["there is no frame 99999"]),
        (format!("--change 'reply:@moe/999={NO}'"), vec!["the reel of @moe has only"]),
        (format!("--change reply:{one}=nowhere.txt"), vec!["nowhere.txt"]),
        (format!("--change 'reply:{one}={NO}' --change 'reply:{two}={NO}'"), vec!["one change of a reply at most"]),
        (format!("--change 'reply:{one}={NO}' --at now"), vec!["expected no --at beside `reply:MOMENT=…`"]),
        (format!("--change 'reply:{one}={NO}' --budget calls=0"), vec!["the budget has no room for it"]),
    ] {
        terminal.types(&format!("fork other {changes}")).fails(1).warns(&says);
        assert!(!terminal.path("other").exists(), "{changes}");
    }
    // A fork of the same past, but not of the same end, does not count: an experiment begins with nothing recorded.
    terminal.write(
        "arms.json",
        &json!({ "arms": [{ "name": "no", "source": "hall", "change": [format!("reply:{one}={NO}")] }], "seeds": [1], "for": "1m" })
            .to_string(),
    );
    terminal.types("sweep arms.json --out swept").fails(1).warns(&["expected no reply"]);
}

#[test]
fn words_are_found_in_what_models_wrote_beyond_what_a_line_tells_and_alternatives_are_counted() {
    let long = format!("{} kettle", "It is a fine day. ".repeat(80));
    let server = Faulty::reading(move |nth, _| Does::Says(200, String::new(), body(&json!({ "content": format!("{long} {nth}") }))));
    let terminal = Terminal::new();
    let model = format!("\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"{}\", model = \"tiny\" }}", server.url);
    let mia = "[[being]]\nname = \"mia\"\nhome = \"/hall\"\nrole = \"guest\"\ncognition = \"llm\"\nschedule = [{ name = \"turn\", every = \"5m\" }]\n";
    terminal.write("hall/world.toml", &format!("name = \"hall\"\n[config]\n{model}\n[[space]]\npath = \"/hall\"\n{mia}"));
    terminal.write("hall/roles/guest.md", "---\nname: guest\ncanSee: ['**']\ncanDo: ['**']\n---\nYou are kind.\n");
    terminal.types("run hall --for 21m --quiet").ok();
    // Nobody waits for it, so what it writes is a look, and no line of the log has it.
    assert!(!terminal.types("log --json").ok().contains("kettle"));
    let count = |words: &str| terminal.types(&format!("find {words} --count --json")).json()["count"].as_u64().unwrap();
    let all = count("kettle");
    assert_eq!((all, count("kettle --being @mia"), count("KETTLE fine")), (4, 4, 4));
    assert_eq!((count("kettle zebra or yak"), count("zebra or kettle"), count("zebra or mia schedule.set --closing act")), (0, 4, 1));
    assert_eq!(terminal.types("find kettle --last 2 --json").json_lines().len(), 2);
    terminal.types("find kettle --count --last 2").fails(2);
}
