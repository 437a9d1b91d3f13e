//! Durations as people write them: `500ms`, `30s`, `5m`, `1h`, `2d`, and sums such as `1h30m`.
//!
//! Every room reads and writes them here. A plain one is a single number with a unit, at most hours: what a role says is hashed, so there
//! each length has one form.

use super::id::Millis;

/// The units, the longest first.
const UNITS: [(&str, Millis); 5] = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];
/// The longest unit of a plain duration, in milliseconds.
const PLAIN_MAX: Millis = 3_600_000;

/// Reads a duration in milliseconds; nothing where the text is not one, or is longer than the calendar.
pub fn parse_duration(text: &str) -> Option<Millis> {
    let (mut total, _, mut rest) = part(text.trim())?;
    while !rest.is_empty() {
        let (ms, _, after) = part(rest)?;
        (total, rest) = (total.checked_add(ms)?, after);
    }
    Some(total)
}

/// Writes a duration so that [`parse_duration`] reads it back.
pub fn write_duration(ms: Millis) -> String {
    let mut left = ms.max(0);
    let mut text = String::new();
    for (unit, size) in UNITS {
        if left >= size {
            text.push_str(&format!("{}{unit}", left / size));
            left %= size;
        }
    }
    if text.is_empty() { "0ms".to_owned() } else { text }
}

/// Reads a plain duration: `90s`, but neither `1m30s` nor `1d`.
pub fn parse_plain_duration(text: &str) -> Option<Millis> {
    part(text).filter(|(_, size, rest)| *size <= PLAIN_MAX && rest.is_empty()).map(|(ms, ..)| ms)
}

/// Writes a duration in the longest unit that it is a whole number of, so that [`parse_plain_duration`] reads it back.
pub fn write_plain_duration(ms: Millis) -> String {
    match UNITS.iter().find(|(_, size)| *size <= PLAIN_MAX && ms != 0 && ms % size == 0) {
        Some((unit, size)) => format!("{}{unit}", ms / size),
        None => "0ms".to_owned(),
    }
}

/// A number with its unit, how long one such unit is, and what follows.
fn part(text: &str) -> Option<(Millis, Millis, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, after) = text.split_at_checked(digits)?;
    let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
    let (unit, rest) = after.split_at_checked(letters)?;
    let (_, size) = UNITS.iter().find(|(name, _)| *name == unit)?;
    Some((number.parse::<Millis>().ok()?.checked_mul(*size)?, *size, rest))
}
