//! Way: how the API is asked: by its routes in the process that serves the world, or over the socket beside the world's files.

use axum::Router;
use axum::body::{Body, BodyDataStream, Bytes, to_bytes};
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, IF_NONE_MATCH, RANGE, TRANSFER_ENCODING,
};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Request, StatusCode, Uri};
use axum::response::Response;
use futures_util::StreamExt;
use rmcp::ErrorData;
use serde_json::{Value as Json, json};
use tower::ServiceExt;

use crate::fact::Code;

/// The header by which an act is done once.
pub(super) const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Headers that describe a request's own body and answer, so the request made of it does not inherit them.
const OWN: [HeaderName; 11] = [
    ACCEPT,
    ACCEPT_ENCODING,
    CONTENT_ENCODING,
    CONTENT_LENGTH,
    CONTENT_TYPE,
    IF_NONE_MATCH,
    RANGE,
    TRANSFER_ENCODING,
    HeaderName::from_static("last-event-id"),
    HeaderName::from_static("mcp-session-id"),
    KEY,
];
/// The longest line of a stream of events that is waited for to its end.
const LINE_MAX: usize = 1 << 20;

/// How the API is asked.
#[derive(Clone)]
pub enum ApiWay {
    /// In the process that serves the world, with all that a request came with: each route judges it as if it had come to it.
    Inside {
        /// The routes.
        api: Router,
        /// The head of the request that came.
        parts: Box<Parts>,
    },
    /// Over the socket beside the world's files.
    Socket {
        /// The client that connects to the socket.
        client: reqwest::Client,
        /// The token; without one, the caller comes as whoever holds the files.
        token: Option<String>,
    },
}

/// A request to the API.
pub(super) struct ApiAsked<'a> {
    pub(super) method: Method,
    /// The path and the query.
    pub(super) path: &'a str,
    pub(super) body: Option<&'a Json>,
    /// The key under which an act is done once.
    pub(super) key: Option<&'a str>,
}

/// The API's answer.
pub(super) struct ApiAnswer {
    pub(super) status: StatusCode,
    pub(super) body: Json,
}

/// Events, as they come.
pub(super) struct ApiEvents {
    source: EventSource,
    /// The bytes of the next event that have come so far.
    begun: Vec<u8>,
}

/// The source of events.
enum EventSource {
    Inside(BodyDataStream),
    Socket(reqwest::Response),
}

/// The path with what is asked for in its query.
pub fn path_with<'a>(path: &str, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let said = pairs.into_iter().map(|(key, value)| format!("{key}={}", escaped(value, false))).collect::<Vec<_>>().join("&");
    if said.is_empty() { path.to_owned() } else { format!("{path}?{said}") }
}

/// Text as a part of an address of the web: all but letters, digits and a few signs as their bytes.
pub fn escaped(text: &str, keeps_paths: bool) -> String {
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || keeps_paths && b"/@:".contains(&byte);
    let one = |byte: u8| if stays(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(one).collect()
}

impl ApiAnswer {
    /// An error in the API's shape, for a request that did not reach it.
    pub(super) fn wrong(status: StatusCode, code: Code, message: impl Into<String>) -> Self {
        let error = json!({ "code": code, "kind": code.kind(), "message": message.into() });
        Self { status, body: json!({ "error": error }) }
    }

    fn gone(error: &reqwest::Error) -> Self {
        let message = format!("nobody serves this world now ({error}); start it with `reelm serve` and ask again");
        Self::wrong(StatusCode::SERVICE_UNAVAILABLE, Code::Stopping, message)
    }

    fn of(status: StatusCode, bytes: &[u8]) -> Self {
        let body = serde_json::from_slice(bytes);
        body.map_or_else(|error| Self::wrong(StatusCode::BAD_GATEWAY, Code::Failed, error.to_string()), |body| Self { status, body })
    }

    /// The refusal of a caller that shows no token.
    pub(super) fn nobody() -> Self {
        let message = "a program comes in by a token: send `Authorization: Bearer TOKEN`; `reelm token make --as @name` makes one";
        Self::wrong(StatusCode::UNAUTHORIZED, Code::NotLoggedIn, message)
    }

    pub(super) fn is_ok(&self) -> bool {
        self.status.is_success()
    }

    /// The error: its code, its place, its words.
    pub(super) fn error(&self) -> Json {
        self.body.get("error").cloned().unwrap_or_else(|| json!({ "code": Code::Failed, "message": self.body.to_string() }))
    }

    /// The same as the protocol tells errors.
    pub(super) fn told(&self) -> ErrorData {
        let error = self.error();
        let message = error.get("message").and_then(Json::as_str).unwrap_or_default().to_owned();
        match self.status {
            StatusCode::NOT_FOUND | StatusCode::FORBIDDEN => ErrorData::resource_not_found(message, Some(error)),
            status if status.is_client_error() => ErrorData::invalid_params(message, Some(error)),
            _ => ErrorData::internal_error(message, Some(error)),
        }
    }
}

impl ApiWay {
    /// Asks for something, and reads what comes.
    pub(super) async fn ask(&self, asking: ApiAsked<'_>) -> ApiAnswer {
        match self {
            Self::Inside { api, parts } => match route(api, parts, &asking, "application/json").await {
                Ok(response) => {
                    let status = response.status();
                    match to_bytes(response.into_body(), usize::MAX).await {
                        Ok(bytes) => ApiAnswer::of(status, &bytes),
                        Err(error) => ApiAnswer::wrong(StatusCode::BAD_GATEWAY, Code::Failed, error.to_string()),
                    }
                }
                Err(answer) => *answer,
            },
            Self::Socket { client, token } => match sent(client, token.as_deref(), &asking, "application/json").await {
                Ok(response) => {
                    let status = response.status();
                    response.bytes().await.map_or_else(|error| ApiAnswer::gone(&error), |bytes| ApiAnswer::of(status, &bytes))
                }
                Err(error) => ApiAnswer::gone(&error),
            },
        }
    }

    /// Follows a stream of events; or what was answered instead.
    pub(super) async fn follow(&self, path: &str) -> Result<ApiEvents, Box<ApiAnswer>> {
        let asking = ApiAsked { method: Method::GET, path, body: None, key: None };
        let source = match self {
            Self::Inside { api, parts } => {
                let response = route(api, parts, &asking, "text/event-stream").await?;
                let status = response.status();
                if !status.is_success() {
                    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default();
                    return Err(Box::new(ApiAnswer::of(status, &bytes)));
                }
                EventSource::Inside(response.into_body().into_data_stream())
            }
            Self::Socket { client, token } => {
                let gone = |error: reqwest::Error| Box::new(ApiAnswer::gone(&error));
                let response = sent(client, token.as_deref(), &asking, "text/event-stream").await.map_err(gone)?;
                let status = response.status();
                if !status.is_success() {
                    return Err(Box::new(ApiAnswer::of(status, &response.bytes().await.map_err(gone)?)));
                }
                EventSource::Socket(response)
            }
        };
        Ok(ApiEvents { source, begun: Vec::new() })
    }
}

/// Has a route answer what is made of a request that came.
async fn route(api: &Router, parts: &Parts, asking: &ApiAsked<'_>, accept: &'static str) -> Result<Response, Box<ApiAnswer>> {
    let bad = |what: String| Box::new(ApiAnswer::wrong(StatusCode::BAD_REQUEST, Code::BadRequest, what));
    let mut inner = parts.clone();
    OWN.iter().for_each(|name| drop(inner.headers.remove(name)));
    inner.method = asking.method.clone();
    inner.uri = asking.path.parse::<Uri>().map_err(|error| bad(format!("`{}` cannot be asked: {error}", asking.path)))?;
    inner.headers.insert(ACCEPT, HeaderValue::from_static(accept));
    inner.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(key) = asking.key {
        let key = HeaderValue::from_str(key).map_err(|_| bad("an idempotency key has letters, digits and signs of ASCII".to_owned()))?;
        inner.headers.insert(KEY, key);
    }
    let body = asking.body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    match api.clone().oneshot(Request::from_parts(inner, body)).await {
        Ok(response) => Ok(response),
        Err(never) => match never {},
    }
}

/// Sends it over the socket.
async fn sent(
    client: &reqwest::Client,
    token: Option<&str>,
    asking: &ApiAsked<'_>,
    accept: &str,
) -> Result<reqwest::Response, reqwest::Error> {
    let mut request = client.request(asking.method.clone(), format!("http://localhost{}", asking.path)).header(ACCEPT, accept);
    if let Some(body) = asking.body {
        request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
    }
    if let Some(key) = asking.key {
        request = request.header(KEY, key);
    }
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    request.send().await
}

impl EventSource {
    async fn chunk(&mut self) -> Option<Bytes> {
        match self {
            Self::Inside(stream) => stream.next().await?.ok(),
            Self::Socket(response) => response.chunk().await.ok()?,
        }
    }
}

impl ApiEvents {
    /// The next one: its name and what it says; nothing where the stream has ended.
    pub(super) async fn next(&mut self) -> Option<(String, Json)> {
        loop {
            while let Some(end) = self.begun.windows(2).position(|two| two == b"\n\n") {
                let event: Vec<u8> = self.begun.drain(..end + 2).collect();
                if let Some(event) = read_event(&String::from_utf8_lossy(&event)) {
                    return Some(event);
                }
            }
            // A line that never ends is no event.
            if self.begun.len() > LINE_MAX {
                return None;
            }
            self.begun.extend_from_slice(&self.source.chunk().await?);
        }
    }
}

/// An event by its lines; a sign of life is none.
pub fn read_event(lines: &str) -> Option<(String, Json)> {
    let field = |name: &str| lines.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    Some((field("event")?.to_owned(), serde_json::from_str(field("data")?).ok()?))
}
