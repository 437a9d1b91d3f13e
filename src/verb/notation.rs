//! Notation: JSON read by hand, in one pass, with the place and the expectation where it ends too early.
//!
//! [`Notation::Json`] takes JSON alone. [`Notation::Mended`] also takes a raw newline, a tab and half a letter in a string, and one comma before a closing bracket.
//! [`Notation::Python`] takes a literal of Python. Nothing is closed or completed.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value as Json};

use crate::fact::whole_letters;

/// The longest text that is mended, in bytes.
pub(super) const MENDED_MAX: usize = 64 << 10;
/// The deepest value that is read by hand.
const DEPTH_MAX: usize = 24;

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// As JSON.
    Json,
    /// As JSON with the small faults that any reader would overlook.
    Mended,
    /// As a literal of Python.
    Python,
}

/// A fault in a text that should be JSON, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonFault {
    /// The line, from 1.
    pub line: usize,
    /// The character in it, from 1.
    pub column: usize,
    /// The token that was expected, such as `a string`.
    pub expected: &'static str,
    /// The letter that was found; nothing at the end of the text.
    pub found: Option<char>,
}

impl JsonFault {
    /// The fault at a byte of a text.
    pub(super) fn at(text: &str, at: usize, expected: &'static str) -> Self {
        let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
        let line = before.rsplit('\n').next().unwrap_or_default();
        let (lines, column) = (before.matches('\n').count() + 1, line.chars().count() + 1);
        Self { line: lines, column, expected, found: rest.chars().next() }
    }
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, expected, found } = self;
        write!(f, "line {line}, column {column}: expected {expected}, found ")?;
        match found {
            None => f.write_str("the end"),
            Some('\n') => f.write_str("a newline"),
            Some(found) => write!(f, "`{found}`"),
        }
    }
}

/// The value that a text begins with, and the byte behind it.
pub fn first_value(text: &str, notation: Notation) -> Result<(Json, usize), JsonFault> {
    if notation != Notation::Python {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Json>();
        if let Some(Ok(json)) = stream.next() {
            return Ok((json, stream.byte_offset()));
        }
    }
    let notation = if text.len() > MENDED_MAX { Notation::Json } else { notation };
    let mut reader = JsonReader { text, at: 0, depth: 0, notation };
    let value = reader.value().map_err(|(at, expected)| JsonFault::at(text, at, expected))?;
    Ok((value, reader.at))
}

/// The byte at which something else was expected.
type JsonStop = (usize, &'static str);

struct JsonReader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    notation: Notation,
}

impl JsonReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes behind a byte where it stands next.
    fn takes(&mut self, byte: u8) -> bool {
        self.space();
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self) -> Result<Json, JsonStop> {
        self.space();
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(b'"') => self.string(b'"').map(Json::String),
            Some(b'\'') if self.notation == Notation::Python => self.string(b'\'').map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Json, JsonStop>) -> Result<Json, JsonStop> {
        if self.depth == DEPTH_MAX {
            return Err((self.at, "at most 24 levels"));
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Whether the items end here; behind a comma they do only where one too many may stand.
    fn ends(&mut self, close: u8, is_first: bool) -> bool {
        (is_first || self.notation != Notation::Json) && self.takes(close)
    }

    fn object(&mut self) -> Result<Json, JsonStop> {
        let mut map = Map::new();
        while !self.ends(b'}', map.is_empty()) {
            self.space();
            let key = match self.peek() {
                Some(b'"') => self.string(b'"')?,
                Some(b'\'') if self.notation == Notation::Python => self.string(b'\'')?,
                _ => return Err((self.at, "a key in quotation marks")),
            };
            if !self.takes(b':') {
                return Err((self.at, "`:`"));
            }
            let value = self.value()?;
            map.insert(key, value);
            if !self.takes(b',') {
                return if self.takes(b'}') { Ok(Json::Object(map)) } else { Err((self.at, "`,` or `}`")) };
            }
        }
        Ok(Json::Object(map))
    }

    fn list(&mut self) -> Result<Json, JsonStop> {
        let mut list = Vec::new();
        while !self.ends(b']', list.is_empty()) {
            list.push(self.value()?);
            if !self.takes(b',') {
                return if self.takes(b']') { Ok(Json::Array(list)) } else { Err((self.at, "`,` or `]`")) };
            }
        }
        Ok(Json::Array(list))
    }

    fn number(&mut self) -> Result<Json, JsonStop> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let len = rest.bytes().take_while(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte)).count();
        let number = rest.get(..len).and_then(|text| serde_json::from_str(text).ok()).ok_or((self.at, "a number"))?;
        self.at += len;
        Ok(number)
    }

    fn word(&mut self) -> Result<Json, JsonStop> {
        let words = match self.notation {
            Notation::Python => [("True", Json::Bool(true)), ("False", Json::Bool(false)), ("None", Json::Null)],
            Notation::Json | Notation::Mended => [("true", Json::Bool(true)), ("false", Json::Bool(false)), ("null", Json::Null)],
        };
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (word, value) = words.into_iter().find(|(word, _)| rest.starts_with(word)).ok_or((self.at, "a value"))?;
        self.at += word.len();
        Ok(value)
    }

    /// A string between two of these marks.
    fn string(&mut self, mark: u8) -> Result<String, JsonStop> {
        let begin = self.at;
        self.at += 1;
        // The same string as JSON writes it.
        let mut written = String::from("\"");
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.find(['"', '\'', '\\', '\n', '\r', '\t']).unwrap_or(rest.len());
            written.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                None => return Err((self.at, "the end of a string")),
                Some(byte) if byte == mark => break,
                Some(b'"') => written.push_str("\\\""),
                Some(b'\\') => self.escape(&mut written)?,
                Some(b'\n') if self.notation == Notation::Mended => written.push_str("\\n"),
                Some(b'\r') if self.notation == Notation::Mended => written.push_str("\\r"),
                Some(b'\t') if self.notation != Notation::Json => written.push_str("\\t"),
                Some(b'\t') => return Err((self.at, "`\\t` for a tab")),
                Some(b'\n' | b'\r') => return Err((self.at, "`\\n` for a newline")),
                Some(byte) => written.push(char::from(byte)),
            }
            self.at += 1;
        }
        self.at += 1;
        written.push('"');
        let written = if self.notation == Notation::Json { Cow::Borrowed(&*written) } else { whole_letters(&written) };
        serde_json::from_str(&written).map_err(|_| (begin, "a string of JSON"))
    }

    /// An escape; the reader stays at its last byte.
    fn escape(&mut self, written: &mut String) -> Result<(), JsonStop> {
        let next = self.text.as_bytes().get(self.at + 1).copied();
        match next {
            Some(b'\'') if self.notation == Notation::Python => written.push('\''),
            Some(next @ (b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u')) => written.extend(['\\', char::from(next)]),
            _ => return Err((self.at, "an escape of JSON")),
        }
        self.at += 1;
        Ok(())
    }
}
