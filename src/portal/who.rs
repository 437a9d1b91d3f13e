//! Who: the sender of a request: a session's being, whoever holds the world's own files, or a visitor; and as which being they speak.

use std::sync::Arc;

use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::fact::{BeingId, Code, Cognition, Millis, Verbs};
use crate::moment::ARRIVAL;
use crate::past::Point;
use crate::run::{Feed, RunError};
use crate::verb::driver_of;
use crate::world::{Being, World};

use super::crowd::Ticket;
use super::origin::Origin;
use super::rate::Counted;
use super::sight::Sight;
use super::spelled::PointShape;
use super::trouble::Trouble;

/// The being as which one reads.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct As {
    /// One's own being, or one that it drives; without it, one's own.
    #[serde(rename = "as")]
    #[param(rename = "as")]
    pub speaker: Option<String>,
}

/// The being as which one reads, and the point of the past.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Then {
    /// One's own being, or one that it drives; without it, one's own.
    #[serde(rename = "as")]
    #[param(rename = "as")]
    pub speaker: Option<String>,
    /// The point of the past: `120`, `120+`, `@ada/7`, `@ada/7+`, `2026-03-02T09:00`, `~10m`; without it, now.
    #[param(value_type = Option<PointShape>, inline)]
    pub at: Option<Point>,
}

/// The sender of a request.
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
    /// The origin from which it came.
    pub origin: Origin,
    /// The place of its connection, where it came over one that is counted.
    pub ticket: Option<Ticket>,
    /// The token, where a program holds one.
    pub token: Option<String>,
    /// The verbs that it may use, of those that the worn role has.
    pub only: Verbs,
    /// The being as which it asks to speak, in its address.
    pub asked: Option<String>,
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

impl Who {
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

    /// As who its waiting is counted: each token and each session for itself, others by their being.
    pub fn waits_as(&self) -> String {
        match (&self.token, &self.session) {
            (Some(token), _) => format!("token {token}"),
            (None, Some(session)) => format!("session {session}"),
            (None, None) => self.being.map_or_else(|| "nobody".to_owned(), |being| being.to_string()),
        }
    }

    /// The being as which an act is done: as its body says, or as its address does; not as two.
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
        let is_driven_by_own = matches!(driver_of(world, &being, at), Ok(Some(driver)) if driver.id == own);
        // A holder of the world's files may read all of it; who acts as whom is judged where the act is.
        if being.id == own || is_driven_by_own || self.is_owner {
            return Ok(being);
        }
        let name_of = |id: BeingId| world.being(id).map(|being| being.name.to_string()).unwrap_or_default();
        let driver = name_of(being.driver_at(at).unwrap_or(being.id));
        let told = RunError::Driven { name: being.name.to_string(), driver, by: name_of(own) };
        Err(Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, told.to_string()).at(format!("@{}", being.name)))
    }

    /// The view of a being: the world as it is, through the role that it wears now.
    pub fn sight(&self, feed: &Feed, name: Option<&str>) -> Result<Sight, Trouble> {
        let (world, at) = (feed.world(), feed.now());
        let being = self.speaker(&world, at, name)?;
        Ok(Sight { is_visitors: self.is_visitor, ..Sight::of(world, being, at).narrowed(self.only) })
    }
}
