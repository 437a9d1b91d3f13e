//! Cut: is history archived at a point within a segment, and is all of it there wherever that is cut off?

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use reelm::fact::Seq;
use reelm::past::{History, archive, bring_back};
use reelm::store::{LogStore, Mode, Options};

use super::archive::hash;
use super::backup::groups;
use super::fork::{borders, cut_up};
use super::terminal::{Terminal, package};
use super::upgrade::everything;
use super::verifier::python;

/// The morning of the third day.
const THIRD: &str = "2026-03-05T09:00";

/// A world of five days in one segment: a copy of one that was run once.
fn days() -> Terminal {
    static RUN: LazyLock<Terminal> = LazyLock::new(|| {
        let terminal = Terminal::new();
        terminal.types("run $worlds/court --for 5d --quiet").ok();
        assert_eq!(log_of(&terminal, "world").into_keys().collect::<Vec<_>>(), ["0000000000000000.seg"]);
        terminal
    });
    let terminal = Terminal::new();
    terminal.shell(&format!("cp -r {} world", RUN.path("world").display())).ok();
    terminal
}

fn log_of(terminal: &Terminal, data: &str) -> BTreeMap<String, Vec<u8>> {
    everything(&terminal.path(data).join("log"))
}

/// The last border at a point or before it.
fn border_before(dir: &Path, point: &str) -> Seq {
    let at = History::of(dir).unwrap().seq_of(&point.parse().unwrap()).unwrap();
    borders(dir).into_iter().rfind(|border| *border <= at).unwrap()
}

fn begins(terminal: &Terminal, data: &str) -> Seq {
    History::of(&terminal.path(data)).unwrap().begins()
}

#[test]
#[ignore = "long: five days of a court"]
fn a_world_in_one_segment_is_archived_before_its_third_day() {
    let terminal = days();
    for line in ["backup twin", "backup copy", "fork before --at now"] {
        terminal.types(line).ok();
    }
    let (fork, fork_log) = (hash(&terminal, "before"), log_of(&terminal, "before"));
    let border = border_before(&terminal.path("world"), THIRD);
    let said = terminal.types(&format!("archive old --before {THIRD}")).ok();
    assert!(said.starts_with(&format!("archived frames 0 to {} in `old`", border - 1)), "{said}");
    assert!(said.contains(&format!("the log begins with frame {border} now")), "{said}");
    assert_eq!(log_of(&terminal, "world").into_keys().collect::<Vec<_>>(), [format!("{border:016x}.seg")]);
    terminal.types("verify").says(&[&format!("from the archive's checkpoint on; the {border} frames before it are in `old`")]);
    // Commands tell the frames behind the border as before, and from the checkpoints that were written before.
    for line in ["see / --at 2026-03-06T10:00", "see / --at now", "log --last 5", "explain 4400", "diff 2026-03-06T10:00 now"] {
        let (ours, theirs) = (terminal.types(&format!("{line} --data world")), terminal.types(&format!("{line} --data twin")));
        assert_eq!((ours.code, &ours.out, ours.err.as_str()), (0, &theirs.out, ""), "{line}");
    }
    terminal.types("find --raw court --last 1").ok();
    terminal.types("see / --at 2026-03-04T10:00").fails(1).warns(&["brings them back: `old` (BLAKE3"]);
    terminal.types("replay").says(&["identical", "from the archive's checkpoint on"]);
    terminal.types("inspect").says(&["signatures and seals hold"]);
    terminal.types("du").says(&["archived: `old`"]);
    terminal.types(&format!("fork after --at {}", border + 1)).ok();
    terminal.types("fork later --at 2026-03-07T10:00").ok();
    for data in ["after", "later"] {
        terminal.types(&format!("run --data {data} --moments 5 --quiet")).ok();
        terminal.types(&format!("replay --data {data}")).says(&["identical"]);
    }
    assert!(log_of(&terminal, "before") == fork_log && hash(&terminal, "before") == fork);
    for data in ["world", "twin"] {
        terminal.types(&format!("run --data {data} --for 6h --quiet")).ok();
    }
    assert_eq!(hash(&terminal, "world"), hash(&terminal, "twin"), "it goes on as it would have");
    terminal.types("verify --index").ok();
    // A backup keeps the segment whole, and gets what stands behind it: behind one archive, and behind the next.
    terminal.types("backup copy").ok();
    terminal.types("archive later.archive --before 2026-03-07T09:00").says(&["archived frames"]);
    terminal.types("run --for 6h --quiet").ok();
    terminal.types("run --data twin --for 6h --quiet").ok();
    for _ in 0..2 {
        terminal.types("backup copy").ok();
        assert_eq!((begins(&terminal, "copy"), hash(&terminal, "copy")), (0, hash(&terminal, "world")));
    }
    assert_eq!(hash(&terminal, "world"), hash(&terminal, "twin"));
    // Both come back, and it is the history that it was.
    for (file, data) in [("later.archive", "world"), ("old", "world"), ("old", "later")] {
        terminal.types(&format!("import {file} --data {data}")).says(&["brought frames "]);
    }
    assert_eq!(log_of(&terminal, "world").len(), 3);
    assert!(groups(&terminal.path("world")) == groups(&terminal.path("copy")));
    for data in ["world", "copy"] {
        terminal.types(&format!("export {data}.reelm --data {data}")).ok();
    }
    assert!(std::fs::read(terminal.path("world.reelm")).unwrap() == std::fs::read(terminal.path("copy.reelm")).unwrap());
    for data in ["world", "later"] {
        terminal.types(&format!("replay --data {data}")).says(&["identical"]);
    }
    let see = terminal.types("see / --at 2026-03-06T10:00").fails(0);
    assert_eq!(see.err, "", "the checkpoints of before still serve");
    if let Some(python) = python() {
        let verify = package().join("tests/verifier/verify.py");
        assert!(Command::new(python).arg(verify).arg(terminal.path("world")).output().unwrap().status.success());
    }
}

#[test]
fn before_the_first_commit_there_is_nothing_to_archive() {
    let terminal = Terminal::with_world("court", 20);
    let first = borders(&terminal.path("world"))[0];
    let was = log_of(&terminal, "world");
    terminal
        .types(&format!("archive old --before {}", first - 1))
        .fails(1)
        .warns(&[&format!("expected a point at or behind frame {first}, where the first commit of the log ends, found {}", first - 1)]);
    assert!(log_of(&terminal, "world") == was && !terminal.path("old").exists());
    terminal.types(&format!("archive old --before {first}")).says(&["archived frames 0 to"]);
    terminal.types("archive other --before now").ok();
    terminal.types("archive third --before now").fails(1).warns(&["expected a point at or behind frame"]);
}

#[test]
#[ignore = "long: five days of a court"]
fn a_compressed_segment_is_cut_like_a_plain_one() {
    let terminal = days();
    let (from, dir) = (terminal.path("world"), terminal.path("small"));
    let mut store = cut_up(&from, &dir, 300_000);
    store.compress_closed().unwrap();
    store.close().unwrap();
    let names: Vec<String> = log_of(&terminal, "small").into_keys().collect();
    assert!(names.len() > 1 && names[0] == "0000000000000000.segz", "{names:?}");
    terminal.types("fork shared --data small --at now").ok();
    let shared = log_of(&terminal, "shared");
    let firsts: Vec<Seq> = names.iter().map(|name| Seq::from_str_radix(&name[..16], 16).unwrap()).collect();
    let closed = firsts[firsts.len() - 1];
    let border = borders(&dir).into_iter().rfind(|border| *border < closed && !firsts.contains(border)).unwrap();
    let cut = &names[firsts.iter().rposition(|first| *first < border).unwrap()];
    // Damage behind the border is met before anything is changed.
    let path = dir.join("log").join(cut);
    let bytes = std::fs::read(&path).unwrap();
    let mut wrong = bytes.clone();
    let last = wrong.len() - 5;
    wrong[last] ^= 1;
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, wrong).unwrap();
    let was = log_of(&terminal, "small");
    let said = terminal.types(&format!("archive old --data small --before {border}")).fails(3);
    assert!(said.err.contains("compressed block") && log_of(&terminal, "small") == was, "{}", said.err);
    assert!(!terminal.path("old").exists());
    std::fs::write(&path, bytes).unwrap();
    let made = archive(&dir, border, &terminal.path("old")).unwrap();
    assert_eq!((made.to, log_of(&terminal, "small").into_keys().next()), (border, Some(format!("{border:016x}.seg"))));
    terminal.types("verify --data small").ok();
    assert!(log_of(&terminal, "shared") == shared);
    terminal.types("verify --data shared").ok();
    // Its parts are compressed as any closed segment is.
    let (mut store, _) = LogStore::open_with(&dir, Mode::Write, Options { compress_after: None, ..Options::default() }).unwrap();
    store.compress_closed().unwrap();
    store.close().unwrap();
    bring_back(&dir, &terminal.path("old")).unwrap();
    assert!(groups(&dir) == groups(&from));
}

/// The worlds that a command leaves which was cut off, one for each step, each in a folder of its own with the file that it has written.
fn left_of(terminal: &Terminal) -> Vec<(&'static str, bool)> {
    terminal.shell("cp -r world was").ok();
    terminal.types(&format!("archive old --before {THIRD}")).ok();
    let border = begins(terminal, "world");
    let seg = format!("log/{border:016x}.seg");
    let (segment, beginning) = (format!("world/{seg}"), "world/beginning");
    let state = |name: &str, files: &[(&str, &str)]| {
        terminal.shell(&format!("mkdir {name}; cp -r was {name}/world; rm {name}/world/clean {name}/world/index/clean")).ok();
        for (from, to) in files {
            terminal.shell(&format!("cp {from} {name}/{to}")).ok();
        }
    };
    let (place, waits) = (format!("world/{seg}"), format!("world/{seg}.new"));
    terminal.shell("head -c 5000 old > half").ok();
    state("writing", &[("half", "old.new")]);
    state("written", &[("old", "old")]);
    state("cutting", &[("old", "old"), ("half", &waits)]);
    state("cut", &[("old", "old"), (&segment, &waits)]);
    state("begun", &[("old", "old"), (&segment, &waits), (beginning, "world/beginning")]);
    state("placed", &[("old", "old"), (&segment, &place), (beginning, "world/beginning")]);
    terminal.shell("mkdir last; cp -r world last/world; cp old last/old; rm last/world/clean").ok();
    vec![("writing", false), ("written", false), ("cutting", false), ("cut", false), ("begun", true), ("placed", true), ("last", true)]
}

#[test]
#[ignore = "long: five days of a court, and each place where an archive is cut off"]
fn wherever_an_archive_is_cut_off_all_is_there_and_the_same_again_does_the_rest() {
    let terminal = days();
    let (whole, all) = (hash(&terminal, "world"), groups(&terminal.path("world")));
    let left = left_of(&terminal);
    let border = begins(&terminal, "world");
    for (name, is_archived) in left {
        let data = format!("{name}/world");
        // A reader sees all of it, and changes nothing.
        let files = || -> BTreeMap<_, _> { everything(&terminal.path(&data)).into_iter().filter(|(file, _)| file != "copies").collect() };
        let was = files();
        assert_eq!(begins(&terminal, &data), if is_archived { border } else { 0 }, "{name}");
        assert_eq!(hash(&terminal, &data), whole, "{name}");
        let looked = terminal.types(&format!("see / --at 2026-03-06T10:00 --data {data}")).fails(0);
        assert_eq!(looked.err, "", "{name}");
        terminal.types(&format!("du --data {data}")).ok();
        if is_archived {
            terminal.types(&format!("fork {name}/fork --data {data} --at 2026-03-07T10:00")).ok();
            terminal.types(&format!("backup {name}/copy --data {data}")).ok();
            for other in ["fork", "copy"] {
                terminal.types(&format!("run --data {name}/{other} --moments 5 --quiet")).ok();
                terminal.types(&format!("replay --data {name}/{other}")).says(&["identical"]);
            }
        }
        assert!(files() == was, "{name}");
        terminal.types(&format!("archive {name}/old --data {data} --before {THIRD}")).says(&["archived frames 0 to"]);
        let log: Vec<String> = log_of(&terminal, &data).into_keys().collect();
        assert_eq!(log, [format!("{border:016x}.seg")], "{name}");
        assert_eq!(hash(&terminal, &data), whole, "{name}");
        terminal.types(&format!("import {name}/old --data {data}")).ok();
        assert!(groups(&terminal.path(&data)) == all, "{name}");
    }
}

#[test]
#[ignore = "long: five days of a court, and an archive that is killed again and again"]
fn an_archive_that_was_killed_loses_nothing() {
    let terminal = days();
    let all = groups(&terminal.path("world"));
    terminal.shell("cp -r world was").ok();
    let line = format!("archive old --before {THIRD}");
    let began = Instant::now();
    terminal.types(&line).ok();
    let takes = began.elapsed();
    for part in 3..=10 {
        terminal.shell("rm -rf world old old.new; cp -r was world").ok();
        let mut child = terminal.command(&line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(takes.mul_f64(f64::from(part) / 10.0).max(Duration::from_millis(5)));
        let _ = child.kill();
        child.wait().unwrap();
        if begins(&terminal, "world") == 0 {
            assert!(groups(&terminal.path("world")) == all, "killed at {part} tenths");
        }
        terminal.types(&line).says(&["archived frames 0 to"]);
        terminal.types("verify").ok();
        terminal.types("import old").ok();
        assert!(groups(&terminal.path("world")) == all, "killed at {part} tenths");
    }
}
