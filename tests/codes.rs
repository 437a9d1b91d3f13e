//! Codes: is there one closed list of reasons, and is it the only place that knows them?
//!
//! `REMAKE=1 cargo test --test reelm codes::` writes docs/CODES.md from the list.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use reelm::fact::{Code, CodeKind};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The heading of a kind of code, as the docs have it.
fn heading(kind: CodeKind) -> &'static str {
    match kind {
        CodeKind::Gate => "The gate says no",
        CodeKind::Call => "The call cannot be carried out",
        CodeKind::Args => "The arguments do not fit",
        CodeKind::Script => "A script or a template failed",
        CodeKind::Mind => "No mind could be asked",
        CodeKind::Brake => "A brake holds",
        CodeKind::Endpoint => "A model's endpoint was not reached, and nothing was spent",
        CodeKind::Reply => "A model was asked, and its reply is of no use",
        CodeKind::Beat => "No fault: how a moment goes on",
        CodeKind::Door => "A surface turned the request away, and nothing of it is recorded",
    }
}

fn written() -> String {
    let mut text = "# Codes\n\nWhy something was refused, failed or goes on: one closed list, `Code` in `src/fact/code.rs`. A sealed reason is `[code, place]`; the place is an\naddress, a JSON pointer, or a file and line. This page is made from the list: `REMAKE=1 cargo test --test reelm codes::`.\n".to_owned();
    let mut kinds: Vec<CodeKind> = Code::ALL.iter().map(|code| code.kind()).collect();
    kinds.sort();
    kinds.dedup();
    for kind in kinds {
        writeln!(text, "\n## {}\n\nNext step: {}.\n\n| code | meaning |\n|---|---|", heading(kind), kind.todo()).unwrap();
        for code in Code::ALL.iter().filter(|code| code.kind() == kind) {
            writeln!(text, "| `{code}` | {} |", code.sentence()).unwrap();
        }
    }
    text
}

#[test]
fn the_docs_list_every_code_with_its_sentence() {
    let path = root().join("docs/CODES.md");
    if std::env::var_os("REMAKE").is_some() {
        fs::write(&path, written()).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), written(), "write it anew: REMAKE=1 cargo test --test reelm codes::");
}

/// The faults of a source line: codes that only the list may say.
fn faults(line: &str) -> Vec<String> {
    let texts: Vec<&str> = line.split('"').collect();
    let literals = texts.iter().filter(|text| texts.len() > 2 && text.contains('-')).filter_map(|text| text.parse::<Code>().ok());
    let mut faults: Vec<String> = literals.map(|code| format!("the code `{code}` as a text; say `Code::{code:?}`")).collect();
    let reads = ["reason", "code"].iter().any(|word| line.contains(word)) && !line.contains("status");
    for method in [".starts_with(\"", ".contains(\"", ".ends_with(\"", ".strip_prefix(\""] {
        if reads && line.contains(method) {
            faults.push(format!("`{method}…` on a reason; ask the code or its kind"));
        }
    }
    faults
}

/// Every file of src/ but the list itself.
pub fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() && !path.ends_with("web") {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("fact/code.rs") {
            found.push(path);
        }
    }
}

#[test]
fn nothing_but_the_list_writes_a_code_as_text_or_decides_by_the_text_of_a_reason() {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // A file's own tests look codes up; they decide nothing by them.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (at, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            found.extend(
                faults(line).into_iter().map(|fault| format!("{}:{}: {fault}", file.strip_prefix(root()).unwrap().display(), at + 1)),
            );
        }
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn a_code_as_text_and_a_reason_that_is_read_are_named() {
    assert_eq!(faults("Reason::new(Code::GateRole, place)"), Vec::<String>::new());
    assert_eq!(faults("if word == \"gate-role\" {"), ["the code `gate-role` as a text; say `Code::GateRole`"]);
    assert_eq!(faults("reason.at.starts_with(\"gate\")"), ["`.starts_with(\"…` on a reason; ask the code or its kind"]);
}
