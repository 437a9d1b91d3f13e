//! `measure`: the measures of a world, or of a source, computed again from history.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;

use crate::fact::Seq;
use crate::past::{History, Point};
use crate::run::{Measures, Sample};
use crate::source::{MeasureList, Source};
use crate::store::ClockFile;
use crate::world::World;

use super::door::{Door, Ended};
use super::given::AtPoint;
use super::progress::Progress;
use super::samples;
use super::screen::time;

/// Computes the measures of a world from its history
#[derive(Args)]
#[command(after_help = "Example: reelm measure --out heard.csv
         reelm measure karate --out heard.csv")]
pub struct Measure {
    /// The directory of a source whose measures are computed; without it, those that the world has
    source: Option<PathBuf>,
    /// The CSV file to write; without it, the samples are printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    then: AtPoint,
}

impl Measure {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        let history = door.history()?;
        let below = history.seq_of(&self.then.at)?;
        let mut measures = Measures::new(&self.measured(door, &history, below)?)?;
        let mut before = begin_behind_archive(door, &history, &mut measures)?;
        let mut failed = None;
        // The whole: samples are due from the beginning of the world on, and each needs the world as it was then.
        let progress = Progress::of(below, "measuring", "frames");
        let mut world = history.fold(history.begins(), Some(below), |frame, world| {
            progress.at(world.next_seq());
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
        history.stand(&mut world, &self.then.at)?;
        measures.end(&Arc::new(world))?;
        match &self.out {
            Some(file) => {
                samples::write(file, &measures)?;
                let count = measures.samples.len();
                door.say(&serde_json::json!({ "samples": count, "file": file }), || {
                    format!("wrote {count} samples to `{}`", file.display())
                })?;
            }
            None => print(door, &measures)?,
        }
        Ok(Ended::Well)
    }
}

impl Measure {
    /// The measures to take: those that the source lists, else those of the world at the point.
    fn measured(&self, door: &Door, history: &History, below: Seq) -> Result<MeasureList> {
        let own = MeasureList::of_world(&history.world_at(below)?);
        let Some(source) = self.source.as_deref().map(Source::read).transpose()? else {
            if own.is_nothing() {
                bail!("nothing is measured of this world; name a source that has measures, and `reelm apply` it");
            }
            return Ok(own);
        };
        super::apply::check(&source, Some(&history.world_file().name))?;
        let measured = MeasureList::of_source(&source);
        if !measured.is_same(&own) {
            door.warn(&format!("`{}` measures something else than the world does; `reelm apply` gives it to the world", measured.file));
        }
        Ok(measured)
    }
}

/// Leaves out the samples that need archived frames, and says which those are; gives the world with which the log begins then.
fn begin_behind_archive(door: &Door, history: &History, measures: &mut Measures) -> Result<Option<Arc<World>>> {
    let Some(unread) = history.unread(0) else { return Ok(None) };
    let border = history.world_at(history.begins())?;
    measures.begin(border.at());
    door.warn(&format!("the samples up to {} are left out: {unread}", time(border.at(), &border)));
    Ok(Some(Arc::new(border)))
}

/// Shows the samples, and then the rows of each table.
fn print(door: &Door, measures: &Measures) -> Result<()> {
    for sample in &measures.samples {
        door.say(
            &serde_json::json!({ "at": sample.time, "measure": sample.measure, "value": sample.value, "below": sample.below }),
            || line(sample),
        )?;
    }
    for table in measures.tables() {
        for row in &table.rows {
            let cells: serde_json::Map<_, _> =
                table.columns.iter().cloned().zip(row.cells.iter().map(|cell| serde_json::json!(cell))).collect();
            let shown = || {
                let cells: Vec<String> = table.columns.iter().zip(&row.cells).map(|(column, cell)| format!("{column}={cell}")).collect();
                format!("{} {} {} {}", row.time, table.name, row.being, cells.join(" "))
            };
            door.say(
                &serde_json::json!({ "at": row.time, "table": table.name, "being": row.being, "cells": cells, "below": row.below }),
                shown,
            )?;
        }
    }
    Ok(())
}

fn line(sample: &Sample) -> String {
    format!("{} {} {}", sample.time, sample.measure, sample.value)
}
