//! Scratch: where forks begin and lie that are thrown away: beside the world they come from, on its file system, so that they can share its past.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::fact::Seq;
use crate::past::{History, Point};

/// A directory that is gone when nobody holds this any more.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one beside a world, and takes away what processes that are gone have left there.
    pub(super) fn beside(world: &Path) -> Result<Self> {
        let world = std::path::absolute(world)?;
        let name = world.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let above = world.parent().unwrap_or(&world);
        let prefix = format!(".{name}.asked-");
        for entry in std::fs::read_dir(above).into_iter().flatten().flatten() {
            let found = entry.file_name().to_string_lossy().into_owned();
            let of = found.strip_prefix(&prefix).filter(|of| of.parse::<u32>().is_ok());
            if of.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
                // A folder that cannot be removed does no harm.
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let dir = above.join(format!("{prefix}{}", std::process::id()));
        std::fs::create_dir_all(&dir).with_context(|| format!("cannot make `{}`, where forks are asked", dir.display()))?;
        // All that was ever said and done can be read there.
        std::fs::set_permissions(&dir, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
        Ok(Self(dir))
    }

    /// A place in it.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Where a fork for a point begins.
pub(super) fn border_of(history: &History, point: &Point) -> Result<Seq> {
    let (at, first) = (history.seq_of(point)?, history.first_border()?.unwrap_or(0));
    if at < first {
        bail!("{point}: expected a point at or behind frame {first}, where the world was planted, found {at}");
    }
    Ok(at)
}
