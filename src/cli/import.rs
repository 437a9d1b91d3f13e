//! `import`: a world's directory from an export of it, or the old history of a world from an archive.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::past::{bring_back, build_ladder};
use crate::replay::{Thread, replay};
use crate::store::{ArchiveFile, ArchiveName, Store, StreamStore, import};

use super::door::{Door, Ended};
use super::progress::Progress;

/// Makes a world's directory from an export, or brings an archive back
#[derive(Args)]
#[command(after_help = "Example: reelm import skateco.reelm --data /tmp/copy
         reelm import 2026.archive --data world    (as `reelm archive` wrote it)

An archive goes back into the world that it was taken from, newest first; every frame of it is checked before anything is changed.")]
pub struct Import {
    /// The file to read
    file: PathBuf,
}

impl Import {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if ArchiveFile::of(&self.file)?.is_some() {
            return self.bring_back(door);
        }
        let export = StreamStore::open(&self.file)?;
        let world = export.world_file();
        // Every signature and seal first: what is refused is named in the file that was given, and nothing of it is written.
        let progress = Progress::of(export.ending().seq, "checking", "frames");
        replay(&export, world.world, Thread { only_verify: true, ..Thread::default() }, &mut |world| progress.at(world.next_seq()))?;
        drop(progress);
        let import = import(&export, &door.data)?;
        let can_act = world.simulated && crate::run::restore_keys(import.beside())?;
        let ending = import.settle()?;
        // A cache: the world is there without it, and looks at its past take longer.
        if let Err(error) = build_ladder(&door.data) {
            door.warn(&format!("no checkpoints were written: {error}"));
        }
        door.say(&serde_json::json!({ "world": world.name, "frames": ending.seq, "canAct": can_act }), || {
            let keys = if can_act {
                "it is simulated, so it can be run on"
            } else {
                "its keys are not here, so it can be read and replayed, not run on"
            };
            format!("imported {} frames of the world `{}` to `{}`; {keys}", ending.seq, world.name, door.data.display())
        })?;
        Ok(Ended::Well)
    }

    fn bring_back(&self, door: &Door) -> Result<Ended> {
        let back = bring_back(&door.data, &self.file)?;
        let ArchiveName { from, to, .. } = &back;
        door.say(&back, || {
            format!(
                "brought frames {from} to {} back from `{}`; the log begins with frame {from} now",
                to.saturating_sub(1),
                self.file.display()
            )
        })?;
        Ok(Ended::Well)
    }
}
