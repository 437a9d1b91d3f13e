//! Waits: how long wakes waited for their moments once they were due, by rank, for whoever watches over a running world.

use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

use crate::fact::{Draft, Rank};

/// The borders of the buckets, in milliseconds of world time: one is what a round takes.
const BORDERS: [f64; 7] = [0.0, 1.0, 10.0, 100.0, 1_000.0, 10_000.0, 60_000.0];

type OfRank = [(&'static str, &'static str); 1];
/// Waits by rank, as Prometheus reads them.
pub type WaitFigures = Family<OfRank, Histogram, fn() -> Histogram>;

/// How long one wake has waited.
pub(super) struct Wait {
    rank: Rank,
    ms: i64,
}

impl Wait {
    /// That of the wake whose moment a draft of a round closes.
    pub(super) fn of(draft: &Draft) -> Self {
        Self { rank: draft.wake.rank, ms: draft.opened_at.saturating_sub(draft.wake.due).max(0) }
    }
}

/// All waits since the world was opened.
pub struct Waits(WaitFigures);

impl Default for Waits {
    fn default() -> Self {
        let family: WaitFigures = Family::new_with_constructor(|| Histogram::new(BORDERS));
        // A rank whose wakes have not waited yet is told of too.
        for rank in Rank::ALL {
            drop(family.get_or_create(&[("rank", rank.word())]));
        }
        Self(family)
    }
}

impl Waits {
    pub(super) fn note(&self, wait: &Wait) {
        self.0.get_or_create(&[("rank", wait.rank.word())]).observe(wait.ms as f64);
    }

    /// The histograms that Prometheus reads; they go on counting.
    pub fn figures(&self) -> WaitFigures {
        self.0.clone()
    }
}
