//! Laddered: the ladder and the words of a history that was written elsewhere, as they would have come about beside its writing.

use std::path::Path;

use crate::fact::Master;
use crate::store::{Keystore, WorldFile};

use super::history::History;
use super::load::LoadError;
use super::mending::Mending;

/// Writes them beside the log in a directory; how many rungs there are then. Without any key there is none.
pub fn build_ladder(dir: &Path) -> Result<usize, LoadError> {
    let own = Keystore::of(dir, &WorldFile::of(dir)?).ok().map(|keystore| Master::new(*keystore.master));
    let mut mending = Mending::anew(dir, own)?;
    while mending.step()? {}
    let history = History::of(dir)?;
    history.keep_newest_words()?;
    Ok(history.checkpoints().len())
}
