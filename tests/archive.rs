//! Archive: does a world go on without its old history as it would with it, and does that come back as it was?

use proptest::prelude::*;
use reelm::fact::{Hash, Master, Signature};
use reelm::past::{History, archive, bring_back};
use reelm::store::{Beginning, Keystore, NewBeginning, Position};
use serde_json::Value;

use super::backup::groups;
use super::fork::{cut_up, drafts};
use super::kit;
use super::served::Served;
use super::step::debug;
use super::sweep::counter;
use super::terminal::Terminal;
use super::upgrade::everything;

pub fn hash(terminal: &Terminal, data: &str) -> String {
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
        ["see /", "log --last 3", "find court --last 1", "usage", "inbox", "export hour.bundle --from 112 --replayable", "diff ~1m now"]
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
    // A search of the whole history names the archived part, and finds the rest.
    let told = [format!("the frames before {frames} were archived and are not looked through"), "`old` (BLAKE3".to_owned()];
    for line in
        ["log", "find court", "find court --count", "find nowhere-at-all --last 3", "bisect @judith --bad {\"me.home\":\"/nowhere\"}"]
    {
        let said = terminal.types(line);
        assert!(told.iter().all(|words| said.err.contains(words)), "{line}: {}{}", said.out, said.err);
    }
    assert_eq!(terminal.types("log --raw --last 3").fails(0).err, "");
    // A value whose facts are archived is told, and where they lie.
    let why = terminal.types("why @judith").fails(0).out;
    assert!(
        why.contains("older facts: the frames before") && why.contains("`old` (BLAKE3") && !why.contains("no fact has set it"),
        "{why}"
    );
    terminal.types("archive new --before 10").fails(1).warns(&["were archived"]);
}

/// A counter of which the first minutes are archived in `old`: its frames, and where the log begins.
fn counted() -> (Terminal, u64) {
    let terminal = Terminal::new();
    counter(&terminal);
    terminal.types("run lab/counter --for 60m --quiet").ok();
    terminal.types("backup whole").ok();
    let begins = terminal.types("archive old --before 40 --json").json()["to"].as_u64().unwrap();
    (terminal, begins)
}

#[test]
fn a_series_and_lines_say_what_of_them_was_archived_and_in_which_file() {
    let (terminal, begins) = counted();
    let told = [&*format!("the frames before {begins} were archived and are not looked through"), "`old` (BLAKE3"];
    let lines = ["why @ada.n.v --series", "why @ada.n.v --series --most 100", "why 'mean(\"n.v\")' --series", "export --lines facts"];
    for line in lines.into_iter().chain(["export --lines moments --being @ada", "export ada.bundle --being @ada"]) {
        let said = terminal.types(line).fails(0).warns(&told);
        assert!(!said.out.is_empty(), "{line}");
        let whole = terminal.types(&format!("{} --data whole", line.replace("ada.bundle", "whole.bundle"))).fails(0);
        assert!(!whole.err.contains("archived"), "{line}: {}", whole.err);
    }
}

#[test]
fn a_series_begins_with_the_value_at_the_border() {
    let (terminal, begins) = counted();
    let told = |line: &str| terminal.types(&format!("{line} --series --json")).fails(0).out;
    let lines = |text: String| text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>();
    // Ada counts up once a frame, so the last archived frame left the value at the border.
    for of in ["@ada.n.v", "'sum(\"n.v\")'"] {
        let whole = lines(told(&format!("why {of} --most 100 --data whole")));
        let behind: Vec<&Value> = whole.iter().filter(|value| value["seq"].as_u64() >= Some(begins - 1)).collect();
        let cut = lines(told(&format!("why {of} --most 100")));
        assert_eq!((&cut[0]["seq"], &cut[0]["value"]), (&behind[0]["seq"], &behind[0]["value"]), "{of}");
        assert!(cut[0]["moment"].is_null() && cut[0]["time"] == behind[0]["time"], "{}", cut[0]);
        assert_eq!(cut[1..].iter().collect::<Vec<_>>(), behind[1..], "{of}");
        // The newest alone do not reach the border.
        let newest = cut.len() - 1;
        assert_eq!(lines(told(&format!("why {of} --most {newest}"))), cut[1..], "{of}");
    }
    // A value that nobody has touched since is there.
    let step = terminal.types("why world.lab.step --series").fails(0).warns(&["`old` (BLAKE3"]).out;
    assert!(step.starts_with(&format!("#{} (archived) 2026-01-01T", begins - 1)) && step.trim_end().ends_with(" 1"), "{step}");
    terminal.types("why world.lab.nothing --series").fails(0).warns(&["`old` (BLAKE3"]);
}

#[test]
fn measures_behind_an_archive_are_those_of_the_whole_and_say_what_is_left_out() {
    let (terminal, begins) = counted();
    let border = terminal.types(&format!("see /.clock --at {begins} --json")).json()["time"].as_str().unwrap().to_owned();
    let lines = |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let said = terminal.types("measure --json").fails(0);
    let told = [format!("the samples up to {border} are left out: the frames before {begins} were archived"), "`old` (BLAKE3".to_owned()];
    assert!(told.iter().all(|words| said.err.contains(words)), "{}", said.err);
    let whole = terminal.types("measure --data whole --json").fails(0);
    assert!(!whole.err.contains("archived"), "{}", whole.err);
    let (cut, whole) = (lines(&said.out), lines(&whole.out));
    let later: Vec<&Value> = whole.iter().filter(|sample| sample["at"].as_str() > Some(&border)).collect();
    assert!(later.len() > 10 && later.len() < whole.len() - 10, "{} of {}", later.len(), whole.len());
    assert_eq!(cut.iter().collect::<Vec<_>>(), later);
    terminal.types("measure --out cut.csv").fails(0).warns(&["are left out"]);
    terminal.types("measure --at 10").fails(1).warns(&["expected one from there on, found frame 10", "`old` (BLAKE3"]);
}

#[test]
fn an_export_from_below_the_border_names_the_archive_and_the_first_frame() {
    let (terminal, begins) = counted();
    let (first, below) = (format!("the frames before {begins} were archived: expected one from there on"), begins - 1);
    let parts =
        ["--from 10", "--to 10", "--from 10 --replayable", "--being @ada --from 2026-01-01T00:02", "--moment 10", "--moment @ada/3"];
    let bundles = parts.map(|part| format!("export x.bundle {part}")).into_iter().chain([format!("export x.bundle --moment {below}")]);
    let lines = ["facts", "moments"].map(|kind| format!("export --lines {kind} --from @ada/3"));
    for line in bundles.chain(lines) {
        let said = terminal.types(&line).fails(1).warns(&[&first, "`old` (BLAKE3"]);
        assert_eq!(said.out, "", "{line}");
    }
    terminal.types(&format!("export x.bundle --moment {begins}")).ok();
}

#[test]
fn who_reads_from_before_the_beginning_of_the_log_is_answered_from_what_is_there() {
    let (terminal, begins) = counted();
    let told = [&*format!("the frames before {begins} were archived and are not looked through"), "`old` (BLAKE3"];
    let seqs = |line: &str| -> Vec<u64> {
        let said = terminal.types(line).fails(0).warns(&told);
        let seq = |line: &str| {
            let told: Value = serde_json::from_str(line).unwrap();
            told.pointer("/report/seq").unwrap_or(&told["seq"]).as_u64().unwrap()
        };
        said.out.lines().map(seq).collect()
    };
    let expected: Vec<u64> = (begins..50).collect();
    for from in ["10", "10+", "@ada/3", "2026-01-01T00:02"] {
        assert_eq!(seqs(&format!("log --from {from} --to 50 --json")), expected, "{from}");
        assert_eq!(seqs(&format!("find --from {from} --to 50 --json")), expected, "{from}");
    }
    terminal.types("log --from 3 --to 20").fails(1).warns(&["expected one from there on, found frame 20", "`old` (BLAKE3"]);
    // The advice can be followed.
    let bad = "bisect --bad {\"world.lab.step\":1}";
    let further = format!("it holds already below #45; look further back: --from {begins}");
    terminal.types(&format!("{bad} --from 45")).fails(0).says(&[&further]);
    for from in [begins, 10, 0] {
        terminal.types(&format!("{bad} --from {from}")).fails(0).warns(&told).says(&["with which the log begins; `reelm import FILE`"]);
    }
}

#[test]
fn a_walk_back_ends_where_the_archive_does_and_names_its_file() {
    let (terminal, frames) = archived();
    let first = frames + 1;
    let lines = [
        "back! 9999".to_owned(),
        "see /court".to_owned(),
        "explain".to_owned(),
        "at 10".to_owned(),
        "at @judith/1".to_owned(),
        "back!".to_owned(),
        "back until when {\"world.court.nowhere\":1}".to_owned(),
        "next!".to_owned(),
        "back! 1".to_owned(),
        format!("at {first}"),
        "back until when {\"world.court.nowhere\":1}".to_owned(),
        "next!".to_owned(),
        "back 9999".to_owned(),
        "explain".to_owned(),
    ];
    let words: Vec<String> = lines.iter().map(|line| serde_json::to_string(line).unwrap()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for being in ["", "@judith"] {
        let said = debug(&terminal, &format!("{being} --json"), &words);
        let told: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(told.len(), lines.len() + 1, "{said}");
        let archive = format!("the frames before {frames} were archived");
        let names = |at: usize, key: &str| {
            let text = told[at][key].as_str().unwrap_or_else(|| panic!("{at}: {}", told[at]));
            assert!(text.contains(&archive) && text.contains("`old` (BLAKE3"), "{at}: {text}");
        };
        // It stands before the first frame that is there, and says where the others lie.
        assert_eq!((told[1]["at"].as_u64(), &told[1]["moment"]), (Some(frames), &Value::Null));
        assert!(told[2]["value"].is_object(), "{}", told[2]);
        for (at, key) in
            [(1, "note"), (3, "error"), (4, "error"), (5, "error"), (6, "note"), (7, "note"), (9, "note"), (11, "note"), (13, "note")]
        {
            names(at, key);
        }
        assert_eq!((told[6]["at"].as_u64(), told[7]["at"].as_u64()), (Some(frames), Some(frames)));
        assert_eq!((told[8]["at"].as_u64(), told[8]["moment"]["seq"].as_u64()), (Some(first), Some(frames)));
        assert_eq!((told[9]["at"].as_u64(), told[10]["at"].as_u64()), (Some(frames), Some(first)));
        assert!(told[8]["note"].is_null() && told[10]["note"].is_null() && told[12]["note"].is_null(), "{said}");
        assert!(told[12]["at"].as_u64() > Some(first), "{}", told[12]);
    }
    let said = debug(&terminal, "", &["back! 9999", "next!"]);
    assert!(said.contains(&format!("before #{frames}, the first moment that is not archived")), "{said}");
    terminal.types("debug --at 10").fails(1).warns(&[&format!("the frames before {frames} were archived"), "`old` (BLAKE3"]);
    terminal.types("import old").ok();
    assert!(debug(&terminal, "", &["back! 9999", "back!"]).contains("there is no earlier one"));
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

#[test]
fn whatever_is_archived_in_whatever_parts_comes_back_byte_for_byte() {
    let terminal = Terminal::with_world("court", 60);
    let (from, whole) = (terminal.path("world"), hash(&terminal, "world"));
    let end = History::of(&from).unwrap().end();
    proptest!(kit::cases(1, 12), |(segment_bytes in 3_000u64..30_000, points in prop::collection::btree_set(1..=end, 1..4), compress: bool)| {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("world");
        let mut store = cut_up(&from, &dir, segment_bytes);
        if compress {
            store.compress_closed().unwrap();
        }
        store.close().unwrap();
        let was = groups(&dir);
        let mut made = Vec::new();
        for point in points.iter().filter(|point| **point < end) {
            let path = home.path().join(point.to_string());
            // Where no commit ends so early nothing is changed.
            match archive(&dir, *point, &path) {
                Ok(name) => made.push((path, name)),
                Err(error) => prop_assert!(error.to_string().contains("expected a point at or behind frame") || error.to_string().contains("were archived"), "{}", error),
            }
            let history = History::of(&dir).unwrap();
            for seq in [history.begins().max(1), (history.begins() + end).div_ceil(2), end] {
                prop_assert_eq!(history.world_at(seq).unwrap().hash(), History::of(&from).unwrap().world_at(seq).unwrap().hash());
            }
        }
        for (path, name) in made.iter().rev() {
            prop_assert_eq!(&bring_back(&dir, path).unwrap(), name);
        }
        prop_assert!(groups(&dir) == was);
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

#[test]
fn a_world_without_its_old_history_is_served() {
    let (terminal, frames) = archived();
    let served = Served::begin(terminal, "serve --port 0 --paused --json");
    let operator = served.operator();
    let newest = served.get(&operator, "/api/moments?limit=3").ok();
    assert!(newest.to_string().contains("\"seq\""), "{newest}");
    // An archived moment is not there, and the answer says where it is.
    let lost = served.get(&operator, &format!("/api/moment/{}", frames - 1));
    assert_ne!(lost.status, 200);
}
