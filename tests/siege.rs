//! Siege: what attackers of a served world have found once, and shall not find again.

use std::io::Write;
use std::net::TcpStream;

use serde_json::{Value, json};

use super::served::{Person, Served};
use super::terminal::Terminal;
use super::trial::{Slow, answer, talkers};

const VISITOR: Person = Person { cookie: None };

fn birth(served: &Served, by: &Person, payload: Value) -> Value {
    let born = served.post(by, "/api/be", json!({ "operation": "birth", "payload": payload })).ok();
    assert_eq!(born["closing"], "act", "{born}");
    born
}

fn replays(served: Served) {
    let terminal = served.stop();
    assert!(terminal.types("replay").ok().contains("identical"));
}

fn wake_of(served: &Served, by: &Person, being: &str) -> Value {
    let inbox = served.get(by, &format!("/api/inbox?as={being}")).ok();
    inbox.as_array().unwrap().iter().find(|entry| entry["kind"] == "summons").unwrap_or_else(|| panic!("{inbox}"))["wake"].clone()
}

#[test]
fn a_wake_of_a_being_that_can_wear_nothing_is_nobodys_to_answer_and_the_history_replays() {
    let served = Served::paused("court");
    let operator = served.operator();
    birth(&served, &operator, json!({ "name": "nil", "cognition": "human", "home": "/town" }));
    served.post(&operator, "/api/summon", json!({ "target": "@nil", "content": "hello" })).ok();
    served.post(&operator, "/api/inhabit", json!({ "being": "@nil" })).ok();
    let wake = wake_of(&served, &operator, "@nil");
    assert_eq!(served.post(&operator, "/api/see", json!({ "as": "@nil", "wake": wake })).code(), "no-role");
    assert_eq!(wake_of(&served, &operator, "@nil"), wake, "the wake stays open");
    replays(served);
}

#[test]
fn a_parent_gets_no_more_from_a_child_than_it_could_give_by_password_or_by_driving() {
    let served = Served::paused("court");
    let operator = served.operator();
    let pat = served.person(&operator, "pat", json!({ "defaultRole": "operator", "home": "/court", "grants": ["person"] }));
    birth(
        &served,
        &operator,
        json!({ "name": "kid", "cognition": "human", "home": "/court", "parent": "@pat", "defaultRole": "operator", "grants": ["*"] }),
    );
    assert_eq!(served.post(&pat, "/api/password", json!({ "being": "@kid", "password": "a way around" })).code(), "gate-grants");
    birth(&served, &operator, json!({ "name": "son", "cognition": "human", "home": "/court", "parent": "@pat", "defaultRole": "person" }));
    served.post(&pat, "/api/password", json!({ "being": "@son", "password": "only for tests" })).ok();
    assert_eq!(served.post(&pat, "/api/password", json!({ "being": "@son", "password": "another one" })).code(), "gate-lineage");
    // Raised while it is driven, it is not the driver's any more.
    assert_eq!(served.post(&pat, "/api/inhabit", json!({ "being": "@son" })).ok()["closing"], "act");
    served.post(&operator, "/api/do", json!({ "target": "@son", "action": "flow.default", "args": { "role": "operator" } })).ok();
    let act = json!({ "as": "@son", "target": "/", "action": "signal.set", "args": { "path": "a.b", "value": 1 } });
    let answer = served.post(&pat, "/api/do", act);
    assert!(answer.status == 403, "{}", answer.text);
    // The same over the socket beside the world's files.
    let line = "do / signal.set '{\"path\":\"a.b\",\"value\":1}' --as @son";
    served.terminal.types(line).fails(1).warns(&["grants do not cover", "`operator`"]);
    replays(served);
}

#[test]
fn nobody_else_takes_a_seat_or_speaks_from_one() {
    let served = Served::paused("court");
    let operator = served.operator();
    let pat = served.person(&operator, "pat", json!({ "defaultRole": "person", "home": "/court" }));
    served.post(&operator, "/api/inhabit", json!({ "being": "@bern" })).ok();
    assert_eq!(served.post(&pat, "/api/release", json!({ "being": "@bern" })).ok()["closing"], "refused");
    assert_eq!(served.post(&operator, "/api/heartbeat", json!({ "being": "@bern" })).status, 200);
    // A being that is driven does nothing of its own, and no frame names a driver that did not act.
    served.post(&operator, "/api/inhabit", json!({ "being": "@pat" })).ok();
    assert_eq!(served.post(&pat, "/api/inhabit", json!({ "being": "@bern" })).code(), "driven");
    replays(served);
}

#[test]
fn a_key_is_kept_though_its_sender_hangs_up_and_a_passing_refusal_is_not() {
    let served = Served::paused("court");
    let operator = served.operator();
    let cookie = operator.cookie.clone().unwrap();
    let host = served.url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let body = json!({ "target": "/court", "action": "quality.inc", "args": { "path": "tally.count", "by": 1 } }).to_string();
    for round in 0..12 {
        let mut line = TcpStream::connect(&host).unwrap();
        let request = format!(
            "POST /api/do HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\ncontent-type: application/json\r\nidempotency-key: k{round}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        line.write_all(request.as_bytes()).unwrap();
        drop(line);
        served.send(&operator, "POST", "/api/do", Some(body.clone()), &[("idempotency-key", &format!("k{round}"))]).ok();
    }
    assert_eq!(served.get(&operator, "/api/see?address=/court").ok()["qualities"]["tally"]["count"], 12);
    let pat = served.person(&operator, "pat", json!({ "defaultRole": "person", "home": "/court" }));
    let say = json!({ "target": "/court", "action": "say", "args": { "content": "now" } }).to_string();
    let key = [("idempotency-key", "later")];
    served.post(&operator, "/api/inhabit", json!({ "being": "@pat" })).ok();
    assert_eq!(served.send(&pat, "POST", "/api/do", Some(say.clone()), &key).code(), "driven");
    served.post(&operator, "/api/release", json!({ "being": "@pat" })).ok();
    assert_eq!(served.send(&pat, "POST", "/api/do", Some(say), &key).status, 200);
    replays(served);
}

#[test]
fn visitors_write_nothing_by_looking_and_read_nothing_that_was_said_to_another() {
    let served = Served::paused("court");
    let operator = served.operator();
    served.post(&operator, "/api/summon", json!({ "target": "@arrival", "content": "code 4711" })).ok();
    let before = served.get(&operator, "/health").ok();
    assert_eq!(served.post(&VISITOR, "/api/see", json!({ "target": "@arrival/.inbox" })).code(), "not-logged-in");
    assert_eq!(served.get(&VISITOR, "/api/inbox").ok(), json!([]));
    assert_eq!(served.get(&operator, "/health").ok(), before);
    // A thing that they may not see looks the same to them as one that is not there.
    let codes: Vec<String> = ["@judith", "@nobody", "/court", "/nowhere"]
        .iter()
        .map(|address| served.get(&VISITOR, &format!("/api/see?address={address}")).code().to_owned())
        .collect();
    assert_eq!(codes, ["gate-role"; 4]);
}

#[test]
fn what_a_role_does_not_list_is_read_neither_in_moments_nor_in_flows_nor_inside_what_it_lists() {
    let served = Served::paused("court");
    let operator = served.operator();
    let pat = served.person(&operator, "pat", json!({ "defaultRole": "person", "home": "/court" }));
    served.post(&operator, "/api/summon", json!({ "target": "@judith", "content": "he was bought" })).ok();
    served
        .post(&operator, "/api/do", json!({ "target": "/", "action": "signal.set", "args": { "path": "court.secret", "value": "guilty" } }))
        .ok();
    assert_eq!(served.get(&pat, "/api/moments?text=bought").ok()["moments"], json!([]));
    assert_eq!(served.get(&pat, "/api/moments?action=signal.set").ok()["moments"], json!([]));
    let flow = json!([{ "when": { "world.court.secret": { "present": true } }, "role": "person" }]);
    assert_eq!(served.post(&pat, "/api/flow/now", json!({ "being": "@pat", "flow": flow })).code(), "gate-role");
    served
        .post(
            &operator,
            "/api/do",
            json!({ "target": "/court", "action": "matter.make", "args": { "name": "verdict", "type": "paper", "content": "guilty" } }),
        )
        .ok();
    let narrow = json!({ "name": "narrow", "canSee": ["/court"] });
    served.post(&operator, "/api/do", json!({ "target": "/", "action": "role.set", "args": { "name": "narrow", "role": narrow } })).ok();
    served.post(&operator, "/api/do", json!({ "target": "@pat", "action": "flow.default", "args": { "role": "narrow" } })).ok();
    let court = served.get(&pat, "/api/see?address=/court").ok();
    assert_eq!((&court["matter"], &court["beings"]), (&json!([]), &json!([])), "{court}");
    assert!(!court.to_string().contains("guilty"));
}

#[test]
fn a_clock_is_not_set_back_by_whoever_holds_it_nor_stopped_by_a_tiny_pace() {
    let served = Served::begin(Terminal::new(), "serve $worlds/court --port 0 --pace 600 --json");
    let operator = served.operator();
    served.post(&operator, "/api/inhabit", json!({ "being": "@bern" })).ok();
    let act = || {
        let say = json!({ "target": "/court", "action": "say", "args": { "content": "what time is it?" } });
        served.post(&operator, "/api/do", say).ok()["at"].as_i64().unwrap()
    };
    let mut last = act();
    for order in [
        json!({ "pace": 300 }),
        json!({ "do": "pause" }),
        json!({ "do": "go" }),
        json!({ "do": "step" }),
        json!({ "do": "go" }),
        json!({ "pace": 600 }),
    ] {
        let before = served.get(&operator, "/api/world").ok()["at"].as_i64().unwrap();
        assert!(before >= last, "the world's time was set back");
        served.post(&operator, "/api/clock", order).ok();
        let after = act();
        assert!(after >= before, "an act was stamped {} ms before the time that was shown", before - after);
        last = after;
    }
    assert_eq!(served.post(&operator, "/api/clock", json!({ "pace": 1e-20 })).code(), "bad-request");
    assert_eq!(served.post(&operator, "/api/clock", json!({ "do": "pause" })).ok()["state"], "paused");
    assert_eq!(served.post(&operator, "/api/clock", json!({ "do": "go" })).ok()["state"], "running");
    replays(served);
}

#[test]
fn a_world_that_waits_for_people_does_not_wait_for_itself() {
    let terminal = Terminal::new();
    terminal.write("w/world.toml", "name = \"w\"\nzone = \"UTC\"\nstart = \"2026-03-02T09:00:00\"\nseed = 1\nabsence = \"wait\"\n[[being]]\nname = \"tick\"\nhome = \"/\"\nrole = \"watcher\"\n[[being.schedule]]\nname = \"t\"\nevery = \"1s\"\n");
    let served = Served::begin(terminal, "serve w --port 0 --pace 600 --json");
    let operator = served.operator();
    let seq = served.post(&operator, "/api/summon", json!({ "target": "@world", "content": "hello" })).ok()["seq"].as_u64().unwrap();
    let later = served.stream(&operator, &format!("/api/events?from={}", seq + 1), 3);
    assert!(later.iter().any(|moment| moment["being"] == "tick"), "{later:?}");
}

#[test]
fn people_act_while_a_model_thinks_and_need_not_wait_for_it_to_stop() {
    let slow = Slow::new();
    let served = Served::begin(talkers(&slow.base(), ""), "serve w --port 0 --pace 60 --json --grace 0s");
    let operator = served.operator();
    served.post(&operator, "/api/summon", json!({ "target": "@mia", "content": "hello" })).ok();
    let (line, _) = slow.asked();
    let acted: Vec<u64> = (0..3)
        .map(|value| {
            served
                .post(&operator, "/api/do", json!({ "target": "/", "action": "signal.set", "args": { "path": "a.b", "value": value } }))
                .ok()["seq"]
                .as_u64()
                .unwrap()
        })
        .collect();
    answer(line, "summon", &json!({ "content": "hello yourself" }));
    let answered = served.stream(&operator, &format!("/api/events?from={}", acted[2] + 1), 1).remove(0);
    assert_eq!(
        (&answered["being"], &answered["closing"], &answered["said"]),
        (&json!("mia"), &json!("act"), &json!("hello yourself")),
        "{answered}"
    );
    assert!(!answered["inReplyTo"].is_null());
    // It thinks again, and the server is told to stop: nothing of that moment has happened.
    served.post(&operator, "/api/summon", json!({ "target": "@mia", "content": "and how are you?" })).ok();
    let (line, _) = slow.asked();
    let terminal = served.stop();
    drop(line);
    assert!(terminal.types("replay").ok().contains("identical"));
    let inbox = terminal.types("see @mia/.inbox --json").json();
    assert_eq!(inbox["list"][0]["content"], "and how are you?", "{inbox}");
}
