//! Written: a call as it stands in a text, and the JSON shapes in which models write one.

use serde_json::{Map, Value as Json};

use crate::dialect::freed;
use crate::fact::Verb;
use crate::verb::{Notation, behind_brace, first_value};

use super::mark::is_bar;

/// The names of the four tools.
pub const TOOLS: [(&str, Verb); 4] = [("see", Verb::See), ("do", Verb::Do), ("summon", Verb::Summon), ("be", Verb::Be)];

/// The name of a call by which a member of a panel votes.
pub const VOTE: &str = "vote";

/// The name of a call that does nothing: a model that is held to a schema cannot be silent.
pub const NOTHING: &str = "nothing";

/// The keys under which a call has its name, those under which it has its arguments, those around it, and those beside it that say nothing.
pub const NAMES: [&str; 9] = ["name", "tool", "tool_name", "function", "verb", "recipient_name", "function_name", "method", "command"];
const ARGUMENTS: [&str; 10] =
    ["arguments", "parameters", "args", "input", "action_input", "params", "tool_input", "kwargs", "tool_args", "function_args"];
const WRAPS: [&str; 13] = [
    "tool",
    "command",
    "function",
    "tool_calls",
    "tool_call",
    "toolCalls",
    "toolUse",
    "tool_use",
    "functionCall",
    "function_call",
    "tool_uses",
    "calls",
    "call",
];
const BESIDE: [&str; 12] =
    ["id", "type", "index", "call_id", "action", "thought", "thoughts", "role", "content", "tool_call_id", "toolUseId", "reasoning"];

/// The namespaces that servers put before the name of a tool, beside those of MCP.
const SPACES: [&str; 9] = ["functions", "function", "tools", "tool", "default_api", "default_api:", "reelm", "api", "call:default_api"];
/// Words of which one stands in the name of a tag around a call.
const CALL_WORDS: [&str; 5] = ["call", "tool", "func", "invoke", "action"];
/// The longest tag around a call.
const TAG_MAX: usize = 64;

/// A name, and what stands for its arguments: an object, the text of one, or nothing.
pub type NamedCall = (String, Option<Json>);

/// A text that begins where a call is sought.
#[derive(Clone, Copy)]
pub struct Marked<'t> {
    /// The text.
    pub text: &'t str,
    /// Whether JSON is mended: not in a reply that was cut.
    pub mends: bool,
}

/// A call that was read at the beginning of a text.
pub struct CallText {
    /// The call.
    pub call: NamedCall,
    /// The byte behind it and its marks.
    pub end: usize,
    /// Whether its own shape says that it is a call, whatever its name is.
    pub is_sure: bool,
    /// How many further calls stand in it: it may be a list.
    pub more: u64,
}

impl CallText {
    /// The same in a text in which it begins later and ends with further marks.
    pub fn behind(self, from: usize, close: impl Fn(usize) -> usize) -> Self {
        Self { end: close(from + self.end), ..self }
    }
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

    /// The byte behind all marks that end a call, from a byte on.
    pub fn behind_closers(&self, at: usize) -> usize {
        let mut end = at;
        while let Some(len) = closer(self.from(self.behind_space(end))) {
            end = self.behind_space(end) + len;
        }
        end
    }

    /// Whether nothing stands from a byte on but a mark that ends a call.
    pub fn closes(&self, at: usize) -> bool {
        self.from(at).trim().is_empty() || closer(self.from(self.behind_space(at))).is_some()
    }
}

/// The length of a mark that ends a call, by its shape: `</tag>`, `[/TAG]`, `/>`, `<tag|>`, `<end_tag>`, and between bars one that tells of a call
/// and of an end.
pub fn closer(text: &str) -> Option<usize> {
    if text.starts_with("/>") {
        return Some(2);
    }
    let inside = tag_of(text)?;
    let len = inside.len() + 2;
    let inside = inside.trim();
    let name = inside.trim_matches(is_bar).trim().to_ascii_lowercase();
    let is_barred = inside.starts_with(is_bar);
    let ends = name.starts_with('/') || ["end", "close", "suffix"].iter().any(|word| name.contains(word));
    let is_end = match is_barred {
        true => ends && (tells_of_call(&name) || name.contains("section") || name.contains("plugin")),
        false => name.starts_with('/') || name.starts_with("end_") || inside.ends_with(is_bar),
    };
    is_end.then_some(len)
}

/// The length of a tag whose name tells that a call follows: `<tools>`, `[TOOL_REQUEST]`, `<|action_start|>`.
pub fn opener(text: &str) -> Option<usize> {
    let inside = tag_of(text).filter(|inside| !inside.contains(['\\', '=', '{', '(']))?;
    let name = inside.to_ascii_lowercase();
    let is_word = !inside.contains(' ') || inside.contains(is_bar);
    (is_word && tells_of_call(&name) && closer(text).is_none()).then_some(inside.len() + 2)
}

/// The text between the brackets of the tag that a text begins with.
fn tag_of(text: &str) -> Option<&str> {
    let close = match text.chars().next()? {
        '<' => '>',
        '[' => ']',
        _ => return None,
    };
    let len = text.get(1..)?.char_indices().take(TAG_MAX).find(|(_, c)| *c == close)?.0;
    text.get(1..=len).filter(|inside| !inside.is_empty() && !inside.contains(['<', '[', '\n', '"']))
}

/// Whether the name of a mark tells of a call.
pub fn tells_of_call(name: &str) -> bool {
    CALL_WORDS.iter().any(|word| name.contains(word))
}

/// The name of a call without what models put around it: a namespace before it, a number, a channel or brackets behind it.
pub fn plain_name(name: &str) -> &str {
    let name = name.split("<|").next().unwrap_or_default().trim();
    let name = match name.rsplit_once(':') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    };
    let name = name.strip_suffix("()").unwrap_or(name).trim();
    let (before, last) = name
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(("", name), |at| (name.get(..at).unwrap_or_default(), name.get(at + 1..).unwrap_or_default()));
    let is_space = before.is_empty() || SPACES.iter().any(|space| before.eq_ignore_ascii_case(space)) || before.starts_with("mcp");
    let is_ours = is_tool(last) && is_space;
    let of_server = || name.strip_prefix("mcp__").and_then(|rest| rest.rsplit_once("__")).map(|(_, name)| name);
    if is_ours { last } else { name.strip_prefix("functions.").or_else(of_server).unwrap_or(name) }
}

/// A name with arguments, in any of the shapes that models write; nothing for an object that is no call.
pub fn named(json: &Json) -> Option<NamedCall> {
    let object = json.as_object()?;
    if let Some(inner) = WRAPS.iter().find_map(|key| object.get(*key).filter(|inner| inner.is_object() || inner.is_array())) {
        return named(&first_of(inner.clone()));
    }
    if let Some(name) = NAMES.iter().find_map(|key| object.get(*key)?.as_str()) {
        return Some((name.to_owned(), given(object)));
    }
    if let Some(name) = object.get("action").and_then(Json::as_str).filter(|name| object.contains_key("action_input") || is_tool(name)) {
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
    let stands = |key: &&&str| object.get(**key).is_some_and(|args| !args.is_null());
    if let Some(key) = ARGUMENTS.iter().filter(|key| **key != "args").find(stands) {
        return object.get(*key).cloned();
    }
    // `{"verb": "do", "target": …, "args": {…}}`: the object itself holds the tool's arguments.
    if ["target", "address", "content"].iter().any(|key| object.contains_key(*key)) {
        let rest = object.iter().filter(|(key, _)| key.as_str() != "verb");
        return Some(rest.map(|(key, value)| (key.clone(), value.clone())).collect());
    }
    object.get("args").cloned()
}

/// Whether an object that has a name holds nothing but a call.
pub fn is_called(json: &Json) -> bool {
    let Some(object) = json.as_object() else { return false };
    let is_part = |key: &str| NAMES.contains(&key) || ARGUMENTS.contains(&key) || WRAPS.contains(&key) || BESIDE.contains(&key);
    let has_args =
        |key: &&str| object.get(*key).is_some_and(|args| args.is_object() || args.as_str().is_some_and(|text| text.starts_with('{')));
    let is_wrapped = WRAPS.iter().any(|key| object.get(*key).is_some_and(|inner| named(&first_of(inner.clone())).is_some()));
    let names_tool = || named(json).is_some_and(|(name, _)| is_tool(plain_name(&name)));
    // Requests of every kind have a method, and programs a command.
    if ["method", "command"].iter().any(|key| object.get(*key).is_some_and(Json::is_string)) {
        return names_tool();
    }
    object.keys().all(|key| is_part(key)) && (is_wrapped || ARGUMENTS.iter().any(has_args) || names_tool())
}

/// The first call of a list that has a name; anything else is itself. A call under the key of a held schema is as if it stood alone.
pub fn first_of(json: Json) -> Json {
    match freed(&json).unwrap_or(json) {
        Json::Array(list) => list.into_iter().find(|one| named(one).is_some_and(|(name, _)| !name.trim().is_empty())).unwrap_or_default(),
        other => other,
    }
}

/// How many calls that have a name stand in a list behind the first.
pub fn further(json: &Json) -> u64 {
    let list = freed(json);
    let list = list.as_ref().unwrap_or(json).as_array().map(Vec::as_slice).unwrap_or_default();
    (list.iter().filter(|one| named(one).is_some()).count() as u64).saturating_sub(1)
}

/// Whether a word is the name of a tool.
pub fn is_tool(word: &str) -> bool {
    let words = TOOLS.iter().map(|(tool, _)| *tool).chain([VOTE, NOTHING]);
    words.into_iter().any(|tool| tool.eq_ignore_ascii_case(word))
}
