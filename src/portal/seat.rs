//! Seat: driving a being from a tab. The lease is a fact in world time; the server renews it while the tab says that it is there, and
//! releases the being when it has not been heard of for a while.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fact::{BeingId, Call, Code, Reason, Thing, Value, Verb, Verbs};
use crate::past::Report;
use crate::run::{Gesture, Pace};
use crate::verb::LEASE_MAX;
use crate::world::World;

use super::hall::Hall;
use super::sent::Sent;
use super::shapes::ReportShape;
use super::tabs::Seat;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// After so long without a word from its tab a being is released.
pub const SILENCE: Duration = Duration::from_secs(45);
/// A tab that goes away may come back within so long: a page that is loaded anew goes away first.
pub const PARTING: Duration = Duration::from_secs(10);
/// The lease that is asked for, in milliseconds of the wall clock.
const LEASE_MS: f64 = 60_000.0;
/// The longest lease there is, in milliseconds of world time.
pub const LEASE_MAX_MS: f64 = LEASE_MAX as f64;

/// The being that is driven, and the tab from which.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Driven {
    /// The being, such as `@ada`.
    being: String,
    /// The tab's name for itself: one person may drive a being from several.
    #[schema(max_length = 64)]
    tab: Option<String>,
}

/// The being that is given back, and the tab that does so.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenBack {
    /// The being, such as `@ada`.
    being: String,
    /// The tab's name for itself; without it, all tabs of oneself let go.
    #[schema(max_length = 64)]
    tab: Option<String>,
    /// Whether the tab only goes away, and may come back: the being is given back unless a heartbeat of the tab comes within ten seconds.
    #[serde(default)]
    #[schema(required = false)]
    leaving: bool,
}

/// The beings that one drives.
#[derive(Serialize, ToSchema)]
pub struct Drives {
    /// All of it.
    drives: Vec<String>,
    /// How many other tabs of oneself drive the same being.
    tabs: usize,
}

/// The moment of taking a seat, or of leaving it.
#[derive(Serialize, ToSchema)]
pub struct Seated {
    #[serde(flatten)]
    #[schema(value_type = ReportShape)]
    report: Report,
    /// How many other tabs of oneself drive the being.
    tabs: usize,
}

/// The outcome of leaving a seat.
#[derive(Serialize, ToSchema)]
#[schema(as = Left)]
#[serde(untagged)]
pub enum Leaving {
    /// The being was given back, or was not.
    Seat(Box<Seated>),
    /// Only a tab went; others go on.
    Tab(TabsLeft),
}

/// How many tabs go on.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TabsLeft {
    /// How many other tabs of oneself drive the being.
    tabs: usize,
}

/// A minute of the wall clock in world time, as far as a lease can reach.
pub fn lease(pace: Pace) -> f64 {
    match pace {
        Pace::Times(times) => (LEASE_MS * times).clamp(1000.0, LEASE_MAX_MS),
        Pace::Real | Pace::Virtual => LEASE_MS,
    }
}

/// The wall-clock time after which a lease is renewed: when half of it is over.
pub fn renewal(pace: Pace) -> Duration {
    let times = if let Pace::Times(times) = pace { times } else { 1.0 };
    Duration::try_from_secs_f64(lease(pace) / times / 2000.0).unwrap_or(Duration::MAX)
}

/// Renews all leases for another pace, before the world goes at it: else they would be over in a moment.
pub async fn renew(hall: &Hall, pace: Pace) {
    for (driven, driver) in hall.tabs.drivers() {
        let name = hall.feed.world().being(driven).filter(|being| !being.ended).map(|being| being.name.clone());
        let Some(name) = name else { continue };
        let done = drive(hall, driver, inhabit_call(&name, pace), None).await;
        if let (Ok(report), Some(seat)) = (done, hall.tabs.seats().get_mut(&driven))
            && report.reason.is_none()
        {
            seat.renewed = Some(Instant::now());
        }
    }
}

pub fn inhabit_call(being: &str, pace: Pace) -> Call {
    let lease = format!("{}s", (lease(pace) / 1000.0) as i64);
    Call::be("inhabit", Value::map([("being", Value::from(format!("@{being}"))), ("for", Value::from(lease))]))
}

pub fn release_call(being: &str) -> Call {
    Call::be("release", Value::map([("being", Value::from(format!("@{being}")))]))
}

/// The driver's own act about a being.
fn act_of(hall: &Hall, driver: BeingId, call: Call, only: Verbs) -> Result<Gesture, Trouble> {
    let name = hall.feed.world().being(driver).map(|being| being.name.clone()).ok_or_else(|| Trouble::not_found("@"))?;
    Ok(Gesture { being: name, call: Some(call), wake: None, by: Some(driver), metered: false, once: None, only })
}

/// Has the driver do it.
pub async fn drive(hall: &Hall, driver: BeingId, call: Call, who: Option<&Who>) -> Result<Report, Trouble> {
    let (only, token) = who.map_or((Verbs::ALL, None), |who| (who.only, who.token.clone()));
    hall.gesture(act_of(hall, driver, call, only)?, token).await
}

/// Does it in the driver's name, unasked.
pub async fn keep_up(hall: &Hall, driver: BeingId, driven: BeingId, call: Call) -> Result<Report, Trouble> {
    hall.upkeep(act_of(hall, driver, call, Verbs::ALL)?, driver, driven).await
}

fn named(world: &World, name: &str) -> Result<BeingId, Trouble> {
    world.being_named(name.trim_start_matches('@')).map(|being| being.id).ok_or_else(|| Trouble::not_found(name))
}

fn driver(who: &Who) -> Result<BeingId, Trouble> {
    who.being.filter(|_| !who.is_visitor).ok_or_else(|| Trouble::new(StatusCode::UNAUTHORIZED, Code::NotLoggedIn, "log in first"))
}

/// Refuses a caller that may not take a lease: it may not keep one or give one back either.
fn may_bind(who: &Who) -> Result<(), Trouble> {
    if who.only.contains(Verb::Be) { Ok(()) } else { Err(Trouble::refused(&Reason::new(Code::GateNarrowed, Verb::Be.word()))) }
}

/// Whether a release would be of what one drives oneself, and through one's role.
fn is_given_back(hall: &Hall, who: &Who, driven: BeingId, driver: BeingId) -> Result<bool, Trouble> {
    let sight = hall.sight_now(who, None)?;
    let is_own = sight.world.being(driven).is_some_and(|being| being.driver_at(sight.at) == Some(driver));
    Ok(is_own && sight.asker().may_be("release", Some(Thing::Being(driven))).is_ok())
}

/// The word of a tab.
fn tab_of(sent: Option<&str>) -> Result<&str, Trouble> {
    let tab = sent.unwrap_or_default();
    if tab.len() > 64 { Err(Trouble::bad("a tab calls itself by 64 bytes at most").at("/tab")) } else { Ok(tab) }
}

/// Inhabits a descendant, as one's own being
#[utoipa::path(post, path = "/api/inhabit", request_body = Driven,
    responses((status = 200, body = Seated), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn inhabit(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<Driven>) -> Result<Json<Seated>, Trouble> {
    let driver = driver(&who)?;
    hall.may_act(&who)?;
    let tab = tab_of(sent.tab.as_deref())?;
    let driven = named(&hall.feed.world(), &sent.being)?;
    let report = drive(&hall, driver, inhabit_call(sent.being.trim_start_matches('@'), hall.pace()), Some(&who)).await?;
    let mut tabs = 0;
    if report.reason.is_none() {
        let mut seats = hall.tabs.seats();
        let seat = seats
            .entry(driven)
            .and_modify(|seat| {
                if seat.driver != driver {
                    *seat = Seat::of(driver)
                }
            })
            .or_insert_with(|| Seat::of(driver));
        seat.renewed = Some(Instant::now());
        tabs = seat.hear(tab, SILENCE);
    }
    Ok(Json(Seated { report, tabs }))
}

/// Says that the tab that drives a being is there; takes up a lease that a server before this one gave
#[utoipa::path(post, path = "/api/heartbeat", request_body = Driven,
    responses((status = 200, body = Drives), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong)))]
pub async fn heartbeat(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<Driven>) -> Result<Json<Drives>, Trouble> {
    let driver = driver(&who)?;
    let tab = tab_of(sent.tab.as_deref())?;
    let world = hall.feed.world();
    let driven = named(&world, &sent.being)?;
    may_bind(&who)?;
    let tabs = stay(&hall, driver, driven, tab, SILENCE).map_err(|trouble| trouble.at(sent.being))?;
    let seats = hall.tabs.seats();
    let own = seats.iter().filter(|(_, seat)| seat.driver == driver);
    let drives = own.filter_map(|(driven, _)| world.being(*driven)).map(|being| format!("@{}", being.name)).collect();
    Ok(Json(Drives { drives, tabs }))
}

/// Counts a tab as there for so long, if its lease still holds; how many other tabs of the driver there are.
pub fn stay(hall: &Hall, driver: BeingId, driven: BeingId, tab: &str, lasts: Duration) -> Result<usize, Trouble> {
    let (world, now) = (hall.feed.world(), hall.feed.now());
    let mut seats = hall.tabs.seats();
    let is_ours = seats.get(&driven).is_none_or(|seat| seat.driver == driver);
    let holds = world.being(driven).is_some_and(|being| being.driver_at(now) == Some(driver));
    // Another driver of the being keeps its seat.
    if is_ours != holds {
        seats.remove(&driven);
    }
    if !holds {
        let name = world.being(driven).map(|being| being.name.clone()).unwrap_or_default();
        return Err(Trouble::new(StatusCode::CONFLICT, Code::NotDriven, format!("you do not drive `@{name}` any more; inhabit it again")));
    }
    Ok(seats.entry(driven).or_insert_with(|| Seat::of(driver)).hear(tab, lasts))
}

/// Gives a being back; where another tab of oneself drives it too, only this one goes
#[utoipa::path(post, path = "/api/release", request_body = GivenBack,
    responses((status = 200, body = Leaving), (status = 400, body = Wrong), (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong),
        (status = 409, body = Wrong), (status = 413, body = Wrong), (status = 429, body = Wrong), (status = 503, body = Wrong)))]
pub async fn release(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<GivenBack>) -> Result<Json<Leaving>, Trouble> {
    let driver = driver(&who)?;
    let tab = tab_of(sent.tab.as_deref())?;
    may_bind(&who)?;
    let driven = named(&hall.feed.world(), &sent.being)?;
    if sent.leaving {
        let tabs = stay(&hall, driver, driven, tab, PARTING).map_err(|trouble| trouble.at(sent.being))?;
        return Ok(Json(Leaving::Tab(TabsLeft { tabs })));
    }
    // A person who was refused too often may still give back a being that they drive, where that is not one more refusal.
    if !is_given_back(&hall, &who, driven, driver)? {
        hall.may_act(&who)?;
    }
    if sent.tab.is_some()
        && let Some(seat) = hall.tabs.seats().get_mut(&driven).filter(|seat| seat.driver == driver)
    {
        seat.tabs.remove(tab);
        if !seat.tabs.is_empty() {
            return Ok(Json(Leaving::Tab(TabsLeft { tabs: seat.tabs.len() })));
        }
    }
    let report = drive(&hall, driver, release_call(sent.being.trim_start_matches('@')), Some(&who)).await?;
    let mut seats = hall.tabs.seats();
    if report.reason.is_none() && seats.get(&driven).is_some_and(|seat| seat.driver == driver) {
        seats.remove(&driven);
    }
    drop(seats);
    Ok(Json(Leaving::Seat(Box::new(Seated { report, tabs: 0 }))))
}

/// Renews the leases of tabs that are there, and releases the beings of those that are gone; forever.
pub async fn keep(hall: Arc<Hall>) {
    let mut beat = tokio::time::interval(Duration::from_secs(1));
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        keep_once(&hall, Instant::now()).await;
    }
}

/// One round of that.
pub async fn keep_once(hall: &Hall, now: Instant) {
    let pace = hall.pace();
    for (driven, driver) in hall.tabs.drivers() {
        let Some((is_gone, is_due)) = ({
            let mut seats = hall.tabs.seats();
            seats.get_mut(&driven).map(|seat| {
                seat.tabs.retain(|_, until| *until >= now);
                (seat.tabs.is_empty(), seat.renewed.is_none_or(|renewed| renewed.elapsed() >= renewal(pace)))
            })
        }) else {
            continue;
        };
        let name = hall.feed.world().being(driven).filter(|being| !being.ended).map(|being| being.name.clone());
        let call = match &name {
            Some(name) if is_gone => release_call(name),
            Some(name) if is_due && !hall.seats.reins().is_paused() => inhabit_call(name, pace),
            Some(_) => continue,
            None => {
                hall.tabs.seats().remove(&driven);
                continue;
            }
        };
        let done = keep_up(hall, driver, driven, call).await;
        let mut seats = hall.tabs.seats();
        match (done, seats.get_mut(&driven)) {
            (Ok(report), Some(seat)) if report.reason.is_none() && !is_gone => seat.renewed = Some(Instant::now()),
            // A tab that came back while the being was released.
            (_, Some(seat)) if is_gone && !seat.tabs.is_empty() => {}
            // Released, or not ours any more.
            _ => drop(seats.remove(&driven)),
        }
    }
}
