//! Flip: is any byte of a world that is not as it was written found, and said where, and never taken for history?
//!
//! Bytes of each file that is truth are flipped in turn. The index is left out: it can be deleted, and is rebuilt.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use reelm::past::LoadError;
use reelm::replay::{ReplayError, Thread, replay};
use reelm::run::{Course, Living, Pace, Reins, Until};
use reelm::store::{Keystore, LogStore, Mode, Options, Recovery, Store, StoreError};

use super::kit;
use super::terminal::Terminal;

const SEGMENT: &str = "log/0000000000000000.seg";

/// One being, one schedule: small, so that every byte can have its turn.
const TINY: &str = r#"
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "free"
script = "draw"
[[being.schedule]]
name = "beat"
every = "1m"
"#;

/// A world in a directory that has lived so many moments; `killed`: as a killed process leaves it.
fn make(dir: &Path, moments: u64, killed: bool) {
    let beside = tempfile::tempdir().unwrap();
    let whole = beside.path().join("whole");
    let mut source = kit::source(TINY);
    source.roles.truncate(1);
    source.scripts.retain(|(name, ..)| name == "draw");
    let mut living = Living::plant(&source, None, &whole, 1).unwrap();
    for _ in 0..moments {
        // One by one, so that each is acknowledged by itself.
        let until = Until { moments: Some(1), ..Until::default() };
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
    }
    if killed {
        copy(&whole, dir);
        // Of the zeroes ahead some are enough: the copies are many.
        let used = LogStore::open(dir, Mode::Read).unwrap().0.ending().position.offset;
        fs::OpenOptions::new().write(true).open(dir.join(SEGMENT)).unwrap().set_len(used + 1024).unwrap();
        living.stop().unwrap();
    } else {
        living.stop().unwrap();
        copy(&whole, dir);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.join("log")).unwrap();
    for name in files(from) {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}

/// Everything but the index, and the lock, which says nothing.
fn files(dir: &Path) -> Vec<PathBuf> {
    let names = ["world.toml", "clean", "keystore", SEGMENT].map(PathBuf::from);
    names.into_iter().filter(|name| dir.join(name).exists()).collect()
}

/// The result of opening the world to go on with it, and walking all of it.
fn walk(dir: &Path, mode: Mode) -> Result<(u64, Recovery), ReplayError> {
    let wrong = |error: StoreError| ReplayError::Load(LoadError::Store(error));
    let (store, recovery) = LogStore::open_with(dir, mode, Options { index: false, ..Options::default() }).map_err(wrong)?;
    let id = store.world_file().world;
    let replayed = replay(&store, id, Thread { only_verify: true, ..Thread::default() }, &mut |_| {})?;
    Ok((replayed.frames, recovery))
}

/// The file, and the byte of it where one is named.
fn place(error: &ReplayError) -> (PathBuf, u64) {
    match error {
        ReplayError::Load(LoadError::Store(StoreError::Damaged(damage) | StoreError::Lost { damage, .. })) => {
            (damage.file.clone(), damage.offset)
        }
        ReplayError::Load(LoadError::Store(
            StoreError::BadFile { file, .. } | StoreError::NewerFormat { file, .. } | StoreError::FormerFormat { file, .. },
        )) => (file.clone(), 0),
        other => panic!("{other} says not where"),
    }
}

/// Whether a byte of a file is flipped: of those near its ends one of ten, of the rest one of so many; in the long tests each.
fn is_tried(at: usize, of: usize, one_in: usize) -> bool {
    at.is_multiple_of(kit::size(if at < 1000 || at + 1000 > of { 10 } else { one_in }, 1))
}

#[test]
fn after_a_clean_close_a_flipped_byte_is_found_and_named() {
    let temp = tempfile::tempdir().unwrap();
    make(temp.path(), 3, false);
    let (frames, recovery) = walk(temp.path(), Mode::Read).unwrap();
    assert!(frames > 3 && recovery.was_clean);
    for name in files(temp.path()).into_iter().filter(|name| name != Path::new("keystore")) {
        let path = temp.path().join(&name);
        let bytes = fs::read(&path).unwrap();
        for at in (0..bytes.len()).filter(|at| is_tried(*at, bytes.len(), 50)) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(&path, &flipped).unwrap();
            let Err(error) = walk(temp.path(), Mode::Read) else { panic!("byte {at} of {} was taken as it is", name.display()) };
            let (file, offset) = place(&error);
            assert!(file.ends_with(&name) && offset <= at as u64, "byte {at} of {}: {error}", name.display());
        }
        fs::write(&path, &bytes).unwrap();
    }
    walk(temp.path(), Mode::Read).unwrap();
}

#[test]
fn each_flipped_byte_of_the_keystore_is_found() {
    let temp = tempfile::tempdir().unwrap();
    make(temp.path(), 1, false);
    let path = temp.path().join("keystore");
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&path, &flipped).unwrap();
        let Err(StoreError::BadFile { file, .. }) = Keystore::load(temp.path()) else { panic!("byte {at} was taken as it is") };
        assert_eq!(file, path);
    }
}

#[test]
fn after_a_kill_a_flipped_byte_is_found_or_costs_the_last_group_alone() {
    let temp = tempfile::tempdir().unwrap();
    let (whole, broken) = (temp.path().join("whole"), temp.path().join("broken"));
    make(&whole, 3, true);
    let (frames, _) = walk(&whole, Mode::Read).unwrap();
    let used = LogStore::open(&whole, Mode::Read).unwrap().0.ending().position.offset as usize;
    let mut found: BTreeMap<&str, u32> = BTreeMap::new();
    // Of most bytes the test above has had its turn.
    for at in (0..used).filter(|at| is_tried(*at, used, 170)) {
        copy(&whole, &broken);
        let mut bytes = fs::read(broken.join(SEGMENT)).unwrap();
        bytes[at] ^= 1 << (at % 8);
        fs::write(broken.join(SEGMENT), &bytes).unwrap();
        match walk(&broken, Mode::Read) {
            Ok((kept, recovery)) => {
                assert!(recovery.cut_bytes > 0, "byte {at} was passed over in silence");
                assert_eq!(kept, frames - 1, "byte {at}: more than the last group is gone");
                *found.entry("cut").or_default() += 1;
            }
            Err(error) => {
                let (file, offset) = place(&error);
                assert!(file.ends_with(SEGMENT) && offset <= at as u64, "byte {at}: {error}");
                *found.entry("named").or_default() += 1;
            }
        }
    }
    assert!(found["cut"] > 0 && found["named"] > 0, "{found:?}");
}

#[test]
fn a_last_group_torn_at_any_byte_is_gone_as_a_whole_and_the_world_goes_on() {
    let temp = tempfile::tempdir().unwrap();
    let (whole, broken) = (temp.path().join("whole"), temp.path().join("broken"));
    make(&whole, 3, true);
    let (frames, _) = walk(&whole, Mode::Read).unwrap();
    let end = |dir: &Path| LogStore::open(dir, Mode::Read).unwrap().0.ending().position.offset as usize;
    let used = end(&whole);
    let bytes = fs::read(whole.join(SEGMENT)).unwrap();
    // A world torn just before its end shows where the last group began.
    copy(&whole, &broken);
    fs::write(broken.join(SEGMENT), &bytes[..used - 1]).unwrap();
    let begin = end(&broken);
    assert!(begin < used);
    for at in (begin..used).filter(|at| is_tried(*at, used, 10)) {
        copy(&whole, &broken);
        fs::write(broken.join(SEGMENT), &bytes[..at]).unwrap();
        let (kept, _) = walk(&broken, Mode::Write).unwrap();
        assert_eq!(kept, frames - 1, "torn at {at}");
        if at % 160 == 0 {
            let (mut living, _) = Living::open(&broken, 1).unwrap();
            let until = Until { moments: Some(1), ..Until::default() };
            living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
            living.stop().unwrap();
            assert_eq!(walk(&broken, Mode::Read).unwrap().0, frames);
        }
        // The next copy begins without the mark of this clean close.
        fs::remove_dir_all(&broken).unwrap();
    }
}

#[test]
#[ignore = "long: the bytes of a compressed segment are turned, one after the other"]
fn a_flipped_byte_of_a_compressed_segment_is_named_by_every_command_and_inspect_reads_past_it() {
    let terminal = Terminal::with_world("dance", 800);
    let dir = terminal.path("world");
    kit::in_segments(&dir, 128 << 10);
    kit::compress(&dir);
    let (path, plain) = (kit::segments(&dir, ".segz").remove(0), kit::segments(&dir, ".seg"));
    assert_eq!(plain.len(), 1);
    terminal.types("verify").ok();
    let (whole, bytes) = (terminal.types("inspect --json").json(), fs::read(&path).unwrap());
    let name = path.file_name().unwrap().to_str().unwrap();
    for at in [5, 60, 115, 122, 140, bytes.len() / 2, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 2;
        fs::write(&path, &flipped).unwrap();
        for line in ["verify", "replay"] {
            terminal.types(line).fails(3).warns(&[name, "at byte "]);
        }
        let left = terminal.types("inspect --json").fails(3);
        let left: serde_json::Value = serde_json::from_str(&left.out).unwrap();
        assert!(left["damage"][0].as_str().unwrap().contains(name), "byte {at}: {left}");
        assert!(left["frames"].as_u64() > Some(0) && left["frames"].as_u64() <= whole["frames"].as_u64(), "byte {at}: {left}");
        assert_eq!(fs::read(&path).unwrap(), flipped);
    }
    // A plain copy put back is the segment again.
    fs::write(&path, &bytes).unwrap();
    terminal.types("verify").ok();
}

#[test]
fn verify_names_the_file_and_the_byte_and_ends_with_3() {
    let terminal = Terminal::new();
    make(&terminal.path("world"), 3, false);
    terminal.types("verify").ok();
    for name in files(&terminal.path("world")) {
        let path = terminal.path("world").join(&name);
        let bytes = fs::read(&path).unwrap();
        for at in [0, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 7);
            fs::write(&path, &flipped).unwrap();
            let file = name.file_name().unwrap().to_str().unwrap();
            // Reading needs no keys; acting does.
            let is_secret = file == "keystore";
            if !is_secret {
                let said = terminal.types("verify").fails(3).warns(&[file]);
                assert!(name != Path::new(SEGMENT) || said.err.contains("at byte "), "{}", said.err);
            }
            terminal.types("run --moments 1").fails(if is_secret { 1 } else { 3 }).warns(&[file]);
        }
        fs::write(&path, &bytes).unwrap();
    }
    terminal.types("verify").ok();
    terminal.types("run --moments 1").ok();
}
