//! Served: the real binary, serving a world on a free port, and people who speak HTTP with it.
//!
//! Every test that serves a world also looks for secrets: passwords, tokens and the keys of models stand in no answer, no file and no log.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use super::described;
use super::terminal::Terminal;

/// A world that is served until this is dropped.
pub struct Served {
    pub terminal: Terminal,
    child: Child,
    pub url: String,
    pub link: Option<String>,
    runtime: tokio::runtime::Runtime,
    client: reqwest::Client,
    secrets: Mutex<Vec<String>>,
}

/// Somebody with a browser.
#[derive(Clone, Default)]
pub struct Person {
    /// All that the browser sends: `name=token`, more behind `; `.
    pub cookie: Option<String>,
}

/// The response of the server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
    pub text: String,
    /// That of the session, as a browser sends it: `name=token`.
    pub cookie: Option<String>,
    /// All cookies that it sets.
    pub cookies: Vec<(String, String)>,
    headers: reqwest::header::HeaderMap,
}

impl Answer {
    pub fn ok(self) -> Value {
        assert_eq!(self.status, 200, "{}", self.text);
        self.body
    }

    /// One of its headers.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Its error's code.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }
}

impl Served {
    /// Serves a world that ships, paused, so that only what people do happens.
    pub fn paused(world: &str) -> Self {
        Self::begin(Terminal::new(), &format!("serve $worlds/{world} --port 0 --paused --json"))
    }

    pub fn begin(terminal: Terminal, line: &str) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().build().unwrap();
        let (child, said) = start(&terminal, line);
        let text = |key: &str| said[key].as_str().map(str::to_owned);
        let secrets = Mutex::new(vec![MODEL_KEY.to_owned()]);
        Self { url: text("url").unwrap(), link: text("link"), terminal, child, runtime, client, secrets }
    }

    /// Ends the process as a crash would, and serves the world again.
    pub fn killed_and_again(mut self, line: &str) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let (child, said) = start(&self.terminal, line);
        self.url = said["url"].as_str().unwrap().to_owned();
        self.link = said["link"].as_str().map(str::to_owned);
        self.child = child;
        self
    }

    /// Ends the process as a crash would.
    pub fn killed(mut self) -> Terminal {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::mem::replace(&mut self.terminal, Terminal::new())
    }

    /// The id of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks it to stop, and waits until it has.
    pub fn stop(mut self) -> Terminal {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(self.child.wait().unwrap().success());
        self.hides_its_secrets();
        std::mem::replace(&mut self.terminal, Terminal::new())
    }

    pub fn send(&self, person: &Person, method: &str, path: &str, body: Option<String>, headers: &[(&str, &str)]) -> Answer {
        self.send_as(person, method, path, body.map(|body| ("application/json", body.into_bytes())), headers)
    }

    /// The same with a body of any kind. The answer is checked against the API's own description.
    pub fn send_as(&self, person: &Person, method: &str, path: &str, body: Option<(&str, Vec<u8>)>, headers: &[(&str, &str)]) -> Answer {
        let url = format!("{}{}", self.url, path.trim_start_matches('/'));
        let mut request = self.client.request(method.parse().unwrap(), url);
        if let Some(cookie) = &person.cookie {
            request = request.header("cookie", cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, value.as_bytes());
        }
        if let Some((kind, body)) = body {
            request = request.header("content-type", kind).body(body);
        }
        self.runtime.block_on(async {
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            let headers = response.headers().clone();
            let pair = |set: &str| {
                set.split_once(';').and_then(|(pair, _)| pair.split_once('=')).map(|(name, token)| (name.to_owned(), token.to_owned()))
            };
            let cookies: Vec<(String, String)> =
                headers.get_all("set-cookie").iter().filter_map(|set| pair(set.to_str().unwrap())).collect();
            let cookie = cookies.iter().find(|(name, _)| name.starts_with("reelm_session_")).map(|(name, token)| format!("{name}={token}"));
            let bytes = response.bytes().await.unwrap();
            self.holds_no_secret(&bytes, path);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let body = match headers.get("content-type").map(|kind| kind.to_str().unwrap()) {
                Some("application/cbor") if !bytes.is_empty() => ciborium::from_reader(&bytes[..]).unwrap(),
                _ => serde_json::from_str(&text).unwrap_or_default(),
            };
            let is_told =
                headers.get("content-type").is_some_and(|kind| ["application/json", "application/cbor"].contains(&kind.to_str().unwrap()));
            if is_told && !bytes.is_empty() {
                described::holds(method, path, status, &body);
            }
            Answer { status, body, text, cookie, cookies, headers }
        })
    }

    pub fn get(&self, person: &Person, path: &str) -> Answer {
        self.send(person, "GET", path, None, &[])
    }

    pub fn post(&self, person: &Person, path: &str, body: Value) -> Answer {
        self.send(person, "POST", path, Some(body.to_string()), &[])
    }

    pub fn delete(&self, person: &Person, path: &str) -> Answer {
        self.send(person, "DELETE", path, None, &[])
    }

    /// The operator, come in by the link.
    pub fn operator(&self) -> Person {
        let token = self.link.as_deref().unwrap().rsplit('/').next().unwrap().to_owned();
        self.keep_secret(&token);
        let answer = self.post(&Person::default(), "/api/session", json!({ "token": token }));
        assert_eq!(answer.status, 200, "{}", answer.text);
        self.keep_cookie(&answer);
        Person { cookie: answer.cookie }
    }

    /// From now on the session's token is looked for everywhere.
    pub fn keep_cookie(&self, answer: &Answer) {
        let (_, token) = answer.cookie.as_deref().unwrap().split_once('=').unwrap();
        self.keep_secret(token);
    }

    /// From now on this is looked for everywhere.
    pub fn keep_secret(&self, secret: &str) {
        self.secrets.lock().unwrap().push(secret.to_owned());
    }

    fn holds_no_secret(&self, bytes: &[u8], place: &str) {
        // Bytes that are no text become marks, and a secret is text. A text is searched many times faster than bytes.
        let text = String::from_utf8_lossy(bytes);
        for secret in &*self.secrets.lock().unwrap() {
            assert!(!text.contains(secret.as_str()), "a secret stands in {place}");
        }
    }

    /// Looks through everything that was written: the world, what is beside it, and the log.
    fn hides_its_secrets(&self) {
        let mut folders = vec![self.terminal.path(".")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    self.holds_no_secret(&std::fs::read(entry.path()).unwrap(), &entry.path().display().to_string());
                }
            }
        }
    }

    /// A person whom the operator gives birth to, with a password, logged in.
    pub fn person(&self, operator: &Person, name: &str, birth: Value) -> Person {
        let mut payload = json!({ "name": name, "cognition": "human" });
        payload.as_object_mut().unwrap().extend(birth.as_object().cloned().unwrap());
        let born = self.post(operator, "/api/be", json!({ "operation": "birth", "payload": payload })).ok();
        assert_eq!(born["closing"], "act", "{born}");
        self.post(operator, "/api/password", json!({ "being": name, "password": "only for tests" })).ok();
        self.login(name, "only for tests")
    }

    pub fn login(&self, name: &str, password: &str) -> Person {
        let answer = self.post(&Person::default(), "/api/session", json!({ "being": name, "password": password }));
        assert_eq!(answer.status, 200, "{}", answer.text);
        self.keep_secret(password);
        self.keep_cookie(&answer);
        Person { cookie: answer.cookie }
    }

    /// The first so many moments of the stream, from a seq on.
    pub fn stream(&self, person: &Person, path: &str, count: usize) -> Vec<Value> {
        let moments = |events: &[Heard]| events.iter().filter(|event| event.name == "moment").count();
        let events = self.hear(person, path, |events| moments(events) >= count);
        let mut moments: Vec<Value> = events.into_iter().filter(|event| event.name == "moment").map(|event| event.data).collect();
        moments.truncate(count);
        moments.iter().for_each(|moment| described::is("Report", moment));
        moments
    }

    /// A stream, read until it is enough.
    pub fn hear(&self, person: &Person, path: &str, is_enough: impl Fn(&[Heard]) -> bool) -> Vec<Heard> {
        let cookie = person.cookie.clone().unwrap_or_default();
        let request = self.client.get(format!("{}{}", self.url, path.trim_start_matches('/'))).header("cookie", cookie);
        self.runtime.block_on(async {
            let mut response = request.send().await.unwrap();
            let (mut text, mut events) = (String::new(), Vec::new());
            while !is_enough(&events) {
                text += &String::from_utf8_lossy(&response.chunk().await.unwrap().expect("the stream goes on"));
                while let Some((event, rest)) = text.split_once("\n\n") {
                    let line = |key: &str| event.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
                    if let (Some(name), Some(data)) = (line("event:"), line("data:")) {
                        let id = line("id:").map(|id| id.parse().unwrap());
                        events.push(Heard { name: name.to_owned(), id, data: serde_json::from_str(data).unwrap() });
                    }
                    text = rest.to_owned();
                }
            }
            events
        })
    }
}

/// One event of a stream.
pub struct Heard {
    pub name: String,
    pub id: Option<u64>,
    pub data: Value,
}

/// The value of `REELM_TEST_KEY` in the environment of every server, for connections to name.
pub const MODEL_KEY: &str = "sk-4f1c9a6e-never-to-be-seen";

fn start(terminal: &Terminal, line: &str) -> (Child, Value) {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(terminal.path("server.log")).unwrap();
    let mut command = terminal.command(line);
    // The most talkative log is the one that could tell.
    command.env("REELM_LOG", "trace").env("REELM_TEST_KEY", MODEL_KEY).stderr(log);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: `{line}`"));
    (child, said)
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !std::thread::panicking() {
            self.hides_its_secrets();
        }
    }
}
