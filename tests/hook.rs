//! Hook: does a webhook come in once, from a sender who knows the secret and is nobody else, and does one go out signed?

use std::sync::{Arc, Mutex};

use hmac::{Hmac, KeyInit, Mac};
use reelm::fact::{Call, Closing, Value};
use reelm::minds::Endpoints;
use serde_json::{Value as Json, json};
use sha2::Sha256;

use super::bridge::page;
use super::faulty::Faulty;
use super::kit::{Small, args, code};
use super::served::{Answer, MODEL_KEY, Person, Served};
use super::terminal::Terminal;

/// A clerk who notes what comes in, and bridges that hear for them, each in another manner; what senders wear is said in `wears`.
fn desk(wears: &str, more: &str) -> Terminal {
    let hook = |name: &str, sign: &str| {
        format!(
            "\"bridge.{name}\" = {{ kind = \"hook\", secret = \"env:REELM_TEST_KEY\", sign = \"{sign}\", deliver = \"@clerk\"{wears}{more} }}\n"
        )
    };
    let being = |name: &str| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"gate\"\ncognition = \"bridge\"\nsettings = {{ bridge = \"{name}\" }}\n"
        )
    };
    let all = [("github", "github"), ("stripe", "stripe"), ("gitlab", "gitlab")];
    let hooks: String = all.iter().map(|(name, sign)| hook(name, sign)).collect();
    let beings: String = all.iter().map(|(name, _)| being(name)).collect();
    let terminal = Terminal::new();
    terminal.write(
        "w/world.toml",
        &format!(
            "name = \"w\"\n[config]\n{hooks}[[space]]\npath = \"/hall\"\n{beings}[[being]]\nname = \"clerk\"\nhome = \"/hall\"\nrole = \"clerk\"\n\
             cognition = \"script\"\nscript = \"clerk\"\n"
        ),
    );
    terminal.write("w/roles/gate.md", super::bridge::GATE);
    terminal.write("w/roles/stranger.md", "---\nname: stranger\ncanSummon: ['@clerk']\n---\n");
    terminal.write("w/roles/clerk.md", "---\nname: clerk\ncanDo: [quality.push]\ntriggerOn: [message]\n---\n");
    terminal.write(
        "w/scripts/clerk.rhai",
        "fn think(face) { act(\"@clerk\", \"quality.push\", #{ path: \"desk.seen\", value: [face.wake.callerRole, face.wake.content.body] }) }",
    );
    terminal
}

fn mac(parts: &[&[u8]]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(MODEL_KEY.as_bytes()).unwrap();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn now() -> i64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() as i64
}

/// The header that signs a body in a manner, at an instant.
fn signed(manner: &str, body: &[u8], at: i64) -> (&'static str, String) {
    match manner {
        "github" => ("x-hub-signature-256", format!("sha256={}", mac(&[body]))),
        "stripe" => ("stripe-signature", format!("t={at},v1={}", mac(&[at.to_string().as_bytes(), b".", body]))),
        _ => ("x-gitlab-token", MODEL_KEY.to_owned()),
    }
}

fn sends(served: &Served, name: &str, body: &[u8], (header, value): (&str, &str)) -> Answer {
    served.send_as(&Person::default(), "POST", &format!("/in/{name}"), Some(("application/json", body.to_vec())), &[(header, value)])
}

/// A webhook that is signed as it should be.
fn comes(served: &Served, name: &str, body: &[u8]) -> Answer {
    let (header, value) = signed(name, body, now());
    sends(served, name, body, (header, &value))
}

/// All that the clerk has noted.
fn noted(served: &Served, operator: &Person) -> Json {
    served.get(operator, "/api/see?address=@clerk").ok()["qualities"]["desk"]["seen"].clone()
}

#[test]
fn a_webhook_is_one_act_of_a_sender_who_wears_what_its_bridge_says() {
    let line = "serve --port 0 --pace 60 --json";
    let terminal = desk(", wears = \"stranger\"", "");
    terminal.types("run w --for 1s --quiet").ok();
    let mut served = Served::begin(terminal, line);
    let operator = served.operator();
    let mut frames = Vec::new();
    for name in ["github", "stripe", "gitlab"] {
        let body = format!("{{\"complaint\":\"{name}\",\"count\":1.5}}");
        let first = comes(&served, name, body.as_bytes()).ok()["frame"].clone();
        // A service sends it again: with another instant, it is the same.
        let (header, value) = signed(name, body.as_bytes(), now() - 2);
        assert_eq!(sends(&served, name, body.as_bytes(), (header, &value)).ok()["frame"], first, "{name}");
        frames.push((name, body, first));
    }
    super::kit::until("the clerk has read them", || noted(&served, &operator).as_array().is_some_and(|noted| noted.len() == 3));
    assert_eq!(noted(&served, &operator)[0], json!(["stranger", { "complaint": "github", "count": 1.5 }]));
    served = served.killed_and_again(line);
    for (name, body, first) in &frames {
        assert_eq!(comes(&served, name, body.as_bytes()).ok()["frame"], *first, "{name}: also by a server that was killed");
    }
    let operator = served.operator();
    assert_eq!(noted(&served, &operator).as_array().map(Vec::len), Some(3));
    let moment = served.get(&operator, &format!("/api/moment/{}", frames[0].2)).ok();
    assert_eq!((&moment["report"]["stack"], &moment["report"]["being"]), (&json!(["stranger"]), &json!("github")), "{moment}");
    let terminal = served.stop();
    terminal.types("replay").ok();
    terminal.types("verify").ok();
}

#[test]
fn what_is_not_signed_or_too_old_or_too_much_does_not_come_in() {
    let terminal = desk(", wears = \"stranger\"", ", rate = \"6/h\", id = \"event.id\"");
    terminal.types("run w --for 1s --quiet").ok();
    let served = Served::begin(terminal, "serve --port 0 --pace 60 --json");
    let body = br#"{"event":{"id":7},"text":"one"}"#;
    let told = |answer: Answer| (answer.status, answer.code().to_owned());
    let wrong = (401, "hook-signature".to_owned());
    let old = (401, "hook-expired".to_owned());
    for (name, at, sent, is) in [
        ("github", now(), &b"another body"[..], &wrong),
        ("stripe", now(), &b"another body"[..], &wrong),
        ("stripe", now() - 600, &body[..], &old),
        ("stripe", now() + 600, &body[..], &old),
    ] {
        let (header, value) = signed(name, body, at);
        assert_eq!(told(sends(&served, name, sent, (header, &value))), *is, "{name} at {at}");
    }
    for (name, header) in [("github", "x-hub-signature-256"), ("stripe", "stripe-signature"), ("gitlab", "x-gitlab-token")] {
        for value in ["", "sha256=", "t=1,v1=", "guess", &"0".repeat(64)] {
            assert_eq!(told(sends(&served, name, body, (header, value))), wrong, "{name}: {value}");
        }
        assert_eq!(told(sends(&served, name, body, ("x-other", "x"))), wrong, "{name} without a signature");
    }
    assert_eq!(told(comes(&served, "nobody", body)), (404, "not-found".to_owned()));
    assert_eq!(told(comes(&served, "gitlab", b"a\xff\xfe")), (400, "bad-request".to_owned()));
    assert_eq!(told(comes(&served, "gitlab", &vec![b'x'; 2 << 20])), (413, "too-large".to_owned()));
    let twice = served.send_as(
        &Person::default(),
        "POST",
        "/in/gitlab",
        Some(("text/plain", body.to_vec())),
        &[("x-gitlab-token", MODEL_KEY), ("x-gitlab-token", MODEL_KEY)],
    );
    assert_eq!(told(twice), wrong, "of two signatures nobody knows which is meant");
    assert_eq!(told(comes(&served, "%ff", body)), (400, "bad-request".to_owned()));
    // Bytes and ids are never the same, and a number that is too large is no id.
    let frame = |body: &str| comes(&served, "gitlab", body.as_bytes()).ok()["frame"].clone();
    let large = |end: &str| format!("{{\"event\":{{\"id\":12345678901234567890123456789{end}}}}}");
    assert_ne!(frame(&large("0")), frame(&large("1")));
    assert_ne!(frame("{\"event\":{\"id\":\"Q7\"}}"), frame("\"Q7\""));
    let deep = format!("{}1{}", "[".repeat(40), "]".repeat(40));
    comes(&served, "stripe", deep.as_bytes()).ok();
    // It is known by its id, and no more by its bytes.
    let first = comes(&served, "github", body).ok()["frame"].clone();
    assert_eq!(comes(&served, "github", br#"{"event":{"id":7},"text":"two"}"#).ok()["frame"], first);
    assert_ne!(comes(&served, "github", br#"{"event":{"id":8},"text":"two"}"#).ok()["frame"], first);
    comes(&served, "github", b"no JSON, and known by its bytes").ok();
    // A webhook that is known already does not count.
    for _ in 0..8 {
        assert_eq!(comes(&served, "github", body).ok()["frame"], first);
    }
    for id in [9, 10, 11] {
        comes(&served, "github", format!("{{\"event\":{{\"id\":{id}}}}}").as_bytes()).ok();
    }
    let many = comes(&served, "github", br#"{"event":{"id":12}}"#);
    assert!(many.status == 429 && many.header("retry-after").is_some(), "{}", many.text);
    // A bridge that is paused hears later: the sender is told to try again.
    let operator = served.operator();
    served.post(&operator, "/api/do", json!({ "target": "@stripe", "action": "pause.set" })).ok();
    let held = comes(&served, "stripe", body);
    assert!(held.status == 503 && held.code() == "paused" && held.header("retry-after").is_some(), "{}", held.text);
    served.post(&operator, "/api/do", json!({ "target": "@stripe", "action": "pause.end" })).ok();
    comes(&served, "stripe", body).ok();
    let terminal = served.stop();
    terminal.types("replay").ok();
}

#[test]
fn a_sender_of_whom_nothing_is_said_may_do_nothing() {
    let terminal = desk("", "");
    terminal.types("run w --for 1s --quiet").ok();
    let served = Served::begin(terminal, "serve --port 0 --pace 60 --json");
    let refused = comes(&served, "github", b"{}");
    assert_eq!((refused.status, refused.code()), (403, "gate-role"), "{}", refused.text);
    assert!(!refused.text.contains("clerk"), "{}", refused.text);
    let operator = served.operator();
    assert_eq!(noted(&served, &operator), Json::Null);
    let moments = served.get(&operator, "/api/moments?being=github").ok();
    assert_eq!((&moments["moments"][0]["closing"], &moments["moments"][0]["stack"]), (&json!("refused"), &json!(["arrival"])), "{moments}");
    // Once the operator lets senders do more, the same webhook comes in, also after a crash.
    let served = served.killed_and_again("serve --port 0 --pace 60 --json");
    let operator = served.operator();
    let role = json!({ "name": "arrival", "canSummon": ["@clerk"], "prompt": "You come from outside." });
    let published =
        served.post(&operator, "/api/do", json!({ "target": "/", "action": "role.set", "args": { "name": "arrival", "role": role } })).ok();
    assert_eq!(published["closing"], "act", "{published}");
    comes(&served, "github", b"{}").ok();
    served.stop().types("replay").ok();
}

#[test]
fn a_webhook_goes_out_signed_and_an_approval_is_void_where_it_would_go_elsewhere() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = seen.clone();
    let server = Faulty::reading(move |_, request| {
        heard.lock().unwrap().push(request.to_owned());
        page("text/plain", "thanks")
    });
    let at = |path: &str| format!("http://{}{path}", super::bridge::host(&server));
    let setting = |sign: &str, path: &str, approve: &str| {
        format!("{{ kind = \"hook\", url = \"{}\", secret = \"env:PATH\", sign = \"{sign}\"{approve} }}", at(path))
    };
    let being = |name: &str, cognition: &str, more: &str| {
        format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"{cognition}\"\n{more}\n")
    };
    let names = ["github", "stripe", "gitlab"];
    let hooks: String = names.iter().map(|sign| format!("\"bridge.{sign}\" = {}\n", setting(sign, "/in", ""))).collect();
    let held = format!("\"bridge.held\" = {}\n", setting("github", "/held", ", approve = { by = \"@ada\" }"));
    let beings: String =
        names.iter().chain(&["held"]).map(|name| being(name, "bridge", &format!("settings = {{ bridge = \"{name}\" }}"))).collect();
    let people = format!("{}{}", being("pat", "human", ""), being("ada", "human", ""));
    let mut small = Small::plant(&format!("[config]\n{hooks}{held}[[space]]\npath = \"/hall\"\n{beings}{people}"));
    small.living().asking(Box::new(Endpoints::default()));
    let secret = std::env::var("PATH").unwrap();
    let mac = |parts: &[&[u8]]| -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        parts.iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    };
    for name in names {
        small.act("pat", Call::summon(&format!("@{name}"), args(r#"{"content":{"answer":"We are sorry.","order":7}}"#)));
        small.run("10s");
        assert_eq!(small.reel(name).pop().unwrap().closing, Closing::Act, "{name}");
        let request = seen.lock().unwrap().pop().unwrap();
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert_eq!(serde_json::from_str::<Json>(body).unwrap(), json!({ "answer": "We are sorry.", "order": 7 }));
        let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap().to_owned();
        match name {
            "github" => assert_eq!(header("x-hub-signature-256"), format!("sha256={}", mac(&[body.as_bytes()]))),
            "stripe" => {
                let said = header("stripe-signature");
                let stamp = said.split(',').next().unwrap().strip_prefix("t=").unwrap();
                assert_eq!(said, format!("t={stamp},v1={}", mac(&[stamp.as_bytes(), b".", body.as_bytes()])));
            }
            _ => assert_eq!(header("x-gitlab-token"), secret),
        }
    }
    let replied = |small: &Small| small.world().inbox().of(small.id_of("pat")).last().unwrap().content();
    assert_eq!(replied(&small).get("text"), Some(&Value::text("thanks")));
    // Unsigned it never leaves, though its variable is there: Cargo sets this one to nothing.
    assert_eq!(std::env::var("CARGO_PKG_HOMEPAGE").as_deref(), Ok(""));
    let unsigned = json!({ "kind": "hook", "url": at("/in"), "secret": "env:CARGO_PKG_HOMEPAGE" });
    small.operate("/", "config.set", args(&json!({ "key": "bridge.github", "value": unsigned }).to_string()));
    small.act("pat", Call::summon("@github", args(r#"{"content":"unsigned"}"#)));
    small.run("10s");
    assert!(seen.lock().unwrap().is_empty(), "{seen:?}");
    assert_eq!(code(&small.reel("github").pop().unwrap()), "key-missing");
    // An approval is of bytes: where the setting sends them elsewhere before they have left, it is asked for anew.
    small.act("pat", Call::summon("@held", args(r#"{"content":"hello"}"#)));
    small.run("10s");
    let petition = |small: &Small| {
        let world = small.world();
        let (_, wake, approval) = world.approvals().next().unwrap();
        (
            json!({ "wake": wake.id.cause.to_string(), "request": approval.request.to_string() }),
            approval.told.get("bytes").cloned().unwrap(),
        )
    };
    let (first, bytes) = petition(&small);
    let elsewhere = json!({ "kind": "hook", "url": at("/else"), "secret": "env:PATH", "approve": { "by": "@ada" } });
    let approved = small.act("ada", Call::doing("@held", "wake.approve", args(&first.to_string())));
    assert_eq!(approved.closing, Closing::Act);
    small.operate("/", "config.set", args(&json!({ "key": "bridge.held", "value": elsewhere }).to_string()));
    small.run("10s");
    let (second, others) = petition(&small);
    assert!(bytes != others && first != second && seen.lock().unwrap().is_empty(), "{first} {second}");
    small.act("ada", Call::doing("@held", "wake.approve", args(&second.to_string())));
    small.run("10s");
    let left: Vec<String> = seen.lock().unwrap().iter().map(|request| request.split(' ').nth(1).unwrap().to_owned()).collect();
    assert_eq!(left, ["/else"], "as many bytes, and others");
    assert_eq!(small.replay().unwrap().difference, None);
    let frames = format!("{:?}", small.shelf.frames());
    assert!(!frames.contains(&secret), "no secret stands in a frame");
}

/// A hook that would tell nobody what it hears is named before anything comes in.
#[test]
fn check_names_a_hook_that_tells_nobody() {
    for (wears, whom, said) in [
        ("", "@clerk", "`bridge.github` tells @clerk what comes in; senders wear `arrival`, whose canSummon has no `@clerk`"),
        (", wears = \"strangr\"", "@clerk", "`bridge.github` says that senders wear `strangr`, and there is no such role"),
        (", wears = \"stranger\"", "@clerc", "`bridge.github` tells @clerc what comes in, and nobody is called so; did you mean `@clerk`?"),
    ] {
        let terminal = desk(wears, "");
        let text = terminal.read("w/world.toml").replace("deliver = \"@clerk\"", &format!("deliver = \"{whom}\""));
        terminal.write("w/world.toml", &text);
        terminal.types("check w").says(&[said]);
    }
    let sound = desk(", wears = \"stranger\"", "").types("check w").ok();
    assert!(!sound.contains("bridge.github"), "{sound}");
}

#[test]
fn a_hook_that_is_said_wrongly_is_told_by_its_key() {
    let mut small = Small::plant("[[space]]\npath = \"/hall\"\n");
    for (value, wanted, place) in [
        (json!({ "kind": "hook" }), "args-required", "/value/secret"),
        (json!({ "kind": "hook", "secret": "env:A" }), "args-required", "/value/url"),
        (json!({ "kind": "hook", "secret": "env:A", "url": "https://a.example/", "hosts": ["a"] }), "args-unknown", "/value/hosts"),
        (json!({ "kind": "hook", "secret": "env:A", "url": "https://a.example/", "key": "env:B" }), "args-unknown", "/value/key"),
        (json!({ "kind": "hook", "secret": "hush", "url": "https://a.example/" }), "secret", "/value"),
        (json!({ "kind": "hook", "secret": "env:A", "url": "https://me:word@a.example/" }), "secret", "/value"),
        (json!({ "kind": "hook", "secret": "env:A", "url": "ftp://a.example/" }), "args-pattern", "/value/url"),
        (json!({ "kind": "hook", "secret": "env:A", "deliver": "clerk" }), "args-pattern", "/value/deliver"),
        (json!({ "kind": "hook", "secret": "env:A", "deliver": "@clerk", "sign": "hmac" }), "args-enum", "/value/sign"),
        (json!({ "kind": "hook", "secret": "env:A", "deliver": "@clerk", "window": "soon" }), "bad-duration", "/value/window"),
        (json!({ "kind": "hook", "secret": "env:A", "deliver": "@clerk", "rate": "many" }), "args-pattern", "/value/rate"),
        (json!({ "kind": "web" }), "args-required", "/value/hosts"),
        (json!({ "kind": "web", "hosts": ["a.example"], "deliver": "@clerk" }), "args-unknown", "/value/deliver"),
    ] {
        let setting = args(&json!({ "key": "bridge.x", "value": value }).to_string());
        match small.try_act("operator", Call::doing("/", "config.set", setting)) {
            Ok(()) => {
                let refused = small.reel("operator").pop().unwrap();
                let Closing::Refused(reason) = &refused.closing else { panic!("{value}: {refused:?}") };
                assert!(code(&refused) == wanted && reason.at.starts_with(place), "{value}: {reason}");
            }
            Err(error) => assert!(error.to_string().contains(wanted), "{value}: {error}"),
        }
    }
}
