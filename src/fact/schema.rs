//! Schema: how a JSON Schema is made of the types and lists that read a file, in the form that editors take.
//!
//! It is draft-07: taplo and the JSON and YAML of VS Code know it, and not all of them know a later one.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map as JsonMap, Value as Json, json};

use super::value::Value;

/// A duration as `parse_duration` reads it.
const DURATION: &str = r"^\s*([0-9]+(ms|s|m|h|d))+\s*$";

impl JsonSchema for Value {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnyValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

/// A type that stands for what no type of ours says by itself, and the function that makes its schema.
macro_rules! described {
    ($($(#[$doc:meta])* $name:ident = $made:expr;)*) => {
        $($(#[$doc])*
        pub struct $name;

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let make: fn(&mut schemars::SchemaGenerator) -> schemars::Schema = $made;
                make(generator)
            }
        })*
    };
}

pub(crate) use described;

described! {
    /// A duration.
    DurationText = |_| json_schema!({ "type": "string", "pattern": DURATION, "examples": ["10m", "1h30m"] });
    /// Anything under names of one's own.
    OpenTable = |_| json_schema!({ "type": "object" });
}

/// The schema of a closed list: each word with what it says, if that is known.
pub fn words_schema<'w>(words: impl IntoIterator<Item = (&'w str, &'w str)>) -> Schema {
    let one = |(word, says): (&str, &str)| match says {
        "" => json!({ "const": word }),
        says => json!({ "const": word, "description": says }),
    };
    let all: Vec<Json> = words.into_iter().map(one).collect();
    json_schema!({ "type": "string", "oneOf": all })
}

/// The schema of a file, whole.
pub fn file_schema<T: JsonSchema>(title: &str) -> Json {
    let mut schema = SchemaSettings::draft07().into_generator().into_root_schema_for::<T>().to_value();
    plain(&mut schema);
    if let Json::Object(map) = &mut schema {
        map.insert("title".into(), title.into());
    }
    schema
}

/// Leaves out what says nothing to an editor: null, which these files do not have, empty defaults, and the widths of numbers.
fn plain(schema: &mut Json) {
    match schema {
        Json::Object(map) => {
            without_null(map);
            let says_nothing = |value: &Json| match value {
                Json::Null | Json::Bool(false) => true,
                Json::Array(list) => list.is_empty(),
                Json::Object(map) => map.is_empty(),
                Json::String(text) => text.is_empty(),
                _ => false,
            };
            // A property may be called so too; its schema is a table that says something.
            if map.get("default").is_some_and(says_nothing) {
                map.remove("default");
            }
            if map.get("format").is_some_and(Json::is_string) {
                map.remove("format");
            }
            map.values_mut().for_each(plain);
        }
        Json::Array(list) => list.iter_mut().for_each(plain),
        _ => {}
    }
}

/// Removes null from the types of fields that may be left out.
fn without_null(map: &mut JsonMap<String, Json>) {
    if let Some(Json::Array(kinds)) = map.get_mut("type")
        && let [kind, null] = kinds.as_slice()
        && null == "null"
    {
        let kind = kind.clone();
        map.insert("type".into(), kind);
    }
    if let Some(Json::Array(any)) = map.get("anyOf")
        && let [one, null] = any.as_slice()
        && null.get("type").is_some_and(|kind| kind == "null")
    {
        let one = one.clone();
        map.remove("anyOf");
        map.insert("allOf".into(), Json::Array(vec![one]));
    }
}
