//! Faults: every way in which a server of models fails that we know: does the message live, how many attempts are used up, what is booked?

use reelm::fact::{Closing, Receipt, Spend};
use reelm::world::Body;
use serde_json::json;

use super::faulty::{Does, Faulty, connection, good, status, whole};
use super::kit::{Small, code};
use super::limited;
use super::mind::{body, tool};

/// The spend that is booked for one attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Booked {
    /// A call that was turned away.
    Call,
    /// As much as it can have cost: nobody has said how much it did.
    Most,
    /// The usage that the server has reported.
    Told(u64, u64),
}

use Booked::{Call, Most, Told};

/// The fate of a message.
enum Fate {
    /// The endpoint is waited for: no attempt is used up.
    Waits,
    /// The next connection is asked; where there is none, an attempt is used up, and the message is given up after so many, by this code.
    Next(&'static str, Booked, usize),
    /// No other would say anything else: an attempt is used up, and the message is given up after so many, by this code.
    Fails(&'static str, Booked, usize),
    /// Its provider answers nobody over the connection: the message waits, and the next connection is asked if so it is.
    Held(bool),
    /// It is heard.
    Heard(Booked),
}

use Fate::{Fails, Heard, Held, Next, Waits};

type Row = (String, Does, Fate);

fn says(status: u16, body: &str) -> Does {
    Does::Says(status, String::new(), body.to_owned())
}

/// A server that sends these bytes: no form of HTTP, or another than they declare.
fn sends(bytes: impl Into<Vec<u8>>) -> Does {
    Does::Sends(bytes.into())
}

fn waits() -> Vec<Row> {
    let codes =
        [408, 425, 429, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 598, 599];
    let mut rows: Vec<Row> = codes.into_iter().map(|code| (format!("status {code}"), status(code), Waits)).collect();
    let after = |value: &str| Does::Says(503, format!("retry-after: {value}\r\n"), String::new());
    for value in ["0", "0.5", "-1", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", "99999999999999999999"] {
        rows.push((format!("a wait of `{value}`"), after(value), Waits));
    }
    for (name, body) in [
        ("a page of a proxy", "<html><body>502 Bad Gateway</body></html>"),
        ("no body", ""),
        ("a good answer", r#"{"choices":[{"message":{"content":"Hello."}}]}"#),
    ] {
        rows.push((format!("503 with {name}"), says(503, body), Waits));
    }
    for error in [
        json!({ "error": { "code": 502, "message": "no" } }),
        json!({ "error": { "code": "429" } }),
        json!({ "error": { "type": "server_error" } }),
        json!({ "error": { "code": "rate_limit_exceeded" } }),
        json!({ "choices": [{ "error": { "code": 503 }, "message": { "content": "" } }] }),
    ] {
        rows.push((format!("200 with {error}"), says(200, &error.to_string()), Waits));
    }
    rows
}

fn statuses() -> Vec<Row> {
    let held = [401, 402, 403, 404, 405, 410].map(|code| (format!("status {code}"), status(code), Held(code < 405)));
    let others = [301, 302, 303, 307, 308, 406, 407, 409, 412, 416, 417, 418, 421, 423, 424, 426, 428];
    let fails = others.map(|code| (format!("status {code}"), status(code), Fails("reply-status", Call, 3)));
    let once = [411, 413, 414, 415, 422, 431, 451].map(|code| (format!("status {code}"), status(code), Fails("reply-rejected", Call, 1)));
    let rejected = ("status 400".to_owned(), status(400), Next("reply-rejected", Call, 1));
    held.into_iter().chain(fails).chain(once).chain([rejected]).collect()
}

fn bodies() -> Vec<Row> {
    let malformed = [
        "",
        " ",
        "Hello.",
        "{",
        "[]",
        "null",
        "7",
        "\"Hello.\"",
        "{}",
        "<html></html>",
        "data: {\"choices\":[]}\n\ndata: [DONE]\n",
        "{\"choices\":[]}",
        "{\"choices\":null}",
        "{\"choices\":{}}",
        "{\"choices\":[7]}",
        "{\"choices\":[{}]}",
        "{\"choices\":[{\"message\":null}]}",
        "{\"choices\":[{\"message\":\"Hello.\"}]}",
        "\u{feff}{}",
        "{\"choices\":[{\"delta\":{\"content\":\"Hello.\"}}]}",
    ];
    let mut rows: Vec<Row> =
        malformed.into_iter().map(|body| (format!("the body `{body}`"), says(200, body), Next("reply-malformed", Most, 3))).collect();
    rows.push(("a body that nests too deep".to_owned(), says(200, &"[".repeat(100_000)), Next("reply-malformed", Most, 3)));
    rows.push(("a body that is too large".to_owned(), says(200, &" ".repeat(5 << 20)), Next("reply-too-large", Most, 3)));
    for error in [json!({ "error": { "message": "no", "code": "invalid" } }), json!({ "error": "no" }), json!({ "error": { "code": 400 } })]
    {
        rows.push((format!("200 with {error}"), says(200, &error.to_string()), Next("reply-error", Call, 3)));
    }
    let told = json!({ "error": { "code": 400 }, "usage": { "prompt_tokens": 5, "completion_tokens": 2 } });
    rows.push(("an error that has cost something".to_owned(), says(200, &told.to_string()), Next("reply-error", Told(5, 2), 3)));
    let cut = |message: serde_json::Value| json!({ "choices": [{ "finish_reason": "length", "message": message }] }).to_string();
    rows.push(("what was cut before its first word".to_owned(), says(200, &cut(json!({ "content": "" }))), Next("reply-cut", Most, 2)));
    let call = json!({ "tool_calls": [{ "function": { "name": "do", "arguments": "{\"target\": \"/ha" } }] });
    rows.push(("a call that was cut".to_owned(), says(200, &cut(call)), Next("reply-cut", Most, 2)));
    for (name, message, code, tries) in [
        ("a refusal", json!({ "refusal": "I will not." }), "reply-refused", 1),
        ("an unknown tool", tool("fly", json!({})), "reply-unknown-tool", 3),
        ("arguments that are none", json!({ "tool_calls": [{ "function": { "name": "do", "arguments": "{{" } }] }), "reply-arguments", 3),
    ] {
        rows.push((name.to_owned(), says(200, &body(&message)), Fails(code, Most, tries)));
    }
    let ended = |ends: &str, content: &str| {
        says(200, &json!({ "choices": [{ "finish_reason": ends, "message": { "content": content } }] }).to_string())
    };
    for (ends, code, tries) in [
        ("content_filter", "reply-refused", 1),
        ("SAFETY", "reply-refused", 1),
        ("MALFORMED_FUNCTION_CALL", "reply-malformed", 3),
        ("tool_calls", "reply-malformed", 3),
    ] {
        rows.push((format!("an answer that ends with {ends}"), ended(ends, "I was go"), Fails(code, Most, tries)));
    }
    for ends in ["length", "who knows"] {
        rows.push((format!("words that end with {ends}"), ended(ends, "I was go"), Heard(Most)));
    }
    let halved = r#"{"choices":[{"message":{"content":"Well \ud83d."}}]}"#;
    rows.push(("half a letter".to_owned(), says(200, halved), Heard(Most)));
    rows.push(("a mark before the body".to_owned(), says(200, &format!("\u{feff}{}", halved.replace("\\ud83d", ""))), Heard(Most)));
    rows
}

fn lines() -> Vec<Row> {
    let head = "HTTP/1.1 200 X\r\nconnection: close\r\n";
    let broken = [
        ("a line that is closed at once", String::new()),
        ("a line that is closed in the head", "HTTP/1.1 200 X\r\ncontent-le".to_owned()),
        ("no HTTP", "Hello.\r\n\r\n".to_owned()),
        ("another protocol", "SSH-2.0-OpenSSH_9.6\r\n".to_owned()),
        ("a status that is no number", "HTTP/1.1 abc X\r\n\r\n".to_owned()),
        ("a status out of range", "HTTP/1.1 9999 X\r\n\r\n".to_owned()),
        ("a body that is cut", whole(200, "", "{\"choices\":[]}").replace("content-length: 14", "content-length: 9000")),
        ("two lengths", format!("{head}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}")),
        ("a length that is no number", format!("{head}content-length: many\r\n\r\n{{}}")),
        ("a chunk that is cut", format!("{head}transfer-encoding: chunked\r\n\r\n40\r\n{{\"choices\"")),
        ("a chunk of no length", format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\n{{}}\r\n")),
        ("chunks without an end", format!("{head}transfer-encoding: chunked\r\n\r\n2\r\n{{}}\r\n")),
        ("a head without an end", format!("{head}x: {}\r\n", "y".repeat(600_000))),
        ("a header with a zero in it", format!("{head}x: \u{0}\r\n\r\n{{}}")),
    ];
    let mut rows: Vec<Row> = broken.into_iter().map(|(name, text)| (name.to_owned(), sends(text), Next("reply-broken", Most, 3))).collect();
    let zipped = Does::Says(200, "content-encoding: gzip\r\n".to_owned(), "no gzip".to_owned());
    rows.push(("what is not packed as it says".to_owned(), zipped, Next("reply-malformed", Most, 3)));
    let mut bad = b"HTTP/1.1 200 X\r\ncontent-length: 3\r\nconnection: close\r\n\r\n".to_vec();
    bad.extend([0xff, 0xfe, 0x00]);
    rows.push(("no text".to_owned(), sends(bad), Next("reply-malformed", Most, 3)));
    rows.push(("silence on the line".to_owned(), Does::Hangs, Next("reply-timeout", Most, 3)));
    rows
}

fn usages() -> Vec<Row> {
    let with = |usage: serde_json::Value| {
        let Does::Says(.., body) = good() else { unreachable!() };
        let mut body: serde_json::Value = serde_json::from_str(&body).unwrap();
        body["usage"] = usage;
        says(200, &body.to_string())
    };
    let nothing = |error: serde_json::Value| {
        let Does::Says(.., body) = good() else { unreachable!() };
        let mut body: serde_json::Value = serde_json::from_str(&body).unwrap();
        body["error"] = error;
        says(200, &body.to_string())
    };
    let tokens = |input: serde_json::Value, output: serde_json::Value| json!({ "prompt_tokens": input, "completion_tokens": output });
    vec![
        ("an error that is nothing".to_owned(), nothing(json!(null)), Heard(Told(9, 1))),
        ("an error without a word".to_owned(), nothing(json!("")), Heard(Told(9, 1))),
        ("an error that is empty".to_owned(), nothing(json!({})), Heard(Told(9, 1))),
        ("more tokens than were allowed".to_owned(), with(tokens(json!(9), json!(90_000))), Heard(Told(9, 90_000))),
        ("more tokens than were sent".to_owned(), with(tokens(json!(9_000_000), json!(1))), Heard(Told(9_000_000, 1))),
        ("no tokens".to_owned(), with(tokens(json!(0), json!(0))), Heard(Told(0, 0))),
        (
            "as many tokens as can be counted".to_owned(),
            with(tokens(json!(i64::MAX), json!(i64::MAX))),
            Heard(Told(i64::MAX as u64, i64::MAX as u64)),
        ),
        ("fewer than no tokens".to_owned(), with(tokens(json!(-1), json!(3))), Heard(Most)),
        ("half a token".to_owned(), with(tokens(json!(1.5), json!(3))), Heard(Most)),
        ("tokens in words".to_owned(), with(tokens(json!("many"), json!(3))), Heard(Most)),
        ("half of the count".to_owned(), with(json!({ "prompt_tokens": 9 })), Heard(Most)),
        ("no count".to_owned(), with(json!(null)), Heard(Most)),
    ]
}

fn spent(small: &Small, at: usize) -> Spend {
    small.reel("ada")[at].spent().unwrap().spend
}

/// The receipts that the operator has in place of answers.
pub fn receipts(small: &Small) -> Vec<Receipt> {
    let world = small.world();
    let wakes = world.inbox().of(small.id_of("operator"));
    let told = wakes.filter_map(|wake| match &wake.body {
        Body::Summons { summons, content, .. } if summons.is_receipt() => Receipt::read(content),
        _ => None,
    });
    told.collect()
}

/// Whether one attempt was booked so, of three that were held back for.
fn is_booked(small: &Small, at: usize, booked: Booked) -> bool {
    let (spent, asking) = (spent(small, at), small.frames_of("ada").into_iter().filter_map(|draft| draft.reserved()).nth(at).unwrap());
    let tokens = match booked {
        Call => (0, 0),
        Most => (asking.input / 3, asking.output / 3),
        Told(input, output) => (input, output),
    };
    (spent.calls, spent.input, spent.output) == (1, tokens.0, tokens.1)
}

/// The world has come to where nothing is left of the message, and its history can be replayed.
fn holds(small: &Small, name: &str) {
    assert_eq!(small.replay().unwrap().difference, None, "{name}");
    assert!(small.world().inbox().of(small.id_of("ada")).next().is_none(), "{name}: a wake is left");
}

/// Ada thinks by `tiny` and Eve by `well`, and both are spoken to.
fn both_spoken_to(connections: &str) -> Small {
    limited::spoken_to(&[("ada".to_owned(), "tiny"), ("eve".to_owned(), "well")], connections)
}

fn tried(name: &str, does: &Does, fate: &Fate) {
    let alone = |times: usize| {
        let server = Faulty::then_good(times, does.clone());
        let slow = if matches!(does, Does::Hangs) {
            connection("tiny", &server, "").replace("2000", "300")
        } else {
            connection("tiny", &server, "")
        };
        let well = Faulty::new(|_| good());
        let mut small = both_spoken_to(&[slow, connection("well", &well, "")].concat());
        small.run("1m");
        assert_eq!((well.count(), &small.reel("eve")[0].closing), (1, &Closing::Act), "{name}: nobody else waits for good");
        (small, server.count())
    };
    match fate {
        Waits => {
            let (small, count) = alone(2);
            assert_eq!(
                (small.reel("ada").len(), &small.reel("ada")[0].closing, small.reel("ada")[0].attempt),
                (1, &Closing::Act, 1),
                "{name}"
            );
            assert_eq!((count, spent(&small, 0).input, spent(&small, 0).calls), (3, 9, 3), "{name}");
            holds(&small, name);
        }
        Held(goes_on) => {
            let (small, count) = alone(usize::MAX);
            let moments: Vec<(&str, String)> = small.reel("ada").iter().map(|moment| (moment.closing.word(), code(moment))).collect();
            assert_eq!((moments, count), (vec![("requeued", "connection-held".to_owned())], 1), "{name}");
            assert!(is_booked(&small, 0, Call), "{name}: {:?}", spent(&small, 0));
            assert_eq!(receipts(&small).len(), 1, "{name}: the asker hears of it once");
            assert_eq!(small.replay().unwrap().difference, None, "{name}");
            fails_over(name, does, *goes_on);
        }
        Heard(booked) => {
            let (small, count) = alone(1);
            assert_eq!((&small.reel("ada")[0].closing, count), (&Closing::Act, 1), "{name}");
            assert!(is_booked(&small, 0, *booked), "{name}: {:?}", spent(&small, 0));
            holds(&small, name);
        }
        Next(said, booked, tries) | Fails(said, booked, tries) => {
            let (small, count) = alone(usize::MAX);
            let closings: Vec<&str> = small.reel("ada").iter().map(|moment| moment.closing.word()).collect();
            let wanted = &["failed", "failed", "dead-letter"][3 - tries..];
            assert_eq!((closings.as_slice(), count), (wanted, *tries), "{name}: {}", code(&small.reel("ada")[0]));
            for at in 0..*tries {
                assert_eq!(code(&small.reel("ada")[at]), *said, "{name}");
                assert!(is_booked(&small, at, *booked), "{name}: {:?}", spent(&small, at));
            }
            let told: Vec<String> = receipts(&small).iter().filter_map(|told| told.code).map(|code| code.to_string()).collect();
            assert_eq!(told, [*said], "{name}: the asker hears of it once");
            assert_eq!(small.replay().unwrap().difference, None, "{name}");
            fails_over(name, does, matches!(fate, Next(..)));
        }
    }
}

/// Whether another connection is asked, once, where the first fails so.
fn fails_over(name: &str, does: &Does, goes_on: bool) {
    let fails = does.clone();
    let (wrong, other, well) = (Faulty::new(move |_| fails.clone()), Faulty::new(|_| good()), Faulty::new(|_| good()));
    let first = connection("tiny", &wrong, ", failover = [\"other\"]").replacen("2000", "300", 1);
    let mut small = both_spoken_to(&[first, connection("other", &other, ""), connection("well", &well, "")].concat());
    small.run("500ms");
    assert_eq!((wrong.count(), other.count()), (1, usize::from(goes_on)), "{name}");
    assert_eq!(small.reel("ada")[0].closing == Closing::Act, goes_on, "{name}");
}

#[test]
#[ignore = "long: some ninety faults of a server, each with its waits"]
fn no_fault_of_a_server_loses_a_message_books_too_little_or_costs_an_attempt_too_much() {
    let rows: Vec<Row> = [waits(), statuses(), bodies(), lines(), usages()].into_iter().flatten().collect();
    assert!(rows.len() >= 90, "{}", rows.len());
    let (rows, next) = (&rows, &std::sync::atomic::AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                while let Some((name, does, fate)) = rows.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    tried(name, does, fate);
                }
            });
        }
    });
}
