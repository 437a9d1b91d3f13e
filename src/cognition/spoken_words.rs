//! Spoken words: what a model says, without its reasoning and without the marks at which its turn ends.

use std::borrow::Cow;

use super::spelling::{SPELLINGS, SpelledAs};

/// Reasoning that has begun.
#[derive(Clone, Copy, PartialEq)]
struct ReasoningMarks {
    closes: &'static [&'static str],
    stops: &'static [&'static str],
}

/// The words of a text that are said.
pub fn spoken_words(text: &str) -> String {
    without_ends(&without_reasoning(text)).trim().to_owned()
}

/// A text in which each piece of reasoning is a line's end.
///
/// Reasoning that does not end goes on to the end of the text. A closing mark alone ends reasoning that began before the text. Neither is so
/// of a mark that stands between words, which is a word like others.
pub(super) fn without_reasoning(text: &str) -> Cow<'_, str> {
    // Marks are found whatever their case; only the bytes of ASCII change.
    let lower = text.to_ascii_lowercase();
    let (mut kept, mut from, mut signs) = (String::new(), 0, Signs::of(&lower));
    // A mark that nothing closes from one place on is closed by nothing later either.
    let mut unclosed: Vec<ReasoningMarks> = Vec::new();
    let mut found = false;
    while let Some(next) = signs.next() {
        let rest = lower.get(next..).unwrap_or_default();
        if signs.is_quoted(next) {
            continue;
        }
        if let Some((mark, begun)) = begun(rest) {
            let end = if unclosed.contains(&begun) { None } else { behind(rest.get(mark..).unwrap_or_default(), begun) };
            if end.is_none() {
                unclosed.push(begun);
            }
            let goes_on = || (!signs.is_between_words(next, mark)).then(|| rest.len().saturating_sub(mark));
            let Some(end) = end.or_else(goes_on) else { continue };
            kept.push_str(text.get(from..next).unwrap_or_default());
            signs.at = next + mark + end;
        } else if let Some(mark) = closing(rest).filter(|mark| !signs.is_between_words(next, *mark)) {
            kept.clear();
            signs.at = next + mark;
        } else {
            continue;
        }
        kept.push('\n');
        (from, found) = (signs.at, true);
    }
    if !found {
        return Cow::Borrowed(text);
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

/// The places of a text at which a mark may begin, one after the other, and the line in which they stand.
struct Signs<'t> {
    text: &'t str,
    /// From where on the next one is sought.
    at: usize,
    /// Up to where lines were looked at.
    seen: usize,
    /// Where the first letter of the line stands that is no blank.
    first: usize,
}

impl<'t> Signs<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, at: 0, seen: 0, first: first_letter(text, 0) }
    }

    fn next(&mut self) -> Option<usize> {
        let next = next_sign(self.text, self.at)?;
        let passed = self.text.get(self.seen..next).unwrap_or_default();
        if let Some(broken) = passed.rfind(['\n', '\r']) {
            self.first = first_letter(self.text, self.seen + broken + 1);
        }
        (self.seen, self.at) = (next, next + 1);
        Some(next)
    }

    /// Whether a mark is quoted: it stands directly behind a back-tick or a quotation mark, or in a line that begins with `>`.
    fn is_quoted(&self, at: usize) -> bool {
        self.text.get(..at).is_some_and(|before| before.ends_with(QUOTES))
            || self.text.get(self.first..).is_some_and(|line| line.starts_with('>'))
    }

    /// Whether a mark stands in a sentence: blanks on both sides, or a quotation mark behind it.
    fn is_between_words(&self, at: usize, len: usize) -> bool {
        let (before, after) = (self.text.get(..at).unwrap_or_default(), self.text.get(at + len..).unwrap_or_default());
        before.ends_with(' ') && after.starts_with(' ') && self.first < at || after.starts_with(QUOTES)
    }
}

/// Where the first letter from a place on stands that is no blank.
fn first_letter(text: &str, from: usize) -> usize {
    let line = text.get(from..).unwrap_or_default();
    from + line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The next byte from one on at which a mark may begin.
fn next_sign(text: &str, from: usize) -> Option<usize> {
    // A mark begins with one byte that no other character holds, so this is a character's first byte.
    let signs = |c: char| matches!(c, '<' | '[' | '◁');
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at))?;
    text.get(from..)?.find(signs).map(|len| from + len)
}

/// The marks before and behind a quotation, but for apostrophes, with which words end too.
const QUOTES: &[char] = &['`', '"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}', '\u{ff02}', '\u{275d}', '\u{275e}'];

/// The reasoning that begins here, and the length of its mark.
fn begun(rest: &str) -> Option<(usize, ReasoningMarks)> {
    SPELLINGS.iter().find_map(|spelling| match spelling.reads {
        SpelledAs::Reasoning { closes, stops } => {
            let mark = spelling.marks.iter().find(|mark| rest.starts_with(**mark))?;
            Some((mark.len(), ReasoningMarks { closes, stops }))
        }
        _ => None,
    })
}

/// The length of a mark that closes reasoning.
fn closing(rest: &str) -> Option<usize> {
    SPELLINGS.iter().find_map(|spelling| match spelling.reads {
        SpelledAs::Reasoning { closes, .. } => closes.iter().find(|mark| rest.starts_with(**mark)).map(|mark| mark.len()),
        _ => None,
    })
}

/// Where reasoning ends, if anything ends it.
fn behind(rest: &str, begun: ReasoningMarks) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = next_sign(rest, at) {
        let here = rest.get(next..).unwrap_or_default();
        if let Some(mark) = begun.closes.iter().find(|mark| here.starts_with(**mark)) {
            return Some(next + mark.len());
        }
        if begun.stops.iter().any(|mark| here.starts_with(*mark)) {
            return Some(next);
        }
        at = next + 1;
    }
    None
}

/// A text without the marks at which turns end.
pub(super) fn without_ends(text: &str) -> Cow<'_, str> {
    let lower = text.to_ascii_lowercase();
    let (mut kept, mut from, mut signs) = (String::new(), 0, Signs::of(&lower));
    while let Some(next) = signs.next() {
        if let Some(len) = end_mark(lower.get(next..).unwrap_or_default()).filter(|_| !signs.is_quoted(next)) {
            kept.push_str(text.get(from..next).unwrap_or_default());
            signs.at = next + len;
            from = signs.at;
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

/// The length of the end mark that a text in small letters begins with.
pub(super) fn end_mark(rest: &str) -> Option<usize> {
    SPELLINGS.iter().find_map(|spelling| {
        let mark = match spelling.reads {
            SpelledAs::End | SpelledAs::LineEnd => spelling.marks.iter().find(|mark| rest.starts_with(**mark))?,
            _ => return None,
        };
        let behind = rest.get(mark.len()..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let is_end = !matches!(spelling.reads, SpelledAs::LineEnd) || behind.is_empty() || behind.starts_with(['\n', '\r']);
        is_end.then_some(mark.len())
    })
}
