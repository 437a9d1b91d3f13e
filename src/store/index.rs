//! Where things lie in the log: kept in sled behind the log by one thread, and made anew from the log whenever in doubt.
//!
//! Sparse on purpose: a dense index costs more than the log itself. `seq` has a row per some frames (where their group begins), `reel`
//! a row per some frames of a being (n and seq of each), `blob` one per blob. It is used only if it was closed together with the log
//! as the log is now; anything else, a panic inside sled included, means: delete it. After an error it answers nothing, and the log
//! itself is asked.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::fact::{BeingId, Hash, N, Seq};

use super::clean;
use super::contract::Entries;
use super::disk::PlainDisk;
use super::error::StoreError;
use super::layout::{CommitChain, array, put_varint, take_varint};
use super::lock::Lock;
use super::record::{Ending, Position, Stored};
use super::segment;

/// At most one `seq` row per so many frames.
const SEQ_STEP: u64 = 64;
/// A `reel` row is written when it has so many frames.
const REEL_ROW: usize = 64;
/// All `reel` rows are written when so many frames wait for theirs.
const WAITING_MAX: usize = 1 << 18;
/// How many notes may wait for the thread.
const BEHIND_MAX: usize = 256;
const CACHE_BYTES: u64 = 32 << 20;

/// The result of comparing the index with the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexReport {
    /// Frames in the log.
    pub frames: u64,
    /// Frames in the index.
    pub frames_indexed: u64,
    /// Blobs in the log whose place the index does not have.
    pub blobs_missing: u64,
    /// Whether the index says what the log says.
    pub agrees: bool,
}

/// Whether the index of a world that nobody writes is not the one of a log that ends so: it is made anew at the next opening.
pub fn index_is_stale(dir: &Path, ending: &Ending) -> bool {
    let closed = clean::read(&PlainDisk, &dir.join("index")).ok().flatten();
    !Lock::is_held(dir) && !closed.is_some_and(|clean| clean.fits(&ending.chain()))
}

/// The entries of one group for the index.
pub(super) struct GroupNotes {
    pub position: Position,
    pub seq: Seq,
    pub frames: Vec<(BeingId, N)>,
    pub blobs: Vec<(Hash, Position)>,
}

impl GroupNotes {
    pub(super) fn new(position: Position, seq: Seq) -> Self {
        Self { position, seq, frames: Vec::new(), blobs: Vec::new() }
    }
}

enum Message {
    Notes(GroupNotes),
    /// Answer when everything sent before is done.
    Done(SyncSender<()>),
}

/// The reading end of the index, and the way to its thread.
pub(super) struct Index {
    rows: Arc<Rows>,
    dir: PathBuf,
    sender: Option<SyncSender<Message>>,
    thread: Option<JoinHandle<()>>,
}

/// The trees that the reader and the writing thread share.
struct Rows {
    db: sled::Db,
    seq: sled::Tree,
    reel: sled::Tree,
    blob: sled::Tree,
    waiting: Mutex<Waiting>,
    failed: AtomicBool,
}

/// Frames whose rows are not written yet.
#[derive(Default)]
struct Waiting {
    reels: BTreeMap<BeingId, Vec<(N, Seq)>>,
    count: usize,
    last_seq_row: Option<Seq>,
}

impl Index {
    /// The index as it was closed, if it was closed with the log as it is now.
    pub(super) fn open(dir: &Path, chain: &CommitChain) -> Option<Self> {
        let dir = dir.join("index");
        let fits = clean::read(&PlainDisk, &dir).ok().flatten().is_some_and(|clean| clean.fits(chain));
        if !fits {
            return None;
        }
        // Gone before the first row is written: an index that was not closed is not used.
        clean::remove(&PlainDisk, &dir).ok()?;
        Self::start(&dir).ok()
    }

    /// An index made anew of everything in the log.
    pub(super) fn rebuild(dir: &Path, entries: Entries<'_>) -> Result<Self, StoreError> {
        let dir = dir.join("index");
        // The note of the last acknowledged commit beside it stays.
        clean::remove(&PlainDisk, &dir)?;
        if let Err(error) = fs::remove_dir_all(dir.join("sled"))
            && error.kind() != std::io::ErrorKind::NotFound
        {
            return Err(StoreError::io("remove", &dir, error));
        }
        fs::create_dir_all(&dir).map_err(|error| StoreError::io("create", &dir, error))?;
        let index = Self::start(&dir)?;
        let mut notes: Option<GroupNotes> = None;
        for entry in entries {
            let (at, note) = match entry? {
                Stored::Commit { .. } => {
                    notes.take().into_iter().for_each(|notes| index.push(notes));
                    continue;
                }
                Stored::Frame { seq, being, n, at, .. } => (at, Ok((seq, being, n))),
                Stored::Blob { hash, at, .. } => (at, Err(hash)),
            };
            let position = Position { segment: segment::first(&at.file).unwrap_or(0), offset: at.offset };
            let notes = notes.get_or_insert_with(|| GroupNotes::new(position, 0));
            match note {
                Ok((seq, being, n)) => {
                    if notes.frames.is_empty() {
                        notes.seq = seq;
                    }
                    notes.frames.push((being, n));
                }
                Err(hash) => notes.blobs.push((hash, position)),
            }
        }
        Ok(index)
    }

    fn start(dir: &Path) -> Result<Self, StoreError> {
        let rows = Arc::new(guarded(|| Rows::open(&dir.join("sled")))?);
        let (sender, receiver) = sync_channel(BEHIND_MAX);
        let theirs = rows.clone();
        let thread = std::thread::Builder::new().name("index".to_owned()).spawn(move || write_behind(&theirs, &receiver));
        let thread = thread.map_err(|error| StoreError::Index { what: error.to_string() })?;
        Ok(Self { rows, dir: dir.to_owned(), sender: Some(sender), thread: Some(thread) })
    }

    /// Hands a group's notes over; waits only if the thread is far behind.
    pub(super) fn push(&self, notes: GroupNotes) {
        if let Some(sender) = &self.sender
            && sender.send(Message::Notes(notes)).is_err()
        {
            self.rows.fail();
        }
    }

    /// Where the group begins that holds a frame, or one shortly before it.
    pub(super) fn near(&self, seq: Seq) -> Option<Position> {
        self.ask(|rows| {
            let row = rows.seq.range(..=seq.to_be_bytes().as_slice()).next_back().transpose()?;
            Ok(row.and_then(|(_, value)| position(&value)))
        })?
    }

    /// Where a blob lies, or that it lies nowhere; nothing if the index cannot tell.
    pub(super) fn blob(&self, hash: &Hash) -> Option<Option<Position>> {
        self.ask(|rows| Ok(rows.blob.get(hash.0)?.and_then(|value| position(&value))))
    }

    /// A being's seqs from its `from_n`th frame on; nothing if the index cannot tell.
    pub(super) fn reel(&self, being: BeingId, from_n: N) -> Option<Vec<Seq>> {
        self.ask(|rows| rows.reel(being, from_n))
    }

    /// Asks when everything handed over is in.
    fn ask<T>(&self, question: impl FnOnce(&Rows) -> sled::Result<T>) -> Option<T> {
        let (done, wait) = sync_channel(1);
        self.sender.as_ref()?.send(Message::Done(done)).ok()?;
        wait.recv().ok()?;
        if self.rows.failed.load(Ordering::Acquire) {
            return None;
        }
        let answer = guarded(|| question(&self.rows));
        answer.inspect_err(|_| self.rows.fail()).ok()
    }

    /// Writes what waits, makes it durable, and marks the index as closed together with the log.
    pub(super) fn close(mut self, chain: &CommitChain) -> Result<(), StoreError> {
        self.stop();
        if self.rows.failed.load(Ordering::Acquire) {
            return Err(StoreError::Index { what: "it failed before".to_owned() });
        }
        guarded(|| {
            self.rows.write_waiting()?;
            self.rows.db.flush().map(|_| ())
        })?;
        // sled's own flush does not reach through the drive's cache. A snapshot that it puts in its place just now has another name by then.
        for entry in fs::read_dir(self.dir.join("sled")).into_iter().flatten().flatten() {
            match fs::File::open(entry.path()).and_then(|file| file.sync_all()) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(StoreError::io("sync", &entry.path(), error)),
                Ok(()) | Err(_) => {}
            }
        }
        clean::write(&PlainDisk, &self.dir, chain)
    }

    fn stop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// Compares with the log: the same frames, counted and hashed without regard to order, and every blob's place.
    pub(super) fn verify(&self, entries: Entries<'_>) -> Result<IndexReport, StoreError> {
        let unknown = || StoreError::Index { what: "it failed before".to_owned() };
        let (mut frames, mut sum, mut blobs_missing) = (0u64, 0u128, 0u64);
        for entry in entries {
            match entry? {
                Stored::Frame { seq, being, n, .. } => {
                    frames += 1;
                    sum = sum.wrapping_add(fingerprint(being, n, seq));
                }
                Stored::Blob { hash, .. } => blobs_missing += u64::from(self.blob(&hash).ok_or_else(unknown)?.is_none()),
                Stored::Commit { .. } => {}
            }
        }
        let (frames_indexed, sum_indexed) = self.ask(Rows::fingerprints).ok_or_else(unknown)?;
        let agrees = (frames, sum, blobs_missing) == (frames_indexed, sum_indexed, 0);
        Ok(IndexReport { frames, frames_indexed, blobs_missing, agrees })
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The thread: takes notes as they come, and stops at the first error.
fn write_behind(rows: &Rows, receiver: &Receiver<Message>) {
    while let Ok(message) = receiver.recv() {
        match message {
            Message::Notes(notes) => {
                if !rows.failed.load(Ordering::Acquire) && guarded(|| rows.take(&notes)).is_err() {
                    rows.fail();
                }
            }
            Message::Done(done) => {
                let _ = done.send(());
            }
        }
    }
}

impl Waiting {
    fn put_all(&mut self, batch: &mut sled::Batch) {
        std::mem::take(&mut self.reels).iter().for_each(|(being, frames)| put_row(batch, *being, frames));
        self.count = 0;
    }
}

impl Rows {
    fn open(dir: &Path) -> sled::Result<Self> {
        let db = sled::Config::new().path(dir).cache_capacity(CACHE_BYTES).flush_every_ms(None).open()?;
        let (seq, reel, blob) = (db.open_tree("seq")?, db.open_tree("reel")?, db.open_tree("blob")?);
        Ok(Self { db, seq, reel, blob, waiting: Mutex::default(), failed: AtomicBool::new(false) })
    }

    fn fail(&self) {
        self.failed.store(true, Ordering::Release);
    }

    fn take(&self, notes: &GroupNotes) -> sled::Result<()> {
        if !notes.blobs.is_empty() {
            let mut batch = sled::Batch::default();
            notes.blobs.iter().for_each(|(hash, position)| batch.insert(hash.0.as_slice(), position_bytes(*position).as_slice()));
            self.blob.apply_batch(batch)?;
        }
        let mut guard = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = &mut *guard;
        let due = waiting.last_seq_row.is_none_or(|last| notes.seq >= last + SEQ_STEP);
        if due && !notes.frames.is_empty() {
            waiting.last_seq_row = Some(notes.seq);
            self.seq.insert(notes.seq.to_be_bytes(), position_bytes(notes.position).as_slice())?;
        }
        let mut batch = sled::Batch::default();
        for ((being, n), seq) in notes.frames.iter().zip(notes.seq..) {
            waiting.count += 1;
            let reel = waiting.reels.entry(*being).or_default();
            reel.push((*n, seq));
            if reel.len() >= REEL_ROW {
                waiting.count -= reel.len();
                put_row(&mut batch, *being, reel);
                reel.clear();
            }
        }
        if waiting.count >= WAITING_MAX {
            waiting.put_all(&mut batch);
        }
        self.reel.apply_batch(batch)
    }

    fn write_waiting(&self) -> sled::Result<()> {
        let mut batch = sled::Batch::default();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).put_all(&mut batch);
        self.reel.apply_batch(batch)
    }

    fn reel(&self, being: BeingId, from_n: N) -> sled::Result<Vec<Seq>> {
        let mut found = Vec::new();
        // The row that holds `from_n` may begin before it.
        let begin = self.reel.range(reel_key(being, 0)..=reel_key(being, from_n)).next_back().transpose()?;
        let begin = begin.map_or_else(|| reel_key(being, 0).to_vec(), |(key, _)| key.to_vec());
        for row in self.reel.range(begin..=reel_key(being, N::MAX).to_vec()) {
            let (_, value) = row?;
            each_frame(&value, |n, seq| found.extend((n >= from_n).then_some(seq)));
        }
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let behind = waiting.reels.get(&being).into_iter().flatten();
        found.extend(behind.filter(|(n, _)| *n >= from_n).map(|(_, seq)| *seq));
        Ok(found)
    }

    fn fingerprints(&self) -> sled::Result<(u64, u128)> {
        let (mut count, mut sum) = (0, 0u128);
        for row in &self.reel {
            let (key, value) = row?;
            let being = || Some(BeingId::new(u64::from_be_bytes(array(&key, 0)?), u32::from_be_bytes(array(&key, 8)?)));
            let being = being().unwrap_or_default();
            each_frame(&value, |n, seq| {
                count += 1;
                sum = sum.wrapping_add(fingerprint(being, n, seq));
            });
        }
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        for (being, frames) in &waiting.reels {
            count += frames.len() as u64;
            sum = frames.iter().fold(sum, |sum, (n, seq)| sum.wrapping_add(fingerprint(*being, *n, *seq)));
        }
        Ok((count, sum))
    }
}

/// Runs what may return sled's error or panic.
fn guarded<T>(work: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
    let what = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => return Ok(done),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "sled panicked".to_owned(),
    };
    Err(StoreError::Index { what })
}

fn reel_key(being: BeingId, n: N) -> [u8; 20] {
    let mut key = [0; 20];
    let bytes = being.0.seq.to_be_bytes().into_iter().chain(being.0.index.to_be_bytes()).chain(n.to_be_bytes());
    key.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    key
}

/// A row: each frame's n and seq, as what they add to those before.
fn put_row(batch: &mut sled::Batch, being: BeingId, frames: &[(N, Seq)]) {
    let Some((first, _)) = frames.first() else { return };
    let (mut row, mut before) = (Vec::with_capacity(frames.len() * 4), (0, 0));
    for (n, seq) in frames {
        put_varint(&mut row, n.wrapping_sub(before.0));
        put_varint(&mut row, seq.wrapping_sub(before.1));
        before = (*n, *seq);
    }
    batch.insert(reel_key(being, *first).as_slice(), row);
}

fn each_frame(mut row: &[u8], mut each: impl FnMut(N, Seq)) {
    let mut at = (0u64, 0u64);
    while let Some((n, rest)) = take_varint(row) {
        let Some((seq, rest)) = take_varint(rest) else { return };
        at = (at.0.wrapping_add(n), at.1.wrapping_add(seq));
        each(at.0, at.1);
        row = rest;
    }
}

fn position_bytes(position: Position) -> [u8; 16] {
    (u128::from(position.segment) << 64 | u128::from(position.offset)).to_be_bytes()
}

fn position(bytes: &[u8]) -> Option<Position> {
    Some(Position { segment: u64::from_be_bytes(array(bytes, 0)?), offset: u64::from_be_bytes(array(bytes, 8)?) })
}

fn fingerprint(being: BeingId, n: N, seq: Seq) -> u128 {
    let mut bytes = reel_key(being, n).to_vec();
    bytes.extend_from_slice(&seq.to_be_bytes());
    array(&Hash::of(&bytes).0, 0).map_or(0, u128::from_be_bytes)
}
