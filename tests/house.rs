//! House: does the code keep its floors? Reads every file of src/ as data.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms by floor; a room imports only from floors below its own. Raising a floor is a visible edit.
const FLOORS: &[(&str, u8)] = &[
    ("fact", 1),
    ("reel", 2),
    ("role", 3),
    ("script", 3),
    ("store", 4),
    ("world", 5),
    ("verb", 6),
    ("moment", 7),
    ("extension", 7),
    ("cognition", 8),
    ("run", 9),
    ("replay", 10),
    ("bench", 11),
    ("cli", 12),
];

/// The files that stand above all floors.
const DOORS: &[&str] = &["lib.rs", "main.rs"];

/// Rooms on the path of a moment: they know no clock, disk, network, chance or unordered iteration.
const PURE: &[&str] = &["fact", "reel", "role", "script", "world", "verb", "moment", "cognition"];

/// Files of otherwise pure rooms where the outside comes in, by name.
const OUTSIDE: &[&str] = &["extension/load.rs"];

/// What names the outside.
const OUTSIDE_WORDS: &[&str] = &["std::fs", "std::net", "std::env", "SystemTime", "Instant::", "getrandom", "thread_rng", "HashMap", "HashSet"];

/// A fence far out: a file this long has grown a second subject.
const LINES_MAX: usize = 1000;

struct File {
    /// From src/ on, with `/`.
    name: String,
    text: String,
}

impl File {
    fn room(&self) -> &str {
        self.name.split(['/', '.']).next().unwrap_or_default()
    }

    /// The lines that are code of the house: tests at a file's end may look anywhere.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let own = self.text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        own.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    fn is_test(&self) -> bool {
        self.text.contains("#![cfg(test)]") || TEST_FILES.contains(&self.name.as_str())
    }
}

/// Files that are compiled for tests only, and may look anywhere.
const TEST_FILES: &[&str] = &["role/laws.rs", "role/tables.rs", "store/suite.rs", "store/damage.rs", "store/power_cut.rs"];

fn floor(room: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// The rooms that a line imports from or names.
fn rooms_named(line: &str) -> Vec<&str> {
    let word = |rest: &'_ str| rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    line.match_indices("crate::").filter_map(|(at, found)| line.get(at + found.len()..)).map(|rest| &rest[..word(rest)]).filter(|room| !room.is_empty()).collect()
}

fn faults(file: &File) -> Vec<String> {
    let mut faults = Vec::new();
    let is_door = DOORS.contains(&file.name.as_str());
    if !file.text.starts_with("//!") {
        faults.push(format!("src/{}:1: opens without a sentence about itself (`//! …`)", file.name));
    }
    if file.text.lines().count() > LINES_MAX {
        faults.push(format!("src/{}: has more than {LINES_MAX} lines; does it still fit its first sentence?", file.name));
    }
    let Some(own) = floor(file.room()).or(is_door.then_some(u8::MAX)) else {
        faults.push(format!("src/{}: stands on no floor; name its room in FLOORS", file.name));
        return faults;
    };
    if file.is_test() {
        return faults;
    }
    for (line, code) in file.code() {
        // How far a name may be seen is no import.
        let code = &code.replace("pub(in crate::", "");
        for room in rooms_named(code) {
            match floor(room) {
                Some(other) if other >= own && !is_door => {
                    let own_door = if room == file.room() { "; inside a room files name each other by `super::`" } else { "" };
                    // A room's own macros name it in full, because they are expanded in any of its files.
                    if !code.contains("$crate::") {
                        faults.push(format!("src/{}:{line}: `{room}` (floor {other}) does not lie below `{}` (floor {own}){own_door}", file.name, file.room()));
                    }
                }
                _ => {}
            }
        }
        let is_pure = PURE.contains(&file.room()) && !OUTSIDE.contains(&file.name.as_str());
        if let Some(word) = OUTSIDE_WORDS.iter().find(|word| is_pure && code.contains(**word)) {
            faults.push(format!("src/{}:{line}: a pure room names the outside: `{word}`", file.name));
        }
    }
    faults
}

fn read(dir: &Path, root: &Path, files: &mut Vec<File>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            read(&path, root, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            files.push(File { name, text: fs::read_to_string(&path).unwrap() });
        }
    }
}

#[test]
fn the_house_keeps_its_floors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    read(&root, &root, &mut files);
    assert!(files.len() > 50, "only {} files were read", files.len());
    let faults: Vec<String> = files.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn each_fault_is_found() {
    let fault = |name: &str, text: &str| faults(&File { name: name.into(), text: text.into() }).join("\n");
    assert_eq!(fault("world/x.rs", "//! X.\nuse crate::fact::Hash;\n"), "");
    assert!(fault("world/x.rs", "//! X.\nuse crate::verb::see;\n").contains("src/world/x.rs:2: `verb` (floor 6) does not lie below `world` (floor 5)"));
    assert!(fault("role/x.rs", "//! X.\nfn f() { crate::script::g(); }\n").contains("`script` (floor 3) does not lie below"));
    assert!(fault("world/x.rs", "//! X.\nuse crate::world::Being;\n").contains("by `super::`"));
    assert!(fault("verb/x.rs", "//! X.\nuse std::fs;\n").contains("names the outside: `std::fs`"));
    assert!(fault("moment/x.rs", "//! X.\nlet m = HashMap::new();\n").contains("`HashMap`"));
    assert!(fault("attic/x.rs", "//! X.\n").contains("stands on no floor"));
    assert!(fault("fact/x.rs", "use a;\n").contains("opens without a sentence"));
    assert!(fault("fact/x.rs", &format!("//! X.\n{}", "\n".repeat(LINES_MAX))).contains("more than"));
    assert_eq!(fault("verb/x.rs", "//! X.\n#[cfg(test)]\nmod tests { use std::fs; }\n"), "");
}
