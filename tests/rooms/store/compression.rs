//! Compression: whatever is compressed, cut off, left twice or flipped, a history is the same or its damage is named.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reelm::fact::Hash;

use crate::kit::{size, until};

use super::suite::{HastyDisk, WORLD, answers, group, groups_of, keeps_what_it_is_given, world_file};
use reelm::store::LogStore;
use reelm::store::Store;
use reelm::store::StoreError;
use reelm::store::export;
use reelm::store::segment::HEADER_LEN;
use reelm::store::{Disk, DiskFile};
use reelm::store::{Group, Record, Stored};
use reelm::store::{Mode, Options};

const SMALL: u64 = 1500;

/// Compressing is asked for, never left to a thread, but where a test says so.
fn options(segment_bytes: u64) -> Options {
    Options { index: false, segment_bytes, compress_after: None, disk: Arc::new(HastyDisk), ..Options::default() }
}

fn names(dir: &Path, ending: &str) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir.join("log")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(ending));
    names.sort();
    names
}

fn log(dir: &Path, name: &str) -> PathBuf {
    dir.join("log").join(name)
}

fn open(dir: &Path, mode: Mode) -> Result<LogStore, StoreError> {
    LogStore::open_with(dir, mode, options(SMALL)).map(|(store, _)| store)
}

fn exported(store: &LogStore) -> Vec<u8> {
    let mut bytes = Vec::new();
    export(store, store.world_file(), None, &mut bytes).unwrap();
    bytes
}

/// A world in several plain segments, closed.
fn plain(dir: &Path) -> Vec<Group> {
    let mut store = LogStore::create_with(dir, &world_file(), options(SMALL)).unwrap();
    let kept = keeps_what_it_is_given(&mut store);
    store.close().unwrap();
    kept
}

/// The same, with all of them compressed that are closed.
fn compressed(dir: &Path) -> Vec<Group> {
    let kept = plain(dir);
    open(dir, Mode::Write).unwrap().compress_closed().unwrap();
    kept
}

/// Text that compresses to about half, as hashes and words among each other do.
fn noise(len: usize, seed: u64) -> Vec<u8> {
    let hashes = (0u64..).flat_map(|n| [Hash::of(&[seed.to_le_bytes(), n.to_le_bytes()].concat()).0, [b'x'; 32]].concat());
    hashes.take(len).collect()
}

/// One closed segment of several blocks, one group to a quarter of a block, and the newest one behind it.
fn large(dir: &Path) -> Vec<Group> {
    let mut store = LogStore::create_with(dir, &world_file(), options(600 << 10)).unwrap();
    let kept: Vec<Group> = (0..45)
        .map(|seq| {
            let bytes: Arc<[u8]> = noise(16 << 10, seq).into();
            let mut group = group(seq, 1);
            group.records.insert(0, Record::Blob { hash: Hash::of(&bytes), bytes });
            group
        })
        .collect();
    kept.iter().for_each(|group| store.append(store.ending().seq, std::slice::from_ref(group)).unwrap());
    store.compress_closed().unwrap();
    assert_eq!(groups_of(&store, 0).unwrap(), kept);
    store.close().unwrap();
    assert_eq!((names(dir, ".segz").len(), names(dir, ".seg").len()), (1, 1));
    kept
}

#[test]
fn a_log_whose_closed_segments_are_compressed_answers_as_before_and_exports_to_the_same_bytes() {
    for index in [false, true] {
        let dir = tempfile::tempdir().unwrap();
        let options = Options { index, segment_bytes: SMALL, compress_after: None, ..Options::default() };
        let mut store = LogStore::create_with(dir.path(), &world_file(), options.clone()).unwrap();
        let kept = keeps_what_it_is_given(&mut store);
        let (ending, whole) = (*store.ending(), exported(&store));
        let segments = names(dir.path(), ".seg").len();
        let before = LogStore::open_with(dir.path(), Mode::Read, options.clone()).unwrap().0;
        store.compress_closed().unwrap();
        assert!(segments > 3);
        assert_eq!((names(dir.path(), ".segz").len(), names(dir.path(), "").len()), (segments - 1, segments));
        // A reader that opened the world before finds the same behind the same places.
        for store in [&store, &before] {
            assert_eq!((store.ending(), exported(store) == whole), (&ending, true));
            answers(store, &kept);
        }
        store.close().unwrap();
        for mode in [Mode::Read, Mode::Inspect, Mode::Write] {
            let (store, recovery) = LogStore::open_with(dir.path(), mode, options.clone()).unwrap();
            assert!(recovery.was_clean && recovery.cut_bytes == 0 && !recovery.index_rebuilt, "{recovery:?}");
            assert_eq!((store.ending(), exported(&store) == whole), (&ending, true));
            answers(&store, &kept);
        }
        fs::remove_dir_all(dir.path().join("index")).ok();
        let (mut store, _) = LogStore::open_with(dir.path(), Mode::Write, options.clone()).unwrap();
        answers(&store, &kept);
        assert!(!index || store.verify_index().unwrap().unwrap().agrees);
        let next = store.ending().seq;
        store.append(next, &[group(next, 2)]).unwrap();
        assert_eq!(groups_of(&store, next).unwrap(), [group(next, 2)]);
    }
}

#[test]
fn a_border_in_a_compressed_segment_is_gone_on_from() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = LogStore::create_with(dir.path(), &world_file(), options(SMALL)).unwrap();
    let mut borders = Vec::new();
    for seq in 0..30 {
        store.append(seq, &[group(seq, 1)]).unwrap();
        borders.push(*store.ending());
    }
    store.compress_closed().unwrap();
    for border in &borders {
        let behind = store.read_behind(border).unwrap().filter(|entry| matches!(entry, Ok(Stored::Frame { .. }))).count() as u64;
        assert_eq!(behind, 30 - border.seq);
    }
}

#[test]
fn segments_are_compressed_beside_the_run_and_those_of_before_at_the_next_opening() {
    let dir = tempfile::tempdir().unwrap();
    let soon = || Options { compress_after: Some(Duration::ZERO), ..options(SMALL) };
    let waits_for = |plain: usize| {
        until("all but the last are compressed", || names(dir.path(), ".seg").len() <= plain);
    };
    let mut kept = plain(dir.path());
    let (mut store, _) = LogStore::open_with(dir.path(), Mode::Write, soon()).unwrap();
    waits_for(1);
    for _ in 0..20 {
        let from = store.ending().seq;
        kept.push(group(from, 3));
        store.append(from, &kept[kept.len() - 1..]).unwrap();
    }
    waits_for(1);
    answers(&store, &kept);
    store.close().unwrap();
    answers(&open(dir.path(), Mode::Read).unwrap(), &kept);
}

#[test]
fn closing_a_world_waits_for_no_segment_and_leaves_nothing_half_done() {
    let dir = tempfile::tempdir().unwrap();
    plain(dir.path());
    let before = names(dir.path(), "");
    let after = Some(Duration::from_secs(3600));
    let (store, _) = LogStore::open_with(dir.path(), Mode::Write, Options { compress_after: after, ..options(SMALL) }).unwrap();
    store.close().unwrap();
    assert_eq!(names(dir.path(), ""), before);
}

#[test]
fn what_was_cut_off_on_the_way_is_never_taken_while_the_plain_file_is_there_and_goes() {
    let dir = tempfile::tempdir().unwrap();
    let kept = plain(dir.path());
    let name = names(dir.path(), ".seg")[1].clone();
    let (small, place) = (log(dir.path(), &format!("{name}z.new")), log(dir.path(), &format!("{name}z")));
    let whole = fs::read(log(dir.path(), &name)).unwrap();
    for half in [&b""[..], b"reelmlog", &whole[..HEADER_LEN], &whole] {
        fs::write(&small, half).unwrap();
        fs::write(&place, half).unwrap();
        for mode in [Mode::Read, Mode::Inspect, Mode::Write] {
            answers(&open(dir.path(), mode).unwrap(), &kept);
        }
    }
    // Once more, with the other segment compressed whole and the plain file still there.
    let first = names(dir.path(), ".seg")[0].clone();
    let bytes = fs::read(log(dir.path(), &first)).unwrap();
    let mut store = open(dir.path(), Mode::Write).unwrap();
    store.compress_closed().unwrap();
    store.close().unwrap();
    fs::write(log(dir.path(), &first), bytes).unwrap();
    let mut store = open(dir.path(), Mode::Write).unwrap();
    answers(&store, &kept);
    store.compress_closed().unwrap();
    answers(&store, &kept);
    assert_eq!((names(dir.path(), ".seg").len(), names(dir.path(), ".new").len()), (1, 0));
}

#[test]
fn any_flipped_or_missing_byte_of_a_compressed_segment_is_named_and_inspect_reads_past_it() {
    let dir = tempfile::tempdir().unwrap();
    let kept = compressed(dir.path());
    for name in names(dir.path(), ".segz").into_iter().take(2) {
        let path = log(dir.path(), &name);
        let bytes = fs::read(&path).unwrap();
        for at in (0..bytes.len()).step_by(size(31, 1)) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            for wrong in [&flipped[..], &bytes[..at]] {
                fs::write(&path, wrong).unwrap();
                let read = open(dir.path(), Mode::Read).and_then(|store| groups_of(&store, 0).map(drop));
                match read {
                    Err(StoreError::Damaged(damage)) => {
                        assert!(damage.file.ends_with(&name) && damage.offset <= at as u64, "{at}: {damage}")
                    }
                    Err(StoreError::NewerFormat { file, .. }) => {
                        assert!(file.ends_with(&name));
                        continue;
                    }
                    other => panic!("byte {at} of {name}: {other:?}"),
                }
                let store = open(dir.path(), Mode::Inspect).unwrap();
                let given = store.read(0).unwrap().filter(|entry| entry.is_ok()).count();
                assert!(given > 0 && given <= kept.iter().map(|group| group.records.len() + 1).sum());
                assert_eq!(fs::read(&path).unwrap(), wrong, "nothing is mended by itself");
            }
        }
        fs::write(&path, &bytes).unwrap();
    }
}

#[test]
fn a_damaged_block_costs_the_groups_in_it_and_no_other() {
    let dir = tempfile::tempdir().unwrap();
    let kept = large(dir.path());
    let path = log(dir.path(), &names(dir.path(), ".segz")[0]);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, &bytes).unwrap();
    let store = open(dir.path(), Mode::Read).unwrap();
    let entries: Vec<_> = store.read(0).unwrap().collect();
    let Some(Err(StoreError::Damaged(damage))) = entries.last() else { panic!("expected damage") };
    // A block comes to half of its 64 KiB here.
    assert!(damage.offset <= middle as u64 && middle as u64 - damage.offset < 48 << 10, "{damage}");
    assert!(damage.file == path && damage.what.contains("compressed block"), "{damage}");
    assert!(entries.len() > 40, "what stands before is given");

    let (store, _) = LogStore::open_with(dir.path(), Mode::Inspect, options(SMALL)).unwrap();
    let entries: Vec<_> = store.read(0).unwrap().collect();
    let commits = entries.iter().filter(|entry| matches!(entry, Ok(Stored::Commit { .. }))).count();
    assert_eq!(entries.iter().filter(|entry| entry.is_err()).count(), 1);
    assert!((kept.len() - 6..kept.len()).contains(&commits), "{commits} of {} groups are given", kept.len());
}

/// A compressed segment with another table in front of its blocks.
fn with_table(bytes: &[u8], raw_len: u64, rows: &[(u32, u32)], blocks: &[u8]) -> Vec<u8> {
    let mut table = [b"reelmzst".as_slice(), &raw_len.to_le_bytes()].concat();
    rows.iter().for_each(|(len, crc)| table.extend([len.to_le_bytes(), crc.to_le_bytes()].concat()));
    let sum = crc32fast::hash(&[&WORLD.0[..], &table].concat());
    [&bytes[..HEADER_LEN], &table, &sum.to_le_bytes(), blocks].concat()
}

#[test]
fn a_file_that_says_more_than_it_holds_makes_nobody_reserve_it() {
    let dir = tempfile::tempdir().unwrap();
    compressed(dir.path());
    let path = log(dir.path(), &names(dir.path(), ".segz")[0]);
    let bytes = fs::read(&path).unwrap();
    let bomb = zstd::bulk::compress(&vec![7; 256 << 20], 3).unwrap();
    let row = |block: &[u8]| (block.len() as u32, crc32fast::hash(&[&WORLD.0[..], block].concat()));
    let cut = &bomb[..];
    let wrong: [(&str, Vec<u8>); 7] = [
        ("a byte more", [&bytes[..], &[0]].concat()),
        ("a block larger than one", with_table(&bytes, 112 + 1000, &[row(cut)], cut)),
        ("a length of everything", with_table(&bytes, u64::MAX, &[row(cut)], cut)),
        ("a length of much", with_table(&bytes, 1 << 50, &[row(cut)], cut)),
        ("no length", with_table(&bytes, 0, &[], b"")),
        ("a block of nothing", with_table(&bytes, 112 + 1000, &[(0, 0)], b"")),
        ("a block as long as the file is not", with_table(&bytes, 112 + 1000, &[(u32::MAX, 0)], cut)),
    ];
    for (what, wrong) in wrong {
        fs::write(&path, wrong).unwrap();
        let read = open(dir.path(), Mode::Read).and_then(|store| groups_of(&store, 0).map(drop));
        assert!(matches!(&read, Err(StoreError::Damaged(damage)) if damage.file == path), "{what}: {read:?}");
        assert!(open(dir.path(), Mode::Inspect).unwrap().read(0).unwrap().count() > 0, "{what}");
    }
}

#[test]
fn behind_a_compressed_segment_a_torn_header_is_damage_and_a_missing_segment_is_begun_anew() {
    let dir = tempfile::tempdir().unwrap();
    let kept = compressed(dir.path());
    let newest = log(dir.path(), &names(dir.path(), ".seg")[0]);
    fs::remove_file(dir.path().join("clean")).unwrap();
    let whole = fs::read(&newest).unwrap();
    fs::write(&newest, b"reelmlog\x01").unwrap();
    // A segment is compressed only once the next one is durable: no crash has left this.
    assert!(matches!(open(dir.path(), Mode::Write), Err(StoreError::Damaged(damage)) if damage.file == newest));
    assert_eq!(fs::read(&newest).unwrap(), b"reelmlog\x01");
    fs::write(&newest, whole).unwrap();
    answers(&open(dir.path(), Mode::Read).unwrap(), &kept);

    fs::remove_file(&newest).unwrap();
    let mut store = open(dir.path(), Mode::Write).unwrap();
    let left = groups_of(&store, 0).unwrap();
    let next = store.ending().seq;
    assert!(kept.starts_with(&left) && left.len() < kept.len() && next > 0);
    store.append(next, &[group(next, 1)]).unwrap();
    store.close().unwrap();
    assert_eq!(groups_of(&open(dir.path(), Mode::Read).unwrap(), next).unwrap(), [group(next, 1)]);
}

/// A disk that has no room for what is compressed, or keeps something else, as long as it is told to.
struct FullDisk {
    is_full: AtomicBool,
    lies: AtomicBool,
}

struct FullFile {
    file: Arc<dyn DiskFile>,
    lies: bool,
}

impl DiskFile for FullFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut other = bytes.to_vec();
        other.iter_mut().rev().take(1).for_each(|byte| *byte ^= 1);
        if self.lies { self.file.write_at(offset, &other) } else { Err(io::ErrorKind::StorageFull.into()) }
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }
}

impl Disk for FullDisk {
    fn open(&self, path: &Path, write: bool) -> io::Result<Arc<dyn DiskFile>> {
        HastyDisk.open(path, write)
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        let file = HastyDisk.create(path)?;
        let (is_full, lies) = (self.is_full.load(Ordering::Acquire), self.lies.load(Ordering::Acquire));
        let is_told = (is_full || lies) && path.to_string_lossy().contains(".segz");
        Ok(if is_told { Arc::new(FullFile { file, lies }) } else { file })
    }

    fn names(&self, dir: &Path) -> io::Result<Vec<String>> {
        HastyDisk.names(dir)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        HastyDisk.create_dir(dir)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        HastyDisk.remove(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        HastyDisk.rename(from, to)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        HastyDisk.sync_dir(dir)
    }

    fn is_dir(&self, dir: &Path) -> bool {
        HastyDisk.is_dir(dir)
    }
}

#[test]
fn on_a_full_disk_nothing_is_lost_the_world_goes_on_and_it_is_tried_again() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Arc::new(FullDisk { is_full: true.into(), lies: false.into() });
    let asked = || Options { compress_after: Some(Duration::ZERO), disk: disk.clone(), ..options(SMALL) };
    let mut store = LogStore::create_with(dir.path(), &world_file(), asked()).unwrap();
    let mut kept = keeps_what_it_is_given(&mut store);
    let complaint = store.compress_closed().unwrap_err();
    assert!(matches!(complaint, StoreError::Full { .. }), "{complaint}");
    answers(&store, &kept);
    assert_eq!((names(dir.path(), ".segz").len(), names(dir.path(), ".new").len()), (0, 0), "the room is given back");
    // A thread that has failed tries again when the next segment is closed.
    let closes_one = |store: &mut LogStore, kept: &mut Vec<Group>| {
        let before = names(dir.path(), "").len();
        while names(dir.path(), "").len() == before {
            let from = store.ending().seq;
            kept.push(group(from, 3));
            store.append(from, &kept[kept.len() - 1..]).unwrap();
        }
    };
    closes_one(&mut store, &mut kept);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(names(dir.path(), ".segz").len(), 0);
    disk.is_full.store(false, Ordering::Release);
    closes_one(&mut store, &mut kept);
    until("both are compressed", || names(dir.path(), ".segz").len() >= 2);
    answers(&store, &kept);
}

#[test]
fn what_is_not_read_back_as_it_was_written_goes_and_the_plain_file_stays() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Arc::new(FullDisk { is_full: false.into(), lies: true.into() });
    let mut store = LogStore::create_with(dir.path(), &world_file(), Options { disk: disk.clone(), ..options(SMALL) }).unwrap();
    let kept = keeps_what_it_is_given(&mut store);
    let before = names(dir.path(), "");
    let complaint = store.compress_closed().unwrap_err();
    assert!(complaint.to_string().contains("not read back as it was written"), "{complaint}");
    assert_eq!(names(dir.path(), ""), before);
    disk.lies.store(false, Ordering::Release);
    store.compress_closed().unwrap();
    answers(&store, &kept);
    assert_eq!(names(dir.path(), ".seg").len(), 1);
}
