//! `clean`: the mark of a clean close, with the last commit in it; gone while the world is open for writing.
//!
//! A tail that does not check looks the same whether a write was torn or a bit flipped later. With this mark it is a flipped bit.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::fact::Hash;

use super::disk::{Disk, read_all};
use super::error::StoreError;
use super::layout::CommitChain;
use super::replace::{Keep, replace, take_away};
use super::small_file;

const NAME: &str = "clean";

/// The last commit at the close.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Clean {
    pub number: u64,
    pub commit: Hash,
}

impl Clean {
    /// Whether a history that ends so is the one that was closed.
    pub(super) fn fits(&self, chain: &CommitChain) -> bool {
        (self.number, self.commit) == (chain.number, chain.commit)
    }

    fn to_text(&self, path: &Path) -> Result<String, StoreError> {
        // A number above i64 cannot be written as TOML, and is not reached by counting.
        let text = toml::to_string(self).map_err(|error| StoreError::BadFile { file: path.to_owned(), what: error.to_string() })?;
        Ok(small_file::close(text))
    }
}

/// Reads the mark, if there is one. It is replaced as a whole, so one that does not check is damaged.
pub(super) fn read(disk: &dyn Disk, dir: &Path) -> Result<Option<Clean>, StoreError> {
    let path = dir.join(NAME);
    let bytes = match read_all(disk, &path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| StoreError::io("read", &path, error))?,
    };
    let bad = |what: String| StoreError::BadFile { file: path.clone(), what: format!("{what}, so nothing says where the history ended") };
    let text = small_file::open(&bytes).map_err(bad)?;
    let clean: Clean = toml::from_str(text).map_err(|error| bad(error.to_string()))?;
    small_file::in_form(&bytes, &clean.to_text(&path)?).map_err(bad)?;
    Ok(Some(clean))
}

/// Sets the mark.
pub(super) fn write(disk: &dyn Disk, dir: &Path, chain: &CommitChain) -> Result<(), StoreError> {
    let path = dir.join(NAME);
    let text = Clean { number: chain.number, commit: chain.commit }.to_text(&path)?;
    replace(disk, &path, text.as_bytes(), Keep::Durable).map_err(|error| StoreError::io("write", &path, error))
}

/// Takes the mark away, durably, before anything else is written.
pub(super) fn remove(disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
    match take_away(disk, &dir.join(NAME))? {
        true => disk.sync_dir(dir).map_err(|error| StoreError::io("sync", dir, error)),
        false => Ok(()),
    }
}
