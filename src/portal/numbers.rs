//! Numbers: the measures of a world and the sentence on its state, both of the same seq.
//!
//! A request has them worked out, and so does a task for the streams. No reader gets measures of one seq with the sentence of another.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::fact::{Millis, Seq, Value};
use crate::run::Feed;
use crate::source::MeasureList;
use crate::store::WalkCount;
use crate::world::World;

use super::few::Few;
use super::measured::{MeasureTold, measure};
use super::now::NowTold;
use super::sight::Sight;
use super::trouble::Trouble;

/// How old may be the numbers of the living world that a request gets, and how often the streams get new ones at most.
const LATELY: Duration = Duration::from_secs(1);
/// The task for the streams rests so many times as long as it has worked.
const RESTS: u32 = 4;
/// So many measures that are numbers are told beside the clock.
const FIRST: usize = 3;

/// The measures and the sentence of a world.
#[derive(Debug)]
pub struct Numbers {
    /// How many frames that world has.
    pub seq: Seq,
    /// The instant at which it was measured.
    pub at: Millis,
    /// All measures.
    pub measures: Vec<MeasureTold>,
    /// The sentence.
    pub now: Option<NowTold>,
}

impl Numbers {
    fn of(list: &MeasureList, world: &Arc<World>, at: Millis) -> Self {
        let measures = measure(list, world, at);
        let values: BTreeMap<String, Value> = measures.iter().map(|measure| (measure.name.clone(), measure.now.clone())).collect();
        let now = NowTold::of(world, at, &values);
        Self { seq: world.next_seq(), at, measures, now }
    }

    /// The first measures that are numbers.
    pub fn first(&self) -> Vec<MeasureTold> {
        let is_number = |measure: &&MeasureTold| measure.now.as_float().is_some_and(f64::is_finite);
        self.measures.iter().filter(is_number).take(FIRST).cloned().collect()
    }

    /// The sentence, for whoever may see the registers that it is told by.
    pub fn now_for(&self, sight: &Sight) -> Option<NowTold> {
        sight.register("signals").ok()?;
        self.now.clone()
    }
}

/// The numbers worked out last: for requests one at a time and not again within a second, and for the streams by a task of their own.
pub struct NumbersNow {
    kept: tokio::sync::Mutex<Option<NumbersLately>>,
    newest: watch::Sender<Option<Arc<Numbers>>>,
}

struct NumbersLately {
    is_past: bool,
    when: Instant,
    numbers: Arc<Numbers>,
}

impl Default for NumbersNow {
    fn default() -> Self {
        Self { kept: tokio::sync::Mutex::default(), newest: watch::Sender::new(None) }
    }
}

impl NumbersNow {
    /// The numbers of the world that a being sees. Those of the living world may be a second old: their seq says of which world they are.
    pub async fn told(&self, looking: &Few, sight: &Sight) -> Result<Arc<Numbers>, Trouble> {
        // Between two frames of the living world its numbers are those of the last one, as they are in the past.
        let (world, at) = (sight.world.clone(), if sight.is_past { sight.at } else { sight.world.at() });
        let list = MeasureList::of_world(&world);
        if list.measures.is_empty() {
            return Ok(Arc::new(Numbers::of(&list, &world, at)));
        }
        let mut kept = self.kept.lock().await;
        let when = Instant::now();
        let is_new = |lately: &&NumbersLately| {
            let is_same = (lately.numbers.seq, lately.numbers.at) == (world.next_seq(), at);
            is_same || (!sight.is_past && !lately.is_past && when.duration_since(lately.when) < LATELY)
        };
        if let Some(lately) = kept.as_ref().filter(is_new) {
            return Ok(lately.numbers.clone());
        }
        sight.walked.look(list.measures.len().saturating_mul(world.beings().len()));
        let numbers = Arc::new(looking.work(move |_| Numbers::of(&list, &world, at)).await?);
        *kept = Some(NumbersLately { is_past: sight.is_past, when, numbers: numbers.clone() });
        Ok(numbers)
    }

    /// The numbers as the task works them out, for a stream.
    pub fn newest(&self) -> watch::Receiver<Option<Arc<Numbers>>> {
        self.newest.subscribe()
    }

    /// Works the numbers out while anybody streams; forever. Nothing that a request waits for holds it up.
    pub async fn keep(&self, feed: &Feed, walked: &WalkCount) {
        let mut rest = LATELY;
        loop {
            tokio::time::sleep(rest).await;
            rest = LATELY;
            if self.newest.receiver_count() == 0 {
                self.newest.send_replace(None);
                continue;
            }
            let world = feed.world();
            if self.newest.borrow().as_ref().is_some_and(|newest| newest.seq == world.next_seq()) {
                continue;
            }
            let list = MeasureList::of_world(&world);
            walked.look(list.measures.len().saturating_mul(world.beings().len()));
            let began = Instant::now();
            let numbers = tokio::task::spawn_blocking(move || Numbers::of(&list, &world, world.at())).await;
            rest = LATELY.max(began.elapsed() * RESTS);
            match numbers {
                Ok(numbers) => drop(self.newest.send_replace(Some(Arc::new(numbers)))),
                Err(error) => tracing::error!(%error, "the measures of the world could not be worked out"),
            }
        }
    }
}
