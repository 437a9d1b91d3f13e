//! Tests of `src/store/keystore.rs`.

use reelm::store::StoreError;
use reelm::store::keystore::*;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use zeroize::Zeroizing;

#[test]
fn a_keystore_is_for_its_owner_only_and_comes_back_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let made = Keystore::create(dir.path()).unwrap();
    assert_ne!(*made.master, [0; 32]);
    assert_eq!(fs::metadata(path(dir.path())).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(Keystore::load(dir.path()).unwrap(), made);
    assert!(Keystore::create(dir.path()).is_err(), "a secret is never written over by another");
    let other = Keystore { master: Zeroizing::new([7; 32]) };
    other.save(dir.path()).unwrap();
    assert_eq!(Keystore::load(dir.path()).unwrap(), other);
    assert!(!format!("{other:?}").contains("07"));
}

#[test]
fn a_keystore_that_others_can_read_or_that_was_changed_is_refused_without_showing_it() {
    let dir = tempfile::tempdir().unwrap();
    Keystore { master: Zeroizing::new([7; 32]) }.save(dir.path()).unwrap();
    let path = path(dir.path());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(Keystore::load(dir.path()), Err(StoreError::BadFile { .. })));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        fs::write(&path, flipped).unwrap();
        let error = Keystore::load(dir.path()).unwrap_err().to_string();
        assert!(!error.contains("0707"), "{error}");
    }
}
