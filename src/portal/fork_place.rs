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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn forks_lie_beside_the_data_directory_however_it_is_named() {
        let parent = tempfile::tempdir().unwrap();
        let root = parent.path().canonicalize().unwrap();
        let (data, disk) = (root.join("world"), root.join("disk"));
        [&data, &disk, &disk.join("real")].iter().for_each(|dir| fs::create_dir(dir).unwrap());
        for world in [&data, &disk.join("real")] {
            fs::write(world.join("world.toml"), "").unwrap();
        }
        symlink(disk.join("real"), root.join("linked")).unwrap();
        for (said, wanted) in [
            ("world", "world-forks"),
            ("world/", "world-forks"),
            ("world/.", "world-forks"),
            ("disk/../world", "world-forks"),
            ("linked", "disk/real-forks"),
        ] {
            let place = ForkPlace::of(None, &root.join(said));
            assert_eq!(place.for_forks(), Ok(root.join(wanted).as_path()), "{said}");
            assert!(place.found().unwrap().is_none() && !root.join(wanted).exists(), "nothing is made for nothing");
        }
        assert_eq!(fs::read_dir(&root).unwrap().count(), 3, "the trial leaves nothing behind");
        fs::write(root.join("world-forks"), "").unwrap();
        let place = ForkPlace::of(None, &data);
        assert!(place.for_forks().unwrap_err().contains("it is a file") && place.found().unwrap().is_none());
        assert!(ForkPlace::of(None, Path::new("/")).for_forks().unwrap_err().contains("root of the file system"));
        assert!(ForkPlace::of(Some(root.join("given")), &data).found().unwrap().is_some());
    }

    #[test]
    fn a_place_on_another_file_system_holds_no_links() {
        use std::os::unix::fs::MetadataExt;
        let (parent, other) = (tempfile::tempdir().unwrap(), Path::new("/dev/shm"));
        let data = parent.path().join("world");
        fs::create_dir(&data).unwrap();
        fs::write(data.join("world.toml"), "").unwrap();
        let device = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
        let Ok(there) = tempfile::tempdir_in(other) else { return };
        if device(other) != device(&data) {
            symlink(there.path(), parent.path().join("world-forks")).unwrap();
            let problem = ForkPlace::of(None, &data).for_forks().unwrap_err();
            assert!(problem.contains("cannot hold links") && problem.contains("world-forks"), "{problem}");
        }
    }
}
