//! Spoken words: what a model says, without its reasoning, its own headers and what stands behind the end of its turn.

use std::borrow::Cow;

use super::in_text::turn_of;
use super::spelling::mark::{mark_in, mark_len};
use super::spelling::row::SpelledAs;
use super::spelling::{marked, rows_of};

/// The words of a text that are said.
pub fn spoken_words(text: &str) -> String {
    turn_of(&without_reasoning(text).words)
}

/// A text without its reasoning.
pub(super) struct Reasoned<'t> {
    /// The text that remains, in which each piece of reasoning is a line's end.
    pub(super) words: Cow<'t, str>,
    /// The reasoning that never ended.
    pub(super) unfinished: Option<&'t str>,
}

/// Words that tell of thinking, in the names of marks that no row of the table has.
const THINKING: [&str; 9] = ["think", "thought", "reason", "reflect", "analys", "scratch", "monolog", "ponder", "deliberat"];
/// So many closing marks are looked at that no row has.
const SHAPES_MAX: usize = 64;
/// Marks around all that is said, which are not.
const ANSWERS: [&str; 3] = ["answer", "final", "response"];
/// How a reply begins that tells its reasoning in words before its answer.
const TOLD: [&str; 4] = ["thought", "here is my thought", "here's my thought", "here are my reasoning"];
/// The marks before and behind a quotation, but for apostrophes, with which words end too.
const QUOTES: &[char] = &['`', '"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}', '\u{ff02}', '\u{275d}', '\u{275e}'];

/// A text without reasoning.
///
/// Reasoning that does not end goes on to the end of the text. A closing mark alone ends reasoning that began before the text, and so does one
/// behind which the answer begins. Neither is so of a mark that stands between words, which is a word like others.
pub(super) fn without_reasoning(text: &str) -> Reasoned<'_> {
    let line = ScannedLine { begin: 0, first: first_letter(text, 0), seen: 0, is_ticked: false };
    let (kept, unclosed) = (String::new(), Vec::new());
    let mut thinking = ThoughtScan { text, at: 0, from: 0, kept, unfinished: None, found: false, line, unclosed, shapes: 0 };
    thinking.by_shape();
    while let Some(next) = next_sign(text, thinking.at) {
        thinking.goes_to(next);
        if thinking.is_quoted() || !(thinking.pair() || thinking.closing() || thinking.answer()) {
            thinking.at += 1;
        }
    }
    if !thinking.found {
        return Reasoned { words: without_answer(Cow::Borrowed(text), false), unfinished: None };
    }
    thinking.kept.push_str(text.get(thinking.from..).unwrap_or_default());
    Reasoned { words: without_answer(Cow::Owned(thinking.kept), true), unfinished: thinking.unfinished }
}

/// The text inside of marks that stand around all of it; behind reasoning the second one may be missing.
fn without_answer(text: Cow<'_, str>, is_behind: bool) -> Cow<'_, str> {
    let bare = text.trim();
    let inside = ANSWERS.iter().chain(if is_behind { &["output"] } else { [].as_slice() }).find_map(|name| {
        let inside = bare.get(mark_len(bare, &format!("<{name}>"))?..)?;
        let closed = inside.len().checked_sub(name.len() + 3).and_then(|at| Some((inside.get(..at)?, inside.get(at..)?)));
        let closed = closed.filter(|(_, close)| close.eq_ignore_ascii_case(&format!("</{name}>"))).map(|(inside, _)| inside);
        closed.or(Some(inside).filter(|inside| is_behind && !inside.contains("</")))
    });
    match inside {
        Some(inside) => Cow::Owned(inside.trim().to_owned()),
        None => text,
    }
}

/// The line of a place.
struct ScannedLine {
    begin: usize,
    /// Where its first letter stands that is no blank.
    first: usize,
    /// Up to where it was looked at.
    seen: usize,
    /// Whether a back-tick is open in it.
    is_ticked: bool,
}

struct ThoughtScan<'t> {
    text: &'t str,
    at: usize,
    /// Up to where the text is kept or left out.
    from: usize,
    kept: String,
    unfinished: Option<&'t str>,
    found: bool,
    line: ScannedLine,
    /// Closing marks that stand nowhere behind this place.
    unclosed: Vec<&'static str>,
    /// How many closing marks were looked at that no row has.
    shapes: usize,
}

impl<'t> ThoughtScan<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes on to a place, and to its line.
    fn goes_to(&mut self, place: usize) {
        self.at = place;
        let passed = self.text.get(self.line.seen..place).unwrap_or_default();
        let behind = match passed.rfind(['\n', '\r']) {
            Some(broken) => {
                let begin = self.line.seen + broken + 1;
                self.line = ScannedLine { begin, first: first_letter(self.text, begin), seen: begin, is_ticked: false };
                passed.get(broken + 1..).unwrap_or_default()
            }
            None => passed,
        };
        self.line.is_ticked ^= behind.matches('`').count() % 2 == 1;
        self.line.seen = place;
    }

    /// The text of the line before this place.
    fn line_before(&self) -> &'t str {
        self.text.get(self.line.begin..self.at).unwrap_or_default()
    }

    /// Whether this place is the first of its line that is no blank.
    fn begins_line(&self) -> bool {
        self.line.first >= self.at
    }

    /// Leaves out what stands from here up to some byte behind it; before it everything, where that was reasoning too.
    fn leaves(&mut self, len: usize, all_before: bool) {
        match all_before {
            true => self.kept.clear(),
            false => self.kept.push_str(self.text.get(self.from..self.at).unwrap_or_default()),
        }
        self.kept.push('\n');
        self.at += len;
        (self.from, self.found) = (self.at, true);
    }

    /// Pairs that begin the reply, whatever their name is, if it tells of thinking and something remains behind them.
    fn by_shape(&mut self) {
        loop {
            self.goes_to(self.text.len() - self.rest().trim_start().len());
            if let Some(len) = marked(self.rest(), SpelledAs::Header).filter(|_| marked(self.rest(), SpelledAs::Reasoning).is_none()) {
                self.at += len;
                continue;
            }
            let Some(end) = shaped(self.rest()).filter(|end| !self.rest().get(*end..).unwrap_or_default().trim().is_empty()) else {
                return;
            };
            self.leaves(end, false);
        }
    }

    /// Whether a mark here is quoted: it stands directly behind a back-tick or a quotation mark, or in a line that begins with `>`.
    fn is_quoted(&self) -> bool {
        self.line.is_ticked
            || self.line_before().ends_with(QUOTES)
            || self.text.get(self.line.first..).is_some_and(|line| line.starts_with('>'))
    }

    /// Whether a mark of some length stands in a sentence: a blank before it and a blank or a sign behind it, or a quotation mark behind it.
    fn is_word(&self, len: usize) -> bool {
        let (line, behind) = (self.line_before(), self.rest().get(len..).unwrap_or_default());
        let ends = [' ', ',', '.', ';', ':', '!', '?', ')'];
        line.ends_with([' ', '(']) && !self.begins_line() && behind.starts_with(ends) || behind.starts_with(QUOTES)
    }

    /// Reasoning between two marks of a row.
    fn pair(&mut self) -> bool {
        let rest = self.rest();
        for row in rows_of(SpelledAs::Reasoning) {
            let Some((open, closes)) = row.marks.split_first() else { continue };
            let Some(len) = mark_len(rest, open) else { continue };
            if closes.iter().all(|close| self.unclosed.contains(close)) && !self.begins_line() {
                return false;
            }
            let inside = rest.get(len..).unwrap_or_default();
            let end = closes.iter().filter_map(|close| self.end_of(inside, close)).min();
            let line = self.line_before();
            let begins = self.begins_line() || line.ends_with(['.', '!', '?', '…', '>']);
            match end {
                Some(_) if self.is_word(len) && !inside.contains('\n') && line.ends_with(' ') && inside.starts_with(' ') && !begins => {
                    return false;
                }
                Some(end) => self.leaves(len + end, false),
                // One that never ends counts only where it begins a line, or stands directly behind a sentence.
                None if begins && !self.is_word(len) => {
                    self.leaves(rest.len(), false);
                    self.unfinished = Some(inside);
                }
                None => return false,
            }
            return true;
        }
        false
    }

    /// Where a mark ends reasoning: behind it, or before it where it is no part of it.
    fn end_of(&mut self, inside: &str, close: &'static str) -> Option<usize> {
        if self.unclosed.contains(&close) {
            return None;
        }
        let end = match close.strip_prefix('^') {
            Some(stop) => mark_in(inside, stop).map(|(at, _)| at),
            None => mark_in(inside, close).map(|(_, end)| end),
        };
        if end.is_none() {
            self.unclosed.push(close);
        }
        end
    }

    /// A mark that ends reasoning which began before the text.
    fn closing(&mut self) -> bool {
        let rest = self.rest();
        let mut marks = rows_of(SpelledAs::Reasoning).flat_map(|row| row.marks.iter().skip(1)).filter(|mark| is_own_close(mark));
        let len = marks.find_map(|mark| mark_len(rest, mark)).or_else(|| self.closing_shape());
        match len.filter(|len| !self.is_word(*len)) {
            Some(len) => {
                self.leaves(len, true);
                true
            }
            None => false,
        }
    }

    /// The same by its shape, where nothing of its name began before it.
    fn closing_shape(&mut self) -> Option<usize> {
        let close = if self.rest().starts_with('[') { ']' } else { '>' };
        let len = self.rest().char_indices().take(48).find(|(_, c)| *c == close)?.0;
        let inside = self.rest().get(1..len)?;
        let name = inside.strip_prefix('/').or_else(|| inside.strip_suffix('|')).or_else(|| inside.strip_suffix("_end"))?;
        if !is_name(name) || !tells_of_thinking(name) || self.shapes >= SHAPES_MAX {
            return None;
        }
        self.shapes += 1;
        let begun = [format!("<{name}>"), format!("<|{name}>")];
        let has_begun = begun.iter().any(|mark| self.text.get(..self.at).is_some_and(|before| mark_in(before, mark).is_some()));
        (!has_begun).then_some(inside.len() + 2)
    }

    /// A mark behind which the answer begins.
    fn answer(&mut self) -> bool {
        let rest = self.rest();
        for row in rows_of(SpelledAs::Answer) {
            let Some((open, closes)) = row.marks.split_first() else { continue };
            let Some(len) = mark_len(rest, open).filter(|len| !self.is_word(*len)) else { continue };
            let lower: String = self.text.trim_start().trim_start_matches('*').chars().take(32).collect::<String>().to_ascii_lowercase();
            let is_told = TOLD.iter().any(|begin| lower.starts_with(begin)) && self.line_before().trim_matches(['*', ' ']).is_empty();
            if !open.starts_with(['<', '[']) && !is_told {
                continue;
            }
            self.leaves(len, true);
            let close = closes.iter().find_map(|close| mark_in(self.rest(), close));
            if let Some((at, end)) = close {
                self.kept.push_str(self.rest().get(..at).unwrap_or_default());
                self.from = self.at + end;
                self.at = self.from;
            }
            return true;
        }
        false
    }
}

/// Whether a mark of a row ends reasoning also where nothing began it.
fn is_own_close(mark: &str) -> bool {
    !mark.starts_with('^') && !["<|end|>", "<|end_message|>", "<|eom|>"].contains(&mark)
}

/// The byte behind a pair of marks that a text begins with, whose name tells of thinking.
fn shaped(text: &str) -> Option<usize> {
    let (open, close) = match text.chars().next()? {
        '<' => ('<', '>'),
        '[' => ('[', ']'),
        _ => return None,
    };
    let inside = text.get(1..)?.split_once(close)?.0;
    let name = inside.trim_matches('|');
    if !is_name(name) || !(tells_of_thinking(name) || name == "channel") {
        return None;
    }
    let ended = name.to_ascii_lowercase().replace("begin", "end").replace("start", "end");
    let is_ended = ended != name.to_ascii_lowercase();
    let mark = match (inside.starts_with('|'), inside.ends_with('|')) {
        _ if is_ended => format!("{open}{}{close}", inside.to_ascii_lowercase().replace("begin", "end").replace("start", "end")),
        (true, true) => format!("<|/{name}|>"),
        (true, false) => format!("<{name}|>"),
        (false, _) => format!("{open}/{name}{close}"),
    };
    let from = inside.len() + 2;
    mark_in(text.get(from..)?, &mark).map(|(_, end)| from + end)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 40 && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-:|.".contains(c))
}

fn tells_of_thinking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "channel" || THINKING.iter().any(|word| name.contains(word))
}

/// Where the first letter from a place on stands that is no blank.
fn first_letter(text: &str, from: usize) -> usize {
    let line = text.get(from..).unwrap_or_default();
    from + line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The next byte from one on at which a mark may begin.
fn next_sign(text: &str, from: usize) -> Option<usize> {
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at))?;
    text.get(from..)?.find(['<', '[', '◁', 'H', 'F', 'A', 't']).map(|len| from + len)
}
