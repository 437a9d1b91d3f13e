//! Programs: the tokens by which programs come in: listed, made, taken back by the person as whom they act; the operator sees all of them,
//! and whoever holds the world's files makes them for anybody.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, HeaderName};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fact::{BeingId, Code, Verb, Verbs, parse_duration};
use crate::world::{World, iso};

use super::hall::Hall;
use super::people::now;
use super::sent::Sent;
use super::session::{Acknowledged, logged_in};
use super::token_rate::TokenRate;
use super::tokens::{Token, Wanted};
use super::trouble::{Trouble, Wrong};
use super::who::{Who, no_person, person};

/// How long a token lasts where nothing is said, in milliseconds.
pub const LASTS_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// The longest that one may last.
pub const LASTS_MAX_MS: i64 = 10 * 365 * 24 * 60 * 60 * 1000;

/// A token that is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// Its purpose.
    name: Option<String>,
    /// The verbs that it may be used for: see, do, summon, be; without it, all.
    #[schema(value_type = Option<Vec<String>>)]
    only: Option<Vec<Verb>>,
    /// How long it lasts, such as `30d`; without it 90 days.
    #[serde(rename = "for")]
    lasts: Option<String>,
    /// How often it may ask, such as `30/m`: so many requests within a second (`s`), minute (`m`), hour (`h`) or day (`d`).
    rate: Option<String>,
    /// The being as which its program acts; only over the socket beside the world's files, else oneself.
    being: Option<String>,
}

/// A token as it is listed; its secret stands only in the answer to its making.
#[derive(Serialize, ToSchema)]
#[schema(as = Token)]
pub struct ListedToken {
    /// The id by which it can be taken back.
    id: String,
    /// Its purpose.
    name: String,
    /// The being as which its program acts.
    being: String,
    /// The verbs that it may be used for.
    #[schema(value_type = Vec<String>)]
    only: Verbs,
    /// The time at which it was made.
    since: String,
    /// The time at which it ends.
    until: String,
    /// How often it may ask, such as `30/m`; null where nothing narrows that.
    #[schema(value_type = Option<String>)]
    rate: Option<TokenRate>,
    /// When a request came with it last; null where none has come.
    used: Option<String>,
    /// The secret, once: `Authorization: Bearer` and this.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl ListedToken {
    /// A token as it is listed.
    pub fn of(world: &World, token: &Token, secret: Option<String>) -> Self {
        let being = token.being().and_then(|being| world.being(being)).map(|being| format!("@{}", being.name)).unwrap_or_default();
        Self {
            id: token.id.clone(),
            name: token.name.clone(),
            being,
            only: token.only,
            since: iso(token.since, 0),
            until: iso(token.until, 0),
            rate: token.rate,
            used: token.used.map(|used| iso(used, 0)),
            token: secret,
        }
    }
}

/// The verbs and the time of a token, checked.
pub fn terms(only: Option<Verbs>, lasts: Option<&str>) -> Result<(Verbs, i64), String> {
    let only = only.unwrap_or_default();
    if only.each().next().is_none() {
        return Err("expected at least one of the verbs see, do, summon, be".to_owned());
    }
    let read = |text: &str| parse_duration(text).filter(|ms| (1000..=LASTS_MAX_MS).contains(ms));
    let wrong = |text: &str| format!("expected a duration such as 30d, of at most ten years, found `{text}`");
    let lasts = lasts.map_or(Ok(LASTS_MS), |text| read(text).ok_or_else(|| wrong(text)))?;
    Ok((only, lasts))
}

/// The being whose tokens somebody may list and take back; none for those of anybody.
fn of(who: &Who) -> Result<Option<BeingId>, Trouble> {
    let own = logged_in(who)?;
    Ok(Some(own).filter(|_| !who.is_operator))
}

/// One's tokens; all of them for the operator
#[utoipa::path(get, path = "/api/tokens", responses((status = 200, body = Vec<ListedToken>), (status = 401, body = Wrong), (status = 403, body = Wrong)))]
pub async fn tokens(State(hall): State<Arc<Hall>>, who: Who) -> Result<Json<Vec<ListedToken>>, Trouble> {
    let (of, world) = (of(&who)?, hall.feed.world());
    let tokens = hall.entrance.tokens();
    Ok(Json(tokens.list(of, now()).map(|token| ListedToken::of(&world, token, None)).collect()))
}

/// Makes a token
#[utoipa::path(post, path = "/api/tokens", request_body = NewToken,
    responses((status = 200, body = ListedToken), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong),
        (status = 404, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong)))]
pub async fn make(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Sent(new): Sent<NewToken>,
) -> Result<([(HeaderName, &'static str); 1], Json<ListedToken>), Trouble> {
    let own = logged_in(&who)?;
    let world = hall.feed.world();
    let being = match new.being.as_deref() {
        None => own,
        Some(name) => person(&world, name).ok_or_else(|| match world.being_named(name.trim_start_matches('@')) {
            None => Trouble::not_found(name),
            Some(_) => Trouble::bad(no_person(&world, name)).at(name),
        })?,
    };
    if being != own && !who.is_owner {
        let message = "a token is made by the person as whom its program acts, or by `reelm token make` beside the world's files";
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, message).at(new.being.unwrap_or_default()));
    }
    let only = new.only.map(|verbs| verbs.into_iter().collect());
    let (only, lasts) = terms(only, new.lasts.as_deref()).map_err(Trouble::bad)?;
    let rate = new.rate.as_deref().map(str::parse).transpose().map_err(|wrong: String| Trouble::bad(wrong))?;
    let wanted = Wanted { being, name: new.name.unwrap_or_default(), only, since: now(), lasts, rate };
    let mut tokens = hall.entrance.tokens();
    // A new password ends sessions first, and takes tokens back then: none is made by a session that has ended meanwhile.
    if who.session.as_ref().is_some_and(|session| !hall.entrance.people().is_open(session, now())) {
        return Err(Trouble::new(StatusCode::UNAUTHORIZED, Code::NotLoggedIn, "log in first"));
    }
    let (token, secret) = tokens.make(wanted).map_err(|error| Trouble::bad(error.to_string()))?;
    drop(tokens);
    // It is shown once, and kept nowhere on the way.
    Ok(([(CACHE_CONTROL, "no-store")], Json(ListedToken::of(&world, &token, Some(secret)))))
}

/// Takes a token back
#[utoipa::path(delete, path = "/api/tokens/{id}", params(("id" = String, Path)),
    responses((status = 200, body = Acknowledged), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn take(State(hall): State<Arc<Hall>>, who: Who, Path(id): Path<String>) -> Result<Json<Acknowledged>, Trouble> {
    let of = of(&who)?;
    if !hall.entrance.tokens().take(&id, of).map_err(Trouble::inside)? {
        return Err(Trouble::not_found(&id));
    }
    Ok(Json(Acknowledged {}))
}
