//! Backup: a copy of a world that is verified as it is made, goes on with its original, and can be served in its place.

use std::path::{Path, PathBuf};

use crate::fact::{Seq, WorldId};
use crate::store::{Checkpoints, Ending, LogStore, Mirror, Mode, Options, Store, StoreError};

use super::checkpoint::resume;
use super::load::{LoadError, load, load_from};
use super::loaded::Loaded;
use super::words::forget_open_words;

/// A copy and where it stands.
pub struct Backup {
    from: PathBuf,
    to: PathBuf,
    mirror: Mirror,
    /// Where the copy ends that is verified.
    ending: Ending,
    /// Where the original ended when that was copied; its segments may be cut otherwise.
    seen: Ending,
    loaded: Loaded,
}

/// Why a copy is not made, or not gone on with.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Something cannot be read or written, or is no history.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The copy would lie in the world itself.
    #[error("expected a directory outside of the world in `{}`, found `{}`; choose another one", world.display(), dir.display())]
    Inside {
        /// The world's directory.
        world: PathBuf,
        /// Where the copy would be.
        dir: PathBuf,
    },
    /// The copy is of something else.
    #[error("`{}` is a copy of the world {copy}, not of {original}; choose another directory", dir.display())]
    Other {
        /// The copy's directory.
        dir: PathBuf,
        /// Of which world it is.
        copy: WorldId,
        /// Of which it should be.
        original: WorldId,
    },
    /// The copy has what its original has not.
    #[error(
        "the copy in `{}` has {copy} frames, of which the last are not those of its original, which has {original}: one of both was gone on with, or taken back; \
         `reelm diff now now --with` says where they part; nothing was changed", dir.display()
    )]
    Parted {
        /// The copy's directory.
        dir: PathBuf,
        /// How many frames the copy has.
        copy: Seq,
        /// How many the original has.
        original: Seq,
    },
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> Self {
        Self::Load(error.into())
    }
}

/// Whether a path leads into a directory, or to it.
fn is_within(path: &Path, dir: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path));
    let found = path.ancestors().find_map(|above| above.canonicalize().ok());
    [found, whole(path).ok()].into_iter().flatten().any(|path| whole(dir).is_ok_and(|dir| path.starts_with(dir)))
}

fn look(dir: &Path, seen: Option<Ending>) -> Result<LogStore, StoreError> {
    Ok(LogStore::open_with(dir, Mode::Read, Options { seen, ..Options::default() })?.0)
}

impl Backup {
    /// Makes a copy of a world in a directory that is absent or empty, or goes on with the one that is there.
    pub fn of(from: &Path, to: &Path) -> Result<Self, BackupError> {
        let original = look(from, None)?;
        if is_within(to, from) {
            return Err(BackupError::Inside { world: from.to_owned(), dir: to.to_owned() });
        }
        if !to.join("world.toml").exists() {
            make(to, &original)?;
        }
        let mirror = Mirror::of(to)?;
        let copy = look(to, None)?;
        let (ours, theirs) = (copy.world_file().world, original.world_file().world);
        if ours != theirs {
            return Err(BackupError::Other { dir: to.to_owned(), copy: ours, original: theirs });
        }
        let ending = *copy.ending();
        let loaded = resume(to, &copy, None, &mut |_| {})?;
        let backup = Self { from: from.to_owned(), to: to.to_owned(), mirror, ending, seen: ending, loaded };
        let goes_on = match original.read_behind(&ending) {
            Err(error @ StoreError::Archived { .. }) => return Err(error.into()),
            entries => entries.is_ok_and(|mut entries| entries.next().transpose().is_ok()),
        };
        if ending.seq > original.ending().seq || !goes_on {
            return Err(backup.parted(original.ending().seq));
        }
        Ok(backup)
    }

    fn parted(&self, original: Seq) -> BackupError {
        BackupError::Parted { dir: self.to.clone(), copy: self.ending.seq, original }
    }

    /// How many frames are copied and verified.
    pub fn frames(&self) -> Seq {
        self.ending.seq
    }

    /// Copies what has become durable since; how many frames that was.
    pub fn go_on(&mut self) -> Result<u64, BackupError> {
        let original = look(&self.from, Some(self.seen))?;
        let ending = *original.ending();
        if ending.seq < self.ending.seq {
            return Err(self.parted(ending.seq));
        }
        self.mirror.go_on(&original, &self.ending)?;
        let kept = Checkpoints::of(&self.to);
        forget_open_words(&kept, kept.with_words().into_iter().max().unwrap_or_default());
        self.seen = ending;
        if ending.seq == self.ending.seq {
            return Ok(0);
        }
        let before = self.ending;
        match self.verified(&ending) {
            Ok((loaded, ending)) => (self.loaded, self.ending) = (loaded, ending),
            Err(error) => {
                self.mirror.cut(self.ending.position)?;
                return Err(error);
            }
        }
        Ok(ending.seq - before.seq)
    }

    /// Reads what was copied as any reader does; and where it ends.
    fn verified(&mut self, wanted: &Ending) -> Result<(Loaded, Ending), BackupError> {
        let copy = look(&self.to, Some(self.ending))?;
        let begun = std::mem::replace(&mut self.loaded, Loaded::nothing(copy.world_file().lineage()));
        let loaded = load_from(&copy, begun, None, |_, _| {})?;
        let ending = *copy.ending();
        if ending.commit == wanted.commit { Ok((loaded, ending)) } else { Err(self.parted(wanted.seq)) }
    }
}

/// Makes a copy, and verifies it from its first frame on before it is there.
fn make(to: &Path, original: &LogStore) -> Result<(), BackupError> {
    let made = Mirror::make(original, to)?;
    let copy = look(made.beside(), None)?;
    load(&copy, copy.world_file().world, None, |_, _| {})?;
    if copy.ending().commit != original.ending().commit {
        let (copy, original) = (copy.ending().seq, original.ending().seq);
        return Err(BackupError::Parted { dir: to.to_owned(), copy, original });
    }
    made.settle()?;
    Ok(())
}
