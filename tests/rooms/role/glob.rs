//! Tests of `src/role/glob.rs`.

use proptest::prelude::*;
use reelm::role::glob::*;

fn matches(pattern: &str, text: &str) -> bool {
    Glob::new(pattern).unwrap().matches(text)
}

#[test]
fn a_star_stops_at_a_slash_and_two_do_not() {
    assert!(matches("skateco:*", "skateco:operate-lathe"));
    assert!(matches("*", ""));
    assert!(matches("/court/*", "/court/bench"));
    assert!(!matches("/court/*", "/court/bench/left"));
    assert!(matches("/court/**", "/court/bench/left"));
    assert!(!matches("*", "a/b"));
    assert!(matches("**", "a/b"));
    assert!(matches("fitness/@coach", "fitness/@coach"));
    assert!(!matches("fitness/@coach", "fitness/@coaches"));
    assert!(matches("**/@coach-?", "a/b/@coach-ö"));
    assert!(!matches("a?b", "a/b"));
    assert!(matches("*a*/b**", "xax/b/c"));
    assert!(!matches("a*b", "a"));
}

#[test]
fn what_is_no_glob_is_refused() {
    assert_eq!(Glob::new(""), Err(GlobError::Empty));
    assert_eq!(Glob::new(&"a".repeat(256)), Err(GlobError::TooLong { found: 256 }));
    assert!(Glob::new(&"?".repeat(255)).unwrap().matches(&"x".repeat(255)));
    assert!(matches!(Glob::new("a***"), Err(GlobError::Stars { .. })));
}

#[test]
fn a_hostile_pattern_is_walked_once() {
    let pattern = "**a*a".repeat(40) + "b";
    assert!(!matches(&pattern, &"a".repeat(TEXT_MAX)));
    assert!(matches(&pattern, &("a".repeat(TEXT_MAX - 1) + "b")));
}

/// The plainest matcher there is, to compare with.
fn slow(pattern: &[char], text: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['*', '*', rest @ ..] => (0..=text.len()).any(|n| slow(rest, &text[n..])),
        ['*', rest @ ..] => (0..=text.len()).any(|n| !text[..n].contains(&'/') && slow(rest, &text[n..])),
        ['?', rest @ ..] => text.first().is_some_and(|c| *c != '/') && slow(rest, &text[1..]),
        [c, rest @ ..] => text.first() == Some(c) && slow(rest, &text[1..]),
    }
}

proptest! {
    #[test]
    fn every_match_is_one_of_the_plainest_matcher(pattern in "[ab/*?]{1,9}", text in "[ab/]{0,9}") {
        if let Ok(glob) = Glob::new(&pattern) {
            let (p, t): (Vec<_>, Vec<_>) = (pattern.chars().collect(), text.chars().collect());
            prop_assert_eq!(glob.matches(&text), slow(&p, &t));
        }
    }

    #[test]
    fn a_long_pattern_and_letters_of_any_script_match_as_short_ones_do(pattern in "[aé/*?]{1,9}", text in "[aé/]{0,9}", far in 55usize..240) {
        if let Ok(glob) = Glob::new(&pattern) {
            let long = Glob::new(&format!("{}{pattern}", "?".repeat(far))).unwrap();
            prop_assert_eq!(long.matches(&format!("{}{text}", "é".repeat(far))), glob.matches(&text));
            let (p, t): (Vec<_>, Vec<_>) = (pattern.chars().collect(), text.chars().collect());
            prop_assert_eq!(glob.matches(&text), slow(&p, &t));
        }
    }
}
