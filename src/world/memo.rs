//! Memo: the answers that one world has given to the question what a being wears. No part of the state, of any hash or checkpoint.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::fact::{BeingId, Millis, Text};

/// An answer, and from when until when it holds while nothing else changes.
pub(super) struct KeptWorn {
    pub(super) worn: Arc<[Text]>,
    pub(super) from: Millis,
    pub(super) until: Millis,
}

/// The answers that one world has given. It is no part of the state: whatever changes the world empties it, and a copy begins without.
#[derive(Default)]
pub(super) struct WornMemo(Mutex<BTreeMap<BeingId, KeptWorn>>);

impl WornMemo {
    /// The answer of a being, if it holds at an instant.
    pub(super) fn get(&self, being: BeingId, at: Millis) -> Option<Arc<[Text]>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&being).filter(|kept| (kept.from..kept.until).contains(&at)).map(|kept| kept.worn.clone())
    }

    /// Keeps an answer.
    pub(super) fn keep(&self, being: BeingId, kept: KeptWorn) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(being, kept);
    }

    /// Forgets all of it: the world is another.
    pub(super) fn forget(&mut self) {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Clone for WornMemo {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Shown nowhere: worlds are compared by what is shown of them.
impl fmt::Debug for WornMemo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WornMemo")
    }
}
