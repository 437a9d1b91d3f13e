//! Remedy: what a refused call should have been, in a sentence for whoever made it.
//!
//! Like a [`cure`], it is told and not recorded; it knows the world too: what its operations and settings take, what there is, and who has ended.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value as Json;

use crate::fact::{BeingId, Call, Code, CodeKind, Content, Reason, Value, visible};
use crate::role::{may_mean, or_may_mean, or_meant};
use crate::world::{World, settings};

use super::actions::actions;
use super::address::{NEAR, address_meant};
use super::cure::cure;
use super::op::{CONFIG_SET, core};
use super::schema::Schema;

/// The most characters of a value that a sentence repeats.
const SHOWN_MAX: usize = 40;
/// The kinds of JSON, as people call them.
const KINDS: [(JsonType, &str); 7] = [
    (JsonType::String, "a text"),
    (JsonType::Integer, "a whole number"),
    (JsonType::Number, "a number"),
    (JsonType::Boolean, "`true` or `false`"),
    (JsonType::Array, "a list"),
    (JsonType::Object, "a table"),
    (JsonType::Null, "nothing"),
];

/// The sentence for a refused call, where there is more to say than its code says.
pub fn remedy(world: &World, call: &Call, reason: &Reason) -> Option<String> {
    if let Some(cured) = cure(call, reason) {
        return Some(cured);
    }
    match reason.code {
        Code::UnknownOperation => {
            let known = actions(world.registry());
            let all: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
            Some(may_mean("", &reason.at, &all).unwrap_or_else(|| "`reelm see /.ops` lists the operations".to_owned()))
        }
        Code::NotFound => address_meant(world, &reason.at),
        Code::BadAddress => bare_address(world, &reason.at),
        Code::Gone => ended(world, &reason.at),
        code if code.kind() == CodeKind::Args => wanted(world, call, &reason.at),
        _ => None,
    }
}

/// The address of something that was named without the sign before it.
fn bare_address(world: &World, word: &str) -> Option<String> {
    let path = format!("/{word}");
    if world.spaces().take(NEAR).any(|space| world.path_of(space.id) == path) {
        return Some(format!("did you mean `{path}`?"));
    }
    let names: Vec<&str> = world.living().map(|being| being.name.as_ref()).collect();
    may_mean("@", word, &names)
}

/// That a being has ended, by its name.
fn ended(world: &World, at: &str) -> Option<String> {
    let being = world.being(at.parse::<BeingId>().ok()?).filter(|being| being.ended)?;
    Some(format!("@{name} has ended; `reelm log @{name}` tells its last moments", name = being.name))
}

/// What should stand where arguments do not fit their schema.
fn wanted(world: &World, call: &Call, at: &str) -> Option<String> {
    let Content::Here(args) = &call.args else { return None };
    if call.action.as_ref() == CONFIG_SET && at.starts_with("/value") {
        return of_setting(world, args.get("key")?.as_str()?, args.get("value")?);
    }
    if let Some(name) = at.strip_prefix("/qualities/").filter(|name| !name.contains('/')) {
        return Some(format!(
            "expected a table: a quality stands in a namespace; write `quality.person.{name} = …`, or another word for `person`"
        ));
    }
    match (core(&call.action), world.registry().operations.get(&call.action)) {
        (Some((_, schema)), _) => of_value(schema, args),
        (None, Some(operation)) => of_value(&Schema::compile(&operation.schema).ok()?, args),
        (None, None) => None,
    }
}

fn of_setting(world: &World, key: &str, value: &Value) -> Option<String> {
    let setting = world.registry().setting(key)?;
    let what = of_value(&Schema::compile(&setting.schema).ok()?, value)?;
    // A key that begins as many do may be one of those that are settings by themselves.
    let known = settings().iter().map(|setting| setting.key.as_ref()).filter(|known| setting.key.ends_with('.') && !known.ends_with('.'));
    Some(format!("{what}{}", or_meant("", key, known)))
}

fn of_value(schema: &Schema, value: &Value) -> Option<String> {
    let says = schema.first_fault(&serde_json::to_value(value).ok()?, sentence)?;
    let key = says.strip_prefix("no argument `").and_then(|rest| rest.split('`').next());
    let known: Vec<&str> = schema.keys().collect();
    Some(match key {
        Some(key) => format!("{says}{}", or_may_mean("", key, &known)),
        None => says,
    })
}

fn sentence(error: &ValidationError<'_>) -> Option<String> {
    use ValidationErrorKind as K;
    let found = shown(error.instance());
    let place = error.instance_path().to_string();
    let place = if place.is_empty() { place } else { format!("{}: ", place.trim_start_matches('/').replace('/', ".")) };
    let expected = match error.kind() {
        K::Type { kind: TypeKind::Single(kind) } => called(*kind).to_owned(),
        K::Type { kind: TypeKind::Multiple(kinds) } => kinds.iter().map(called).collect::<Vec<_>>().join(" or "),
        K::Minimum { limit } => format!("at least {limit}"),
        K::ExclusiveMinimum { limit } => format!("more than {limit}"),
        K::Maximum { limit } => format!("at most {limit}"),
        K::ExclusiveMaximum { limit } => format!("less than {limit}"),
        K::MinLength { limit } => format!("at least {limit} characters"),
        K::MaxLength { limit } => format!("at most {limit} characters"),
        K::MinItems { limit } => format!("at least {limit} items"),
        K::MaxItems { limit } => format!("at most {limit} items"),
        K::Enum { options } => {
            let known: Vec<&str> = options.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
            let meant = error.instance().as_str().map(|word| or_meant("", word, known.iter().copied())).unwrap_or_default();
            let listed = options.as_array().into_iter().flatten().map(shown).collect::<Vec<_>>().join(", ");
            return Some(format!("{place}expected one of {listed}, found {found}{meant}"));
        }
        K::Constant { expected_value } => shown(expected_value),
        K::Required { property } => return Some(format!("{place}expected the key {}, which lacks", shown(property))),
        K::AdditionalProperties { unexpected } => return Some(format!("{place}no argument `{}` is known", unexpected.first()?)),
        _ => return None,
    };
    Some(format!("{place}expected {expected}, found {found}"))
}

fn called(kind: JsonType) -> &'static str {
    KINDS.iter().find(|(known, _)| *known == kind).map_or("something else", |(_, name)| name)
}

/// A value, as a sentence repeats it.
fn shown(value: &Json) -> String {
    match value {
        Json::String(text) => {
            let short: String = text.chars().take(SHOWN_MAX).collect();
            format!("`{}`", visible(&if short.len() < text.len() { short + "…" } else { short }))
        }
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "a table".to_owned(),
        other => other.to_string(),
    }
}
