//! Desk: what is kept of one connection of a client: how it is told of changes, and of what.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use rmcp::{Peer, RoleServer};
use tokio::sync::watch;

/// How many addresses one client keeps an eye on at one time.
pub(super) const ADDRESSES_MAX: usize = 64;

/// What is kept of one connection.
#[derive(Default)]
pub(super) struct Desk {
    /// Under what its requests are numbered; nothing else has the same.
    pub(super) scope: OnceLock<String>,
    /// How its client is told of changes.
    pub(super) peer: OnceLock<Peer<RoleServer>>,
    /// On which addresses it keeps an eye.
    eyed: watch::Sender<BTreeSet<String>>,
    /// By what it is known which tools it was told of last.
    tools: Mutex<Option<String>>,
    /// The hashes of the things that its client saw last, by address.
    seen: Mutex<BTreeMap<String, String>>,
}

impl Desk {
    /// Keeps an eye on an address; whether there was room for one more.
    pub(super) fn eye(&self, address: String) -> bool {
        self.eyed.send_if_modified(|eyed| eyed.len() < ADDRESSES_MAX && eyed.insert(address.clone()));
        self.eyed.borrow().contains(&address)
    }

    /// Keeps no eye on it any more.
    pub(super) fn leave(&self, address: &str) {
        self.eyed.send_if_modified(|eyed| eyed.remove(address));
    }

    /// On which it does, and when that changes.
    pub(super) fn eyed(&self) -> watch::Receiver<BTreeSet<String>> {
        self.eyed.subscribe()
    }

    /// Notes what the client has seen at an address; of too many the first is forgotten.
    pub(super) fn saw(&self, address: &str, hash: &str) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= ADDRESSES_MAX && !seen.contains_key(address) {
            seen.pop_first();
        }
        seen.insert(address.to_owned(), hash.to_owned());
    }

    /// The hash of the last look there.
    pub(super) fn last_seen(&self, address: &str) -> Option<String> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(address).cloned()
    }

    /// Says of which tools the client is told; whether it was told of others before.
    pub(super) fn told_tools(&self, hash: &str) -> bool {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        tools.replace(hash.to_owned()).is_some_and(|before| before != hash)
    }
}
