//! Schema: the JSON Schemas of what a role and a flow are made of: conditions, entries, clauses, from the very lists that read them.
//!
//! A reader refuses more than a schema can say, such as a glob with three stars; what a schema refuses, a reader refuses or doubts.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map as JsonMap, Value as Json, json};

use crate::fact::{described, file_schema, words_schema};

use super::flow::{CLAUSE_KEYS, CLAUSES_MAX};
use super::name::NAME_MAX;
use super::operator::{Operator, Takes};
use super::party::{Aspect, Party};
use super::path::Path;
use super::relation::Rel;

/// The words of a `when` that are no paths.
const GROUPS: [&str; 3] = ["and", "or", "not"];

described! {
    /// Conditions, all of which must hold: paths, each with what is asked of it, beside `and`, `or` and `not`.
    FlowWhen = |generator| conditions::<FlowWhen>(generator, Path::SAID.iter().map(|(path, says)| ((*path).to_owned(), *says)));
    /// The conditions of a rule, all of which must hold: they ask about the parties to a deed, its arguments, signals and time.
    RuleWhen = |generator| conditions::<RuleWhen>(generator, ruled());
    /// Conditions, all of which must hold.
    OpenWhen = |generator| conditions::<OpenWhen>(generator, std::iter::empty());
    /// The condition on one path: the value that stands there, a list that has it, or operators.
    PathCondition = |_| json_schema!({ "anyOf": [{ "type": ["string", "number", "boolean", "null", "array"] }, operators()] });
    /// The same, or paths below this one.
    ConditionBelow = |generator| {
        let (one, below) = (generator.subschema_for::<PathCondition>(), generator.subschema_for::<ConditionBelow>());
        let words: Vec<&str> = Operator::WORDS.iter().copied().chain(GROUPS).collect();
        let paths = json!({ "type": "object", "propertyNames": { "not": { "enum": words } }, "additionalProperties": below });
        json_schema!({ "anyOf": [one, paths] })
    };
    /// A name, an address, a pattern of these, or a relation.
    SeeEntry = |_| {
        let all: Vec<Json> = std::iter::once(text("A name, an address, `ns:*` or a glob.")).chain(places()).collect();
        json_schema!({ "anyOf": all })
    };
    /// An operation, or one bound to a target, a namespace or both.
    DoEntry = |_| entry_of_operations(true);
    /// An operation on identity, or one bound to a target.
    BeEntry = |_| entry_of_operations(false);
    /// The name of a role.
    RoleName = |_| {
        json_schema!({ "type": "string", "maxLength": NAME_MAX, "pattern": "^([a-z0-9]+(-[a-z0-9]+)*:)?[a-z0-9]+(-[a-z0-9]+)*$" })
    };
    /// How long: a single number and its unit.
    PlainDuration = |_| json_schema!({ "type": "string", "pattern": "^[0-9]+(ms|s|m|h)$", "examples": ["500ms", "2s", "1m", "3h"] });
    /// A flow: the first clause without `stack` whose `when` holds gives the role, each with `stack` that holds one more.
    FlowClauses = |generator| clauses(generator, false);
    /// The flow of a space: clauses that stack roles on what those wear who stand inside.
    SpaceClauses = |generator| clauses(generator, true);
}

/// The paths that a rule may ask about, each with what it says.
fn ruled() -> impl Iterator<Item = (String, &'static str)> {
    let of = |party: &Party| {
        let party = party.word();
        Aspect::WORDS.iter().map(move |(word, says)| (format!("{party}.{word}"), *says))
    };
    let shared = Path::SAID.iter().filter(|(path, _)| Path::RULED.contains(path));
    Party::ALL.iter().flat_map(of).chain(shared.map(|(path, says)| ((*path).to_owned(), *says)))
}

/// A `when` in which some paths are known.
fn conditions<T: JsonSchema>(generator: &mut SchemaGenerator, known: impl Iterator<Item = (String, &'static str)>) -> Schema {
    let (whole, one, below) =
        (generator.subschema_for::<T>(), generator.subschema_for::<PathCondition>(), generator.subschema_for::<ConditionBelow>());
    let group = |word| match word {
        "and" => json!({ "description": "All of these hold.", "type": "array", "items": whole }),
        "or" => json!({ "description": "One of these holds.", "type": "array", "items": whole }),
        _ => json!({ "description": "These do not all hold.", "allOf": [whole] }),
    };
    let groups = GROUPS.iter().map(|word| ((*word).to_owned(), group(*word)));
    let paths = known.map(|(path, says)| (path, json!({ "description": says.trim(), "allOf": [one] })));
    let properties: JsonMap<String, Json> = groups.chain(paths).collect();
    json_schema!({ "type": "object", "properties": properties, "additionalProperties": below })
}

/// An object of operators, each with what it takes or the path at which that stands.
fn operators() -> Json {
    let path = json!({
        "type": "object", "properties": { "path": { "type": "string", "description": "Another path of the same moment." } },
        "required": ["path"], "additionalProperties": false
    });
    let takes = |operator: &Operator| match operator.takes() {
        Takes::Value => Json::Bool(true),
        Takes::List => json!({ "anyOf": [{ "type": "array" }, path] }),
        Takes::Order => json!({ "anyOf": [{ "type": ["number", "string"] }, path] }),
        Takes::Truth => json!({ "anyOf": [{ "type": "boolean" }, path] }),
        Takes::Text | Takes::Glob => json!({ "anyOf": [{ "type": "string" }, path] }),
    };
    let said = |operator: &Operator| {
        let says = format!("It {} this.", operator.says());
        let schema = match takes(operator) {
            Json::Object(mut map) => {
                map.insert("description".into(), says.into());
                Json::Object(map)
            }
            _ => json!({ "description": says }),
        };
        (operator.word().to_owned(), schema)
    };
    let properties: JsonMap<String, Json> = Operator::ALL.iter().map(said).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn text(says: &str) -> Json {
    json!({ "type": "string", "minLength": 1, "description": says })
}

fn closed(key: &str, schema: Json) -> Json {
    json!({ "type": "object", "properties": { key: schema }, "required": [key], "additionalProperties": false })
}

/// `{rel}` and `{pattern}`.
fn places() -> [Json; 2] {
    let rel = words_schema(Rel::ALL.iter().map(|rel| (rel.word(), rel.says()))).to_value();
    [closed("rel", rel), closed("pattern", text("A pattern over addresses."))]
}

fn entry_of_operations(has_namespace: bool) -> Schema {
    let on: Vec<Json> = std::iter::once(text("A name, an address or a pattern of these.")).chain(places()).collect();
    let action = ("action".to_owned(), text("The operation, or a pattern of such names."));
    let on = ("on".to_owned(), json!({ "description": "The targets; any without.", "anyOf": on }));
    let ns = ("ns".to_owned(), text("The namespaces of qualities or signals; any without."));
    let properties: JsonMap<String, Json> = [action, on].into_iter().chain(has_namespace.then_some(ns)).collect();
    let bound = json!({ "type": "object", "properties": properties, "required": ["action"], "additionalProperties": false });
    json_schema!({ "anyOf": [text("The name of an operation, or a pattern of such names."), bound] })
}

/// A list of clauses; those of a space only stack.
fn clauses(generator: &mut SchemaGenerator, only_stacks: bool) -> Schema {
    let mut property = |key: &str| match key {
        "when" => json!({ "description": "FlowWhen it applies; always without.", "allOf": [generator.subschema_for::<FlowWhen>()] }),
        "role" => json!({ "description": "The role that is then worn.", "allOf": [generator.subschema_for::<RoleName>()] }),
        "stack" if only_stacks => json!({ "description": "Whether it is one more beside the primary; here always.", "const": true }),
        "stack" => json!({ "description": "Whether it is one more beside the primary.", "type": "boolean" }),
        // A test finds what no case here knows.
        _ => Json::Bool(true),
    };
    let properties: JsonMap<String, Json> = CLAUSE_KEYS.iter().map(|key| ((*key).to_owned(), property(key))).collect();
    let required: &[&str] = if only_stacks { &["role", "stack"] } else { &["role"] };
    let clause = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    json_schema!({ "type": "array", "maxItems": CLAUSES_MAX, "items": clause })
}

/// The JSON Schema of a file that holds a flow.
pub fn flow_schema() -> Json {
    file_schema::<FlowClauses>("Flow of Reelm")
}
