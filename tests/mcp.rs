//! Mcp: has a model outside, over the Model Context Protocol, the rights of its being and no others, and is all that it does on the record?
//!
//! The stories in tests/mcp are told by the client that the protocol's own makers publish; here stands what no honest client sends.
//! The makers' conformance suite runs too: tests/mcp/expected.txt lists by name what fails there, and why.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread::JoinHandle;

use serde_json::{Value, json};

use super::browser::{install, runs};
use super::parts::NODE;
use super::portal::RIGHTS;
use super::served::{Answer, Person, Served};
use super::terminal::{REELM, package};

const VISITOR: Person = Person { cookie: None };

/// A model that holds a token, and speaks the protocol of 2025.
pub struct Model {
    token: String,
    session: String,
}

/// The outcome of a call.
#[derive(Debug, PartialEq)]
pub enum Came {
    Done(Value),
    Refused(Value),
}

fn token_of(served: &Served, person: &Person, wanted: Value) -> (String, String) {
    let made = served.post(person, "/api/tokens", wanted).ok();
    let token = made["token"].as_str().unwrap().to_owned();
    served.keep_secret(&token);
    (token, made["id"].as_str().unwrap().to_owned())
}

/// Sends one message to `/mcp`.
fn sent(served: &Served, headers: &[(&str, &str)], message: &Value) -> Answer {
    let all: Vec<_> = [("accept", "application/json, text/event-stream")].into_iter().chain(headers.iter().copied()).collect();
    served.send(&VISITOR, "POST", "/mcp", Some(message.to_string()), &all)
}

fn initialize() -> Value {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

/// The message that a stream of events carries.
fn message(text: &str) -> Value {
    let data = text.lines().filter_map(|line| line.strip_prefix("data:")).find_map(|data| serde_json::from_str(data.trim()).ok());
    data.unwrap_or_else(|| panic!("no message in `{text}`"))
}

impl Model {
    fn begin(served: &Served, token: &str) -> Self {
        let answer = sent(served, &[("authorization", &format!("Bearer {token}"))], &initialize());
        assert_eq!(answer.status, 200, "{}", answer.text);
        let model = Self { token: token.to_owned(), session: answer.header("mcp-session-id").unwrap().to_owned() };
        assert_eq!(model.sends(served, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).status, 202);
        model
    }

    pub fn of(served: &Served, person: &Person) -> Self {
        Self::begin(served, &token_of(served, person, json!({ "name": "model" })).0)
    }

    fn sends(&self, served: &Served, message: &Value) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        sent(served, &[("authorization", &bearer), ("mcp-session-id", &self.session)], message)
    }

    /// A request under an id, and its result.
    pub fn asks(&self, served: &Served, id: u64, method: &str, params: Value) -> Value {
        let answer = self.sends(served, &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        assert_eq!(answer.status, 200, "{}", answer.text);
        let told = message(&answer.text);
        assert_eq!(told["id"], id);
        told["result"].clone()
    }

    /// The words of a call, and the structured part.
    fn words(&self, served: &Served, id: u64, tool: &str, arguments: &Value) -> (String, Value) {
        let result = self.asks(served, id, "tools/call", json!({ "name": tool, "arguments": arguments }));
        let content = result["content"].as_array().unwrap();
        assert_eq!(content.len(), 1, "{result}");
        (content[0]["text"].as_str().unwrap().to_owned(), result["structuredContent"].clone())
    }

    pub fn sees(&self, served: &Served, id: u64, arguments: Value) -> (String, Value) {
        self.words(served, id, "see", &arguments)
    }

    pub fn calls(&self, served: &Served, id: u64, tool: &str, arguments: &Value) -> Came {
        let result = self.asks(served, id, "tools/call", json!({ "name": tool, "arguments": arguments }));
        let told = result["structuredContent"].clone();
        if result["isError"] == true { Came::Refused(told) } else { Came::Done(told) }
    }

    fn tools(&self, served: &Served) -> Vec<String> {
        let listed = self.asks(served, 900, "tools/list", json!({}));
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn inc() -> Value {
    json!({ "target": "/court", "action": "quality.inc", "args": { "path": "tally.count", "by": 1 } })
}

/// A row of the table as a call of a tool; what is no verb is none.
fn call_of(method: &str, path: &str, body: &str) -> Option<(&'static str, Value)> {
    let tool = match (method, path) {
        ("POST", "/api/do") => "do",
        ("POST", "/api/summon") => "summon",
        ("POST", "/api/be") => "be",
        ("GET", path) => {
            let pairs = path.strip_prefix("/api/see?")?.split('&').map(|pair| pair.split_once('=').unwrap());
            // As whom one looks is said where one comes in.
            let asked: serde_json::Map<_, _> = pairs.map(|(key, value)| (key.to_owned(), json!(value))).collect();
            return (!asked.contains_key("as")).then_some(("see", Value::Object(asked)));
        }
        _ => return None,
    };
    Some((tool, serde_json::from_str(body).unwrap()))
}

#[test]
fn a_model_has_the_rights_of_its_being_and_no_others() {
    let served = Served::paused("court");
    let operator = served.operator();
    let nobody = json!({ "target": "/", "action": "role.set", "args": { "name": "nobody", "role": { "name": "nobody" } } });
    served.post(&operator, "/api/do", nobody).ok();
    let parent = served.person(&operator, "mum", json!({ "defaultRole": "person", "home": "/court", "grants": ["person"] }));
    let stranger = served.person(&operator, "stranger", json!({ "defaultRole": "nobody", "home": "/court" }));
    let kid = json!({ "name": "kid", "cognition": "human", "defaultRole": "person", "home": "/court", "parent": "@mum" });
    served.post(&operator, "/api/be", json!({ "operation": "birth", "payload": kid })).ok();
    let models = [&stranger, &parent, &operator].map(|person| Model::of(&served, person));
    let rows: Vec<_> = RIGHTS.iter().filter_map(|(method, path, body, wanted)| Some((call_of(method, path, body)?, wanted))).collect();
    assert!(rows.len() >= 12, "the table's verbs are asked");
    for (row, ((tool, arguments), wanted)) in rows.iter().enumerate() {
        for (model, wanted) in models.iter().zip(&wanted[1..]) {
            let before = served.get(&operator, "/health").ok()["seq"].clone();
            let came = model.calls(&served, row as u64 + 1, tool, arguments);
            let found = match &came {
                Came::Done(_) => '+',
                Came::Refused(told) if told["seq"].is_u64() => 'r',
                Came::Refused(_) => '-',
            };
            assert_eq!(found, *wanted, "{tool} {arguments}: {came:?}");
            if let Came::Refused(told) = &came {
                assert!(told["code"].is_string() && told["message"].is_string() && told.get("allowed").is_none(), "{told}");
            }
            if found == '-' || *tool == "see" {
                assert_eq!(served.get(&operator, "/health").ok()["seq"], before, "{tool} {arguments} was recorded");
            }
        }
    }
    assert!(served.stop().types("replay").ok().contains("identical"));
}

#[test]
fn nobody_comes_in_without_a_token_that_holds_and_a_token_taken_back_in_the_middle_ends_all() {
    let served = Served::paused("court");
    let operator = served.operator();
    let cookie = operator.cookie.clone().unwrap();
    let wrong: [(&[(&str, &str)], &str); 6] = [
        (&[], "not-logged-in"),
        (&[("authorization", "Bearer ")], "bad-token"),
        (&[("authorization", "Bearer reelm_nonsense")], "bad-token"),
        // A browser's session is no program's, whoever's page sends it.
        (&[("cookie", &cookie)], "not-logged-in"),
        (&[("authorization", "Bearer reelm_nonsense"), ("host", "evil.example")], "wrong-host"),
        (&[("authorization", "Bearer reelm_nonsense"), ("origin", "http://evil.example")], "wrong-origin"),
    ];
    for (headers, code) in wrong {
        let answer = sent(&served, headers, &initialize());
        assert_eq!(answer.code(), code, "{headers:?}: {}", answer.text);
        assert_eq!(answer.status == 401, answer.header("www-authenticate") == Some("Bearer"), "{headers:?}");
    }
    let (token, id) = token_of(&served, &operator, json!({ "name": "model" }));
    let model = Model::begin(&served, &token);
    assert!(matches!(model.calls(&served, 1, "do", &inc()), Came::Done(_)));
    served.delete(&operator, &format!("/api/tokens/{id}")).ok();
    let before = served.get(&operator, "/health").ok()["seq"].clone();
    for message in [json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }), initialize()] {
        let answer = model.sends(&served, &message);
        assert_eq!((answer.status, answer.code()), (401, "bad-token"), "{}", answer.text);
    }
    assert_eq!(served.get(&operator, "/health").ok()["seq"], before);
}

#[test]
fn a_narrowed_token_has_fewer_tools_and_a_being_that_ends_has_none() {
    let served = Served::paused("court");
    let operator = served.operator();
    let mum = served.person(&operator, "mum", json!({ "defaultRole": "person", "home": "/court", "grants": ["person"] }));
    let (narrow, _) = token_of(&served, &mum, json!({ "name": "eyes", "only": ["see", "summon"] }));
    let (narrow, whole) = (Model::begin(&served, &narrow), Model::of(&served, &mum));
    assert_eq!(narrow.tools(&served), ["see", "summon"]);
    assert_eq!(whole.tools(&served), ["see", "do", "summon"]);
    // A tool that is not listed goes through the same gate.
    let Came::Refused(told) = narrow.calls(&served, 1, "do", &json!({ "target": "@mum", "action": "say", "args": { "content": "hello" } }))
    else {
        panic!("a verb that was narrowed away");
    };
    assert_eq!((&told["code"], told["seq"].is_u64()), (&json!("gate-narrowed"), true), "{told}");
    let end = json!({ "operation": "end", "payload": { "being": "@mum" } });
    assert_eq!(served.post(&operator, "/api/be", end).ok()["closing"], "act");
    let answer = whole.sends(&served, &json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }));
    assert_eq!((answer.status, answer.code()), (401, "bad-token"), "{}", answer.text);
}

#[test]
fn a_call_that_is_sent_again_is_done_once_and_a_key_of_the_clients_own_outlives_the_server() {
    let served = Served::paused("court");
    let operator = served.operator();
    // A new password takes tokens back.
    served.post(&operator, "/api/password", json!({ "password": "a good password" })).ok();
    let (token, _) = token_of(&served, &operator, json!({ "name": "model" }));
    let count =
        |served: &Served, operator: &Person| served.get(operator, "/api/see?address=/court").ok()["qualities"]["tally"]["count"].clone();
    let (model, other) = (Model::begin(&served, &token), Model::begin(&served, &token));
    let first = model.calls(&served, 5, "do", &inc());
    assert_eq!(model.calls(&served, 5, "do", &inc()), first);
    assert_eq!(count(&served, &operator), 1);
    // Another conversation counts its requests by itself.
    assert_ne!(other.calls(&served, 5, "do", &inc()), first);
    assert_eq!(count(&served, &operator), 2);
    let Came::Refused(told) = model.calls(&served, 5, "do", &json!({ "target": "/court", "action": "say", "args": { "content": "x" } }))
    else {
        panic!("an id that was used for another act");
    };
    assert_eq!(told["code"], "conflict");
    let keyed = json!({ "name": "do", "arguments": inc(), "_meta": { "reelm/key": "my own" } });
    let kept = model.asks(&served, 6, "tools/call", keyed.clone());
    let served = served.killed_and_again("serve --port 0 --paused --json");
    let operator = served.login("operator", "a good password");
    let gone = model.sends(&served, &json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list" }));
    assert_eq!((gone.status, gone.code()), (404, "not-found"), "the session ended with the server");
    let again = Model::begin(&served, &token).asks(&served, 9, "tools/call", keyed);
    assert_eq!(again["structuredContent"], kept["structuredContent"]);
    assert_eq!(count(&served, &operator), 3);
    assert!(served.stop().types("replay").ok().contains("identical"));
}

#[test]
fn a_session_is_its_beings_alone_and_the_oldest_of_too_many_gives_way() {
    let served = Served::paused("court");
    let operator = served.operator();
    let mum = served.person(&operator, "mum", json!({ "defaultRole": "person", "home": "/court" }));
    let (own, (stranger, _)) = (Model::of(&served, &operator), token_of(&served, &mum, json!({ "name": "model" })));
    let taken = Model { token: stranger, session: own.session.clone() };
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    assert_eq!(taken.sends(&served, &list).status, 404);
    let more: Vec<_> = (0..16).map(|_| Model::begin(&served, &own.token)).collect();
    assert_eq!(own.sends(&served, &list).status, 404, "sixteen others have begun since");
    more.iter().for_each(|model| assert_eq!(model.sends(&served, &list).status, 200));
}

#[test]
fn nothing_that_is_sent_to_the_door_of_models_makes_the_server_fail() {
    let served = Served::paused("court");
    let operator = served.operator();
    let model = Model::of(&served, &operator);
    let call = |name: Value, arguments: Value| json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    let read = |uri: &str| json!({ "jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": { "uri": uri } });
    let messages = [
        json!(null),
        json!([]),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "no/such" }),
        json!({ "jsonrpc": "2.0", "id": {}, "method": "tools/list" }),
        call(json!("fly"), json!({})),
        call(json!(5), json!({})),
        call(json!("see"), json!({})),
        call(json!("see"), json!({ "address": 5 })),
        call(json!("see"), json!({ "address": "/court", "more": 1 })),
        call(json!("see"), json!({ "address": "\u{0}" })),
        call(json!("see"), json!({ "address": "/", "at": "99999999999" })),
        call(json!("do"), json!([])),
        call(json!("do"), json!({ "target": "@@", "action": "" })),
        call(json!("summon"), json!({ "content": null, "wake": "x" })),
        call(json!("be"), json!({ "operation": "birth", "payload": { "name": "\u{0}" } })),
        read(""),
        read("reelm:///%"),
        read("reelm://other/court"),
        read("reelm:///nowhere"),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "resources/subscribe", "params": { "uri": "reelm:///nowhere" } }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "resources/unsubscribe", "params": { "uri": "http://x" } }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "prompts/list" }),
    ];
    for message in &messages {
        let answer = model.sends(&served, message);
        assert!(answer.status < 500, "{message}: {} {}", answer.status, answer.text);
    }
    let bearer = format!("Bearer {}", model.token);
    for method in ["PUT", "PATCH", "GET"] {
        let answer = served.send(&VISITOR, method, "/mcp", None, &[("authorization", &bearer)]);
        assert!((400..500).contains(&answer.status), "{method}: {}", answer.status);
    }
    let large = json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": { "name": "x".repeat(2 << 20) } });
    assert_eq!(model.sends(&served, &large).status, 413);
    assert_eq!(served.get(&operator, "/health").ok()["status"], "ok");
}

/// A scribe, who keeps something in mind, and the model that drives it.
fn scribe(served: &Served, operator: &Person) -> Model {
    let does = |body: Value| assert_eq!(served.post(operator, "/api/do", body).ok()["closing"], "act");
    let role = json!({ "name": "scribe", "prompt": "You write down what is said, {{me.name}}.", "canSee": ["@scribe", "@scribe/**", "/court", "/court/**"],
        "canDo": ["say", "keep", "quality.inc"], "canSummon": ["operator"] });
    does(json!({ "target": "/", "action": "role.set", "args": { "name": "scribe", "role": role } }));
    let text = "The flute of the miller hangs here. ".repeat(400);
    does(json!({ "target": "/court", "action": "matter.make", "args": { "name": "flute", "type": "doc", "content": text } }));
    let scribe = served.person(operator, "scribe", json!({ "defaultRole": "scribe", "home": "/court" }));
    Model::of(served, &scribe)
}

#[test]
fn a_model_outside_is_told_what_one_inside_is_told_of_itself() {
    let served = Served::paused("court");
    let model = scribe(&served, &served.operator());
    let says = |id: u64, text: &str| {
        let said = json!({ "target": "/court", "action": "say", "args": { "content": text } });
        assert!(matches!(model.calls(&served, id, "do", &said), Came::Done(_)));
    };
    says(1, "the flute was sold to @bern for seven coins");
    // The latest happenings fill a block of their own, and the flute is called to mind by another.
    (2..42).for_each(|id| says(id, &format!("nothing of note happens on this long and quiet afternoon, number {id}")));
    let keep = json!({ "target": "@me", "action": "keep", "args": { "content": "never lend the ink" } });
    assert!(matches!(model.calls(&served, 50, "do", &keep), Came::Done(_)));
    let (text, beside) = model.sees(&served, 51, json!({ "address": "@me" }));
    let blocks = [
        "You are @scribe, in the world",
        "You wear scribe.",
        "You write down what is said, scribe.",
        "[keep]\nnever lend the ink",
        "[recall]\n",
    ];
    let places: Vec<usize> = blocks.iter().map(|block| text.find(block).unwrap_or_else(|| panic!("no `{block}` in {text}"))).collect();
    assert!(places.is_sorted(), "{text}");
    assert!(text[places[4]..].contains("the flute was sold to @bern"), "{text}");
    assert_eq!(beside, json!({ "address": "@scribe", "kind": "being", "more": false }));
    let begun = message(&sent(&served, &[("authorization", &format!("Bearer {}", model.token))], &initialize()).text);
    let told = begun["result"]["instructions"].as_str().unwrap();
    assert!(told.starts_with(&text) && told.contains("`@me/.inbox`"), "{told}");
}

#[test]
fn arguments_that_any_reader_understands_are_understood_and_what_is_not_says_where() {
    let served = Served::paused("court");
    let model = scribe(&served, &served.operator());
    let say = json!({ "target": "/court", "action": "say", "args": { "content": "good day" } });
    let inc = json!({ "target": "@scribe", "action": "quality.inc", "args": "{\"path\": \"t.n\", \"by\": \"2\"}" });
    for (id, arguments) in (10..).zip([json!({ "arguments": say }), json!({ "arguments": say.to_string() }), inc]) {
        let came = model.calls(&served, id, "do", &arguments);
        assert!(matches!(came, Came::Done(_)), "{arguments}: {came:?}");
    }
    let (rest, _) = model.sees(&served, 2, json!({ "address": "/court/flute", "from": "8192" }));
    assert!(rest.starts_with("[you looked at /court/flute from 8192]"), "{rest}");
    let (seen, _) = model.sees(&served, 2, json!({ "args": { "address": "/court" } }));
    assert!(seen.starts_with("[you looked at /court]"), "{seen}");
    let text = model.asks(&served, 20, "tools/call", json!({ "name": "do", "arguments": say.to_string() }));
    assert_eq!(text["structuredContent"]["closing"], "act", "{text}");
    for (id, (tool, wrong, why)) in (21..).zip([
        ("do", json!({ "action": "say" }), "`do` expects `target`, found action; it has "),
        ("summon", json!({ "target": "@operator", "message": "hi" }), "`summon` expects `content`, found message, target; it has "),
        ("see", json!({ "address": "/court", "query": "x" }), "`see` has no argument `query`; it has "),
        ("do", json!({}), "`do` expects `target`, found no argument; it has "),
    ]) {
        let Came::Refused(told) = model.calls(&served, id, tool, &wrong) else { panic!("{wrong}") };
        assert!(told["message"].as_str().unwrap().starts_with(why), "{told}");
    }
    let cut = json!({ "target": "/court", "action": "say", "args": "{\"content\": \"good" });
    let Came::Refused(told) = model.calls(&served, 3, "do", &cut) else { panic!("{cut}") };
    assert_eq!((&told["code"], &told["place"]), (&json!("bad-request"), &json!("/args")), "{told}");
    assert!(told["message"].as_str().unwrap().contains("line 1, column "), "{told}");
}

#[test]
fn whatever_a_tool_answers_fits_the_schema_of_its_output() {
    let served = Served::paused("court");
    let model = scribe(&served, &served.operator());
    let listed = model.asks(&served, 1, "tools/list", json!({}));
    let rows = [
        ("see", json!({ "address": "/court" }), true),
        ("see", json!({ "address": "/nowhere" }), false),
        ("see", json!({ "address": 7 }), false),
        ("do", json!({ "target": "/court", "action": "say", "args": { "content": "good day" } }), true),
        ("do", json!({ "target": "/", "action": "signal.set", "args": { "path": "a.b", "value": 1 } }), false),
        ("summon", json!({ "target": "@operator", "content": "good day" }), true),
        ("summon", json!({ "target": "@bern", "content": "good day" }), false),
    ];
    for (id, (tool, arguments, is_done)) in (10..).zip(rows) {
        let one = listed["tools"].as_array().unwrap().iter().find(|one| one["name"] == tool).unwrap();
        let schema = jsonschema::validator_for(&one["outputSchema"]).unwrap();
        let told = match model.calls(&served, id, tool, &arguments) {
            Came::Done(told) => (told, true),
            Came::Refused(told) => (told, false),
        };
        assert_eq!(told.1, is_done, "{tool} {arguments}: {}", told.0);
        let faults: Vec<String> = schema.iter_errors(&told.0).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{tool} {arguments}: {} {faults:?}", told.0);
        assert!(told.0.to_string().len() < 600, "{}", told.0);
    }
}

#[test]
fn what_became_of_a_question_and_what_a_panel_asks_stand_in_the_inbox_in_words() {
    let served = Served::paused("court");
    let operator = served.operator();
    let model = scribe(&served, &operator);
    let juror = json!({ "name": "juror", "prompt": "You decide.", "canSee": ["/court"], "canSummon": ["scribe"] });
    let set = json!({ "target": "/", "action": "role.set", "args": { "name": "juror", "role": juror } });
    assert_eq!(served.post(&operator, "/api/do", set).ok()["closing"], "act");
    let panel = json!({ "of": ["@scribe"], "until": "10m" });
    let jury = json!({ "name": "jury", "home": "/court", "cognition": "panel", "panel": panel, "defaultRole": "juror" });
    let born = served.post(&operator, "/api/be", json!({ "operation": "birth", "payload": jury })).ok();
    assert_eq!(born["closing"], "act", "{born}");
    served.post(&operator, "/api/summon", json!({ "target": "@jury", "content": "Shall we begin?" })).ok();
    model.sees(&served, 4, json!({ "address": "@me/.inbox" }));
    served.post(&operator, "/api/clock", json!({ "do": "step" })).ok();
    let (inbox, _) = model.sees(&served, 5, json!({ "address": "@me/.inbox", "wait": "20s" }));
    assert!(inbox.contains("the question of a panel of @jury waits, wake `"), "{inbox}");
    assert!(inbox.contains("Shall we begin?") && !inbox.contains("\"about\""), "{inbox}");
}

#[test]
fn a_wait_ends_when_a_question_is_heard_and_gets_no_answer() {
    let served = Served::paused("court");
    let operator = served.operator();
    let quiet = json!({ "name": "quiet", "source": "fn think(face) { if face.wake.content == \"ask\" { return summon(\"@bern\", \"Well?\"); } if face.wake.content == \"work\" { return act(face.me.address, \"quality.inc\", #{ path: \"t.n\" }); } () }" });
    served.post(&operator, "/api/do", json!({ "target": "/", "action": "script.set", "args": quiet })).ok();
    let born = json!({ "name": "hush", "home": "/court", "cognition": "script", "script": "quiet", "defaultRole": "operator" });
    let born = served.post(&operator, "/api/be", json!({ "operation": "birth", "payload": born })).ok();
    assert_eq!(born["closing"], "act", "{born}");
    let model = Model::of(&served, &operator);
    model.sees(&served, 1, json!({ "address": "@me/.inbox" }));
    let asks = |id: u64, words: &str| {
        let Came::Done(told) = model.calls(&served, id, "summon", &json!({ "target": "@hush", "content": words })) else {
            panic!("{words}")
        };
        served.post(&operator, "/api/clock", json!({ "do": "step" })).ok();
        told["seq"].as_u64().unwrap()
    };
    let mark = || served.get(&operator, "/api/look?address=@operator/.inbox").ok()["hash"].clone();
    for (id, words, sentence) in [
        (2, "work", "- @hush heard it, did something else, and gave no answer."),
        (4, "rest", "- @hush heard it and gave no answer."),
        (6, "ask", "- @hush heard it and asked somebody else first."),
    ] {
        let before = mark();
        let seq = asks(id, words);
        let waits = || model.sees(&served, id + 1, json!({ "address": "@me/.inbox", "wait": "2s" })).0;
        let told = (0..60).map(|_| waits()).find(|told| told.contains(sentence)).unwrap();
        assert!(!told.contains("quality.inc"), "{told}");
        assert_ne!(mark(), before, "a wait ends by it");
        let known = served.get(&operator, "/api/unanswered").ok();
        assert_eq!((known.as_array().unwrap().len(), &known[0]["cause"]), (1, &json!(format!("{seq}.0"))), "{known}");
        assert!(known[0]["moment"].as_str().unwrap().starts_with("@hush/"), "{known}");
    }
}

#[test]
fn whoever_may_not_read_a_moment_learns_that_it_gave_no_answer_and_not_which_it_is() {
    let served = Served::paused("court");
    let operator = served.operator();
    let does = |body: Value| assert_eq!(served.post(&operator, "/api/do", body).ok()["closing"], "act");
    let role = json!({ "name": "asker", "canSee": ["@asker", "/court"], "canSummon": ["operator"] });
    does(json!({ "target": "/", "action": "role.set", "args": { "name": "asker", "role": role } }));
    let asker = served.person(&operator, "asker", json!({ "defaultRole": "asker", "home": "/court" }));
    served.post(&asker, "/api/summon", json!({ "target": "@operator", "content": "How is it?" })).ok();
    assert_eq!(served.get(&asker, "/api/unanswered").ok(), json!([]));
    let inbox = served.get(&operator, "/api/inbox").ok();
    let wake = inbox.as_array().unwrap().iter().find(|entry| entry["from"] == "@asker").unwrap()["wake"].clone();
    served.post(&operator, "/api/see", json!({ "wake": wake })).ok();
    let told = served.get(&asker, "/api/unanswered").ok();
    assert_eq!((&told[0]["words"], &told[0]["moment"]), (&json!("@operator heard it and gave no answer."), &Value::Null), "{told}");
    let own = served.get(&asker, "/api/being/asker").ok();
    assert_eq!(own["unanswered"], told);
}

#[test]
fn a_look_is_told_once_in_the_words_of_a_prompt_page_by_page() {
    let served = Served::paused("court");
    let operator = served.operator();
    let model = scribe(&served, &operator);
    let listed = model.asks(&served, 1, "tools/list", json!({}));
    let see = listed["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "see").unwrap();
    let schema = jsonschema::validator_for(&see["outputSchema"]).unwrap();
    let (text, beside) = model.sees(&served, 2, json!({ "address": "/court" }));
    assert!(text.starts_with("[you looked at /court]\nIt is ") && text.contains("- /court/flute (doc"), "{text}");
    assert_eq!((&beside["address"], &beside["kind"]), (&json!("/court"), &json!("space")));
    assert!(schema.is_valid(&beside), "{beside}");
    let (first, beside) = model.sees(&served, 3, json!({ "address": "/court/flute" }));
    assert!(first.len() < 9_000 && first.contains("more bytes: see it from 8192"), "{first}");
    assert_eq!((&beside["kind"], &beside["more"]), (&json!("matter"), &json!(true)));
    let (rest, beside) = model.sees(&served, 4, json!({ "address": "/court/flute", "from": 8192 }));
    assert!(rest.starts_with("[you looked at /court/flute from 8192]") && !rest.contains("more bytes"), "{rest}");
    assert_eq!(beside["more"], false);
    let said = json!({ "target": "/court", "action": "say", "args": { "content": "the flute was sold" } });
    assert!(matches!(model.calls(&served, 5, "do", &said), Came::Done(_)));
    let (found, _) = model.sees(&served, 6, json!({ "address": "@me/.life", "words": "flute sold" }));
    assert!(found.contains("the flute was sold"), "{found}");
    let (found, _) = model.sees(&served, 7, json!({ "address": "/court", "words": "FLUTE" }));
    assert!(found.starts_with("[you looked at /court by the words FLUTE]\n- /court/flute (doc"), "{found}");
    for wrong in [
        json!({ "address": "/court", "words": 5 }),
        json!({ "address": "/court", "wait": "soon" }),
        json!({ "address": "/court", "from": -1 }),
    ] {
        let Came::Refused(told) = model.calls(&served, 7, "see", &wrong) else { panic!("{wrong}") };
        assert_eq!(told["code"], "bad-request", "{wrong}: {told}");
    }
    assert!(matches!(model.calls(&served, 8, "see", &json!({ "address": "/.config" })), Came::Refused(_)));
}

#[test]
fn a_refusal_names_the_nearest_that_would_be_allowed_and_nothing_else() {
    let served = Served::paused("court");
    let model = scribe(&served, &served.operator());
    let (text, beside) = model.words(&served, 1, "do", &json!({ "target": "@me", "action": "keeps", "args": { "content": "x" } }));
    assert_eq!(beside["nearest"], "do keep on @scribe", "{beside}");
    let keys: Vec<&str> = beside.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(keys.iter().all(|key| ["code", "place", "message", "nearest", "seq"].contains(key)), "{beside}");
    assert!(
        text.contains(beside["message"].as_str().unwrap()) && text.ends_with("The nearest that you may do now: do keep on @scribe."),
        "{text}"
    );
    let (_, beside) = model.words(&served, 2, "summon", &json!({ "target": "@operatr", "content": "x" }));
    assert_eq!(beside["nearest"], "summon @operator", "{beside}");
    let (text, _) = model.sees(&served, 3, json!({ "address": "/curt" }));
    assert!(text.contains("The nearest that you may do now: see /court."), "{text}");
}

/// The entry of an inbox by its words: the `wake` by which it is answered.
fn wake_in(text: &str) -> &str {
    text.split("wake `").nth(1).and_then(|rest| rest.split('`').next()).unwrap_or_else(|| panic!("no wake in {text}"))
}

/// Asks once over a line of its own, to wait at an address.
fn waits(host: &str, token: &str, (address, length): (&str, &str)) -> String {
    let (mut line, mut text) = (TcpStream::connect(host).unwrap(), String::new());
    let path = format!("/api/look?address={address}&wait={length}");
    write!(line, "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n").unwrap();
    line.read_to_string(&mut text).unwrap();
    text
}

fn host_of(served: &Served) -> String {
    served.url.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

#[test]
fn whoever_waits_hears_of_what_comes_before_whoever_waits_for_nothing_ends() {
    let served = Served::paused("court");
    let operator = served.operator();
    let (token, _) = token_of(&served, &operator, json!({ "name": "model" }));
    let (heard, hears) = mpsc::channel();
    for address in ["/court", "@operator/.inbox"] {
        let (host, token, heard) = (host_of(&served), token.clone(), heard.clone());
        std::thread::spawn(move || drop(heard.send(waits(&host, &token, (address, "30s")))));
    }
    served.post(&operator, "/api/summon", json!({ "target": "@operator", "content": "is there ink?" })).ok();
    let first = hears.recv().unwrap();
    assert!(first.contains("> is there ink?"), "{first}");
}

#[test]
fn whoever_waits_at_its_inbox_hears_of_what_comes() {
    let served = Served::paused("court");
    let operator = served.operator();
    let model = scribe(&served, &operator);
    let wait = json!({ "address": "@me/.inbox", "wait": "30s" });
    let asks = |content: &str| {
        served.post(&operator, "/api/summon", json!({ "target": "@scribe", "content": content })).ok();
    };
    assert_eq!(model.sees(&served, 1, json!({ "address": "@me/.inbox" })).0, "[you looked at @scribe/.inbox]\nNothing.");
    let (text, beside) = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| model.sees(&served, 2, wait.clone()));
        asks("is there ink?");
        waiting.join().unwrap()
    });
    assert!(text.contains("- a summons of @operator waits, wake `") && text.contains("> is there ink?"), "{text}");
    assert_eq!(beside, json!({ "address": "@scribe/.inbox", "kind": "register", "more": false }));
    // Anything that came since the last look is told at once.
    asks("and paper?");
    assert!(model.sees(&served, 3, wait).0.contains("> and paper?"));
    let answer = json!({ "content": "there is", "wake": wake_in(&text) });
    assert!(matches!(model.calls(&served, 4, "summon", &answer), Came::Done(_)));
}

#[test]
fn whoever_waits_at_an_inbox_of_more_than_a_page_hears_of_what_comes_behind_it() {
    let served = Served::paused("court");
    let operator = served.operator();
    let asks = |n: usize| {
        served.post(&operator, "/api/summon", json!({ "target": "@operator", "content": format!("question {n}") })).ok();
    };
    (0..65).for_each(asks);
    let seen = served.get(&operator, "/api/look?address=@operator/.inbox").ok();
    let since = seen["hash"].as_str().unwrap();
    let heard = std::thread::scope(|scope| {
        let path = format!("/api/look?address=@operator/.inbox&wait=30s&since={since}");
        let (served, operator) = (&served, &operator);
        let waiting = scope.spawn(move || served.get(operator, &path).ok());
        asks(65);
        waiting.join().unwrap()
    });
    assert_ne!(heard["hash"], seen["hash"]);
}

/// Four who wait by one token, as soon as they do: what each is answered in the end.
fn four_who_wait(served: &Served, token: &str) -> Vec<JoinHandle<String>> {
    const FULL: &str = "wait at one time";
    let (host, address) = (host_of(served), "@operator/.inbox");
    let one = || {
        let (host, token) = (host.clone(), token.to_owned());
        // The test of four waits may have been in before.
        std::thread::spawn(move || {
            std::iter::repeat_with(|| waits(&host, &token, (address, "30s"))).find(|text| !text.contains(FULL)).unwrap()
        })
    };
    let waiting = (0..4).map(|_| one()).collect();
    while !waits(&host, token, (address, "0ms")).contains(FULL) {}
    waiting
}

#[test]
fn four_wait_at_one_time_and_are_told_when_the_token_is_taken_back_or_the_server_stops() {
    let served = Served::paused("court");
    let operator = served.operator();
    let (token, id) = token_of(&served, &operator, json!({ "name": "model" }));
    let waiting = four_who_wait(&served, &token);
    served.delete(&operator, &format!("/api/tokens/{id}")).ok();
    for one in waiting {
        let text = one.join().unwrap();
        assert!(text.starts_with("HTTP/1.1 401") && text.contains("bad-token"), "{text}");
    }
    let (token, _) = token_of(&served, &operator, json!({ "name": "model" }));
    let waiting = four_who_wait(&served, &token);
    served.stop();
    for one in waiting {
        let text = one.join().unwrap();
        assert!(text.starts_with("HTTP/1.1 503") && text.contains("stopping"), "{text}");
    }
}

#[test]
fn addresses_are_completed() {
    let served = Served::paused("court");
    let model = scribe(&served, &served.operator());
    let completes = |uri: &str, name: &str, value: &str| {
        let params = json!({ "ref": { "type": "ref/resource", "uri": uri }, "argument": { "name": name, "value": value } });
        let answer = model.sends(&served, &json!({ "jsonrpc": "2.0", "id": 5, "method": "completion/complete", "params": params }));
        message(&answer.text)
    };
    let values = |value: &str| completes("reelm:///{+address}", "address", value)["result"]["completion"]["values"].clone();
    assert_eq!(values("@scr"), json!(["@scribe/.inbox", "@scribe"]));
    assert_eq!(values("cou"), json!(["court", "court/flute"]));
    assert_eq!(values("court/fl"), json!(["court/flute"]));
    assert_eq!(values("/court/fl"), json!(["court/flute"]));
    assert_eq!(values("nowhere/x"), json!([]));
    assert_eq!(completes("reelm:///{other}", "address", "c")["error"]["code"], -32602);
}

#[test]
fn a_wildcard_accepts_what_it_covers() {
    let served = Served::paused("court");
    let (token, _) = token_of(&served, &served.operator(), json!({ "name": "model" }));
    let bearer = format!("Bearer {token}");
    let rows = [
        ("*/*", 200),
        ("application/*, text/*;q=0.9", 200),
        ("application/json, text/*", 200),
        ("*/*;q=0.1, text/html", 200),
        ("application/json, text/event-stream", 200),
        ("application/json", 406),
        ("text/*", 406),
        ("*/*;q=0", 406),
        ("*/*, text/event-stream;q=0", 406),
    ];
    for (accept, status) in rows {
        let answer =
            served.send(&VISITOR, "POST", "/mcp", Some(initialize().to_string()), &[("authorization", &bearer), ("accept", accept)]);
        assert_eq!(answer.status, status, "{accept}: {}", answer.text);
    }
}

#[test]
fn what_is_no_message_is_answered_by_a_sentence() {
    let served = Served::paused("court");
    let model = Model::of(&served, &served.operator());
    let bearer = format!("Bearer {}", model.token);
    let mut nameless = initialize();
    nameless["params"].as_object_mut().unwrap().remove("clientInfo");
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": 5 } });
    let rows = [
        ("{\"jsonrpc\":".to_owned(), 400, -32700, json!(null), "not JSON"),
        ("[]".to_owned(), 400, -32600, json!(null), "one JSON-RPC message"),
        (r#"{"jsonrpc":"2.0","id":4}"#.to_owned(), 200, -32600, json!(4), "`method`"),
        (r#"{"jsonrpc":"2.0","id":5,"method":"no/such"}"#.to_owned(), 200, -32601, json!(5), "there is no method `no/such`; there are"),
        (r#"{"jsonrpc":"2.0","id":"a","method":"prompts/list"}"#.to_owned(), 200, -32601, json!("a"), "there is no method `prompts/list`"),
        (call.to_string(), 200, -32602, json!(7), "`tools/call`"),
        (nameless.to_string(), 200, -32602, json!(0), "`clientInfo` is missing"),
    ];
    for (body, status, code, id, words) in rows {
        let headers =
            [("authorization", bearer.as_str()), ("mcp-session-id", &model.session), ("accept", "application/json, text/event-stream")];
        let answer = served.send(&VISITOR, "POST", "/mcp", Some(body.clone()), &headers);
        assert_eq!(
            (answer.status, &answer.body["error"]["code"], &answer.body["id"]),
            (status, &json!(code), &id),
            "{body}: {}",
            answer.text
        );
        assert!(answer.body["error"]["message"].as_str().unwrap().contains(words), "{body}: {}", answer.text);
    }
}

#[test]
fn a_line_that_is_no_message_is_answered_and_the_next_one_is_read() {
    let served = Served::paused("court");
    let mut client = served.terminal.command("mcp --as @operator").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(client.stdout.take().unwrap()).lines();
    let mut asked = client.stdin.take().unwrap();
    let mut answer = |line: &str| -> Value {
        writeln!(asked, "{line}").unwrap();
        serde_json::from_str(&said.next().unwrap().unwrap()).unwrap()
    };
    let mut nameless = initialize();
    nameless["params"]["clientInfo"] = json!({ "version": "1" });
    let refused = answer("hello?");
    assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!(-32700), &json!(null)), "{refused}");
    let refused = answer(&nameless.to_string());
    assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!(-32602), &json!(0)), "{refused}");
    assert!(refused["error"]["message"].as_str().unwrap().contains("`clientInfo.name` is missing"), "{refused}");
    assert!(answer(&initialize().to_string())["result"]["serverInfo"].is_object());
    let (broken, unknown) = (answer("{"), answer(r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#));
    assert_eq!((&broken["error"]["code"], &unknown["error"]["code"]), (&json!(-32700), &json!(-32601)), "{broken} {unknown}");
    assert_eq!(answer(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)["id"], 2);
    drop(asked);
    assert!(client.wait().unwrap().success());
}

#[test]
#[ignore = "long: the client of the protocol's makers, by npm"]
fn the_client_of_the_protocols_own_makers_drives_a_being_over_both_transports() {
    if !NODE.is_there() {
        return;
    }
    let stories = package().join("tests/mcp");
    install(&stories);
    let said = runs(Command::new("node").arg("stories.mjs").current_dir(&stories).env("REELM_BIN", REELM));
    assert!(said.contains(" passed, 0 failed"), "{said}");
}

/// A check of the conformance suite that fails: its scenario, its name, and what the suite says.
type Failed = (String, String, String);

/// The checks that fail, and how many the suite made.
fn failing(lines: &str) -> (Vec<Failed>, usize) {
    // Other output of Node stands in lines of its own.
    let checks: Vec<Value> = lines.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
    let fails = |check: &&Value| ["FAILURE", "WARNING"].contains(&check["status"].as_str().unwrap());
    let failed = checks.iter().filter(fails).map(|check| (text(check, "scenario"), text(check, "check"), text(check, "message")));
    (failed.collect(), checks.len())
}

/// The rows of the list; each says why that check is not ours to pass.
fn expected(list: &str) -> Vec<Failed> {
    let rows = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| match row.split(" | ").collect::<Vec<_>>()[..] {
        [scenario, check, says, why] if !why.is_empty() => (scenario.to_owned(), check.to_owned(), says.to_owned()),
        _ => panic!("expected `scenario | check | what the server says | why` in tests/mcp/expected.txt, found `{row}`"),
    })
    .collect()
}

/// Says where the failing checks and the list differ, in either direction.
fn differences(failed: &[Failed], expected: &[Failed]) -> Vec<String> {
    let fits = |found: &Failed, row: &Failed| found.0 == row.0 && found.1 == row.1 && found.2.contains(&row.2);
    let unlisted = failed.iter().filter(|found| !expected.iter().any(|row| fits(found, row)));
    let stale = expected.iter().filter(|row| !failed.iter().any(|found| fits(found, row)));
    let unlisted = unlisted.map(|(scenario, check, says)| format!("{scenario} {check} fails and is not listed so: {says}"));
    unlisted.chain(stale.map(|(scenario, check, _)| format!("{scenario} {check} is listed and does not fail so"))).collect()
}

#[test]
#[ignore = "long: the suite of the protocol's makers, by npm"]
fn the_protocols_conformance_suite_fails_where_the_list_says_why_and_nowhere_else() {
    if !NODE.is_there() {
        return;
    }
    let folder = package().join("tests/mcp");
    install(&folder);
    let served = Served::paused("court");
    let (token, _) = token_of(&served, &served.operator(), json!({ "name": "suite" }));
    let mut suite = Command::new("node");
    suite.arg("conformance.mjs").current_dir(&folder).env("REELM_URL", &served.url).env("REELM_TOKEN", &token);
    let (failed, made) = failing(&runs(&mut suite));
    let expected = expected(&std::fs::read_to_string(folder.join("expected.txt")).unwrap());
    assert!(made > expected.len(), "the suite made {made} checks");
    assert_eq!(differences(&failed, &expected), Vec::<String>::new());
}

#[test]
fn a_check_that_fails_unlisted_and_a_listed_one_that_passes_are_both_told() {
    let row = |scenario: &str, says: &str| (scenario.to_owned(), "check".to_owned(), says.to_owned());
    let listed = [row("prompts", "no method"), row("logging", "no method")];
    assert!(differences(&[row("logging", "no method `x`"), row("prompts", "no method `y`")], &listed).is_empty());
    let told = differences(&[row("prompts", "broke off"), row("logging", "no method `x`")], &listed);
    assert_eq!(told, ["prompts check fails and is not listed so: broke off", "prompts check is listed and does not fail so"]);
    let told = differences(&[row("prompts", "no method"), row("logging", "no method"), row("ping", "no answer")], &listed);
    assert_eq!(told, ["ping check fails and is not listed so: no answer"]);
}

#[test]
fn a_brake_counts_what_comes_through_the_door_of_models_and_a_freeze_holds_there() {
    let served = Served::paused("court");
    let operator = served.operator();
    let does = |body: Value| assert_eq!(served.post(&operator, "/api/do", body).ok()["closing"], "act");
    let (model, ours) = (scribe(&served, &operator), Model::of(&served, &operator));
    does(json!({ "target": "@scribe", "action": "config.set", "args": { "key": "brakes.refusals", "value": 2 } }));
    let say = json!({ "target": "/court", "action": "say", "args": { "content": "Good morning." } });
    let code = |id: u64, arguments: &Value| match model.calls(&served, id, "do", arguments) {
        Came::Refused(told) => told["code"].as_str().unwrap().to_owned(),
        Came::Done(_) => "act".to_owned(),
    };
    let forbidden = json!({ "target": "/court/flute", "action": "quality.inc", "args": { "path": "t.n" } });
    let refused: Vec<String> = (1..4).map(|id| code(id, &forbidden)).collect();
    assert!(refused.iter().all(|code| code.starts_with("gate-")), "{refused:?}");
    let tripped = ours.sees(&served, 1, json!({ "address": "/court/.health" })).0;
    assert!(tripped.contains("@scribe") && tripped.contains("brakes.refusals"), "{tripped}");
    assert_eq!(code(4, &say), "act", "a person is counted, and never held");
    does(json!({ "target": "/court", "action": "pause.set", "args": { "writes": true } }));
    assert_eq!(code(5, &say), "gate-frozen");
    does(json!({ "target": "/court", "action": "pause.end", "args": {} }));
    assert_eq!(code(6, &say), "act");
    assert!(served.stop().types("replay").ok().contains("identical"));
}
