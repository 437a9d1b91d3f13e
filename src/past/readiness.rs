//! Readiness: which of a world's caches this program would write anew when it first opens the world.

use std::path::Path;

use serde::Serialize;

use crate::store::{Checkpoints, Store, index_is_stale};

use super::history::History;
use super::rung::PageList;

/// A cache that is written anew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rewritten {
    /// Which.
    pub what: &'static str,
    /// How many files of it are of no use any more.
    pub files: usize,
    /// Why.
    pub why: &'static str,
}

impl History {
    /// The caches of the world in a directory that this program would write anew.
    pub fn rewritten(&self, dir: &Path) -> Vec<Rewritten> {
        let checkpoints = Checkpoints::of(dir);
        let is_other = |bytes: &Vec<u8>| PageList::claimed(bytes).is_none_or(|(format, _)| !PageList::reads(format));
        let files = checkpoints.rungs().into_iter().filter_map(|name| checkpoints.rung(name)).filter(is_other).count();
        let rungs =
            Rewritten { what: "checkpoints", files, why: "another version of this program wrote them; new ones come as the world runs" };
        let index = Rewritten { what: "index", files: 1, why: "it was not closed together with the log as it is now" };
        let is_stale = index_is_stale(dir, self.store.ending());
        [(files > 0).then_some(rungs), is_stale.then_some(index)].into_iter().flatten().collect()
    }
}
