//! Ways: an operation's schema in each of the ways in which a model is asked, before any model is.
//!
//! The schema that is sent must be valid JSON Schema of draft 2020-12, and accept all that the operation accepts.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, draft202012};
use serde_json::{Value as Json, json};

use crate::dialect::{ACT, Dialect, Question, Tool, USUAL, as_held};
use crate::fact::Value;
use crate::verb::{Schema, expanded};

use super::connection::Tools;
use super::llm::means;
use super::samples::samples;
use super::tools::{DOES, strict_deed};

/// The dialect whose way is tried beside those of the usual one.
const OTHER: &str = "anthropic";

/// Where one way of asking fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("asked by `{way}`, {place}: {what}")]
pub struct WayFault {
    /// The way: a word of `tools`, or a dialect.
    pub way: &'static str,
    /// The JSON pointer of the place in the schema that is sent, or in the call that it refuses.
    pub place: String,
    /// The error at that place.
    pub what: String,
}

/// Tries the schema of an operation's arguments in all four ways; the first fault of each.
pub fn ways_failed(name: &str, schema: &Value) -> Vec<WayFault> {
    let written = serde_json::to_value(schema).unwrap_or_default();
    let args = match expanded(&written) {
        Ok(args) => args,
        Err(error) => return vec![WayFault { way: Tools::Native.word(), place: error.place, what: error.what }],
    };
    let own = Schema::compile(schema).unwrap_or_else(|_| Schema::nothing());
    let fits = |sample: &Json| serde_json::from_value(sample.clone()).is_ok_and(|sample| own.check(&sample).is_ok());
    let calls: Vec<Json> = samples(&args).into_iter().filter(fits).map(|args| call(name, args)).collect();
    let other = Dialect::named(Some(OTHER)).ok().map(|dialect| (dialect.word, dialect, Tools::Native));
    let ways = Tools::ALL.iter().map(|way| (way.word(), USUAL, *way)).chain(other);
    ways.filter_map(|(word, dialect, way)| failed(&sent(name, &args, dialect, way), &calls, way, word)).collect()
}

fn call(name: &str, args: Json) -> Json {
    json!({ "action": name, "target": "/", "args": args })
}

/// The schema as a request has it.
fn sent(name: &str, args: &Json, dialect: &Dialect, way: Tools) -> Json {
    let deed = strict_deed(name, json!({ "type": "string", "enum": ["/"] }), args.clone());
    let tool = Tool { name: "do", about: DOES, parameters: json!({ "anyOf": [deed] }) };
    let mut system = String::new();
    let acts = means(way, vec![tool], &mut system);
    let body = (dialect.body)(&Question { model: "", system: &system, user: "", acts, sampling: &Value::Null, one_call: false });
    let places = ["/response_format/json_schema/schema", "/tools/0/function/parameters", "/tools/0/input_schema"];
    places.iter().find_map(|place| body.pointer(place)).cloned().unwrap_or_default()
}

/// The first fault of one way.
fn failed(sent: &Json, calls: &[Json], way: Tools, word: &'static str) -> Option<WayFault> {
    let fault = |error: &ValidationError<'_>| {
        let place = error.instance_path().to_string();
        let place = if place.is_empty() { "/".to_owned() } else { place };
        WayFault { way: word, place, what: error.to_string() }
    };
    if let Err(error) = draft202012::meta::validate(sent) {
        return Some(fault(&error));
    }
    let validator = match draft202012::new(sent) {
        Ok(validator) => validator,
        Err(error) => return Some(fault(&error)),
    };
    let written = calls.iter().map(|call| written(sent, call, way));
    written.filter_map(|call| validator.iter_errors(&call).next().map(|error| deepest(&error, &fault))).next()
}

/// A call as a model writes it in that way.
fn written(sent: &Json, call: &Json, way: Tools) -> Json {
    match way {
        Tools::Native => call.clone(),
        Tools::Strict => as_held(sent, &json!({ ACT: call })),
        Tools::JsonSchema => as_held(sent, &json!({ ACT: { "name": "do", "arguments": call } })),
    }
}

/// The fault that lies deepest: what of an alternative fails says more than that none fits.
fn deepest(error: &ValidationError<'_>, fault: &impl Fn(&ValidationError<'_>) -> WayFault) -> WayFault {
    let inner = match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => context.as_slice(),
        _ => &[],
    };
    let faults = inner.iter().flatten().map(|error| deepest(error, fault));
    let depth = |fault: &WayFault| fault.place.matches('/').count();
    faults
        .max_by_key(depth)
        .filter(|inner| depth(inner) > error.instance_path().as_str().matches('/').count())
        .unwrap_or_else(|| fault(error))
}
