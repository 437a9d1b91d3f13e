//! Telling: the sentence by which an operation is told, as `told` in its manifest: `puts {{target}} into the {{args.bin}}`.
//!
//! It is one line, and so is what is filled in: of each argument at most 80 characters, of what is not there nothing. An address is told
//! as people would name what stands there: `/line/qa/board-00684` is board 684.

use super::act::{Call, Content};
use super::line::plain;
use super::value::Value;

/// The longest sentence, in characters.
pub const SENTENCE_MAX: usize = 200;
/// How many places it has at most.
const PLACES_MAX: usize = 8;
/// How much of an argument is told, in characters.
pub const TOLD_MAX: usize = 80;

/// A sentence with places of some kind: `{{place}}` between words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence<P>(Vec<SentencePart<P>>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum SentencePart<P> {
    Words(String),
    Place(P),
}

impl<P> Sentence<P> {
    /// Reads a sentence; what is wrong with it otherwise.
    pub fn parse(text: &str, place_of: impl Fn(&str) -> Result<P, String>) -> Result<Self, String> {
        if text.trim().is_empty() || text.chars().count() > SENTENCE_MAX || !text.chars().eq(plain(text)) {
            return Err(format!("expected one line of 1 to {SENTENCE_MAX} characters that can be seen"));
        }
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some((words, behind)) = rest.split_once("{{") {
            let (place, behind) = behind.split_once("}}").ok_or_else(|| "expected `}}` behind `{{`".to_owned())?;
            parts.push(SentencePart::Words(words.to_owned()));
            parts.push(SentencePart::Place(place_of(place.trim())?));
            rest = behind;
        }
        parts.push(SentencePart::Words(rest.to_owned()));
        let places = parts.iter().filter(|part| matches!(part, SentencePart::Place(_))).count();
        match (places > PLACES_MAX, parts.iter().find(|part| matches!(part, SentencePart::Words(words) if words.contains("}}")))) {
            (true, _) => Err(format!("expected at most {PLACES_MAX} places, found {places}")),
            (_, Some(_)) => Err("expected `{{` before `}}`".to_owned()),
            _ => Ok(Self(parts)),
        }
    }

    /// Its places, in their order.
    pub fn places(&self) -> impl Iterator<Item = &P> {
        self.0.iter().filter_map(|part| if let SentencePart::Place(place) = part { Some(place) } else { None })
    }

    /// The sentence with its places filled in.
    pub fn fill(&self, mut told: impl FnMut(&P) -> String) -> String {
        let part = |part: &SentencePart<P>| match part {
            SentencePart::Words(words) => words.clone(),
            SentencePart::Place(place) => told(place),
        };
        self.0.iter().map(part).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The sentence of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling(Sentence<TellingPlace>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum TellingPlace {
    Target,
    Arg(String),
}

impl Telling {
    /// Reads a sentence; what is wrong with it otherwise.
    pub fn parse(text: &str) -> Result<Self, String> {
        Sentence::parse(text, Self::place).map(Self)
    }

    /// The paths of the arguments that it names.
    pub fn arguments(&self) -> impl Iterator<Item = &str> {
        self.0.places().filter_map(|place| if let TellingPlace::Arg(path) = place { Some(path.as_str()) } else { None })
    }

    fn place(place: &str) -> Result<TellingPlace, String> {
        let is_path = |path: &str| {
            path.split('.').all(|key| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        };
        match (place, place.strip_prefix("args.")) {
            ("target", _) => Ok(TellingPlace::Target),
            (_, Some(path)) if is_path(path) => Ok(TellingPlace::Arg(path.to_owned())),
            _ => Err(format!("expected `{{{{target}}}}` or `{{{{args.<path>}}}}`, found `{{{{{place}}}}}`")),
        }
    }

    /// The sentence of a call in the present, each thing by its name.
    pub fn tell(&self, call: &Call) -> String {
        self.tell_with(call, name_of, str::to_owned)
    }

    /// The same with the addresses of things as they were written, and other values [marked].
    pub fn write(&self, call: &Call) -> String {
        self.tell_with(call, |named| name_of(named).map(|_| named.to_owned()), marked)
    }

    fn tell_with(&self, call: &Call, call_it: impl Fn(&str) -> Option<String>, value: impl Fn(&str) -> String) -> String {
        self.0.fill(|place| {
            let named = match (place, &call.args) {
                (TellingPlace::Target, _) => Some(call.target.clone()),
                (TellingPlace::Arg(path), Content::Here(args)) => match args.at(path) {
                    Some(Value::Text(text)) => Some(text.clone()),
                    Some(Value::Null) | None => None,
                    Some(other) => return value(&cut(&other.to_string())),
                },
                (TellingPlace::Arg(_), Content::There { .. } | Content::Unread { .. }) => return "…".to_owned(),
            };
            named.map(|named| call_it(&named).unwrap_or_else(|| value(&cut(&named)))).unwrap_or_default()
        })
    }
}

/// The marks before and behind a value among our words, so that nobody takes it for them; nobody's own text has them.
pub const VALUE: [char; 2] = ['\u{e000}', '\u{e001}'];

/// A value between those marks.
pub fn marked(value: &str) -> String {
    let [begins, ends] = VALUE;
    format!("{begins}{}{ends}", value.replace(VALUE, ""))
}

/// As people name what stands at an address: by the last of its names, its words apart and its number without zeros before it. None
/// for what is no address of a thing.
fn name_of(address: &str) -> Option<String> {
    let is_address = address.starts_with(['/', '@']) && address.len() > 1 && !address.contains("/.");
    let is_line = !address.chars().any(|c| c.is_whitespace() || c == '\\') && plain(address).eq(address.chars());
    let last = address.rsplit('/').next().filter(|last| is_address && is_line && !last.is_empty())?;
    // The name of a being is told unchanged.
    if last.starts_with('@') {
        return Some(cut(last));
    }
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let told = |word: &str| match word.trim_start_matches('0') {
        _ if word.is_empty() || !is_number(word) => word.to_owned(),
        "" => "0".to_owned(),
        number => number.to_owned(),
    };
    Some(cut(&last.split('-').map(told).collect::<Vec<_>>().join(" ")))
}

fn cut(text: &str) -> String {
    let line: String = plain(text).take(TOLD_MAX + 1).collect();
    if line.chars().count() > TOLD_MAX { line.chars().take(TOLD_MAX - 1).chain(['…']).collect() } else { line }
}
