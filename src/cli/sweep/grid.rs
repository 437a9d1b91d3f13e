//! Grid: the parameters of an experiment and their values: each with each, and points that are spread by a Latin hypercube.

use serde_json::{Map, Value as Json, json};

use crate::fact::Hash;
use crate::script::Stream;

use super::super::placed::{JsonPlace, Misplaced};

/// The most points of a grid, and values of one parameter.
const POINTS_MAX: usize = 10_000;
/// Digits that a value of a range keeps, so that 0.1 steps do not end in 0.30000000000000004.
const PLACES: f64 = 1e9;

/// The value of each parameter at one point of the grid.
pub(super) type Parameters = Vec<(String, Json)>;

/// Every point of `grid` with every point of `samples`; one point without parameters where there is neither.
pub(super) fn points(whole: &JsonPlace<'_>, map: &Map<String, Json>) -> Result<Vec<Parameters>, Misplaced> {
    let mut points: Vec<Parameters> = vec![Vec::new()];
    if map.contains_key("grid") {
        let place = whole.at("grid");
        let axes = axes(&place)?;
        for (key, of) in axes {
            let values = values(&of)?;
            points = cross(&points, values.into_iter().map(|value| vec![(key.clone(), value)]).collect());
            bounded(&place, points.len())?;
        }
    }
    if map.contains_key("samples") {
        let place = whole.at("samples");
        let spread = samples(&place)?;
        let known = |key: &str| points.first().is_some_and(|point| point.iter().any(|(own, _)| own == key));
        if let Some((key, _)) = spread.iter().flatten().find(|(key, _)| known(key)) {
            return place.at("of").at(key).wrong(format!("expected a parameter that `grid` does not vary, found `{key}` in both"));
        }
        points = cross(&points, spread);
        bounded(&place, points.len())?;
    }
    Ok(points)
}

fn bounded(place: &JsonPlace<'_>, count: usize) -> Result<(), Misplaced> {
    if count > POINTS_MAX { place.wrong(format!("expected at most {POINTS_MAX} points, found more; take fewer values")) } else { Ok(()) }
}

fn cross(points: &[Parameters], others: Vec<Parameters>) -> Vec<Parameters> {
    let with = |point: &Parameters| others.iter().map(|other| [point.as_slice(), other].concat()).collect::<Vec<_>>();
    points.iter().flat_map(with).collect()
}

/// The parameters, which are changes without their values.
fn axes<'j>(place: &JsonPlace<'j>) -> Result<Vec<(String, JsonPlace<'j>)>, Misplaced> {
    let map = place.json.as_object().filter(|map| !map.is_empty());
    let map = map.ok_or_else(|| place.fault(format!("expected parameters, such as {{\"setting:x\": [1, 2, 3]}}, found {}", place.json)))?;
    map.keys()
        .map(|key| {
            let kinds = ["setting:", "signal:", "role:", "script:", "flow:"];
            match kinds.iter().any(|kind| key.len() > kind.len() && key.starts_with(kind)) {
                true => Ok((key.clone(), place.at(key))),
                false => place.at(key).wrong(format!(
                    "expected `setting:KEY`, `signal:PATH`, `role:NAME`, `script:NAME` or `flow:@being` as a parameter, found `{key}`"
                )),
            }
        })
        .collect()
}

/// The values of a parameter: a list, or a range with its step.
fn values(place: &JsonPlace<'_>) -> Result<Vec<Json>, Misplaced> {
    if let Some(list) = place.json.as_array() {
        if let Some(at) = list.iter().enumerate().find(|(at, value)| list.iter().take(*at).any(|other| is_same(other, value))) {
            return place.wrong(format!("expected each value once, found {} again", at.1));
        }
        return if list.is_empty() { place.wrong("expected a value at least, found none") } else { Ok(list.clone()) };
    }
    let map = place.json.is_object().then(|| place.map(&["from", "to", "step"])).transpose()?;
    let map = map.ok_or_else(|| {
        place.fault(format!("expected a list of values or a range such as {{\"from\": 0, \"to\": 1, \"step\": 0.5}}, found {}", place.json))
    })?;
    let [from, to, step] = ["from", "to", "step"].map(|key| float(place, map, key));
    let (from, to, step) = (from?, to?, step?);
    if step <= 0.0 || to < from {
        return place.wrong(format!("expected a step above 0 and `to` at `from` or above it, found {}", place.json));
    }
    let count = ((to - from) / step + 1e-9).floor();
    bounded(place, if count < POINTS_MAX as f64 { 0 } else { POINTS_MAX + 1 })?;
    Ok((0..=count as u32).map(|at| number(from + f64::from(at) * step)).collect())
}

/// Whether two values are one: `64` and `64.0` are.
fn is_same(one: &Json, other: &Json) -> bool {
    one == other || one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| one == other)
}

fn float(place: &JsonPlace<'_>, map: &Map<String, Json>, key: &str) -> Result<f64, Misplaced> {
    let found = map.get(key).and_then(Json::as_f64);
    found.ok_or_else(|| place.at(key).fault(format!("expected a number, found {}", map.get(key).unwrap_or(&Json::Null))))
}

/// A number, whole where it is.
fn number(x: f64) -> Json {
    let x = (x * PLACES).round() / PLACES;
    if x.fract() == 0.0 && x.abs() < PLACES { json!(x as i64) } else { json!(x) }
}

/// One range of a sample.
struct SampledRange {
    key: String,
    from: f64,
    to: f64,
    is_whole: bool,
}

/// Points of a Latin hypercube: each range is cut into as many strips as there are points, and each strip holds one of them.
fn samples(place: &JsonPlace<'_>) -> Result<Vec<Parameters>, Misplaced> {
    let map = place.map(&["count", "seed", "of"])?;
    let count = map.get("count").and_then(Json::as_u64).filter(|count| (1..=POINTS_MAX as u64).contains(count));
    let count = count.ok_or_else(|| place.at("count").fault(format!("expected a whole number from 1 to {POINTS_MAX}")))? as usize;
    let seed = match map.get("seed") {
        Some(seed) => seed.as_u64().ok_or_else(|| place.at("seed").fault(format!("expected a whole number of 0 or more, found {seed}")))?,
        None => 0,
    };
    let ranges = axes(&place.at("of"))?.into_iter().map(|(key, of)| range(key, &of)).collect::<Result<Vec<_>, _>>()?;
    let columns: Vec<Vec<Json>> = ranges.iter().map(|range| range.spread(count, seed)).collect();
    let point =
        |at: usize| ranges.iter().zip(&columns).filter_map(|(range, column)| Some((range.key.clone(), column.get(at)?.clone()))).collect();
    Ok((0..count).map(point).collect())
}

fn range(key: String, place: &JsonPlace<'_>) -> Result<SampledRange, Misplaced> {
    let map = place.map(&["from", "to", "whole"])?;
    let (from, to) = (float(place, map, "from")?, float(place, map, "to")?);
    let is_whole = match map.get("whole") {
        Some(whole) => whole.as_bool().ok_or_else(|| place.at("whole").fault(format!("expected true or false, found {whole}")))?,
        None => false,
    };
    if from >= to {
        return place.wrong(format!("expected `to` above `from`, found {}", place.json));
    }
    if is_whole && (from.fract() != 0.0 || to.fract() != 0.0) {
        return place.wrong(format!("expected a whole `from` and `to`, found {}", place.json));
    }
    Ok(SampledRange { key, from, to, is_whole })
}

impl SampledRange {
    /// So many values, one in each strip, in an order that follows from the seed and the parameter.
    fn spread(&self, count: usize, seed: u64) -> Vec<Json> {
        let mut stream = Stream::of(&Hash::of(&seed.to_be_bytes()).0, &self.key, count as u64, "samples");
        let mut strips: Vec<usize> = (0..count).collect();
        for end in (1..count).rev() {
            strips.swap(end, stream.below(end as u64 + 1) as usize);
        }
        let value = |strip: usize| {
            let share = (strip as f64 + stream.unit()) / count as f64;
            if self.is_whole {
                // Each whole number has as much room as the other.
                number((self.from + share * (self.to - self.from + 1.0)).floor().min(self.to))
            } else {
                number(self.from + share * (self.to - self.from))
            }
        };
        strips.into_iter().map(value).collect()
    }
}
