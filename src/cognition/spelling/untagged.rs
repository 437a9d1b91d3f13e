//! Untagged: calls that models write without a mark, which count only where they begin a line.

use crate::dialect::{ACT, freed};
use crate::verb::Notation;

use super::pythonic::calls;
use super::written::{CallText, Marked, NAMES, first_of, is_called, is_tool, named};

/// In so many characters of a text its first key is sought.
const KEY_WITHIN: usize = 128;

/// A call as JSON, or a list of them.
pub fn json(text: Marked<'_>) -> Option<CallText> {
    object(text, 0, Notation::Mended)
}

/// A call as a dictionary of Python.
pub fn dictionary(text: Marked<'_>) -> Option<CallText> {
    object(text, 0, Notation::Python)
}

/// `[do(…)]`
pub fn python(text: Marked<'_>) -> Option<CallText> {
    let (call, end) = calls(text.text)?;
    let is_known = is_tool(call.0.rsplit('.').next().unwrap_or_default());
    is_known.then_some(CallText { call, body: 0..end, end })
}

/// Any of them inside a fence.
pub fn fenced(text: Marked<'_>) -> Option<CallText> {
    let ticks = text.text.bytes().take_while(|byte| *byte == b'`').count();
    let from = text.behind_space(ticks + text.from(ticks).bytes().take_while(u8::is_ascii_alphanumeric).count());
    let inside = Marked { text: text.from(from), behind: 0, ..text };
    let read = [json, dictionary, python].iter().find_map(|read| read(inside))?;
    let end = from + read.end;
    let close = text.behind_mark(end, text.text.get(..ticks)?);
    Some(CallText { call: read.call, body: from + read.body.start..from + read.body.end, end: close.unwrap_or(end) })
}

/// An object with a name counts where the name is a tool's, or where it has arguments.
fn object(text: Marked<'_>, from: usize, notation: Notation) -> Option<CallText> {
    let (json, end) = text.value(from, notation)?;
    // A model that is held to a schema says under its key that it is a call.
    let is_held = freed(&json).is_some();
    let first = first_of(json);
    let call = named(&first)?;
    let is_call = is_held || is_called(&first) || is_known(&call.0);
    is_call.then_some(CallText { call, body: from..end, end })
}

fn is_known(name: &str) -> bool {
    is_tool(name.trim().rsplit('.').next().unwrap_or_default())
}

/// Whether a text that is no call begins as only a call does: it names a tool where calls do.
pub fn looks_like_call(text: &str) -> bool {
    let most: String = text.chars().take(KEY_WITHIN).collect();
    let inside = most.trim_start_matches(|c: char| c == '[' || c == '{' || c.is_whitespace());
    let named = |inside: &str| {
        let (key, rest) = quoted(inside)?;
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        let names_tool = || quoted(value).is_some_and(|(name, _)| is_known(name));
        Some(if NAMES.contains(&key) { names_tool() } else { (is_tool(key) || key == ACT) && value.starts_with('{') })
    };
    let called = |inside: &str| {
        let (name, rest) = inside.split_once('(')?;
        let (key, _) = rest.split_once('=')?;
        Some(most.starts_with('[') && is_known(name) && !key.trim().is_empty() && key.trim().chars().all(char::is_alphanumeric))
    };
    named(inside).or_else(|| called(inside)).unwrap_or(false)
}

/// A word in quotation marks, and what stands behind it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mark = text.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    text.get(1..)?.split_once(mark)
}
