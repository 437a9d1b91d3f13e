//! Tests of `src/dialect/held.rs`.

use reelm::dialect::held::*;
use serde_json::{Value as Json, json};

/// Where a schema says something that such a provider refuses.
fn refused(schema: &Json, place: &str, faults: &mut Vec<String>) {
    match schema {
        Json::Object(map) => {
            let is_object = map.get("type").is_some_and(|kind| kind == "object");
            let keys = map.get("properties").and_then(Json::as_object).map(|all| all.keys().cloned().collect::<Vec<_>>());
            if is_object
                && (keys.clone().map(|keys| json!(keys)).as_ref() != map.get("required")
                    || map.get("additionalProperties") != Some(&json!(false)))
            {
                faults.push(format!("{place}: not every key is required"));
            }
            if place.is_empty() && (!is_object || map.contains_key("anyOf")) {
                faults.push("alternatives stand at the top".to_owned());
            }
            map.iter().for_each(|(key, value)| refused(value, &format!("{place}/{key}"), faults));
        }
        Json::Array(list) => list.iter().for_each(|value| refused(value, &format!("{place}/-"), faults)),
        _ => {}
    }
}

#[test]
fn every_key_is_required_and_no_alternatives_stand_at_the_top() {
    let one = json!({ "type": "object", "required": ["action"], "properties": { "action": { "const": "say" }, "target": { "type": "string" },
            "args": { "type": "object", "properties": { "content": { "type": "string", "default": "" }, "more": { "type": "object" } } } } });
    for schema in [
        one.clone(),
        json!({ "anyOf": [one.clone(), one.clone()] }),
        json!({ "oneOf": [one] }),
        json!({ "type": "object", "properties": { "a": { "type": "array", "items": { "type": "object", "properties": { "b": {} } } } } }),
    ] {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        refused(&schema, "", &mut before);
        refused(&held(&schema), "", &mut after);
        assert!(!before.is_empty() && after.is_empty(), "{schema}: {after:?}");
    }
}

#[test]
fn what_was_answered_is_said_as_everybody_says_it() {
    let answered = json!({ ACT: { "name": "do", "arguments": { "target": "/a", "args": { "content": "Hm.", "more": null } } } });
    let said = json!({ "name": "do", "arguments": { "target": "/a", "args": { "content": "Hm." } } });
    assert_eq!(freed(&answered), Some(said));
    for other in [json!({ ACT: 7 }), json!({ ACT: {}, "b": 1 }), json!({ "name": "do" }), json!("act")] {
        assert_eq!(freed(&other), None, "{other}");
    }
}
