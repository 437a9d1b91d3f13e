//! Hall: what all handlers share: the feed and the seats of the world that is served, who may come in, and the tabs that drive beings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use tokio::sync::{Semaphore, oneshot, watch};
use tracing::Instrument;

use crate::fact::{BeingId, Code};
use crate::minds::Endpoints;
use crate::past::Report;
use crate::run::{Feed, Gesture, Living, Pace, Reins, RunError, Seats};

use super::cost::Summed;
use super::once::Acts;
use super::origin::Trust;
use super::people::{People, now};
use super::refusals::{MOST, Refusals};
use super::streams::Streams;
use super::tokens::Tokens;
use super::tries::Tries;
use super::trouble::Trouble;
use super::who::Who;

/// How many reads of the past are made at one time: each folds history.
const PAST: usize = 2;
/// How many passwords are hashed at one time.
const HASHING: usize = 2;
/// How many drafts are tried with a model at one time.
const TRIALS: usize = 4;

/// A being that somebody drives, from one tab or from several.
#[derive(Clone, Debug)]
pub struct Seat {
    /// Who drives.
    pub driver: BeingId,
    /// When each of its tabs was last heard of, by the word that the tab calls itself.
    pub tabs: BTreeMap<String, Instant>,
    /// When the lease was last renewed; none: by a server before this one.
    pub renewed: Option<Instant>,
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
    /// Whom the server believes, and what it shows.
    pub doors: Doors,
    /// Who watches.
    pub streams: Streams,
    /// Who tries to come in.
    pub tries: Tries,
    /// Whom the world has refused.
    pub refusals: Refusals,
    /// What was done under keys.
    pub acts: Acts,
    /// How many may still read the past.
    past: Semaphore,
    /// And of the operator's.
    past_of_operator: Semaphore,
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
    driven: Mutex<BTreeMap<BeingId, Seat>>,
    tokens: Arc<Mutex<Tokens>>,
}

/// Who may come in.
pub struct Known {
    /// People, by passwords.
    pub people: People,
    /// Programs, by tokens.
    pub tokens: Tokens,
}

impl Known {
    /// Those of the world in `dir`.
    pub fn of(dir: &Path) -> std::io::Result<Self> {
        Ok(Self { people: People::of(dir)?, tokens: Tokens::of(dir)? })
    }
}

/// How whoever proposes something waits for the world.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// In a row with all others.
    Waits,
    /// With a place that is kept.
    Kept,
    /// With a place that is kept, and not long: the round that runs is given up for it.
    Presses,
}

/// Whom a server believes, and what it shows.
#[derive(Clone, Debug, Default)]
pub struct Doors {
    /// The names, beside loopback's, by which browsers may call it.
    pub hosts: Vec<String>,
    /// Which proxies are trusted, and with what.
    pub trust: Trust,
    /// Whether visitors may read its figures.
    pub open_metrics: bool,
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
        known: Known,
        doors: Doors,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self {
            dir,
            feed,
            seats,
            pace: Mutex::new(pace),
            doors,
            streams: Streams::default(),
            tries: Tries::default(),
            refusals: Refusals::default(),
            acts: Acts::default(),
            past: Semaphore::new(PAST),
            past_of_operator: Semaphore::new(1),
            hashing: Semaphore::new(HASHING),
            trials: Arc::new(Semaphore::new(TRIALS)),
            stopping,
            summed: tokio::sync::Mutex::default(),
            minds: Mutex::default(),
            people: Mutex::new(known.people),
            driven: Mutex::default(),
            tokens: Arc::new(Mutex::new(known.tokens)),
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

    /// By what programs may come in.
    pub fn tokens(&self) -> MutexGuard<'_, Tokens> {
        lock(&self.tokens)
    }

    /// The beings that are driven from tabs.
    pub fn driven(&self) -> MutexGuard<'_, BTreeMap<BeingId, Seat>> {
        lock(&self.driven)
    }

    /// How fast the world goes.
    pub fn pace(&self) -> Pace {
        *lock(&self.pace)
    }

    /// Whether somebody may act now: not whoever was refused too often. Visitors' refusals are not sealed, so they are not counted.
    pub fn may_act(&self, who: &Who) -> Result<(), Trouble> {
        let Some(person) = who.being.filter(|_| !who.is_visitor && !who.goes_first()) else { return Ok(()) };
        self.refusals.may(person, Instant::now()).map_err(|wait| {
            let message = format!("the world has refused you {MOST} times within an hour; act again when the first of them is an hour old");
            Trouble::new(StatusCode::TOO_MANY_REQUESTS, Code::TooManyRefusals, message).after(wait.as_secs() + 1)
        })
    }

    /// Has something done to the living world between two rounds, and hears of it when it is durable.
    pub async fn propose(
        &self,
        claim: Claim,
        work: impl FnOnce(&mut Living) -> Result<Vec<Report>, RunError> + Send + 'static,
    ) -> Result<Vec<Report>, Trouble> {
        let (tell, mut heard) = oneshot::channel();
        let hear = move |done| {
            // Whoever asked may have gone meanwhile; what was done is done.
            let _ = tell.send(done);
        };
        if !self.seats.propose(claim != Claim::Waits, work, hear) {
            return Err(Trouble::too_many("too many acts wait for the world; try again in a moment", 1));
        }
        let since = Instant::now();
        loop {
            match tokio::time::timeout(Reins::PATIENCE, &mut heard).await {
                Ok(done) => return Ok(done.map_err(|_| Trouble::stopping())??),
                Err(_) if claim != Claim::Presses => {}
                Err(_) => {
                    self.seats.reins().press(since.elapsed());
                }
            }
        }
    }

    /// Reads the past on a thread of its own, few at a time.
    pub async fn recall<T: Send + 'static>(
        &self,
        who: &Who,
        work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        // The operator does not wait for whoever reads history all the time.
        let few = if who.goes_first() { &self.past_of_operator } else { &self.past };
        let _one_of_few = few.acquire().await.map_err(Trouble::inside)?;
        tokio::task::spawn_blocking(work).await.map_err(Trouble::inside)?
    }

    /// Has a person act, or the program that holds a token. The operator does not wait for a round whose scripts do not end.
    pub async fn gesture(&self, gesture: Gesture, token: Option<String>) -> Result<Report, Trouble> {
        let claim = if self.goes_first(&gesture) { Claim::Presses } else { Claim::Waits };
        self.act(gesture, token, claim).await
    }

    /// Has a person do what the server does in their name by itself, over and over: no round is given up for that.
    pub async fn upkeep(&self, gesture: Gesture) -> Result<Report, Trouble> {
        let claim = if self.goes_first(&gesture) { Claim::Kept } else { Claim::Waits };
        self.act(gesture, None, claim).await
    }

    /// Whether an act is the operator's, and no program's that is narrowed.
    fn goes_first(&self, gesture: &Gesture) -> bool {
        gesture.only.is_all() && gesture.by.is_none_or(|by| by == self.feed.world().operator())
    }

    async fn act(&self, gesture: Gesture, token: Option<String>, claim: Claim) -> Result<Report, Trouble> {
        let (by, metered) = (gesture.by, gesture.metered);
        let tokens = self.tokens.clone();
        // Asked again by the thread that stamps it: once a token was taken back, nothing is stamped by it any more.
        let stands = move || token.is_none_or(|token| lock(&tokens).is_open(&token, now()));
        let work = move |living: &mut Living| match stands() {
            true => living.gesture(gesture).map(|report| vec![report]),
            false => Err(RunError::TokenLost),
        };
        let mut reports = self.propose(claim, work).await?;
        let report = reports.pop().ok_or_else(Trouble::stopping)?;
        if let Some(person) = by.filter(|_| !metered && report.reason.is_some() && report.closing == "refused") {
            self.refusals.count(person, Instant::now());
        }
        tracing::debug!(moment = %format_args!("@{}:{}", report.being, report.cause), seq = report.seq, "acted");
        Ok(report)
    }

    /// The same; under a key once: a second act of that key is answered as the first, also by a server that was started anew. It goes on
    /// though whoever asked has gone.
    pub async fn gesture_once(self: Arc<Self>, sender: BeingId, gesture: Gesture, token: Option<String>) -> Result<Report, Trouble> {
        let Some(once) = gesture.once else { return self.gesture(gesture, token).await };
        let answer = self.acts.answer(sender, once)?;
        let acting = async move {
            let mut answer = answer.lock().await;
            if let Some(report) = answer.as_ref() {
                return Ok(report.clone());
            }
            let report = self.gesture(gesture, token).await?;
            *answer = Some(report.clone());
            Ok(report)
        };
        let acting = tokio::spawn(acting.in_current_span());
        acting.await.map_err(Trouble::inside)?
    }
}
