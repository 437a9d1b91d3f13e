//! Net: what looks like a call in no spelling of the table. It is told as one that cannot be read, and never said.
//!
//! A line that begins with a mark of a model's own looks so. So does what begins a line and holds the name of something that was offered and,
//! behind it, a key that this takes.

use std::borrow::Cow;

use crate::dialect::ACT;
use crate::verb::{Notation, first_value};

use super::offers::{Offers, keys_of};
use super::spelling::mark::mark_len;
use super::spelling::written::{NAMES, TOOLS, VOTE, is_tool, plain_name};

/// In so many bytes of a text a name and its key are sought.
const WITHIN: usize = 4096;
/// The marks with which no line of a person's begins.
const MARKS: [&str; 2] = ["<|", "]<]"];

/// Whether a text that begins a line looks like a call.
pub(super) fn looks_like_call(text: &str, offers: &Offers<'_>) -> bool {
    MARKS.iter().any(|mark| mark_len(text, mark).is_some())
        || text.starts_with("[TOOL_CALLS")
        || begins_named(text)
        || is_broken(text)
        || unit(text).is_some_and(|unit| names_a_call(unit, offers))
}

/// Whether a text begins with an object that cannot be read and names a tool first.
pub(super) fn is_broken(text: &str) -> bool {
    let inside = text.trim_start_matches(|c: char| "[{".contains(c) || c.is_whitespace());
    let named = || {
        let (key, rest) = word_of(inside)?;
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        let names_tool = || word_of(value).is_some_and(|(name, _)| is_tool(plain_name(name)));
        Some(if NAMES.contains(&key) { names_tool() } else { (is_tool(key) || key == ACT) && value.starts_with('{') })
    };
    text.starts_with(['{', '[']) && named() == Some(true) && first_value(text, Notation::Mended).is_err()
}

/// A word in quotation marks, and the text behind it.
fn word_of(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix(['"', '\''])?.split_once(['"', '\''])
}

/// `call:NAME{`
fn begins_named(text: &str) -> bool {
    text.strip_prefix("call:").is_some_and(|rest| rest.trim_start_matches(is_word).starts_with('{') && rest.starts_with(is_word))
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || "._:-".contains(sign)
}

/// The part of a text that begins a line and belongs together: a tag with its content, a bracket, or a name directly before a bracket.
fn unit(text: &str) -> Option<&str> {
    let near = text.char_indices().nth(WITHIN).map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    let first = near.chars().next()?;
    match first {
        '<' => {
            let name: String = near.chars().skip(1).take_while(|c| !c.is_whitespace() && !"<>/=".contains(*c)).collect();
            let close = near.find(&format!("</{name}>")).filter(|_| !name.is_empty());
            Some(close.map_or_else(|| paragraph(near), |at| near.get(..at).unwrap_or(near)))
        }
        // A quotation in brackets is one.
        '(' if near.get(1..).is_some_and(|inside| inside.starts_with(['"', '\'', '\u{201c}', '\u{2018}', '\u{ab}'])) => None,
        '{' | '[' | '(' => Some(bracket(near)),
        '&' if near.starts_with("&lt;") => Some(paragraph(near)),
        _ => {
            let word = near.len() - near.trim_start_matches(is_word).len();
            let rest = near.get(word..)?;
            (word > 0 && rest.starts_with(['(', '{'])).then(|| near.get(..word + bracket(rest).len()).unwrap_or(near))
        }
    }
}

/// The text up to the next empty line.
fn paragraph(text: &str) -> &str {
    text.split("\n\n").next().unwrap_or(text)
}

/// A bracket up to its end; the paragraph where it has none.
fn bracket(text: &str) -> &str {
    let mut depth = 0;
    for (at, sign) in text.char_indices() {
        depth += i32::from("{[(".contains(sign)) - i32::from("}])".contains(sign));
        if depth == 0 {
            return text.get(..at + sign.len_utf8()).unwrap_or(text);
        }
    }
    paragraph(text)
}

/// Whether a name of what was offered stands in a text, and behind it a key that it takes. Quotations in it do not count.
pub(super) fn names_a_call(unit: &str, offers: &Offers<'_>) -> bool {
    let unit = &*without_quotes(unit);
    let tools = TOOLS.iter().map(|(tool, _)| *tool).chain([VOTE]);
    // All that stands behind the last place of a name stands behind its first.
    let names_tool = |tool: &str| names(unit, tool).next().is_some_and(|behind| keys_of(tool).iter().any(|key| has_key(behind, key)));
    let has_any = |behind: &str, keys: &[String]| keys.iter().any(|key| has_key(behind, key));
    // Names of operations are gathered only where a key may stand at all.
    tools.into_iter().any(names_tool)
        || unit.contains([':', '=', '>'])
            && offers.deeds().iter().any(|deed| names(unit, &deed.name).next().is_some_and(|behind| has_any(behind, &deed.keys)))
}

/// A text without what stands in it between back-ticks or as code.
fn without_quotes(text: &str) -> Cow<'_, str> {
    if !text.contains('`') && !text.contains(QUOTING) {
        return Cow::Borrowed(text);
    }
    let ticked = text.split('`').step_by(2).collect::<Vec<_>>().join("\u{1}");
    let mut parts = ticked.split(QUOTING);
    let first = parts.next().unwrap_or_default().to_owned();
    Cow::Owned(parts.fold(first, |text, part| text + part.split_once("</code>").map_or("", |(_, behind)| behind)))
}

/// The beginning of the tag around words that are quoted.
const QUOTING: &str = "<code";
/// Quotation marks, as they are written and as they are escaped.
const QUOTES: [&str; 9] = ["\"", "'", "\u{201c}", "\u{201d}", "\u{2018}", "\u{2019}", "\u{ff02}", "&quot;", "&#34;"];

/// The texts behind each place of a name that stands as the name of something that is called.
fn names<'t>(unit: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    unit.match_indices(name).filter_map(move |(at, _)| {
        let (before, behind) = (unit.get(..at)?, unit.get(at + name.len()..)?);
        let (last, next) = (before.chars().next_back(), behind.trim_start_matches('\\').chars().next());
        let line = before.rsplit('\n').next().unwrap_or_default();
        let ends_word = || next.is_some_and(|c| c.is_whitespace() || "/>".contains(c));
        let is_quoted = || {
            QUOTES.iter().any(|quote| before.ends_with(quote))
                && QUOTES.iter().any(|quote| behind.trim_start_matches('\\').starts_with(quote))
        };
        let is_tagged = matches!(last, Some('<' | '=')) && ends_word();
        let is_value = ["name: ", "tool: ", "function: "].contains(&line) && behind.starts_with('\n');
        let is_called = behind.starts_with(['(', '{', ':']) && line.trim_start_matches(['[', '{', '(', '<', ' ']).is_empty();
        (is_quoted() || is_tagged || is_value || is_called).then_some(behind)
    })
}

/// Whether a key stands in a text, with `:` or `=` behind it, as a tag, or as the value of an attribute.
fn has_key(text: &str, key: &str) -> bool {
    text.match_indices(key).any(|(at, _)| {
        let (Some(before), Some(behind)) = (text.get(..at), text.get(at + key.len()..)) else { return false };
        let quoted = QUOTES.iter().find_map(|quote| before.strip_suffix(quote));
        let last = quoted.unwrap_or(before).chars().next_back();
        let rest = behind.trim_start_matches('\\');
        let rest = QUOTES.iter().find_map(|quote| rest.strip_prefix(quote)).unwrap_or(rest);
        let next = rest.trim_start().chars().next();
        let is_free = quoted.is_some() || !last.is_some_and(is_word);
        let is_tag = last == Some('<') && next == Some('>');
        let is_value = last == Some('=') && (quoted.is_some() || next == Some('>'));
        is_free && (matches!(next, Some(':' | '=' | '\u{ff1a}')) || is_tag || is_value)
    })
}
