//! Mind: does a language model live in a world as anybody else does, and does its moment replay without it?

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use reelm::cognition::{Asking, Reply, Request};
use reelm::dialect::TokenCount;
use reelm::fact::{Call, Closing, Code, Content, Fact, Thought, Value};
use reelm::minds::{Endpoints, Heard, Minds};
use reelm::run::{Course, Pace, Reins, Until};
use serde_json::{Value as Json, json};

use super::kit::{self, Small, args, code};

/// A model that answers from a list, and remembers what it was asked.
#[derive(Clone, Default)]
pub struct Script {
    replies: Arc<Mutex<Vec<Json>>>,
    asked: Arc<Mutex<Vec<Json>>>,
}

impl Script {
    pub fn of(mut messages: Vec<Json>) -> Self {
        messages.reverse();
        Self { replies: Arc::new(Mutex::new(messages)), ..Self::default() }
    }

    /// Sets the messages that it answers from now on.
    pub fn goes_on(&self, mut messages: Vec<Json>) {
        messages.reverse();
        *self.replies.lock().unwrap() = messages;
    }

    /// The requests.
    pub fn asked(&self) -> Vec<Json> {
        self.asked.lock().unwrap().clone()
    }

    /// The system and user message of each request.
    pub fn prompts(&self) -> Vec<(String, String)> {
        let text = |body: &Json, at: usize| body["messages"][at]["content"].as_str().unwrap().to_owned();
        self.asked.lock().unwrap().iter().map(|body| (text(body, 0), text(body, 1))).collect()
    }
}

pub fn body(message: &Json) -> String {
    json!({ "model": "tiny", "choices": [{ "finish_reason": "stop", "message": message }], "usage": { "total_tokens": 7 } }).to_string()
}

/// A reply as a server gives it at once.
pub fn answered(message: &Json) -> Reply {
    Reply::of(Asking { status: Some(200), body: Some(body(message).into()), ..Asking::default() })
}

impl Minds for Script {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        let answer = |request: &Request| {
            self.asked.lock().unwrap().push(serde_json::from_str(&request.body).unwrap());
            let message = self.replies.lock().unwrap().pop().unwrap_or_else(|| json!({ "content": "Nothing to do." }));
            answered(&message)
        };
        requests.iter().map(answer).collect()
    }
}

pub fn tool(name: &str, args: Json) -> Json {
    json!({ "role": "assistant", "content": null, "tool_calls": [{ "type": "function", "function": { "name": name, "arguments": args.to_string() } }] })
}

pub const WORLD: &str = r#"
[config]
"llm.connection" = "tiny"
"llm.tiny" = { base_url = "http://127.0.0.1:9/v1", model = "tiny", sampling = { temperature = 0, seed = 7 } }
[[space]]
path = "/hall"
allow = ["say", "quality.inc"]
[[matter]]
at = "/hall"
name = "cup"
[[being]]
name = "ada"
home = "/hall"
role = "free"
cognition = "llm"
quality = { persona = { age = 34 } }
[[being]]
name = "bob"
home = "/hall"
role = "free"
script = "answer"
"#;

fn lived(script: &Script) -> Small {
    let mut small = Small::plant(WORLD);
    small.living().asking(Box::new(script.clone()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Say hello, Ada."}"#)));
    small.run("1m");
    small
}

#[test]
fn a_tool_call_is_the_act_and_the_moment_replays_without_the_model() {
    let script = Script::of(vec![tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": "Hello." } }))]);
    let small = lived(&script);
    let moments = small.reel("ada");
    assert_eq!((moments.len(), &moments[0].closing), (1, &Closing::Act));
    assert!(matches!(&moments[0].thought, Thought::Model { .. }));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn the_prompt_says_who_where_what_may_be_done_the_role_and_the_time() {
    let script = Script::default();
    let small = lived(&script);
    let (system, user) = script.prompts().remove(0);
    let places: Vec<usize> = [
        "You are @ada, in the world `small`. You stand in /hall.",
        "You are in a test.",
        "What you may do now:",
        "- summon:",
        "- do say {content: ",
        "[place]",
        "[me]\n> persona: {\"age\":34}",
        "Z, a Monday.\nAnswer with",
    ]
    .iter()
    .map(|wanted| system.find(wanted).unwrap_or_else(|| panic!("`{wanted}` is not in\n{system}")))
    .collect();
    assert!(places.is_sorted(), "the order is another\n{system}");
    assert_eq!(user, "@operator, as operator, summons you:\n> Say hello, Ada.");
    let asked = script.asked.lock().unwrap()[0].clone();
    assert_eq!((asked["seed"].as_i64(), asked["tools"].as_array().unwrap().len()), (Some(7), 4));
    // Prose alone is the answer to whoever asked, and wants none.
    let Some(Fact::Asked(said)) = small.reel("ada")[0].facts.first().cloned() else { panic!("she said nothing") };
    assert_eq!((said.to, said.in_reply_to.is_some(), said.wants_answer()), (small.id_of("operator"), true, false));
}

#[test]
fn who_looks_goes_on_with_what_it_saw() {
    let script = Script::of(vec![tool("see", json!({ "address": "/hall/cup" })), tool("summon", json!({ "content": "I see a cup." }))]);
    let small = lived(&script);
    let moments = small.reel("ada");
    assert_eq!(code(&moments[0]), "looked");
    assert_eq!((moments.len(), &moments[1].closing, moments[1].call.as_ref().unwrap().target.as_ref()), (2, &Closing::Act, "@operator"));
    let prompts = script.prompts();
    assert!(!prompts[0].0.contains("you looked at") && prompts[1].0.contains("[you looked at /hall/cup]\nIt is a "));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn who_only_looks_has_to_decide_in_the_end() {
    let script = Script::of(vec![tool("see", json!({ "address": "/hall" })); 20]);
    let small = lived(&script);
    let moments = small.reel("ada");
    assert_eq!(moments.len(), 5, "four looks are told, the fifth closes the wake");
    assert_eq!(moments[4].closing, Closing::See);
    let last = script.asked.lock().unwrap()[4].clone();
    assert!(last["tools"].as_array().unwrap().iter().all(|tool| tool["function"]["name"] != "see"));
}

#[test]
fn what_cannot_be_understood_is_tried_again_and_then_given_up_and_the_world_goes_on() {
    let script = Script::of(vec![tool("fly", json!({})); 9]);
    let mut small = lived(&script);
    small.run("10m");
    let closings: Vec<&str> = small.reel("ada").iter().map(|draft| draft.closing.word()).collect();
    assert_eq!(closings, ["failed", "failed", "dead-letter"]);
    assert_eq!(code(&small.reel("ada")[2]), "reply-unknown-tool");
    small.act("operator", Call::summon("@bob", args(r#"{"content":"and you?"}"#)));
    small.run("1m");
    assert!(!small.reel("bob").is_empty());
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_the_role_does_not_allow_is_refused_whatever_the_model_says() {
    let script = Script::of(vec![tool("do", json!({ "target": "/", "action": "quality.set", "args": { "path": "t.mine", "value": 1 } }))]);
    let small = lived(&script);
    assert_eq!(small.reel("ada")[0].closing.refusal().unwrap().code, Code::GatePlace);
}

#[test]
fn a_model_without_a_connection_waits_and_is_never_lost() {
    let mut small = Small::plant(&WORLD.replace("\"llm.connection\" = \"tiny\"\n", ""));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Are you there?"}"#)));
    small.run("1h");
    assert!(small.reel("ada").is_empty());
    let script = Script::of(vec![tool("summon", json!({ "content": "I am." }))]);
    small.living().asking(Box::new(script));
    small.operate("/", "config.set", args(r#"{"key":"llm.connection","value":"tiny"}"#));
    small.run("1m");
    assert_eq!(small.reel("ada")[0].closing, Closing::Act);
}

/// A server that answers each request with the next of these: a status, headers, a body. It gives back what it was sent.
pub fn serve(answers: Vec<(u16, &'static str, String)>) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let served = std::thread::spawn(move || {
        let mut heard = Vec::new();
        for (status, headers, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut buffer = [0; 4096];
            loop {
                let count = stream.read(&mut buffer).unwrap();
                request.extend_from_slice(&buffer[..count]);
                let text = String::from_utf8_lossy(&request).into_owned();
                let Some((head, sent)) = text.split_once("\r\n\r\n") else { continue };
                let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok());
                if sent.len() >= length.unwrap_or(0) {
                    break;
                }
            }
            heard.push(String::from_utf8(request).unwrap());
            write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}", body.len()).unwrap();
        }
        heard
    });
    (address, served)
}

pub fn reply_of(small: &Small) -> Value {
    match small.reel("ada").pop().unwrap().thought {
        Thought::Model { reply: Content::Here(reply), .. } => reply,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_busy_server_is_asked_again_and_the_key_stays_outside_the_world() {
    let spoken = body(&tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": "Hello." } })));
    // A server that says back what it was sent must not carry the key into the world.
    let spoken = spoken.replacen("{", "{\"echo\":\"Bearer reelm\",", 1);
    let (address, served) = serve(vec![(429, "retry-after: 0\r\n", "{}".to_owned()), (200, "", spoken)]);
    // A variable that every test process has stands for a key.
    let world =
        WORLD.replace("http://127.0.0.1:9/v1", &address).replace("model = \"tiny\",", "model = \"tiny\", key = \"env:CARGO_PKG_NAME\",");
    let mut small = Small::plant(&world);
    small.living().asking(Box::new(Endpoints::default()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Say hello, Ada."}"#)));
    small.run("1m");
    let heard = served.join().unwrap();
    assert!(heard.iter().all(|request| request.to_lowercase().contains("authorization: bearer reelm")), "{heard:?}");
    assert_eq!(small.reel("ada")[0].closing, Closing::Act);
    let reply = reply_of(&small);
    assert_eq!((reply.get("attempts"), reply.get("status")), (Some(&Value::Int(2)), Some(&Value::Int(200))));
    let kept = format!("{:?}", small.shelf.frames());
    assert!(kept.contains("Bearer [key]") && !kept.contains("Bearer reelm"));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_being_recalls_what_was_said_done_and_done_as_it_without_any_transcript() {
    let reply = |words: &str| tool("summon", json!({ "content": words }));
    let script =
        Script::of(vec![json!({ "content": "I listen." }), reply("Good morning."), reply("You said good morning."), reply("I am well.")]);
    let mut small =
        Small::plant(&format!("{WORLD}\n[[being]]\nname = \"eve\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n"));
    small.living().asking(Box::new(script.clone()));
    small.act("eve", Call::doing("/hall", "say", args(r#"{"content":"What a cold hall."}"#)));
    small.act("eve", Call::summon("@ada", args(r#"{"content":"Good morning, Ada."}"#)));
    small.run("1m");
    small.act("eve", Call::summon("@ada", args(r#"{"content":"What did I say?"}"#)));
    small.run("1m");
    let (system, user) = script.prompts().remove(2);
    assert!(user.contains("What did I say?"));
    for wanted in [
        "[thread]",
        "@eve told you:\n> Good morning, Ada.",
        "you told @eve: Good morning.",
        "[recent-here]",
        "@eve said:\n> What a cold hall.",
        "[about-caller]",
        "no kin of yours",
    ] {
        assert!(system.contains(wanted), "`{wanted}` is not in\n{system}");
    }
    assert!(!system.contains("What did I say?"), "what is to be answered stands in the user message alone\n{system}");
    // While somebody drives her the model is not asked; afterwards she knows what was done as her.
    small.act("operator", Call::be("inhabit", args(r#"{"being":"@ada"}"#)));
    small.act("ada", Call::doing("/hall", "quality.inc", args(r#"{"path":"a.b","by":1}"#)));
    assert_eq!(script.prompts().len(), 3);
    small.act("operator", Call::be("release", args(r#"{"being":"@ada"}"#)));
    small.act("eve", Call::summon("@ada", args(r#"{"content":"Why did you do that?"}"#)));
    small.run("1m");
    let (system, _) = script.prompts().remove(3);
    assert!(
        system.contains("[handover]") && system.contains("@operator drove you") && system.contains("you did quality.inc on /hall"),
        "{system}"
    );
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn turned_inward_a_being_is_told_what_it_did_and_not_where_it_is() {
    // She can turn so herself: whoever may speak to herself is told how.
    let script = Script::of(vec![tool("summon", json!({ "target": "@ada", "content": "Think.", "orientation": "inward" }))]);
    let turns = |asked: &Json| asked.to_string().contains("of a summons to yourself: half to be told what you did");
    let mut small = Small::plant(
        &WORLD
            .replace("role = \"free\"\ncognition = \"llm\"", "role = \"free\"\ncognition = \"llm\"\nquality.t.n = 1")
            .replace("quality = { persona = { age = 34 } }", ""),
    );
    small.living().asking(Box::new(script.clone()));
    small.act("operator", Call::be("inhabit", args(r#"{"being":"@ada"}"#)));
    small.act("ada", Call::summon("@ada", args(r#"{"content":"Remember.","orientation":"inward"}"#)));
    small.act("ada", Call::doing("/hall", "say", args(r#"{"content":"I was here."}"#)));
    small.act("operator", Call::be("release", args(r#"{"being":"@ada"}"#)));
    small.run("1m");
    let (system, _) = script.prompts().remove(0);
    assert!(
        system.contains("[own-acts]")
            && system.contains("you said: I was here.")
            && !system.contains("[place]")
            && !system.contains("[recent-here]")
            && !system.contains("/hall/cup"),
        "{system}"
    );
    assert!(turns(&script.asked()[0]), "{}", script.asked()[0]);
    let (again, user) = script.prompts().remove(1);
    assert!(again.contains("[own-acts]") && !again.contains("[place]") && user.contains("Think."), "{again}");
}

#[test]
fn the_places_in_a_prompt_are_filled_in_from_the_moment() {
    let script = Script::default();
    let mut small = Small::plant(&WORLD.replace("role = \"free\"\ncognition = \"llm\"", "role = \"aged\"\ncognition = \"llm\""));
    small.living().asking(Box::new(script.clone()));
    let role = r#"{"name":"aged","role":{"name":"aged","canSee":["**"],"canSummon":["**"],"prompt":"You are {{me.name}}, {{me.quality.persona.age}}.{% if caller.name == 'operator' %} Be polite.{% endif %}"}}"#;
    small.operate("/", "role.set", args(role));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Who are you?"}"#)));
    small.run("1m");
    let (system, _) = script.prompts().remove(0);
    assert!(system.contains("You are ada, 34. Be polite."), "{system}");
    let broken = small.act("operator", Call::doing("/", "role.set", args(r#"{"name":"aged","role":{"name":"aged","prompt":"{{ open"}}"#)));
    assert_eq!(code(&broken), "role-malformed");
    assert_eq!(small.replay().unwrap().difference, None);
}

/// A model that answers only when it is told to.
#[derive(Clone, Default)]
pub struct Slow(pub Arc<Mutex<Vec<Heard>>>);

impl Minds for Slow {
    fn ask(&mut self, _: &[Request]) -> Vec<Reply> {
        unreachable!("in real time nobody waits")
    }

    fn begin(&mut self, _: Request, heard: Heard) {
        self.0.lock().unwrap().push(heard);
    }
}

#[test]
fn in_real_time_whoever_is_ready_closes_next_and_it_replays() {
    let ticking = "script = \"count\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"1s\"\n";
    let mut small = Small::plant(&WORLD.replace("script = \"answer\"\n", ticking));
    let slow = Slow::default();
    small.living().asking(Box::new(slow.clone()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Take your time."}"#)));
    // A second summons has to wait: one moment at a time.
    small.act("operator", Call::summon("@ada", args(r#"{"content":"And then this."}"#)));
    let (mut ticks, mut answers) = (0, 0);
    let spoken = || answered(&json!({ "content": "Hm." }));
    let reins = Reins::default();
    let mut watch = |report: &reelm::past::Report| {
        ticks += u32::from(report.being.as_ref() == "bob");
        answers += u32::from(report.being.as_ref() == "ada");
        if report.being.as_ref() == "bob" {
            assert!(slow.0.lock().unwrap().len() <= 1, "she is asked one thing at a time");
        }
        if ticks >= 2 {
            let waiting: Vec<Heard> = std::mem::take(&mut *slow.0.lock().unwrap());
            waiting.into_iter().for_each(|heard| heard.tell(spoken()));
        }
        if answers == 2 {
            reins.stop();
        }
    };
    let until = Until { duration: reelm::fact::parse_duration("365d"), ..Until::default() };
    small.living().run(Course { pace: Pace::Real, until, reins: &reins, watch: Some(&mut watch), measures: None }).unwrap();
    let (hers, his) = (small.reel("ada"), small.reel("bob"));
    assert_eq!(hers.iter().map(|draft| &draft.closing).collect::<Vec<_>>(), [&Closing::Act; 2]);
    let between = his.iter().filter(|draft| (hers[0].opened..hers[0].seq).contains(&draft.seq)).count();
    assert!(between >= 2, "{between} of his moments closed while she thought");
    assert!(hers[1].opened > hers[0].seq && hers[0].at >= his[1].at);
    assert_eq!(small.replay().unwrap().difference, None);
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
}

#[test]
fn a_run_in_real_time_waits_at_its_end_for_what_it_has_begun() {
    let mut small = Small::plant(WORLD);
    let slow = Slow::default();
    small.living().asking(Box::new(slow.clone()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Take your time."}"#)));
    small.act("operator", Call::summon("@bob", args(r#"{"content":"Say something."}"#)));
    let spoken = answered(&json!({ "content": "Hm." }));
    let (reins, waiting) = (Reins::default(), slow.0.clone());
    let until = Until { moments: Some(1), ..Until::default() };
    std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let course = Course { pace: Pace::Real, until, reins: &reins, watch: None, measures: None };
            small.living().run(course).unwrap()
        });
        // He has answered at once, and the run has had its one moment: it waits for her.
        kit::until("she is asked", || !waiting.lock().unwrap().is_empty());
        waiting.lock().unwrap().remove(0).tell(spoken);
        assert_eq!(running.join().unwrap().stopped, reelm::run::Stopped::Done);
    });
    assert_eq!((small.reel("ada").len(), &small.reel("ada")[0].closing), (1, &Closing::Act));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_wake_that_is_gone_when_the_answer_comes_is_acted_for_by_nobody_and_its_cost_is_told() {
    let scheduled = "parent = \"@bob\"\n[[being.schedule]]\nname = \"turn\"\nevery = \"1s\"\n";
    let mut small = Small::plant(
        &WORLD.replace("quality = { persona = { age = 34 } }\n", scheduled).replace("script = \"answer\"", "script = \"unschedule\""),
    );
    let script = r#"fn think(face) { act("@ada", "schedule.end", #{ name: "turn" }) }"#;
    small.operate("/", "script.set", args(&json!({ "name": "unschedule", "source": script }).to_string()));
    let slow = Slow::default();
    small.living().asking(Box::new(slow.clone()));
    let mut spoken = answered(&tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": "Hello." } })));
    spoken.last.usage = Some(TokenCount { input: 9, cached: 0, output: 1 });
    let reins = Reins::default();
    let mut watch = |report: &reelm::past::Report| {
        if report.being.as_ref() == "bob" {
            let waiting: Vec<Heard> = std::mem::take(&mut *slow.0.lock().unwrap());
            assert_eq!(waiting.len(), 1);
            waiting.into_iter().for_each(|heard| heard.tell(spoken.clone()));
        }
        if report.being.as_ref() == "ada" {
            reins.stop();
        }
    };
    // Both are due in the first round: she is asked, and he takes back what woke her.
    small.act("operator", Call::doing("@bob", "schedule.set", args(r#"{"name":"late","every":"1s","offset":500}"#)));
    small
        .living()
        .run(Course { pace: Pace::Real, until: Until::default(), reins: &reins, watch: Some(&mut watch), measures: None })
        .unwrap();
    let hers = small.reel("ada").pop().unwrap();
    assert_eq!((code(&hers).as_str(), hers.call.is_none(), hers.spent().unwrap().spend.input), ("wake-gone", true, 9));
    assert_eq!(small.world().ledger().held_in_all().0, 0);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_run_that_is_stopped_while_a_model_thinks_counts_the_call_and_asks_again() {
    let mut small = Small::plant(WORLD);
    let slow = Slow::default();
    small.living().asking(Box::new(slow.clone()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Take your time."}"#)));
    small.act("operator", Call::summon("@bob", args(r#"{"content":"Say something."}"#)));
    let reins = Reins::default();
    reins.set_grace(std::time::Duration::ZERO);
    let mut watch = |_: &reelm::past::Report| {
        reins.stop();
    };
    let course = Course { pace: Pace::Real, until: Until::default(), reins: &reins, watch: Some(&mut watch), measures: None };
    small.living().run(course).unwrap();
    assert_eq!((small.reel("ada").len(), slow.0.lock().unwrap().len()), (0, 1));
    let script = Script::of(vec![tool("summon", json!({ "content": "Here I am." }))]);
    small.living().asking(Box::new(script.clone()));
    small.run("1h");
    let hers = small.reel("ada");
    assert_eq!((code(&hers[0]).as_str(), &hers[1].closing, script.prompts().len()), ("unanswered", &Closing::Act, 1));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_connection_is_enforced_else_for_the_roles_slot_else_ones_own_else_the_spaces_else_the_worlds() {
    let more = ["own", "place", "slot", "above"]
        .map(|name| format!("\"llm.{name}\" = {{ base_url = \"http://127.0.0.1:9/v1\", model = \"{name}\" }}\n"));
    let script = Script::default();
    let mut small = Small::plant(&WORLD.replace("[[space]]\n", &format!("{}[[space]]\n", more.concat())));
    small.living().asking(Box::new(script.clone()));
    let asked_after = |small: &mut Small, target: &str, action: &str, json: &str| {
        if !target.is_empty() {
            small.operate(target, action, args(json));
        }
        small.act("operator", Call::summon("@ada", args(r#"{"content":"Well?"}"#)));
        small.run("1m");
        script.asked.lock().unwrap().last().unwrap()["model"].as_str().unwrap().to_owned()
    };
    let set = |key: &str, name: &str| format!(r#"{{"key":"{key}","value":"{name}"}}"#);
    let role = r#"{"name":"free","role":{"name":"free","slot":"thinker","canSee":["**"]}}"#;
    assert_eq!(asked_after(&mut small, "", "", ""), "tiny");
    assert_eq!(asked_after(&mut small, "/hall", "config.set", &set("llm.connection", "place")), "place");
    assert_eq!(asked_after(&mut small, "@ada", "config.set", &set("llm.connection", "own")), "own");
    assert_eq!(asked_after(&mut small, "/", "role.set", role), "own", "nobody says what this slot is");
    assert_eq!(asked_after(&mut small, "/", "config.set", &set("llm.slots.thinker", "slot")), "slot");
    let enforce = r#"{"key":"enforce","value":["llm.connection"]}"#;
    assert_eq!(
        asked_after(&mut small, "/hall", "config.set", enforce),
        "place",
        "what a space enforces holds for every slot and every being"
    );
    assert_eq!(asked_after(&mut small, "/", "config.set", &set("llm.connection", "above")), "place");
    assert_eq!(asked_after(&mut small, "/", "config.set", enforce), "above", "what is enforced further out holds");
    assert_eq!(small.replay().unwrap().difference, None);
}
