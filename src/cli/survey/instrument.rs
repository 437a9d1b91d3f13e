//! Instrument: what a survey asks, whom and when, as a JSON file says it. An error names its place in the file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value as Json};

use crate::past::Point;

use super::super::placed::{JsonPlace, Misplaced, read_placed};
use super::answer::AnswerKind;
use super::whom::Whom;

/// The questions of a survey, and whom and when it asks.
#[derive(Debug)]
pub(in crate::cli) struct Instrument {
    /// The questions.
    pub(in crate::cli) items: Vec<SurveyItem>,
    /// The beings they are put to; empty where the command says it.
    pub(in crate::cli) whom: Vec<Whom>,
    /// The points of the past at which they are put; empty where the command says it.
    pub(in crate::cli) at: Vec<Point>,
}

/// One question.
#[derive(Debug)]
pub(in crate::cli) struct SurveyItem {
    /// Its name in the table.
    pub(in crate::cli) id: String,
    /// As it is put.
    pub(in crate::cli) question: String,
    /// The form of its answer.
    pub(in crate::cli) kind: AnswerKind,
}

impl Instrument {
    /// Reads a file.
    pub(in crate::cli) fn read(file: &Path) -> Result<Self> {
        read_placed(file, "an instrument", |whole| Self::of(&whole))
    }

    fn of(all: &JsonPlace<'_>) -> Result<Self, Misplaced> {
        let map = all.map(&["items", "whom", "at"])?;
        let items = all.list(map, "items")?.iter().map(SurveyItem::of).collect::<Result<Vec<_>, _>>()?;
        if items.is_empty() {
            return all.wrong("expected `items`, a list of one question at least, found none");
        }
        let mut ids = BTreeSet::new();
        if let Some((at, item)) = items.iter().enumerate().find(|(_, item)| !ids.insert(item.id.as_str())) {
            return all.at("items").at(&format!("{at}/id")).wrong(format!("expected an id of its own, found `{}` a second time", item.id));
        }
        let whom = all.list(map, "whom")?.iter().map(JsonPlace::parsed).collect::<Result<_, _>>()?;
        let at = all.list(map, "at")?.iter().map(JsonPlace::parsed).collect::<Result<_, _>>()?;
        Ok(Self { items, whom, at })
    }
}

impl SurveyItem {
    fn of(place: &JsonPlace<'_>) -> Result<Self, Misplaced> {
        let kind = place.json.get("kind").map_or(Ok("open"), |kind| {
            kind.as_str().ok_or_else(|| place.at("kind").fault(format!("expected `open`, `scale` or `choice`, found {kind}")))
        })?;
        let keys: &[&str] = match kind {
            "open" => &["id", "text", "kind"],
            "scale" => &["id", "text", "kind", "from", "to", "labels"],
            "choice" => &["id", "text", "kind", "options"],
            other => return place.at("kind").wrong(format!("expected `open`, `scale` or `choice`, found `{other}`")),
        };
        let map = place.map(keys)?;
        let (id, text) = (place.text(map, "id")?, place.text(map, "text")?);
        let kind = match kind {
            "scale" => {
                let labels = labels(place, map)?;
                AnswerKind::scale(place.number(map, "from")?, place.number(map, "to")?, labels).map_err(|what| place.fault(what))?
            }
            "choice" => {
                let options = place.list(map, "options")?;
                let options = options.iter().map(|option| option.parsed()).collect::<Result<_, _>>()?;
                AnswerKind::choice(options).map_err(|what| place.at("options").fault(what))?
            }
            _ => AnswerKind::Open,
        };
        Ok(Self { id, question: kind.asks(&text), kind })
    }
}

/// The meanings of steps of a scale.
fn labels(item: &JsonPlace<'_>, map: &Map<String, Json>) -> Result<BTreeMap<i64, String>, Misplaced> {
    let Some(json) = map.get("labels") else { return Ok(BTreeMap::new()) };
    let place = item.at("labels");
    let labels = json.as_object().ok_or_else(|| place.fault(format!("expected an object, found {json}")))?;
    let label = |(step, label): (&String, &Json)| {
        let number = step.parse().map_err(|_| place.fault(format!("expected a whole number as a key, found `{step}`")))?;
        let label = label.as_str().ok_or_else(|| place.at(step).fault(format!("expected text, found {label}")))?;
        Ok((number, label.to_owned()))
    };
    labels.iter().map(label).collect()
}
