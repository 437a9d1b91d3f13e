//! `export` and `import`: a whole history as one file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::replay::{Thread, replay};
use crate::store::{ClockFile, Store, StreamStore, export, import};

use super::door::{Door, Ended};

/// Writes the whole history to one file, from which it can be replayed anywhere
#[derive(Args)]
#[command(after_help = "Example: reelm export skateco.reelm

Secrets are not exported: who imports the file can read, replay and verify the world, and act in it only if it is simulated.")]
pub struct Export {
    /// The file to write; it must not be there yet
    file: PathBuf,
    /// Write the world out as a source directory instead; the extensions that it names are looked for in `extensions/`, in it or above
    #[arg(long)]
    source: bool,
}

/// Makes a world's directory from an export file
#[derive(Args)]
#[command(after_help = "Example: reelm import skateco.reelm --data /tmp/copy")]
pub struct Import {
    /// The file to read
    file: PathBuf,
}

impl Export {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        if self.file.exists() {
            bail!("`{}` is there already; choose another name", self.file.display());
        }
        if self.source {
            let (_, world) = door.world()?;
            crate::source::write_source(&world, &self.file).with_context(|| format!("cannot write `{}`", self.file.display()))?;
            door.say(&serde_json::json!({ "source": self.file }), || format!("wrote the world as a source to `{}`", self.file.display()))?;
            return Ok(Ended::Well);
        }
        // The whole, record by record: nothing is folded, and every check is the importer's.
        let store = door.history()?.into_store();
        let mut out = BufWriter::new(File::create_new(&self.file).with_context(|| format!("cannot write `{}`", self.file.display()))?);
        export(&store, store.world_file(), ClockFile::load(&door.data)?.as_ref(), &mut out)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        let frames = store.ending().seq;
        door.say(&serde_json::json!({ "file": self.file, "frames": frames }), || {
            format!("exported {frames} frames to `{}`", self.file.display())
        })?;
        Ok(Ended::Well)
    }
}

impl Import {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let export = StreamStore::open(&self.file)?;
        let world = export.world_file();
        // Every signature and seal first: what is refused is named in the file that was given, and nothing of it is written.
        replay(&export, world.world, Thread { being: None, only_verify: true }, &mut |_| {})?;
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
