//! Tests of `src/portal/kept.rs`.

use reelm::portal::kept::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_file_is_its_owners_alone_and_never_half_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("people");
    assert_eq!(read::<Vec<String>>(&file).unwrap(), Vec::<String>::new());
    // The leftover of a process that died while it wrote is ignored, whoever may read it.
    fs::write(dir.path().join("people.new"), "half").unwrap();
    for kept in [vec!["one".to_owned()], vec!["one".to_owned(), "two".to_owned()]] {
        write(&file, &kept).unwrap();
        assert_eq!(read::<Vec<String>>(&file).unwrap(), kept);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    fs::write(&file, "half").unwrap();
    assert!(read::<Vec<String>>(&file).unwrap_err().to_string().contains("take it away"));
}
