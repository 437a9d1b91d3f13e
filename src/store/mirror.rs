//! Mirror: a copy of a world's directory that goes on with it: the same segments, byte for byte, up to what was durable when it looked.
//!
//! Nothing of the original is changed, and it may be written all the while. All copied bytes are synced. Their reader checks whether they
//! are a history, and cuts off what is none. The index is not copied: it follows from the log.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::beginning;
use super::checkpoints::Checkpoints;
use super::clean;
use super::compress::fill;
use super::contract::Store;
use super::disk::{Disk, PlainDisk};
use super::error::StoreError;
use super::fork::share_beginning;
use super::groups::{ByteSource, Volume};
use super::lock::Lock;
use super::log::LogStore;
use super::owner_file;
use super::pending::{LAST, PendingWorld};
use super::record::{Ending, Position};
use super::replace::{BESIDE, keep, keep_secret};
use super::segment::{self, SegmentForm};

/// How many bytes are copied at once.
const STRIDE: usize = 1 << 20;
/// The files beside the log that are not copied: the lock, the mark of a clean close, the names of cookies, the mark of an owner and the beginning. A copy keeps
/// the frames that its original has archived since.
const OWN: [&str; 5] = ["lock", "clean", "cookies", beginning::NAME, owner_file::NAME];

/// A copy of a world's directory; as long as it is held, nobody else writes it.
pub struct Mirror {
    to: PathBuf,
    _lock: Lock,
}

impl Mirror {
    /// Makes a copy beside a directory that is absent or empty, up to where the original was seen to end.
    pub fn make(original: &LogStore, to: &Path) -> Result<PendingWorld, StoreError> {
        let mut made = PendingWorld::begin(to)?;
        let (from, log) = (&original.log.dir, made.beside().join("log"));
        fs::create_dir(&log).map_err(|error| StoreError::io("create", &log, error))?;
        copy(original, made.beside(), Position::default())?;
        share_beginning(from, made.beside())?;
        made.ending = *original.ending();
        Ok(made)
    }

    /// Goes on with a copy.
    pub fn of(to: &Path) -> Result<Self, StoreError> {
        Ok(Self { to: to.to_owned(), _lock: Lock::take(to)? })
    }

    /// Copies what the original has behind the border at which the copy ends.
    pub fn go_on(&self, original: &LogStore, behind: &Ending) -> Result<(), StoreError> {
        // It is no longer closed where it says.
        clean::remove(&PlainDisk, &self.to)?;
        let (there, here) = (original.log.place_of(behind)?, behind.position);
        if there.segment == here.segment {
            return copy(original, &self.to, here);
        }
        // The original has cut a segment in two. It stays whole here, and gets what stands in the second part.
        self.cut(here)?;
        let mut next = Position { segment: there.segment, offset: 0 };
        if !there.begins_segment() {
            self.lengthen(original, there, here)?;
            next.segment += 1;
        }
        copy(original, &self.to, next)
    }

    /// Goes on with a segment of the copy by what stands behind a place in another one of the original.
    fn lengthen(&self, original: &LogStore, there: Position, here: Position) -> Result<(), StoreError> {
        let path = segment::path(&self.to.join("log"), here.segment, SegmentForm::Plain);
        let log = &original.log;
        let Some(segment) = log.segments.iter().find(|segment| segment.first == there.segment) else { return Ok(()) };
        let Volume { mut source, limit, .. } = log.volume(segment, 0, log.limit(segment), None)?;
        if limit == there.offset {
            return Ok(());
        }
        let lengthened = File::options().write(true).open(&path).and_then(|out| {
            append(&mut *source, there.offset..limit, &out, here.offset)?;
            out.sync_all()
        });
        lengthened.map_err(|error| StoreError::io("write", &path, error))
    }

    /// Takes away what was copied behind a place.
    pub fn cut(&self, behind: Position) -> Result<(), StoreError> {
        let log = self.to.join("log");
        for first in segment::list(&PlainDisk, &log)?.into_iter().filter(|first| *first >= behind.segment) {
            let plain = segment::path(&log, first, SegmentForm::Plain);
            let done = if first == behind.segment {
                // One that is compressed ends where it did.
                if !plain.exists() {
                    continue;
                }
                File::options().write(true).open(&plain).and_then(|file| file.set_len(behind.offset).and_then(|()| file.sync_all()))
            } else {
                fs::remove_file(&plain).or_else(|_| fs::remove_file(segment::path(&log, first, SegmentForm::Compressed)))
            };
            done.map_err(|error| StoreError::io("write", &plain, error))?;
        }
        PlainDisk.sync_dir(&log).map_err(|error| StoreError::io("sync", &log, error))
    }
}

fn copy(original: &LogStore, to: &Path, behind: Position) -> Result<(), StoreError> {
    let (from, till) = (&original.log.dir, original.log.ending.position);
    for first in segment::list_from(&PlainDisk, &original.log.log_dir(), original.begins())? {
        if (behind.segment..=till.segment).contains(&first) {
            let start = if first == behind.segment { behind.offset } else { 0 };
            copy_segment(from, to, first, start, (first == till.segment).then_some(till.offset))?;
        }
    }
    let log = to.join("log");
    PlainDisk.sync_dir(&log).map_err(|error| StoreError::io("sync", &log, error))?;
    Checkpoints::of(from).share(to, original.log.ending.seq);
    copy_small(from, to)
}

/// Copies a segment from a byte on, up to another one or to its end; one that was compressed meanwhile as a whole.
fn copy_segment(from: &Path, to: &Path, first: u64, start: u64, end: Option<u64>) -> Result<(), StoreError> {
    let (from, to) = (from.join("log"), to.join("log"));
    let [plain, compressed] = SegmentForm::ALL.map(|form| segment::path(&to, first, form));
    if compressed.exists() {
        return Ok(());
    }
    let (found, mut file) = segment::open(&PlainDisk, &from, first)?;
    let mut copied = || match found.form {
        SegmentForm::Plain => {
            let out = File::options().write(true).create(true).truncate(false).open(&plain)?;
            let end = end.map_or_else(|| file.len(), Ok)?;
            append(&mut file, start..end, &out, start)?;
            // A copy that was cut off may have more.
            out.set_len(end)?;
            out.sync_all()
        }
        SegmentForm::Compressed => {
            keep(&compressed, &fs::read(&found.path)?)?;
            if plain.exists() { fs::remove_file(&plain) } else { Ok(()) }
        }
    };
    copied().map_err(|error| StoreError::io("copy", &found.path, error))
}

/// Copies bytes of a segment to a place in a file.
fn append(source: &mut dyn ByteSource, bytes: Range<u64>, to: &File, place: u64) -> io::Result<()> {
    let (mut at, mut room) = (bytes.start, vec![0; STRIDE]);
    while at < bytes.end {
        let len = usize::try_from(bytes.end - at).unwrap_or(STRIDE).min(STRIDE);
        let part = room.get_mut(..len).unwrap_or_default();
        if fill(source, at, part)? < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        to.write_all_at(part, place + (at - bytes.start))?;
        at += len as u64;
    }
    Ok(())
}

/// Copies the files that lie beside the log where they are other than before.
fn copy_small(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut names = PlainDisk.names(from).map_err(|error| StoreError::io("read", from, error))?;
    names.retain(|name| !OWN.contains(&name.as_str()) && !name.ends_with(BESIDE));
    // Without it nothing is a world.
    names.sort_by_key(|name| name == LAST);
    for name in names {
        let (there, here) = (from.join(&name), to.join(&name));
        let is_file = fs::metadata(&there).is_ok_and(|found| found.is_file());
        // A file that vanishes meanwhile is skipped.
        let Some(bytes) = is_file.then(|| fs::read(&there).ok()).flatten().filter(|bytes| fs::read(&here).ok().as_ref() != Some(bytes))
        else {
            continue;
        };
        // Any of these files may be secret: only the owner of the copy may read it.
        keep_secret(&here, &bytes).map_err(|error| StoreError::io("write", &here, error))?;
    }
    Ok(())
}
