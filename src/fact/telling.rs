//! Telling: the sentence by which an operation is told, as `told` in its manifest: `puts board {{args.number}} into {{target}}`.
//!
//! It is one line, and so is what is filled in: of each argument at most 80 characters, of what is not there nothing.

use super::act::{Call, Content};
use super::line::plain;
use super::value::Value;

/// The longest sentence, in characters.
pub const SENTENCE_MAX: usize = 200;
/// How many places it has at most.
const PLACES_MAX: usize = 8;
/// How much of an argument is told, in characters.
pub const TOLD_MAX: usize = 80;

/// A sentence with places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling(Vec<TellingPart>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum TellingPart {
    Words(String),
    Target,
    Arg(String),
}

impl Telling {
    /// Reads a sentence; what is wrong with it otherwise.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() || text.chars().count() > SENTENCE_MAX || !text.chars().eq(plain(text)) {
            return Err(format!("expected one line of 1 to {SENTENCE_MAX} characters that can be seen"));
        }
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some((words, behind)) = rest.split_once("{{") {
            let (place, behind) = behind.split_once("}}").ok_or_else(|| "expected `}}` behind `{{`".to_owned())?;
            parts.push(TellingPart::Words(words.to_owned()));
            parts.push(Self::place(place.trim())?);
            rest = behind;
        }
        parts.push(TellingPart::Words(rest.to_owned()));
        let places = parts.iter().filter(|part| !matches!(part, TellingPart::Words(_))).count();
        match (places > PLACES_MAX, parts.iter().find(|part| matches!(part, TellingPart::Words(words) if words.contains("}}")))) {
            (true, _) => Err(format!("expected at most {PLACES_MAX} places, found {places}")),
            (_, Some(_)) => Err("expected `{{` before `}}`".to_owned()),
            _ => Ok(Self(parts)),
        }
    }

    fn place(place: &str) -> Result<TellingPart, String> {
        let is_path = |path: &str| {
            path.split('.').all(|key| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        };
        match (place, place.strip_prefix("args.")) {
            ("target", _) => Ok(TellingPart::Target),
            (_, Some(path)) if is_path(path) => Ok(TellingPart::Arg(path.to_owned())),
            _ => Err(format!("expected `{{{{target}}}}` or `{{{{args.<path>}}}}`, found `{{{{{place}}}}}`")),
        }
    }

    /// The sentence of a call.
    pub fn tell(&self, call: &Call) -> String {
        let argument = |path: &String| match &call.args {
            Content::Here(args) => args.at(path).map(told).unwrap_or_default(),
            Content::There { .. } | Content::Unread { .. } => "…".to_owned(),
        };
        let part = |part: &TellingPart| match part {
            TellingPart::Words(words) => words.clone(),
            TellingPart::Target => cut(&call.target),
            TellingPart::Arg(path) => argument(path),
        };
        self.0.iter().map(part).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A value as one line.
fn told(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) => cut(text),
        value => cut(&value.to_string()),
    }
}

fn cut(text: &str) -> String {
    let line: String = plain(text).take(TOLD_MAX + 1).collect();
    if line.chars().count() > TOLD_MAX { line.chars().take(TOLD_MAX - 1).chain(['…']).collect() } else { line }
}
