//! Once: is nothing paid for twice that would come to the same, and does whoever asked hear what the provider said?

use reelm::fact::{Call, Closing, Receipt};
use reelm::minds::Endpoints;
use reelm::role::Spec;
use reelm::world::Body;
use serde_json::{Value as Json, json};

use super::faulty::{Does, Faulty, connection, good};
use super::kit::{Small, args, code, source};

const ROLES: [(&str, &str); 2] = [
    ("guest", "canSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\n"),
    // It can ask, and read nobody's moments.
    ("shy", "canSee: ['@*']\ncanSummon: ['@*']\n"),
];

/// Ada thinks by `tiny`, and Bob is a person; nobody has said anything yet.
fn hall(connections: &str) -> Small {
    let more = "[[space]]\npath = \"/hall\"\nallow = [\"say\"]\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"guest\"\ncognition = \"llm\"\nschedule = [{ name = \"turn\", every = \"1h\" }]\n\
                [[being]]\nname = \"bob\"\nhome = \"/hall\"\nrole = \"shy\"\ncognition = \"human\"\n";
    let mut source = source(&format!("[config]\n\"llm.connection\" = \"tiny\"\n{connections}{more}"));
    for (name, says) in ROLES {
        source
            .roles
            .push(Spec::from_markdown(&format!("{name}.md"), &format!("---\nname: {name}\n{says}---\nYou are a guest.\n")).unwrap());
    }
    let mut small = Small::grow(&source, 1, 1);
    small.living().asking(Box::new(Endpoints::default()));
    small
}

fn asks(small: &mut Small, who: &str) {
    small.act(who, Call::summon("@ada", args(r#"{"content":"Say hello."}"#)));
}

/// The answers that somebody has heard: the words, or how it was closed without any.
fn heard(small: &Small, who: &str) -> Vec<String> {
    let world = small.world();
    let words = |wake: &reelm::world::Wake| match &wake.body {
        Body::Summons { content, .. } => Some(Receipt::read(content).map_or_else(|| content.to_string(), |told| told.sentence())),
        _ => None,
    };
    world.inbox().of(small.id_of(who)).filter_map(|wake| words(wake)).collect()
}

fn says(status: u16, body: &Json) -> Does {
    Does::Says(status, String::new(), body.to_string())
}

fn ended(ends: &str, message: Json) -> Does {
    says(200, &json!({ "choices": [{ "finish_reason": ends, "message": message }] }))
}

#[test]
fn what_the_provider_says_stands_where_whoever_may_read_the_moment_looks_for_it() {
    let body = json!({ "error": { "message": "max_tokens is too large: 9\n by sk-abcdefgh12345678", "code": 400 } });
    let server = Faulty::new(move |_| says(400, &body));
    let mut small = hall(&connection("tiny", &server, ""));
    asks(&mut small, "operator");
    asks(&mut small, "bob");
    small.run("10m");
    let moments = small.reel("ada");
    assert_eq!((server.count(), moments.len()), (2, 2), "each was asked once");
    let said = "400 \"max_tokens is too large: 9 by …(19)\"";
    for moment in &moments {
        assert_eq!((moment.closing.word(), code(moment).as_str()), ("dead-letter", "reply-rejected"));
        assert_eq!(moment.closing.reason().unwrap().at.as_ref(), said);
    }
    let world = small.world();
    assert!(world.inbox().dead().all(|(_, letter)| letter.reason.at.as_ref() == said));
    let sentence = |place: &str| {
        format!("gave no answer: the model's provider does not take the request, so it is asked once [reply-rejected] at `{place}`")
    };
    assert_eq!(heard(&small, "operator"), [sentence(said)]);
    assert_eq!(heard(&small, "bob"), [sentence("400")]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_provider_that_does_not_know_that_one_call_is_wanted_is_answered_with_what_to_write() {
    let body = json!({ "error": { "message": "Unrecognized request argument supplied: parallel_tool_calls" } });
    let server = Faulty::new(move |_| says(400, &body));
    for more in ["", ", parallel_calls = \"unsaid\""] {
        let mut small = hall(&connection("tiny", &server, more));
        asks(&mut small, "operator");
        small.run("10m");
        let at = small.reel("ada")[0].closing.reason().unwrap().at.to_string();
        assert!(at.ends_with("; write parallel_calls = \"unsaid\" in the connection"), "{at}");
        let asked = server.asked.lock().unwrap().last().unwrap().clone();
        assert_eq!(asked.contains("parallel_tool_calls"), more.is_empty(), "{asked}");
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

/// The greatest length and the seed of each request to a server.
fn asked(server: &Faulty) -> Vec<(i64, Option<i64>)> {
    let requests = server.asked.lock().unwrap();
    let body = |request: &String| serde_json::from_str::<Json>(request.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let length = |body: &Json| body["max_tokens"].as_i64().or_else(|| body["max_completion_tokens"].as_i64()).unwrap();
    requests.iter().map(body).map(|body| (length(&body), body["seed"].as_i64())).collect()
}

/// The words of a connection, what its server does at first and then, what it is asked, and how the last moment closes.
type CutRow = (&'static str, Does, Does, &'static [(i64, Option<i64>)], &'static str);

const HALF: &str = "{\"target\":\"/hall\",\"act";

fn half_a_call() -> Does {
    ended("length", json!({ "tool_calls": [{ "function": { "name": "do", "arguments": HALF } }] }))
}

#[test]
fn a_call_that_was_cut_is_asked_once_more_with_twice_the_length_and_another_seed() {
    let sampling = ", sampling = { max_tokens = 40, seed = 7 }";
    let anthropic = json!({ "content": [{ "type": "text", "text": "<tool_call>{\"name\"" }], "stop_reason": "max_tokens" });
    let rows: [CutRow; 7] = [
        (sampling, half_a_call(), good(), &[(40, Some(7)), (80, Some(8))], "act"),
        (sampling, half_a_call(), half_a_call(), &[(40, Some(7)), (80, Some(8))], "reply-cut"),
        (", answer_limit = \"max_completion_tokens\"", half_a_call(), good(), &[(1024, None), (2048, None)], "act"),
        (", longest = 60, sampling = { max_tokens = 40 }", half_a_call(), good(), &[(40, None), (60, None)], "act"),
        (", longest = 60", half_a_call(), good(), &[(60, None)], "reply-cut"),
        (", dialect = \"anthropic\"", says(200, &anthropic), says(200, &anthropic), &[(1024, None), (2048, None)], "reply-cut"),
        // The greater length is not taken: what is wrong is still that the reply was cut.
        (sampling, half_a_call(), says(400, &json!({ "error": "at most 64" })), &[(40, Some(7)), (80, Some(8))], "reply-cut"),
    ];
    for (more, first, then, wanted, ends) in rows {
        let server = Faulty::new(move |number| if number == 0 { first.clone() } else { then.clone() });
        let mut small = hall(&connection("tiny", &server, more));
        asks(&mut small, "operator");
        small.run("10m");
        assert_eq!(asked(&server), wanted, "{more}");
        let last = small.reel("ada").pop().unwrap();
        let is_answered = last.closing == Closing::Act;
        assert_eq!(code(&last), ends, "{more}");
        assert_eq!(heard(&small, "operator").len(), usize::from(!is_answered), "{more}");
        // As much is held back for the second as it may cost.
        let held: Vec<u64> = small.frames_of("ada").iter().filter_map(|draft| draft.reserved()).map(|held| held.output / 3).collect();
        assert_eq!(held, wanted.iter().map(|(length, _)| u64::try_from(*length).unwrap()).collect::<Vec<_>>(), "{more}");
        assert_eq!(small.replay().unwrap().difference, None);
    }
}

#[test]
fn words_that_were_cut_are_given_to_whoever_waits_and_to_nobody_else() {
    let server = Faulty::new(|_| ended("length", json!({ "content": "Hello, I was just" })));
    let mut small = hall(&connection("tiny", &server, ""));
    asks(&mut small, "operator");
    small.run("10m");
    assert_eq!((server.count(), heard(&small, "operator")), (1, vec!["\"Hello, I was just…\"".to_owned()]));
    small.run("55m");
    let turn: Vec<String> = small.reel("ada").iter().skip(1).map(code).collect();
    assert_eq!((server.count(), turn), (3, vec!["reply-cut".to_owned(); 2]));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_refusal_is_asked_once() {
    for (does, place) in [
        (ended("stop", json!({ "content": Json::Null, "refusal": "I will not." })), "I will not."),
        (ended("content_filter", json!({ "content": "I was going to" })), "I was going to"),
        (
            says(400, &json!({ "error": { "code": "content_filter", "message": "The prompt was filtered." } })),
            "400 \"The prompt was filtered.\"",
        ),
    ] {
        let server = Faulty::new(move |_| does.clone());
        let mut small = hall(&connection("tiny", &server, ""));
        asks(&mut small, "operator");
        small.run("10m");
        assert_eq!(server.count(), 1, "{place}");
        assert_eq!(heard(&small, "operator"), [format!("gave no answer: the model refused [reply-refused] at `{place}`")]);
    }
}
