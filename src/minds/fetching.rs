//! Fetching: one request of a bridge to the web, and its response as text. Wherever a response leads on, the next address is judged as the
//! first was, by the bridge and by the resolver.

use std::time::Duration;

use encoding_rs::{Encoding, UTF_8};
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Method, Response, StatusCode, Url};
use serde_json::{Value as Json, json};

use crate::cognition::{Asking, Connection, Hook, Web};
use crate::fact::Code;

use super::endpoint::{Endpoint, endpoint};
use super::signature::{seconds, signature, signed_by};
use super::wire::{Wires, key, why};

/// How often a response may lead on.
const REDIRECTS: usize = 5;

/// The request that is made next.
struct WebCall {
    url: Url,
    method: Method,
    kind: Option<String>,
    body: Option<String>,
}

/// A fault, with the status where there was any, and the host to which that led on.
struct FetchFault {
    code: Code,
    status: Option<u16>,
    host: Option<String>,
}

/// Makes the request that a bridge's body says, within the time of its connection.
pub(super) async fn fetch(wires: &Wires, connection: &Connection, web: &Web, body: &str) -> Asking {
    Asking { connection: Some(connection.name.clone()), ..fetched(wires, connection, web, body).await }
}

async fn fetched(wires: &Wires, connection: &Connection, web: &Web, body: &str) -> Asking {
    let time = Duration::from_millis(connection.timeout);
    let fetched = tokio::time::timeout(time, followed(wires, connection, web, body)).await;
    match fetched {
        Ok(Ok((status, body))) => Asking { status: Some(status.into()), body: Some(body.into()), ..Asking::default() },
        Ok(Err(FetchFault { code, status, host })) => {
            let body = host.map(|host| json!({ "host": host }).to_string().into());
            Asking { error: Some(code), status: status.map(i64::from), body, ..Asking::default() }
        }
        Err(_) => Asking { error: Some(Code::ReplyTimeout), ..Asking::default() },
    }
}

/// The response behind all that lead on: its status, and what is kept of it.
async fn followed(wires: &Wires, connection: &Connection, web: &Web, body: &str) -> Result<(u16, String), FetchFault> {
    let refused = |code| FetchFault { code, status: None, host: None };
    let mut next = WebCall::read(body).ok_or_else(|| refused(Code::EndpointRefused))?;
    let key = connection.key.as_deref().map(key).transpose().map_err(refused)?.filter(|key| !key.is_empty());
    // A webhook never leaves unsigned.
    if web.hook.is_some() && key.is_none() {
        return Err(refused(Code::KeyMissing));
    }
    let key = key.as_deref();
    let first = next.url.origin();
    let mut status = None;
    for _ in 0..=REDIRECTS {
        let host = status.and_then(|_| next.url.host_str()).map(|host| without(host, key));
        let fault = |code| FetchFault { code, status, host: host.clone() };
        web.judge(next.method.as_str(), &next.url).map_err(|reason| fault(reason.code))?;
        let place = endpoint(next.url.as_str(), &connection.allow).await.map_err(fault)?;
        // The key is for whom it was given: not for whoever is led to.
        let own = key.filter(|_| next.url.origin() == first);
        let response = next.sent(wires, connection, &place, own).await.map_err(fault)?;
        let came = response.status().as_u16();
        match next.led_on(&response) {
            Ok(None) => {
                let kept = read(response, web.max_bytes, &place, key).await;
                return kept.map(|kept| (came, kept)).map_err(|code| FetchFault { code, status: Some(came), host: None });
            }
            // Somebody may have approved those bytes for that address, or signed them: nothing else leaves.
            Ok(Some(further)) if web.stays() => {
                let host = further.url.host_str().map(|host| without(host, key));
                return Err(FetchFault { code: Code::ReplyRedirects, status: Some(came), host });
            }
            Ok(Some(further)) => (next, status) = (further, Some(came)),
            Err(code) => return Err(FetchFault { code, status: Some(came), host: None }),
        }
    }
    Err(FetchFault { code: Code::ReplyRedirects, status, host: None })
}

impl WebCall {
    fn read(body: &str) -> Option<Self> {
        let asked: Json = serde_json::from_str(body).ok()?;
        let text = |key: &str| asked.get(key).and_then(Json::as_str).map(str::to_owned);
        let method = Method::from_bytes(text("method")?.as_bytes()).ok()?;
        Some(Self { url: Url::parse(&text("url")?).ok()?, method, kind: text("type"), body: text("body") })
    }

    async fn sent(&self, wires: &Wires, connection: &Connection, place: &Endpoint, key: Option<&str>) -> Result<Response, Code> {
        let client = wires.client(place, Duration::from_millis(connection.timeout))?;
        let mut request = client.request(self.method.clone(), &place.url);
        if let Some(body) = &self.body {
            request = request.body(body.clone());
        }
        if let Some(kind) = &self.kind {
            request = request.header(CONTENT_TYPE, HeaderValue::try_from(kind).map_err(|_| Code::EndpointRefused)?);
        }
        if let Some(key) = key {
            let (name, value) = self.authorized(connection, key);
            let mut value = HeaderValue::try_from(value).map_err(|_| Code::EndpointRefused)?;
            value.set_sensitive(true);
            request = request.header(name, value);
        }
        request.send().await.map_err(|error| why(&error, place))
    }

    /// The header by which whoever is asked knows who asks: of a webhook its signature.
    fn authorized(&self, connection: &Connection, key: &str) -> (&'static str, String) {
        let hook = connection.web.as_ref().and_then(|web| web.hook.as_ref());
        let signed = |hook: &Hook| {
            let body = self.body.as_deref().unwrap_or_default().as_bytes();
            (signed_by(hook.manner), signature(hook.manner, key, body, seconds()))
        };
        hook.map_or_else(|| (connection.dialect.key)(key), signed)
    }

    /// The request to which a response leads; nothing where it leads nowhere else.
    fn led_on(&self, response: &Response) -> Result<Option<Self>, Code> {
        let is_kept = match response.status() {
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => self.method == Method::GET,
            StatusCode::SEE_OTHER => false,
            StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => true,
            _ => return Ok(None),
        };
        let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).ok_or(Code::ReplyRedirects)?;
        let url = self.url.join(to).map_err(|_| Code::ReplyRedirects)?;
        let kept = is_kept.then(|| (self.method.clone(), self.kind.clone(), self.body.clone()));
        let (method, kind, body) = kept.unwrap_or((Method::GET, None, None));
        Ok(Some(Self { url, method, kind, body }))
    }
}

/// The part of a response that is kept: the address that gave it, its kind, and its text.
async fn read(mut response: Response, most: usize, place: &Endpoint, key: Option<&str>) -> Result<String, Code> {
    let kind = kind(response.headers());
    // Nobody asked for what is packed: it may be any size once it is unpacked.
    let is_packed = response.headers().get(CONTENT_ENCODING).is_some_and(|packed| packed.as_bytes() != b"identity");
    let is_text = kind.as_deref().is_none_or(is_text);
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| why(&error, place))? {
        if bytes.len() + chunk.len() > most {
            return Err(Code::ReplyTooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    let text = decoded(&bytes, kind.as_deref());
    if (is_packed || !is_text || text.contains('\0')) && !bytes.is_empty() {
        return Err(Code::ReplyBinary);
    }
    let [url, kind, text] = [response.url().as_str(), kind.as_deref().unwrap_or_default(), &text].map(|told| without(told, key));
    Ok(json!({ "url": url, "type": kind, "text": text }).to_string())
}

/// A text in which the key does not stand: a server may say back what it was sent.
fn without(text: &str, key: Option<&str>) -> String {
    key.map_or_else(|| text.to_owned(), |key| text.replace(key, "[key]"))
}

fn kind(headers: &HeaderMap) -> Option<String> {
    headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).map(|kind| kind.chars().take(128).collect())
}

/// Whether a kind of content is text.
fn is_text(kind: &str) -> bool {
    let name = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    const NAMES: [&str; 6] = [
        "application/json",
        "application/xml",
        "application/javascript",
        "application/x-www-form-urlencoded",
        "application/x-ndjson",
        "application/yaml",
    ];
    name.is_empty() || name.starts_with("text/") || name.ends_with("+json") || name.ends_with("+xml") || NAMES.contains(&name.as_str())
}

/// The text of some bytes in the encoding that their kind names: UTF-8 where it names none.
fn decoded(bytes: &[u8], kind: Option<&str>) -> String {
    let label = kind
        .and_then(|kind| kind.to_ascii_lowercase().split_once("charset=").map(|(_, label)| label.trim_matches(['"', ' ', ';']).to_owned()));
    let encoding = label.and_then(|label| Encoding::for_label(label.split(';').next().unwrap_or_default().trim_matches('"').as_bytes()));
    encoding.unwrap_or(UTF_8).decode(bytes).0.into_owned()
}
