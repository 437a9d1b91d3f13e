//! Answered: the body of an answer as JSON, the fault that keeps it from being JSON, and the sentence in which a server says what went wrong.

use std::fmt;

use serde_json::Value as Json;

use crate::fact::{masked, plain, whole_letters};

/// A mark that some servers put before a text, and that JSON does not take.
const BYTE_ORDER_MARK: char = '\u{feff}';
/// The longest sentence of a server that is kept, in letters.
const SENTENCE_MAX: usize = 200;
/// Where servers say what went wrong, the most telling first: OpenAI and Anthropic, routers, Ollama, FastAPI, gateways.
const SAID_AT: [&str; 11] = [
    "/error/metadata/raw",
    "/error/message",
    "/error/error/message",
    "/error/detail",
    "/error",
    "/message",
    "/detail/0/msg",
    "/detail/message",
    "/detail",
    "/errors/0/message",
    "/0/error/message",
];

/// Why a body is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyFault {
    what: String,
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// The JSON of a body. A mark of byte order before it and half a letter in it are mended; nothing else is.
pub fn body_of(text: &str) -> Result<Json, BodyFault> {
    let bare = text.trim_start_matches(BYTE_ORDER_MARK);
    serde_json::from_str(&whole_letters(bare)).map_err(|error| BodyFault { what: named(bare.trim(), &error) })
}

/// The kind of text that a body is in place of JSON.
fn named(text: &str, error: &serde_json::Error) -> String {
    let begins =
        |beginnings: &[&str]| beginnings.iter().any(|begin| text.get(..begin.len()).is_some_and(|is| is.eq_ignore_ascii_case(begin)));
    let at = format!("line {}, column {}", error.line(), error.column());
    if text.is_empty() {
        "nothing".to_owned()
    } else if begins(&["<!doctype", "<html", "<head", "<body", "<?xml"]) {
        "a page of HTML".to_owned()
    } else if begins(&["data:", "event:"]) {
        "a stream of events, which was not asked for".to_owned()
    } else if begins(&[":"]) {
        "a comment of a stream of events".to_owned()
    } else if begins(&["//", "/*", "#"]) {
        "a comment".to_owned()
    } else if !begins(&["{", "["]) {
        "words that are no JSON".to_owned()
    } else if error.is_eof() {
        format!("JSON that ends before its end, {at}")
    } else if behind(text) {
        format!("words behind the object, {at}")
    } else {
        format!("JSON that cannot be read, {at}")
    }
}

/// Whether a whole value stands at the beginning of a text, and something else behind it.
fn behind(text: &str) -> bool {
    matches!(serde_json::Deserializer::from_str(text).into_iter::<Json>().next(), Some(Ok(_)))
}

/// The sentence in which a server says what went wrong: one line of it, without the forms of keys; nothing where it says none.
pub fn sentence_of(body: &str) -> Option<String> {
    let said = match body_of(body) {
        Ok(json) => {
            SAID_AT.iter().find_map(|place| json.pointer(place)?.as_str().filter(|said| !said.trim().is_empty()).map(str::to_owned))
        }
        Err(_) if body.contains('<') => None,
        Err(_) => Some(body.to_owned()),
    };
    // A body may be large, so its sentence is bounded before it is searched for keys.
    let said: String = said?.chars().take(SENTENCE_MAX * 4).collect();
    let line: String = plain(&masked(&said)).collect();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ").replace('"', "'");
    let line: String = line.chars().take(SENTENCE_MAX).collect();
    (!line.is_empty()).then_some(line)
}
