//! Item: what can stand in a world.toml, as it is written: a type for each kind of table in it.

use std::num::NonZeroU64;
use std::sync::Arc;

use serde::Deserialize;

use crate::fact::{Map, Millis, Value};
use crate::world::Look;

/// A space as written.
#[derive(Clone, Debug, Deserialize)]
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
    /// Who owns it.
    pub owner: Option<String>,
    /// Who contributes.
    #[serde(default)]
    pub contributors: Vec<String>,
    /// What anybody may do in it.
    pub allow: Option<Vec<String>>,
    /// What is said of settings in it.
    #[serde(default)]
    pub settings: Map,
    /// What it stacks on whoever stands inside: a list of clauses, or the name of a JSON file.
    pub flow: Option<Value>,
    /// Its qualities.
    pub quality: Option<Value>,
}

/// Matter as written.
#[derive(Clone, Debug, Deserialize)]
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
    pub quality: Option<Value>,
}

/// A being as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BeingItem {
    /// Its name.
    pub name: String,
    /// Whose child it is; the operator's unless it says.
    pub parent: Option<String>,
    /// Where it lives.
    #[serde(default = "root")]
    pub home: String,
    /// Where it stands.
    pub coords: Option<Vec<i64>>,
    /// Its cognition.
    pub cognition: Option<String>,
    /// Its script.
    pub script: Option<String>,
    /// Whom it asks, where it thinks by asking others.
    pub panel: Option<Value>,
    /// Its default role.
    pub role: Option<String>,
    /// The roles it may give.
    #[serde(default)]
    pub grants: Vec<String>,
    /// Its flow: a list of clauses, or the name of a JSON file.
    #[serde(default)]
    pub flow: Value,
    /// What is said of settings for it alone.
    #[serde(default)]
    pub settings: Map,
    /// Its qualities.
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
    /// What it is remembered by.
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleItem {
    /// Its name.
    pub name: String,
    /// An interval.
    pub every: Option<String>,
    /// A cron expression.
    pub cron: Option<String>,
    /// A local instant.
    pub at: Option<String>,
    /// What its wakes carry.
    #[serde(default)]
    pub content: Value,
    /// How urgent they are.
    pub rank: Option<String>,
    /// For populations: each being starts at its own offset within the interval.
    #[serde(default)]
    pub spread: bool,
    /// How long after the setting the first interval begins.
    #[serde(default, deserialize_with = "duration")]
    pub offset: Option<Millis>,
}

/// A duration as people write it.
fn duration<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Millis>, D::Error> {
    let text: String = serde::Deserialize::deserialize(deserializer)?;
    let wrong = || serde::de::Error::custom(format!("expected a duration such as `10s`, found `{text}`"));
    crate::fact::parse_duration(&text).map(Some).ok_or_else(wrong)
}

/// A signal as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignalItem {
    /// Its path.
    pub path: String,
    /// Its value.
    pub value: Value,
}

/// A population as written.
#[derive(Clone, Debug, Deserialize)]
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
    pub cognition: Option<String>,
    /// As for a being.
    pub script: Option<String>,
    /// As for a being.
    pub role: Option<String>,
    /// As for a being.
    #[serde(default)]
    pub grants: Vec<String>,
    /// As for a being.
    #[serde(default)]
    pub flow: Value,
    /// As for a being.
    #[serde(default)]
    pub settings: Map,
    /// As for a being.
    pub quality: Option<Value>,
    /// As for a being.
    #[serde(default)]
    pub schedule: Vec<ScheduleItem>,
}

/// A measure as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureItem {
    /// Its name.
    pub name: String,
    /// A Rhai expression over the world.
    pub value: String,
    /// The interval at which it is sampled; none: once, at the end.
    pub every: Option<String>,
    /// What people call it; its name unless it says.
    pub title: Option<String>,
    /// When its value is a warning: what stands under a path of a `when`, such as `{ gte = 3 }`.
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TryItem {
    /// What comes of it, as a sentence.
    pub say: String,
    /// What the button says: the deed and what it is done to.
    pub button: String,
    /// `do` or `summon`.
    pub verb: String,
    /// On what it is done, or who is summoned.
    pub target: String,
    /// Which operation is done.
    pub action: Option<String>,
    /// With what.
    pub args: Option<Map>,
    /// What a summons says, or what is said beside a deed.
    #[serde(default)]
    pub content: Value,
}

/// What is going on where its conditions hold, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NowItem {
    /// When it is so; always unless it says.
    pub when: Option<Value>,
    /// The sentence, with places.
    pub say: String,
    /// Whether somebody should look.
    #[serde(default)]
    pub watch: bool,
}

/// A table as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableItem {
    /// Its name, which the file of its rows bears.
    pub name: String,
    /// What of each being stands in a row: paths, as conditions read them.
    pub columns: Vec<String>,
    /// The interval at which rows are sampled; none: once, at the end.
    pub every: Option<String>,
}

/// A scene as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestItem {
    /// What it shows, as a sentence.
    pub name: String,
    /// In how many worlds it is played, each with a seed of its own.
    pub seeds: Option<NonZeroU64>,
    /// What models answer: a cassette beside the file.
    pub cassette: Option<String>,
    /// What is done first, in its order.
    #[serde(default)]
    pub given: Vec<GivenItem>,
    /// How much world time then passes.
    pub run: Option<String>,
    /// What holds at the end: one `when`, or a list of {as, on, when}.
    #[serde(default)]
    pub expect: Value,
}

/// An act that is given, as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenItem {
    /// How much world time passes before it.
    pub after: Option<String>,
    /// Who does it; the operator unless it says.
    #[serde(rename = "as")]
    pub by: Option<String>,
    /// Which operation is done.
    #[serde(rename = "do")]
    pub action: Option<String>,
    /// On what.
    pub on: Option<String>,
    /// Who is summoned instead.
    pub summon: Option<String>,
    /// Which operation on identity instead.
    pub be: Option<String>,
    /// With what.
    #[serde(default)]
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
