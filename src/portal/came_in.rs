//! Came in: how many webhooks came in lately by each bridge, and whether one more may.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::cognition::PerSpan;

use super::token_rate::admit;
use super::trouble::Trouble;

/// The most webhooks of a rate: the instant of each is remembered.
const MOST: u64 = 10_000;

/// When webhooks came in lately, by bridge.
#[derive(Default)]
pub struct CameIn(Mutex<BTreeMap<String, VecDeque<Instant>>>);

impl CameIn {
    /// Counts one more of a bridge, where its rate lets it.
    pub fn admit(&self, bridge: &str, rate: PerSpan) -> Result<(), Trouble> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = usize::try_from(rate.count.min(MOST)).unwrap_or(usize::MAX);
        admit((count, rate.span), all.entry(bridge.to_owned()).or_default(), Instant::now())
            .map_err(|wait| Trouble::too_many("more webhooks come in than the `rate` of the bridge lets", wait.as_secs() + 1))
    }
}
