//! `anchor`: what is kept elsewhere of a history, so that nobody writes it anew unseen, not even with all its keys.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;

use crate::fact::Seq;
use crate::past::hold_against;
use crate::reel::Anchor as Anchored;
use crate::store::{PendingFile, Store};

use super::door::{Door, Ended};

/// Writes what identifies this history, to be kept elsewhere
#[derive(Args)]
#[command(after_help = "Example: reelm anchor /media/stick/town.anchor

`reelm verify --anchor FILE` then says whether the history still begins as it did, and where not. An anchor holds no secret. It helps
only where whoever could rewrite the world cannot rewrite the anchor.")]
pub struct Anchor {
    /// The file, which must not be there yet
    file: PathBuf,
}

impl Anchor {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let anchor = door.history()?.anchor()?;
        anchor.check().context("the history does not hold; `reelm verify` says where")?;
        let cannot = || format!("cannot write `{}`; choose a name that is not there yet", self.file.display());
        let text = serde_json::to_string(&anchor)?;
        PendingFile::write(&self.file, format!("{text}\n").as_bytes()).with_context(cannot)?;
        door.say(&json!({ "file": self.file, "seq": anchor.seq, "head": anchor.head }), || {
            format!("anchored all frames below #{} in `{}`\nhead {}", anchor.seq, self.file.display(), anchor.head)
        })?;
        Ok(Ended::Well)
    }
}

/// Holds a history against the anchor in a file: how many of its frames are those that were anchored, or none, and what differs is said.
pub(super) fn check_anchor(door: &Door, file: &Path, store: &dyn Store) -> Result<Option<Seq>> {
    let name = file.display();
    let bytes = std::fs::read(file).with_context(|| format!("cannot read `{name}`"))?;
    let anchor: Anchored =
        serde_json::from_slice(&bytes).with_context(|| format!("`{name}` is no anchor; `reelm anchor FILE` writes one"))?;
    let Err(error) = hold_against(store, &anchor) else { return Ok(Some(anchor.seq)) };
    door.say(&json!({ "anchor": file, "seq": anchor.seq, "error": error.to_string() }), || format!("`{name}`: {error}"))?;
    Ok(None)
}
