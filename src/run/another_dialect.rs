//! Another dialect: a world lives by a provider of which one file says all that there is to know.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;

use crate::fact::{Call, Canon, Closing, Content, Draft, Frame, Spend, Thought, Value, simulated};
use crate::role::Spec;
use crate::source::Source;
use crate::store::{MemoryStore, Store, Stored};

use super::clock::Pace;
use super::course::{Course, Until};
use super::living::Living;
use super::reins::Reins;

const WORLD: &str = r#"name = "small"
seed = 1
[config]
"llm.connection" = "tiny"
"llm.tiny" = { dialect = "other", base_url = "URL", model = "tiny", key = "env:CARGO_PKG_NAME", sampling = { words = 50 } }
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "free"
cognition = "llm"
"#;

fn source(url: &str) -> Source {
    let mut source = Source::parse(Path::new("."), "world.toml", &WORLD.replace("URL", url)).unwrap();
    source.roles.push(Spec::from_markdown("free.md", "---\nname: free\ncanSee: ['**']\ncanSummon: ['**']\n---\nYou are free.\n").unwrap());
    source
}

/// Answers one request, and gives back its first line, its headers and its body.
fn serve(answer: &'static str) -> (String, std::thread::JoinHandle<(String, String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut lines = reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty());
        let (first, headers) = (lines.next().unwrap(), lines.by_ref().collect::<Vec<_>>().join("\n").to_lowercase());
        let length = headers.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        write!(stream, "HTTP/1.1 200 X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}", answer.len()).unwrap();
        (first, headers, String::from_utf8(body).unwrap())
    });
    (url, served)
}

fn last(store: &dyn Store) -> Draft {
    let frames = store.read(0).unwrap().filter_map(|entry| match entry.unwrap() {
        Stored::Frame { bytes, .. } => Some(Frame::read(&bytes).unwrap().draft().clone()),
        Stored::Blob { .. } | Stored::Commit { .. } => None,
    });
    frames.last().unwrap()
}

#[test]
fn a_provider_is_one_file_its_address_its_header_its_request_its_answer_and_its_count() {
    let answer = r#"{"says":"Good day.","does":{"name":"summon","arguments":{"content":"Here I am."}},"by":"tiny-2","read":40,"wrote":5}"#;
    let (url, served) = serve(answer);
    let source = source(&url);
    let (_, id) = simulated(&source.name, 1);
    let mut living = Living::plant_in(&source, Some(1), Box::new(MemoryStore::new(id)), 1).unwrap();
    living.act("operator", Call::summon("@ada", serde_json::from_str(r#"{"content":"Are you there?"}"#).unwrap())).unwrap();
    let until = Until { moments: Some(1), ..Until::default() };
    living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
    let (first, headers, body) = served.join().unwrap();
    assert_eq!(first, "POST /v1/letters HTTP/1.1");
    assert!(headers.contains("x-key: reelm") && !headers.contains("authorization"), "{headers}");
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert_eq!((body["to"].as_str(), body["words"].as_u64(), body["may"][0][0].as_str()), (Some("tiny"), Some(50), Some("see")));
    let (_, sealer) = living.stop().unwrap();
    let moment = last(sealer.store());
    assert_eq!((&moment.closing, moment.call.as_ref().unwrap().content.as_deref()), (&Closing::Act, Some("Good day.")));
    let spent = moment.spent().unwrap();
    assert_eq!((spent.model.as_ref(), spent.spend), ("tiny-2", Spend { calls: 1, input: 40, output: 5, money: 0 }));
    let Thought::Model { request, .. } = &moment.thought else { panic!("{:?}", moment.thought) };
    let request = match request {
        Content::There { hash, .. } => Value::from_canon(&sealer.store().blob(hash).unwrap().unwrap()).unwrap(),
        Content::Here(value) => value.clone(),
        Content::Unread { .. } => panic!("{request:?}"),
    };
    assert_eq!(request.get("dialect"), Some(&Value::text("other")), "who reads it later has to know");
    let told = crate::cognition::messages(&request);
    assert!(told.len() == 1 && told[0].1.contains("You are @ada") && told[0].1.contains("Are you there?"), "{told:?}");
}

#[test]
fn a_word_that_is_no_dialect_is_an_error_that_names_the_line_and_those_that_there_are() {
    let error = Source::parse(Path::new("."), "world.toml", &WORLD.replace("\"other\"", "\"opnai\"")).err().unwrap();
    assert_eq!(error.to_string(), "world.toml:5: llm.tiny: expected a dialect (`openai`, `anthropic`, `other`), found `opnai`");
}
