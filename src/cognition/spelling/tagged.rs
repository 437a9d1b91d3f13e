//! Tagged: calls that models write behind marks of their own.

use serde_json::{Map, Value as Json};

use crate::verb::Notation;

use super::pythonic::calls;
use super::written::{CallText, Marked, first_of, named};

/// The longest name of a call, with all that models put around it.
const NAME_MAX: usize = 256;

/// JSON behind the mark: one call, or a list of them.
pub fn json(text: Marked<'_>) -> Option<CallText> {
    object(text, Notation::Mended)
}

/// The same as a dictionary of Python.
pub fn dictionary(text: Marked<'_>) -> Option<CallText> {
    object(text, Notation::Python)
}

fn object(text: Marked<'_>, notation: Notation) -> Option<CallText> {
    let from = text.behind_space(text.behind);
    let (value, end) = text.value(from, notation)?;
    Some(text.call(named(&first_of(value))?, from..end))
}

/// `[do(…)]` or `do(…)` behind the mark.
pub fn python(text: Marked<'_>) -> Option<CallText> {
    let from = text.behind_space(text.behind);
    let (call, end) = calls(text.from(from))?;
    Some(text.call(call, from..from + end))
}

/// `do>` and parameters in tags of their own, with or without a mark around `<function=`.
pub fn function(text: Marked<'_>) -> Option<CallText> {
    let (begin, from) = match text.text.get(..text.behind)? {
        "<function=" => (0, text.behind),
        _ => (text.behind_space(text.behind), text.behind_mark(text.behind, "<function=")?),
    };
    let (name, from) = until(text, from, ">")?;
    let (args, end) = parameters(text, from, |at| {
        let (key, from) = until(text, text.behind_mark(at, "<parameter=")?, ">")?;
        Some((key, from, "</parameter>"))
    })?;
    Some(text.call((name, args), begin..end))
}

/// `<invoke name="do">` and parameters that have their names in quotation marks.
pub fn invoke(text: Marked<'_>) -> Option<CallText> {
    let mark = text.text.get(..text.behind)?;
    let (open, own, close) = match mark.contains("DSML") {
        true => ("<｜DSML｜invoke name=", "<｜DSML｜parameter name=", "</｜DSML｜parameter>"),
        false => ("<invoke name=", "<parameter name=", "</parameter>"),
    };
    let (begin, from) =
        if mark == open { (0, text.behind) } else { (text.behind_space(text.behind), text.behind_mark(text.behind, open)?) };
    let (name, from) = quoted(text, from)?;
    let (args, end) = parameters(text, from, |at| {
        let (key, from) = quoted(text, text.behind_mark(at, own)?)?;
        Some((key, from, close))
    })?;
    Some(text.call((name, args), begin..end))
}

/// A name in quotation marks, and the byte behind its tag.
fn quoted(text: Marked<'_>, from: usize) -> Option<(String, usize)> {
    let (tag, behind) = until(text, from, ">")?;
    let mark = tag.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    let name = tag.get(1..)?.split(mark).next()?;
    Some((name.to_owned(), behind))
}

/// The keys and values of parameters, or the JSON that stands in their place, up to a mark that closes the call.
fn parameters(
    text: Marked<'_>,
    from: usize,
    next: impl Fn(usize) -> Option<(String, usize, &'static str)>,
) -> Option<(Option<Json>, usize)> {
    let begin = text.behind_space(from);
    if text.from(begin).starts_with('{') {
        let (args, end) = text.value(begin, Notation::Mended)?;
        return Some((Some(args), end)).filter(|(_, end)| text.closes(*end));
    }
    let (mut map, mut at) = (Map::new(), from);
    while let Some((key, from, close)) = next(at) {
        let len = text.from(from).find(close)?;
        map.insert(key, Json::from(without_newlines(text.from(from).get(..len)?)));
        at = from + len + close.len();
    }
    text.closes(at).then_some((Some(Json::Object(map)), at))
}

/// A value that stands on lines of its own, without them.
fn without_newlines(value: &str) -> &str {
    let value = value.strip_prefix('\n').unwrap_or(value);
    value.strip_suffix('\n').unwrap_or(value)
}

/// A short text up to a mark, and the byte behind that.
fn until(text: Marked<'_>, from: usize, mark: &str) -> Option<(String, usize)> {
    let rest = text.from(from);
    let len = rest.find(mark).filter(|len| *len <= NAME_MAX)?;
    Some((rest.get(..len)?.trim().to_owned(), from + len + mark.len()))
}

/// `do`, then a key and a value in tags each.
pub fn keys_and_values(text: Marked<'_>) -> Option<CallText> {
    let begin = text.behind_space(text.behind);
    let len = text.from(begin).find("<arg_key>").filter(|len| *len <= NAME_MAX)?;
    let name = text.from(begin).get(..len)?.trim().to_owned();
    let mut map = Map::new();
    let mut at = begin + len;
    while let Some(from) = text.behind_mark(at, "<arg_key>") {
        let (key, from) = until(text, from, "</arg_key>")?;
        let from = text.behind_mark(from, "<arg_value>")?;
        let len = text.from(from).find("</arg_value>")?;
        map.insert(key, Json::from(without_newlines(text.from(from).get(..len)?)));
        at = from + len + "</arg_value>".len();
    }
    text.closes(at).then(|| text.call((name, Some(Json::Object(map))), begin..at))
}

/// `do`, then the object of its arguments.
pub fn name_before_json(text: Marked<'_>) -> Option<CallText> {
    let begin = text.behind_space(text.behind);
    let len = text.from(begin).find('{').filter(|len| *len <= NAME_MAX)?;
    let name = text.from(begin).get(..len)?.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._:-".contains(c));
    let (args, end) = text.value(begin + len, Notation::Mended).filter(|_| is_name)?;
    Some(text.call((name.to_owned(), Some(args)), begin..end))
}

/// `do[ARGS]{…}`, where a number of the call may stand between.
pub fn args_mark(text: Marked<'_>) -> Option<CallText> {
    let begin = text.behind_space(text.behind);
    let (head, from) = until(text, begin, "[ARGS]")?;
    let name = head.split("[CALL_ID]").next()?.trim().to_owned();
    let (args, end) = arguments(text, from)?;
    Some(text.call((name, Some(args)), begin..end))
}

/// The kind of call, its name and a separator in one of two orders, and fenced JSON or JSON.
pub fn separated(text: Marked<'_>) -> Option<CallText> {
    let begins = ["<｜tool▁call▁begin｜>", "<|tool_call_begin|>", "<|tool▁call▁begin|>"];
    let begin = begins.iter().find_map(|mark| text.behind_mark(text.behind, mark)).unwrap_or(text.behind);
    let separators = ["<｜tool▁sep｜>", "<|tool_sep|>", "<|tool▁sep|>"];
    let (head, from) = separators.iter().find_map(|mark| until(text, begin, mark))?;
    let begins_arguments = text.from(from).trim_start().starts_with(['{', '`']);
    let (name, from) = if begins_arguments { (head, from) } else { until(text, from, "\n")? };
    let (args, end) = arguments(text, from)?;
    Some(text.call((name, Some(args)), begin..end))
}

/// The name with its number, a mark, and JSON.
pub fn argument_begin(text: Marked<'_>) -> Option<CallText> {
    let begin = text.behind_mark(text.behind, "<|tool_call_begin|>").unwrap_or(text.behind);
    let (name, from) = until(text, begin, "<|tool_call_argument_begin|>")?;
    let (args, end) = arguments(text, from)?;
    Some(text.call((name, Some(args)), begin..end))
}

/// A header that says to whom the message goes, and JSON.
pub fn addressed(text: Marked<'_>) -> Option<CallText> {
    let (header, from) = until(text, 0, "<|message|>")?;
    let (_, to) = header.split_once("to=")?;
    let name = to.split(|c: char| c.is_whitespace() || c == '<').next()?.to_owned();
    let (args, end) = arguments(text, from)?;
    Some(text.call((name, Some(args)), 0..end))
}

/// An object, which may stand in a fence.
fn arguments(text: Marked<'_>, at: usize) -> Option<(Json, usize)> {
    let fence = text.behind_mark(at, "```");
    let from = fence.map_or(at, |at| at + text.from(at).bytes().take_while(u8::is_ascii_alphanumeric).count());
    let (args, end) = text.value(text.behind_space(from), Notation::Mended)?;
    let end = fence.and_then(|_| text.behind_mark(end, "```")).unwrap_or(end);
    args.is_object().then_some((args, end))
}
