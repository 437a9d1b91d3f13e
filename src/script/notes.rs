//! Notes: what a script says to whoever watches: `log`, `print` and the engine's own sentence where it failed. No seal holds any of it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::fact::plain;

/// The most lines of one moment, and the longest of them, in characters.
const LINES: usize = 20;
const LETTERS: usize = 300;

/// The notes of the moment that a sandbox is in.
#[derive(Clone, Default)]
pub struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    /// Another line; what is too much is left out, and that is said once.
    pub fn hear(&self, text: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match lines.len() {
            0..LINES => lines.push(short(text)),
            LINES => lines.push("…".to_owned()),
            _ => {}
        }
    }

    /// The lines so far; the next begin anew.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A line of printable characters, no longer than it may be.
fn short(text: &str) -> String {
    let mut letters = plain(text);
    let line: String = letters.by_ref().take(LETTERS).collect();
    if letters.next().is_some() { line + "…" } else { line }
}
