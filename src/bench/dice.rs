//! Dice: numbers that are drawn by a hash, so that each run draws the same.

fn number(words: &[&str]) -> u64 {
    let hash = blake3::hash(words.join("|").as_bytes());
    hash.as_bytes().iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Draws a number from 0 to below 1.
pub(super) fn share(words: &[&str]) -> f64 {
    // As many bits as a fraction holds.
    (number(words) >> 11) as f64 / (1u64 << 53) as f64
}

/// Draws one of so many.
pub(super) fn one_of(many: usize, words: &[&str]) -> usize {
    (number(words) % many.max(1) as u64) as usize
}
