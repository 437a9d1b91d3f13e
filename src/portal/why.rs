//! Why: the causes and effects of a moment, and the facts that made a value. All of it is the past's: for those who may read `/.moments`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{Reason, Value};
use crate::past::{Causes, Effects, History, Link, Making, Makings, MomentName, Point, WhyOf};
use crate::world::World;

use super::hall::Hall;
use super::sent::Asked;
use super::shapes::{LinkShape, MakingShape};
use super::spelled::{MomentNameShape, PointShape};
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How deep chains are followed, and how much is told, where nothing is said and at most.
const DEPTH: u32 = 64;
const MOST: usize = 100;
const MOST_MAX: usize = 1000;

/// MomentAround which moment.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MomentAround {
    /// The moment: `120`, or `@ada/7`.
    #[param(value_type = MomentNameShape, inline)]
    moment: String,
    /// How many wakes back and forth, at most 64.
    depth: Option<u32>,
    /// How many of the moments that it woke, at most 1000; without it 100.
    most: Option<usize>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// A moment, what lies behind it, and what it woke.
#[derive(Serialize, ToSchema)]
#[schema(as = Causes)]
#[serde(rename_all = "camelCase")]
pub struct CausesTold {
    #[schema(value_type = LinkShape)]
    moment: Link,
    /// Its causes, the nearest first.
    #[schema(value_type = Vec<LinkShape>)]
    causes: Vec<Link>,
    /// Whether more lies behind the last of those.
    more_causes: bool,
    /// The moments that it woke, and those that they woke, the oldest first.
    #[schema(value_type = Vec<LinkShape>)]
    effects: Vec<Link>,
    /// Whether there may be more.
    more_effects: bool,
}

/// Traces a moment back to a person, a schedule or genesis, and forward to what it woke
#[utoipa::path(get, path = "/api/causes", params(MomentAround), responses((status = 200, body = CausesTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn causes(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<MomentAround>) -> Result<Json<CausesTold>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    sight.register("moments")?;
    let name: MomentName = asked.moment.parse().map_err(|error: String| Trouble::bad(error).at("moment"))?;
    let (depth, most) = (asked.depth.unwrap_or(DEPTH).min(DEPTH), asked.most.unwrap_or(MOST).clamp(1, MOST_MAX));
    let (dir, world) = (hall.dir.clone(), sight.world.clone());
    let told = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        let seq = history.seq_of_moment_seen(&name, || Ok(World::clone(&world)))?;
        let Causes { moment, causes, more } = history.causes(seq, depth, &world)?;
        let Effects { effects, more: more_effects, .. } = history.effects(seq, depth, most, &world)?;
        Ok(CausesTold { moment, causes, more_causes: more, effects, more_effects })
    });
    told.await.map(Json)
}

/// The value whose facts are asked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WhyQuery {
    /// Such as `@ada.t.n`, `/factory`, `/.signals/t.dice`, `/.roles/judge`, `@ada/.flow` or `/.settings/brakes.depth`.
    of: String,
    /// The point of the past; without it, now.
    #[param(value_type = Option<PointShape>, inline)]
    at: Option<Point>,
    /// How many facts, at most 1000; without it 100.
    most: Option<usize>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// The facts that made something what it is.
#[derive(Serialize, ToSchema)]
#[schema(as = Makings)]
pub struct MakingsTold {
    /// The value, where it is one.
    value: Value,
    /// The facts, the newest first, back to the one that set all of it.
    #[schema(value_type = Vec<MakingShape>)]
    made: Vec<Making>,
    /// Whether there are more.
    more: bool,
    /// Where older ones may lie that were archived, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<String>,
}

/// Lists the facts that made a value what it is
#[utoipa::path(get, path = "/api/why", params(WhyQuery), responses((status = 200, body = MakingsTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn why(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<WhyQuery>) -> Result<Json<MakingsTold>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    sight.register("moments")?;
    let refused = |reason: Reason| Trouble::refused(&reason);
    let (named, of) = WhyOf::read(&asked.of, &sight.world, &sight.being).map_err(refused)?;
    sight.may_see(&named)?;
    let (dir, most) = (hall.dir.clone(), asked.most.unwrap_or(MOST).clamp(1, MOST_MAX));
    let told = hall.recall(&who, move |interest| Ok(History::while_asked(&dir, interest)?.making(&of, &sight.world, most)?));
    let Makings { value, made, more, unread } = told.await?;
    Ok(Json(MakingsTold { value, made, more, unread }))
}
