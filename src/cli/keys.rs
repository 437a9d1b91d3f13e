//! `keys`: the keys of a world on their way to another machine, sealed so that it alone can open them.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::fact::Hash;

use super::door::{Door, Ended};

/// Keys of a world, sealed to another machine
#[derive(Subcommand)]
#[command(after_help = "Example: reelm keys machine")]
pub enum Keys {
    Machine(MachineShown),
    Seal(SealKeys),
    Open(OpenKeys),
}

/// Shows the key of this machine, to which keys can be sealed
#[derive(Args)]
#[command(
    name = "machine",
    after_help = "Example: reelm keys machine

It follows from a secret in `reelm` below $XDG_STATE_HOME, or below ~/.local/state, and is no secret itself."
)]
pub struct MachineShown {}

/// Writes the keys of the world to a file that one machine alone can open
#[derive(Args)]
#[command(
    name = "seal",
    after_help = "Example: reelm keys seal k --to 67da7071266e8ce14b0ee3b8fbb294674a5bd1c3ba391ea7b7a1e2052e001f4d

`reelm keys machine` shows the key of the other machine. Whoever opens the file there can act as everybody in this world."
)]
pub struct SealKeys {
    /// The file to write
    file: PathBuf,
    /// The key of the machine: 64 hex digits
    #[arg(long, value_name = "KEY")]
    to: Hash,
}

/// Puts keys that were sealed to this machine beside the world
#[derive(Args)]
#[command(name = "open", after_help = "Example: reelm keys open town.keys --data /srv/town")]
pub struct OpenKeys {
    /// The file
    file: PathBuf,
}

impl Keys {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        match self {
            Self::Machine(MachineShown {}) => machine(door),
            Self::Seal(SealKeys { file, to }) => seal(door, &file, to),
            Self::Open(OpenKeys { file }) => open(door, &file),
        }
    }
}

#[cfg(feature = "nats")]
pub(super) use with::opened;
#[cfg(feature = "nats")]
use with::{machine, open, seal};
#[cfg(not(feature = "nats"))]
use without::{machine, open, seal};

#[cfg(not(feature = "nats"))]
mod without {
    use std::path::Path;

    use anyhow::bail;

    use super::*;

    const MISSING: &str = "this program was built without `--features nats`, with which it seals keys";

    pub fn machine(_: &Door) -> Result<Ended> {
        bail!(MISSING)
    }

    pub fn seal(_: &Door, _: &Path, _: Hash) -> Result<Ended> {
        bail!(MISSING)
    }

    pub fn open(_: &Door, _: &Path) -> Result<Ended> {
        bail!(MISSING)
    }
}

#[cfg(feature = "nats")]
mod with {
    use std::path::Path;

    use anyhow::{Context, bail};
    use serde_json::json;

    use crate::store::{Keystore, MachineKey, WorldFile, seal_keys};

    use super::*;

    fn here() -> Result<MachineKey> {
        MachineKey::here().context("there is no place for this machine's secret that nobody else may read; set XDG_STATE_HOME")
    }

    /// The keys of a world in a file that was sealed to this machine.
    pub fn opened(file: &Path, world: &WorldFile) -> Result<Keystore> {
        Ok(here()?.open(file, world)?)
    }

    pub fn machine(door: &Door) -> Result<Ended> {
        let key = here()?.public();
        door.say(&json!({ "machine": key }), || key.to_string())?;
        Ok(Ended::Well)
    }

    pub fn seal(door: &Door, file: &Path, to: Hash) -> Result<Ended> {
        let world = WorldFile::of(&door.data)?;
        if file.exists() {
            bail!("`{}` is there already; choose another name", file.display());
        }
        seal_keys(&Keystore::of(&door.data, &world)?, world.world, to, file)?;
        door.say(&json!({ "world": world.world, "to": to }), || {
            format!("the keys of {} lie in `{}`, which the machine {to} alone can open", world.name, file.display())
        })?;
        Ok(Ended::Well)
    }

    pub fn open(door: &Door, file: &Path) -> Result<Ended> {
        let world = WorldFile::of(&door.data)?;
        let keystore = opened(file, &world)?;
        if Keystore::of(&door.data, &world).is_ok() {
            bail!("`{}` has these keys already", door.data.display());
        }
        keystore.save(&door.data)?;
        door.say(&json!({ "world": world.world }), || format!("the keys of {} lie in `{}` now", world.name, door.data.display()))?;
        Ok(Ended::Well)
    }
}
