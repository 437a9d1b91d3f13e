//! Reading groups back: from any source of bytes, as a stream, each group checked as a whole before any of it is given.
//!
//! A history lies in one or several volumes (segments, an export file, memory). The reader holds one window of a volume. Checksums
//! of single records are asked only when a group does not check, to name the record at fault.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fact::{Hash, Seq, WorldId};

use super::disk::DiskFile;
use super::error::{Damage, StoreError};
use super::layout::{COMMIT_LEN, Chain, Checksum, CommitRecord, HEAD_LEN, Head, Kind, RECORD_MAX, blob_payload, frame_payload};
use super::record::{Commit, Entry, Place};

/// How much is read at once in a long stream.
const WINDOW: usize = 1 << 20;
/// How much is read first: it may be one record that is wanted.
const AHEAD: usize = 16 << 10;

/// Where bytes come from.
pub(super) trait Source: Send {
    /// Reads up to a buffer full; 0 at the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

impl Source for Arc<dyn DiskFile> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

impl Source for &[u8] {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let from = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let count = from.len().min(buffer.len());
        buffer.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        Ok(count)
    }
}

/// One file of a history, or what stands for one.
pub(super) struct Volume<'a> {
    pub path: PathBuf,
    pub source: Box<dyn Source + 'a>,
    /// The first byte of the first group.
    pub start: u64,
    /// The first byte that is not ours to read.
    pub limit: u64,
    /// Where the chain must stand before the first group, if the volume says so.
    pub chain: Option<Chain>,
}

/// What stands at a place in a volume.
pub(super) enum Step {
    /// A group that checks and follows the chain; it begins at `offset`.
    Group { offset: u64, record: CommitRecord },
    /// Nothing more: zeroes, or the limit.
    End,
    /// Something that is not a whole group.
    Bad(Damage),
}

/// Reads the groups of one volume, one after another.
pub(super) struct GroupReader<'a> {
    pub volume: Volume<'a>,
    check: Checksum,
    /// The place of the next group.
    pub at: u64,
    window: Vec<u8>,
    window_at: u64,
    /// How much more than asked for is read; doubles with each reading.
    ahead: usize,
}

impl<'a> GroupReader<'a> {
    pub(super) fn new(volume: Volume<'a>, world: WorldId) -> Self {
        let at = volume.start;
        Self { volume, check: Checksum::of(world), at, window: Vec::new(), window_at: at, ahead: AHEAD }
    }

    /// The bytes of a place, or `None` where the volume ends before.
    fn bytes(&mut self, at: u64, len: usize) -> Result<Option<&[u8]>, StoreError> {
        if at < self.window_at {
            self.window.clear();
            self.window_at = at;
        }
        let Some(end) = at.checked_add(len as u64).filter(|&end| end <= self.volume.limit) else { return Ok(None) };
        if end > self.window_at + self.window.len() as u64 {
            self.fill(at, end)?;
        }
        let from = (at - self.window_at) as usize;
        Ok(self.window.get(from..from + len))
    }

    /// Forgets what lies before the group, and reads at least up to `end`.
    fn fill(&mut self, at: u64, end: u64) -> Result<(), StoreError> {
        let keep_from = self.at.min(at).max(self.window_at);
        let gone = ((keep_from - self.window_at) as usize).min(self.window.len());
        self.window.drain(..gone);
        self.window_at += gone as u64;
        if self.window.is_empty() {
            self.window_at = keep_from;
        }
        let have = self.window_at + self.window.len() as u64;
        let want = end.max(have.saturating_add(self.ahead as u64)).min(self.volume.limit);
        self.ahead = (self.ahead * 2).min(WINDOW);
        let want = (want - self.window_at) as usize;
        while self.window.len() < want {
            // In steps: a length that was made up must not make us reserve what the input does not hold.
            let filled = self.window.len();
            self.window.resize(want.min(filled.saturating_mul(2).max(WINDOW)), 0);
            let read = self.read_into(filled)?;
            self.window.truncate(filled + read);
            if read == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Reads once, into the window from `filled` on.
    fn read_into(&mut self, filled: usize) -> Result<usize, StoreError> {
        let rest = self.window.get_mut(filled..).unwrap_or_default();
        loop {
            match self.volume.source.read_at(self.window_at + filled as u64, rest) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.map_err(|error| StoreError::io("read", &self.volume.path, error)),
            }
        }
    }

    fn head(&mut self, at: u64) -> Result<Option<Head>, StoreError> {
        Ok(self.bytes(at, HEAD_LEN)?.and_then(Head::read))
    }

    /// A whole record, head and payload.
    fn record(&mut self, at: u64) -> Result<Option<(Kind, &[u8])>, StoreError> {
        match self.head(at)? {
            Some(Head { len, kind: Some(kind), .. }) if (1..=RECORD_MAX).contains(&len) => {
                Ok(self.bytes(at, HEAD_LEN + len)?.map(|bytes| (kind, bytes)))
            }
            _ => Ok(None),
        }
    }

    /// What stands at `self.at`; moves behind it if it is a group that follows the chain.
    ///
    /// In order: the records' lengths lead to a commit, the commit's checksum holds, it counts the group's frames, blobs and bytes,
    /// the group has its hash, and the commit follows the chain's last one.
    pub(super) fn step(&mut self, chain: Option<&Chain>) -> Result<Step, StoreError> {
        let offset = self.at;
        if self.at_end()? {
            return Ok(Step::End);
        }
        let (mut frames, mut blobs, mut at) = (0u32, 0u32, offset);
        loop {
            let Some((kind, bytes)) = self.record(at)? else { return self.bad(offset, at, "the group has no end") };
            let end = at + bytes.len() as u64;
            match kind {
                Kind::Frame => frames = frames.saturating_add(1),
                Kind::Blob => blobs = blobs.saturating_add(1),
                Kind::Commit => break,
            }
            at = end;
        }
        let check = self.check;
        let Some(record) = self.bytes(at, HEAD_LEN + COMMIT_LEN)?.and_then(|bytes| check.commit(bytes)) else {
            return self.bad(offset, at, "the commit does not check");
        };
        let counted = (frames, blobs, at - offset) == (record.commit.frames, record.commit.blobs, record.length);
        let group = self.bytes(offset, (at - offset) as usize)?.map(Hash::of);
        if !counted || group != Some(record.group) {
            return self.bad(offset, at, "the group is not the one that was committed");
        }
        if chain.is_some_and(|chain| !follows(chain, &record)) {
            return self.bad(offset, at, "the commit does not follow the one before");
        }
        self.at = at + (HEAD_LEN + COMMIT_LEN) as u64;
        Ok(Step::Group { offset, record })
    }

    /// Whether nothing was written at `self.at`.
    fn at_end(&mut self) -> Result<bool, StoreError> {
        let rest = self.volume.limit.saturating_sub(self.at).min(HEAD_LEN as u64);
        let at = self.at;
        Ok(self.bytes(at, rest as usize)?.is_none_or(|bytes| bytes.iter().all(|&byte| byte == 0)))
    }

    /// Names the first record from `offset` on that does not check; `otherwise` is what is wrong at `at` if each does.
    fn bad(&mut self, offset: u64, at: u64, otherwise: &'static str) -> Result<Step, StoreError> {
        let check = self.check;
        let (file, limit) = (self.volume.path.clone(), self.volume.limit);
        let damage = |offset, what| Damage { file: file.clone(), offset, being: None, n: None, what };
        let mut cursor = offset;
        loop {
            match self.record(cursor)? {
                None if limit.saturating_sub(cursor) < HEAD_LEN as u64 => {
                    return Ok(Step::Bad(damage(cursor, "the file ends inside a group")));
                }
                None => return Ok(Step::Bad(damage(cursor, "no record begins here"))),
                Some((kind, bytes)) if !check.holds(bytes) => {
                    let mut damage = damage(cursor, "the record does not check");
                    if let (Kind::Frame, Some((being, n, _))) = (kind, bytes.get(HEAD_LEN..).and_then(frame_payload)) {
                        (damage.being, damage.n) = (Some(being), Some(n));
                    }
                    return Ok(Step::Bad(damage));
                }
                Some((Kind::Commit, _)) => return Ok(Step::Bad(damage(at, otherwise))),
                Some((_, bytes)) => cursor += bytes.len() as u64,
            }
        }
    }

    /// The next commit from `from` on that checks by itself and is `wanted`; moves behind it.
    pub(super) fn seek_commit(&mut self, from: u64, wanted: impl Fn(&CommitRecord) -> bool) -> Result<Option<CommitRecord>, StoreError> {
        let check = self.check;
        let mut at = from;
        let len = HEAD_LEN + COMMIT_LEN;
        while at + len as u64 <= self.volume.limit {
            self.at = at;
            let span = (self.volume.limit - at).min(WINDOW as u64) as usize;
            let Some(bytes) = self.bytes(at, span)? else { break };
            let found = bytes.windows(len).enumerate().find_map(|(index, bytes)| Some((index, check.commit(bytes).filter(&wanted)?)));
            if let Some((index, record)) = found {
                self.at = at + (index + len) as u64;
                return Ok(Some(record));
            }
            at += (span + 1 - len) as u64;
        }
        self.at = self.volume.limit;
        Ok(None)
    }

    /// The last byte from `from` on that is not zero.
    pub(super) fn last_written(&mut self, from: u64) -> Result<Option<u64>, StoreError> {
        let (mut at, mut last) = (from, None);
        while at < self.volume.limit {
            self.at = at;
            let span = (self.volume.limit - at).min(WINDOW as u64) as usize;
            let Some(bytes) = self.bytes(at, span)? else { break };
            last = bytes.iter().rposition(|&byte| byte != 0).map(|index| at + index as u64).or(last);
            at += span as u64;
        }
        Ok(last)
    }
}

fn follows(chain: &Chain, record: &CommitRecord) -> bool {
    let commit = &record.commit;
    (Some(commit.number), record.previous, Some(commit.end_seq))
        == (chain.number.checked_add(1), chain.commit, chain.seq.checked_add(u64::from(commit.frames)))
}

/// The group that is being given.
struct Current {
    at: u64,
    seq: Seq,
    commit: Commit,
}

/// The stream that `read` gives.
pub(super) struct EntryStream<'a, V> {
    pub world: WorldId,
    pub volumes: V,
    /// Where the chain stands, as far as it is known.
    pub chain: Option<Chain>,
    /// Groups that end before it are not given.
    pub from: Seq,
    /// Go on behind damage.
    pub inspect: bool,
    /// Where the chain must stand at the end of the last volume.
    ends: Option<Chain>,
    reader: Option<GroupReader<'a>>,
    path: PathBuf,
    file: Arc<str>,
    end: u64,
    current: Option<Current>,
    over: bool,
}

impl<'a, V: Iterator<Item = Result<Volume<'a>, StoreError>>> EntryStream<'a, V> {
    pub(super) fn new(world: WorldId, volumes: V, chain: Option<Chain>, from: Seq, inspect: bool) -> Self {
        Self {
            world,
            volumes,
            chain,
            from,
            inspect,
            ends: None,
            reader: None,
            path: PathBuf::new(),
            file: Arc::from(""),
            end: 0,
            current: None,
            over: false,
        }
    }

    /// Makes it an error to end anywhere else.
    pub(super) fn until(mut self, chain: Chain) -> Self {
        self.ends = Some(chain);
        self
    }

    fn turn(&mut self) -> Result<Option<Entry>, StoreError> {
        loop {
            if self.current.is_some() {
                return self.give();
            }
            let Some(reader) = self.reader.as_mut() else {
                match self.volumes.next() {
                    None => return self.check_end(),
                    Some(volume) => self.enter(volume?)?,
                }
                continue;
            };
            match reader.step(self.chain.as_ref())? {
                Step::End => {
                    self.end = reader.at;
                    self.reader = None;
                }
                Step::Bad(damage) => {
                    if self.inspect {
                        let number = self.chain.map_or(0, |chain| chain.number);
                        let found = reader.seek_commit(damage.offset, |record| record.commit.number > number)?;
                        self.chain = found.map(|record| record.chain());
                    }
                    return Err(StoreError::Damaged(Box::new(damage)));
                }
                Step::Group { offset, record } => {
                    self.chain = Some(record.chain());
                    let commit = record.commit;
                    if self.from == 0 || commit.end_seq > self.from {
                        self.from = 0;
                        // A commit that stands alone in the chain was counted by nothing: its seq may be anything.
                        let seq = commit.end_seq.saturating_sub(u64::from(commit.frames));
                        self.current = Some(Current { at: offset, seq, commit });
                    }
                }
            }
        }
    }

    fn check_end(&mut self) -> Result<Option<Entry>, StoreError> {
        match self.ends.take().zip(self.chain) {
            Some((said, stands)) if !same(&said, &stands) => {
                Err(StoreError::damaged(&self.path, self.end, "the history goes on, but nothing stands here"))
            }
            _ => Ok(None),
        }
    }

    /// Goes on with the next volume, which must begin where the last one ended.
    fn enter(&mut self, volume: Volume<'a>) -> Result<(), StoreError> {
        self.path.clone_from(&volume.path);
        self.file = Arc::from(self.path.file_name().unwrap_or_default().to_string_lossy());
        let (said, stands) = (volume.chain, self.chain);
        self.reader = Some(GroupReader::new(volume, self.world));
        let fits = said.zip(stands).is_none_or(|(said, stands)| same(&said, &stands));
        self.chain = said.or(stands.filter(|_| fits));
        if fits { Ok(()) } else { Err(StoreError::damaged(&self.path, 0, "the file does not begin where the one before it ends")) }
    }

    fn give(&mut self) -> Result<Option<Entry>, StoreError> {
        let Some((current, reader)) = self.current.as_mut().zip(self.reader.as_mut()) else { return Ok(None) };
        let at = Place { file: self.file.clone(), offset: current.at };
        let damaged = || StoreError::damaged(&self.path, at.offset, "the record changed while it was read");
        // The group was checked, so its records are there; the window may have to be read again.
        let behind = reader.at;
        reader.at = reader.at.min(current.at);
        let read = reader.record(current.at);
        let (kind, bytes) = read?.ok_or_else(damaged)?;
        let payload = bytes.get(HEAD_LEN..).unwrap_or_default();
        current.at += bytes.len() as u64;
        let entry = match kind {
            Kind::Frame => {
                let (being, n, bytes) = frame_payload(payload).ok_or_else(damaged)?;
                let seq = current.seq;
                current.seq += 1;
                Entry::Frame { seq, being, n, bytes: Arc::from(bytes), at }
            }
            Kind::Blob => {
                let (hash, bytes) = blob_payload(payload).ok_or_else(damaged)?;
                Entry::Blob { hash, bytes: Arc::from(bytes), at }
            }
            Kind::Commit => {
                let commit = current.commit.clone();
                self.current = None;
                Entry::Commit(commit)
            }
        };
        reader.at = behind;
        Ok(Some(entry))
    }
}

/// The head is the caller's; the commit's hash covers it.
fn same(a: &Chain, b: &Chain) -> bool {
    (a.number, a.commit, a.seq) == (b.number, b.commit, b.seq)
}

/// The blob whose record begins at a place, if it is there and is the one that is wanted.
pub(super) fn read_blob(
    file: &Arc<dyn DiskFile>,
    path: &Path,
    at: u64,
    world: WorldId,
    wanted: &Hash,
) -> Result<Option<Arc<[u8]>>, StoreError> {
    let limit = file.len().map_err(|error| StoreError::io("read", path, error))?;
    let mut reader =
        GroupReader::new(Volume { path: path.to_owned(), source: Box::new(file.clone()), start: at, limit, chain: None }, world);
    let Some((Kind::Blob, bytes)) = reader.record(at)? else { return Ok(None) };
    let blob = bytes.get(HEAD_LEN..).and_then(blob_payload).map(|(_, bytes)| bytes);
    Ok(blob.filter(|bytes| Hash::of(bytes) == *wanted).map(Arc::from))
}

impl<'a, V: Iterator<Item = Result<Volume<'a>, StoreError>>> Iterator for EntryStream<'a, V> {
    type Item = Result<Entry, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let entry = self.turn().transpose();
        let goes_on = match &entry {
            Some(Ok(_)) => true,
            Some(Err(StoreError::Damaged(_))) => self.inspect,
            _ => false,
        };
        self.over = !goes_on;
        entry
    }
}
