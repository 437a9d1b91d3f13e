//! Seat: driving a being from a tab. The lease is a fact in world time; the server renews it while the tab says that it is there, and
//! releases the being when it has not been heard of for a while.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fact::{BeingId, Call, Code, Value};
use crate::run::{Gesture, Pace, Report};
use crate::world::World;

use super::hall::{Hall, Tab};
use super::sent::Sent;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// After so long without a word from its tab a being is released.
const SILENCE: Duration = Duration::from_secs(45);
/// The lease that is asked for, in milliseconds of the wall clock.
const LEASE_MS: f64 = 60_000.0;
/// The longest lease there is, in milliseconds of world time.
const LEASE_MAX_MS: f64 = 3_600_000.0;

/// Whom it is about.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Driven {
    /// The being, such as `@ada`.
    being: String,
}

/// What one drives.
#[derive(Serialize, ToSchema)]
pub struct Drives {
    drives: Vec<String>,
}

/// A minute of the wall clock in world time, as far as a lease can reach.
fn lease(pace: Pace) -> f64 {
    match pace {
        Pace::Times(times) => (LEASE_MS * times).clamp(1000.0, LEASE_MAX_MS),
        Pace::Real | Pace::Virtual => LEASE_MS,
    }
}

/// After how long of the wall clock a lease is renewed: when half of it is over.
fn renewal(pace: Pace) -> Duration {
    let times = if let Pace::Times(times) = pace { times } else { 1.0 };
    Duration::try_from_secs_f64(lease(pace) / times / 2000.0).unwrap_or(Duration::MAX)
}

/// Renews all leases for another pace, before the world goes at it: else they would be over in a moment.
pub async fn renew(hall: &Hall, pace: Pace) {
    let tabs: Vec<(BeingId, Tab)> = hall.tabs().iter().map(|(driven, tab)| (*driven, *tab)).collect();
    for (driven, tab) in tabs {
        let name = hall.feed.world().being(driven).filter(|being| !being.ended).map(|being| being.name.clone());
        let Some(name) = name else { continue };
        let done = drive(hall, tab.driver, inhabit_call(&name, pace)).await;
        let mut tabs = hall.tabs();
        if let (Ok(report), Some(tab)) = (done, tabs.get_mut(&driven))
            && report.reason.is_none()
        {
            tab.renewed = Instant::now();
        }
    }
}

fn inhabit_call(being: &str, pace: Pace) -> Call {
    let lease = format!("{}s", (lease(pace) / 1000.0) as i64);
    Call::be("inhabit", Value::map([("being", Value::from(format!("@{being}"))), ("for", Value::from(lease))]))
}

fn release_call(being: &str) -> Call {
    Call::be("release", Value::map([("being", Value::from(format!("@{being}")))]))
}

/// The driver's own act about a being.
async fn drive(hall: &Hall, driver: BeingId, call: Call) -> Result<Report, Trouble> {
    let name = hall.feed.world().being(driver).map(|being| being.name.clone()).ok_or_else(|| Trouble::not_found("@"))?;
    hall.gesture(Gesture { being: name, call: Some(call), wake: None, by: Some(driver), metered: false, once: None }).await
}

fn named(world: &World, name: &str) -> Result<BeingId, Trouble> {
    world.being_named(name.trim_start_matches('@')).map(|being| being.id).ok_or_else(|| Trouble::not_found(name))
}

fn driver(who: &Who) -> Result<BeingId, Trouble> {
    who.being.filter(|_| !who.is_visitor).ok_or_else(|| Trouble::new(StatusCode::UNAUTHORIZED, Code::NotLoggedIn, "log in first"))
}

/// Inhabits a descendant, as one's own being
#[utoipa::path(post, path = "/api/inhabit", request_body = Driven,
    responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn inhabit(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<Driven>) -> Result<Json<Report>, Trouble> {
    let driver = driver(&who)?;
    hall.may_act(&who)?;
    let world = hall.feed.world();
    let driven = named(&world, &sent.being)?;
    let report = drive(&hall, driver, inhabit_call(sent.being.trim_start_matches('@'), hall.pace())).await?;
    if report.reason.is_none() {
        let now = Instant::now();
        hall.tabs().insert(driven, Tab { driver, heard: now, renewed: now });
    }
    Ok(Json(report))
}

/// Says that the tab that drives a being is there
#[utoipa::path(post, path = "/api/heartbeat", request_body = Driven,
    responses((status = 200, body = Drives), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong)))]
pub async fn heartbeat(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<Driven>) -> Result<Json<Drives>, Trouble> {
    let driver = driver(&who)?;
    let world = hall.feed.world();
    let driven = named(&world, &sent.being)?;
    let mut tabs = hall.tabs();
    let is_driven = world.being(driven).is_some_and(|being| being.driver_at(world.at()) == Some(driver));
    match tabs.get_mut(&driven).filter(|tab| tab.driver == driver && is_driven) {
        Some(tab) => tab.heard = Instant::now(),
        None => {
            if tabs.get(&driven).is_some_and(|tab| tab.driver == driver) {
                tabs.remove(&driven);
            }
            let message = format!("you do not drive `{}` any more; inhabit it again", sent.being);
            return Err(Trouble::new(StatusCode::CONFLICT, Code::NotDriven, message).at(sent.being));
        }
    }
    let own = tabs.iter().filter(|(_, tab)| tab.driver == driver);
    let drives = own.filter_map(|(driven, _)| world.being(*driven)).map(|being| format!("@{}", being.name)).collect();
    Ok(Json(Drives { drives }))
}

/// Gives a being back
#[utoipa::path(post, path = "/api/release", request_body = Driven,
    responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn release(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<Driven>) -> Result<Json<Report>, Trouble> {
    let driver = driver(&who)?;
    let driven = named(&hall.feed.world(), &sent.being)?;
    let report = drive(&hall, driver, release_call(sent.being.trim_start_matches('@'))).await?;
    let mut tabs = hall.tabs();
    if report.reason.is_none() && tabs.get(&driven).is_some_and(|tab| tab.driver == driver) {
        tabs.remove(&driven);
    }
    drop(tabs);
    Ok(Json(report))
}

/// Renews the leases of tabs that are there, and releases the beings of those that are gone; forever.
pub async fn keep(hall: Arc<Hall>) {
    let mut beat = tokio::time::interval(Duration::from_secs(1));
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        keep_once(&hall, SILENCE).await;
    }
}

/// One round of that.
async fn keep_once(hall: &Hall, silence: Duration) {
    let pace = hall.pace();
    let tabs: Vec<(BeingId, Tab)> = hall.tabs().iter().map(|(driven, tab)| (*driven, *tab)).collect();
    for (driven, tab) in tabs {
        let world = hall.feed.world();
        let name = world.being(driven).filter(|being| !being.ended).map(|being| being.name.clone());
        let is_gone = tab.heard.elapsed() > silence;
        let call = match &name {
            Some(name) if is_gone => release_call(name),
            Some(name) if tab.renewed.elapsed() >= renewal(pace) && !hall.seats.reins().is_paused() => inhabit_call(name, pace),
            Some(_) => continue,
            None => {
                hall.tabs().remove(&driven);
                continue;
            }
        };
        let done = drive(hall, tab.driver, call).await;
        let mut tabs = hall.tabs();
        match (done, tabs.get_mut(&driven)) {
            (Ok(report), Some(tab)) if report.reason.is_none() && !is_gone => tab.renewed = Instant::now(),
            // Released, or not ours any more.
            _ => drop(tabs.remove(&driven)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_lasts_a_minute_of_the_wall_clock_where_it_can_and_is_renewed_halfway() {
        assert_eq!((lease(Pace::Real), renewal(Pace::Real)), (60_000.0, Duration::from_secs(30)));
        assert_eq!((lease(Pace::Times(60.0)), renewal(Pace::Times(60.0))), (3_600_000.0, Duration::from_secs(30)));
        assert_eq!((lease(Pace::Times(600.0)), renewal(Pace::Times(600.0))), (3_600_000.0, Duration::from_secs(3)));
    }
}
