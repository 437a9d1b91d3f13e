//! Ground: where the measured worlds lie, and how they are planted: the shipped town, with as many citizens as asked for.

use std::path::{Path, PathBuf};

use crate::fact::Draft;
use crate::past::LoadError;
use crate::replay::ReplayError;
use crate::run::{Living, RoundError, RunError, SealError, Sealer};
use crate::source::{Source, SourceError};
use crate::store::{Keeper, StoreError};
use crate::world::{FoldError, World};

use super::limit::LimitError;

/// Why something could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The directory for the measured worlds cannot be made.
    #[error("cannot write `{path}`: {source}; name another directory with --dir")]
    Ground {
        /// The directory.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The town cannot be read.
    #[error(transparent)]
    Source(Box<SourceError>),
    /// A world does not live.
    #[error(transparent)]
    Run(Box<RunError>),
    /// Frames could not be made durable.
    #[error(transparent)]
    Seal(Box<SealError>),
    /// A draft could not be folded.
    #[error(transparent)]
    Fold(#[from] FoldError),
    /// A round came to nothing.
    #[error(transparent)]
    Round(#[from] RoundError),
    /// The limit program does not go on.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// The store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A history cannot be read.
    #[error(transparent)]
    Load(Box<LoadError>),
    /// A history does not replay.
    #[error(transparent)]
    Replay(Box<ReplayError>),
    /// A frame cannot be sealed or read.
    #[error(transparent)]
    Frame(#[from] crate::fact::FrameError),
    /// The measured event did not happen.
    #[error("nothing was measured: {0}")]
    Nothing(&'static str),
    /// No copy can be kept.
    #[error("{0}")]
    Copy(String),
}

/// Makes what keeps a copy of the world in a directory.
pub type CopyMaking<'a> = &'a dyn Fn(&Path) -> Result<Box<dyn Keeper>, String>;

/// Large errors are boxed: nothing that is measured fails often.
macro_rules! boxed {
    ($($name:ident $error:ty),*) => {
        $(impl From<$error> for BenchError {
            fn from(error: $error) -> Self {
                Self::$name(Box::new(error))
            }
        })*
    };
}

boxed!(Run RunError, Source SourceError, Seal SealError, Load LoadError, Replay ReplayError);

const WORLD: &str = include_str!("../../fixtures/worlds/town/world.toml");
const ROLE: &str = include_str!("../../fixtures/worlds/town/roles/citizen.md");
const SCRIPT: &str = include_str!("../../fixtures/worlds/town/scripts/citizen.rhai");

/// A directory of its own on the disk that is measured; it is removed at the end.
pub struct Ground {
    dir: PathBuf,
    /// Where the land goes once it was measured; else it goes with the ground.
    keep: Option<PathBuf>,
}

impl Ground {
    /// A fresh directory in another one.
    pub fn new(within: &Path) -> Result<Self, BenchError> {
        let dir = within.join(format!("reelm-bench-{}", std::process::id()));
        std::fs::create_dir_all(&dir).map_err(|source| BenchError::Ground { path: dir.clone(), source })?;
        Ok(Self { dir, keep: None })
    }

    /// Has the land kept, in a directory that there is not yet.
    pub fn keeping(mut self, keep: Option<PathBuf>) -> Self {
        self.keep = keep;
        self
    }

    /// A directory for one world, not made yet.
    pub fn place(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The town as a source. Together: all are due at the same instant, so that a round is everybody; else one after the other.
    pub fn town(&self, beings: usize, together: bool) -> Result<Source, BenchError> {
        let world = WORLD.replace("count = 200", &format!("count = {beings}"));
        let world = if together { world.replace("spread = true", "spread = false") } else { world };
        self.town_of(&world, &[])
    }

    /// The town, all at once, with more in it, and a role for that.
    pub fn town_with(&self, beings: usize, more: &str, role: (&str, &str)) -> Result<Source, BenchError> {
        let world = WORLD.replace("count = 200", &format!("count = {beings}")).replace("spread = true", "spread = false");
        self.town_of(&(world + more), &[role])
    }

    /// A land of citizens, whose neighbours are those of their own people.
    pub fn land(&self, world: &str) -> Result<Source, BenchError> {
        let stem = "\"@\" + me.name.sub_string(0, me.name.len() - me.name.split(\"-\").pop().len())";
        let script = SCRIPT.replace("\"@citizen-\"", stem);
        self.source("land-source", &[("world.toml", world), ("roles/citizen.md", ROLE), ("scripts/citizen.rhai", &script)])
    }

    fn town_of(&self, world: &str, more: &[(&str, &str)]) -> Result<Source, BenchError> {
        let files = [("world.toml", world), ("roles/citizen.md", ROLE), ("scripts/citizen.rhai", SCRIPT)];
        self.source("town", &files.iter().chain(more).copied().collect::<Vec<_>>())
    }

    /// A source of these files.
    pub fn source(&self, name: &str, files: &[(&str, &str)]) -> Result<Source, BenchError> {
        let dir = self.place(name);
        for (name, text) in files {
            let path = dir.join(name);
            let write = || path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
            write().map_err(|source| BenchError::Ground { path: path.clone(), source })?;
        }
        Ok(Source::read(&dir)?)
    }

    /// Plants a town on disk and stops it at once: its world, and the sealer that goes on with it.
    pub fn plant(&self, source: &Source, name: &str, threads: usize) -> Result<(World, Sealer), BenchError> {
        let dir = self.place(name);
        self.clear(name);
        let (world, sealer) = Living::plant(source, None, &dir, threads)?.stop()?;
        Ok(((*world).clone(), sealer))
    }

    /// Has done with the land: it is kept if that was wanted.
    pub fn leave(&self, name: &str) -> Result<(), BenchError> {
        if let Some(keep) = &self.keep {
            std::fs::rename(self.place(name), keep).map_err(|source| BenchError::Ground { path: keep.clone(), source })?;
        }
        self.clear(name);
        Ok(())
    }

    /// Removes one world.
    pub fn clear(&self, name: &str) {
        // A file that cannot be removed now goes with the ground itself.
        let _ = std::fs::remove_dir_all(self.place(name));
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// The drafts of an engine's next rounds, so many at least.
pub(super) fn rounds(engine: &mut crate::run::Engine, at_least: usize) -> Result<Vec<Vec<Draft>>, BenchError> {
    let (mut rounds, mut count) = (Vec::new(), 0);
    while count < at_least {
        let crate::run::Next::At(at) = engine.next() else { return Err(BenchError::Nothing("nobody in the town has anything to do")) };
        let mut drafts = Vec::new();
        engine.round(at, &mut |closed, _| drafts.push(closed.draft))?;
        count += drafts.len();
        rounds.push(drafts);
    }
    Ok(rounds)
}
