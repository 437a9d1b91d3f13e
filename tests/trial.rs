//! Trial: is a draft tried on a moment without anything being sealed but what it cost, and is that counted whatever happens?

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

use super::served::{MODEL_KEY, Person, Served};
use super::terminal::Terminal;

/// A model whose server answers when it is told to.
pub struct Slow(TcpListener);

impl Slow {
    pub fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    pub fn base(&self) -> String {
        format!("http://{}/v1", self.0.local_addr().unwrap())
    }

    /// The connection of the next request, with its head and body read, and what it asked.
    pub fn asked(&self) -> (TcpStream, Value) {
        let (mut line, _) = self.0.accept().unwrap();
        let mut read = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let count = line.read(&mut buffer).unwrap();
            read.extend_from_slice(&buffer[..count]);
            let text = String::from_utf8_lossy(&read).into_owned();
            if let Some(asked) = text.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok()) {
                return (line, asked);
            }
        }
    }
}

/// Answers with one tool call, and says what it took.
pub fn answer(mut line: TcpStream, name: &str, arguments: &Value) {
    let call = json!({ "type": "function", "function": { "name": name, "arguments": arguments.to_string() } });
    let reply = json!({
        "echo": format!("Bearer {MODEL_KEY}"), "model": "m-2", "usage": { "prompt_tokens": 40, "completion_tokens": 2 },
        "choices": [{ "finish_reason": "stop", "message": { "role": "assistant", "tool_calls": [call] } }],
    })
    .to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    write!(line, "{head}content-length: {}\r\n\r\n{reply}", reply.len()).unwrap();
}

/// A world with a model that talks, a script that counts, and a budget.
pub fn talkers(base: &str, budget: &str) -> Terminal {
    let terminal = Terminal::new();
    terminal.write("w/roles/talker.md", "---\nname: talker\ncanSee: ['**']\ncanSummon: ['**']\n---\nTalk.\n");
    terminal.write("w/roles/counter.md", "---\nname: counter\ncanSee: ['**']\ncanDo: ['quality.inc']\n---\nCount.\n");
    terminal.write("w/scripts/count.rhai", "fn think(face) { act(face.me.address, \"quality.inc\", #{ path: \"t.n\" }) }\n");
    terminal.write(
        "w/world.toml",
        &format!(
            "name = \"w\"\nzone = \"UTC\"\nstart = \"2026-03-02T09:00:00\"\nseed = 1\n[config]\n\"llm.connection\" = \"slow\"\n\
             \"llm.slow\" = {{ base_url = \"{base}\", model = \"m\", key = \"env:REELM_TEST_KEY\", timeout_ms = 600000, sampling = {{ max_tokens = 20, seed = 5 }} }}\n\
             \"llm.prices\" = {{ m = {{ input = 1, output = 10 }} }}\n{budget}\n\
             [[being]]\nname = \"mia\"\nhome = \"/\"\nrole = \"talker\"\ncognition = \"llm\"\n\
             [[being]]\nname = \"cal\"\nhome = \"/\"\nrole = \"counter\"\nscript = \"count\"\n"
        ),
    );
    terminal
}

fn summon(served: &Served, person: &Person, target: &str) -> u64 {
    served.post(person, "/api/summon", json!({ "target": target, "content": "hello" })).ok()["seq"].as_u64().unwrap()
}

fn frames(served: &Served, person: &Person) -> u64 {
    served.get(person, "/health").ok()["seq"].as_u64().unwrap()
}

/// The next moment of a being after a seq.
fn moment(served: &Served, person: &Person, after: u64) -> Value {
    served.stream(person, &format!("/api/events?from={}", after + 1), 1).remove(0)
}

#[test]
fn a_draft_is_tried_on_the_very_moment_and_only_what_it_cost_is_sealed() {
    let slow = Slow::new();
    let served = Served::begin(talkers(&slow.base(), ""), "serve w --port 0 --pace 60 --json");
    let operator = served.operator();
    let said = summon(&served, &operator, "@mia");
    answer(slow.asked().0, "summon", &json!({ "content": "hello yourself" }));
    let was = moment(&served, &operator, said);
    assert_eq!((&was["closing"], &was["cost"]["model"], &was["cost"]["money"]), (&json!("act"), &json!("m-2"), &json!(60)));
    let before = frames(&served, &operator);
    // The draft takes the right to speak away, and asks for another tone.
    let draft = json!({ "being": "@mia", "seq": was["seq"], "replies": 2, "roles": { "talker": { "name": "talker", "canSee": ["**"], "prompt": "Whisper." } } });
    let tried = std::thread::scope(|scope| {
        let trying = scope.spawn(|| served.post(&operator, "/api/try", draft).ok());
        let ((one, asked), (two, again)) = (slow.asked(), slow.asked());
        let system = asked["messages"][0]["content"].as_str().unwrap();
        assert!(system.contains("Whisper.") && !system.contains("Talk."), "{system}");
        let mut seeds = [asked["seed"].as_i64(), again["seed"].as_i64()];
        seeds.sort();
        assert_eq!(seeds, [Some(5), Some(6)], "two replies are two draws");
        answer(one, "summon", &json!({ "content": "psst" }));
        answer(two, "see", &json!({ "address": "/" }));
        trying.join().unwrap()
    });
    assert_eq!((&tried["connection"], &tried["prompt"][0]["role"]), (&json!("slow"), &json!("system")));
    let mut closings: Vec<&str> = tried["replies"].as_array().unwrap().iter().map(|reply| reply["closing"].as_str().unwrap()).collect();
    closings.sort_unstable();
    assert_eq!(closings, ["requeued", "requeued"], "what is not allowed is told, and tried once more: {tried}");
    // Two frames were sealed, both the operator's: what was held back, and what it came to.
    assert_eq!(frames(&served, &operator), before + 2);
    let cost = served.get(&operator, "/api/cost").ok();
    assert_eq!((&cost["beings"]["@operator"]["input"], &cost["beings"]["@mia"]["calls"]), (&json!(80), &json!(1)));
    assert_eq!((&cost["total"]["money"], &cost["held"]["open"]), (&json!(180), &json!(0)));
    // Mia hears nothing of it, and her role is as it was.
    assert_eq!(served.get(&operator, "/api/roles/talker").ok()["version"], 1);
    let terminal = served.stop();
    assert!(terminal.types("replay").ok().contains("identical"));
    // One name leads through the log: from the call of the model to the close of the moment.
    let log = std::fs::read_to_string(terminal.path("server.log")).unwrap();
    let name = format!("moment=@mia:{}", was["cause"].as_str().unwrap());
    let told: Vec<&str> = log.lines().filter(|line| line.contains(&name)).collect();
    assert!(told.iter().any(|line| line.contains("a model was asked")) && told.iter().any(|line| line.contains("closed")), "{told:?}");
    let reserved = log.lines().find(|line| line.contains("acted") && line.contains("request{method=POST path=\"/api/try\"}"));
    assert!(reserved.is_some_and(|line| line.contains("moment=@operator:")), "the act is told with its request");
}

#[test]
fn a_trial_fits_into_the_budgets_of_whoever_tries_or_is_not_made() {
    let slow = Slow::new();
    let terminal = talkers(&slow.base(), r#""llm.budget.being" = { day = { money = 0.5 } }"#);
    let served = Served::begin(terminal, "serve w --port 0 --pace 60 --json");
    let operator = served.operator();
    let own = json!({ "key": "llm.budget", "value": { "day": { "calls": 1 } } });
    served.post(&operator, "/api/do", json!({ "target": "@operator", "action": "config.set", "args": own })).ok();
    let said = summon(&served, &operator, "@mia");
    answer(slow.asked().0, "summon", &json!({ "content": "hello yourself" }));
    moment(&served, &operator, said);
    assert_eq!(served.post(&operator, "/api/try", json!({ "being": "@mia", "replies": 2 })).code(), "budget");
    let alone = json!({ "target": "@mia", "action": "model.settle", "args": { "of": 1 } });
    assert_eq!(served.post(&operator, "/api/do", alone).code(), "trial");
    // A call that nobody hears the end of stays spent, also for who asks again.
    std::thread::scope(|scope| {
        let trying = scope.spawn(|| served.post(&operator, "/api/try", json!({ "being": "@mia" })).ok());
        let (line, _) = slow.asked();
        let cost = served.get(&operator, "/api/cost").ok();
        let budgets = cost["budgets"].as_array().unwrap();
        let own = budgets.iter().find(|budget| budget["account"] == "@operator" && budget["limit"]["calls"] == 1).unwrap();
        assert_eq!((&own["spent"]["calls"], &cost["held"]["open"], &own["period"]), (&json!(1), &json!(1), &json!("day")));
        assert_eq!(served.post(&operator, "/api/try", json!({ "being": "@mia" })).code(), "budget");
        drop(line);
        let tried = trying.join().unwrap();
        assert_eq!((&tried["replies"][0]["closing"], &tried["replies"][0]["reason"]["code"]), (&json!("failed"), &json!("reply-broken")));
    });
    assert!(served.stop().types("replay").ok().contains("identical"));
}

#[test]
fn for_whoever_was_refused_too_often_no_model_is_asked_and_nothing_is_held_back() {
    let slow = Slow::new();
    let served = Served::begin(talkers(&slow.base(), ""), "serve w --port 0 --pace 60 --json");
    let operator = served.operator();
    let said = summon(&served, &operator, "@mia");
    answer(slow.asked().0, "summon", &json!({ "content": "hello yourself" }));
    moment(&served, &operator, said);
    let token = served.post(&operator, "/api/tokens", json!({ "only": ["see"] })).ok()["token"].as_str().unwrap().to_owned();
    served.keep_secret(&token);
    let bearer = format!("Bearer {token}");
    let send = |path: &str, body: Value| {
        served.send(&Person::default(), "POST", path, Some(body.to_string()), &[("authorization", bearer.as_str())])
    };
    assert_eq!(send("/api/try", json!({ "being": "@mia" })).code(), "gate-narrowed");
    let say = json!({ "target": "/", "action": "say", "args": { "content": "I" } });
    assert!((0..99).all(|_| send("/api/do", say.clone()).ok()["closing"] == "refused"));
    let before = frames(&served, &operator);
    assert_eq!(send("/api/try", json!({ "being": "@mia" })).code(), "too-many-refusals");
    assert_eq!(frames(&served, &operator), before);
}

#[test]
fn a_fifth_draft_at_one_time_is_told_when_to_come_again() {
    let slow = Slow::new();
    let served = Served::begin(talkers(&slow.base(), ""), "serve w --port 0 --pace 60 --json");
    let operator = served.operator();
    let said = summon(&served, &operator, "@mia");
    answer(slow.asked().0, "summon", &json!({ "content": "hello yourself" }));
    moment(&served, &operator, said);
    std::thread::scope(|scope| {
        let tries = || served.post(&operator, "/api/try", json!({ "being": "@mia" }));
        let four: Vec<_> = (0..4).map(|_| scope.spawn(tries)).collect();
        let lines: Vec<TcpStream> = (0..4).map(|_| slow.asked().0).collect();
        let fifth = tries();
        assert_eq!((fifth.status, fifth.code(), fifth.header("retry-after")), (429, "too-many", Some("1")));
        lines.into_iter().for_each(|line| answer(line, "see", &json!({ "address": "/" })));
        four.into_iter().for_each(|one| assert_eq!(one.join().unwrap().status, 200));
    });
}

#[test]
fn a_script_thinks_again_for_nothing_and_a_moment_that_is_none_is_named() {
    let served = Served::begin(talkers("http://127.0.0.1:9/v1", ""), "serve w --port 0 --pace 60 --json");
    let operator = served.operator();
    assert_eq!(served.post(&operator, "/api/try", json!({ "being": "@cal" })).code(), "not-found");
    let said = summon(&served, &operator, "@cal");
    let was = moment(&served, &operator, said);
    let before = frames(&served, &operator);
    let same = served.post(&operator, "/api/try", json!({ "being": "@cal" })).ok();
    assert_eq!(
        (&same["seq"], &same["replies"][0]["closing"], &same["replies"][0]["facts"][0]["path"]),
        (&was["seq"], &json!("act"), &json!("t.n")),
        "{same}"
    );
    let mute = json!({ "being": "@cal", "roles": { "counter": { "name": "counter" } } });
    assert_eq!(served.post(&operator, "/api/try", mute).ok()["replies"][0]["reason"]["code"], "gate-role");
    // The moment before it was spoken to is another's.
    assert_eq!(served.post(&operator, "/api/try", json!({ "being": "@cal", "seq": said })).status, 404);
    assert_eq!(served.post(&operator, "/api/try", json!({ "being": "@cal", "seq": 1_i64 << 40 })).status, 404);
    assert_eq!(frames(&served, &operator), before, "nothing of it was sealed");
}

#[test]
fn what_models_cost_is_summed_from_the_beginning_also_by_a_server_that_was_started_anew() {
    let slow = Slow::new();
    let served = Served::begin(talkers(&slow.base(), ""), "serve w --port 0 --pace 60 --json");
    let operator = served.operator();
    served.post(&operator, "/api/password", json!({ "password": "a good password" })).ok();
    let said = summon(&served, &operator, "@mia");
    answer(slow.asked().0, "summon", &json!({ "content": "hello yourself" }));
    moment(&served, &operator, said);
    // Asked again, it is killed in the call.
    summon(&served, &operator, "@mia");
    let line = slow.asked();
    let served = served.killed_and_again("serve w --port 0 --pace 60 --json");
    let operator = served.login("operator", "a good password");
    drop(line);
    let (line, _) = slow.asked();
    let cost = served.get(&operator, "/api/cost").ok();
    assert_eq!(
        (&cost["total"]["moments"], &cost["total"]["unanswered"], &cost["models"]["m-2"]["moments"]),
        (&json!(2), &json!(1), &json!(1)),
        "{cost}"
    );
    drop(line);
    // With nothing at hand all of it is read from the log, and comes to the same.
    let served = served.killed_and_again("serve w --port 0 --paused --recent 0 --json");
    let operator = served.login("operator", "a good password");
    let again = served.get(&operator, "/api/cost").ok();
    assert_eq!((&again["beings"]["@mia"]["moments"], &again["models"]), (&cost["beings"]["@mia"]["moments"], &cost["models"]), "{again}");
    let read = served.get(&operator, "/api/moments?model=m-2").ok();
    assert_eq!((read["moments"].as_array().unwrap().len(), &read["moments"][0]["cost"]["model"]), (1, &json!("m-2")));
    let terminal = served.stop();
    terminal.types("find --raw --model m-2").says(&["@mia"]);
    terminal.types("find --raw --tokens 42 --cost 0.00006 --day 2026-03-02").says(&["@mia", "hello yourself"]);
    terminal.types("find --tokens 42 --day 2026-03-03").fails(1).warns(&["2026-03-03"]);
    assert!(!terminal.types("find --raw --tokens 1000000").ok().contains("@mia"));
    assert!(terminal.types("replay").ok().contains("identical"));
}
