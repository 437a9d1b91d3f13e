//! Tests of `src/world/setting.rs`.

use reelm::fact::Value;
use reelm::world::setting::*;

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

#[test]
fn each_way_of_coming_together_is_what_its_sentence_says() {
    for (merge, outer, inner, both) in [
        (Merge::Nearest, "1", "2", "2"),
        (Merge::Outermost, "1", "2", "1"),
        (Merge::Narrow, "64", "3", "3"),
        (Merge::Narrow, "3", "64", "3"),
        (Merge::Narrow, "null", "64", "64"),
        (
            Merge::Narrow,
            r#"{"day":{"calls":9}}"#,
            r#"{"day":{"calls":12,"tokens":5},"hour":{"calls":1}}"#,
            r#"{"day":{"calls":9,"tokens":5},"hour":{"calls":1}}"#,
        ),
        (Merge::Narrow, r#"["a","b"]"#, r#"["b","c"]"#, r#"["b"]"#),
        (Merge::Longest, "1000", "5000", "5000"),
        (Merge::Longest, "5000", "1000", "5000"),
        (Merge::Gather, r#"["a"]"#, r#"["b","a"]"#, r#"["a","b"]"#),
        (Merge::Gather, "null", r#"["b"]"#, r#"["b"]"#),
        (
            Merge::Scope,
            r#"{"blocked":["a"],"only":["x","y"]}"#,
            r#"{"blocked":["b"],"only":["y","z"]}"#,
            r#"{"blocked":["a","b"],"only":["y"]}"#,
        ),
        (Merge::Scope, "null", r#"{"only":["y"]}"#, r#"{"only":["y"]}"#),
        (
            Merge::Scope,
            r#"{"restricted":["a"],"allowed":["b"]}"#,
            r#"{"restricted":["c"],"allowed":["d"]}"#,
            r#"{"allowed":["b","d"],"restricted":["a","c"]}"#,
        ),
    ] {
        assert_eq!(merge.together(&value(outer), &value(inner)), value(both), "{} {outer} {inner}", merge.word());
    }
}

#[test]
fn what_takes_away_at_least_as_much_may_be_said_instead_in_whatever_order() {
    for (merge, said, instead, keeps) in [
        (Merge::Narrow, "64", "3", true),
        (Merge::Narrow, "3", "64", false),
        (Merge::Narrow, r#"["a","b"]"#, r#"["b","a","a"]"#, true),
        (Merge::Narrow, r#"{"x":["a","b"]}"#, r#"{"x":["b","a"]}"#, true),
        (Merge::Narrow, r#"["a","b"]"#, r#"["b","c"]"#, false),
        (Merge::Gather, r#"["a","b"]"#, r#"["c","b","a"]"#, true),
        (Merge::Gather, r#"["a","b"]"#, r#"["a"]"#, false),
        (Merge::Scope, r#"{"blocked":["a","b"]}"#, r#"{"blocked":["c","b","a"]}"#, true),
        (Merge::Scope, r#"{"blocked":["a","b"]}"#, r#"{"blocked":["a"]}"#, false),
        (Merge::Scope, r#"{"blocked":["a"]}"#, r#"{"only":[]}"#, false),
        (Merge::Scope, r#"{"only":["a","b"]}"#, r#"{"only":["b"]}"#, true),
        (Merge::Scope, r#"{"only":["a"]}"#, r#"{"only":["a"],"blocked":["b"]}"#, true),
        (Merge::Scope, r#"{"restricted":["a"]}"#, r#"{"restricted":[]}"#, false),
        (Merge::Scope, r#"{"restricted":["a"]}"#, r#"{"restricted":["a"],"allowed":["b"]}"#, true),
        (Merge::Scope, r#"{"only":["a"]}"#, r#"{"only":["a","b"]}"#, false),
        (Merge::Scope, r#"{"only":["a"]}"#, "{}", false),
    ] {
        assert_eq!(merge.keeps(&value(said), &value(instead)), keeps, "{} {said} {instead}", merge.word());
    }
}

#[test]
fn what_lets_through_more_than_the_place_around_it_widens() {
    for (merge, outer, inner, widens) in [
        (Merge::Narrow, "64", "65", true),
        (Merge::Narrow, "64", "64", false),
        (Merge::Narrow, "null", "64", false),
        (Merge::Longest, "1000", "999", true),
        (Merge::Narrow, r#"{"day":{"calls":9}}"#, r#"{"hour":{"calls":12}}"#, false),
        (Merge::Narrow, r#"{"day":{"calls":9}}"#, r#"{"day":{"calls":12}}"#, true),
        (Merge::Narrow, r#"["a"]"#, r#"["a","b"]"#, true),
        (Merge::Narrow, r#"["a","b"]"#, r#"["b","a","b"]"#, false),
        (Merge::Gather, r#"["a"]"#, "[]", false),
    ] {
        assert_eq!(merge.widens(&value(outer), &value(inner)), widens, "{} {outer} {inner}", merge.word());
    }
}
