//! `lock`: at most one process writes a world; the file holds the owner's pid, for the message to the second one.
//!
//! The operating system frees the lock when its owner ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use super::error::StoreError;

/// Held as long as it lives.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
    /// The folder of the log: locked too, because somebody may take the file away.
    _log: Option<File>,
}

impl Lock {
    /// Takes the lock, or says who holds it.
    pub(super) fn take(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join("lock");
        let wrong = |error| StoreError::io("write", &path, error);
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(wrong)?;
        match try_lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.read_to_string(&mut text);
                return Err(StoreError::Locked { pid: text.trim().parse().ok(), dir: dir.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(wrong(error)),
        }
        let log = File::open(dir.join("log")).ok();
        if let Some(Err(TryLockError::WouldBlock)) = log.as_ref().map(try_lock) {
            return Err(StoreError::Locked { pid: None, dir: dir.to_owned() });
        }
        // The pid is only for the message: a full disk must not keep a world from opening.
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { _file: file, _log: log })
    }

    /// Whether some process holds it now.
    pub(super) fn is_held(dir: &Path) -> bool {
        let file = File::open(dir.join("lock"));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// Tries for a moment: a reader that asks who writes holds the lock as long as it asks.
fn try_lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            done => return done,
        }
    }
    file.try_lock()
}
