//! Feed: what of a running world has become durable, for whoever reads and watches: the world itself, and its newest moments.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::Serialize;
use tokio::sync::watch;

use crate::fact::{Millis, Seq};
use crate::past::{Report, Sought};
use crate::world::World;

use super::waits::Waits;

/// How many of the newest moments are kept at hand; older ones are read from the log.
pub const KEPT: usize = 50_000;

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// `running`, `paused`, `quiet` (nobody has anything to do) or `waits` (for a person).
    pub state: &'static str,
    /// The person that the world waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<String>,
}

impl Standing {
    /// Nothing but a word.
    pub fn of(state: &'static str) -> Self {
        Self { state, waits_for: None }
    }
}

/// World time as it passes beside the wall clock, until what is due next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticking {
    pub(super) world: Millis,
    pub(super) since: Instant,
    pub(super) times: f64,
    pub(super) until: Millis,
}

impl Ticking {
    /// Time that stands.
    pub(super) fn still(at: Millis) -> Self {
        Self { world: at, since: Instant::now(), times: 0.0, until: at }
    }
}

struct Latest {
    ticking: Option<Ticking>,
    world: Arc<World>,
    newest: VecDeque<Arc<Report>>,
    standing: Standing,
}

/// A feed of the durable moments of a run.
pub struct Feed {
    told: Mutex<Latest>,
    changes: watch::Sender<u64>,
    waits: Waits,
}

/// The moments from a seq on, as far as they are at hand.
pub enum Since {
    /// All of them, up to a number.
    Here(Vec<Arc<Report>>),
    /// Some lie further back than what is at hand, which begins at this seq.
    Before(Seq),
}

impl Feed {
    /// Begins with a world and the moments that led to it.
    pub fn new(world: Arc<World>, newest: impl IntoIterator<Item = Report>) -> Self {
        let newest = newest.into_iter().map(Arc::new).collect();
        Self {
            told: Mutex::new(Latest { ticking: None, world, newest, standing: Standing::of("running") }),
            changes: watch::Sender::new(0),
            waits: Waits::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Latest> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells of moments that are durable now, and of the world after them.
    pub(super) fn publish(&self, reports: impl IntoIterator<Item = Report>, world: Arc<World>) {
        let mut told = self.lock();
        told.world = world;
        told.newest.extend(reports.into_iter().map(Arc::new));
        let beyond = told.newest.len().saturating_sub(KEPT);
        told.newest.drain(..beyond);
        drop(told);
        self.changes.send_modify(|change| *change += 1);
    }

    /// Tells how world time passes from now on; not at all where nothing is said.
    pub(super) fn ticks(&self, ticking: Option<Ticking>) {
        self.lock().ticking = ticking;
    }

    /// World time now: between moments it is later than the last of them.
    pub fn now(&self) -> Millis {
        let told = self.lock();
        let last = told.world.now();
        told.ticking.map_or(last, |ticking| {
            let passed = (ticking.since.elapsed().as_secs_f64() * ticking.times * 1000.0) as Millis;
            ticking.world.saturating_add(passed).min(ticking.until).max(last)
        })
    }

    /// Tells what the run is at.
    pub(super) fn stands(&self, standing: Standing) {
        let mut told = self.lock();
        if told.standing != standing {
            told.standing = standing;
            drop(told);
            self.changes.send_modify(|change| *change += 1);
        }
    }

    /// The world as of the last durable frame.
    pub fn world(&self) -> Arc<World> {
        self.lock().world.clone()
    }

    /// How long wakes have waited for their moments.
    pub fn waits(&self) -> &Waits {
        &self.waits
    }

    /// The state of the run.
    pub fn standing(&self) -> Standing {
        self.lock().standing.clone()
    }

    /// Says when anything has changed.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Moments from a seq on, at most so many.
    pub fn since(&self, seq: Seq, most: usize) -> Since {
        let told = self.lock();
        let begins = told.newest.front().map_or_else(|| told.world.next_seq(), |report| report.seq);
        if seq < begins {
            return Since::Before(begins);
        }
        let first = told.newest.partition_point(|report| report.seq < seq);
        Since::Here(told.newest.iter().skip(first).take(most).cloned().collect())
    }

    /// The newest moments below a seq that fit, newest first, at most so many.
    pub fn find(&self, sought: &Sought, below: Seq, most: usize) -> Vec<Arc<Report>> {
        let newest: Vec<Arc<Report>> = self.lock().newest.iter().cloned().collect();
        newest.into_iter().rev().filter(|report| report.seq < below && sought.fits(report)).take(most).collect()
    }

    /// The first seq at hand.
    pub fn begins(&self) -> Seq {
        let told = self.lock();
        told.newest.front().map_or_else(|| told.world.next_seq(), |report| report.seq)
    }
}
