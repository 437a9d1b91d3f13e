//! Tests of `src/cli/outline.rs`.

use proptest::prelude::*;
use reelm::cli::outline::*;
use reelm::fact::Value;
use serde_json::json;

fn value(json: serde_json::Value) -> Value {
    serde_json::from_value(json).unwrap()
}

#[test]
fn what_is_alike_is_a_table_whose_first_column_says_what_it_is_called() {
    let told = outline(&value(json!({
        "address": "/hall", "coords": null, "allow": [], "count": 0, "paused": false,
        "beings": [{ "cognition": "script", "name": "ada", "wearing": ["a", "b"] }, { "cognition": "llm", "name": "ben", "wearing": [] }],
        "qualities": { "mood": { "joy": 3, "of": { "whom": "@ada" } } },
    })));
    let wanted = "address  /hall
beings
  name  cognition  wearing
  ada   script     a, b
  ben   llm
count    0
paused   false
qualities
  mood
    joy  3
    of   whom: @ada";
    assert_eq!(told, wanted);
}

#[test]
fn what_is_empty_is_left_out_and_what_is_long_is_cut_in_a_table_alone() {
    assert_eq!(outline(&value(json!({ "a": null, "b": [], "c": { "d": "" } }))), "nothing");
    assert_eq!(outline(&value(json!(["x", "y"]))), "x\ny");
    assert_eq!(outline(&value(json!("one\ntwo"))), "one\ntwo");
    let long = "w".repeat(60);
    let table = outline(&value(json!([{ "name": "a", "text": long }])));
    assert!(table.contains('…') && !table.contains(&long), "{table}");
    assert!(outline(&value(json!({ "text": long }))).contains(&long));
    // A control character is made visible.
    assert!(outline(&value(json!({ "text": "a\u{1b}[2J" }))).contains("\\u{1b}"));
}

#[test]
fn a_narrow_terminal_has_lists_in_the_place_of_tables_and_texts_alone() {
    let people = value(json!({ "beings": [{ "name": "ada", "place": "the long hall of clerks" }, { "name": "ben", "place": "/yard" }] }));
    assert_eq!(outline_within(&people, 80), "beings\n  name  place\n  ada   the long hall of clerks\n  ben   /yard");
    let narrow = outline_within(&value(json!({ "beings": [{ "name": "ada", "place": "p".repeat(36) }], "text": "t".repeat(37) })), 40);
    assert_eq!(narrow, format!("beings\n  name  ada\n  place\n    {}\ntext\n  {}", "p".repeat(36), "t".repeat(37)));
    assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
}

proptest! {
    #[test]
    fn no_line_of_short_values_is_wider_than_the_terminal(names in proptest::collection::vec("[a-z]{1,12}", 1..6), wide in 40_usize..140) {
        let rows = names.iter().map(|name| value(json!({ "name": name, "space": "/hall", "wearing": ["clerk", "tired"] })));
        let told = outline_within(&Value::map([("address", Value::text("/hall")), ("beings", Value::List(rows.collect()))]), wide);
        prop_assert!(told.lines().all(|line| line.chars().count() <= wide), "{told}");
    }

    #[test]
    fn whatever_stands_in_a_map_of_maps_is_told_with_its_key(pairs in proptest::collection::btree_map("[a-z]{1,6}", ("[a-z]{1,6}", 1_i64..1000), 1..6)) {
        let map = Value::map(pairs.iter().map(|(key, (inner, n))| (key.as_str(), Value::map([(inner.as_str(), Value::Int(*n))]))));
        let told = outline(&map);
        for (key, (inner, n)) in &pairs {
            prop_assert!(told.lines().any(|line| line.starts_with(key.as_str()) && line.ends_with(&format!("{inner}: {n}"))), "{told}");
        }
    }
}
