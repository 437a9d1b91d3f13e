//! Tests of `src/world/register.rs`.

use reelm::fact::Value;
use reelm::world::Sayer;
use reelm::world::register::*;

#[test]
fn every_line_can_be_read_and_its_default_is_nothing_or_what_its_schema_takes() {
    for line in LINES {
        serde_json::from_str::<Value>(line.default).unwrap_or_else(|error| panic!("{}: {error}", line.key));
        let schema: serde_json::Value = serde_json::from_str(line.schema).unwrap_or_else(|error| panic!("{}: {error}", line.key));
        let default: serde_json::Value = serde_json::from_str(line.default).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(default.is_null() || validator.is_valid(&default) || line.who == Sayer::Genesis, "{}", line.key);
        assert!(!line.stands.is_empty() && line.about.chars().next().is_some_and(char::is_lowercase), "{}", line.key);
    }
}

#[test]
fn a_key_is_found_by_itself_or_by_its_beginning() {
    let found = |key: &str| core(key).map(|setting| setting.key.to_string());
    for (key, setting) in [
        ("brakes.depth", Some("brakes.depth")),
        ("llm.slots.writer", Some("llm.slots.")),
        ("llm.small", Some("llm.")),
        ("llm.budget", Some("llm.budget")),
        ("llm.slots", None),
        ("llm.sampling", None),
        ("llm.", None),
        ("llm.slots.", None),
        ("llm.slots.a.b", None),
        ("llm.*", None),
        ("brakes.dpeth", None),
        ("", None),
        (".", None),
    ] {
        assert_eq!(found(key).as_deref(), setting, "{key}");
    }
}
