//! Entrance: how a request comes in: by which of the server's names, from whose page, and as whom: by a token, a proxy's word or a session.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, Query};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use tokio::sync::watch;

use crate::fact::{BeingId, Code, Verbs};
use crate::moment::ARRIVAL;
use crate::run::RunError;
use crate::world::World;

use super::cookies::{CookieNames, cookie_of};
use super::lines::Peer;
use super::origin::{Said, Trust};
use super::people::{People, now};
use super::tokens::Tokens;
use super::trouble::Trouble;
use super::who::{As, Who, is_person, person};

/// Set on requests that came over the world's own socket, which only its owner can reach.
#[derive(Clone, Copy, Debug)]
pub struct Owner;

/// The access settings of a server: its names, its trusted proxies, and whether others read its figures.
#[derive(Clone, Debug, Default)]
pub struct Doors {
    /// The names, beside loopback's, by which browsers may call it.
    pub hosts: Vec<String>,
    /// The trusted proxies, and what they are trusted with.
    pub trust: Trust,
    /// Whether visitors may read its figures.
    pub open_metrics: bool,
    /// Whether more than this machine reaches it: then whoever comes in by a link sets a password before anything else.
    pub is_wide: bool,
}

/// The way in to one world.
pub struct Entrance {
    /// The access settings of the server.
    pub doors: Doors,
    /// The name by which its world stands below `/w/`; empty where it stands at `/`.
    pub name: String,
    /// The names of its cookies. A browser sends those of all worlds of a server to each of them, and each reads its own: so whoever is in
    /// two of them at once can compare them.
    pub cookies: CookieNames,
    people: Mutex<People>,
    /// Shared with acts that wait for the world: a token may be taken back meanwhile.
    pub tokens: Arc<Mutex<Tokens>>,
}

/// Hears when anybody is let in no more.
pub struct Departures {
    sessions: watch::Receiver<()>,
    tokens: watch::Receiver<()>,
}

impl Departures {
    /// Waits until a session was closed, or a token taken back.
    pub async fn next(&mut self) {
        // Where nobody can say it any more, the server stops.
        let _ = tokio::select! {
            left = self.sessions.changed() => left,
            left = self.tokens.changed() => left,
        };
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn header<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The secret behind `Authorization: Bearer`, also where it is empty or no text: a request that has one comes as a program, and as
/// nobody else. Other ways to authorize are for whatever stands before this server.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes).find_map(|line| {
        let line = line.trim_ascii();
        let (scheme, secret) = line.split_at(line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len()));
        scheme.eq_ignore_ascii_case(b"bearer").then(|| std::str::from_utf8(secret.trim_ascii()).unwrap_or_default())
    })
}

/// The server that a request says it means.
fn host_of(parts: &Parts) -> Option<Authority> {
    let host = header(&parts.headers, &HOST).map_or_else(|| parts.uri.authority().cloned(), |host| host.parse().ok());
    // A name before the host is nothing that a browser sends.
    host.filter(|host| !host.as_str().contains('@'))
}

/// Whether a name of a server means this machine alone.
pub fn is_loopback(name: &str) -> bool {
    name == "localhost" || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The server whose page made a request; none where no server's did.
fn origin_of(parts: &Parts) -> Option<Authority> {
    let origin: Uri = header(&parts.headers, &ORIGIN)?.parse().ok()?;
    origin.authority().filter(|_| origin.scheme().is_some()).cloned()
}

/// The person whom a proxy says to have logged in.
fn person_of_proxy(world: &World, name: &str) -> Result<BeingId, Trouble> {
    person(world, name).ok_or_else(|| {
        let message = format!("the proxy says that you are `{name}`, and no person here has this name; the operator can give birth to one");
        Trouble::new(StatusCode::FORBIDDEN, Code::NoPerson, message)
    })
}

impl Entrance {
    /// The way in to the world in `dir`, which stands below `/w/` by that name; at `/` by none.
    pub fn of(dir: &Path, doors: Doors, name: &str) -> io::Result<Self> {
        let (people, tokens) = (Mutex::new(People::of(dir)?), Arc::new(Mutex::new(Tokens::of(dir)?)));
        Ok(Self { doors, name: name.to_owned(), cookies: CookieNames::of(dir)?, people, tokens })
    }

    /// The people who may come in by password.
    pub fn people(&self) -> MutexGuard<'_, People> {
        lock(&self.people)
    }

    /// The tokens by which programs may come in.
    pub fn tokens(&self) -> MutexGuard<'_, Tokens> {
        lock(&self.tokens)
    }

    /// Counts a request that came with a token; why it has to wait, where the token's rate says so.
    pub fn count(&self, who: &Who) -> Result<(), Trouble> {
        let Some(token) = &who.token else { return Ok(()) };
        self.tokens().use_once(token, now(), Instant::now()).map_err(|often| {
            let seconds = often.wait.as_secs() + u64::from(often.wait.subsec_nanos() > 0);
            Trouble::too_many(format!("this token may make {}; ask again in {seconds} seconds", often.rate.in_words()), seconds)
        })
    }

    /// Writes down when tokens were used last.
    pub fn save_uses(&self) {
        if let Err(error) = self.tokens().save_uses() {
            tracing::warn!(%error, "when tokens were used last cannot be written; the next try is in a minute");
        }
    }

    /// Hears from now on when anybody is let in no more.
    pub fn departures(&self) -> Departures {
        Departures { sessions: self.people().left.subscribe(), tokens: self.tokens().left.subscribe() }
    }

    /// Whether whoever came in is still let in: the session is open, the token was not taken back.
    pub fn knows_still(&self, who: &Who) -> bool {
        let has_session = who.session.as_ref().is_none_or(|session| self.people().is_open(session, now()));
        has_session && who.token.as_ref().is_none_or(|token| self.tokens().is_open(token, now()))
    }

    /// Why a session may do nothing yet: others reach this server, and its being has no password.
    pub fn owes_password(&self, who: &Who) -> Option<Trouble> {
        let being = who.being.filter(|_| self.doors.is_wide && who.session.is_some())?;
        if self.people().has_password(&being.to_string()) {
            return None;
        }
        let message = "other machines reach this server, so set a password before anything else: on its page, or by `POST /api/password`";
        Some(Trouble::new(StatusCode::FORBIDDEN, Code::PasswordFirst, message))
    }

    /// Whether a request means this server and comes from its own page, or over the world's own socket: else another page could speak for
    /// whoever is logged in.
    pub fn admits(&self, parts: &Parts) -> Result<(), Trouble> {
        if parts.extensions.get::<Owner>().is_some() {
            return Ok(());
        }
        let host = host_of(parts);
        let name = host.as_ref().map(Authority::host).unwrap_or_default();
        if !is_loopback(name) && !self.doors.hosts.iter().any(|known| known == name) {
            let message = format!("`{name}` is not a name of this server; start it with `--host {name}` if it is");
            return Err(Trouble::new(StatusCode::FORBIDDEN, Code::WrongHost, message));
        }
        let is_read = parts.method == Method::GET || parts.method == Method::HEAD;
        if !is_read && parts.headers.contains_key(ORIGIN) && origin_of(parts) != host {
            return Err(Trouble::new(StatusCode::FORBIDDEN, Code::WrongOrigin, "this request was made by a page of another server"));
        }
        Ok(())
    }

    /// Authenticates a request: finds the being that it comes from.
    pub fn recognise(&self, world: &World, parts: &Parts) -> Result<Who, Trouble> {
        let asked = Query::<As>::try_from_uri(&parts.uri)?.0.speaker;
        let peer = parts.extensions.get::<ConnectInfo<Peer>>().map(|ConnectInfo(peer)| peer);
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let origin = peer.map_or_else(|| here.into(), |peer| self.doors.trust.origin(peer.address, &parts.headers));
        let found = |being: Option<BeingId>, is_visitor: bool, is_owner: bool, session: Option<String>| Who {
            is_operator: being == Some(world.operator()),
            being,
            is_visitor,
            is_owner,
            session,
            origin,
            ticket: peer.map(|peer| peer.ticket.clone()),
            token: None,
            only: Verbs::ALL,
            asked: asked.clone(),
        };
        let is_owner = parts.extensions.get::<Owner>().is_some();
        self.admits(parts)?;
        // A token is whose it is, over whatever door it comes: also over the one that is its owner's.
        if let Some(secret) = bearer(&parts.headers) {
            let tokens = self.tokens();
            let token = tokens.find(secret, now()).ok_or_else(|| Trouble::from(RunError::TokenLost))?;
            let being = token.being().filter(|id| world.being(*id).is_some_and(|being| is_person(being)));
            let being = being.ok_or_else(|| Trouble::from(RunError::TokenLost))?;
            return Ok(Who { token: Some(token.id.clone()), only: token.only, ..found(Some(being), false, false, None) });
        }
        if is_owner {
            return Ok(found(Some(world.operator()), false, true, None));
        }
        let named = peer.map_or(Said::Nobody, |peer| self.doors.trust.person(peer.address, &parts.headers));
        match named {
            Said::Nobody => {}
            Said::Person(name) => return person_of_proxy(world, name).map(|being| found(Some(being), false, false, None)),
            Said::Untrusted => {
                let message = "the header for users is believed only from `--proxy`, and only if it names one person";
                return Err(Trouble::new(StatusCode::FORBIDDEN, Code::WrongProxy, message));
            }
        }
        let session = cookie_of(&parts.headers, &self.cookies.session).and_then(|token| self.people().session(&token, now()));
        let being = session.as_ref().and_then(|session| session.being.parse::<BeingId>().ok());
        // A being that is no person any more comes in by no session that was left open.
        if let Some(id) = being.filter(|id| world.being(*id).is_some_and(|being| is_person(being))) {
            return Ok(found(Some(id), false, false, session.map(|session| session.id)));
        }
        let arrival = world.being_named(ARRIVAL).filter(|being| !being.ended).map(|being| being.id);
        Ok(found(arrival, true, false, None))
    }
}
