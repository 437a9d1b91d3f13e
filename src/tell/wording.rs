//! Wording: the sentence of an operation of the core, as it stands beside the operation: `sets {{last args.path}}[ of {{other}}][ to {{args.value}}]`.
//!
//! Each place is filled from the call. Words in brackets are left out where one of its places is empty. An operation may have several
//! sentences: the first whose places are all filled is told.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::fact::{Call, Content, Text, VALUE, Value, in_threes, is_name, marked, plain, with_article, write_duration};
use crate::verb::core_operations;

use super::naming::{has_digit, readable, with_the};
use super::part::cut;

/// How long a value is in a sentence, in characters; a longer one is left out.
const VALUE_MAX: usize = 60;
/// How many values of a list are named.
const LIST_MAX: usize = 3;
/// How long a text is that is cut and told all the same.
const TEXT_MAX: usize = 80;

/// A call, with all that its sentence needs.
pub(super) struct ToldCall<'a> {
    pub call: &'a Call,
    /// The name of whoever acts.
    pub being: &'a str,
    /// The space where they stood, as its path; empty where that is not known.
    pub stood: &'a str,
}

impl ToldCall<'_> {
    /// Whether it is done to whoever does it.
    pub fn is_to_oneself(&self) -> bool {
        self.call.target.strip_prefix('@') == Some(self.being)
    }

    /// The target as a sentence has it: the world by its name.
    pub fn target(&self) -> &str {
        if self.call.target.as_ref() == "/" { "the world" } else { &self.call.target }
    }

    /// An argument, where it is at hand.
    pub fn arg(&self, path: &str) -> Option<&Value> {
        match &self.call.args {
            Content::Here(args) => args.at(path),
            Content::There { .. } | Content::Unread { .. } => None,
        }
    }

    fn text(&self, path: &str) -> Option<&Text> {
        self.arg(path).and_then(Value::as_text).filter(|text| !text.is_empty())
    }
}

/// The filling of a place in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WordingPlace {
    /// The target.
    Target,
    /// The target, unless it is oneself or the world.
    Other,
    /// The target, if it is somebody else.
    Being,
    /// Nothing, and only where it is done to oneself.
    Oneself,
    /// Nothing, and only where an argument is null.
    Null(String),
    /// Nothing, and only where an argument is this value.
    Is(String, String),
    /// A value that is short.
    Value(String),
    /// A text as it was written, cut where it is long.
    Text(String),
    /// The last name of a path, a role or a thing, in words.
    Last(String),
    /// The same behind its article.
    Kind(String),
    /// A place other than the one where one stood.
    Elsewhere(String),
    /// The pace that a clock is set to.
    Pace(String),
    /// The moment of a fact.
    Moment(String),
    /// How long something lasts.
    Span(String),
    /// The last name of a path behind `the`.
    The(String),
    /// The name of a being, as it is written.
    Name(String),
    /// Nothing, and only where there is such an argument.
    Given(String),
}

impl WordingPlace {
    fn parse(place: &str) -> Option<Self> {
        let arg = |rest: &str| rest.strip_prefix("args.").map(str::to_owned);
        let (how, of) = place.split_once(' ').unwrap_or(("", place));
        Some(match (how, of) {
            ("", "target") => Self::Target,
            ("", "other") => Self::Other,
            ("", "being") => Self::Being,
            ("", "oneself") => Self::Oneself,
            ("", _) => Self::Value(arg(of)?),
            ("null", _) => Self::Null(arg(of)?),
            ("is", _) => of.split_once('=').and_then(|(path, value)| Some(Self::Is(arg(path)?, value.to_owned())))?,
            ("text", _) => Self::Text(arg(of)?),
            ("last", _) => Self::Last(arg(of)?),
            ("a", _) => Self::Kind(arg(of)?),
            ("elsewhere", _) => Self::Elsewhere(arg(of)?),
            ("pace", _) => Self::Pace(arg(of)?),
            ("span", _) => Self::Span(arg(of)?),
            ("the", _) => Self::The(arg(of)?),
            ("name", _) => Self::Name(arg(of)?),
            ("given", _) => Self::Given(arg(of)?),
            ("moment", _) => Self::Moment(arg(of)?),
            _ => return None,
        })
    }

    /// Its words for a call; none where there is nothing to say.
    fn fill(&self, told: &ToldCall<'_>) -> Option<String> {
        let holds = |is_so: bool| is_so.then(String::new);
        match self {
            Self::Target => Some(told.target().to_owned()),
            Self::Other => {
                Some(told.call.target.to_string()).filter(|target| !matches!(target.as_str(), "" | "/") && !told.is_to_oneself())
            }
            Self::Being => Some(told.call.target.to_string()).filter(|target| target.starts_with('@') && !told.is_to_oneself()),
            Self::Oneself => holds(told.is_to_oneself()),
            Self::Null(path) => holds(told.arg(path).is_some_and(|value| *value == Value::Null)),
            Self::Is(path, value) => {
                holds(told.arg(path).is_some_and(|is| is.as_text().map_or_else(|| is.to_string() == *value, |text| text.as_ref() == value)))
            }
            Self::Value(path) => plainly(told.arg(path)?).map(|value| quoted_value(&value)),
            Self::Span(path) => match told.arg(path)? {
                Value::Int(ms) => Some(write_duration(*ms)),
                span => plainly(span).map(|span| quoted_value(&span)),
            },
            Self::The(path) => told.text(path).map(|text| with_the(last_name(text))),
            Self::Name(path) => told.text(path).filter(|name| is_name(name)).map(ToString::to_string),
            Self::Given(path) => holds(told.arg(path).is_some()),
            Self::Text(path) => told.text(path).map(|text| quoted_value(&cut(&plain(text).collect::<String>(), TEXT_MAX))),
            Self::Last(path) => told.text(path).map(|text| last_name(text)),
            Self::Kind(path) => {
                told.text(path).map(|text| last_name(text)).map(|name| if has_digit(&name) { name } else { with_article(&name) })
            }
            Self::Elsewhere(path) => told.text(path).filter(|place| place.as_ref() != told.stood).map(|place| quoted_value(place)),
            Self::Moment(path) => told.text(path)?.split('.').next().map(|seq| format!("moment {seq}")),
            Self::Pace(path) => told.text(path)?.strip_prefix("paced ").map(|pace| format!("×{pace}")),
        }
        .map(|filled| plain(&filled).collect::<String>())
        .filter(|filled| self.is_guard() || !filled.trim_matches(VALUE).trim().is_empty())
    }

    /// Whether it says nothing itself.
    fn is_guard(&self) -> bool {
        matches!(self, Self::Oneself | Self::Null(_) | Self::Is(..) | Self::Given(_))
    }
}

/// The last of the names that a path is made of, in words: `town.door-open` is door open.
pub(super) fn last_name(path: &str) -> String {
    readable(path.rsplit(['.', ':']).find(|name| !name.is_empty()).unwrap_or(path))
}

/// A value that fits into a sentence; what is long, or made of several that do not fit, is left out.
fn plainly(value: &Value) -> Option<String> {
    let told = match value {
        Value::Null | Value::Map(_) => return None,
        Value::Bool(is_on) => if *is_on { "on" } else { "off" }.to_owned(),
        Value::Int(number) => in_words(*number),
        Value::List(items) => return listed(items),
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    };
    Some(told).filter(|told| !told.is_empty() && told.chars().count() <= VALUE_MAX)
}

/// A number as people write it: such as could be a year has no commas.
fn in_words(number: i64) -> String {
    let digits = usize::try_from(number.unsigned_abs())
        .map_or_else(|_| number.to_string(), |size| if size < 10_000 { size.to_string() } else { in_threes(size) });
    if number < 0 && !digits.starts_with('-') { format!("-{digits}") } else { digits }
}

/// A value among our words: marked, so that nothing in it is taken for ours; an address is none.
fn quoted_value(value: &str) -> String {
    match value {
        "/" => "the world".to_owned(),
        _ if value.starts_with(['/', '@']) && !value.contains(char::is_whitespace) => value.to_owned(),
        _ if value.split(", ").all(|one| one.starts_with(['/', '@'])) => value.to_owned(),
        _ => marked(value),
    }
}

/// The first few values of a list, and how many more there are.
fn listed(items: &[Value]) -> Option<String> {
    let first: Vec<String> = items.iter().take(LIST_MAX).filter_map(plainly).collect();
    let more = items.len().saturating_sub(LIST_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!first.is_empty()).then(|| format!("{}{more}", first.join(", ")))
}

/// A stretch of a sentence: words and places in turns, and whether it may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WordingStretch {
    pieces: Vec<(String, Option<WordingPlace>)>,
    is_optional: bool,
}

impl WordingStretch {
    fn parse(text: &str, is_optional: bool) -> Option<Self> {
        let (mut pieces, mut rest) = (Vec::new(), text);
        while let Some((words, behind)) = rest.split_once("{{") {
            let (place, behind) = behind.split_once("}}")?;
            pieces.push((words.to_owned(), Some(WordingPlace::parse(place)?)));
            rest = behind;
        }
        pieces.push((rest.to_owned(), None));
        Some(Self { pieces, is_optional })
    }

    fn fill(&self, told: &ToldCall<'_>) -> Option<String> {
        let filled = self.pieces.iter().try_fold(String::new(), |line, (words, place)| {
            let filled = place.as_ref().map_or(Some(String::new()), |place| place.fill(told))?;
            Some(format!("{line}{words}{filled}"))
        });
        filled.or_else(|| self.is_optional.then(String::new))
    }
}

/// A sentence of an operation of the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording(Vec<WordingStretch>);

impl Wording {
    /// Reads a sentence; none where it is not written as one.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut stretches, mut rest) = (Vec::new(), text);
        while let Some((before, behind)) = rest.split_once('[') {
            let (optional, behind) = behind.split_once(']')?;
            stretches.extend([WordingStretch::parse(before, false)?, WordingStretch::parse(optional, true)?]);
            rest = behind;
        }
        stretches.push(WordingStretch::parse(rest, false)?);
        Some(Self(stretches))
    }

    /// The sentence of a call; none where a place of it stays empty.
    pub(super) fn fill(&self, told: &ToldCall<'_>) -> Option<String> {
        self.0.iter().map(|stretch| stretch.fill(told)).collect::<Option<Vec<_>>>().map(|all| all.concat())
    }
}

/// The sentence of an operation of the core for a call, in the third person, with addresses as they were written; none where it is none of the core.
pub(super) fn core_sentence(told: &ToldCall<'_>) -> Option<String> {
    static TABLE: OnceLock<BTreeMap<&'static str, Vec<Wording>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let parsed = |sentences: &[&str]| sentences.iter().filter_map(|sentence| Wording::parse(sentence)).collect();
        core_operations().map(|operation| (operation.name, parsed(operation.told))).collect()
    });
    table.get(told.call.action.as_ref())?.iter().find_map(|wording| wording.fill(told))
}
