//! Clocks: the clock events of a stream. Each says how the clock goes, and carries the numbers of the world with their seq.
//!
//! They come at least every two seconds, beside the moments: no reading of the past, no measuring and no pause holds them up.

use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::Event;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;
use utoipa::ToSchema;

use crate::fact::{Millis, Seq};
use crate::world::{Local, iso};

use super::entrance::Departures;
use super::hall::Hall;
use super::measured::MeasureTold;
use super::now::NowTold;
use super::numbers::Numbers;
use super::sight::Sight;
use super::who::Who;
use super::world::{Clock, clock_of};

/// After how long the clock is told again where nothing has changed.
const EVERY: Duration = Duration::from_millis(1_500);
/// How long changes gather before the clock is looked at again.
const BREATH: Duration = Duration::from_millis(50);

/// The event `clock` of a stream.
#[derive(Serialize, ToSchema)]
pub struct ClockEvent {
    #[serde(flatten)]
    clock: Clock,
    /// The numbers of the world, for those who may see `/.measures`.
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<NumbersTold>,
}

/// The first measures and the sentence on the world, all of the same seq.
#[derive(Serialize, ToSchema)]
#[schema(as = Numbers)]
pub struct NumbersTold {
    /// The seq that they are of: `/api/world?at=SEQ` says the same.
    #[schema(value_type = u64)]
    seq: Seq,
    /// The instant of its last frame, in milliseconds.
    #[schema(value_type = i64)]
    at: Millis,
    /// The same, as people read it.
    time: String,
    /// The first three measures that are numbers.
    measures: Vec<MeasureTold>,
    /// The state of the world in one sentence; for those who may see `/.signals` too.
    now: Option<NowTold>,
}

impl NumbersTold {
    fn of(numbers: &Numbers, sight: &Sight) -> Option<Self> {
        sight.register("measures").ok()?;
        let time = iso(numbers.at, Local::of(numbers.at, sight.world.zone()).offset);
        Some(Self { seq: numbers.seq, at: numbers.at, time, measures: numbers.first(), now: numbers.now_for(sight) })
    }
}

/// The clock events of one stream.
pub struct Clocks {
    hall: Arc<Hall>,
    who: Who,
    speaker: Option<String>,
    numbers: watch::Receiver<Option<Arc<Numbers>>>,
    changes: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
    departures: Departures,
    told: String,
    again: Instant,
}

impl Clocks {
    /// Those for whoever watches, or for the being that they speak as.
    pub fn of(hall: Arc<Hall>, who: Who, speaker: Option<String>) -> Self {
        let (numbers, changes, stopping) = (hall.numbers.newest(), hall.feed.changes(), hall.stopping.clone());
        let departures = hall.entrance.departures();
        Self { hall, who, speaker, numbers, changes, stopping, departures, told: String::new(), again: Instant::now() }
    }

    /// The next event; none when the server stops or the watcher has lost its right to watch.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if *self.stopping.borrow() || !self.hall.entrance.knows_still(&self.who) {
                return None;
            }
            let _ = self.changes.borrow_and_update();
            let numbers = self.numbers.borrow_and_update().clone();
            let told = serde_json::to_string(&self.event(numbers.as_deref())).ok()?;
            if told != self.told || Instant::now() >= self.again {
                self.told.clone_from(&told);
                self.again = Instant::now() + EVERY;
                return Some(Event::default().event("clock").data(told));
            }
            tokio::select! {
                changed = self.changes.changed() => changed.ok()?,
                changed = self.numbers.changed() => changed.ok()?,
                () = tokio::time::sleep_until(self.again) => {}
                () = self.departures.next() => {}
                _ = self.stopping.changed() => {}
            }
            tokio::time::sleep_until(self.again.min(Instant::now() + BREATH)).await;
        }
    }

    fn event(&self, numbers: Option<&Numbers>) -> ClockEvent {
        let sight = self.hall.sight_now(&self.who, self.speaker.as_deref()).ok();
        let numbers = sight.as_ref().zip(numbers).and_then(|(sight, numbers)| NumbersTold::of(numbers, sight));
        ClockEvent { clock: clock_of(&self.hall, sight.as_ref()), numbers }
    }
}
