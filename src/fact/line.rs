//! Line: on which line of a text something stands, as errors say it.

/// The line, from 1, of a byte of some text.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}
