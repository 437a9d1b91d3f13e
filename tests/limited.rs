//! Limited: is a server that is asked too fast asked as fast as it lets itself be, and is a reply that it cannot read nobody else's fault?

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use reelm::fact::{Call, Closing};
use reelm::minds::Endpoints;
use reelm::role::Spec;

use super::faulty::{Does, Faulty, connection, good};
use super::kit::{Small, args, code, size, source};

/// So many models in one hall, each by its connection, who are all spoken to.
pub fn spoken_to(names: &[(String, &str)], connections: &str) -> Small {
    let being = |(name, connection): &(String, &str)| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"guest\"\ncognition = \"llm\"\nsettings = {{ \"llm.connection\" = \"{connection}\" }}\n"
        )
    };
    let beings: String = names.iter().map(being).collect();
    let mut source = source(&format!("[config]\n{connections}[[space]]\npath = \"/hall\"\nallow = [\"say\"]\n{beings}"));
    let role = "---\nname: guest\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\n---\nYou are a guest.\n";
    source.roles.push(Spec::from_markdown("guest.md", role).unwrap());
    let mut small = Small::grow(&source, 1, 1);
    small.living().asking(Box::new(Endpoints::default()));
    for (name, _) in names {
        small.act("operator", Call::summon(&format!("@{name}"), args(r#"{"content":"Say hello."}"#)));
    }
    small
}

/// A server that answers four calls in each span, and says after how long it may be asked again.
fn four_in(span: Duration, says: impl Fn(Duration) -> String + Send + Sync + 'static) -> Faulty {
    let answered: Mutex<VecDeque<Instant>> = Mutex::default();
    Faulty::new(move |_| {
        let (now, mut answered) = (Instant::now(), answered.lock().unwrap());
        while answered.front().is_some_and(|first| now.duration_since(*first) >= span) {
            answered.pop_front();
        }
        if answered.len() < 4 {
            answered.push_back(now);
            return good();
        }
        let rest = span.saturating_sub(now.duration_since(answered[0]));
        Does::Says(429, says(rest), r#"{"error":{"message":"slow down","type":"rate_limit"}}"#.to_owned())
    })
}

#[test]
fn forty_eight_answers_of_a_server_that_gives_four_at_a_time_cost_few_calls_more() {
    let span = size(Duration::from_millis(100), Duration::from_secs(1));
    let forms: [fn(Duration) -> String; 2] = [
        |rest| format!("retry-after: {}\r\n", rest.as_secs_f64()),
        |rest| format!("x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: {}ms\r\n", rest.as_millis() + 1),
    ];
    for says in forms.into_iter().take(size(1, 2)) {
        let server = four_in(span, says);
        let names: Vec<(String, &str)> = (0..48).map(|at| (format!("m{at}"), "busy")).collect();
        let mut small = spoken_to(&names, &connection("busy", &server, ""));
        small.run("1s");
        let moments: Vec<_> = names.iter().flat_map(|(name, _)| small.reel(name)).collect();
        assert!(moments.len() == 48 && moments.iter().all(|moment| moment.closing == Closing::Act && moment.attempt == 1));
        assert!(moments.iter().all(|moment| moment.at == moment.opened_at), "the world's clock does not see it");
        assert!(server.count() <= 60, "{} calls for 48 answers", server.count());
        assert!(small.living().outages().now().is_empty());
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn a_server_that_names_a_date_is_left_alone_until_then() {
    let began = Instant::now();
    let at = Mutex::new(Vec::new());
    let asked = std::sync::Arc::new(at);
    let heard = asked.clone();
    let server = Faulty::new(move |number| {
        heard.lock().unwrap().push(began.elapsed());
        let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3));
        if number == 0 { Does::Says(429, format!("Retry-After: {date}\r\n"), "{}".to_owned()) } else { good() }
    });
    let mut small = spoken_to(&[("eve".to_owned(), "busy")], &connection("busy", &server, ""));
    small.run("1s");
    let asked = asked.lock().unwrap();
    assert_eq!((asked.len(), small.reel("eve")[0].closing.clone()), (2, Closing::Act));
    assert!(asked[1] - asked[0] >= Duration::from_millis(1_900), "{asked:?}");
}

/// Answers by which a server says that it cannot read what its own model wrote, and others that are none.
const ANSWERS: [(u16, &str, bool); 9] = [
    (
        500,
        r#"{"error":{"code":500,"message":"Failed to parse tool call arguments as JSON: [json.exception.parse_error.101]","type":"server_error"}}"#,
        true,
    ),
    (500, r#"{"error":{"message":"Failed to parse input at pos 12: <tool_call>","type":"server_error"}}"#, true),
    (400, r#"{"error":{"code":"tool_use_failed","message":"Failed to call a function.","failed_generation":"<function=say>"}}"#, true),
    (500, r#"{"error":"error parsing tool call: raw='{' err=unexpected end of JSON input"}"#, true),
    (500, r#"{"error":{"message":"the model runner has unexpectedly stopped"}}"#, false),
    (500, r#"{"error":{"message":"the sparse cache is full"}}"#, false),
    (500, "Failed to parse", false),
    (503, r#"{"error":{"message":"Failed to parse"}}"#, false),
    (400, r#"{"error":{"message":"maximum context length is 4096 tokens"}}"#, false),
];

#[test]
fn a_reply_that_its_server_cannot_read_is_a_failed_thought_of_one_being_and_keeps_nobody_waiting() {
    for (status, body, is_of_its_reply) in ANSWERS {
        // Behind the third the server is well again, so that what counts as an outage ends.
        let broken = Faulty::new(move |number| if number < 3 { Does::Says(status, String::new(), body.to_owned()) } else { good() });
        let well = Faulty::new(|_| good());
        let connections = [connection("broken", &broken, ""), connection("well", &well, "")].concat();
        let mut small = spoken_to(&[("eve".to_owned(), "broken"), ("will".to_owned(), "well")], &connections);
        small.run("1h");
        assert_eq!(small.reel("will")[0].closing, Closing::Act, "{body}");
        let codes: Vec<String> = small.reel("eve").iter().map(code).collect();
        match is_of_its_reply {
            true => assert_eq!((codes, broken.count()), (vec!["reply-malformed".to_owned(); 3], 3), "{body}"),
            false => assert!(!codes.contains(&"reply-malformed".to_owned()), "{body}: {codes:?}"),
        }
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

/// A server that fails at the prompts of one being, and answers all others.
fn fails_at(name: &'static str) -> Faulty {
    Faulty::reading(move |_, request| {
        let is_it = request.contains(&format!("You are @{name}"));
        if is_it { Does::Says(500, String::new(), r#"{"error":{"message":"the cache is full"}}"#.to_owned()) } else { good() }
    })
}

#[test]
fn a_server_that_fails_at_one_prompt_and_answers_others_keeps_nobody_waiting() {
    // Where nobody else asks, one short request feels for it.
    for (names, calls) in [(&["ada", "eve"][..], 10), (&["ada"][..], 10)] {
        let server = fails_at("ada");
        let names: Vec<(String, &str)> = names.iter().map(|name| ((*name).to_owned(), "tiny")).collect();
        let mut small = spoken_to(&names, &connection("tiny", &server, ""));
        small.run("1h");
        let moments = small.reel("ada");
        let codes: Vec<String> = moments.iter().map(code).collect();
        assert_eq!((codes, server.count()), (vec!["reply-malformed".to_owned(); 3], calls), "{names:?}");
        assert!(moments.iter().all(|moment| moment.closing.reason().unwrap().at.as_ref() == "500 \"the cache is full\""));
        let paid: u64 =
            names.iter().flat_map(|(name, _)| small.reel(name)).filter_map(|moment| moment.spent().map(|spent| spent.spend.calls)).sum();
        assert_eq!(paid, calls as u64, "the ledger counts what the server counts");
        assert!(names.len() == 1 || small.reel("eve")[0].closing == Closing::Act);
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn a_server_that_fails_at_everything_is_felt_once_and_waited_for() {
    let server = Faulty::then_good(7, Does::Says(500, String::new(), "{}".to_owned()));
    let mut small = spoken_to(&[("ada".to_owned(), "tiny")], &connection("tiny", &server, ""));
    small.run("1h");
    let moments = small.reel("ada");
    assert_eq!((moments.len(), moments[0].closing.clone(), moments[0].attempt), (1, Closing::Act, 1), "no attempt is used up");
    let felt = server.asked.lock().unwrap().iter().filter(|request| !request.contains("You are @ada")).count();
    assert_eq!((server.count(), felt), (8, 1));
}

#[test]
fn a_connection_that_says_how_much_it_may_cost_is_asked_no_faster() {
    let Does::Says(.., body) = good() else { unreachable!() };
    let body = body.replace("\"prompt_tokens\":9,\"completion_tokens\":1", "\"prompt_tokens\":1500,\"completion_tokens\":500");
    for (says, at_once) in [(", rate = \"3/s\"", 3), (", tokens = \"4k/s\", parallel = 1, sampling = { max_tokens = 200 }", 2)] {
        let (began, body) = (Instant::now(), body.clone());
        let asked = std::sync::Arc::new(Mutex::new(Vec::new()));
        let heard = asked.clone();
        let server = Faulty::new(move |_| {
            heard.lock().unwrap().push(began.elapsed());
            Does::Says(200, String::new(), body.clone())
        });
        let names: Vec<(String, &str)> = (0..at_once * 2 + 1).map(|at| (format!("m{at}"), "tiny")).collect();
        let mut small = spoken_to(&names, &connection("tiny", &server, says));
        small.run("1s");
        let moments: Vec<_> = names.iter().flat_map(|(name, _)| small.reel(name)).collect();
        assert!(
            moments.len() == names.len() && moments.iter().all(|moment| moment.closing == Closing::Act && moment.at == moment.opened_at),
            "{says}"
        );
        let asked = asked.lock().unwrap();
        let gaps: Vec<Duration> = asked.windows(at_once + 1).map(|calls| calls[at_once] - calls[0]).collect();
        assert!(asked.len() == names.len() && gaps.iter().all(|gap| *gap >= Duration::from_millis(700)), "{says}: {asked:?}");
    }
}

#[test]
fn how_much_a_connection_may_cost_is_a_number_a_slash_and_a_unit() {
    for (wrong, right) in [("60", "60/m"), ("0/m", "200k/m"), ("60/w", "2M/h"), ("-1/s", "1/s"), ("1.5/s", "999999999/d")] {
        let mut small =
            spoken_to(&[("ada".to_owned(), "tiny")], "\"llm.tiny\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }\n");
        let set = |rate: &str, key: &str| {
            let value =
                serde_json::json!({ "key": "llm.tiny", "value": { "base_url": "http://127.0.0.1:9/v1", "model": "tiny", key: rate } });
            Call::doing("/", "config.set", args(&value.to_string()))
        };
        for key in ["rate", "tokens"] {
            let example = if key == "rate" { "`60/m` or `5000/d`" } else { "`200k/m` or `2M/h`" };
            let refused = small.act("operator", set(wrong, key)).closing.reason().unwrap().to_string();
            assert_eq!(refused, format!("args-pattern at `/value/{key}; write it as {example}`"), "{wrong}");
            assert_eq!(small.act("operator", set(right, key)).closing, Closing::Act, "{right}");
        }
    }
}
