//! Samples: arguments that a schema takes: its own examples, and a few that are made up from what it says.

use serde_json::{Map, Value as Json, json};

/// The longest text that is made up, in characters.
const TEXT_MAX: u64 = 4_096;
/// The most items that are made up.
const ITEMS_MAX: u64 = 64;

/// Samples of a schema without references. Not all of them fit: what patterns and formats ask cannot be made up.
pub fn samples(schema: &Json) -> Vec<Json> {
    let own = schema.get("examples").and_then(Json::as_array).into_iter().flatten().chain(schema.get("default")).cloned();
    let branches: Vec<&Json> = ["anyOf", "oneOf"].iter().filter_map(|key| schema.get(*key)?.as_array()).flatten().collect();
    let mut bare = schema.clone();
    if let Some(map) = bare.as_object_mut() {
        // Each branch is tried by itself.
        map.retain(|key, _| !["examples", "default", "anyOf", "oneOf"].contains(&key.as_str()));
    }
    let both = |branch: Option<&Json>| {
        [false, true].map(|is_full| branch.map_or_else(|| made(&bare, is_full), |branch| with(made(&bare, is_full), made(branch, is_full))))
    };
    let by_branch: Vec<Json> =
        if branches.is_empty() { both(None).into() } else { branches.iter().flat_map(|branch| both(Some(branch))).collect() };
    own.chain(by_branch).collect()
}

/// A value by what a schema says; a full one has all the keys that it names.
fn made(schema: &Json, is_full: bool) -> Json {
    let Some(map) = schema.as_object() else { return json!("a") };
    let first = |key: &str| map.get(key).and_then(Json::as_array).and_then(|list| list.first());
    let given = map.get("const").or_else(|| first("enum")).or_else(|| first("examples")).or_else(|| map.get("default"));
    if let Some(value) = given {
        return value.clone();
    }
    let own = typed(map, is_full);
    let parts = map.get("allOf").and_then(Json::as_array).into_iter().flatten();
    let whole = parts.fold(own, |whole, part| with(whole, made(part, is_full)));
    let branch = first("anyOf").or_else(|| first("oneOf"));
    branch.map_or(whole.clone(), |branch| with(whole, made(branch, is_full)))
}

/// Two values that shall be one: the keys of both, or the later of two that are no objects.
fn with(first: Json, second: Json) -> Json {
    match (first, second) {
        (Json::Object(mut first), Json::Object(second)) => {
            for (key, value) in second {
                first.entry(key).or_insert(value);
            }
            Json::Object(first)
        }
        (first @ Json::Object(_), _) => first,
        (_, second) => second,
    }
}

/// A value of the first type that a schema names.
fn typed(map: &Map<String, Json>, is_full: bool) -> Json {
    let named = map.get("type").and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str()));
    let number = |key: &str| map.get(key).and_then(Json::as_f64);
    match named {
        Some("string") => json!("a".repeat(most(map, "minLength", TEXT_MAX))),
        Some("integer" | "number") => {
            let above = number("exclusiveMinimum").map(|least| least + 1.0);
            let least = number("minimum").or(above).or_else(|| number("maximum")).unwrap_or(0.0);
            if least.fract() == 0.0 { json!(least as i64) } else { json!(least) }
        }
        Some("boolean") => json!(true),
        Some("null") => Json::Null,
        Some("array") => {
            let item = map.get("items").map_or(json!("a"), |items| made(items, is_full));
            let first = map.get("prefixItems").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
            let count = most(map, "minItems", ITEMS_MAX).max(usize::from(is_full)).max(first.len());
            (0..count).map(|at| first.get(at).map_or_else(|| item.clone(), |one| made(one, is_full))).collect()
        }
        _ => {
            let required: Vec<&str> = map.get("required").and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str).collect();
            let properties = map.get("properties").and_then(Json::as_object).into_iter().flatten();
            let taken = properties.filter(|(key, _)| is_full || required.contains(&key.as_str()));
            taken.map(|(key, one)| (key.clone(), made(one, is_full))).collect()
        }
    }
}

/// A lower bound, as far as it is made up; a text has one character at least.
fn most(map: &Map<String, Json>, key: &str, most: u64) -> usize {
    let least = map.get(key).and_then(Json::as_u64).unwrap_or(u64::from(key == "minLength"));
    usize::try_from(least.min(most)).unwrap_or(0)
}
