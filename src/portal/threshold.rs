//! Threshold: the limits before all handlers: too many requests, bodies that are too large or do not come; and the headers that every
//! answer carries. The operator passes where others have to wait.

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use tokio::sync::Semaphore;
use tracing::Instrument;

use crate::fact::Code;

use super::hall::Hall;
use super::lines::Peer;
use super::page;
use super::rate::{Counted, Rate};
use super::sent::Identified;
use super::share::Shares;
use super::trouble::Trouble;
use super::who::Who;

/// The largest body that is taken, in bytes.
pub const BODY_MAX: usize = 1 << 20;
/// The largest that is heard to its end before it is turned away.
const DRAINED_MAX: usize = 16 << 20;
/// How large a body is of which as many are read as come.
const SMALL_BODY: usize = 64 << 10;
/// How many larger ones are read at one time.
const BODIES: usize = 32;
/// And how many of one person, or of the visitors of one address.
const BODIES_OF_ONE: usize = 4;
/// How long a body may take to come.
const BODY_TIME: std::time::Duration = std::time::Duration::from_secs(30);
/// How many requests of one person, or of the visitors of one address, are worked on at one time.
const AT_WORK: usize = 64;

/// The paths below which programs ask; everything else is the page and what it says of itself.
const INSIDE: [&str; 3] = ["/api/", "/mcp", "/metrics"];

/// The limits before all handlers.
pub struct Threshold {
    rate: Rate,
    /// How many large bodies may still be read.
    bodies: Semaphore,
    /// The callers whose large bodies are read, or wait to be.
    hearing: Shares<Counted>,
    /// The callers whose requests are worked on.
    at_work: Shares<Counted>,
    hall: Arc<Hall>,
}

impl Threshold {
    /// Before a hall.
    pub fn of(hall: Arc<Hall>) -> Self {
        Self { rate: Rate::default(), bodies: Semaphore::new(BODIES), hearing: Shares::default(), at_work: Shares::default(), hall }
    }
}

/// Answers a request, and adds the headers that every answer carries.
pub async fn dressed(State(threshold): State<Arc<Threshold>>, request: Request, next: Next) -> Response {
    let mut response = admitted(&threshold, request, next).await;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(page::POLICY));
    response
}

async fn admitted(threshold: &Threshold, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let peer = parts.extensions.get::<ConnectInfo<Peer>>().map(|ConnectInfo(peer)| peer.clone());
    let who = threshold.who(&parts);
    // A request over the world's own socket is its owner's, and is not counted.
    let is_counted = peer.is_some() && !who.as_ref().is_ok_and(Who::goes_first);
    let entered = peer.as_ref().map(|peer| threshold.enter(peer, who.as_ref().ok(), &parts)).transpose();
    let counted = match entered {
        Ok(counted) => counted.filter(|_| is_counted),
        Err(trouble) => return trouble.into_response(),
    };
    if let Err(trouble) = who.map_or(Ok(()), |who| threshold.hall.entrance.count(&who)) {
        return trouble.into_response();
    }
    let hearing = peer.as_ref().map(|peer| peer.ticket.hears());
    let body = match threshold.whole(body, counted.as_ref()).await {
        Ok(body) => body,
        Err(trouble) => return trouble.into_response(),
    };
    drop(hearing);
    // Once more: whoever went out, or was put out, while the body came is nobody any more.
    let who = threshold.who(&parts);
    if let Some(trouble) = who.as_ref().ok().filter(|_| !is_way_in(&parts)).and_then(|who| threshold.hall.entrance.owes_password(who)) {
        return trouble.into_response();
    }
    let share = match (&who, &peer) {
        (Ok(who), Some(_)) if is_counted => match threshold.at_work.take(&who.counted(), AT_WORK) {
            Some(share) => Some(share),
            None => return Trouble::too_many("too many of your requests are worked on; wait for one of them", 1).into_response(),
        },
        _ => None,
    };
    let work = peer.map(|peer| peer.ticket.works());
    let span = tracing::debug_span!("request", method = %parts.method, path = parts.uri.path());
    parts.extensions.insert(Identified(who));
    let response = next.run(Request::from_parts(parts, body)).instrument(span.clone()).await;
    drop((work, share));
    span.in_scope(|| tracing::debug!(status = response.status().as_u16(), "answered"));
    response
}

impl Threshold {
    /// The caller of a request.
    fn who(&self, parts: &Parts) -> Result<Who, Trouble> {
        self.hall.entrance.recognise(&self.hall.feed.world(), parts)
    }

    /// Counts a request, and says as whose; why it has to wait, if it has.
    fn enter(&self, peer: &Peer, who: Option<&Who>, parts: &Parts) -> Result<Counted, Trouble> {
        let goes_first = who.is_some_and(Who::goes_first);
        let origin = self.hall.entrance.doors.trust.origin(peer.address, &parts.headers);
        // A caller without a session may come in, and needs the page to do it.
        let comes_in =
            parts.uri.path() == "/api/session" || !["/api/", "/mcp", "/in/"].iter().any(|programs| parts.uri.path().starts_with(programs));
        if !peer.ticket.asks(origin, goes_first) && !comes_in {
            let full = "as many are connected as there is room for; try again in a moment";
            return Err(Trouble::new(StatusCode::SERVICE_UNAVAILABLE, Code::TooMany, full).after(1));
        }
        let counted = who.map_or(Counted::Address(origin), Who::counted);
        if self.rate.may(&counted) { Ok(counted) } else { Err(Trouble::too_many("too many requests; wait a second", 1)) }
    }

    /// All of a body, before anybody works on it: whoever sends it drop by drop holds a connection for so long and nothing else.
    async fn whole(&self, body: Body, counted: Option<&Counted>) -> Result<Body, Trouble> {
        let (said, is_said) = (body.size_hint().lower(), body.size_hint().exact().is_some());
        if said > BODY_MAX as u64 {
            // A client that still sends would not hear the answer: a body that is not far too long is read to its end, and dropped.
            if said <= DRAINED_MAX as u64 {
                let mut body = body.into_data_stream();
                let drained = async { while let Some(Ok(_)) = body.next().await {} };
                let _ = tokio::time::timeout(BODY_TIME, drained).await;
            }
            return Err(Trouble::too_large());
        }
        // Few large ones at one time: what is read lies in memory. And few of each, or whoever sends none of them to its end keeps all waiting.
        let is_large = said > SMALL_BODY as u64 || !is_said;
        let _one_of_few = match counted.filter(|_| is_large) {
            None => None,
            Some(counted) => {
                let own = self.hearing.take(counted, BODIES_OF_ONE);
                let own =
                    own.ok_or_else(|| Trouble::too_many("too many of your large bodies are on their way; wait for one of them", 1))?;
                Some((own, self.bodies.acquire().await))
            }
        };
        match tokio::time::timeout(BODY_TIME, axum::body::to_bytes(body, BODY_MAX)).await {
            Ok(Ok(body)) => Ok(body.into()),
            Ok(Err(error)) if is_too_long(&error) => Err(Trouble::too_large()),
            Ok(Err(_)) => Err(Trouble::bad("the body broke off")),
            Err(_) => Err(Trouble::new(StatusCode::REQUEST_TIMEOUT, Code::TooSlow, "the body did not come in time; send it again")),
        }
    }
}

/// Whether a request is part of coming in: of a session, of its password, of what the page needs to ask for one.
fn is_way_in(parts: &Parts) -> bool {
    const WAY: [&str; 4] = ["/api/session", "/api/password", "/api/words", "/api/codes"];
    let path = parts.uri.path();
    WAY.contains(&path) || !INSIDE.iter().any(|inside| path.starts_with(inside))
}

/// Whether it was its length that ended a body.
fn is_too_long(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}
