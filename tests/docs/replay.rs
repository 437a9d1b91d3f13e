//! Replay: what the docs show is typed into the real binary, and has to come out as it stands there.
//!
//! A session is an indented block with lines that begin with `$ reelm `: what stands below such a line is what it says. `…` stands for the
//! rest of a line's middle or end, or, on a line of its own, for any number of lines. All sessions of a file are one story, in one home.
//! Behind a command, `# fails` says that it does. A block of `toml FILE` is put at the end of that file, one of `diff FILE` changes a line of it.
//! `REMAKE=1 cargo test --test reelm replay::` writes anew what does not come out, with its `…` as far as they fit.

use std::fs;
use std::path::{Path, PathBuf};

use crate::terminal::{Terminal, package};

/// One command of a session, and the lines that the file shows below it.
struct Typed {
    line: String,
    fails: bool,
    /// The first line of what it says, from 0, and how many there are.
    at: usize,
    count: usize,
}

/// The commands of all sessions of a file.
fn typed(text: &str) -> Vec<Typed> {
    let mut found: Vec<Typed> = Vec::new();
    let mut is_open = false;
    for (at, line) in text.lines().enumerate() {
        if let Some(rest) = line.strip_prefix("    $ reelm ") {
            let line = rest.split("  #").next().unwrap_or_default().trim().to_owned();
            found.push(Typed { line, fails: rest.ends_with("  # fails"), at: at + 1, count: 0 });
            is_open = true;
        } else if line.starts_with("    ") && is_open {
            // An empty line between two others belongs to what is said.
            let typed = found.last_mut().unwrap();
            typed.count = at + 1 - typed.at;
        } else if !line.is_empty() {
            is_open = false;
        }
    }
    found
}

/// Applies the changes in the blocks of some lines to the files that they name.
fn edit(terminal: &Terminal, lines: &[&str]) {
    let mut open: Option<(&str, &str, Vec<&str>)> = None;
    for line in lines {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some(info.split_once(' ').map(|(kind, file)| (kind, file, Vec::new())).unwrap_or_default()),
            (Some(_), Some((kind, file, block))) => {
                let change = |text: String| match *kind {
                    "diff" => {
                        let [old, new] = ["-", "+"].map(|mark| block.iter().find_map(|line| line.strip_prefix(mark)).unwrap());
                        assert!(text.contains(old), "{file} has no line `{old}`");
                        text.replacen(old, new, 1)
                    }
                    _ => format!("{text}\n{}\n", block.join("\n")),
                };
                if !file.is_empty() {
                    terminal.write(file, &change(terminal.read(file)));
                }
                open = None;
            }
            (None, Some((.., block))) => block.push(line),
            (None, None) => {}
        }
    }
}

/// Whether a line is as it is shown, `…` being anything.
fn is_shown(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn are_shown(shown: &[&str], lines: &[&str]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((&"…", shown)) => (0..=lines.len()).any(|skipped| are_shown(shown, &lines[skipped..])),
        Some((first, shown)) => lines.first().is_some_and(|line| is_shown(first, line)) && are_shown(shown, &lines[1..]),
    }
}

/// A line shortened as the one that is shown in its place.
fn shortened(shown: &str, line: &str) -> String {
    match shown.split_once('…') {
        Some(_) if is_shown(shown, line) => shown.to_owned(),
        Some((before, _)) => line.chars().take(before.chars().count()).chain(['…']).collect(),
        None => line.to_owned(),
    }
}

/// The lines to show instead: as many before the first `…` line, and behind the last.
fn remade(shown: &[&str], lines: &[&str]) -> Vec<String> {
    let (Some(first), Some(last)) = (shown.iter().position(|line| *line == "…"), shown.iter().rposition(|line| *line == "…")) else {
        return lines.iter().enumerate().map(|(at, line)| shortened(shown.get(at).unwrap_or(&""), line)).collect();
    };
    let behind = (shown.len() - last - 1).min(lines.len().saturating_sub(first));
    let head = lines.iter().take(first).zip(shown).map(|(line, shown)| shortened(shown, line));
    let tail = lines[lines.len() - behind..].iter().zip(&shown[last + 1..]).map(|(line, shown)| shortened(shown, line));
    head.chain(["…".to_owned()]).chain(tail).collect()
}

/// Every page that shows sessions.
fn pages() -> Vec<PathBuf> {
    let mut files = Vec::new();
    super::markdown(package(), package(), &mut files);
    files.retain(|file| fs::read_to_string(file).unwrap().contains("    $ reelm "));
    files
}

/// Types what a page shows; the page as it ought to be, and what is not as it is shown.
fn told(page: &Path) -> (String, Vec<String>) {
    let text = fs::read_to_string(page).unwrap();
    let terminal = Terminal::new();
    for folder in ["fixtures", "extensions", "replay"] {
        std::os::unix::fs::symlink(package().join(folder), terminal.path(folder)).unwrap();
    }
    let lines: Vec<&str> = text.lines().collect();
    let (mut whole, mut done, mut wrong) = (Vec::new(), 0, Vec::new());
    for Typed { line, fails, at, count } in typed(&text) {
        edit(&terminal, &lines[done..at]);
        let said = terminal.types(&line);
        let is_well = if fails { said.code == 1 } else { said.err.is_empty() && [0, 3, 4].contains(&said.code) };
        assert!(is_well, "{}: `{line}`: {}", page.display(), said.err);
        let said: Vec<&str> = said.out.lines().map(str::trim_end).collect();
        let shown: Vec<&str> = lines[at..at + count].iter().map(|line| line.get(4..).unwrap_or_default().trim_end()).collect();
        whole.extend(lines[done..at].iter().map(|line| (*line).to_owned()));
        done = at + count;
        // A page may leave out output that is beside its point.
        if shown.is_empty() || are_shown(&shown, &said) {
            whole.extend(lines[at..done].iter().map(|line| (*line).to_owned()));
            continue;
        }
        wrong.push(format!("{}:{at}: `reelm {line}` says\n{}\nand not\n{}", page.display(), said.join("\n"), shown.join("\n")));
        whole.extend(remade(&shown, &said).into_iter().map(|line| format!("    {line}").trim_end().to_owned()));
    }
    whole.extend(lines[done..].iter().map(|line| (*line).to_owned()));
    (whole.join("\n") + "\n", wrong)
}

#[test]
fn what_the_docs_show_comes_out() {
    let pages = pages();
    assert!(pages.len() >= 2, "{pages:?}");
    let mut all = Vec::new();
    for page in pages {
        let (text, wrong) = told(&page);
        if std::env::var_os("REMAKE").is_some() && !wrong.is_empty() {
            fs::write(&page, text).unwrap();
            let (_, wrong) = told(&page);
            assert!(wrong.is_empty(), "what was written does not come out a second time\n{}", wrong.join("\n\n"));
            continue;
        }
        all.extend(wrong);
    }
    assert!(all.is_empty(), "\n{}\n", all.join("\n\n"));
}

#[test]
fn a_session_is_read_compared_and_written_anew() {
    let page = "text\n\n    $ reelm a b      # why\n    one …\n\n    last\n\n    $ reelm c\n\ntext\n\n    reelm d\n";
    let found: Vec<(String, usize, usize)> = typed(page).into_iter().map(|typed| (typed.line, typed.at, typed.count)).collect();
    assert_eq!(found, [("a b".to_owned(), 3, 3), ("c".to_owned(), 8, 0)]);
    let shown = ["one …", "…", "last"];
    assert!(are_shown(&shown, &["one two", "last"]) && are_shown(&shown, &["one ", "x", "y", "last"]));
    for lines in [&["one two", "last", "more"][..], &["on two", "last"], &["one two"], &[]] {
        assert!(!are_shown(&shown, lines), "{lines:?}");
    }
    assert!(is_shown("a … c … e", "a b c d e") && !is_shown("a … c … e", "a b d e") && !is_shown("a", "ab"));
    assert_eq!(remade(&shown, &["two three", "x", "end"]), ["two …", "…", "end"]);
    assert_eq!(remade(&["one"], &["two", "three"]), ["two", "three"]);
    assert_eq!(remade(&shown, &["two"]), ["two…", "…"]);
}
