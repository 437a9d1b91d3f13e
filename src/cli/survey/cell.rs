//! Cell: one answer that is wanted: at which point, whose, to which question. Points that are one and the same are asked there once.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, anyhow, bail};

use crate::fact::{Cognition, Millis, Seq};
use crate::past::{History, Point};
use crate::world::{Local, World};

use super::super::scratch::border_of;
use super::instrument::SurveyItem;
use super::points::StoodAt;
use super::sheet::{AnswerSheet, AskedOnce, CellKey};
use super::whom::Whom;

/// One answer that is wanted.
pub(in crate::cli) struct SurveyCell<'s> {
    pub(in crate::cli) point: &'s Point,
    pub(in crate::cli) seq: Seq,
    /// The instant at which it is asked, and the same as it is written.
    pub(in crate::cli) instant: Millis,
    pub(in crate::cli) time: String,
    /// The being, by its name.
    pub(in crate::cli) being: String,
    pub(in crate::cli) cognition: Cognition,
    pub(in crate::cli) item: &'s SurveyItem,
}

impl SurveyCell<'_> {
    /// Its key in the table.
    pub(in crate::cli) fn key(&self) -> CellKey {
        CellKey {
            seq: self.seq,
            time: self.time.clone(),
            point: self.point.to_string(),
            being: format!("@{}", self.being),
            item: self.item.id.clone(),
        }
    }
}

/// The answers that are wanted, in the order of the table: by point, being, question; and where each point stands.
pub(in crate::cli) fn cells<'s>(
    history: &History,
    (points, whom, items): (&'s [Point], &[Whom], &'s [SurveyItem]),
    sheet: Option<&AnswerSheet>,
) -> Result<(Vec<SurveyCell<'s>>, BTreeMap<String, StoodAt>)> {
    let (mut cells, mut stand) = (Vec::new(), BTreeMap::new());
    for point in points {
        let (seq, world) = stood(history, point, sheet)?;
        let (instant, time) = (world.now(), Local::of(world.now(), world.zone()).iso());
        if stand.insert(point.to_string(), StoodAt { seq, time: time.clone() }).is_some() {
            bail!("expected each point once, found `{point}` again; leave one out");
        }
        for (name, cognition) in asked_there(&world, whom, point)? {
            let cell = |item| SurveyCell { point, seq, instant, time: time.clone(), being: name.clone(), cognition, item };
            cells.extend(items.iter().map(cell));
        }
    }
    if cells.is_empty() {
        let whom: Vec<String> = whom.iter().map(ToString::to_string).collect();
        bail!("there is nobody at those points whom `{}` names", whom.join("`, `"));
    }
    Ok((cells, stand))
}

/// The world at a point, and its seq: where answers were taken already, as the point was understood then.
fn stood(history: &History, point: &Point, sheet: Option<&AnswerSheet>) -> Result<(Seq, World)> {
    let Some((seq, time)) = sheet.and_then(|sheet| sheet.stood(&point.to_string())) else {
        return Ok((border_of(history, point)?, history.world_of(point, &mut |_| {})?));
    };
    let mut world = history.world_at(seq)?;
    world.stand(time.in_zone(world.zone()));
    Ok((seq, world))
}

/// The beings that a survey asks in a world, and their cognition.
fn asked_there(world: &World, whom: &[Whom], point: &Point) -> Result<Vec<(String, Cognition)>> {
    let (mut there, mut seen) = (Vec::new(), BTreeSet::new());
    for one in whom {
        let beings = one.beings(world).map_err(|what| anyhow!("{point}: {what}"))?;
        let new = beings.into_iter().filter(|being| seen.insert(*being)).filter_map(|being| world.being(being));
        there.extend(new.map(|being| (being.name.to_string(), being.cognition_at(world.now()))));
    }
    Ok(there)
}

/// Of cells, the first for each thing that is asked, and the points of the others, which get its answer.
pub(in crate::cli) fn asked_once(cells: Vec<SurveyCell<'_>>) -> (Vec<SurveyCell<'_>>, BTreeMap<AskedOnce, Vec<String>>) {
    let (mut first, mut others) = (Vec::new(), BTreeMap::<AskedOnce, Vec<String>>::new());
    for cell in cells {
        let key = cell.key();
        match others.get_mut(&key.asked()) {
            Some(points) => points.push(key.point),
            None => {
                others.insert(key.asked(), Vec::new());
                first.push(cell);
            }
        }
    }
    (first, others)
}
