//! Tests of `src/role/path.rs`.

use reelm::role::path::*;

#[test]
fn every_known_path_reads_and_gives_its_text_back() {
    let parts = [
        "space.quality.ambient.tone",
        "space.wearing.emotions:bored",
        "inTreeOf.ada",
        "me.quality.persona.age",
        "world.harmony.tick.alive",
    ];
    for text in Path::WORDS.iter().chain(parts.iter()) {
        let path = Path::parse(text).unwrap();
        assert!(!path.is_unknown(), "{text}");
        assert_eq!(path.to_string(), *text);
    }
}

#[test]
fn a_path_off_the_list_is_unknown_and_a_broken_one_is_refused() {
    for unknown in ["o.constructor.name", "world.court", "space.wearing.a.b", "me", "caller.beingId", "space.quality", "inTreeOf.@ada"] {
        assert!(Path::parse(unknown).unwrap().is_unknown(), "{unknown}");
    }
    for broken in ["", ".", "a..b", "a.", ".a", "a\n", &"x".repeat(257)] {
        assert!(Path::parse(broken).is_err(), "{broken}");
    }
}

#[test]
fn a_mistyped_path_finds_what_was_meant() {
    assert_eq!(Path::suggest("time.hours").as_deref(), Some("time.hour"));
    assert_eq!(Path::suggest("caller.congition").as_deref(), Some("caller.cognition"));
    assert_eq!(Path::suggest("space.qualty.ambient.tone").as_deref(), Some("space.quality.ambient.tone"));
    assert_eq!(Path::suggest("wrld.court.in-session").as_deref(), Some("world.court.in-session"));
    assert_eq!(Path::suggest("world.court").as_deref(), Some("world.<namespace>.<key>"));
    assert_eq!(Path::suggest("weather.condition"), None);
}
