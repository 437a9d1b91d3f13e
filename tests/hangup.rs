//! Hang-up: does work that nobody waits for any more end soon, and keep its place until it has?

use std::collections::BTreeSet;
use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reelm::past::{History, LoadError, Sought, Versions};
use reelm::store::{Interested, StoreError, WalkCount};
use serde_json::json;

use super::checkpoint::{go_on_unkept, keep};
use super::kit;
use super::served::{Person, Served};
use super::terminal::Terminal;

/// How many read the past, or look at many, at one time: the operator's one beside them.
const AT_ONE_TIME: u64 = 3;

#[test]
fn a_walk_through_history_ends_soon_after_whoever_asked_for_it_has_gone() {
    let terminal = Terminal::with_world("court", 200);
    let waiting = Interested::default();
    let history = History::while_asked(&terminal.path("world"), waiting.interest()).unwrap();
    let (mut waiting, mut heard) = (Some(waiting), 0);
    let walked = history.fold(0, None, |_, _| {
        heard += 1;
        if heard == 20 {
            waiting = None;
        }
    });
    assert!(matches!(walked, Err(LoadError::Store(StoreError::Unasked))), "{:?}", walked.map(|world| world.next_seq()));
    assert!((20..=120).contains(&heard), "{heard} frames");
    assert!(history.frame(3, &reelm::world::World::new(history.world_file().world)).is_err(), "nobody waits for a frame either");
}

#[test]
fn what_reads_more_than_is_read_for_one_request_says_so_and_what_was_found_by_then_is_told() {
    let terminal = Terminal::with_world("court", 200);
    keep(&terminal.path("world"));
    go_on_unkept(&terminal.path("world"), 120);
    let walked = Arc::<WalkCount>::default();
    let for_one = |most: u64| Interested::within(most, walked.clone());
    let dir = terminal.path("world");
    let all = History::of(&dir).unwrap();
    let everything = all.newest(&Sought::default(), 0..all.end(), 10_000, |told| Some(told.seq)).unwrap();
    assert_eq!(everything.stopped, None);
    let asker = for_one(100);
    let whole = History::while_asked(&dir, asker.interest()).unwrap().fold(0, None, |_, _| {});
    let said = whole.map(|world| world.next_seq()).unwrap_err();
    assert!(said.is_too_far() && said.to_string().contains("more than 100 records"), "{said}");
    assert_eq!(walked.records(), 100);
    // So many are read for all of it.
    let asker = for_one(u64::MAX);
    History::while_asked(&dir, asker.interest()).unwrap().fold(0, None, |_, _| {}).unwrap();
    let records = walked.records() - 100;
    assert!(records > all.end());
    // Asked again behind where it stopped, a search comes to the beginning, and finds what one without a bound finds.
    let (mut found, mut below, mut times) = (Vec::new(), all.end(), 0);
    loop {
        let asker = for_one(records - 10);
        let newest = History::while_asked(&dir, asker.interest()).unwrap();
        let newest = newest.newest(&Sought::default(), 0..below, 10_000, |told| Some(told.seq)).unwrap();
        found.extend(newest.found);
        times += 1;
        let Some(stopped) = newest.stopped else { break };
        assert!(stopped < below);
        below = stopped;
    }
    assert!(times > 1);
    assert_eq!(found, everything.found);
}

#[test]
fn of_many_versions_the_newest_are_told_by_their_numbers_and_that_there_are_older_ones() {
    let terminal = Terminal::with_world("court", 20);
    for version in 1..=4 {
        terminal.write("warden.md", &format!("---\nname: warden\ncanSee: ['**']\n---\nYou keep watch, draft {version}.\n"));
        terminal.types("role set warden.md").ok();
        terminal.types("run --moments 5 --quiet").ok();
    }
    let history = History::of(&terminal.path("world")).unwrap();
    let world = history.world_at(history.end()).unwrap();
    let told = |most: u64| history.versions_of_role(&"warden".into(), &world, most).unwrap();
    let all = told(u64::MAX);
    let numbered = |of: &Versions| of.newest.iter().map(|version| (version.seq, version.version)).collect::<Vec<_>>();
    assert!(!all.stopped);
    assert_eq!(all.newest.iter().map(|version| version.version.unwrap()).collect::<Vec<_>>(), [4, 3, 2, 1]);
    for (count, least) in [(1, 1), (2, 2), (4, 3)] {
        let some = told(history.end() - all.newest[count - 1].seq);
        assert_eq!((some.stopped, numbered(&some)), (true, numbered(&all)[..count].to_vec()), "{least}");
    }
    let nothing = told(1);
    assert!(nothing.stopped && nothing.newest.is_empty());
    // A flow has a number by those before it alone.
    let judith = world.being_named("judith").unwrap();
    let flows = |most: u64| history.versions_of_flow(judith.id, &world, most).unwrap();
    assert_eq!(numbered(&flows(u64::MAX)), [(judith.id.0.seq, Some(1))]);
    assert!(flows(1).stopped);
}

/// A world with a past, in which a person may see everything.
fn past(moments: u32) -> (Served, Person, Person) {
    let terminal = Terminal::with_world("court", moments);
    // So that each read of the past has far to go.
    let _ = std::fs::remove_dir_all(terminal.path("world/checkpoints"));
    let served = Served::begin(terminal, "serve --port 0 --paused --json");
    let operator = served.operator();
    let role = json!({ "target": "/", "action": "role.set", "args": { "name": "reader", "role": { "name": "reader", "canSee": ["**"] } } });
    served.post(&operator, "/api/do", role).ok();
    let reader = served.person(&operator, "rita", json!({ "defaultRole": "reader", "home": "/court" }));
    // Some points at which she was there.
    for n in 0..20 {
        served.post(&operator, "/api/do", json!({ "target": "/", "action": "signal.set", "args": { "path": "t.n", "value": n } })).ok();
    }
    (served, operator, reader)
}

/// The figures of the server, once it answers: whoever asks very often is sent away for a moment.
fn figures(served: &Served, operator: &Person) -> String {
    let began = Instant::now();
    loop {
        let answer = served.get(operator, "/metrics");
        if answer.status == 200 {
            return answer.text;
        }
        assert!(began.elapsed() < Duration::from_secs(120), "{}: {}", answer.status, answer.text);
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How much work is under way, by kind.
fn at_work(served: &Served, operator: &Person) -> Vec<(String, u64)> {
    let figures = figures(served, operator);
    let lines = figures.lines().filter_map(|line| line.strip_prefix("reelm_at_work{kind=\"")?.split_once("\"} "));
    lines.map(|(kind, count)| (kind.to_owned(), count.parse().unwrap())).collect()
}

/// How many records were read, and how many things looked at, for all who asked so far.
fn walked(served: &Served, operator: &Person) -> [u64; 2] {
    let figures = figures(served, operator);
    ["records", "things"].map(|what| {
        let found = figures.lines().find_map(|line| line.strip_prefix(&format!("reelm_walked_total{{what=\"{what}\"}} ")));
        found.unwrap_or_else(|| panic!("no count of {what}: {figures}")).parse().unwrap()
    })
}

/// Asks so often, and hangs up each time without having heard anything; the most that was under way of any kind.
fn hangs_up(served: &Served, operator: &Person, asker: &Person, times: usize, path: impl Fn(usize) -> String) -> u64 {
    let host = served.url.trim_start_matches("http://").trim_end_matches('/');
    let cookie = asker.cookie.as_deref().unwrap_or_default();
    let mut most = 0;
    for time in 0..times {
        let mut line = TcpStream::connect(host).unwrap();
        write!(line, "GET {} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\n\r\n", path(time)).unwrap();
        most = at_work(served, operator).into_iter().map(|(_, count)| count).max().unwrap().max(most);
    }
    let began = Instant::now();
    while at_work(served, operator).iter().any(|(_, count)| *count > 0) {
        assert!(began.elapsed() < Duration::from_secs(120), "what nobody waits for goes on: {:?}", at_work(served, operator));
        std::thread::sleep(Duration::from_millis(5));
    }
    most
}

#[test]
fn of_a_dozen_who_ask_for_the_past_and_hang_up_two_are_worked_for_at_one_time() {
    let (served, operator, reader) = past(kit::size(300, 3_000));
    let end = served.get(&operator, "/api/world").ok()["seq"].as_u64().unwrap() as usize;
    let most = hangs_up(&served, &operator, &reader, 12, |time| format!("/api/tree?at={}", end - 2 - time));
    assert!(most > 0, "nothing was seen at work");
    assert!(most <= AT_ONE_TIME, "{most} at one time");
    let had = walked(&served, &operator);
    served.get(&reader, &format!("/api/tree?at={}", end - 16)).ok();
    let has = walked(&served, &operator);
    assert!(has[0] > had[0] && has[1] > had[1], "{had:?} {has:?}: what is read and looked at is counted");
    served.stop();
}

/// A town of so many, each with a schedule and a rule by the hour, whose visitors see everything.
fn town(count: usize) -> Terminal {
    let terminal = Terminal::new();
    let beings = format!(
        "[[population]]\nprefix = \"p\"\ncount = {count}\nhome = \"/town\"\nrole = \"day\"\nscript = \"idle\"\n\
         flow = [{{ when = {{ \"time.hour\" = {{ lt = 12 }} }}, role = \"day\" }}, {{ role = \"night\" }}]\n\
         [[population.schedule]]\nname = \"hour\"\nevery = \"1h\"\n"
    );
    terminal
        .write("w/world.toml", &format!("name = \"w\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n[[space]]\npath = \"/town\"\n{beings}"));
    for role in ["day", "night", "arrival"] {
        terminal.write(&format!("w/roles/{role}.md"), &format!("---\nname: {role}\ncanSee: ['**']\n---\nYou live here.\n"));
    }
    terminal.write("w/scripts/idle.rhai", "fn think(face) { () }\n");
    terminal
}

/// A route of the description with values for its parameters, of the past or of the world as it is.
fn filled(path: &str, operation: &serde_json::Value, is_past: bool) -> String {
    let value = |name: &str| match name {
        "name" | "being" => "p-7",
        "seq" | "from" => "30",
        "address" | "target" | "of" | "view" | "in" => "/town",
        "moment" => "#30",
        "at" if is_past => "40",
        "to" => "50",
        "for" => "31d",
        "verb" => "see",
        "text" | "words" => "town",
        "parts" | "buckets" => "120",
        _ => "",
    };
    let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    let named = |place: &str| parameters.iter().filter(|one| one["in"] == place).filter_map(|one| one["name"].as_str()).collect::<Vec<_>>();
    let path = named("path").iter().fold(path.to_owned(), |path, name| path.replace(&format!("{{{name}}}"), value(name)));
    let query = named("query").into_iter().filter(|name| !value(name).is_empty()).map(|name| format!("{name}={}", value(name)));
    format!("{path}?{}", query.collect::<Vec<_>>().join("&").replace('#', "%23"))
}

/// The seconds that a process has used, and its memory in MiB.
fn used(pid: u32) -> (f64, u64) {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    let ticks: f64 = fields[11..13].iter().map(|ticks| ticks.parse::<f64>().unwrap()).sum();
    (ticks / 100.0, fields[21].parse::<u64>().unwrap() * 4 / 1024)
}

#[test]
#[ignore = "long: a town of 20,000, of which a visitor asks each route, and two hundred who hang up at each"]
fn no_route_works_for_a_visitor_beyond_its_places_whatever_is_asked_and_whoever_hangs_up() {
    let served = Served::begin(town(kit::size(2_000, 20_000)), "serve w --port 0 --paused --json");
    let (operator, visitor) = (served.operator(), Person::default());
    let api = served.get(&operator, "/openapi.json").ok();
    let routes: Vec<String> = api["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, of)| {
            // A stream does not end.
            of.get("get").is_some() && !["/api/events", "/api/changes"].contains(&path.as_str())
        })
        .flat_map(|(path, of)| [true, false].map(|is_past| filled(path, &of["get"], is_past)))
        .collect::<BTreeSet<String>>()
        .into_iter()
        .collect();
    assert!(routes.len() > 30, "{} routes", routes.len());
    // The bounds of one answer, as PORTAL.md says.
    let bounds = [250_000, 250_000];
    for path in &routes {
        let (before, had) = (used(served.pid()), walked(&served, &operator));
        let answer = served.get(&visitor, path);
        let (after, has) = (used(served.pid()), walked(&served, &operator));
        let [records, things] = [0, 1].map(|at| has[at] - had[at]);
        let used = after.0 - before.0;
        println!("{used:>6.2} s {records:>7} records {things:>7} things {:>8} bytes {} {path}", answer.text.len(), answer.status);
        assert!(records <= bounds[0] && things <= bounds[1], "{path}: {records} records, {things} things");
        assert!(answer.status < 500, "{path}: {}", answer.text);
        assert!(at_work(&served, &operator).iter().all(|(_, count)| *count == 0), "{path} goes on behind its answer");
    }
    for path in &routes {
        for times in [12, kit::size(12, 200)] {
            let before = used(served.pid());
            let most = hangs_up(&served, &operator, &visitor, times, |_| path.clone());
            let after = used(served.pid());
            println!("{times:>4} hang-ups: {most} at once, {:>6.2} s, {} to {} MiB {path}", after.0 - before.0, before.1, after.1);
            assert!(most <= AT_ONE_TIME, "{most} at one time: {path}");
        }
    }
    served.stop();
}

#[test]
fn what_lies_ahead_of_many_is_told_up_to_where_it_was_judged_schedules_too() {
    // Each of them crosses noon and midnight: in a month that is more than one answer judges.
    let served = Served::begin(town(500), "serve w --port 0 --paused --json");
    let operator = served.operator();
    let near = served.get(&operator, "/api/ahead?for=12h").ok();
    assert_eq!(near["stopped"], false, "{near}");
    let far = served.get(&operator, "/api/ahead?for=31d").ok();
    assert_eq!(far["stopped"], true, "{far}");
    let (until, start) = (far["until"].as_str().unwrap(), "2026-03-02T08:00:00");
    assert!(until > start && until < "2026-04-02", "{until}");
    // The nearest are the same in both: schedules are told however many crossings there are.
    assert_eq!(near["due"], far["due"]);
    assert!(far["due"].as_array().unwrap().iter().any(|due| due["kind"] == "schedule"), "{far}");
    served.stop();
}
