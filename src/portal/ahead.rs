//! Ahead: the events that are known to lie ahead of a world: its schedules, and the crossings at which a condition on the clock has somebody
//! wear something else.
//!
//! Any moment until then may change them. How long somebody has done nothing is no clock, so it is not told.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{Millis, Text, Thing, Timing, Trigger, parse_duration};
use crate::past::Point;
use crate::role::TimeReads;
use crate::store::Interest;
use crate::verb::Named;
use crate::world::{Being, Local, Schedule, World, next_due};

use super::hall::Hall;
use super::sent::Asked;
use super::sight::Sight;
use super::spelled::PointShape;
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// How far one looks where nothing is said, and at most.
const SPAN: Millis = 12 * 60 * 60 * 1000;
const SPAN_MAX: Millis = 31 * 24 * 60 * 60 * 1000;
/// How many instants are told, and how many of one calendar are counted.
const TOLD: usize = 64;
const COUNTED: usize = 1_000;
/// How many instants of crossings are judged for one answer, and how many of schedules.
const JUDGED: usize = 25_000;

/// How far one looks.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AheadAsked {
    /// The span, such as `12h` or `30m`, at most 31 days; without it 12 hours.
    #[serde(rename = "for")]
    #[param(rename = "for")]
    span: Option<String>,
    #[serde(rename = "as")]
    #[param(rename = "as")]
    speaker: Option<String>,
    /// The point of the past from which the span begins; without it, now.
    #[param(value_type = Option<PointShape>, inline)]
    at: Option<Point>,
}

/// Why something is due.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DueKind {
    /// A schedule.
    Schedule,
    /// The clock crosses a border of what somebody wears.
    Crossing,
}

/// Something that is due.
#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
pub struct Due {
    /// The same as people read it, in milliseconds.
    #[schema(value_type = i64)]
    at: Millis,
    time: String,
    /// The being that it concerns, as an address.
    who: String,
    /// The schedule's name; of a crossing the role that begins, or the one that ends.
    what: String,
    kind: DueKind,
}

/// The events that lie ahead.
#[derive(Serialize, ToSchema)]
#[schema(as = Ahead)]
pub struct AheadTold {
    /// The end of the span; where it was stopped, the instant until which all crossings are known.
    until: String,
    /// The next of it, the nearest first; 64 at most.
    due: Vec<Due>,
    /// How much more there is until then. Of one calendar expression 1,000 instants are counted.
    more: u64,
    /// Whether 25,000 crossings or instants of schedules were judged before all were: there may be more than is said here.
    stopped: bool,
}

/// Lists the events that lie ahead, by schedules and the clock
#[utoipa::path(get, path = "/api/ahead", params(AheadAsked), responses((status = 200, body = AheadTold), (status = 400, body = Wrong),
    (status = 401, body = Wrong), (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn ahead(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<AheadAsked>) -> Result<Json<AheadTold>, Trouble> {
    let read = |span: &str| parse_duration(span).filter(|span| (1..=SPAN_MAX).contains(span));
    let wrong = |span: &str| Trouble::bad(format!("expected a duration such as `12h`, at most 31 days, found `{span}`")).at("for");
    let span = asked.span.as_deref().map_or(Ok(SPAN), |span| read(span).ok_or_else(|| wrong(span)))?;
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    hall.looking(&who).work(move |interest| Coming::of(&sight, span, interest).told()).await.map(Json)
}

/// The events gathered so far.
struct Coming<'a> {
    world: &'a World,
    after: Millis,
    until: Millis,
    /// The nearest, the latest of them on top.
    nearest: BinaryHeap<Due>,
    count: u64,
    /// How often a calendar is due until then.
    calendars: BTreeMap<Text, u64>,
    /// How many instants may still be judged.
    left: usize,
    is_stopped: bool,
    interest: Interest,
}

impl<'a> Coming<'a> {
    fn of(sight: &'a Sight, span: Millis, interest: Interest) -> Self {
        let world = sight.world.as_ref();
        let (nearest, calendars) = (BinaryHeap::new(), BTreeMap::new());
        let until = sight.at.saturating_add(span);
        let mut coming = Self { world, after: sight.at, until, nearest, count: 0, calendars, left: JUDGED, is_stopped: false, interest };
        let sees_all = sight.sees_all();
        let is_seen = |being: &&Arc<Being>| sees_all || sight.may_see(&Named::Thing(Thing::Being(being.id))).is_ok();
        let interest = coming.interest.clone();
        sight.walked.look(world.beings().len());
        let seen: Vec<&Arc<Being>> = world.living().take_while(|_| !interest.is_gone()).filter(is_seen).collect();
        // These first: they say how far all is known.
        coming.crossings(&seen);
        coming.left = JUDGED;
        for being in seen.into_iter().filter(|being| being.listens.contains(&Trigger::Schedule)) {
            being.schedules.iter().for_each(|(name, schedule)| coming.schedule(being, name, schedule));
        }
        coming
    }

    /// Takes one of the instants that may be judged, unless there is none left or nobody waits any more.
    fn may_judge(&mut self) -> bool {
        let may = self.left > 0 && !self.interest.is_gone();
        self.is_stopped |= !may;
        self.left = self.left.saturating_sub(1);
        may
    }

    fn told(self) -> AheadTold {
        let due = self.nearest.into_sorted_vec();
        let until = Local::of(self.until, self.world.zone()).iso();
        AheadTold { until, more: self.count.saturating_sub(due.len() as u64), stopped: self.is_stopped, due }
    }

    /// Whether an instant belongs to the nearest, as far as they are known.
    fn is_near(&self, at: Millis) -> bool {
        self.nearest.len() < TOLD || self.nearest.peek().is_some_and(|latest| at < latest.at)
    }

    fn put(&mut self, being: &Being, what: &str, at: Millis, kind: DueKind) {
        let time = Local::of(at, self.world.zone()).iso();
        self.nearest.push(Due { at, time, who: format!("@{}", being.name), what: what.to_owned(), kind });
        if self.nearest.len() > TOLD {
            self.nearest.pop();
        }
    }

    fn schedule(&mut self, being: &Being, name: &str, schedule: &Schedule) {
        if !self.may_judge() {
            return;
        }
        let until = self.until;
        let due = |after: Millis| next_due(&schedule.timing, schedule.set_at, after, self.world.zone()).filter(|at| *at <= until);
        let instants = || std::iter::successors(due(self.after), |at| due(*at));
        let near: Vec<Millis> = instants().take(TOLD.min(self.left)).take_while(|at| self.is_near(*at)).collect();
        self.left -= near.len();
        let many = match &schedule.timing {
            Timing::Every { ms, .. } => due(self.after).map_or(0, |first| (until - first) / (*ms).max(1) + 1) as u64,
            Timing::At { .. } => u64::from(due(self.after).is_some()),
            Timing::Cron { expression } => match self.calendars.get(expression) {
                Some(many) => *many,
                None => {
                    let many = instants().take(COUNTED.min(self.left)).count();
                    self.left -= many;
                    self.is_stopped |= self.left == 0;
                    many as u64
                }
            },
        };
        if let Timing::Cron { expression } = &schedule.timing {
            self.calendars.insert(expression.clone(), many);
        }
        self.count = self.count.saturating_add(many);
        near.into_iter().for_each(|at| self.put(being, name, at, DueKind::Schedule));
    }

    /// The instants at which the clock alone has somebody wear something else than a moment before. They are judged in order of time, so where
    /// that stops all before it is known.
    fn crossings(&mut self, seen: &[&Arc<Being>]) {
        let clock = |being: &Being| self.world.reads_of(being.id).map(|reads| TimeReads { since_s: Vec::new(), ..reads.time.clone() });
        let clocks: Vec<(&Arc<Being>, TimeReads)> = seen.iter().filter_map(|being| Some((*being, clock(being)?))).collect();
        let (zone, mut next) = (self.world.zone(), BinaryHeap::new());
        let crosses = |(being, clock): &(&Arc<Being>, TimeReads), after: Millis| clock.next_crossing(after, being.counted_from, zone);
        next.extend(clocks.iter().enumerate().filter_map(|(which, clock)| Some(Reverse((crosses(clock, self.after)?, which)))));
        while let Some(Reverse((at, which))) = next.pop().filter(|Reverse((at, _))| *at <= self.until) {
            if !self.may_judge() {
                self.until = at - 1;
                return;
            }
            let Some(clock) = clocks.get(which) else { continue };
            self.crossing(clock.0, at);
            next.extend(crosses(clock, at).map(|again| Reverse((again, which))));
        }
    }

    /// An instant at which the clock may have a being wear something else.
    fn crossing(&mut self, being: &Being, at: Millis) {
        let worn = |at: Millis| self.world.unwoken(being, at).roles().cloned().collect::<Vec<Text>>();
        let (before, after) = (worn(at - 1), worn(at));
        let first = |of: &[Text], others: &[Text]| of.iter().find(|role| !others.contains(role)).cloned();
        let Some(role) = first(&after, &before).or_else(|| first(&before, &after)) else { return };
        self.count += 1;
        if self.is_near(at) {
            self.put(being, role.rsplit(':').next().unwrap_or_default(), at, DueKind::Crossing);
        }
    }
}
