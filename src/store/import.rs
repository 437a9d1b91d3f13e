//! A world's directory made of an export: written beside its place, and put there as a whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::contract::Store;
use super::disk::{Disk, PlainDisk};
use super::error::StoreError;
use super::export::{StreamStore, for_each_group};
use super::log::LogStore;
use super::mode::Options;
use super::record::Ending;

/// How many bytes an import gathers before it makes them durable.
const BATCH_BYTES: usize = 8 << 20;
/// Moved last: a directory without it is no world.
const LAST: &str = "world.toml";

/// A world that was read from an export and does not stand at its place yet; if it is dropped, nothing is left of it.
#[must_use = "an import that is not settled is taken away again"]
pub struct PendingImport {
    beside: PathBuf,
    dir: PathBuf,
    /// Whether the directory was there, empty: it may be another file system's, and stays.
    was_there: bool,
    ending: Ending,
}

/// Writes an export's groups, each checked, beside a directory that is absent or empty. Signatures are the caller's to check before.
pub fn import(export: &StreamStore, dir: &Path) -> Result<PendingImport, StoreError> {
    // Much is written between two syncs; what is closed on the way is compressed once the world is opened.
    import_with(export, dir, Options { index: false, ahead_bytes: 0, compress_after: None, ..Options::default() })
}

/// The same, into a log that is kept in some other way.
pub(super) fn import_with(export: &StreamStore, dir: &Path, options: Options) -> Result<PendingImport, StoreError> {
    let was_there = is_empty(dir)?;
    let dir = std::path::absolute(dir).map_err(|error| StoreError::io("find", dir, error))?;
    let mut name = OsString::from(".");
    name.push(dir.file_name().filter(|_| !was_there).unwrap_or_default());
    name.push(format!(".import-{}", std::process::id()));
    let beside = if was_there { dir.join(name) } else { dir.with_file_name(name) };
    let mut made = PendingImport { beside, dir, was_there, ending: *export.ending() };
    fs::create_dir_all(&made.beside).map_err(|error| StoreError::io("create", &made.beside, error))?;
    // All that was ever said and done lies there, past every role: it is for its owner.
    let _ = fs::set_permissions(&made.beside, fs::Permissions::from_mode(0o700));
    made.ending = fill(export, &made.beside, options)?;
    Ok(made)
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

fn fill(export: &StreamStore, dir: &Path, options: Options) -> Result<Ending, StoreError> {
    let mut store = LogStore::begin(dir, export.world_file(), options)?;
    let (mut batch, mut size) = (Vec::new(), 0);
    for_each_group(export.read(0)?, |group, bytes| {
        batch.push(group);
        size += bytes;
        if size < BATCH_BYTES {
            return Ok(());
        }
        size = 0;
        store.append(store.ending().seq, &std::mem::take(&mut batch))
    })?;
    store.append(store.ending().seq, &batch)?;
    let ending = *store.ending();
    if let Some(clock) = export.clock() {
        clock.save(dir)?;
    }
    store.finish()?;
    Ok(ending)
}

impl PendingImport {
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

impl Drop for PendingImport {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.beside);
    }
}
