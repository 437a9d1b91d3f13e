//! `copies`: what has left the world; and how whatever makes a copy notes it.

use anyhow::Result;
use clap::Args;

use crate::fact::visible;
use crate::store::{CopyList, CopyNote};

use super::door::{Door, Ended};

/// Lists what was copied of this world: exports, bundles, lines, forks, backups, archives
#[derive(Args)]
#[command(after_help = "Example: reelm copies --data /tmp/skateco

Each is noted when it is made, with the name of its file, its size and the BLAKE3 hash by which it is known again. What was copied by other means, such as
`cp`, nobody has noted.")]
pub struct Copies {}

impl Copies {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        door.history()?;
        let CopyList { notes, unreadable } = CopyList::of(&door.data)?;
        if unreadable > 0 {
            door.warn(&format!("{unreadable} lines of `{}` cannot be read; they are left out", door.data.join("copies").display()));
        }
        if door.speech.is_for_programs() || notes.is_empty() {
            door.say(&notes, || "no copy of this world is noted".to_owned())?;
        } else {
            notes.iter().try_for_each(|note| door.say(note, || line(note)))?;
        }
        Ok(Ended::Well)
    }
}

fn line(note: &CopyNote) -> String {
    let CopyNote { at, what, from, to, being, name, hash, size } = note;
    let what = serde_json::to_value(what).unwrap_or_default();
    let being = being.as_ref().map(|being| format!(" of @{being}")).unwrap_or_default();
    let name = name.as_ref().map_or_else(|| "standard output".to_owned(), |name| format!("`{name}`"));
    let bytes = size.map(|size| format!(", {size} bytes")).unwrap_or_default();
    let hash = hash.map(|hash| format!(", {hash}")).unwrap_or_default();
    visible(&format!(
        "{at} {}{being}, frames {from} to {}, to {name}{bytes}{hash}",
        what.as_str().unwrap_or_default(),
        to.saturating_sub(1)
    ))
}

/// Notes a copy that was made. One that cannot be noted is made all the same, and that is said.
pub(super) fn note(door: &Door, note: &CopyNote) {
    if let Err(error) = CopyList::note(&door.data, note) {
        door.warn(&format!("the copy was made and could not be noted: {error}; `reelm copies` will not list it"));
    }
}
