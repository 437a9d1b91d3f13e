//! A fading number: a value that goes in a straight line from one number to another, and is read as what it is at an instant.
//!
//! It is written as a map of exactly four keys, `{from, to, at, over}`: two numbers of whole thousandths, the instant at which it begins to
//! go and how long it takes, both in milliseconds. All of it is whole arithmetic, so everybody reads the same number at the same instant.

use super::duration::parse_duration;
use super::id::Millis;
use super::value::{Map, Value};

/// The keys of a fading number; a map of exactly these is one, or is refused.
pub const FADING_KEYS: [&str; 4] = ["at", "from", "over", "to"];
/// The largest number that one goes from or to.
const FADING_MAX: i64 = 1_000_000_000;
/// The longest time that one takes: a hundred years.
const OVER_MAX: Millis = 100 * 366 * 86_400_000;
const THOUSAND: i64 = 1_000;

/// A number that goes from one value to another over a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fading {
    /// Where it begins, in thousandths.
    pub from: i64,
    /// Where it ends.
    pub to: i64,
    /// When it begins to go.
    pub at: Millis,
    /// How long it goes.
    pub over: Millis,
}

/// A value written as a fading number is not a valid one: the error and its path below the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{place}`: expected {expected} of a fading number {{from, to, at, over}}")]
pub struct FadingError {
    /// The path to the key, from the value down.
    pub place: String,
    /// The expected form.
    pub expected: &'static str,
}

fn is_form(map: &Map) -> bool {
    map.len() == FADING_KEYS.len() && map.keys().zip(FADING_KEYS).all(|(key, wanted)| key.as_ref() == wanted)
}

/// A number in whole thousandths, where it is one.
fn thousandths(value: &Value) -> Option<i64> {
    let number = value.as_float().filter(|number| number.abs() <= FADING_MAX as f64)?;
    let whole = (number * THOUSAND as f64).round();
    // A number that was written with three places is the nearest to such a fraction.
    (whole / THOUSAND as f64 == number).then_some(whole as i64)
}

impl Fading {
    /// Reads one; any other value is none.
    pub fn of(value: &Value) -> Option<Self> {
        let map = value.as_map().filter(|map| is_form(map))?;
        let whole = |key: &str| map.get(key).and_then(Value::as_int);
        let read = Self { from: thousandths(map.get("from")?)?, to: thousandths(map.get("to")?)?, at: whole("at")?, over: whole("over")? };
        ((1..=OVER_MAX).contains(&read.over) && read.at.checked_add(read.over).is_some()).then_some(read)
    }

    /// A value as it is to be kept: in a fading number `at: "now"` becomes the instant, and `over: "10m"` so many milliseconds. A map with
    /// these four keys that is no fading number is an error.
    pub fn written(value: &Value, now: Millis) -> Result<Value, FadingError> {
        write(value, now, &mut String::new())
    }

    /// Its value at an instant, in thousandths: it leaves its beginning late and comes to its end in time.
    pub fn thousandths(self, at: Millis) -> i64 {
        let passed = at.saturating_sub(self.at).clamp(0, self.over);
        let way = i128::from(self.to) - i128::from(self.from);
        let gone = way * i128::from(passed) / i128::from(self.over);
        // Between two numbers that fit there is nothing that does not.
        self.from.saturating_add(i64::try_from(gone).unwrap_or(0))
    }

    /// The number that it is at an instant.
    pub fn value(self, at: Millis) -> Value {
        Value::number(self.thousandths(at) as f64 / THOUSAND as f64).unwrap_or_default()
    }

    /// Whether it still changes after an instant.
    pub fn goes_on(self, after: Millis) -> bool {
        self.from != self.to && after < self.at.saturating_add(self.over)
    }

    /// The first instant after another at which it is another number; nothing once it has come to its end.
    pub fn next_step(self, after: Millis) -> Option<Millis> {
        let now = self.thousandths(after);
        self.reaches(if self.to > self.from { now + 1 } else { now - 1 }).filter(|at| *at > after)
    }

    /// The first instant at which it has come so far, where that lies between its beginning and its end.
    pub fn reaches(self, thousandths: i64) -> Option<Millis> {
        let (way, wanted) = (i128::from(self.to) - i128::from(self.from), i128::from(thousandths) - i128::from(self.from));
        if way == 0 || wanted == 0 || wanted.signum() != way.signum() || wanted.abs() > way.abs() {
            return None;
        }
        // It has come there as soon as that part of the way has passed, rounded up to the millisecond.
        let (wanted, way) = (wanted.abs() * i128::from(self.over), way.abs());
        let passed = (wanted + way - 1) / way;
        i64::try_from(passed).ok().and_then(|passed| self.at.checked_add(passed))
    }
}

impl Value {
    /// The same with each fading number in its maps read at an instant.
    pub fn read_at(&self, at: Millis) -> Self {
        match self {
            Self::Map(map) => match Fading::of(self) {
                Some(fading) => fading.value(at),
                None => Self::Map(map.iter().map(|(key, value)| (key.clone(), value.read_at(at))).collect()),
            },
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::Float(_) | Self::Text(_) | Self::List(_) => self.clone(),
        }
    }
}

fn write(value: &Value, now: Millis, place: &mut String) -> Result<Value, FadingError> {
    let Value::Map(map) = value else { return Ok(value.clone()) };
    if is_form(map) {
        return form(map, now, place);
    }
    let mut written = Map::new();
    for (key, value) in map {
        let length = place.len();
        place.push('.');
        place.push_str(key);
        written.insert(key.clone(), write(value, now, place)?);
        place.truncate(length);
    }
    Ok(Value::Map(written))
}

fn form(map: &Map, now: Millis, place: &str) -> Result<Value, FadingError> {
    let wrong = |key: &str, expected: &'static str| FadingError { place: format!("{place}.{key}"), expected };
    let mut kept = map.clone();
    for (key, value) in map {
        let expected = match (key.as_ref(), value) {
            ("from" | "to", value) if thousandths(value).is_some() => continue,
            ("from" | "to", _) => "a number of whole thousandths, at most a thousand million,",
            ("at", Value::Int(_)) => continue,
            ("at", Value::Text(text)) if text.as_ref() == "now" => {
                kept.insert(key.clone(), Value::Int(now));
                continue;
            }
            ("at", _) => "an instant in milliseconds, or `now`,",
            (_, value) => match over(value) {
                Some(ms) => {
                    kept.insert(key.clone(), Value::Int(ms));
                    continue;
                }
                None => "a time in milliseconds, or such as `10m`, from 1ms to a hundred years,",
            },
        };
        return Err(wrong(key, expected));
    }
    let kept = Value::Map(kept);
    if Fading::of(&kept).is_none() { Err(wrong("at", "an instant of the calendar")) } else { Ok(kept) }
}

fn over(value: &Value) -> Option<Millis> {
    let ms = match value {
        Value::Int(ms) => Some(*ms),
        Value::Text(text) => parse_duration(text),
        Value::Null | Value::Bool(_) | Value::Float(_) | Value::List(_) | Value::Map(_) => None,
    };
    ms.filter(|ms| (1..=OVER_MAX).contains(ms))
}
