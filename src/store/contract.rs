//! Contract: the trait of every store: groups are whole and durable, and are read back in order and checked.
//!
//! The segment log and the memory store keep it, and an export file for reading. Nothing here says how.

use std::sync::Arc;

use crate::fact::{BeingId, Hash, N, Seq};

use super::beginning::Beginning;
use super::error::StoreError;
use super::record::{Ending, Group, Record, Stored};
use super::world_file::WorldFile;

/// A stream of what was kept, in commit order; it ends after the first error, except where damage is inspected.
pub type Entries<'a> = Box<dyn Iterator<Item = Result<Stored, StoreError>> + Send + 'a>;

/// One world's records in their one order.
pub trait Store: Send {
    /// Where the history ends.
    fn ending(&self) -> &Ending;

    /// The checkpoint with which the history begins here, where what lies before it was archived: of that nothing can be read.
    fn beginning(&self) -> Option<&Beginning> {
        None
    }

    /// The first seq that can be read.
    fn begins(&self) -> Seq {
        self.beginning().map_or(0, Beginning::seq)
    }

    /// The content of `world.toml`, where there is one; the history must say the same.
    fn said(&self) -> Option<&WorldFile> {
        None
    }

    /// Appends groups behind `expected_seq`; all of them are durable on return.
    ///
    /// Refused, with nothing written, if the store is dead or only reads, if `expected_seq` is not the next free seq, if the frames' seqs do not
    /// follow it one by one, or if a blob's hash is not that of its bytes. A crash inside the call keeps some of the first
    /// groups, each whole. After a failed write or sync the store is dead: it must be opened again.
    fn append(&mut self, expected_seq: Seq, groups: &[Group]) -> Result<(), StoreError>;

    /// Everything from the group that holds frame `from`, in commit order; each group is checked before any of it is given.
    fn read(&self, from: Seq) -> Result<Entries<'_>, StoreError>;

    /// Everything behind a border between two groups that this history is known to have had; an error where it has not.
    fn read_behind(&self, border: &Ending) -> Result<Entries<'_>, StoreError> {
        self.read(border.seq)
    }

    /// One frame.
    fn frame(&self, seq: Seq) -> Result<Option<Record>, StoreError>;

    /// The seqs of a being's frames, from its `from_n`th on, in order; those that were archived are left out.
    fn reel(&self, being: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError>;

    /// The bytes of that hash, if they are kept.
    fn blob(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError>;
}

/// A frame, by reading on until it comes.
pub(super) fn scan_frame(entries: Entries<'_>, wanted: Seq) -> Result<Option<Record>, StoreError> {
    for entry in entries {
        match entry? {
            Stored::Frame { seq, being, n, bytes, .. } if seq == wanted => return Ok(Some(Record::Frame { seq, being, n, bytes })),
            Stored::Frame { seq, .. } if seq > wanted => return Ok(None),
            _ => {}
        }
    }
    Ok(None)
}

/// A reel, by reading everything.
pub(super) fn scan_reel(entries: Entries<'_>, of: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError> {
    let mut reel = Vec::new();
    for entry in entries {
        match entry? {
            Stored::Frame { seq, being, n, .. } if being == of && n >= from_n => reel.push(seq),
            _ => {}
        }
    }
    Ok(reel)
}

/// A blob, by reading on until it comes.
pub(super) fn scan_blob(entries: Entries<'_>, wanted: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
    for entry in entries {
        match entry? {
            Stored::Blob { hash, bytes, .. } if hash == *wanted => return Ok(Some(bytes)),
            _ => {}
        }
    }
    Ok(None)
}
