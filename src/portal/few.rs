//! Few: work that leaves a request, so many at one time. A place belongs to the work: it is free again when that has ended, and not when its
//! asker goes.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::store::{Interest, Interested, WalkCount};

use super::trouble::Trouble;

/// Places for work of one kind.
pub struct Few {
    places: Arc<Semaphore>,
    count: usize,
    /// How many records of history one piece of work reads at most.
    records: u64,
    walked: Arc<WalkCount>,
}

impl Few {
    /// So many, each of which reads at most so many records; what they walk is counted.
    pub fn of(count: usize, records: u64, walked: &Arc<WalkCount>) -> Self {
        Self { places: Arc::new(Semaphore::new(count)), count, records, walked: walked.clone() }
    }

    /// How many are taken.
    pub fn at_work(&self) -> usize {
        self.count.saturating_sub(self.places.available_permits())
    }

    /// Does something on a thread of its own once there is a place. It hears whether its asker still waits.
    pub async fn work<T: Send + 'static>(&self, work: impl FnOnce(Interest) -> T + Send + 'static) -> Result<T, Trouble> {
        let place = self.places.clone().acquire_owned().await.map_err(Trouble::inside)?;
        let waits = Interested::within(self.records, self.walked.clone());
        let interest = waits.interest();
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work(interest)
        });
        let done = done.await.map_err(Trouble::inside);
        drop(waits);
        done
    }
}
