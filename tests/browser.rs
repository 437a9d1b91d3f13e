//! Browser: does the page do for people what it promises, and does the server keep its own description? With the real parts: npm,
//! Chromium, schemathesis.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::parts::{CHROMIUM, NODE, SCHEMATHESIS};
use super::served::Served;
use super::terminal::{REELM, package};

/// Runs a command to its end, and shows what it said where it failed.
pub fn runs(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} failed\n{text}");
    text
}

fn npm(folder: &Path, words: &[&str]) -> String {
    runs(Command::new("npm").args(words).current_dir(folder))
}

/// The packages of a folder, installed once for each lock; two tests may need the same folder.
pub fn install(folder: &Path) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mark = folder.join("node_modules/.installed-lock");
    let lock = std::fs::read(folder.join("package-lock.json")).unwrap();
    if std::fs::read(&mark).ok().as_deref() != Some(lock.as_slice()) {
        npm(folder, &["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
        std::fs::write(mark, lock).unwrap();
    }
}

#[test]
fn the_page_is_well_typed_and_its_own_tests_pass() {
    if !NODE.is_there() {
        return;
    }
    let web = package().join("src/portal/web");
    install(&web);
    npm(&web, &["run", "--silent", "check"]);
    let said = npm(&web, &["test", "--silent"]);
    assert!(said.contains("pass ") && said.contains("fail 0"), "{said}");
}

/// The stories that every change is held to: one way through each part of the page.
const QUICK: &[&str] = &[
    "the one-time link lets the operator in",
    "one watches a simulated world move",
    "a moment opens and says why",
    "the being wears otherwise",
    "a being is born, inhabited in a second tab",
    "the past is dragged to",
];

/// Plays the stories whose names have one of these words, and says how many passed; nothing where a part is missing. No words are all stories.
fn played(words: &[&str]) -> Option<usize> {
    let chromium = CHROMIUM.place().filter(|_| NODE.is_there())?;
    let stories = package().join("tests/portal");
    install(&stories);
    let mut command = Command::new("node");
    command.arg("stories.mjs").arg(words.join("|")).current_dir(&stories).env("REELM_BIN", REELM).env("CHROMIUM", chromium);
    if words.is_empty() {
        command.env("LONG", "1");
    }
    let said = runs(&mut command);
    let told = said.lines().find_map(|line| line.strip_suffix(" passed, 0 failed"));
    Some(told.and_then(|passed| passed.parse().ok()).unwrap_or_else(|| panic!("{said}")))
}

/// `waitForFunction` takes a promise for the truth of what it promises: such a wait ends at once, and its story cannot fail there.
#[test]
fn no_story_waits_for_a_promise_as_if_it_were_its_answer() {
    let folder = package().join("tests/portal");
    let scripts = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts =
        scripts.filter(|path| path.extension().is_some_and(|ending| ending == "mjs")).map(|path| std::fs::read_to_string(path).unwrap());
    let lines: Vec<String> = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    assert!(lines.iter().any(|line| line.contains("waitForFunction(")));
    let wrong: Vec<&String> = lines.iter().filter(|line| line.contains("waitForFunction(async")).collect();
    assert!(wrong.is_empty(), "use `until` of kit.mjs: {wrong:#?}");
}

#[test]
fn people_come_in_watch_change_and_inhabit_a_world_in_a_real_browser() {
    if let Some(passed) = played(QUICK) {
        assert_eq!(passed, QUICK.len());
    }
}

#[test]
#[ignore = "long: all stories of the page, in a real browser"]
fn people_watch_change_and_inhabit_a_world_in_a_real_browser() {
    if let Some(passed) = played(&[]) {
        assert!(passed > QUICK.len(), "{passed}");
    }
}

/// The parts of the API that are left out: streams have no end, and closing its own session would end the test.
const LEFT_OUT: &[&str] = &["/api/events", "/api/changes", "/api/session", "/api/password"];

#[test]
#[ignore = "long: schemathesis makes requests for each operation of the API"]
fn the_server_keeps_its_own_description_whatever_is_sent_to_it() {
    let Some(python) = SCHEMATHESIS.place() else { return };
    let served = Served::paused("court");
    let cookie = served.operator().cookie.unwrap();
    let mut command = Command::new(python.with_file_name("schemathesis"));
    command.arg("run").arg(format!("{}openapi.json", served.url)).arg("-H").arg(format!("Cookie: {cookie}"));
    for path in LEFT_OUT {
        command.args(["--exclude-path", path]);
    }
    command.args(["--exclude-path-regex", "/api/sessions.*", "--max-examples", "15", "--no-color", "--seed", "7"]);
    command.args(["--checks", "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"]);
    let said = runs(command.current_dir(served.terminal.path("")));
    assert!(!said.contains("unresolvable reference"), "{said}");
    assert_eq!(served.get(&super::served::Person { cookie: Some(cookie) }, "/health").status, 200);
}
