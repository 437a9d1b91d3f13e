//! Snapshot: what do help, complaints and explanations say, word for word?
//!
//! The texts lie in tests/snapshots. Where one is to change: `INSTA_UPDATE=always cargo test --test reelm snapshot::`, and read the
//! difference before it is committed.

use super::cli::commands;
use super::hostile::GARBAGE;
use super::terminal::{Said, Terminal, package};

/// A moment of each recording that shows what the recording is for.
const EXPLAINED: &[(&str, &str)] = &[("courtroom", "104"), ("first-breath", "167"), ("lighthouse", "@ines/1"), ("rumour", "179")];

/// Compares a text with what lies in tests/snapshots under a name, without what differs from machine to machine.
pub fn compare(name: &str, text: &str) {
    let text = text.replace(&package().display().to_string(), "$package").replace(env!("CARGO_PKG_VERSION"), "$version");
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A line, what was said to it and how it ended, as it stands on a terminal.
fn exchange(line: &str, Said { code, out, err, .. }: &Said) -> String {
    let code = if *code == 0 { String::new() } else { format!("exit code {code}\n") };
    format!("{}\n{out}{err}{code}\n", format!("$ reelm {line}").trim_end())
}

#[test]
fn the_help_of_every_command_says_this() {
    let terminal = Terminal::new();
    let mut text = String::new();
    for command in commands() {
        let line = format!("{command} --help").trim().to_owned();
        text += &exchange(&line, &terminal.types(&line));
    }
    compare("help", &text);
}

#[test]
fn whoever_is_wrong_is_told_this() {
    let terminal = Terminal::with_world("court", 0);
    let mut text = String::new();
    for line in GARBAGE {
        text += &exchange(line, &terminal.types(line));
    }
    compare("errors", &text);
}

#[test]
fn a_moment_of_each_recording_is_explained_like_this() {
    let terminal = Terminal::new();
    let mut recordings: Vec<String> = std::fs::read_dir(package().join("replay"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    recordings.sort();
    assert_eq!(recordings, EXPLAINED.iter().map(|(recording, _)| *recording).collect::<Vec<_>>(), "each has one");
    for (recording, moment) in EXPLAINED {
        terminal.types(&format!("import $package/replay/{recording}/world.reelm --data {recording}")).ok();
        let line = format!("explain {moment} --data {recording}");
        compare(&format!("explain-{recording}"), &exchange(&line, &terminal.types(&line).fails(0)));
    }
}
