//! Share: how many of something each may have at one time, so that whoever takes all that it can get leaves some for the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many each one holds.
type Held<K> = Arc<Mutex<BTreeMap<K, usize>>>;

/// Counts what each holds.
pub struct Shares<K>(pub Held<K>);

/// One of them, until it is dropped.
pub struct Share<K: Ord> {
    of: K,
    held: Held<K>,
}

impl<K> Default for Shares<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Ord + Clone> Shares<K> {
    /// One more, for whoever has fewer than `most`.
    pub fn take(&self, of: &K, most: usize) -> Option<Share<K>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.get(of).copied().unwrap_or_default();
        if count >= most {
            return None;
        }
        held.insert(of.clone(), count + 1);
        Some(Share { of: of.clone(), held: self.0.clone() })
    }
}

impl<K: Ord> Drop for Share<K> {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        match held.get_mut(&self.of) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(held.remove(&self.of)),
        }
    }
}
