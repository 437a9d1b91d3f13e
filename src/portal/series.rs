//! Series: the measures of a world at the ends of the parts of its past: the same parts that the bar of the past has.
//!
//! One request at a time folds the past for it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{Millis, Seq};
use crate::past::{History, Point, TimePart};
use crate::source::MeasureList;
use crate::world::{Local, World};

use super::hall::Hall;
use super::sent::Asked;
use super::spelled::PointShape;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How many parts of the past are told where nothing is said, and at most.
const PARTS: usize = 48;
const PARTS_MAX: usize = 120;

/// The span, and in how many parts.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MeasuresAsked {
    /// How many parts of equal time, 1 to 120; without it 48.
    parts: Option<usize>,
    /// The point of the past at which the span begins; without it, the first frame.
    #[param(value_type = Option<PointShape>, inline)]
    from: Option<Point>,
    /// The point at which it ends; without it, now.
    #[serde(default)]
    #[param(value_type = Option<PointShape>, inline)]
    to: Point,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// The values of one measure.
#[derive(Serialize, ToSchema)]
#[schema(as = MeasureSeries)]
pub struct SeriesTold {
    name: String,
    /// The display name.
    title: String,
    /// At each point a number, or null where it came to none.
    values: Vec<Option<f64>>,
}

/// The measures at the ends of the parts of the past.
#[derive(Serialize, ToSchema)]
#[schema(as = MeasuresThen)]
pub struct MeasuresThen {
    /// The points: `at` that seq the world is as it was measured.
    #[schema(value_type = Vec<u64>)]
    seqs: Vec<Seq>,
    /// When those parts ended.
    times: Vec<String>,
    series: Vec<SeriesTold>,
    /// Whether more of the past would have had to be read than is read for one request: the points behind are null, and asking again goes on.
    stopped: bool,
}

/// Lists the measures at the ends of the parts of the past
#[utoipa::path(get, path = "/api/measures", params(MeasuresAsked), responses((status = 200, body = MeasuresThen), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn measures(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<MeasuresAsked>) -> Result<Json<MeasuresThen>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    sight.register("moments")?;
    sight.register("measures")?;
    let parts = asked.parts.unwrap_or(PARTS);
    if !(1..=PARTS_MAX).contains(&parts) {
        return Err(Trouble::bad(format!("expected 1 to {PARTS_MAX} parts, found {parts}")).at("parts"));
    }
    // Taken along by whoever folds: who goes away leaves the fold to end by itself before another begins.
    let mut then = hall.measured_then.clone().lock_owned().await;
    let (dir, newest) = (hall.dir.clone(), World::clone(&sight.world));
    let told = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest.clone())?;
        let span = history.span_seen(asked.from.as_ref(), &asked.to, &newest)?;
        let timeline = history.timeline(span, parts, &newest)?;
        let list = MeasureList::of_world(&newest);
        let seqs: Vec<Seq> = timeline.parts.iter().map(|part| part.seq).collect();
        then.at(&history, &list, &seqs.iter().copied().collect(), &interest)?;
        let iso = |at: Millis| Local::of(at, newest.zone()).iso();
        let ends = timeline.parts.iter().skip(1).map(|TimePart { at, .. }| *at).chain([timeline.ended]);
        let times = ends.take(seqs.len()).map(iso).collect();
        let of = |(index, name, title): (usize, String, String)| SeriesTold {
            name,
            title,
            values: seqs.iter().map(|seq| then.value(*seq, index)).collect(),
        };
        let named = list.measures.iter().map(|measure| (measure.item.name.clone(), measure.item.title.clone()));
        let named = named.enumerate().map(|(index, (name, title))| (index, name.clone(), title.unwrap_or(name)));
        let series = named.map(of).collect();
        Ok(MeasuresThen { times, series, stopped: !then.has(&seqs), seqs })
    });
    told.await.map(Json)
}
