//! Killed: does a command that was killed, or found no room, leave a cut file under its name, or anything that stays?
//!
//! Real processes are killed at whatever place they have come to. The same command then does what it would have done.

use std::path::Path;
use std::process::Stdio;

use super::terminal::Terminal;

/// The names in the terminal's folder, but for the worlds and files that were there.
fn names(terminal: &Terminal) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(terminal.path("")).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Begins a command and kills it as soon as something new lies there. Whether it was still at work.
fn kill(terminal: &Terminal, line: &str) -> bool {
    let before = names(terminal);
    let mut child = terminal.command(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() && names(terminal) == before {
        std::thread::yield_now();
    }
    let was_at_work = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    child.wait().unwrap();
    was_at_work
}

fn remove(path: &Path) {
    let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
}

#[test]
fn a_file_is_whole_or_not_there_and_the_same_command_again_leaves_nothing_over() {
    let terminal = Terminal::with_world("court", 120);
    let commands = [
        ("export whole.reelm", "whole.reelm", "verify --file whole.reelm"),
        ("export part.bundle --from 3 --replayable", "part.bundle", "verify part.bundle"),
        ("prove 7 --out seven.json", "seven.json", "verify --proof seven.json"),
        ("anchor a.anchor", "a.anchor", "verify --anchor a.anchor"),
        ("export --lines moments all.jsonl", "all.jsonl", "see /"),
    ];
    for (line, file, check) in commands {
        for _ in 0..4 {
            kill(&terminal, line);
            // Where it was killed too late, what is there is whole.
            if terminal.path(file).exists() {
                terminal.types(check).ok();
                remove(&terminal.path(file));
            }
        }
        // As one leaves it that was killed in the middle.
        terminal.write(&format!("{file}.new"), &"half written ".repeat(100_000));
        terminal.types(line).ok();
        terminal.types(check).ok();
        terminal.types(line).fails(1);
        remove(&terminal.path(file));
        assert_eq!(names(&terminal), ["world"], "{line}");
    }
}

#[test]
fn what_finds_no_room_leaves_nothing_and_names_the_file() {
    let terminal = Terminal::with_world("court", 60);
    // Blocks of 1024 bytes: no larger file can be written.
    for (line, file) in [
        ("export whole.reelm", "whole.reelm"),
        ("export part.bundle --from 0", "part.bundle"),
        ("export --lines moments all.jsonl", "all.jsonl"),
        ("prove 0 --out zero.json", "zero.json"),
        ("archive old --before now", "old"),
        ("fork kinder", "kinder"),
        ("backup twin", "world/log"),
    ] {
        let said = terminal.shell(&format!("ulimit -f 4; $reelm {line}"));
        assert!(said.code == 1 || said.code == 0, "{line}: {}\n{}{}", said.code, said.out, said.err);
        if said.code == 1 {
            assert!(said.err.contains("File too large") && said.err.contains(file), "{line}: {}", said.err);
            assert!(names(&terminal).iter().all(|name| name == "world"), "{line}: {:?}", names(&terminal));
        }
        if file != "world/log" {
            remove(&terminal.path(file));
        }
    }
    terminal.types("verify").ok();
    for line in ["do / signal.set '{\"path\":\"court.tea\",\"value\":1}'", "run --moments 40 --quiet"] {
        let said = terminal.shell(&format!("ulimit -f 4; $reelm {line}"));
        assert!(said.code >= 0 && said.code < 128, "{line}: a signal ended it: {}", said.code);
        terminal.types("verify").ok();
    }
}

#[test]
fn a_fork_an_import_and_a_backup_that_were_killed_are_taken_away_by_the_next_one() {
    let terminal = Terminal::with_world("court", 120);
    terminal.types("export whole.reelm").ok();
    for (line, dir) in [("fork kinder", "kinder"), ("import whole.reelm --data copy", "copy"), ("backup twin", "twin")] {
        let mut left = 0;
        for _ in 0..12 {
            left += usize::from(kill(&terminal, line));
            if terminal.path(dir).exists() {
                terminal.types(&format!("verify --data {dir}")).ok();
                remove(&terminal.path(dir));
            }
        }
        // As one leaves it whose process has ended; and one that somebody else is just making.
        terminal.write(&format!(".{dir}.made-4194305/log/0000000000000000.seg"), "half written");
        terminal.types("du").says(&["half-made", "could go: a fork, an import or a backup was cut off beside it"]);
        terminal.write(".other.made-7/world.toml", "half written");
        let theirs = std::fs::File::open(terminal.path(".other.made-7")).unwrap();
        theirs.lock().unwrap();
        terminal.types(line).ok();
        terminal.types(&format!("verify --data {dir}")).ok();
        assert_eq!(
            names(&terminal),
            [".other.made-7", dir, "whole.reelm", "world"]
                .map(str::to_owned)
                .into_iter()
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect::<Vec<_>>(),
            "{line}, killed {left} times"
        );
        drop(theirs);
        remove(&terminal.path(".other.made-7"));
        remove(&terminal.path(dir));
    }
    // Into a folder that is there, and may be another file system's.
    std::fs::create_dir(terminal.path("mount")).unwrap();
    terminal.write("mount/..made-4194305/world.toml", "half written");
    terminal.types("import whole.reelm --data mount").ok();
    assert!(!terminal.path("mount/..made-4194305").exists());
    terminal.types("verify --data mount").ok();
}
