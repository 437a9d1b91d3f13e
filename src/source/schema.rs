//! Schema: the JSON Schemas of what a world.toml leaves to other readers: settings, flows, roles, how things are drawn, what a scene expects.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map as JsonMap, Value as Json, json};

use crate::fact::{SEALS, described, words_schema};
use crate::role::{FlowClauses, FlowWhen, RuleWhen, SpaceClauses, Spec};
use crate::world::{LANGUAGES, LOOK, Look, ROUNDS_MAX, Sayer, Setting, SettingPlace, is_core, settings};

/// The ways of time while a person is not there.
pub(super) const ABSENCES: [&str; 2] = ["skip", "wait"];
/// The verbs by which one may try something.
pub(super) const TRY_VERBS: [&str; 2] = ["do", "summon"];
/// The settings that are fixed when a world begins.
const SAID_AT_FIRST: [&str; 3] = [ROUNDS_MAX, SEALS, LANGUAGES];

described! {
    /// The course of time while a person is not there.
    AbsenceWord = |_| words_schema(ABSENCES.iter().map(|word| (*word, "")));
    /// Settings for all of the world; those of extensions stand under `extension:key`.
    WorldSettings = |generator| settings_at(generator, SettingPlace::World);
    /// Settings in a space; those of extensions stand under `extension:key`.
    SpaceSettings = |generator| settings_at(generator, SettingPlace::Space);
    /// Settings of one being; those of extensions stand under `extension:key`.
    BeingSettings = |generator| settings_at(generator, SettingPlace::Being);
    /// A flow, or the name of a JSON file that holds one.
    FlowOrFile = |generator| or_file(generator.subschema_for::<FlowClauses>());
    /// The flow of a space, or the name of a JSON file that holds one.
    SpaceFlowOrFile = |generator| or_file(generator.subschema_for::<SpaceClauses>());
    /// Qualities by their namespaces, among them how the thing is drawn.
    DrawnQualities = |generator| {
        let look = generator.subschema_for::<Look>();
        json_schema!({ "type": "object", "properties": { LOOK: look } })
    };
    /// The same of a place, which may say where on its map it lies.
    PlaceQualities = |generator| {
        let look = with_property(Look::json_schema(generator), "at", &json!({
            "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 63 }, "minItems": 2, "maxItems": 2,
            "description": "Its column and its row on the map of its parent."
        }), false);
        json_schema!({ "type": "object", "properties": { LOOK: look } })
    };
    /// A role, which may bring its mind.
    InlineRole = |generator| with_property(Spec::json_schema(generator), "think", &json!({
        "type": "string", "description": "Its mind: what `think` does; `me`, `wake` and `time` are bound."
    }), false);
    /// How a type is drawn.
    TypeLook = |generator| with_property(Look::json_schema(generator), "type", &json!({
        "type": "string", "minLength": 1, "description": "The type."
    }), true);
}

fn or_file(flow: Schema) -> Schema {
    json_schema!({ "anyOf": [{ "type": "string", "description": "The name of a JSON file." }, flow] })
}

/// A closed table with one property more.
fn with_property(mut schema: Schema, key: &str, property: &Json, is_required: bool) -> Schema {
    if let Some(Json::Object(properties)) = schema.get_mut("properties") {
        properties.insert(key.to_owned(), property.clone());
    }
    if is_required {
        schema.insert("required".into(), json!([key]));
    }
    schema
}

/// The words for how one may try something.
pub(super) fn verbs(_: &mut SchemaGenerator) -> Schema {
    words_schema(TRY_VERBS.iter().map(|word| (*word, "")))
}

/// One `when`, or a list of {as, on, when}.
pub(super) fn expectations(generator: &mut SchemaGenerator) -> Schema {
    let (seen, ruled) = (generator.subschema_for::<FlowWhen>(), generator.subschema_for::<RuleWhen>());
    let by = json!({ "type": "string", "description": "Who is asked; the operator unless it says." });
    let of = json!({
        "type": "object", "required": ["when"], "additionalProperties": false, "properties": { "as": by, "when": seen }
    });
    let on = json!({
        "type": "object", "required": ["on", "when"], "additionalProperties": false,
        "properties": { "as": by, "on": { "type": "string", "description": "The thing that is asked about." }, "when": ruled }
    });
    let one = json!({ "anyOf": [of, on, { "not": { "required": ["when"] }, "allOf": [seen] }] });
    json_schema!({ "anyOf": [{ "type": "array", "items": one }, one] })
}

/// The settings that may stand at such a place, whole (`"brakes.depth" = 3`) and as TOML would have them (`brakes.depth = 3`).
fn settings_at(generator: &mut SchemaGenerator, place: SettingPlace) -> Schema {
    let is_said = |setting: &&Setting| setting.who != Sayer::Genesis || SAID_AT_FIRST.contains(&setting.key.as_ref());
    let mut root = JsonMap::new();
    for setting in settings().iter().filter(|setting| setting.stands.contains(&place)).filter(is_said) {
        // It may stand in several places by several names: its schema stands once.
        let named = format!("setting.{}", setting.key);
        let schema = json!({ "$ref": format!("#/definitions/{named}") });
        generator.definitions_mut().insert(named, setting_schema(setting));
        if setting.key.contains('.') && !setting.key.ends_with('.') {
            insert(&mut root, &[&setting.key], &schema);
        }
        insert(&mut root, &parts(&setting.key), &schema);
    }
    json_schema!({ "type": "object", "properties": root })
}

/// The tables of a key, and the setting in the last: a table that is a setting itself has no others in it.
fn parts(key: &str) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    for (at, _) in key.match_indices('.') {
        if !key.get(..at).is_some_and(is_core) {
            parts.extend(key.get(from..at));
            from = at + 1;
        }
    }
    parts.extend(key.get(from..));
    parts
}

fn setting_schema(setting: &Setting) -> Json {
    let mut schema = serde_json::to_value(&*setting.schema).unwrap_or_default();
    if let Json::Object(map) = &mut schema {
        map.insert("description".into(), setting.about.as_ref().into());
        if !setting.default.is_null() {
            map.insert("default".into(), serde_json::to_value(&*setting.default).unwrap_or_default());
        }
    }
    schema
}

/// Puts a setting where its key leads; one whose key ends there holds for every name that has no dot.
fn insert(properties: &mut JsonMap<String, Json>, parts: &[&str], schema: &Json) {
    let [first, rest @ ..] = parts else { return };
    if rest.is_empty() {
        properties.insert((*first).to_owned(), schema.clone());
        return;
    }
    let table = properties.entry(*first).or_insert_with(|| json!({ "type": "object", "properties": {} }));
    match (rest, table) {
        ([""], Json::Object(table)) => {
            table.insert("patternProperties".into(), json!({ "\\.": true }));
            table.insert("additionalProperties".into(), schema.clone());
        }
        (rest, table) => {
            if let Some(Json::Object(inner)) = table.get_mut("properties") {
                insert(inner, rest, schema);
            }
        }
    }
}
