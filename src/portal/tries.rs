//! Tries: logins by password, counted so that nobody guesses fast and no stranger locks an owner out.
//!
//! A browser that has come in under a name before has a count of its own under it, wherever it stands. Others are counted by name and
//! address; and by address under all names, unless somebody has come in from there under that name.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::origin::Origin;

/// How many tries each count takes in a while.
pub const TRIES: usize = 5;
/// How many an address has under all names.
pub const OF_ADDRESS: usize = 20;
/// After so long a try is forgotten.
pub const WHILE: Duration = Duration::from_secs(60);
/// How many addresses are remembered from which people came in.
const KNOWN: usize = 4096;
/// The longest name that is counted as it is written, in characters.
const NAME_MAX: usize = 64;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Count {
    Browser(String),
    Pair(String, Origin),
    Address(Origin),
}

/// A login attempt.
#[derive(Clone, Debug)]
pub struct Try {
    name: String,
    origin: Origin,
    /// The browser, where it has come in under that name before.
    browser: Option<String>,
}

#[derive(Default)]
struct WrongTries {
    tries: BTreeMap<Count, VecDeque<Instant>>,
    /// The origins from which people have come in, the last at the end.
    known: VecDeque<(String, Origin)>,
}

/// The tries of the last while.
#[derive(Default)]
pub struct Tries(Mutex<WrongTries>);

impl Try {
    /// A try under a name.
    pub fn under(name: &str, origin: Origin, browser: Option<String>) -> Self {
        Self { name: name.chars().take(NAME_MAX).collect(), origin, browser }
    }
}

impl Tries {
    fn lock(&self) -> MutexGuard<'_, WrongTries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a try before it is made; if there were too many, how long to wait. Names that nobody bears wait as others do.
    pub fn begin(&self, made: &Try, now: Instant) -> Result<(), Duration> {
        let mut inside = self.lock();
        inside.forget(now);
        let counts = inside.counts(made);
        let full = |(count, most): &(Count, usize)| {
            let tries = inside.tries.get(count).filter(|tries| tries.len() >= *most)?;
            Some(WHILE.saturating_sub(now.saturating_duration_since(*tries.front()?)))
        };
        if let Some(wait) = counts.iter().filter_map(full).max() {
            return Err(wait);
        }
        counts.into_iter().for_each(|(count, _)| inside.tries.entry(count).or_default().push_back(now));
        Ok(())
    }

    /// The try was right: it counts no more, nor do those before it under that name; and where it came from is remembered.
    pub fn right(&self, made: &Try) {
        let mut inside = self.lock();
        for (count, _) in inside.counts(made) {
            match count {
                // Attempts from there under other names still count.
                Count::Address(_) => drop(inside.tries.get_mut(&count).and_then(VecDeque::pop_back)),
                Count::Browser(_) | Count::Pair(..) => drop(inside.tries.remove(&count)),
            }
        }
        let known = (made.name.clone(), made.origin);
        inside.known.retain(|other| *other != known);
        inside.known.push_back(known);
        if inside.known.len() > KNOWN {
            inside.known.pop_front();
        }
    }
}

impl WrongTries {
    /// The counts by which a try is judged, and how many tries each allows.
    fn counts(&self, made: &Try) -> Vec<(Count, usize)> {
        if let Some(browser) = &made.browser {
            return vec![(Count::Browser(browser.clone()), TRIES)];
        }
        let pair = (made.name.clone(), made.origin);
        let is_known = self.known.contains(&pair);
        let own = (Count::Pair(pair.0, pair.1), TRIES);
        if is_known { vec![own] } else { vec![own, (Count::Address(made.origin), OF_ADDRESS)] }
    }

    fn forget(&mut self, now: Instant) {
        self.tries.retain(|_, tries| {
            while tries.front().is_some_and(|tried| now.saturating_duration_since(*tried) >= WHILE) {
                tries.pop_front();
            }
            !tries.is_empty()
        });
    }
}
