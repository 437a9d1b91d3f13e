//! Source: a role as people write it, Markdown with YAML front matter or JSON, and back.
//!
//! The front matter stands between two lines of `---`; what follows is the prompt. Both forms become the same value, which
//! [`spec`](super::spec) reads; this file adds the file and the line to whatever it refuses.

use std::fmt::Write as _;

use crate::fact::Value;

use super::found::kind;
use super::spec::{RoleError, Spec};

impl Spec {
    /// Reads Markdown: front matter between two lines of `---`, then the prompt.
    pub fn from_markdown(file: &str, text: &str) -> Result<Self, RoleError> {
        let form = |line, what: String| RoleError::Form { file: file.to_owned(), line, what };
        let (front, body) = split(text).map_err(|(line, what)| form(line, what.to_owned()))?;
        let value: Value = serde_saphyr::from_str(front).map_err(|error| {
            let line = error.location().map_or(0, |location| location.line() + 1);
            form(line, format!("the front matter is not YAML as a role has it: {}", first_line(&error.without_snippet().to_string())))
        })?;
        let mut map = match value {
            Value::Map(map) => map,
            Value::Null => crate::fact::Map::new(),
            other => return Err(form(2, format!("expected front matter of keys and values, found {}", kind(&other)))),
        };
        if map.contains_key("prompt") {
            let error = RoleError::key("prompt", "expected the prompt below the front matter, found it inside; move it there");
            return Err(error.in_file(file).on_line(line_of(front, "prompt")));
        }
        map.insert("prompt".into(), body.into());
        Self::from_value(&Value::Map(map)).map_err(|error| {
            let line = if let RoleError::Key { key, .. } = &error { line_of(front, key) } else { 0 };
            error.in_file(file).on_line(line)
        })
    }

    /// Reads JSON.
    pub fn from_json(file: &str, text: &str) -> Result<Self, RoleError> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| RoleError::Form {
            file: file.to_owned(),
            line: error.line() as u64,
            what: format!("expected a role as JSON: {error}"),
        })?;
        Self::from_value(&value).map_err(|error| error.in_file(file))
    }

    /// Writes Markdown that reads back as the same role.
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("---\n");
        for (key, value) in self.pairs().into_iter().filter(|(key, _)| *key != "prompt") {
            match value {
                Value::List(items) => {
                    let _ = writeln!(text, "{key}:{}", if items.is_empty() { " []" } else { "" });
                    for item in &items {
                        let _ = writeln!(text, "  - {}", scalar(item));
                    }
                }
                value => {
                    let _ = writeln!(text, "{key}: {}", scalar(&value));
                }
            }
        }
        text.push_str("---\n");
        if !self.prompt.is_empty() {
            let _ = write!(text, "\n{}\n", self.prompt);
        }
        text
    }
}

/// The front matter and what follows it, or the line at which the form is lost and how.
fn split(text: &str) -> Result<(&str, &str), (u64, &'static str)> {
    let text = text.trim_start_matches('\u{feff}');
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if first.trim_end() != "---" {
        return Err((1, "expected a line `---` that opens the front matter, found none; a role begins with its name"));
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_end() == "---" {
            return Ok((rest.get(..at).unwrap_or_default(), rest.get(end..).unwrap_or_default()));
        }
        at = end;
    }
    Err((1, "expected a second line `---` that closes the front matter, found none"))
}

/// The line of the file on which a key of the front matter stands, 0 where it does not; inside a list, that of the item if it has its own.
fn line_of(front: &str, key: &str) -> u64 {
    let name = key.split(['[', '.']).next().unwrap_or(key);
    let stands = |line: &str| {
        line.trim_matches(['"', '\''])
            .strip_prefix(name)
            .is_some_and(|rest| rest.trim_start_matches(['"', '\'']).trim_start().starts_with(':'))
    };
    let lines = || (2u64..).zip(front.lines());
    let Some((at, _)) = lines().find(|(_, line)| stands(line)) else { return 0 };
    let index = key.split_once('[').and_then(|(_, rest)| rest.split_once(']')).and_then(|(index, _)| index.parse::<usize>().ok());
    let below = lines().skip_while(|(line, _)| *line <= at).take_while(|(_, line)| line.starts_with([' ', '-']) || line.trim().is_empty());
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut items = below.filter(|(_, line)| line.trim_start().starts_with('-'));
    let Some(index) = index else { return at };
    let Some(first) = items.next() else { return at };
    std::iter::once(first).chain(items.filter(|(_, line)| indent(line) == indent(first.1))).nth(index).map_or(at, |(line, _)| line)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A value on one line of YAML: plain words bare, everything else as JSON, which YAML contains.
fn scalar(value: &Value) -> String {
    match value {
        Value::Text(text) if is_plain(text) => text.to_string(),
        other => escape(&other.to_string()),
    }
}

/// Whether YAML reads the word as itself: letters first, nothing that has a meaning, no word for true, false or null.
fn is_plain(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/' | b'_');
    let is_safe = |(place, byte): (usize, u8)| {
        // A colon is plain only inside a word.
        is_word(byte) || (byte == b':' && text.as_bytes().get(place + 1).is_some_and(|next| is_word(*next)))
    };
    let reserved = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity"];
    text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && text.bytes().enumerate().all(is_safe)
        && !reserved.contains(&text.to_ascii_lowercase().as_str())
}

/// JSON may hold characters bare that YAML calls unprintable; they are written as escapes.
fn escape(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}
