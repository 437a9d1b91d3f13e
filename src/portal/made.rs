//! Made: the worlds that a server has made, noted in its own data directory: whoever puts a world beside that cannot write into it.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::fact::WorldId;

/// The list, a world's id a line.
#[derive(Debug)]
pub struct MadeWorlds(PathBuf);

impl MadeWorlds {
    /// That of the server of the world in a data directory.
    pub fn of(data: &Path) -> Self {
        Self(data.join("made"))
    }

    /// Notes one, durably.
    pub fn note(&self, world: WorldId) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.0)?;
        writeln!(file, "{world}")?;
        file.sync_all()
    }

    /// Whether one is noted.
    pub fn has(&self, world: WorldId) -> bool {
        let world = world.to_string();
        std::fs::read_to_string(&self.0).is_ok_and(|list| list.lines().any(|line| line == world))
    }
}

/// Why what lies there is not opened, if it is another user's.
pub fn foreign(path: &Path) -> io::Result<Option<String>> {
    let (theirs, own) = (std::fs::metadata(path)?.uid(), rustix::process::geteuid().as_raw());
    let why = || format!("it belongs to user {theirs}, and user {own} serves; give it to that user, or name its directory by `--worlds`");
    Ok((theirs != own).then(why))
}
