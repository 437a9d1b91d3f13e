//! `archive`: the old history of a world is moved out into a file, under a signed checkpoint from which the world goes on.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::past::{Point, archive};
use crate::store::{ArchiveName, CopyKind, CopyNote};

use super::copies::note;
use super::door::{Door, Ended};

/// Moves the history before a point out into a file
#[derive(Args)]
#[command(after_help = "Example: reelm archive 2026.archive --before 2026-03-02

The history up to the last commit at the point or before it is moved; what lies behind stays in the log. The file is written, synced and read
back before anything is removed. Where the command is cut off, the same one does the rest. The world must not be running, and its keys must be
there: @world signs the checkpoint. Keep the file: `reelm import FILE` brings it back, reads of a point in it say which file to import, and
without it what was in it is gone.")]
pub struct Archive {
    /// The file, which must not be there yet
    file: PathBuf,
    /// Where the history ends that is moved: 120, @ada/7, @ada/7+, 2026-03-02T09:00, ~10m, now
    #[arg(long, value_name = "POINT")]
    before: Point,
}

impl Archive {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let before = door.history()?.seq_of(&self.before)?;
        let archived = archive(&door.data, before, &self.file)?;
        let ArchiveName { from, to, hash, size, .. } = &archived;
        note(door, &CopyNote::now(CopyKind::Archive, *from, *to).to_path(&self.file).of_bytes((*hash, *size)));
        door.say(&archived, || {
            let earlier = if *to == before { String::new() } else { format!(", where the last commit before {before} ends") };
            format!(
                "archived frames {from} to {} in `{}`{earlier}: {size} bytes, BLAKE3 {hash}\nthe log begins with frame {to} now",
                to.saturating_sub(1),
                self.file.display()
            )
        })?;
        Ok(Ended::Well)
    }
}
