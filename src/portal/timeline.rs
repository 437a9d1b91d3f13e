//! Timeline: how many moments happened when, in parts of a span of the past: the bar below the page is drawn from it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{Millis, Seq};
use crate::past::{History, Point, TimePart};
use crate::world::{Local, World};

use super::hall::Hall;
use super::sent::Asked;
use super::spelled::PointShape;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How many parts are told where nothing is said, and at most.
const PARTS: usize = 200;
const PARTS_MAX: usize = 1000;

/// The span, and in how many parts.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Spanned {
    /// The point of the past at which the span begins; without it, the first frame.
    #[param(value_type = Option<PointShape>, inline)]
    from: Option<Point>,
    /// The point at which it ends; without it, now.
    #[serde(default)]
    #[param(value_type = Option<PointShape>, inline)]
    to: Point,
    /// How many parts of equal time, at most 1000; without it 200.
    buckets: Option<usize>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// One part of a span.
#[derive(Serialize, ToSchema)]
pub struct Bucket {
    /// When it begins.
    time: String,
    /// The first seq behind it: `at` that seq the world is as it was at its end.
    #[schema(value_type = u64)]
    seq: Seq,
    /// How many moments it has. In spans of more than 8,192 frames they are counted by 256.
    moments: u64,
    /// How many of them were refused.
    refused: u64,
    /// How many failed, or were given up.
    failed: u64,
}

/// How much happened when.
#[derive(Serialize, ToSchema)]
#[schema(as = Timeline)]
pub struct TimelineTold {
    /// When its first frame was.
    began: String,
    /// When its last was.
    ended: String,
    /// Its parts, the oldest first.
    buckets: Vec<Bucket>,
}

/// How much happened when, from the first frame to the newest, or between two points
#[utoipa::path(get, path = "/api/timeline", params(Spanned), responses((status = 200, body = TimelineTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn timeline(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Spanned>) -> Result<Json<TimelineTold>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    sight.register("moments")?;
    let (dir, newest) = (hall.dir.clone(), World::clone(&sight.world));
    let told = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        let span = history.span_seen(asked.from.as_ref(), &asked.to, &newest)?;
        let found = history.timeline(span, asked.buckets.unwrap_or(PARTS).clamp(1, PARTS_MAX), &newest)?;
        let iso = |at: Millis| Local::of(at, newest.zone()).iso();
        let told = |part: TimePart| Bucket {
            time: iso(part.at),
            seq: part.seq,
            moments: part.counts.moments,
            refused: part.counts.refused,
            failed: part.counts.failed,
        };
        Ok(TimelineTold { began: iso(found.began), ended: iso(found.ended), buckets: found.parts.into_iter().map(told).collect() })
    });
    told.await.map(Json)
}
