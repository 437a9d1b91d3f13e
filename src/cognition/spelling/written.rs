//! Written: a call as it stands in a text, and the JSON shapes in which models write one.

use std::ops::Range;

use serde_json::{Map, Value as Json};

use crate::dialect::freed;
use crate::fact::Verb;
use crate::verb::{Notation, behind_brace, first_value};

/// The names of the four tools.
pub const TOOLS: [(&str, Verb); 4] = [("see", Verb::See), ("do", Verb::Do), ("summon", Verb::Summon), ("be", Verb::Be)];

/// The name of a call by which a member of a panel votes.
pub const VOTE: &str = "vote";

/// The name of a call that does nothing: a model that is held to a schema cannot be silent.
pub const NOTHING: &str = "nothing";

/// The keys under which a call has its name, and those under which it has its arguments.
pub const NAMES: [&str; 5] = ["name", "tool", "tool_name", "function", "verb"];
const ARGUMENTS: [&str; 4] = ["arguments", "parameters", "args", "input"];

/// Marks that end a call of any spelling.
const CLOSERS: [&str; 21] = [
    "</tool_call>",
    "</tool_calls>",
    "</function_call>",
    "</function_calls>",
    "</function>",
    "</invoke>",
    "</minimax:tool_call>",
    "</｜DSML｜invoke>",
    "</｜DSML｜function_calls>",
    "<|tool_call_end|>",
    "<|tool_calls_end|>",
    "<|tool_calls_section_end|>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
    "<|tool▁call▁end|>",
    "<|tool▁calls▁end|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|call|>",
    "<|end|>",
    "[/TOOL_CALLS]",
];

/// A name, and what stands for its arguments: an object, the text of one, or nothing.
pub type NamedCall = (String, Option<Json>);

/// A text from a mark on, in which a call is sought.
#[derive(Clone, Copy)]
pub struct Marked<'t> {
    /// The text, which begins with the mark.
    pub text: &'t str,
    /// The byte behind the mark.
    pub behind: usize,
    /// Whether JSON is mended: not in a reply that was cut.
    pub mends: bool,
}

/// A call that was read, by bytes of the text that begins with its mark.
pub struct CallText {
    /// The call.
    pub call: NamedCall,
    /// Where the call itself stands, without its tags.
    pub body: Range<usize>,
    /// The byte behind it and its marks.
    pub end: usize,
}

impl<'t> Marked<'t> {
    /// The text from a byte on.
    pub fn from(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    /// The byte of the next character that is no space.
    pub fn behind_space(&self, at: usize) -> usize {
        let rest = self.from(at);
        at + rest.len() - rest.trim_start().len()
    }

    /// The byte behind a mark, and the space before it, where it stands next.
    pub fn behind_mark(&self, at: usize, mark: &str) -> Option<usize> {
        let next = self.behind_space(at);
        self.from(next).starts_with(mark).then(|| next + mark.len())
    }

    /// The first value from a byte on, as JSON or as Python, and the byte behind it.
    pub fn value(&self, at: usize, notation: Notation) -> Option<(Json, usize)> {
        let (rest, notation) = match notation {
            Notation::Mended if !self.mends => (self.from(at), Notation::Json),
            other => (self.from(at), other),
        };
        let (json, len) = first_value(rest, notation).ok()?;
        let behind = rest.get(len..).unwrap_or_default();
        let kept = if self.mends && json.is_object() { behind_brace(behind).len() } else { behind.len() };
        Some((json, at + rest.len() - kept))
    }

    /// The call between two bytes, with all marks that end it.
    pub fn call(&self, call: NamedCall, body: Range<usize>) -> CallText {
        let mut end = body.end;
        while let Some(next) = CLOSERS.iter().find_map(|mark| self.behind_mark(end, mark)) {
            end = next;
        }
        CallText { call, body, end }
    }

    /// Whether nothing stands from a byte on but a mark that ends a call.
    pub fn closes(&self, at: usize) -> bool {
        self.from(at).trim().is_empty() || CLOSERS.iter().any(|mark| self.behind_mark(at, mark).is_some())
    }
}

/// A name with arguments, in any of the shapes that models write; nothing for an object that is no call.
pub fn named(object: &Json) -> Option<NamedCall> {
    let object = object.as_object()?;
    if let Some(inner) = object.get("function").filter(|inner| inner.is_object()) {
        return named(inner);
    }
    if let Some(name) = NAMES.iter().find_map(|key| object.get(*key)?.as_str()) {
        return Some((name.to_owned(), given(object)));
    }
    // `{"do": {…}}`
    let mut pairs = object.iter();
    match (pairs.next(), pairs.next()) {
        (Some((name, args @ Json::Object(_))), None) if is_tool(name) => Some((name.clone(), Some(args.clone()))),
        _ => None,
    }
}

/// The arguments of a call that has a name.
fn given(object: &Map<String, Json>) -> Option<Json> {
    // `{"verb": "do", "target": …, "args": {…}}`: the object itself holds the tool's arguments.
    if ["target", "address", "content"].iter().any(|key| object.contains_key(*key)) {
        let rest = object.iter().filter(|(key, _)| key.as_str() != "verb");
        return Some(rest.map(|(key, value)| (key.clone(), value.clone())).collect());
    }
    ARGUMENTS.iter().find_map(|key| object.get(*key)).cloned()
}

/// Whether an object that has a name also says that it is a call.
pub fn is_called(object: &Json) -> bool {
    object.get("function").is_some_and(Json::is_object) || ARGUMENTS.iter().any(|key| object.get(*key).is_some())
}

/// The first call of a list that has a name; anything else is itself. A call under the key of a held schema is as if it stood alone.
pub fn first_of(json: Json) -> Json {
    match freed(&json).unwrap_or(json) {
        Json::Array(list) => list.into_iter().find(|one| named(one).is_some_and(|(name, _)| !name.trim().is_empty())).unwrap_or_default(),
        other => other,
    }
}

/// Whether a word is the name of a tool.
pub fn is_tool(word: &str) -> bool {
    let words = TOOLS.iter().map(|(tool, _)| *tool).chain([VOTE, NOTHING]);
    words.into_iter().any(|tool| tool.eq_ignore_ascii_case(word))
}
