//! `import`: a world's directory from an export of it.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::replay::{Thread, replay};
use crate::store::{StreamStore, import};

use super::door::{Door, Ended};

/// Makes a world's directory from an export file
#[derive(Args)]
#[command(after_help = "Example: reelm import skateco.reelm --data /tmp/copy")]
pub struct Import {
    /// The file to read
    file: PathBuf,
}

impl Import {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
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
}
