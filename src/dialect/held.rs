//! Held: a JSON Schema in the strict form of a provider that enforces it, and a strict answer back in the usual form.
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

/// The keywords that such a provider takes as they are. Any other is left out: the gate asks for it afterwards.
const KEPT: &[&str] = &[
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "multipleOf",
    "pattern",
    "title",
    "type",
    "uniqueItems",
];
/// The keywords whose schemas apply to the same value.
const BRANCHES: &[&str] = &["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"];

/// The same below the top. It takes no less than the schema takes, but for keys that the schema does not name.
fn whole(schema: &Json) -> Json {
    let Some(map) = schema.as_object() else { return schema.clone() };
    if let Some(value) = map.get("const") {
        return json!({ "enum": [value] });
    }
    let is_object = map.get("type").is_some_and(|kind| kind == "object");
    if let (false, Some(all)) = (map.contains_key("properties") || map.contains_key("allOf"), alternatives(map)) {
        let of_kind = |one: &Json| whole(&if is_object { as_object(one) } else { one.clone() });
        let kept = kept(map).filter(|(key, _)| *key != "type");
        let all: Vec<Json> = all.iter().map(of_kind).collect();
        return kept.map(|(key, value)| (key.clone(), value.clone())).chain([("anyOf".to_owned(), json!(all))]).collect();
    }
    let properties = properties_of(map);
    if is_object && properties.is_empty() {
        let about = map.get("description").and_then(Json::as_str).unwrap_or("an object");
        return json!({ "type": "string", "description": format!("{about}: as the text of a JSON object") });
    }
    let mut held: Map<String, Json> = kept(map).map(|(key, value)| (key.clone(), value.clone())).collect();
    for part in map.get("allOf").and_then(Json::as_array).into_iter().flatten() {
        let part = if properties.is_empty() { whole(part) } else { part.clone() };
        for (key, value) in part.as_object().into_iter().flatten() {
            if properties.is_empty() || KEPT.contains(&key.as_str()) {
                held.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
    }
    items(map, &mut held);
    if !properties.is_empty() {
        let required = required_of(map);
        let property = |(name, all): (&str, Vec<&Json>)| (name.to_owned(), property(&all, required.contains(&name)));
        held.insert("required".to_owned(), properties.iter().map(|(name, _)| json!(name)).collect());
        held.insert("properties".to_owned(), properties.into_iter().map(property).collect());
        held.insert("additionalProperties".to_owned(), json!(false));
    }
    Json::Object(held)
}

fn kept(map: &Map<String, Json>) -> impl Iterator<Item = (&String, &Json)> {
    map.iter().filter(|(key, _)| KEPT.contains(&key.as_str()))
}

fn alternatives(map: &Map<String, Json>) -> Option<&Vec<Json>> {
    map.get("anyOf").or_else(|| map.get("oneOf")).and_then(Json::as_array)
}

/// An alternative of what is an object says that it is one.
fn as_object(schema: &Json) -> Json {
    let mut schema = if schema.is_object() { schema.clone() } else { json!({}) };
    if let Some(map) = schema.as_object_mut().filter(|map| !map.contains_key("const")) {
        map.entry("type").or_insert(json!("object"));
    }
    schema
}

/// The keywords for the items of a list.
fn items(map: &Map<String, Json>, held: &mut Map<String, Json>) {
    if let Some(items) = map.get("items") {
        held.insert("items".to_owned(), whole(items));
    }
    if let Some(first) = map.get("prefixItems").and_then(Json::as_array) {
        held.insert("prefixItems".to_owned(), first.iter().map(whole).collect());
    }
}

/// The schemas that apply to the same value.
fn branches(map: &Map<String, Json>) -> impl Iterator<Item = &Map<String, Json>> {
    let each = |key: &&str| match map.get(*key) {
        Some(Json::Array(list)) => list.iter().collect(),
        Some(Json::Object(named)) if *key == "dependentSchemas" => named.values().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    };
    BRANCHES.iter().flat_map(each).filter_map(Json::as_object)
}

/// The properties of an object, those of its branches among them: each with what may hold for it.
fn properties_of(map: &Map<String, Json>) -> Vec<(&str, Vec<&Json>)> {
    let own = map.get("properties").and_then(Json::as_object);
    let mut all: Vec<(&str, Vec<&Json>)> = own.into_iter().flatten().map(|(name, one)| (name.as_str(), vec![one])).collect();
    let count = all.len();
    for (name, ones) in branches(map).flat_map(properties_of) {
        match all.iter().position(|(known, _)| *known == name) {
            // An object's own word on a property holds in every branch.
            Some(at) if at < count => {}
            Some(at) => all.get_mut(at).into_iter().for_each(|(_, known)| known.extend(ones.iter().copied())),
            None => all.push((name, ones)),
        }
    }
    all
}

/// The keys that an object always has.
fn required_of(map: &Map<String, Json>) -> Vec<&str> {
    let own = map.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str);
    let parts = map.get("allOf").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_object);
    own.chain(parts.flat_map(required_of)).collect()
}

/// A property by what may hold for it; one that could be left out may be null.
fn property(all: &[&Json], is_required: bool) -> Json {
    let mut whole: Vec<Json> = all.iter().map(|one| whole(one)).collect();
    whole.extend((!is_required).then(|| json!({ "type": "null" })));
    match whole.as_slice() {
        [one] => one.clone(),
        _ => json!({ "anyOf": whole }),
    }
}

/// A value as a held schema takes it: what is left out is null, and an object of any shape is its text.
pub fn as_held(held: &Json, value: &Json) -> Json {
    if let Some(all) = held.get("anyOf").and_then(Json::as_array) {
        let fits = |one: &Json| Some(as_held(one, value)).filter(|value| jsonschema::draft202012::is_valid(one, value));
        return all.iter().find_map(fits).unwrap_or_else(|| value.clone());
    }
    match value {
        Json::Object(map) => match held.get("properties").and_then(Json::as_object) {
            Some(properties) => {
                let named =
                    properties.iter().map(|(name, one)| (name.clone(), map.get(name).map_or(Json::Null, |value| as_held(one, value))));
                map.iter().map(|(name, value)| (name.clone(), value.clone())).chain(named).collect()
            }
            None if held.get("type").is_some_and(|kind| kind == "string") => Json::String(value.to_string()),
            None => value.clone(),
        },
        Json::Array(list) => {
            let first = held.get("prefixItems").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
            let item = |(index, value)| {
                first.get(index).or_else(|| held.get("items")).map_or_else(|| Json::clone(value), |one| as_held(one, value))
            };
            list.iter().enumerate().map(item).collect()
        }
        value => value.clone(),
    }
}

/// The act under the one key, without its null fields; nothing for an answer that did not follow such a schema.
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
