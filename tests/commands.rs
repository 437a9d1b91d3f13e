//! Commands: does docs/COMMANDS.md list every command as its help says it?
//!
//! `REMAKE=1 cargo test --test reelm commands::` writes it from the help.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use super::cli::commands;
use super::terminal::{Terminal, package};

/// The groups of commands: what each is for, and its commands.
const GROUPS: [(&str, &[&str]); 8] = [
    ("Begin", &["new", "serve", "run", "check", "test", "apply", "source"]),
    ("Look", &["see", "log", "find", "explain", "why", "usage"]),
    ("Act and talk", &["do", "summon", "ask", "tell", "guide", "chat", "be", "inbox", "outbox", "token", "model", "mcp"]),
    ("Change how beings behave", &["role", "flow", "draft", "extension"]),
    ("Go back", &["replay", "debug", "diff", "bisect", "try", "fork", "compare"]),
    ("Experiment", &["interview", "survey", "sweep", "measure"]),
    (
        "Keep and prove",
        &["verify", "prove", "anchor", "backup", "export", "import", "restore", "keys", "archive", "upgrade", "copies", "du", "inspect"],
    ),
    ("Beside", &["completions", "schema", "bench"]),
];

/// The help of a command: what it does, and an example.
fn line(terminal: &Terminal, command: &str) -> (String, String) {
    let help = terminal.types(&format!("{command} --help")).ok();
    let about = help.lines().next().unwrap_or_default().to_owned();
    let example = help.lines().find_map(|line| line.strip_prefix("Example: ")).unwrap_or_default();
    (about, example.split("  ").next().unwrap_or_default().to_owned())
}

fn written() -> String {
    let terminal = Terminal::new();
    let mut text = "# Commands\n\nEvery command, by what it is for. `reelm COMMAND --help` says more of each: its options, their units and their defaults. This page is made\nfrom the help: `REMAKE=1 cargo test --test reelm commands::`.\n\nEvery command takes `--data DIR` (default: `REELM_DATA`, else `./world`), and `--json` or `--cbor` for programs.\n\n| exit code | means |\n|---|---|\n| 0 | done |\n| 1 | it could not be done, and why |\n| 2 | the command line was wrong |\n| 3 | a replay differs, history is damaged, or a lint warns |\n| 4 | the world refused the act, and recorded that |\n".to_owned();
    let all = commands();
    for (group, names) in GROUPS {
        writeln!(text, "\n## {group}\n\n| command | what it does | example |\n|---|---|---|").unwrap();
        for name in names {
            let below = format!("{name} ");
            for command in all.iter().filter(|command| *command == name || command.starts_with(&below)) {
                let (about, example) = line(&terminal, command);
                writeln!(text, "| `{command}` | {} | `{}` |", about.replace('|', "\\|"), example.replace('|', "\\|")).unwrap();
            }
        }
    }
    text
}

#[test]
fn the_docs_list_every_command_as_its_help_says_it() {
    let named: BTreeSet<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let all = commands();
    let there: BTreeSet<&str> = all.iter().filter(|command| !command.is_empty() && !command.contains(' ')).map(String::as_str).collect();
    assert_eq!(named, there, "each command stands in one group");
    let path = package().join("docs/COMMANDS.md");
    let written = written();
    if std::env::var_os("REMAKE").is_some() {
        fs::write(&path, &written).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), written, "write it anew: REMAKE=1 cargo test --test reelm commands::");
}
