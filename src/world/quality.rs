//! Qualities and signals: open values under `<namespace>.<key…>`, read and changed by dotted path.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{Canon, Fading, Map, Millis, Text, Value};
use crate::role::Seen;

/// The most that one thing has of qualities, in canonical bytes, all of its namespaces together.
pub const QUALITIES_MAX: usize = 256 * 1024;
/// The largest namespace of the world's signals, in canonical bytes.
pub const NAMESPACE_MAX: usize = 512 * 1024;
/// The longest path, in bytes.
pub const PATH_MAX: usize = 256;
/// How deep a namespace may nest, its own map counted.
pub const DEPTH_MAX: usize = 8;

/// Why a quality cannot be changed so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QualityError {
    /// The path is not `<namespace>.<key…>`.
    #[error("expected a path `<namespace>.<key>` of letters, digits, `-` and `_`, found `{0}`")]
    Path(Text),
    /// It would nest too deep.
    #[error("`{0}` would nest deeper than {DEPTH_MAX}")]
    TooDeep(Text),
    /// The namespace, or all of them together, would grow too large.
    #[error("with `{path}` there would be {size} bytes; the most allowed is {most}")]
    TooLarge {
        /// The path.
        path: Text,
        /// The size.
        size: usize,
        /// How much there may be.
        most: usize,
    },
    /// Something stands there that cannot be changed so.
    #[error("`{path}` holds {found}, so it cannot be {done}")]
    Kind {
        /// The path.
        path: Text,
        /// The kind of value there.
        found: &'static str,
        /// The change that was tried.
        done: &'static str,
    },
    /// A number past what a number can hold.
    #[error("`{0}` would grow past what a number can hold")]
    Range(Text),
}

/// One change at a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Change<'a> {
    /// Put a value there; null removes it.
    Set(&'a Value),
    /// Remove what is there.
    Unset,
    /// Add a number; a missing one counts as 0.
    Inc(&'a Value),
    /// Put a value at the end of a list, and keep only so many of the newest.
    Push(&'a Value, Option<u32>),
}

/// The value at a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AtPath<'a> {
    /// A value that stays what it is until it is changed.
    Plain(&'a Value),
    /// A number that changes by itself.
    Fading(Fading),
}

impl<'a> AtPath<'a> {
    /// As a condition sees it at an instant.
    pub fn seen(self, at: Millis) -> Seen<'a> {
        match self {
            Self::Plain(value) => value.into(),
            Self::Fading(fading) => match fading.value(at) {
                Value::Int(whole) => Seen::Int(whole),
                number => number.as_float().map_or(Seen::Null, Seen::Float),
            },
        }
    }
}

/// The namespaces of one thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Qualities(BTreeMap<Text, Arc<Value>>);

/// Whether a path is `<namespace>.<key…>`, each part of letters, digits, `-` and `_`.
pub fn is_path(path: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    path.len() <= PATH_MAX && path.contains('.') && path.split('.').all(is_part)
}

impl Qualities {
    /// From a map of namespaces; anything else has none.
    pub fn from_value(value: &Value) -> Self {
        Self(value.as_map().map(|map| map.iter().map(|(ns, value)| (ns.clone(), Arc::new(value.clone()))).collect()).unwrap_or_default())
    }

    /// As one map.
    pub fn to_value(&self) -> Value {
        Value::Map(self.0.iter().map(|(ns, value)| (ns.clone(), (**value).clone())).collect())
    }

    /// As one map, read at an instant: a fading number is the number that it is then.
    pub fn read(&self, at: Millis) -> Value {
        Value::Map(self.0.iter().map(|(ns, value)| (ns.clone(), value.read_at(at))).collect())
    }

    /// The value at a path, read at an instant: nothing lies below a fading number.
    pub fn read_at(&self, path: &str, at: Millis) -> Option<Cow<'_, Value>> {
        match self.found(path)? {
            AtPath::Plain(value) => Some(Cow::Borrowed(value)),
            AtPath::Fading(fading) => Some(Cow::Owned(fading.value(at))),
        }
    }

    /// The value at a path, a fading number told apart: nothing lies below one.
    pub fn found(&self, path: &str) -> Option<AtPath<'_>> {
        let (ns, rest) = path.split_once('.').unwrap_or((path, ""));
        let mut value = self.0.get(ns)?.as_ref();
        for key in rest.split('.').filter(|key| !key.is_empty()) {
            if Fading::of(value).is_some() {
                return None;
            }
            value = value.get(key)?;
        }
        Some(Fading::of(value).map_or(AtPath::Plain(value), AtPath::Fading))
    }

    /// Each fading number with its path.
    pub fn fadings(&self) -> Vec<(Text, &Value)> {
        let mut found = Vec::new();
        self.0.iter().for_each(|(ns, value)| fadings(ns.clone(), value, &mut found));
        found
    }

    /// The value at a path as it was written; a namespace alone is a path too.
    pub fn at(&self, path: &str) -> Option<&Value> {
        match path.split_once('.') {
            Some((ns, rest)) => self.0.get(ns)?.at(rest),
            None => self.0.get(path).map(Arc::as_ref),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each namespace with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &Value)> {
        self.0.iter().map(|(ns, value)| (ns, value.as_ref()))
    }

    /// Makes a change to what one thing has, or says why it cannot be: all that it has is bounded, however it is spread over namespaces.
    pub fn grow(&mut self, path: &Text, change: &Change<'_>) -> Result<(), QualityError> {
        self.change(path, change, true)?;
        // A change that takes away is never too large.
        if matches!(change, Change::Unset | Change::Set(Value::Null)) {
            return Ok(());
        }
        match self.size() {
            size if size > QUALITIES_MAX => Err(QualityError::TooLarge { path: path.clone(), size, most: QUALITIES_MAX }),
            _ => Ok(()),
        }
    }

    /// The canonical size of all of it, computed only when it may come near the bound.
    fn size(&self) -> usize {
        let mut left = QUALITIES_MAX / 16;
        for (ns, value) in &self.0 {
            left = left.saturating_sub(ns.len());
            count(value, &mut left);
        }
        if left > 0 { 0 } else { self.0.iter().map(|(ns, value)| ns.len() + value.to_canon().len()).sum() }
    }

    /// Makes a change, or says why it cannot be; then nothing has changed. `check` is for writers: the fold takes what was sealed.
    pub fn change(&mut self, path: &Text, change: &Change<'_>, check: bool) -> Result<(), QualityError> {
        if !is_path(path) {
            return Err(QualityError::Path(path.clone()));
        }
        let Some((ns, rest)) = path.split_once('.') else { return Err(QualityError::Path(path.clone())) };
        if check {
            let added = match change {
                Change::Set(value) => value.depth(),
                Change::Push(value, _) => 1 + value.depth(),
                Change::Unset | Change::Inc(_) => 0,
            };
            if rest.split('.').count() + added > DEPTH_MAX {
                return Err(QualityError::TooDeep(path.clone()));
            }
        }
        let mut space = self.0.get(ns).cloned().unwrap_or_else(|| Arc::new(Value::Map(Map::new())));
        let before = check.then(|| space.clone());
        let keys: Vec<&str> = rest.split('.').collect();
        // With `before` alive the namespace is copied when it is changed, so a refused change leaves no trace.
        if before.is_none() {
            self.0.remove(ns);
        }
        let result = change_at(Arc::make_mut(&mut space), &keys, path, change);
        let size = if check && result.is_ok() && matches!(change, Change::Set(_) | Change::Push(..)) { size_of(&space) } else { 0 };
        let is_kept = !space.as_map().is_some_and(Map::is_empty);
        match (result, before) {
            (Ok(()), _) if size > NAMESPACE_MAX => Err(QualityError::TooLarge { path: path.clone(), size, most: NAMESPACE_MAX }),
            (result, before) => {
                let stays = if result.is_ok() {
                    Some(space).filter(|_| is_kept)
                } else {
                    before.or(Some(space)).filter(|kept| !kept.as_map().is_some_and(Map::is_empty))
                };
                if let Some(stays) = stays {
                    self.0.insert(ns.into(), stays);
                } else {
                    self.0.remove(ns);
                }
                result
            }
        }
    }
}

fn fadings<'a>(path: Text, value: &'a Value, into: &mut Vec<(Text, &'a Value)>) {
    let Value::Map(map) = value else { return };
    if Fading::of(value).is_some() {
        return into.push((path, value));
    }
    map.iter().for_each(|(key, value)| fadings(format!("{path}.{key}").into(), value, into));
}

/// The canonical size, computed only when the namespace may come near its cap.
fn size_of(value: &Value) -> usize {
    if at_least(value, NAMESPACE_MAX / 16) { value.to_canon().len() } else { 0 }
}

/// Whether a value holds at least so many characters and items: stops counting as soon as it does.
fn at_least(value: &Value, limit: usize) -> bool {
    let mut left = limit;
    count(value, &mut left);
    left == 0
}

/// Counts the characters and items of a value down, until none is left to count.
fn count(value: &Value, left: &mut usize) {
    let own = match value {
        Value::Text(text) => 1 + text.len(),
        Value::Map(map) => 1 + map.keys().map(|key| key.len()).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::List(_) => 1,
    };
    *left = left.saturating_sub(own);
    if *left > 0 {
        match value {
            Value::List(list) => list.iter().for_each(|item| count(item, left)),
            Value::Map(map) => map.values().for_each(|item| count(item, left)),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => {}
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Int(_) | Value::Float(_) => "a number",
        Value::Text(_) => "text",
        Value::List(_) => "a list",
        Value::Map(_) if Fading::of(value).is_some() => "a fading number",
        Value::Map(_) => "a map",
    }
}

fn change_at(value: &mut Value, keys: &[&str], path: &Text, change: &Change<'_>) -> Result<(), QualityError> {
    let Some((key, rest)) = keys.split_first() else { return Ok(()) };
    let found = kind(value);
    // A fading number is one value: it is set anew, never in part.
    let is_whole = Fading::of(value).is_some();
    let Value::Map(map) = value else {
        return Err(QualityError::Kind { path: path.clone(), found, done: "reached into" });
    };
    if is_whole {
        return Err(QualityError::Kind { path: path.clone(), found, done: "reached into" });
    }
    if !rest.is_empty() {
        let absent = !map.contains_key(*key);
        if absent && matches!(change, Change::Unset | Change::Set(Value::Null)) {
            return Ok(());
        }
        let inner = map.entry((*key).into()).or_insert_with(|| Value::Map(Map::new()));
        let result = change_at(inner, rest, path, change);
        if inner.as_map().is_some_and(Map::is_empty) && (absent || matches!(change, Change::Unset | Change::Set(Value::Null))) {
            map.remove(*key);
        }
        return result;
    }
    match change {
        Change::Unset | Change::Set(Value::Null) => {
            map.remove(*key);
        }
        Change::Set(new) => {
            map.insert((*key).into(), (*new).clone());
        }
        Change::Inc(by) => {
            let old = map.get(*key).unwrap_or(&Value::Int(0));
            let is_number = old.as_float().is_some() && by.as_float().is_some();
            let wrong = || match is_number {
                true => QualityError::Range(path.clone()),
                false => QualityError::Kind { path: path.clone(), found: kind(old), done: "increased" },
            };
            let sum = add(old, by).ok_or_else(wrong)?;
            map.insert((*key).into(), sum);
        }
        Change::Push(new, keep) => {
            let list = map.entry((*key).into()).or_insert_with(|| Value::List(Vec::new()));
            let found = kind(list);
            let Value::List(list) = list else { return Err(QualityError::Kind { path: path.clone(), found, done: "pushed to" }) };
            list.push((*new).clone());
            let over = keep.map_or(0, |keep| list.len().saturating_sub(keep as usize));
            list.drain(..over);
        }
    }
    Ok(())
}

fn add(a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.checked_add(*b).map(Value::Int),
        _ => Value::number(a.as_float()? + b.as_float()?),
    }
}
