//! Quotation: what stands between marks of quotation in one line, in back-ticks, or in elements that hold words of others.

use super::spelling::mark::mark_in;

/// So many quotations that do not end are followed into objects.
const DEEP_MAX: u32 = 256;

/// The quotations of one text, sought from its beginning on.
#[derive(Default)]
pub(super) struct Quotations {
    /// Closing marks that stand nowhere behind some place.
    unclosed: Vec<String>,
    /// Marks of quotation that do not end in their line, each with the end of that.
    open: Vec<(char, usize)>,
    /// How often a quotation did not end though its mark stands there.
    shallow: u32,
}

impl Quotations {
    /// The length of what is quoted at a place, with its marks; nothing where no quotation begins, or where it does not end.
    pub(super) fn len(&mut self, text: &str, at: usize, begins: bool) -> Option<usize> {
        let rest = text.get(at..)?;
        match rest.chars().next()? {
            '`' => self.ticks(rest, begins),
            '<' => self.code_len(text, at),
            sign => self.marks(text, at, sign),
        }
    }

    /// The length of an element of code or of a comment at a place.
    pub(super) fn code_len(&mut self, text: &str, at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let begins = |from: &str| rest.get(..from.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(from));
        let close = if begins("<!--") {
            "-->"
        } else if begins("<code>") || begins("<code ") {
            "</code>"
        } else {
            return None;
        };
        if self.unclosed.iter().any(|known| known == close) {
            return None;
        }
        let found = mark_in(rest, close).map(|(_, end)| end);
        if found.is_none() {
            self.unclosed.push(close.to_owned());
        }
        found
    }

    /// The length of what stands between back-ticks of one line, or of a fence with all that it holds.
    fn ticks(&mut self, rest: &str, begins: bool) -> Option<usize> {
        let count = rest.len() - rest.trim_start_matches('`').len();
        let (mark, behind) = rest.split_at_checked(count)?;
        if !(begins && count >= 3) {
            let line = behind.split('\n').next()?;
            return Some(run_of(line, count).map_or(count, |at| count + at + count));
        }
        if self.unclosed.iter().any(|known| known == mark) {
            return Some(count);
        }
        let len = fence_len(rest, mark);
        if len.is_none() {
            self.unclosed.push(mark.to_owned());
        }
        Some(len.unwrap_or(count))
    }

    /// The length of a quotation between marks of one line.
    fn marks(&mut self, text: &str, at: usize, sign: char) -> Option<usize> {
        let rest = text.get(at..)?;
        if self.open.iter().any(|(open, end)| *open == sign && at < *end) {
            return None;
        }
        let found = closed_len(text.get(..at)?, rest, (sign, self.shallow < DEEP_MAX));
        match found {
            QuotedLen::Ends(len) => return Some(len),
            QuotedLen::Deep => self.shallow += 1,
            QuotedLen::Open => {
                self.open.retain(|(open, _)| *open != sign);
                self.open.push((sign, at + rest.find('\n').unwrap_or(rest.len())));
            }
            QuotedLen::None => {}
        }
        None
    }
}

/// Where a quotation ends.
enum QuotedLen {
    /// Behind so many bytes.
    Ends(usize),
    /// Only inside of an object, as far as it was looked at.
    Deep,
    /// Nowhere in its line.
    Open,
    /// It is none.
    None,
}

/// The length of a fence up to the line that closes it.
fn fence_len(text: &str, mark: &str) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && line.trim_start().starts_with(mark) {
            return Some(at + line.len());
        }
        at += line.len();
    }
    let first = text.lines().next()?;
    first.get(mark.len()..)?.find(mark).map(|at| mark.len() + at + mark.len())
}

/// The length of a quotation that a sign begins, with its marks, by the text before it. A mark in an object ends it only where depth does
/// not count any more.
fn closed_len(before: &str, rest: &str, (sign, is_deep): (char, bool)) -> QuotedLen {
    let Some(closes) = closes(sign) else { return QuotedLen::None };
    let line = rest.split('\n').next().unwrap_or_default();
    let inside = line.get(sign.len_utf8()..).unwrap_or_default();
    let last = before.chars().next_back();
    // A mark of inches stands behind a digit, an apostrophe beside a letter or before a digit.
    let is_apostrophe = matches!(sign, '\'' | '\u{2018}' | '\u{2019}') && (is_letter(last) || inside.starts_with(char::is_numeric));
    if is_apostrophe || sign == '"' && last.is_some_and(|last| last.is_alphanumeric() || ".,!?;".contains(last)) {
        return QuotedLen::None;
    }
    let (mut depth, mut was_deep, mut escaped) = (0, false, false);
    for (at, c) in inside.char_indices() {
        let end = at + c.len_utf8();
        depth += i32::from("{[".contains(c)) - i32::from("}]".contains(c));
        let may_close =
            !matches!(c, '"' | '\'' | '\u{2019}') || !inside.get(end..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        if closes.contains(c) && may_close && !escaped {
            if depth <= 0 || !is_deep {
                return QuotedLen::Ends(sign.len_utf8() + end);
            }
            was_deep = true;
        }
        escaped = c == '\\' && !escaped;
    }
    if was_deep { QuotedLen::Deep } else { QuotedLen::Open }
}

fn is_letter(sign: Option<char>) -> bool {
    sign.is_some_and(char::is_alphabetic)
}

/// The marks that close a quotation.
fn closes(sign: char) -> Option<&'static str> {
    match sign {
        '"' => Some("\""),
        '\'' => Some("'"),
        '\u{201c}' => Some("\u{201d}"),
        '\u{201d}' => Some("\u{201d}"),
        '\u{201e}' => Some("\u{201c}\u{201d}"),
        '\u{275d}' => Some("\u{275e}"),
        '\u{ff02}' => Some("\u{ff02}"),
        '\u{2018}' => Some("\u{2019}"),
        '\u{201a}' => Some("\u{2018}\u{2019}"),
        '\u{ab}' => Some("\u{bb}"),
        '\u{bb}' => Some("\u{ab}"),
        '\u{2039}' => Some("\u{203a}"),
        '\u{300c}' => Some("\u{300d}"),
        '\u{300e}' => Some("\u{300f}"),
        _ => None,
    }
}

/// Where a run of exactly so many back-ticks stands.
fn run_of(text: &str, count: usize) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find('`')?;
        let run = text.get(at..)?.bytes().take_while(|byte| *byte == b'`').count();
        if run == count {
            return Some(at);
        }
        at += run;
    }
}
