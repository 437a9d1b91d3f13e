//! Outcome: what one run of a sweep came to: kept beside its world, so that it is not run again, and told as rows of the table of all.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::fact::{Seq, Spend, Value};
use crate::run::Measures;
use crate::store::keep;

/// What stands above the rows.
const COLUMNS: [&str; 12] = ["arm", "seed", "replicate", "measure", "at", "value", "draws", "calls", "input", "output", "world", "moment"];

/// What a run came to.
#[derive(Serialize, Deserialize)]
pub(super) struct SweepOutcome {
    /// The condition.
    pub(super) arm: String,
    /// Where chance began.
    pub(super) seed: u64,
    /// Which run of that arm and seed, from 1.
    pub(super) replicate: u64,
    /// Where its world lies, from the folder of the sweep on.
    pub(super) world: String,
    /// The seq of its last moment.
    moment: Seq,
    calls: u64,
    input: u64,
    output: u64,
    /// The last sample of each measure.
    measures: Vec<Measured>,
}

/// What one measure came to.
#[derive(Serialize, Deserialize)]
struct Measured {
    measure: String,
    at: String,
    value: Value,
}

impl SweepOutcome {
    /// What came of a run in the world of that name.
    pub(super) fn of((arm, seed, replicate): (&str, u64, u64), world: &str, moment: Seq, spend: Spend, measures: &Measures) -> Self {
        let mut last: Vec<Measured> = Vec::new();
        for sample in &measures.samples {
            last.retain(|measured| measured.measure != sample.measure);
            last.push(Measured { measure: sample.measure.clone(), at: sample.time.clone(), value: sample.value.clone() });
        }
        last.sort_by(|a, b| a.measure.cmp(&b.measure));
        let Spend { calls, input, output, .. } = spend;
        Self { arm: arm.to_owned(), seed, replicate, world: world.to_owned(), moment, calls, input, output, measures: last }
    }

    /// By what a run is kept.
    fn file(dir: &Path, world: &str) -> PathBuf {
        dir.join(format!("{world}.json"))
    }

    /// What was kept of a run; nothing of one that did not come to its end.
    pub(super) fn kept(dir: &Path, world: &str) -> Option<Self> {
        let text = std::fs::read_to_string(Self::file(dir, world)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Keeps it: as a whole, or not at all.
    pub(super) fn keep(&self, dir: &Path) -> Result<()> {
        replace(&Self::file(dir, &self.world), serde_json::to_string(self)?.as_bytes())
    }

    /// Whether chance came from the seed alone, or from a model too, whose draws no seed of ours repeats.
    fn draws(&self) -> &'static str {
        if self.calls > 0 { "model" } else { "seed" }
    }

    /// Its rows, one a measure.
    fn rows(&self) -> Vec<Vec<String>> {
        let number = |number: u64| number.to_string();
        let row = |measured: &Measured| {
            let value = match &measured.value {
                Value::Null => String::new(),
                value => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            };
            let own = [self.arm.clone(), number(self.seed), number(self.replicate), measured.measure.clone(), measured.at.clone(), value];
            let whole = [self.draws().to_owned(), number(self.calls), number(self.input), number(self.output)];
            own.into_iter().chain(whole).chain([self.world.clone(), number(self.moment)]).collect()
        };
        self.measures.iter().map(row).collect()
    }
}

/// Writes the table of all runs, in their order.
pub(super) fn write_table(file: &Path, outcomes: &[SweepOutcome]) -> Result<()> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(COLUMNS)?;
    outcomes.iter().flat_map(SweepOutcome::rows).try_for_each(|row| out.write_record(row))?;
    replace(file, &out.into_inner().map_err(|error| error.into_error())?)
}

/// Puts a file in its place, durably.
fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    keep(file, bytes).with_context(|| format!("cannot write `{}`", file.display()))
}
