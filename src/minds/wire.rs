//! Wire: one request to one endpoint, and its response. A key is read where it is named, for the one request, and stands in no reply.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use reqwest::header::HeaderValue;
use tokio::sync::Semaphore;

use crate::cognition::{Asking, Connection};
use crate::dialect::{Dialect, Used, body_of};
use crate::fact::{Code, Text};

use super::endpoint::{Endpoint, address, endpoint};
use super::retry::retry_after;

/// How long an endpoint may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// The largest reply that is read, in bytes.
const REPLY_MAX: usize = 4 << 20;
/// The longest name of a model that is kept, in letters.
const MODEL_MAX: usize = 200;

/// How many of a connection, by its name, may still be asked, where so many may at one time.
type Opens = BTreeMap<(Text, usize), Arc<Semaphore>>;

/// A host, where that leads, and how long it may take to accept a connection.
type ClientKey = (String, Vec<SocketAddr>, Duration);

/// How many clients are kept.
const CLIENTS_MAX: usize = 256;

/// The HTTP clients and limits that requests share.
#[derive(Clone, Default)]
pub(super) struct Wires {
    /// One for each place that was judged, bound to its addresses.
    clients: Arc<Mutex<BTreeMap<ClientKey, reqwest::Client>>>,
    open: Arc<Mutex<Opens>>,
}

impl Wires {
    /// A client that reaches the judged addresses and no others: neither by a proxy nor by a redirect nor by asking for the name again.
    pub(super) fn client(&self, endpoint: &Endpoint, timeout: Duration) -> Result<reqwest::Client, Code> {
        // Sooner than the whole, so that it is known which of both took too long.
        let connect = (timeout / 2).min(CONNECT);
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (endpoint.host.clone(), endpoint.at.clone(), connect);
        if let Some(client) = clients.get(&key) {
            return Ok(client.clone());
        }
        let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).connect_timeout(connect);
        let client = builder.resolve_to_addrs(&endpoint.host, &endpoint.at).build().map_err(|_| Code::NoClient)?;
        if clients.len() >= CLIENTS_MAX {
            clients.clear();
        }
        clients.insert(key, client.clone());
        Ok(client)
    }

    /// So many of a connection may be asked at one time.
    pub(super) fn open(&self, connection: &Connection) -> Arc<Semaphore> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let parallel = connection.parallel.clamp(1, Semaphore::MAX_PERMITS);
        open.entry((connection.name.clone(), parallel)).or_insert_with(|| Arc::new(Semaphore::new(parallel))).clone()
    }

    /// Asks once; also after how long the server says that it may be asked again.
    pub(super) async fn once(&self, connection: &Connection, body: String) -> (Asking, Option<Duration>) {
        let (attempt, after) = match self.send(connection, body).await {
            Ok(Came { status, text, after }) => (came(connection.dialect, status, text), after),
            Err(code) => (Asking { error: Some(code), ..Asking::default() }, None),
        };
        (Asking { connection: Some(connection.name.clone()), ..attempt }, after)
    }

    async fn send(&self, connection: &Connection, body: String) -> Result<Came, Code> {
        let key = connection.key.as_deref().map(key).transpose()?;
        let key = key.as_deref();
        let timeout = Duration::from_millis(connection.timeout);
        // A name that takes long to resolve is no answer either.
        let (address, allow) = (address(connection), &connection.allow);
        let endpoint = tokio::time::timeout(timeout, endpoint(&address, allow)).await.map_err(|_| Code::EndpointUnresolved)??;
        let client = self.client(&endpoint, timeout)?;
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
        let mut response = post.send().await.map_err(|error| why(&error, &endpoint))?;
        let status = response.status().as_u16();
        let after = (status >= 400).then(|| retry_after(response.headers(), SystemTime::now())).flatten();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| why(&error, &endpoint))? {
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
}

/// A response: its status and text.
struct Came {
    status: u16,
    text: String,
    after: Option<Duration>,
}

/// The response of a server, with the model and the tokens used that its body states.
fn came(dialect: &Dialect, status: u16, text: String) -> Asking {
    let body = body_of(&text).unwrap_or_default();
    let Used { model, usage } = (dialect.usage)(&body);
    let model = model.map(|model| model.chars().take(MODEL_MAX).collect::<String>().into());
    Asking { status: Some(status.into()), model, usage, body: Some(text.into()), ..Asking::default() }
}

/// Our own word for what went wrong: a library's text could name what must not be recorded.
pub(super) fn why(error: &reqwest::Error, endpoint: &Endpoint) -> Code {
    match (error.is_connect(), error.is_timeout()) {
        (true, true) => Code::EndpointTimeout,
        (true, false) if endpoint.url.starts_with("https:") && !is_of_the_way(error) => Code::EndpointTls,
        (true, false) => Code::EndpointUnreachable,
        (false, true) => Code::ReplyTimeout,
        (false, false) if error.is_builder() => Code::EndpointRefused,
        (false, false) => Code::ReplyBroken,
    }
}

/// Whether what went wrong is that no way leads there: below that, what fails is the secure connection over it.
fn is_of_the_way(error: &reqwest::Error) -> bool {
    use io::ErrorKind::{AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkUnreachable, PermissionDenied, TimedOut};
    let is_such =
        |kind| matches!(kind, AddrNotAvailable | ConnectionRefused | HostUnreachable | NetworkUnreachable | PermissionDenied | TimedOut);
    let mut next = error.source();
    while let Some(source) = next {
        if source.downcast_ref::<io::Error>().is_some_and(|error| is_such(error.kind())) {
            return true;
        }
        next = source.source();
    }
    false
}

/// The key that a reference names.
pub(super) fn key(reference: &str) -> Result<String, Code> {
    let name = reference.strip_prefix("env:").ok_or(Code::KeyReference)?;
    std::env::var(name).map_err(|_| Code::KeyMissing)
}
