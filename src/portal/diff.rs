//! Diff: what differs between two points of the past, as far as whoever asks may see it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{Seq, Thing};
use crate::past::{DiffLine, History, Point, Same, differences};
use crate::verb::{Named, thing_named};
use crate::world::{Local, World};

use super::hall::Hall;
use super::sent::Asked;
use super::shapes::DiffLineShape;
use super::sight::Sight;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How many differences are told where nothing is said, and at most.
const MOST: usize = 100;
const MOST_MAX: usize = 1000;
/// The parts of a thing that are for those who may read its flow.
const INSIDE: [&str; 7] = ["", "flow", "settings", "schedules", "grants", "script", "panel"];

/// Between which points, and where.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Between {
    /// The one point of the past, such as `120`, `@ada/7` or `~10m`.
    #[param(value_type = String)]
    from: Point,
    /// The other; without it, now.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    to: Point,
    /// Only a being, a space or matter, and what is in it.
    r#in: Option<String>,
    /// How many, at most 1000; without it 100.
    most: Option<usize>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// Where one side of a comparison stands.
#[derive(Serialize, ToSchema)]
pub struct Stood {
    /// All frames below it.
    #[schema(value_type = u64)]
    seq: Seq,
    /// When its last frame was.
    time: String,
}

/// What differs between two points.
#[derive(Serialize, ToSchema)]
#[schema(as = Diff)]
pub struct DiffTold {
    was: Stood,
    is: Stood,
    #[schema(value_type = Vec<DiffLineShape>)]
    differences: Vec<DiffLine>,
    /// How many more there are.
    more: usize,
}

impl Stood {
    fn of(world: &World) -> Self {
        Self { seq: world.next_seq(), time: Local::of(world.at(), world.zone()).iso() }
    }
}

/// What differs between two points of the past
#[utoipa::path(get, path = "/api/diff", params(Between), responses((status = 200, body = DiffTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn diff(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Between>) -> Result<Json<DiffTold>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    sight.register("moments")?;
    let (dir, newest) = (hall.dir.clone(), World::clone(&sight.world));
    let told = hall.recall(&who, move || {
        let history = History::of(&dir)?;
        let seq = |point: &Point| history.begun_seen(point, || Ok(newest.clone()));
        let (was, is) = history.two_worlds(seq(&asked.from)?, seq(&asked.to)?)?;
        let mut found = differences(&was, &is, Same::Id);
        if let Some(address) = &asked.r#in {
            let there = |world: &World| thing_named(world, &sight.being, world.now(), address).is_ok();
            if !there(&was) && !there(&is) {
                return Err(Trouble::not_found(address));
            }
            found.retain(|difference| difference.is_in(address, &was, &is));
        }
        found.retain(|difference| is_open(&sight, difference));
        let more = found.len().saturating_sub(asked.most.unwrap_or(MOST).clamp(1, MOST_MAX));
        found.truncate(found.len() - more);
        Ok(DiffTold { was: Stood::of(&was), is: Stood::of(&is), differences: found, more })
    });
    told.await.map(Json)
}

/// Whether whoever asks may see that today: what is gone by now, who sees everything.
fn is_open(sight: &Sight, difference: &DiffLine) -> bool {
    let register = match difference.kind {
        "being" | "space" | "matter" => {
            let Ok(named) = sight.named(&difference.of) else { return sight.sees_all() };
            let Named::Thing(of @ (Thing::Being(_) | Thing::Space(_))) = named else { return true };
            let is_inside = INSIDE.contains(&difference.what.split('.').next().unwrap_or_default());
            return !is_inside || sight.may_see(&Named::Register { of, register: "flow".into(), entry: "".into() }).is_ok();
        }
        "role" => "roles",
        "signal" => "signals",
        "script" => "scripts",
        _ => "config",
    };
    sight.register(register).is_ok()
}
