//! Telling: the sentence by which an operation is told, as `told` in its manifest: `puts board {{args.number}} into {{target}}`.
//!
//! It is one line, and so is what is filled in: of each argument at most 80 characters, of what is not there nothing.

use super::act::{Call, Content};
use super::line::plain;
use super::value::Value;

/// The longest sentence, in characters.
const SENTENCE_MAX: usize = 200;
/// How many places it has at most.
const PLACES_MAX: usize = 8;
/// How much of an argument is told, in characters.
const TOLD_MAX: usize = 80;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn call(args: &str) -> Call {
        Call::doing("/hall/bin", "t:put", serde_json::from_str::<Value>(args).unwrap())
    }

    #[test]
    fn a_sentence_is_filled_in_from_the_target_and_the_arguments() {
        let tell = |text: &str, args: &str| Telling::parse(text).unwrap().tell(&call(args));
        assert_eq!(tell("puts board {{args.board.no}} into {{ target }}", r#"{"board":{"no":684}}"#), "puts board 684 into /hall/bin");
        assert_eq!(tell("rests {{args.how}}", r#"{"how":"a\nb\u001b[2J\u202ec"}"#), "rests a b [2Jc");
        assert_eq!(tell("rests {{args.how}} now", "{}"), "rests now");
        assert_eq!(tell("{{args.all}}", r#"{"all":[1,true,null]}"#), "[1,true,null]");
        let long = tell("says {{args.x}}!", &format!(r#"{{"x":"{}"}}"#, "ä".repeat(500)));
        assert!(long.chars().count() == 5 + TOLD_MAX + 1 && long.ends_with("…!"), "{long}");
        assert_eq!(tell("{ json }", "{}"), "{ json }");
    }

    #[test]
    fn what_is_no_sentence_says_what_was_expected() {
        for (text, expected) in [
            ("", "one line"),
            ("a\nb", "one line"),
            ("a\u{202e}b", "one line"),
            ("a {{target", "`}}` behind"),
            ("a }} b", "`{{` before"),
            ("a {{me.name}}", "found `{{me.name}}`"),
            ("a {{args.}}", "found `{{args.}}`"),
            ("a {{args.x | upper}}", "found `{{args.x | upper}}`"),
            (&"x".repeat(SENTENCE_MAX + 1), "one line"),
            (&"{{target}}".repeat(9), "at most 8"),
        ] {
            assert!(Telling::parse(text).unwrap_err().contains(expected), "{text}");
        }
    }
}
