//! Name: what a thing may be called where its name stands in an address: letters, marks and digits of any script, `-` and `_`.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The longest name, in bytes.
const LONGEST: usize = 64;
/// How many marks may stand behind one letter.
const MARKS: usize = 3;
/// Letters and marks that nobody sees: Unicode calls them default-ignorable.
const UNSEEN: &[(char, char)] = &[
    ('\u{34f}', '\u{34f}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{e0100}', '\u{e01ef}'),
];

/// The longest type, in characters.
const LONGEST_TYPE: usize = 64;

/// A text as Unicode composes it: é in one character and in two is one.
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// Whether a sign may stand in a name, wherever that is.
pub fn is_name_sign(sign: char) -> bool {
    let is_unseen = || UNSEEN.iter().any(|(first, last)| (*first..=*last).contains(&sign));
    sign.is_ascii_alphanumeric() || (!sign.is_ascii() && (sign.is_alphanumeric() || is_combining_mark(sign)) && !is_unseen())
}

/// Whether a text is a name, as it is composed.
pub fn is_name(text: &str) -> bool {
    // Marks stand behind a letter; nothing stands in `marks` where none may follow.
    let mut marks: Option<usize> = None;
    let fits = |sign: char| {
        if !sign.is_ascii() && is_combining_mark(sign) {
            marks = marks.map(|marks| marks + 1);
            return is_name_sign(sign) && marks.is_some_and(|marks| marks <= MARKS);
        }
        marks = sign.is_alphabetic().then_some(0);
        sign == '-' || sign == '_' || is_name_sign(sign)
    };
    !text.is_empty() && text.len() <= LONGEST && text.chars().all(fits)
}

/// Whether a text may be the type of a space or of matter: a name, or several with `:` between them.
pub fn is_type(text: &str) -> bool {
    text.chars().count() <= LONGEST_TYPE && text.split(':').all(is_name)
}

/// The letters and digits of a text, with `-` for all that stands between them.
pub fn dashed(text: &str) -> String {
    let letters: String = composed(text).chars().map(|sign| if is_name_sign(sign) { sign } else { ' ' }).collect();
    letters.split_whitespace().collect::<Vec<_>>().join("-")
}

/// The type to write in place of a text that is none.
pub fn type_of(text: &str) -> String {
    let names: Vec<String> = text.split(':').map(dashed).filter(|name| !name.is_empty()).collect();
    names.join(":").chars().take(LONGEST_TYPE).collect()
}

/// A text in small letters without accents, as one seeks in it: `Café` is `cafe`.
pub fn plain_letters(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkd().filter(|sign| !is_combining_mark(*sign)).flat_map(char::to_lowercase).collect()
}
