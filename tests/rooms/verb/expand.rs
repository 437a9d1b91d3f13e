//! Tests of `src/verb/expand.rs`: what a reference becomes, and which cannot be resolved.

use proptest::prelude::*;
use reelm::verb::expand::*;
use serde_json::{Value as Json, json};

fn fault(schema: &Json) -> String {
    expanded(schema).unwrap_err().to_string()
}

#[test]
fn a_reference_becomes_what_it_points_to() {
    let text = json!({ "type": "string" });
    let of = |reference: &str, more: Json| {
        let mut schema = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://a.b/c",
            "type": "object", "properties": { "a": { "$ref": reference } } });
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        expanded(&schema).map(|whole| whole["properties"]["a"].clone())
    };
    for (reference, more) in [
        ("#/$defs/t", json!({ "$defs": { "t": text } })),
        ("#/definitions/t", json!({ "definitions": { "t": text } })),
        ("#/$defs/a~1b%20~0", json!({ "$defs": { "a/b ~": text } })),
        ("#t", json!({ "$defs": { "x": { "$anchor": "t", "type": "string", "$comment": "a text" } } })),
        ("https://a.b/c#/$defs/t", json!({ "$defs": { "t": text } })),
        ("#/$defs/s", json!({ "$defs": { "s": { "$ref": "#/$defs/t" }, "t": text } })),
    ] {
        assert_eq!(of(reference, more), Ok(text.clone()), "{reference}");
    }
}

#[test]
fn what_stands_beside_a_reference_still_holds() {
    let whole = |schema: &str, own: Json| {
        let mut own = own;
        own["$ref"] = json!("#/$defs/t");
        expanded(&json!({ "$schema": schema, "items": own, "$defs": { "t": { "type": "string", "title": "T" } } })).unwrap()["items"]
            .clone()
    };
    let target = json!({ "type": "string", "title": "T" });
    assert_eq!(whole("", json!({ "title": "Own" })), json!({ "type": "string", "title": "Own" }));
    assert_eq!(whole("", json!({ "minLength": 2 })), json!({ "minLength": 2, "allOf": [target] }));
    assert_eq!(whole("", json!({ "allOf": [true] })), json!({ "allOf": [true, target] }));
    assert_eq!(whole("http://json-schema.org/draft-07/schema#", json!({ "minLength": 2 })), target);
}

#[test]
fn only_what_is_a_schema_is_expanded() {
    let as_value = json!({ "type": "object", "properties": { "$ref": { "type": "string" }, "$defs": { "type": "integer" } },
        "default": { "$ref": "#/nowhere" }, "enum": [{ "$defs": 1 }] });
    assert_eq!(expanded(&as_value), Ok(as_value));
}

#[test]
fn what_cannot_be_resolved_says_where_and_what_to_do() {
    let at =
        |reference: &str| json!({ "properties": { "a": { "$ref": reference } }, "$defs": { "t": { "items": { "$ref": "#/$defs/t" } } } });
    for (schema, why) in [
        (at("#"), "/properties/a/$ref: `#` contains itself"),
        (at("#/$defs/t"), "/$defs/t/items/$ref: `#/$defs/t` contains itself"),
        (at("#/properties/a"), "/properties/a/$ref: `#/properties/a` contains itself"),
        (at("#/$defs/u"), "/properties/a/$ref: nothing stands at `#/$defs/u`"),
        (at("other.json"), "/properties/a/$ref: `other.json` points outside the document"),
        (at("https://a.b/c#/d"), "/properties/a/$ref: `https://a.b/c#/d` points outside the document"),
        (json!({ "items": { "$dynamicRef": "#t" } }), "/items/$dynamicRef: its target depends on who follows it"),
        (json!({ "$ref": 7 }), "/$ref: expected the text of a reference"),
    ] {
        assert!(fault(&schema).starts_with(why), "{}", fault(&schema));
    }
}

/// Definitions of which each holds the next under so many keys.
fn chain(levels: usize, keys: usize) -> Json {
    let one = |level: usize| {
        let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
        let properties = (0..keys).map(|key| (format!("k{key}"), next.clone())).collect::<serde_json::Map<_, _>>();
        (format!("d{level}"), if level == levels { json!({}) } else { json!({ "properties": properties }) })
    };
    json!({ "$ref": "#/$defs/d0", "$defs": (0..=levels).map(one).collect::<serde_json::Map<_, _>>() })
}

#[test]
fn an_expansion_is_at_most_24_deep_and_64_kib_long() {
    assert!(expanded(&chain(23, 1)).is_ok());
    assert!(fault(&chain(25, 1)).contains("at most 24"), "{}", fault(&chain(25, 1)));
    let nested = (0..25).fold(json!({}), |inner, _| json!({ "items": inner }));
    assert!(fault(&nested).contains("at most 24 schemas inside each other"));
    assert!(expanded(&nested["items"]).is_ok());
    // Each level doubles it.
    assert!(fault(&chain(20, 2)).contains("over 65536 bytes"));
    let long = |len: usize| json!({ "enum": ["x".repeat(len)] });
    let around = long(0).to_string().len();
    assert!(expanded(&long(EXPANDED_MAX - around)).is_ok());
    assert!(fault(&long(EXPANDED_MAX - around + 1)).starts_with("/: the schema with its references resolved is over"));
}

proptest! {
    #[test]
    fn an_expansion_takes_what_the_schema_takes(least in 0..9_u64, most in 0..9_u64, text in "[a-c]{0,9}", number in 0..9_i64) {
        let schema = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/t", "maxLength": most }, "b": { "$ref": "#/$defs/n" } },
            "$defs": { "t": { "type": "string", "minLength": least }, "n": { "anyOf": [{ "$ref": "#/$defs/t" }, { "maximum": 4 }] } } });
        let (own, other) = (jsonschema::validator_for(&schema).unwrap(), jsonschema::validator_for(&expanded(&schema).unwrap()).unwrap());
        for value in [json!({ "a": text, "b": text }), json!({ "a": number, "b": number }), json!({ "b": number })] {
            prop_assert_eq!(own.is_valid(&value), other.is_valid(&value));
        }
    }
}
