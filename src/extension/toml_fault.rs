//! TOML fault: an error of the TOML parser in one sentence, with its key and the text to write instead.

use std::ops::Range;

use crate::role::did_you_mean;

/// The reader's word for a value or a kind of value, and the word of people.
const FOUND: [(&str, &str); 6] = [
    ("string ", "the text "),
    ("integer ", "the number "),
    ("floating point ", "the number "),
    ("boolean ", ""),
    ("sequence", "a list"),
    ("map", "a table"),
];
const EXPECTED: [(&str, &str); 7] = [
    ("a sequence", "a list"),
    ("a map", "a table"),
    ("a string", "a text"),
    ("a boolean", "`true` or `false`"),
    ("i64", "a whole number"),
    ("u64", "a whole number"),
    ("usize", "a whole number"),
];
/// The keys of places and sizes on a grid.
const OF_GRIDS: [&str; 2] = ["size", "coords"];
/// The keys of durations.
const OF_TIME: [&str; 5] = ["every", "offset", "run", "after", "thinks"];

/// The fault that the TOML reader found in a text, in one line, with what may be meant.
pub fn toml_fault(message: &str, span: Option<Range<usize>>, text: &str) -> String {
    let said = message.trim().replace('\n', "; ");
    let meant = said.strip_prefix("unknown field `").and_then(|rest| {
        let (found, known) = rest.split_once('`')?;
        did_you_mean("", found, known.split('`').skip(1).step_by(2))
    });
    if said == "duplicate key"
        && let Some(twice) = span.clone().and_then(|span| stands_twice(span, text))
    {
        return twice;
    }
    match (meant, span.and_then(|span| TomlPair::at(span, text))) {
        (Some(meant), _) => format!("{said}; {meant}"),
        (None, Some(written)) if said.starts_with("string values must be quoted") && !written.key.is_empty() => {
            format!("{said}; write `{} = \"{}\"`", written.key, written.value)
        }
        (None, Some(written)) => written.wrong_kind(&said).unwrap_or(said),
        (None, None) => said,
    }
}

/// The sentence for a key that the reader has met before, of a value or in the header of a table.
fn stands_twice(span: Range<usize>, text: &str) -> Option<String> {
    let (before, key) = (text.get(..span.start)?, text.get(span)?.trim());
    Some(match key {
        key if !is_key(key) => return None,
        key if before.ends_with("[[") => format!("`{key}` stands above as `[{key}]`: write `[[{key}]]` for each of them"),
        key if before.ends_with('[') => {
            format!("`[{key}]` stands twice: write all of it below one, or `[[{key}]]` for each where there may be many")
        }
        key => format!("`{key}` stands twice; leave one out"),
    })
}

/// A key of the text and its value, or the header of a table; an item of a list has no key of its own.
struct TomlPair<'t> {
    key: &'t str,
    value: &'t str,
    is_header: bool,
}

impl<'t> TomlPair<'t> {
    /// The text at a span: the reader gives that of a value, or that of the whole pair.
    fn at(span: Range<usize>, text: &'t str) -> Option<Self> {
        let (found, before) = (text.get(span.clone())?.trim(), text.get(..span.start)?.trim_end());
        if let Some(key) = found.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|key| is_key(key))
            && !before.ends_with('=')
        {
            return Some(Self { key, value: found, is_header: true });
        }
        let pair = found.split_once('=').map(|(key, value)| (key.trim(), value.trim())).filter(|(key, _)| is_key(key));
        let (key, value) = match pair {
            Some(pair) => pair,
            None => (before.strip_suffix('=').map(last_word).unwrap_or_default(), found),
        };
        Some(Self { key, value, is_header: false })
    }

    /// The sentence for a value of a wrong kind.
    fn wrong_kind(&self, said: &str) -> Option<String> {
        let (found, expected) = said.strip_prefix("invalid type: ")?.split_once(", expected ")?;
        let expected = EXPECTED.iter().find(|(word, _)| *word == expected)?.1;
        if self.is_header && expected == "a list" {
            return Some(format!("`{}` may stand more than once: write `[[{0}]]`, not `[{0}]`", self.key));
        }
        let found = self.called(found)?;
        let cure = self.cure(expected);
        match (self.key, cure) {
            ("", Some(cure)) => Some(format!("expected {expected}, found {found}; write `{cure}`")),
            ("", None) => Some(format!("expected {expected}, found {found}")),
            (key, Some(cure)) => Some(format!("{key}: expected {expected}, found {found}; write `{key} = {cure}`")),
            (key, None) => Some(format!("{key}: expected {expected}, found {found}")),
        }
    }

    /// The value that was found, as people call it.
    fn called(&self, found: &str) -> Option<String> {
        // The reader takes an instant for a table.
        if found == "map" && !self.value.starts_with(['{', '[']) {
            return Some(format!("`{}` without quotation marks", self.value));
        }
        let (word, name) = FOUND.iter().find(|(word, _)| found.starts_with(word))?;
        Some(format!("{name}{}", found.strip_prefix(word)?.replace('"', "`")))
    }

    /// The value as it should be written, where that can be told.
    fn cure(&self, expected: &str) -> Option<String> {
        let bare = self.value.trim_matches(['"', '\'']);
        match expected {
            "a list" if OF_GRIDS.contains(&self.key) => Some(format!("[{}]", grid(bare))),
            "a list" => Some(format!("[{}]", self.value)),
            "a text" if OF_TIME.contains(&self.key) && bare.parse::<u64>().is_ok() => Some(format!("\"{bare}m\"")),
            "a text" => Some(format!("\"{bare}\"")).filter(|_| !bare.starts_with(['{', '['])),
            "a table" => Some("{ … }".to_owned()),
            "`true` or `false`" if ["true", "yes", "on", "1"].contains(&bare) => Some("true".to_owned()),
            "`true` or `false`" => ["false", "no", "off", "0"].contains(&bare).then(|| "false".to_owned()),
            "a whole number" => bare.parse::<i64>().is_ok().then(|| bare.to_owned()),
            _ => None,
        }
    }
}

/// The numbers of a size, however they are parted; two others where there are none.
fn grid(written: &str) -> String {
    let numbers: Vec<&str> = written.split(|sign: char| !sign.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    if (2..=3).contains(&numbers.len()) { numbers.join(", ") } else { "6, 4".to_owned() }
}

fn last_word(text: &str) -> &str {
    text.trim_end().rsplit(|sign: char| !is_of_key(sign)).next().unwrap_or_default()
}

fn is_of_key(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '-' | '_' | '.')
}

fn is_key(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_of_key)
}
