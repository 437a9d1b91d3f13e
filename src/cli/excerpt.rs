//! Excerpt: the line of a file that an error names, with a mark below what it speaks of.

use std::path::Path;

/// The longest line that is shown, in signs.
const LINE_MAX: usize = 160;

/// The line that a text names as `file:line: …`, with a mark; none where it names none that can be read.
pub fn excerpt(text: &str) -> Option<String> {
    let (file, number, rest) = place(text)?;
    let whole = std::fs::read_to_string(file).ok()?;
    let line = whole.lines().nth(number.checked_sub(1)?)?.trim_end().replace('\t', " ");
    if line.trim().is_empty() || line.chars().count() > LINE_MAX {
        return None;
    }
    let (at, count) = spoken_of(&line, rest);
    let margin = " ".repeat(number.to_string().len());
    Some(format!("{margin} |\n{number} | {line}\n{margin} | {}{}", " ".repeat(at), "^".repeat(count)))
}

/// The file, the line and what is said of it.
fn place(text: &str) -> Option<(&Path, usize, &str)> {
    let mut from = 0;
    text.match_indices(": ").find_map(|(at, _)| {
        let (said, rest) = (text.get(from..at)?, text.get(at + 2..)?);
        from = at + 2;
        let (file, line) = said.rsplit_once(':')?;
        let file = Path::new(file);
        Some((file, line.parse().ok()?, rest)).filter(|_| file.is_file())
    })
}

/// Where on a line the last word in marks stands that the text has, which is what was found, and how long it is; else all of it. In signs.
fn spoken_of(line: &str, text: &str) -> (usize, usize) {
    let words: Vec<&str> = text.split('`').skip(1).step_by(2).filter(|word| !word.is_empty()).collect();
    let found = words.iter().rev().filter_map(|word| Some((line.find(word)?, word.len()))).next();
    let begins = line.len() - line.trim_start().len();
    let (at, len) = found.unwrap_or((begins, line.len() - begins));
    let signs = |text: Option<&str>| text.unwrap_or_default().chars().count();
    (signs(line.get(..at)), signs(line.get(at..at + len)))
}
