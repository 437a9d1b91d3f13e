//! Spoken words: what a model says, without its reasoning and without the marks at which its turn ends.

use std::borrow::Cow;

use super::spelling::{SPELLINGS, SpelledAs};

/// Reasoning that has begun.
#[derive(Clone, Copy)]
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
/// Reasoning that does not end goes on to the end of the text. A closing mark alone ends reasoning that began before the text.
pub(super) fn without_reasoning(text: &str) -> Cow<'_, str> {
    // Marks are found whatever their case; only the bytes of ASCII change.
    let lower = text.to_ascii_lowercase();
    let (mut kept, mut from, mut at) = (String::new(), 0, 0);
    let mut found = false;
    while let Some(next) = next_sign(&lower, at) {
        at = next + 1;
        let rest = lower.get(next..).unwrap_or_default();
        if is_quoted(&lower, next) {
            continue;
        }
        if let Some((mark, begun)) = begun(rest) {
            kept.push_str(text.get(from..next).unwrap_or_default());
            at = next + mark + behind(rest.get(mark..).unwrap_or_default(), begun);
        } else if let Some(mark) = closing(rest) {
            kept.clear();
            at = next + mark;
        } else {
            continue;
        }
        kept.push('\n');
        (from, found) = (at, true);
    }
    if !found {
        return Cow::Borrowed(text);
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

/// The next byte from one on at which a mark may begin.
fn next_sign(text: &str, from: usize) -> Option<usize> {
    // A mark begins with one byte that no other character holds, so this is a character's first byte.
    let signs = |c: char| matches!(c, '<' | '[' | '◁');
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at))?;
    text.get(from..)?.find(signs).map(|len| from + len)
}

/// Whether a mark is quoted: it stands directly behind a back-tick or a quotation mark.
fn is_quoted(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(['`', '"', '\u{201c}', '\u{201e}', '\u{ab}']))
}

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

/// Where reasoning ends.
fn behind(rest: &str, begun: ReasoningMarks) -> usize {
    let mut at = 0;
    while let Some(next) = next_sign(rest, at) {
        let here = rest.get(next..).unwrap_or_default();
        if let Some(mark) = begun.closes.iter().find(|mark| here.starts_with(**mark)) {
            return next + mark.len();
        }
        if begun.stops.iter().any(|mark| here.starts_with(*mark)) {
            return next;
        }
        at = next + 1;
    }
    rest.len()
}

/// A text without the marks at which turns end.
pub(super) fn without_ends(text: &str) -> Cow<'_, str> {
    let lower = text.to_ascii_lowercase();
    let (mut kept, mut from, mut at) = (String::new(), 0, 0);
    while let Some(next) = next_sign(&lower, at) {
        at = next + 1;
        if let Some(len) = end_mark(lower.get(next..).unwrap_or_default()).filter(|_| !is_quoted(&lower, next)) {
            kept.push_str(text.get(from..next).unwrap_or_default());
            at = next + len;
            from = at;
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
