//! Tabs: which beings are driven from tabs, by whom, and until when each tab counts as there.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::fact::BeingId;

/// How many tabs of one person a being is driven from at most; the one that was silent longest goes first.
const MOST: usize = 16;

/// A being that somebody drives, from one tab or from several.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The driver.
    pub driver: BeingId,
    /// The instants until which its tabs count as there, by the word that each tab calls itself.
    pub tabs: BTreeMap<String, Instant>,
    /// When the lease was last renewed; none: by a server before this one.
    pub renewed: Option<Instant>,
}

impl Seat {
    /// A driver's, without a tab.
    pub fn of(driver: BeingId) -> Self {
        Self { driver, tabs: BTreeMap::new(), renewed: None }
    }

    /// Counts a tab as there for so long, unless it is heard of again; how many others there are.
    pub fn hear(&mut self, tab: &str, lasts: Duration) -> usize {
        self.tabs.insert(tab.to_owned(), Instant::now() + lasts);
        if self.tabs.len() > MOST
            && let Some(oldest) = self.tabs.iter().min_by_key(|(_, until)| **until).map(|(tab, _)| tab.clone())
        {
            self.tabs.remove(&oldest);
        }
        self.tabs.len() - 1
    }
}

/// All beings that are driven from tabs.
#[derive(Default)]
pub struct Tabs(Mutex<BTreeMap<BeingId, Seat>>);

impl Tabs {
    /// By the being that is driven.
    pub fn seats(&self) -> MutexGuard<'_, BTreeMap<BeingId, Seat>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every being that is driven, and by whom.
    pub fn drivers(&self) -> Vec<(BeingId, BeingId)> {
        self.seats().iter().map(|(driven, seat)| (*driven, seat.driver)).collect()
    }
}
