//! Desk: the state of one client connection: the addresses it subscribes to, and how it is told that they change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use rmcp::{Peer, RoleServer};
use tokio::sync::watch;

/// How many addresses one client subscribes to at most.
pub(super) const ADDRESSES_MAX: usize = 64;

/// The state of one client connection.
#[derive(Default)]
pub(super) struct Desk {
    /// The id under which its requests are numbered; no other connection has it.
    pub(super) scope: OnceLock<String>,
    /// How its client is told of changes.
    pub(super) peer: OnceLock<Peer<RoleServer>>,
    /// The addresses that it subscribes to.
    eyed: watch::Sender<BTreeSet<String>>,
    /// The hash of the tools that it was told of last.
    tools: Mutex<Option<String>>,
    /// The hashes of the things that its client saw last, by address.
    seen: Mutex<BTreeMap<String, String>>,
}

impl Desk {
    /// Subscribes to an address; returns whether there was room for one more.
    pub(super) fn eye(&self, address: String) -> bool {
        self.eyed.send_if_modified(|eyed| eyed.len() < ADDRESSES_MAX && eyed.insert(address.clone()));
        self.eyed.borrow().contains(&address)
    }

    /// Unsubscribes from it.
    pub(super) fn leave(&self, address: &str) {
        self.eyed.send_if_modified(|eyed| eyed.remove(address));
    }

    /// The subscribed addresses, as a channel that tells when they change.
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

    /// Notes the tools that the client is told of; returns whether it was told of others before.
    pub(super) fn told_tools(&self, hash: &str) -> bool {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        tools.replace(hash.to_owned()).is_some_and(|before| before != hash)
    }
}
