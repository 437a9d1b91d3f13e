//! Hall: what all handlers share: the feed and the seats of the world that is served, who may come in, and the tabs that drive beings.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tokio::sync::{OnceCell, Semaphore, oneshot, watch};

use crate::fact::{BeingId, Hash};
use crate::run::{Feed, Gesture, Living, Pace, Report, RunError, Seats};

use super::people::People;
use super::trouble::Trouble;

/// How many answers are remembered under their idempotency keys.
const KEYS: usize = 4096;
/// How many may watch the stream of moments at one time.
const WATCHERS: usize = 256;
/// How many wrong logins of one being are heard before it has to wait.
const WRONG_LOGINS: usize = 5;
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

type Answer = Arc<OnceCell<Result<Report, Trouble>>>;

/// Acts that were named by whoever sent them, so that none is done twice.
#[derive(Default)]
struct Named {
    answers: BTreeMap<(BeingId, String), (Hash, Answer)>,
    order: VecDeque<(BeingId, String)>,
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
    /// Says when the server stops.
    pub stopping: watch::Receiver<bool>,
    people: Mutex<People>,
    tabs: Mutex<BTreeMap<BeingId, Tab>>,
    named: Mutex<Named>,
    wrong: Mutex<BTreeMap<BeingId, VecDeque<Instant>>>,
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
            stopping,
            people: Mutex::new(people),
            tabs: Mutex::default(),
            named: Mutex::default(),
            wrong: Mutex::default(),
        }
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
            return Err(Trouble::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "too many acts wait for the world; try again in a moment"));
        }
        Ok(heard.await.map_err(|_| Trouble::stopping())??)
    }

    /// Has a person act.
    pub async fn gesture(&self, gesture: Gesture) -> Result<Report, Trouble> {
        let mut reports = self.propose(move |living| living.gesture(gesture).map(|report| vec![report])).await?;
        reports.pop().ok_or_else(Trouble::stopping)
    }

    /// The same under a key: a second act of that key is not done, but answered as the first.
    pub async fn gesture_once(&self, who: BeingId, key: Option<String>, asked: Hash, gesture: Gesture) -> Result<Report, Trouble> {
        let Some(key) = key else { return self.gesture(gesture).await };
        if key.is_empty() || key.len() > 128 {
            return Err(Trouble::bad("an Idempotency-Key has 1 to 128 characters"));
        }
        let answer = {
            let mut named = lock(&self.named);
            let place = (who, key.clone());
            match named.answers.get(&place) {
                Some((other, _)) if *other != asked => {
                    return Err(Trouble::new(
                        StatusCode::CONFLICT,
                        "conflict",
                        "this Idempotency-Key was used for another act; use a new one",
                    ));
                }
                Some((_, answer)) => answer.clone(),
                None => {
                    let answer = Answer::default();
                    named.answers.insert(place.clone(), (asked, answer.clone()));
                    named.order.push_back(place);
                    if named.order.len() > KEYS
                        && let Some(oldest) = named.order.pop_front()
                    {
                        named.answers.remove(&oldest);
                    }
                    answer
                }
            }
        };
        answer.get_or_init(|| self.gesture(gesture)).await.clone()
    }

    /// Whether a being may try to log in now, after so many wrong passwords.
    pub fn may_try(&self, being: BeingId) -> bool {
        let mut wrong = lock(&self.wrong);
        let tries = wrong.entry(being).or_default();
        while tries.front().is_some_and(|tried| tried.elapsed() > LOGIN_WAIT) {
            tries.pop_front();
        }
        tries.len() < WRONG_LOGINS
    }

    /// Remembers that a password was wrong.
    pub fn tried_wrong(&self, being: BeingId) {
        lock(&self.wrong).entry(being).or_default().push_back(Instant::now());
    }
}
