//! Manifest: the description of an extension by its author, parsed and checked key by key.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use semver::{Version, VersionReq};
use serde::Deserialize;

use crate::fact::{OpenTable, Value, described, file_schema, words_schema};
use crate::role::{DoEntry, RuleWhen};
use crate::world::{Look, Merge, SettingPlace};

/// manifest.toml as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Its name, which is the namespace of all that it brings.
    pub name: String,
    /// Its version.
    #[schemars(with = "String")]
    pub version: Version,
    /// Its purpose, for people.
    #[serde(default)]
    pub description: String,
    /// The versions of Reelm that it works with.
    #[schemars(with = "Option<String>")]
    pub reelm: Option<VersionReq>,
    /// The extensions that it needs, and their versions; with a `?` behind its name one that it can do without.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>")]
    pub needs: BTreeMap<String, VersionReq>,
    /// Whether its operations are there only where a place allows it.
    #[serde(default)]
    pub confined: bool,
    /// Its operations.
    #[serde(default)]
    pub operation: Vec<OperationItem>,
    /// Its see-resolvers.
    #[serde(default)]
    pub resolver: Vec<ResolverItem>,
    /// Its rules.
    #[serde(default)]
    pub rule: Vec<RuleItem>,
    /// Its types of matter.
    #[serde(default)]
    pub matter: Vec<TypeItem>,
    /// Its types of space.
    #[serde(default)]
    pub space: Vec<TypeItem>,
    /// Its signals.
    #[serde(default)]
    pub signal: Vec<DeclaredSignal>,
    /// Its settings.
    #[serde(default)]
    pub setting: Vec<SettingItem>,
}

impl Manifest {
    /// The JSON Schema of a manifest.toml.
    pub fn schema() -> serde_json::Value {
        file_schema::<Self>("Manifest of an extension of Reelm")
    }
}

/// The places at which a setting may stand.
fn places(_: &mut SchemaGenerator) -> Schema {
    let one = words_schema(SettingPlace::ALL.iter().map(|place| (place.word(), "")));
    json_schema!({ "type": "array", "items": one })
}

described! {
    /// How what is said may come together.
    MergeWord = |_| words_schema(Merge::DECLARED.iter().map(|merge| (merge.word(), "")));
    /// A JSON Schema, or the file that holds one.
    SchemaOrFile = |_| json_schema!({ "type": ["object", "string"] });
}

/// A setting as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SettingItem {
    /// Its bare key.
    pub key: String,
    /// Its purpose, for people.
    #[serde(default)]
    pub about: String,
    /// The JSON Schema of its value.
    #[schemars(with = "OpenTable")]
    pub schema: Value,
    /// The value where nobody sets one.
    #[serde(default)]
    pub default: Value,
    /// Where it may stand: `world`, `space`, `being`; everywhere unless it says.
    #[serde(rename = "where", default)]
    #[schemars(schema_with = "places")]
    pub stands: Vec<String>,
    /// How what is said on the way comes together: `nearest` unless it says.
    #[schemars(with = "Option<MergeWord>")]
    pub merge: Option<String>,
}

/// An operation as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperationItem {
    /// Its bare name.
    pub name: String,
    /// Its effect, for people and models.
    #[serde(default)]
    pub description: String,
    /// The kinds of target that it takes.
    #[serde(default)]
    pub target: Vec<TargetKind>,
    /// The script that drafts its facts.
    pub script: String,
    /// The JSON Schema of its arguments, inline or a file.
    #[schemars(with = "Option<SchemaOrFile>")]
    pub args: Option<Value>,
    /// The things that its facts may touch.
    #[serde(default)]
    pub touches: Vec<String>,
    /// The sentence by which it is told, behind the name of whoever does it.
    pub told: Option<String>,
}

/// A kind of target that an operation takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TargetKind {
    /// A being.
    Being,
    /// A space.
    Space,
    /// Matter.
    Matter,
}

impl TargetKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Being => "being",
            Self::Space => "space",
            Self::Matter => "matter",
        }
    }
}

/// A see-resolver as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolverItem {
    /// Its bare name.
    pub name: String,
    /// The view that it gives, for people and models.
    #[serde(default)]
    pub description: String,
    /// The script that computes it.
    pub script: String,
}

/// A rule as written: in a manifest, or in a file of its own in a source.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RuleItem {
    /// Its bare name; in a file of its own that of the file.
    #[serde(default)]
    pub name: String,
    /// On what it is asked: entries as in canDo.
    #[serde(default)]
    #[schemars(with = "Vec<DoEntry>")]
    pub on: Value,
    /// When it refuses.
    #[serde(default)]
    #[schemars(with = "RuleWhen")]
    pub when: Value,
    /// The message of its refusal.
    pub refuse: Option<String>,
    /// The script that judges where its conditions hold.
    pub script: Option<String>,
}

impl RuleItem {
    /// The rule as a world records it, with the script's name there.
    pub fn to_value(&self, script: Option<&str>) -> Value {
        let given = |key: &'static str, value: Option<Value>| value.filter(|value| !value.is_null()).map(|value| (key, value));
        let text = |text: Option<&str>| text.map(Value::text);
        let pairs = [
            given("on", Some(self.on.clone())),
            given("when", Some(self.when.clone())),
            given("refuse", text(self.refuse.as_deref())),
            given("script", text(script)),
        ];
        Value::map(pairs.into_iter().flatten())
    }
}

/// A type of matter or space as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeItem {
    /// Its name.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its meaning, for people.
    #[serde(default)]
    pub description: String,
    /// How it is drawn.
    #[schemars(with = "Option<Look>")]
    pub look: Option<Value>,
}

/// A signal as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclaredSignal {
    /// Its path below the extension's own namespace.
    pub path: String,
    /// Its meaning, for people.
    #[serde(default)]
    pub description: String,
}
