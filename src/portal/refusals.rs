//! Refusals: how often the world has refused each person within the hour. Every refusal is sealed, so whoever is refused all the time
//! writes history; after so many their acts are turned away before they reach the world.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::fact::BeingId;

/// How many refusals of one person are sealed within an hour.
pub const MOST: usize = 100;
/// After so long a refusal is forgotten.
pub const HOUR: Duration = Duration::from_secs(60 * 60);

/// When each person was refused.
#[derive(Default)]
pub struct Refusals(Mutex<BTreeMap<BeingId, VecDeque<Instant>>>);

impl Refusals {
    /// Whether a person may act; if not, how long to wait.
    pub fn may(&self, person: BeingId, now: Instant) -> Result<(), Duration> {
        let refused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let first = refused.get(&person).filter(|times| times.len() >= MOST).and_then(|times| times.front());
        let passed = first.map(|first| now.saturating_duration_since(*first)).filter(|passed| *passed < HOUR);
        passed.map_or(Ok(()), |passed| Err(HOUR - passed))
    }

    /// The world has refused a person.
    pub fn count(&self, person: BeingId, now: Instant) {
        let mut refused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let times = refused.entry(person).or_default();
        times.push_back(now);
        if times.len() > MOST {
            times.pop_front();
        }
    }
}
