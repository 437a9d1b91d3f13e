//! In text: the first call that a model has written into its text, where its turn ends, and the prose around it.
//!
//! A tagged call counts where it begins its line or ends it; one without a tag counts only where it, its fence or a tag that tells of a call
//! begins a line. Quotations are prose: lines that begin with `>` or `|`, texts between quotation marks or back-ticks of one line, in
//! `<code>` and in comments. So is a call that another has said too. Anywhere else a call is one that cannot be understood.

use std::ops::Range;

use crate::fact::{Code, Reason};
use crate::verb::{Notation, first_value};

use super::net::looks_like_call;
use super::offers::{Offers, keys_of};
use super::quotation::{closed_len, code_len, run_of};
use super::spelling::mark::mark_len;
use super::spelling::pattern::Pattern;
use super::spelling::row::SpelledAs;
use super::spelling::written::{CallText, Marked, NOTHING, NamedCall, is_tool, opener, plain_name, tells_of_call};
use super::spelling::{CALL_PATTERNS, marked};

/// So often reading may come to nothing: a text of nothing but marks must not cost the square of its length.
const TRIES_MAX: u32 = 256;
/// So many lines are asked whether they look like a call, and so many quotations are followed into objects.
const NETS_MAX: u32 = 1024;
const QUOTES_MAX: u32 = 256;
/// So many tags may stand around one call.
const OPENERS_MAX: usize = 4;
/// How a call that stands in the wrong place is told.
const MISPLACED: &str = "a call between words; write it alone in its line, or in quotation marks";

/// By what a text is read.
pub(super) struct ReadBy<'a> {
    /// Whether JSON is mended: not in a reply that was cut.
    pub(super) mends: bool,
    /// The names that were offered.
    pub(super) offers: &'a Offers<'a>,
    /// Whether another has said a call, of which this is the text.
    pub(super) is_foreign: &'a dyn Fn(&NamedCall, &str) -> bool,
}

/// The reading of a text.
pub(super) struct Scanned {
    /// The first call, or why it cannot be read.
    pub(super) call: Option<Result<NamedCall, Reason>>,
    /// The text around all calls, up to the end of the turn.
    pub(super) prose: String,
}

/// Reads a text up to the end of the turn.
pub(super) fn scan(text: &str, reading: &ReadBy<'_>) -> Scanned {
    let mut scan = Scan {
        text,
        reading,
        at: 0,
        begins: true,
        tries: 0,
        unclosed: Vec::new(),
        holes: Vec::new(),
        end: text.len(),
        has_said: false,
        nets: 0,
        quotes: 0,
    };
    let mut calls = Vec::new();
    while let Some(PlacedCall { call, place }) = scan.next() {
        let is_read = call.is_ok();
        scan.holes.push((place, "\n"));
        calls.push(call);
        if !is_read {
            break;
        }
    }
    let prose = scan.prose(!calls.is_empty());
    Scanned { call: calls.into_iter().next(), prose }
}

/// A text up to the end of the turn, without headers and ends, in which no call is sought.
pub(super) fn turn_of(text: &str) -> String {
    let reading = ReadBy { mends: false, offers: &Offers::none(), is_foreign: &|_, _| true };
    let mut scan = Scan {
        text,
        reading: &reading,
        at: 0,
        begins: true,
        tries: TRIES_MAX,
        unclosed: Vec::new(),
        holes: Vec::new(),
        end: text.len(),
        has_said: false,
        nets: 0,
        quotes: 0,
    };
    while scan.next().is_some() {}
    scan.prose(false)
}

/// The calls that stand anywhere in a text, quoted or not.
pub(super) fn calls_anywhere(text: &str) -> Vec<NamedCall> {
    let offers = Offers::none();
    let reading = ReadBy { mends: true, offers: &offers, is_foreign: &|_, _| false };
    let (mut calls, mut at) = (Vec::new(), 0);
    let mut scan = Scan {
        text,
        reading: &reading,
        at: 0,
        begins: true,
        tries: 0,
        unclosed: Vec::new(),
        holes: Vec::new(),
        end: text.len(),
        has_said: false,
        nets: 0,
        quotes: 0,
    };
    while let Some(len) = text.get(at..).and_then(|rest| rest.find(|c: char| "<[{]".contains(c) || c.is_alphabetic())) {
        (scan.at, scan.begins, scan.tries) = (at + len, true, 0);
        let (len, call) = match scan.marked() {
            Marks::Call(call, _) => (call.end.max(1), Some(call.call)),
            Marks::Unread | Marks::None => (scan.word_len(), None),
        };
        calls.extend(call);
        at = scan.at + len;
    }
    calls
}

/// A call and its place in the text.
struct PlacedCall {
    call: Result<NamedCall, Reason>,
    place: Range<usize>,
}

/// How a call counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CallCounts {
    /// Where it begins or ends a line.
    Tagged,
    /// Where it begins a line.
    Untagged,
    /// A fence, which begins a line.
    Fenced,
}

/// The kinds of what may stand at a place.
enum Marks {
    /// A call, and how it counts.
    Call(CallText, CallCounts),
    /// A mark of a call, behind which nothing can be read.
    Unread,
    /// None.
    None,
}

struct Scan<'t> {
    text: &'t str,
    reading: &'t ReadBy<'t>,
    at: usize,
    /// Whether the line has begun with nothing but space so far.
    begins: bool,
    tries: u32,
    /// Closing marks that were looked for in vain.
    unclosed: Vec<String>,
    /// Places that are not said, and the text that stands there instead.
    holes: Vec<(Range<usize>, &'static str)>,
    /// The end of the turn.
    end: usize,
    /// Whether anything was said or called so far.
    has_said: bool,
    /// How often a line was asked whether it looks like a call, and how often a quotation did not end.
    nets: u32,
    quotes: u32,
}

impl<'t> Scan<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn is_spent(&self) -> bool {
        self.tries >= TRIES_MAX
    }

    /// The length of the word, or else of the sign, that stands here.
    fn word_len(&self) -> usize {
        let rest = self.rest();
        let word = rest.len() - rest.trim_start_matches(char::is_alphanumeric).len();
        word.max(rest.chars().next().map_or(1, char::len_utf8))
    }

    /// Goes on to the next call.
    fn next(&mut self) -> Option<PlacedCall> {
        while let Some(sign) = self.rest().chars().next().filter(|_| self.at < self.end) {
            if sign.is_whitespace() {
                self.begins |= sign == '\n';
                self.at += sign.len_utf8();
            } else if self.begins && matches!(sign, '>' | '|') {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if let Some(found) = self.here(sign) {
                return Some(found);
            }
        }
        None
    }

    /// Reads what stands here and goes behind it.
    fn here(&mut self, sign: char) -> Option<PlacedCall> {
        if self.begins || matches!(sign, '<' | '[' | '{' | '✿') {
            match self.marked() {
                Marks::Call(call, counts) => return self.placed(call, counts),
                Marks::Unread if self.begins => return self.fails(self.what_is_wrong()),
                Marks::Unread | Marks::None => {}
            }
        }
        if matches!(sign, '<' | '[' | ']') && self.ends_turn() {
            return None;
        }
        if self.begins && self.looks_like_call(sign) {
            return self.fails(self.what_is_wrong());
        }
        self.at += self.quotation(sign).unwrap_or_else(|| if sign.is_alphanumeric() { self.word_len() } else { sign.len_utf8() });
        (self.begins, self.has_said) = (false, true);
        None
    }

    /// Where nothing can be read from here on.
    fn fails(&mut self, what: String) -> Option<PlacedCall> {
        let place = self.at..self.end;
        self.at = self.end;
        Some(PlacedCall { call: Err(Reason::new(Code::ReplyMalformed, what)), place })
    }

    /// A call that was read here: the act, prose, or a call in the wrong place.
    fn placed(&mut self, call: CallText, counts: CallCounts) -> Option<PlacedCall> {
        let place = self.at..self.at + call.end;
        let body = self.rest().get(call.body.clone()).unwrap_or_default().trim();
        let (is_foreign, begins) = ((self.reading.is_foreign)(&call.call, body), self.begins);
        let is_placed = match counts {
            _ if is_foreign => true,
            CallCounts::Tagged => begins || self.ends_line(place.end),
            CallCounts::Untagged => begins,
            CallCounts::Fenced => !self.goes_on(place.end),
        };
        if !is_placed {
            return self.fails(MISPLACED.to_owned());
        }
        self.at = place.end;
        // A further call directly behind it is one too.
        (self.begins, self.has_said) = (!is_foreign, true);
        (!is_foreign).then_some(PlacedCall { call: Ok(call.call), place })
    }

    /// Whether nothing but marks and further calls stands behind a place in its line.
    fn ends_line(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default().trim();
        let is_end =
            [SpelledAs::End, SpelledAs::LineEnd, SpelledAs::Header, SpelledAs::Turn].into_iter().any(|kind| marked(line, kind).is_some());
        line.is_empty() || is_end || opener(line).is_some() || CALL_PATTERNS.iter().any(|row| begins_with(&row.pattern, line))
    }

    /// Whether a sentence goes on behind a place.
    fn goes_on(&self, at: usize) -> bool {
        self.text.get(at..).unwrap_or_default().trim_start().starts_with(char::is_lowercase)
    }

    /// Whether the turn ends here. A header is passed.
    fn ends_turn(&mut self) -> bool {
        let rest = self.rest();
        let (line_end, end) = (marked(rest, SpelledAs::LineEnd), marked(rest, SpelledAs::End));
        let is_line_end = line_end.is_some_and(|len| {
            let behind = rest.get(len..).unwrap_or_default().trim_start_matches([' ', '\t']);
            behind.lines().next().is_none_or(str::is_empty) || marked(behind, SpelledAs::Turn).is_some()
        });
        let is_word = |len: usize| self.is_word(len);
        if let Some(len) = end.filter(|len| !is_word(*len)).or(line_end.filter(|_| is_line_end)) {
            self.passes(len);
            self.ends();
            return true;
        }
        if marked(rest, SpelledAs::Turn).is_some_and(|len| !is_word(len)) {
            self.ends();
            return true;
        }
        let header = marked(rest, SpelledAs::Header).filter(|len| !is_word(*len)).or_else(|| last_mark(rest));
        if let Some(len) = header {
            self.passes(len);
        }
        header.is_some()
    }

    fn passes(&mut self, len: usize) {
        self.holes.push((self.at..self.at + len, ""));
        self.at += len;
    }

    /// The turn ends here, unless nothing has been said in it.
    fn ends(&mut self) {
        if self.has_said {
            self.end = self.end.min(self.at);
        } else {
            self.at += self.word_len();
        }
    }

    /// Whether a mark here is a word of a sentence: blanks before it, and blanks or a sign of the sentence behind it.
    fn is_word(&self, len: usize) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        let behind = self.rest().get(len..).unwrap_or_default();
        !self.begins && before.ends_with(' ') && behind.starts_with([' ', ',', '.', ';', ':', '!', '?', ')'])
    }

    /// The text up to here or to its end without what is not said.
    fn prose(&self, has_call: bool) -> String {
        let (mut parts, mut from) = (Vec::new(), 0);
        for (place, instead) in &self.holes {
            let part = self.text.get(from..place.start.min(self.end)).unwrap_or_default();
            parts.push(if *instead == "\n" { without_opener(part).to_owned() } else { part.to_owned() });
            parts.push((*instead).to_owned());
            from = place.end.max(from);
        }
        parts.push(self.text.get(from..self.end).unwrap_or_default().to_owned());
        let prose = parts.concat();
        let prose = if has_call { without_thought(&prose) } else { &prose };
        if !has_call {
            return prose.trim().to_owned();
        }
        prose.split('\n').map(str::trim_end).filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// The call that stands here.
    fn marked(&mut self) -> Marks {
        let mut unread = false;
        if self.is_spent() {
            return Marks::None;
        }
        if self.begins && self.rest().starts_with("```") {
            let fenced = self.fenced().filter(|call| self.is_known(call));
            return fenced.map_or(Marks::None, |call| Marks::Call(call, CallCounts::Fenced));
        }
        for row in CALL_PATTERNS.iter() {
            let counts = match row.reads {
                SpelledAs::Tagged if begins_with(&row.pattern, self.rest()) => CallCounts::Tagged,
                // Elsewhere an object that is a call stands in the wrong place.
                SpelledAs::Untagged if (self.begins || row.pattern.is_object) && self.may_begin(&row.pattern, self.rest()) => {
                    CallCounts::Untagged
                }
                _ => continue,
            };
            match self.read(&row.pattern, self.rest(), counts == CallCounts::Tagged) {
                Some(call) if counts == CallCounts::Tagged || self.is_known(&call) => return Marks::Call(call, counts),
                Some(_) => {}
                None => unread |= counts == CallCounts::Tagged && is_call_mark(&row.pattern, self.rest()),
            }
            if self.is_spent() {
                break;
            }
        }
        match self.opened(self.rest()) {
            Some(call) => Marks::Call(call, CallCounts::Tagged),
            None if unread => Marks::Unread,
            None => Marks::None,
        }
    }

    /// Whether a call without a tag names what is known, or is all that was written.
    fn is_known(&self, call: &CallText) -> bool {
        let name = plain_name(&call.call.0);
        let is_alone = || {
            self.text.get(..self.at).is_some_and(|before| before.trim().is_empty())
                && self.rest().get(call.end..).is_some_and(|rest| rest.trim().is_empty())
        };
        is_tool(name) || self.reading.offers.deed(name).is_some() || is_alone()
    }

    /// A call by a pattern; where it has no tag, only if it names what was offered.
    fn read(&mut self, pattern: &Pattern, text: &str, is_tagged: bool) -> Option<CallText> {
        let call = pattern.read(Marked { text, behind: 0, mends: self.reading.mends });
        let call = call.filter(|call| is_tagged || call.is_sure || self.is_offered(&call.call));
        self.tries += u32::from(call.is_none());
        call
    }

    /// Whether a call names a tool or an operation, and gives it something that it takes.
    fn is_offered(&self, (name, args): &NamedCall) -> bool {
        let name = plain_name(name);
        let has =
            |key: &str| args.as_ref().is_some_and(|args| args.get(key).is_some() || args.as_str().is_some_and(|text| text.contains(key)));
        let is_deed = || self.reading.offers.deed(name).is_some_and(|deed| deed.keys.iter().any(|key| has(key)));
        name.eq_ignore_ascii_case(NOTHING) || keys_of(name).iter().any(|key| has(key)) || !is_tool(name) && is_deed()
    }

    /// Whether a pattern without a mark may stand at the beginning of a text.
    fn may_begin(&self, pattern: &Pattern, text: &str) -> bool {
        match pattern.begins.is_empty() {
            false => begins_with(pattern, text),
            true if pattern.is_object => may_be_object(text),
            true => {
                let word = text.trim_start_matches(['[', '(']);
                let name = word
                    .get(..word.find(|c: char| !(c.is_alphanumeric() || "._:/-".contains(c))).unwrap_or(word.len()))
                    .unwrap_or_default();
                let plain = plain_name(name);
                let is_name =
                    is_tool(plain) || text.starts_with("print(") || word.get(name.len()..).is_some_and(|rest| rest.starts_with(" = "));
                !name.is_empty() && (is_name || self.reading.offers.deed(plain).is_some())
            }
        }
    }

    /// A call behind tags whose names tell of one.
    fn opened(&mut self, text: &'t str) -> Option<CallText> {
        let text = Marked { text, behind: 0, mends: false };
        let mut from = 0;
        for _ in 0..OPENERS_MAX {
            from = text.behind_space(from + opener(text.from(from))?);
            if let Some(inside) = self.inside(text.from(from)) {
                let end = text.behind_closers(from + inside.end);
                return Some(CallText { body: from + inside.body.start..from + inside.body.end, end, ..inside });
            }
        }
        None
    }

    /// A call in a fence.
    fn fenced(&mut self) -> Option<CallText> {
        let rest = self.rest();
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        let word = rest.get(ticks..)?;
        let word = word.len() - word.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let text = Marked { text: rest, behind: 0, mends: false };
        let mut from = text.behind_space(ticks + word);
        // ```do {…}``` has its name where others have a language.
        if is_tool(rest.get(ticks..ticks + word)?) {
            from = ticks;
        }
        let inside = self.inside(text.from(from)).or_else(|| self.opened(text.from(from)))?;
        let end = from + inside.end;
        let mut close = text.behind_mark(end, rest.get(..ticks)?);
        if close.is_none() {
            let lines = text.from(end).find("\n```").map(|at| end + at + 1 + ticks);
            close = Some(lines.unwrap_or(end));
        }
        let end = text.behind_closers(close?);
        Some(CallText { body: from + inside.body.start..from + inside.body.end, end, ..inside })
    }

    /// The call that begins what stands inside a fence or a tag.
    fn inside(&mut self, text: &'t str) -> Option<CallText> {
        for row in CALL_PATTERNS.iter() {
            let is_tagged = row.reads == SpelledAs::Tagged;
            let may = if is_tagged {
                begins_with(&row.pattern, text)
            } else {
                row.pattern.begins.is_empty() || self.may_begin(&row.pattern, text)
            };
            if !may || self.is_spent() {
                continue;
            }
            if let Some(call) = self.read(&row.pattern, text, is_tagged) {
                return Some(call);
            }
        }
        let fence = text.strip_prefix("```").map(|rest| text.len() - rest.trim_start_matches(char::is_alphanumeric).trim_start().len());
        let inside = self.inside(text.get(fence?..)?)?;
        let from = fence?;
        let end = Marked { text, behind: 0, mends: false }.behind_mark(from + inside.end, "```").unwrap_or(from + inside.end);
        Some(CallText { body: from + inside.body.start..from + inside.body.end, end, ..inside })
    }

    /// Whether a line that begins here looks like a call in no spelling; in the middle of one, only a call that is whole.
    fn looks_like_call(&mut self, sign: char) -> bool {
        if self.is_spent() || self.nets >= NETS_MAX || code_len(self.rest()).is_some() {
            return false;
        }
        self.nets += u32::from(!sign.is_alphanumeric());
        let text = if sign == '`' && self.rest().starts_with("```") {
            self.rest().trim_start_matches('`').trim_start_matches(char::is_alphanumeric).trim_start()
        } else {
            self.rest()
        };
        let text = if sign == '`' { text.split("```").next().unwrap_or(text) } else { text };
        sign != '`' && looks_like_call(text, self.reading.offers)
            || self.rest().starts_with("```") && super::net::names_a_call(text, self.reading.offers)
    }

    /// The part of a call that cannot be read.
    fn what_is_wrong(&self) -> String {
        let inside = self.rest().trim_start_matches('`').trim_start_matches(|c: char| c.is_ascii_alphanumeric()).trim_start();
        let inside =
            if inside.starts_with('<') { inside.split_once('>').map_or(inside, |(_, behind)| behind.trim_start()) } else { inside };
        let notation = if self.reading.mends { Notation::Mended } else { Notation::Json };
        match first_value(inside, notation) {
            Err(fault) if inside.starts_with(['{', '[']) => fault.to_string(),
            _ => inside.split("</").next().unwrap_or_default().trim().chars().take(80).collect(),
        }
    }

    /// The length of what is quoted here, with its marks; nothing where no quotation begins, or where it does not end.
    fn quotation(&mut self, sign: char) -> Option<usize> {
        match sign {
            '`' => self.ticks(),
            '<' => code_len(self.rest()),
            _ => {
                let is_deep = self.quotes < QUOTES_MAX;
                let len = closed_len(self.text.get(..self.at).unwrap_or_default(), self.rest(), (sign, is_deep));
                self.quotes += u32::from(len == Some(0));
                len.filter(|len| *len > 0)
            }
        }
    }

    /// The length of what stands between back-ticks of one line, or of a fence with all that it holds.
    fn ticks(&mut self) -> Option<usize> {
        let rest = self.rest();
        let count = rest.len() - rest.trim_start_matches('`').len();
        let mark = rest.get(..count)?.to_owned();
        if self.unclosed.contains(&mark) {
            return Some(count);
        }
        let is_fence = self.begins && count >= 3;
        let line = rest.get(count..)?.split('\n').next()?;
        let len = match is_fence {
            true => fence_len(rest, &mark),
            false => run_of(line, count).map(|at| count + at + count),
        };
        if len.is_none() && is_fence {
            self.unclosed.push(mark);
        }
        Some(len.unwrap_or(count))
    }
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

fn begins_with(pattern: &Pattern, text: &str) -> bool {
    pattern.begins.iter().any(|mark| mark_len(text, mark).is_some())
}

/// Whether a text begins with a mark of a pattern that none but a call has.
fn is_call_mark(pattern: &Pattern, text: &str) -> bool {
    let tells = |mark: &str| {
        mark.starts_with(['<', '[', ']']) && mark.len() > 6 && (tells_of_call(&mark.to_ascii_lowercase()) || mark.contains("python_"))
    };
    pattern.begins.iter().any(|mark| tells(mark) && !mark.contains("name=") && mark_len(text, mark).is_some())
}

/// The length of a mark between bars with which a text ends.
fn last_mark(text: &str) -> Option<usize> {
    let inside = text.trim_end().strip_prefix("<|")?.strip_suffix("|>")?;
    (!inside.contains(['|', '<', '\n'])).then(|| text.trim_end().len())
}

/// Whether a text may begin with an object that is a call: with a key in quotation marks, or a list of objects.
fn may_be_object(text: &str) -> bool {
    text.strip_prefix(['{', '[']).is_some_and(|inside| inside.trim_start().starts_with(['"', '\'', '{']))
}

/// A text without the line that tells the thought before a call, and without the results that were made up behind it.
fn without_thought(text: &str) -> &str {
    let text = text.trim_start();
    let bare = text.trim_start_matches('*');
    let thought = bare.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("thought"))
        && bare.get(7..).is_some_and(|rest| rest.split('\n').next().is_some_and(|line| line.contains(':')));
    let text = if thought { text.split_once('\n').map_or("", |(_, behind)| behind) } else { text };
    text.split_once("\nObservation:").map_or(text, |(before, _)| before)
}

/// A text without the tags and brackets at its end that belong to the call behind it.
fn without_opener(text: &str) -> &str {
    let mut text = text;
    loop {
        let end = text.trim_end();
        let begin = if end.ends_with('>') {
            end.rfind('<')
        } else if end.ends_with(']') {
            end.rfind('[')
        } else {
            None
        };
        match begin.filter(|at| end.get(*at..).is_some_and(|tag| opener(tag) == Some(tag.len()))) {
            Some(at) => text = end.get(..at).unwrap_or_default(),
            None => return text,
        }
    }
}
