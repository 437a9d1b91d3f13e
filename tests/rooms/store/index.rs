//! Tests of `src/store/index.rs`.

use super::suite::{BEINGS, being, group, world_file};
use reelm::fact::{Hash, Seq};
use reelm::store::LogStore;
use reelm::store::Store;
use reelm::store::{Mode, Options};
use std::fs;
use std::path::Path;

const FRAMES: u64 = 1000;

fn make(dir: &Path) {
    let mut store = LogStore::create(dir, &world_file()).unwrap();
    while store.ending().seq < FRAMES {
        let from = store.ending().seq;
        store.append(from, &[group(from, 7), group(from + 7, 1)]).unwrap();
    }
    store.close().unwrap();
}

fn answers_as_the_log_does(store: &LogStore) {
    let report = store.verify_index().unwrap().unwrap();
    assert!(report.agrees && report.frames == FRAMES, "{report:?}");
    for of in 0..BEINGS {
        for from_n in [0, 1, 63, 64, 65, 200, 333] {
            let expected: Vec<Seq> = (0..FRAMES).filter(|seq| being(*seq) == being(of) && seq / BEINGS >= from_n).collect();
            assert_eq!(store.reel(being(of), from_n).unwrap(), expected);
        }
    }
    assert!(store.frame(777).unwrap().is_some());
    assert!(store.blob(&Hash::of(b"prompt 777")).unwrap().is_some());
}

#[test]
fn an_index_that_is_gone_or_damaged_is_made_anew_and_answers_the_same() {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path());
    let index = dir.path().join("index");
    let spoil: [&dyn Fn(); 4] = [
        &|| fs::remove_dir_all(&index).unwrap(),
        &|| fs::remove_file(index.join("clean")).unwrap(),
        &|| fs::write(index.join("clean"), "nonsense").unwrap(),
        &|| fs::write(index.join("sled/conf"), vec![0xff; 40]).unwrap(),
    ];
    for (round, spoil) in spoil.iter().enumerate() {
        spoil();
        let (store, recovery) = LogStore::open(dir.path(), Mode::Write).unwrap();
        assert!(recovery.index_rebuilt && recovery.was_clean, "round {round}: {recovery:?}");
        answers_as_the_log_does(&store);
        drop(store);
        let (store, recovery) = LogStore::open(dir.path(), Mode::Write).unwrap();
        assert!(!recovery.index_rebuilt, "round {round}: once made, it is kept");
        answers_as_the_log_does(&store);
    }
}

#[test]
fn an_index_of_another_moment_is_not_used() {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path());
    let options = Options { index: false, ..Default::default() };
    let (mut store, _) = LogStore::open_with(dir.path(), Mode::Write, options).unwrap();
    store.append(FRAMES, &[group(FRAMES, 3)]).unwrap();
    drop(store);
    let (store, recovery) = LogStore::open(dir.path(), Mode::Write).unwrap();
    assert!(recovery.index_rebuilt);
    assert_eq!(store.reel(being(FRAMES), FRAMES / BEINGS).unwrap(), [FRAMES]);
}

#[test]
fn a_comparison_finds_a_row_that_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path());
    let (store, _) = LogStore::open(dir.path(), Mode::Write).unwrap();
    drop(store);
    let db = sled::open(dir.path().join("index/sled")).unwrap();
    db.open_tree("reel").unwrap().pop_min().unwrap().unwrap();
    db.flush().unwrap();
    drop(db);
    let (store, recovery) = LogStore::open(dir.path(), Mode::Write).unwrap();
    assert!(!recovery.index_rebuilt);
    assert!(!store.verify_index().unwrap().unwrap().agrees);
}
