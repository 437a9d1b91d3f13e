//! Tokens: may a program do by its token what it was made for, and nothing else, over whatever door it comes?

use std::io::Read;
use std::net::TcpStream;

use serde_json::{Value, json};

use super::served::{Answer, Person, Served};
use super::terminal::Terminal;

const VISITOR: Person = Person { cookie: None };

/// A program that holds a token.
struct Program(String);

impl Program {
    fn of(served: &Served, person: &Person, wanted: Value) -> (Self, Value) {
        let made = served.post(person, "/api/tokens", wanted).ok();
        let token = made["token"].as_str().unwrap().to_owned();
        served.keep_secret(&token);
        served.keep_secret(token.trim_start_matches("reelm_"));
        (Self(token), made)
    }

    fn send(&self, served: &Served, method: &str, path: &str, body: Option<Value>) -> Answer {
        let bearer = format!("Bearer {}", self.0);
        served.send(&VISITOR, method, path, body.map(|body| body.to_string()), &[("authorization", &bearer)])
    }

    fn post(&self, served: &Served, path: &str, body: Value) -> Answer {
        self.send(served, "POST", path, Some(body))
    }

    fn get(&self, served: &Served, path: &str) -> Answer {
        self.send(served, "GET", path, None)
    }
}

fn pat(served: &Served, operator: &Person) -> Person {
    served.person(operator, "pat", json!({ "defaultRole": "operator", "home": "/court", "grants": ["*"] }))
}

fn signal(value: u32) -> Value {
    json!({ "target": "@pat", "action": "quality.set", "args": { "path": "a.b", "value": value } })
}

fn refusal(answer: Answer) -> (String, String) {
    let report = answer.ok();
    assert_eq!(report["closing"], "refused", "{report}");
    let text = |key: &str| report["reason"][key].as_str().unwrap().to_owned();
    (text("code"), text("at"))
}

fn narrowed(verb: &str) -> (String, String) {
    ("gate-narrowed".to_owned(), verb.to_owned())
}

/// The wake of a summons that says so.
fn wake(served: &Served, person: &Person, content: &str) -> Value {
    let inbox = served.get(person, "/api/inbox").ok();
    inbox.as_array().unwrap().iter().find(|entry| entry["content"] == content).map_or(Value::Null, |entry| entry["wake"].clone())
}

#[test]
fn a_token_is_narrowed_at_the_gate_over_http_over_the_socket_and_in_an_answer_and_the_history_replays() {
    let served = Served::paused("court");
    let operator = served.operator();
    let pat = pat(&served, &operator);
    let (talker, made) = Program::of(&served, &pat, json!({ "name": "talker", "only": ["see", "summon"], "for": "30d" }));
    assert_eq!((&made["being"], &made["only"]), (&json!("@pat"), &json!(["see", "summon"])));
    let (doer, _) = Program::of(&served, &pat, json!({ "only": ["do"] }));
    // Over HTTP.
    assert_eq!(talker.get(&served, "/api/session").ok()["being"], "@pat");
    assert_eq!(talker.post(&served, "/api/summon", json!({ "target": "@judith", "content": "hello" })).ok()["closing"], "act");
    let refused = talker.post(&served, "/api/do", signal(1));
    let seq = refused.body["seq"].clone();
    assert_eq!(refusal(refused), narrowed("do"));
    let told = served.get(&operator, &format!("/api/moment/{seq}")).ok();
    assert!(told.to_string().contains(r#"{"fact":"narrowed","only":["see","summon"]}"#), "{told}");
    assert_eq!(refusal(talker.post(&served, "/api/inhabit", json!({ "being": "@bern" }))), narrowed("be"));
    assert_eq!(refusal(talker.post(&served, "/api/be", json!({ "operation": "end", "payload": { "being": "@bern" } }))), narrowed("be"));
    assert_eq!(talker.post(&served, "/api/heartbeat", json!({ "being": "@bern" })).code(), "gate-narrowed");
    for release in [json!({ "being": "@bern" }), json!({ "being": "@bern", "tab": "one" })] {
        assert_eq!(talker.post(&served, "/api/release", release).code(), "gate-narrowed");
    }
    assert_eq!(talker.post(&served, "/api/clock", json!({ "do": "go" })).code(), "gate-narrowed");
    assert_eq!(doer.post(&served, "/api/do", signal(2)).ok()["closing"], "act");
    assert_eq!(refusal(doer.post(&served, "/api/see", json!({ "target": "@pat" }))), narrowed("see"));
    assert_eq!(doer.get(&served, "/api/see?address=/court").code(), "gate-narrowed");
    assert_eq!(doer.get(&served, "/api/inbox").code(), "gate-narrowed");
    assert_eq!(talker.get(&served, "/api/inbox").status, 200);
    // An answer to a wake.
    for content in ["first", "second"] {
        served.post(&operator, "/api/summon", json!({ "target": "@pat", "content": content })).ok();
    }
    let (first, second) = (wake(&served, &pat, "first"), wake(&served, &pat, "second"));
    let mut act = signal(3);
    act["wake"] = first.clone();
    assert_eq!(refusal(talker.post(&served, "/api/do", act)), narrowed("do"));
    assert_eq!(wake(&served, &pat, "first"), first, "the wake stays open");
    let answered = talker.post(&served, "/api/summon", json!({ "content": "here I am", "wake": first })).ok();
    assert_eq!((&answered["closing"], &answered["wake"]), (&json!("act"), &json!("summons")));
    assert_eq!(doer.post(&served, "/api/see", json!({ "wake": second })).code(), "gate-narrowed");
    assert_eq!(wake(&served, &pat, "second"), second);
    let mut act = signal(4);
    act["wake"] = second;
    assert_eq!(doer.post(&served, "/api/do", act).ok()["wake"], "summons");
    // Over the socket beside the world's files, and in the world that nobody serves.
    let lines = |terminal: &Terminal| {
        let token = &talker.0;
        terminal.types(&format!("summon @judith 'it is me' --token {token}")).ok();
        terminal
            .types(&format!("do @pat quality.set '{{\"path\":\"a.b\",\"value\":5}}' --token {token}"))
            .fails(4)
            .says(&["gate-narrowed at `do`"]);
        terminal.types(&format!("do @pat quality.set '{{\"path\":\"a.b\",\"value\":5}}' --token {token} --as @operator")).fails(1);
        terminal.types(&format!("apply $worlds/court --token {token}")).fails(1);
        terminal.types(&format!("token list --token {token}")).fails(1);
        for unknown in ["reelm_nothing", "''", "é", "' '"] {
            terminal
                .types(&format!("do / signal.set '{{\"path\":\"a.b\",\"value\":1}}' --token {unknown}"))
                .fails(1)
                .warns(&["taken back"]);
        }
    };
    lines(&served.terminal);
    let terminal = served.stop();
    lines(&terminal);
    assert!(terminal.types("replay").ok().contains("identical"));
}

#[test]
fn a_token_that_is_unknown_or_over_or_was_taken_back_is_401_and_never_a_visitor() {
    let served = Served::paused("court");
    let operator = served.operator();
    let pat = pat(&served, &operator);
    let (program, made) = Program::of(&served, &pat, json!({ "name": "watering" }));
    let paths = ["/api/session", "/api/world", "/api/moments", "/api/events", "/api/see?address=/", "/metrics"];
    let unknown = Program(program.0.replace("reelm_", "reelm-"));
    let is_turned_away = |served: &Served, program: &Program| {
        for path in paths {
            let answer = program.get(served, path);
            assert_eq!((answer.status, answer.code(), answer.header("www-authenticate")), (401, "bad-token", Some("Bearer")), "{path}");
        }
        assert_eq!(program.post(served, "/api/do", signal(1)).status, 401);
    };
    is_turned_away(&served, &unknown);
    for nothing in ["", " ", "é", "\u{a0}"] {
        is_turned_away(&served, &Program(nothing.to_owned()));
    }
    for scheme in ["bearer", "BEARER", "Bearer\t", "Bearer \t "] {
        let answer = served.send(&operator, "GET", "/api/session", None, &[("authorization", scheme)]);
        assert_eq!((answer.status, answer.code()), (401, "bad-token"), "{scheme:?}");
    }
    // A header for a proxy before this server has no effect here.
    assert_eq!(served.send(&operator, "GET", "/api/session", None, &[("authorization", "Basic Ym9iOng=")]).ok()["being"], "@operator");
    assert_eq!(program.get(&served, "/api/session").ok()["visitor"], false);
    // A stream that is open ends, and others' tokens are not one's own to take back.
    let id = made["id"].as_str().unwrap();
    let host = served.url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(&host).unwrap();
    let request = format!("GET /api/events HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nauthorization: Bearer {}\r\n\r\n", program.0);
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    let other = served.person(&operator, "other", json!({ "defaultRole": "person", "home": "/court" }));
    assert_eq!(served.get(&other, "/api/tokens").ok(), json!([]));
    assert_eq!(served.delete(&other, &format!("/api/tokens/{id}")).status, 404);
    assert_eq!(served.get(&pat, "/api/tokens").ok()[0]["name"], "watering");
    served.delete(&pat, &format!("/api/tokens/{id}")).ok();
    is_turned_away(&served, &program);
    served.post(&operator, "/api/do", signal(2)).ok();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    // Made and taken back by whoever holds the files, also while nobody serves the world.
    let terminal = served.stop();
    let make = |terminal: &Terminal| {
        let made = terminal.types("token make --as @pat --only see,do --for 7d --name cron --json").json();
        (Program(made["token"].as_str().unwrap().to_owned()), made["id"].as_str().unwrap().to_owned())
    };
    let ((over, id), (kept, _)) = (make(&terminal), make(&terminal));
    terminal.types("token list").says(&["@pat", "see,do", "cron"]).ok();
    for (nobody, why) in [
        ("@judith", "thinks by itself (script)"),
        ("@arrival", "is nobody in particular"),
        ("@world", "is nobody in particular"),
        ("@nobody", "there is no `@nobody`"),
    ] {
        terminal.types(&format!("token make --as {nobody}")).fails(1).warns(&[why]);
    }
    terminal.types("token make --only fly").fails(2);
    let mut tokens: Value = serde_json::from_str(&terminal.read("world/tokens")).unwrap();
    let token = tokens.as_array_mut().unwrap().iter_mut().find(|token| token["id"] == id.as_str()).unwrap();
    token["until"] = token["since"].clone();
    std::fs::write(terminal.path("world/tokens"), tokens.to_string()).unwrap();
    let served = Served::begin(terminal, "serve --port 0 --paused --json");
    is_turned_away(&served, &over);
    assert_eq!(kept.post(&served, "/api/do", signal(3)).ok()["closing"], "act");
    let listed = served.terminal.types("token list --json").json();
    served.terminal.types(&format!("token take {}", listed["id"].as_str().unwrap())).ok();
    is_turned_away(&served, &kept);
    served.terminal.types("token take nothing").fails(1);
    served.terminal.types("token make --as @arrival").fails(1).warns(&["@arrival"]);
    let (made, _) = make(&served.terminal);
    assert_eq!(made.get(&served, "/api/session").ok()["being"], "@pat");
}

#[test]
fn a_token_changes_nothing_by_which_people_come_in_and_has_nobody_do_what_it_may_not() {
    let served = Served::paused("court");
    let operator = served.operator();
    let (whole, _) = Program::of(&served, &operator, json!({}));
    for (method, path, body) in [
        ("POST", "/api/password", Some(json!({ "password": "another one" }))),
        ("GET", "/api/sessions", None),
        ("DELETE", "/api/sessions/x", None),
        ("POST", "/api/tokens", Some(json!({}))),
        ("GET", "/api/tokens", None),
        ("DELETE", "/api/tokens/x", None),
    ] {
        let answer = whole.send(&served, method, path, body);
        assert_eq!((answer.status, answer.code()), (403, "not-yours"), "{method} {path}");
    }
    assert!(whole.get(&served, "/metrics").text.contains("reelm_frames"));
    let (talker, _) = Program::of(&served, &operator, json!({ "only": ["see", "summon"] }));
    let role = json!({ "role": { "name": "calm", "canSee": ["**"] } });
    let asked = json!({ "target": "@role-manager", "content": role });
    assert_eq!(refusal(talker.post(&served, "/api/summon", asked.clone())), narrowed("do"));
    assert_eq!(whole.post(&served, "/api/summon", asked).ok()["closing"], "act");
    for wrong in [
        json!({ "only": [] }),
        json!({ "only": ["fly"] }),
        json!({ "for": "0s" }),
        json!({ "for": "20000d" }),
        json!({ "being": "@nobody" }),
    ] {
        assert!([400, 404].contains(&served.post(&operator, "/api/tokens", wrong.clone()).status), "{wrong}");
    }
    served.person(&operator, "other", json!({ "defaultRole": "person", "home": "/court" }));
    assert_eq!(served.post(&operator, "/api/tokens", json!({ "being": "@other" })).status, 403);
}

#[test]
fn visitors_are_nobody_who_has_a_password_or_a_token() {
    let served = Served::paused("court");
    let operator = served.operator();
    let given = served.post(&operator, "/api/password", json!({ "being": "@arrival", "password": "only for tests" }));
    assert_eq!((given.status, given.code()), (403, "gate-lineage"));
    let visitor = served.post(&VISITOR, "/api/session", json!({ "being": "arrival", "password": "only for tests" }));
    assert_eq!(visitor.code(), "wrong-login");
}

#[test]
fn a_new_password_takes_that_persons_tokens_back_and_nobody_elses() {
    let served = Served::paused("court");
    let operator = served.operator();
    let pat = pat(&served, &operator);
    let ((own, _), (others, _)) = (Program::of(&served, &pat, json!({})), Program::of(&served, &operator, json!({})));
    let made = served.terminal.types("token make --as @pat --json").json();
    let by_hand = Program(made["token"].as_str().unwrap().to_owned());
    served.post(&operator, "/api/password", json!({ "being": "@pat", "password": "another for tests" })).ok();
    for program in [&own, &by_hand] {
        assert_eq!(program.get(&served, "/api/session").code(), "bad-token");
        assert_eq!(program.post(&served, "/api/do", signal(1)).code(), "bad-token");
    }
    assert_eq!(served.post(&pat, "/api/tokens", json!({})).status, 401, "the session has ended too");
    assert_eq!(others.get(&served, "/api/session").ok()["being"], "@operator");
    let pat = served.login("pat", "another for tests");
    assert_eq!(served.get(&pat, "/api/tokens").ok(), json!([]));
    let (next, _) = Program::of(&served, &pat, json!({}));
    served.post(&pat, "/api/password", json!({ "password": "a third for tests" })).ok();
    assert_eq!(next.get(&served, "/api/session").code(), "bad-token");
    assert_eq!(served.get(&pat, "/api/session").ok()["being"], "@pat", "who sets it stays");
}

#[test]
fn what_is_kept_for_the_operator_is_not_for_a_program_that_is_narrowed() {
    let served = Served::paused("court");
    let operator = served.operator();
    let ((whole, _), (narrow, _)) =
        (Program::of(&served, &operator, json!({})), Program::of(&served, &operator, json!({ "only": ["see"] })));
    let host = served.url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let watches = |program: &Program| {
        let mut stream = TcpStream::connect(&host).unwrap();
        let request = format!("GET /api/events HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {}\r\n\r\n", program.0);
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        (stream, status)
    };
    let streams: Vec<_> = (0..17).map(|_| watches(&narrow)).collect();
    assert_eq!(streams.iter().filter(|(_, status)| status == b"HTTP/1.1 200").count(), 16);
    assert_eq!(&watches(&whole).1, b"HTTP/1.1 200");
    // Refusals count, and after a hundred there is no frame more.
    let say = json!({ "target": "/court", "action": "say", "args": { "content": "I" } });
    assert!((0..100).all(|_| refusal(narrow.post(&served, "/api/do", say.clone())) == narrowed("do")));
    let before = served.get(&operator, "/health").ok();
    assert_eq!(narrow.post(&served, "/api/do", say).code(), "too-many-refusals");
    assert_eq!(served.get(&operator, "/health").ok(), before);
    let nonsense = json!({ "target": "/court", "action": "fly" });
    assert_eq!(whole.post(&served, "/api/do", nonsense.clone()).ok()["closing"], "refused");
    assert_eq!(served.post(&operator, "/api/do", nonsense).ok()["closing"], "refused");
}

#[test]
fn what_is_said_to_visitors_is_read_by_none_of_them() {
    let served = Served::paused("court");
    let operator = served.operator();
    served.post(&operator, "/api/summon", json!({ "target": "@arrival", "content": "for one alone" })).ok();
    let letters = |person: &Person| {
        ["@arrival/.inbox", "@self/.inbox", "@arrival/.dead"].map(|at| served.get(person, &format!("/api/see?address={at}")))
    };
    assert!(letters(&operator)[0].text.contains("for one alone"));
    // Nor where the operator lets them see everything else.
    for can_see in [json!([]), json!(["**"])] {
        let role = json!({ "name": "arrival", "canSee": can_see });
        served.post(&operator, "/api/do", json!({ "target": "/", "action": "role.set", "args": { "name": "arrival", "role": role } })).ok();
        for answer in letters(&VISITOR) {
            assert!(answer.status != 200 && !answer.text.contains("for one alone"), "{}", answer.text);
        }
        assert!(!served.get(&VISITOR, "/api/being/arrival").text.contains(r#""inbox""#));
        assert_eq!(served.get(&VISITOR, "/api/inbox").ok(), json!([]));
    }
}

/// Whether an answer says that the token of two requests a day has made both.
fn is_turned_away(answer: &Answer) {
    assert_eq!((answer.status, answer.code()), (429, "too-many"), "{}", answer.text);
    assert!(answer.text.contains("this token may make 2 requests a day; ask again in "), "{}", answer.text);
    assert!(answer.header("retry-after").is_some_and(|after| (1..=86_400).contains(&after.parse::<u64>().unwrap())), "{answer:?}");
}

#[test]
fn a_rate_turns_its_own_token_away_over_every_door_and_nobody_else() {
    let served = Served::paused("court");
    let operator = served.operator();
    let (rated, made) = Program::of(&served, &operator, json!({ "name": "slow", "rate": "2/d" }));
    assert_eq!((&made["rate"], &made["used"]), (&json!("2/d"), &Value::Null));
    let (other, made) = Program::of(&served, &operator, json!({}));
    assert_eq!(made["rate"], Value::Null);
    assert_eq!(rated.get(&served, "/api/world").status, 200);
    // A request that is refused or not found counts too.
    assert_eq!(rated.get(&served, "/api/being/nobody").status, 404);
    let before = served.get(&operator, "/health").ok();
    is_turned_away(&rated.get(&served, "/api/world"));
    is_turned_away(&rated.post(&served, "/api/do", signal(1)));
    is_turned_away(&rated.post(&served, "/mcp", json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })));
    let line = format!("do @pat quality.set '{{\"path\":\"a.b\",\"value\":1}}' --token {}", rated.0);
    served.terminal.types(&line).fails(1).warns(&["this token may make 2 requests a day"]);
    assert_eq!(served.get(&operator, "/health").ok(), before);
    assert!((0..3).all(|_| other.get(&served, "/api/world").status == 200 && served.get(&operator, "/api/world").status == 200));
    for wrong in ["0/m", "30", "30/w", ""] {
        let answer = served.post(&operator, "/api/tokens", json!({ "rate": wrong }));
        assert_eq!((answer.status, answer.code()), (400, "bad-request"), "{wrong}: {}", answer.text);
    }
}

/// An instant of the API; as texts, two of them have no order, since a whole second has no fraction.
fn instant(told: &Value) -> chrono::DateTime<chrono::FixedOffset> {
    told.as_str().unwrap().parse().unwrap()
}

#[test]
fn the_list_tells_the_rate_and_the_last_use_and_a_stop_keeps_them() {
    let served = Served::paused("court");
    let operator = served.operator();
    let made = served.terminal.types("token make --rate 30/m --name cron --json").json();
    let cron = Program(made["token"].as_str().unwrap().to_owned());
    let listed = |served: &Served| served.get(&operator, "/api/tokens").ok()[0].clone();
    assert_eq!((&listed(&served)["rate"], &listed(&served)["used"]), (&json!("30/m"), &Value::Null));
    served.terminal.types("token list").says(&["30/m", "never used", "cron"]).ok();
    cron.get(&served, "/api/world").ok();
    let used = listed(&served)["used"].clone();
    assert!(instant(&used) >= instant(&made["since"]), "{used} is before {made}");
    // While the world is served its process is asked, which has not written it yet.
    let said = format!("used {}", used.as_str().unwrap());
    served.terminal.types("token list").says(&["30/m", &said]).ok();
    assert_eq!(served.terminal.types("token list --json").json()["used"], used);
    let terminal = served.stop();
    terminal.types("token list").says(&["30/m", &said]).ok();
    // Acts in a world that nobody serves are uses too.
    terminal.types("token make --rate 1/d --name once").says(&["1 request a day at most"]).ok();
    let made = terminal.types("token make --rate 1/d --name twice --json").json();
    let other = made["token"].as_str().unwrap();
    for value in [1, 2] {
        terminal.types(&format!("do / quality.set '{{\"path\":\"a.b\",\"value\":{value}}}' --token {other}")).ok();
    }
    let lines = terminal.types("token list").ok();
    let line = |name: &str| lines.lines().find(|line| line.ends_with(name)).unwrap().to_owned();
    assert!(line("once").contains("never used") && !line("twice").contains("never used"), "{lines}");
    terminal.types("token make --rate 30").fails(2).warns(&["expected a rate such as 30/m"]);
}
