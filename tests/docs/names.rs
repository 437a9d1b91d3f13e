//! Names: do the docs call things of the source by the names that they have, and commands as they can be typed?

use std::fs;
use std::path::Path;

use crate::terminal::{Terminal, package};

/// Whether a file of the source defines a name: a function, a type, a constant; of `Type::name` both.
fn is_defined(source: &str, name: &str) -> bool {
    let has = |words: &[&str], name: &str| {
        let goes_on = |end: &str| end.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        words.iter().any(|word| source.split(&format!("{word} {name}")).skip(1).any(|end| !goes_on(end)))
    };
    match name.split_once("::") {
        Some((of, name)) => has(&["struct", "enum", "trait", "impl", "for", "impl<'a>", "impl<'l, 'a>"], of) && has(&["fn"], name),
        None => has(&["fn", "struct", "enum", "trait", "const", "type"], name),
    }
}

/// The names that a page gives to things of a file: `file`, `name`, `name`, and `name` (`file`).
fn named(text: &str) -> Vec<(String, String)> {
    let is_name = |code: &str| !code.is_empty() && code.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    let is_file = |code: &str| code.starts_with("src/") && code.ends_with(".rs");
    let parts: Vec<&str> = text.split('`').collect();
    let mut found = Vec::new();
    let mut file = None;
    for at in (1..parts.len()).step_by(2) {
        let (before, code) = (parts[at - 1], parts[at]);
        if is_file(code) {
            if before == " (" && at >= 3 && is_name(parts[at - 2]) {
                found.push((code.to_owned(), parts[at - 2].to_owned()));
            }
            file = Some(code);
        } else if before == ", " && is_name(code) {
            found.extend(file.map(|file| (file.to_owned(), code.to_owned())));
        } else {
            file = None;
        }
    }
    found
}

#[test]
fn what_the_docs_say_of_a_file_of_the_source_stands_in_it() {
    let mut found = 0;
    for name in ["TOUR.md", "DESIGN.md", "FORMAT.md", "REPLAY.md"] {
        for (file, thing) in named(&fs::read_to_string(package().join("docs").join(name)).unwrap()) {
            let source = fs::read_to_string(package().join(&file)).unwrap_or_else(|error| panic!("docs/{name}: `{file}`: {error}"));
            assert!(is_defined(&source, &thing), "docs/{name} says that `{thing}` stands in `{file}`, and it does not");
            found += 1;
        }
    }
    assert!(found > 25, "only {found} names were found");
}

#[test]
fn a_name_is_found_behind_its_file_or_before_it() {
    let found = named("| `src/a.rs`, `A::b`, `c`; `src/d.rs` | `e` of `E` (`src/f.rs`) and `g`, `h` |");
    let found: Vec<String> = found.into_iter().map(|(file, name)| format!("{file} {name}")).collect();
    assert_eq!(found, ["src/a.rs A::b", "src/a.rs c", "src/f.rs E"]);
    let source = "pub struct Engine;\nimpl Engine {\n    pub fn next(&self) {}\n}\nfn free() {}\n";
    assert!(["Engine::next", "Engine", "free"].iter().all(|name| is_defined(source, name)));
    assert!(["Engine::nex", "Engin", "Engine::round", "Other::next", "fre"].iter().all(|name| !is_defined(source, name)));
}

/// The commands behind `reelm ` on the lines of indented blocks, without a remark.
fn commands(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("    ")?.trim_start_matches("$ ").strip_prefix("reelm "));
    lines.flat_map(|line| line.split("  ").next().unwrap().split(" && reelm ")).map(str::to_owned).collect()
}

#[test]
fn every_command_that_the_docs_show_can_be_typed() {
    let mut pages = Vec::new();
    super::markdown(package(), package(), &mut pages);
    let mut typed = 0;
    for page in pages {
        for line in commands(&fs::read_to_string(&page).unwrap()) {
            // Nothing that it names is there, so that the line is read, and fails on that. A command that would serve is only asked for
            // help.
            let line = if line.starts_with("serve") { format!("{line} --help") } else { line };
            let said = Terminal::new().types(&line);
            assert!(said.code != 2 && !said.err.contains("panicked"), "{}: `{line}`: {}", shown(&page), said.err);
            typed += 1;
        }
    }
    assert!(typed > 20, "only {typed} commands were found");
}

fn shown(page: &Path) -> String {
    page.strip_prefix(package()).unwrap().display().to_string()
}
