//! Backup: is a copy what its original was, does it go on with it, and does it never take what is no history?

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use reelm::past::{Backup, History};
use reelm::store::{Group, Keystore, LogStore, Mode, Options, Record, Store, Stored};
use serde_json::json;

use super::kit;
use super::served::Served;
use super::terminal::Terminal;

/// All groups of a history.
pub fn groups(dir: &Path) -> Vec<Group> {
    let store = LogStore::open(dir, Mode::Read).unwrap().0;
    let (mut groups, mut records) = (Vec::new(), Vec::new());
    for entry in store.read(0).unwrap() {
        match entry.unwrap() {
            Stored::Frame { seq, being, n, bytes, .. } => records.push(Record::Frame { seq, being, n, bytes }),
            Stored::Blob { hash, bytes, .. } => records.push(Record::Blob { hash, bytes }),
            Stored::Commit { commit, .. } => {
                groups.push(Group { records: std::mem::take(&mut records), head: commit.head, seal: commit.seal });
            }
        }
    }
    groups
}

#[test]
fn a_copy_is_the_world_and_a_second_backup_copies_what_is_new() {
    let terminal = Terminal::with_world("court", 40);
    let frames = terminal.types("backup copy --json").json()["frames"].as_u64().unwrap();
    assert_eq!(History::of(&terminal.path("copy")).unwrap().end(), frames);
    terminal.types("run --moments 30 --quiet").ok();
    let rungs = || -> Vec<(PathBuf, u64)> {
        let entries = std::fs::read_dir(terminal.path("world/checkpoints")).unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| (entry.path(), entry.metadata().unwrap().len())).collect()
    };
    let was = rungs();
    terminal.types("backup copy").ok();
    terminal.types("backup copy").says(&["frames are copied to `copy` and verified"]);
    assert!(!was.is_empty() && rungs() == was, "what both share is not written");
    for inside in ["world", "./world", "world/copy", "copy/../world"] {
        terminal.types(&format!("backup {inside}")).fails(1).warns(&["expected a directory outside of the world in `world`"]);
    }
    assert_eq!(rungs(), was);
    terminal.types("copies").says(&[" backup, frames 0 to ", "to `copy`"]);
    let hash = |data: &str| terminal.types(&format!("verify --data {data} --json")).json()["worldHash"].clone();
    assert_eq!(hash("world"), hash("copy"));
    assert_eq!(terminal.path("copy/keystore").metadata().unwrap().len(), terminal.path("world/keystore").metadata().unwrap().len());
    // Each goes on as the other would.
    terminal.types("run --moments 10 --quiet").ok();
    terminal.types("run --moments 10 --quiet --data copy").ok();
    assert_eq!(hash("world"), hash("copy"));
    // One of both has gone on by itself. The grouping of moments into commits is attested by nobody, so the logs may have parted before.
    terminal.types("do / signal.set '{\"path\":\"t.x\",\"value\":1}' --data copy").ok();
    let was = std::fs::read(terminal.path("copy/log/0000000000000000.seg")).unwrap();
    for _ in 0..2 {
        terminal.types("backup copy").fails(1).warns(&["the copy in `copy` has", "one of both was gone on with, or taken back"]);
        terminal.types("do / signal.set '{\"path\":\"t.y\",\"value\":1}'").ok();
    }
    assert_eq!(std::fs::read(terminal.path("copy/log/0000000000000000.seg")).unwrap(), was);
    terminal.types("run $worlds/salon --moments 0 --quiet --data other").ok();
    terminal.types("backup other").fails(1).warns(&["`other` is a copy of the world", "choose another directory"]);
    terminal.write("full/note", "mine");
    terminal.types("backup full").fails(1).warns(&["expected an empty directory in `full`"]);
    terminal.types("backup copy --data nowhere").fails(1).warns(&["nowhere"]);
}

#[test]
fn a_copy_that_follows_is_served_where_its_original_was_lost() {
    let served = Served::paused("court");
    let operator = served.operator();
    let home = served.terminal.path("");
    let mut follower = Command::new(super::terminal::REELM)
        .args(["backup", "copy", "--follow", "--json", "--data", "world"])
        .current_dir(&home)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    let mut copied = |wanted: u64| {
        let mut frames = 0;
        while frames < wanted {
            let line: serde_json::Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
            frames = line["frames"].as_u64().unwrap();
        }
    };
    copied(1);
    let say = |value: u64| json!({ "target": "/", "action": "signal.set", "args": { "path": "t.x", "value": value } });
    let mut last = 0;
    for value in 0..3 {
        last = served.post(&operator, "/api/do", say(value)).ok()["seq"].as_u64().unwrap();
        copied(last + 1);
    }
    let terminal = served.killed();
    Command::new("kill").arg(follower.id().to_string()).status().unwrap();
    assert!(follower.wait().unwrap().success());
    std::fs::remove_dir_all(terminal.path("world")).unwrap();
    let served = Served::begin(terminal, "serve --data copy --port 0 --paused --json");
    let operator = served.operator();
    assert_eq!(served.post(&operator, "/api/do", say(7)).ok()["seq"], last + 1);
    let terminal = served.stop();
    terminal.types("replay --data copy").ok();
    terminal.types("see /.signals --data copy").says(&["7"]);
}

#[test]
fn what_is_no_history_is_not_taken_and_the_copy_stays_what_it_was() {
    let terminal = Terminal::with_world("court", 20);
    terminal.types("backup copy").ok();
    let (world, copy) = (terminal.path("world"), terminal.path("copy"));
    let was = History::of(&copy).unwrap().end();
    let mut backup = Backup::of(&world, &copy).unwrap();
    terminal.types("run --moments 20 --quiet").ok();
    let segment = world.join("log/0000000000000000.seg");
    let whole = std::fs::read(&segment).unwrap();
    let begins = std::fs::metadata(copy.join("log/0000000000000000.seg")).unwrap().len() as usize;
    let mut damaged = whole.clone();
    damaged[begins + 300] ^= 1;
    std::fs::write(&segment, &damaged).unwrap();
    assert!(backup.go_on().is_err());
    drop(backup);
    assert_eq!(History::of(&copy).unwrap().end(), was);
    terminal.types("verify --data copy").ok();
    std::fs::write(&segment, &whole).unwrap();
    terminal.types("backup copy").ok();
    assert_eq!(History::of(&copy).unwrap().end(), History::of(&world).unwrap().end());
}

proptest! {
    #![proptest_config(kit::cases(1, 6))]

    #[test]
    fn whatever_is_written_cut_off_or_compressed_meanwhile_a_copy_holds_what_its_original_held(
        steps in prop::collection::vec((1usize..12, 0u8..4), 4..10),
        segment_bytes in 4_000u64..40_000,
    ) {
        let terminal = Terminal::with_world("court", 60);
        let (whole, small, copy) = (terminal.path("world"), terminal.path("small"), terminal.path("copy"));
        let options = Options { segment_bytes, compress_after: None, ..Options::default() };
        let file = LogStore::open(&whole, Mode::Read).unwrap().0.world_file().clone();
        let mut store = LogStore::create_with(&small, &file, options).unwrap();
        Keystore::load(&whole).unwrap().save(&small).unwrap();
        let mut left = groups(&whole).into_iter();
        store.append(0, &[left.next().unwrap()]).unwrap();
        let mut backup = Backup::of(&small, &copy).unwrap();
        for (many, then) in steps {
            let next: Vec<Group> = left.by_ref().take(many).collect();
            store.append(store.ending().seq, &next).unwrap();
            match then {
                0 => store.compress_closed().unwrap(),
                // It was cut off, and more of it had come than was verified.
                1 => {
                    drop(backup);
                    let log = copy.join("log");
                    let newest = std::fs::read_dir(&log).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.extension().unwrap() == "seg").max();
                    if let Some(path) = newest {
                        let mut bytes = std::fs::read(&path).unwrap();
                        bytes.extend([7; 100]);
                        std::fs::write(&path, bytes).unwrap();
                    }
                    backup = Backup::of(&small, &copy).unwrap();
                }
                _ => {}
            }
            backup.go_on().unwrap();
            prop_assert_eq!(backup.frames(), store.ending().seq);
            prop_assert_eq!(groups(&copy).len(), groups(&small).len());
        }
        drop(backup);
        let (ours, theirs) = (groups(&copy), groups(&small));
        prop_assert!(ours.iter().zip(&theirs).all(|(one, other)| one.head == other.head && one.seal == other.seal));
    }
}
