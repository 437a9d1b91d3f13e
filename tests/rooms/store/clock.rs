//! Tests of `src/store/clock.rs`.

use reelm::store::StoreError;
use reelm::store::clock::*;
use reelm::store::small_file;

#[test]
fn a_clock_is_read_as_it_was_written_and_one_that_was_changed_is_named() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(ClockFile::load(dir.path()).unwrap(), None);
    for target in [None, Some(1_772_697_720_000)] {
        let clock = ClockFile { from: -5, target, position: 1_772_697_720_001, done: target.is_none() };
        clock.save(dir.path()).unwrap();
        assert_eq!(ClockFile::load(dir.path()).unwrap(), Some(clock));
    }
    let whole = std::fs::read(dir.path().join(NAME)).unwrap();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(dir.path().join(NAME), changed).unwrap();
        assert!(matches!(ClockFile::load(dir.path()), Err(StoreError::BadFile { .. })), "byte {at}");
    }
    let beyond = ClockFile { from: 0, target: None, position: i64::MAX, done: true };
    assert!(beyond.save(dir.path()).unwrap_err().to_string().contains("the years 1 to 9999"));
    let text = small_file::close(toml::to_string(&beyond).unwrap());
    std::fs::write(dir.path().join(NAME), text).unwrap();
    assert!(ClockFile::load(dir.path()).unwrap_err().to_string().contains("the years 1 to 9999"));
}
