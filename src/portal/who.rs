//! Who: whose request it is: a session's being, whoever holds the world's own files, or a visitor; and as which being they speak.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};

use crate::fact::{BeingId, Code, Reason, Thing};
use crate::moment::{ARRIVAL, Composer, Opening, open};
use crate::role::Entry;
use crate::run::RunError;
use crate::verb::{Asker, Named, may_grant, may_pass};
use crate::world::{Being, Wake, World};

use super::hall::Hall;
use super::trouble::Trouble;

/// The cookie that holds a session's token.
pub const COOKIE_NAME: &str = "reelm_session";

/// Set on requests that came over the world's own socket, which only its owner can reach.
#[derive(Clone, Copy, Debug)]
pub struct Owner;

/// Whose request it is.
#[derive(Clone, Debug)]
pub struct Who {
    /// The session's own being; a visitor's is `@arrival`, and a world may have none.
    pub being: Option<BeingId>,
    /// Whether nobody is logged in.
    pub is_visitor: bool,
    /// Whether it came from whoever holds the world's files, who may speak as anybody that people drive.
    pub is_owner: bool,
    /// The session.
    pub session: Option<String>,
}

fn header<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The token in the cookies.
pub fn token_of(headers: &HeaderMap) -> Option<&str> {
    let pairs = header(headers, &COOKIE)?.split(';');
    pairs.filter_map(|pair| pair.trim().split_once('=')).find(|(name, _)| *name == COOKIE_NAME).map(|(_, token)| token)
}

/// The name in a `Host`, without its port.
fn name_of(host: &str) -> &str {
    if host.starts_with('[') { host.split_inclusive(']').next().unwrap_or(host) } else { host.split(':').next().unwrap_or(host) }
}

/// Whether a request means this server and comes from its own page: else another page could speak for whoever is logged in.
fn is_ours(hall: &Hall, parts: &Parts) -> Result<(), Trouble> {
    let host = header(&parts.headers, &HOST).or_else(|| parts.uri.authority().map(|authority| authority.as_str())).unwrap_or_default();
    let name = name_of(host);
    let is_loopback = name == "localhost" || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if !is_loopback && !hall.hosts.iter().any(|known| known == name) {
        let message = format!("`{name}` is not a name of this server; start it with `--host {name}` if it is");
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::WrongHost, message));
    }
    let origin = header(&parts.headers, &ORIGIN).and_then(|origin| origin.split("://").nth(1));
    if parts.method != Method::GET && parts.method != Method::HEAD && parts.headers.contains_key(ORIGIN) && origin != Some(host) {
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::WrongOrigin, "this request was made by a page of another server"));
    }
    Ok(())
}

impl FromRequestParts<Arc<Hall>> for Who {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Self, Trouble> {
        let world = hall.feed.world();
        if parts.extensions.get::<Owner>().is_some() {
            return Ok(Self { being: Some(world.operator()), is_visitor: false, is_owner: true, session: None });
        }
        is_ours(hall, parts)?;
        let session = token_of(&parts.headers).and_then(|token| hall.people().session(token).cloned());
        let being = session.as_ref().and_then(|session| session.being.parse::<BeingId>().ok());
        if let Some(id) = being.filter(|id| world.being(*id).is_some_and(|being| !being.ended)) {
            return Ok(Self { being: Some(id), is_visitor: false, is_owner: false, session: session.map(|session| session.id) });
        }
        let arrival = world.being_named(ARRIVAL).filter(|being| !being.ended).map(|being| being.id);
        Ok(Self { being: arrival, is_visitor: true, is_owner: false, session: None })
    }
}

impl OptionalFromRequestParts<Arc<Hall>> for Who {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Option<Self>, Trouble> {
        <Self as FromRequestParts<Arc<Hall>>>::from_request_parts(parts, hall).await.map(Some)
    }
}

impl Who {
    fn own(&self) -> Result<BeingId, Trouble> {
        self.being.ok_or_else(|| {
            Trouble::new(StatusCode::UNAUTHORIZED, Code::NotLoggedIn, "log in first: this world has no @arrival for visitors")
        })
    }

    /// The being as which one speaks: one's own, or one that it drives.
    pub fn speaker(&self, world: &World, name: Option<&str>) -> Result<Arc<Being>, Trouble> {
        let own = self.own()?;
        let being = match name.map(|name| name.trim_start_matches('@')).filter(|name| !name.is_empty()) {
            None => world.being(own),
            Some(name) => world.being_named(name),
        };
        let being = being
            .filter(|being| !being.ended)
            .cloned()
            .ok_or_else(|| RunError::NoBeing(name.unwrap_or_default().trim_start_matches('@').to_owned()))?;
        let is_driven_by_own = being.driver_at(world.at()) == Some(own);
        // Driving shows no more than the driver could have given.
        let is_outgrown = || {
            let Some(driver) = world.being(own) else { return true };
            let roles = being.flow.roles().chain(being.default_role.as_deref());
            may_grant(driver, roles).is_err() || may_pass(driver, being.grants.iter().map(AsRef::as_ref)).is_err()
        };
        let is_driven_by_own = is_driven_by_own && !is_outgrown();
        // Whoever holds the world's files may read all of it; who acts as whom is judged where the act is.
        if being.id == own || is_driven_by_own || self.is_owner {
            return Ok(being);
        }
        let own = world.being(own).map(|own| own.name.to_string()).unwrap_or_default();
        Err(Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, format!("@{own} does not drive `@{}`; inhabit it first", being.name))
            .at(format!("@{}", being.name)))
    }

    /// What one sees as a being: the world as it is, through the role that it wears now.
    pub fn sight(&self, hall: &Hall, name: Option<&str>) -> Result<Sight, Trouble> {
        let world = hall.feed.world();
        let being = self.speaker(&world, name)?;
        Ok(Sight::of(world, being))
    }
}

/// The world through the role that a being wears now.
pub struct Sight {
    /// The world as of the last durable frame.
    pub world: Arc<World>,
    /// Who looks.
    pub being: Arc<Being>,
    /// What it wears.
    pub opening: Opening,
}

impl Sight {
    /// A being's sight of a world.
    pub fn of(world: Arc<World>, being: Arc<Being>) -> Self {
        let wake = Arc::new(Wake::gesture(world.next_seq(), world.at()));
        let opening = open(&world, &being, &wake, world.at(), None, &mut Composer::default());
        Self { world, being, opening }
    }

    /// Who asks at the gate.
    pub fn asker(&self) -> Asker<'_> {
        Asker { world: &self.world, actor: &self.being, worn: &self.opening.worn, caller: None }
    }

    /// Whether it may see what an address names.
    pub fn may_see(&self, named: &Named) -> Result<(), Trouble> {
        self.asker().may_see(named).map_err(|reason| Trouble::refused(&reason))
    }

    /// What an address names, if it may see it.
    pub fn named(&self, address: &str) -> Result<Named, Trouble> {
        let reason = |reason| Trouble::refused(&reason);
        let parsed: crate::verb::Address = address.parse().map_err(|_| reason(Reason::new(Code::BadAddress, address)))?;
        let named = match parsed.resolve(&self.world, &self.being) {
            Ok(named) => named,
            // Whoever may see little shall not learn by asking what there is.
            Err(found) if found.code == Code::NotFound && !self.sees_all() => return Err(reason(Reason::new(Code::GateRole, address))),
            Err(found) => return Err(reason(found)),
        };
        self.may_see(&named)?;
        Ok(named)
    }

    /// The being of that name, if it may see it.
    pub fn being_named(&self, name: &str) -> Result<Arc<Being>, Trouble> {
        let address = format!("@{}", name.trim_start_matches('@'));
        let Named::Thing(Thing::Being(id)) = self.named(&address)? else { return Err(Trouble::not_found(&address)) };
        self.world.being(id).cloned().ok_or_else(|| Trouble::not_found(&address))
    }

    /// Whether it may read a register of a being, such as `flow`.
    pub fn reads(&self, being: BeingId, register: &str) -> Result<(), Trouble> {
        self.may_see(&Named::Register { of: Thing::Being(being), register: register.into(), entry: "".into() })
    }

    /// Whether its role lists everything, or all places and all beings.
    fn sees_all(&self) -> bool {
        let has =
            |wanted: &str| self.opening.worn.can_see.iter().any(|entry| matches!(entry, Entry::Name(glob) if glob.as_str() == wanted));
        has("**") || (has("/**") && has("@*"))
    }

    /// The same for one of the root's registers, such as `roles`.
    pub fn register(&self, register: &str) -> Result<(), Trouble> {
        self.named(&format!("/.{register}")).map(drop)
    }
}
