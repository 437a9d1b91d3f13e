//! Replica status: how far a copy of the log is behind, who owns the world, and which servers answer, for whoever looks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::StoreError;

/// A server of the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaServer {
    /// Its address, without a secret.
    pub address: String,
    /// Whether it answered when it was asked last.
    pub answers: bool,
}

/// The state of a copy, as of now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplicaState {
    /// The epoch in which this process owns the world.
    pub epoch: u64,
    /// The number of the last commit of the log.
    pub log: u64,
    /// The number of the last commit of the copy.
    pub copy: u64,
    /// Why nothing goes on: the copy cannot be reached, in a sentence.
    pub waits: Option<String>,
    /// The newest fault of the copy, in a sentence.
    pub fault: Option<String>,
    /// The owner in place of this process, and since which epoch.
    pub fenced: Option<(String, u64)>,
    /// Its servers.
    pub servers: Vec<ReplicaServer>,
    /// Whether this process is about to leave: it waits for nobody any more.
    leaves: bool,
}

impl ReplicaState {
    /// How many groups the copy is behind.
    pub fn behind(&self) -> u64 {
        self.log.saturating_sub(self.copy)
    }
}

/// The state of a copy, shared by those who write and those who look.
#[derive(Debug, Default)]
pub struct ReplicaStatus(Mutex<ReplicaState>);

impl ReplicaStatus {
    fn held(&self) -> MutexGuard<'_, ReplicaState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// As it is now.
    pub fn now(&self) -> ReplicaState {
        self.held().clone()
    }

    /// This process owns the world, in an epoch.
    pub fn owns(&self, epoch: u64) {
        self.held().epoch = epoch;
    }

    /// Another owns the world.
    pub fn fenced(&self, who: &str, epoch: u64) {
        self.held().fenced = Some((who.to_owned(), epoch));
    }

    /// The error of whoever writes where another owns the world.
    pub fn fence(&self) -> Option<StoreError> {
        self.held().fenced.clone().map(|(who, epoch)| StoreError::Fenced { who, epoch })
    }

    /// The log and the copy end with these commits.
    pub fn ends_with(&self, log: u64, copy: u64) {
        let mut state = self.held();
        (state.log, state.copy) = (log, copy);
    }

    /// The log ends with this commit.
    pub fn log_ends_with(&self, log: u64) {
        self.held().log = log;
    }

    /// The copy ends with this commit.
    pub fn copy_ends_with(&self, copy: u64) {
        let mut state = self.held();
        (state.copy, state.fault) = (copy, None);
    }

    /// Whether the copy has all that the log has.
    pub fn is_level(&self) -> bool {
        self.held().behind() == 0
    }

    /// The copy cannot be reached, or can be again.
    pub fn waits(&self, why: Option<String>) {
        self.held().waits = why;
    }

    /// Something of the copy has failed.
    pub fn failed(&self, why: String) {
        self.held().fault = Some(why);
    }

    /// Its servers, as they were asked last.
    pub fn heard(&self, servers: Vec<ReplicaServer>) {
        self.held().servers = servers;
    }

    /// This process ends: nothing is waited for any more.
    pub fn leaves(&self) {
        self.held().leaves = true;
    }

    /// Whether it does.
    pub fn is_leaving(&self) -> bool {
        self.held().leaves
    }
}
