//! Interest: whether somebody still waits for what is read; a walk that nobody waits for ends.

use std::sync::{Arc, Weak};

use super::contract::Entries;
use super::error::StoreError;

/// How many entries are read between two looks at whether somebody waits.
const BETWEEN: u32 = 100;

/// Somebody who waits: once this is dropped, nobody does.
#[derive(Debug, Default)]
pub struct Interested(Arc<()>);

impl Interested {
    /// The interest of whoever waits.
    pub fn interest(&self) -> Interest {
        Interest(Some(Arc::downgrade(&self.0)))
    }
}

/// Whether somebody waits; by default somebody always does.
#[derive(Clone, Debug, Default)]
pub struct Interest(Option<Weak<()>>);

impl Interest {
    /// Whether nobody waits any more.
    pub fn is_gone(&self) -> bool {
        self.0.as_ref().is_some_and(|waits| waits.strong_count() == 0)
    }

    /// An error once nobody waits any more.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.is_gone() { Err(StoreError::Unasked) } else { Ok(()) }
    }

    /// A stream that ends with an error soon after nobody waits any more.
    pub(super) fn over<'a>(&self, entries: Entries<'a>) -> Entries<'a> {
        if self.0.is_none() {
            return entries;
        }
        let (interest, mut read, mut is_over) = (self.clone(), 0_u32, false);
        Box::new(entries.map_while(move |entry| {
            if is_over {
                return None;
            }
            read = read.wrapping_add(1);
            is_over = read.is_multiple_of(BETWEEN) && interest.is_gone();
            Some(if is_over { Err(StoreError::Unasked) } else { entry })
        }))
    }
}
