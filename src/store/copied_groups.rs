//! Copied groups: the groups of a history in the bytes that an export gives them, which are the same whoever writes them.

use std::sync::Arc;

use crate::fact::{Hash, Lineage, Seq};

use super::contract::{Entries, Store};
use super::error::StoreError;
use super::layout::{CommitChain, GroupWriter};
use super::record::{Commit, Ending, Group, Record, Stored};

/// One group, as an export or a copy keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiedGroup {
    /// The number of its commit.
    pub number: u64,
    /// The hash of its commit.
    pub commit: Hash,
    /// The next free seq behind it.
    pub end_seq: Seq,
    /// Its records and its commit.
    pub bytes: Arc<[u8]>,
}

/// Gives the groups of a history their bytes, from a place on.
pub(super) struct Copying {
    lineage: Arc<Lineage>,
    writer: GroupWriter,
    bytes: Vec<u8>,
}

impl Copying {
    /// Behind the end of a history; behind none from its beginning.
    pub(super) fn behind(lineage: Arc<Lineage>, ending: &Ending) -> Self {
        let chain = if ending.number == 0 { CommitChain::start(lineage.nth(0).world) } else { ending.chain() };
        let writer = GroupWriter::new(lineage.writer(chain.seq).world, chain);
        Self { lineage, writer, bytes: Vec::new() }
    }

    /// The next group.
    pub(super) fn group(&mut self, group: &Group) -> CopiedGroup {
        let chain = self.writer.chain;
        if self.lineage.crossing(chain.seq).is_some() {
            self.writer = GroupWriter::new(self.lineage.writer(chain.seq).world, chain.crossed(&self.lineage));
        }
        // Each is written as if the one before it had been durable.
        self.writer.acked = self.writer.chain.number;
        self.bytes.clear();
        self.writer.group(group, &mut self.bytes, |_| ());
        let CommitChain { number, commit, seq, .. } = self.writer.chain;
        CopiedGroup { number, commit, end_seq: seq, bytes: self.bytes.as_slice().into() }
    }
}

/// Calls with each group of a store behind a border that it has; behind none with all of them.
pub fn each_copied(
    store: &dyn Store,
    lineage: Arc<Lineage>,
    behind: &Ending,
    mut each: impl FnMut(CopiedGroup) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut copying = Copying::behind(lineage, behind);
    for_each_group(store.read(behind.seq)?, |group, _| each(copying.group(&group)))
}

/// Calls with each group and its size in bytes.
pub(super) fn for_each_group(entries: Entries<'_>, mut each: impl FnMut(Group, usize) -> Result<(), StoreError>) -> Result<(), StoreError> {
    let (mut records, mut size) = (Vec::new(), 0);
    for entry in entries {
        match entry? {
            Stored::Frame { seq, being, n, bytes, .. } => {
                size += bytes.len();
                records.push(Record::Frame { seq, being, n, bytes });
            }
            Stored::Blob { hash, bytes, .. } => {
                size += bytes.len();
                records.push(Record::Blob { hash, bytes });
            }
            Stored::Commit { commit: Commit { head, seal, .. }, .. } => {
                each(Group { records: std::mem::take(&mut records), head, seal }, std::mem::take(&mut size))?;
            }
        }
    }
    Ok(())
}
