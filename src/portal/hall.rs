//! Hall: the state shared by all request handlers: the world that runs, the way in, and how much of what costs is done at one time.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::{Semaphore, watch};

use crate::minds::{Endpoints, Outages};
use crate::past::{History, Point, Revisited};
use crate::run::{Feed, Pace, Seats};
use crate::store::{Interest, ReplicaStatus, WalkCount};
use crate::verb::HealthCounts;
use crate::world::World;

use super::came_in::CameIn;
use super::entrance::Entrance;
use super::few::Few;
use super::measured_then::MeasuredThen;
use super::numbers::NumbersNow;
use super::once::Acts;
use super::plan::MapPlans;
use super::refusals::Refusals;
use super::share::Shares;
use super::sight::Sight;
use super::streams::Streams;
use super::tabs::Tabs;
use super::tries::Tries;
use super::trouble::Trouble;
use super::vital::HealthNow;
use super::who::Who;

/// How many reads of the past are made at one time: each folds history.
const PAST: usize = 2;
/// How many answers are worked out at one time that look at many beings, or judge many instants.
const LOOKING: usize = 2;
/// How many records of history are read for one request at most: those from one checkpoint to the next thirty times over.
pub const RECORDS: u64 = 250_000;
/// How many passwords are hashed at one time.
const HASHING: usize = 2;
/// How many drafts are tried with a model at one time.
const TRIALS: usize = 4;

/// A world that runs.
pub struct Running {
    /// Its directory.
    pub dir: PathBuf,
    /// The feed of durable moments.
    pub feed: Arc<Feed>,
    /// Where people sit.
    pub seats: Arc<Seats>,
    /// How fast it goes.
    pub pace: Pace,
    /// The connections to models that do not answer now.
    pub outages: Outages,
}

/// The state shared by all request handlers.
pub struct Hall {
    /// The world's directory.
    pub dir: PathBuf,
    /// The feed of durable moments.
    pub feed: Arc<Feed>,
    /// Where people sit.
    pub seats: Arc<Seats>,
    pace: Mutex<Pace>,
    /// The connections to models that do not answer now.
    pub outages: Outages,
    /// How requests come in.
    pub entrance: Entrance,
    /// The tabs from which beings are driven.
    pub tabs: Tabs,
    /// The streams that are open.
    pub streams: Streams,
    /// The requests that wait for a change.
    pub waits: Shares<String>,
    /// The login attempts.
    pub tries: Tries,
    /// The refusals of each person within the hour.
    pub refusals: Refusals,
    /// The answers to acts that were sent under keys.
    pub acts: Acts,
    /// The webhooks that came in lately.
    pub came_in: CameIn,
    /// The points of the past that were looked at lately.
    revisited: Arc<Revisited>,
    /// The count of records read and things looked at, for all requests.
    walked: Arc<WalkCount>,
    /// The reads of the past.
    past: Few,
    /// And the operator's.
    past_of_operator: Few,
    /// The looks at many beings of the world as it is.
    looking: Few,
    /// And for the operator.
    looking_of_operator: Few,
    /// The passwords that are hashed.
    pub hashing: Few,
    /// How many drafts may still be tried with a model.
    pub trials: Arc<Semaphore>,
    /// Says when the server stops.
    pub stopping: watch::Receiver<bool>,
    /// The measures of the world as it is and the sentence on it, worked out last.
    pub numbers: NumbersNow,
    /// The plans of its map.
    pub plans: MapPlans,
    /// The counts of beings that are held back, as they were last.
    health: HealthNow,
    /// The measures of its past.
    pub measured_then: Arc<tokio::sync::Mutex<MeasuredThen>>,
    minds: Mutex<Endpoints>,
    /// The copy of its log outside, where there is one.
    pub copy: OnceLock<Arc<ReplicaStatus>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hall {
    /// A hall around a world that runs.
    pub fn around(running: Running, entrance: Entrance, stopping: watch::Receiver<bool>) -> Self {
        let Running { dir, feed, seats, pace, outages } = running;
        let walked = Arc::default();
        Self {
            dir,
            feed,
            seats,
            pace: Mutex::new(pace),
            outages,
            entrance,
            tabs: Tabs::default(),
            streams: Streams::default(),
            waits: Shares::default(),
            tries: Tries::default(),
            refusals: Refusals::default(),
            acts: Acts::default(),
            came_in: CameIn::default(),
            revisited: Arc::default(),
            past: Few::of(PAST, RECORDS, &walked),
            past_of_operator: Few::of(1, u64::MAX, &walked),
            looking: Few::of(LOOKING, RECORDS, &walked),
            looking_of_operator: Few::of(1, u64::MAX, &walked),
            hashing: Few::of(HASHING, 0, &walked),
            walked,
            trials: Arc::new(Semaphore::new(TRIALS)),
            stopping,
            numbers: NumbersNow::default(),
            plans: MapPlans::default(),
            health: HealthNow::default(),
            measured_then: Arc::default(),
            minds: Mutex::default(),
            copy: OnceLock::new(),
        }
    }

    /// The models, for trials.
    pub fn minds(&self) -> MutexGuard<'_, Endpoints> {
        lock(&self.minds)
    }

    /// How fast the world goes.
    pub fn pace(&self) -> Pace {
        *lock(&self.pace)
    }

    /// Has it go at another pace.
    pub fn set_pace(&self, pace: Pace) {
        *lock(&self.pace) = pace;
        self.seats.reins().set_pace(pace);
    }

    /// The view of a being of the world as it is.
    pub fn sight_now(&self, who: &Who, speaker: Option<&str>) -> Result<Sight, Trouble> {
        Ok(Sight { walked: self.walked.clone(), ..who.sight(&self.feed, speaker)? })
    }

    /// The view of a being, now or at a point of the past.
    pub async fn sight(&self, who: &Who, speaker: Option<&str>, at: Option<&Point>) -> Result<Sight, Trouble> {
        let sight = self.sight_now(who, speaker)?;
        let Some(point) = at.filter(|at| **at != Point::Now).cloned() else { return Ok(sight) };
        // The past is a book of its own, and opening it costs: who may read it is asked first.
        sight.register("moments")?;
        let (dir, newest, revisited) = (self.dir.clone(), World::clone(&sight.world), self.revisited.clone());
        let read = move |interest| Ok(revisited.world(&History::while_asked(&dir, interest)?, &point, newest)?);
        let past = self.recall(who, read).await?;
        let born = sight.being.id.0.seq + 1;
        let being = past.being(sight.being.id).cloned().ok_or_else(|| {
            Trouble::bad(format!("there was no @{} yet at #{}; `{born}` is the first point with them", sight.being.name, past.next_seq()))
                .at("at")
        })?;
        Ok(Sight { at: past.now(), world: Arc::new(past), being, is_past: true, ..sight })
    }

    /// Reads the past on a thread of its own, few at a time.
    pub async fn recall<T: Send + 'static>(
        &self,
        who: &Who,
        work: impl FnOnce(Interest) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        // The operator does not wait for whoever reads history all the time.
        let few = if who.goes_first() { &self.past_of_operator } else { &self.past };
        few.work(work).await?
    }

    /// The places for looks at much of the world as it is, or of a past that was recalled.
    pub fn looking(&self, who: &Who) -> &Few {
        if who.goes_first() { &self.looking_of_operator } else { &self.looking }
    }

    /// How much work is under way that has left its request: reads of the past, looks, passwords.
    pub fn at_work(&self) -> [(&'static str, usize); 3] {
        [
            ("past", self.past.at_work() + self.past_of_operator.at_work()),
            ("look", self.looking.at_work() + self.looking_of_operator.at_work()),
            ("password", self.hashing.at_work()),
        ]
    }

    /// The counts of beings that are held back in the world.
    pub async fn health(&self) -> Result<HealthCounts, Trouble> {
        self.health.counts(&self.walked, &self.feed).await
    }

    /// Works out the numbers of the world for its streams; forever.
    pub async fn keep_numbers(&self) {
        self.numbers.keep(&self.feed, &self.walked).await;
    }

    /// How much was walked for those who ask: records of history, and things of the world.
    pub fn walked(&self) -> [(&'static str, u64); 2] {
        [("records", self.walked.records()), ("things", self.walked.things())]
    }
}
