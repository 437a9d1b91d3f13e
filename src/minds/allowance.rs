//! Allowance: how many calls and tokens a connection lets itself cost within a span. Each call counts from its beginning, and is set right by its answer.
//! It belongs to the process, as a pace does: nothing of it is recorded.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::cognition::{Connection, PerSpan};
use crate::fact::Text;

/// A shared handle to what connections have cost, by their names; every clone is to the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Allowances(Arc<Mutex<BTreeMap<Text, CostSoFar>>>);

/// The calls of a connection within its longest span, the newest last.
#[derive(Debug, Default)]
struct CostSoFar {
    calls: VecDeque<CallBegun>,
    next: u64,
}

#[derive(Debug)]
struct CallBegun {
    number: u64,
    at: Instant,
    tokens: u64,
}

/// One call that was allowed.
pub(super) struct AllowedCall {
    allowances: Allowances,
    connection: Text,
    number: u64,
}

impl Allowances {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Text, CostSoFar>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allows a call that may cost so many tokens, or says after how long it is worth asking again. One that costs more than ever is allowed
    /// is allowed alone.
    pub(super) fn begin(&self, connection: &Connection, tokens: u64) -> Result<AllowedCall, Duration> {
        let (now, mut costs) = (Instant::now(), self.lock());
        let cost = costs.entry(connection.name.clone()).or_default();
        let longest = [connection.rate, connection.tokens].into_iter().flatten().map(|most| most.span).max().unwrap_or_default();
        while cost.calls.front().is_some_and(|first| now.duration_since(first.at) >= longest) {
            cost.calls.pop_front();
        }
        let too_many = connection.rate.and_then(|most| cost.over(most, now, 1, |_| 1));
        let too_dear = connection.tokens.and_then(|most| cost.over(most, now, tokens, |call| call.tokens));
        if let Some(wait) = too_many.max(too_dear) {
            return Err(wait);
        }
        let number = cost.next;
        cost.next += 1;
        cost.calls.push_back(CallBegun { number, at: now, tokens });
        Ok(AllowedCall { allowances: self.clone(), connection: connection.name.clone(), number })
    }
}

impl CostSoFar {
    /// After how long so much more would be within what is allowed, where it is not now.
    fn over(&self, most: PerSpan, now: Instant, more: u64, cost: impl Fn(&CallBegun) -> u64) -> Option<Duration> {
        let within: Vec<&CallBegun> = self.calls.iter().filter(|call| now.duration_since(call.at) < most.span).collect();
        let mut sum: u64 = within.iter().map(|call| cost(call)).fold(0, u64::saturating_add);
        let mut wait = None;
        for call in within {
            if sum.saturating_add(more) <= most.count {
                break;
            }
            sum = sum.saturating_sub(cost(call));
            wait = Some(most.span.saturating_sub(now.duration_since(call.at)));
        }
        wait
    }
}

impl AllowedCall {
    /// It has cost so many tokens.
    pub(super) fn cost(self, tokens: u64) {
        let mut costs = self.allowances.lock();
        let call = costs.get_mut(&self.connection).and_then(|cost| cost.calls.iter_mut().find(|call| call.number == self.number));
        if let Some(call) = call {
            call.tokens = tokens;
        }
    }
}
