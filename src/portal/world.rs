//! World: the world at a glance: its name, time and clock, and the tree of spaces with who is where.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json5, json};
use utoipa::ToSchema;

use crate::fact::{BeingId, Code, SpaceId, Thing, Value};
use crate::run::Pace;
use crate::verb::{Named, address_of};
use crate::world::{Local, iso};

use super::hall::Hall;
use super::sent::{Asked, Sent};
use super::sight::Sight;
use super::trouble::{Trouble, Wrong};
use super::who::{As, Who};

/// How many beings and pieces of matter of one space the tree names.
const NAMED: usize = 256;
/// How deep the tree is shown.
const DEPTH: usize = 12;

/// How the world's clock goes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Clock {
    /// `paced 60`, or `real`.
    pace: String,
    /// running, paused, quiet or waits.
    state: String,
    /// The person that the world waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for: Option<String>,
}

/// What is asked of the clock: one of both.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockCall {
    /// pause, go or step.
    #[serde(rename = "do")]
    order: Option<String>,
    /// So many times the speed of the wall clock, within the bounds that `/api/words` tells; or `real`.
    #[schema(value_type = Option<f64>)]
    pace: Option<Json5>,
}

/// The clock as it goes now.
pub fn clock_of(hall: &Hall) -> Clock {
    let standing = hall.feed.standing();
    // The reins are taken up between two rounds: what they were told last is what will be so.
    let state = match (hall.seats.reins().is_paused(), standing.state) {
        (true, _) => "paused",
        (false, "paused") if !hall.feed.world().is_paused() => "running",
        (false, state) => state,
    };
    Clock { pace: hall.pace().word(), state: state.to_owned(), waits_for: standing.waits_for }
}

/// Whoever may switch the clock by an act may do it here.
fn may_clock(sight: &Sight) -> Result<(), Trouble> {
    let args = Value::map([("key", Value::text("clock"))]);
    let asker = sight.asker();
    let judged = asker.may_do("config.set", Thing::Space(SpaceId::ROOT), &args);
    let root = || crate::verb::has_right(&sight.world, sight.being.id, SpaceId::ROOT);
    judged.map_err(|reason| Trouble::refused(&reason))?;
    if root() {
        Ok(())
    } else {
        Err(Trouble::new(StatusCode::FORBIDDEN, Code::GatePlace, "the clock is the root's: only who has a right there may hold it").at("/"))
    }
}

/// The world at a glance
#[utoipa::path(get, path = "/api/world", params(As), responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn world(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Json5>, Trouble> {
    let world = hall.feed.world();
    let now = hall.feed.now();
    let offset = Local::of(now, world.zone()).offset;
    let is_simulated = world.registry().config.get("simulated").is_some_and(|value| **value == Value::Bool(true));
    let mut told = json!({
        "name": world.config_text("name"), "world": world.id().to_string(), "simulated": is_simulated,
        "time": iso(now, offset), "at": now, "clock": clock_of(&hall),
    });
    // A visitor who may not see the root learns no more than what stands above.
    let sight = who.being.map(|_| who.sight(&hall.feed, asked.speaker.as_deref())).transpose()?;
    let sees = sight.as_ref().is_some_and(|sight| sight.may_see(&Named::Thing(Thing::Space(SpaceId::ROOT))).is_ok());
    if let (Some(sight), Some(map), true) = (&sight, told.as_object_mut(), sees) {
        let more = json!({
            "seq": world.next_seq(), "zone": world.config_text("zone"), "operator": world.name_of(world.operator()),
            "beings": world.beings().filter(|being| !being.ended).count(), "spaces": world.spaces().count(), "dead": world.inbox().dead().count(),
            "mayClock": may_clock(sight).is_ok(), "about": world.config_text("about"),
        });
        map.extend(more.as_object().cloned().unwrap_or_default());
    }
    Ok(Json(told))
}

/// Holds or drives the clock
#[utoipa::path(post, path = "/api/clock", request_body = ClockCall, responses((status = 200, body = Clock), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 413, body = Wrong)))]
pub async fn clock(State(hall): State<Arc<Hall>>, who: Who, Sent(sent): Sent<ClockCall>) -> Result<Json<Clock>, Trouble> {
    may_clock(&who.sight(&hall.feed, None)?)?;
    let reins = hall.seats.reins();
    match (sent.order.as_deref(), sent.pace) {
        (Some("pause"), None) => reins.pause(),
        (Some("go"), None) => reins.go_on(),
        (Some("step"), None) => reins.step(),
        (None, Some(pace)) => {
            let read = if pace == json!("real") { Some(Pace::Real) } else { pace.as_f64().and_then(Pace::times) };
            let pace = read.ok_or_else(|| {
                let (least, most) = (Pace::SLOWEST, Pace::FASTEST);
                Trouble::bad(format!("expected a pace at least {least} and at most {most}, or \"real\", found {pace}")).at("/pace")
            })?;
            super::seat::renew(&hall, pace).await;
            hall.set_pace(pace);
        }
        _ => return Err(Trouble::bad("expected {\"do\": \"pause\"}, \"go\" or \"step\", or {\"pace\": 60}")),
    }
    Ok(Json(clock_of(&hall)))
}

/// The tree of spaces, as far as one may see them
#[utoipa::path(get, path = "/api/tree", params(As), responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn tree(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    let root = space(&sight, SpaceId::ROOT, DEPTH);
    root.map(Json).ok_or_else(|| Trouble::refused(&crate::fact::Reason::new(Code::GateRole, "/")))
}

/// A space and those in it; none where nothing of it may be seen.
fn space(sight: &Sight, id: SpaceId, depth: usize) -> Option<Json5> {
    let world = &sight.world;
    let space = world.space(id)?;
    let sees = |thing: Thing| sight.may_see(&Named::Thing(thing)).is_ok();
    let inner: Vec<Json5> =
        if depth == 0 { Vec::new() } else { world.spaces_in(id).filter_map(|(_, id)| self::space(sight, id, depth - 1)).collect() };
    let is_seen = sees(Thing::Space(id));
    if !is_seen && inner.is_empty() {
        return None;
    }
    let beings: Vec<Json5> = world
        .beings_in(id)
        .filter(|being| is_seen && sees(Thing::Being(*being)))
        .take(NAMED)
        .filter_map(|being| glance(sight, being))
        .collect();
    let matter: Vec<Json5> = world
        .matter_in(Thing::Space(id))
        .filter(|(_, matter)| is_seen && sees(Thing::Matter(*matter)))
        .take(NAMED)
        .filter_map(|(name, id)| {
            world.matter(id).map(|matter| {
                json!({ "name": name, "address": address_of(world, Thing::Matter(id)), "type": matter.kind, "coords": matter.coords,
            "holds": world.matter_in(Thing::Matter(id)).count() })
            })
        })
        .collect();
    if !is_seen {
        // It is only on the way to what is seen.
        return Some(json!({ "address": world.path_of(id), "name": space.name, "beings": [], "matter": [], "spaces": inner }));
    }
    Some(json!({
        "address": world.path_of(id), "name": space.name, "type": space.kind, "size": space.size,
        "owner": space.owner.map(|owner| world.name_of(owner)), "paused": space.paused, "count": space.count,
        "beings": beings, "matter": matter, "spaces": inner,
    }))
}

fn glance(sight: &Sight, id: BeingId) -> Option<Json5> {
    let (world, being) = (&sight.world, sight.world.being(id)?);
    Some(json!({
        "name": being.name, "address": format!("@{}", being.name), "coords": being.coords, "cognition": being.cognition.word(),
        "wearing": being.wearing, "inhabitedBy": being.driver_at(sight.at).map(|driver| world.name_of(driver)), "paused": being.paused,
        "qualities": being.qualities.to_value(),
    }))
}
