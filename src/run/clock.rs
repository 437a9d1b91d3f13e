//! Clock: how fast world time passes beside the wall clock. It also gives the ticking that a [`feed`](super::feed) tells between two
//! rounds.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::fact::Millis;

use super::feed::Ticking;

/// How fast world time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As fast as it can.
    Virtual,
    /// So many times as fast as the wall clock.
    Times(f64),
    /// With the wall clock, at the wall clock's own time.
    Real,
}

impl Pace {
    /// The slowest pace: world seconds in one second.
    pub const SLOWEST: f64 = 0.01;
    /// The fastest.
    pub const FASTEST: f64 = 600.0;

    /// As the clock switch records it.
    pub fn word(self) -> String {
        match self {
            Self::Virtual => "virtual".to_owned(),
            Self::Times(times) => format!("paced {times}"),
            Self::Real => "real".to_owned(),
        }
    }

    /// The one that the clock switch recorded so.
    pub fn of_word(word: &str) -> Option<Self> {
        match word {
            "virtual" => Some(Self::Virtual),
            "real" => Some(Self::Real),
            other => other.strip_prefix("paced ").and_then(|times| times.parse().ok()).and_then(Self::times),
        }
    }

    /// So many times the speed of the clock: at least a hundredth and at most 600.
    pub fn times(times: f64) -> Option<Self> {
        (Self::SLOWEST..=Self::FASTEST).contains(&times).then_some(Self::Times(times))
    }
}

/// A round that begins no later than this is in time: a model that was asked ahead is told the same instant then.
const IN_TIME: Millis = 1_000;

/// The wall clock's own time.
pub(super) fn wall() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as Millis)
}

/// World time beside wall time.
pub(super) struct WallClock {
    pace: Pace,
    world: Millis,
    began: Instant,
}

impl WallClock {
    pub(super) fn new(pace: Pace, world: Millis) -> Self {
        Self { pace, world, began: Instant::now() }
    }

    /// World time now, as far as the pace says it; virtual time stands where the last round left it.
    pub(super) fn now(&self) -> Millis {
        match self.pace {
            Pace::Virtual => self.world,
            // A world that is ahead of the wall clock goes on from where it is, as fast as the wall clock goes.
            Pace::Real => wall().max(self.world.saturating_add(self.began.elapsed().as_millis() as Millis)),
            Pace::Times(times) => self.world.saturating_add((self.began.elapsed().as_secs_f64() * times * 1000.0) as Millis),
        }
    }

    /// World time as it passes from now on, until an instant.
    pub(super) fn ticking(&self, until: Millis) -> Option<Ticking> {
        let times = match self.pace {
            Pace::Virtual => return None,
            Pace::Real => 1.0,
            Pace::Times(times) => times,
        };
        Some(Ticking { world: self.now(), since: Instant::now(), times, until })
    }

    /// How long the wall clock has to go until an instant of the world.
    pub(super) fn left(&self, due: Millis) -> Duration {
        let wait = match self.pace {
            Pace::Virtual => return Duration::ZERO,
            Pace::Real => return Duration::from_millis(due.saturating_sub(self.now()).max(0) as u64),
            Pace::Times(times) => {
                Duration::from_secs_f64((due.saturating_sub(self.world).max(0) as f64 / 1000.0 / times.max(f64::MIN_POSITIVE)).min(1e9))
            }
        };
        wait.saturating_sub(self.began.elapsed())
    }

    /// World time when the wall clock has gone on for so long.
    pub(super) fn after(&self, wall: Duration) -> Millis {
        let times = if let Pace::Times(times) = self.pace { times } else { 1.0 };
        self.now().saturating_add((wall.as_secs_f64() * times * 1000.0) as Millis)
    }

    pub(super) fn must_wait(&self, due: Millis) -> bool {
        !self.left(due).is_zero()
    }

    /// The world's instant of a round that was due: later than due only in real time, where the clock was not waited for.
    pub(super) fn instant(&self, due: Millis) -> Millis {
        let late = self.now().saturating_sub(due);
        if self.pace == Pace::Real && late > IN_TIME { due.max(self.now()) } else { due }
    }
}
