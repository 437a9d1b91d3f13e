//! Answer: what kind of answer a question wants, how it is asked for in words, and how what was said is read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::cognition::spoken_words;
use crate::fact::Value;
use crate::run::Testimony;

/// The form of an answer.
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
        /// The meanings of some of its steps.
        labels: BTreeMap<i64, String>,
    },
    /// One of these.
    Choice {
        /// In the order in which they are named.
        options: Vec<String>,
    },
}

/// The word in place of an answer that could not be read.
pub(in crate::cli) const UNCLEAR: &str = "unclear";

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
        if let Some(strange) = labels.keys().find(|step| !(from..=to).contains(step)) {
            return Err(format!("expected labels from {from} to {to}, found one for {strange}"));
        }
        unlike(&labels, from..=to)?;
        Ok(Self::Scale { from, to, labels })
    }

    /// A choice among two at least, each of which can be told from the others.
    pub(in crate::cli) fn choice(options: Vec<String>) -> Result<Self, String> {
        let told: BTreeSet<String> = options.iter().filter_map(|option| Some(spellings(option).last()?.clone())).collect();
        if options.len() < 2 || told.len() < options.len() || told.contains("") {
            return Err(format!(
                "expected two options or more that differ in more than case, quotes, emphasis and a full stop, found `{}`",
                options.join("`, `")
            ));
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

    /// The answer that something said is. Where anything stands beside one answer, it is none.
    pub fn read(&self, said: &Value) -> Option<Value> {
        let text = said.as_str().map_or_else(|| said.to_string(), spoken_words);
        match self {
            Self::Open => Some(Value::from(text.trim())).filter(|_| !text.trim().is_empty()),
            Self::Scale { from, to, labels } => {
                let label = labels.iter().find(|(_, label)| bare(label) == bare(&text)).map(|(step, _)| *step);
                let number = label.or_else(|| step(&bare(&text), *to))?;
                (*from..=*to).contains(&number).then_some(Value::Int(number))
            }
            Self::Choice { options } => chosen(options, &text).map(Value::text),
        }
    }
}

/// Refuses labels by which an answer can be read as two steps: each is of other words, and none is the number of another step.
fn unlike(labels: &BTreeMap<i64, String>, steps: RangeInclusive<i64>) -> Result<(), String> {
    let mut told: BTreeMap<String, i64> = BTreeMap::new();
    for (own, label) in labels {
        if let Some(other) = step(&bare(label), *steps.end()).filter(|other| other != own && steps.contains(other)) {
            return Err(format!("expected a label that is no other step, found `{label}` for {own}: it reads as {other}"));
        }
        if let Some(other) = told.insert(bare(label), *own) {
            return Err(format!("expected labels of other words each, found `{label}` for {other} and for {own}"));
        }
    }
    Ok(())
}

/// Signs around an answer that say nothing.
const AROUND: &[char] = &['"', '\'', '`', '*', '_', '(', ')', '[', ']', '“', '”', '„', '‘', '’', '«', '»'];
/// Signs at its end that say nothing.
const STOPS: &[char] = &['.', '!', ','];

/// A text in small letters, each space single, without what stands around it.
fn bare(text: &str) -> String {
    let is_around = |c: char| c.is_whitespace() || AROUND.contains(&c);
    small(text).trim_start_matches(is_around).trim_end_matches(|c: char| is_around(c) || STOPS.contains(&c)).to_owned()
}

/// Marks that begin a line of a list; the options of a choice are listed behind the first.
const LIST_MARKS: &[&str] = &["- ", "* ", "• "];
/// Signs that stand around a whole answer in pairs.
const PAIRS: &[(char, char)] = &[
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('*', '*'),
    ('_', '_'),
    ('(', ')'),
    ('[', ']'),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('‘', '\''),
    ('«', '»'),
    ('»', '«'),
];

/// The option that a whole answer is.
///
/// An option is found as it is written before anything is taken away, so that `A*` is not `A`. Signs that only stand on one side of an answer
/// count for nothing where they leave one option.
fn chosen<'a>(options: &'a [String], said: &str) -> Option<&'a String> {
    let spelled = spellings(said).into_iter().find_map(|said| options.iter().find(|option| small(option) == said));
    let alike = || {
        let said = bare(spellings(said).last()?);
        let mut found = options.iter().filter(|option| !said.is_empty() && bare(option) == said);
        found.next().filter(|_| found.next().is_none())
    };
    spelled.or_else(alike)
}

/// A text in small letters, each space single.
fn small(text: &str) -> String {
    text.replace('’', "'").to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text, and the same with less and less around it: a list mark, stops at its end, pairs of quotes, emphasis or brackets.
fn spellings(text: &str) -> Vec<String> {
    let small = small(text);
    let mut rest = small.as_str();
    let mut found = vec![small.clone()];
    while let Some(less) =
        LIST_MARKS.iter().find_map(|mark| rest.strip_prefix(mark)).or_else(|| rest.strip_suffix(STOPS)).or_else(|| inside(rest))
    {
        rest = less.trim();
        found.push(rest.to_owned());
    }
    found
}

/// The text between a pair of signs.
fn inside(text: &str) -> Option<&str> {
    PAIRS.iter().find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))
}

/// The number that a whole answer is: `6`, or of a scale that ends with 7 `6/7` and `6 out of 7`.
fn step(bare: &str, to: i64) -> Option<i64> {
    let number = |text: &str| {
        let text = text.trim().replace('\u{2212}', "-");
        let digits = text.strip_prefix('-').unwrap_or(&text);
        text.parse::<i64>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    match bare.split_once('/').or_else(|| bare.split_once(" out of ")) {
        Some((step, end)) => number(step).filter(|_| number(end) == Some(to)),
        None => number(bare),
    }
}
