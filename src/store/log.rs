//! The store of served worlds: a log of segment files, the only truth, and an index that can be rebuilt from it.
//!
//! A group is acknowledged after one write and one sync. Reading, recovery and the index are modules of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::{BeingId, Hash, N, Seq};

use super::ahead;
use super::beginning::Beginning;
use super::clean;
use super::clock;
use super::compress::ClosedSegment;
use super::compressor::Compressor;
use super::contract::{Entries, Store, scan_blob, scan_frame, scan_reel};
use super::disk::{Disk, DiskFile, PlainDisk, read_all};
use super::error::{Lost, StoreError};
use super::index::{GroupNotes, Index, IndexReport};
use super::known::Known;
use super::layout::{CommitChain, GroupWriter, Note, check_groups};
use super::lock::Lock;
use super::mode::{Mode, Options};
use super::record::{Ending, Group, Position, Record};
use super::recover::{HistoryFiles, Recovery};
use super::replace::sync_above;
use super::segment::{self, HEADER_LEN};
use super::world_file::WorldFile;

/// The most that a record takes beside its bytes.
const RECORD_COST: u64 = 64;

/// A world's log in a directory.
pub struct LogStore {
    pub(super) log: HistoryFiles,
    world: WorldFile,
    options: Options,
    /// Only in [`Mode::Write`].
    tail: Option<Tail>,
    index: Option<Index>,
    /// Only beside an index.
    known: Option<Known>,
    /// Only once a segment is closed that is not compressed yet.
    compressor: Option<Compressor>,
    lost: Option<Lost>,
    _lock: Option<Lock>,
}

/// The writing end.
struct Tail {
    file: Arc<dyn DiskFile>,
    path: PathBuf,
    /// Up to here the file holds zeroes at least.
    filled: u64,
    writer: GroupWriter,
    buffer: Vec<u8>,
    notes: Vec<GroupNotes>,
    dead: bool,
}

impl LogStore {
    /// Makes a new world in a directory that is absent or empty, and opens it for writing.
    pub fn create(dir: &Path, world: &WorldFile) -> Result<Self, StoreError> {
        Self::create_with(dir, world, Options::default())
    }

    /// The same, with options.
    pub fn create_with(dir: &Path, world: &WorldFile, options: Options) -> Result<Self, StoreError> {
        let mut store = Self::begin(dir, world, options)?;
        store.world.write(&*store.options.disk, dir)?;
        let mut recovery = Recovery::default();
        store.open_index(&mut recovery);
        Ok(store)
    }

    /// Refuses a directory in which no world can begin: one with anything in it that is not of a world half made. Nothing is changed.
    pub fn may_begin(dir: &Path) -> Result<(), StoreError> {
        if dir.exists() { half_begun(&PlainDisk, dir).map(drop) } else { Ok(()) }
    }

    /// A log without a `world.toml`: no world as long as it is not finished.
    pub(super) fn begin(dir: &Path, world: &WorldFile, options: Options) -> Result<Self, StoreError> {
        let disk = &*options.disk;
        let log = dir.join("log");
        disk.create_dir(&log).map_err(|error| StoreError::io("create", &log, error))?;
        let lock = if disk.is_plain() { Some(Lock::take(dir)?) } else { None };
        clear(disk, dir)?;
        let first = world.first();
        segment::create(disk, &log, first.world, CommitChain::start(first.world))?;
        let synced = disk.sync_dir(dir).and_then(|()| sync_above(disk, dir));
        synced.map_err(|error| StoreError::io("create", &log, error))?;
        let (log, _) = HistoryFiles::recover(&options, dir, &first, Mode::Write)?;
        let tail = Some(Tail::open(&log)?);
        Ok(Self { log, world: world.clone(), options, tail, index: None, known: None, compressor: None, lost: None, _lock: lock })
    }

    /// Makes a begun log a world, and closes it.
    pub(super) fn finish(mut self) -> Result<(), StoreError> {
        self.shut()?;
        for (linked, position) in self.world.origins.iter_mut().zip(&self.log.pasts) {
            linked.position = Some(*position);
        }
        self.world.write(&*self.options.disk, &self.log.dir)
    }

    /// Opens a world, and says what was found.
    pub fn open(dir: &Path, mode: Mode) -> Result<(Self, Recovery), StoreError> {
        Self::open_with(dir, mode, Options::default())
    }

    /// The same, with options.
    pub fn open_with(dir: &Path, mode: Mode, options: Options) -> Result<(Self, Recovery), StoreError> {
        // Read first, so that no lock file is left in a directory that is not a world's.
        WorldFile::read(&*options.disk, dir)?;
        let lock = if mode == Mode::Write && options.disk.is_plain() { Some(Lock::take(dir)?) } else { None };
        Self::open_locked(dir, mode, options, lock)
    }

    fn open_locked(dir: &Path, mode: Mode, options: Options, lock: Option<Lock>) -> Result<(Self, Recovery), StoreError> {
        let world = WorldFile::read(&*options.disk, dir)?;
        let (log, mut recovery) = HistoryFiles::recover(&options, dir, &world, mode)?;
        let mut store =
            Self { log, world, options, tail: None, index: None, known: None, compressor: None, lost: recovery.lost, _lock: lock };
        if mode == Mode::Write {
            store.go_on()?;
            store.open_index(&mut recovery);
            // Segments that cannot be listed stay plain and cost disk space: the world opens all the same.
            store.log.closed_plain().unwrap_or_default().into_iter().for_each(|first| store.compress(first));
        }
        Ok((store, recovery))
    }

    /// The groups that were acknowledged once and are gone.
    pub fn lost(&self) -> Option<Lost> {
        self.lost
    }

    /// What `world.toml` says.
    pub fn world_file(&self) -> &WorldFile {
        &self.world
    }

    /// The place of a border that was seen before. Its segment may have been cut in two since then.
    pub fn place_of(&self, border: &Ending) -> Result<Position, StoreError> {
        self.log.place_of(border)
    }

    /// The hash of the last commit; that of the world's id where there is none.
    pub fn last_commit(&self) -> Hash {
        self.log.ending.chain().uncrossed(&self.log.lineage).commit
    }

    /// Compares the index with the log; `None` if there is no index.
    pub fn verify_index(&self) -> Result<Option<IndexReport>, StoreError> {
        self.index.as_ref().map(|index| index.verify(self.read(self.begins())?)).transpose()
    }

    /// Closes the world and marks that it was closed; dropping it does the same, but cannot say what failed.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.shut()
    }

    /// Changes files of the log while nothing is written to it, and opens it anew; where that fails it only reads.
    pub(super) fn anew(&mut self, change: impl FnOnce(&HistoryFiles) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let Some(tail) = self.tail.take() else { return Err(StoreError::OnlyReads) };
        let end = self.log.ending.position.offset;
        tail.file.set_len(end).and_then(|()| tail.file.sync()).map_err(|error| StoreError::io("close", &tail.path, error))?;
        change(&self.log)?;
        // Its places are no longer those of the log.
        self.index = None;
        let dir = self.log.dir.clone();
        (self.log, _) = HistoryFiles::recover(&self.options, &dir, &self.world, Mode::Write)?;
        self.go_on()
    }

    /// Goes on where the history ends.
    fn go_on(&mut self) -> Result<(), StoreError> {
        self.log.drop_archived()?;
        self.log.begin_behind_compressed()?;
        self.tail = Some(Tail::open(&self.log)?);
        Ok(())
    }

    /// Compresses every closed segment that is not yet, here and now.
    pub fn compress_closed(&mut self) -> Result<(), StoreError> {
        // Two would write the same file.
        self.compressor = None;
        for first in self.log.closed_plain()? {
            self.closed(first).compress(&|| true)?;
        }
        Ok(())
    }

    /// Has a closed segment compressed beside whatever goes on.
    fn compress(&mut self, first: Seq) {
        if let Some(after) = self.options.compress_after {
            let closed = self.closed(first);
            self.compressor.get_or_insert_with(|| Compressor::start(after)).push(closed);
        }
    }

    fn closed(&self, first: Seq) -> ClosedSegment {
        ClosedSegment { disk: self.log.disk.clone(), log: self.log.log_dir(), world: self.log.world_of(first), first }
    }

    fn shut(&mut self) -> Result<(), StoreError> {
        self.compressor = None;
        let Some(tail) = self.tail.take().filter(|tail| !tail.dead) else { return Ok(()) };
        if let Some(index) = self.index.take() {
            // An index that does not close is rebuilt at the next opening.
            let _ = index.close(&self.log.ending.chain());
        }
        let end = self.log.ending.position.offset;
        tail.file.set_len(end).and_then(|()| tail.file.sync()).map_err(|error| StoreError::io("close", &tail.path, error))?;
        clean::write(&*self.log.disk, &self.log.dir, &self.log.ending.chain().uncrossed(&self.log.lineage))
    }

    fn open_index(&mut self, recovery: &mut Recovery) {
        if !self.options.index || !self.options.disk.is_plain() {
            return;
        }
        self.index = Index::open(&self.log.dir, &self.log.ending.chain());
        if self.index.is_none() {
            recovery.index_rebuilt = self.log.ending.number > 0;
            // Without an index the log itself answers, only slower: a world opens even where no index can be made.
            self.index = self.read(self.begins()).and_then(|entries| Index::rebuild(&self.log.dir, entries)).ok();
        }
        self.known = self.index.as_ref().and_then(|_| Known::open(&self.log.dir, self.log.world));
        if let (Some(known), None) = (&self.known, recovery.lost) {
            known.note(&self.log.ending.chain().uncrossed(&self.log.lineage));
        }
    }

    /// Goes on as the fork that the world becomes here: where an import comes to the end of a fork's past.
    fn become_fork(&mut self, tail: &mut Tail) -> Result<(), StoreError> {
        self.flush(tail)?;
        let seq = tail.writer.chain.seq;
        let here = self.world.origins.iter().filter(|linked| linked.origin.border() == seq).count();
        self.log.pasts.extend(std::iter::repeat_n(self.log.ending.position, here));
        self.log.lineage = Arc::new(self.world.lineage().writing(seq));
        self.log.world = self.log.lineage.world;
        let chain = tail.writer.chain.crossed(&self.log.lineage);
        self.rotate(tail, chain)?;
        tail.writer = GroupWriter::new(self.log.world, chain);
        Ok(())
    }

    fn append_groups(&mut self, tail: &mut Tail, groups: &[Group]) -> Result<(), StoreError> {
        let borders: Vec<Seq> = self.world.origins.iter().map(|linked| linked.origin.border()).collect();
        for group in groups {
            let seq = tail.writer.chain.seq;
            if borders.contains(&seq) && self.log.lineage.crossing(seq).is_none() {
                self.become_fork(tail)?;
            }
            let (at, first) = (self.log.ending.position.offset + tail.buffer.len() as u64, self.log.last().map_or(0, |last| last.first));
            // A segment is named by its first seq, so each holds a frame at least.
            if at + most_bytes(group) > self.options.segment_bytes && tail.writer.chain.seq > first {
                self.flush(tail)?;
                self.rotate(tail, tail.writer.chain)?;
            }
            tail.encode(group, self.log.ending.position, self.index.is_some());
        }
        self.flush(tail)
    }

    /// Writes what is encoded, and makes it durable.
    fn flush(&mut self, tail: &mut Tail) -> Result<(), StoreError> {
        if tail.buffer.is_empty() {
            return Ok(());
        }
        let Position { segment, offset } = self.log.ending.position;
        let end = offset + tail.buffer.len() as u64;
        tail.fill(end, &self.options).map_err(|error| StoreError::io("write", &tail.path, error))?;
        tail.file.write_at(offset, &tail.buffer).map_err(|error| StoreError::io("write", &tail.path, error))?;
        tail.file.sync().map_err(|error| StoreError::io("sync", &tail.path, error))?;
        self.log.mark(&self.log.ending.chain(), offset);
        self.log.moved(&tail.writer.chain, Position { segment, offset: end });
        tail.writer.acked = tail.writer.chain.number;
        tail.buffer.clear();
        self.known.iter().for_each(|known| known.note(&tail.writer.chain));
        if let Some(index) = &self.index {
            tail.notes.drain(..).for_each(|notes| index.push(notes));
        }
        Ok(())
    }

    /// Begins a new segment; everything before is durable.
    fn rotate(&mut self, tail: &mut Tail, chain: CommitChain) -> Result<(), StoreError> {
        let Position { segment, offset: end } = self.log.ending.position;
        tail.file.set_len(end).and_then(|()| tail.file.sync()).map_err(|error| StoreError::io("close", &tail.path, error))?;
        (tail.path, tail.file) = self.log.begin_segment(chain)?;
        tail.filled = HEADER_LEN as u64;
        // Only now: until the next one is durable, this one may have to be written again.
        self.compress(segment);
        Ok(())
    }

    fn indexed_frame(&self, seq: Seq) -> Option<Record> {
        let position = self.index.as_ref()?.near(seq)?;
        // Any error is dropped here: the log itself is read next and gives a better one.
        scan_frame(Box::new(self.log.entries_at(position)?), seq).ok()?
    }

    /// The blob, or that there is none, or nothing if only the log can tell.
    fn indexed_blob(&self, hash: &Hash) -> Option<Option<Arc<[u8]>>> {
        match self.index.as_ref()?.blob(hash)? {
            None => Some(None),
            Some(position) => self.log.blob_at(position, hash).map(Some),
        }
    }
}

impl Store for LogStore {
    fn ending(&self) -> &Ending {
        &self.log.ending
    }

    fn beginning(&self) -> Option<&Beginning> {
        self.log.beginning.as_ref()
    }

    fn said(&self) -> Option<&WorldFile> {
        Some(&self.world)
    }

    fn append(&mut self, expected_seq: Seq, groups: &[Group]) -> Result<(), StoreError> {
        let Some(mut tail) = self.tail.take() else { return Err(StoreError::OnlyReads) };
        let appended = if tail.dead {
            Err(StoreError::Dead)
        } else {
            check_groups(self.log.ending.seq, expected_seq, groups).and_then(|()| {
                let appended = self.append_groups(&mut tail, groups);
                // The state of the disk after a failed write or sync is unknown: only opening again tells.
                tail.dead = appended.is_err();
                appended
            })
        };
        self.tail = Some(tail);
        appended
    }

    fn read(&self, from: Seq) -> Result<Entries<'_>, StoreError> {
        match self.beginning().filter(|begun| from < begun.seq()) {
            Some(begun) => Err(begun.lacks(from)),
            None => Ok(self.options.interest.over(Box::new(self.log.entries(from)))),
        }
    }

    fn read_behind(&self, border: &Ending) -> Result<Entries<'_>, StoreError> {
        Ok(self.options.interest.over(Box::new(self.log.entries_behind(border)?)))
    }

    fn frame(&self, seq: Seq) -> Result<Option<Record>, StoreError> {
        if seq >= self.log.ending.seq {
            return Ok(None);
        }
        self.options.interest.check()?;
        if let Some(frame) = self.indexed_frame(seq) {
            return Ok(Some(frame));
        }
        scan_frame(self.read(seq)?, seq)
    }

    fn reel(&self, being: BeingId, from_n: N) -> Result<Vec<Seq>, StoreError> {
        if let Some(reel) = self.index.as_ref().and_then(|index| index.reel(being, from_n)) {
            return Ok(reel);
        }
        scan_reel(self.read(self.begins())?, being, from_n)
    }

    fn blob(&self, hash: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
        if let Some(blob) = self.beginning().map(|begun| begun.value(hash)).transpose()?.flatten() {
            return Ok(Some(blob));
        }
        if let Some(blob) = self.indexed_blob(hash) {
            return Ok(blob);
        }
        scan_blob(self.read(self.begins())?, hash)
    }
}

#[doc(hidden)]
impl LogStore {
    /// Ends as a killed process does: nothing is closed, the lock is freed. For tests.
    pub fn kill(mut self) {
        self.tail = None;
    }
}

impl Drop for LogStore {
    fn drop(&mut self) {
        let _ = self.shut();
    }
}

impl Tail {
    fn open(log: &HistoryFiles) -> Result<Self, StoreError> {
        let (ending, path) = (log.ending, log.last().map(|last| last.path.clone()).unwrap_or_default());
        let file = log.disk.open(&path, true).map_err(|error| StoreError::io("open", &path, error))?;
        let filled = file.len().map_err(|error| StoreError::io("read", &path, error))?;
        let writer = GroupWriter::new(log.world, ending.chain());
        Ok(Self { file, path, filled, writer, buffer: Vec::new(), notes: Vec::new(), dead: false })
    }

    fn encode(&mut self, group: &Group, begin: Position, with_notes: bool) {
        let at = |offset: u64| Position { segment: begin.segment, offset: begin.offset + offset };
        let mut notes = GroupNotes::new(at(self.buffer.len() as u64), self.writer.chain.seq);
        self.writer.group(group, &mut self.buffer, |note| match note {
            Note::Frame { being, n, .. } if with_notes => notes.frames.push((being, n)),
            Note::Blob { hash, at: offset } if with_notes => notes.blobs.push((hash, at(offset))),
            _ => {}
        });
        if with_notes {
            self.notes.push(notes);
        }
    }

    /// Writes zeroes ahead, if `end` lies behind those already there.
    fn fill(&mut self, end: u64, options: &Options) -> std::io::Result<()> {
        if end <= self.filled || options.ahead_bytes == 0 {
            return Ok(());
        }
        let zeroes = vec![0; 256 << 10];
        let want = end.max((self.filled + options.ahead_bytes).min(options.segment_bytes));
        while self.filled < want {
            let len = (want - self.filled).min(zeroes.len() as u64);
            self.file.write_at(self.filled, zeroes.get(..len as usize).unwrap_or_default())?;
            self.filled += len;
        }
        Ok(())
    }
}

/// Takes away what a world half made has left; refuses a directory with a world in it, or with anything else.
fn clear(disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
    for path in half_begun(disk, dir)? {
        disk.remove(&path).map_err(|error| StoreError::io("remove", &path, error))?;
    }
    ahead::remove(disk, dir)?;
    clock::remove(disk, dir)?;
    clean::remove(disk, dir)
}

/// The empty segments that a world half made has left in a directory, which holds nothing else than such a world does.
fn half_begun(disk: &dyn Disk, dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    const OURS: [&str; 11] =
        ["ahead", "ahead.new", "clean", "clean.new", "clock", "clock.new", "keystore", "keystore.new", "lock", "log", "world.toml.new"];
    let names = disk.names(dir).map_err(|error| StoreError::io("read", dir, error))?;
    let refused = |found: &str| Err(StoreError::NotEmpty { dir: dir.to_owned(), found: found.to_owned() });
    if let Some(found) = names.iter().find(|name| !OURS.contains(&name.as_str())) {
        return refused(found);
    }
    // The owner's pid, or nothing yet.
    let lock = dir.join("lock");
    let is_ours = |bytes: Vec<u8>| bytes.iter().all(|byte| byte.is_ascii_digit() || *byte == b'\n');
    if names.iter().any(|name| name == "lock") && !read_all(disk, &lock).is_ok_and(is_ours) {
        return refused("lock");
    }
    let log = dir.join("log");
    if !names.iter().any(|name| name == "log") {
        return Ok(Vec::new());
    }
    if let Some(other) = segment::strange(disk, &log)? {
        return refused(&format!("log/{other}"));
    }
    let mut empty = Vec::new();
    // Segments with groups in them may be a world that lost its `world.toml`: they are not ours to remove.
    for first in segment::list(disk, &dir.join("log"))? {
        let path = segment::open(disk, &dir.join("log"), first)?.0.path;
        let bytes = read_all(disk, &path).map_err(|error| StoreError::io("read", &path, error))?;
        if bytes.iter().skip(HEADER_LEN).any(|&byte| byte != 0) {
            return refused(&path.display().to_string());
        }
        empty.push(path);
    }
    Ok(empty)
}

fn most_bytes(group: &Group) -> u64 {
    let bytes = |record: &Record| match record {
        Record::Blob { bytes, .. } | Record::Frame { bytes, .. } => bytes.len() as u64 + RECORD_COST,
    };
    group.records.iter().map(bytes).sum::<u64>() + 4 * RECORD_COST
}
