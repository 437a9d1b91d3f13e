//! Minds: the language models outside, asked at once for all beings of a round; what they answer is recorded as it came.
//!
//! A reply is a map: `status` and `body` as the server sent them, or an `error` of our own where nothing came; beside it how many
//! attempts it took and how long, in milliseconds. A key is read where it is named, for the one request, and stands in no reply.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::cognition::{Connection, Request};
use crate::fact::{Text, Value};

/// Whoever answers requests.
pub trait Minds: Send {
    /// Gives the next asking up as soon as this is true; what it answers then is of no use.
    fn heed(&mut self, stop: Arc<AtomicBool>) {
        let _ = stop;
    }

    /// Answers all of them, each in its place.
    fn ask(&mut self, requests: &[Request]) -> Vec<Value>;
}

/// How often one request is sent at most: a server that is busy or gone is asked again.
const ATTEMPTS: u32 = 3;
/// How long the first wait is; each further one is twice as long, unless the server says otherwise.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait that a server can ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The largest reply that is read, in bytes.
const REPLY_MAX: usize = 4 << 20;

/// Models behind OpenAI-compatible endpoints.
#[derive(Default)]
pub struct Endpoints {
    /// Made when the first model is asked: most worlds never ask one.
    line: Option<Result<Line, Text>>,
    open: BTreeMap<Text, Arc<Semaphore>>,
    stop: Arc<AtomicBool>,
}

struct Line {
    runtime: tokio::runtime::Runtime,
    client: reqwest::Client,
}

impl Line {
    fn new() -> Result<Self, Text> {
        // Somebody may have installed one before; either will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|_| Text::from("no-runtime"))?;
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().map_err(|_| Text::from("no-client"))?;
        Ok(Self { runtime, client })
    }
}

/// Returns when nobody waits for the answers any more; dropping the tasks then ends them.
async fn given_up(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

impl Minds for Endpoints {
    fn heed(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    fn ask(&mut self, requests: &[Request]) -> Vec<Value> {
        if requests.is_empty() {
            return Vec::new();
        }
        let line = match self.line.get_or_insert_with(Line::new) {
            Ok(line) => line,
            Err(code) => return requests.iter().map(|_| failed(code)).collect(),
        };
        let mut tasks = JoinSet::new();
        for (place, request) in requests.iter().enumerate() {
            let (connection, body, client) = (request.connection.clone(), request.body.clone(), line.client.clone());
            let open =
                self.open.entry(connection.name.clone()).or_insert_with(|| Arc::new(Semaphore::new(connection.parallel.max(1)))).clone();
            tasks.spawn_on(
                async move {
                    let _one_of = open.acquire_owned().await;
                    (place, answered(&client, &connection, body).await)
                },
                line.runtime.handle(),
            );
        }
        let mut replies = vec![failed("reply-lost"); requests.len()];
        let stop = self.stop.clone();
        line.runtime.block_on(async {
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
}

fn failed(code: &str) -> Value {
    Value::map([("error", Value::text(code))])
}

async fn answered(client: &reqwest::Client, connection: &Connection, body: String) -> Value {
    let key = match connection.key.as_deref().map(key) {
        Some(Ok(key)) => Some(key),
        Some(Err(code)) => return failed(code),
        None => None,
    };
    let begun = Instant::now();
    let mut wait = FIRST_WAIT;
    for attempt in 1..=ATTEMPTS {
        let tried = once(client, connection, body.clone(), key.as_deref()).await;
        let is_last = attempt == ATTEMPTS;
        let (reply, again) = match tried {
            Ok(Came { status, text, after }) => {
                let is_busy = status == 429 || (500..600).contains(&status);
                wait = after.unwrap_or(wait).min(LONGEST_WAIT);
                (Value::map([("status", Value::Int(i64::from(status))), ("body", Value::from(text))]), is_busy)
            }
            Err(code) => (failed(code), code != "endpoint-refused"),
        };
        if !again || is_last {
            let Value::Map(mut map) = reply else { return reply };
            map.insert("attempts".into(), Value::Int(i64::from(attempt)));
            map.insert("ms".into(), Value::Int(begun.elapsed().as_millis() as i64));
            return Value::Map(map);
        }
        tokio::time::sleep(wait).await;
        wait *= 2;
    }
    failed("reply-lost")
}

/// What came back.
struct Came {
    status: u16,
    text: String,
    after: Option<Duration>,
}

async fn once(client: &reqwest::Client, connection: &Connection, body: String, key: Option<&str>) -> Result<Came, &'static str> {
    let url = format!("{}/chat/completions", connection.base_url.trim_end_matches('/'));
    let mut post =
        client.post(url).header("content-type", "application/json").body(body).timeout(Duration::from_millis(connection.timeout));
    if let Some(key) = key {
        post = post.bearer_auth(key);
    }
    let mut response = post.send().await.map_err(|error| why(&error))?;
    let status = response.status().as_u16();
    let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok()).map(Duration::from_secs);
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| why(&error))? {
        if bytes.len() + chunk.len() > REPLY_MAX {
            return Err("reply-too-large");
        }
        bytes.extend_from_slice(&chunk);
    }
    let text = String::from_utf8_lossy(&bytes);
    // A server may say back what it was sent; the key is not to be recorded.
    let text = key.filter(|key| !key.is_empty()).map_or_else(|| text.clone().into_owned(), |key| text.replace(key, "[key]"));
    Ok(Came { status, text, after })
}

/// Our own word for what went wrong: a library's text could name what must not be recorded.
fn why(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "reply-timeout"
    } else if error.is_builder() {
        "endpoint-refused"
    } else if error.is_connect() {
        "endpoint-unreachable"
    } else {
        "reply-broken"
    }
}

/// The key that a reference names.
fn key(reference: &str) -> Result<String, &'static str> {
    let name = reference.strip_prefix("env:").ok_or("key-reference")?;
    std::env::var(name).map_err(|_| "key-missing")
}
