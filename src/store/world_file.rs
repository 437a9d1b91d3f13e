//! `world.toml`: which world a directory holds; written once, when the world is made, and last.
//!
//! A directory without it is no world: a world half made by a crash can be made again.

use std::cmp::Ordering;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::fact::WorldId;

use super::clock::ClockFile;
use super::disk::{Disk, PlainDisk, read_all};
use super::error::StoreError;
use super::layout::FORMAT;
use super::replace::{Keep, replace};
use super::small_file;

/// What is fixed about a world when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorldFile {
    /// The format of the world's files.
    pub format: u32,
    /// The world's id.
    pub world: WorldId,
    /// The public key of `@world`, as hex digits.
    pub root_key: String,
    /// Whether its keys come from its seed, so that seals prove order and not authorship.
    pub simulated: bool,
    /// What people call it.
    pub name: String,
}

/// What stands in the file, or before the groups of an export.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Front {
    format: u32,
    world: WorldId,
    root_key: String,
    simulated: bool,
    name: String,
    clock: Option<ClockFile>,
}

impl WorldFile {
    /// What the `world.toml` in a directory says.
    pub fn of(dir: &Path) -> Result<Self, StoreError> {
        Self::read(&PlainDisk, dir)
    }

    /// The text of the file; in an export, a line with the clock stands behind it.
    pub(super) fn to_text(&self, clock: Option<&ClockFile>) -> Result<String, StoreError> {
        let text = toml::to_string(self).map_err(|error| StoreError::BadFile { file: "world.toml".into(), what: error.to_string() })?;
        Ok(small_file::close(text + clock.map(ClockFile::line).unwrap_or_default().as_str()))
    }

    /// What the text says: in an export, of its clock too.
    pub(super) fn from_bytes(bytes: &[u8], file: &Path) -> Result<(Self, Option<ClockFile>), StoreError> {
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        let bad = |what: String| StoreError::BadFile { file: file.to_owned(), what };
        // The format first: another one may have other fields, and another closing line.
        if let Some(Format { format }) = std::str::from_utf8(bytes).ok().and_then(|text| toml::from_str(text).ok()) {
            is_known(format, file)?;
        }
        let text = small_file::open(bytes).map_err(bad)?;
        let Front { format, world, root_key, simulated, name, clock } = toml::from_str(text).map_err(|error| bad(error.to_string()))?;
        clock.iter().try_for_each(ClockFile::check).map_err(bad)?;
        let world = Self { format, world, root_key, simulated, name };
        small_file::in_form(bytes, &world.to_text(clock.as_ref())?).map_err(bad)?;
        Ok((world, clock))
    }

    pub(super) fn write(&self, disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
        let path = dir.join("world.toml");
        replace(disk, &path, self.to_text(None)?.as_bytes(), Keep::Durable).map_err(|error| StoreError::io("write", &path, error))
    }

    pub(super) fn read(disk: &dyn Disk, dir: &Path) -> Result<Self, StoreError> {
        if !disk.is_dir(dir) {
            return Err(StoreError::NoDirectory { dir: dir.to_owned() });
        }
        let path = dir.join("world.toml");
        match read_all(disk, &path) {
            Ok(bytes) => match Self::from_bytes(&bytes, &path)? {
                (world, None) => Ok(world),
                (_, Some(_)) => Err(StoreError::BadFile { file: path, what: "only an export has its clock in it".to_owned() }),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(StoreError::NotAWorld { dir: dir.to_owned() }),
            Err(error) => Err(StoreError::io("read", &path, error)),
        }
    }
}

/// Only one format is read.
fn is_known(found: u32, file: &Path) -> Result<(), StoreError> {
    let file = file.to_owned();
    match found.cmp(&FORMAT) {
        Ordering::Less => Err(StoreError::FormerFormat { file, found, known: FORMAT }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(StoreError::NewerFormat { file, found, known: FORMAT }),
    }
}
