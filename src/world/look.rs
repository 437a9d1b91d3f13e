//! Look: whether two names are one to the eye: equal but for case, or by letters that look alike in another script.

use std::sync::LazyLock;

use unicode_security::skeleton;

use crate::fact::Text;

/// The looks of a name, as written and in small letters: of two names that share a look, one can be taken for the other.
///
/// Both are needed: `Iou` is `lou` as it is written, and `ADA` is `ada` in small letters.
pub fn looks(name: &str) -> [Text; 2] {
    let look = |name: &str| Text::from(bare(name).to_lowercase());
    [look(name), look(&name.to_lowercase())]
}

/// The skeleton of a name, in which letters that look alike are one: letter by letter where all are ASCII and stay so, as most are.
pub fn bare(name: &str) -> String {
    static LETTERS: LazyLock<Vec<Option<String>>> = LazyLock::new(|| {
        let bare = |letter: u8| skeleton(char::from(letter).encode_utf8(&mut [0; 4])).collect::<String>();
        (0..128).map(|letter| Some(bare(letter)).filter(|bare| bare.is_ascii())).collect()
    });
    let by_letters = || name.bytes().map(|letter| LETTERS.get(usize::from(letter))?.as_deref()).collect::<Option<String>>();
    by_letters().unwrap_or_else(|| skeleton(name).collect())
}
