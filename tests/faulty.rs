//! Faulty: a server of models that fails as it is told to, for whoever asks what becomes of a being then.

use std::io::Write;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use reelm::fact::Call;
use reelm::minds::Endpoints;
use serde_json::json;

use super::kit::{Small, args};
use super::mind::{WORLD, body, tool};
use super::real_model::one_request;

/// The reaction of the server to a request.
#[derive(Clone)]
pub enum Does {
    /// Answers with a status, headers, each with its line's end, and a body.
    Says(u16, String, String),
    /// Sends these bytes, whatever they are, and closes the line.
    Sends(Vec<u8>),
    /// Says nothing and holds the line, as long as whoever asked.
    Hangs,
}

/// A server; what it was asked stands in `asked`.
#[derive(Clone)]
pub struct Faulty {
    pub url: String,
    pub asked: Arc<Mutex<Vec<String>>>,
}

impl Faulty {
    /// Does with each request what is said for its number, from 0. It listens as long as the process lives.
    pub fn new(does: impl Fn(usize) -> Does + Send + Sync + 'static) -> Self {
        Self::reading(move |number, _| does(number))
    }

    /// The same, with what the request says.
    pub fn reading(does: impl Fn(usize, &str) -> Does + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let faulty = Self { url: format!("http://{}/v1", listener.local_addr().unwrap()), asked: Arc::default() };
        let (asked, does) = (faulty.asked.clone(), Arc::new(does));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, asked, does) = (stream.unwrap(), asked.clone(), does.clone());
                std::thread::spawn(move || {
                    let request = one_request(&mut stream);
                    if request.is_empty() {
                        return;
                    }
                    let number = {
                        let mut asked = asked.lock().unwrap();
                        asked.push(request.clone());
                        asked.len() - 1
                    };
                    // The client may have gone.
                    let _ = match does(number, &request) {
                        Does::Says(status, headers, body) => stream.write_all(whole(status, &headers, &body).as_bytes()),
                        Does::Sends(bytes) => stream.write_all(&bytes),
                        Does::Hangs => std::io::copy(&mut stream, &mut std::io::sink()).map(drop),
                    };
                });
            }
        });
        faulty
    }

    /// The same thing so often, and then a good answer.
    pub fn then_good(times: usize, does: Does) -> Self {
        Self::new(move |number| if number < times { does.clone() } else { good() })
    }

    pub fn count(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

/// A response as it goes over the line.
pub fn whole(status: u16, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n{body}", body.len())
}

/// A status, which may be asked again at once.
pub fn status(status: u16) -> Does {
    Does::Says(status, "retry-after: 0\r\n".to_owned(), r#"{"error":{"message":"no"}}"#.to_owned())
}

/// Ada says hello in her hall.
pub fn good() -> Does {
    let says = tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": "Hello." } }));
    Does::Says(200, String::new(), body(&says).replacen("\"total_tokens\":7", "\"prompt_tokens\":9,\"completion_tokens\":1", 1))
}

const TINY: &str = "\"llm.tiny\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\", sampling = { temperature = 0, seed = 7 } }";

/// The small world of models with other connections, after Ada has been spoken to.
pub fn spoken_to(connections: &str) -> Small {
    assert!(WORLD.contains(TINY));
    let mut small = Small::plant(&WORLD.replace(TINY, connections));
    small.living().asking(Box::new(Endpoints::default()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Say hello, Ada."}"#)));
    small
}

/// The line of a connection to a server, with more of its words.
pub fn connection(name: &str, server: &Faulty, more: &str) -> String {
    format!("\"llm.{name}\" = {{ base_url = \"{}\", model = \"{name}\", timeout_ms = 2000{more} }}\n", server.url)
}
