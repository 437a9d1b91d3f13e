//! A disk that fails and forgets: writes that were not synced are lost, kept or torn when the power goes.
//!
//! Everything that the store acknowledged must be read back from the rest, and nothing that was never given.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proptest::prelude::*;

use reelm::fact::{BeingId, Hash, Master, Seq};

use crate::kit;

use super::suite::{WORLD, group, groups_in, groups_of, world_file};
use reelm::store::ArchiveFile;
use reelm::store::Group;
use reelm::store::LogStore;
use reelm::store::Store;
use reelm::store::StoreError;
use reelm::store::WorldFile;
use reelm::store::disk::read_all;
use reelm::store::segment::HEADER_LEN;
use reelm::store::{Disk, DiskFile};
use reelm::store::{Mode, Options};
use reelm::store::{NewBeginning, SignedBorder};

const SECTOR: usize = 512;

/// A disk in memory.
#[derive(Clone, Default)]
struct WeakDisk(Arc<Mutex<DiskState>>);

#[derive(Default)]
struct DiskState {
    names: BTreeMap<PathBuf, usize>,
    durable_names: BTreeMap<PathBuf, usize>,
    files: Vec<DiskBytes>,
    /// Writes and syncs that still succeed; `None` is any number.
    left: Option<u64>,
}

#[derive(Default, Clone)]
struct DiskBytes {
    now: Vec<u8>,
    durable: Vec<u8>,
    since: Vec<Unsynced>,
}

#[derive(Clone)]
enum Unsynced {
    Write(usize, Vec<u8>),
    Len(usize),
}

struct WeakFile(WeakDisk, usize);

/// Small, seeded, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 29)) % sides
    }
}

impl Unsynced {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Len(len) => bytes.resize(*len, 0),
            Self::Write(at, new) => {
                bytes.resize(bytes.len().max(at + new.len()), 0);
                bytes[*at..at + new.len()].copy_from_slice(new);
            }
        }
    }

    /// Applies the part that reached the platter: each sector, or not.
    fn tear(&self, bytes: &mut Vec<u8>, dice: &mut Dice) {
        match self {
            Self::Len(_) if dice.roll(2) == 0 => self.apply(bytes),
            Self::Len(_) => {}
            Self::Write(at, new) => {
                let (mut from, keeps) = (0, dice.roll(4));
                while from < new.len() {
                    let to = (from + SECTOR - (at + from) % SECTOR).min(new.len());
                    if keeps == 0 || (keeps < 3 && dice.roll(2) == 0) {
                        Self::Write(at + from, new[from..to].to_vec()).apply(bytes);
                    }
                    from = to;
                }
            }
        }
    }
}

impl WeakDisk {
    fn state(&self) -> MutexGuard<'_, DiskState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail_after(&self, left: Option<u64>) {
        self.state().left = left;
    }

    /// The state of the disk after the power went.
    fn cut_power(&self, dice: &mut Dice) -> Self {
        let state = self.state();
        let mut names = state.durable_names.clone();
        for path in state.names.keys().chain(state.durable_names.keys()) {
            let (now, durable) = (state.names.get(path), state.durable_names.get(path));
            if now != durable && dice.roll(2) == 0 {
                match now {
                    Some(id) => names.insert(path.clone(), *id),
                    None => names.remove(path),
                };
            }
        }
        // A rename is one step: the file lies under its old name or under its new one.
        for (path, id) in &state.durable_names {
            let renamed = state.names.iter().find(|(_, now)| *now == id).map(|(path, _)| path);
            if let Some(renamed) = renamed.filter(|_| !names.values().any(|kept| kept == id)) {
                names.insert(if names.contains_key(path) { renamed } else { path }.clone(), *id);
            }
        }
        let files = state
            .files
            .iter()
            .map(|file| {
                let mut bytes = file.durable.clone();
                file.since.iter().for_each(|change| change.tear(&mut bytes, dice));
                DiskBytes { now: bytes.clone(), durable: bytes, since: Vec::new() }
            })
            .collect();
        Self(Arc::new(Mutex::new(DiskState { durable_names: names.clone(), names, files, left: None })))
    }
}

impl DiskState {
    fn spend(&mut self) -> io::Result<()> {
        match &mut self.left {
            None => Ok(()),
            Some(0) => Err(io::Error::other("the disk failed")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
        }
    }
}

impl DiskFile for WeakFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let state = self.0.state();
        let bytes = state.files[self.1].now.get(offset as usize..).unwrap_or_default();
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.change(Unsynced::Write(offset as usize, bytes.to_vec()))
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.0.state();
        state.spend()?;
        let file = &mut state.files[self.1];
        file.durable.clone_from(&file.now);
        file.since.clear();
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.0.state().files[self.1].now.len() as u64)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.change(Unsynced::Len(len as usize))
    }
}

impl WeakFile {
    fn change(&self, change: Unsynced) -> io::Result<()> {
        let mut state = self.0.state();
        let done = state.spend();
        let file = &mut state.files[self.1];
        // A write that fails may have been done in part.
        file.since.push(change.clone());
        done.map(|()| change.apply(&mut file.now))
    }
}

impl Disk for WeakDisk {
    fn open(&self, path: &Path, _: bool) -> io::Result<Arc<dyn DiskFile>> {
        let id = self.state().names.get(path).copied().ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(WeakFile(self.clone(), id)))
    }

    fn create(&self, path: &Path) -> io::Result<Arc<dyn DiskFile>> {
        let mut state = self.state();
        state.spend()?;
        state.files.push(DiskBytes::default());
        let id = state.files.len() - 1;
        state.names.insert(path.to_owned(), id);
        Ok(Arc::new(WeakFile(self.clone(), id)))
    }

    fn names(&self, dir: &Path) -> io::Result<Vec<String>> {
        let state = self.state();
        let inside = state.names.keys().filter(|path| path.parent() == Some(dir));
        Ok(inside.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect())
    }

    fn create_dir(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.spend()?;
        state.names.remove(path).map(|_| ()).ok_or(io::ErrorKind::NotFound.into())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.spend()?;
        let id = state.names.remove(from).ok_or(io::ErrorKind::NotFound)?;
        state.names.insert(to.to_owned(), id);
        Ok(())
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        let mut state = self.state();
        state.spend()?;
        let names: Vec<_> =
            state.names.iter().filter(|(path, _)| path.parent() == Some(dir)).map(|(path, id)| (path.clone(), *id)).collect();
        state.durable_names.retain(|path, _| path.parent() != Some(dir));
        state.durable_names.extend(names);
        Ok(())
    }

    fn is_dir(&self, _: &Path) -> bool {
        true
    }
}

fn options(disk: &WeakDisk, segment_bytes: u64) -> Options {
    // Beside the run nothing is compressed, so that each seed is one story.
    Options { index: false, segment_bytes, compress_after: None, disk: Arc::new(disk.clone()), ..Options::default() }
}

fn dir() -> &'static Path {
    Path::new("world")
}

/// Appends until the disk fails; gives what was tried, and how many groups of it were acknowledged.
fn live(store: &mut LogStore, known: &mut Vec<Group>, dice: &mut Dice) -> usize {
    let mut acked = known.len();
    for _ in 0..40 {
        let from = store.ending().seq;
        let mut next = from;
        let mut groups = Vec::new();
        for _ in 0..=dice.roll(3) {
            let count = 1 + dice.roll(4);
            groups.push(group(next, count));
            next += count;
        }
        known.extend(groups.iter().cloned());
        match store.append(from, &groups) {
            Ok(()) => acked = known.len(),
            Err(_) => break,
        }
        if dice.roll(4) == 0 {
            // The result does not matter: nothing acknowledged may be lost by it.
            let _ = store.compress_closed();
        }
    }
    acked
}

proptest! {
    #![proptest_config(kit::cases(40, 400))]

    #[test]
    fn whatever_was_acknowledged_survives_power_cuts(seed: u64, kills in prop::collection::vec(0u64..120, 1..5), segment_bytes in 600u64..6000) {
        let mut dice = Dice(seed);
        let mut disk = WeakDisk::default();
        LogStore::create_with(dir(), &world_file(), options(&disk, segment_bytes)).unwrap().close().unwrap();
        let mut known: Vec<Group> = Vec::new();
        for kill in kills {
            disk.fail_after(Some(kill));
            let mut acked = known.len();
            if let Ok((mut store, _)) = LogStore::open_with(dir(), Mode::Write, options(&disk, segment_bytes)) {
                acked = live(&mut store, &mut known, &mut dice);
                if dice.roll(2) == 0 {
                    store.kill();
                } else {
                    let _ = store.close();
                }
            }
            disk = disk.cut_power(&mut dice);
            let (mut store, _) = LogStore::open_with(dir(), Mode::Write, options(&disk, segment_bytes)).unwrap();
            let left = groups_of(&store, 0).unwrap();
            if dice.roll(2) == 0 {
                store.compress_closed().unwrap();
                prop_assert_eq!(&groups_of(&store, 0).unwrap(), &left);
            }
            prop_assert!(left.len() >= acked, "{} groups were acknowledged, {} are left", acked, left.len());
            prop_assert!(known.starts_with(&left), "what is left is a beginning of what was written");
            known = left;
            drop(store);
        }
    }
}

/// The world of the tests with a key that can sign what its log begins with.
fn signed_world() -> (Master, WorldFile) {
    let master = Master::new([7; 32]);
    let root_key = master.public(WORLD, BeingId::WORLD).to_string();
    (master, WorldFile { root_key, ..world_file() })
}

/// Moves everything before a border out, as the past does; the frames of these tests are none, so no peaks are said.
fn move_out(store: &mut LogStore, before: Seq, path: &Path, master: &Master) -> Result<(), StoreError> {
    let Some(place) = store.border_before(before)? else { return Ok(()) };
    let border = place.ending;
    let start = SignedBorder { seq: 0, number: 0, commit: Hash::of(&WORLD.0), head: Hash::NOTHING, peaks: Vec::new() };
    let from = store.beginning().map_or(start, |begun| begun.said.at.clone());
    let to = SignedBorder::of(&border, Vec::new());
    let (_, end) = store.archive(&place, (from, to.clone()), path, master)?;
    let seal = master.key(WORLD, BeingId::WORLD).sign(&border.head);
    let (commit, rung) = ((border.commit, seal, end), b"what the past keeps there".to_vec());
    let made = NewBeginning { world: WORLD, at: to, commit, archives: Vec::new(), rung, values: BTreeMap::new() };
    store.begin_behind(&place, &made.bytes(master))
}

/// The bytes of all groups, in whatever plain segments they lie.
fn bytes_of(disk: &WeakDisk) -> Vec<u8> {
    let names = disk.names(&dir().join("log")).unwrap();
    names.iter().flat_map(|name| read_all(disk, &dir().join("log").join(name)).unwrap().split_off(HEADER_LEN)).collect()
}

proptest! {
    #![proptest_config(kit::cases(30, 300))]

    #[test]
    fn wherever_the_power_goes_while_history_is_moved_all_of_it_is_in_the_log_or_in_the_archive(
        seed: u64, kills in prop::collection::vec(0u64..80, 1..6), segment_bytes in 600u64..6000, compress: bool
    ) {
        let (mut dice, (master, file)) = (Dice(seed), signed_world());
        let mut disk = WeakDisk::default();
        let mut store = LogStore::create_with(dir(), &file, options(&disk, segment_bytes)).unwrap();
        let mut known: Vec<Group> = Vec::new();
        for _ in 0..12 {
            let next = group(store.ending().seq, 1 + dice.roll(4));
            store.append(store.ending().seq, std::slice::from_ref(&next)).unwrap();
            known.push(next);
        }
        let end = store.ending().seq;
        if compress {
            store.compress_closed().unwrap();
        }
        store.close().unwrap();
        let was = bytes_of(&disk);
        // The archives that the log stands on, the newest last.
        let mut archives: Vec<PathBuf> = Vec::new();
        let mut last = None;
        for (kill, number) in kills.into_iter().zip(0..) {
            // Something new, or the same again.
            let new = (PathBuf::from(format!("shelf/{number}")), dice.roll(end + 1));
            let (path, before) = last.filter(|_| dice.roll(3) == 0).unwrap_or(new);
            last = Some((path.clone(), before));
            disk.fail_after(Some(kill));
            if let Ok((mut store, _)) = LogStore::open_with(dir(), Mode::Write, options(&disk, segment_bytes)) {
                match archives.last().filter(|_| dice.roll(2) == 0).map(|newest| ArchiveFile::open(&disk, newest)) {
                    Some(newest) => drop(store.bring_back(&newest.unwrap().unwrap())),
                    None => drop(move_out(&mut store, before, &path, &master)),
                }
                store.kill();
            }
            disk = disk.cut_power(&mut dice);
            // A reader changes nothing, and sees what the next writer does.
            let (read, _) = LogStore::open_with(dir(), Mode::Read, options(&disk, segment_bytes)).unwrap();
            let seen = (read.begins(), groups_of(&read, read.begins()).unwrap());
            let (store, _) = LogStore::open_with(dir(), Mode::Write, options(&disk, segment_bytes)).unwrap();
            prop_assert_eq!(seen, (store.begins(), groups_of(&store, store.begins()).unwrap()));
            // Frames that are not in the log lie in archives, each behind the one before.
            archives.push(path);
            let mut begins = store.begins();
            let mut groups = groups_of(&store, begins).unwrap();
            let mut standing = Vec::new();
            for path in archives.iter().rev() {
                let Ok(Some(archive)) = ArchiveFile::open(&disk, path) else { continue };
                if archive.said.to.seq == begins && begins > 0 {
                    archive.check(&file.lineage()).unwrap();
                    archive.sum().unwrap();
                    let before = groups_in(archive.entries(&file.lineage())).unwrap();
                    groups.splice(0..0, before);
                    begins = archive.said.from.seq;
                    standing.push(path.clone());
                }
            }
            prop_assert_eq!(begins, 0, "no archive leads back to the first frame");
            prop_assert_eq!(&groups, &known);
            standing.reverse();
            archives = standing;
            drop(store);
        }
        for path in archives.iter().rev() {
            let (mut store, _) = LogStore::open_with(dir(), Mode::Write, options(&disk, segment_bytes)).unwrap();
            store.bring_back(&ArchiveFile::open(&disk, path).unwrap().unwrap()).unwrap();
            store.close().unwrap();
        }
        let (store, _) = LogStore::open_with(dir(), Mode::Write, options(&disk, segment_bytes)).unwrap();
        prop_assert_eq!(groups_of(&store, 0).unwrap(), known);
        store.close().unwrap();
        if !compress {
            prop_assert!(bytes_of(&disk) == was, "byte for byte");
        }
    }
}

#[test]
fn after_a_failed_write_or_sync_the_store_is_dead_until_it_is_opened_again() {
    // A write, then a sync: the zeroes ahead are there already.
    for left in 0..2 {
        let disk = WeakDisk::default();
        let mut store = LogStore::create_with(dir(), &world_file(), options(&disk, 64 << 10)).unwrap();
        store.append(0, &[group(0, 2)]).unwrap();
        let before = *store.ending();
        disk.fail_after(Some(left));
        assert!(matches!(store.append(2, &[group(2, 1)]), Err(StoreError::Io { .. })));
        disk.fail_after(None);
        assert!(matches!(store.append(2, &[group(2, 1)]), Err(StoreError::Dead)));
        assert_eq!(*store.ending(), before);
        drop(store);
        let (mut store, recovery) = LogStore::open_with(dir(), Mode::Write, options(&disk, 64 << 10)).unwrap();
        assert!(!recovery.was_clean, "a dead store does not say that it was closed");
        let next = store.ending().seq;
        store.append(next, &[group(next, 1)]).unwrap();
    }
}
