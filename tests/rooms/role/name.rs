//! Tests of `src/role/name.rs`.

use reelm::role::name::*;

#[test]
fn a_role_name_is_kebab_with_at_most_one_namespace() {
    for good in ["judge", "emotions:bored", "human-conversationalist", "shift-2"] {
        assert!(is_role_name(good), "{good}");
    }
    for bad in ["", "Judge", "a_b", "a--b", "-a", "a-", "a:b:c", ":a", "a:", "a b", "ns/a", &"x".repeat(65)] {
        assert!(!is_role_name(bad), "{bad}");
    }
}

#[test]
fn a_mistyped_word_finds_its_neighbour_and_a_strange_one_does_not() {
    assert_eq!(distance("kitten", "sitting"), 3);
    assert_eq!(distance("KITTEN", "kitten"), 0);
    assert_eq!(nearest("spcae.name", ["space.name", "space.type"]), Some("space.name"));
    assert_eq!(nearest("weather", ["verb", "intent"]), None);
}
