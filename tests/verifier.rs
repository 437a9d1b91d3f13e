//! Verifier: does a program written from docs/FORMAT.md alone agree with this one, on every world and on every forgery?
//!
//! The program is tests/verifier/verify.py; forge.py beside it changes each field of each structure of a small world's history. Both need
//! Python with two packages, which `tests/install.py verifier` puts into target/verifier.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use reelm::fact::{BeingId, Call, Hash, Value};
use reelm::past::History;
use reelm::replay::{ReplayError, Replayed, Thread, replay};
use reelm::run::{Course, Forking, Living, Pace, Reins, Until};
use reelm::source::Source;
use reelm::store::{FORMAT, Keystore, LogStore, Mode, Store, StreamStore, WorldFile, export, import};

use super::kit::{self, Small, args};
use super::parts::VERIFIER;
use super::terminal::Terminal;

const WORLDS: &[&str] = &["court", "dance", "karate", "library", "salon", "skateco", "town"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The verifier's Python, where it is installed.
pub fn python() -> Option<PathBuf> {
    VERIFIER.place()
}

fn says(python: &Path, program: &str, words: &[&Path]) -> Output {
    Command::new(python).arg(root().join("tests/verifier").join(program)).args(words).output().unwrap()
}

fn write_export(store: &dyn Store, file: &WorldFile, path: &Path) {
    let mut out = File::create(path).unwrap();
    export(store, file, None, &mut out).unwrap();
}

#[test]
#[ignore = "long: the second reader reads every world and recording"]
fn a_verifier_written_from_the_format_alone_holds_every_world_and_recording_to_be_whole() {
    let Some(python) = python() else { return };
    let temp = tempfile::tempdir().unwrap();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join("replay"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("world.reelm"))
        .filter(|path| path.exists())
        .collect();
    let mut heads = Vec::new();
    for world in WORLDS {
        let (dir, file) = (temp.path().join(world), temp.path().join(format!("{world}.reelm")));
        let source = Source::read(&root().join("fixtures/worlds").join(world)).unwrap();
        let mut living = Living::plant(&source, None, &dir, 2).unwrap();
        // The salon lives by models, of which none is here.
        let until = Until { moments: Some(if *world == "salon" { 0 } else { 60 }), ..Until::default() };
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
        living.stop().unwrap();
        let (store, _) = LogStore::open(&dir, Mode::Read).unwrap();
        write_export(&store, store.world_file(), &file);
        heads.push(store.ending().head.to_string());
        paths.extend([dir, file]);
    }
    // A fork of a fork, each with frames of its own.
    for (from, to) in [("court", "fork"), ("fork", "again")] {
        let (from, dir, file) = (temp.path().join(from), temp.path().join(to), temp.path().join(format!("{to}.reelm")));
        let history = History::of(&from).unwrap();
        Forking { parent: &from, at: history.end(), instant: None, name: to, budget: None, changes: &[] }.make(&history, &dir).unwrap();
        let mut living = Living::open(&dir, 1).unwrap().0;
        let until = Until { moments: Some(30), ..Until::default() };
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None }).unwrap();
        living.stop().unwrap();
        let (store, _) = LogStore::open(&dir, Mode::Read).unwrap();
        write_export(&store, store.world_file(), &file);
        heads.push(store.ending().head.to_string());
        paths.extend([dir, file]);
    }
    let words: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let said = says(&python, "verify.py", &words);
    let text = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    assert!(said.status.success() && text.lines().count() == paths.len(), "{text}");
    // Once for the directory and once for the export.
    assert!(heads.iter().all(|head| text.matches(head.as_str()).count() == 2), "{text}");
}

/// A small world that uses much of the format: large values, grids, schedules, local roles, refusals, births and ends.
fn varied() -> Small {
    let large = "one hundred to the one who reads this. ".repeat(140);
    let mut small = Small::plant(&format!(
        r#"
[[space]]
path = "/hall"
size = [8, 4]
owner = "@ada"
contributors = ["@bob"]
allow = ["move", "say"]
[[space]]
path = "/yard"
[[matter]]
at = "/hall"
name = "will"
type = "paper"
coords = [1, 2]
content = "{large}"
quality.paper.pages = 3
[[being]]
name = "ada"
home = "/hall"
coords = [2, 2]
role = "free"
script = "pass"
grants = ["mute"]
flow = [{{ when = {{ "world.t.lamp" = "on" }}, role = "mute" }}]
quality.t.n = 0.5
[[being.schedule]]
name = "beat"
every = "1m"
offset = "5s"
content = {{ kind = "tick" }}
[[being]]
name = "bob"
parent = "@ada"
home = "/hall"
role = "free"
script = "answer"
[[being.schedule]]
name = "noon"
cron = "0 12 * * *"
[[signal]]
path = "t.lamp"
value = "off"
"#
    ));
    let end = small.world().at() + 120_000;
    small.moments(4, end);
    for (target, action, json) in [
        ("@ada", "quality.unset", r#"{"path":"t.n"}"#),
        ("@ada", "quality.inc", r#"{"path":"t.n","by":1.5}"#),
        ("@ada", "quality.push", r#"{"path":"t.l","value":[1,{"a":null}],"keep":3}"#),
        ("/hall", "say", r#"{"content":"hello"}"#),
        ("/hall/will", "matter.set", r#"{"content":"none"}"#),
        ("/hall", "space.set", r#"{"name":"court"}"#),
        ("@bob", "schedule.end", r#"{"name":"noon"}"#),
        ("@bob", "schedule.set", r#"{"name":"once","at":1900000000000,"rank":"urgent"}"#),
        ("@bob", "pause.set", "{}"),
        ("@bob", "pause.end", "{}"),
        ("@ada", "grants.set", r#"{"grants":["mute"]}"#),
        ("@ada", "flow.default", r#"{"role":"mute"}"#),
        ("@bob", "home.set", r#"{"home":"/yard"}"#),
        ("@bob", "flow.set", r#"{"flow":[]}"#),
        ("/yard", "role.set", r#"{"name":"mute","role":{"name":"mute","canDo":["say"]}}"#),
        ("/yard", "own.set", r#"{"owner":"@bob"}"#),
        ("/nowhere", "own.set", r#"{"owner":null}"#),
        ("/yard", "matter.make", r#"{"name":"cup","type":"cup","content":{"deep":[[1]]}}"#),
    ] {
        // Refused or done: the frame stands there.
        let _ = small.try_act("operator", Call::doing(target, action, args(json)));
    }
    let _ = small.try_act("operator", Call::be("birth", args(r#"{"name":"dora","home":"/yard"}"#)));
    let _ = small.try_act("operator", Call::be("inhabit", args(r#"{"being":"@dora","for":"1m"}"#)));
    let _ = small.try_act("operator", Call::be("release", args(r#"{"being":"@dora"}"#)));
    let _ = small.try_act("operator", Call::be("end", args(r#"{"being":"@dora"}"#)));
    let end = small.world().at() + 120_000;
    // The last moment is by a schedule, in a round of its own: another instant or round of it could not have been.
    let _ = small.try_act("operator", Call::doing("@bob", "pause.set", args("{}")));
    small.moments(3, end);
    small
}

fn file_of(small: &Small) -> WorldFile {
    let root_key = small.master.key(small.id, BeingId::WORLD).public().to_hash().to_string();
    WorldFile { format: FORMAT, world: small.id, root_key, simulated: true, name: "small".to_owned(), origins: Vec::new() }
}

/// The verdicts of this program on an export: on its files and records, on its chains and seals, and on its moments.
struct Said {
    verified: Result<(), String>,
    replayed: Result<(), String>,
    imported: Result<(), String>,
}

fn walked(path: &Path, only_verify: bool) -> Result<(), String> {
    let store = StreamStore::open(path).map_err(|error| error.to_string())?;
    let walked: Result<Replayed, ReplayError> =
        replay(&store, store.world_file().world, Thread { only_verify, ..Thread::default() }, &mut |_| {});
    match walked.map_err(|error| error.to_string())?.difference {
        None => Ok(()),
        Some(difference) => Err(format!("different: frame {}, field `{}`", difference.seq, difference.field)),
    }
}

fn asked(path: &Path, dir: &Path) -> Said {
    let verified = walked(path, true);
    // As the command does: it walks the file first, and then writes.
    let imported = verified.clone().and_then(|()| {
        let store = StreamStore::open(path).map_err(|error| error.to_string())?;
        import(&store, dir).map(drop).map_err(|error| error.to_string())
    });
    Said { replayed: if verified.is_ok() { walked(path, false) } else { verified.clone() }, verified, imported }
}

fn refused_by_every_command(file: &Path) {
    let terminal = Terminal::new();
    let (path, name) = (file.display().to_string(), file.file_name().unwrap().to_str().unwrap().to_owned());
    for command in ["verify --file", "replay --file", "import"] {
        terminal.types(&format!("{command} {path}")).fails(3).warns(&[&name]);
    }
    assert!(!terminal.path("world").exists(), "a refused import left something behind");
}

#[test]
#[ignore = "long: the second reader and replay are asked about each forgery"]
fn every_forgery_is_refused_by_the_verifier_and_by_this_program_or_is_another_history_that_replay_finds_different() {
    let Some(python) = python() else { return };
    let temp = tempfile::tempdir().unwrap();
    let small = varied();
    small.replay().unwrap();
    let (whole, forged) = (temp.path().join("whole.reelm"), temp.path().join("forged"));
    write_export(&small.shelf.opened(), &file_of(&small), &whole);
    let said = asked(&whole, &temp.path().join("imported"));
    assert_eq!((said.verified, said.replayed, said.imported), (Ok(()), Ok(()), Ok(())));
    let made = says(&python, "forge.py", &[&whole, &forged]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let lines = std::fs::read_to_string(forged.join("forgeries.jsonl")).unwrap();
    let (mut wrong, mut other_histories) = (Vec::new(), 0);
    for line in lines.lines() {
        let forgery: Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| forgery.get(key).and_then(Value::as_str).unwrap_or("holds").to_owned();
        let said = asked(&forged.join(text("file")), &temp.path().join("imported"));
        let show = |result: &Result<(), String>| result.clone().err().unwrap_or_else(|| "accepted".to_owned());
        let (is_refused, lives) = (text("refused") != "holds", forgery.get("lives").and_then(Value::as_bool) == Some(true));
        other_histories += usize::from(!is_refused);
        // A forgery that is not refused is another history, signed with keys that anybody can derive: whole, but it did not happen so.
        let expected = (!is_refused, !is_refused, lives);
        let is_right = (said.verified.is_ok(), said.imported.is_ok(), said.replayed.is_ok()) == expected;
        if !is_right {
            let (what, how, python) = (text("what"), text("how"), text("refused"));
            let (verify, replay, import) = (show(&said.verified), show(&said.replayed), show(&said.imported));
            wrong.push(format!(
                "{} {what} ({how})\n  verify.py: {python}\n  verify: {verify}\n  replay: {replay}\n  import: {import}",
                text("file")
            ));
        }
    }
    for what in ["blob: other bytes under its name", "record: another being", "world.toml: root_key"] {
        let line = lines.lines().find(|line| line.contains(&format!("\"{what}\""))).unwrap();
        let forgery: Value = serde_json::from_str(line).unwrap();
        refused_by_every_command(&forged.join(forgery.get("file").and_then(Value::as_str).unwrap()));
    }
    assert!(wrong.is_empty(), "{} of {} forgeries:\n{}", wrong.len(), lines.lines().count(), wrong.join("\n"));
    assert!(lines.lines().count() >= 300 && other_histories > 20, "{} forgeries", lines.lines().count());
}

/// A small file with the closing line that its text needs.
fn closed(text: &str) -> String {
    let above = text.split("check = ").next().unwrap();
    format!("{above}check = \"{}\"\n", Hash::of(above.as_bytes()))
}

fn rewrite(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    std::fs::write(path, closed(&text.replacen(from, to, 1))).unwrap();
}

fn segment(dir: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let path = dir.join("log/0000000000000000.seg");
    let mut bytes = std::fs::read(&path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

/// A change to a world that was closed cleanly, and the number of the check that must find it; 0: that is allowed.
type Tampered = (&'static str, u32, fn(&Path));

const TAMPERED: &[Tampered] = &[
    ("nothing", 0, |_| ()),
    ("zeroes ahead", 0, |dir| segment(dir, |bytes| bytes.extend([0; 64]))),
    ("another clean close", 20, |dir| rewrite(&dir.join("clean"), "number = ", "number = 1")),
    ("another name", 18, |dir| rewrite(&dir.join("world.toml"), "name = \"", "name = \"x")),
    ("other keys", 20, |dir| Keystore { master: zeroize::Zeroizing::new([7; 32]) }.save(dir).unwrap()),
    ("another head in the header", 2, |dir| {
        segment(dir, |bytes| {
            bytes[80] ^= 1;
            let crc = crc32fast::hash(&bytes[..108]).to_le_bytes();
            bytes[108..112].copy_from_slice(&crc);
        });
    }),
    ("a byte behind zeroes", 5, |dir| segment(dir, |bytes| bytes.extend([0; 64].into_iter().chain([1])))),
    ("a key more in clean", 1, |dir| rewrite(&dir.join("clean"), "number = ", "more = 1\nnumber = ")),
    ("a remark in world.toml", 1, |dir| rewrite(&dir.join("world.toml"), "format = 2\n", "format = 2\n# one\n")),
    ("keys in capitals", 1, |dir| {
        let secret = std::fs::read_to_string(dir.join("keystore")).unwrap().split('"').nth(1).unwrap().to_owned();
        rewrite(&dir.join("keystore"), &secret, &secret.to_uppercase());
    }),
    ("a newer segment with a torn header", 2, |dir| std::fs::write(dir.join("log/00000000000fffff.seg"), "reelmlog\x01\0").unwrap()),
    ("a newer segment with a torn header, after a kill", 0, |dir| {
        std::fs::remove_file(dir.join("clean")).unwrap();
        std::fs::write(dir.join("log/00000000000fffff.seg"), "reelmlog\x01\0").unwrap();
    }),
    ("a newer segment with a torn header and a commit", 2, |dir| {
        std::fs::remove_file(dir.join("clean")).unwrap();
        let whole = std::fs::read(dir.join("log/0000000000000000.seg")).unwrap();
        std::fs::write(dir.join("log/00000000000fffff.seg"), &whole[112..]).unwrap();
    }),
    ("the last bytes missing", 3, |dir| segment(dir, |bytes| bytes.truncate(bytes.len() - 3))),
    ("a killed process", 0, |dir| std::fs::remove_file(dir.join("clean")).unwrap()),
    ("acknowledged bytes missing after a kill", 20, |dir| {
        std::fs::remove_file(dir.join("clean")).unwrap();
        segment(dir, |bytes| bytes.truncate(bytes.len() - 3));
    }),
];

/// A change to the first of a world's compressed segments, and whether that is allowed.
type Spoiled = (&'static str, bool, fn(&Path));

const SPOILED: &[Spoiled] = &[
    ("nothing", true, |_| ()),
    ("a byte of a block", false, |path| changed(path, |bytes| *bytes.last_mut().unwrap() ^= 1)),
    ("a byte of the table", false, |path| changed(path, |bytes| bytes[129] ^= 1)),
    ("the length", false, |path| changed(path, |bytes| bytes[121] ^= 1)),
    ("the last byte missing", false, |path| changed(path, |bytes| bytes.truncate(bytes.len() - 1))),
    ("a byte more", false, |path| changed(path, |bytes| bytes.push(0))),
    ("half of one beside the plain file", true, |path| {
        put_back(path);
        changed(path, |bytes| bytes.truncate(200));
    }),
    ("one that was being written", true, |path| std::fs::write(path.with_extension("segz.new"), "reelm").unwrap()),
];

fn changed(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::write(path, bytes).unwrap();
}

/// The plain file as it was before it was compressed, put back.
fn put_back(path: &Path) {
    std::fs::copy(path.with_extension("kept"), path.with_extension("seg")).unwrap();
}

#[test]
#[ignore = "long: the second reader is started for each spoiled segment"]
fn the_verifier_and_this_program_agree_on_compressed_segments_whole_and_spoiled() {
    let Some(python) = python() else { return };
    let terminal = Terminal::with_world("court", 400);
    let dir = terminal.path("world");
    let head = LogStore::open(&dir, Mode::Read).unwrap().0.ending().head.to_string();
    kit::in_segments(&dir, 48 << 10);
    let plain = kit::segments(&dir, ".seg").remove(0);
    std::fs::copy(&plain, plain.with_extension("kept")).unwrap();
    kit::compress(&dir);
    let path = plain.with_extension("segz");
    let whole = std::fs::read(&path).unwrap();
    assert!(!plain.exists() && kit::segments(&dir, ".segz").len() > 1);
    for (what, is_allowed, spoil) in SPOILED {
        spoil(&path);
        let said = says(&python, "verify.py", &[&dir]);
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        let own = terminal.types("verify");
        if *is_allowed {
            own.ok();
            assert!(said.status.success() && text.contains(&head), "{what}: {text}");
        } else {
            own.fails(3).warns(&[path.file_name().unwrap().to_str().unwrap()]);
            assert!(text.contains("check 2 ") && text.contains(".segz"), "{what}: {text}");
        }
        std::fs::write(&path, &whole).unwrap();
        let _ = std::fs::remove_file(path.with_extension("seg"));
        let _ = std::fs::remove_file(path.with_extension("segz.new"));
    }
}

#[test]
#[ignore = "long: the second reader is started for each forgery"]
fn a_directory_whose_small_files_headers_or_end_were_forged_is_refused_by_the_verifier_and_not_opened() {
    let Some(python) = python() else { return };
    let temp = tempfile::tempdir().unwrap();
    let mut source = kit::source("");
    source.roles.truncate(1);
    for (what, check, tamper) in TAMPERED {
        let dir = temp.path().join(what.replace(' ', "-"));
        Living::plant(&source, None, &dir, 1).unwrap().stop().unwrap();
        tamper(&dir);
        let said = says(&python, "verify.py", &[&dir]);
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        let opened = Living::open(&dir, 1).map(drop);
        if *check == 0 {
            assert!(said.status.success() && opened.is_ok(), "{what}: {text}");
        } else {
            assert!(text.contains(&format!("check {check} ")), "{what}: {text}");
            assert!(opened.is_err(), "{what} was opened");
        }
    }
}
