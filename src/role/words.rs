//! Words: what the wearer of a stack is told in its roles' own words: the primary's bare, each modifier's under its frame, within a room.
//!
//! Words without room are dropped: modifiers are reduced to their names, last first. Where even the primary's words are too long, their
//! last paragraphs are dropped. The text says so. No paragraph is ever cut.

use crate::fact::{Reason, Text, Value};

use super::template::fill_template;

/// The line above a modifier's words; the name stands between the two halves.
const MODE_FRAME: (&str, &str) = ("Additionally, you are currently in this mode — ", ":");
/// Before the names of the modifiers that have no room.
pub const NAMED_MODES: &str = "Additionally, you are currently in these modes, for whose words there is no room — ";
/// How many of those are named.
const NAMED_MOST: usize = 8;

/// The words of one role in a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The role.
    pub role: Text,
    /// Its prompt as it was written.
    pub words: Text,
}

/// All of them as they were written, the primary first.
pub fn written_words(layers: &[Layer]) -> String {
    let framed: Vec<String> = layers.iter().enumerate().map(|(place, layer)| framed(place, &layer.role, &layer.words)).collect();
    joined(framed.iter().map(String::as_str))
}

/// All of them with their places filled in, in so many bytes at most.
pub fn fit_words(layers: &[Layer], values: &Value, room: usize) -> Result<String, Reason> {
    let mut told: Vec<String> = Vec::new();
    for (place, layer) in layers.iter().enumerate() {
        let filled = fill_template(&layer.words, values)?;
        told.push(framed(place, &layer.role, &within_block(filled.trim().to_owned())));
        // The layers behind one without room have none either, so their places need not be filled in.
        if joined(told.iter().map(String::as_str)).len() > room {
            break;
        }
    }
    let names: Vec<&str> = layers.iter().map(|layer| layer.role.as_ref()).collect();
    let with =
        |kept: usize| joined(told.iter().take(kept).map(String::as_str).chain([fallen(names.get(kept..).unwrap_or_default()).as_str()]));
    let fits = (1..=told.len()).rev().map(with).find(|text| text.len() <= room);
    Ok(fits.unwrap_or_else(|| beginning(told.first().map_or("", String::as_str), &names, room)))
}

/// A text in which no line looks as if a block of a prompt began: what somebody wrote is told as theirs, and never as ours.
pub fn within_block(text: String) -> String {
    if text.starts_with('[') || text.contains("\n[") { format!(" {}", text.replace("\n[", "\n [")) } else { text }
}

/// The first paragraphs of the primary's words, as many as have room, and that there are more.
fn beginning(words: &str, names: &[&str], room: usize) -> String {
    let (primary, modifiers) = names.split_first().unwrap_or((&"", &[]));
    // Their names stand at the beginning of the prompt anyhow.
    let others = if modifiers.is_empty() { "" } else { ", and for none of what is stacked on it" };
    let note = format!("There is no room for the rest of the words of {primary}{others}.");
    let ends = words.match_indices("\n\n").map(|(at, _)| at).chain([0]).collect::<std::collections::BTreeSet<_>>();
    let first = |end: &usize| joined([words.get(..*end).unwrap_or_default(), &note]);
    ends.iter().rev().map(first).find(|text| text.len() <= room).unwrap_or_default()
}

/// A role's words as they stand at their place in the stack.
fn framed(place: usize, role: &str, words: &str) -> String {
    let (before, after) = MODE_FRAME;
    match (place, words) {
        (0, words) => words.to_owned(),
        (_, "") => format!("{before}{role}{after}"),
        (_, words) => format!("{before}{role}{after}\n{words}"),
    }
}

/// The names of the modifiers that have no room for their words.
fn fallen(names: &[&str]) -> String {
    let shown = names.iter().take(NAMED_MOST).copied().collect::<Vec<_>>().join(", ");
    match (names.len(), names.len().saturating_sub(NAMED_MOST)) {
        (0, _) => String::new(),
        (_, 0) => format!("{NAMED_MODES}{shown}."),
        (_, more) => format!("{NAMED_MODES}{shown} and {more} more."),
    }
}

fn joined<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
}
