//! A fading number: a value that goes in a straight line from one number to another, and is read as what it is at an instant.
//!
//! It is written as a map of exactly four keys, `{from, to, at, over}`: two numbers of whole thousandths, the instant at which it begins to
//! go and how long it takes, both in milliseconds. All of it is whole arithmetic, so everybody reads the same number at the same instant.

use super::duration::parse_duration;
use super::id::Millis;
use super::value::{Map, Value};

/// The keys of a fading number; a map of exactly these is one, or is refused.
const FADING_KEYS: [&str; 4] = ["at", "from", "over", "to"];
/// The largest number that one goes from or to.
const FADING_MAX: i64 = 1_000_000_000;
/// The longest time that one takes: a hundred years.
const OVER_MAX: Millis = 100 * 366 * 86_400_000;
const THOUSAND: i64 = 1_000;

/// A number that goes from one value to another over a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fading {
    /// Where it begins, in thousandths.
    from: i64,
    /// Where it ends.
    to: i64,
    /// When it begins to go.
    at: Millis,
    /// How long it goes.
    over: Millis,
}

/// What is wrong with a value that is written as a fading number, and where below the value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{place}`: expected {expected} of a fading number {{from, to, at, over}}")]
pub struct FadingError {
    /// The path to the key, from the value down.
    pub place: String,
    /// What should stand there.
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

    /// A value as it is to be kept: in a fading number `at: "now"` becomes the instant, and `over: "10m"` so many milliseconds. Whatever has the
    /// four keys and is none is an error.
    pub fn written(value: &Value, now: Millis) -> Result<Value, FadingError> {
        write(value, now, &mut String::new())
    }

    /// What it is at an instant, in thousandths: it leaves its beginning late and comes to its end in time.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    fn fading(json: &str) -> Fading {
        Fading::of(&read(json)).unwrap()
    }

    #[test]
    fn it_leaves_late_and_comes_to_its_end_in_time() {
        let fading = fading(r#"{"from":1,"to":0,"at":1000,"over":3000}"#);
        let at = |at| fading.value(at).to_string();
        assert_eq!([0, 1000, 1001, 1003, 2500, 3999, 4000, 9000].map(at), ["1", "1", "1", "0.999", "0.5", "0.001", "0", "0"]);
        assert!(fading.goes_on(3999) && !fading.goes_on(4000));
    }

    #[test]
    fn a_map_of_other_keys_is_a_map_and_one_of_these_that_is_none_is_named_where_it_is_wrong() {
        for plain in [r#"{"from":"@ada","to":"@bob","at":1}"#, r#"{"from":1,"to":2,"at":1,"over":1,"why":""}"#] {
            assert_eq!(Fading::written(&read(plain), 7), Ok(read(plain)));
        }
        for (wrong, place) in [
            (r#"{"from":0.0001,"to":2,"at":1,"over":1}"#, ".from"),
            (r#"{"from":1,"to":"2","at":1,"over":1}"#, ".to"),
            (r#"{"from":1,"to":1e12,"at":1,"over":1}"#, ".to"),
            (r#"{"from":1,"to":2,"at":1.5,"over":1}"#, ".at"),
            (r#"{"from":1,"to":2,"at":"soon","over":1}"#, ".at"),
            (r#"{"from":1,"to":2,"at":9223372036854775807,"over":1}"#, ".at"),
            (r#"{"from":1,"to":2,"at":1,"over":0}"#, ".over"),
            (r#"{"from":1,"to":2,"at":1,"over":-5}"#, ".over"),
            (r#"{"from":1,"to":2,"at":1,"over":"never"}"#, ".over"),
            (r#"{"deep":{"mood":{"from":1,"to":2,"at":1,"over":null}}}"#, ".deep.mood.over"),
        ] {
            assert_eq!(Fading::written(&read(wrong), 7).unwrap_err().place, place, "{wrong}");
        }
        let kept = Fading::written(&read(r#"{"a":{"from":0.9,"to":0,"at":"now","over":"10m"}}"#), 7).unwrap();
        assert_eq!(kept, read(r#"{"a":{"from":0.9,"to":0,"at":7,"over":600000}}"#));
    }

    proptest! {
        #[test]
        fn every_step_is_the_first_instant_of_its_number(from in -3000i64..3000, to in -3000i64..3000, over in 1i64..90_000, after in -10i64..90_000) {
            let fading = Fading { from, to, at: 0, over };
            let step = fading.next_step(after);
            prop_assert_eq!(step.is_some(), fading.goes_on(after));
            if let Some(step) = step {
                prop_assert!(step > after && step <= over);
                prop_assert_ne!(fading.thousandths(step), fading.thousandths(after));
                prop_assert_eq!(fading.thousandths(step - 1), fading.thousandths(after));
            }
        }
    }
}
