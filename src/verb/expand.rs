//! Expand: a JSON Schema without references, as it can stand inside the schema of a tool.
//!
//! A reference is followed inside its document only. An expansion has an end: it is not recursive, not too deep and not too long.

use serde_json::{Map, Value as Json, json};

use crate::fact::Value;

/// The longest expansion, in bytes.
pub const EXPANDED_MAX: usize = 64 << 10;
/// The most schemas inside each other, and the most references behind each other.
pub const EXPANDED_DEPTH: usize = 24;

/// Keywords whose value is a schema.
const SCHEMAS: &[&str] = &[
    "items",
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords whose value holds schemas by name, and those whose value lists some.
const NAMED: &[&str] = &["properties", "patternProperties", "dependentSchemas", "dependencies"];
const LISTS: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords that mean nothing inside another document.
const DROPPED: &[&str] = &["$ref", "$defs", "definitions", "$schema", "$id", "$anchor", "$comment", "$vocabulary"];
/// Keywords that say something of a value and ask nothing of it.
const NOTES: &[&str] = &["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"];
/// References whose target depends on who follows them.
const DYNAMIC: &[&str] = &["$dynamicRef", "$recursiveRef"];

/// Why a schema cannot be expanded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct ExpandError {
    /// The JSON pointer of the place.
    pub place: String,
    /// The fault there, and the cure.
    pub what: String,
}

impl ExpandError {
    fn at(place: &str, what: impl Into<String>) -> Self {
        Self { place: if place.is_empty() { "/" } else { place }.to_owned(), what: what.into() }
    }
}

/// Expands a schema: each reference becomes what it points to.
pub fn expanded(schema: &Json) -> Result<Json, ExpandError> {
    let text = |key: &str| schema.get(key).and_then(Json::as_str).unwrap_or_default();
    // Drafts up to 7 overlook what stands beside a reference.
    let is_old = text("$schema").contains("draft-0");
    let mut expander = Expander { document: schema, id: text("$id"), is_old, open: vec![String::new()], spent: 0 };
    let whole = expander.schema(schema, "", 0)?;
    if whole.to_string().len() > EXPANDED_MAX { Err(too_long("")) } else { Ok(whole) }
}

/// An operation's schema as a tool takes it; one that cannot be expanded takes any object.
pub(super) fn for_tools(schema: &Value) -> Value {
    let has = |words: &[&str]| mentions(schema, words);
    if !has(DROPPED) && !has(DYNAMIC) {
        return schema.clone();
    }
    let json = serde_json::to_value(schema).unwrap_or_default();
    let any = json!({ "type": "object" });
    serde_json::from_value(expanded(&json).unwrap_or(any)).unwrap_or_default()
}

/// Whether one of some keys stands anywhere in a value.
fn mentions(value: &Value, keys: &[&str]) -> bool {
    match value {
        Value::Map(map) => map.iter().any(|(key, value)| keys.contains(&key.as_ref()) || mentions(value, keys)),
        Value::List(list) => list.iter().any(|value| mentions(value, keys)),
        _ => false,
    }
}

fn too_long(place: &str) -> ExpandError {
    ExpandError::at(place, format!("the schema with its references resolved is over {EXPANDED_MAX} bytes; use fewer references"))
}

struct Expander<'s> {
    document: &'s Json,
    id: &'s str,
    is_old: bool,
    /// The targets that are being expanded.
    open: Vec<String>,
    /// The bytes that were written so far.
    spent: usize,
}

impl<'s> Expander<'s> {
    fn spend(&mut self, bytes: usize, place: &str) -> Result<(), ExpandError> {
        self.spent += bytes;
        if self.spent > EXPANDED_MAX { Err(too_long(place)) } else { Ok(()) }
    }

    fn schema(&mut self, schema: &'s Json, place: &str, depth: usize) -> Result<Json, ExpandError> {
        if depth > EXPANDED_DEPTH {
            return Err(ExpandError::at(place, format!("expected at most {EXPANDED_DEPTH} schemas inside each other; use fewer levels")));
        }
        self.spend(2, place)?;
        let Json::Object(map) = schema else { return Ok(schema.clone()) };
        if let Some(word) = DYNAMIC.iter().find(|word| map.contains_key(**word)) {
            return Err(ExpandError::at(&below(place, word), "its target depends on who follows it; use `$ref`"));
        }
        let mut whole = Map::new();
        let overlooks = self.is_old && map.contains_key("$ref");
        for (key, value) in map {
            if DROPPED.contains(&key.as_str()) || (overlooks && !NOTES.contains(&key.as_str())) {
                continue;
            }
            self.spend(key.len(), place)?;
            whole.insert(key.clone(), self.keyword(key, value, &below(place, key), depth)?);
        }
        match map.get("$ref") {
            None => Ok(Json::Object(whole)),
            Some(reference) => Ok(beside(self.follow(reference, &below(place, "$ref"), depth)?, whole)),
        }
    }

    /// The value of a keyword; only what is a schema there is expanded.
    fn keyword(&mut self, key: &str, value: &'s Json, place: &str, depth: usize) -> Result<Json, ExpandError> {
        match value {
            Json::Object(named) if NAMED.contains(&key) => {
                let mut whole = Map::new();
                for (name, one) in named {
                    self.spend(name.len(), place)?;
                    whole.insert(name.clone(), self.schema(one, &below(place, name), depth + 1)?);
                }
                Ok(Json::Object(whole))
            }
            Json::Array(list) if LISTS.contains(&key) => {
                let items = list.iter().enumerate();
                items.map(|(index, one)| self.schema(one, &format!("{place}/{index}"), depth + 1)).collect()
            }
            value if SCHEMAS.contains(&key) => self.schema(value, place, depth + 1),
            value => {
                self.spend(value.to_string().len(), place)?;
                Ok(value.clone())
            }
        }
    }

    /// The target of a reference, expanded.
    fn follow(&mut self, reference: &Json, place: &str, depth: usize) -> Result<Json, ExpandError> {
        let Some(reference) = reference.as_str() else { return Err(ExpandError::at(place, "expected the text of a reference")) };
        let own = if self.id.is_empty() { reference } else { reference.strip_prefix(self.id).unwrap_or(reference) };
        let Some(fragment) = own.strip_prefix('#').or_else(|| own.is_empty().then_some("")) else {
            let what = format!("`{reference}` points outside the document; put it under `$defs` and write `#/$defs/…`");
            return Err(ExpandError::at(place, what));
        };
        let found = self.target(&decoded(fragment));
        let Some((pointer, target)) = found else {
            return Err(ExpandError::at(
                place,
                format!("nothing stands at `{reference}`; expected a place in the document such as `#/$defs/a`"),
            ));
        };
        if self.open.contains(&pointer) {
            let what =
                format!("`{reference}` contains itself, and a tool's schema has no references; write out the levels that are needed");
            return Err(ExpandError::at(place, what));
        }
        if self.open.len() > EXPANDED_DEPTH {
            return Err(ExpandError::at(place, format!("expected at most {EXPANDED_DEPTH} references behind each other; use fewer")));
        }
        self.open.push(pointer.clone());
        let whole = self.schema(target, &pointer, depth)?;
        self.open.pop();
        Ok(whole)
    }

    /// The place that a fragment names, by pointer or by anchor.
    fn target(&self, fragment: &str) -> Option<(String, &'s Json)> {
        if fragment.is_empty() || fragment.starts_with('/') {
            return Some((fragment.to_owned(), self.document.pointer(fragment)?));
        }
        anchored(self.document, fragment, "")
    }
}

/// The target of a reference with its siblings.
fn beside(target: Json, mut own: Map<String, Json>) -> Json {
    if own.is_empty() {
        return target;
    }
    match target {
        Json::Object(mut map) if own.keys().all(|key| NOTES.contains(&key.as_str())) => {
            map.extend(own);
            Json::Object(map)
        }
        target => {
            match own.get_mut("allOf").and_then(Json::as_array_mut) {
                Some(all) => all.push(target),
                None => drop(own.insert("allOf".to_owned(), json!([target]))),
            }
            Json::Object(own)
        }
    }
}

/// The schema with an anchor.
fn anchored<'j>(value: &'j Json, anchor: &str, place: &str) -> Option<(String, &'j Json)> {
    match value {
        Json::Object(map) if map.get("$anchor").is_some_and(|name| name == anchor) => Some((place.to_owned(), value)),
        Json::Object(map) => map.iter().find_map(|(key, one)| anchored(one, anchor, &below(place, key))),
        Json::Array(list) => list.iter().enumerate().find_map(|(index, one)| anchored(one, anchor, &format!("{place}/{index}"))),
        _ => None,
    }
}

/// The pointer of a key below a place.
fn below(place: &str, key: &str) -> String {
    format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A fragment without its percent signs.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = fragment;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.as_bytes());
        let byte = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(b'%'));
        rest = if byte.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    bytes.extend(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}
