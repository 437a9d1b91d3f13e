//! Many: does one server hold many worlds, each with its own people and clock, and is a fork of the page one of them?

use serde_json::{Value, json};

use super::served::{Answer, Person, Served};
use super::terminal::Terminal;

const LINE: &str = "serve --data world --worlds forks --port 0 --paused --json";

/// A world of some moments, served with a place for forks.
fn served() -> (Served, Person) {
    let terminal = Terminal::with_world("court", 60);
    let served = Served::begin(terminal, LINE);
    let operator = served.operator();
    (served, operator)
}

/// The same person, in another world too, by the link to it.
fn entered(served: &Served, person: &Person, fork: &Value) -> Person {
    let (path, token) = fork["link"].as_str().unwrap().split_once("#/welcome/").unwrap();
    served.keep_secret(token);
    let answer = served.post(person, &format!("{path}api/session"), json!({ "token": token }));
    in_too(served, person, &answer)
}

fn in_too(served: &Served, person: &Person, answer: &Answer) -> Person {
    assert_eq!(answer.status, 200, "{}", answer.text);
    served.keep_cookie(answer);
    let own = answer.cookie.as_deref().expect("a cookie of its own");
    let before = person.cookie.iter().map(String::as_str);
    Person { cookie: Some(before.chain([own]).collect::<Vec<_>>().join("; ")) }
}

fn fork(served: &Served, person: &Person, base: &str, call: Value) -> Value {
    served.post(person, &format!("{base}api/fork"), call).ok()
}

fn paths(served: &Served, person: &Person, base: &str) -> Vec<String> {
    let told = served.get(person, &format!("{base}api/worlds")).ok();
    told["worlds"].as_array().unwrap().iter().map(|world| world["path"].as_str().unwrap().to_owned()).collect()
}

fn setting(served: &Served, person: &Person, base: &str) -> Value {
    served.get(person, &format!("{base}api/see?address=/.config")).ok()["brakes.depth"].clone()
}

#[test]
fn a_fork_of_the_page_stands_below_its_own_path_with_its_own_clock_and_goes_on_after_a_new_start() {
    let (served, operator) = served();
    let call = json!({ "name": "strict", "at": "100", "change": ["setting:brakes.depth=3"], "budget": { "calls": 2 } });
    let made = fork(&served, &operator, "/", call);
    let seq = made["seq"].as_u64().unwrap();
    assert!(seq <= 100 && made["changed"].as_array().unwrap().len() == 2, "{made}");
    // A person that is logged in here is nobody there.
    assert_eq!(served.get(&operator, "/w/strict/api/session").ok()["visitor"], true);
    let both = entered(&served, &operator, &made);
    assert_eq!(served.get(&both, "/w/strict/api/session").ok()["being"], "@operator");
    let (one, other) = (served.get(&both, "/api/world").ok(), served.get(&both, "/w/strict/api/world").ok());
    assert_eq!((&one["name"], &other["name"], &other["clock"]["state"]), (&json!("court"), &json!("strict"), &json!("paused")));
    assert_eq!((setting(&served, &both, "/") == json!(3), setting(&served, &both, "/w/strict/")), (false, json!(3)));
    // Its page, also where somebody forgets the last stroke, and its clock.
    assert!(served.get(&both, "/w/strict").text.contains("<title>Reelm</title>"));
    served.post(&both, "/w/strict/api/clock", json!({ "do": "step" })).ok();
    assert_eq!(served.get(&both, "/api/world").ok()["seq"], one["seq"]);
    // A fork of a fork, and where each goes on by itself.
    let twice = fork(&served, &both, "/w/strict/", json!({ "name": "twice" }));
    let all = entered(&served, &both, &twice);
    let told = served.get(&all, "/w/twice/api/worlds").ok();
    let shared: Vec<&Value> = told["worlds"].as_array().unwrap().iter().map(|world| &world["shared"]).collect();
    assert_eq!(shared, [&json!(seq), &twice["seq"], &Value::Null], "{told}");
    assert_eq!(served.terminal.types("copies --data world --json").json()[0]["name"], "strict");
    let again = Served::begin(served.stop(), LINE);
    assert_eq!(paths(&again, &all, "/w/twice/"), ["/", "/w/strict/", "/w/twice/"]);
    assert_eq!(setting(&again, &all, "/w/twice/"), json!(3));
    // The command line goes through the server that holds it.
    again.terminal.types("do / signal.set '{\"path\":\"tea.hot\",\"value\":true}' --data forks/twice").ok();
}

#[test]
#[ignore = "long: passwords of two worlds, each made to be slow"]
fn people_of_a_fork_have_the_passwords_that_they_had_and_nobody_else_has() {
    let (served, operator) = served();
    let birth = json!({ "defaultRole": "person", "home": "/court" });
    served.person(&operator, "pat", birth.clone());
    let before = served.get(&operator, "/api/world").ok()["seq"].clone();
    served.person(&operator, "eve", birth.clone());
    let made = fork(&served, &operator, "/", json!({ "name": "then", "at": before.to_string() }));
    let comes_in = |name: &str| {
        let login = json!({ "being": name, "password": "only for tests" });
        served.post(&Person::default(), "/w/then/api/session", login)
    };
    let pat = in_too(&served, &Person::default(), &comes_in("pat"));
    assert_eq!(served.get(&pat, "/w/then/api/session").ok()["being"], "@pat");
    assert_eq!((served.get(&pat, "/api/session").ok()["visitor"].clone(), comes_in("eve").status), (json!(true), 401));
    // A person born there under the inside name of somebody here does not have their password.
    let both = entered(&served, &operator, &made);
    for name in ["amy", "bea", "cleo"] {
        let payload = json!({ "name": name, "cognition": "human", "defaultRole": "person", "home": "/court" });
        served.post(&both, "/w/then/api/be", json!({ "operation": "birth", "payload": payload })).ok();
        assert_eq!(comes_in(name).status, 401, "{name}");
    }
    let token = served.post(&operator, "/api/tokens", json!({ "name": "mine" })).ok()["token"].as_str().unwrap().to_owned();
    served.keep_secret(&token);
    let bearer = format!("Bearer {token}");
    let by_token = |path: &str| served.send(&Person::default(), "GET", path, None, &[("authorization", &bearer)]).status;
    assert_eq!((by_token("/api/session"), by_token("/w/then/api/session")), (200, 401));
    // One knows of the worlds in which one can come in.
    let here = served.login("pat", "only for tests");
    assert_eq!(paths(&served, &here, "/"), ["/", "/w/then/"]);
    assert_eq!(paths(&served, &served.login("eve", "only for tests"), "/"), ["/"]);
    assert_eq!(paths(&served, &Person::default(), "/w/then/"), ["/w/then/"]);
    let forbidden = |answer: Answer| (answer.status, answer.code().to_owned());
    let fork = Some(json!({ "name": "mine" }).to_string());
    assert_eq!(forbidden(served.send(&here, "POST", "/api/fork", fork.clone(), &[])), (403, "not-yours".to_owned()));
    let headers: &[(&str, &str)] = &[("authorization", &bearer)];
    assert_eq!(forbidden(served.send(&Person::default(), "POST", "/api/fork", fork.clone(), headers)), (403, "not-yours".to_owned()));
    assert_eq!(forbidden(served.send(&operator, "POST", "/w/then/api/fork", fork, &[])), (401, "not-logged-in".to_owned()));
}

#[test]
fn a_name_that_cannot_be_one_makes_nothing() {
    let (served, operator) = served();
    fork(&served, &operator, "/", json!({ "name": "one" }));
    let long = "x".repeat(65);
    let rows = [("..", 400), (".", 400), ("a/b", 400), ("/tmp/x", 400), ("", 400), (long.as_str(), 400), ("a b", 400), ("one", 409)];
    for (name, status) in rows {
        let answer = served.post(&operator, "/api/fork", json!({ "name": name }));
        assert_eq!((answer.status, answer.body["error"]["place"].as_str()), (status, Some("name")), "{name}: {}", answer.text);
    }
    let wrong = [
        (json!({ "name": "two", "at": "99999" }), "at"),
        (json!({ "name": "two", "at": "1" }), "at"),
        (json!({ "name": "two", "change": ["role:judge=/etc/passwd"] }), "change"),
        (json!({ "name": "two", "change": ["setting:no.such.key=1"] }), "change"),
        (json!({ "name": "two", "budget": {} }), "budget"),
    ];
    for (call, place) in wrong {
        let answer = served.post(&operator, "/api/fork", call);
        assert_eq!((answer.status, answer.body["error"]["place"].as_str()), (400, Some(place)), "{}", answer.text);
    }
    let left: Vec<_> = std::fs::read_dir(served.terminal.path("forks")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["one"]);
    for path in ["/w/", "/w/../api/world", "/w/two/api/world", "/w//api/world"] {
        let answer = served.get(&operator, path);
        assert!(answer.status == 404 || path.contains(".."), "{path}: {} {}", answer.status, answer.text);
    }
    for place in ["/w/one/api/session", "/w/one/", "/w/none/"] {
        let foreign = served.send(&operator, "GET", place, None, &[("host", "evil.example")]);
        assert_eq!((foreign.status, foreign.code()), (403, "wrong-host"), "{place}");
    }
    let evil = served.send(&operator, "POST", "/w/one/api/session", Some("{}".to_owned()), &[("origin", "http://evil.example")]);
    assert_eq!((evil.status, evil.code()), (403, "wrong-origin"));
}

#[test]
fn forks_lie_beside_the_data_directory_where_no_place_is_named_and_are_served_by_the_same_command_again() {
    // A stroke behind the directory is the same directory.
    let line = "serve --data world/ --port 0 --paused --json";
    let served = Served::begin(Terminal::with_world("court", 60), line);
    let operator = served.operator();
    let told = served.get(&operator, "/api/worlds").ok();
    assert_eq!((&told["mayFork"], &told["noPlace"], &told["forkCommand"]), (&json!(true), &Value::Null, &Value::Null));
    assert!(!served.terminal.path("world-forks").exists(), "nothing is made for nothing");
    let made = fork(&served, &operator, "/", json!({ "name": "strict", "at": "100" }));
    let both = entered(&served, &operator, &made);
    fork(&served, &both, "/w/strict/", json!({ "name": "twice" }));
    assert!(served.terminal.path("world-forks/twice/world.toml").is_file());
    let again = Served::begin(served.stop(), line);
    assert_eq!(paths(&again, &both, "/"), ["/", "/w/strict/", "/w/twice/"]);
    // Where a fork is served by itself, its forks lie beside it, and are no worlds of the first server.
    let alone = Served::begin(again.stop(), "serve --data world-forks/strict --port 0 --paused --json");
    fork(&alone, &alone.operator(), "/", json!({ "name": "own" }));
    assert!(alone.terminal.path("world-forks/strict-forks/own/world.toml").is_file());
    let last = Served::begin(alone.stop(), line);
    assert_eq!(paths(&last, &both, "/"), ["/", "/w/strict/", "/w/twice/"]);
    assert!(!std::fs::read_to_string(last.terminal.path("server.log")).unwrap().contains("is left out"));
}

#[test]
fn a_server_without_a_place_for_forks_says_what_to_type() {
    let terminal = Terminal::with_world("court", 60);
    terminal.write("world-forks", "no directory");
    let served = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    let operator = served.operator();
    let told = served.get(&operator, "/api/worlds").ok();
    assert_eq!((told["mayFork"].clone(), told["worlds"].as_array().unwrap().len()), (json!(false), 1));
    assert!(told["noPlace"].as_str().unwrap().contains("world-forks` cannot hold links"), "{told}");
    let answer = served.post(&operator, "/api/fork", json!({ "name": "one" }));
    assert!(answer.status == 400 && answer.text.contains("--worlds DIR") && answer.text.contains("reelm fork DIR"), "{}", answer.text);
    let line = told["forkCommand"].as_str().unwrap().strip_prefix("reelm ").unwrap().replace("FORK", "elsewhere");
    served.terminal.types(&format!("{line} --at 100")).ok();
    assert!(served.terminal.path("elsewhere/world.toml").is_file());
    let visitor = served.get(&Person::default(), "/api/worlds");
    assert!(visitor.status != 200 || visitor.body["forkCommand"].is_null(), "{}", visitor.text);
}

#[test]
fn two_worlds_are_compared_by_whoever_may_see_all_of_both() {
    let (served, operator) = served();
    let made = fork(&served, &operator, "/", json!({ "name": "strict", "at": "100", "change": ["setting:brakes.depth=3"] }));
    let compare = |person: &Person, base: &str, with: &str| served.get(person, &format!("{base}api/diff?from=now&to=now&with={with}"));
    assert_eq!(compare(&operator, "/", "/w/strict/").status, 403, "they are not logged in there");
    let both = entered(&served, &operator, &made);
    let told = compare(&both, "/", "/w/strict/").ok();
    let apart = &told["apart"];
    assert_eq!((&apart["seq"], apart["other"]["action"] == "config.set"), (&made["seq"], true), "{apart}");
    assert!(told["differences"].as_array().unwrap().iter().any(|line| line["of"] == "brakes.depth"), "{told}");
    assert_eq!((&apart["oneCost"]["calls"], &apart["otherCost"]["calls"]), (&json!(0), &json!(0)));
    // The same from the other side, and by its name alone.
    let back = compare(&both, "/w/strict/", "/").ok();
    assert_eq!((&back["apart"]["one"], &back["apart"]["other"]), (&apart["other"], &apart["one"]));
    assert_eq!(compare(&both, "/", "strict").ok(), told);
    assert_eq!(compare(&both, "/", "nowhere").status, 404);
    let warden = json!({ "name": "warden", "canSee": ["/", "/.moments"] });
    served.post(&both, "/api/do", json!({ "target": "/", "action": "role.set", "args": { "name": "warden", "role": warden } })).ok();
    let pat = served.person(&both, "pat", json!({ "defaultRole": "warden", "home": "/court" }));
    assert_eq!(served.get(&pat, "/api/diff?from=100").status, 200, "they may look at the past here");
    let in_one = both.cookie.as_deref().unwrap().split_once("; ").unwrap().1;
    let pat_here = Person { cookie: Some(format!("{}; {in_one}", pat.cookie.unwrap())) };
    let turned = compare(&pat_here, "/", "strict");
    assert_eq!((turned.status, turned.body["error"]["place"].as_str()), (403, Some("with")), "they do not see everything here");
}

#[test]
fn a_world_that_cannot_be_opened_is_told_and_the_others_are_served() {
    let (served, operator) = served();
    for name in ["good", "torn"] {
        fork(&served, &operator, "/", json!({ "name": name }));
    }
    let terminal = served.stop();
    terminal.write("forks/torn/world.toml", "format = 99");
    terminal.shell("mkdir 'forks/no name' forks/empty").ok();
    let again = Served::begin(terminal, LINE);
    assert_eq!(paths(&again, &operator, "/"), ["/", "/w/good/"]);
    assert_eq!(again.get(&operator, "/w/torn/api/world").status, 404);
    let log = std::fs::read_to_string(again.terminal.path("server.log")).unwrap();
    for told in ["forks/torn` is left out: ", "forks/no name` is left out: ", "forks/empty` is left out: "] {
        assert!(log.contains(told), "{told}: {log}");
    }
}

#[test]
fn a_world_that_this_server_has_not_made_stands_still_until_somebody_lets_it_go_on() {
    let line = "serve --data world --port 0 --json";
    let served = Served::begin(Terminal::with_world("court", 60), line);
    let operator = served.operator();
    let made = fork(&served, &operator, "/", json!({ "name": "made" }));
    let both = entered(&served, &operator, &made);
    let terminal = served.stop();
    terminal.types("fork world-forks/brought --name brought").ok();
    // A world cannot say of itself that the server has made it.
    terminal.shell("cp world/made world-forks/brought/made").ok();
    let again = Served::begin(terminal, line);
    assert_eq!(paths(&again, &operator, "/"), ["/", "/w/brought/", "/w/made/"]);
    let state = |path: &str| again.get(&both, &format!("{path}api/world")).ok()["clock"]["state"].clone();
    assert_ne!(state("/w/made/"), "paused");
    assert_eq!(state("/w/brought/"), "paused");
    let log = again.terminal.read("server.log");
    assert!(log.contains("world-forks/brought` stands still: this server has not made it") && !log.contains("forks/made` "), "{log}");
}

#[test]
fn what_belongs_to_another_user_is_no_world_of_this_server_unless_its_directory_is_named() {
    let (served, operator) = served();
    for name in ["good", "foreign"] {
        fork(&served, &operator, "/", json!({ "name": name }));
    }
    let terminal = served.stop();
    terminal.shell("mv forks world-forks").ok();
    let give = |path: &str| std::os::unix::fs::chown(terminal.path(path), Some(65_534), None).is_ok();
    // Only root can give anything away.
    if !give("world-forks/foreign") {
        return;
    }
    let again = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    assert_eq!(paths(&again, &operator, "/"), ["/", "/w/good/"]);
    let log = again.terminal.read("server.log");
    assert!(log.contains("world-forks/foreign` is left out: it belongs to user 65534, and user 0 serves; give it"), "{log}");
    let named = Served::begin(again.stop(), "serve --data world --worlds world-forks --port 0 --paused --json");
    assert_eq!(paths(&named, &operator, "/"), ["/", "/w/foreign/", "/w/good/"]);
    let terminal = named.stop();
    std::os::unix::fs::chown(terminal.path("world-forks"), Some(65_534), None).unwrap();
    let none = Served::begin(terminal, "serve --data world --port 0 --paused --json");
    assert_eq!(paths(&none, &operator, "/"), ["/"]);
    assert!(none.terminal.read("server.log").contains("world-forks` is left out: it belongs to user 65534"));
}
