//! In text: the first call that a model has written into its text, and the prose around it.
//!
//! A call without a tag counts only where it or its fence begins a line. A tagged one counts anywhere but in a line that begins with `> `,
//! in quotation marks and in back-ticks. A call that stands letter for letter in another being's words is prose.

use std::ops::Range;

use crate::fact::{Code, Reason};
use crate::verb::{Notation, first_value};

use super::spelling::untagged::looks_like_call;
use super::spelling::written::{CallText, Marked, NamedCall};
use super::spelling::{SPELLINGS, SpelledAs};
use super::spoken_words::end_mark;

/// So often reading may come to nothing: a text of nothing but marks must not cost the square of its length.
const TRIES_MAX: u32 = 64;

/// The first call of a text.
pub(super) struct FoundCall {
    /// The call, or why it cannot be read.
    pub(super) call: Result<NamedCall, Reason>,
    /// The text around it and around all calls behind it.
    pub(super) prose: String,
}

/// Finds the first call in a text; foreign words are what others have said in the same prompt.
pub(super) fn call_in(text: &str, mends: bool, foreign: &[&str]) -> Option<FoundCall> {
    let mut scan = Scan { text, mends, foreign, at: 0, begins: true, tries: 0, unclosed: Vec::new() };
    let first = scan.next()?;
    let call = first.call;
    let mut prose = vec![text.get(..first.place.start).unwrap_or_default()];
    let mut from = first.place.end;
    while let Some(PlacedCall { call: Ok(_), place }) = scan.next() {
        prose.push(text.get(from..place.start).unwrap_or_default());
        from = place.end;
    }
    prose.push(text.get(from..).unwrap_or_default());
    let prose = prose.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    Some(FoundCall { call, prose })
}

/// A call and its place in the text.
struct PlacedCall {
    call: Result<NamedCall, Reason>,
    place: Range<usize>,
}

struct Scan<'t> {
    text: &'t str,
    mends: bool,
    foreign: &'t [&'t str],
    at: usize,
    /// Whether the line has begun with nothing but space so far.
    begins: bool,
    tries: u32,
    /// Closing marks that were looked for in vain.
    unclosed: Vec<String>,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Notes that reading came to nothing. A successful reading moves behind its end.
    fn fails(&mut self) {
        self.tries += 1;
    }

    fn is_spent(&self) -> bool {
        self.tries >= TRIES_MAX
    }

    /// Goes on to the next call.
    fn next(&mut self) -> Option<PlacedCall> {
        while let Some(sign) = self.rest().chars().next() {
            if sign.is_whitespace() {
                self.begins |= sign == '\n';
                self.at += sign.len_utf8();
            } else if self.begins && (self.rest().starts_with("> ") || self.rest().starts_with(">\n")) {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if let Some(found) = self.here(sign) {
                return Some(found);
            }
        }
        None
    }

    /// SpelledAs what stands here and goes behind it.
    fn here(&mut self, sign: char) -> Option<PlacedCall> {
        let begin = self.at;
        if matches!(sign, '<' | '[' | '{' | '`') {
            match self.marked() {
                Marks::Call(call) if self.is_foreign(&call) => {
                    self.fails();
                    self.at = begin + call.end;
                    self.begins = false;
                    return None;
                }
                Marks::Call(call) => {
                    self.at = begin + call.end;
                    self.begins = false;
                    return Some(PlacedCall { call: Ok(call.call), place: begin..self.at });
                }
                Marks::Unread(len) if self.begins => {
                    let call = Err(Reason::new(Code::ReplyMalformed, self.what_is_wrong(len)));
                    self.at = self.text.len();
                    return Some(PlacedCall { call, place: begin..self.at });
                }
                Marks::Unread(len) => {
                    self.at += len;
                    return None;
                }
                Marks::None => {}
            }
        }
        let end = if sign == '<' || sign == '[' { self.end_mark() } else { None };
        match end {
            Some(len) => self.at += len,
            None => {
                self.at += self.quotation(sign).unwrap_or(sign.len_utf8());
                self.begins = false;
            }
        }
        None
    }

    fn end_mark(&self) -> Option<usize> {
        // No end mark is longer.
        let near: String = self.rest().chars().take(64).collect();
        end_mark(&near.to_ascii_lowercase())
    }

    /// The call whose mark stands here.
    fn marked(&mut self) -> Marks {
        let mut marks = Marks::None;
        for spelling in SPELLINGS {
            let Some(mark) = spelling.marks.iter().find(|mark| self.rest().starts_with(**mark)) else { continue };
            let read = match spelling.reads {
                SpelledAs::Tagged(read) => {
                    marks = Marks::Unread(mark.len());
                    read
                }
                SpelledAs::Untagged(read) if self.begins && may_hold_call(self.rest()) => read,
                _ => continue,
            };
            if self.is_spent() {
                return Marks::None;
            }
            let text = Marked { text: self.rest(), behind: mark.len(), mends: self.mends };
            if let Some(call) = read(text).filter(|call| !call.call.0.trim().is_empty()) {
                return Marks::Call(call);
            }
            self.fails();
        }
        let is_bare = matches!(marks, Marks::None) && self.begins && looks_like_call(behind_fence(self.rest()));
        if is_bare { Marks::Unread(0) } else { marks }
    }

    /// Whether somebody else has said the call, letter for letter.
    fn is_foreign(&self, call: &CallText) -> bool {
        let text = self.rest().get(call.body.clone()).unwrap_or_default().trim();
        self.foreign.iter().any(|words| words.contains(text))
    }

    /// The part of a call that cannot be read.
    fn what_is_wrong(&self, mark: usize) -> String {
        let inside = if mark == 0 { behind_fence(self.rest()) } else { self.rest().get(mark..).unwrap_or_default().trim_start() };
        let notation = if self.mends { Notation::Mended } else { Notation::Json };
        match first_value(inside, notation) {
            Err(fault) if inside.starts_with(['{', '[']) => fault.to_string(),
            _ => inside.split("</").next().unwrap_or_default().trim().chars().take(80).collect(),
        }
    }

    /// The length of what is quoted here, with its marks; nothing where no quotation begins, or where it does not end.
    fn quotation(&mut self, sign: char) -> Option<usize> {
        if sign == '`' {
            return self.ticks();
        }
        let closes = closes(sign)?;
        let before = self.text.get(..self.at).unwrap_or_default().chars().next_back();
        if matches!(sign, '"' | '\'') && before.is_some_and(|before| before.is_alphanumeric() || ".,!?;".contains(before)) {
            return None;
        }
        let searched = sign.to_string();
        if self.unclosed.contains(&searched) {
            return None;
        }
        let len = self.closed(sign, closes);
        if len.is_none() {
            self.unclosed.push(searched);
        }
        len
    }

    /// The length of a quotation up to one of the marks that close it. An object inside is passed as a whole.
    fn closed(&mut self, sign: char, closes: &str) -> Option<usize> {
        let mut at = sign.len_utf8();
        while let Some(next) = self.rest().get(at..)?.chars().next() {
            if next == '{' && !self.is_spent() {
                let object = first_value(self.rest().get(at..)?, Notation::Json);
                self.tries += u32::from(object.is_err());
                at += object.map_or(1, |(_, len)| len);
                continue;
            }
            at += next.len_utf8();
            let follows = self.rest().get(at..)?.chars().next();
            let may_close = !matches!(next, '"' | '\'' | '\u{2019}') || !follows.is_some_and(char::is_alphanumeric);
            if closes.contains(next) && may_close {
                return Some(at);
            }
        }
        None
    }

    /// The length of what stands between back-ticks, or of a fence with all that it holds.
    fn ticks(&mut self) -> Option<usize> {
        let rest = self.rest();
        let count = rest.bytes().take_while(|byte| *byte == b'`').count();
        let mark = rest.get(..count)?.to_owned();
        if self.unclosed.contains(&mark) || self.is_spent() {
            return Some(count);
        }
        let len = match self.begins && count >= 3 {
            true => self.fence(&mark),
            false => run_of(self.rest().get(count..)?, count).map(|at| count + at + count),
        };
        if len.is_none() {
            self.fails();
            self.unclosed.push(mark);
        }
        Some(len.unwrap_or(count))
    }

    /// The length of a fence up to the line that closes it.
    fn fence(&self, mark: &str) -> Option<usize> {
        let mut at = 0;
        for line in self.rest().split_inclusive('\n') {
            if at > 0 && line.trim_start().starts_with(mark) {
                return Some(at + line.len());
            }
            at += line.len();
        }
        let first = self.rest().lines().next()?;
        first.get(mark.len()..)?.find(mark).map(|at| mark.len() + at + mark.len())
    }
}

/// The kinds of marks.
enum Marks {
    /// A call.
    Call(CallText),
    /// A mark of this length, behind which nothing can be read.
    Unread(usize),
    /// None.
    None,
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

/// Whether a text without a tag begins as a call may: with a key in quotation marks, a list of objects, or a function.
fn may_hold_call(text: &str) -> bool {
    let inside = behind_fence(text);
    let within = inside.strip_prefix(['{', '[']).unwrap_or_default().trim_start();
    // No further than its name: what stands behind it may be long.
    let is_function = || within.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "._".contains(c)).starts_with('(');
    within.starts_with(['"', '\'', '{']) || inside.starts_with('[') && is_function()
}

/// The text behind a fence and its word.
fn behind_fence(text: &str) -> &str {
    let inside = text.trim_start_matches('`');
    // One or two are a quotation.
    if text.len() - inside.len() < 3 { text } else { inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).trim_start() }
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
