//! Seats: where people and programs outside sit while a world runs: what they propose is carried out between two rounds, in order.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::past::Report;

use super::living::{Living, RunError};
use super::reins::Reins;

/// How many proposals wait at most; one more is turned away at once.
const WAITING: usize = 256;
/// And how many more of the operator's, whom nobody shuts out.
const KEPT: usize = 64;

/// A change to a living world, made by the thread that runs it.
type Task = Box<dyn FnOnce(&mut Living) -> Result<Vec<Report>, RunError> + Send>;
/// The callback that hears the result, once it is durable and everybody can read it.
type Hearer = Box<dyn FnOnce(Result<Vec<Report>, RunError>) + Send>;

/// Something that somebody outside proposes.
pub(super) struct Proposal {
    pub(super) work: Task,
    pub(super) heard: Hearer,
}

/// The proposals of a world that runs.
pub struct Seats {
    waiting: Mutex<VecDeque<Proposal>>,
    closed: std::sync::atomic::AtomicBool,
    reins: Reins,
}

impl Seats {
    /// None yet, for the run that these reins hold.
    pub fn new(reins: Reins) -> Self {
        Self { waiting: Mutex::default(), closed: std::sync::atomic::AtomicBool::new(false), reins }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Proposal>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Proposes something; whether there was room for it, of which some is kept for the operator. `heard` is dropped unheard where the world stops before.
    pub fn propose(
        &self,
        is_operator: bool,
        work: impl FnOnce(&mut Living) -> Result<Vec<Report>, RunError> + Send + 'static,
        heard: impl FnOnce(Result<Vec<Report>, RunError>) + Send + 'static,
    ) -> bool {
        let mut waiting = self.lock();
        let most = if is_operator { WAITING + KEPT } else { WAITING };
        if waiting.len() >= most || self.closed.load(std::sync::atomic::Ordering::Relaxed) {
            return false;
        }
        waiting.push_back(Proposal { work: Box::new(work), heard: Box::new(heard) });
        drop(waiting);
        self.reins.knock();
        true
    }

    /// Takes the waiting proposals, in order of arrival.
    pub(super) fn take(&self) -> VecDeque<Proposal> {
        std::mem::take(&mut *self.lock())
    }

    /// Lets nobody in any more; who waits is not heard, and learns it at once.
    pub fn close(&self) {
        let mut waiting = self.lock();
        self.closed.store(true, std::sync::atomic::Ordering::Relaxed);
        waiting.clear();
    }

    /// The reins of the run.
    pub fn reins(&self) -> &Reins {
        &self.reins
    }
}
