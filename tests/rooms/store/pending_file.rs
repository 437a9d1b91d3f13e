//! Tests of `src/store/pending_file.rs`.

use reelm::store::pending_file::*;
use std::fs::{self};
use std::io::Write as _;
use std::io::{self};

#[test]
fn a_file_is_there_as_a_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let (path, beside) = (dir.path().join("one.reelm"), dir.path().join("one.reelm.new"));
    // The leftover of a killed process is longer.
    fs::write(&beside, "what was left half written").unwrap();
    let mut pending = PendingFile::begin(&path).unwrap();
    pending.write_all(b"whole").unwrap();
    assert_eq!(PendingFile::begin(&path).unwrap_err().kind(), io::ErrorKind::ResourceBusy);
    assert!(beside.exists() && !path.exists());
    pending.settle().unwrap();
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), beside.exists()), ("whole", false));
    assert_eq!(PendingFile::begin(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    fs::remove_file(&path).unwrap();
    drop(PendingFile::begin(&path).unwrap());
    assert!(!beside.exists() && !path.exists());
    let pending = PendingFile::begin(&path).unwrap();
    fs::write(&path, "another's").unwrap();
    assert_eq!(pending.settle().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), beside.exists()), ("another's", false));
}
