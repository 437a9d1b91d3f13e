//! Who: whose request it is: a session's being, whoever holds the world's own files, or a visitor; and as which being they speak.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts, Query};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};

use crate::fact::{BeingId, Code, Cognition, Millis, Reason, Thing, Verbs};
use crate::moment::{ARRIVAL, Composer, Opening, open};
use crate::role::Entry;
use crate::run::RunError;
use crate::verb::{Asker, Named, may_drive};
use crate::world::{Being, Wake, World};

use super::crowd::Ticket;
use super::hall::Hall;
use super::lines::Peer;
use super::origin::{Origin, Said};
use super::people::now;
use super::rate::Counted;
use super::thing::As;
use super::trouble::Trouble;

/// The cookie that holds a session's token.
pub const COOKIE_NAME: &str = "reelm_session";
/// The cookie by which a browser is known in which somebody has come in before.
pub const BROWSER_COOKIE: &str = "reelm_browser";

/// Set on requests that came over the world's own socket, which only its owner can reach.
#[derive(Clone, Copy, Debug)]
pub struct Owner;

/// Whose request it is.
#[derive(Clone)]
pub struct Who {
    /// The session's own being; a visitor's is `@arrival`, and a world may have none.
    pub being: Option<BeingId>,
    /// Whether nobody is logged in.
    pub is_visitor: bool,
    /// Whether it came from whoever holds the world's files, who may speak as anybody that people drive.
    pub is_owner: bool,
    /// Whether it is the operator's, over whatever door it came.
    pub is_operator: bool,
    /// The session.
    pub session: Option<String>,
    /// From where it came.
    pub origin: Origin,
    /// The place of its connection, where it came over one that is counted.
    pub ticket: Option<Ticket>,
    /// The token, where a program holds one.
    pub token: Option<String>,
    /// The verbs that it may use, of those that the worn role has.
    pub only: Verbs,
    /// As whom it asks to speak, in its address.
    asked: Option<String>,
}

/// Whose a request was found to be when it came, for those who work on it.
#[derive(Clone)]
pub struct Identified(pub Result<Who, Trouble>);

fn header<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// What a cookie of this name holds.
pub fn cookie_of<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let pairs = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(';'));
    pairs.filter_map(|pair| pair.trim().split_once('=')).find(|(name, _)| *name == wanted).map(|(_, token)| token)
}

/// What stands behind `Authorization: Bearer`, also where that is nothing or no text: whoever comes with it comes as a program, and as
/// nobody else. Other ways to authorize are for whatever stands before this server.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes).find_map(|line| {
        let line = line.trim_ascii();
        let (scheme, secret) = line.split_at(line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len()));
        scheme.eq_ignore_ascii_case(b"bearer").then(|| std::str::from_utf8(secret.trim_ascii()).unwrap_or_default())
    })
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
    if !is_loopback && !hall.doors.hosts.iter().any(|known| known == name) {
        let message = format!("`{name}` is not a name of this server; start it with `--host {name}` if it is");
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::WrongHost, message));
    }
    let origin = header(&parts.headers, &ORIGIN).and_then(|origin| origin.split("://").nth(1));
    if parts.method != Method::GET && parts.method != Method::HEAD && parts.headers.contains_key(ORIGIN) && origin != Some(host) {
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::WrongOrigin, "this request was made by a page of another server"));
    }
    Ok(())
}

/// That a request means this server: what has no being to judge by asks for this.
pub struct Ours;

impl FromRequestParts<Arc<Hall>> for Ours {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Self, Trouble> {
        if parts.extensions.get::<Owner>().is_none() {
            is_ours(hall, parts)?;
        }
        Ok(Self)
    }
}

/// The verbs: what is asked of them may be asked as a being that one drives.
const VERBS: [&str; 4] = ["/api/see", "/api/do", "/api/summon", "/api/be"];

impl FromRequestParts<Arc<Hall>> for Who {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Self, Trouble> {
        let who = match parts.extensions.remove::<Identified>() {
            Some(Identified(who)) => who?,
            None => Self::of(hall, parts)?,
        };
        // Whoever asks as somebody they are not, or in vain, is never taken for themselves.
        if let Some(name) = &who.asked {
            let speaker = who.speaker(&hall.feed.world(), hall.feed.now(), Some(name))?;
            let is_read = parts.method == Method::GET || parts.method == Method::HEAD;
            if !is_read && !VERBS.contains(&parts.uri.path()) && Some(speaker.id) != who.being {
                return Err(Trouble::bad(format!("what is done here is one's own: leave `as={name}` away")).at("as"));
            }
        }
        Ok(who)
    }
}

/// The person of that name, who may come in and have programs. Visitors are one being, and the world is nobody's: neither is a person.
pub fn person(world: &World, name: &str) -> Option<BeingId> {
    world.being_named(name.trim_start_matches('@')).filter(|being| is_person(being)).map(|being| being.id)
}

/// Why there is no person of that name.
pub fn no_person(world: &World, name: &str) -> String {
    let name = name.trim_start_matches('@');
    match world.being_named(name) {
        None => format!("there is no `@{name}` in this world"),
        Some(being) if being.ended => format!("`@{name}` has ended; only people who live have passwords and tokens"),
        Some(being) if being.cognition != Cognition::Human => {
            format!("`@{name}` thinks by itself ({}); only people have passwords and tokens", being.cognition)
        }
        Some(_) => format!("`@{name}` is nobody in particular; only people have passwords and tokens"),
    }
}

/// Whether a being is somebody who lives, and nobody else.
pub fn is_person(being: &Being) -> bool {
    !being.ended && being.cognition == Cognition::Human && being.name.as_ref() != ARRIVAL && being.id != BeingId::WORLD
}

/// The person whom a proxy says to have logged in.
fn person_of_proxy(world: &World, name: &str) -> Result<BeingId, Trouble> {
    person(world, name).ok_or_else(|| {
        let message = format!("the proxy says that you are `{name}`, and no person here has this name; the operator can give birth to one");
        Trouble::new(StatusCode::FORBIDDEN, Code::NoPerson, message)
    })
}

impl Who {
    /// Whose request it is.
    pub fn of(hall: &Hall, parts: &Parts) -> Result<Self, Trouble> {
        let world = hall.feed.world();
        let asked = Query::<As>::try_from_uri(&parts.uri)?.0.speaker;
        let peer = parts.extensions.get::<ConnectInfo<Peer>>().map(|ConnectInfo(peer)| peer);
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let origin = peer.map_or_else(|| here.into(), |peer| hall.doors.trust.origin(peer.address, &parts.headers));
        let found = |being: Option<BeingId>, is_visitor: bool, is_owner: bool, session: Option<String>| Self {
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
        if !is_owner {
            is_ours(hall, parts)?;
        }
        // A token is whose it is, over whatever door it comes: also over the one that is its owner's.
        if let Some(secret) = bearer(&parts.headers) {
            let tokens = hall.tokens();
            let token = tokens.find(secret, now()).ok_or_else(|| Trouble::from(RunError::TokenLost))?;
            let being = token.being().filter(|id| world.being(*id).is_some_and(|being| is_person(being)));
            let being = being.ok_or_else(|| Trouble::from(RunError::TokenLost))?;
            return Ok(Self { token: Some(token.id.clone()), only: token.only, ..found(Some(being), false, false, None) });
        }
        if is_owner {
            return Ok(found(Some(world.operator()), false, true, None));
        }
        let named = peer.map_or(Said::Nobody, |peer| hall.doors.trust.person(peer.address, &parts.headers));
        match named {
            Said::Nobody => {}
            Said::Person(name) => return person_of_proxy(&world, name).map(|being| found(Some(being), false, false, None)),
            Said::Untrusted => {
                let message = "the header for users is believed only from `--proxy`, and only if it names one person";
                return Err(Trouble::new(StatusCode::FORBIDDEN, Code::WrongProxy, message));
            }
        }
        let session = cookie_of(&parts.headers, COOKIE_NAME).and_then(|token| hall.people().session(token, now()));
        let being = session.as_ref().and_then(|session| session.being.parse::<BeingId>().ok());
        // Whoever thinks by itself now comes in no more, by whatever was left open.
        if let Some(id) = being.filter(|id| world.being(*id).is_some_and(|being| is_person(being))) {
            return Ok(found(Some(id), false, false, session.map(|session| session.id)));
        }
        let arrival = world.being_named(ARRIVAL).filter(|being| !being.ended).map(|being| being.id);
        Ok(found(arrival, true, false, None))
    }

    /// Whether it gets in where others have to wait: the operator's, and no program's that is narrowed.
    pub fn goes_first(&self) -> bool {
        self.is_operator && self.only.is_all()
    }

    /// As who it is counted: a person for themselves, all visitors of an address together.
    pub fn counted(&self) -> Counted {
        match self.being.filter(|_| !self.is_visitor) {
            Some(being) => Counted::Person(being),
            None => Counted::Address(self.origin),
        }
    }

    /// As whom an act is done: as its body says, or as its address does; not as two.
    pub fn acts_as<'a>(&'a self, said: Option<&'a str>) -> Result<Option<&'a str>, Trouble> {
        let bare = |name: &'a str| name.trim_start_matches('@');
        match (said, self.asked.as_deref()) {
            (Some(said), Some(asked)) if bare(said) != bare(asked) => {
                Err(Trouble::bad(format!("the body says as `{said}` and the address as `{asked}`; say one of them")).at("as"))
            }
            (said, asked) => Ok(said.or(asked)),
        }
    }

    fn own(&self) -> Result<BeingId, Trouble> {
        self.being.ok_or_else(|| {
            Trouble::new(StatusCode::UNAUTHORIZED, Code::NotLoggedIn, "log in first: this world has no @arrival for visitors")
        })
    }

    /// The being as which one speaks: one's own, or one that it drives at that instant.
    pub fn speaker(&self, world: &World, at: Millis, name: Option<&str>) -> Result<Arc<Being>, Trouble> {
        let own = self.own()?;
        let being = match name.map(|name| name.trim_start_matches('@')) {
            None => world.being(own),
            Some(name) => world.being_named(name),
        };
        let being = being
            .filter(|being| !being.ended)
            .cloned()
            .ok_or_else(|| RunError::NoBeing(name.unwrap_or_default().trim_start_matches('@').to_owned()))?;
        let is_driven_by_own = being.driver_at(at) == Some(own);
        // Driving shows no more than the driver could have given.
        let is_outgrown = || world.being(own).is_none_or(|driver| may_drive(driver, &being, at).is_err());
        let is_driven_by_own = is_driven_by_own && !is_outgrown();
        // Whoever holds the world's files may read all of it; who acts as whom is judged where the act is.
        if being.id == own || is_driven_by_own || self.is_owner {
            return Ok(being);
        }
        let name_of = |id: BeingId| world.being(id).map(|being| being.name.to_string()).unwrap_or_default();
        let driver = name_of(being.driver_at(at).unwrap_or(being.id));
        let told = RunError::Driven { name: being.name.to_string(), driver, by: name_of(own) };
        Err(Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, told.to_string()).at(format!("@{}", being.name)))
    }

    /// What one sees as a being: the world as it is, through the role that it wears now.
    pub fn sight(&self, hall: &Hall, name: Option<&str>) -> Result<Sight, Trouble> {
        let (world, at) = (hall.feed.world(), hall.feed.now());
        let being = self.speaker(&world, at, name)?;
        Ok(Sight { is_visitors: self.is_visitor, ..Sight::of(world, being, at).narrowed(self.only) })
    }
}

/// The world through the role that a being wears now.
pub struct Sight {
    /// The world as of the last durable frame.
    pub world: Arc<World>,
    /// When: by the clock as it goes, which is later than that frame. Leases and the hour of the day are judged by it, as an act would be.
    pub at: Millis,
    /// Who looks.
    pub being: Arc<Being>,
    /// What it wears.
    pub opening: Opening,
    /// Whether it is that of all who are not logged in.
    pub is_visitors: bool,
}

/// The registers in which stands what others have said to a being.
const LETTERS: [&str; 2] = ["inbox", "dead"];

impl Sight {
    /// A being's sight of a world at an instant.
    pub fn of(world: Arc<World>, being: Arc<Being>, at: Millis) -> Self {
        let wake = Arc::new(Wake::gesture(world.next_seq(), at));
        let opening = open(&world, &being, &wake, at, None, &mut Composer::default());
        Self { world, at, being, opening, is_visitors: false }
    }

    /// The same with some verbs alone.
    pub fn narrowed(self, only: Verbs) -> Self {
        Self { opening: self.opening.narrowed(only), ..self }
    }

    /// Who asks at the gate.
    pub fn asker(&self) -> Asker<'_> {
        Asker { world: &self.world, actor: &self.being, worn: &self.opening.worn, caller: None }
    }

    /// Whether it may see what an address names.
    pub fn may_see(&self, named: &Named) -> Result<(), Trouble> {
        // All visitors are one being: what is said to one of them is not the others' to read.
        if self.is_visitors
            && let Named::Register { of, register, .. } = named
            && *of == Thing::Being(self.being.id)
            && LETTERS.contains(&register.as_ref())
        {
            return Err(Trouble::refused(&Reason::new(Code::GateRole, format!("@{}/.{register}", self.being.name))));
        }
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
