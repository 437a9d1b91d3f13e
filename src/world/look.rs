//! Look: whether two names are one to the eye: equal but for case, or by letters that look alike in another script.

use std::sync::LazyLock;

use unicode_security::skeleton;

use crate::fact::Text;

/// What a name looks like, as written and in small letters: of two names that share any of it, one can be taken for the other.
///
/// Both are needed: `Iou` is `lou` as it is written, and `ADA` is `ada` in small letters.
pub fn looks(name: &str) -> [Text; 2] {
    let look = |name: &str| Text::from(bare(name).to_lowercase());
    [look(name), look(&name.to_lowercase())]
}

/// What is left of a name once letters that look alike are one: by letters where all of them are ASCII and stay so, since names mostly are.
fn bare(name: &str) -> String {
    static LETTERS: LazyLock<Vec<Option<String>>> = LazyLock::new(|| {
        let bare = |letter: u8| skeleton(char::from(letter).encode_utf8(&mut [0; 4])).collect::<String>();
        (0..128).map(|letter| Some(bare(letter)).filter(|bare| bare.is_ascii())).collect()
    });
    let by_letters = || name.bytes().map(|letter| LETTERS.get(usize::from(letter))?.as_deref()).collect::<Option<String>>();
    by_letters().unwrap_or_else(|| skeleton(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_alike_by_case_and_by_letters_of_other_scripts_and_not_by_less() {
        let alike = |one: &str, other: &str| looks(one).iter().any(|look| looks(other).contains(look));
        for (one, other) in
            [("operator", "Operator"), ("operator", "ореrаtоr"), ("lou", "Iou"), ("lou", "1ou"), ("ADA", "ada"), ("0tto", "otto")]
        {
            assert!(alike(one, other) && alike(other, one), "{one} {other}");
        }
        for (one, other) in [("ada", "adam"), ("ann", "anna"), ("citizen-1", "citizen-11"), ("zoe", "zoë"), ("a-b", "a_b")] {
            assert!(!alike(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_name_is_made_bare_letter_by_letter_as_it_is_at_once() {
        let all: String = (0..128_u8).map(char::from).collect();
        let names = ["m", "rn", "citizen-100", "I|l1!", "0Oo", "\"''`", "a\u{301}", "zo\u{eb}", "\u{43e}perator", &all];
        for name in names {
            assert_eq!(bare(name), skeleton(name).collect::<String>(), "{name}");
        }
        for (one, other) in (0..128_u8).flat_map(|one| (0..128_u8).map(move |other| (one, other))) {
            let name: String = [char::from(one), char::from(other)].iter().collect();
            assert_eq!(bare(&name), skeleton(&name).collect::<String>(), "{name:?}");
        }
    }
}
