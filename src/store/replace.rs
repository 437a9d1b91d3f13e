//! Replace: a file is put in its place as a whole or not at all, whatever cuts it off: the one place where that is done.
//!
//! It is written beside its place under another name, made durable, renamed, and then the directory is made durable.

use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, PlainDisk};
use super::error::StoreError;

/// The suffix of the temporary file that is written beside its place.
pub(super) const BESIDE: &str = ".new";

/// The guarantees for a file that is put in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It is durable once it is written.
    Durable,
    /// And nobody but its owner may read it, not even while it is written.
    Secret,
    /// It is a cache, and nobody waits for the disk: whoever reads it looks whether it is whole.
    Cache,
}

/// Where a file is written before it is put in its place.
pub fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(BESIDE);
    PathBuf::from(beside)
}

/// Makes the names in a file's directory durable; a bare name lies where the process stands.
pub(super) fn sync_above(disk: &dyn Disk, path: &Path) -> io::Result<()> {
    disk.sync_dir(path.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Puts a file in place; where that fails, the old one stays, and nothing lies beside it.
pub fn replace(disk: &dyn Disk, path: &Path, bytes: &[u8], keep: Keep) -> io::Result<()> {
    let beside = beside(path);
    let put = put(disk, &beside, path, bytes, keep);
    if put.is_err() {
        // The error is returned below.
        let _ = disk.remove(&beside);
    }
    put
}

fn put(disk: &dyn Disk, beside: &Path, path: &Path, bytes: &[u8], keep: Keep) -> io::Result<()> {
    let file = if keep == Keep::Secret { disk.create_secret(beside)? } else { disk.create(beside)? };
    file.write_at(0, bytes)?;
    if keep == Keep::Cache {
        return disk.rename(beside, path);
    }
    file.sync()?;
    disk.rename(beside, path)?;
    sync_above(disk, path)
}

/// Takes a file away, where there is one; whether there was.
pub(super) fn take_away(disk: &dyn Disk, path: &Path) -> Result<bool, StoreError> {
    match disk.remove(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        removed => removed.map(|()| true).map_err(|error| StoreError::io("remove", path, error)),
    }
}

/// Puts a file in place.
pub fn keep(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(&PlainDisk, path, bytes, Keep::Durable)
}

/// Puts a file in place that only its owner may read.
pub fn keep_secret(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(&PlainDisk, path, bytes, Keep::Secret)
}
