//! Turned away: does a key that is wrong, or an account without money, hold those alone who think by it, and is it said at once?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reelm::cognition::Connection;
use reelm::fact::{Call, Closing, Code};
use reelm::minds::Endpoints;
use reelm::run::Stopped;
use serde_json::json;

use super::cassette::salon_at;
use super::faults::receipts;
use super::faulty::{Does, Faulty, connection, good};
use super::kit::{self, Small, args, code};
use super::limited::spoken_to;
use super::served::Served;
use super::terminal::Terminal;

/// Answers by which a provider turns somebody away, and how each is told.
const ANSWERS: [(u16, &str, &str); 8] = [
    (
        401,
        r#"{"error":{"message":"Incorrect API key provided: sk-abcdefgh12345678","code":"invalid_api_key"}}"#,
        "401 \"Incorrect API key provided: …(19)\"",
    ),
    (402, r#"{"error":{"message":"Insufficient Balance"}}"#, "402 \"Insufficient Balance\""),
    (403, "", "403"),
    (404, r#"{"error":"model 'tiny' not found"}"#, "404 \"model 'tiny' not found\""),
    (
        429,
        r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
        "429 \"You exceeded your current quota\"",
    ),
    (400, r#"{"error":{"message":"Your credit balance is too low"}}"#, "400 \"Your credit balance is too low\""),
    (410, "<html>gone</html>", "410"),
    (200, r#"{"error":{"message":"No auth credentials found","code":401}}"#, "401 \"No auth credentials found\""),
];

fn named(names: &[&str], connection: &'static str) -> Vec<(String, &'static str)> {
    names.iter().map(|name| ((*name).to_owned(), connection)).collect()
}

#[test]
fn those_who_think_by_it_wait_and_nobody_else_does() {
    for (status, body, told) in ANSWERS {
        let (wrong, well) = (Faulty::new(move |_| Does::Says(status, String::new(), body.to_owned())), Faulty::new(|_| good()));
        let beings = [named(&["ada", "eve", "fay"], "wrong"), named(&["will"], "well")].concat();
        let mut small = spoken_to(&beings, &[connection("wrong", &wrong, ", parallel = 1"), connection("well", &well, "")].concat());
        let ran = small.run("1h");
        assert_eq!((wrong.count(), small.reel("will")[0].closing.clone()), (1, Closing::Act), "{told}: it is asked once, for all three");
        assert_eq!((&ran.stopped, ran.held[&Code::ConnectionHeld].len()), (&Stopped::Quiet, 3), "{told}");
        assert_eq!((ran.turned_away.len(), ran.turned_away[0].connection.as_ref()), (1, "wrong"));
        let mut asked = 0;
        for name in ["ada", "eve", "fay"] {
            let moment = small.reel(name).remove(0);
            assert_eq!((moment.closing.word(), code(&moment).as_str()), ("requeued", "connection-held"), "{told}");
            let place = moment.closing.reason().unwrap().at.to_string();
            asked += usize::from(place == format!("wrong: {told}"));
            assert!(place == "wrong" || place == format!("wrong: {told}"), "{place}");
            let world = small.world();
            let failed: Vec<u32> = world.inbox().of(small.id_of(name)).map(|wake| wake.failed).collect();
            assert_eq!(failed, [0], "{told}: no attempt is used up");
        }
        assert_eq!(asked, 1);
        let heard: Vec<String> = receipts(&small).iter().map(|receipt| receipt.sentence()).collect();
        assert_eq!(heard.len(), 3, "each asker hears of it once");
        assert!(heard.iter().all(|heard| heard.starts_with("waits, and answers later: the provider answers nobody")), "{heard:?}");
        assert!(heard.iter().any(|heard| heard.ends_with(&format!("[connection-held] at `wrong: {told}`"))), "{heard:?}");
        // A run later asks once more, and tells nobody twice.
        small.living().asking(Box::new(Endpoints::default()));
        small.run("1h");
        assert_eq!((wrong.count(), receipts(&small).len()), (2, 3), "{told}");
        assert_eq!(small.replay().unwrap().difference, None, "{told}");
    }
}

#[test]
fn a_connection_that_is_mended_is_asked_again_at_once() {
    let server =
        Faulty::reading(
            |_, request| {
                if request.contains("\"model\":\"right\"") { good() } else { Does::Says(404, String::new(), "{}".to_owned()) }
            },
        );
    let mut small = spoken_to(&named(&["ada"], "tiny"), &connection("tiny", &server, ""));
    small.run("1h");
    assert_eq!(small.reel("ada").len(), 1);
    let value = json!({ "key": "llm.tiny", "value": { "base_url": server.url, "model": "right" } });
    small.operate("/", "config.set", args(&value.to_string()));
    let ran = small.run("5m");
    assert_eq!((small.reel("ada")[1].closing.clone(), ran.held.is_empty(), ran.turned_away.is_empty()), (Closing::Act, true, true));
}

#[test]
fn it_is_left_alone_for_an_hour() {
    let server = Faulty::new(|_| Does::Says(401, String::new(), "{}".to_owned()));
    let mut small = spoken_to(&named(&["ada"], "tiny"), &connection("tiny", &server, ""));
    let began = Instant::now();
    small.run("1m");
    let (tiny, minute) = (Connection::named(&small.world(), "tiny").unwrap(), Duration::from_secs(60));
    let turned_away = |small: &mut Small, after: Duration| small.living().outages().turned_away(&tiny, began + after);
    assert_eq!(turned_away(&mut small, minute * 59).as_deref(), Some("401"));
    assert_eq!(turned_away(&mut small, minute * 61), None);
}

#[test]
fn what_a_cassette_has_recorded_of_it_goes_as_it_went() {
    let server = Faulty::new(|_| Does::Says(402, String::new(), NO_MONEY.to_owned()));
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    terminal.types("run salon --for 10m --quiet --record heard.jsonl").fails(1);
    let asked = server.count();
    terminal.types("run salon --for 10m --quiet --from heard.jsonl --data again").fails(1).warns(&["status=402"]);
    assert_eq!(server.count(), asked);
    let log = |data: &str| terminal.types(&format!("log --raw --data {data}")).ok();
    assert_eq!(log("world"), log("again"));
}

#[test]
fn another_connection_answers_where_it_may_and_the_first_is_left_alone() {
    for (listed, goes_on) in
        [("", true), (", failover_on = [401]", true), (", failover_on = []", false), (", failover_on = [404, \"cut\"]", false)]
    {
        let wrong = Faulty::new(|_| Does::Says(401, String::new(), "{}".to_owned()));
        let other = Faulty::new(|_| good());
        let first = connection("tiny", &wrong, &format!(", failover = [\"other\"]{listed}"));
        let mut small = spoken_to(&named(&["ada"], "tiny"), &(first + connection("other", &other, "").as_str()));
        small.run("10m");
        small.act("operator", Call::summon("@ada", args(r#"{"content":"And again."}"#)));
        let ran = small.run("10m");
        let acts = small.reel("ada").iter().filter(|moment| moment.closing == Closing::Act).count();
        assert_eq!((wrong.count(), other.count(), acts), if goes_on { (1, 2, 2) } else { (1, 0, 0) }, "{listed}");
        assert_eq!(ran.held.contains_key(&Code::ConnectionHeld), !goes_on, "{listed}");
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

const NO_MONEY: &str = r#"{"error":{"message":"Insufficient Balance"}}"#;

#[test]
fn a_run_ends_with_an_error_that_says_what_it_waits_for() {
    let server = Faulty::new(|_| Does::Says(402, String::new(), NO_MONEY.to_owned()));
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    let said = terminal.types("run salon --for 10m --quiet").fails(1);
    said.says(&[
        "(connection-held: the provider answers nobody over this connection",
        "not asked again: `llm.small`, since its provider answered 402 \"Insufficient Balance\"",
    ])
    .warns(&["connection=small", "status=402", "said=Insufficient Balance", "for a connection whose provider answers nobody"]);
    assert!(server.count() <= 4, "{}", server.count());
    let log = terminal.types("find --closing requeued --json").json_lines();
    assert!(log.iter().any(|moment| moment["reason"]["at"] == "small: 402 \"Insufficient Balance\""), "{log:?}");
    terminal.types("replay").says(&["identical"]).ok();
    terminal.types("model retry small").fails(1).warns(&["no connection is held"]);
}

#[test]
fn whoever_serves_a_world_lets_a_connection_be_asked_again() {
    let has_paid = Arc::new(AtomicBool::new(false));
    let paid = has_paid.clone();
    let server =
        Faulty::new(move |_| if paid.load(Ordering::SeqCst) { good() } else { Does::Says(402, String::new(), NO_MONEY.to_owned()) });
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    let served = Served::begin(terminal, "serve salon --port 0 --realtime --json");
    let operator = served.operator();
    let out = || served.get(&operator, "/metrics").text.contains("reelm_connection_out_seconds{connection=\"small\",why=\"402\"}");
    kit::until("the connection is turned away", out);
    // All three wait for it, and the numbers of `/metrics` are those of `.health`, a few seconds old.
    let health = || served.get(&operator, "/api/see?address=/.health").ok();
    kit::until("all three wait for it", || health()["connections"]["small"]["beings"] == 3);
    assert_eq!(health()["held"]["@ada"]["connection"], "small");
    kit::until("it is counted", || served.get(&operator, "/metrics").text.contains("reelm_held{why=\"connection-held\"} 3"));
    let asked = server.count();
    has_paid.store(true, Ordering::SeqCst);
    let page = served.get(&operator, "/api/being/ada").ok();
    assert_eq!((page["out"]["why"].as_str(), page["out"]["said"].as_str()), (Some("402"), Some("Insufficient Balance")), "{page}");
    served.terminal.types("model retry tiny").fails(1).warns(&["llm.tiny"]);
    served.terminal.types("model retry small").says(&["`small` is asked again"]).ok();
    served.terminal.types("model retry small").says(&["`small` was not held"]).ok();
    kit::until("it is asked again", || server.count() > asked);
    served.stop().types("replay").ok();
}
