//! Answer: what kind of answer a question wants, how it is asked for in words, and how what was said is read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::cognition::spoken_words;
use crate::fact::Value;
use crate::run::Testimony;

use super::dress::{UNTICKED, bare, small, spellings, whole};

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
        let told: BTreeSet<String> = options.iter().filter_map(|option| Some(spellings(option, true).last()?.clone())).collect();
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
        let is_open = *self == Self::Open;
        if !is_open && text.contains(UNTICKED) {
            return None;
        }
        match self {
            Self::Open => Some(Value::from(text.trim())).filter(|_| !text.trim().is_empty()),
            Self::Scale { from, to, labels } => stepped(&text, (*from, *to), labels).map(Value::Int),
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

/// The option that a whole answer is.
///
/// An option is found as it is written before anything is taken away, so that `A*` is not `A`. Signs that only stand on one side of an answer
/// count for nothing where they leave one option.
fn chosen<'a>(options: &'a [String], said: &str) -> Option<&'a String> {
    let spelled = spellings(said, true).into_iter().find_map(|said| options.iter().find(|option| small(option) == said));
    let alike = || {
        let said = bare(spellings(said, true).last()?);
        let mut found = options.iter().filter(|option| !said.is_empty() && bare(option) == said);
        found.next().filter(|_| found.next().is_none())
    };
    spelled.or_else(alike)
}

/// Signs between a number and its label.
const BETWEEN: &[char] = &[' ', ':', '=', '-', '–', '—', '(', ')', '.', ','];

/// The step that a whole answer is: its number, its label, or both beside each other.
fn stepped(text: &str, (from, to): (i64, i64), labels: &BTreeMap<i64, String>) -> Option<i64> {
    // Below zero a dash before a number is a minus.
    spellings(text, from >= 0).iter().find_map(|said| {
        let said = bare(said);
        let labelled = |(own, label): (&i64, &String)| {
            let label = bare(label);
            // Between a number and its label stands something, or `10 times` would be one of `0 times`.
            let before = said.strip_suffix(&label).filter(|before| before.is_empty() || before.ends_with(BETWEEN));
            let before = before.map(|before| before.trim_end_matches(BETWEEN));
            let behind = said.strip_prefix(&label).filter(|behind| behind.is_empty() || behind.starts_with(BETWEEN));
            let behind = behind.map(|behind| behind.trim_start_matches([' ', ':', '=', '(', '–', '—']));
            let behind = behind.map(|behind| behind.strip_prefix("- ").unwrap_or(behind));
            let is_its = |rest: &str| rest.is_empty() || step(&bare(rest), to) == Some(*own);
            before.into_iter().chain(behind).any(is_its).then_some(*own)
        };
        labels.iter().find_map(labelled).or_else(|| step(&said, to)).filter(|step| (from..=to).contains(step))
    })
}

/// The number that a whole answer is: `6`, or of a scale that ends with 7 `6/7`, `6 of 7` and `6 out of 7`.
fn step(bare: &str, to: i64) -> Option<i64> {
    let bare = bare.replace('\u{ff0f}', "/");
    match bare.split_once('/').or_else(|| bare.split_once(" out of ")).or_else(|| bare.split_once(" of ")) {
        Some((step, end)) => whole(step).filter(|_| whole(end) == Some(to)),
        None => whole(&bare),
    }
}
