//! In text: the first call that a model has written into its text, where its turn ends, and the prose around it.
//!
//! A tagged call counts where it begins its line or ends it; one without a tag counts only where it, its fence or a tag that tells of a call
//! begins a line. Quotations are prose: lines that begin with `>` or `|`, texts between quotation marks or back-ticks of one line, in
//! `<code>` and in comments. So is a call that another has said too. Anywhere else a call is one that cannot be understood.

use std::ops::Range;

use crate::fact::{Code, Reason};
use crate::verb::{Notation, first_value};

use super::calls::{CallCounts, CallReader, Marks, is_call_mark, may_be_object, word_len};
use super::net::{is_broken, looks_like_call, names_a_call};
use super::offers::Offers;
use super::quotation::Quotations;
use super::spelling::mark::mark_in;
use super::spelling::row::SpelledAs;
use super::spelling::written::{CallText, NamedCall, closer, is_tool, opener};
use super::spelling::{CALL_PATTERNS, marked};

/// So many lines are asked whether they look like a call.
const NETS_MAX: u32 = 1024;
/// How a call that stands in the wrong place is told.
const MISPLACED: &str = "a call between words; write it alone in its line, or in quotation marks";
/// Words of which one stands in the name of a tag around a call.
const RESIDUE: [&str; 9] = ["tool", "tools", "toolcall", "call", "calls", "function", "functions", "invoke", "functioncall"];
/// Beginnings of calls before which a thought may stand in words, and behind which a result that was made up.
const THOUGHTFUL: [&str; 4] = ["Action", "**Action", "Call:", "\u{884c}\u{52a8}"];

/// By what a text is read.
pub(super) struct ReadBy<'a> {
    /// Whether JSON is mended: not in a reply that was cut.
    pub(super) mends: bool,
    /// The names that were offered.
    pub(super) offers: &'a Offers<'a>,
    /// Whether another has said a call.
    pub(super) is_foreign: &'a dyn Fn(&NamedCall) -> bool,
}

/// The reading of a text.
pub(super) struct Scanned {
    /// The first call, or why it cannot be read.
    pub(super) call: Option<Result<NamedCall, Reason>>,
    /// How many calls that can be read stand behind it.
    pub(super) more: u64,
    /// The text around all calls, up to the end of the turn.
    pub(super) prose: String,
}

/// Reads a text up to the end of the turn.
pub(super) fn scan(text: &str, reading: &ReadBy<'_>) -> Scanned {
    let mut scan = Scan::of(text, reading);
    let (mut first, mut more) = (None, 0);
    while let Some(PlacedCall { call, more: inside, place }) = scan.next() {
        scan.holes.push((place, HOLE));
        more += inside + u64::from(first.is_some() && call.is_ok());
        first = first.or(Some(call));
    }
    Scanned { call: first, more, prose: scan.prose() }
}

/// A text up to the end of the turn, without headers and ends. No call is sought in it.
pub(super) fn turn_of(text: &str) -> String {
    let reading = ReadBy { mends: false, offers: &Offers::none(), is_foreign: &|_| true };
    let mut scan = Scan { seeks_calls: false, ..Scan::of(text, &reading) };
    while scan.next().is_some() {}
    scan.prose()
}

/// A call and its place in the text.
struct PlacedCall {
    call: Result<NamedCall, Reason>,
    /// How many further calls stand in it.
    more: u64,
    place: Range<usize>,
}

/// The text that stands in the place of a call: the end of a line.
const HOLE: &str = "\n";

struct Scan<'t> {
    text: &'t str,
    reading: &'t ReadBy<'t>,
    calls: CallReader<'t>,
    quotations: Quotations,
    seeks_calls: bool,
    at: usize,
    /// Whether the line has begun with nothing but space so far.
    begins: bool,
    /// Places that are not said, and the text that stands there instead.
    holes: Vec<(Range<usize>, &'static str)>,
    /// The end of the turn.
    end: usize,
    /// Whether anything was said or called so far.
    has_said: bool,
    /// Whether a thought may stand in words before a call.
    is_thoughtful: bool,
    /// How often a line was asked whether it looks like a call.
    nets: u32,
}

impl<'t> Scan<'t> {
    fn of(text: &'t str, reading: &'t ReadBy<'t>) -> Self {
        Self {
            text,
            reading,
            calls: CallReader::of(text, reading.mends, reading.offers),
            quotations: Quotations::default(),
            seeks_calls: true,
            at: 0,
            begins: true,
            holes: Vec::new(),
            end: text.len(),
            has_said: false,
            is_thoughtful: false,
            nets: 0,
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes on to the next call.
    fn next(&mut self) -> Option<PlacedCall> {
        while let Some(sign) = self.rest().chars().next().filter(|_| self.at < self.end) {
            if sign.is_whitespace() || is_invisible(sign) {
                self.begins |= matches!(sign, '\n' | '\r');
                self.at += sign.len_utf8();
            } else if self.begins && is_quoted_line(self.rest()) {
                self.at = self.line_end();
                self.has_said = true;
            } else if let Some(found) = self.here(sign) {
                return Some(found);
            }
        }
        None
    }

    fn line_end(&self) -> usize {
        self.rest().find(['\n', '\r']).map_or(self.end, |len| self.at + len)
    }

    /// Reads what stands here and goes behind it.
    fn here(&mut self, sign: char) -> Option<PlacedCall> {
        if marked(self.rest(), SpelledAs::Turn).is_some() && self.ends_turn() {
            return None;
        }
        let may_hold = match sign {
            '{' | '[' if !self.begins => may_be_object(self.rest()) || opener(self.rest()).is_some() || self.rest().starts_with("[TOOL"),
            '<' | '[' | '{' | '\u{273f}' => true,
            // A function in the middle of a line stands in the wrong place.
            _ => self.begins || is_function(self.text.get(..self.at).unwrap_or_default(), self.rest()),
        };
        if self.seeks_calls && may_hold {
            match self.calls.at(self.rest(), self.begins, !self.has_said) {
                Marks::Call(call, counts) => return self.placed(call, counts),
                Marks::Unread if self.begins => return self.fails(self.what_is_wrong(), false),
                Marks::Unread | Marks::None => {}
            }
        }
        if matches!(sign, '<' | '[' | ']') && self.ends_turn() {
            return None;
        }
        if self.seeks_calls && self.begins && self.looks_like_call(sign) {
            return self.fails(self.what_is_wrong(), false);
        }
        let quoted = self.quotations.len(self.text, self.at, self.begins);
        self.at += quoted.unwrap_or_else(|| if sign.is_alphanumeric() { word_len(self.rest()) } else { sign.len_utf8() });
        (self.begins, self.has_said) = (false, true);
        None
    }

    /// A call that cannot be read, with its line or its paragraph.
    fn fails(&mut self, what: String, only_line: bool) -> Option<PlacedCall> {
        let from = self.at;
        self.at = if only_line { self.line_end() } else { self.rest().find("\n\n").map_or(self.end, |len| from + len) };
        self.has_said = true;
        Some(PlacedCall { call: Err(Reason::new(Code::ReplyMalformed, what)), more: 0, place: from..self.at })
    }

    /// A call that was read here: the act, prose, or a call in the wrong place.
    fn placed(&mut self, call: CallText, counts: CallCounts) -> Option<PlacedCall> {
        let place = self.at..self.at + call.end;
        let is_foreign = (self.reading.is_foreign)(&call.call);
        let is_placed = match counts {
            _ if is_foreign => true,
            CallCounts::Tagged => self.begins || self.ends_line(place.end),
            CallCounts::Untagged => self.begins,
            CallCounts::Fenced => !self.goes_on(place.end),
        };
        if !is_placed {
            return self.fails(MISPLACED.to_owned(), true);
        }
        self.is_thoughtful |= !is_foreign && THOUGHTFUL.iter().any(|begin| self.rest().starts_with(begin));
        self.at = place.end;
        // A further call directly behind it is one too.
        (self.begins, self.has_said) = (!is_foreign, true);
        (!is_foreign).then_some(PlacedCall { call: Ok(call.call), more: call.more, place })
    }

    /// Whether nothing but marks and further calls stands behind a place in its line.
    fn ends_line(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default().trim();
        let ends = [SpelledAs::End, SpelledAs::LineEnd, SpelledAs::Header, SpelledAs::Turn];
        let is_end = ends.into_iter().any(|kind| marked(line, kind).is_some());
        let is_opened = || opener(line).is_some_and(|len| may_be_object(line.get(len..).unwrap_or_default().trim_start()));
        let is_call = || CALL_PATTERNS.iter().any(|row| row.reads == SpelledAs::Tagged && is_call_mark(&row.pattern, line));
        line.is_empty() || is_end || is_opened() || is_call()
    }

    /// Whether a sentence goes on behind a place.
    fn goes_on(&self, at: usize) -> bool {
        self.text.get(at..).unwrap_or_default().trim_start().starts_with(char::is_lowercase)
    }

    /// Whether a mark stands here by which the turn ends, or one that is passed: an end before anything was said, or a header.
    fn ends_turn(&mut self) -> bool {
        let rest = self.rest();
        let as_mark = |len: &usize| !self.is_word(*len);
        let behind = |len: usize| rest.get(len..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let ends_line =
            |len: &usize| behind(*len).lines().next().is_none_or(str::is_empty) || marked(behind(*len), SpelledAs::Turn).is_some();
        let line_end = || marked(rest, SpelledAs::LineEnd).filter(|len| ends_line(len) && !self.is_paired());
        let end = marked(rest, SpelledAs::End).filter(as_mark).or_else(line_end);
        let is_glued = !self.text.get(..self.at).unwrap_or_default().ends_with(' ');
        let is_barred = rest.starts_with("<|") || rest.starts_with("<\u{ff5c}");
        let turn = marked(rest, SpelledAs::Turn).filter(|len| as_mark(len) && (self.begins || is_glued || is_barred));
        let is_struck = || rest.starts_with("<s>") && (self.has_said || rest.lines().next().is_some_and(|line| line.contains("</s>")));
        let header = marked(rest, SpelledAs::Header).filter(|len| as_mark(len) && !is_struck());
        let residue = || closer(rest).filter(|len| as_mark(len) && rest.get(..*len).is_some_and(|tag| self.is_residue(tag)));
        let unknown = || line_mark(rest).filter(|len| !self.begins && as_mark(len));
        // A mark that nobody knows ends the turn where somebody else goes on.
        let end = end.or_else(|| {
            if header.is_none() { unknown().filter(|len| names_a_speaker(rest.get(*len..).unwrap_or_default().trim_start())) } else { None }
        });
        let passed = end.or(header).or_else(unknown).or_else(|| self.last_mark()).or_else(residue);
        if turn.is_some() || end.is_some() && self.has_said {
            self.end = self.at;
            return true;
        }
        if let Some(len) = passed {
            self.holes.push((self.at..self.at + len, ""));
            self.at += len;
        }
        passed.is_some()
    }

    /// The length of a mark between bars with which the reply ends. It may have been cut off inside of it, behind a sentence.
    fn last_mark(&self) -> Option<usize> {
        let len = last_mark(self.rest())?;
        let is_whole = self.rest().trim_end().ends_with("|>");
        let before = self.text.get(..self.at).unwrap_or_default();
        (is_whole || !self.begins && before.ends_with(['.', '!', '?', '\u{2026}'])).then_some(len)
    }

    /// Whether a closing tag belongs to a call: it is named so, and one was read, or nothing of its name was opened.
    fn is_residue(&self, tag: &str) -> bool {
        let name = tag.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        let is_named = name.split(|c: char| !c.is_alphanumeric()).any(|word| RESIDUE.contains(&word));
        let has_call = self.holes.iter().any(|(_, instead)| *instead == HOLE);
        let is_opened = || {
            mark_in(self.text.get(..self.at).unwrap_or_default(), &format!("<{name}")).is_some() || self.text.contains(&format!("[{name}"))
        };
        is_named && (has_call || !is_opened())
    }

    /// Whether `<s>` stands in the line before this place: then `</s>` is no end.
    fn is_paired(&self) -> bool {
        self.text.get(..self.at).unwrap_or_default().rsplit('\n').next().is_some_and(|line| line.contains("<s>"))
    }

    /// Whether a mark here is a word of a sentence: blanks before it, and blanks or a sign of the sentence behind it.
    fn is_word(&self, len: usize) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        let behind = self.rest().get(len..).unwrap_or_default();
        !self.begins && before.ends_with(' ') && behind.starts_with([' ', ',', '.', ';', ':', '!', '?', ')'])
    }

    /// The text up to the end of the turn, without the places that are not said.
    fn prose(&self) -> String {
        let (mut parts, mut from) = (vec![String::new()], 0);
        for (place, instead) in &self.holes {
            let part = self.text.get(from..place.start.min(self.end)).unwrap_or_default();
            let is_call = *instead == HOLE;
            if let Some(last) = parts.last_mut() {
                *last += if is_call { without_opener(part) } else { part };
            }
            if is_call {
                parts.push(String::new());
            }
            from = place.end.max(from);
        }
        if let Some(last) = parts.last_mut() {
            *last += self.text.get(from..self.end).unwrap_or_default();
        }
        // A comma between two calls belongs to them.
        let is_said = |part: &&str| !part.trim_matches([',', ';', ' ']).is_empty() || self.holes.is_empty();
        let parts = parts.iter().map(|part| part.trim()).filter(is_said).filter(|part| !part.is_empty());
        let prose = parts.collect::<Vec<_>>().join("\n");
        if self.is_thoughtful { without_thought(&prose).trim().to_owned() } else { prose }
    }

    /// Whether a line that begins here looks like a call in no spelling.
    fn looks_like_call(&mut self, sign: char) -> bool {
        if self.nets >= NETS_MAX || self.quotations.code_len(self.text, self.at).is_some() {
            return false;
        }
        self.nets += u32::from(!sign.is_alphanumeric());
        match self.rest().strip_prefix("```") {
            Some(fenced) => {
                let inside = fenced.trim_start_matches(char::is_alphanumeric).trim_start().split("```").next().unwrap_or_default();
                is_broken(inside) || names_a_call(inside, self.reading.offers)
            }
            None => sign != '`' && looks_like_call(self.rest(), self.reading.offers),
        }
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
}

/// Whether a sign is one that nobody sees.
fn is_invisible(sign: char) -> bool {
    matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\0' | '\u{1b}')
}

/// Whether a tool is called as a function behind a label, a sentence or the sign of a list.
fn is_function(before: &str, text: &str) -> bool {
    let name = text.get(..word_len(text)).unwrap_or_default();
    let is_called = is_tool(name) && text.get(name.len()..).is_some_and(|rest| rest.starts_with('('));
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_apart = line.ends_with(' ') || line.ends_with("**");
    is_called && is_apart && line.trim_end().ends_with([':', '.', '!', '?', '-', '*', '#', '>', ')', '\u{2192}'])
}

/// Whether a line is quoted, be it in a list.
fn is_quoted_line(line: &str) -> bool {
    let item = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let bare = item.strip_prefix(['-', '*', '+', '.', ')']).filter(|bare| bare.starts_with(' ')).map(str::trim_start);
    line.starts_with(['>', '|']) || bare.is_some_and(|bare| bare.starts_with('>'))
}

/// Whether a text begins with a name and a colon.
fn names_a_speaker(text: &str) -> bool {
    let name = text.split(':').next().unwrap_or_default();
    name.len() < text.len() && (1..=32).contains(&name.len()) && name.chars().all(|c| c.is_alphanumeric() || "_-@".contains(c))
}

/// The length of a mark between bars that ends a line.
fn line_mark(text: &str) -> Option<usize> {
    let line = text.lines().next()?;
    last_mark(line).filter(|len| line.get(..*len).is_some_and(|mark| mark.ends_with("|>")))
}

/// The length of a mark between bars with which a text ends.
fn last_mark(text: &str) -> Option<usize> {
    let inside = text.trim_end().strip_prefix("<|")?;
    // The reply may have been cut off inside of its last mark.
    let inside = inside.strip_suffix("|>").or_else(|| inside.strip_suffix('|')).unwrap_or(inside);
    let inside = Some(inside).filter(|inside| inside.len() <= 40 && !inside.contains(char::is_whitespace))?;
    (!inside.contains(['|', '<', '\n'])).then(|| text.trim_end().len())
}

/// A text without the line that tells the thought before a call, and without the results that were made up behind it.
fn without_thought(text: &str) -> &str {
    let bare = text.trim_start().trim_start_matches('*');
    let told = bare.strip_prefix("Thought").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' '));
    let is_told = told.is_some_and(|rest| rest.starts_with([':', '*']));
    let text = if is_told { text.split_once('\n').map_or("", |(_, behind)| behind) } else { text };
    match text.starts_with("Observation:") {
        true => "",
        false => text.split_once("\nObservation:").map_or(text, |(before, _)| before),
    }
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
