//! Bridge: does what leaves for the web leave once, within what may be reached, and does whoever asked hear what came of it?

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use reelm::fact::{Call, Closing, Code, Draft, Fact, Value};
use reelm::minds::Endpoints;
use serde_json::{Value as Json, json};

use super::faulty::{Does, Faulty};
use super::kit::{Small, args, code, until};
use super::served::Served;
use super::terminal::Terminal;

/// A hall in which a bridge to some hosts stands, and @pat, who may ask it.
pub fn world(hosts: &[&str], more: &str) -> String {
    let hosts: Vec<String> = hosts.iter().map(|host| format!("\"{host}\"")).collect();
    format!(
        "[config]\n\"bridge.web\" = {{ kind = \"web\", hosts = [{}], methods = [\"GET\", \"POST\"], {} }}\n\
         [[space]]\npath = \"/hall\"\n[[being]]\nname = \"web\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"bridge\"\n\
         settings = {{ bridge = \"web\" }}\n[[being]]\nname = \"pat\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n",
        hosts.join(", "),
        if more.contains("timeout_ms") { more.trim_start_matches(", ").to_owned() } else { format!("timeout_ms = 1000{more}") }
    )
}

/// The role of a bridge in a folder of its own.
pub const GATE: &str = "---\nname: gate\nrequiredCognition: bridge\ncanSummon: ['**']\n---\n";

/// The same world, where nobody but the bridge is.
pub fn gated(hosts: &[&str], more: &str) -> String {
    world(hosts, more).replace("role = \"free\"", "role = \"gate\"").split("[[being]]\nname = \"pat\"").next().unwrap().to_owned()
}

/// The host of a server, as a bridge lists it.
pub fn host(server: &Faulty) -> &str {
    server.url.split('/').nth(2).unwrap()
}

/// A page of some kind.
pub fn page(kind: &str, body: &str) -> Does {
    Does::Says(200, format!("content-type: {kind}\r\n"), body.to_owned())
}

fn led_to(status: u16, to: &str) -> Does {
    Does::Says(status, format!("location: {to}\r\n"), String::new())
}

/// Pat asks the bridge, and the world goes on until it has answered; the bridge's last moment.
fn asks(small: &mut Small, content: &Json) -> Draft {
    small.act("pat", Call::summon("@web", args(&json!({ "content": content }).to_string())));
    small.run("1m");
    small.reel("web").pop().unwrap()
}

/// The content that pat heard last.
pub fn heard(small: &Small) -> Value {
    let world = small.world();
    world.inbox().of(small.id_of("pat")).last().unwrap().content()
}

#[test]
fn whoever_asks_hears_what_came_and_its_cost_is_held_back_before_it_leaves() {
    let server = Faulty::reading(|_, request| match request.split(' ').nth(1).unwrap() {
        "/page" => page("text/html; charset=utf-8", "<h1>Prices</h1><script>no()</script><p>Tea <a href='/tea'>3.50</a>"),
        "/latin" => {
            Does::Sends(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=iso-8859-1\r\ncontent-length: 4\r\n\r\ncaf\xe9".to_vec())
        }
        "/on" => led_to(302, "/page"),
        "/gone" => Does::Says(404, "content-type: text/plain\r\n".to_owned(), "no such thing".to_owned()),
        "/order" => page("application/json", &json!({ "heard": request.split("\r\n\r\n").nth(1) }).to_string()),
        _ => page("text/plain", "hello"),
    });
    let mut small = Small::plant(&world(&[host(&server)], ", price = 0.01"));
    small.living().asking(Box::new(Endpoints::default()));
    let url = |path: &str| format!("http://{}{path}", host(&server));
    for (asked, status, text) in [
        (json!(url("/")), 200, "hello".to_owned()),
        (json!({ "url": url("/page") }), 200, format!("# Prices\n\nTea [3.50][1]\n\n[1]: {}", url("/tea"))),
        (json!(json!({ "url": url("/on") }).to_string()), 200, format!("# Prices\n\nTea [3.50][1]\n\n[1]: {}", url("/tea"))),
        (json!({ "url": url("/latin") }), 200, "café".to_owned()),
        (json!({ "url": url("/gone") }), 404, "no such thing".to_owned()),
        (json!({ "url": url("/order"), "method": "POST", "body": { "tea": 2 } }), 200, r#"{"heard":"{\"tea\":2}"}"#.to_owned()),
    ] {
        let moment = asks(&mut small, &asked);
        assert_eq!(moment.closing, Closing::Act, "{asked}");
        let came = heard(&small);
        let of = |key: &str| came.get(key).cloned().unwrap_or_default();
        assert_eq!((of("status"), of("text")), (Value::Int(status), Value::from(text)), "{asked}");
        let frames = small.frames_of("web");
        let [.., before, _] = frames.as_slice() else { panic!("{frames:?}") };
        let Some(Fact::Reserved(most)) = before.facts.first() else { panic!("{before:?}") };
        let spent = moment.facts.iter().find_map(|fact| if let Fact::Spent(spent) = fact { Some(spent.spend) } else { None }).unwrap();
        assert_eq!((code(before), most.calls, most.money, spent.calls, spent.money), ("asking".to_owned(), 1, 10_000, 1, 10_000));
        assert!(spent.bytes > 0 && spent.bytes <= most.bytes && spent.tokens() == 0, "{spent:?} of {most:?}");
    }
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_may_not_be_asked_does_not_leave_and_what_comes_to_nothing_is_told_and_asked_once() {
    let elsewhere = Faulty::new(|_| page("text/plain", "a secret of this machine"));
    let to_elsewhere = format!("http://{}/", host(&elsewhere));
    let server = Faulty::reading(move |_, request| match request.split(' ').nth(1).unwrap() {
        "/elsewhere" => led_to(302, &to_elsewhere),
        "/file" => led_to(302, "file:///etc/passwd"),
        "/nowhere" => led_to(307, ""),
        "/round" => led_to(301, "/round"),
        "/post" => led_to(303, "/picture"),
        "/picture" => page("image/png", "PNG"),
        "/nul" => page("text/plain", "a\0b"),
        "/packed" => Does::Says(200, "content-type: text/plain\r\ncontent-encoding: gzip\r\n".to_owned(), "x".repeat(99)),
        "/long" => page("text/plain", &"x".repeat(70_000)),
        "/broken" => Does::Sends(b"HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\nbroken".to_vec()),
        "/garbage" => Does::Sends(b"\x00\x01\x02".to_vec()),
        "/hangs" => Does::Hangs,
        other => panic!("{other} was asked"),
    });
    let listed = [host(&server), "192.168.77.1", "*.example.invalid", "169.254.169.254"];
    let mut small = Small::plant(&world(&listed, ", max_bytes = 65536"));
    small.living().asking(Box::new(Endpoints::default()));
    let here = format!("http://{}", host(&server));
    let elsewhere_host = host(&elsewhere).to_owned();
    for (asked, wanted, place) in [
        (json!("hello there"), Code::BridgeRequest, "/url"),
        (json!({ "method": "GET" }), Code::BridgeRequest, "/url"),
        (json!({ "url": format!("{here}/"), "header": "x" }), Code::BridgeRequest, "/header"),
        (json!({ "url": format!("{here}/"), "method": "DELETE" }), Code::BridgeRequest, "/method"),
        (json!({ "url": format!("{here}/"), "body": "x" }), Code::BridgeRequest, "/body"),
        (json!({ "url": format!("{here}/"), "method": "POST", "body": "x", "type": "text/plain\r\nx: y" }), Code::BridgeRequest, "/type"),
        (json!("ftp://example.invalid/"), Code::BridgeRequest, "/url"),
        (json!(here.replace("//", "//me:word@")), Code::BridgeRequest, "/url"),
        (json!(format!("http://{elsewhere_host}/")), Code::BridgeHost, elsewhere_host.as_str()),
        (json!("http://example.invalid/"), Code::BridgeHost, "example.invalid"),
        (json!("http://192.168.77.1/"), Code::EndpointPrivate, ""),
        (json!("http://169.254.169.254/latest/meta-data"), Code::EndpointPrivate, ""),
        (json!(format!("{here}/elsewhere")), Code::BridgeHost, "302 to 127.0.0.1"),
        (json!(format!("{here}/file")), Code::BridgeRequest, "302"),
        (json!(format!("{here}/nowhere")), Code::ReplyRedirects, "307"),
        (json!(format!("{here}/round")), Code::ReplyRedirects, "301"),
        (json!({ "url": format!("{here}/post"), "method": "POST", "body": "x" }), Code::ReplyBinary, "200"),
        (json!(format!("{here}/picture")), Code::ReplyBinary, "200"),
        (json!(format!("{here}/nul")), Code::ReplyBinary, "200"),
        (json!(format!("{here}/packed")), Code::ReplyBinary, "200"),
        (json!(format!("{here}/long")), Code::ReplyTooLarge, "200"),
        (json!(format!("{here}/broken")), Code::ReplyBroken, "200"),
        (json!(format!("{here}/garbage")), Code::ReplyBroken, ""),
        (json!(format!("{here}/hangs")), Code::ReplyTimeout, ""),
    ] {
        let moment = asks(&mut small, &asked);
        let Closing::DeadLetter(reason) = &moment.closing else { panic!("{asked}: {:?}", moment.closing) };
        assert_eq!((reason.code, reason.at.as_ref()), (wanted, place), "{asked}");
        let told = heard(&small);
        assert_eq!(told.get("code").and_then(Value::as_str), Some(wanted.word()), "{asked}: {told}");
    }
    assert_eq!(elsewhere.count(), 0, "nobody was led there");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_changes_nothing_may_be_asked_again_where_the_bridge_says_so() {
    let server = Faulty::new(|number| if number < 2 { Does::Sends(Vec::new()) } else { page("text/plain", "at last") });
    let mut small = Small::plant(&world(&[host(&server)], ", again = true"));
    small.living().asking(Box::new(Endpoints::default()));
    let url = format!("http://{}/", host(&server));
    assert_eq!(asks(&mut small, &json!(url)).attempt, 3);
    assert_eq!(heard(&small).get("text"), Some(&Value::text("at last")));
    let lost = Faulty::new(|_| Does::Sends(Vec::new()));
    let mut small = Small::plant(&world(&[host(&lost)], ", again = true"));
    small.living().asking(Box::new(Endpoints::default()));
    let moment = asks(&mut small, &json!({ "url": format!("http://{}/", host(&lost)), "method": "POST", "body": "order" }));
    assert!(matches!(moment.closing, Closing::DeadLetter(_)) && lost.count() == 1, "an order leaves once");
}

#[test]
fn a_key_goes_to_whom_it_was_given_and_stands_in_no_frame() {
    let secret = "hush-hush-4711-not-to-be-seen";
    let other = Faulty::reading(|_, request| page("text/plain", &request.contains("authorization").to_string()));
    let to_other = format!("http://{}/", host(&other));
    let server = Faulty::reading(move |_, request| {
        let key = || request.lines().find_map(|line| line.strip_prefix("authorization: Bearer ")).unwrap_or("none").to_owned();
        match request.split(' ').nth(1).unwrap() {
            "/on" => led_to(302, &to_other),
            "/back" => led_to(302, &format!("/seen?token={}", key())),
            "/kind" => page(&format!("text/plain; said={}", key()), "kind"),
            "/told" => led_to(302, &format!("{to_other}?token={}", key())),
            _ => page("text/plain", request),
        }
    });
    let terminal = Terminal::new();
    terminal.write("w/world.toml", &format!("name = \"w\"\n{}", gated(&[host(&server), host(&other)], ", key = \"env:REELM_TEST_WEB\"")));
    terminal.write("w/roles/gate.md", GATE);
    terminal.types("run w --for 1s --quiet").ok();
    let ask = |path: &str| {
        terminal.types(&format!("summon @web http://{}{path}", host(&server))).ok();
        let mut command = terminal.command("run --for 1s --quiet");
        command.env("REELM_TEST_WEB", secret);
        assert!(command.output().unwrap().status.success());
        terminal.types("inbox @operator").ok()
    };
    assert!(ask("/").contains("authorization: Bearer [key]"));
    assert!(ask("/on").contains("\"text\":\"false\""), "the key is not for the other");
    for (path, wanted) in [("/back", "/seen?token=[key]"), ("/kind", "said=[key]"), ("/told", "?token=[key]")] {
        assert!(ask(path).contains(wanted), "{path}");
    }
    terminal.types("replay").ok();
    let folder = terminal.path("world");
    for entry in walk(&folder) {
        let bytes = std::fs::read(&entry).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{}", entry.display());
    }
    // Without its key it waits, and says for what.
    terminal.types(&format!("summon @web http://{}/", host(&server))).ok();
    terminal.types("run --for 1s").warns(&["key-missing"]);
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn what_left_before_a_kill_is_not_asked_again_unseen() {
    let server = Faulty::new(|number| if number == 0 { Does::Hangs } else { page("text/plain", "again") });
    let terminal = Terminal::new();
    terminal.write("w/world.toml", &format!("name = \"w\"\n{}", gated(&[host(&server)], ", again = true, timeout_ms = 60000")));
    terminal.write("w/roles/gate.md", GATE);
    terminal.types("run w --for 1s --quiet").ok();
    let post = format!("{{\"url\":\"http://{}/\",\"method\":\"POST\",\"body\":\"order\"}}", host(&server));
    terminal.types(&format!("summon @web '{post}'")).ok();
    let mut child = terminal.command("run --for 1s --quiet").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the order has left", || server.count() == 1);
    child.kill().unwrap();
    child.wait().unwrap();
    terminal.types("run --for 1s --quiet").fails(0);
    assert_eq!(server.count(), 1, "nobody asks again");
    assert!(terminal.types("inbox @operator").ok().contains("[unanswered]"));
    terminal.types("replay").ok();
}

/// A bridge whose reply comes while somebody drives it has been asked all the same.
#[test]
fn who_comes_to_drive_a_bridge_while_it_asks_has_nothing_asked_twice() {
    let answers = Arc::new(AtomicBool::new(false));
    let may_answer = answers.clone();
    let server = Faulty::new(move |_| {
        until("the answer may come", || may_answer.load(Ordering::SeqCst));
        page("text/plain", "ordered")
    });
    let terminal = Terminal::new();
    terminal.write("w/world.toml", &format!("name = \"w\"\n{}", gated(&[host(&server)], ", timeout_ms = 60000")));
    terminal.write("w/roles/gate.md", GATE);
    terminal.types("run w --for 1s --quiet").ok();
    let served = Served::begin(terminal, "serve --port 0 --pace 60 --json");
    let operator = served.operator();
    let post = |path: &str, body: Json| served.post(&operator, path, body).ok();
    let order = json!({ "url": format!("http://{}/", host(&server)), "method": "POST", "body": "order" });
    post("/api/summon", json!({ "as": "@operator", "target": "@web", "content": order }));
    until("the order has left", || server.count() == 1);
    post("/api/be", json!({ "as": "@operator", "operation": "inhabit", "payload": { "being": "@web" } }));
    answers.store(true, Ordering::SeqCst);
    let moments = || served.get(&operator, "/api/moments?being=web").ok()["moments"].clone();
    until("the moment is closed", || moments().as_array().unwrap().iter().any(|moment| moment["closing"] == "dead-letter"));
    post("/api/be", json!({ "as": "@operator", "operation": "release", "payload": { "being": "@web" } }));
    let terminal = served.stop();
    terminal.types("run --for 1m --quiet").fails(0);
    assert_eq!(server.count(), 1, "an order leaves once");
    terminal.types("replay").ok();
}

/// Asking changes nothing outside; and no page takes more time than another.
#[test]
fn who_only_asks_may_get_and_a_page_that_is_nested_without_end_ends() {
    let nested = [
        "<div></i>".repeat(20_000),
        "<svg><td>".repeat(20_000),
        "<table><tr><td colspan=99999999999>".repeat(7_000),
        "<a \"'>'\"".repeat(30_000),
    ];
    let pages = nested.clone();
    let server = Faulty::new(move |number| page("text/html", &pages[number % pages.len()]));
    let mut small = Small::plant(&world(&[host(&server)], ""));
    small.living().asking(Box::new(Endpoints::default()));
    let url = format!("http://{}/", host(&server));
    let asked = |small: &mut Small, content: Json| {
        small.act("pat", Call::summon("@web", args(&json!({ "content": content, "only": ["see", "summon"] }).to_string())));
        small.run("1m");
        small.reel("web").pop().unwrap()
    };
    assert_eq!(code(&asked(&mut small, json!({ "url": url, "method": "POST", "body": "order" }))), "gate-narrowed");
    assert_eq!(server.count(), 0);
    for _ in &nested {
        assert_eq!(asked(&mut small, json!(url)).closing, Closing::Act);
        assert_eq!(heard(&small).get("text"), Some(&Value::text("")));
    }
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_was_recorded_is_answered_without_the_web() {
    let server = Faulty::new(|_| page("text/plain", "from the web"));
    let terminal = Terminal::new();
    terminal.write("w/world.toml", &format!("name = \"w\"\n{}", gated(&[host(&server)], "")));
    terminal.write("w/roles/gate.md", GATE);
    for (data, flag) in [("one", "--record"), ("two", "--from")] {
        terminal.types(&format!("run w --for 1s --quiet --data {data}")).ok();
        terminal.types(&format!("summon @web http://{}/ --data {data}", host(&server))).ok();
        terminal.types(&format!("run --for 1s --quiet --data {data} {flag} web.jsonl")).ok();
        assert!(terminal.types(&format!("inbox @operator --data {data}")).ok().contains("from the web"));
    }
    assert_eq!(server.count(), 1);
}

#[test]
fn a_bridge_of_which_nothing_says_what_it_reaches_says_so() {
    let mut small = Small::plant(&world(&["example.invalid"], ""));
    small.living().asking(Box::new(Endpoints::default()));
    small.operate("/", "config.set", args(r#"{"key":"bridge.web","value":null}"#));
    assert_eq!(code(&asks(&mut small, &json!("https://example.invalid/"))), "bridge-unset");
    assert_eq!(small.replay().unwrap().difference, None);
    // Only the operator says what a being reaches.
    let refused = small.act("pat", Call::doing("@web", "config.set", args(r#"{"key":"bridge","value":"web"}"#)));
    assert!(matches!(refused.closing, Closing::Refused(_)), "{refused:?}");
    let terminal = Terminal::new();
    terminal.write(
        "w/world.toml",
        &format!("name = \"w\"\n{}", world(&["example.invalid"], "").replace("bridge = \"web\"", "bridge = \"wep\"")),
    );
    terminal
        .types("check w")
        .fails(0)
        .says(&["no bridge `wep`; say what it reaches under `bridge.wep` in `[config]`; did you mean `web`?"]);
}

#[test]
fn a_model_is_told_how_a_bridge_is_asked_and_reads_what_came() {
    let server = Faulty::new(|_| page("text/plain", "Tea is 3.50."));
    let url = format!("http://{}/tea", host(&server));
    let prompts: Arc<Mutex<Vec<Json>>> = Arc::default();
    let (seen, asked) = (prompts.clone(), url.clone());
    let model = Faulty::reading(move |number, request| {
        seen.lock().unwrap().push(serde_json::from_str(request.split("\r\n\r\n").nth(1).unwrap()).unwrap());
        let call = if number == 0 {
            super::mind::tool("summon", json!({ "target": "@web", "content": asked }))
        } else {
            super::mind::tool("summon", json!({ "target": "@pat", "content": "It is 3.50." }))
        };
        Does::Says(200, String::new(), super::mind::body(&call))
    });
    let connection = super::faulty::connection("m", &model, "");
    let ada =
        "[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"llm\"\nsettings = { \"llm.connection\" = \"m\" }\n";
    let text = world(&[host(&server)], "").replacen("[config]\n", &format!("[config]\n{connection}"), 1) + ada;
    let mut small = Small::plant(&text);
    small.living().asking(Box::new(Endpoints::default()));
    small.act("pat", Call::summon("@ada", args(r#"{"content":"What does tea cost?"}"#)));
    small.run("5m");
    let told: Vec<String> = prompts.lock().unwrap().iter().map(|prompt| prompt["messages"].to_string()).collect();
    let how = format!(
        "@web is a bridge: summon it with {{url: string, method?: \\\"GET\\\"|\\\"POST\\\", body?: any}}; it reaches {}.",
        host(&server)
    );
    assert!(told[0].contains(&how), "{}", told[0]);
    assert!(told[1].contains("Tea is 3.50."), "{}", told[1]);
    assert_eq!(server.count(), 1);
    assert_eq!(small.replay().unwrap().difference, None);
}
