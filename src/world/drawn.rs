//! Drawn: how a type of thing, or one thing, is drawn: an icon, a colour, whether it stands in rows, whether it is left out.
//!
//! A source and an extension say it, and a quality (`look`) says it of one thing. An icon is a word or one path, and a colour a word or
//! six digits: neither is ever an address or markup.

use schemars::JsonSchema;

use crate::fact::{Map, Text, Value};
use crate::role::or_meant;

/// The namespace of qualities under which one thing says how it is drawn.
pub const LOOK: &str = "look";
/// The quality with which a place says in which column and row of a map it lies.
pub const AT: &str = "look.at";
/// The quality with which a thing says that it is left out.
pub const HIDDEN: &str = "look.hidden";
/// How many columns and rows a map has at most.
const COLUMNS_MAX: i64 = 64;
/// The longest word for an icon or a colour, in characters.
const WORD_MAX: usize = 32;
/// The longest path of an icon, in characters.
const PATH_MAX: usize = 400;
/// The keys that a drawing may have.
const KEYS: [&str; 4] = ["icon", "colour", "rows", "hidden"];

/// How something is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Look {
    /// A word for a shape, or a path of 18 × 18.
    pub icon: Option<Text>,
    /// A word, or `#rrggbb`.
    pub colour: Option<Text>,
    /// Whether what is of this type stands in rows.
    pub rows: Option<bool>,
    /// Whether it is left out.
    pub hidden: Option<bool>,
}

impl Look {
    /// Reads what is said of it, or says what is wrong.
    pub fn read(said: &Value) -> Result<Self, String> {
        let Value::Map(said) = said else {
            return Err(format!("expected a table such as `{{ icon = \"press\", colour = \"maple\" }}`, found `{said}`"));
        };
        if let Some(strange) = said.keys().find(|key| !KEYS.contains(&key.as_ref())) {
            let known = KEYS.map(|key| format!("`{key}`")).join(", ");
            return Err(format!("expected {known}, found `{strange}`{}", or_meant("", strange, KEYS)));
        }
        Ok(Self {
            icon: text(said, "icon", is_icon, ICON)?,
            colour: text(said, "colour", is_colour, COLOUR)?,
            rows: truth(said, "rows")?,
            hidden: truth(said, "hidden")?,
        })
    }

    /// Reads what is said of a place, which may also have a column and a row.
    pub fn read_of_place(said: &Value) -> Result<Self, String> {
        let Value::Map(map) = said else { return Self::read(said) };
        let mut map = map.clone();
        match map.remove("at").filter(|at| column_and_row(at).is_none()) {
            Some(at) => Err(format!("at: {COLUMN_AND_ROW}, found `{}`", shown(&at))),
            None => Self::read(&Value::Map(map)),
        }
    }

    /// Reads what of it can be read: of a quality anybody may have said anything.
    pub fn readable(said: &Value) -> Option<Self> {
        let said = said.as_map()?;
        let look = Self {
            icon: text(said, "icon", is_icon, ICON).unwrap_or_default(),
            colour: text(said, "colour", is_colour, COLOUR).unwrap_or_default(),
            rows: truth(said, "rows").unwrap_or_default(),
            hidden: truth(said, "hidden").unwrap_or_default(),
        };
        (look != Self::default()).then_some(look)
    }

    /// The same as a value.
    pub fn to_value(&self) -> Value {
        let Self { icon, colour, rows, hidden } = self;
        let text = |key: &'static str, text: &Option<Text>| text.as_ref().map(|text| (key, Value::from(text)));
        let truth = |key: &'static str, truth: Option<bool>| truth.map(|truth| (key, Value::Bool(truth)));
        Value::map([text("icon", icon), text("colour", colour), truth("rows", *rows), truth("hidden", *hidden)].into_iter().flatten())
    }

    /// The same where it says something, and another where it does not.
    pub fn over(self, below: Self) -> Self {
        Self {
            icon: self.icon.or(below.icon),
            colour: self.colour.or(below.colour),
            rows: self.rows.or(below.rows),
            hidden: self.hidden.or(below.hidden),
        }
    }
}

/// Where on a map a place may lie.
pub const COLUMN_AND_ROW: &str = "expected the column and the row of a place, each from 0 to 63, such as [0, 1]";
const ICON: &str = "expected a word of small letters, digits and `-` such as `press`, or one SVG path of 18 × 18 in at most 400 characters";
const COLOUR: &str = "expected a word of small letters such as `maple`, or `#rrggbb`";

fn text(said: &Map, key: &str, is_fine: fn(&str) -> bool, expected: &str) -> Result<Option<Text>, String> {
    match said.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Text(text)) if is_fine(text) => Ok(Some(text.clone())),
        Some(other) => Err(format!("{key}: {expected}, found `{}`", shown(other))),
    }
}

/// The column and the row that a value says.
pub fn column_and_row(at: &Value) -> Option<(u64, u64)> {
    let number = |at: &Value| at.as_int().filter(|number| (0..COLUMNS_MAX).contains(number)).and_then(|number| u64::try_from(number).ok());
    match at.as_list()? {
        [column, row] => Some((number(column)?, number(row)?)),
        _ => None,
    }
}

fn truth(said: &Map, key: &str) -> Result<Option<bool>, String> {
    match said.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(truth)) => Ok(Some(*truth)),
        Some(other) => Err(format!("{key}: expected true or false, found `{}`", shown(other))),
    }
}

/// As much of it as an error tells.
fn shown(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.chars().take(60).collect()
}

fn is_icon(text: &str) -> bool {
    is_word(text, |letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-') || is_path(text)
}

fn is_colour(text: &str) -> bool {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    is_word(text, |letter| letter.is_ascii_lowercase())
        || digits.is_some_and(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()))
}

fn is_word(text: &str, is_fine: impl Fn(char) -> bool) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.len() <= WORD_MAX && text.chars().all(is_fine)
}

/// Whether a text is the data of one SVG path: commands and numbers alone.
fn is_path(text: &str) -> bool {
    let is_command = |letter: char| "MmLlHhVvCcSsQqTtAaZz".contains(letter);
    let is_number = |letter: char| letter.is_ascii_digit() || " ,.+-eE".contains(letter);
    let begins =
        text.strip_prefix(['M', 'm']).is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit() || " .+-".contains(next)));
    begins && text.len() <= PATH_MAX && text.chars().all(|letter| is_command(letter) || is_number(letter))
}
