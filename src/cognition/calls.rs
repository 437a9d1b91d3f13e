//! Calls: the call that stands at a place of a text, by the rows of the table.

use super::offers::{Offers, keys_of};
use super::spelling::mark::mark_len;
use super::spelling::pattern::Pattern;
use super::spelling::row::SpelledAs;
use super::spelling::written::{CallText, Marked, NamedCall, is_tool, opener, plain_name, tells_of_call};
use super::spelling::{CALL_PATTERNS, CallPattern};

/// So many tags may stand around one call.
const OPENERS_MAX: usize = 4;
/// So many bytes may be read in vain in any text, and so many for each of its bytes.
const VAIN: usize = 1 << 16;
const VAIN_EACH: usize = 16;

/// How a call counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CallCounts {
    /// Where it begins or ends a line.
    Tagged,
    /// Where it begins a line.
    Untagged,
    /// A fence, which begins a line.
    Fenced,
}

/// The kinds of what may stand at a place.
pub(super) enum Marks {
    /// A call, and how it counts.
    Call(CallText, CallCounts),
    /// A mark of a call, behind which nothing can be read.
    Unread,
    /// None.
    None,
}

/// A reader of the calls of one text.
pub(super) struct CallReader<'a> {
    /// Whether JSON is mended: not in a reply that was cut.
    mends: bool,
    offers: &'a Offers<'a>,
    /// So many bytes may still be read in vain: a text of nothing but marks must not cost the square of its length.
    vain: usize,
}

impl<'a> CallReader<'a> {
    pub(super) fn of(text: &str, mends: bool, offers: &'a Offers<'a>) -> Self {
        Self { mends, offers, vain: VAIN + VAIN_EACH * text.len() }
    }

    /// The call that a text begins with, at the beginning of a line or in the middle of it. `is_first` says whether nothing stands before it.
    pub(super) fn at(&mut self, text: &str, begins: bool, is_first: bool) -> Marks {
        if begins && text.starts_with("```") {
            let fenced = self.fenced(text).filter(|call| self.is_known(call, text, is_first));
            return fenced.map_or(Marks::None, |call| Marks::Call(call, CallCounts::Fenced));
        }
        let mut unread = false;
        for row in CALL_PATTERNS.iter() {
            let counts = match row.reads {
                SpelledAs::Tagged if self.may_begin(row, text) => CallCounts::Tagged,
                // In the middle of a line an object or a function that is a call stands in the wrong place.
                SpelledAs::Untagged if (begins || row.pattern.is_whole) && self.may_begin(row, text) => CallCounts::Untagged,
                _ => continue,
            };
            match self.read(&row.pattern, text, counts == CallCounts::Tagged) {
                Some(call) if counts == CallCounts::Tagged || self.is_known(&call, text, is_first) => return Marks::Call(call, counts),
                Some(_) => {}
                None => unread |= is_call_mark(&row.pattern, text),
            }
        }
        match self.opened(text) {
            Some(call) => Marks::Call(call, CallCounts::Tagged),
            None if unread => Marks::Unread,
            None => Marks::None,
        }
    }

    /// The calls that stand anywhere in a text, quoted or not, also one inside of another; and whether the text was read to its end.
    pub(super) fn anywhere(mut self, text: &str) -> (Vec<NamedCall>, bool) {
        let (mut calls, mut at) = (Vec::new(), 0);
        while let Some(len) = text.get(at..).and_then(|rest| rest.find(|c: char| "<[{]`".contains(c) || c.is_alphabetic())) {
            let rest = text.get(at + len..).unwrap_or_default();
            if let Marks::Call(call, _) = self.at(rest, true, false) {
                // A further one may stand in it: it costs as much as one that came to nothing.
                self.vain = self.vain.saturating_sub(call.end);
                calls.push(call.call);
            }
            at += len + word_len(rest);
        }
        (calls, self.vain > 0)
    }

    /// Whether a call without a tag names what is known, or is all that was written.
    fn is_known(&self, call: &CallText, text: &str, is_first: bool) -> bool {
        let name = &*call.call.0;
        let is_alone = || is_first && text.get(call.end..).is_some_and(|rest| rest.trim().is_empty());
        is_tool(plain_name(name)) || self.offers.deed(name).is_some() || is_alone()
    }

    /// A call by a pattern; where it has no tag, only if it names what was offered.
    fn read(&mut self, pattern: &Pattern, text: &str, is_tagged: bool) -> Option<CallText> {
        if self.vain == 0 {
            return None;
        }
        let (call, seen) = pattern.read(Marked { text, mends: self.mends });
        let call = call.filter(|call| is_tagged || call.is_sure || self.is_offered(&call.call));
        if call.is_none() {
            self.vain = self.vain.saturating_sub(seen.max(8));
        }
        call
    }

    /// Whether a call names a tool or an operation, and gives it something that it takes.
    fn is_offered(&self, (name, args): &NamedCall) -> bool {
        let has =
            |key: &str| args.as_ref().is_some_and(|args| args.get(key).is_some() || args.as_str().is_some_and(|text| text.contains(key)));
        let plain = plain_name(name);
        let is_deed = || self.offers.deed(name).is_some_and(|deed| deed.keys.iter().any(|key| has(key)));
        keys_of(plain).iter().any(|key| has(key)) || is_deed()
    }

    /// Whether a pattern may stand at the beginning of a text.
    fn may_begin(&self, CallPattern { pattern, .. }: &CallPattern, text: &str) -> bool {
        let begun = pattern.begins.iter().find_map(|mark| mark_len(text, mark));
        match begun {
            Some(len) if pattern.is_named_at_once => self.names_what_is_known(text.get(len..).unwrap_or_default()),
            Some(_) => true,
            None if !pattern.begins.is_empty() => false,
            None if pattern.is_object => may_be_object(text),
            None => self.names_what_is_known(text.strip_prefix('[').unwrap_or(text)) || text.starts_with("print(") || is_assigned(text),
        }
    }

    /// Whether a text begins with the name of a tool or of an operation that was offered.
    fn names_what_is_known(&self, text: &str) -> bool {
        let name = text.get(..text.find(|c: char| !(c.is_alphanumeric() || "._:/-".contains(c))).unwrap_or(text.len())).unwrap_or_default();
        !name.is_empty() && name.len() <= 256 && (is_tool(plain_name(name)) || self.offers.deed(name).is_some())
    }

    /// A call behind tags whose names tell of one.
    fn opened(&mut self, text: &str) -> Option<CallText> {
        let text = Marked { text, mends: self.mends };
        let mut from = 0;
        for _ in 0..OPENERS_MAX {
            from = text.behind_space(from + opener(text.from(from))?);
            if let Some(inside) = self.inside(text.from(from)) {
                return Some(inside.behind(from, |end| text.behind_closers(end)));
            }
        }
        None
    }

    /// A call in a fence.
    fn fenced(&mut self, text: &str) -> Option<CallText> {
        let ticks = text.len() - text.trim_start_matches('`').len();
        let (mark, info) = text.split_at_checked(ticks)?;
        let word = info.len() - info.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let text = Marked { text, mends: self.mends };
        // ```do {…}``` has its name where others have a language.
        let from = if is_tool(info.get(..word)?) { ticks } else { text.behind_space(ticks + word) };
        let inside = self.inside(text.from(from)).or_else(|| self.opened(text.from(from)))?;
        let close = |end: usize| {
            let line = || text.from(end).find("\n```").map(|at| end + at + 1 + ticks);
            text.behind_closers(text.behind_mark(end, mark).or_else(line).unwrap_or(end))
        };
        Some(inside.behind(from, close))
    }

    /// The call that begins what stands inside a fence or a tag, which may be a fence once more.
    fn inside(&mut self, text: &str) -> Option<CallText> {
        let fence = text.strip_prefix("```").map(|rest| rest.trim_start_matches(char::is_alphanumeric).trim_start());
        let from = fence.map_or(0, |inside| text.len() - inside.len());
        let inside = text.get(from..)?;
        let call = CALL_PATTERNS.iter().find_map(|row| {
            let may = row.reads == SpelledAs::Inside && row.pattern.begins.is_empty() || self.may_begin(row, inside);
            if may { self.read(&row.pattern, inside, row.reads == SpelledAs::Tagged) } else { None }
        })?;
        let text = Marked { text, mends: self.mends };
        let close = |end: usize| if fence.is_some() { text.behind_mark(end, "```").unwrap_or(end) } else { end };
        Some(call.behind(from, close))
    }
}

/// The length of the word, or else of the sign, that a text begins with.
pub(super) fn word_len(text: &str) -> usize {
    let word = text.len() - text.trim_start_matches(char::is_alphanumeric).len();
    word.max(text.chars().next().map_or(1, char::len_utf8))
}

/// Whether a text begins with a mark of a pattern that none but a call has: a tag, or a word and the name of a tool behind it.
pub(super) fn is_call_mark(pattern: &Pattern, text: &str) -> bool {
    let is_tag = |mark: &str| mark.starts_with(['<', '[', ']']) && (tells_of_call(&mark.to_ascii_lowercase()) || mark.contains("python_"));
    let names_tool = |len: usize| {
        let rest = text.get(len..).unwrap_or_default().split('\n').next().unwrap_or_default();
        let name = rest.trim_start_matches(|c: char| c.is_ascii_digit() || " :*`".contains(c));
        is_tool(name.trim_end_matches([' ', '*', '`'])) && rest.contains(':')
    };
    pattern.begins.iter().any(|mark| {
        let tells = mark.len() > 6 && is_tag(mark) && !mark.contains("name=");
        mark_len(text, mark).is_some_and(|len| tells || mark.starts_with(['A', '*']) && names_tool(len))
    })
}

/// Whether a text may begin with an object that is a call: with a key in quotation marks, or a list of objects.
pub(super) fn may_be_object(text: &str) -> bool {
    text.strip_prefix(['{', '[']).is_some_and(|inside| inside.trim_start().starts_with(['"', '\'', '{']))
}

/// Whether a text begins with a word that a value is given to.
fn is_assigned(text: &str) -> bool {
    let word = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    word.len() < text.len() && word.starts_with(" = ")
}
