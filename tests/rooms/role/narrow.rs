//! Tests of `src/role/narrow.rs`.

use reelm::role::Entry;
use reelm::role::Glob;
use reelm::role::Spec;
use reelm::role::narrow::*;

fn entries(key: &str, json: &str) -> Vec<Entry> {
    let spec = Spec::from_value(&serde_json::from_str(&format!(r#"{{"name":"a","{key}":[{json}]}}"#)).unwrap()).unwrap();
    if key == "canDo" { spec.can_do } else { spec.can_see }
}

/// Each line: an entry, another, and whether the first is within the second.
const ROWS: &[(&str, &str, &str, bool)] = &[
    ("canDo", r#""say""#, r#""say""#, true),
    ("canDo", r#""say""#, r#""*""#, true),
    ("canDo", r#""*""#, r#""say""#, false),
    ("canDo", r#""quality.set""#, r#""quality.*""#, true),
    ("canDo", r#""quality.s*""#, r#""quality.*""#, true),
    ("canDo", r#""quality.*""#, r#""quality.s*""#, false),
    ("canDo", r#""quality.se?""#, r#""quality.*""#, true),
    ("canDo", r#""**""#, r#""*""#, false),
    ("canDo", r#""*.make""#, r#""q*""#, false),
    ("canDo", r#""**""#, r#"{"action":"**"}"#, true),
    ("canDo", r#"{"action":"say"}"#, r#""say""#, true),
    ("canDo", r#"{"action":"move","on":{"rel":"self"}}"#, r#""move""#, true),
    ("canDo", r#""move""#, r#"{"action":"move","on":{"rel":"self"}}"#, false),
    ("canDo", r#"{"action":"move","on":{"rel":"self"}}"#, r#"{"action":"move","on":{"rel":"here"}}"#, false),
    ("canDo", r#"{"action":"move","on":"/a/b"}"#, r#"{"action":"move","on":"/a/**"}"#, true),
    ("canDo", r#"{"action":"move","on":"/a/**"}"#, r#"{"action":"move","on":"/a/*"}"#, false),
    ("canDo", r#"{"action":"move","on":{"rel":"self"}}"#, r#"{"action":"move","on":"**"}"#, true),
    ("canDo", r#"{"action":"quality.set","ns":"t"}"#, r#""quality.*""#, true),
    ("canDo", r#"{"action":"quality.set","ns":"t"}"#, r#"{"action":"quality.*","ns":"t*"}"#, true),
    ("canDo", r#"{"action":"quality.set"}"#, r#"{"action":"quality.set","ns":"t"}"#, false),
    ("canDo", r#"{"action":"signal.set","ns":"t"}"#, r#""*""#, false),
    ("canDo", r#"{"action":"signal.set","ns":"t"}"#, r#"{"action":"*"}"#, false),
    ("canDo", r#"{"action":"signal.set","ns":"t"}"#, r#"{"action":"signal.set","ns":"*"}"#, true),
    ("canDo", r#"{"action":"signal.set","ns":"*"}"#, r#"{"action":"signal.set","ns":"t"}"#, false),
    ("canSee", r#""/a""#, r#""/*""#, true),
    ("canSee", r#""/a/b""#, r#""/*""#, false),
    ("canSee", r#""/a/*""#, r#""/**""#, true),
    ("canSee", r#""/.config""#, r#""/**""#, false),
    ("canSee", r#""/.config""#, r#""/.*""#, true),
    ("canSee", r#""/.config""#, r#""**""#, true),
    ("canSee", r#"{"rel":"here"}"#, r#""**""#, true),
    ("canSee", r#"{"rel":"here"}"#, r#""*""#, false),
    ("canSee", r#"{"rel":"children"}"#, r#"{"rel":"any-child"}"#, false),
    ("canSee", r#"{"pattern":"a/@b"}"#, r#"{"pattern":"a/@*"}"#, true),
    ("canSee", r#"{"pattern":"a/@b"}"#, r#""@b""#, false),
    ("canSee", r#""@b""#, r#"{"pattern":"**"}"#, false),
];

#[test]
fn an_entry_is_within_another_where_its_letters_prove_it() {
    let wrong: Vec<_> =
        ROWS.iter().filter(|(key, own, other, is)| entries(key, own)[0].is_within(&entries(key, other)[0]) != *is).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn whatever_a_narrower_glob_matches_the_wider_one_matches() {
    let globs = ["a", "ab", "a*", "a**", "*", "**", "a/b", "a/*", "a/**", "?", "a?", "/.x", "/.*", "/**"];
    let texts = ["a", "ab", "abc", "b", "a/b", "a/b/c", "/.x", "/x", "/x/y", "x"];
    for own in globs.map(|glob| Glob::new(glob).unwrap()) {
        for other in globs.map(|glob| Glob::new(glob).unwrap()) {
            let escapes = texts.iter().find(|text| own.matches(text) && !other.matches(text));
            assert!(!is_glob_within(&own, &other) || escapes.is_none(), "{own:?} in {other:?}: {escapes:?}");
        }
    }
}
