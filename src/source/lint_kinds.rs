//! Lint kinds: conditions that compare with the text `"true"` what is set to true, or with a number what is set to a text of it.
//!
//! The values of a signal or a quality are those that stand in the world, and those that scripts say in so many words.

use std::collections::BTreeSet;

use crate::fact::{Text, Value};
use crate::role::{LintCode, Operator, Warning};
use crate::world::{Qualities, World};

use super::known::Nameable;

/// A kind of value that has a text which looks like it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlainKind {
    Truth,
    Number,
}

impl PlainKind {
    /// The kind of a value itself.
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(_) => Some(Self::Truth),
            Value::Int(_) | Value::Float(_) => Some(Self::Number),
            Value::Text(_) | Value::List(_) | Value::Map(_) | Value::Null => None,
        }
    }

    /// The kind that a text looks like.
    fn like(value: &Value) -> Option<Self> {
        let text = value.as_str()?;
        let is_truth = ["true", "false"].iter().any(|word| word.eq_ignore_ascii_case(text));
        let is_number = text.parse::<f64>().is_ok_and(f64::is_finite);
        if is_truth { Some(Self::Truth) } else { is_number.then_some(Self::Number) }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Truth => "true or false",
            Self::Number => "a number",
        }
    }
}

/// The subject of a condition: a signal, or a quality of whoever it may be.
enum AskedPath<'p> {
    Signal(&'p str),
    Quality(&'p str),
}

impl<'p> AskedPath<'p> {
    fn of(path: &'p str) -> Option<Self> {
        if let Some(signal) = path.strip_prefix("world.") {
            return Some(Self::Signal(signal));
        }
        let (party, path) = path.split_once("quality.")?;
        (party.is_empty() || party.ends_with('.')).then_some(Self::Quality(path))
    }

    /// Every value that it is known to be set to.
    fn values(&self, world: &World) -> Vec<Value> {
        let scripts = || world.registry().scripts.values();
        match self {
            Self::Signal(path) => {
                let said = scripts().flat_map(|script| values_set(&script.source, "signal.set", path));
                world.signals().at(path).cloned().into_iter().chain(said).collect()
            }
            Self::Quality(path) => {
                let (at, mut found) = (world.now(), Vec::<Value>::new());
                // Of many that have the same kind one is enough.
                let mut hear = |qualities: &Qualities| {
                    if let Some(value) = qualities.read_at(path, at).filter(|value| found.len() < VALUES_MAX && !found.contains(value)) {
                        found.push(value.into_owned());
                    }
                };
                world.living().for_each(|being| hear(&being.qualities));
                world.spaces().for_each(|space| hear(&space.qualities));
                world.all_matter().for_each(|matter| hear(&matter.qualities));
                found.extend(scripts().flat_map(|script| values_set(&script.source, "quality.set", path)));
                found
            }
        }
    }
}

/// How many different values of a quality are looked at.
const VALUES_MAX: usize = 32;

impl Nameable<'_> {
    /// The comparisons of a `when` with a value that is of another kind than what is compared.
    pub(super) fn kinds(&self, place: &str, when: &Value) -> Vec<Warning> {
        let (mut compared, mut seen) = (Vec::new(), BTreeSet::new());
        of_when(when, &mut compared);
        let warning = |(path, value, beside): (String, Value, Vec<Value>)| {
            let values = AskedPath::of(&path)?.values(self.world);
            let (what, hint) = other_kind(&path, &value, &beside, &values)?;
            seen.insert(what.clone()).then(|| Warning { place: place.to_owned(), code: LintCode::OtherKind, what, hint: Some(hint) })
        };
        compared.into_iter().filter_map(warning).collect()
    }
}

/// The fault of a comparison with a value, beside others in a list, of what is set to some values; and the remedy.
fn other_kind(path: &str, value: &Value, beside: &[Value], values: &[Value]) -> Option<(String, String)> {
    let has = |kind: PlainKind| values.iter().any(|value| PlainKind::of(value) == Some(kind));
    if let Some(kind) = PlainKind::like(value) {
        let has_text = values.iter().any(|value| value.as_str().is_some());
        let is_either = beside.iter().any(|other| PlainKind::of(other) == Some(kind));
        let what = format!("`{path}` is compared with the text `{value}`, and it is set to {}", kind.word());
        let plain = value.as_str().unwrap_or_default().to_ascii_lowercase();
        return (has(kind) && !has_text && !is_either).then(|| (what, format!("write `{plain}` without the quotation marks")));
    }
    let kind = PlainKind::of(value)?;
    let text = values.iter().find(|value| PlainKind::like(value) == Some(kind)).filter(|_| !has(kind))?;
    if beside.iter().any(|other| other.as_str().is_some()) {
        return None;
    }
    let plain = text.as_str().unwrap_or_default().to_ascii_lowercase();
    let what = format!("`{path}` is compared with `{value}`, and it is set to the text `{text}`");
    Some((what, format!("set it to `{plain}` without the quotation marks")))
}

/// A path, a value with which it is compared, and the list in which that stands.
type ComparedValue = (String, Value, Vec<Value>);

/// Everything that the conditions of a `when` compare for being the same.
fn of_when(when: &Value, compared: &mut Vec<ComparedValue>) {
    for (key, value) in when.as_map().into_iter().flatten() {
        match key.as_ref() {
            "and" | "or" => value.as_list().into_iter().flatten().for_each(|branch| of_when(branch, compared)),
            "not" => of_when(value, compared),
            path => under(path, value, compared),
        }
    }
}

/// The same of the conditions on one path.
fn under(path: &str, value: &Value, compared: &mut Vec<ComparedValue>) {
    match value {
        Value::Map(map) => {
            for (key, inner) in map {
                match Operator::parse(key) {
                    Some(Operator::Eq | Operator::Ne | Operator::In | Operator::NotIn) if inner.as_map().is_none() => {
                        under(path, inner, compared);
                    }
                    Some(_) => {}
                    None => under(&format!("{path}.{key}"), inner, compared),
                }
            }
        }
        Value::List(list) => compared.extend(list.iter().map(|value| (path.to_owned(), value.clone(), list.clone()))),
        value => compared.push((path.to_owned(), value.clone(), Vec::new())),
    }
}

/// The values in so many words to which a script sets what stands at a path.
fn values_set(script: &str, operation: &str, path: &str) -> Vec<Value> {
    let quoted = format!("\"{path}\"");
    let said = script.split(operation).skip(1).filter_map(|behind| {
        let args = behind.split_once("#{")?.1.split_once(['}', ';'])?.0;
        after(args, "path").filter(|path| path.starts_with(&quoted))?;
        literal(after(args, "value")?)
    });
    said.collect()
}

/// The text behind a key of a map.
fn after<'a>(args: &'a str, key: &str) -> Option<&'a str> {
    args.split_once(key)?.1.trim_start().strip_prefix(':').map(str::trim_start)
}

/// A value that stands alone in the place of an argument.
fn literal(text: &str) -> Option<Value> {
    let (said, behind) = match text.strip_prefix('"') {
        Some(rest) => {
            let (said, behind) = rest.split_once('"')?;
            (Value::Text(Text::from(said)), behind)
        }
        None => {
            let (said, behind) = text.split_at(text.find([',', ' ', '\n', '\r', '\t']).unwrap_or(text.len()));
            (serde_json::from_str(said).ok()?, behind)
        }
    };
    let behind = behind.trim_start();
    (behind.is_empty() || behind.starts_with(',')).then_some(said)
}
