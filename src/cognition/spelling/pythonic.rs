//! Pythonic: calls that models write as calls of Python functions: `[do(target="/hall", action="say")]`.

use serde_json::{Map, Value as Json};

use crate::verb::{Notation, first_value};

use super::written::NamedCall;

/// The first call of a text that begins with one, or with a list of them, how many follow it there, and the byte behind all of them.
pub fn calls(text: &str) -> Option<(NamedCall, u64, usize)> {
    let alone = |(call, len)| (call, 0, len);
    let Some(rest) = text.strip_prefix('[') else { return assigned(text).or_else(|| printed(text)).or_else(|| call(text)).map(alone) };
    let (first, mut at) = call(rest)?;
    let mut more = 0;
    loop {
        let rest = rest.get(at..)?.trim_start();
        if let Some(behind) = rest.strip_prefix(']') {
            return Some((first, more, text.len() - behind.len()));
        }
        let next = rest.strip_prefix(',')?;
        let (_, len) = call(next)?;
        (at, more) = (text.len() - 1 - next.len() + len, more + 1);
    }
}

/// A call whose result is printed.
fn printed(text: &str) -> Option<(NamedCall, usize)> {
    let inside = text.strip_prefix("print(")?;
    let (first, len) = call(inside)?;
    let behind = inside.get(len..)?.trim_start().strip_prefix(')')?;
    Some((first, text.len() - behind.len()))
}

/// A call whose result is kept under a name.
fn assigned(text: &str) -> Option<(NamedCall, usize)> {
    let (_, rest) = word(text, "_")?;
    let inside = rest.trim_start_matches(' ').strip_prefix("= ")?;
    let (first, len) = call(inside)?;
    Some((first, text.len() - inside.len() + len))
}

/// One call that a text begins with, and the byte behind it.
fn call(text: &str) -> Option<(NamedCall, usize)> {
    let (name, mut rest) = word(text.trim_start(), "._")?;
    rest = rest.strip_prefix('(')?.trim_start();
    let mut args = Map::new();
    while !rest.starts_with(')') {
        let (key, behind) = word(rest, "_")?;
        let value = behind.trim_start().strip_prefix('=')?.trim_start();
        let (json, len) = first_value(value, Notation::Python).or_else(|_| first_value(value, Notation::Json)).ok()?;
        args.insert(key.to_owned(), json);
        rest = value.get(len..)?.trim_start();
        match rest.strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None if rest.starts_with(')') => {}
            None => return None,
        }
    }
    let end = text.len() - rest.len() + 1;
    Some(((name.to_owned(), Some(Json::Object(args))), end))
}

/// The word that a text begins with, and what stands behind it.
fn word<'t>(text: &'t str, signs: &str) -> Option<(&'t str, &'t str)> {
    let len = text.find(|c: char| !(c.is_ascii_alphanumeric() || signs.contains(c))).unwrap_or(text.len());
    text.split_at_checked(len).filter(|(word, _)| !word.is_empty())
}
