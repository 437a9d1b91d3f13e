//! Repair: arguments that any reader would understand, by a closed list.
//!
//! A text is understood that is encoded twice or fenced, that has a raw newline in a string, one comma before a closing bracket, or one
//! closing brace too many. Nothing else is mended: nothing is closed, completed or dropped. A text that was cut is never mended.

use serde_json::{Map, Value as Json};

use super::notation::{JsonFault, Notation, first_value};

/// The object that a text writes. Without `mends` the text is JSON, or what is wrong with it is said.
pub fn object_of(text: &str, mends: bool) -> Result<Map<String, Json>, JsonFault> {
    match whole(text, mends)? {
        Json::String(inner) if mends => match whole(&inner, mends)? {
            Json::Object(map) => Ok(map),
            _ => Err(JsonFault::at(&inner, 0, "an object")),
        },
        Json::Object(map) => Ok(map),
        _ => Err(JsonFault::at(text, 0, "an object")),
    }
}

/// The one value that a text writes.
fn whole(text: &str, mends: bool) -> Result<Json, JsonFault> {
    let from = text.len() - text.trim_start().len();
    let (from, to) = if mends { unfenced(text).unwrap_or((from, text.len())) } else { (from, text.len()) };
    let inside = text.get(from..to).unwrap_or_default();
    let notation = if mends { Notation::Mended } else { Notation::Json };
    let shifted = |fault: JsonFault| first_fault(text, from, fault, inside);
    let (value, end) = first_value(inside, notation).map_err(shifted)?;
    let rest = inside.get(end..).unwrap_or_default().trim_start();
    let rest = if mends && value.is_object() { behind_brace(rest) } else { rest };
    if rest.is_empty() { Ok(value) } else { Err(JsonFault::at(text, to - rest.len(), "the end")) }
}

/// The text behind one closing brace too many.
pub fn behind_brace(rest: &str) -> &str {
    rest.trim_start().strip_prefix('}').map_or(rest, str::trim_start)
}

/// A fault inside a fence, at its place in the whole text.
fn first_fault(text: &str, from: usize, fault: JsonFault, inside: &str) -> JsonFault {
    let before = inside.split_inclusive('\n').take(fault.line - 1).map(str::len).sum::<usize>();
    let line = inside.get(before..).unwrap_or_default();
    let column = line.char_indices().nth(fault.column - 1).map_or(line.len(), |(at, _)| at);
    JsonFault::at(text, from + before + column, fault.expected)
}

/// The text between a fence and its end; nothing where the text is not fenced.
fn unfenced(text: &str) -> Option<(usize, usize)> {
    let inside = text.trim().strip_prefix("```")?.strip_suffix("```")?;
    let inside = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).trim();
    let from = text.find("```")? + 3;
    let from = from + text.get(from..)?.find(inside)?;
    Some((from, from + inside.len()))
}
