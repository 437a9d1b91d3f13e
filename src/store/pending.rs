//! A world's directory that is being made: written beside its place, and put there as a whole or not at all.
//!
//! Its maker holds a lock on the folder. A maker that is killed leaves the folder without a lock, so the next
//! maker of the same world removes it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::disk::{Disk, PlainDisk};
use super::error::StoreError;
use super::record::Ending;

/// Moved last: a directory without it is no world.
pub(super) const LAST: &str = "world.toml";

/// Behind the name of a folder in which a world is being made, before the number of the process.
const MADE: &str = ".made-";

/// A world that is made of an export or of another world, and does not stand at its place yet; if it is dropped, nothing is left of it.
#[must_use = "a world that is not settled is taken away again"]
pub struct PendingWorld {
    beside: PathBuf,
    dir: PathBuf,
    /// Whether the directory was there, empty: it may be another file system's, and stays.
    was_there: bool,
    pub(super) ending: Ending,
    /// Held as long as it is made; a file system may have no locks.
    _lock: Option<File>,
}

/// Whether the directory is there with nothing in it; an error if there is anything.
fn is_empty(dir: &Path) -> Result<bool, StoreError> {
    match fs::read_dir(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StoreError::io("read", dir, error)),
        Ok(mut entries) => match entries.next() {
            Some(Ok(found)) => Err(StoreError::NotEmpty { dir: dir.to_owned(), found: found.file_name().to_string_lossy().into_owned() }),
            Some(Err(error)) => Err(StoreError::io("read", dir, error)),
            None => Ok(true),
        },
    }
}

/// Whether a folder is one in which a world is made: of which name, the rest says.
fn made(name: &str) -> Option<&str> {
    let (whose, process) = name.strip_prefix('.')?.rsplit_once(MADE)?;
    (!process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit())).then_some(whose)
}

/// Whether a folder is one in which the world of a directory is made.
fn is_of(name: &OsStr, dir: &Path) -> bool {
    dir.file_name().is_some_and(|own| name.to_str().and_then(made) == own.to_str())
}

/// The folders in which a world was being made by somebody who has ended: in a directory, and in the one around it.
pub fn half_made(dir: &Path) -> Vec<PathBuf> {
    let inside = fs::read_dir(dir).into_iter().flatten().flatten().filter(|entry| entry.file_name().to_str().and_then(made) == Some(""));
    let around = dir.parent().map(fs::read_dir).into_iter().flatten().flatten().flatten();
    let around = around.filter(|entry| entry.file_name().to_str().and_then(made).is_some_and(|whose| !whose.is_empty()));
    let mut found: Vec<PathBuf> = inside.chain(around).map(|entry| entry.path()).filter(|path| path.is_dir() && !is_held(path)).collect();
    found.sort();
    found
}

/// Whether its maker still lives.
fn is_held(folder: &Path) -> bool {
    File::open(folder).is_ok_and(|folder| matches!(folder.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

impl PendingWorld {
    /// Begins one beside a directory that is absent or empty.
    pub(super) fn begin(dir: &Path) -> Result<Self, StoreError> {
        let said = dir;
        let dir = std::path::absolute(said).map_err(|error| StoreError::io("find", said, error))?;
        for left in
            half_made(&dir).into_iter().filter(|left| left.parent() == Some(&dir) || left.file_name().is_some_and(|name| is_of(name, &dir)))
        {
            fs::remove_dir_all(&left).map_err(|error| StoreError::io("remove", &left, error))?;
        }
        let was_there = is_empty(said)?;
        let mut name = OsString::from(".");
        name.push(dir.file_name().filter(|_| !was_there).unwrap_or_default());
        name.push(format!("{MADE}{}", std::process::id()));
        let beside = if was_there { dir.join(name) } else { dir.with_file_name(name) };
        fs::create_dir_all(&beside).map_err(|error| StoreError::io("create", &beside, error))?;
        // All that was ever said and done lies there, past every role: it is for its owner.
        let _ = fs::set_permissions(&beside, fs::Permissions::from_mode(0o700));
        let lock = File::open(&beside).ok().filter(|folder| folder.try_lock().is_ok());
        Ok(Self { beside, dir, was_there, ending: Ending::default(), _lock: lock })
    }

    /// Where it lies for now: what belongs to it can be put there, too.
    pub fn beside(&self) -> &Path {
        &self.beside
    }

    /// Puts the world at its place.
    pub fn settle(self) -> Result<Ending, StoreError> {
        let moved = || {
            if !self.was_there {
                PlainDisk.rename(&self.beside, &self.dir)?;
                return self.dir.parent().map_or(Ok(()), |above| PlainDisk.sync_dir(above));
            }
            fs::set_permissions(&self.dir, fs::Permissions::from_mode(0o700))?;
            let names = PlainDisk.names(&self.beside)?;
            for name in names.iter().filter(|name| *name != LAST).map(String::as_str).chain([LAST]) {
                PlainDisk.rename(&self.beside.join(name), &self.dir.join(name))?;
            }
            PlainDisk.sync_dir(&self.dir)
        };
        moved().map_err(|error| StoreError::io("create", &self.dir, error))?;
        Ok(self.ending)
    }
}

impl Drop for PendingWorld {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.beside);
    }
}
