//! Doors: who gets in, as whom, and who is kept out when others push: connections, streams, passwords, sessions, proxies.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::served::{Person, Served};
use super::terminal::Terminal;

const VISITOR: Person = Person { cookie: None };

fn host(served: &Served) -> String {
    served.url.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

/// A connection of its own on which something was said.
fn line(served: &Served, said: &str) -> TcpStream {
    let mut line = TcpStream::connect(host(served)).unwrap();
    line.write_all(said.as_bytes()).unwrap();
    line
}

/// A whole request on a connection of its own, and the status that it is answered with.
fn asks(served: &Served, person: &Person, path: &str) -> (TcpStream, u16) {
    asks_by(served, &format!("cookie: {}", person.cookie.as_deref().unwrap_or_default()), path)
}

fn asks_by(served: &Served, header: &str, path: &str) -> (TcpStream, u16) {
    let line = line(served, &format!("GET {path} HTTP/1.1\r\nhost: {}\r\n{header}\r\n\r\n", host(served)));
    let mut status = String::new();
    BufReader::new(line.try_clone().unwrap()).read_line(&mut status).unwrap();
    let status = status.split(' ').nth(1).unwrap_or_else(|| panic!("no answer to {path}")).parse().unwrap();
    (line, status)
}

/// Reads a stream to its end, which comes before any sign of life.
fn ends(stream: &TcpStream) {
    for line in BufReader::new(stream).lines().map(Result::unwrap) {
        match line.as_str() {
            "0" => return,
            life => assert!(!life.starts_with(':'), "the stream goes on"),
        }
    }
}

#[test]
fn a_stream_ends_at_once_when_its_token_is_taken_back_or_its_session_closed_though_nothing_happens() {
    let served = Served::paused("court");
    let operator = served.operator();
    let other = narrow(&served, &operator, "other");
    for path in ["/api/events", "/api/changes?address=/court"] {
        let made = served.post(&operator, "/api/tokens", json!({ "name": "eyes" })).ok();
        let secret = made["token"].as_str().unwrap();
        served.keep_secret(secret);
        let (stream, status) = asks_by(&served, &format!("authorization: Bearer {secret}"), path);
        assert_eq!(status, 200);
        served.delete(&operator, &format!("/api/tokens/{}", made["id"].as_str().unwrap())).ok();
        ends(&stream);
    }
    let (stream, status) = asks(&served, &other, "/api/events");
    assert_eq!(status, 200);
    served.delete(&other, "/api/session").ok();
    ends(&stream);
}

fn narrow(served: &Served, operator: &Person, name: &str) -> Person {
    let role = json!({ "target": "/", "action": "role.set", "args": { "name": "nothing", "role": { "name": "nothing" } } });
    served.post(operator, "/api/do", role).ok();
    served.person(operator, name, json!({ "defaultRole": "nothing", "home": "/court" }))
}

#[test]
fn half_requests_by_the_hundred_keep_nobody_out_and_the_oldest_of_them_give_way() {
    let served = Served::paused("court");
    let operator = served.operator();
    let half = |at: usize| match at % 3 {
        0 => String::new(),
        1 => format!("GET /api/world HTTP/1.1\r\nhost: {}\r\n", host(&served)),
        _ => format!("POST /api/session HTTP/1.1\r\nhost: {}\r\ncontent-length: 1000\r\n\r\n{{", host(&served)),
    };
    let mut halves: Vec<TcpStream> = (0..600).map(|at| line(&served, &half(at))).collect();
    for _ in 0..3 {
        assert_eq!(asks(&served, &operator, "/api/world").1, 200);
        assert_eq!(asks(&served, &VISITOR, "/api/session").1, 200);
    }
    // Those that gave way were closed, and not when the time for a head was over: that is longer than this waits.
    halves[0].set_read_timeout(Some(std::time::Duration::from_secs(5))).unwrap();
    assert_eq!(halves[0].read(&mut [0]).unwrap(), 0);
    served.post(&operator, "/api/do", json!({ "target": "/", "action": "signal.set", "args": { "path": "a.b", "value": 1 } })).ok();
}

#[test]
fn one_person_takes_no_more_than_a_share_of_the_streams_and_nobody_those_of_the_operator() {
    let served = Served::paused("court");
    let operator = served.operator();
    let (greedy, other) = (narrow(&served, &operator, "greedy"), narrow(&served, &operator, "other"));
    let all: Vec<(TcpStream, u16)> = (0..192).map(|_| asks(&served, &greedy, "/api/events")).collect();
    assert_eq!(all.iter().filter(|(_, status)| *status == 200).count(), 16);
    assert!(all.iter().all(|(_, status)| [200, 429].contains(status)));
    let visitors: Vec<(TcpStream, u16)> = (0..40).map(|_| asks(&served, &VISITOR, "/api/events")).collect();
    assert_eq!(visitors.iter().filter(|(_, status)| *status == 200).count(), 8);
    assert_eq!(asks(&served, &other, "/api/events").1, 200);
    assert_eq!(asks(&served, &operator, "/api/events").1, 200);
    let seq = served.post(&operator, "/api/do", json!({ "target": "/court", "action": "say", "args": { "content": "I see" } })).ok();
    assert_eq!(served.stream(&operator, &format!("/api/events?from={}", seq["seq"]), 1)[0]["seq"], seq["seq"]);
    // Closed, they are free again.
    drop(all);
    let again = (0..10_000).map(|_| asks(&served, &greedy, "/api/events").1).find(|status| *status == 200);
    assert_eq!(again, Some(200));
}

fn login(served: &Served, name: &str, password: &str, headers: &[(&str, &str)]) -> super::served::Answer {
    served.send(&VISITOR, "POST", "/api/session", Some(json!({ "being": name, "password": password }).to_string()), headers)
}

#[test]
fn a_stranger_who_guesses_locks_no_owner_out_and_guesses_slowly() {
    let served = Served::begin(Terminal::new(), "serve $worlds/court --port 0 --paused --json --proxy 127.0.0.1");
    let operator = served.operator();
    served.post(&operator, "/api/password", json!({ "password": "correct horse" })).ok();
    served.keep_secret("correct horse");
    let [owner, stranger, elsewhere] = ["198.51.100.7", "192.0.2.1", "203.0.113.9"].map(|address| [("x-forwarded-for", address)]);
    let first = login(&served, "@operator", "correct horse", &owner);
    let (name, browser) = first.cookies.iter().find(|(name, _)| name.starts_with("reelm_browser_")).unwrap();
    served.keep_secret(browser);
    let statuses: Vec<u16> = (0..12).map(|_| login(&served, "operator", "battery staple", &stranger).status).collect();
    assert_eq!(statuses, [[401; 5].as_slice(), &[429; 7]].concat());
    let waits = login(&served, "operator", "correct horse", &stranger);
    assert!(waits.status == 429 && waits.header("retry-after").is_some_and(|after| after.parse::<u64>().unwrap() <= 61), "{waits:?}");
    // The owner comes in from where they were, from anywhere else, and beside the stranger in their own browser.
    assert_eq!(login(&served, "operator", "correct horse", &owner).status, 200);
    assert_eq!(login(&served, "operator", "correct horse", &elsewhere).status, 200);
    let cookie = format!("{name}={browser}");
    assert_eq!(login(&served, "operator", "correct horse", &[stranger[0], ("cookie", &cookie)]).status, 200);
    // Names that nobody bears are counted with all others of that address.
    let names: Vec<u16> =
        (0..30).map(|name| login(&served, &format!("n{name}"), "battery staple", &[("x-forwarded-for", "192.0.2.2")]).status).collect();
    assert_eq!(names.iter().filter(|status| **status == 401).count(), 20, "{names:?}");
}

#[test]
fn a_login_ends_the_session_of_that_browser_and_time_ends_every_other() {
    let served = Served::paused("court");
    let operator = served.operator();
    served.post(&operator, "/api/password", json!({ "password": "a good password" })).ok();
    let body = json!({ "being": "operator", "password": "a good password" }).to_string();
    let again = served.send(&operator, "POST", "/api/session", Some(body), &[]);
    let next = Person { cookie: again.cookie.clone() };
    assert_eq!(served.get(&operator, "/api/session").ok()["visitor"], true, "the session before has ended");
    assert_eq!(served.get(&next, "/api/session").ok()["visitor"], false);
    let (old, idle) = (served.login("operator", "a good password"), served.login("operator", "a good password"));
    let terminal = served.stop();
    // As if a month, and a week, had passed for two of them.
    let mut people: Value = serde_json::from_str(&terminal.read("world/people")).unwrap();
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let sessions = people["sessions"].as_array_mut().unwrap();
    assert_eq!(sessions.len(), 3);
    for (session, [since, seen]) in sessions.iter_mut().zip([[20, 1], [30, 0], [8, 7]]) {
        let now = session["since"].as_i64().unwrap();
        (session["since"], session["seen"]) = (json!(now - since * DAY), json!(now - seen * DAY));
    }
    std::fs::write(terminal.path("world/people"), people.to_string()).unwrap();
    let served = Served::begin(terminal, "serve --port 0 --paused --json");
    let visitor = |person: &Person| served.get(person, "/api/session").ok()["visitor"].clone();
    assert_eq!((visitor(&next), visitor(&old), visitor(&idle)), (json!(false), json!(true), json!(true)));
    assert_eq!(served.get(&next, "/api/sessions").ok().as_array().unwrap().len(), 1);
}

#[test]
fn whoever_asks_as_somebody_they_are_not_is_never_taken_for_themselves() {
    let served = Served::paused("court");
    let operator = served.operator();
    let act = json!({ "target": "/", "action": "signal.set", "args": { "path": "a.b", "value": 1 } });
    let before = served.get(&operator, "/health").ok();
    for (path, body) in [
        ("/api/do", act.clone()),
        ("/api/summon", json!({ "target": "@bern", "content": "hello" })),
        ("/api/be", json!({ "operation": "birth", "payload": { "name": "x", "home": "/", "cognition": "human" } })),
        ("/api/see", json!({ "target": "/" })),
        ("/api/inhabit", json!({ "being": "@bern" })),
        ("/api/password", json!({ "password": "another one" })),
        ("/api/clock", json!({ "do": "go" })),
    ] {
        for (name, wanted) in [("@nobody", 404), ("nobody", 404), ("", 404), ("@", 404), ("@judith", 403)] {
            let answer = served.post(&operator, &format!("{path}?as={name}"), body.clone());
            assert_eq!(answer.status, wanted, "{path} as {name}: {}", answer.text);
        }
        let twice = served.post(&operator, &format!("{path}?as=@operator&as=@nobody"), body);
        assert_eq!(twice.status, 400, "{path}");
    }
    let mut said = act.clone();
    said["as"] = json!("@nobody");
    assert_eq!(served.post(&operator, "/api/do", said.clone()).status, 404);
    said["as"] = json!("@operator");
    assert_eq!(served.post(&operator, "/api/do?as=@bern", said.clone()).status, 403);
    assert_eq!(served.get(&operator, "/health").ok(), before, "nothing was done");
    // As oneself, and as whom one drives, the address says it as well as the body.
    served.post(&operator, "/api/do?as=@operator", said).ok();
    served.post(&operator, "/api/inhabit?as=@operator", json!({ "being": "@bern" })).ok();
    let say = json!({ "target": "/court", "action": "say", "args": { "content": "I" } });
    assert_eq!(served.post(&operator, "/api/do?as=@bern", say.clone()).ok()["being"], "bern");
    assert_eq!(served.post(&operator, "/api/inhabit?as=@bern", json!({ "being": "@judith" })).code(), "bad-request");
    let two = json!({ "as": "@operator", "target": "/court", "action": "say", "args": { "content": "I" } });
    assert_eq!(served.post(&operator, "/api/do?as=@bern", two).code(), "bad-request");
}

#[test]
fn figures_are_the_operators_unless_the_operator_opens_them() {
    let served = Served::paused("court");
    let operator = served.operator();
    assert_eq!(served.get(&VISITOR, "/metrics").status, 403);
    assert_eq!(served.get(&narrow(&served, &operator, "pat"), "/metrics").status, 403);
    let figures = served.get(&operator, "/metrics").text;
    assert!(figures.contains("reelm_frames") && figures.contains("# TYPE reelm_wait_ms histogram"), "{figures}");
    let open = Served::begin(Terminal::new(), "serve $worlds/court --port 0 --paused --json --open-metrics");
    assert!(open.get(&VISITOR, "/metrics").text.contains("reelm_frames"));
}

#[test]
fn what_was_woken_has_waited_and_what_one_does_of_ones_own_has_not() {
    let served = Served::paused("court");
    let operator = served.operator();
    let waited = || -> u64 {
        let figures = served.get(&operator, "/metrics").text;
        let counts = figures.lines().filter_map(|line| line.strip_prefix("reelm_wait_ms_count{")?.split_once("} "));
        counts.map(|(_, count)| count.parse::<u64>().unwrap()).sum()
    };
    assert_eq!(served.post(&operator, "/api/inhabit", json!({ "being": "@bern" })).ok()["closing"], "act");
    assert_eq!(waited(), 0, "an act of one's own waits for nothing");
    served.post(&operator, "/api/clock", json!({ "do": "step" })).ok();
    while waited() == 0 {}
}

#[test]
fn a_lease_that_is_over_by_the_clock_is_nobodys_though_nothing_has_happened_since() {
    let terminal = Terminal::new();
    terminal.write("still/world.toml", "name = \"still\"\n[[being]]\nname = \"ada\"\nhome = \"/\"\n");
    let served = Served::begin(terminal, "serve still --port 0 --pace 60 --json");
    let operator = served.operator();
    let inhabit = |time: &str| {
        let call = json!({ "operation": "inhabit", "payload": { "being": "@ada", "for": time } });
        assert_eq!(served.post(&operator, "/api/be", call).ok()["closing"], "act");
    };
    let now = || served.get(&operator, "/api/world").ok()["at"].as_i64().unwrap();
    let driver = || {
        let tree = served.get(&operator, "/api/tree").ok();
        let ada = tree["beings"].as_array().unwrap().iter().find(|being| being["name"] == "ada").unwrap()["inhabitedBy"].clone();
        let page = served.get(&operator, "/api/being/ada").ok()["being"]["inhabitedBy"].clone();
        [ada, page, served.get(&operator, "/api/see?address=@ada").ok()["inhabitedBy"].clone()]
    };
    let drives = || served.get(&operator, "/api/session").ok()["drives"].clone();
    // An hour of this world is a minute.
    inhabit("1h");
    assert_eq!((driver(), drives()), ([json!("@operator"), json!("@operator"), json!("@operator")], json!(["@ada"])));
    assert_eq!(served.get(&operator, "/api/inbox?as=@ada").status, 200);
    inhabit("1s");
    let (over, frames) = (now() + 1000, served.get(&operator, "/health").ok()["seq"].clone());
    while now() < over {}
    assert_eq!((driver(), drives()), ([Value::Null, Value::Null, Value::Null], json!([])));
    let as_ada = json!({ "target": "/", "action": "say", "args": { "content": "I" } });
    assert_eq!(served.get(&operator, "/api/inbox?as=@ada").code(), "not-yours");
    assert_eq!(served.post(&operator, "/api/do?as=@ada", as_ada).code(), "not-yours");
    assert_eq!(served.post(&operator, "/api/heartbeat", json!({ "being": "@ada" })).code(), "not-driven");
    // The figures tell the same time.
    let before = now();
    let figures = served.get(&operator, "/metrics").text;
    let told = figures.lines().find_map(|line| line.strip_prefix("reelm_world_time_ms ")).unwrap().parse::<i64>().unwrap();
    assert!((before..=now()).contains(&told), "{before} {told}");
    assert_eq!(served.get(&operator, "/health").ok()["seq"], frames, "nothing has happened since");
}

#[test]
fn whoever_comes_in_names_a_person_who_is_there_and_no_two_names_look_alike() {
    let served = Served::begin(Terminal::new(), "serve $worlds/court --port 0 --paused --json --proxy 127.0.0.0/8 --user-header X-User");
    let operator = served.operator();
    for name in ["zoë", "lou"] {
        served.person(&operator, name, json!({ "defaultRole": "operator", "home": "/court", "grants": ["*"] }));
    }
    let before = served.get(&operator, "/api/world").ok()["beings"].clone();
    let me = |name: &str| served.send(&VISITOR, "GET", "/api/session", None, &[("x-user", name)]);
    assert_eq!((me("zoë").ok()["being"].clone(), me("@lou").ok()["being"].clone()), (json!("@zoë"), json!("@lou")));
    // In capitals, with a Cyrillic letter, with a digit, in two characters instead of one: nobody's name, and nobody is made by it.
    for name in ["Lou", "lоu", "1ou", "Iou", "ZOË", "zoe\u{308}", "Operator", "ореrаtоr", "l ou"] {
        let answer = me(name);
        assert_eq!((answer.status, answer.code()), (403, "no-person"), "{name}: {}", answer.text);
        let answer = login(&served, name, "only for tests", &[("x-forwarded-for", "192.0.2.7")]);
        assert_eq!((answer.status, answer.code()), (401, "wrong-login"), "{name}: {}", answer.text);
    }
    // An authorised person can make no lookalike of a person: over HTTP, at the socket, where nobody serves, and from a source.
    let code = |answer: super::served::Answer| answer.ok()["reason"]["code"].clone();
    for name in ["Lou", "lоu", "1ou", "ZOË"] {
        let payload = json!({ "name": name, "cognition": "human", "home": "/court" });
        assert_eq!(code(served.post(&operator, "/api/be", json!({ "operation": "birth", "payload": payload }))), "name-alike", "{name}");
        let typed = format!("be birth '{payload}'");
        served.terminal.types(&typed).fails(4).says(&["name-alike"]);
    }
    assert_eq!(
        code(served.post(&operator, "/api/be", json!({ "operation": "birth", "payload": { "name": "Operator" } }))),
        "name-reserved"
    );
    assert_eq!(served.get(&operator, "/api/world").ok()["beings"], before);
    let terminal = served.stop();
    terminal.types(r#"be birth '{"name":"1ou","cognition":"human"}'"#).fails(4).says(&["name-alike"]);
    let two = "[[being]]\nname = \"lou\"\nhome = \"/\"\ncognition = \"human\"\n";
    terminal.write("two/world.toml", &format!("name = \"two\"\n{two}{}", two.replace("lou", "Lou")));
    terminal.types("run two --data two/world --moments 1").fails(1).warns(&["name-alike"]);
}

#[test]
fn a_person_who_floods_is_turned_away_without_a_frame_and_nobody_else_is() {
    let served = Served::paused("court");
    let operator = served.operator();
    let (flood, other) = (narrow(&served, &operator, "flood"), narrow(&served, &operator, "other"));
    let act = json!({ "target": "/court", "action": "quality.set", "args": { "path": "a.b", "value": 1 } });
    let refused = |person: &Person| served.post(person, "/api/do", act.clone()).ok()["closing"] == "refused";
    assert!((0..100).all(|_| refused(&flood)));
    let before = served.get(&operator, "/health").ok();
    for (path, body) in [
        ("/api/do", act.clone()),
        ("/api/summon", json!({ "target": "@bern", "content": "hello" })),
        ("/api/see", json!({ "target": "/court" })),
        ("/api/inhabit", json!({ "being": "@bern" })),
        ("/api/release", json!({ "being": "@bern" })),
        ("/api/release", json!({ "being": "@bern", "tab": "one" })),
    ] {
        let turned = served.post(&flood, path, body);
        assert_eq!((turned.status, turned.code()), (429, "too-many-refusals"), "{path}: {}", turned.text);
        assert!(turned.header("retry-after").unwrap().parse::<u64>().unwrap() > 3000, "{turned:?}");
    }
    assert_eq!(served.get(&operator, "/health").ok(), before, "no frame was made");
    assert!(refused(&other));
    assert_eq!(served.get(&flood, "/api/session").status, 200, "what is read is another question");
    let nonsense = json!({ "target": "/court", "action": "fly" });
    assert!((0..101).all(|_| served.post(&operator, "/api/do", nonsense.clone()).ok()["closing"] == "refused"));
}

#[test]
fn whoever_was_refused_too_often_still_gives_back_what_they_drive() {
    let served = Served::paused("court");
    let operator = served.operator();
    let pat = served.person(&operator, "pat", json!({ "defaultRole": "operator", "home": "/court", "grants": ["*"] }));
    let birth = json!({ "operation": "birth", "payload": { "name": "kid", "parent": "@pat", "home": "/court" } });
    let born = served.post(&operator, "/api/be", birth).ok();
    assert_eq!(born["closing"], "act", "{born}");
    let driven = served.post(&pat, "/api/inhabit", json!({ "being": "@kid", "tab": "one" })).ok();
    assert_eq!(driven["closing"], "act", "{driven}");
    let nonsense = json!({ "target": "/court", "action": "fly" });
    assert!((0..100).all(|_| served.post(&pat, "/api/do", nonsense.clone()).ok()["closing"] == "refused"));
    assert_eq!(served.post(&pat, "/api/do", nonsense).code(), "too-many-refusals");
    assert_eq!(served.post(&pat, "/api/release", json!({ "being": "@kid", "tab": "one" })).ok()["closing"], "act");
    assert_eq!(served.post(&pat, "/api/release", json!({ "being": "@kid", "tab": "one" })).code(), "too-many-refusals");
}

#[test]
fn whoever_sends_large_bodies_that_do_not_come_keeps_nobody_elses_waiting() {
    let served = Served::paused("court");
    let operator = served.operator();
    let other = narrow(&served, &operator, "other");
    let head = format!("POST /x HTTP/1.1\r\nhost: {}\r\ncontent-length: 70000\r\n\r\n", host(&served));
    let begun: Vec<TcpStream> = (0..36).map(|_| line(&served, &head)).collect();
    let (tell, heard) = std::sync::mpsc::channel();
    for line in &begun {
        let (mut line, tell) = (BufReader::new(line.try_clone().unwrap()), tell.clone());
        std::thread::spawn(move || {
            let mut status = String::new();
            let _ = line.read_line(&mut status).map(|_| tell.send(status));
        });
    }
    // Four of them may come, and hold nobody up: the others are told at once.
    for _ in 0..32 {
        assert_eq!(heard.recv().unwrap(), "HTTP/1.1 429 Too Many Requests\r\n");
    }
    let words = json!({ "target": "/court", "action": "say", "args": { "content": "x".repeat(80_000) } });
    assert_eq!(served.post(&other, "/api/do", words).ok()["closing"], "refused");
}

#[test]
fn what_is_not_at_hand_is_opened_for_those_alone_who_may_read_the_past() {
    let served = Served::begin(Terminal::new(), "serve $worlds/court --port 0 --paused --json --recent 1");
    let operator = served.operator();
    let role =
        json!({ "target": "/", "action": "role.set", "args": { "name": "looker", "role": { "name": "looker", "canSee": ["@pat"] } } });
    served.post(&operator, "/api/do", role).ok();
    let pat = served.person(&operator, "pat", json!({ "defaultRole": "looker", "home": "/court" }));
    let own = served.post(&pat, "/api/see", json!({ "target": "@pat" })).ok()["seq"].clone();
    assert_eq!(served.get(&pat, &format!("/api/moment/{own}")).ok()["report"]["being"], "pat");
    // Of another's, and of what was before the server began, nothing is read for those who may not know it.
    let said = served.post(&operator, "/api/do", json!({ "target": "/", "action": "say", "args": { "content": "I" } })).ok()["seq"].clone();
    let place = |person: &Person, seq: &Value| {
        let answer = served.get(person, &format!("/api/moment/{seq}"));
        (answer.status, answer.body["error"]["place"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(place(&pat, &said), (403, "@operator".to_owned()));
    assert_eq!(place(&pat, &json!(0)), (403, "/.moments".to_owned()));
    assert_eq!(place(&VISITOR, &json!(0)), (403, "/.moments".to_owned()));
    assert_eq!(place(&operator, &json!(0)).0, 200);
}

#[test]
fn what_leaves_is_compressed_for_whoever_takes_it_and_a_stream_tells_each_event_at_once() {
    let served = Served::paused("court");
    let operator = served.operator();
    let cookie = operator.cookie.clone().unwrap();
    // Without chunks, so that what comes is the body as it is.
    let get = |path: &str| {
        line(&served, &format!("GET {path} HTTP/1.0\r\nhost: {}\r\ncookie: {cookie}\r\naccept-encoding: gzip\r\n\r\n", host(&served)))
    };
    for path in ["/openapi.json", "/api/operations"] {
        let mut whole = Vec::new();
        get(path).read_to_end(&mut whole).unwrap();
        let at = whole.windows(4).position(|end| end == b"\r\n\r\n").unwrap() + 4;
        let head = String::from_utf8_lossy(&whole[..at]).to_lowercase();
        assert!(head.contains("content-encoding: gzip"), "{path}: {head}");
        let plain = served.get(&operator, path).text;
        assert!((whole.len() - at) * 3 < plain.len(), "{path}: {} of {} bytes", whole.len() - at, plain.len());
        let packed = served.terminal.path("packed.gz");
        std::fs::write(&packed, &whole[at..]).unwrap();
        assert_eq!(served.terminal.shell("gzip -dc packed.gz").ok(), plain, "{path}");
        std::fs::remove_file(packed).unwrap();
    }
    let mut stream = get("/api/events");
    let mut told = [0; 64 << 10];
    let mut seen = Vec::new();
    // The head, and the clock.
    while !seen.windows(4).any(|end| end == b"\r\n\r\n") || seen.ends_with(b"\r\n\r\n") {
        let count = stream.read(&mut told).unwrap();
        seen.extend_from_slice(&told[..count]);
    }
    assert!(String::from_utf8_lossy(&seen).to_lowercase().contains("content-encoding: gzip"));
    for words in ["one", "two", "three"] {
        served.post(&operator, "/api/do", json!({ "target": "/court", "action": "say", "args": { "content": words } })).ok();
        // Nothing else is to come: without being flushed this would not either.
        stream.set_read_timeout(Some(std::time::Duration::from_secs(10))).unwrap();
        assert!(stream.read(&mut told).unwrap() > 0, "{words}");
    }
}

#[test]
fn a_person_who_is_logged_in_with_a_trusted_proxy_is_logged_in_here_and_nobody_else_by_that_header() {
    let served = Served::begin(Terminal::new(), "serve $worlds/court --port 0 --paused --json --proxy 127.0.0.0/8 --user-header X-User");
    let operator = served.operator();
    let pat = narrow(&served, &operator, "pat");
    let me = |person: &Person, headers: &[(&str, &str)]| served.send(person, "GET", "/api/session", None, headers);
    assert_eq!(me(&VISITOR, &[("x-user", "pat")]).ok()["being"], "@pat");
    assert_eq!(me(&operator, &[("x-user", "@pat")]).ok()["being"], "@pat", "the proxy's word goes before a cookie");
    assert_eq!(me(&pat, &[]).ok()["being"], "@pat");
    assert_eq!(me(&VISITOR, &[]).ok()["visitor"], true);
    // A name that is no person's is refused, and does not count as a visitor.
    for name in ["nobody", "bern", "world", "arrival", "Operator"] {
        assert_eq!(me(&VISITOR, &[("x-user", name)]).code(), "no-person", "{name}");
    }
    // A proxy that names nobody says that nobody is logged in with it.
    for nobody in ["", " "] {
        assert_eq!(me(&VISITOR, &[("x-user", nobody)]).ok()["visitor"], true);
        assert_eq!(me(&pat, &[("x-user", nobody)]).ok()["being"], "@pat");
    }
    let say = json!({ "target": "/court", "action": "say", "args": { "content": "I" } }).to_string();
    assert_eq!(served.send(&VISITOR, "POST", "/api/do", Some(say.clone()), &[("x-user", "operator")]).ok()["being"], "operator");
    let elsewhere = served.send(&VISITOR, "POST", "/api/do", Some(say), &[("x-user", "operator"), ("origin", "http://evil.example")]);
    assert_eq!(elsewhere.code(), "wrong-origin");
    // From where no proxy is trusted the header is refused, so that a wrong network is seen at once.
    let far = Served::begin(Terminal::new(), "serve $worlds/court --port 0 --paused --json --proxy 192.0.2.0/24 --user-header X-User");
    assert_eq!(far.send(&VISITOR, "GET", "/api/session", None, &[("x-user", "operator")]).status, 403);
    assert_eq!(far.get(&VISITOR, "/api/session").status, 200);
    let alone = Terminal::new();
    alone.types("serve $worlds/court --user-header X-User").fails(2).warns(&["--proxy"]);
    alone.types("serve $worlds/court --proxy nonsense").fails(2).warns(&["expected a network"]);
}
