//! Tests of `src/role/entry.rs`.

use reelm::fact::Verb;
use reelm::role::entry::*;

fn read(json: &str, verb: Verb) -> Result<Entry, String> {
    Entry::from_value(&serde_json::from_str(json).unwrap(), verb).map_err(|error| format!("{}: {}", error.place, error.what))
}

#[test]
fn every_form_reads_and_gives_itself_back() {
    for (json, verb) in [
        (r#""station""#, Verb::See),
        (r#""skateco:*""#, Verb::Do),
        (r#"{"rel":"any-child"}"#, Verb::Summon),
        (r#"{"pattern":"fitness/@coach"}"#, Verb::Summon),
        (r#"{"action":"signal.set","ns":"court"}"#, Verb::Do),
        (r#"{"action":"move","on":{"rel":"self"}}"#, Verb::Do),
        (r#"{"action":"inhabit","on":{"rel":"children"}}"#, Verb::Be),
    ] {
        let entry = read(json, verb).unwrap();
        assert_eq!(entry.to_value(), serde_json::from_str(json).unwrap(), "{json}");
    }
}

#[test]
fn signal_set_without_a_namespace_is_refused_and_never_covered() {
    for json in [r#""signal.set""#, r#""signal.*""#, r#""*.set""#, r#""s**""#, r#"{"action":"signal.set","on":{"rel":"here"}}"#] {
        assert!(read(json, Verb::Do).unwrap_err().contains("always binds a namespace"), "{json}");
    }
    assert!(!read(r#""*""#, Verb::Do).unwrap().covers_action(SIGNAL_SET));
    assert!(read(r#""*""#, Verb::Do).unwrap().covers_action("quality.set"));
    assert!(read(r#"{"action":"signal.*","ns":"court"}"#, Verb::Do).unwrap().covers_action(SIGNAL_SET));
}

#[test]
fn a_refusal_says_the_place_and_the_nearest_word() {
    assert_eq!(
        read(r#"{"action":"move","on":{"rel":"parnet"}}"#, Verb::Do).unwrap_err(),
        ".on.rel: expected a relation, found `parnet`; did you mean `parent`?"
    );
    assert!(read(r#"{"rel":"here","pattern":"a"}"#, Verb::See).is_err());
    assert!(read(r#"{"rel":"here"}"#, Verb::Do).unwrap_err().contains("bind its target"));
    assert!(read(r#"{"action":"a","to":1}"#, Verb::Do).unwrap_err().starts_with(".to"));
    assert!(read("7", Verb::See).is_err());
    assert!(read(r#""""#, Verb::See).is_err());
}
