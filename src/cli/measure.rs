//! `measure`: the measures of a source, computed again from history.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;

use crate::past::Point;
use crate::run::{Measures, Sample};
use crate::source::Source;
use crate::store::ClockFile;
use crate::world::World;

use super::door::{Door, Ended};
use super::given::AtPoint;
use super::samples;

/// Computes a source's measures from the history of its world
#[derive(Args)]
#[command(after_help = "Example: reelm measure fixtures/worlds/karate --out heard.csv")]
pub struct Measure {
    /// The directory of the world source
    source: PathBuf,
    /// The CSV file to write; without it, the samples are printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    then: AtPoint,
}

impl Measure {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let source = Source::read(&self.source)?;
        let mut measures = Measures::new(&source)?;
        let history = door.history()?;
        super::apply::check(&source, Some(&history.world_file().name))?;
        let mut before: Option<Arc<World>> = None;
        let mut failed = None;
        // The whole: samples are due from the beginning of the world on, and each needs the world as it was then.
        let below = history.seq_of(&self.then.at)?;
        let mut world = history.fold(0, Some(below), |frame, world| {
            if let Some(past) = before.take().filter(|past| past.at() < frame.draft().at && failed.is_none()) {
                failed = measures.until(&past, frame.draft().at).err();
            }
            before = Some(Arc::new(world.clone()));
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        if let Some(clock) = ClockFile::load(&door.data)?.filter(|_| self.then.at == Point::Now) {
            world.stand(clock.position);
        }
        measures.end(&Arc::new(world))?;
        match &self.out {
            Some(file) => samples::write(file, &measures)?,
            None => print(door, &measures)?,
        }
        Ok(Ended::Well)
    }
}

/// Shows the samples, and then the rows of each table.
fn print(door: &Door, measures: &Measures) -> Result<()> {
    for sample in &measures.samples {
        door.say(&serde_json::json!({ "at": sample.time, "measure": sample.measure, "value": sample.value }), || line(sample))?;
    }
    for table in measures.tables() {
        for row in &table.rows {
            let cells: serde_json::Map<_, _> =
                table.columns.iter().cloned().zip(row.cells.iter().map(|cell| serde_json::json!(cell))).collect();
            let shown = || {
                let cells: Vec<String> = table.columns.iter().zip(&row.cells).map(|(column, cell)| format!("{column}={cell}")).collect();
                format!("{} {} @{} {}", row.time, table.name, row.being, cells.join(" "))
            };
            door.say(&serde_json::json!({ "at": row.time, "table": table.name, "being": row.being, "cells": cells }), shown)?;
        }
    }
    Ok(())
}

fn line(sample: &Sample) -> String {
    format!("{} {} {}", sample.time, sample.measure, sample.value)
}
