//! Reading one volume (a segment, an export file, memory) group by group, each checked as a whole before any of it is given.
//!
//! The reader holds one window of its volume. Damage is of two kinds: *torn*, which a crash can leave at the end, or *forged*:
//! whole by every checksum, and still never written there. Only a torn end may be cut.

use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use crate::fact::{Hash, WorldId};

use super::disk::DiskFile;
use super::error::{Damage, StoreError};
use super::layout::{COMMIT_LEN, Checksum, CommitChain, CommitRecord, HEAD_LEN, Kind, RECORD_MAX, RecordHead, blob_payload, frame_payload};

/// How much is read at once in a long stream.
const WINDOW: usize = 1 << 20;
/// How much is read first: it may be one record that is wanted.
const AHEAD: usize = 16 << 10;

/// Where bytes come from.
pub(super) trait ByteSource: Send {
    /// Reads up to a buffer full; 0 at the end.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// A fault of the source itself between two offsets that were read, apart from the bytes there.
    fn fault(&self, _: Range<u64>) -> Option<SourceFault> {
        None
    }
}

/// Something wrong with a source itself.
pub(super) struct SourceFault {
    /// The byte of the file.
    pub offset: u64,
    pub what: &'static str,
}

impl ByteSource for Arc<dyn DiskFile> {
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }
}

impl ByteSource for &[u8] {
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let from = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let count = from.len().min(buffer.len());
        buffer.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        Ok(count)
    }
}

/// One file of a history, or what stands for one.
pub(super) struct Volume<'a> {
    pub path: PathBuf,
    /// The world of its first group: checksums answer for it, too.
    pub world: WorldId,
    pub source: Box<dyn ByteSource + 'a>,
    /// The first byte of the first group.
    pub start: u64,
    /// The first byte that is not ours to read.
    pub limit: u64,
    /// Where the chain must stand before the first group, if the volume says so.
    pub chain: Option<CommitChain>,
    /// Whether each commit was written when the one before it was durable: so it is in an export.
    pub is_export: bool,
}

/// The result of one step through a volume.
pub(super) enum VolumeStep {
    /// A group that checks and follows the chain; it begins at `offset`.
    Group { offset: u64, record: CommitRecord },
    /// Nothing more: zeroes, or the limit.
    End,
    /// Bytes that no checksum answers for: a write that was cut off, or damage.
    Torn(Damage),
    /// A group that is whole and is not the next one of this history: never left by a crash.
    Forged(Damage),
}

/// One record that is as it was written.
struct Whole {
    kind: Kind,
    /// With its head.
    len: u64,
    /// Its fault in spite of a valid checksum.
    fault: Option<&'static str>,
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
    pub(super) fn new(volume: Volume<'a>) -> Self {
        let (at, check) = (volume.start, Checksum::of(volume.world));
        Self { volume, check, at, window: Vec::new(), window_at: at, ahead: AHEAD }
    }

    /// Turns to the groups of another world, which follow.
    pub(super) fn turn_to(&mut self, world: WorldId) {
        self.check = Checksum::of(world);
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
            let mut more = vec![0; want.min(filled.saturating_mul(2).max(WINDOW)) - filled];
            let read = self.read_behind(filled, &mut more)?;
            if read == 0 {
                break;
            }
            more.truncate(read);
            if filled == 0 { self.window = more } else { self.window.extend_from_slice(&more) }
        }
        Ok(())
    }

    /// Reads once what lies behind the first bytes of the window.
    fn read_behind(&mut self, filled: usize, more: &mut [u8]) -> Result<usize, StoreError> {
        loop {
            match self.volume.source.read_at(self.window_at + filled as u64, more) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read.map_err(|error| StoreError::io("read", &self.volume.path, error)),
            }
        }
    }

    fn head(&mut self, at: u64) -> Result<Option<RecordHead>, StoreError> {
        Ok(self.bytes(at, HEAD_LEN)?.and_then(RecordHead::read))
    }

    /// A whole record, head and payload.
    pub(super) fn record(&mut self, at: u64) -> Result<Option<(Kind, &[u8])>, StoreError> {
        match self.head(at)? {
            Some(RecordHead { len, kind: Some(kind), .. }) if (1..=RECORD_MAX).contains(&len) => {
                Ok(self.bytes(at, HEAD_LEN + len)?.map(|bytes| (kind, bytes)))
            }
            _ => Ok(None),
        }
    }

    /// A record whose checksum holds.
    fn whole(&mut self, at: u64) -> Result<Option<Whole>, StoreError> {
        let check = self.check;
        let Some((kind, bytes)) = self.record(at)?.filter(|(_, bytes)| check.holds(bytes)) else { return Ok(None) };
        Ok(Some(Whole { kind, len: bytes.len() as u64, fault: fault(kind, bytes.get(HEAD_LEN..).unwrap_or_default()) }))
    }

    /// Reads the group at `self.at`, and moves behind it if it follows the chain.
    ///
    /// In order: each record's checksum holds up to a commit; each record has its form, and each blob the hash that it is named by; there is a frame;
    /// the commit counts the group's frames, blobs and bytes; the group has its hash; and the commit follows the chain's last one.
    pub(super) fn step(&mut self, chain: Option<&CommitChain>) -> Result<VolumeStep, StoreError> {
        let offset = self.at;
        if self.at_end()? {
            return Ok(VolumeStep::End);
        }
        let (mut frames, mut blobs, mut at) = (0u32, 0u32, offset);
        loop {
            let Some(Whole { kind, len, fault }) = self.whole(at)? else { return self.torn(at).map(VolumeStep::Torn) };
            if let Some(what) = fault {
                return self.named(at, what).map(VolumeStep::Forged);
            }
            match kind {
                Kind::Frame => frames = frames.saturating_add(1),
                Kind::Blob => blobs = blobs.saturating_add(1),
                Kind::Commit => break,
            }
            at += len;
        }
        let check = self.check;
        let Some(record) = self.bytes(at, HEAD_LEN + COMMIT_LEN)?.and_then(|bytes| check.commit(bytes)) else {
            return self.torn(at).map(VolumeStep::Torn);
        };
        let group = self.bytes(offset, (at - offset) as usize)?.map(Hash::of);
        let is_counted = (frames, blobs, at - offset) == (record.commit.frames, record.commit.blobs, record.length);
        let wrong = if frames == 0 {
            Some("the group holds no frame")
        } else if !is_counted || group != Some(record.group) {
            Some("the group is not the one that was committed")
        } else {
            chain.and_then(|chain| breaks(chain, &record)).or_else(|| breaks_acked(chain, &record, self.volume.is_export))
        };
        if let Some(what) = wrong {
            return self.named(at, what).map(VolumeStep::Forged);
        }
        self.at = at + (HEAD_LEN + COMMIT_LEN) as u64;
        Ok(VolumeStep::Group { offset, record })
    }

    /// Whether nothing was written at `self.at`.
    fn at_end(&mut self) -> Result<bool, StoreError> {
        let rest = self.volume.limit.saturating_sub(self.at).min(HEAD_LEN as u64);
        let at = self.at;
        Ok(self.bytes(at, rest as usize)?.is_none_or(|bytes| bytes.iter().all(|&byte| byte == 0)))
    }

    /// The damage at a place where no whole record begins.
    fn torn(&mut self, at: u64) -> Result<Damage, StoreError> {
        let is_short = self.volume.limit.saturating_sub(at) < HEAD_LEN as u64;
        match self.record(at)? {
            Some(_) => self.named(at, "the record does not check"),
            None if is_short => self.named(at, "the file ends inside a group"),
            None => self.named(at, "no record begins here"),
        }
    }

    /// Damage at a record, with the frame that it says it is; where the source itself is at fault, that one's.
    fn named(&mut self, offset: u64, what: &'static str) -> Result<Damage, StoreError> {
        let (frame, len) = match self.record(offset)? {
            Some((Kind::Frame, bytes)) => (bytes.get(HEAD_LEN..).and_then(frame_payload).map(|(being, n, _)| (being, n)), bytes.len()),
            Some((_, bytes)) => (None, bytes.len()),
            None => (None, HEAD_LEN),
        };
        let fault = self.volume.source.fault(offset..offset.saturating_add(len as u64));
        let SourceFault { offset, what } = fault.unwrap_or(SourceFault { offset, what });
        let (being, n) = frame.unzip();
        Ok(Damage { file: self.volume.path.clone(), offset, being, n, what })
    }

    /// The commit that ends right before a place, if one does.
    pub(super) fn commit_before(&mut self, at: u64) -> Result<Option<CommitRecord>, StoreError> {
        let (check, len) = (self.check, HEAD_LEN + COMMIT_LEN);
        let Some(from) = at.checked_sub(len as u64).filter(|&from| from >= self.volume.start) else { return Ok(None) };
        self.at = from;
        Ok(self.bytes(from, len)?.and_then(|bytes| check.commit(bytes)))
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
            // No commit begins with a zero.
            let begins = bytes.windows(len).take(written(bytes));
            let found = begins.enumerate().find_map(|(index, bytes)| Some((index, check.commit(bytes).filter(&wanted)?)));
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
            last = written(bytes).checked_sub(1).map(|index| at + index as u64).or(last);
            at += span as u64;
        }
        Ok(last)
    }
}

/// How many bytes stand before nothing but zeroes. Most of a file that is written has nothing but zeroes, so they are compared as a whole.
fn written(bytes: &[u8]) -> usize {
    const ZEROES: [u8; 4096] = [0; 4096];
    let zeroes: usize = bytes.rchunks(ZEROES.len()).take_while(|chunk| ZEROES.starts_with(chunk)).map(<[u8]>::len).sum();
    let rest = bytes.get(..bytes.len() - zeroes).unwrap_or_default();
    rest.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)
}

/// The fault of a record whose checksum holds.
fn fault(kind: Kind, payload: &[u8]) -> Option<&'static str> {
    match kind {
        Kind::Frame if frame_payload(payload).is_none() => Some("the frame's record has not the form of one"),
        Kind::Blob if blob_payload(payload).is_none_or(|(hash, bytes)| Hash::of(bytes) != hash) => {
            Some("the blob does not hash to its name")
        }
        Kind::Commit if payload.len() != COMMIT_LEN => Some("the commit has not the length of one"),
        Kind::Frame | Kind::Blob | Kind::Commit => None,
    }
}

/// Why a commit is not the next one of a chain.
fn breaks(chain: &CommitChain, record: &CommitRecord) -> Option<&'static str> {
    let commit = &record.commit;
    let follows = (Some(commit.number), record.previous, Some(commit.end_seq))
        == (chain.number.checked_add(1), chain.commit, chain.seq.checked_add(u64::from(commit.frames)));
    (!follows).then_some("the commit does not follow the one before")
}

/// Why a commit cannot have been written when it says that so many others were durable.
fn breaks_acked(chain: Option<&CommitChain>, record: &CommitRecord, is_export: bool) -> Option<&'static str> {
    let (acked, before) = (record.acked, record.commit.number.saturating_sub(1));
    let least = if is_export { before } else { chain.map_or(0, |chain| chain.acked) };
    (!(least..=before).contains(&acked)).then_some("the commit does not say truly which one before it was durable")
}

/// The blob whose record begins where a volume does, if it is there and is the one that is wanted.
pub(super) fn read_blob(volume: Volume<'_>, wanted: &Hash) -> Result<Option<Arc<[u8]>>, StoreError> {
    let at = volume.start;
    let mut reader = GroupReader::new(volume);
    let Some((Kind::Blob, bytes)) = reader.record(at)? else { return Ok(None) };
    let blob = bytes.get(HEAD_LEN..).and_then(blob_payload).map(|(_, bytes)| bytes);
    Ok(blob.filter(|bytes| Hash::of(bytes) == *wanted).map(Arc::from))
}
