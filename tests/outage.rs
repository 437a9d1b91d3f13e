//! Outage: does an endpoint that does not answer cost a being anything but time, however long it takes, and is a run stopped beside it at once?

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reelm::fact::{Call, Closing, Code, parse_duration};
use reelm::minds::Endpoints;
use reelm::run::{Course, Pace, Ran, Reins, Stopped, Until};

use super::faulty::{Does, Faulty, connection, good, spoken_to, status};
use super::kit::{Small, args, code};
use super::mind::reply_of;

/// Lets a world go until it is told to stop.
fn go(small: &mut Small, pace: Pace, reins: &Reins) -> Ran {
    let until = Until { duration: parse_duration("365d"), ..Until::default() };
    small.living().run(Course { pace, until, reins, watch: None, measures: None }).unwrap()
}

/// How often the open wake of Ada has failed.
fn failed(small: &Small) -> Vec<u32> {
    small.world().inbox().of(small.id_of("ada")).map(|wake| wake.failed).collect()
}

#[test]
fn the_round_stands_until_the_endpoint_answers_and_no_attempt_is_used_up() {
    let server = Faulty::then_good(6, status(503));
    let mut small = spoken_to(&connection("tiny", &server, ""));
    small.run("500ms");
    let (moments, frames) = (small.reel("ada"), small.frames_of("ada"));
    assert_eq!((moments.len(), frames.len(), &moments[0].closing, moments[0].attempt), (1, 2, &Closing::Act, 1));
    assert_eq!((moments[0].at, server.count()), (moments[0].opened_at, 7), "no world time has passed");
    // Of an hour's refusals as many are kept as were held back for.
    let spent = moments[0].spent().unwrap().spend;
    assert_eq!((spent.calls, spent.input, spent.output), (4, 9, 1));
    assert_eq!(reply_of(&small).get("tried").unwrap().as_list().unwrap().len(), 3);
    assert!(small.living().outages().now().is_empty());
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_run_that_is_stopped_while_a_round_stands_leaves_the_wake_as_it_was() {
    let (reins, mends) = (Reins::default(), Arc::new(AtomicBool::new(false)));
    let (stops, mended) = (reins.clone(), mends.clone());
    let server = Faulty::new(move |number| {
        if number == 4 {
            stops.stop();
        }
        if mended.load(Ordering::Relaxed) { good() } else { status(503) }
    });
    let mut small = spoken_to(&connection("tiny", &server, ""));
    assert_eq!(go(&mut small, Pace::Virtual, &reins).stopped, Stopped::Told);
    let moment = small.reel("ada").remove(0);
    assert_eq!((moment.closing.word(), code(&moment).as_str()), ("requeued", "given-up"));
    assert_eq!((moment.spent().unwrap().spend.calls, moment.spent().unwrap().spend.tokens()), (3, 0));
    assert_eq!(failed(&small), [0]);
    let out = small.living().outages().now().remove(0);
    assert_eq!((out.connection.as_ref(), out.why.as_ref()), ("tiny", "503"));
    mends.store(true, Ordering::Relaxed);
    small.run("500ms");
    assert_eq!((&small.reel("ada")[1].closing, small.reel("ada")[1].attempt), (&Closing::Act, 1));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn refused_dns_tls_and_a_connection_that_takes_too_long_are_words_of_their_own() {
    let plain = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let no_tls = plain.local_addr().unwrap();
    std::thread::spawn(move || plain.incoming().for_each(|stream| drop(stream.unwrap().write_all(b"HTTP/1.1 400 X\r\n\r\n"))));
    // Whoever is taken up by nobody waits: the second in the queue of a listener that takes up one.
    let full = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = full.local_addr().unwrap();
    let queued: Vec<_> = (0..4096).map_while(|_| std::net::TcpStream::connect_timeout(&address, Duration::from_millis(200)).ok()).collect();
    let cases = [
        ("http://127.0.0.1:9/v1".to_owned(), "endpoint-unreachable"),
        ("https://nobody.invalid/v1".to_owned(), "endpoint-unresolved"),
        (format!("https://{no_tls}/v1"), "endpoint-tls"),
        (format!("http://{address}/v1"), "endpoint-timeout"),
    ];
    for (url, word) in cases {
        let reins = Reins::default();
        let mut small = spoken_to(&format!("\"llm.tiny\" = {{ base_url = \"{url}\", model = \"tiny\", timeout_ms = 1000 }}"));
        let (outages, stops) = (small.living().outages().clone(), reins.clone());
        let watching = std::thread::spawn(move || {
            loop {
                if let Some(out) = outages.now().pop() {
                    stops.stop();
                    return out.why;
                }
                std::thread::yield_now();
            }
        });
        go(&mut small, Pace::Virtual, &reins);
        assert_eq!(watching.join().unwrap().as_ref(), word, "{url}");
        let moment = small.reel("ada").remove(0);
        assert_eq!((code(&moment).as_str(), moment.spent().unwrap().spend.calls), ("given-up", 0), "{url}");
        assert!(reply_of(&small).to_string().contains(word), "{url}");
        assert_eq!(failed(&small), [0]);
    }
    drop(queued);
}

#[test]
fn in_real_time_one_tries_and_the_others_stamp_nothing_until_the_endpoint_answers() {
    let (stops, mends) = (Reins::default(), Arc::new(AtomicBool::new(false)));
    let (stopped, mended) = (stops.clone(), mends.clone());
    let server = Faulty::new(move |_| {
        stopped.stop();
        if mended.load(Ordering::Relaxed) { good() } else { status(503) }
    });
    let free = "home = \"/hall\"\nrole = \"free\"\n";
    let more = ["eve", "fay"].map(|name| format!("[[being]]\nname = \"{name}\"\n{free}cognition = \"llm\"\n")).concat();
    let ticks = format!("[[being]]\nname = \"tick\"\n{free}script = \"count\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"1s\"\n");
    let mut small = Small::plant(&format!("{}{more}{ticks}", super::mind::WORLD.replace("http://127.0.0.1:9/v1", &server.url)));
    small.living().asking(Box::new(Endpoints::default()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Say hello, Ada."}"#)));
    go(&mut small, Pace::Virtual, &stops);
    assert!(small.living().outages().is_out("tiny"));
    for name in ["@eve", "@fay"] {
        small.act("operator", Call::summon(name, args(r#"{"content":"And you."}"#)));
    }
    let (reins, shelf, from) = (Reins::default(), small.shelf.clone(), small.world().next_seq());
    let (mut ticked, mut answered, mut before) = (0, 0, Vec::new());
    let mut watch = |report: &reelm::past::Report| {
        answered += usize::from(["ada", "eve", "fay"].contains(&report.being.as_ref()));
        ticked += u32::from(report.being.as_ref() == "tick");
        if ticked == 3 && before.is_empty() {
            before = shelf.frames();
            mends.store(true, Ordering::Relaxed);
        }
        if answered == 3 {
            reins.stop();
        }
    };
    let until = Until { duration: parse_duration("365d"), ..Until::default() };
    small.living().run(Course { pace: Pace::Real, until, reins: &reins, watch: Some(&mut watch), measures: None }).unwrap();
    let models = ["ada", "eve", "fay"].map(|name| small.id_of(name));
    let stamped = before.iter().filter(|frame| frame.draft().seq >= from && models.contains(&frame.draft().being)).count();
    assert_eq!(stamped, 1, "one has asked, and waits");
    for name in ["ada", "eve", "fay"] {
        let last = small.reel(name).pop().unwrap();
        assert_eq!((&last.closing, last.attempt), (&Closing::Act, 1), "@{name}");
    }
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_missing_key_holds_its_beings_and_no_round_stands_for_them() {
    let server = Faulty::new(|_| good());
    let mut small = spoken_to(&connection("tiny", &server, ", key = \"env:REELM_NO_SUCH_KEY\""));
    small.act("operator", Call::summon("@bob", args(r#"{"content":"And you?"}"#)));
    assert_eq!(small.run("1h").stopped, Stopped::Quiet);
    assert_eq!((small.frames_of("ada").len(), failed(&small), server.count()), (0, vec![0], 0));
    assert!(!small.reel("bob").is_empty(), "others go on");
    let value = serde_json::json!({ "key": "llm.tiny", "value": { "base_url": server.url, "model": "tiny", "key": "env:CARGO_PKG_NAME" } });
    small.operate("/", "config.set", args(&value.to_string()));
    small.run("1m");
    assert_eq!(small.reel("ada")[0].closing, Closing::Act);
}

#[test]
fn a_stop_waits_for_the_answers_under_way_and_no_longer_than_it_is_let() {
    let reins = Reins::default();
    let stops = reins.clone();
    let server = Faulty::new(move |_| {
        stops.stop();
        good()
    });
    let mut small = spoken_to(&connection("tiny", &server, ""));
    assert_eq!(go(&mut small, Pace::Virtual, &reins).stopped, Stopped::Told);
    assert_eq!(small.reel("ada")[0].closing, Closing::Act, "it was answered");

    for pace in [Pace::Virtual, Pace::Real] {
        let reins = Reins::default();
        reins.set_grace(Duration::ZERO);
        let stops = reins.clone();
        let server = Faulty::new(move |number| {
            stops.stop();
            if number == 0 { Does::Hangs } else { good() }
        });
        let mut small = spoken_to(&connection("tiny", &server, ", timeout_ms = 600000").replace("timeout_ms = 2000, ", ""));
        go(&mut small, pace, &reins);
        let moment = small.reel("ada").remove(0);
        assert_eq!((moment.closing.word(), code(&moment).as_str()), ("requeued", "given-up"));
        let spent = moment.spent().unwrap().spend;
        let held = small.frames_of("ada")[0].reserved().unwrap();
        assert_eq!(
            (spent.calls, spent.input * 3, failed(&small)),
            (1, held.input, vec![0]),
            "one attempt, of three that were held back for"
        );
        if pace == Pace::Virtual {
            small.run("500ms");
            assert_eq!((&small.reel("ada")[1].closing, small.reel("ada")[1].attempt), (&Closing::Act, 1));
        }
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn what_a_server_asks_for_itself_keeps_nobody_from_another() {
    let busy = Faulty::new(|_| Does::Says(429, "retry-after: 3600\r\n".to_owned(), "{}".to_owned()));
    let other = Faulty::new(|_| good());
    let mut small = spoken_to(&(connection("tiny", &busy, ", failover = [\"other\"]") + connection("other", &other, "").as_str()));
    small.run("500ms");
    small.act("operator", Call::summon("@ada", args(r#"{"content":"And again."}"#)));
    small.run("500ms");
    assert_eq!((small.reel("ada").len(), busy.count(), other.count()), (2, 1, 2), "it is left alone, and others are asked");
    assert!(small.reel("ada").iter().all(|moment| moment.closing == Closing::Act && moment.attempt == 1));
}

#[test]
fn after_what_another_is_asked_the_connection_says() {
    for (listed, asked) in [("", 1), (", failover_on = [404]", 1), (", failover_on = [403, \"cut\"]", 0), (", failover_on = []", 0)] {
        let (wrong, other) = (Faulty::new(|_| status(404)), Faulty::new(|_| good()));
        let first = connection("tiny", &wrong, &format!(", failover = [\"other\"]{listed}"));
        let mut small = spoken_to(&(first + connection("other", &other, "").as_str()));
        small.run("500ms");
        assert_eq!((wrong.count(), other.count()), (1, asked), "{listed}");
        let moment = small.reel("ada").remove(0);
        assert_eq!(moment.closing.reason().map(|reason| reason.code), (asked == 0).then_some(Code::ReplyStatus), "{listed}");
    }
}
