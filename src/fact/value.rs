//! Open values: what a quality, a signal, an argument or a piece of content may hold.
//!
//! Numbers are one kind: a float whose value is whole is stored as an integer, so 9 and 9.0 are the same value and the same bytes.
//! NaN and the infinities are not values. Maps are sorted, because order is truth on the path of a moment.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Shared text; cloning it copies a pointer.
pub type Text = Arc<str>;
/// A sorted map of values.
pub type Map = BTreeMap<Text, Value>;

/// Whole floats up to this size are integers; beyond it an `f64` no longer tells neighbours apart.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// How deep lists and maps may nest anywhere (frames, arguments, qualities; the design's cap for qualities is 8).
pub const DEPTH_MAX: usize = 32;

/// One open value.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction, or beyond 2^53; made only by [`Value::number`].
    Float(f64),
    /// Text.
    Text(Text),
    /// A list.
    List(Vec<Value>),
    /// A map, sorted by key.
    Map(Map),
}

impl Value {
    /// The value of a float: an integer where it is whole, nothing where it is not a number.
    pub fn number(x: f64) -> Option<Self> {
        if !x.is_finite() {
            return None;
        }
        // Whole and small enough to be exact: the cast loses nothing.
        Some(if x.fract() == 0.0 && x.abs() <= WHOLE_MAX { Self::Int(x as i64) } else { Self::Float(x) })
    }

    /// Its size, at least to within a factor of two from below: enough to skip encoding most values a second time.
    pub fn roughly(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) => 1,
            Self::Int(_) | Self::Float(_) => 5,
            Self::Text(text) => text.len() + 1,
            Self::List(list) => list.iter().map(Self::roughly).sum::<usize>() + 1,
            Self::Map(map) => map.iter().map(|(key, value)| key.len() + 1 + value.roughly()).sum::<usize>() + 1,
        }
    }

    /// Text from anything that is text.
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::Text(Arc::from(text.as_ref()))
    }

    /// A map from pairs.
    pub fn map<K: AsRef<str>>(pairs: impl IntoIterator<Item = (K, Value)>) -> Self {
        Self::Map(pairs.into_iter().map(|(key, value)| (Arc::from(key.as_ref()), value)).collect())
    }

    /// The text, where it is text.
    pub fn as_text(&self) -> Option<&Text> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The text as `&str`, where it is text.
    pub fn as_str(&self) -> Option<&str> {
        self.as_text().map(AsRef::as_ref)
    }

    /// The integer, where it is one.
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Int(n) = self { Some(*n) } else { None }
    }

    /// The number as a float, where it is a number.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Self::Int(n) => Some(*n as f64),
            Self::Float(x) => Some(*x),
            Self::Null | Self::Bool(_) | Self::Text(_) | Self::List(_) | Self::Map(_) => None,
        }
    }

    /// The truth value, where it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(b) = self { Some(*b) } else { None }
    }

    /// The list, where it is one.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// The map, where it is one.
    pub fn as_map(&self) -> Option<&Map> {
        if let Self::Map(map) = self { Some(map) } else { None }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value under a key, where this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// The value at a dotted path below this one; the empty path is this value.
    pub fn at(&self, path: &str) -> Option<&Value> {
        if path.is_empty() { Some(self) } else { path.split('.').try_fold(self, |value, key| value.get(key)) }
    }

    /// Number with number or text with text; nothing else has an order.
    pub fn compare(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Text(a), Self::Text(b)) => Some(a.as_ref().cmp(b.as_ref())),
            _ => self.as_float()?.partial_cmp(&other.as_float()?),
        }
    }

    /// How deep lists and maps nest in it: 0 for a plain value.
    pub fn depth(&self) -> usize {
        match self {
            Self::List(list) => 1 + list.iter().map(Value::depth).max().unwrap_or(0),
            Self::Map(map) => 1 + map.values().map(Value::depth).max().unwrap_or(0),
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Text(_) => 0,
        }
    }
}

impl Eq for Value {}

/// Compact JSON.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Arc::from(text))
    }
}

impl From<&Text> for Value {
    fn from(text: &Text) -> Self {
        Self::Text(text.clone())
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => s.serialize_unit(),
            Self::Bool(b) => s.serialize_bool(*b),
            Self::Int(n) => s.serialize_i64(*n),
            Self::Float(x) => s.serialize_f64(*x),
            Self::Text(text) => s.serialize_str(text),
            Self::List(list) => s.collect_seq(list),
            Self::Map(map) => s.collect_map(map),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_any(AnyValue)
    }
}

struct AnyValue;

/// The key under which the reader of TOML hands on a date that stands without quotation marks.
const TOML_DATE: &str = "$__toml_private_datetime";

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, true or false, a number, text, a list or a map")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, d: D) -> Result<Value, D::Error> {
        Value::deserialize(d)
    }

    fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
        Ok(Value::Int(n))
    }

    fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Value, E> {
        i64::try_from(n).map(Value::Int).map_err(|_| E::custom(format!("the number {n} is too large; the largest is {}", i64::MAX)))
    }

    fn visit_f64<E: serde::de::Error>(self, x: f64) -> Result<Value, E> {
        Value::number(x).ok_or_else(|| E::custom("a number must be finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = seq.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, value)) = access.next_entry::<String, Value>()? {
            // A date without quotation marks in TOML is its text.
            if key == TOML_DATE && value.as_str().is_some() && access.size_hint() == Some(0) {
                return Ok(value);
            }
            let key: Text = key.into();
            if map.insert(key.clone(), value).is_some() {
                return Err(A::Error::custom(format!("the key `{key}` stands twice")));
            }
        }
        Ok(Value::Map(map))
    }
}
