//! Record: the blobs and frames that a store keeps in groups, and the names of places among them.
//!
//! The bytes of a frame are opaque here, and so are the head and the seal over it: the store neither computes nor checks them.

use std::sync::Arc;

use crate::fact::{BeingId, Hash, N, Seq};

/// One kept thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// Bytes named by their hash, written before the first frame that names them.
    Blob {
        /// The hash of the bytes.
        hash: Hash,
        /// The bytes.
        bytes: Arc<[u8]>,
    },
    /// One frame.
    Frame {
        /// Its place in the world's order.
        seq: Seq,
        /// The being whose reel it is on.
        being: BeingId,
        /// Its place on that reel.
        n: N,
        /// Its canonical bytes, signature included.
        bytes: Arc<[u8]>,
    },
}

/// One atomic commit: after a crash it is there as a whole, or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its records, in order.
    pub records: Vec<Record>,
    /// The head over all frames up to the end of this group.
    pub head: Hash,
    /// The signature of `@world` over the head.
    pub seal: [u8; 64],
}

/// A border between two groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The segment, by its first seq.
    pub segment: u64,
    /// The byte in its file.
    pub offset: u64,
}

/// Where one record lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    /// The file's name, for people: a segment, an export, or `memory`.
    pub file: Arc<str>,
    /// The byte in it at which the record begins.
    pub offset: u64,
}

/// Where a store's history ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The next free seq.
    pub seq: Seq,
    /// The head over all frames; nothing in an empty store.
    pub head: Hash,
    /// The hash of the last commit; that of the world's id in an empty store.
    pub commit: Hash,
    /// How many commits there are.
    pub number: u64,
    /// Where the next group goes.
    pub position: Position,
}

/// The record that closes a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// How many frames the group holds.
    pub frames: u32,
    /// How many blobs it holds.
    pub blobs: u32,
    /// The head over all frames, as the caller gave it.
    pub head: Hash,
    /// The seal over it, as the caller gave it.
    pub seal: [u8; 64],
    /// The next free seq after the group.
    pub end_seq: Seq,
    /// How many commits there are, this one included.
    pub number: u64,
    /// The hash of this commit, over the group's bytes and the hash of the commit before.
    pub hash: Hash,
}

/// An item that a store gives back when it is read, in commit order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// A blob.
    Blob {
        /// The hash of the bytes.
        hash: Hash,
        /// The bytes.
        bytes: Arc<[u8]>,
        /// Where it lies.
        at: RecordPlace,
    },
    /// A frame.
    Frame {
        /// Its place in the world's order.
        seq: Seq,
        /// The being whose reel it is on.
        being: BeingId,
        /// Its place on that reel.
        n: N,
        /// Its canonical bytes.
        bytes: Arc<[u8]>,
        /// Where it lies.
        at: RecordPlace,
    },
    /// The end of a group.
    Commit {
        /// What closes it.
        commit: Commit,
        /// Where it lies.
        at: RecordPlace,
    },
}
