//! Surrogate: a text of JSON that escapes half a letter. JSON writes a letter beyond U+FFFF as two escapes (RFC 8259, 7); a model that is cut between
//! them leaves a half that no parser takes.

use std::borrow::Cow;

/// The escape that stands for what cannot be shown, as long as the one in its place.
const REPLACED: &str = "\\ufffd";

/// The same text with U+FFFD in the place of each half letter. It is as long, and every byte stays where it was.
pub fn whole_letters(text: &str) -> Cow<'_, str> {
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let begin = at + found;
        at = match (half(text, begin), half(text, begin + REPLACED.len())) {
            (Some(Half::First), Some(Half::Second)) => begin + 2 * REPLACED.len(),
            (Some(_), _) => {
                out.push_str(text.get(copied..begin).unwrap_or_default());
                out.push_str(REPLACED);
                copied = begin + REPLACED.len();
                copied
            }
            // Any other escape, also of a backslash: what stands behind it is no escape.
            (None, _) => begin + 2,
        };
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + text.get(copied..).unwrap_or_default()) }
}

enum Half {
    First,
    Second,
}

/// The half of a letter that is escaped at a byte, if one is.
fn half(text: &str, at: usize) -> Option<Half> {
    let digits = text.get(at..at + REPLACED.len())?.strip_prefix("\\u")?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::First),
        0xdc00..=0xdfff => Some(Half::Second),
        _ => None,
    }
}
