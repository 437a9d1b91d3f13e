//! One suite of stories over every store, and the small histories that the other tests of this room use.

use std::io;
use std::path::Path;
use std::sync::Arc;

use reelm::fact::{BeingId, Hash, Seq, WorldId};

use reelm::store::FORMAT;
use reelm::store::LogStore;
use reelm::store::MemoryStore;
use reelm::store::StoreError;
use reelm::store::WorldFile;
use reelm::store::import;
use reelm::store::import::import_with;
use reelm::store::segment::HEADER_LEN;
use reelm::store::{Disk, DiskFile, PlainDisk};
use reelm::store::{Entries, Store};
use reelm::store::{Group, Record, Stored};
use reelm::store::{Mode, Options};
use reelm::store::{StreamStore, export};

pub(super) const WORLD: WorldId = WorldId(*b"a world of tests");
pub(super) const BEINGS: u64 = 3;

pub(super) fn world_file() -> WorldFile {
    WorldFile { format: FORMAT, world: WORLD, root_key: "00".repeat(32), simulated: true, name: "tests".to_owned(), origins: Vec::new() }
}

pub(super) fn being(seq: Seq) -> BeingId {
    BeingId::new(seq % BEINGS, 1)
}

pub(super) fn frame(seq: Seq) -> Record {
    let bytes = format!("frame {seq} {}", "x".repeat((seq % 40) as usize));
    Record::Frame { seq, being: being(seq), n: seq / BEINGS, bytes: Arc::from(bytes.as_bytes()) }
}

pub(super) fn blob(text: &str) -> Record {
    Record::Blob { hash: Hash::of(text.as_bytes()), bytes: Arc::from(text.as_bytes()) }
}

/// A group of frames, with a blob before every third.
pub(super) fn group(from: Seq, count: u64) -> Group {
    let mut records = Vec::new();
    for seq in from..from + count {
        if seq % 3 == 0 {
            records.push(blob(&format!("prompt {seq}")));
        }
        records.push(frame(seq));
    }
    Group { records, head: Hash::of(format!("head {from} {count}").as_bytes()), seal: [from as u8; 64] }
}

/// Everything that a store gives, as groups.
pub(super) fn groups_of(store: &dyn Store, from: Seq) -> Result<Vec<Group>, StoreError> {
    groups_in(store.read(from)?)
}

pub(super) fn groups_in(entries: Entries<'_>) -> Result<Vec<Group>, StoreError> {
    let (mut groups, mut records) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry? {
            Stored::Blob { hash, bytes, .. } => records.push(Record::Blob { hash, bytes }),
            Stored::Frame { seq, being, n, bytes, .. } => records.push(Record::Frame { seq, being, n, bytes }),
            Stored::Commit { commit, .. } => {
                groups.push(Group { records: std::mem::take(&mut records), head: commit.head, seal: commit.seal })
            }
        }
    }
    assert!(records.is_empty(), "records without a commit");
    Ok(groups)
}

/// The story of one store, from empty.
pub(super) fn keeps_what_it_is_given(store: &mut dyn Store) -> Vec<Group> {
    assert_eq!(store.ending().seq, 0);
    assert_eq!(groups_of(store, 0).unwrap(), vec![]);
    assert_eq!(store.frame(0).unwrap(), None);

    let mut kept = vec![group(0, 1), group(1, 7), group(8, 2)];
    kept[2].records.insert(0, blob("first"));
    store.append(0, &kept[..1]).unwrap();
    store.append(1, &kept[1..]).unwrap();
    for index in 0..30 {
        let from = store.ending().seq;
        kept.push(group(from, 1 + index % 5));
        store.append(from, &kept[kept.len() - 1..]).unwrap();
    }
    let before = *store.ending();

    let wrong = [group(before.seq + 1, 1)];
    assert!(matches!(store.append(before.seq + 1, &wrong), Err(StoreError::WrongSeq { .. })));
    assert!(matches!(store.append(before.seq, &wrong), Err(StoreError::WrongSeq { .. })));
    let forged = Record::Blob { hash: Hash::of(b"this"), bytes: Arc::from(b"that".as_slice()) };
    let forged = Group { records: vec![forged], ..group(before.seq, 0) };
    assert!(matches!(store.append(before.seq, &[forged]), Err(StoreError::WrongBlob { .. })));
    for records in [Vec::new(), vec![blob("alone")]] {
        let empty = Group { records, ..group(before.seq, 0) };
        assert!(matches!(store.append(before.seq, &[empty]), Err(StoreError::EmptyGroup)));
    }
    assert_eq!(*store.ending(), before, "a refused append changes nothing");
    assert_eq!(before.head, kept.last().unwrap().head);
    kept
}

pub(super) fn answers(store: &dyn Store, kept: &[Group]) {
    let records: Vec<&Record> = kept.iter().flat_map(|group| &group.records).collect();
    let end = store.ending().seq;
    assert_eq!(groups_of(store, 0).unwrap(), kept);
    for from in 0..end {
        let read = groups_of(store, from).unwrap();
        assert_eq!(read, kept[kept.len() - read.len()..], "reading from {from} gives a tail of the history");
        assert!(read[0].records.contains(&frame(from)), "reading from {from} begins with its group");
    }
    for record in records {
        match record {
            Record::Frame { seq, .. } => assert_eq!(store.frame(*seq).unwrap().as_ref(), Some(record)),
            Record::Blob { hash, bytes } => assert_eq!(store.blob(hash).unwrap().as_ref(), Some(bytes)),
        }
    }
    assert_eq!(store.frame(end).unwrap(), None);
    assert_eq!(store.blob(&Hash::of(b"nothing")).unwrap(), None);
    for of in 0..BEINGS {
        for from_n in [0, 1, 5, 1000] {
            let expected: Vec<Seq> = (0..end).filter(|seq| being(*seq) == being(of) && seq / BEINGS >= from_n).collect();
            assert_eq!(store.reel(being(of), from_n).unwrap(), expected);
        }
    }
    assert!(store.reel(BeingId::new(99, 0), 0).unwrap().is_empty());
}

/// The operating system's disk, without waiting for it. Stories in which no power is cut need no durable byte, and those that change every byte
/// of a world would wait for thousands.
#[derive(Clone, Copy, Default)]
pub(super) struct HastyDisk;

struct HastyFile(Arc<dyn DiskFile>);

impl DiskFile for HastyFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_at(offset, bytes)
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }
}

impl Disk for HastyDisk {
    fn open(&self, path: &Path, write: bool) -> io::Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(HastyFile(PlainDisk.open(path, write)?)))
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        Ok(Arc::new(HastyFile(PlainDisk.create(path)?)))
    }

    fn names(&self, dir: &Path) -> io::Result<Vec<String>> {
        PlainDisk.names(dir)
    }

    fn create_dir(&self, dir: &Path) -> io::Result<()> {
        PlainDisk.create_dir(dir)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        PlainDisk.remove(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        PlainDisk.rename(from, to)
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn is_dir(&self, dir: &Path) -> bool {
        PlainDisk.is_dir(dir)
    }
}

fn options(index: bool, segment_bytes: u64) -> Options {
    Options { index, segment_bytes, ..Options::default() }
}

#[test]
fn memory_keeps_what_it_is_given() {
    let mut store = MemoryStore::new(WORLD);
    let kept = keeps_what_it_is_given(&mut store);
    answers(&store, &kept);
}

#[test]
fn a_log_keeps_what_it_is_given_with_and_without_index_in_large_and_small_segments() {
    for options in [options(false, 64 << 20), options(true, 64 << 20), options(false, 1500), options(true, 1500)] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("world");
        let mut store = LogStore::create_with(&path, &world_file(), options.clone()).unwrap();
        let kept = keeps_what_it_is_given(&mut store);
        answers(&store, &kept);
        let segments = std::fs::read_dir(path.join("log")).unwrap().count();
        assert_eq!(segments > 1, options.segment_bytes < 10_000, "{segments} segments");
        let ending = *store.ending();
        store.close().unwrap();

        for mode in [Mode::Write, Mode::Read, Mode::Inspect] {
            let (store, recovery) = LogStore::open_with(&path, mode, options.clone()).unwrap();
            assert_eq!(*store.ending(), ending);
            assert!(recovery.was_clean && recovery.cut_bytes == 0 && !recovery.index_rebuilt, "{recovery:?}");
            assert_eq!(store.world_file(), &world_file());
            answers(&store, &kept);
        }
        let (store, _) = LogStore::open_with(&path, Mode::Write, options.clone()).unwrap();
        store.kill();
        let (store, recovery) = LogStore::open_with(&path, Mode::Write, options.clone()).unwrap();
        assert!(!recovery.was_clean && recovery.cut_bytes == 0, "{recovery:?}");
        assert_eq!(recovery.index_rebuilt, options.index);
        answers(&store, &kept);
    }
}

#[test]
fn the_same_history_has_the_same_commits_in_every_store() {
    let dir = tempfile::tempdir().unwrap();
    let mut log = LogStore::create_with(&dir.path().join("world"), &world_file(), options(false, 1500)).unwrap();
    let mut memory = MemoryStore::new(WORLD);
    let kept = keeps_what_it_is_given(&mut log);
    memory.append(0, &kept).unwrap();
    assert_eq!((log.ending().commit, log.ending().number), (memory.ending().commit, memory.ending().number));
}

#[test]
fn an_export_reads_as_a_store_and_imports_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = MemoryStore::new(WORLD);
    let kept = keeps_what_it_is_given(&mut store);
    let mut first = Vec::new();
    export(&store, &world_file(), None, &mut first).unwrap();
    let file = dir.path().join("world.export");
    std::fs::write(&file, &first).unwrap();

    let stream = StreamStore::open(&file).unwrap();
    assert_eq!((stream.ending().commit, stream.world_file()), (store.ending().commit, &world_file()));
    answers(&stream, &kept);

    let ending = import(&stream, &dir.path().join("world")).unwrap().settle().unwrap();
    assert_eq!(ending.commit, store.ending().commit);
    let (log, recovery) = LogStore::open(&dir.path().join("world"), Mode::Write).unwrap();
    assert!(recovery.was_clean);
    answers(&log, &kept);
    let mut second = Vec::new();
    export(&log, log.world_file(), None, &mut second).unwrap();
    assert!(first == second, "an export of the import is the export");
}

#[test]
fn an_export_with_any_byte_flipped_or_cut_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = MemoryStore::new(WORLD);
    store.append(0, &[group(0, 2), group(2, 1)]).unwrap();
    let mut bytes = Vec::new();
    export(&store, &world_file(), None, &mut bytes).unwrap();
    let file = dir.path().join("export");
    let groups = 12 + world_file().to_text(None).unwrap().len() + HEADER_LEN;
    let refused = |wrong: &[u8], at: usize| {
        std::fs::write(&file, wrong).unwrap();
        assert!(StreamStore::open(&file).is_err(), "byte {at}");
        // A file that changes behind our back: what was read before is whole, what is read now is not.
        std::fs::write(&file, &bytes).unwrap();
        let stream = StreamStore::open(&file).unwrap();
        std::fs::write(&file, wrong).unwrap();
        let taken = import_with(
            &stream,
            &dir.path().join("world"),
            Options { index: false, ahead_bytes: 0, disk: Arc::new(HastyDisk), ..Options::default() },
        );
        assert!(at < groups || at == bytes.len() || taken.is_err(), "byte {at}");
        drop(taken);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "byte {at}: something was left behind");
    };
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x10;
        refused(&flipped, at);
        if at % 7 == 0 {
            refused(&bytes[..at], at);
        }
    }
    refused(&[&bytes[..], &[0]].concat(), bytes.len());
}

#[test]
fn what_is_no_export_is_called_so() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("letter.txt");
    for text in ["dear", "", "reelmlog and more", "a letter that is much longer than any magic"] {
        std::fs::write(&file, text).unwrap();
        assert!(matches!(StreamStore::open(&file), Err(StoreError::NotAnExport { .. })), "{text}");
    }
}

#[test]
fn an_import_takes_an_empty_directory_and_no_other_and_is_gone_if_it_is_not_settled() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = MemoryStore::new(WORLD);
    store.append(0, &[group(0, 2)]).unwrap();
    let file = dir.path().join("export");
    export(&store, &world_file(), None, &mut std::fs::File::create(&file).unwrap()).unwrap();
    let stream = StreamStore::open(&file).unwrap();
    let (empty, full) = (dir.path().join("empty"), dir.path().join("full"));
    std::fs::create_dir_all(&empty).unwrap();
    std::fs::create_dir_all(full.join("letters")).unwrap();
    drop(import(&stream, &empty).unwrap());
    assert_eq!(std::fs::read_dir(&empty).unwrap().count(), 0);
    assert!(matches!(import(&stream, &full), Err(StoreError::NotEmpty { found, .. }) if found == "letters"));
    import(&stream, &empty).unwrap().settle().unwrap();
    assert_eq!(LogStore::open(&empty, Mode::Write).unwrap().0.ending().seq, 2);
    assert!(matches!(import(&stream, &empty), Err(StoreError::NotEmpty { .. })));
}

#[test]
fn a_second_writer_is_refused_and_told_who_holds_the_world() {
    let dir = tempfile::tempdir().unwrap();
    let store = LogStore::create(dir.path(), &world_file()).unwrap();
    match LogStore::open(dir.path(), Mode::Write) {
        Err(StoreError::Locked { pid, .. }) => assert_eq!(pid, Some(std::process::id())),
        other => panic!("expected Locked, found {:?}", other.err()),
    }
    drop(store);
    LogStore::open(dir.path(), Mode::Write).unwrap();
}

#[test]
fn a_reader_sees_a_world_that_is_being_written() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = LogStore::create(dir.path(), &world_file()).unwrap();
    for from in 0..5 {
        store.append(from, &[group(from, 1)]).unwrap();
        let (reader, _) = LogStore::open(dir.path(), Mode::Read).unwrap();
        assert_eq!(reader.ending(), store.ending());
        assert_eq!(groups_of(&reader, 0).unwrap().len(), from as usize + 1);
    }
    let (mut reader, _) = LogStore::open(dir.path(), Mode::Read).unwrap();
    assert!(matches!(reader.append(5, &[group(5, 1)]), Err(StoreError::OnlyReads)));
}

#[test]
fn what_is_not_a_world_is_said_to_be_none() {
    let dir = tempfile::tempdir().unwrap();
    let open = |path: &Path| LogStore::open(path, Mode::Write).map(|_| ()).unwrap_err();
    assert!(matches!(open(&dir.path().join("nowhere")), StoreError::NoDirectory { .. }));
    assert!(matches!(open(dir.path()), StoreError::NotAWorld { .. }));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "a wrong directory is left as it was");
    std::fs::write(dir.path().join("letter.txt"), "dear").unwrap();
    assert!(matches!(LogStore::create(dir.path(), &world_file()), Err(StoreError::NotEmpty { found, .. }) if found == "letter.txt"));
    let world = dir.path().join("world");
    drop(LogStore::create(&world, &world_file()).unwrap());
    assert!(matches!(LogStore::create(&world, &world_file()), Err(StoreError::NotEmpty { .. })));
}

#[test]
fn a_world_half_made_can_be_made_again_but_one_that_lost_its_world_file_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    drop(LogStore::create_with(dir.path(), &world_file(), options(false, 1500)).unwrap());
    std::fs::remove_file(dir.path().join("world.toml")).unwrap();
    let mut store = LogStore::create_with(dir.path(), &world_file(), options(false, 1500)).unwrap();
    store.append(0, &[group(0, 1)]).unwrap();
    drop(store);
    std::fs::remove_file(dir.path().join("world.toml")).unwrap();
    assert!(matches!(LogStore::create(dir.path(), &world_file()), Err(StoreError::NotEmpty { .. })));
}

#[test]
fn a_newer_format_is_named_as_such() {
    let dir = tempfile::tempdir().unwrap();
    let newer = WorldFile { format: FORMAT + 1, ..world_file() };
    drop(LogStore::create_with(dir.path(), &newer, options(false, 1500)).unwrap());
    let error = LogStore::open(dir.path(), Mode::Read).map(|_| ()).unwrap_err();
    assert!(matches!(error, StoreError::NewerFormat { found, known, .. } if (found, known) == (FORMAT + 1, FORMAT)));
}
