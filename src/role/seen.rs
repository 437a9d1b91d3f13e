//! Seen: what a condition finds at a path, and where it looks.
//!
//! A moment answers through [`Context`], and what it answers is borrowed, so that evaluating copies nothing. The registered roles answer
//! through [`Wardrobe`](super::wardrobe::Wardrobe).

use std::cmp::Ordering;

use crate::fact::Value;

use super::path::Path;

/// The value at a path. A missing value and null are the same.
#[derive(Clone, Copy, Debug)]
pub enum Seen<'a> {
    /// Nothing, or null.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// Text.
    Text(&'a str),
    /// Any value; a list or a map has no other form.
    Value(&'a Value),
}

/// A moment as conditions see it.
pub trait Context {
    /// The value at a path; never asked for a [`Path::Unknown`].
    fn seen(&self, path: &Path) -> Seen<'_>;

    /// Whether what stands there is the same whenever the moment opens.
    fn stays(&self, path: &Path) -> bool {
        path.is_of_wake()
    }
}

impl<'a> From<&'a Value> for Seen<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(*b),
            Value::Int(n) => Self::Int(*n),
            Value::Float(x) => Self::Float(*x),
            Value::Text(text) => Self::Text(text),
            Value::List(_) | Value::Map(_) => Self::Value(value),
        }
    }
}

impl<'a> From<Option<&'a Value>> for Seen<'a> {
    fn from(value: Option<&'a Value>) -> Self {
        value.map_or(Self::Null, Self::from)
    }
}

impl<'a> From<Option<&'a str>> for Seen<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

impl<'a> Seen<'a> {
    /// The same in its one plain form: a value stays only where it is a list or a map.
    pub fn plain(self) -> Self {
        match self {
            Self::Value(value) => Self::from(value),
            Self::Float(x) if !x.is_finite() => Self::Null,
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Text(_) => self,
        }
    }

    /// Whether nothing is there.
    pub fn is_null(self) -> bool {
        matches!(self.plain(), Self::Null)
    }

    /// The value of its own, for a trace.
    pub fn to_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(b) => Value::Bool(b),
            Self::Int(n) => Value::Int(n),
            Self::Float(x) => Value::number(x).unwrap_or_default(),
            Self::Text(text) => Value::text(text),
            Self::Value(value) => value.clone(),
        }
    }

    /// Whether both are the same value; numbers are one kind, nothing else is coerced.
    pub fn equals(self, other: Seen<'_>) -> bool {
        match (self.plain(), other.plain()) {
            (Seen::Null, Seen::Null) => true,
            (Seen::Bool(a), Seen::Bool(b)) => a == b,
            (Seen::Text(a), Seen::Text(b)) => a == b,
            (Seen::Value(a), Seen::Value(b)) => a == b,
            (a @ (Seen::Int(_) | Seen::Float(_)), b @ (Seen::Int(_) | Seen::Float(_))) => a.order(b) == Some(Ordering::Equal),
            _ => false,
        }
    }

    /// The order of number and number or of text and text; nothing else has one.
    pub fn order(self, other: Seen<'_>) -> Option<Ordering> {
        match (self.plain(), other.plain()) {
            (Seen::Int(a), Seen::Int(b)) => Some(a.cmp(&b)),
            (Seen::Float(a), Seen::Float(b)) => a.partial_cmp(&b),
            (Seen::Int(a), Seen::Float(b)) => Some(order_exactly(a, b)),
            (Seen::Float(a), Seen::Int(b)) => Some(order_exactly(b, a).reverse()),
            (Seen::Text(a), Seen::Text(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

/// Whole against finite float without rounding either: beyond 2^53 a float skips whole numbers.
fn order_exactly(whole: i64, float: f64) -> Ordering {
    // 2^63: the first float above every i64.
    const ABOVE: f64 = 9_223_372_036_854_775_808.0;
    if float >= ABOVE {
        return Ordering::Less;
    }
    if float < -ABOVE {
        return Ordering::Greater;
    }
    // In range, so the cast drops the fraction only.
    let order = whole.cmp(&(float.trunc() as i64));
    order.then(if float.fract() > 0.0 {
        Ordering::Less
    } else if float.fract() < 0.0 {
        Ordering::Greater
    } else {
        Ordering::Equal
    })
}
