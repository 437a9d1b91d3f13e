//! Item: what can stand in a world.toml, as it is written: a type for each kind of table in it.

use std::num::NonZeroU64;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::fact::{Cognition, DurationText, Map, Millis, OpenTable, Panel, Rank, Value};
use crate::role::{ConditionBelow, OpenWhen, RoleName};
use crate::world::{LOOK, Look};

use super::schema::{BeingSettings, DrawnQualities, FlowOrFile, PlaceQualities, SpaceFlowOrFile, SpaceSettings, expectations, verbs};

/// A space as written.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceItem {
    /// Where it lies.
    pub path: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Its grid.
    pub size: Option<Vec<i64>>,
    /// Where it lies on its parent's grid.
    pub coords: Option<Vec<i64>>,
    /// In which column and row of its parent's map it is drawn.
    pub at: Option<[u8; 2]>,
    /// Who owns it.
    pub owner: Option<String>,
    /// Who contributes.
    #[serde(default)]
    pub contributors: Vec<String>,
    /// The operations that anybody may do in it.
    pub allow: Option<Vec<String>>,
    /// The settings that hold in it.
    #[serde(default)]
    #[schemars(with = "SpaceSettings")]
    pub settings: Map,
    /// The flow for beings that stand inside: a list of clauses, or the name of a JSON file.
    #[schemars(with = "Option<SpaceFlowOrFile>")]
    pub flow: Option<Value>,
    /// Its qualities.
    #[schemars(with = "Option<PlaceQualities>")]
    pub quality: Option<Value>,
}

impl SpaceItem {
    /// Its qualities, with where it is drawn.
    pub fn qualities(&self) -> Option<Value> {
        let Some(at) = self.at else { return self.quality.clone() };
        let mut all = self.quality.as_ref().and_then(Value::as_map).cloned().unwrap_or_default();
        let mut look = all.get(LOOK).and_then(Value::as_map).cloned().unwrap_or_default();
        look.insert("at".into(), Value::List(at.map(|number| Value::Int(number.into())).into()));
        all.insert(LOOK.into(), Value::Map(look));
        Some(Value::Map(all))
    }
}

/// Matter as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatterItem {
    /// What holds it.
    pub at: String,
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// What it is.
    #[serde(default)]
    pub content: Value,
    /// Where on a grid.
    pub coords: Option<Vec<i64>>,
    /// Its qualities.
    #[schemars(with = "Option<DrawnQualities>")]
    pub quality: Option<Value>,
}

/// A being as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BeingItem {
    /// Its name.
    pub name: String,
    /// Its parent; the operator unless it says.
    pub parent: Option<String>,
    /// Where it lives.
    #[serde(default = "root")]
    pub home: String,
    /// Where it stands.
    pub coords: Option<Vec<i64>>,
    /// Its cognition.
    #[schemars(with = "Option<Cognition>")]
    pub cognition: Option<String>,
    /// Its script.
    pub script: Option<String>,
    /// Its mind itself, where it stands in no file.
    pub think: Option<String>,
    /// The members that it asks, where it thinks by asking others.
    #[schemars(with = "Option<Panel>")]
    pub panel: Option<Value>,
    /// Its default role.
    #[schemars(with = "Option<RoleName>")]
    pub role: Option<String>,
    /// The roles it may give.
    #[serde(default)]
    pub grants: Vec<String>,
    /// Its flow: a list of clauses, or the name of a JSON file.
    #[serde(default)]
    #[schemars(with = "FlowOrFile")]
    pub flow: Value,
    /// The settings that hold for it alone.
    #[serde(default)]
    #[schemars(with = "BeingSettings")]
    pub settings: Map,
    /// Its qualities.
    #[schemars(with = "Option<OpenTable>")]
    pub quality: Option<Value>,
    /// Its schedules.
    #[serde(default)]
    pub schedule: Vec<ScheduleItem>,
    /// The population that it is one of.
    #[serde(skip)]
    pub of: Option<Arc<OfPopulation>>,
}

/// A population, as its beings name it.
#[derive(Debug)]
pub struct OfPopulation {
    /// The name by which it is remembered.
    pub name: String,
    /// Whether it has rows of personas.
    pub personas: bool,
    /// Whether it has ties.
    pub ties: bool,
}

impl OfPopulation {
    /// Whether anything of its beings stands in rows.
    pub fn is_drawn(&self) -> bool {
        self.personas || self.ties
    }

    /// Whether a quality of its beings stands in rows.
    pub fn draws(&self, path: &str) -> bool {
        (self.personas && path.starts_with("persona.")) || (self.ties && path == "social.ties")
    }
}

/// A schedule as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleItem {
    /// Its name.
    pub name: String,
    /// An interval.
    #[schemars(with = "Option<DurationText>")]
    pub every: Option<String>,
    /// A cron expression.
    pub cron: Option<String>,
    /// A local instant.
    #[serde(default, deserialize_with = "instant")]
    pub at: Option<String>,
    /// The content of its wakes.
    #[serde(default)]
    pub content: Value,
    /// How urgent they are.
    #[schemars(with = "Option<Rank>")]
    pub rank: Option<String>,
    /// For populations: each being starts at its own offset within the interval.
    #[serde(default)]
    pub spread: bool,
    /// How long after the setting the first interval begins.
    #[serde(default, deserialize_with = "duration")]
    #[schemars(with = "Option<DurationText>")]
    pub offset: Option<Millis>,
}

/// A duration as people write it.
fn duration<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Millis>, D::Error> {
    let text: String = serde::Deserialize::deserialize(deserializer)?;
    let wrong = || serde::de::Error::custom(format!("expected a duration such as `10s`, found `{text}`"));
    crate::fact::parse_duration(&text).map(Some).ok_or_else(wrong)
}

/// A local instant as people write it: in quotation marks, or as a date of TOML.
fn instant<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let written = Value::deserialize(deserializer)?;
    let wrong = || serde::de::Error::custom(format!("expected a local time such as `2026-03-02T09:00:00`, found `{written}`"));
    written.as_str().map(|text| Some(text.to_owned())).ok_or_else(wrong)
}

/// A signal as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignalItem {
    /// Its path.
    pub path: String,
    /// Its value.
    pub value: Value,
}

/// A population as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PopulationItem {
    /// Names are `<prefix>-<number>`, unless the personas have names.
    #[serde(default = "someone")]
    pub prefix: String,
    /// How many.
    pub count: Option<usize>,
    /// A CSV, a row a being.
    pub personas: Option<String>,
    /// A CSV with the columns from and to.
    pub ties: Option<String>,
    /// As for a being.
    pub parent: Option<String>,
    /// As for a being.
    #[serde(default = "root")]
    pub home: String,
    /// As for a being.
    #[schemars(with = "Option<Cognition>")]
    pub cognition: Option<String>,
    /// As for a being.
    pub script: Option<String>,
    /// As for a being.
    pub think: Option<String>,
    /// As for a being.
    #[schemars(with = "Option<RoleName>")]
    pub role: Option<String>,
    /// As for a being.
    #[serde(default)]
    pub grants: Vec<String>,
    /// As for a being.
    #[serde(default)]
    #[schemars(with = "FlowOrFile")]
    pub flow: Value,
    /// As for a being.
    #[serde(default)]
    #[schemars(with = "BeingSettings")]
    pub settings: Map,
    /// As for a being.
    #[schemars(with = "Option<OpenTable>")]
    pub quality: Option<Value>,
    /// As for a being.
    #[serde(default)]
    pub schedule: Vec<ScheduleItem>,
}

/// A measure as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureItem {
    /// Its name.
    pub name: String,
    /// A Rhai expression over the world.
    pub value: String,
    /// The interval at which it is sampled; none: once, at the end.
    #[schemars(with = "Option<DurationText>")]
    pub every: Option<String>,
    /// The title for people; its name unless it says.
    pub title: Option<String>,
    /// When its value is a warning: what stands under a path of a `when`, such as `{ gte = 3 }`.
    #[schemars(with = "Option<ConditionBelow>")]
    pub warn: Option<Value>,
}

/// How a type is drawn, as written.
#[derive(Clone, Debug)]
pub struct LookItem {
    /// The type.
    pub kind: String,
    /// How it is drawn.
    pub look: Look,
}

/// Something to try, as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TryItem {
    /// The outcome of the try, as a sentence.
    pub say: String,
    /// The label of the button: the deed and its target.
    pub button: String,
    /// `do` or `summon`.
    #[schemars(schema_with = "verbs")]
    pub verb: String,
    /// On what it is done, or who is summoned.
    pub target: String,
    /// The operation to do.
    pub action: Option<String>,
    /// With what.
    pub args: Option<Map>,
    /// The content of a summons, or of the words beside a deed.
    #[serde(default)]
    pub content: Value,
}

/// A sentence on the present state of a world, told where its conditions hold, as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NowItem {
    /// When it is so; always unless it says.
    #[schemars(with = "Option<OpenWhen>")]
    pub when: Option<Value>,
    /// The sentence, with places.
    pub say: String,
    /// Whether somebody should look.
    #[serde(default)]
    pub watch: bool,
}

/// A table as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableItem {
    /// Its name, which the file of its rows bears.
    pub name: String,
    /// The paths of each being that stand in a row, as conditions read them.
    pub columns: Vec<String>,
    /// The interval at which rows are sampled; none: once, at the end.
    #[schemars(with = "Option<DurationText>")]
    pub every: Option<String>,
}

/// A scene as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestItem {
    /// The behaviour that it shows, as a sentence.
    pub name: String,
    /// In how many worlds it is played, each with a seed of its own.
    pub seeds: Option<NonZeroU64>,
    /// The answers of models: a cassette beside the file.
    pub cassette: Option<String>,
    /// The steps that are done first, in their order.
    #[serde(default)]
    pub given: Vec<GivenItem>,
    /// How much world time then passes.
    #[schemars(with = "Option<DurationText>")]
    pub run: Option<String>,
    /// The conditions at the end: one `when`, or a list of {as, on, when}.
    #[serde(default)]
    #[schemars(schema_with = "expectations")]
    pub expect: Value,
}

/// An act that is given, as written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenItem {
    /// How much world time passes before it.
    #[schemars(with = "Option<DurationText>")]
    pub after: Option<String>,
    /// The being that does it; the operator unless it says.
    #[serde(rename = "as")]
    pub by: Option<String>,
    /// The operation to do.
    #[serde(rename = "do")]
    pub action: Option<String>,
    /// On what.
    pub on: Option<String>,
    /// The being to summon instead.
    pub summon: Option<String>,
    /// The operation on identity to do instead.
    pub be: Option<String>,
    /// With what.
    #[serde(default)]
    #[schemars(with = "OpenTable")]
    pub args: Value,
    /// The code with which it is refused; without it, it is done.
    pub refused: Option<String>,
}

fn root() -> String {
    "/".to_owned()
}

fn someone() -> String {
    "being".to_owned()
}

/// Something written, and the line on which it begins.
#[derive(Clone, Debug)]
pub struct OnLine<T> {
    /// What is written.
    pub item: T,
    /// Where.
    pub line: usize,
    /// Where the row stands that it was made of, as file and line, if it was made of one.
    pub from: Option<String>,
}
