//! Look: whether two names are one to the eye: equal but for case, or by letters that look alike in another script.

use unicode_security::skeleton;

use crate::fact::Text;

/// What a name looks like, as written and in small letters: of two names that share any of it, one can be taken for the other.
///
/// Both are needed: `Iou` is `lou` as it is written, and `ADA` is `ada` in small letters.
pub fn looks(name: &str) -> [Text; 2] {
    let look = |name: &str| Text::from(skeleton(name).collect::<String>().to_lowercase());
    [look(name), look(&name.to_lowercase())]
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
}
