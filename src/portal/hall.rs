//! Hall: what all handlers share: the feed and the seats of the world that is served, who may come in, and the tabs that drive beings.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tokio::sync::{Semaphore, oneshot, watch};
use tracing::Instrument;

use crate::fact::{BeingId, Code, Hash, Once};
use crate::run::{Endpoints, Feed, Gesture, Living, Pace, Report, RunError, Seats};

use super::cost::Summed;
use super::people::People;
use super::trouble::Trouble;

/// How many answers of one being are remembered under their idempotency keys.
const KEYS: usize = 1024;
/// How many people may watch the stream of moments at one time.
const WATCHERS: usize = 192;
/// And how many visitors, who shall not take the people's places.
const VISITORS: usize = 32;
/// How many reads of the past are made at one time: each folds history.
const PAST: usize = 2;
/// How many passwords are hashed at one time.
const HASHING: usize = 2;
/// How many drafts are tried with a model at one time.
const TRIALS: usize = 4;
/// How many logins under one name are tried before it has to wait.
const TRIES: usize = 5;
/// How long it then waits.
const LOGIN_WAIT: Duration = Duration::from_secs(60);

/// A tab that drives a being.
#[derive(Clone, Copy, Debug)]
pub struct Tab {
    /// Who drives.
    pub driver: BeingId,
    /// When it was last heard of.
    pub heard: Instant,
    /// When the lease was last renewed.
    pub renewed: Instant,
}

type Answer = Arc<tokio::sync::Mutex<Option<Report>>>;

/// Acts that were named by whoever sent them, so that none is done twice.
#[derive(Default)]
struct Acts {
    answers: BTreeMap<Hash, (Hash, Answer)>,
    order: BTreeMap<BeingId, VecDeque<Hash>>,
}

/// What all handlers share.
pub struct Hall {
    /// The world's directory.
    pub dir: PathBuf,
    /// What has become durable.
    pub feed: Arc<Feed>,
    /// Where people sit.
    pub seats: Arc<Seats>,
    /// How fast the world goes.
    pub pace: Mutex<Pace>,
    /// Whose `Host` is ours.
    pub hosts: Vec<String>,
    /// How many may still watch.
    pub watchers: Arc<Semaphore>,
    /// How many visitors may.
    pub visitors: Arc<Semaphore>,
    /// How many may still read the past.
    pub past: Semaphore,
    /// How many passwords may still be hashed.
    pub hashing: Semaphore,
    /// How many drafts may still be tried with a model.
    pub trials: Arc<Semaphore>,
    /// Says when the server stops.
    pub stopping: watch::Receiver<bool>,
    /// What models have cost, as far as it was asked for.
    pub summed: tokio::sync::Mutex<Summed>,
    minds: Mutex<Endpoints>,
    people: Mutex<People>,
    tabs: Mutex<BTreeMap<BeingId, Tab>>,
    acts: Mutex<Acts>,
    tries: Mutex<BTreeMap<String, VecDeque<Instant>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hall {
    /// A hall around a world that runs.
    pub fn new(
        dir: PathBuf,
        feed: Arc<Feed>,
        seats: Arc<Seats>,
        pace: Pace,
        people: People,
        hosts: Vec<String>,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self {
            dir,
            feed,
            seats,
            pace: Mutex::new(pace),
            hosts,
            watchers: Arc::new(Semaphore::new(WATCHERS)),
            visitors: Arc::new(Semaphore::new(VISITORS)),
            past: Semaphore::new(PAST),
            hashing: Semaphore::new(HASHING),
            trials: Arc::new(Semaphore::new(TRIALS)),
            stopping,
            summed: tokio::sync::Mutex::default(),
            minds: Mutex::default(),
            people: Mutex::new(people),
            tabs: Mutex::default(),
            acts: Mutex::default(),
            tries: Mutex::default(),
        }
    }

    /// The models, for trials.
    pub fn minds(&self) -> MutexGuard<'_, Endpoints> {
        lock(&self.minds)
    }

    /// Who may come in.
    pub fn people(&self) -> MutexGuard<'_, People> {
        lock(&self.people)
    }

    /// The tabs that drive beings.
    pub fn tabs(&self) -> MutexGuard<'_, BTreeMap<BeingId, Tab>> {
        lock(&self.tabs)
    }

    /// How fast the world goes.
    pub fn pace(&self) -> Pace {
        *lock(&self.pace)
    }

    /// Has something done to the living world between two rounds, and hears of it when it is durable.
    pub async fn propose(
        &self,
        work: impl FnOnce(&mut Living) -> Result<Vec<Report>, RunError> + Send + 'static,
    ) -> Result<Vec<Report>, Trouble> {
        let (tell, heard) = oneshot::channel();
        let hear = move |done| {
            // Whoever asked may have gone meanwhile; what was done is done.
            let _ = tell.send(done);
        };
        if !self.seats.propose(work, hear) {
            return Err(Trouble::new(
                StatusCode::TOO_MANY_REQUESTS,
                Code::TooMany,
                "too many acts wait for the world; try again in a moment",
            ));
        }
        Ok(heard.await.map_err(|_| Trouble::stopping())??)
    }

    /// Reads the past on a thread of its own, few at a time.
    pub async fn recall<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T, Trouble> + Send + 'static) -> Result<T, Trouble> {
        let _one_of_few = self.past.acquire().await.map_err(Trouble::inside)?;
        tokio::task::spawn_blocking(work).await.map_err(Trouble::inside)?
    }

    /// Has a person act.
    pub async fn gesture(&self, gesture: Gesture) -> Result<Report, Trouble> {
        let mut reports = self.propose(move |living| living.gesture(gesture).map(|report| vec![report])).await?;
        let report = reports.pop().ok_or_else(Trouble::stopping)?;
        tracing::debug!(moment = %format_args!("@{}:{}", report.being, report.cause), seq = report.seq, "acted");
        Ok(report)
    }

    /// The same; under a key once: a second act of that key is answered as the first, also by a server that was started anew. It goes on
    /// though whoever asked has gone.
    pub async fn gesture_once(self: Arc<Self>, sender: BeingId, gesture: Gesture) -> Result<Report, Trouble> {
        let Some(once) = gesture.once else { return self.gesture(gesture).await };
        let answer = self.answer_of(sender, once)?;
        let acting = async move {
            let mut answer = answer.lock().await;
            if let Some(report) = answer.as_ref() {
                return Ok(report.clone());
            }
            let report = self.gesture(gesture).await?;
            *answer = Some(report.clone());
            Ok(report)
        };
        let acting = tokio::spawn(acting.in_current_span());
        acting.await.map_err(Trouble::inside)?
    }

    /// Where the answer of a key is kept.
    fn answer_of(&self, sender: BeingId, once: Once) -> Result<Answer, Trouble> {
        let mut acts = lock(&self.acts);
        if let Some((asked, answer)) = acts.answers.get(&once.key) {
            if *asked != once.asked {
                return Err(Trouble::new(
                    StatusCode::CONFLICT,
                    Code::Conflict,
                    "this Idempotency-Key was used for another act; use a new one",
                ));
            }
            return Ok(answer.clone());
        }
        let answer = Answer::default();
        acts.answers.insert(once.key, (once.asked, answer.clone()));
        // Each has as many as it likes up to a number, and the oldest of its own goes first.
        let own = acts.order.entry(sender).or_default();
        own.push_back(once.key);
        let oldest = if own.len() > KEYS { own.pop_front() } else { None };
        if let Some(oldest) = oldest {
            acts.answers.remove(&oldest);
        }
        Ok(answer)
    }

    /// Remembers an act of the past by its key.
    pub fn knows(&self, once: Once, report: Report) {
        lock(&self.acts).answers.insert(once.key, (once.asked, Arc::new(tokio::sync::Mutex::new(Some(report)))));
    }

    /// Counts a try to log in under a name; whether it may be made.
    pub fn tries(&self, name: &str) -> bool {
        let mut tries = lock(&self.tries);
        tries.retain(|_, tries| tries.back().is_some_and(|tried| tried.elapsed() <= LOGIN_WAIT));
        let own = tries.entry(name.chars().take(64).collect()).or_default();
        while own.front().is_some_and(|tried| tried.elapsed() > LOGIN_WAIT) {
            own.pop_front();
        }
        let may = own.len() < TRIES;
        if may {
            own.push_back(Instant::now());
        }
        may
    }

    /// Forgets the tries of a name under which somebody has come in.
    pub fn tried_right(&self, name: &str) {
        lock(&self.tries).remove(name);
    }
}
