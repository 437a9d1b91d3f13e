//! `index/known`: the last commit that was acknowledged, noted behind each sync: what a killed process leaves in place of the mark of a clean close.
//!
//! It is a cache like all of the index, and written without a sync of its own. It is never ahead of what is durable; where it is missing or
//! does not check, nothing is known.
//!
//! ```text
//! number u64 | commit 32 | crc u32
//! ```

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::fact::{Hash, WorldId};

use super::clean::Clean;
use super::error::StoreError;
use super::layout::{CommitChain, array};

const LEN: usize = 44;

/// Where the last acknowledged commit is noted.
pub(super) struct Known {
    file: File,
    world: WorldId,
}

impl Known {
    /// Opens the note, or none where it cannot be written: a world opens all the same.
    pub(super) fn open(dir: &Path, world: WorldId) -> Option<Self> {
        Some(Self { file: create(&path(dir)).ok()?, world })
    }

    /// Notes where the chain stands, which is durable.
    pub(super) fn note(&self, chain: &CommitChain) {
        // A note that is not taken costs what it would have told after a crash.
        let _ = self.file.write_all_at(&bytes(self.world, chain.number, chain.commit), 0);
    }
}

/// Reads the last note.
pub(super) fn read(dir: &Path, world: WorldId) -> Option<Clean> {
    let found = std::fs::read(path(dir)).ok()?;
    let noted = Clean { number: u64::from_le_bytes(array(&found, 0)?), commit: Hash(array(&found, 8)?) };
    (found == bytes(world, noted.number, noted.commit)).then_some(noted)
}

/// Notes, durably, what the mark of a clean close says, before that mark is taken away.
pub(super) fn keep(dir: &Path, world: WorldId, clean: Option<&Clean>) -> Result<(), StoreError> {
    let Some(clean) = clean else { return Ok(()) };
    let path = path(dir);
    let kept = create(&path).and_then(|mut file| {
        file.write_all(&bytes(world, clean.number, clean.commit))?;
        file.sync_all()
    });
    kept.map_err(|error| StoreError::io("write", &path, error))
}

fn create(path: &Path) -> io::Result<File> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn bytes(world: WorldId, number: u64, commit: Hash) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(LEN);
    bytes.extend_from_slice(&number.to_le_bytes());
    bytes.extend_from_slice(&commit.0);
    let mut crc = crc32fast::Hasher::new();
    crc.update(&world.0);
    crc.update(&bytes);
    bytes.extend_from_slice(&crc.finalize().to_le_bytes());
    bytes
}

fn path(dir: &Path) -> PathBuf {
    dir.join("index").join("known")
}
