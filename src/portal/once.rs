//! Once: acts that were named by whoever sent them, so that none is done twice: a second act of a key is answered as the first.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;

use crate::fact::{BeingId, Code, Hash, Once};
use crate::past::Report;

use super::trouble::Trouble;

/// How many answers of one sender are remembered under their idempotency keys.
pub const KEYS: usize = 1024;

/// The answer of a key: none while the act is not done. The request that does it holds the lock for so long.
pub type OneAnswer = Arc<tokio::sync::Mutex<Option<Report>>>;

/// The answers of acts, by key.
#[derive(Default)]
pub struct Acts(Mutex<KeyedAnswers>);

#[derive(Default)]
struct KeyedAnswers {
    /// By key: what was asked under it, and the answer.
    answers: BTreeMap<Hash, (Hash, OneAnswer)>,
    /// The keys of each sender, the oldest first.
    order: BTreeMap<BeingId, VecDeque<Hash>>,
}

impl Acts {
    fn lock(&self) -> MutexGuard<'_, KeyedAnswers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the answer of a key is kept.
    pub fn answer(&self, sender: BeingId, once: Once) -> Result<OneAnswer, Trouble> {
        let mut acts = self.lock();
        if let Some((asked, answer)) = acts.answers.get(&once.key) {
            if *asked != once.asked {
                let message = "this Idempotency-Key was used for another act; use a new one";
                return Err(Trouble::new(StatusCode::CONFLICT, Code::Conflict, message));
            }
            return Ok(answer.clone());
        }
        let answer = OneAnswer::default();
        acts.answers.insert(once.key, (once.asked, answer.clone()));
        // Each has as many as it likes up to a number, and the oldest of its own goes first.
        let own = acts.order.entry(sender).or_default();
        own.push_back(once.key);
        let oldest = if own.len() > KEYS { own.pop_front() } else { None };
        if let Some(oldest) = oldest {
            acts.answers.remove(&oldest);
        }
        Ok(answer)
    }

    /// The answer of an act that is done.
    pub fn known(&self, once: Once) -> Option<Report> {
        let (asked, answer) = self.lock().answers.get(&once.key)?.clone();
        answer.try_lock().ok()?.clone().filter(|_| asked == once.asked)
    }

    /// Remembers an act of the past by its key.
    pub fn know(&self, once: Once, report: Report) {
        self.lock().answers.insert(once.key, (once.asked, Arc::new(tokio::sync::Mutex::new(Some(report)))));
    }
}
