//! Pattern: how a row of the table says where a call has its name and its arguments, and the reading of a text by it.
//!
//! A pattern is marks and slots. A slot is `$` and a word of [`SLOTS`]. `«…»*` stands any number of times, `«…»?` once or not at all. Space in
//! a text may stand between all of them. A name or a key that stands there a second time is the same again.

use serde_json::{Map, Value as Json};

use crate::dialect::freed;
use crate::verb::{Notation, first_value};

use super::mark::{mark_in, mark_len};
use super::pairs::pairs;
use super::pythonic::calls;
use super::written::{CallText, Marked, NamedCall, first_of, further, is_called, named};

/// The longest name of a call, or text that is skipped, with all that models put around it.
const NAME_MAX: usize = 256;
/// So many bytes count as looked at for an object, if that many stand there.
const LOOKED: usize = 256;
/// The deepest elements that are read.
const DEPTH_MAX: usize = 24;
/// The keys whose values are objects, which may stand as elements of their own.
const OBJECTS: [&str; 4] = ["args", "payload", "arguments", "parameters"];

/// A mark of MiniMax M3 before each tag.
const MINIMAX: &str = "]<]minimax[>[";

/// The slots of a pattern, each by its word.
const SLOTS: [(&str, Slot); 13] = [
    ("$name", Slot::Name),
    ("$key", Slot::Key),
    ("$value", Slot::Value),
    ("$unclosed", Slot::Unclosed),
    ("$quoted", Slot::Quoted),
    ("$args", Slot::Args),
    ("$calls", Slot::Calls),
    ("$call", Slot::Call),
    ("$pairs", Slot::Pairs),
    ("$skip", Slot::Skip),
    ("$attributes", Slot::Attributes),
    ("$rest", Slot::Rest),
    ("$end", Slot::End),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// The name of the call.
    Name,
    /// The name of an argument.
    Key,
    /// The text of an argument, up to the marks behind it.
    Value,
    /// The same, up to the next tag of an argument or the end of the call.
    Unclosed,
    /// The same between quotation marks.
    Quoted,
    /// All arguments as an object: JSON or a dictionary of Python, which may be fenced.
    Args,
    /// The call as an object, or a list of calls, as JSON or in Python.
    Call,
    /// Calls of functions, as in Python.
    Calls,
    /// All arguments with bare keys.
    Pairs,
    /// A short text that says nothing.
    Skip,
    /// All that stands before the end of a tag.
    Attributes,
    /// All that is left of the text.
    Rest,
    /// Nothing, where a mark that ends a call follows, or the end of the text.
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternPart {
    Mark(String),
    Slot(Slot),
    /// Pieces that stand once or not at all, or any number of times.
    Group(Vec<PatternPart>, bool),
}

/// A pattern, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pieces: Vec<PatternPart>,
    /// The marks that it may begin with; none where it begins with a slot.
    pub begins: Vec<String>,
    /// Whether it is an object, wherever its name stands.
    pub is_object: bool,
    /// Whether it is nothing but a whole object or function.
    pub is_whole: bool,
    /// Whether its name follows a first mark that says nothing by itself.
    pub is_named_at_once: bool,
}

impl Pattern {
    /// Takes a pattern apart.
    pub fn of(text: &str) -> Self {
        let pieces = pieces(text);
        let (mut begins, is_object) = (Vec::new(), pieces.first() == Some(&PatternPart::Slot(Slot::Call)));
        let has_mark = firsts(&pieces, &mut begins);
        let is_whole = matches!(*pieces, [PatternPart::Slot(Slot::Call | Slot::Calls)]);
        let is_named_at_once = matches!(pieces.get(..2), Some([PatternPart::Mark(mark), PatternPart::Slot(Slot::Name)]) if mark.len() == 1);
        Self { pieces, begins: if has_mark { begins } else { Vec::new() }, is_object, is_whole, is_named_at_once }
    }

    /// The call that a text begins with, and how many bytes were read for it.
    pub fn read(&self, text: Marked<'_>) -> (Option<CallText>, usize) {
        let (name, key) = (String::new(), String::new());
        let mut reading =
            PatternReading { text, at: 0, name, key, args: None, map: Map::new(), call: None, is_sure: false, more: 0, seen: 0 };
        let is_read = reading.all(&self.pieces).is_some();
        let PatternReading { at, name, args, map, call, is_sure, more, seen, .. } = reading;
        let call = call.unwrap_or((name, args.or((!map.is_empty()).then_some(Json::Object(map)))));
        let is_call = is_read && !call.0.trim().is_empty();
        (is_call.then(|| CallText { call, end: text.behind_closers(at), is_sure, more }), at + seen)
    }
}

/// Gathers the marks that pieces may begin with; whether they begin with one.
fn firsts(pieces: &[PatternPart], marks: &mut Vec<String>) -> bool {
    for piece in pieces {
        match piece {
            PatternPart::Mark(mark) => {
                marks.push(mark.clone());
                return true;
            }
            PatternPart::Slot(_) => return false,
            PatternPart::Group(group, _) => drop(firsts(group, marks)),
        }
    }
    false
}

fn pieces(text: &str) -> Vec<PatternPart> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('«') {
            let (inner, behind) = group_of(inner);
            pieces.push(PatternPart::Group(self::pieces(inner), behind.starts_with('*')));
            rest = behind.strip_prefix(['*', '?']).unwrap_or(behind);
        } else if let Some((word, slot)) = SLOTS.iter().find(|(word, _)| rest.starts_with(word)) {
            pieces.push(PatternPart::Slot(*slot));
            rest = rest.get(word.len()..).unwrap_or_default();
        } else {
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let len = rest.get(first..).and_then(|behind| behind.find(['«', '$'])).map_or(rest.len(), |len| first + len);
            let (mark, behind) = rest.split_at(len);
            pieces.extend((!mark.trim().is_empty()).then(|| PatternPart::Mark(mark.trim().to_owned())));
            rest = behind;
        }
    }
    pieces
}

/// The text of a group up to its end, and what stands behind it.
fn group_of(text: &str) -> (&str, &str) {
    let mut depth = 1;
    for (at, sign) in text.char_indices() {
        depth += i32::from(sign == '«') - i32::from(sign == '»');
        if depth == 0 {
            return (text.get(..at).unwrap_or_default(), text.get(at + sign.len_utf8()..).unwrap_or_default());
        }
    }
    (text, "")
}

/// A text that is read by a pattern.
struct PatternReading<'t> {
    text: Marked<'t>,
    at: usize,
    name: String,
    key: String,
    args: Option<Json>,
    map: Map<String, Json>,
    call: Option<NamedCall>,
    is_sure: bool,
    more: u64,
    /// How many bytes were looked at that do not stand behind it.
    seen: usize,
}

impl<'t> PatternReading<'t> {
    fn rest(&self) -> &'t str {
        self.text.from(self.at)
    }

    fn all(&mut self, pieces: &[PatternPart]) -> Option<()> {
        for (nth, piece) in pieces.iter().enumerate() {
            match piece {
                PatternPart::Mark(mark) => self.mark(mark)?,
                PatternPart::Slot(slot) => self.slot(*slot, pieces.get(nth + 1..).unwrap_or_default())?,
                PatternPart::Group(group, true) => while self.group(group, true) {},
                PatternPart::Group(group, false) => {
                    self.group(group, false);
                }
            }
        }
        Some(())
    }

    /// Whether a group stands next; where it does not, nothing was read.
    fn group(&mut self, group: &[PatternPart], repeats: bool) -> bool {
        let (at, key, count) = (self.at, self.key.clone(), self.map.len());
        if repeats {
            self.key.clear();
        }
        let is_read = self.all(group).is_some() && self.at > at;
        if !is_read && self.map.len() == count {
            (self.at, self.key) = (at, key);
        }
        is_read
    }

    fn mark(&mut self, mark: &str) -> Option<()> {
        self.at = self.text.behind_space(self.at);
        self.at += mark_len(self.rest(), mark)?;
        Some(())
    }

    fn slot(&mut self, slot: Slot, behind: &[PatternPart]) -> Option<()> {
        if !matches!(slot, Slot::Value | Slot::Unclosed | Slot::End) {
            self.at = self.text.behind_space(self.at);
        }
        if matches!(slot, Slot::Args | Slot::Call | Slot::Calls | Slot::Pairs) {
            self.seen += self.rest().len().min(LOOKED);
        }
        match slot {
            Slot::Name => self.name = self.word(&self.name.clone(), ".:/@-_")?,
            Slot::Key => self.key = self.word(&self.key.clone(), ".-_")?,
            Slot::Value => {
                let len = self.until(behind)?;
                self.value(len)?;
            }
            Slot::Unclosed => {
                let ends = |at: &usize| {
                    ["<¤param", "<¤arg_", "</"].iter().any(|mark| self.rest().get(*at..).is_some_and(|rest| mark_len(rest, mark).is_some()))
                };
                let len = self.rest().match_indices('<').map(|(at, _)| at).find(ends)?;
                self.value(len)?;
            }
            Slot::Quoted => self.quoted()?,
            Slot::Args => self.args()?,
            Slot::Call => {
                let (fence, from) = self.behind_fence();
                let read = |notation| {
                    let (value, end) = self.text.value(from, notation)?;
                    // A model that is held to a schema says under its key that it is a call.
                    let (is_held, more, first) = (freed(&value).is_some(), further(&value), first_of(value));
                    Some((named(&first)?, is_held || is_called(&first), (more, end)))
                };
                let (call, is_sure, (more, end)) = read(Notation::Mended).or_else(|| read(Notation::Python))?;
                (self.call, self.is_sure, self.more) = (Some(call), is_sure, more);
                self.at = self.behind_close(fence, end);
            }
            Slot::Calls => {
                let (call, more, len) = calls(self.rest())?;
                (self.call, self.more, self.at) = (Some(call), more, self.at + len);
            }
            Slot::Pairs => {
                let (args, len) = pairs(self.rest())?;
                (self.args, self.at) = (Some(args), self.at + len);
            }
            Slot::Skip => {
                let len = self.until(behind)?;
                self.at += Some(len).filter(|len| *len <= NAME_MAX)?;
            }
            Slot::Attributes => self.at += self.rest().find(['>', '<']).filter(|len| *len <= NAME_MAX)?,
            Slot::Rest => self.at = self.text.text.len(),
            Slot::End => return self.text.closes(self.at).then_some(()),
        }
        Some(())
    }

    /// A word of letters, digits and some signs, which may stand in quotation marks; the same as before, if there was one.
    fn word(&mut self, before: &str, signs: &str) -> Option<String> {
        let quote = self.rest().chars().next().filter(|c| matches!(c, '"' | '\''));
        let from = self.at + quote.map_or(0, char::len_utf8);
        let rest = self.text.from(from);
        let len = rest.find(|c: char| !(c.is_alphanumeric() || signs.contains(c))).unwrap_or(rest.len());
        let word = rest.get(..len).filter(|word| !word.is_empty() && word.len() <= NAME_MAX)?.to_owned();
        let end = match quote {
            Some(quote) => from + len + self.text.from(from + len).starts_with(quote).then(|| quote.len_utf8())?,
            None => from + len,
        };
        if !before.is_empty() && word != before {
            return None;
        }
        self.at = end;
        Some(word)
    }

    /// How far the marks are that stand behind a slot.
    fn until(&mut self, behind: &[PatternPart]) -> Option<usize> {
        let mut mark = String::new();
        for piece in behind {
            match piece {
                PatternPart::Mark(text) => mark += text,
                PatternPart::Slot(Slot::Key) => mark += &self.key,
                PatternPart::Slot(_) | PatternPart::Group(..) => break,
            }
        }
        let found = mark_in(self.rest(), &mark).map(|(at, _)| at);
        if found.is_none() {
            self.seen += self.rest().len();
        }
        found
    }

    fn value(&mut self, len: usize) -> Option<()> {
        let bare = self.rest().get(..len)?.replace(MINIMAX, "");
        let text = bare.trim_start().strip_prefix("<![CDATA[").and_then(|text| text.trim_end().strip_suffix("]]>")).unwrap_or(&bare);
        self.at += len;
        let python =
            || first_value(text.trim(), Notation::Python).ok().map(|(value, _)| value).filter(|_| text.trim_start().starts_with("{'"));
        let elements = if OBJECTS.contains(&self.key.as_str()) { elements(text, 0).or_else(python) } else { None };
        self.insert(elements.unwrap_or_else(|| Json::from(without_newlines(text))))
    }

    fn quoted(&mut self) -> Option<()> {
        let quote = self.rest().chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let inside = self.rest().get(1..)?;
        let is_escaped = |at: usize| inside.get(..at).is_some_and(|before| before.ends_with('\\'));
        let (end, _) = inside.match_indices(quote).find(|(at, _)| !is_escaped(*at))?;
        let text = inside.get(..end)?.replace(&format!("\\{quote}"), &quote.to_string()).replace("&quot;", "\"");
        self.at += end + 2;
        self.insert(Json::from(text))
    }

    fn insert(&mut self, value: Json) -> Option<()> {
        self.map.insert(std::mem::take(&mut self.key), value);
        Some(())
    }

    /// An object, which may stand in a fence.
    fn args(&mut self) -> Option<()> {
        let (fence, from) = self.behind_fence();
        let is_args = |value: &Json| value.is_object() || value.as_str().is_some_and(|text| text.trim_start().starts_with('{'));
        let read = |notation| self.text.value(from, notation).filter(|(value, _)| is_args(value));
        let (args, end) = read(Notation::Mended).or_else(|| read(Notation::Python))?;
        (self.args, self.at) = (Some(args), self.behind_close(fence, end));
        Some(())
    }

    /// Whether a fence stands here, and the first byte of what it holds.
    fn behind_fence(&self) -> (bool, usize) {
        let fence = self.text.behind_mark(self.at, "```");
        let from = fence.map_or(self.at, |at| at + self.text.from(at).bytes().take_while(u8::is_ascii_alphanumeric).count());
        (fence.is_some(), self.text.behind_space(from))
    }

    /// The byte behind the end of a fence, if there is one.
    fn behind_close(&self, is_fenced: bool, end: usize) -> usize {
        if is_fenced { self.text.behind_mark(end, "```").unwrap_or(end) } else { end }
    }
}

/// A value that stands on lines of its own, without them.
fn without_newlines(value: &str) -> &str {
    let value = value.strip_prefix('\n').unwrap_or(value);
    value.strip_suffix('\n').unwrap_or(value)
}

/// The object that a text writes as elements: `<content>hi</content>`.
fn elements(text: &str, depth: usize) -> Option<Json> {
    if depth == DEPTH_MAX {
        return None;
    }
    let (mut map, mut rest) = (Map::new(), text.trim());
    while !rest.is_empty() {
        let (name, inside) = rest.strip_prefix('<')?.split_once('>')?;
        let (value, behind) = inside.split_once(&format!("</{name}>"))?;
        map.insert(name.to_owned(), elements(value, depth + 1).unwrap_or_else(|| Json::from(without_newlines(value))));
        rest = behind.trim_start();
    }
    (!map.is_empty()).then_some(Json::Object(map))
}
