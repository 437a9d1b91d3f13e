//! Entering: who comes in without typing anything: the machine's owner by a browser that `serve` opens, and what a server that others reach
//! asks of them first.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

use super::served::{Person, Served};
use super::terminal::Terminal;

const VISITOR: Person = Person { cookie: None };
const LINE: &str = "serve $worlds/court --port 0 --paused --json";

/// The browser's arguments, the modes of the file and of its folder, and the contents of the file.
struct Opened {
    argument: String,
    modes: String,
    text: String,
}

impl Opened {
    fn token(&self) -> String {
        self.text.split_once("#/welcome/").unwrap().1.split_once('"').unwrap().0.to_owned()
    }
}

/// A home whose browser tells what it was given, and ends.
fn home() -> Terminal {
    let terminal = Terminal::new();
    let told = terminal.path("told");
    assert!(Command::new("mkfifo").arg(&told).status().unwrap().success());
    let script = "#!/bin/sh\n{ echo \"$#\"; echo \"$1\"; stat -c %a \"$1\" \"$(dirname \"$1\")\"; cat \"$1\"; } > '$told'\n";
    terminal.write("browser", &script.replace("$told", &told.display().to_string()));
    std::fs::set_permissions(terminal.path("browser"), std::fs::Permissions::from_mode(0o700)).unwrap();
    terminal
}

/// The arguments and file that the browser of a home was given, once it has told.
fn opened(terminal: &Terminal) -> Opened {
    let (told, path) = (mpsc::channel(), terminal.path("told"));
    std::thread::spawn(move || told.0.send(std::fs::read_to_string(path)));
    let text = told.1.recv_timeout(Duration::from_secs(120)).expect("a browser was opened").unwrap();
    let lines: Vec<&str> = text.splitn(5, '\n').collect();
    assert_eq!(lines[0], "1", "one argument: {text}");
    Opened { argument: lines[1].to_owned(), modes: format!("{} {}", lines[2], lines[3]), text: lines[4].to_owned() }
}

fn enters(served: &Served, token: &str) -> super::served::Answer {
    served.post(&VISITOR, "/api/session", json!({ "token": token }))
}

fn is_gone_soon(served: &Served) -> bool {
    (0..10_000).any(|_| served.get(&VISITOR, "/health").status == 200 && !served.terminal.path("world/enter").exists())
}

#[test]
fn a_browser_comes_in_by_a_file_of_its_owners_alone_once_and_no_argument_holds_the_link() {
    let served = Served::begin(home(), &format!("{LINE} --open"));
    let given = opened(&served.terminal);
    let token = given.token();
    served.keep_secret(&token);
    assert_eq!(given.argument, served.terminal.path("world/enter/enter.html").canonicalize().unwrap().display().to_string());
    assert!(!given.argument.contains(&token) && !served.link.as_deref().unwrap().contains(&token));
    assert_eq!(given.modes, "600 700");
    assert!(given.text.contains(&format!("url={}#/welcome/{token}", served.url)));
    let answer = enters(&served, &token);
    served.keep_cookie(&answer);
    let operator = Person { cookie: answer.cookie.clone() };
    let session = answer.ok();
    assert_eq!(
        (&session["being"], &session["hasPassword"], &session["passwordFirst"]),
        (&json!("@operator"), &json!(false), &json!(false))
    );
    assert_eq!(served.get(&operator, "/api/tree").status, 200);
    assert!(is_gone_soon(&served), "the file goes with its link");
    // It was used, and so was the printed one.
    let printed = served.link.as_deref().unwrap().rsplit('/').next().unwrap().to_owned();
    for token in [&token, &printed] {
        let again = enters(&served, token);
        assert_eq!((again.status, again.code()), (401, "wrong-login"));
        assert!(again.text.contains("the link was used already"), "{}", again.text);
    }
}

#[test]
fn the_file_goes_when_the_server_stops_and_what_a_killed_one_left_lets_nobody_in() {
    let served = Served::begin(home(), &format!("{LINE} --open"));
    let given = opened(&served.terminal);
    served.keep_secret(&given.token());
    let terminal = served.stop();
    assert!(!terminal.path("world/enter").exists());
    let served = Served::begin(terminal, &format!("{LINE} --open"));
    let given = opened(&served.terminal);
    let served = served.killed_and_again(LINE);
    assert!(!served.terminal.path("world/enter").exists(), "whoever serves next takes it away");
    assert_eq!(enters(&served, &given.token()).status, 401);
    assert!(std::path::Path::new(&given.argument).is_absolute());
}

#[test]
fn an_operator_with_a_password_comes_in_by_the_browser_too_and_no_link_is_printed() {
    let served = Served::begin(home(), LINE);
    assert!(!served.terminal.path("world/enter").exists(), "without a terminal no browser is opened");
    let operator = served.operator();
    served.post(&operator, "/api/password", json!({ "password": "a password of these tests" })).ok();
    let served = Served::begin(served.stop(), &format!("{LINE} --open"));
    assert_eq!(served.link, None);
    let token = opened(&served.terminal).token();
    served.keep_secret(&token);
    let answer = enters(&served, &token);
    served.keep_cookie(&answer);
    assert_eq!(answer.ok()["being"], "@operator");
    assert!(is_gone_soon(&served));
}

#[test]
fn where_no_browser_starts_one_line_says_so_and_the_printed_link_lets_in() {
    let terminal = Terminal::new();
    terminal.write("browser", "this is no program");
    let served = Served::begin(terminal, &format!("{LINE} --open"));
    let log = served.terminal.read("server.log");
    assert_eq!(log.lines().filter(|line| line.contains("no browser could be started")).count(), 1, "{log}");
    assert!(!served.terminal.path("world/enter").exists());
    assert_eq!(served.get(&served.operator(), "/api/tree").status, 200);
}

/// Every route of the API with every method that it takes, as it can be asked.
fn routes(served: &Served) -> Vec<(String, String)> {
    let described = served.get(&VISITOR, "/openapi.json").ok();
    let methods = |(path, item): (&String, &Value)| {
        let path = path.split('/').map(|part| if part.starts_with('{') { "1" } else { part }).collect::<Vec<_>>().join("/");
        item.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone())).collect::<Vec<_>>()
    };
    described["paths"].as_object().unwrap().iter().flat_map(methods).collect()
}

#[test]
fn where_others_reach_the_server_whoever_comes_by_the_link_sets_a_password_before_anything_else() {
    const WAY: [&str; 4] = ["/api/session", "/api/password", "/api/words", "/api/codes"];
    let served = Served::begin(Terminal::new(), &format!("{LINE} --host reelm.example"));
    let operator = served.operator();
    // A webhook comes from nobody who is logged in.
    let asked: Vec<_> =
        routes(&served).into_iter().filter(|(_, path)| !WAY.contains(&path.as_str()) && !path.starts_with("/in/")).collect();
    assert!(asked.len() > 40, "{asked:?}");
    let beside = [("GET", "/metrics"), ("POST", "/mcp"), ("GET", "/mcp"), ("GET", "/api/nothing")]
        .map(|(method, path)| (method.to_owned(), path.to_owned()));
    for (method, path) in asked.into_iter().chain(beside) {
        let body = (method == "POST").then(|| "{}".to_owned());
        let answer = served.send(&operator, &method, &path, body, &[]);
        assert_eq!((answer.status, answer.code()), (403, "password-first"), "{method} {path}: {}", answer.text);
        assert!(answer.text.contains("POST /api/password"), "{}", answer.text);
    }
    // The way in is open, and so is the world to others as it is.
    assert_eq!(served.get(&operator, "/api/session").ok()["passwordFirst"], true);
    assert_eq!(["/", "/api/words", "/api/codes"].map(|path| served.get(&operator, path).status), [200; 3]);
    assert_eq!(served.get(&VISITOR, "/api/world").status, 200);
    // Nobody else's password is set first.
    let other = served.post(&operator, "/api/password", json!({ "being": "world", "password": "a password of these tests" }));
    assert_eq!((other.status, other.code()), (403, "password-first"));
    served.keep_secret("a password of these tests");
    served.post(&operator, "/api/password", json!({ "password": "a password of these tests" })).ok();
    assert_eq!(served.get(&operator, "/api/session").ok()["passwordFirst"], false);
    assert_eq!(served.get(&operator, "/api/tree").status, 200);
}

#[test]
fn a_session_from_before_sets_a_password_once_others_reach_the_server_and_a_name_of_this_machine_opens_it_to_nobody() {
    let served = Served::begin(Terminal::new(), &format!("{LINE} --host localhost --host 127.0.0.2"));
    let operator = served.operator();
    assert_eq!(served.get(&operator, "/api/tree").status, 200);
    let served = served.killed_and_again(&format!("{LINE} --host reelm.example"));
    assert_eq!(served.get(&operator, "/api/tree").code(), "password-first");
}

#[test]
fn a_visitor_is_told_whether_there_is_anything_to_see() {
    let served = Served::paused("court");
    let operator = served.operator();
    let sees = |person: &Person| {
        let session = served.get(person, "/api/session").ok();
        json!([session["sees"], session["seesPlaces"]])
    };
    assert_eq!((sees(&VISITOR), served.get(&VISITOR, "/api/tree").status), (json!([false, false]), 403));
    let told = served.get(&VISITOR, "/api/world").ok();
    assert!(told["name"] == "court" && told["time"].is_string() && told.get("seq").is_none(), "{told}");
    for (lists, seen, status) in [("@operator", json!([true, false]), 403), ("/court", json!([true, true]), 200)] {
        let role = json!({ "name": "arrival", "canSee": [lists] });
        let call = json!({ "target": "/", "action": "role.set", "args": { "name": "arrival", "role": role } });
        assert_eq!(served.post(&operator, "/api/do", call).ok()["closing"], "act");
        assert_eq!((sees(&VISITOR), served.get(&VISITOR, "/api/tree").status), (seen, status), "{lists}");
    }
    assert_eq!(sees(&operator), json!([true, true]));
}
