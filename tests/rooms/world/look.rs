//! Tests of `src/world/look.rs`.

use reelm::world::look::*;
use unicode_security::skeleton;

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
