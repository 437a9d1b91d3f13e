//! Vital: what is held back in the world, in the numbers that `/metrics` tells. One request at a time counts them, and not again for a while.

use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::run::Feed;
use crate::store::WalkCount;
use crate::verb::{HealthCounts, health_counts};

use super::sight::LOOKS;
use super::trouble::Trouble;

/// How old they may be.
const LATELY: Duration = Duration::from_secs(10);

/// The numbers counted last.
#[derive(Default)]
pub struct HealthNow(tokio::sync::Mutex<Option<(Instant, HealthCounts)>>);

impl HealthNow {
    /// The numbers of a world, a few seconds old at most.
    pub async fn counts(&self, walked: &WalkCount, feed: &Feed) -> Result<HealthCounts, Trouble> {
        let mut kept = self.0.lock().await;
        if let Some((_, counts)) = kept.as_ref().filter(|(when, _)| when.elapsed() < LATELY) {
            return Ok(counts.clone());
        }
        let (world, at) = (feed.world(), feed.now());
        walked.look(world.standing().min(LOOKS));
        let counts = tokio::task::spawn_blocking(move || health_counts(&world, at)).await.map_err(Trouble::inside)?;
        *kept = Some((Instant::now(), counts.clone()));
        Ok(counts)
    }
}

/// Registers them as figures for Prometheus.
pub fn register(registry: &mut Registry, counts: HealthCounts) {
    let held: Family<[(&str, &str); 1], Gauge<u64, AtomicU64>> = Family::default();
    for (why, count) in counts.held {
        held.get_or_create(&[("why", why)]).set(count);
    }
    registry.register("held", "Beings that are held back, by why: a brake, a connection, a budget, nothing to wear", held);
    let failures: Family<[(&str, &str); 1], Gauge<u64, AtomicU64>> = Family::default();
    for (code, count) in counts.failures {
        failures.get_or_create(&[("code", code.word())]).set(count);
    }
    registry.register("failures_this_hour", "Failures and refusals of beings in this hour of world time, by code", failures);
    for (name, help, value) in [
        ("waits_longest_ms", "For how long the oldest wake has been due, in milliseconds of world time", counts.waits),
        ("open_threads", "Threads of which anything is open", counts.threads),
        ("withheld", "Wakes and words that woke nobody, by brakes.depth and brakes.calls, of those who live", counts.withheld),
    ] {
        let gauge: Gauge<u64, AtomicU64> = Gauge::default();
        gauge.set(value);
        registry.register(name, help, gauge);
    }
}
