//! Real model: do beings live by what a real small model answers through a real server, and is nothing lost when that server dies?
//!
//! SmolLM2-135M behind llama.cpp's own server, as tests/llm/model.py starts it. Its choices are near chance: what is asked here is that
//! its words become valid acts and that the history holds, never that it decided well.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use reelm::fact::{BeingId, Call, Closing, Code, Cognition, Draft, Thought, Value, Verb};
use reelm::run::{Stopped, Until};
use reelm::source::Source;

use super::kit::{Small, args, code};
use super::parts::MODEL;

/// A model server of its own, which ends with the test.
pub struct Served {
    child: Child,
    /// The address before `/chat/completions`.
    pub base_url: String,
}

fn starter() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/llm/model.py")
}

impl Served {
    /// Starts one and waits until it answers.
    pub fn start() -> Option<Self> {
        let home = MODEL.place()?;
        let mut child = Command::new("python3")
            .arg(starter())
            .args(["serve", "--dir"])
            .arg(home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut base_url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut base_url).unwrap();
        assert!(base_url.starts_with("http://127.0.0.1:"), "the model server did not start; `model.py serve` says why");
        Some(Self { child, base_url: base_url.trim().to_owned() })
    }

    /// As `kill -9` leaves it: in the middle of whatever it was saying.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The salon that ships, its connection pointed to a server.
pub fn salon(base_url: &str) -> Small {
    salon_by(base_url, &[])
}

/// The same, with more said of that connection.
fn salon_by(base_url: &str, more: &[(&str, &str)]) -> Small {
    let source = Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/worlds/salon")).unwrap();
    let mut small = Small::grow(&source, source.seed, 1);
    let connection = small.world().registry().config["llm.small"].clone();
    let Value::Map(mut connection) = (*connection).clone() else { panic!("{connection}") };
    connection.insert("base_url".into(), Value::text(base_url));
    connection.extend(more.iter().map(|(key, value)| ((*key).into(), Value::text(*value))));
    small.operate("/", "config.set", Value::map([("key", Value::text("llm.small")), ("value", Value::Map(connection))]));
    small
}

/// The moments in which a model was asked.
fn asked(small: &Small) -> Vec<Draft> {
    let drafts = small.shelf.frames().into_iter().map(|frame| frame.draft().clone());
    drafts.filter(|draft| matches!(draft.thought, Thought::Model { .. })).collect()
}

/// A valid act, or an honest look: the being saw, or goes on with what it saw.
fn is_valid(draft: &Draft) -> bool {
    matches!(draft.closing, Closing::Act | Closing::See) || code(draft) == "looked"
}

#[test]
#[ignore = "long: a real language model"]
fn three_beings_live_by_a_real_model_and_replay_without_it() {
    let Some(served) = Served::start() else { return };
    let mut small = salon(&served.base_url);
    while asked(&small).len() < 20 {
        let ran = small.course(Until { moments: Some(1), ..Until::default() });
        assert_eq!(ran.stopped, Stopped::Done);
    }
    served.kill();
    let asked = asked(&small);
    let told = |draft: &Draft| format!("{} {} {:?}", draft.being, code(draft), draft.call);
    let all: Vec<String> = asked.iter().map(told).collect();
    let valid = asked.iter().filter(|draft| is_valid(draft)).count();
    assert!(valid * 10 >= asked.len() * 9, "{valid} of {} are valid:\n{}", asked.len(), all.join("\n"));
    let beings: std::collections::BTreeSet<BeingId> = asked.iter().map(|draft| draft.being).collect();
    assert_eq!(beings.len(), 3);
    assert!(asked.iter().all(|draft| draft.cognition == Cognition::Llm));
    let verbs: std::collections::BTreeSet<Verb> = asked.iter().filter_map(|draft| Some(draft.call.as_ref()?.verb)).collect();
    // @cleo can only summon, @ben never does.
    assert!(verbs.contains(&Verb::Summon) && verbs.len() >= 2, "of see, do and summon it used only {verbs:?}:\n{}", all.join("\n"));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
#[ignore = "long: a real language model"]
fn asked_in_each_of_the_four_ways_a_real_model_acts_looks_or_is_told_what_was_wrong() {
    let Some(served) = Served::start() else { return };
    let ways: [(&str, &[(&str, &str)]); 4] = [
        ("native", &[("tools", "native")]),
        ("strict", &[("tools", "strict")]),
        ("json_schema", &[("tools", "json_schema")]),
        ("anthropic", &[("dialect", "anthropic")]),
    ];
    for (way, more) in ways {
        let mut small = salon_by(&served.base_url, more);
        while asked(&small).len() < 20 {
            let ran = small.course(Until { moments: Some(1), ..Until::default() });
            assert_eq!(ran.stopped, Stopped::Done, "{way}");
        }
        let asked = asked(&small);
        let told = |draft: &Draft| format!("{} {} {:?} {:?}", draft.being, code(draft), draft.closing.reason(), draft.call);
        let all: Vec<String> = asked.iter().map(told).collect();
        let valid = asked.iter().filter(|draft| is_valid(draft)).count();
        println!("{way}: {valid} of {} replies are acts or looks", asked.len());
        // All else that it writes is refused or malformed, and says so. An outage would mean that the server does not know this way.
        let is_told = |draft: &&Draft| is_valid(draft) || draft.closing.reason().is_some_and(|reason| !OUTAGES.contains(&reason.code));
        assert_eq!(asked.iter().filter(is_told).count(), asked.len(), "{way}:\n{}", all.join("\n"));
        assert!(valid * 2 >= asked.len(), "{way}: {valid} of {} are valid:\n{}", asked.len(), all.join("\n"));
        assert_eq!(small.replay().unwrap().difference, None, "{way}");
    }
}

/// The codes of a server that does not answer.
const OUTAGES: [Code; 2] = [Code::Outage, Code::ConnectionHeld];

/// A relay between a world and its model: it hands requests on, and can let the server die of one.
#[derive(Clone, Default)]
struct Relay {
    /// The server, if one is up; and whether the next request is its last.
    behind: Arc<Mutex<Option<(Served, bool)>>>,
}

impl Relay {
    /// Listens, on a thread that ends with the process.
    fn listen(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
        let relay = self.clone();
        std::thread::spawn(move || listener.incoming().for_each(|stream| relay.hand_on(stream.unwrap())));
        base_url
    }

    fn hand_on(&self, mut stream: TcpStream) {
        let request = one_request(&mut stream);
        if request.is_empty() {
            return;
        }
        let mut behind = self.behind.lock().unwrap();
        // Nobody there: the line is cut without a word.
        let Some((served, dies)) = behind.take() else { return };
        let address = served.base_url.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
        let mut server = TcpStream::connect(address).unwrap();
        // One request a line, so that the end of the answer is the end of the stream.
        server.write_all(request.replacen("\r\n", "\r\nconnection: close\r\n", 1).as_bytes()).unwrap();
        if dies {
            return served.kill();
        }
        let mut answer = Vec::new();
        server.read_to_end(&mut answer).unwrap();
        stream.write_all(&answer).unwrap();
        *behind = Some((served, false));
    }

    fn put(&self, served: Served, dies: bool) {
        *self.behind.lock().unwrap() = Some((served, dies));
    }
}

/// Reads a request with its body.
pub fn one_request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).unwrap_or(0);
        // The client has gone before its request was complete.
        if count == 0 {
            return String::new();
        }
        request.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, sent)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok());
        if sent.len() >= length.unwrap_or(0) {
            return text;
        }
    }
}

#[test]
#[ignore = "long: a real language model"]
fn a_model_server_that_dies_in_a_call_costs_an_attempt_and_nothing_is_lost_or_done_twice() {
    let Some(served) = Served::start() else { return };
    let relay = Relay::default();
    let mut small = salon(&relay.listen());
    // Nobody but ada, and she by request only, so that each wake can be told from the others.
    for name in ["ada", "ben", "cleo"] {
        small.operate(&format!("@{name}"), "schedule.end", args(r#"{"name":"turn"}"#));
    }
    relay.put(served, true);
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Say something to all."}"#)));
    small.run("500ms");
    let failed = asked(&small);
    assert_eq!(failed.len(), 1, "one attempt, and its wait is not over");
    assert!(["reply-broken", "endpoint-unreachable"].contains(&code(&failed[0]).as_str()), "{}", code(&failed[0]));
    assert_eq!(failed[0].closing.word(), "failed");

    let Some(again) = Served::start() else { panic!("it was there a moment ago") };
    relay.put(again, false);
    small.run("30s");
    let moments = asked(&small);
    let ada = small.id_of("ada");
    let hers: Vec<&Draft> = moments.iter().filter(|draft| draft.being == ada && draft.wake.cause == failed[0].wake.cause).collect();
    assert!(hers.len() > 1, "the wake was tried again");
    assert_eq!(hers[1].attempt, 2);
    // One moment at the most has closed the wake with an act, whatever came before it.
    let closed: Vec<&str> = hers.iter().map(|draft| draft.closing.word()).filter(|word| *word != "failed" && *word != "requeued").collect();
    assert_eq!(closed.len(), 1, "{closed:?}");
    assert!(small.world().inbox().of(ada).all(|wake| wake.id.cause != failed[0].wake.cause));
    assert_eq!(small.replay().unwrap().difference, None);
}
