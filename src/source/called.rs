//! Called: what people call things, made fit for an address, and the names of beings that are given already.

use std::collections::BTreeMap;

use crate::fact::{Text, Value, composed, dashed};
use crate::moment::residents;
use crate::verb::is_reserved;
use crate::world::looks;

/// The longest name of a thing, in bytes.
pub(super) const NAME_MAX: usize = 64;

/// The names of beings that are given already, by what they look like.
pub(super) struct Called(BTreeMap<Text, String>);

impl Called {
    /// The names of those who are in every world.
    pub(super) fn new() -> Self {
        let residents = residents();
        let beings = residents.get("beings").and_then(Value::as_list).unwrap_or_default();
        let names = beings.iter().filter_map(|being| being.get("name").and_then(Value::as_str));
        let mut called = Self(BTreeMap::new());
        names.for_each(|name| called.give(name, "who is in every world"));
        called
    }

    /// Takes a name, and remembers who has it, as a clause; where nobody may have it, says why.
    pub(super) fn take(&mut self, name: &str, who: &str) -> Result<(), String> {
        if name.is_empty() {
            return Err("has neither".to_owned());
        }
        if is_reserved(name) {
            return Err("means something else in every world".to_owned());
        }
        if let Some(why) = looks(name).iter().find_map(|look| self.0.get(look)) {
            return Err(why.clone());
        }
        self.give(name, who);
        Ok(())
    }

    fn give(&mut self, name: &str, who: &str) {
        self.0.extend(looks(name).map(|look| (look, format!("is or looks like `{name}`, {who}"))));
    }
}

/// A name as an address takes it: small letters and digits, joined by dashes.
pub(super) fn slug(text: &str) -> String {
    head_of(&dashed(&composed(text).to_lowercase()), NAME_MAX)
}

/// The same in the letters that the name of a role has.
pub(super) fn ascii(slug: &str) -> String {
    let letters: String = slug.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { ' ' }).collect();
    letters.split_whitespace().collect::<Vec<_>>().join("-")
}

/// As many whole letters as so many bytes hold.
pub(super) fn head_of(text: &str, most: usize) -> String {
    let end = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).take_while(|end| *end <= most).last().unwrap_or(0);
    text.get(..end).unwrap_or_default().trim_end_matches('-').to_owned()
}

/// The first of `stem`, `stem-2`, `stem-3` … that takes.
pub(super) fn unique(stem: &str, mut takes: impl FnMut(&str) -> bool) -> String {
    let numbered = (2_u64..).map(|n| format!("{}-{n}", head_of(stem, NAME_MAX - 8)));
    std::iter::once(stem.to_owned()).chain(numbered).find(|name| takes(name)).unwrap_or_default()
}
