//! Tests of `src/store/replace.rs`.

use reelm::store::Disk as _;
use reelm::store::PlainDisk;
use reelm::store::replace::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn names(dir: &Path) -> Vec<String> {
    PlainDisk.names(dir).unwrap()
}

#[test]
fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    for (keep, text) in [(Keep::Durable, "a longer text"), (Keep::Cache, "short"), (Keep::Secret, "secret")] {
        // The leftover of an interrupted process is longer, and everybody can read it.
        fs::write(dir.path().join("file.new"), "what another process left half written").unwrap();
        replace(&PlainDisk, &path, text.as_bytes(), keep).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(dir.path())), (text, vec!["file".to_owned()]), "{keep:?}");
    }
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_cannot_be_put_in_place_leaves_the_old_file_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    // A directory that is not empty is replaced by no file.
    let path = dir.path().join("taken");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("inside"), "old").unwrap();
    for keep in [Keep::Durable, Keep::Cache, Keep::Secret] {
        assert!(replace(&PlainDisk, &path, b"new", keep).is_err());
        assert_eq!(names(dir.path()), ["taken"], "{keep:?}");
        assert_eq!(fs::read_to_string(path.join("inside")).unwrap(), "old");
    }
}
