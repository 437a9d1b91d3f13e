//! Column: of which kind the fields of a column are. One kind holds for all of them, so that a number is never beside the same number as text.

use crate::fact::Value;

/// The kind of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers.
    Number,
    /// TRUE and FALSE, in any letters.
    Truth,
    /// All else, as it is written.
    Text,
}

/// Whole numbers of more digits than that are names: no program keeps them exactly.
const DIGITS: usize = 15;
/// One field in so many may be of another kind.
const ALONE_IN: usize = 100;

impl ColumnKind {
    /// The word for it, as a header may say it behind a colon.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Truth => "truth",
            Self::Text => "text",
        }
    }

    /// What its fields are, for people.
    pub const fn fields(self) -> &'static str {
        match self {
            Self::Number => "a number such as 34 or 1.50",
            Self::Truth => "TRUE or FALSE",
            Self::Text => "a text",
        }
    }

    /// A header without the kind that it says, and that kind.
    pub fn of_header(header: &str) -> (&str, Option<Self>) {
        let said = |kind: Self| Some((header.strip_suffix(kind.word())?.strip_suffix(':')?.trim_end(), Some(kind)));
        [Self::Number, Self::Truth, Self::Text].into_iter().find_map(said).unwrap_or((header, None))
    }

    /// Whether a field is of it.
    pub fn has(self, field: &str) -> bool {
        match self {
            Self::Number => is_number(field),
            Self::Truth => truth(field).is_some(),
            Self::Text => true,
        }
    }

    /// A field as a value; one of another kind is text.
    pub fn value(self, field: &str) -> Value {
        let number = || field.parse().ok().and_then(Value::number).filter(|_| is_number(field));
        let typed = match self {
            Self::Number => number(),
            Self::Truth => truth(field).map(Value::Bool),
            Self::Text => None,
        };
        typed.unwrap_or_else(|| Value::text(field))
    }

    /// The kind of a column whose header says none, by its filled fields.
    pub fn of_fields(fields: &[&str]) -> Self {
        if fields.iter().any(|field| !is_number(field) && is_name_of_digits(field)) {
            return Self::Text;
        }
        let is_of = |kind: Self| {
            let others = fields.iter().filter(|field| !kind.has(field)).count();
            others < fields.len() && others * ALONE_IN <= fields.len()
        };
        [Self::Number, Self::Truth].into_iter().find(|kind| is_of(*kind)).unwrap_or(Self::Text)
    }
}

/// Whether a field is a number as people write them: digits, one point, a minus.
fn is_number(field: &str) -> bool {
    let digits = field.strip_prefix('-').unwrap_or(field);
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_zero = digits.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    is_digits(whole)
        && fraction.is_none_or(is_digits)
        && (whole == "0" || !whole.starts_with('0'))
        && whole.len() <= DIGITS
        && !(is_zero && field.starts_with('-'))
}

/// Whether a field would be read as a number by other programs, and is written as none that people mean: `01234`, `+4930`, `1e5`, `-0`, or the
/// digits of an id.
fn is_name_of_digits(field: &str) -> bool {
    field.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E')) && field.parse::<f64>().is_ok()
}

fn truth(field: &str) -> Option<bool> {
    match field {
        _ if field.eq_ignore_ascii_case("true") => Some(true),
        _ if field.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}
