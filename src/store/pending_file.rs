//! A file that is being written: beside its place under another name, and put there as a whole or not at all.
//!
//! A writer that is killed on the way leaves the other name behind; the next writer of the same file takes it over. Two writers at once are told
//! apart by a lock, which the operating system frees when its owner ends, however it ends.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::disk::PlainDisk;
use super::replace::{beside, sync_above};

/// A file that is not there yet. If it is dropped before it is settled, nothing is left of it.
#[derive(Debug)]
#[must_use = "a file that is not settled is taken away again"]
pub struct PendingFile {
    file: BufWriter<File>,
    beside: PathBuf,
    path: PathBuf,
}

impl PendingFile {
    /// Begins one whose place is free.
    pub fn begin(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let beside = beside(path);
        let file = File::options().write(true).create(true).truncate(false).open(&beside)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, "another process is writing it"));
            }
            // A file system without locks has no two writers told apart.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        file.set_len(0)?;
        Ok(Self { file: BufWriter::new(file), beside, path: path.to_owned() })
    }

    /// Begins one, writes all of it, and puts it in its place.
    pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut pending = Self::begin(path)?;
        pending.write_all(bytes)?;
        pending.settle()
    }

    /// Puts it in its place, durably; a file that has come there meanwhile stays, and this one goes.
    pub fn settle(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        match fs::hard_link(&self.beside, &self.path) {
            Ok(()) => fs::remove_file(&self.beside)?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
            // A file system without links.
            Err(_) => fs::rename(&self.beside, &self.path)?,
        }
        sync_above(&PlainDisk, &self.path)
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        // The error is reported already; once the file is in place, nothing lies there.
        let _ = fs::remove_file(&self.beside);
    }
}
