//! Tests of `src/portal/fork_place.rs`.

use reelm::portal::fork_place::*;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

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
