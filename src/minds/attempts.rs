//! Attempts: the language models outside, asked at once for all beings of a round; what they answer is recorded as it came.
//!
//! What is sent and what comes back is the connection's [`Dialect`] to say. A key is read where it is named, for the one request, and
//! stands in no reply.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::header::HeaderValue;
use serde_json::Value as Json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::cognition::{Asking, Connection, Reply, Request};
use crate::dialect::{Dialect, Used};
use crate::fact::{Code, Text};

use super::asking::{Heard, Minds};
use super::endpoint::{Endpoint, endpoint};

/// How long the first wait is; each further one is twice as long, unless the server says otherwise.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait that a server can ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The largest reply that is read, in bytes.
const REPLY_MAX: usize = 4 << 20;
/// The longest name of a model that is kept, in letters.
const MODEL_MAX: usize = 200;

/// Models behind the endpoints that connections name.
#[derive(Default)]
pub struct Endpoints {
    /// Made when the first model is asked: most worlds never ask one.
    runtime: Option<Result<tokio::runtime::Runtime, Code>>,
    lines: Wires,
    stop: Arc<AtomicBool>,
}

/// How many of a connection, by its name, may still be asked, where so many may at one time.
type Opens = BTreeMap<(Text, usize), Arc<Semaphore>>;

/// What requests share.
#[derive(Clone, Default)]
struct Wires {
    /// One for each place that was judged, bound to its addresses.
    clients: Arc<std::sync::Mutex<BTreeMap<Endpoint, reqwest::Client>>>,
    open: Arc<std::sync::Mutex<Opens>>,
}

impl Wires {
    /// A client that reaches the judged addresses and no others: neither by a proxy nor by a redirect nor by asking for the name again.
    fn client(&self, endpoint: &Endpoint) -> Result<reqwest::Client, Code> {
        let mut clients = self.clients.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(client) = clients.get(endpoint) {
            return Ok(client.clone());
        }
        let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        let client = builder.resolve_to_addrs(&endpoint.host, &endpoint.at).build().map_err(|_| Code::NoClient)?;
        clients.insert(endpoint.clone(), client.clone());
        Ok(client)
    }

    /// So many of a connection may be asked at one time.
    fn open(&self, connection: &Connection) -> Arc<Semaphore> {
        let mut open = self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let parallel = connection.parallel.clamp(1, Semaphore::MAX_PERMITS);
        open.entry((connection.name.clone(), parallel)).or_insert_with(|| Arc::new(Semaphore::new(parallel))).clone()
    }
}

/// Returns when nobody waits for the answers any more; dropping the tasks then ends them.
async fn given_up(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Code> {
    // Somebody may have installed one before; either will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // One thread: it waits for others all the time.
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(|_| Code::NoRuntime)
}

impl Minds for Endpoints {
    fn heed(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        if requests.is_empty() {
            return Vec::new();
        }
        let runtime = match self.runtime.get_or_insert_with(runtime) {
            Ok(runtime) => runtime,
            Err(code) => return requests.iter().map(|_| Reply::failed(*code)).collect(),
        };
        let mut tasks = JoinSet::new();
        for (place, request) in requests.iter().enumerate() {
            let (request, lines) = (request.clone(), self.lines.clone());
            tasks.spawn_on(async move { (place, answered(&lines, &request).await) }, runtime.handle());
        }
        let mut replies = vec![Reply::failed(Code::ReplyLost); requests.len()];
        let stop = self.stop.clone();
        runtime.block_on(async {
            while let Some(done) = tokio::select! { done = tasks.join_next() => done, () = given_up(&stop) => None } {
                if let Ok((place, reply)) = done
                    && let Some(slot) = replies.get_mut(place)
                {
                    *slot = reply;
                }
            }
        });
        replies
    }

    fn begin(&mut self, request: Request, heard: Heard) {
        let runtime = match self.runtime.get_or_insert_with(runtime) {
            Ok(runtime) => runtime,
            Err(code) => return heard.tell(Reply::failed(*code)),
        };
        let (lines, stop) = (self.lines.clone(), self.stop.clone());
        runtime.spawn(async move {
            let reply = tokio::select! {
                reply = answered(&lines, &request) => reply,
                () = given_up(&stop) => Reply::failed(Code::ReplyLost),
            };
            heard.tell(reply);
        });
    }
}

impl Drop for Endpoints {
    fn drop(&mut self) {
        // Whoever has not answered by now is not waited for.
        if let Some(Ok(runtime)) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Asks one connection after the other until one answers; the reply of the last tells what came of the others.
async fn answered(lines: &Wires, request: &Request) -> Reply {
    let begun = Instant::now();
    let mut tried: Vec<Asking> = Vec::new();
    let all: Vec<&Request> = std::iter::once(request).chain(&request.failover).collect();
    let at_last = all.len().saturating_sub(1);
    for (place, one) in all.into_iter().enumerate() {
        let open = lines.open(&one.connection).acquire_owned().await;
        let (last, attempts, is_over) = attempted(lines, one, &mut tried).await;
        drop(open);
        let (status, error) = (last.status, last.error.map(Code::word));
        tracing::debug!(moment = %request.moment, connection = %one.connection.name, attempts, status, error, "a model was asked");
        if is_over || place == at_last {
            let mut reply = Reply::of(last);
            reply.attempts = Some(attempts);
            reply.tried = tried;
            reply.ms = u64::try_from(begun.elapsed().as_millis()).ok();
            return reply;
        }
        tried.push(last);
    }
    Reply::failed(Code::ReplyLost)
}

/// Asks one connection as often as it may be asked. What its failed attempts came to goes to `tried`; the last comes back, with whether
/// nobody else needs to be asked.
async fn attempted(lines: &Wires, request: &Request, tried: &mut Vec<Asking>) -> (Asking, u32, bool) {
    let mut wait = FIRST_WAIT;
    let mut count = 0;
    loop {
        count += 1;
        let (attempt, again) = match once(lines, &request.connection, request.body.clone()).await {
            Ok(Came { status, text, after }) => {
                let is_busy = status == 429 || (500..600).contains(&status);
                wait = after.unwrap_or(wait).min(LONGEST_WAIT);
                (came(request.connection.dialect, status, text), is_busy)
            }
            Err(code) => (Asking { error: Some(code), ..Asking::default() }, !is_final(code)),
        };
        let attempt = Asking { connection: Some(request.connection.name.clone()), ..attempt };
        // Another may have a key and a public address: whatever did not come from a server leaves it to the next.
        let is_over = !again && attempt.status.is_some();
        if !again || count >= request.attempts {
            return (attempt, count, is_over);
        }
        // Of an attempt that is repeated it is enough to know how it ended.
        tried.push(Asking { body: None, ..attempt });
        tokio::time::sleep(wait).await;
        wait *= 2;
    }
}

/// Whether asking the same connection again would change nothing.
fn is_final(code: Code) -> bool {
    use Code::{EndpointPlain, EndpointPrivate, EndpointRefused, KeyMissing, KeyReference, NoClient};
    matches!(code, KeyReference | KeyMissing | EndpointRefused | EndpointPrivate | EndpointPlain | NoClient)
}

/// What a server sent, with what its body says of the model and of the tokens used.
fn came(dialect: &Dialect, status: u16, text: String) -> Asking {
    let body: Json = serde_json::from_str(&text).unwrap_or_default();
    let Used { model, usage } = (dialect.usage)(&body);
    let model = model.map(|model| model.chars().take(MODEL_MAX).collect::<String>().into());
    Asking { status: Some(status.into()), model, usage, body: Some(text.into()), ..Asking::default() }
}

/// What came back.
struct Came {
    status: u16,
    text: String,
    after: Option<Duration>,
}

async fn once(lines: &Wires, connection: &Connection, body: String) -> Result<Came, Code> {
    let key = connection.key.as_deref().map(key).transpose()?;
    let key = key.as_deref();
    let timeout = Duration::from_millis(connection.timeout);
    // A name that takes long to resolve is no answer either.
    let endpoint = tokio::time::timeout(timeout, endpoint(connection)).await.map_err(|_| Code::EndpointUnreachable)??;
    let client = lines.client(&endpoint)?;
    let mut post = client.post(&endpoint.url).header("content-type", "application/json").body(body).timeout(timeout);
    for (name, value) in connection.dialect.headers {
        post = post.header(*name, *value);
    }
    if let Some(key) = key {
        let (name, value) = (connection.dialect.key)(key);
        let mut value = HeaderValue::try_from(value).map_err(|_| Code::EndpointRefused)?;
        value.set_sensitive(true);
        post = post.header(name, value);
    }
    let mut response = post.send().await.map_err(|error| why(&error))?;
    let status = response.status().as_u16();
    let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok()).map(Duration::from_secs);
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| why(&error))? {
        if bytes.len() + chunk.len() > REPLY_MAX {
            return Err(Code::ReplyTooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    let text = String::from_utf8_lossy(&bytes);
    // A server may say back what it was sent; the key is not to be recorded.
    let text = key.filter(|key| !key.is_empty()).map_or_else(|| text.clone().into_owned(), |key| text.replace(key, "[key]"));
    Ok(Came { status, text, after })
}

/// Our own word for what went wrong: a library's text could name what must not be recorded.
fn why(error: &reqwest::Error) -> Code {
    if error.is_timeout() {
        Code::ReplyTimeout
    } else if error.is_builder() {
        Code::EndpointRefused
    } else if error.is_connect() {
        Code::EndpointUnreachable
    } else {
        Code::ReplyBroken
    }
}

/// The key that a reference names.
fn key(reference: &str) -> Result<String, Code> {
    let name = reference.strip_prefix("env:").ok_or(Code::KeyReference)?;
    std::env::var(name).map_err(|_| Code::KeyMissing)
}
