//! Seals: signatures are checked on threads of their own while the walk goes on.
//!
//! One by one and strictly: a batch would be faster and, where a key's own holder wants it, would hold on one day and not on the next.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use crate::fact::{BirthKey, Hash, Seq, Signature};
use crate::past::LoadError;
use crate::reel::{AdmissionError, Chain, Owed};
use crate::store::RecordPlace;

/// How many signatures a thread takes at once.
const BATCH: usize = 128;
/// How many threads check at most.
const THREADS_MAX: usize = 8;

/// A signature that is to be checked, with its key, the signed hash and its place.
pub(super) struct Sealed {
    key: Option<BirthKey>,
    hash: Hash,
    signature: Signature,
    seq: Seq,
    at: RecordPlace,
    /// The error if it does not hold.
    wrong: AdmissionError,
}

impl Sealed {
    /// The signature that a frame owes: its being's own, or the delegation of a being that is born.
    pub(super) fn frame(owed: Owed, seq: Seq, at: RecordPlace) -> Self {
        let Owed { key, hash, signature, wrong } = owed;
        Self { key: Some(key), hash, signature, seq, at, wrong }
    }

    /// The head on which a chain stands, by `@world`.
    pub(super) fn head(chain: &Chain, seal: &[u8; 64], at: RecordPlace) -> Self {
        let seq = chain.next().saturating_sub(1);
        Self { key: chain.seal_key(), hash: chain.head(), signature: Signature(*seal), seq, at, wrong: AdmissionError::Seal { seq } }
    }

    fn holds(&self) -> bool {
        self.key.as_ref().is_some_and(|key| key.verify(&self.hash, &self.signature).is_ok())
    }
}

/// Where signatures are handed over.
pub(super) struct Seals<'a> {
    batches: SyncSender<Vec<Sealed>>,
    batch: Vec<Sealed>,
    broken: &'a AtomicBool,
}

impl Seals<'_> {
    /// Hands one over.
    pub(super) fn add(&mut self, sealed: Sealed) {
        self.batch.push(sealed);
        if self.batch.len() >= BATCH {
            self.flush();
        }
    }

    /// Whether one is known not to hold: nothing more has to be walked.
    pub(super) fn are_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    fn flush(&mut self) {
        // The checkers take whatever comes for as long as there is somebody to hand it over.
        let _ = self.batches.send(std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH)));
    }
}

/// Does some work, and checks what it hands over; the first signature that does not hold is the answer, whatever else there is to say.
pub(super) fn checked<T, E: From<LoadError>>(work: impl FnOnce(&mut Seals<'_>) -> Result<T, E>) -> Result<T, E> {
    let threads = available_parallelism().map_or(1, |threads| threads.get().min(THREADS_MAX));
    let (batches, waiting) = sync_channel(4 * threads);
    let (waiting, broken) = (Mutex::new(waiting), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let checkers: Vec<_> = (0..threads).map(|_| scope.spawn(|| check(&waiting, &broken))).collect();
        let mut seals = Seals { batches, batch: Vec::new(), broken: &broken };
        let worked = work(&mut seals);
        seals.flush();
        drop(seals);
        let found = checkers.into_iter().filter_map(|checker| checker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        match found.min_by_key(|sealed| sealed.seq) {
            Some(Sealed { at, wrong, .. }) => Err(LoadError::at(at)(wrong).into()),
            None => worked,
        }
    })
}

/// Checks batch after batch, up to the first signature that does not hold; what comes behind it is only taken.
fn check(waiting: &Mutex<Receiver<Vec<Sealed>>>, broken: &AtomicBool) -> Option<Sealed> {
    let mut found = None;
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(batch) = next else { return found };
        if found.is_none() {
            found = batch.into_iter().find(|sealed| !sealed.holds());
            broken.fetch_or(found.is_some(), Ordering::Relaxed);
        }
    }
}
