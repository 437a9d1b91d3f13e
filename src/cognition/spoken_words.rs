//! Spoken words: what a model says, without its reasoning, its own headers and what stands behind the end of its turn.

use std::borrow::Cow;

use super::in_text::turn_of;
use super::spelling::mark::{is_bar, mark_in, mark_len};
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
    /// The reasoning that was taken off, a piece each.
    pub(super) hidden: Vec<&'t str>,
    /// Whether the last piece of it never ended.
    pub(super) is_unfinished: bool,
    /// Whether the words begin with a mark whose name tells of thinking and that nothing closes.
    pub(super) opens: bool,
}

/// Words that tell of thinking, in the names of marks that no row of the table has.
const THINKING: [&str; 9] = ["think", "thought", "reason", "reflect", "analys", "scratch", "monolog", "ponder", "deliberat"];
/// So far behind a mark the end of a quotation around it is sought, in letters.
const QUOTED_MAX: usize = 4096;
/// So many closing marks are looked at that no row has.
const SHAPES_MAX: usize = 64;
/// The name of a mark that tells of thinking in one way of writing, and of all that is said in another.
const CHANNEL: &str = "channel";
/// Marks around all that is said, which are not.
const ANSWERS: [&str; 3] = ["answer", "final", "response"];
/// How a reply begins that tells its reasoning in words before its answer.
const TOLD: [&str; 4] = ["thought:", "here is my thought process", "here's my thought process", "here are my reasoning steps"];
/// The marks before and behind a quotation, but for apostrophes, with which words end too.
const QUOTES: &[char] = &['`', '"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}', '\u{bb}', '\u{ff02}', '\u{275d}', '\u{275e}'];

/// A text without reasoning.
///
/// Reasoning that does not end goes on to the end of the text. A closing mark alone ends reasoning that began before the text, and so does one
/// behind which the answer begins. Neither is so of a mark that stands between words, which is a word like others.
pub(super) fn without_reasoning(text: &str) -> Reasoned<'_> {
    let (line, is_fenced) = (ScannedLine::at(text, 0), text.trim_start().starts_with("```"));
    let (kept, unclosed) = (String::new(), Vec::new());
    let mut thinking = ThoughtScan {
        text,
        at: 0,
        from: 0,
        kept,
        is_unfinished: false,
        found: false,
        line,
        unclosed,
        shapes: 0,
        hidden: Vec::new(),
        is_fenced,
        opens: false,
    };
    thinking.by_shape();
    while let Some(next) = next_sign(text, thinking.at) {
        thinking.goes_to(next);
        if thinking.is_quoted() || !(thinking.pair() || thinking.closing() || thinking.answer()) {
            thinking.at += 1;
        }
    }
    if !thinking.found {
        return Reasoned {
            words: without_answer(Cow::Borrowed(text), false),
            hidden: Vec::new(),
            is_unfinished: false,
            opens: thinking.opens,
        };
    }
    thinking.kept.push_str(text.get(thinking.from..).unwrap_or_default());
    let ThoughtScan { kept, hidden, is_unfinished, opens, .. } = thinking;
    Reasoned { words: without_answer(Cow::Owned(kept), true), hidden, is_unfinished, opens }
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
    /// Whether a back-tick, or a quotation mark, is open in it.
    is_ticked: bool,
    is_quoted: bool,
}

impl ScannedLine {
    fn at(text: &str, begin: usize) -> Self {
        Self { begin, first: first_letter(text, begin), seen: begin, is_ticked: false, is_quoted: false }
    }
}

struct ThoughtScan<'t> {
    text: &'t str,
    at: usize,
    /// Up to where the text is kept or left out.
    from: usize,
    kept: String,
    is_unfinished: bool,
    found: bool,
    line: ScannedLine,
    /// Closing marks that stand nowhere behind this place.
    unclosed: Vec<&'static str>,
    /// How many closing marks were looked at that no row has.
    shapes: usize,
    /// The reasoning that was taken off.
    hidden: Vec<&'t str>,
    /// Whether a fence is open.
    is_fenced: bool,
    /// Whether the reply begins with a mark whose name tells of thinking and that nothing closes.
    opens: bool,
}

impl<'t> ThoughtScan<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes on to a place, and to its line.
    fn goes_to(&mut self, place: usize) {
        let mut from = self.line.seen;
        for (at, _) in self.text.get(from..place).unwrap_or_default().match_indices(['\n', '\r']) {
            let begin = self.line.seen + at + 1;
            self.is_fenced ^= self.text.get(first_letter(self.text, begin)..).is_some_and(|line| line.starts_with("```"));
            from = begin;
        }
        if from > self.line.seen {
            self.line = ScannedLine::at(self.text, from);
        }
        let passed = self.text.get(from..place).unwrap_or_default();
        let is_escaped = |at: usize| passed.get(..at).is_some_and(|before| before.ends_with('\\'));
        self.line.is_ticked ^= passed.matches('`').count() % 2 == 1;
        self.line.is_quoted ^= passed.match_indices('"').filter(|(at, _)| !is_escaped(*at)).count() % 2 == 1;
        (self.line.seen, self.at) = (place, place);
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
        self.hidden.extend(self.text.get(self.at..self.at + len));
        self.at += len;
        (self.from, self.found) = (self.at, true);
        self.line = ScannedLine::at(self.text, self.at);
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
                self.opens = opens(self.rest());
                return;
            };
            self.leaves(end, false);
        }
    }

    /// Whether a mark here is quoted: it stands directly behind a back-tick or a quotation mark, or in a line that begins with `>`.
    fn is_quoted(&self) -> bool {
        let is_inside = self.is_fenced || self.line.is_ticked || self.line.is_quoted && self.closes_quotation();
        is_inside || self.line_before().ends_with(QUOTES) || self.text.get(self.line.first..).is_some_and(|line| line.starts_with('>'))
    }

    /// Whether a quotation mark stands near behind this place in its line.
    fn closes_quotation(&self) -> bool {
        self.rest().chars().take(QUOTED_MAX).take_while(|c| *c != '\n').any(|c| c == '"')
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
                    self.is_unfinished = true;
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
        let bare = inside.trim_matches(is_bar);
        let is_close = bare.starts_with('/') || !inside.starts_with(is_bar) && inside.ends_with(is_bar) || bare.ends_with("_end");
        let name = bare.trim_start_matches('/').trim_end_matches("_end");
        if !is_close || !is_name(name) || !tells_of_thinking(name) || self.shapes >= SHAPES_MAX {
            return None;
        }
        self.shapes += 1;
        let before = self.text.get(..self.at)?;
        let ends = |rest: &str| rest.starts_with(|c: char| c.is_whitespace() || ">]|_".contains(c) || is_bar(c));
        let begun = |open: &str| {
            let mark = format!("{open}{name}");
            before.match_indices(&mark).any(|(at, _)| before.get(at + mark.len()..).is_some_and(ends))
        };
        let has_begun = ["<", "[", "<|", "<\u{ff5c}"].into_iter().any(begun);
        (!has_begun).then_some(inside.len() + 2)
    }

    /// A mark behind which the answer begins.
    fn answer(&mut self) -> bool {
        let rest = self.rest();
        for row in rows_of(SpelledAs::Answer) {
            let Some((open, closes)) = row.marks.split_first() else { continue };
            let Some(len) = mark_len(rest, open).filter(|len| !self.is_word(*len)) else { continue };
            // A call behind a thought is the act; the answer behind it was made up.
            let is_act = self.text.get(..self.at).is_some_and(|before| before.contains("\nAction") || before.contains("\n**Action"));
            let is_told = is_told(self.text) && !is_act && self.hidden.is_empty() && self.line_before().trim_matches(['*', ' ']).is_empty();
            if !open.starts_with(['<', '[']) && !is_told {
                continue;
            }
            self.leaves(len, true);
            let close = closes.first().filter(|close| !self.unclosed.contains(close));
            match close.and_then(|close| mark_in(self.rest(), close)) {
                Some((at, end)) => {
                    self.kept.push_str(self.rest().get(..at).unwrap_or_default());
                    self.from = self.at + end;
                    self.at = self.from;
                }
                None => self.unclosed.extend(close),
            }
            return true;
        }
        false
    }
}

/// Whether a reply tells its reasoning in words before its answer.
fn is_told(text: &str) -> bool {
    let begin: String = text.trim_start().chars().filter(|c| *c != '*').take(32).collect::<String>().to_ascii_lowercase();
    TOLD.iter().any(|told| begin.starts_with(told))
}

/// Whether a mark of a row ends reasoning also where nothing began it.
fn is_own_close(mark: &str) -> bool {
    !mark.starts_with('^') && !["<|end|>", "<|end_message|>", "<|eom|>"].contains(&mark)
}

/// Whether a text begins with a mark whose name tells of thinking.
fn opens(text: &str) -> bool {
    let close = if text.starts_with('[') { ']' } else { '>' };
    let len = text.char_indices().take(48).find(|(_, c)| *c == close).map(|(len, _)| len);
    let inside = len.and_then(|len| text.get(1..len)).filter(|_| text.starts_with(['<', '[']));
    inside.map(|inside| inside.trim_matches(is_bar)).is_some_and(|name| is_name(name) && tells_of_thinking(name) && name != CHANNEL)
}

/// The byte behind a pair of marks that a text begins with, whose name tells of thinking. Pairs inside of it belong to it.
fn shaped(text: &str) -> Option<usize> {
    let (open, close) = match text.chars().next()? {
        '<' => ('<', '>'),
        '[' => ('[', ']'),
        _ => return None,
    };
    let len = text.char_indices().take(48).find(|(_, c)| *c == close)?.0;
    let inside = text.get(1..len)?;
    let name = inside.trim_matches(is_bar);
    if !is_name(name) || !tells_of_thinking(name) {
        return None;
    }
    let begins = inside.to_ascii_lowercase();
    let ends = begins.replace("begin", "end").replace("start", "end");
    let mark = match (inside.starts_with(is_bar), inside.ends_with(is_bar)) {
        _ if ends != begins => format!("{open}{ends}{close}"),
        (true, true) => format!("<|/{name}|>"),
        (true, false) => format!("<{name}|>"),
        (false, _) => format!("{open}/{name}{close}"),
    };
    let own = text.get(..=len)?;
    let (mut at, mut depth) = (len + 1, 1_usize);
    while depth > 0 {
        let rest = text.get(at..)?;
        let (_, end) = mark_in(rest, &mark)?;
        depth = depth - 1 + rest.get(..end)?.matches(own).count();
        at += end;
    }
    Some(at)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 40 && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-:|.".contains(c))
}

fn tells_of_thinking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == CHANNEL || THINKING.iter().any(|word| name.contains(word))
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
