//! `import`: a world's directory from an export of it, or the old history of a world from an archive.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::past::bring_back;
use crate::replay::{Thread, replay};
use crate::store::{ArchiveFile, ArchiveName, StreamStore, import};

use super::door::{Door, Ended};

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
        replay(&export, world.world, Thread { only_verify: true, ..Thread::default() }, &mut |_| {})?;
        let import = import(&export, &door.data)?;
        let can_act = world.simulated && crate::run::restore_keys(import.beside())?;
        let ending = import.settle()?;
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
