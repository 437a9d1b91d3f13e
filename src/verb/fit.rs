//! Fit: the arguments of a call as its operation takes them, where any reader would understand what was meant.
//!
//! Arguments as text become the object that they write. Arguments under `arguments` or `args` stand alone where the operation has no such key.
//! A number as text is a number where the schema admits one and no text. Nothing else is changed.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::types::JsonType;
use serde_json::Value as Json;

use crate::fact::{Call, Content, Value, Verb};
use crate::world::World;

use super::be::payload_schema;
use super::op::core;
use super::perform::summon_schema;
use super::repair::object_of;
use super::schema::Schema;

/// The call as it is judged and recorded. One that needs no change, and one that nothing helps, stays as it is.
pub fn fitted(world: &World, call: Call) -> Call {
    let Content::Here(args) = &call.args else { return call };
    if !may_need(args) {
        return call;
    }
    let own = world.registry().operations.get(&call.action).filter(|_| call.verb == Verb::Do);
    let compiled = own.and_then(|operation| Schema::compile(&operation.schema).ok());
    let schema = match call.verb {
        Verb::See => None,
        Verb::Do => core(&call.action).map(|(_, schema)| schema).or(compiled.as_ref()),
        Verb::Summon => Some(summon_schema()),
        Verb::Be => payload_schema(&call.action),
    };
    let fitted = schema.and_then(|schema| fit(schema, args));
    Call { args: fitted.map_or_else(|| call.args.clone(), Content::Here), ..call }
}

/// Whether an operation of `be` takes a key.
pub fn payload_takes(operation: &str, key: &str) -> bool {
    payload_schema(operation).is_some_and(|schema| !schema.lacks(key))
}

/// Whether anything in the arguments could be changed: this is cheap, and compiling a schema is not.
fn may_need(args: &Value) -> bool {
    match args {
        Value::Text(_) => true,
        Value::Map(map) => map.iter().any(|(key, value)| matches!(&**key, "arguments" | "args") || has_number(value)),
        other => has_number(other),
    }
}

fn has_number(value: &Value) -> bool {
    match value {
        Value::Text(text) => number(text).is_some(),
        Value::List(list) => list.iter().any(has_number),
        Value::Map(map) => map.values().any(has_number),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => false,
    }
}

/// The number that a text is, letter for letter.
fn number(text: &str) -> Option<Json> {
    let is_short = text.len() <= 40 && text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    serde_json::from_str::<Json>(text).ok().filter(|json| is_short && json.is_number() && !text.ends_with(char::is_whitespace))
}

/// The arguments as a schema takes them; nothing where they are so already.
fn fit(schema: &Schema, args: &Value) -> Option<Value> {
    if schema.check(args).is_ok() {
        return None;
    }
    let mut json = serde_json::to_value(args).ok()?;
    if let Json::String(text) = &json {
        json = Json::Object(object_of(text, true).ok()?);
    }
    if let Some(inner) = nested(schema, &json) {
        json = inner;
    }
    for place in schema.faults(&json, numbers_wanted) {
        let Some(found) = json.pointer_mut(&place) else { continue };
        if let Some(number) = found.as_str().and_then(number) {
            *found = number;
        }
    }
    serde_json::from_value(json).ok()
}

/// The value under a lone `arguments` or `args`, where the schema names keys and not this one.
fn nested(schema: &Schema, json: &Json) -> Option<Json> {
    let object = json.as_object().filter(|object| object.len() == 1)?;
    let (key, value) = object.iter().next().filter(|(key, _)| matches!(key.as_str(), "arguments" | "args"))?;
    if !schema.lacks(key) {
        return None;
    }
    match value {
        Json::Object(_) => Some(value.clone()),
        Json::String(text) => object_of(text, true).ok().map(Json::Object),
        _ => None,
    }
}

/// The places at which a text stands that can only be a number.
fn numbers_wanted(error: &ValidationError<'_>) -> Option<String> {
    let wants = match error.kind() {
        ValidationErrorKind::Type { kind: TypeKind::Single(kind) } => is_number(*kind),
        ValidationErrorKind::Type { kind: TypeKind::Multiple(kinds) } => {
            !kinds.iter().any(|kind| kind == JsonType::String) && kinds.iter().any(is_number)
        }
        ValidationErrorKind::Enum { options } => {
            options.as_array().is_some_and(|all| all.iter().any(Json::is_number) && !all.iter().any(Json::is_string))
        }
        ValidationErrorKind::Constant { expected_value } => expected_value.is_number(),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let own = |branch: &&ValidationError<'_>| branch.instance_path() == error.instance_path();
            context.iter().flatten().filter(own).any(|one| numbers_wanted(one).is_some())
                && !context.iter().any(|branch| branch.iter().any(is_of_text))
        }
        _ => false,
    };
    wants.then(|| error.instance_path().to_string())
}

/// Whether a branch has nothing against a text but how it is written.
fn is_of_text(error: &ValidationError<'_>) -> bool {
    use ValidationErrorKind as K;
    matches!(error.kind(), K::Pattern { .. } | K::MinLength { .. } | K::MaxLength { .. } | K::Format { .. })
        || matches!(error.kind(), K::Enum { options } if options.as_array().is_some_and(|all| all.iter().any(Json::is_string)))
        || matches!(error.kind(), K::Constant { expected_value } if expected_value.is_string())
}

fn is_number(kind: JsonType) -> bool {
    matches!(kind, JsonType::Number | JsonType::Integer)
}
