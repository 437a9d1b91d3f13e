//! House: does the code keep its floors? Reads every file of src/ as data.
//!
//! A check takes one file and names its faults with file and line; each has beside it the small bad example that it must name.
//! No test stands in src/: a room's own tests stand in tests/rooms, each file's under its own path.

mod inside;
mod names;
mod source;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use source::{Word, functions, modules_around, paths, reads, test_marks, words};

/// The rooms by floor; a room imports only from floors below its own. Raising a floor is a visible edit.
const FLOORS: &[(&str, u8)] = &[
    ("fact", 1),
    ("reel", 2),
    ("role", 3),
    ("script", 3),
    ("dialect", 3),
    ("store", 4),
    ("world", 5),
    ("verb", 6),
    ("moment", 7),
    ("tell", 7),
    ("extension", 7),
    ("cognition", 8),
    ("past", 9),
    ("minds", 9),
    ("source", 9),
    ("run", 10),
    ("replay", 10),
    ("portal", 11),
    ("mcp", 11),
    ("bench", 11),
    ("cli", 12),
];

/// The files that stand above all floors.
const DOORS: &[&str] = &["lib.rs", "main.rs"];

/// Where the outside comes in: rooms, and single files of rooms that are otherwise pure. Everything else is pure.
const OUTSIDE: &[&str] = &["store", "past", "minds", "source", "run", "portal", "mcp", "bench", "cli", "extension/load.rs"];

/// Paths that lead outside: disk, network, surroundings, other programs.
const OUTSIDE_PATHS: &[&str] = &["std::fs", "std::net", "std::env", "std::process"];

/// Names of clocks, of chance, and of collections whose order is chance.
const OUTSIDE_NAMES: &[&str] = &["SystemTime", "Instant", "thread_rng", "OsRng", "getrandom", "HashMap", "HashSet", "RandomState"];

/// The rooms and files that open a log: store keeps it, past shows it, run writes it, bench measures it, and three commands ask the files
/// themselves. All other code asks the past (`History`).
const OPENS_A_LOG: &[&str] = &["store", "past", "run", "bench", "cli/copied.rs", "cli/inspect.rs", "cli/replay.rs"];

/// The names by which a log is opened and folded.
const LOG_NAMES: &[&str] = &["LogStore", "resume"];

/// A fence far out: a file this long has grown a second subject.
const LINES_MAX: usize = 1000;

/// A function fits on a screen.
const FUNCTION_LINES_MAX: usize = 60;

/// The functions that are dictionaries: one entry after the other, each a glance, which to divide would only hide.
const DICTIONARIES: &[(&str, &str)] = &[("world/fold.rs", "fold"), ("verb/see.rs", "registered")];

/// A file of the house as its checks see it.
struct File {
    /// From src/ on, with `/`.
    name: String,
    text: String,
    /// Its words.
    code: Vec<Word>,
}

impl File {
    fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned(), code: words(text) }
    }

    fn room(&self) -> &str {
        self.name.split(['/', '.']).next().unwrap_or_default()
    }

    fn is_door(&self) -> bool {
        DOORS.contains(&self.name.as_str())
    }

    fn is_outside(&self) -> bool {
        self.is_door() || OUTSIDE.contains(&self.room()) || OUTSIDE.contains(&self.name.as_str())
    }

    /// How many modules lie between the file and the root of the crate: one for `verb.rs`, two for `verb/see.rs`.
    fn depth(&self) -> usize {
        if self.is_door() { 0 } else { self.name.split('/').count() }
    }

    fn fault(&self, line: usize, says: impl std::fmt::Display) -> String {
        format!("src/{}:{line}: {says}", self.name)
    }
}

fn floor_of(room: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// A file opens with `//!` and a sentence.
fn opening(file: &File) -> Vec<String> {
    let opens = file.text.lines().next().and_then(|line| line.strip_prefix("//!")).is_some_and(|sentence| !sentence.trim().is_empty());
    if opens { Vec::new() } else { vec![file.fault(1, "expected a sentence about the file first (`//! …`), found none")] }
}

/// A file is no longer than its first sentence can hold.
fn length(file: &File) -> Vec<String> {
    let lines = file.text.lines().count();
    if lines <= LINES_MAX {
        return Vec::new();
    }
    vec![file.fault(
        lines,
        format_args!("{lines} lines, expected at most {LINES_MAX}; look at the first sentence: what it does not say belongs elsewhere"),
    )]
}

/// A function is no longer than a screen, unless it is a dictionary.
fn functions_fit(file: &File) -> Vec<String> {
    let is_long = |(_, name, lines): &(usize, String, usize)| *lines > FUNCTION_LINES_MAX && !DICTIONARIES.contains(&(&file.name, name));
    let says = |(line, name, lines)| {
        file.fault(
            line,
            format_args!("`{name}` has {lines} lines, expected at most {FUNCTION_LINES_MAX}; name its parts and take them out"),
        )
    };
    functions(&file.code).into_iter().filter(is_long).map(says).collect()
}

/// A file stands on a floor or is a door, and a room's front page lies beside its folder.
fn place(file: &File) -> Vec<String> {
    let mut faults = Vec::new();
    if floor_of(file.room()).is_none() && !file.is_door() {
        faults.push(file.fault(1, format_args!("`{}` stands on no floor; give the room a line in FLOORS (tests/house.rs)", file.room())));
    }
    if file.name.ends_with("/mod.rs") {
        faults.push(file.fault(1, "a front page lies beside its folder; `room/mod.rs` is written `room.rs`"));
    }
    faults
}

/// Checks that imports from another room lead to one below: by `use` or in place, by `crate::` or by as many `super::` as lead there.
fn imports(file: &File) -> Vec<String> {
    let Some(own) = floor_of(file.room()) else { return Vec::new() };
    let mut faults = Vec::new();
    for (line, room, is_macro) in rooms_named(file) {
        let says = match floor_of(&room) {
            Some(floor) if floor < own => continue,
            // A macro is expanded in any file of its room, so it names its room in full.
            Some(_) if room == file.room() && is_macro => continue,
            Some(_) if room == file.room() => {
                format!("`{room}` imports from its own front page; files of a room name each other by `super::`")
            }
            Some(floor) => format!("`{room}` (floor {floor}) does not lie below `{}` (floor {own})", file.room()),
            None => format!("`{room}` stands on no floor; import from a room's front page"),
        };
        faults.push(file.fault(line, says));
    }
    faults
}

/// The rooms that a file names, with the line, and whether it is a macro that does (`$crate::`).
fn rooms_named(file: &File) -> Vec<(usize, String, bool)> {
    let words = &file.code;
    let before = |at: usize, back: usize| at.checked_sub(back).map_or("", |at| words[at].text.as_str());
    let mut named = Vec::new();
    for path in ["crate", "super", "self"].into_iter().flat_map(|root| paths(words, root)) {
        // How far a name may be seen is no import.
        if before(path.at, 1) == "in" && before(path.at, 2) == "(" {
            continue;
        }
        let supers = path.parts.iter().filter(|part| *part == "super").count();
        let is_from_root = path.parts[0] == "crate" || supers == file.depth() + modules_around(words, path.at);
        let room = path.parts.iter().find(|part| !matches!(part.as_str(), "crate" | "super" | "self"));
        if let Some(room) = room.filter(|_| is_from_root) {
            named.push((path.line, room.clone(), before(path.at, 1) == "$"));
        }
    }
    named
}

/// A pure file names no clock, chance, disk or network, and nothing whose order is chance.
fn purity(file: &File) -> Vec<String> {
    if file.is_outside() {
        return Vec::new();
    }
    let mut faults = BTreeSet::new();
    let mut found = |line: usize, name: &str| {
        faults.insert((line, name.to_owned()));
    };
    for path in paths(&file.code, "std") {
        let spelled = path.parts.iter().take(2).cloned().collect::<Vec<_>>().join("::");
        if OUTSIDE_PATHS.contains(&spelled.as_str()) {
            found(path.line, &spelled);
        }
    }
    for (at, word) in file.code.iter().enumerate() {
        if OUTSIDE_NAMES.contains(&word.text.as_str()) || (word.text == "rand" && reads(&file.code, at + 1, &["::"])) {
            found(word.line, &word.text);
        }
    }
    let says = |name: &str| {
        format!("`{name}` is the outside, `{}` is pure; take it as an argument, or keep order with BTreeMap, BTreeSet or Vec", file.room())
    };
    faults.iter().map(|(line, name)| file.fault(*line, says(name))).collect()
}

/// A history has one door: who has no business with its files does not open them.
fn one_door(file: &File) -> Vec<String> {
    if OPENS_A_LOG.contains(&file.room()) || OPENS_A_LOG.contains(&file.name.as_str()) {
        return Vec::new();
    }
    let named = file.code.iter().filter(|word| LOG_NAMES.contains(&word.text.as_str()));
    named.map(|word| file.fault(word.line, format_args!("`{}` opens a log; ask the past (`History::of`)", word.text))).collect()
}

/// A test stands in `tests/rooms`: one in src/ would have the library compiled twice, for the program and for its own tests.
fn no_tests(file: &File) -> Vec<String> {
    let says = |line| file.fault(line, format_args!("a test stands here; tests of this file belong in tests/rooms/{}", file.name));
    test_marks(&file.code).into_iter().map(says).collect()
}

/// Words of closings and verbs that stand for nothing else.
const DECIDING: &[&str] = &["refused", "failed", "requeued", "dead-letter", "summon"];
/// Where such a word is read as people type it, is a name of Rhai's or stands within what somebody wrote.
const READ_THERE: &[&str] = &["past/step.rs", "cognition/script.rs", "script/written.rs", "run/measure.rs"];

/// How a moment closed and by which verb is decided by types: a misspelt word would decide otherwise and nobody would hear of it.
fn decisions(file: &File) -> Vec<String> {
    if file.room() == "fact" || READ_THERE.contains(&file.name.as_str()) {
        return Vec::new();
    }
    let decides = |line: &str| {
        let is_one = |word: &&str| {
            [format!("== \"{word}\""), format!("!= \"{word}\""), format!("\"{word}\" =>"), format!("Some(\"{word}\")")]
                .iter()
                .any(|form| line.contains(form))
        };
        DECIDING.iter().copied().find(is_one)
    };
    let says = |(at, word)| file.fault(at + 1, format_args!("`\"{word}\"` is compared; compare a `ClosingKind` or a `Verb`"));
    file.text.lines().map(decides).enumerate().filter_map(|(at, word)| Some((at, word?))).map(says).collect()
}

/// A test is left out of `cargo test` since it is long, and says why; nothing else is a reason.
fn left_out(file: &File) -> Vec<String> {
    let is_wrong = |line: &str| line.trim_start().strip_prefix("#[ignore").is_some_and(|rest| !rest.starts_with(" = \"long: "));
    let says = |at: usize| format!("tests/{}:{}: expected `#[ignore = \"long: why\"]`", file.name, at + 1);
    file.text.lines().enumerate().filter(|(_, line)| is_wrong(line)).map(|(at, _)| says(at)).collect()
}

/// Every check.
fn faults(file: &File) -> Vec<String> {
    [opening, length, functions_fit, place, imports, purity, one_door, no_tests, decisions].iter().flat_map(|check| check(file)).collect()
}

/// Every file of the house, as its name from src/ on and its text, in order.
fn read(dir: &Path, root: &Path, files: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            read(&path, root, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            files.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn the_house_keeps_its_floors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    read(&root, &root, &mut files);
    assert!(files.len() > 50, "only {} files were read", files.len());
    let house: Vec<File> = files.iter().map(|(name, text)| File::new(name, text)).collect();
    let mut faults_found: Vec<String> = house.iter().flat_map(faults).collect();
    faults_found.extend(inside::faults(&house));
    faults_found.extend(names::faults(&house));
    assert!(faults_found.is_empty(), "\n{}\n", faults_found.join("\n"));
}

/// The tests of this program, as it lists them with an option.
fn listed(option: &str) -> Vec<String> {
    let output = std::process::Command::new(std::env::current_exe().unwrap()).args(["--list", option]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| line.strip_suffix(": test").map(str::to_owned)).collect()
}

#[test]
fn each_law_of_the_design_has_a_proof_that_every_change_runs_and_one_at_length() {
    let (all, ignored) = (listed("--include-ignored"), listed("--ignored"));
    let design = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/DESIGN.md")).unwrap();
    let section = design.split("## Laws\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1).map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let (mut laws, mut wrong) = (0, Vec::new());
    for row in rows {
        let [_, law, quick, long, _] = row[..] else { panic!("expected three columns, found {row:?}") };
        let named = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let is_run = |name: &String| all.iter().any(|test| test.starts_with(name.as_str()) && !ignored.contains(test));
        wrong.extend(
            named(quick).into_iter().filter(|name| !is_run(name)).map(|name| format!("`{name}` is left out by `cargo test`: {law}")),
        );
        let is_there = |name: &String| all.iter().any(|test| test.starts_with(name.as_str()));
        wrong.extend(named(long).into_iter().filter(|name| !is_there(name)).map(|name| format!("there is no test `{name}`: {law}")));
        wrong.extend((named(quick).is_empty() || long.is_empty()).then(|| format!("nothing proves: {law}")));
        laws += 1;
    }
    assert!(laws == 10 && wrong.is_empty(), "{laws} laws\n{}", wrong.join("\n"));
}

#[test]
fn what_cargo_test_leaves_out_is_long_and_says_why() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    read(&root, &root, &mut files);
    let faults: Vec<String> = files.iter().flat_map(|(name, text)| left_out(&File::new(name, text))).collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn what_is_named_outside_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let is_file = |name: &&&str| name.ends_with(".rs");
    for name in OUTSIDE.iter().filter(is_file).chain(DOORS) {
        assert!(root.join(name).is_file(), "src/{name} is listed in tests/house.rs and is not there");
    }
    for (name, function) in DICTIONARIES {
        let file = File::new(name, &fs::read_to_string(root.join(name)).unwrap());
        let is_long = functions(&file.code).iter().any(|(_, name, lines)| name == function && *lines > FUNCTION_LINES_MAX);
        assert!(is_long, "src/{name}: `{function}` is listed as a dictionary in tests/house.rs and is none");
    }
    for room in OUTSIDE.iter().filter(|name| !is_file(name)) {
        assert!(floor_of(room).is_some(), "`{room}` is listed as outside and stands on no floor");
    }
}

#[test]
fn every_floor_has_its_rooms_and_the_design_lists_the_same() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (room, _) in FLOORS {
        assert!(package.join(format!("src/{room}.rs")).is_file(), "`{room}` stands on a floor of tests/house.rs and is no room");
    }
    let design = fs::read_to_string(package.join("docs/DESIGN.md")).unwrap();
    let row = |line: &str| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (floor, rooms) = (cells.next()?.parse::<u8>().ok()?, cells.next()?);
        Some(rooms.split('·').map(|room| (room.trim().trim_matches('`').to_owned(), floor)).collect::<Vec<_>>())
    };
    let listed: BTreeSet<(String, u8)> = design.lines().filter_map(row).flatten().collect();
    let kept: BTreeSet<(String, u8)> = FLOORS.iter().map(|(room, floor)| ((*room).to_owned(), *floor)).collect();
    assert_eq!(listed, kept, "the table of floors in docs/DESIGN.md, and FLOORS in tests/house.rs");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The faults that one check finds in a file that opens well, a fault a line.
    fn says(check: fn(&File) -> Vec<String>, name: &str, code: &str) -> String {
        check(&File::new(name, &format!("//! X.\n{code}"))).join("\n")
    }

    #[test]
    fn an_import_goes_down() {
        assert_eq!(says(imports, "world/x.rs", "use crate::fact::Hash;\nuse super::being::Being;\nuse std::fmt;"), "");
        assert_eq!(
            says(imports, "world/x.rs", "use crate::verb::see;"),
            "src/world/x.rs:2: `verb` (floor 6) does not lie below `world` (floor 5)"
        );
        assert_eq!(
            says(imports, "role.rs", "fn f() { crate::script::g(); }"),
            "src/role.rs:2: `script` (floor 3) does not lie below `role` (floor 3)"
        );
    }

    #[test]
    fn an_import_over_many_lines_is_found_on_its_own() {
        let code = "use crate::{\n    fact::{Hash, Seq},\n    run::engine::{self, Engine as E},\n    reel,\n};";
        assert_eq!(
            says(imports, "world/x.rs", code),
            "src/world/x.rs:4: `run` (floor 10) does not lie below `world` (floor 5)\nsrc/world/x.rs:4: `run` (floor 10) does not lie below `world` (floor 5)"
        );
        assert!(says(imports, "world/x.rs", "use crate\n    ::\n    run;").starts_with("src/world/x.rs:4: `run`"));
    }

    #[test]
    fn an_import_cannot_climb_out_of_its_room() {
        assert_eq!(says(imports, "world/x.rs", "use super::super::fact::Hash;\nuse super::being::Being;"), "");
        assert!(says(imports, "world/x.rs", "use super::super::verb::see;").contains("`verb` (floor 6)"));
        assert!(says(imports, "world.rs", "mod a {\n    use super::super::verb::see;\n}").contains("world.rs:3: `verb` (floor 6)"));
        assert!(says(imports, "world.rs", "use self::super::{fact, run};").contains("`run` (floor 10)"));
        assert_eq!(says(imports, "verb/op/x.rs", "use super::super::right::above;"), "");
        assert!(says(imports, "world.rs", "use super::*;").contains("`*` stands on no floor"));
    }

    #[test]
    fn nobody_inside_imports_from_the_own_front_page() {
        let fault = "`world` imports from its own front page; files of a room name each other by `super::`";
        assert_eq!(says(imports, "world/x.rs", "use crate::world::Being;"), format!("src/world/x.rs:2: {fault}"));
        assert_eq!(says(imports, "world.rs", "fn f(a: crate::world::Being) {}"), format!("src/world.rs:2: {fault}"));
    }

    #[test]
    fn a_macro_names_its_own_room_in_full_but_no_higher_one() {
        assert_eq!(says(imports, "fact/x.rs", "macro_rules! m { () => { $crate::fact::Hash } }"), "");
        assert!(says(imports, "fact/x.rs", "macro_rules! m { () => { $crate::world::World } }").contains("`world` (floor 5)"));
    }

    #[test]
    fn what_is_not_a_room_is_not_imported() {
        assert!(says(imports, "world/x.rs", "use crate::Thing;").contains("`Thing` stands on no floor"));
        assert!(says(imports, "world/x.rs", "use crate::*;").contains("`*` stands on no floor"));
    }

    #[test]
    fn a_word_in_a_comment_a_string_or_a_visibility_is_no_import() {
        let code =
            "/// See [`crate::run::Engine`].\npub(in crate::world) const A: &str = \"crate::run::x\";\npub(crate) fn f() {} // crate::cli";
        assert_eq!(says(imports, "world/x.rs", code), "");
    }

    #[test]
    fn the_doors_open_onto_every_floor() {
        assert_eq!(says(faults, "main.rs", "use crate::cli;\nfn main() { std::process::exit(1) }"), "");
    }

    #[test]
    fn a_pure_room_does_not_name_the_outside() {
        let fault = |name: &str| format!("src/moment/x.rs:2: `{name}` is the outside, `moment` is pure");
        for (name, code) in [
            ("std::fs", "use std::fs;"),
            ("std::net", "fn f(a: ::std::net::IpAddr) {}"),
            ("std::env", "use std::{fmt, env::{self, args}};"),
            ("std::process", "fn f() { std::process::abort() }"),
            ("SystemTime", "use std::time::{Duration, SystemTime};"),
            ("Instant", "fn f() -> Instant { Instant::now() }"),
            ("thread_rng", "fn f() { thread_rng() }"),
            ("OsRng", "fn f() { OsRng.fill() }"),
            ("rand", "fn f() -> u8 { rand::random() }"),
            ("getrandom", "fn f() { getrandom::fill(&mut a) }"),
            ("HashMap", "use std::collections::{BTreeMap, HashMap};"),
            ("HashSet", "fn f(a: imbl::HashSet<u8>) {}"),
            ("RandomState", "fn f(a: RandomState) {}"),
        ] {
            let said = says(purity, "moment/x.rs", code);
            assert!(said.starts_with(&fault(name)), "{code}: {said}");
        }
    }

    #[test]
    fn a_pure_room_may_speak_of_the_outside_and_test_with_it() {
        assert_eq!(
            says(purity, "moment/x.rs", "// HashMap, std::fs\nconst A: &str = \"SystemTime\";\nuse std::collections::BTreeMap;"),
            ""
        );
        assert_eq!(says(purity, "moment/x.rs", "fn rand() {}\nfn f(rand: u8, instant: Millis) {}"), "");
    }

    #[test]
    fn the_outside_comes_in_where_it_is_listed() {
        for name in ["store.rs", "store/x.rs", "run/x.rs", "bench/x.rs", "cli/x.rs", "extension/load.rs"] {
            assert_eq!(says(purity, name, "use std::fs;"), "", "{name}");
        }
        for name in [
            "extension.rs",
            "extension/manifest.rs",
            "cognition/x.rs",
            "replay/load.rs",
            "fact.rs",
            "reel.rs",
            "role/x.rs",
            "script/x.rs",
            "world/x.rs",
            "verb/x.rs",
        ] {
            assert!(says(purity, name, "use std::fs;").contains("is pure"), "{name}");
        }
    }

    #[test]
    fn how_a_moment_closed_is_no_word() {
        assert!(says(decisions, "cli/x.rs", "fn f(a: &str) -> bool { a == \"refused\" }").contains("`\"refused\"` is compared"));
        assert!(
            says(decisions, "cli/x.rs", "fn f(a: Option<&str>) -> bool { a == Some(\"summon\") }").contains("`\"summon\"` is compared")
        );
        assert_eq!(says(decisions, "cli/x.rs", "fn f() -> &'static str { \"refused\" }"), "");
        assert_eq!(says(decisions, "fact/x.rs", "fn f(a: &str) -> bool { a == \"refused\" }"), "");
    }

    #[test]
    fn a_log_is_opened_by_the_past_and_by_nobody_above_it() {
        assert_eq!(
            says(one_door, "portal/x.rs", "use crate::store::{LogStore, Mode};\nfn f() { resume(dir) }"),
            "src/portal/x.rs:2: `LogStore` opens a log; ask the past (`History::of`)\n\
             src/portal/x.rs:3: `resume` opens a log; ask the past (`History::of`)"
        );
        assert!(says(one_door, "cli/see.rs", "fn f(store: LogStore) {}").contains("ask the past"));
        for name in ["store/log.rs", "past/history.rs", "run/living.rs", "cli/inspect.rs"] {
            assert_eq!(says(one_door, name, "use crate::store::LogStore;"), "", "{name}");
        }
        assert_eq!(says(one_door, "portal/x.rs", "// LogStore"), "");
    }

    #[test]
    fn a_file_opens_with_a_sentence() {
        let opens = |text: &str| opening(&File::new("fact/x.rs", text)).join("\n");
        assert_eq!(opens("//! Facts.\n"), "");
        for text in ["", "use a;\n", "//!\n", "\n//! Facts.\n", "// Facts.\n", "/// Facts.\n"] {
            assert_eq!(opens(text), "src/fact/x.rs:1: expected a sentence about the file first (`//! …`), found none", "{text:?}");
        }
    }

    #[test]
    fn a_file_stands_on_a_floor() {
        assert_eq!(says(place, "fact/x.rs", ""), "");
        assert_eq!(says(place, "lib.rs", ""), "");
        assert!(says(place, "attic/x.rs", "").starts_with("src/attic/x.rs:1: `attic` stands on no floor"));
        assert!(says(place, "attic.rs", "").starts_with("src/attic.rs:1: `attic` stands on no floor"));
        assert!(says(place, "fact/lib.rs", "").is_empty() && says(place, "attic/main.rs", "").contains("no floor"));
    }

    #[test]
    fn a_front_page_lies_beside_its_folder() {
        assert!(says(place, "fact/mod.rs", "").contains("`room/mod.rs` is written `room.rs`"));
    }

    #[test]
    fn a_file_ends_in_time() {
        let text = |lines: usize| File::new("fact/x.rs", &"//! X.\n".repeat(lines));
        assert_eq!(length(&text(LINES_MAX)), Vec::<String>::new());
        assert!(
            length(&text(LINES_MAX + 1))
                .join("")
                .starts_with("src/fact/x.rs:1001: 1001 lines, expected at most 1000; look at the first sentence")
        );
    }

    #[test]
    fn a_function_fits_on_a_screen() {
        let code = |lines: usize| {
            format!("impl A {{\n    pub fn f<B>(self, b: [u8; 2]) -> C\n    where\n        B: D,\n    {{{}}}\n}}", "\n".repeat(lines))
        };
        assert_eq!(says(functions_fit, "world/x.rs", &code(FUNCTION_LINES_MAX - 4)), "");
        assert!(says(functions_fit, "world/x.rs", &code(FUNCTION_LINES_MAX - 2)).starts_with("src/world/x.rs:3: `f` has 62 lines"));
        assert_eq!(says(functions_fit, "world/x.rs", &format!("trait A {{\n    fn f();\n{}}}", "\n".repeat(99))), "");
    }

    #[test]
    fn nothing_but_its_length_leaves_a_test_out() {
        let says = |code: &str| left_out(&File::new("x.rs", code)).join("\n");
        assert_eq!(says("#[test]\n#[ignore = \"long: a day of a town\"]\nfn f() {}"), "");
        assert_eq!(says("#[test]\n#[ignore]\nfn f() {}"), "tests/x.rs:2: expected `#[ignore = \"long: why\"]`");
        assert_eq!(says("    #[ignore = \"it fails\"]"), "tests/x.rs:1: expected `#[ignore = \"long: why\"]`");
    }

    #[test]
    fn every_check_is_among_the_checks() {
        let attic = File::new("attic/mod.rs", &"\n".repeat(LINES_MAX + 1));
        let long = File::new("world/y.rs", &format!("fn f() {{{}}}", "\n".repeat(99)));
        let world = File::new("world/x.rs", "use crate::run;\nuse std::fs;\nuse crate::store::LogStore;\n");
        let said = [faults(&attic), faults(&world), faults(&long)].concat().join("\n");
        for part in [
            "a sentence about the file",
            "look at the first sentence",
            "stands on no floor",
            "is written `room.rs`",
            "does not lie below",
            "is the outside",
            "opens a log",
            "take them out",
        ] {
            assert!(said.contains(part), "`{part}` is not said in\n{said}");
        }
    }

    #[test]
    fn a_test_stands_in_a_folder_of_its_own() {
        assert_eq!(says(no_tests, "role/x.rs", "#[cfg(unix)]\nfn f() {}"), "");
        assert_eq!(
            says(no_tests, "role/x.rs", "#[cfg(test)]\nmod tests {}"),
            "src/role/x.rs:2: a test stands here; tests of this file belong in tests/rooms/role/x.rs"
        );
    }
}
