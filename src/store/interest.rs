//! Interest: whether somebody still waits for what is read, and how much may be read for them; a walk that nobody waits for ends, and so does
//! one that goes too far.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use super::contract::Entries;
use super::error::StoreError;

/// How many entries are read between two looks at whether somebody waits.
const BETWEEN: u64 = 100;

/// How much was walked for those who ask.
#[derive(Debug, Default)]
pub struct WalkCount {
    records: AtomicU64,
    things: AtomicU64,
}

impl WalkCount {
    /// Counts so many things that are looked at one by one.
    pub fn look(&self, things: usize) {
        self.things.fetch_add(things as u64, Ordering::Relaxed);
    }

    /// How many records of history were read.
    pub fn records(&self) -> u64 {
        self.records.load(Ordering::Relaxed)
    }

    /// How many beings, pieces of matter and spaces were looked at one by one.
    pub fn things(&self) -> u64 {
        self.things.load(Ordering::Relaxed)
    }
}

/// Somebody who waits: once this is dropped, nobody does.
#[derive(Debug)]
pub struct Interested {
    waits: Arc<()>,
    walked: Arc<WalkCount>,
    most: u64,
}

impl Interested {
    /// Somebody for whom at most so many records are read; what is walked is counted.
    pub fn within(most: u64, walked: Arc<WalkCount>) -> Self {
        Self { waits: Arc::default(), walked, most }
    }

    /// The interest of whoever waits.
    pub fn interest(&self) -> Interest {
        let (waits, walked, read) = (Arc::downgrade(&self.waits), self.walked.clone(), Arc::default());
        Interest(Some(ReadTerms { waits, walked, read, most: self.most }))
    }
}

impl Default for Interested {
    fn default() -> Self {
        Self::within(u64::MAX, Arc::default())
    }
}

/// Whether somebody waits; by default somebody always does, and whatever is asked for is read.
#[derive(Clone, Debug, Default)]
pub struct Interest(Option<ReadTerms>);

/// On what terms something is read for somebody.
#[derive(Clone, Debug)]
struct ReadTerms {
    waits: Weak<()>,
    walked: Arc<WalkCount>,
    /// How many records were read on these terms.
    read: Arc<AtomicU64>,
    most: u64,
}

impl ReadTerms {
    fn is_gone(&self) -> bool {
        self.waits.strong_count() == 0
    }

    /// Counts one more record, if it may be read.
    fn read(&self) -> Result<(), StoreError> {
        let read = self.read.fetch_add(1, Ordering::Relaxed);
        match read {
            _ if read >= self.most => return Err(StoreError::TooFar { most: self.most }),
            _ if read.is_multiple_of(BETWEEN) && self.is_gone() => return Err(StoreError::Unasked),
            _ => {}
        }
        self.walked.records.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

impl Interest {
    /// Whether nobody waits any more.
    pub fn is_gone(&self) -> bool {
        self.0.as_ref().is_some_and(ReadTerms::is_gone)
    }

    /// Counts a record that is read by itself; an error once nobody waits any more, or enough was read.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.is_gone() { Err(StoreError::Unasked) } else { self.0.as_ref().map_or(Ok(()), ReadTerms::read) }
    }

    /// A stream that ends with an error soon after nobody waits any more, or once enough was read.
    pub(super) fn over<'a>(&self, entries: Entries<'a>) -> Entries<'a> {
        let Some(terms) = self.0.clone() else { return entries };
        let mut is_over = false;
        Box::new(entries.map_while(move |entry| {
            if is_over {
                return None;
            }
            let read = terms.read();
            is_over = read.is_err();
            Some(read.and(entry))
        }))
    }
}
