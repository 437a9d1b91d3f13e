//! Lanes: the life of one being in a span of the past, as the page of the being draws it: for whoever may read its moments.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{ClosingKind, Millis, N, Reason, Seq, Spend, Text, Verb, WakeKind};
use crate::past::{History, LaneBand, LaneMark, Point};
use crate::tell::ToldPart;
use crate::world::{Local, World};

use super::hall::Hall;
use super::sent::Asked;
use super::shapes::{ClosingWord, PartShape, ReasonShape, SpendShape, VerbShape};
use super::spelled::PointShape;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How many marks are told where nothing is said, and at most.
const PARTS: usize = 240;
const PARTS_MAX: usize = 600;
/// How much of what was said a mark carries, in characters.
const SAID: usize = 160;

/// The being and the span of its life to draw.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Lived {
    /// The being, such as `@ada`.
    being: String,
    /// The point of the past at which the span begins; without it, its birth.
    #[param(value_type = Option<PointShape>, inline)]
    from: Option<Point>,
    /// The point at which it ends; without it, now.
    #[serde(default)]
    #[param(value_type = Option<PointShape>, inline)]
    to: Point,
    /// How many marks at most, up to 600; without it 240.
    parts: Option<usize>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
}

/// The roles a being wore for a while.
#[derive(Serialize, ToSchema)]
pub struct WoreBand {
    /// The time at which it began, as far as it is known.
    time: String,
    /// The moment with which it began; none where only a checkpoint says that it was so.
    #[schema(value_type = Option<u64>)]
    by: Option<Seq>,
    /// The primary role, then the modifiers.
    #[schema(value_type = Vec<String>)]
    stack: Vec<Text>,
}

/// Where a being stood for a while.
#[derive(Serialize, ToSchema)]
pub struct StoodBand {
    /// The time at which it began, as far as it is known.
    time: String,
    /// The moment with which it began; none where only a checkpoint says that it was so.
    #[schema(value_type = Option<u64>)]
    by: Option<Seq>,
    /// The space.
    space: String,
}

/// A moment of a being, and how many others are told by it.
#[derive(Serialize, ToSchema)]
#[schema(as = LaneMark)]
pub struct MarkTold {
    #[schema(value_type = u64)]
    seq: Seq,
    /// Its place on the being's reel.
    #[schema(value_type = u64)]
    n: N,
    time: String,
    /// Why it opened.
    #[schema(value_type = String)]
    wake: WakeKind,
    /// How it closed.
    #[schema(value_type = ClosingWord)]
    closing: ClosingKind,
    #[schema(value_type = Option<ReasonShape>)]
    reason: Option<Reason>,
    /// Its deed, in a line.
    deed: String,
    /// The sentence that tells it, behind the name of whoever did it.
    #[schema(value_type = Vec<PartShape>)]
    told: Vec<ToldPart>,
    /// The verb by which it acted.
    #[schema(value_type = Option<VerbShape>)]
    verb: Option<Verb>,
    /// The operation that it called.
    #[schema(value_type = Option<String>)]
    action: Option<Text>,
    /// The target.
    #[schema(value_type = Option<String>)]
    target: Option<Text>,
    /// The words said, in short.
    said: Option<String>,
    /// The cost of asking models, in it and the others.
    #[schema(value_type = SpendShape)]
    cost: Spend,
    /// How many others there were close by.
    others: u64,
}

/// A stretch that was not read.
#[derive(Serialize, ToSchema)]
#[schema(as = LaneGap)]
pub struct GapTold {
    from: String,
    to: String,
    /// How many moments the being had in it.
    moments: u64,
}

/// The life of a being in a span of the past.
#[derive(Serialize, ToSchema)]
#[schema(as = Lanes)]
#[serde(rename_all = "camelCase")]
pub struct LanesTold {
    /// The stacks that it wore, the oldest first; each band lasts until the next.
    wore: Vec<WoreBand>,
    /// Where it stood.
    stood: Vec<StoodBand>,
    /// Its moments, the most telling of those that lie close by.
    marks: Vec<MarkTold>,
    /// The parts that were not read.
    gaps: Vec<GapTold>,
    /// How many moments it had.
    moments: u64,
    /// The first seq of which nothing is told: what it does from there on comes by the stream.
    #[schema(value_type = u64)]
    end: Seq,
    /// Whether anything is told in short: a span of more than 8,192 frames is known from checkpoints.
    is_thinned: bool,
}

/// Shows the life of a being in a span of the past: the roles it wore, the places where it stood, and its acts
#[utoipa::path(get, path = "/api/lanes", params(Lived), responses((status = 200, body = LanesTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn lanes(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Lived>) -> Result<Json<LanesTold>, Trouble> {
    let sight = hall.sight_now(&who, asked.speaker.as_deref())?;
    sight.register("moments")?;
    let being = sight.being_named(&asked.being)?.id;
    sight.reads(being, "moments")?;
    let (dir, newest) = (hall.dir.clone(), World::clone(&sight.world));
    let told = hall.recall(&who, move |interest| {
        let history = History::while_asked(&dir, interest)?;
        let span = history.span_seen(asked.from.as_ref(), &asked.to, &newest)?;
        let end = span.end;
        let found = history.lanes(being, span, asked.parts.unwrap_or(PARTS).clamp(1, PARTS_MAX), &newest)?;
        let iso = |at: Millis| Local::of(at, newest.zone()).iso();
        Ok(LanesTold {
            moments: found.moments(),
            end,
            is_thinned: found.is_thinned(),
            wore: found.wore.into_iter().map(|LaneBand { at, by, is, .. }| WoreBand { time: iso(at), by, stack: is }).collect(),
            stood: found.stood.into_iter().map(|LaneBand { at, by, is, .. }| StoodBand { time: iso(at), by, space: is }).collect(),
            marks: found.marks.into_iter().map(MarkTold::of).collect(),
            gaps: found.gaps.into_iter().map(|gap| GapTold { from: iso(gap.from), to: iso(gap.to), moments: gap.moments }).collect(),
        })
    });
    told.await.map(Json)
}

impl MarkTold {
    fn of(LaneMark { n, report, cost, others }: LaneMark) -> Self {
        let short = |said: &Text| {
            said.char_indices().nth(SAID).map_or_else(|| said.to_string(), |(end, _)| format!("{}…", said.get(..end).unwrap_or_default()))
        };
        Self {
            seq: report.seq,
            n,
            time: report.time,
            wake: report.wake,
            closing: report.closing,
            said: report.said.as_ref().map(short),
            reason: report.reason,
            deed: report.deed,
            told: report
                .told
                .into_iter()
                .map(|part| if part.is_said { ToldPart::said(short(&part.text.as_str().into())) } else { part })
                .collect(),
            verb: report.verb,
            action: report.action,
            target: report.target,
            cost,
            others,
        }
    }
}
