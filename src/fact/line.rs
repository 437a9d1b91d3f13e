//! Line: on which line of a text something stands, as errors say it; and what others have written as one plain line of ours.

/// The line, from 1, of a byte of some text.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

/// A letter that is not seen, and moves or turns what stands around it.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// What somebody else has written, letter by letter, so that it cannot move a cursor, begin a line of ours, or turn one round.
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
