//! Line: on which line of a text something stands, as errors say it; and what others have written as one plain line of ours.
//!
//! [`harmless`] stands at the door to every terminal; [`plain`] and [`visible`] put a text of others into a line of ours.

use std::borrow::Cow;

/// The line, from 1, of a byte of some text.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

/// The column, from 1, of a byte of some text, in letters.
pub fn column_of(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    1 + before.rsplit('\n').next().unwrap_or_default().chars().count()
}

/// A letter that is not seen, and moves or turns what stands around it.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The letters of a foreign text, without those that could move a cursor, begin a new line, or turn one round.
pub fn plain(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !is_mark(*c)).map(|c| if c.is_control() { ' ' } else { c })
}

/// The same with every such letter written out, where what was sent is to be seen as it is: `\u{1b}`.
pub fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut told, c| {
        if c.is_control() || is_mark(c) {
            told.extend(c.escape_unicode())
        } else {
            told.push(c)
        }
        told
    })
}

/// A letter by which text takes hold of a terminal: it moves the cursor, begins a sequence, breaks a line, or turns what follows round. Our own
/// lines and columns stay.
pub fn seizes(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.chars().any(seizes) {
        return Cow::Borrowed(text);
    }
    let told = text.chars().fold(String::with_capacity(text.len() + 16), |mut told, c| {
        if seizes(c) {
            escape(&mut told, c)
        } else {
            told.push(c)
        }
        told
    });
    Cow::Owned(told)
}

/// A whole answer or complaint as a terminal may have it, whoever wrote the texts in it: `\u{1b}`.
pub fn harmless(text: &str) -> Cow<'_, str> {
    escaped(text, |told, c| told.extend(c.escape_unicode()))
}

/// The same of JSON, which reads back as it was: `\u001b`.
pub fn harmless_json(text: &str) -> Cow<'_, str> {
    escaped(text, |told, c| *told += &format!("\\u{:04x}", u32::from(c)))
}
