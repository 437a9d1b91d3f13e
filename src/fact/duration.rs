//! Durations as people write them: `500ms`, `30s`, `5m`, `1h`, `2d`, and sums such as `1h30m`.

use super::id::Millis;

const UNITS: &[(&str, Millis)] = &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// Reads a duration in milliseconds; nothing where the text is not one, or is longer than the calendar.
pub fn parse_duration(text: &str) -> Option<Millis> {
    let mut rest = text.trim();
    let mut total: Millis = 0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let (number, after) = rest.split_at_checked(digits)?;
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(letters)?;
        let (_, ms) = UNITS.iter().find(|(name, _)| *name == unit)?;
        total = total.checked_add(number.parse::<Millis>().ok()?.checked_mul(*ms)?)?;
        rest = after;
    }
    Some(total)
}

/// Writes a duration so that [`parse_duration`] reads it back.
pub fn write_duration(ms: Millis) -> String {
    let mut left = ms.max(0);
    let mut text = String::new();
    for (unit, size) in UNITS.iter().rev() {
        if left >= *size {
            text.push_str(&format!("{}{unit}", left / size));
            left %= size;
        }
    }
    if text.is_empty() { "0ms".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_and_write_back() {
        for (text, ms) in [("500ms", 500), ("30s", 30_000), ("1h30m", 5_400_000), ("2d", 172_800_000)] {
            assert_eq!((parse_duration(text), write_duration(ms).as_str()), (Some(ms), text));
        }
        for text in ["", "5", "m", "5x", "-5s", "99999999999999999999s", "1 h"] {
            assert_eq!(parse_duration(text), None, "{text:?}");
        }
    }
}
