//! Measured: the current values of a world's measures, for those who may see them.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Millis, Value};
use crate::run::Measures;
use crate::source::{GoingOn, MeasureItem, MeasureList, OnLine};
use crate::world::World;

/// Something that is measured of the world.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Measure)]
pub struct MeasureTold {
    pub(super) name: String,
    /// The expression.
    value: String,
    /// How often it is sampled; none: at the end of a run.
    every: Option<String>,
    /// The display name; the measure's own name where none is given.
    title: String,
    /// The current value; null where it fails.
    #[schema(value_type = serde_json::Value)]
    pub(super) now: Value,
    /// Whether that is a warning, by what its source says.
    is_warning: bool,
}

/// The value of each measure, by itself: one that fails takes no other along.
pub fn values(list: &MeasureList, world: &Arc<World>, at: Millis) -> Vec<Value> {
    let now = |one: &OnLine<MeasureItem>| {
        let alone = MeasureList { measures: vec![one.clone()], tables: Vec::new(), file: list.file.clone(), start: list.start };
        Measures::now(&alone, world, at).ok().and_then(|values| values.into_iter().next()).unwrap_or_default()
    };
    list.measures.iter().map(now).collect()
}

/// The measures of a world at an instant, each with its value.
pub fn measure(list: &MeasureList, world: &Arc<World>, at: Millis) -> Vec<MeasureTold> {
    let told = |(one, now): (&OnLine<MeasureItem>, Value)| {
        let MeasureItem { name, value, every, title, warn } = one.item.clone();
        let is_warning = warn.is_some_and(|warn| GoingOn::warns(&warn, &now, world, at));
        MeasureTold { title: title.unwrap_or_else(|| name.clone()), name, value, every, now, is_warning }
    };
    list.measures.iter().zip(values(list, world, at)).map(told).collect()
}
