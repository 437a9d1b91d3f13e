//! Diff: the differences between two points of the past, or between two worlds of this server, as far as the reader may see them.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{Code, Seq, Thing};
use crate::past::{DiffLine, Divergence, History, LoadError, Point, Report, Same, Usage, differences};
use crate::store::Interest;
use crate::verb::{Named, thing_named};
use crate::world::{Local, Sum, World};

use super::hall::Hall;
use super::sent::Asked;
use super::shapes::{DiffLineShape, ReportShape, SumShape};
use super::sight::Sight;
use super::spelled::PointShape;
use super::trouble::{Trouble, Wrong};
use super::who::Who;
use super::worlds::{Caller, Worlds};

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
    #[param(value_type = PointShape, inline)]
    from: Point,
    /// The other; without it, now.
    #[serde(default)]
    #[param(value_type = Option<PointShape>, inline)]
    to: Point,
    /// Another world of this server, by its path as `/api/worlds` says it: `to` is a point of it then.
    with: Option<String>,
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

/// Where two worlds go apart.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Apart {
    /// The first seq at which they differ.
    #[schema(value_type = u64)]
    seq: Seq,
    /// The moment of this world there; nothing where it ends before.
    #[schema(value_type = Option<ReportShape>)]
    one: Option<Report>,
    /// That of the other.
    #[schema(value_type = Option<ReportShape>)]
    other: Option<Report>,
    /// The cost of models in this world since.
    #[schema(value_type = SumShape)]
    one_cost: Sum,
    /// And in the other.
    #[schema(value_type = SumShape)]
    other_cost: Sum,
}

/// The differences between two points.
#[derive(Serialize, ToSchema)]
#[schema(as = Diff)]
pub struct DiffTold {
    was: Stood,
    is: Stood,
    #[schema(value_type = Vec<DiffLineShape>)]
    differences: Vec<DiffLine>,
    /// How many more there are.
    more: usize,
    /// Where two worlds go apart first; nothing where one was compared with itself, or where both have one history.
    apart: Option<Apart>,
}

impl Stood {
    fn of(world: &World) -> Self {
        Self { seq: world.next_seq(), time: Local::of(world.now(), world.zone()).iso() }
    }
}

/// Compares two points of the past, or a point of this world and one of another
#[utoipa::path(get, path = "/api/diff", params(Between), responses((status = 200, body = DiffTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn diff(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Asked(asked): Asked<Between>,
    Extension(worlds): Extension<Arc<Worlds>>,
    caller: Caller,
) -> Result<Json<DiffTold>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    sight.register("moments")?;
    let here = Side { history: hall.dir.clone(), newest: World::clone(&sight.world) };
    let other = asked.with.as_deref().map(|with| other(&worlds, &caller, &sight, with)).transpose()?;
    hall.recall(&who, move |interest| told(&here, other.as_ref(), &sight, &asked, interest)).await.map(Json)
}

/// A world to be compared: where its history lies, and how it is now.
struct Side {
    history: PathBuf,
    newest: World,
}

/// Another world of this server, for whoever may see all of both, its past too.
fn other(worlds: &Worlds, caller: &Caller, sight: &Sight, with: &str) -> Result<Side, Trouble> {
    let not_there = || {
        Trouble::new(
            StatusCode::NOT_FOUND,
            Code::NotFound,
            format!("this server has no world `{with}` that you may see; `/api/worlds` lists them"),
        )
    };
    let hall = worlds.at(with).ok_or_else(not_there)?;
    let there = hall.sight_now(&caller.known_in(&hall)?, None).map_err(|_| not_there())?;
    if !sight.sees_all() || !there.sees_all() || there.register("moments").is_err() {
        let message = "two worlds are compared by whoever may see everything in both: log in as the operator in each of them";
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::GateRole, message).at("with"));
    }
    Ok(Side { history: hall.dir.clone(), newest: World::clone(&there.world) })
}

fn told(here: &Side, other: Option<&Side>, sight: &Sight, asked: &Between, interest: Interest) -> Result<DiffTold, Trouble> {
    let history = History::while_asked(&here.history, interest.clone())?;
    let begun = |history: &History, of: &Side, point: &Point| history.begun_seen(point, || Ok(of.newest.clone()));
    let from = begun(&history, here, &asked.from)?;
    let (mut was, is, same, apart) = match other {
        None => {
            let (was, mut is) = history.two_worlds(from, begun(&history, here, &asked.to)?)?;
            history.stand(&mut is, &asked.to)?;
            (was, is, Same::Id, None)
        }
        Some(side) => {
            let other = History::while_asked(&side.history, interest)?;
            let mut is = other.world_at(begun(&other, side, &asked.to)?)?;
            other.stand(&mut is, &asked.to)?;
            let divergence = history.divergence(&other)?;
            let same = Same::Below(history.shared_with(&other, divergence.as_ref())?);
            (history.world_at(from)?, is, same, divergence.map(|found| apart(&history, &other, found)).transpose()?)
        }
    };
    history.stand(&mut was, &asked.from)?;
    let mut found = differences(&was, &is, same);
    if let Some(address) = &asked.r#in {
        let there = |world: &World| thing_named(world, &sight.being, world.now(), address).is_ok();
        if !there(&was) && !there(&is) {
            return Err(Trouble::not_found(address));
        }
        found.retain(|difference| difference.is_in(address, &was, &is));
    }
    found.retain(|difference| is_open(sight, difference));
    let more = found.len().saturating_sub(asked.most.unwrap_or(MOST).clamp(1, MOST_MAX));
    found.truncate(found.len() - more);
    Ok(DiffTold { was: Stood::of(&was), is: Stood::of(&is), differences: found, more, apart })
}

/// Where two histories go apart, and what each has cost since.
fn apart(history: &History, other: &History, divergence: Divergence) -> Result<Apart, LoadError> {
    let Divergence { seq, one, other: two } = divergence;
    let since = |history: &History| {
        let mut usage = Usage::default();
        history.usage(seq.min(history.end()), None, &mut usage)?;
        Ok::<_, LoadError>(usage.total)
    };
    Ok(Apart { seq, one, other: two, one_cost: since(history)?, other_cost: since(other)? })
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
