//! Fork place: where the worlds beside the first lie, and where forks are put: the directory of `--worlds`, else `DATA-forks` beside the data
//! directory, if that can hold hard links to its log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the worlds beside the first lie.
#[derive(Debug)]
pub struct ForkPlace {
    /// The directory; none where the data directory has nothing beside it.
    dir: Option<PathBuf>,
    /// Whether somebody named it: then it is made at once, and what cannot be linked there is copied.
    is_given: bool,
    /// Why no fork is put there.
    problem: Option<String>,
}

impl ForkPlace {
    /// As `--worlds` says it; else beside the data directory of the first world, which is there.
    pub fn of(given: Option<PathBuf>, data: &Path) -> Self {
        if given.is_some() {
            return Self { dir: given, is_given: true, problem: None };
        }
        match beside(data) {
            Err(error) => {
                Self { dir: None, is_given: false, problem: Some(format!("`{}` has no place beside it: {error}", data.display())) }
            }
            Ok(dir) => {
                let told = |error| format!("`{}` cannot hold links to the log of this world: {error}", dir.display());
                let problem = links(data, &dir).err().map(told);
                Self { dir: Some(dir), is_given: false, problem }
            }
        }
    }

    /// Whether somebody named it.
    pub fn is_given(&self) -> bool {
        self.is_given
    }

    /// The directory that is to be looked through for worlds, if it is there.
    pub fn found(&self) -> io::Result<Option<&Path>> {
        let Some(dir) = self.dir.as_deref() else { return Ok(None) };
        if self.is_given {
            fs::create_dir_all(dir)?;
        }
        Ok(Some(dir).filter(|dir| dir.is_dir()))
    }

    /// Where a world of that name lies.
    pub fn of_world(&self, name: &str) -> Option<PathBuf> {
        self.dir.as_deref().map(|dir| dir.join(name))
    }

    /// Where forks are put; else why there is no such place.
    pub fn for_forks(&self) -> Result<&Path, String> {
        match (&self.dir, &self.problem) {
            (Some(dir), None) => Ok(dir),
            (_, problem) => Err(problem.clone().unwrap_or_default()),
        }
    }
}

/// `DATA-forks`, beside where the data directory really lies: a link to it may stand on another file system.
fn beside(data: &Path) -> io::Result<PathBuf> {
    let data = data.canonicalize()?;
    let mut name = data.file_name().ok_or_else(|| io::Error::other("it is the root of the file system"))?.to_owned();
    name.push("-forks");
    Ok(data.with_file_name(name))
}

/// Tries whether a file of the world can be linked to there. While the directory is absent, its parent is asked.
fn links(data: &Path, dir: &Path) -> io::Result<()> {
    let found = fs::metadata(dir);
    if found.as_ref().is_ok_and(|found| !found.is_dir()) {
        return Err(io::Error::other("it is a file, and a directory was expected"));
    }
    let parent = dir.parent().filter(|_| found.is_err()).unwrap_or(dir);
    let trial = parent.join(format!(".reelm-link-{}", std::process::id()));
    fs::hard_link(data.join("world.toml"), &trial)?;
    fs::remove_file(&trial)
}
