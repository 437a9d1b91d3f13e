//! Http: the protocol at `/mcp` of a served world (streamable HTTP): a token says as whom, and each request is judged as one of the API's.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::{Body, to_bytes};
use axum::extract::{Query, Request, State};
use axum::http::header::{ACCEPT, AUTHORIZATION, COOKIE, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Json, Router};
use futures_util::StreamExt;
use rmcp::transport::streamable_http_server::session::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::Deserialize;

use crate::fact::Code;

use super::desk::Desk;
use super::guest::Guest;
use super::interpreter::Interpreter;
use super::message::{mended, read};
use super::news::relay;
use super::way::{ApiAnswer, ApiWay};

/// Where it stands.
const PATH: &str = "/mcp";
/// The header that names a session.
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// The longest message that is read.
const MESSAGE_MAX: usize = 4 << 20;
/// The types that the protocol's own service expects a client to accept.
const ACCEPTED: [&str; 2] = ["application/json", "text/event-stream"];
/// How many sessions one being has; its oldest gives way.
const OF_ONE: usize = 16;
/// How many there are; the oldest gives way.
const SESSIONS: usize = 256;
/// How long a session lasts in which nothing is said.
const SILENCE: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);

/// The being as which a client asks to act.
#[derive(Deserialize)]
struct Acting {
    #[serde(rename = "as")]
    speaker: Option<String>,
}

/// One session: whose it is, and what is kept of it.
struct Sitting {
    /// Counted upwards, so that the oldest is known.
    number: u64,
    being: String,
    desk: Arc<Desk>,
}

/// The door at `/mcp`.
struct HttpDoor {
    api: Router,
    service: StreamableHttpService<Interpreter, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    sittings: Mutex<BTreeMap<String, Sitting>>,
}

/// The door, made of the routes of the API.
pub fn beside(api: Router) -> Router {
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(SILENCE);
    let sessions = Arc::new(sessions);
    // The name of the server and the origin of the page are judged before anything comes here.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts().disable_allowed_origins();
    let service = StreamableHttpService::new(|| Ok(Interpreter::default()), sessions.clone(), config);
    let door = HttpDoor { api, service, sessions, sittings: Mutex::default() };
    Router::new().route(PATH, any(enter)).with_state(Arc::new(door))
}

/// Answers a request.
async fn enter(State(door): State<Arc<HttpDoor>>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    // No log holds the values of these headers.
    for name in [AUTHORIZATION, COOKIE] {
        if let Some(value) = parts.headers.get_mut(name) {
            value.set_sensitive(true);
        }
    }
    match door.admitted(&parts).await {
        Ok(guest) => match readable(&mut parts, body).await {
            Ok(body) => door.served(guest, parts, body).await,
            Err(response) => response,
        },
        Err(answer) => answer.into_response(),
    }
}

/// The body of a request whose message can be read; or what is answered instead.
async fn readable(parts: &mut Parts, body: Body) -> Result<Body, Response> {
    spell_out(&mut parts.headers);
    if parts.method != Method::POST {
        return Ok(body);
    }
    let Ok(bytes) = to_bytes(body, MESSAGE_MAX).await else { return Err(StatusCode::PAYLOAD_TOO_LARGE.into_response()) };
    match read(&bytes) {
        Ok(_) => Ok(Body::from(mended(&bytes).map_or(bytes, Into::into))),
        Err(unread) => {
            // Within a session a request gets its answer, which says what is wrong.
            let status = match (unread.is_unknown_method(), session_of(&parts.headers)) {
                (_, Some(_)) if !unread.id.is_null() => StatusCode::OK,
                (true, _) => StatusCode::NOT_FOUND,
                (false, _) => StatusCode::BAD_REQUEST,
            };
            Err((status, Json(unread.to_json())).into_response())
        }
    }
}

/// Names each format that a wildcard accepts (RFC 9110, 12.5.1), since the protocol's own service reads no wildcards.
fn spell_out(headers: &mut HeaderMap) {
    let said = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",");
    let more: Vec<&str> = ACCEPTED.into_iter().filter(|wanted| accepts(&said, wanted)).collect();
    if said.contains('*')
        && let Ok(value) = HeaderValue::from_str(&more.join(", "))
    {
        headers.insert(ACCEPT, value);
    }
}

/// Whether a client accepts a format: the range that names it most closely decides.
fn accepts(said: &str, wanted: &str) -> bool {
    let family = wanted.split_once('/').map_or(wanted, |(family, _)| family);
    let is_refused = |range: &str| {
        let quality = range.split(';').skip(1).find_map(|pair| pair.trim().to_ascii_lowercase().strip_prefix("q=").map(str::to_owned));
        quality.is_some_and(|quality| quality.parse::<f64>().is_ok_and(|quality| quality <= 0.0))
    };
    let found = |name: &str| {
        let named = |range: &&str| range.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case(name));
        said.split(',').find(named).map(|range| !is_refused(range))
    };
    found(wanted).or_else(|| found(&format!("{family}/*"))).or_else(|| found("*/*")).unwrap_or(false)
}

impl IntoResponse for Box<ApiAnswer> {
    fn into_response(self) -> Response {
        let challenge = (self.status == StatusCode::UNAUTHORIZED).then_some([(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))]);
        (self.status, challenge, Json(self.body)).into_response()
    }
}

fn session_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION).and_then(|session| session.to_str().ok())
}

impl HttpDoor {
    fn sittings(&self) -> MutexGuard<'_, BTreeMap<String, Sitting>> {
        self.sittings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The caller of a request, in the session that it names.
    ///
    /// In order: it comes by a token and by no browser's cookie, the API lets it in, and the session that it names is its own.
    async fn admitted(&self, parts: &Parts) -> Result<Guest, Box<ApiAnswer>> {
        if parts.headers.contains_key(COOKIE) && !parts.headers.contains_key(AUTHORIZATION) {
            return Err(Box::new(ApiAnswer::nobody()));
        }
        let speaker = Query::<Acting>::try_from_uri(&parts.uri).ok().and_then(|Query(acting)| acting.speaker);
        let way = ApiWay::Inside { api: self.api.clone(), parts: Box::new(parts.clone()) };
        let guest = Guest::of(way, speaker, None).await?;
        let desk = match session_of(&parts.headers) {
            None => Arc::default(),
            Some(session) => self.desk(session, &guest.being).ok_or_else(no_session)?,
        };
        Ok(Guest { desk: Some(desk), ..guest })
    }

    /// The state of a session, if it belongs to this being.
    fn desk(&self, session: &str, being: &str) -> Option<Arc<Desk>> {
        self.sittings().get(session).filter(|sitting| sitting.being == being).map(|sitting| sitting.desk.clone())
    }

    /// Has the protocol's own service answer; a stream of news ends when the world tells none any more.
    async fn served(&self, guest: Guest, mut parts: Parts, body: Body) -> Response {
        let session = session_of(&parts.headers).map(str::to_owned);
        let method = parts.method.clone();
        let news = match (&session, &guest.desk) {
            (Some(_), Some(desk)) if method == Method::GET => {
                let eyed = desk.eyed().borrow().clone();
                match guest.follow(&eyed).await {
                    Ok(events) => Some(relay(guest.clone(), desk.clone(), events)),
                    Err(answer) => return answer.into_response(),
                }
            }
            _ => None,
        };
        parts.extensions.insert(guest.clone());
        let response = self.service.handle(Request::from_parts(parts, body)).await.map(Body::new);
        match (session, session_of(response.headers()), guest.desk) {
            (None, Some(begun), Some(desk)) => self.keep(begun.to_owned(), guest.being, desk).await,
            (Some(ended), ..) if method == Method::DELETE && response.status().is_success() => drop(self.sittings().remove(&ended)),
            _ => {}
        }
        match news {
            None => response,
            Some(news) => response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(news)))),
        }
    }

    /// Keeps a session that has begun; others give way where there are too many.
    async fn keep(&self, session: String, being: String, desk: Arc<Desk>) {
        let _ = desk.scope.set(session.clone());
        let ended: Vec<String> = {
            let alive = self.sessions.sessions.read().await;
            let mut sittings = self.sittings();
            sittings.retain(|id, _| alive.contains_key(id.as_str()));
            let number = sittings.values().map(|sitting| sitting.number).max().unwrap_or(0) + 1;
            sittings.insert(session, Sitting { number, being: being.clone(), desk });
            let own = sittings.values().filter(|sitting| sitting.being == being).count();
            let over = (own > OF_ONE).then(|| oldest(&sittings, Some(&being))).flatten();
            let over = over.or_else(|| (sittings.len() > SESSIONS).then(|| oldest(&sittings, None)).flatten());
            over.into_iter().filter(|id| sittings.remove(id).is_some()).collect()
        };
        for id in ended {
            // One that has ended by itself is gone as well.
            let _ = self.sessions.close_session(&id.into()).await;
        }
    }
}

/// The oldest session of a being, or of all.
fn oldest(sittings: &BTreeMap<String, Sitting>, being: Option<&str>) -> Option<String> {
    let of = sittings.iter().filter(|(_, sitting)| being.is_none_or(|being| sitting.being == being));
    of.min_by_key(|(_, sitting)| sitting.number).map(|(id, _)| id.clone())
}

/// The refusal of a session that is not the caller's own.
fn no_session() -> Box<ApiAnswer> {
    let message = "there is no such session; begin a new one with `initialize`";
    Box::new(ApiAnswer::wrong(StatusCode::NOT_FOUND, Code::NotFound, message))
}
