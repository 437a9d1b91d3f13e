//! Aside: a world's folder is given another name while nobody else holds it.

use std::path::Path;

use super::error::StoreError;
use super::log::LogStore;
use super::mode::Mode;

/// Gives the folder of a world another name, which nothing has yet; whoever runs or serves it is named instead.
pub fn set_aside(dir: &Path, to: &Path) -> Result<(), StoreError> {
    let held = LogStore::open(dir, Mode::Write)?;
    std::fs::rename(dir, to).map_err(|error| StoreError::io("rename", dir, error))?;
    drop(held);
    Ok(())
}
