//! Held: a JSON Schema as a provider takes it that holds models to it, and what a model has answered by it as everybody else writes it.
//!
//! Such a provider takes no alternatives at the top, and none of its keys may be left out. So alternatives stand under one key ([`ACT`]), what
//! could be left out may be null, and an object of any shape is the text of one.

use serde_json::{Map, Value as Json, json};

/// The key under which alternatives stand.
pub const ACT: &str = "act";

/// The schema of an object, as it is taken at the top.
pub fn held(schema: &Json) -> Json {
    if schema.get("anyOf").is_none() && schema.get("oneOf").is_none() {
        return whole(schema);
    }
    json!({ "type": "object", "properties": { ACT: whole(schema) }, "required": [ACT], "additionalProperties": false })
}

/// The same below the top.
fn whole(schema: &Json) -> Json {
    let Some(map) = schema.as_object() else { return schema.clone() };
    if let Some(value) = map.get("const") {
        return json!({ "enum": [value] });
    }
    if map.get("type").is_some_and(|kind| kind == "object")
        && map.get("properties").is_none_or(|all| all.as_object().is_none_or(Map::is_empty))
    {
        let about = map.get("description").and_then(Json::as_str).unwrap_or("an object");
        return json!({ "type": "string", "description": format!("{about}: as the text of a JSON object") });
    }
    let mut held: Map<String, Json> = Map::new();
    for (key, value) in map {
        match (key.as_str(), value) {
            ("properties", Json::Object(properties)) => {
                held.insert(key.clone(), properties.iter().map(|(name, one)| (name.clone(), property(map, name, one))).collect());
                held.insert("required".to_owned(), properties.keys().cloned().collect());
                held.insert("additionalProperties".to_owned(), json!(false));
            }
            ("anyOf" | "oneOf", Json::Array(all)) => drop(held.insert("anyOf".to_owned(), all.iter().map(whole).collect())),
            ("items", items) => drop(held.insert(key.clone(), whole(items))),
            ("required" | "additionalProperties" | "default" | "examples", _) => {}
            _ => drop(held.insert(key.clone(), value.clone())),
        }
    }
    Json::Object(held)
}

/// A property of an object; one that could be left out may be null.
fn property(object: &Map<String, Json>, name: &str, schema: &Json) -> Json {
    let is_required = object.get("required").and_then(Json::as_array).is_some_and(|required| required.iter().any(|one| one == name));
    if is_required { whole(schema) } else { json!({ "anyOf": [whole(schema), { "type": "null" }] }) }
}

/// What stands under the one key, without what is null in it; nothing for what was not answered by such a schema.
pub fn freed(answered: &Json) -> Option<Json> {
    let object = answered.as_object().filter(|object| object.len() == 1)?;
    object.get(ACT).filter(|act| act.is_object()).map(said)
}

fn said(value: &Json) -> Json {
    match value {
        Json::Object(map) => map.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), said(value))).collect(),
        Json::Array(list) => list.iter().map(said).collect(),
        other => other.clone(),
    }
}
