//! Step: where a walk through the past comes to, one step on or back: to the next moment, act, refusal, failure, change of what is worn.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{Code, Seq};
use crate::past::{History, Horizon, Point, Report, Sighted, Stepper, Stop, Way};
use crate::world::World;

use super::hall::Hall;
use super::sent::Asked;
use super::shapes::ReportShape;
use super::sight::Sight;
use super::spelled::PointShape;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// So many frames are looked through at once.
const FRAMES: u64 = 32_768;

/// The start of a step, its way and its aim.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct StepAsked {
    /// The being whose moments are stepped over, such as `@ada`; without it, all of the world's.
    being: Option<String>,
    /// The point of the past from which to step; without it, now.
    #[serde(default)]
    #[param(value_type = Option<PointShape>, inline)]
    at: Point,
    /// The aim: `moment`, `act`, `refused`, `failed`, `stack`, `changed ADDRESS.quality` or `when {…}`; without it, the next moment.
    to: Option<String>,
    /// `on` or `back`; without it, on.
    way: Option<String>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// Where a step leads.
#[derive(Serialize, ToSchema)]
#[schema(as = Step)]
pub struct StepTold {
    /// The point at which it stands: right behind the moment; where it was if there is none that way.
    #[schema(value_type = u64)]
    at: Seq,
    /// Whether there was something that way.
    found: bool,
    /// Where to go on looking: up to there nothing was found, and further nobody has looked.
    #[schema(value_type = Option<u64>)]
    further: Option<Seq>,
    /// The moment behind which it stands, where one may read it.
    #[schema(value_type = Option<ReportShape>)]
    moment: Option<Report>,
}

/// The next moment, act, refusal, failure or change, or the one before
#[utoipa::path(get, path = "/api/step", params(StepAsked), responses((status = 200, body = StepTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn step(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<StepAsked>) -> Result<Json<StepTold>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    sight.register("moments")?;
    let way = match asked.way.as_deref() {
        None | Some("on") => Way::On,
        Some("back") => Way::Back,
        Some(other) => return Err(Trouble::bad(format!("expected on or back, found `{other}`")).at("way")),
    };
    let me = asked.being.as_deref().map(|name| sight.being_named(name)).transpose()?.map(|being| being.id);
    me.map_or(Ok(()), |me| sight.reads(me, "moments"))?;
    let stop = asked.to.as_deref().filter(|to| *to != "moment").map(|to| Stop::read(to, me)).transpose();
    let stop = stop.map_err(|error| Trouble::bad(error.to_string()).at("to"))?;
    // Values and conditions ask about anything: only whoever may see everything learns what they say.
    if matches!(stop, Some(Stop::Changed(_) | Stop::When(_))) && !sight.sees_all() {
        let message = "only whoever may see everything can step to a value or a condition";
        return Err(Trouble::new(StatusCode::FORBIDDEN, Code::GateRole, message).at("to"));
    }
    let dir = hall.dir.clone();
    let told = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        let at = history.seq_seen(&asked.at, || Ok(World::clone(&sight.world)))?;
        let mut stepper = Stepper::new(history, me, at);
        let came = match &stop {
            None if stepper.step(way)? => Sighted::There,
            None => Sighted::Nowhere,
            Some(stop) => stepper.seek_within(way, stop, Horizon { frames: FRAMES, chapters: Some(sight.world.chapters()) })?,
        };
        let further = if let Sighted::Further(seq) = came { Some(seq) } else { None };
        let moment = if came == Sighted::There { stepper.here()?.moment } else { None };
        Ok(StepTold { at: stepper.at(), found: came == Sighted::There, further, moment: moment.filter(|told| may_read(&sight, told)) })
    });
    told.await.map(Json)
}

fn may_read(sight: &Sight, moment: &Report) -> bool {
    sight.world.being_named(&moment.being).is_some_and(|being| sight.reads(being.id, "moments").is_ok())
}
