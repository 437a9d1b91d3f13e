//! Cbor: does a program that speaks CBOR get what one that speaks JSON gets, whatever it sends?

use ciborium::Value as Cbor;
use serde_json::{Value, json};

use super::served::{Answer, Person, Served};

const ASKED: (&str, &str) = ("accept", "application/cbor");

fn bytes(value: &impl serde::Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

/// Sends a body in CBOR, and asks for the answer in CBOR.
fn post(served: &Served, person: &Person, path: &str, body: Vec<u8>) -> Answer {
    let answer = served.send_as(person, "POST", path, Some(("application/cbor", body)), &[ASKED]);
    assert_eq!(answer.header("content-type"), Some("application/cbor"), "{path}: {}", answer.text);
    answer
}

#[test]
fn every_answer_comes_as_the_same_value_in_cbor_to_whoever_asks_for_it() {
    let served = Served::paused("court");
    let operator = served.operator();
    served.post(&operator, "/api/do", json!({ "target": "/court", "action": "quality.set", "args": { "path": "a.b", "value": 0.5 } })).ok();
    for path in [
        "/api/session",
        "/api/words",
        "/api/codes",
        "/api/tree",
        "/api/crowd",
        "/api/see?address=/court",
        "/api/see?address=/nowhere",
        "/api/may?target=@judith",
        "/api/being/judith",
        "/api/moments",
        "/api/moment/20",
        "/api/moment/x",
        "/api/roles",
        "/api/roles/person",
        "/api/being/judith/flow",
        "/api/operations",
        "/api/cost",
        "/api/nothing",
        "/openapi.json",
        "/health",
    ] {
        let plain = served.get(&operator, path);
        let packed = served.send(&operator, "GET", path, None, &[ASKED]);
        assert_eq!(
            (plain.header("content-type"), packed.header("content-type")),
            (Some("application/json"), Some("application/cbor")),
            "{path}"
        );
        assert!(plain.header("vary").is_some_and(|vary| vary.contains("accept")), "{path}");
        assert_eq!(packed.status, plain.status, "{path}");
        let mut told = (packed.body, plain.body);
        // The clock goes on.
        for key in ["time", "face"] {
            told.0.as_object_mut().map(|map| map.remove(key));
            told.1.as_object_mut().map(|map| map.remove(key));
        }
        assert_eq!(told.0, told.1, "{path}");
    }
    let html = served.send(&operator, "GET", "/", None, &[("accept", "application/cbor, */*")]);
    assert!(html.header("content-type").unwrap().starts_with("text/html"), "only what is JSON has another form");
    let head = served.send(&operator, "HEAD", "/health", None, &[ASKED]);
    assert_eq!((head.status, head.text.as_str()), (200, ""));
}

#[test]
fn a_body_in_cbor_does_what_the_same_one_in_json_does() {
    let served = Served::paused("court");
    let operator = served.operator();
    let act = json!({ "target": "/court", "action": "quality.set", "args": { "path": "a.b", "value": [1, -2, 0.5, "ß", true, null, { "deep": {} }] } });
    let done = post(&served, &operator, "/api/do", bytes(&act)).ok();
    assert_eq!((&done["closing"], &done["deed"]), (&json!("act"), &served.post(&operator, "/api/do", act.clone()).ok()["deed"]));
    assert_eq!(served.get(&operator, "/api/see?address=/court").ok()["qualities"]["a"]["b"], act["args"]["value"]);
    let said = post(&served, &operator, "/api/summon", bytes(&json!({ "target": "@judith", "content": "hello" }))).ok();
    assert_eq!((&said["closing"], &said["said"]), (&json!("act"), &json!("hello")));
    assert_eq!(post(&served, &operator, "/api/clock", bytes(&json!({ "pace": 60 }))).ok()["pace"], "paced 60");
    assert_eq!(post(&served, &operator, "/api/flow/now", bytes(&json!({ "being": "@judith" }))).status, 200);
    // The kind of a body may name more than its format, and CBOR may be sent for JSON.
    let mixed = served.send_as(&operator, "POST", "/api/see", Some(("Application/CBOR; x=y", bytes(&json!({ "target": "/" })))), &[]);
    assert_eq!((mixed.header("content-type"), &mixed.body["closing"]), (Some("application/json"), &json!("see")));
}

#[test]
fn a_body_that_is_no_cbor_is_answered_as_one_that_is_no_json() {
    let served = Served::paused("court");
    let operator = served.operator();
    let good = bytes(&json!({ "target": "/court", "action": "quality.set", "args": { "path": "a.b", "value": 1 } }));
    let args = |value: Cbor| {
        let text = |text: &str| Cbor::Text(text.to_owned());
        let args = Cbor::Map(vec![(text("path"), text("a.b")), (text("value"), value)]);
        bytes(&Cbor::Map(vec![(text("target"), text("/court")), (text("action"), text("quality.set")), (text("args"), args)]))
    };
    let nested = |depth: usize| (0..depth).fold(Cbor::Null, |inner, _| Cbor::Array(vec![inner]));
    let map = |key: Cbor| Cbor::Map(vec![(key.clone(), Cbor::Null), (key, Cbor::Null)]);
    let rows: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("a break", vec![0xff]),
        ("what CBOR reserves", vec![0x1c]),
        ("half of it", good[..good.len() - 3].to_vec()),
        ("more than it", [good.clone(), vec![0x00]].concat()),
        ("a length that is not there", vec![0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ("an array without end", vec![0x9f; 1000]),
        ("JSON", br#"{"target":"/court"}"#.to_vec()),
        ("no map", bytes(&json!([1]))),
        ("an unknown key", bytes(&json!({ "target": "/", "action": "x", "more": 1 }))),
        ("another type", bytes(&json!({ "target": 5, "action": "x" }))),
        ("bytes", args(Cbor::Bytes(vec![1, 2]))),
        ("no number", args(Cbor::Float(f64::NAN))),
        ("an endless number", args(Cbor::Float(f64::INFINITY))),
        ("a number that is too large", args(Cbor::Integer(u64::MAX.into()))),
        ("a tag", args(Cbor::Tag(1, Box::new(Cbor::Integer(1.into()))))),
        ("a key that is no text", args(map(Cbor::Integer(1.into())))),
        ("a key that stands twice", args(map(Cbor::Text("x".to_owned())))),
        ("too deep", args(nested(400))),
        ("far too deep", vec![0x81; 200_000]),
        ("text that is none", vec![0xa1, 0x66, b't', b'a', b'r', b'g', b'e', b't', 0x61, 0xff]),
    ];
    let before = served.get(&operator, "/health").ok()["seq"].clone();
    for (what, body) in rows {
        let answer = post(&served, &operator, "/api/do", body);
        assert_eq!((answer.status, answer.code()), (400, "bad-request"), "{what}: {}", answer.body);
        let message = answer.body["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("the body cannot be read: ") && !message.contains("Semantic"), "{what}: {message}");
    }
    let large = post(&served, &operator, "/api/do", args(Cbor::Text("x".repeat(2 << 20))));
    assert_eq!((large.status, large.code()), (413, "too-large"));
    assert_eq!(served.get(&operator, "/health").ok()["seq"], before, "nothing was done");
    // A value too deep for a world, but not for a reader, is judged the same in both formats.
    let deep: Value = (0..60).fold(Value::Null, |inner, _| json!([inner]));
    let act = json!({ "target": "/court", "action": "quality.set", "args": { "path": "a.b", "value": deep } });
    let both = [post(&served, &operator, "/api/do", bytes(&act)), served.post(&operator, "/api/do", act)];
    let judged =
        both.map(|answer| (answer.status, answer.code().to_owned(), answer.body["closing"].clone(), answer.body["reason"].clone()));
    assert_eq!(judged[0], judged[1]);
}
