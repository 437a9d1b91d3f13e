//! Excerpt: the line of a file that an error names, with a mark below what it speaks of.

use std::path::Path;

/// The longest line that is shown, in signs.
const LINE_MAX: usize = 160;

/// The line that a text names as `file:line: …`, with a mark; none where it names none that can be read.
pub fn excerpt(text: &str) -> Option<String> {
    let SaidPlace { file, line: number, column, rest } = SaidPlace::of(text)?;
    let whole = std::fs::read_to_string(file).ok()?;
    let line = whole.lines().nth(number.checked_sub(1)?)?.trim_end().replace('\t', " ");
    if line.trim().is_empty() || line.chars().count() > LINE_MAX {
        return None;
    }
    let (at, count) = column.and_then(|column| word_at(&line, column)).unwrap_or_else(|| spoken_of(&line, rest));
    let margin = " ".repeat(number.to_string().len());
    Some(format!("{margin} |\n{number} | {line}\n{margin} | {}{}", " ".repeat(at), "^".repeat(count)))
}

/// The file, the line and the column that a text names, and the rest of it.
struct SaidPlace<'t> {
    file: &'t Path,
    line: usize,
    column: Option<usize>,
    rest: &'t str,
}

impl<'t> SaidPlace<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let mut from = 0;
        text.match_indices(": ").find_map(|(at, _)| {
            let (said, rest) = (text.get(from..at)?, text.get(at + 2..)?);
            from = at + 2;
            let (before, last) = said.rsplit_once(':')?;
            let last = last.parse().ok()?;
            let with_column = before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?, Some(last))));
            let (file, line, column) = with_column.unwrap_or((before, last, None));
            Some(Self { file: Path::new(file), line, column, rest }).filter(|place| place.file.is_file())
        })
    }
}

/// How long what stands at a column is, in signs: a text with its quotes, a list or table to the end of the line, or a word.
fn word_at(line: &str, column: usize) -> Option<(usize, usize)> {
    let at = column.checked_sub(1)?;
    let mut signs = line.chars().skip(at).peekable();
    let count = match *signs.peek()? {
        quote @ ('"' | '\'') => {
            let inner = signs.clone().skip(1).position(|sign| sign == quote);
            inner.map_or_else(|| signs.count(), |inner| inner + 2)
        }
        '[' | '{' => signs.count(),
        _ => signs.take_while(|sign| sign.is_alphanumeric() || "-_./@:".contains(*sign)).count().max(1),
    };
    Some((at, count))
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
