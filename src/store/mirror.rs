//! Mirror: a copy of a world's directory that goes on with it: the same segments, byte for byte, up to what was durable when it looked.
//!
//! Nothing of the original is changed, and it may be written all the while. What is copied is synced; whether it is a history, its reader says,
//! and cuts off what is none. The index is not copied: it follows from the log.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::beginning;
use super::checkpoints::Checkpoints;
use super::clean;
use super::disk::{Disk, PlainDisk};
use super::error::StoreError;
use super::fork::share_beginning;
use super::lock::Lock;
use super::pending::{LAST, PendingWorld};
use super::record::{Ending, Position};
use super::replace::{BESIDE, keep, keep_secret};
use super::segment::{self, SegmentForm};

/// How many bytes are copied at once.
const STRIDE: usize = 1 << 20;
/// What lies beside the log and stays where it is: who writes there, how the log was closed last, what its cookies are called, and with what it
/// begins: a copy keeps what its original has archived since.
const OWN: [&str; 4] = ["lock", "clean", "cookies", beginning::NAME];

/// A copy of a world's directory; as long as it is held, nobody else writes it.
pub struct Mirror {
    from: PathBuf,
    to: PathBuf,
    _lock: Lock,
}

impl Mirror {
    /// Makes a copy beside a directory that is absent or empty, up to a place in the original's log.
    pub fn make(from: &Path, to: &Path, ending: &Ending) -> Result<PendingWorld, StoreError> {
        let mut made = PendingWorld::begin(to)?;
        let log = made.beside().join("log");
        fs::create_dir(&log).map_err(|error| StoreError::io("create", &log, error))?;
        copy(from, made.beside(), Position::default(), ending)?;
        share_beginning(from, made.beside())?;
        made.ending = *ending;
        Ok(made)
    }

    /// Goes on with a copy.
    pub fn of(from: &Path, to: &Path) -> Result<Self, StoreError> {
        Ok(Self { from: from.to_owned(), to: to.to_owned(), _lock: Lock::take(to)? })
    }

    /// Copies what the original has behind a place, up to another one.
    pub fn go_on(&self, behind: Position, ending: &Ending) -> Result<(), StoreError> {
        // It is no longer closed where it says.
        clean::remove(&PlainDisk, &self.to)?;
        copy(&self.from, &self.to, behind, ending)
    }

    /// Takes away what was copied behind a place.
    pub fn cut(&self, behind: Position) -> Result<(), StoreError> {
        let log = self.to.join("log");
        for first in segment::list(&PlainDisk, &log)?.into_iter().filter(|first| *first >= behind.segment) {
            let plain = segment::path(&log, first, SegmentForm::Plain);
            let done = if first == behind.segment {
                File::options().write(true).open(&plain).and_then(|file| file.set_len(behind.offset).and_then(|()| file.sync_all()))
            } else {
                fs::remove_file(&plain).or_else(|_| fs::remove_file(segment::path(&log, first, SegmentForm::Compressed)))
            };
            done.map_err(|error| StoreError::io("write", &plain, error))?;
        }
        PlainDisk.sync_dir(&log).map_err(|error| StoreError::io("sync", &log, error))
    }
}

fn copy(from: &Path, to: &Path, behind: Position, ending: &Ending) -> Result<(), StoreError> {
    let till = ending.position;
    for first in segment::list(&PlainDisk, &from.join("log"))? {
        if (behind.segment..=till.segment).contains(&first) {
            let start = if first == behind.segment { behind.offset } else { 0 };
            copy_segment(from, to, first, start, (first == till.segment).then_some(till.offset))?;
        }
    }
    let log = to.join("log");
    PlainDisk.sync_dir(&log).map_err(|error| StoreError::io("sync", &log, error))?;
    Checkpoints::of(from).share(to, ending.seq);
    copy_small(from, to)
}

/// Copies a segment from a byte on, up to another one or to its end; one that was compressed meanwhile as a whole.
fn copy_segment(from: &Path, to: &Path, first: u64, start: u64, end: Option<u64>) -> Result<(), StoreError> {
    let (from, to) = (from.join("log"), to.join("log"));
    let compressed = segment::path(&to, first, SegmentForm::Compressed);
    if compressed.exists() {
        return Ok(());
    }
    let (found, _) = segment::open(&PlainDisk, &from, first)?;
    let copied = match found.form {
        SegmentForm::Plain => append(&found.path, &segment::path(&to, first, SegmentForm::Plain), start, end),
        SegmentForm::Compressed => fs::read(&found.path).and_then(|bytes| {
            keep(&compressed, &bytes)?;
            let plain = segment::path(&to, first, SegmentForm::Plain);
            if plain.exists() { fs::remove_file(&plain) } else { Ok(()) }
        }),
    };
    copied.map_err(|error| StoreError::io("copy", &found.path, error))
}

/// Copies a file from a byte on, durably; up to a byte, if one is given.
fn append(from: &Path, to: &Path, start: u64, end: Option<u64>) -> io::Result<()> {
    let (source, out) = (File::open(from)?, File::options().write(true).create(true).truncate(false).open(to)?);
    let end = end.map_or_else(|| source.metadata().map(|found| found.len()), Ok)?;
    let mut bytes = vec![0; STRIDE];
    let mut at = start;
    while at < end {
        let len = usize::try_from(end - at).unwrap_or(STRIDE).min(STRIDE);
        let part = bytes.get_mut(..len).unwrap_or_default();
        source.read_exact_at(part, at)?;
        out.write_all_at(part, at)?;
        at += len as u64;
    }
    // A copy that was cut off may have more.
    out.set_len(end)?;
    out.sync_all()
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
        // What is gone while we look is gone.
        let Some(bytes) = is_file.then(|| fs::read(&there).ok()).flatten().filter(|bytes| fs::read(&here).ok().as_ref() != Some(bytes))
        else {
            continue;
        };
        // Whatever it is, it is for the owner of the copy alone.
        keep_secret(&here, &bytes).map_err(|error| StoreError::io("write", &here, error))?;
    }
    Ok(())
}
