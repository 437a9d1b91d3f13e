//! Recover: a log that was changed opens with a history that was written, short of nothing that it can know to have been acknowledged; or
//! it is refused, and nothing of it is changed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use reelm::fact::{BeingId, Hash, WorldId};
use reelm::store::{Disk, DiskFile, FORMAT, Group, LogStore, Mode, Options, Record, Store, StoreError, Stored, WorldFile};

use super::change::change;

type Files = BTreeMap<PathBuf, Memory>;

/// A file in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl DiskFile for Memory {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.bytes();
        let from = bytes.get(offset as usize..).unwrap_or_default();
        let count = from.len().min(buffer.len());
        buffer[..count].copy_from_slice(&from[..count]);
        Ok(count)
    }
    fn write_at(&self, offset: u64, new: &[u8]) -> io::Result<()> {
        let (mut bytes, from) = (self.bytes(), offset as usize);
        if bytes.len() < from + new.len() {
            bytes.resize(from + new.len(), 0);
        }
        bytes[from..from + new.len()].copy_from_slice(new);
        Ok(())
    }
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes().len() as u64)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.bytes().resize(len as usize, 0);
        Ok(())
    }
}

/// A disk in memory.
#[derive(Default)]
struct Shelf(Mutex<Files>);

impl Shelf {
    fn files(&self) -> MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every file with its bytes, but for the zeroes at its end.
    fn picture(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let trimmed = |file: &Memory| {
            let bytes = file.bytes();
            bytes[..bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1)].to_vec()
        };
        self.files().iter().map(|(path, file)| (path.clone(), trimmed(file))).collect()
    }

    fn of(picture: &BTreeMap<PathBuf, Vec<u8>>) -> Arc<Self> {
        let files = picture.iter().map(|(path, bytes)| (path.clone(), Memory(Arc::new(Mutex::new(bytes.clone())))));
        Arc::new(Self(Mutex::new(files.collect())))
    }
}

impl Disk for Shelf {
    fn open(&self, path: &Path, _: bool) -> io::Result<Arc<dyn DiskFile>> {
        let file = self.files().get(path).cloned();
        file.map(|file| Arc::new(file) as Arc<dyn DiskFile>).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        let file = Memory::default();
        self.files().insert(path.to_owned(), file.clone());
        Ok(Arc::new(file))
    }
    fn names(&self, dir: &Path) -> io::Result<Vec<String>> {
        let files = self.files();
        let inside = files.keys().filter(|path| path.parent() == Some(dir)).filter_map(|path| path.file_name());
        Ok(inside.map(|name| name.to_string_lossy().into_owned()).collect())
    }
    fn create_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.files().remove(path).map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let file = self.files().remove(from).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        self.files().insert(to.to_owned(), file);
        Ok(())
    }
    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
    fn is_dir(&self, _: &Path) -> bool {
        true
    }
}

const DIR: &str = "world";

fn options(disk: &Arc<Shelf>) -> Options {
    // So small that the history lies in several segments.
    Options { index: false, segment_bytes: 900, compress_after: None, disk: disk.clone(), ..Options::default() }
}

fn history() -> Vec<Group> {
    let frame = |seq: u64| Record::Frame {
        seq,
        being: BeingId::new(seq % 3, 1),
        n: seq / 3,
        bytes: format!("frame {seq}").repeat(4).as_bytes().into(),
    };
    let blob = |seq: u64| {
        let bytes = format!("what {seq} says").into_bytes();
        Record::Blob { hash: Hash::of(&bytes), bytes: bytes.into() }
    };
    let group = |from: u64, count: u64| {
        let records = std::iter::once(blob(from)).chain((from..from + count).map(frame)).collect();
        Group { records, head: Hash([from as u8; 32]), seal: [from as u8; 64] }
    };
    vec![group(0, 2), group(2, 1), group(3, 3), group(6, 1), group(7, 2), group(9, 1)]
}

/// The files of a world whose groups were each acknowledged by themselves: closed cleanly, or as a killed process leaves them; what is closed may
/// be compressed.
fn written(is_clean: bool, is_compressed: bool) -> BTreeMap<PathBuf, Vec<u8>> {
    let disk = Arc::new(Shelf::default());
    let file = WorldFile {
        format: FORMAT,
        world: WorldId([5; 16]),
        root_key: "00".repeat(32),
        simulated: true,
        name: "fuzz".to_owned(),
        origins: Vec::new(),
    };
    let mut store = LogStore::create_with(Path::new(DIR), &file, options(&disk)).expect("an empty disk");
    for group in history() {
        store.append(store.ending().seq, &[group]).expect("a disk that holds");
    }
    if is_compressed {
        store.compress_closed().expect("a disk that holds");
    }
    if is_clean {
        store.close().expect("a disk that holds");
        return disk.picture();
    }
    let mut picture = disk.picture();
    // Zeroes ahead, as a writer leaves them, but few.
    picture.values_mut().last().expect("a segment").extend([0; 64]);
    picture
}

static CLEAN: LazyLock<BTreeMap<PathBuf, Vec<u8>>> = LazyLock::new(|| written(true, false));
static KILLED: LazyLock<BTreeMap<PathBuf, Vec<u8>>> = LazyLock::new(|| written(false, false));
static COMPRESSED: LazyLock<BTreeMap<PathBuf, Vec<u8>>> = LazyLock::new(|| written(true, true));

fn groups_of(store: &LogStore) -> Result<Vec<Group>, StoreError> {
    let (mut groups, mut records) = (Vec::new(), Vec::new());
    for entry in store.read(0)? {
        match entry? {
            Stored::Blob { hash, bytes, .. } => records.push(Record::Blob { hash, bytes }),
            Stored::Frame { seq, being, n, bytes, .. } => records.push(Record::Frame { seq, being, n, bytes }),
            Stored::Commit { commit, .. } => {
                groups.push(Group { records: std::mem::take(&mut records), head: commit.head, seal: commit.seal })
            }
        }
    }
    Ok(groups)
}

/// The commits of a log, each as it stands there: head and payload, 209 bytes.
fn commits(picture: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<Vec<u8>> {
    let segments = picture.iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "seg"));
    let mut found = Vec::new();
    for (_, bytes) in segments {
        let mut at = 112;
        while let Some(head) = bytes.get(at..at + 9).filter(|head| head[..4] != [0; 4]) {
            let end = at + 9 + u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
            if head[8] == 3 {
                found.push(bytes[at..end].to_vec());
            }
            at = end;
        }
    }
    found
}

/// Changes one file of a world, as the input says, and opens it for writing.
pub fn check(input: &[u8]) {
    let Some((&which, changes)) = input.split_first() else { return };
    let whole = [&*CLEAN, &*KILLED, &*COMPRESSED][usize::from(which % 3)];
    let mut picture = whole.clone();
    let path = picture.keys().nth(usize::from(which / 3) % whole.len()).cloned().expect("some file");
    let is_cut = picture.get_mut(&path).is_some_and(|bytes| change(bytes, changes));
    let disk = Shelf::of(&picture);
    let opened = LogStore::open_with(Path::new(DIR), Mode::Write, options(&disk));
    let (store, recovery) = match opened {
        Ok(opened) => opened,
        Err(
            StoreError::Damaged(_)
            | StoreError::Lost { .. }
            | StoreError::BadFile { .. }
            | StoreError::NewerFormat { .. }
            | StoreError::FormerFormat { .. },
        ) => {
            let trimmed = Shelf::of(&picture).picture();
            assert!(disk.picture() == trimmed, "refused, and changed all the same");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let Ok(groups) = groups_of(&store) else { return };
    let all = history();
    assert!(all.starts_with(&groups), "a history that was never written");
    if groups.len() < all.len() {
        assert!(which % 3 == 1, "a world that was closed cleanly lost its end without a word");
        assert!(
            recovery.cut_bytes > 0 || is_cut || changes.chunks(6).any(|step| matches!(step[0] % 8, 3 | 5 | 7)),
            "passed over in silence"
        );
        // The writer of a commit knew how many commits before it were durable.
        let known = commits(whole).into_iter().enumerate().filter(|(number, _)| *number > groups.len());
        let logs = picture.iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "seg"));
        let stands = |commit: &[u8]| logs.clone().any(|(_, bytes)| bytes.windows(commit.len()).any(|window| window == commit));
        assert!(!known.into_iter().any(|(_, commit)| stands(&commit)), "acknowledged frames were dropped");
    }
    goes_on(store, &disk, &groups);
}

/// The rest is a log that can be written, closed and read again.
fn goes_on(mut store: LogStore, disk: &Arc<Shelf>, groups: &[Group]) {
    let mut expected = groups.to_vec();
    if let Some(next) = history().get(groups.len()) {
        store.append(store.ending().seq, std::slice::from_ref(next)).expect("it opened for writing");
        expected.push(next.clone());
    }
    store.close().expect("a disk that holds");
    let (again, recovery) = LogStore::open_with(Path::new(DIR), Mode::Read, options(disk)).expect("it was closed cleanly");
    assert!(recovery.was_clean && groups_of(&again).is_ok_and(|groups| groups == expected), "what was written is not what is read");
}
