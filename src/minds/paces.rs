//! Paces: when each connection may be asked again where its server has said so, and how fast since. A pace is no outage: nobody loses an attempt
//! by it, and the world's clock does not see it. It belongs to the process: nothing of it is recorded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::fact::Text;

/// How long a connection is left alone that does not say until when; each further time twice as long.
const FIRST_REST: Duration = Duration::from_secs(1);
/// The longest that it is left alone, whatever it says.
pub(super) const LONGEST_REST: Duration = Duration::from_secs(3_600);
/// How long whoever may not ask yet waits before it looks again, at most.
pub(super) const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// After how long without a call it is counted anew how many are answered.
const IDLE: Duration = Duration::from_secs(5);
/// After how many answers in a row calls follow each other somewhat faster.
const FASTER_AFTER: u32 = 32;

/// A shared handle to the paces of connections, by their names; every clone is to the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Paces(Arc<Mutex<BTreeMap<Text, GrantedPace>>>);

/// The pace that a server has granted.
#[derive(Clone, Debug)]
struct GrantedPace {
    /// Nobody is asked before this.
    rests: Option<Instant>,
    /// How long it was left alone last without having said so.
    rest: Duration,
    /// Whether one call feels if it may be asked again.
    is_felt: bool,
    /// Since when answers are counted, how many there were, and when a call had its turn last.
    since: Instant,
    answers: u32,
    last: Instant,
    /// How far apart calls are begun, and when the next may be.
    apart: Duration,
    next: Instant,
}

/// The turn of a call, which has to say what came of it.
pub(super) struct CallTurn {
    paces: Paces,
    connection: Text,
    feels: bool,
}

impl GrantedPace {
    /// One of which nothing is known yet.
    fn new(now: Instant) -> Self {
        let (rest, apart) = (Duration::ZERO, Duration::ZERO);
        Self { rests: None, rest, is_felt: false, since: now, answers: 0, last: now, apart, next: now }
    }
}

impl Paces {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Text, GrantedPace>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn of a call, or how long to wait before it asks for one again.
    pub(super) fn turn(&self, connection: &Text) -> Result<CallTurn, Duration> {
        let (now, mut paces) = (Instant::now(), self.lock());
        let turn = |feels: bool| CallTurn { paces: self.clone(), connection: connection.clone(), feels };
        let pace = paces.entry(connection.clone()).or_insert_with(|| GrantedPace::new(now));
        if pace.rests.is_none() && now.saturating_duration_since(pace.last) > IDLE {
            (pace.since, pace.answers) = (now, 0);
        }
        match pace.rests {
            Some(rests) if now < rests => Err(rests.saturating_duration_since(now).min(LOOK_AGAIN)),
            Some(_) if pace.is_felt => Err(LOOK_AGAIN),
            // One feels whether it is over; the others wait for what comes of it.
            Some(_) => {
                pace.is_felt = true;
                Ok(turn(true))
            }
            None if now < pace.next => Err(pace.next.saturating_duration_since(now).min(LOOK_AGAIN)),
            None => {
                (pace.next, pace.last) = (now + pace.apart, now);
                Ok(turn(false))
            }
        }
    }
}

impl CallTurn {
    /// The server has said that it is asked too fast, and when it may be asked again: after how long it may.
    pub(super) fn too_fast(self, after: Option<Duration>) -> Duration {
        let after = after.filter(|after| !after.is_zero());
        let (now, mut paces) = (Instant::now(), self.paces.lock());
        let pace = paces.entry(self.connection.clone()).or_insert_with(|| GrantedPace::new(now));
        // A call that was under way when it first said so says nothing new.
        let is_new = pace.rests.is_none() || self.feels;
        if is_new && after.is_none() {
            pace.rest = (pace.rest * 2).clamp(FIRST_REST, LONGEST_REST);
        }
        let rests = now + after.unwrap_or(pace.rest).min(LONGEST_REST);
        let rests = pace.rests.map_or(rests, |known| known.max(rests));
        pace.rests = Some(rests);
        if is_new {
            let seconds = after.unwrap_or(pace.rest).as_secs_f64();
            tracing::info!(connection = %self.connection, seconds, "a connection is asked too fast; nobody asks it before it may be asked again");
        }
        rests.saturating_duration_since(now)
    }

    /// The server has answered.
    pub(super) fn answered(self) {
        let (now, mut paces) = (Instant::now(), self.paces.lock());
        let Some(pace) = paces.get_mut(&self.connection) else { return };
        if self.feels {
            // As fast as it went from one rest to the end of the next, and no faster than it goes already.
            let measured = now.saturating_duration_since(pace.since) / pace.answers.max(1);
            pace.apart = measured.max(pace.apart);
            (pace.rests, pace.rest, pace.is_felt) = (None, Duration::ZERO, false);
            (pace.since, pace.answers, pace.last, pace.next) = (now, 1, now, now + pace.apart);
            return;
        }
        pace.answers = pace.answers.saturating_add(1);
        if pace.answers.is_multiple_of(FASTER_AFTER) {
            pace.apart = pace.apart * 9 / 10;
        }
    }
}

impl Drop for CallTurn {
    fn drop(&mut self) {
        // A call that felt and heard nothing leaves it to the next.
        if self.feels
            && let Some(pace) = self.paces.lock().get_mut(&self.connection)
        {
            pace.is_felt = false;
        }
    }
}
