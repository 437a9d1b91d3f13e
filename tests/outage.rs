//! Outage: does an endpoint that does not answer cost a being anything but time, however long it takes, and is a run stopped beside it at once?

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reelm::cognition::{Asking, Reply, Request};
use reelm::fact::{Call, Closing, Code, parse_duration};
use reelm::minds::{Endpoints, Minds};
use reelm::run::{Course, Pace, Ran, Reins, Stopped, Until};

use super::cassette::salon_at;
use super::faulty::{Does, Faulty, connection, good, spoken_to, status};
use super::kit::{self, Small, args, code};
use super::mind::{reply_of, tool};
use super::served::Served;
use super::terminal::{Said, Terminal};

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
    // A connection that nobody accepts waits: the second in the queue of a listener that takes one.
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
            let mut out = None;
            kit::until("the endpoint is out", || {
                out = outages.now().pop();
                out.is_some()
            });
            stops.stop();
            out.unwrap().why
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
        assert_eq!(moment.closing.reason().map(|reason| reason.code), (asked == 0).then_some(Code::ConnectionHeld), "{listed}");
    }
}

/// Minds that say that their endpoint is busy, as whoever waits for none does, and then answer.
struct Busy(usize);

impl Minds for Busy {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        self.0 += 1;
        let Does::Says(_, _, body) = good() else { unreachable!() };
        let looks = super::mind::body(&tool("see", serde_json::json!({ "address": "/hall/cup" })));
        let (status, body) = [(200, looks), (503, "{}".to_owned()), (200, body)][self.0.min(3) - 1].clone();
        let connection = Some("tiny".into());
        requests
            .iter()
            .map(|_| {
                Reply::of(Asking {
                    connection: connection.clone(),
                    status: Some(status),
                    body: Some(body.as_str().into()),
                    ..Asking::default()
                })
            })
            .collect()
    }
}

#[test]
fn whoever_is_not_waited_for_keeps_its_wake_and_what_it_has_seen_and_is_due_a_minute_later() {
    let mut small = spoken_to(&connection("tiny", &Faulty::new(|_| good()), ""));
    small.living().asking(Box::new(Busy(0)));
    small.run("59s");
    let moments = small.reel("ada");
    assert_eq!((moments.len(), code(&moments[1]).as_str(), failed(&small)), (2, "outage", vec![0]));
    assert_eq!(moments[1].closing.reason().unwrap().at.as_ref(), "tiny: 503");
    assert_eq!(small.world().being_named("ada").unwrap().looked.now.len(), 1);
    small.run("10s");
    let moments = small.reel("ada");
    assert_eq!((moments.len(), &moments[2].closing, moments[2].attempt), (3, &Closing::Act, 1));
    assert_eq!(moments[2].opened_at - moments[1].at, 60_000);
    assert_eq!(small.replay().unwrap().difference, None);
}

/// Waits until a server was asked so often.
pub fn until_asked(server: &Faulty, times: usize) {
    kit::until(&format!("the server is asked {times} times"), || server.count() >= times);
}

#[test]
fn a_terminal_says_what_is_waited_for_and_a_signal_ends_it_at_once() {
    let server = Faulty::new(|_| status(503));
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    let line = "run salon --for 1h --quiet --json";
    let run = terminal.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until_asked(&server, 5);
    Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
    let said = Said::of(line, run.wait_with_output().unwrap()).fails(0).warns(&["a connection does not answer", "connection=small", "503"]);
    assert!(!said.err.contains("another Ctrl-C"), "nothing is waited for: {}", said.err);
    let moments = terminal.types("find --closing requeued --json").json_lines();
    assert!(!moments.is_empty() && moments.iter().all(|moment| moment["reason"]["code"] == "given-up"), "{moments:?}");
    let first = format!("explain {}", moments[0]["seq"]);
    terminal.types(&first).says(&["asked \"small\"\n  small: 503\n", "requeued: given-up at `small`"]);
    terminal.types("replay").ok();
}

#[test]
fn a_second_signal_stops_a_run_that_waits_for_an_answer() {
    let server = Faulty::new(|_| Does::Hangs);
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    let mut run = terminal.command("run salon --for 1h --quiet --json").stderr(Stdio::piped()).spawn().unwrap();
    let mut err = BufReader::new(run.stderr.take().unwrap()).lines();
    let id = run.id().to_string();
    let signal = || Command::new("kill").args(["-INT", &id]).status().unwrap();
    until_asked(&server, 1);
    signal();
    assert!(err.any(|line| line.unwrap().contains("another Ctrl-C stops at once")));
    signal();
    assert_eq!(run.wait().unwrap().code(), Some(130));
    terminal.types("verify").ok();
}

#[test]
fn whoever_watches_a_served_world_sees_which_connection_is_out_and_why() {
    let server = Faulty::new(|_| status(503));
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    let served = Served::begin(terminal, "serve salon --port 0 --realtime --json");
    let operator = served.operator();
    let metrics = loop {
        let metrics = served.get(&operator, "/metrics").text;
        if metrics.contains("reelm_connection_out_seconds{") {
            break metrics;
        }
    };
    assert!(metrics.contains("reelm_connection_out_seconds{connection=\"small\",why=\"503\"}"), "{metrics}");
    let page = served.get(&operator, "/api/being/ada").ok();
    assert_eq!((page["connection"].as_str(), page["out"]["why"].as_str()), (Some("small"), Some("503")), "{page}");
    served.stop().types("replay").ok();
}

#[test]
fn the_query_of_an_address_is_kept_cached_tokens_have_a_price_and_an_answer_a_limit_under_the_key_that_is_wanted() {
    let body = |details: &str| {
        let Does::Says(status, headers, body) = good() else { unreachable!() };
        Does::Says(status, headers, body.replacen("\"prompt_tokens\":9", &format!("\"prompt_tokens\":1000{details}"), 1))
    };
    let answer = body(",\"prompt_tokens_details\":{\"cached_tokens\":900}");
    let server = Faulty::new(move |_| answer.clone());
    let prices = "\"llm.prices\" = { tiny = { input = 10.0, cached = 1.0, output = 5.0 } }\n";
    let url = format!("{}?api-version=2&x=y", server.url);
    let more = "answer_limit = \"max_completion_tokens\", sampling = { max_tokens = 77 }";
    let mut small = spoken_to(&format!("{prices}\"llm.tiny\" = {{ base_url = \"{url}\", model = \"tiny\", {more} }}"));
    small.run("500ms");
    let sent = server.asked.lock().unwrap().remove(0);
    assert!(sent.starts_with("POST /v1/chat/completions?api-version=2&x=y HTTP/1.1\r\n"), "{sent}");
    let sent: serde_json::Value = serde_json::from_str(sent.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!((sent["max_completion_tokens"].as_u64(), sent.get("max_tokens")), (Some(77), None));
    // 100 × 10 + 900 × 1 + 1 × 5.
    assert_eq!(small.reel("ada")[0].spent().unwrap().spend.money, 1905);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_provider_that_holds_calls_to_schemas_takes_them_and_is_understood() {
    let says =
        tool("do", serde_json::json!({ "act": { "action": "say", "target": "/hall", "args": { "content": "Hello.", "to": null } } }));
    let answer = Does::Says(200, String::new(), super::mind::body(&says));
    let server = Faulty::new(move |_| answer.clone());
    let mut small = spoken_to(&connection("tiny", &server, ", tools = \"strict\""));
    small.run("500ms");
    let sent = server.asked.lock().unwrap().remove(0);
    let sent: serde_json::Value = serde_json::from_str(sent.split_once("\r\n\r\n").unwrap().1).unwrap();
    for tool in sent["tools"].as_array().unwrap() {
        let (function, schema) = (&tool["function"], &tool["function"]["parameters"]);
        assert!(function["strict"] == true && schema["type"] == "object" && schema.get("anyOf").is_none(), "{function}");
        let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(serde_json::json!(keys), schema["required"], "{function}");
    }
    let moment = small.reel("ada").remove(0);
    assert_eq!((&moment.closing, moment.call.unwrap().target.as_ref()), (&Closing::Act, "/hall"));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_a_model_wrote_moves_no_cursor() {
    let server = Faulty::new(|_| {
        let says = tool("do", serde_json::json!({ "target": "/hall\u{1b}[2J\u{202e}", "action": "say", "args": { "content": "Hello." } }));
        Does::Says(200, String::new(), super::mind::body(&says).replacen("\"tiny\"", "\"ti\\u001b[31mny\u{9b}\"", 1))
    });
    let terminal = Terminal::new();
    salon_at(&terminal, &server.url);
    let run = terminal.types("run salon --for 21s").ok();
    let mut said = vec![run, terminal.types("usage").ok(), terminal.types("log --raw --last 9").ok()];
    said.push(terminal.types("explain @ben/1").says(&["reply: ", "\\u{9b}"]).ok());
    for text in said {
        assert!(text.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')), "{text:?}");
    }
}
