//! Share: how many of something each may have at one time, so that whoever takes all that it can get leaves some for the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many each one holds.
type Held<K> = Arc<Mutex<BTreeMap<K, usize>>>;

/// Counts what each holds.
pub struct Shares<K>(Held<K>);

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_share_and_gets_it_back() {
        let shares = Shares::default();
        let mut held: Vec<_> = (0..4).map_while(|_| shares.take(&"one", 3)).collect();
        assert_eq!(held.len(), 3);
        assert!(shares.take(&"other", 3).is_some());
        held.pop();
        assert!(shares.take(&"one", 3).is_some());
        drop(held);
        assert!(shares.0.lock().unwrap().is_empty());
    }
}
