//! Session: login and logout: by the one-time link, by password; the sessions one has.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fact::{BeingId, Code, Thing};
use crate::verb::{above, may_drive};
use crate::world::{Being, World, iso};

use super::cookies::{cookie, cookie_of};
use super::hall::Hall;
use super::people::{PASSWORD_MAX, PASSWORD_MIN, SESSION_LIFE_MS, fits, hash, now};
use super::sent::Sent;
use super::sight::Sight;
use super::tries::Try;
use super::trouble::{Trouble, Wrong};
use super::who::{Who, is_person, person};
use super::world::shows;

/// The session of the caller.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// One's own being.
    being: Option<String>,
    /// The beings that it drives now.
    drives: Vec<String>,
    /// Whether nobody is logged in.
    visitor: bool,
    /// Whether the being has a password.
    has_password: bool,
    /// Whether one may do nothing else before one has set a password: other machines reach this server.
    password_first: bool,
    /// Whether one's role lists anything: a visitor whose does not is shown nothing of the world.
    sees: bool,
    /// Whether one sees anything of the world's places.
    sees_places: bool,
}

/// How one comes in: with the token of the one-time link, or with a being's name and password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The token of the link that the server printed.
    token: Option<String>,
    /// A person's being.
    being: Option<String>,
    /// Its password.
    password: Option<String>,
}

/// A new password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// At least 8 characters.
    password: String,
    /// The being; without it, one's own. An ancestor gives its descendants theirs.
    being: Option<String>,
}

/// A session, as one sees one's own.
#[derive(Serialize, ToSchema)]
#[schema(as = OpenSession)]
pub struct Listed {
    /// The id by which it can be closed.
    id: String,
    /// When it was opened.
    since: String,
    /// When it was used last, not to the minute.
    seen: String,
    /// Whether it is this one.
    current: bool,
}

/// That something was done, of which there is nothing more to say.
#[derive(Serialize, ToSchema)]
#[schema(as = Done)]
pub struct Acknowledged {}

fn me(hall: &Hall, world: &World, who: &Who) -> Me {
    let name = |id: BeingId| world.being(id).map(|being| format!("@{}", being.name));
    // The leases themselves say it: they outlive a server that died.
    let at = hall.feed.now();
    let (being, visitor) = (who.being, who.is_visitor);
    let drives = being
        .map(|own| world.driven_by(own).filter(|driven| driven.driver_at(at) == Some(own)).filter_map(|driven| name(driven.id)).collect());
    let has_password = being.is_some_and(|being| hall.entrance.people().has_password(&being.to_string()));
    let password_first = hall.entrance.owes_password(who).is_some();
    // Only of visitors it is asked: whoever is in is told by each page what they may not see.
    let sight = hall.sight_now(who, None).ok().filter(|_| visitor);
    let sees = !visitor || sight.as_ref().is_some_and(Sight::lists_anything);
    let sees_places = !visitor || sight.as_ref().is_some_and(shows);
    Me { being: being.and_then(name), drives: drives.unwrap_or_default(), visitor, has_password, password_first, sees, sees_places }
}

/// Tells as which being the caller is logged in
#[utoipa::path(get, path = "/api/session", responses((status = 200, body = Me), (status = 403, body = Wrong)))]
pub async fn whoami(State(hall): State<Arc<Hall>>, who: Who) -> Json<Me> {
    Json(me(&hall, &hall.feed.world(), &who))
}

/// How long a browser is known that nobody uses, in seconds.
const BROWSER_AGE: i64 = 365 * 24 * 60 * 60;

/// Comes in
#[utoipa::path(post, path = "/api/session", request_body = Login,
    responses((status = 200, body = Me), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong),
        (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 500, body = Wrong)))]
pub async fn login(State(hall): State<Arc<Hall>>, who: Who, headers: HeaderMap, Sent(login): Sent<Login>) -> Result<Response, Trouble> {
    let world = hall.feed.world();
    let browser = cookie_of(&headers, &hall.entrance.cookies.browser);
    let being = match login {
        Login { token: Some(token), being: None, password: None } => {
            if !hall.entrance.people().use_link(&token, now()) {
                return Err(wrong_login());
            }
            world.operator()
        }
        Login { token: None, being: Some(name), password: Some(password) } => {
            by_password(&hall, &who, browser.as_deref(), name.trim_start_matches('@'), password).await?
        }
        Login { .. } => return Err(Trouble::bad("expected {\"token\"} or {\"being\", \"password\"}")),
    };
    let (own, mut people) = (being.to_string(), hall.entrance.people());
    // The session that this browser had ends: whoever sat here before is not left open behind a cookie that nobody has.
    if let (Some(before), Some(session)) = (who.being, &who.session) {
        people.close(&before.to_string(), session).map_err(Trouble::inside)?;
    }
    let token = people.open(&own, now()).map_err(Trouble::inside)?;
    let session = people.session(&token, now()).map(|session| session.id);
    let known = people.know(browser.as_deref(), &own).map_err(Trouble::inside)?;
    drop(people);
    let now_in = Who { being: Some(being), is_visitor: false, session, ..who };
    let mut response = Json(me(&hall, &world, &now_in)).into_response();
    let known = known.and_then(|token| cookie(&hall.entrance.cookies.browser, &token, BROWSER_AGE));
    for cookie in cookie(&hall.entrance.cookies.session, &token, SESSION_LIFE_MS / 1000).into_iter().chain(known) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

fn wrong_login() -> Trouble {
    Trouble::new(StatusCode::UNAUTHORIZED, Code::WrongLogin, "that is not a person's name and password here, or the link was used already")
}

/// The being of that name, if the password is its own.
async fn by_password(hall: &Hall, who: &Who, browser: Option<&str>, name: &str, password: String) -> Result<BeingId, Trouble> {
    let world = hall.feed.world();
    let being = person(&world, name);
    let known = being.and_then(|being| {
        // A person who is logged in is known as well.
        let own = who.session.clone().filter(|_| who.being == Some(being));
        own.or_else(|| hall.entrance.people().browser(browser?, &being.to_string()))
    });
    // Counted before it is tried.
    let made = Try::under(name, who.origin, known);
    hall.tries.begin(&made, Instant::now()).map_err(|wait| {
        let seconds = wait.as_secs() + 1;
        Trouble::too_many(format!("too many wrong passwords; try again in {seconds} seconds"), seconds)
    })?;
    let kept = being.and_then(|being| hall.entrance.people().password(&being.to_string()));
    let is_right = password.len() <= PASSWORD_MAX && slowly(hall, move || fits(&password, kept.as_deref())).await?;
    let being = being.filter(|_| is_right).ok_or_else(wrong_login)?;
    hall.tries.right(&made);
    Ok(being)
}

/// Hashing a password takes long on purpose; nobody else waits for it.
async fn slowly<T: Send + 'static>(hall: &Hall, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Trouble> {
    // Each takes memory on purpose as well.
    hall.hashing.work(|_| work()).await
}

/// Goes out
#[utoipa::path(delete, path = "/api/session", responses((status = 200, body = Acknowledged), (status = 403, body = Wrong), (status = 500, body = Wrong)))]
pub async fn logout(State(hall): State<Arc<Hall>>, who: Who) -> Result<Response, Trouble> {
    if let (Some(being), Some(session)) = (who.being, who.session) {
        hall.entrance.people().close(&being.to_string(), &session).map_err(Trouble::inside)?;
    }
    let mut headers = HeaderMap::new();
    headers.extend(cookie(&hall.entrance.cookies.session, "", 0).map(|cookie| (SET_COOKIE, cookie)));
    Ok((headers, Json(Acknowledged {})).into_response())
}

/// Sets a password: other sessions of that person end, and their tokens are taken back
#[utoipa::path(post, path = "/api/password", request_body = NewPassword,
    responses((status = 200, body = Acknowledged), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong),
        (status = 404, body = Wrong), (status = 413, body = Wrong), (status = 500, body = Wrong)))]
pub async fn password(State(hall): State<Arc<Hall>>, who: Who, Sent(new): Sent<NewPassword>) -> Result<Json<Acknowledged>, Trouble> {
    let own = logged_in(&who)?;
    let world = hall.feed.world();
    let being = match new.being.as_deref().map(|name| name.trim_start_matches('@')) {
        None => own,
        Some(name) => world.being_named(name).filter(|being| !being.ended).map(|being| being.id).ok_or_else(|| Trouble::not_found(name))?,
    };
    if being != own {
        if let Some(trouble) = hall.entrance.owes_password(&who) {
            return Err(trouble);
        }
        may_give_password(&hall, &who, &world, being)?;
    }
    if !world.being(being).is_some_and(|being| is_person(being)) {
        return Err(Trouble::bad("only a person has a password: a being that lives, whose cognition is human, and who is not `@arrival`"));
    }
    if new.password.chars().count() < PASSWORD_MIN || new.password.len() > PASSWORD_MAX {
        return Err(Trouble::bad(format!("a password has at least {PASSWORD_MIN} characters and at most {PASSWORD_MAX} bytes")));
    }
    let hash = slowly(&hall, move || hash(&new.password)).await?.map_err(Trouble::inside)?;
    let but = who.session.as_deref().filter(|_| being == own);
    hall.entrance.people().set_password(&being.to_string(), hash, but).map_err(Trouble::inside)?;
    // A person who had come in by the old password may have left a way in behind.
    hall.entrance.tokens().take_all(being).map_err(Trouble::inside)?;
    Ok(Json(Acknowledged {}))
}

/// Whether somebody may give a being a password, beside their own.
pub fn may_give(hall: &Hall, who: &Who, being: &Being) -> bool {
    let is_another = logged_in(who).is_ok_and(|own| own != being.id) && is_person(being);
    is_another && may_give_password(hall, who, &hall.feed.world(), being.id).is_ok()
}

/// A password is a way to be somebody, so it takes what inhabiting takes; one that there is already only the operator may replace.
fn may_give_password(hall: &Hall, who: &Who, world: &World, being: BeingId) -> Result<(), Trouble> {
    let sight = hall.sight_now(who, None)?;
    let of = world.being(being).ok_or_else(|| Trouble::not_found("@"))?;
    let judged = above(world, sight.being.id, being)
        .and_then(|()| sight.asker().may_be("inhabit", Some(Thing::Being(being))))
        .and_then(|()| may_drive(&sight.being, of, sight.at));
    judged.map_err(|reason| Trouble::refused(&reason))?;
    if hall.entrance.people().has_password(&being.to_string()) && sight.being.id != world.operator() {
        let message = format!("`@{}` has a password; only it and the operator may set another", of.name);
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::GateLineage, message).at(format!("@{}", of.name)));
    }
    Ok(())
}

/// The person who is logged in: a program that holds a token acts, and does not change by what people come in.
pub fn logged_in(who: &Who) -> Result<BeingId, Trouble> {
    if who.token.is_some() {
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::NotYours, "a token is for acts and reads: log in as a person for this"));
    }
    who.being.filter(|_| !who.is_visitor).ok_or_else(|| Trouble::new(StatusCode::UNAUTHORIZED, Code::NotLoggedIn, "log in first"))
}

/// One's sessions
#[utoipa::path(get, path = "/api/sessions", responses((status = 200, body = Vec<Listed>), (status = 401, body = Wrong), (status = 403, body = Wrong)))]
pub async fn sessions(State(hall): State<Arc<Hall>>, who: Who) -> Result<Json<Vec<Listed>>, Trouble> {
    let own = logged_in(&who)?.to_string();
    let is_current = |id: &str| who.session.as_deref() == Some(id);
    let people = hall.entrance.people();
    Ok(Json(
        people
            .sessions(&own, now())
            .map(|session| Listed {
                id: session.id.clone(),
                since: iso(session.since, 0),
                seen: iso(session.seen, 0),
                current: is_current(&session.id),
            })
            .collect(),
    ))
}

/// Closes one of one's sessions
#[utoipa::path(delete, path = "/api/sessions/{id}", params(("id" = String, Path)),
    responses((status = 200, body = Acknowledged), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn close(State(hall): State<Arc<Hall>>, who: Who, Path(id): Path<String>) -> Result<Json<Acknowledged>, Trouble> {
    let own = logged_in(&who)?.to_string();
    if !hall.entrance.people().close(&own, &id).map_err(Trouble::inside)? {
        return Err(Trouble::not_found(&id));
    }
    Ok(Json(Acknowledged {}))
}
