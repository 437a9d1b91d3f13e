//! Measured: the current values of a world's measures, for those who may see them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Millis, Seq, Value};
use crate::run::Measures;
use crate::source::{GoingOn, MeasureItem, MeasureList, OnLine};
use crate::world::World;

use super::few::Few;
use super::sight::Sight;
use super::trouble::Trouble;

/// How old what was measured of the living world may be.
const LATELY: Duration = Duration::from_secs(1);

/// Something that is measured of the world.
#[derive(Clone, Serialize, ToSchema)]
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

/// The values measured last: one request at a time works them out, and not again within a second.
#[derive(Default)]
pub struct MeasuredNow(tokio::sync::Mutex<Option<MeasuredLately>>);

struct MeasuredLately {
    key: (Seq, Millis),
    is_past: bool,
    when: Instant,
    told: Vec<MeasureTold>,
}

impl MeasuredNow {
    /// The measures of the world that a being sees.
    pub async fn told(&self, looking: &Few, sight: &Sight) -> Result<Vec<MeasureTold>, Trouble> {
        let list = MeasureList::of_world(&sight.world);
        if list.measures.is_empty() {
            return Ok(Vec::new());
        }
        let mut kept = self.0.lock().await;
        let (world, at, when) = (sight.world.clone(), sight.at, Instant::now());
        let key = (world.next_seq(), at);
        let is_new = |lately: &&MeasuredLately| {
            lately.key == key || (!sight.is_past && !lately.is_past && when.duration_since(lately.when) < LATELY)
        };
        if let Some(lately) = kept.as_ref().filter(is_new) {
            return Ok(lately.told.clone());
        }
        sight.walked.look(list.measures.len().saturating_mul(world.beings().len()));
        let told = looking.work(move |_| measure(&list, &world, at)).await?;
        *kept = Some(MeasuredLately { key, is_past: sight.is_past, when, told: told.clone() });
        Ok(told)
    }
}

/// The value of each measure, by itself: one that fails takes no other along.
pub fn values(list: &MeasureList, world: &Arc<World>, at: Millis) -> Vec<Value> {
    let now = |one: &OnLine<MeasureItem>| {
        let alone = MeasureList { measures: vec![one.clone()], tables: Vec::new(), file: list.file.clone(), start: list.start };
        Measures::now(&alone, world, at).ok().and_then(|values| values.into_iter().next()).unwrap_or_default()
    };
    list.measures.iter().map(now).collect()
}

fn measure(list: &MeasureList, world: &Arc<World>, at: Millis) -> Vec<MeasureTold> {
    let told = |(one, now): (&OnLine<MeasureItem>, Value)| {
        let MeasureItem { name, value, every, title, warn } = one.item.clone();
        let is_warning = warn.is_some_and(|warn| GoingOn::warns(&warn, &now, world, at));
        MeasureTold { title: title.unwrap_or_else(|| name.clone()), name, value, every, now, is_warning }
    };
    list.measures.iter().zip(values(list, world, at)).map(told).collect()
}
