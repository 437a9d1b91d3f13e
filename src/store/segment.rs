//! A segment file: its name, plain or compressed, and the header that ties it to the segment before.
//!
//! ```text
//! magic 8 | format u32 | world 16 | first seq u64 | commits before u64 | hash of the last of them 32 | head after it 32 | crc u32
//! ```
//!
//! These 112 bytes keep their meaning in every format, and stand in a compressed segment as they stood in the plain one. Groups follow; behind
//! the last one the file holds zeroes, or ends. Where a segment is there in both forms, the plain one is it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::{Hash, WorldId};

use super::disk::{Disk, DiskFile, read_full};
use super::error::StoreError;
use super::layout::{COMMIT_LEN, CommitChain, FORMAT, HEAD_LEN, array};
use super::record::{Position, RecordPlace};

/// How large a segment grows: a new one begins when a group would not fit in so many bytes.
pub(super) const SEGMENT_BYTES: u64 = 64 << 20;
pub const HEADER_LEN: usize = 112;
const MAGIC: &[u8; 8] = b"reelmlog";

/// One file of the log.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub first: u64,
    pub path: PathBuf,
    pub form: SegmentForm,
    /// Where the chain stands before its first group; nothing where the header is damaged and that is being inspected.
    pub chain: Option<CommitChain>,
}

/// How a segment's file is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SegmentForm {
    Plain,
    Compressed,
}

impl SegmentForm {
    pub(super) const ALL: [Self; 2] = [Self::Plain, Self::Compressed];

    fn ending(self) -> &'static str {
        match self {
            Self::Plain => ".seg",
            Self::Compressed => ".segz",
        }
    }
}

/// The file of the segment that begins with a seq.
pub(super) fn path(log: &Path, first: u64, form: SegmentForm) -> PathBuf {
    log.join(file_name(first, form))
}

fn file_name(first: u64, form: SegmentForm) -> String {
    format!("{first:016x}{}", form.ending())
}

/// Where a compressed segment is written before it has its place.
pub(super) fn beside(place: &Path) -> PathBuf {
    place.with_extension("segz.new")
}

/// Where the second part of a segment that is cut in two is written before it has its place.
pub(super) fn cut_off(log: &Path, first: u64) -> PathBuf {
    path(log, first, SegmentForm::Plain).with_extension("seg.new")
}

/// Opens a segment for reading, in the form in which it is there; it may be compressed while we look, or wait beside its place.
pub(super) fn open(disk: &dyn Disk, log: &Path, first: u64) -> Result<(Segment, Arc<dyn DiskFile>), StoreError> {
    let [plain, compressed] = SegmentForm::ALL.map(|form| path(log, first, form));
    let waiting = cut_off(log, first);
    let places =
        [(&plain, &plain, SegmentForm::Plain), (&compressed, &compressed, SegmentForm::Compressed), (&waiting, &plain, SegmentForm::Plain)];
    let mut missing = None;
    for (lies, path, form) in places {
        match disk.open(lies, false) {
            Ok(file) => return Ok((Segment { first, path: path.clone(), form, chain: None }, file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing = missing.or(Some(error)),
            Err(error) => return Err(StoreError::io("read", lies, error)),
        }
    }
    Err(StoreError::io("read", &plain, missing.unwrap_or_else(|| io::ErrorKind::NotFound.into())))
}

/// The segments' first seqs, ascending.
pub(super) fn list(disk: &dyn Disk, log: &Path) -> Result<Vec<u64>, StoreError> {
    let mut firsts: Vec<u64> = names(disk, log)?.iter().filter_map(|name| first(name)).collect();
    firsts.sort_unstable();
    firsts.dedup();
    Ok(firsts)
}

/// A name in the folder of a log that no segment has, nor one that is being written.
pub(super) fn strange(disk: &dyn Disk, log: &Path) -> Result<Option<String>, StoreError> {
    Ok(names(disk, log)?.into_iter().find(|name| first(name).is_none() && !name.ends_with(".new")))
}

/// The first seqs of the segments of a log that begins with a seq, ascending. The first one may wait beside its place.
pub(super) fn list_from(disk: &dyn Disk, log: &Path, begins: u64) -> Result<Vec<u64>, StoreError> {
    let mut firsts = list(disk, log)?;
    firsts.retain(|first| *first >= begins);
    if firsts.first() != Some(&begins) && disk.open(&cut_off(log, begins), false).is_ok() {
        firsts.insert(0, begins);
    }
    Ok(firsts)
}

/// Gives the first segment of a log that begins with a seq its place, where it waits beside it; it is durable already.
pub(super) fn settle(disk: &dyn Disk, log: &Path, begins: u64) -> Result<(), StoreError> {
    let (waits, place) = (cut_off(log, begins), path(log, begins, SegmentForm::Plain));
    if list(disk, log)?.contains(&begins) || disk.open(&waits, false).is_err() {
        return Ok(());
    }
    let settled = disk.rename(&waits, &place).and_then(|()| disk.sync_dir(log));
    settled.map_err(|error| StoreError::io("write", &place, error))
}

/// The first seqs of those that are there as plain files, ascending.
pub(super) fn plain(disk: &dyn Disk, log: &Path) -> Result<Vec<u64>, StoreError> {
    let is_plain = |name: &String| name.ends_with(SegmentForm::Plain.ending());
    Ok(names(disk, log)?.into_iter().filter(is_plain).filter_map(|name| first(&name)).collect())
}

/// Takes away what was left while a segment was compressed or cut in two; each is there as a plain file.
pub(super) fn tidy(disk: &dyn Disk, log: &Path) -> Result<(), StoreError> {
    let is_left = |name: &&String| name.strip_suffix(".new").and_then(first).is_some();
    for path in names(disk, log)?.iter().filter(is_left).map(|name| log.join(name)) {
        disk.remove(&path).map_err(|error| StoreError::io("remove", &path, error))?;
    }
    Ok(())
}

fn names(disk: &dyn Disk, log: &Path) -> Result<Vec<String>, StoreError> {
    disk.names(log).map_err(|error| match error.kind() {
        // A world is never without its log, not even one that is being planted: somebody took it away.
        io::ErrorKind::NotFound => StoreError::damaged(log, 0, "the folder of the log is missing"),
        _ => StoreError::io("read", log, error),
    })
}

/// The first seq that a file's name says, if it is a segment's.
pub(super) fn first(name: &str) -> Option<u64> {
    let first = u64::from_str_radix(name.split_once('.')?.0, 16).ok()?;
    // One file has one name in each form: neither capitals nor a sign, and sixteen digits.
    SegmentForm::ALL.iter().any(|form| file_name(first, *form) == name).then_some(first)
}

impl Position {
    /// Whether nothing stands before it in its segment.
    pub fn begins_segment(&self) -> bool {
        self.offset == HEADER_LEN as u64
    }
}

impl RecordPlace {
    /// The place behind it, where it is a commit in a segment.
    pub fn behind_commit(&self) -> Option<Position> {
        Some(Position { segment: first(&self.file)?, offset: self.offset + (HEAD_LEN + COMMIT_LEN) as u64 })
    }
}

/// Makes the segment that begins where a chain stands, durable with its header.
pub(super) fn create(disk: &dyn Disk, log: &Path, world: WorldId, chain: CommitChain) -> Result<(Segment, Arc<dyn DiskFile>), StoreError> {
    let path = path(log, chain.seq, SegmentForm::Plain);
    let made = || {
        let file = disk.create(&path)?;
        file.write_at(0, &header(world, &chain))?;
        file.sync()?;
        disk.sync_dir(log)?;
        Ok(file)
    };
    let file = made().map_err(|error| StoreError::io("create", &path, error))?;
    Ok((Segment { first: chain.seq, path, form: SegmentForm::Plain, chain: Some(chain) }, file))
}

/// A header's bytes.
pub fn header(world: WorldId, chain: &CommitChain) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER_LEN);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&FORMAT.to_le_bytes());
    bytes.extend_from_slice(&world.0);
    bytes.extend_from_slice(&chain.seq.to_le_bytes());
    bytes.extend_from_slice(&chain.number.to_le_bytes());
    bytes.extend_from_slice(&chain.commit.0);
    bytes.extend_from_slice(&chain.head.0);
    bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The start of a segment file, as read.
pub(super) enum Found {
    Header(CommitChain),
    /// Not a header that was ever written whole.
    Bad(&'static str),
}

/// Reads the header of the segment that begins with `first`.
pub(super) fn read_header(file: &dyn DiskFile, path: &Path, world: WorldId, first: u64) -> Result<Found, StoreError> {
    let mut bytes = [0; HEADER_LEN];
    let filled = read_full(file, 0, &mut bytes).map_err(|error| StoreError::io("read", path, error))?;
    Ok(match parse(bytes.get(..filled).unwrap_or_default(), path, world)? {
        Found::Header(chain) if chain.seq != first => Found::Bad("the file does not bear the name of its first seq"),
        Found::Header(chain) if first == 0 && !chain.is_where(&CommitChain::start(world)) => {
            Found::Bad("the first segment does not begin where a world does")
        }
        found => found,
    })
}

/// Reads a header's bytes.
///
/// In order: it is whole and begins as a header, its checksum holds, its format is known, its world is ours.
pub(super) fn parse(bytes: &[u8], path: &Path, world: WorldId) -> Result<Found, StoreError> {
    if bytes.len() != HEADER_LEN || !bytes.starts_with(MAGIC) {
        return Ok(Found::Bad("the file does not begin as a segment"));
    }
    if array(bytes, HEADER_LEN - 4) != bytes.get(..HEADER_LEN - 4).map(|bytes| crc32fast::hash(bytes).to_le_bytes()) {
        return Ok(Found::Bad("the header does not check"));
    }
    let format = array(bytes, 8).map_or(0, u32::from_le_bytes);
    if format > FORMAT {
        return Err(StoreError::NewerFormat { file: path.to_owned(), found: format, known: FORMAT });
    }
    if format < FORMAT {
        return Err(StoreError::FormerFormat { file: path.to_owned(), found: format, known: FORMAT });
    }
    if array(bytes, 12) != Some(world.0) {
        return Ok(Found::Bad("it belongs to another world"));
    }
    Ok(chain(bytes).map_or(Found::Bad("the header does not check"), Found::Header))
}

fn chain(bytes: &[u8]) -> Option<CommitChain> {
    Some(CommitChain {
        seq: u64::from_le_bytes(array(bytes, 28)?),
        number: u64::from_le_bytes(array(bytes, 36)?),
        commit: Hash(array(bytes, 44)?),
        head: Hash(array(bytes, 76)?),
        acked: 0,
    })
}
