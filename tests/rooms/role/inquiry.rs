//! Tests of `src/role/inquiry.rs`.

use reelm::role::Bygone;
use reelm::role::Path;
use reelm::role::inquiry::*;

#[test]
fn what_no_moment_leaves_behind_is_an_error_with_its_place() {
    for (text, expected) in [
        ("when {", "expected a condition such as"),
        ("7", "when: expected an object of conditions"),
        (r#"{"moment.closng":"act"}"#, "when.\"moment.closng\": expected something that a moment leaves behind"),
        (r#"{"moment.closng":"act"}"#, "did you mean `moment.closing`?"),
        (r#"{"or":[{"me.nmae":"ada"}]}"#, "when.or[0].\"me.nmae\""),
        (r#"{"caller.name":"ada"}"#, "ask one of `moment.being`"),
        (r#"{"world.a.b":{"gt":1,"bigger":2}}"#, "found `bigger` beside operators"),
    ] {
        let found = text.parse::<Inquiry>().unwrap_err().to_string();
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn every_word_of_a_moment_gives_itself_back_and_a_flow_knows_none() {
    for word in Bygone::WORDS {
        assert_eq!(Bygone::parse(word).unwrap().to_string(), **word);
        assert!(format!("{{\"{word}\": 1}}").parse::<Inquiry>().is_ok(), "{word}");
        assert!(Path::parse(word).unwrap().is_unknown(), "a flow knows no {word}");
    }
}
