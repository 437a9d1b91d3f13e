//! Flipped and missing bytes: whatever is not as it was written is named or cut, never given as history.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::kit;

use super::suite::{HastyDisk, WORLD, being, group, groups_of, world_file};
use reelm::store::Group;
use reelm::store::LogStore;
use reelm::store::MemoryStore;
use reelm::store::Recovery;
use reelm::store::Store;
use reelm::store::segment::HEADER_LEN;
use reelm::store::{Lost, StoreError};
use reelm::store::{Mode, Options};

const SMALL: u64 = 900;

fn options(segment_bytes: u64) -> Options {
    Options { index: false, segment_bytes, disk: Arc::new(HastyDisk), ..Options::default() }
}

fn history() -> Vec<Group> {
    vec![group(0, 2), group(2, 3), group(5, 1)]
}

/// Three groups, each acknowledged by itself.
fn make(dir: &Path, segment_bytes: u64, clean: bool) {
    let mut store = LogStore::create_with(dir, &world_file(), options(segment_bytes)).unwrap();
    for group in history() {
        store.append(store.ending().seq, &[group]).unwrap();
    }
    if clean {
        store.close().unwrap();
    } else {
        store.kill();
    }
}

/// Opens the world and reads all of it.
fn read(dir: &Path, mode: Mode) -> Result<(Vec<Group>, Recovery), StoreError> {
    let (store, recovery) = LogStore::open_with(dir, mode, options(SMALL))?;
    Ok((groups_of(&store, 0)?, recovery))
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to.join("log")).unwrap();
    for name in files(from) {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let names = |dir: &Path| fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let mut files: Vec<PathBuf> = names(dir).into_iter().filter(|name| name != "log" && name != "lock").map(PathBuf::from).collect();
    files.extend(names(&dir.join("log")).into_iter().map(|name| Path::new("log").join(name)));
    files.sort();
    files
}

#[test]
fn after_a_clean_close_any_flipped_byte_is_named_and_nothing_is_cut() {
    for segment_bytes in [SMALL, 64 << 10] {
        let dir = tempfile::tempdir().unwrap();
        let (whole, broken) = (dir.path().join("whole"), dir.path().join("broken"));
        make(&whole, segment_bytes, true);
        for name in files(&whole) {
            let bytes = fs::read(whole.join(&name)).unwrap();
            for at in (0..bytes.len()).step_by(kit::size(7, 1)) {
                copy(&whole, &broken);
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << (at % 8);
                fs::write(broken.join(&name), &flipped).unwrap();
                match read(&broken, Mode::Write) {
                    Err(StoreError::Damaged(damage) | StoreError::Lost { damage, .. }) => {
                        assert!(damage.file.ends_with(&name) && damage.offset <= at as u64, "{at}: {damage}")
                    }
                    Err(
                        StoreError::BadFile { file, .. } | StoreError::NewerFormat { file, .. } | StoreError::FormerFormat { file, .. },
                    ) => {
                        assert!(file.ends_with(&name))
                    }
                    other => panic!("byte {at} of {}: {other:?}", name.display()),
                }
                assert_eq!(fs::read(broken.join(&name)).unwrap(), flipped, "damage is never repaired by cutting");
            }
        }
    }
}

#[test]
fn after_a_kill_a_flipped_byte_is_named_or_only_the_last_group_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, broken) = (dir.path().join("whole"), dir.path().join("broken"));
    make(&whole, SMALL, false);
    let mut cuts = 0;
    for name in files(&whole) {
        let bytes = fs::read(whole.join(&name)).unwrap();
        for at in (0..bytes.len()).step_by(kit::size(7, 1)) {
            copy(&whole, &broken);
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(broken.join(&name), &flipped).unwrap();
            if let Ok((groups, recovery)) = read(&broken, Mode::Write) {
                cuts += 1;
                assert!(recovery.cut_bytes > 0, "byte {at} of {} was passed over in silence", name.display());
                assert!(groups == history()[..2] || groups == history(), "byte {at} of {}", name.display());
                assert!(read(&broken, Mode::Write).unwrap().1.was_clean, "once cut, the world is whole again");
            }
        }
    }
    assert!(cuts > 0, "the last group is cut");
}

#[test]
fn a_group_cut_at_any_byte_is_gone_as_a_whole() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, broken) = (dir.path().join("whole"), dir.path().join("broken"));
    make(&whole, 64 << 10, false);
    let name = Path::new("log/0000000000000000.seg");
    let (store, _) = LogStore::open_with(&whole, Mode::Read, options(SMALL)).unwrap();
    let end = store.ending().position.offset as usize;
    let begin = end_of(&history()[..2]);
    let bytes = fs::read(whole.join(name)).unwrap();
    for at in (begin..end).step_by(kit::size(7, 1)) {
        for zeroed in [false, true] {
            copy(&whole, &broken);
            let mut torn = bytes[..at].to_vec();
            if zeroed {
                torn.resize(bytes.len(), 0);
            }
            if torn == bytes {
                continue; // the bytes that were cut were zeroes
            }
            fs::write(broken.join(name), &torn).unwrap();
            let (groups, recovery) = read(&broken, Mode::Write).unwrap();
            assert_eq!(groups, history()[..2], "cut at {at}");
            // Zeroes at the end of what is left do not count as written.
            assert!(recovery.cut_bytes <= (at - begin) as u64 && (at == begin || recovery.cut_bytes > 0));
            let (mut store, _) = LogStore::open_with(&broken, Mode::Write, options(SMALL)).unwrap();
            store.append(5, &history()[2..]).unwrap();
            assert_eq!(groups_of(&store, 0).unwrap(), history());
        }
    }
}

/// The byte in a first segment at which a history ends.
fn end_of(groups: &[Group]) -> usize {
    let mut store = MemoryStore::new(WORLD);
    store.append(0, groups).unwrap();
    HEADER_LEN + store.ending().position.offset as usize
}

#[test]
fn damage_names_the_frame_and_inspect_reads_past_it() {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path(), 64 << 10, true);
    let path = dir.path().join("log/0000000000000000.seg");
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(7).position(|bytes| bytes == b"frame 3").unwrap();
    bytes[at] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let Err(StoreError::Damaged(damage)) = read(dir.path(), Mode::Write) else { panic!("expected damage") };
    assert_eq!((damage.being, damage.n), (Some(being(3)), Some(1)));

    let (store, recovery) = LogStore::open_with(dir.path(), Mode::Inspect, options(SMALL)).unwrap();
    assert_eq!(recovery.damage.len(), 1);
    let entries: Vec<_> = store.read(0).unwrap().collect();
    assert_eq!(entries.iter().filter(|entry| entry.is_err()).count(), 1);
    let seqs: Vec<u64> = entries
        .iter()
        .filter_map(|entry| match entry {
            Ok(reelm::store::record::Stored::Frame { seq, .. }) => Some(*seq),
            _ => None,
        })
        .collect();
    assert_eq!(seqs, [0, 1, 5], "the groups around the damage are given");
}

#[test]
fn a_missing_segment_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, broken) = (dir.path().join("whole"), dir.path().join("broken"));
    make(&whole, SMALL, true);
    let segments: Vec<PathBuf> = files(&whole).into_iter().filter(|name| name.starts_with("log")).collect();
    assert!(segments.len() >= 2);
    for name in segments {
        copy(&whole, &broken);
        fs::remove_file(broken.join(&name)).unwrap();
        let found = read(&broken, Mode::Write);
        assert!(matches!(found, Err(StoreError::Damaged(_) | StoreError::Lost { .. })), "{}: {found:?}", name.display());
    }
}

/// The last two groups are gone; what a killed process knew of them is there, or not.
#[test]
fn a_killed_process_leaves_behind_how_long_the_history_was() {
    let dir = tempfile::tempdir().unwrap();
    let options = |accept_loss| Options { segment_bytes: 64 << 10, accept_loss, ..Options::default() };
    let mut store = LogStore::create_with(dir.path(), &world_file(), options(false)).unwrap();
    let [first, rest @ ..] = &history()[..] else { unreachable!() };
    store.append(0, std::slice::from_ref(first)).unwrap();
    let end = store.ending().position.offset;
    rest.iter().for_each(|group| store.append(store.ending().seq, std::slice::from_ref(group)).unwrap());
    store.kill();
    let segment = fs::OpenOptions::new().write(true).open(dir.path().join("log/0000000000000000.seg")).unwrap();
    segment.set_len(end).unwrap();
    let lost = Lost { from: 2, groups: 2 };
    let open = |mode, accept_loss| LogStore::open_with(dir.path(), mode, options(accept_loss));
    for _ in 0..2 {
        assert!(matches!(open(Mode::Write, false), Err(StoreError::Lost { lost: found, .. }) if found == lost));
        let (store, recovery) = open(Mode::Read, false).unwrap();
        assert_eq!((recovery.lost, store.lost(), groups_of(&store, 0).unwrap().len()), (Some(lost), Some(lost), 1));
        // Accepted, but nothing was written yet: a crash now forgets nothing.
        let (store, recovery) = open(Mode::Write, true).unwrap();
        assert_eq!(recovery.lost, Some(lost));
        store.kill();
    }
    let (mut store, _) = open(Mode::Write, true).unwrap();
    store.append(2, &[group(2, 1)]).unwrap();
    store.kill();
    assert_eq!(open(Mode::Write, false).unwrap().1.lost, None, "what was written since is what is known");

    // Another group of the same length in place of the acknowledged one.
    let known = dir.path().join("index/known");
    let mut noted = fs::read(&known).unwrap();
    noted[9] ^= 1;
    fs::write(&known, &noted).unwrap();
    assert_eq!(open(Mode::Read, false).unwrap().1.lost, None, "a note that does not check says nothing");
}
