//! Answer: what kind of answer a question wants, how it is asked for in words, and how what was said is read.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use crate::cognition::spoken_words;
use crate::fact::Value;
use crate::run::Testimony;

/// What is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerKind {
    /// Anything.
    Open,
    /// A whole number.
    Scale {
        /// The least.
        from: i64,
        /// The most.
        to: i64,
        /// What some of them mean.
        labels: BTreeMap<i64, String>,
    },
    /// One of these.
    Choice {
        /// In the order in which they are named.
        options: Vec<String>,
    },
}

/// What stands for no answer that could be read.
const UNCLEAR: &str = "unclear";

/// Why there is no answer, in a word.
pub(in crate::cli) fn refusal(told: &Testimony, answer: Option<&Value>) -> Option<String> {
    let unsaid = told.unsaid.as_ref().map(|unsaid| unsaid.word().to_owned());
    unsaid.or_else(|| answer.is_none().then(|| UNCLEAR.to_owned()))
}

impl FromStr for AnswerKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected open, scale, scale=1..7 or choice=yes,no, found `{text}`");
        let (word, rest) = text.split_once('=').map_or((text, None), |(word, rest)| (word, Some(rest)));
        match (word, rest) {
            ("open", None) => Ok(Self::Open),
            ("scale", rest) => {
                let (from, to) = rest.unwrap_or("1..7").split_once("..").ok_or_else(wrong)?;
                Self::scale(from.parse().map_err(|_| wrong())?, to.parse().map_err(|_| wrong())?, BTreeMap::new())
            }
            ("choice", Some(options)) => Self::choice(options.split(',').map(|option| option.trim().to_owned()).collect()),
            _ => Err(wrong()),
        }
    }
}

impl AnswerKind {
    /// A scale that has two steps at least.
    pub fn scale(from: i64, to: i64, labels: BTreeMap<i64, String>) -> Result<Self, String> {
        if from >= to {
            return Err(format!("expected a scale whose end lies above its beginning, found {from} to {to}"));
        }
        match labels.keys().find(|step| !(from..=to).contains(step)) {
            Some(strange) => Err(format!("expected labels from {from} to {to}, found one for {strange}")),
            None => Ok(Self::Scale { from, to, labels }),
        }
    }

    /// A choice among two at least, each of which can be told from the others.
    pub(in crate::cli) fn choice(options: Vec<String>) -> Result<Self, String> {
        let told: BTreeSet<Vec<String>> = options.iter().map(|option| words(option)).collect();
        if options.len() < 2 || told.len() < options.len() || told.contains(&Vec::new()) {
            return Err(format!("expected two options or more, each of other words, found `{}`", options.join("`, `")));
        }
        Ok(Self::Choice { options })
    }

    /// The question as it is put.
    pub(in crate::cli) fn asks(&self, text: &str) -> String {
        match self {
            Self::Open => text.to_owned(),
            Self::Scale { from, to, labels } => {
                let labels: Vec<String> = labels.iter().map(|(step, label)| format!("{step}: {label}")).collect();
                let meant = if labels.is_empty() { String::new() } else { format!(" ({})", labels.join("; ")) };
                format!("{text}\nAnswer with one whole number from {from} to {to} and nothing else{meant}.")
            }
            Self::Choice { options } => {
                let listed: Vec<String> = options.iter().map(|option| format!("\n- {option}")).collect();
                format!("{text}\nAnswer with one of these, in the same words and with nothing else:{}", listed.concat())
            }
        }
    }

    /// The answer that something said is; nothing where it is none, or may be more than one.
    pub fn read(&self, said: &Value) -> Option<Value> {
        let text = said.as_str().map_or_else(|| said.to_string(), spoken_words);
        match self {
            Self::Open => Some(Value::from(text.trim())).filter(|_| !text.trim().is_empty()),
            Self::Scale { from, to, labels } => {
                let label = labels.iter().find(|(_, label)| words(label) == words(&text)).map(|(step, _)| *step);
                let number = label.or_else(|| one_number(&text, *from, *to))?;
                Some(Value::Int(number))
            }
            Self::Choice { options } => chosen(options, &words(&text)).map(Value::text),
        }
    }
}

/// The words of a text, in small letters.
fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.to_lowercase().split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The words by which what stands behind them is denied. `t` is what is left of `don't`.
const DENIALS: &[&str] =
    &["not", "never", "neither", "nor", "cannot", "without", "hardly", "t", "nicht", "nie", "niemals", "kein", "keine"];

/// A text without the numbers of its lists; the number before a single line may be the answer.
fn without_list_numbers(text: &str) -> String {
    let behind = |line: &str| {
        let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = rest.len() < line.trim_start().len();
        rest.strip_prefix(['.', ')']).filter(|rest| is_numbered && rest.starts_with(char::is_whitespace)).map(str::to_owned)
    };
    if text.lines().filter_map(behind).count() < 2 {
        return text.to_owned();
    }
    text.lines().map(|line| behind(line).unwrap_or_else(|| line.to_owned())).collect::<Vec<_>>().join("\n")
}

/// Whether a number has digits behind a point or a comma.
fn has_fraction(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(3).any(|three| matches!(three, [a, b'.' | b',', c] if a.is_ascii_digit() && c.is_ascii_digit()))
}

/// The whole number that a text begins with, else the only one in it; none that lies beside the scale, and none beside a fraction.
fn one_number(text: &str, from: i64, to: i64) -> Option<i64> {
    let text = &without_list_numbers(text);
    if has_fraction(text) {
        return None;
    }
    let token = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_digit() && c != '-');
        word.parse::<i64>().ok()
    };
    let mut tokens = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | ',' | ';' | ':')).filter(|word| !word.is_empty());
    let first = tokens.clone().next().and_then(token);
    let all: BTreeSet<i64> = tokens.by_ref().filter_map(token).collect();
    let number = first.or_else(|| all.first().copied().filter(|_| all.len() == 1))?;
    (from..=to).contains(&number).then_some(number)
}

/// The option that was named: the only one whose words stand in those that were said, and not only as a part of another's.
fn chosen<'o>(options: &'o [String], said: &[String]) -> Option<&'o str> {
    let named: Vec<(&String, Vec<String>)> = options.iter().map(|option| (option, words(option))).collect();
    let exact = named.iter().find(|(_, words)| words == said);
    if let Some((option, _)) = exact {
        return Some(option);
    }
    let holds = |all: &[String], part: &[String]| all.windows(part.len()).any(|window| window == part);
    let found: Vec<&(&String, Vec<String>)> = named.iter().filter(|(_, words)| holds(said, words)).collect();
    let whole: Vec<_> =
        found.iter().filter(|(_, words)| !found.iter().any(|(_, other)| other.len() > words.len() && holds(other, words))).collect();
    match whole.as_slice() {
        [(option, words)] if !is_denied(said, words) => Some(option),
        _ => None,
    }
}

/// Whether a denial stands before the words of an option.
fn is_denied(said: &[String], option: &[String]) -> bool {
    let at = said.windows(option.len()).position(|window| window == option).unwrap_or(0);
    said.iter().take(at).any(|word| DENIALS.contains(&word.as_str()))
}
