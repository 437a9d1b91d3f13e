//! The bytes of a group: records, each with its own checksum, and the commit that closes them.
//!
//! A record is `length u32 | crc u32 | kind u8 | payload`, little-endian; the length is the payload's and never 0, so zeroes mean
//! "nothing written here". The checksum covers the world's id, length, kind and payload. A group's bytes say nothing of where they
//! lie: they are the same in a segment, in memory and in an export, and the commit's hash chain gives each its place.
//!
//! ```text
//! frame   being.seq varint | being.index varint | n varint | canonical bytes
//! blob    hash 32 | bytes
//! commit  number u64 | end_seq u64 | frames u32 | blobs u32 | length u64 | group 32 | previous 32 | head 32 | seal 64 | acked u64
//! ```
//!
//! `group` is the BLAKE3 hash of the group's bytes before the commit, `previous` that of the commit before. `acked` is the number
//! of the last commit that was durable before this one was written: it alone tells a torn write of several groups from damage. It
//! says how a history was written, not what it is, so a commit's hash leaves it out.

use crate::fact::{BeingId, ForkOrigin, Hash, Lineage, N, Seq, WorldId};

use super::error::StoreError;
use super::record::{Commit, Ending, Group, Position, Record};

/// The format that this version writes, and the newest that it reads.
pub const FORMAT: u32 = 2;

/// Length, checksum and kind, in bytes.
pub const HEAD_LEN: usize = 9;
/// A commit's payload.
pub const COMMIT_LEN: usize = 200;
/// The part of it that is hashed.
const HASHED_LEN: usize = COMMIT_LEN - 8;
/// The largest payload.
pub(super) const RECORD_MAX: usize = 1 << 30;

const FRAME: u8 = 1;
const BLOB: u8 = 2;
const COMMIT: u8 = 3;

/// The kind of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Frame,
    Blob,
    Commit,
}

/// The header of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordHead {
    pub len: usize,
    pub kind: Option<Kind>,
}

impl RecordHead {
    /// `None` if there are too few bytes.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let len = u32::from_le_bytes(array(bytes, 0)?) as usize;
        let kind = match *bytes.get(8)? {
            FRAME => Some(Kind::Frame),
            BLOB => Some(Kind::Blob),
            COMMIT => Some(Kind::Commit),
            _ => None,
        };
        Some(Self { len, kind })
    }
}

/// Where a chain of commits stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitChain {
    pub number: u64,
    pub commit: Hash,
    pub head: Hash,
    pub seq: Seq,
    /// The commit that was durable when the last one was written, as it says; 0 where nothing is known of it.
    pub acked: u64,
}

impl CommitChain {
    /// Before the first commit of a world.
    pub fn start(world: WorldId) -> Self {
        Self { number: 0, commit: Hash::of(&world.0), head: Hash::NOTHING, seq: 0, acked: 0 }
    }

    /// Where it goes on: behind the last commit of a fork's past, with the fork's own origin in place of that commit, and in another world.
    pub(super) fn crossed(self, lineage: &Lineage) -> Self {
        let is_here = |origin: &ForkOrigin| (self.number, self.commit) == (origin.number, origin.commit);
        match lineage.crossing(self.seq) {
            Some((_, hash)) if lineage.origins.iter().filter(|origin| origin.border() == self.seq).all(is_here) => {
                Self { commit: hash, ..self }
            }
            _ => self,
        }
    }

    /// The same with the last commit itself in place of the origin of a fork that has none of its own yet.
    pub(super) fn uncrossed(self, lineage: &Lineage) -> Self {
        match lineage.crossing(self.seq) {
            Some((origin, hash)) if self.commit == hash => Self { commit: origin.commit, ..self },
            _ => self,
        }
    }

    /// Whether another stands at the same place of the same history; how they were written is no part of that.
    pub(super) fn is_where(&self, other: &Self) -> bool {
        (self.number, self.commit, self.head, self.seq) == (other.number, other.commit, other.head, other.seq)
    }

    /// The ending of a history that stands so.
    pub(super) fn ending(&self, position: Position) -> Ending {
        Ending { seq: self.seq, head: self.head, commit: self.commit, number: self.number, position }
    }
}

impl Ending {
    pub(super) fn chain(&self) -> CommitChain {
        CommitChain { number: self.number, commit: self.commit, head: self.head, seq: self.seq, acked: 0 }
    }
}

/// A commit's payload, read.
#[derive(Clone, Debug)]
pub(super) struct CommitRecord {
    pub commit: Commit,
    pub acked: u64,
    pub length: u64,
    pub group: Hash,
    pub previous: Hash,
}

impl CommitRecord {
    pub(super) fn read(payload: &[u8]) -> Option<Self> {
        if payload.len() != COMMIT_LEN {
            return None;
        }
        let u64_at = |at| array(payload, at).map(u64::from_le_bytes);
        let u32_at = |at| array(payload, at).map(u32::from_le_bytes);
        let hash_at = |at| array(payload, at).map(Hash);
        let commit = Commit {
            number: u64_at(0)?,
            end_seq: u64_at(8)?,
            frames: u32_at(16)?,
            blobs: u32_at(20)?,
            head: hash_at(96)?,
            seal: array(payload, 128)?,
            hash: Hash::of(payload.get(..HASHED_LEN)?),
        };
        Some(Self { commit, acked: u64_at(HASHED_LEN)?, length: u64_at(24)?, group: hash_at(32)?, previous: hash_at(64)? })
    }

    /// The chain after this commit.
    pub(super) fn chain(&self) -> CommitChain {
        let commit = &self.commit;
        CommitChain { number: commit.number, commit: commit.hash, head: commit.head, seq: commit.end_seq, acked: self.acked }
    }
}

/// The checksums of one world's records.
#[derive(Clone, Copy, Debug)]
pub struct Checksum(u32);

impl Checksum {
    pub fn of(world: WorldId) -> Self {
        Self(crc32fast::hash(&world.0))
    }

    pub fn crc(self, len: [u8; 4], kind: u8, payload: &[u8]) -> u32 {
        let mut crc = crc32fast::Hasher::new_with_initial(self.0);
        let [a, b, c, d] = len;
        crc.update(&[a, b, c, d, kind]);
        crc.update(payload);
        crc.finalize()
    }

    /// Whether a whole record, head and payload, is as it was written.
    pub(super) fn holds(self, record: &[u8]) -> bool {
        let check = || {
            let (len, crc, kind) = (array(record, 0)?, array(record, 4)?, *record.get(8)?);
            let payload = record.get(HEAD_LEN..)?;
            Some(u32::from_le_bytes(len) as usize == payload.len() && self.crc(len, kind, payload) == u32::from_le_bytes(crc))
        };
        check() == Some(true)
    }

    /// The commit at the beginning of these bytes, if one is there and checks by itself.
    pub(super) fn commit(self, bytes: &[u8]) -> Option<CommitRecord> {
        // The length first: a scan for commits asks at every byte.
        if bytes.get(..4)? != (COMMIT_LEN as u32).to_le_bytes() || *bytes.get(8)? != COMMIT {
            return None;
        }
        let record = bytes.get(..HEAD_LEN + COMMIT_LEN)?;
        if !self.holds(record) {
            return None;
        }
        CommitRecord::read(record.get(HEAD_LEN..)?)
    }
}

/// Writes groups behind a chain.
#[derive(Debug)]
pub(super) struct GroupWriter {
    check: Checksum,
    /// The chain after everything encoded so far.
    pub chain: CommitChain,
    /// The number of the last commit known to be durable.
    pub acked: u64,
}

/// A record that was put, noted for the index; `at` is an offset in the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Note {
    Frame { being: BeingId, n: N, at: u64 },
    Blob { hash: Hash, at: u64 },
}

impl GroupWriter {
    pub(super) fn new(world: WorldId, chain: CommitChain) -> Self {
        Self { check: Checksum::of(world), chain, acked: chain.number }
    }

    /// Appends one group's bytes; `note` hears where in `out` each record begins.
    pub(super) fn group(&mut self, group: &Group, out: &mut Vec<u8>, mut note: impl FnMut(Note)) {
        let start = out.len();
        let (mut frames, mut blobs) = (0u32, 0u32);
        for record in &group.records {
            let at = out.len() as u64;
            match record {
                Record::Frame { being, n, bytes, .. } => {
                    frames += 1;
                    note(Note::Frame { being: *being, n: *n, at });
                    self.record(out, FRAME, |out| {
                        put_varint(out, being.0.seq);
                        put_varint(out, u64::from(being.0.index));
                        put_varint(out, *n);
                        out.extend_from_slice(bytes);
                    });
                }
                Record::Blob { hash, bytes } => {
                    blobs += 1;
                    note(Note::Blob { hash: *hash, at });
                    self.record(out, BLOB, |out| {
                        out.extend_from_slice(&hash.0);
                        out.extend_from_slice(bytes);
                    });
                }
            }
        }
        self.commit(group, start, (frames, blobs), out);
    }

    fn commit(&mut self, group: &Group, start: usize, (frames, blobs): (u32, u32), out: &mut Vec<u8>) {
        let bytes = out.get(start..).unwrap_or_default();
        let (length, hash) = (bytes.len() as u64, Hash::of(bytes));
        let (number, end_seq) = (self.chain.number + 1, self.chain.seq + u64::from(frames));
        let mut payload = Vec::with_capacity(COMMIT_LEN);
        for field in [number, end_seq] {
            payload.extend_from_slice(&field.to_le_bytes());
        }
        payload.extend_from_slice(&frames.to_le_bytes());
        payload.extend_from_slice(&blobs.to_le_bytes());
        payload.extend_from_slice(&length.to_le_bytes());
        for field in [&hash, &self.chain.commit, &group.head] {
            payload.extend_from_slice(&field.0);
        }
        payload.extend_from_slice(&group.seal);
        self.chain = CommitChain { number, commit: Hash::of(&payload), head: group.head, seq: end_seq, acked: self.acked };
        payload.extend_from_slice(&self.acked.to_le_bytes());
        self.record(out, COMMIT, |out| out.extend_from_slice(&payload));
    }

    fn record(&self, out: &mut Vec<u8>, kind: u8, payload: impl FnOnce(&mut Vec<u8>)) {
        let start = out.len();
        out.extend_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0, kind]);
        payload(out);
        // The sizes were checked before: a payload fits in 32 bits.
        let len = ((out.len() - start - HEAD_LEN) as u32).to_le_bytes();
        let crc = self.check.crc(len, kind, out.get(start + HEAD_LEN..).unwrap_or_default()).to_le_bytes();
        for (to, from) in out.iter_mut().skip(start).zip(len.into_iter().chain(crc)) {
            *to = from;
        }
    }
}

/// Checks what a store is asked to append, before anything is written.
///
/// In order: the seq is the next free one, the frames' seqs follow it one by one, every record fits, every blob has its hash.
pub(super) fn check_groups(next: Seq, expected: Seq, groups: &[Group]) -> Result<(), StoreError> {
    if next != expected {
        return Err(StoreError::WrongSeq { expected: next, found: expected });
    }
    let mut next = next;
    for record in groups.iter().flat_map(|group| &group.records) {
        let bytes = match record {
            Record::Frame { seq, .. } if *seq != next => return Err(StoreError::WrongSeq { expected: next, found: *seq }),
            Record::Frame { bytes, .. } => {
                next += 1;
                bytes
            }
            Record::Blob { bytes, .. } => bytes,
        };
        if bytes.len() > RECORD_MAX - 64 {
            return Err(StoreError::TooLarge { found: bytes.len(), most: RECORD_MAX - 64 });
        }
        if let Record::Blob { hash, bytes } = record
            && Hash::of(bytes) != *hash
        {
            return Err(StoreError::WrongBlob { named: *hash });
        }
    }
    let has_frame = |group: &Group| group.records.iter().any(|record| matches!(record, Record::Frame { .. }));
    if groups.iter().all(has_frame) { Ok(()) } else { Err(StoreError::EmptyGroup) }
}

/// A frame's payload: being, n and the frame's own bytes.
pub(super) fn frame_payload(payload: &[u8]) -> Option<(BeingId, N, &[u8])> {
    let (seq, rest) = take_varint(payload)?;
    let (index, rest) = take_varint(rest)?;
    let (n, rest) = take_varint(rest)?;
    Some((BeingId::new(seq, u32::try_from(index).ok()?), n, rest))
}

/// A blob's payload: hash and bytes.
pub(super) fn blob_payload(payload: &[u8]) -> Option<(Hash, &[u8])> {
    Some((Hash(array(payload, 0)?), payload.get(32..)?))
}

/// Seven bits a byte, lowest first.
pub(super) fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// The number at the front, in its shortest form, and what stands behind it.
pub(super) fn take_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut n = 0u64;
    for (index, &byte) in bytes.iter().enumerate().take(10) {
        let bits = u64::from(byte & 0x7f);
        n |= bits.checked_shl(7 * index as u32).filter(|shifted| shifted >> (7 * index) == bits)?;
        if byte < 0x80 {
            // A last byte of nothing: there is a shorter form.
            return if byte == 0 && index > 0 { None } else { Some((n, bytes.get(index + 1..)?)) };
        }
    }
    None
}

/// The `N` bytes at a place.
pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}
