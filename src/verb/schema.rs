//! Arguments against their JSON Schema: checked before an operation sees them, with a code and a place of our own when they fail.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value as Json;

use crate::fact::{Code, Hash, Reason, Value};

/// A schema, compiled.
pub struct Schema {
    /// Nothing inside: no arguments fit. One of our own is compiled when something is first held to it.
    validator: OnceLock<Option<Validator>>,
    /// The keys that it names, where it names all that it knows in one place.
    keys: Option<BTreeSet<String>>,
    /// As it is written, for its examples.
    json: Json,
}

/// Why some JSON is no schema.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a JSON Schema: {0}")]
pub struct SchemaError(String);

impl Schema {
    /// Compiles a schema.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        let json = serde_json::to_value(schema).map_err(|error| SchemaError(error.to_string()))?;
        let validator = jsonschema::validator_for(&json).map_err(|error| SchemaError(error.to_string()))?;
        Ok(Self { validator: OnceLock::from(Some(validator)), keys: keys(&json), json })
    }

    /// A schema of our own. One that does not compile would refuse everything, and the tests of every verb with it.
    pub(super) fn of_text(text: &str) -> Self {
        let json: Json = serde_json::from_str(text).unwrap_or(Json::Bool(false));
        Self { validator: OnceLock::new(), keys: keys(&json), json }
    }

    /// The schema that nothing fits.
    pub fn nothing() -> Self {
        Self { validator: OnceLock::from(None), keys: None, json: Json::Null }
    }

    fn validator(&self) -> Option<&Validator> {
        self.validator.get_or_init(|| jsonschema::validator_for(&self.json).ok()).as_ref()
    }

    /// Whether it names the keys that it takes, and not this one.
    pub(super) fn lacks(&self, key: &str) -> bool {
        self.keys.as_ref().is_some_and(|keys| !keys.contains(key))
    }

    /// The answers to each fault of some arguments.
    pub(super) fn faults(&self, args: &Json, says: fn(&ValidationError<'_>) -> Option<String>) -> Vec<String> {
        let errors = self.validator().into_iter().flat_map(|validator| validator.iter_errors(args));
        errors.filter_map(|error| says(&error)).collect()
    }

    /// The keys that it names, where it names all that it knows in one place.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().flatten().map(String::as_str)
    }

    /// The sentence for the first fault of some arguments.
    pub(super) fn first_fault(&self, args: &Json, says: fn(&ValidationError<'_>) -> Option<String>) -> Option<String> {
        self.validator()?.iter_errors(args).next().and_then(|error| says(&error))
    }

    /// The first place at which the arguments do not fit: `args-<keyword>` and a JSON pointer.
    pub fn check(&self, args: &Value) -> Result<(), Reason> {
        let json = serde_json::to_value(args).map_err(|_| Reason::new(Code::ArgsJson, ""))?;
        let Some(validator) = self.validator() else { return Err(Reason::new(Code::SchemaBroken, "")) };
        match validator.iter_errors(&json).next() {
            None => Ok(()),
            Some(error) => {
                let pointer = error.instance_path().to_string();
                let place = match error.kind() {
                    ValidationErrorKind::Required { property } => {
                        format!("{pointer}/{}", property.as_str().unwrap_or_default())
                    }
                    ValidationErrorKind::AdditionalProperties { unexpected } => {
                        format!("{pointer}/{}", unexpected.first().map(String::as_str).unwrap_or_default())
                    }
                    ValidationErrorKind::Pattern { .. } => pointer + self.written_as(&error).as_str(),
                    _ => pointer,
                };
                Err(Reason::new(code_of(error.kind()), place))
            }
        }
    }
}

impl Schema {
    /// How a text is written that has to match a pattern, where the schema has examples of it.
    fn written_as(&self, error: &ValidationError<'_>) -> String {
        let path = error.schema_path().to_string();
        let around = path.rsplit_once('/').and_then(|(around, _)| self.json.pointer(around));
        let examples = around.and_then(|schema| schema.get("examples")?.as_array()).into_iter().flatten().filter_map(Json::as_str);
        let examples: Vec<String> = examples.map(|example| format!("`{example}`")).collect();
        if examples.is_empty() { String::new() } else { format!("; write it as {}", examples.join(" or ")) }
    }
}

/// The keys that a schema names; nothing where it names none, or may know others.
fn keys(schema: &Json) -> Option<BTreeSet<String>> {
    let knows_others = ["$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties"].iter().any(|key| schema.get(*key).is_some());
    let named = schema.get("properties")?.as_object().filter(|named| !named.is_empty() && !knows_others)?;
    Some(named.keys().cloned().collect())
}

/// Our own code for the rule of a schema that the arguments break.
fn code_of(kind: &ValidationErrorKind) -> Code {
    use ValidationErrorKind as K;
    match kind {
        K::Required { .. } => Code::ArgsRequired,
        K::Type { .. } => Code::ArgsType,
        K::Enum { .. } => Code::ArgsEnum,
        K::Constant { .. } => Code::ArgsConst,
        K::Format { .. } => Code::ArgsFormat,
        K::Pattern { .. } => Code::ArgsPattern,
        K::Minimum { .. } | K::ExclusiveMinimum { .. } => Code::ArgsMinimum,
        K::Maximum { .. } | K::ExclusiveMaximum { .. } => Code::ArgsMaximum,
        K::MultipleOf { .. } => Code::ArgsMultiple,
        K::MinLength { .. } | K::MaxLength { .. } => Code::ArgsLength,
        K::MinItems { .. } | K::MaxItems { .. } | K::UniqueItems | K::AdditionalItems { .. } => Code::ArgsItems,
        K::MinProperties { .. } | K::MaxProperties { .. } | K::PropertyNames { .. } => Code::ArgsKeys,
        K::AdditionalProperties { .. } => Code::ArgsUnknown,
        K::OneOfNotValid { .. } | K::OneOfMultipleValid { .. } => Code::ArgsOneOf,
        K::AnyOf { .. } => Code::ArgsAnyOf,
        _ => Code::ArgsSchema,
    }
}

/// Compiled schemas of extensions' operations, by hash: each is compiled once per worker.
#[derive(Default)]
pub struct Schemas(BTreeMap<Hash, Option<Schema>>);

impl Schemas {
    /// Checks arguments against a schema whose hash is known.
    pub fn check(&mut self, hash: Hash, schema: &Value, args: &Value) -> Result<(), Reason> {
        match self.0.entry(hash).or_insert_with(|| Schema::compile(schema).ok()) {
            Some(schema) => schema.check(args),
            None => Err(Reason::new(Code::SchemaBroken, "")),
        }
    }
}
