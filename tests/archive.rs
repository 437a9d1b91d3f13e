//! Archive: does a world go on without its old history as it would with it, and does that come back as it was?

use std::path::Path;

use proptest::prelude::*;
use reelm::fact::{Hash, Master, Signature};
use reelm::past::{History, archive, bring_back};
use reelm::store::{Beginning, Keystore, NewBeginning, Position};

use super::fork::{cut_up, drafts};
use super::kit;
use super::served::Served;
use super::terminal::Terminal;
use super::upgrade::everything;

fn hash(terminal: &Terminal, data: &str) -> String {
    terminal.types(&format!("verify --data {data} --json")).json()["worldHash"].as_str().unwrap().to_owned()
}

/// A world of which a first part is archived in `old`, and so many frames that has.
fn archived() -> (Terminal, u64) {
    let terminal = Terminal::with_world("court", 40);
    let frames = terminal.types("archive old --before now --json").json()["to"].as_u64().unwrap();
    terminal.types("run --moments 20 --quiet").ok();
    (terminal, frames)
}

#[test]
fn a_world_goes_on_without_its_old_history() {
    let terminal = Terminal::with_world("court", 40);
    terminal.types("backup twin").ok();
    terminal.types("anchor old.anchor").ok();
    let frames = History::of(&terminal.path("world")).unwrap().end();
    terminal.types("archive old --before now").says(&[
        "archived frames 0 to ",
        "BLAKE3 ",
        &format!("the log begins with frame {frames} now"),
    ]);
    terminal
        .types("verify")
        .says(&["verified 0 frames", &format!("from the archive's checkpoint on; the {frames} frames before it are in `old`")]);
    assert_eq!(hash(&terminal, "world"), hash(&terminal, "twin"));
    for data in ["world", "twin"] {
        terminal.types(&format!("run --moments 20 --quiet --data {data}")).ok();
    }
    assert_eq!(hash(&terminal, "world"), hash(&terminal, "twin"), "it goes on as it would have");
    terminal.types("replay").says(&["moments recomputed, identical", "from the archive's checkpoint on"]);
    terminal.types("verify --index").ok();
    terminal.types("verify --anchor old.anchor").ok();
    terminal.types("anchor new.anchor").ok();
    terminal.types("verify --anchor new.anchor --data twin").ok();
    terminal.types(&format!("prove {frames} --json")).ok();
    terminal.types("inspect").says(&["signatures and seals hold"]);
    let unchecked = terminal.types("inspect --json").json()["unchecked"].clone();
    assert_eq!(unchecked, 0);
    for line in
        ["see /", "log", "log --last 3", "find court", "usage", "inbox", "export hour.bundle --from 112 --replayable", "diff ~1m now"]
    {
        terminal.types(line).ok();
    }
    terminal.types("replay hour.bundle").ok();
    terminal.types("diff now now --with twin").ok();
    terminal.types("du").says(&["archived: `old`", "beginning"]);
    let hash_of = terminal.types("copies --json").json_lines();
    let copies = hash_of[0].as_array().unwrap();
    let own = blake3::hash(&std::fs::read(terminal.path("old")).unwrap()).to_hex().to_string();
    assert!(copies.iter().any(|copy| copy["what"] == "archive" && copy["hash"] == own.as_str()), "{copies:?}");
}

#[test]
fn a_point_that_was_archived_says_which_file_to_import() {
    let (terminal, frames) = archived();
    let last = frames - 1;
    let lines = [
        format!("see / --at {last}"),
        "see / --at @judith/1".into(),
        "explain 10".into(),
        "see / --at 2020-01-01".into(),
        "export whole".into(),
    ];
    for line in lines {
        terminal
            .types(&line)
            .fails(1)
            .warns(&[&format!("the frames before {frames} were archived"), "`reelm import FILE` brings them back: `old` (BLAKE3"]);
    }
    terminal.types(&format!("see / --at {frames}")).ok();
    terminal.types("archive new --before 10").fails(1).warns(&["were archived"]);
}

#[test]
fn archives_come_back_newest_first_and_the_log_is_what_it_was() {
    let terminal = Terminal::with_world("court", 40);
    let log = |name: &str| std::fs::read(terminal.path("world/log").join(name)).unwrap();
    let first = log("0000000000000000.seg");
    terminal.types("archive one --before now").ok();
    terminal.types("run --moments 20 --quiet").ok();
    terminal.types("archive one --before now").fails(1).warns(&["found `one`"]);
    terminal.types("archive two --before now").ok();
    terminal.types("run --moments 10 --quiet").ok();
    let was = everything(&terminal.path("world"));
    terminal.types("see / --at 20").fails(1).warns(&["brings them back: `two` (BLAKE3", ", then `one` (BLAKE3"]);
    terminal.types("import one").fails(1).warns(&["archives come back newest first, so import `two`"]);
    assert!(everything(&terminal.path("world")) == was);
    let hash = hash(&terminal, "world");
    terminal.types("import two").says(&["brought frames "]);
    terminal.types("verify").says(&["from the archive's checkpoint on"]);
    terminal.types("import two").fails(1).warns(&["so import `one`"]);
    terminal.types("import one").says(&["the log begins with frame 0 now"]);
    terminal.types("import one").fails(1).warns(&["nothing of it is archived"]);
    assert!(log("0000000000000000.seg") == first);
    assert_eq!(terminal.types("verify --json").json()["worldHash"], hash.as_str());
    terminal.types("replay").says(&["identical"]);
    terminal.types("see / --at 20").ok();
    terminal.types("import world/world.toml --data copy").fails(1).warns(&["is no export"]);
}

#[test]
fn what_was_tampered_with_is_named_and_nothing_is_changed() {
    let (terminal, frames) = archived();
    let bytes = std::fs::read(terminal.path("old")).unwrap();
    let refused = |what: &str, bytes: Vec<u8>, says: &[&str]| {
        let was = everything(&terminal.path("world"));
        std::fs::write(terminal.path("other"), bytes).unwrap();
        let said = terminal.types("import other");
        assert_ne!(said.code, 0, "{what}: {}", said.out);
        assert!(says.iter().all(|part| said.err.contains(part)), "{what}: {}", said.err);
        assert!(everything(&terminal.path("world")) == was, "{what} has changed something");
    };
    let flipped = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    refused("cut off", bytes[..bytes.len() - 1].to_vec(), &["`other` is not as it was written: expected", "bytes, found"]);
    refused("longer", [&bytes[..], b"x"].concat(), &["bytes, found"]);
    for at in (16..60).step_by(7) {
        refused("what it says", flipped(at), &["other"]);
    }
    let middle = bytes.len() / 2;
    refused("a frame", flipped(middle), &["damage in `other/0000000000000000.seg` at byte"]);
    refused("a seal", flipped(bytes.len() - 20), &["damage in `other/0000000000000000.seg` at byte"]);
    // All checksums hold, and every frame: the world knows its archive by its hash.
    terminal.types("archive end --before now").ok();
    terminal.types("import end").ok();
    refused("another archive", std::fs::read(terminal.path("end")).unwrap(), &["archives come back newest first, so import `old`"]);
    let stranger = Terminal::with_world("library", 3);
    stranger.types("archive old --before now").ok();
    refused("another world", std::fs::read(stranger.path("old")).unwrap(), &["is an archive of the world"]);
    terminal.types("import old").ok();
    assert_eq!(drafts(&terminal.path("world")).len() as u64, History::of(&terminal.path("world")).unwrap().end());
    assert!(frames > 40);
}

#[test]
fn a_beginning_that_was_tampered_with_is_named() {
    let (terminal, _) = archived();
    let path = terminal.path("world/beginning");
    let bytes = std::fs::read(&path).unwrap();
    for at in [3, 40, 200] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        std::fs::write(&path, other).unwrap();
        terminal.types("see /").fails(3).warns(&["beginning` is not as it was written"]);
    }
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    terminal.types("verify").fails(3).warns(&["it is not as long as it says"]);
    std::fs::remove_file(&path).unwrap();
    terminal.types("verify").fails(3).warns(&["the first segment is missing"]);
}

#[test]
fn forks_live_on_whatever_is_archived() {
    let terminal = Terminal::with_world("court", 40);
    terminal.types("fork before --at now").ok();
    let whole = hash(&terminal, "before");
    let frames = terminal.types("archive old --before now --json").json()["to"].as_u64().unwrap();
    assert_eq!(hash(&terminal, "before"), whole, "it has its past by names of its own");
    terminal.types("verify --data before").says(&[&format!("verified {frames} frames")]);
    // One that begins where the log does, and one behind.
    terminal.types(&format!("fork border --at {frames}")).ok();
    terminal.types("run --moments 20 --quiet").ok();
    terminal.types("fork behind --at now").ok();
    terminal.types("backup copy").ok();
    terminal.types("import old").ok();
    for data in ["before", "border", "behind", "copy", "world"] {
        terminal.types(&format!("run --moments 10 --quiet --data {data}")).ok();
        terminal.types(&format!("replay --data {data}")).says(&["identical"]);
    }
    assert_eq!(hash(&terminal, "world"), hash(&terminal, "copy"));
    terminal.types("import old --data border").ok();
    terminal.types("replay --data border").says(&["identical"]);
    terminal.types("archive own --before 20 --data before").fails(1).warns(&["expected a point at or behind frame"]);
    terminal.types("archive own --before now --data before").ok();
    terminal.types("run --moments 5 --quiet --data before").ok();
    terminal.types("import own --data before").ok();
    terminal.types("replay --data before").says(&["identical"]);
}

#[test]
fn a_backup_keeps_what_its_original_archives() {
    let (terminal, frames) = archived();
    terminal.types("import old").ok();
    terminal.types("backup copy").ok();
    terminal.types("archive new --before now").ok();
    terminal.types("run --moments 5 --quiet").ok();
    terminal.types("backup copy").ok();
    assert_eq!(History::of(&terminal.path("copy")).unwrap().begins(), 0);
    assert_eq!(hash(&terminal, "copy"), hash(&terminal, "world"));
    assert!(History::of(&terminal.path("world")).unwrap().begins() > frames);
}

#[test]
fn a_world_that_is_served_is_not_archived() {
    let served = Served::paused("court");
    served.operator();
    served.terminal.types("archive old --before now").fails(1).warns(&["is in use by process", "stop that process"]);
    assert!(!served.terminal.path("old").exists());
}

/// What the log's files hold.
fn segments(dir: &Path) -> impl PartialEq + std::fmt::Debug {
    everything(&dir.join("log")).into_iter().map(|(name, bytes)| (name, blake3::hash(&bytes))).collect::<Vec<_>>()
}

#[test]
fn whatever_is_archived_in_whatever_parts_comes_back_byte_for_byte() {
    let terminal = Terminal::with_world("court", 60);
    let (from, whole) = (terminal.path("world"), hash(&terminal, "world"));
    let end = History::of(&from).unwrap().end();
    let worlds: Vec<_> = (1..=end).map(|seq| History::of(&from).unwrap().world_at(seq).unwrap().hash()).collect();
    proptest!(kit::cases(12), |(segment_bytes in 3_000u64..30_000, points in prop::collection::btree_set(1..=end, 1..4), compress: bool)| {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("world");
        let mut store = cut_up(&from, &dir, segment_bytes);
        if compress {
            store.compress_closed().unwrap();
        }
        store.close().unwrap();
        let was = segments(&dir);
        let mut made = Vec::new();
        for point in points.iter().filter(|point| **point < end) {
            let path = home.path().join(point.to_string());
            // Where no segment ends there nothing is changed.
            match archive(&dir, *point, &path) {
                Ok(name) => made.push((path, name)),
                Err(error) => prop_assert!(error.to_string().contains("expected a point at or behind frame") || error.to_string().contains("were archived"), "{}", error),
            }
            let history = History::of(&dir).unwrap();
            for seq in [history.begins().max(1), (history.begins() + end).div_ceil(2), end] {
                prop_assert_eq!(history.world_at(seq).unwrap().hash(), worlds[seq as usize - 1]);
            }
        }
        for (path, name) in made.iter().rev() {
            prop_assert_eq!(&bring_back(&dir, path).unwrap(), name);
        }
        prop_assert_eq!(segments(&dir), was);
        prop_assert_eq!(History::of(&dir).unwrap().world_at(end).unwrap().hash().to_string(), whole.clone());
    });
}

#[test]
fn a_beginning_that_world_signed_and_that_names_another_last_commit_is_refused() {
    let (terminal, _) = archived();
    let dir = terminal.path("world");
    let file = History::of(&dir).unwrap().world_file().clone();
    let begun = Beginning::of(&dir, &file.lineage()).unwrap().unwrap();
    let (said, master) = (begun.said.clone(), Master::new(*Keystore::of(&dir, &file).unwrap().master));
    let values: std::collections::BTreeMap<_, _> = begun.value_names().map(|name| (name, begun.value(&name).unwrap().unwrap())).collect();
    let rung = begun.rung().unwrap();
    let write = |commit: Hash, seal: Signature, segment: u64, offset: u64| {
        let commit = (commit, seal, Position { segment, offset });
        let (at, archives, values) = (said.at.clone(), said.archives.clone(), values.clone());
        let new = NewBeginning { world: said.world, at, commit, archives, rung: rung.clone(), values };
        std::fs::write(dir.join("beginning"), new.bytes(&master)).unwrap();
    };
    write(said.commit, said.seal, said.segment, said.offset);
    terminal.types("verify").ok();
    for (what, commit, seal, segment, offset, sentence) in [
        ("seal", said.commit, Signature([7; 64]), said.segment, said.offset, "expected the seal of @world over the head before the log"),
        ("commit", Hash::of(b"x"), said.seal, said.segment, said.offset, "as the last commit before the log"),
        ("segment", said.commit, said.seal, said.at.seq, said.offset, "to end in a segment before that"),
        ("offset", said.commit, said.seal, said.segment, 320, "to end in a segment before that"),
    ] {
        write(commit, seal, segment, offset);
        for line in ["verify", "see /", "run --moments 1 --quiet", "import old"] {
            let told = terminal.types(line);
            assert!(told.code != 0 && told.err.contains(sentence), "{what}, {line}: {}", told.err);
        }
    }
    // A place that can be is compared with the archive when it comes back.
    for (segment, offset) in [(said.segment, said.offset + 1), (said.at.seq - 1, said.offset)] {
        write(said.commit, said.seal, segment, offset);
        terminal.types("import old").fails(1).warns(&["the last commit in `old` is not the one behind which the log begins"]);
    }
    write(said.commit, said.seal, said.segment, said.offset);
    terminal.types("import old").ok();
}
