//! Tests of `src/cognition/ways.rs`: what each of the four ways of asking sends of an operation's schema.

use reelm::cognition::samples::samples;
use reelm::cognition::ways::*;
use reelm::fact::Value;
use reelm::verb::core_operations;
use serde_json::{Value as Json, json};

fn faults(schema: &Json) -> Vec<String> {
    let schema: Value = serde_json::from_value(schema.clone()).unwrap();
    ways_failed("x:go", &schema).iter().map(ToString::to_string).collect()
}

#[test]
fn each_way_takes_what_the_operation_takes() {
    let text = json!({ "type": "string" });
    for schema in [
        json!({ "type": "object" }),
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/t" } }, "required": ["a"], "$defs": { "t": text } }),
        json!({ "$ref": "#/$defs/t", "$defs": { "t": { "type": "object", "required": ["a"], "properties": { "a": text } } } }),
        json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/t", "minLength": 3 } }, "$defs": { "t": text } }),
        json!({ "anyOf": [{ "type": "object", "required": ["a"], "properties": { "a": text } }, { "type": "object", "required": ["b"], "properties": { "b": true } }] }),
        json!({ "type": "object", "oneOf": [{ "required": ["a"], "properties": { "a": text } }, { "required": ["b"] }] }),
        json!({ "type": "object", "properties": { "a": text, "b": text }, "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
        json!({ "type": "object", "properties": { "a": text }, "allOf": [{ "required": ["b"], "properties": { "b": { "type": "integer", "minimum": 3 } } }] }),
        json!({ "type": "object", "properties": { "a": { "const": "x" } }, "if": { "required": ["a"] }, "then": { "properties": { "c": text }, "required": ["c"] },
            "examples": [{ "a": "x", "c": "y" }] }),
        json!({ "type": "object", "maxProperties": 1, "properties": { "a": text, "b": text } }),
        json!({ "type": "object", "properties": { "a": { "type": "array", "minItems": 2, "prefixItems": [{ "type": "object", "properties": { "k": text } }],
            "items": { "type": "object", "required": ["m"], "properties": { "m": { "type": "object", "additionalProperties": text } } } } } }),
        json!({ "type": "object", "properties": { "a": { "type": "array", "contains": { "type": "object", "properties": { "k": text } }, "items": { "type": "object", "properties": { "k": text } } } } }),
        json!({ "type": "object", "properties": { "a": { "allOf": [text, { "minLength": 2 }] }, "b": { "not": { "type": "null" } } } }),
        json!({ "type": "object", "properties": { "a": { "type": "string", "minLength": 200 } } }),
        json!({ "type": "object", "properties": { "a": { "type": "string", "examples": ["x".repeat(300)] } } }),
        json!({ "type": "object", "properties": { "a": { "const": { "type": "string" } }, "b": { "enum": [{ "type": "string" }] } } }),
        json!({ "type": "object", "properties": { "a": { "type": ["object", "null"], "properties": { "k": text } } } }),
    ] {
        assert_eq!(faults(&schema), Vec::<String>::new(), "{schema}");
    }
    for operation in core_operations() {
        assert_eq!(faults(&serde_json::from_str(operation.schema).unwrap()), Vec::<String>::new(), "{}", operation.name);
    }
}

#[test]
fn samples_are_made_of_what_a_schema_says() {
    let schema = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "integer", "minimum": 2 }, "b": { "enum": ["x"] } },
        "examples": [{ "a": 9 }] });
    assert_eq!(samples(&schema), [json!({ "a": 9 }), json!({ "a": 2 }), json!({ "a": 2, "b": "x" })]);
}

#[test]
fn a_way_that_fails_is_named_with_the_place() {
    let open = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "examples": [{ "a": "x", "other": 1 }] });
    let found = faults(&open);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("asked by `strict`, /act/args: ") && found[0].contains("'other' was unexpected"), "{found:?}");
    assert!(found[1].starts_with("asked by `json_schema`, /act/arguments/args: "), "{found:?}");
    let long = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "examples": [{ "a": "x".repeat(161) }] });
    let found = faults(&long);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].starts_with("asked by `native`, /args/a: "), "{found:?}");
    assert!(found[3].starts_with("asked by `anthropic`, /args/a: "), "{found:?}");
    // A schema of an older draft is no schema of the draft that is sent.
    let old = json!({ "$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": { "a": { "minimum": 1, "exclusiveMinimum": true } } });
    assert_eq!(faults(&old).len(), 4);
    assert!(faults(&old)[0].contains("/properties/args/properties/a/exclusiveMinimum: "), "{:?}", faults(&old));
    let outside = json!({ "$ref": "other.json" });
    assert!(faults(&outside)[0].starts_with("asked by `native`, /$ref: "), "{:?}", faults(&outside));
}
