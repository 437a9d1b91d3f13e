//! A world's directory that is being made: written beside its place, and put there as a whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::disk::{Disk, PlainDisk};
use super::error::StoreError;
use super::record::Ending;

/// Moved last: a directory without it is no world.
pub(super) const LAST: &str = "world.toml";

/// A world that is made of an export or of another world, and does not stand at its place yet; if it is dropped, nothing is left of it.
#[must_use = "a world that is not settled is taken away again"]
pub struct PendingWorld {
    beside: PathBuf,
    dir: PathBuf,
    /// Whether the directory was there, empty: it may be another file system's, and stays.
    was_there: bool,
    pub(super) ending: Ending,
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

impl PendingWorld {
    /// Begins one beside a directory that is absent or empty.
    pub(super) fn begin(dir: &Path) -> Result<Self, StoreError> {
        let was_there = is_empty(dir)?;
        let dir = std::path::absolute(dir).map_err(|error| StoreError::io("find", dir, error))?;
        let mut name = OsString::from(".");
        name.push(dir.file_name().filter(|_| !was_there).unwrap_or_default());
        name.push(format!(".made-{}", std::process::id()));
        let beside = if was_there { dir.join(name) } else { dir.with_file_name(name) };
        fs::create_dir_all(&beside).map_err(|error| StoreError::io("create", &beside, error))?;
        // All that was ever said and done lies there, past every role: it is for its owner.
        let _ = fs::set_permissions(&beside, fs::Permissions::from_mode(0o700));
        Ok(Self { beside, dir, was_there, ending: Ending::default() })
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
