//! Outcome: what one run of a sweep came to: kept beside its world, so that it is not run again, and told as rows of the table of all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::fact::{Seq, Spend, Value};
use crate::run::Measures;
use crate::store::keep;

use super::super::samples::{cell, cells_of, columns_of};
use super::counted::FaultCounts;
use super::grid::Parameters;

/// The header of the table of outcomes.
const COLUMNS: [&str; 16] = [
    "arm",
    "seed",
    "replicate",
    "measure",
    "at",
    "value",
    "below",
    "draws",
    "calls",
    "input",
    "output",
    "failed",
    "dead",
    "refused",
    "world",
    "moment",
];

/// The outcome of a run.
#[derive(Serialize, Deserialize)]
pub(super) struct SweepOutcome {
    /// The condition.
    pub(super) arm: String,
    /// Where chance began.
    pub(super) seed: u64,
    /// The number of the run within its arm and seed, from 1.
    pub(super) replicate: u64,
    /// Where its world lies, from the folder of the sweep on.
    pub(super) world: String,
    /// The seq of its last moment.
    moment: Seq,
    calls: u64,
    input: u64,
    output: u64,
    /// Every sample, in the order in which they were taken.
    measures: Vec<Measured>,
    /// The value of each parameter.
    pub(super) parameters: Parameters,
    /// A hash of the world that the source makes.
    pub(super) source: String,
    /// How much came to nothing in it.
    pub(super) faults: FaultCounts,
    /// The program that ran it.
    version: String,
}

/// A sample of one measure.
#[derive(Serialize, Deserialize)]
struct Measured {
    measure: String,
    at: String,
    value: Value,
    /// The seq below which all frames were seen.
    below: Seq,
}

impl SweepOutcome {
    /// The outcome of a run in the world of that name, with no parameters, source and faults yet.
    pub(super) fn of((arm, seed, replicate): (&str, u64, u64), world: &str, moment: Seq, spend: Spend, measures: &Measures) -> Self {
        let measured = measures.samples.iter().map(|sample| Measured {
            measure: sample.measure.clone(),
            at: sample.time.clone(),
            value: sample.value.clone(),
            below: sample.below,
        });
        let Spend { calls, input, output, .. } = spend;
        let (parameters, source, version) = (Parameters::new(), String::new(), env!("CARGO_PKG_VERSION").to_owned());
        let (arm, world, measures, faults) = (arm.to_owned(), world.to_owned(), measured.collect(), FaultCounts::default());
        Self { arm, seed, replicate, world, moment, calls, input, output, measures, parameters, source, faults, version }
    }

    /// The file of a run's outcome.
    fn file(dir: &Path, world: &str) -> PathBuf {
        dir.join(format!("{world}.json"))
    }

    /// The kept outcome of a run; none for a run that did not end.
    pub(super) fn kept(dir: &Path, world: &str) -> Option<Self> {
        let text = std::fs::read_to_string(Self::file(dir, world)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Keeps it: as a whole, or not at all.
    pub(super) fn keep(&self, dir: &Path) -> Result<()> {
        replace(&Self::file(dir, &self.world), serde_json::to_string(self)?.as_bytes())
    }

    /// Whether chance came from the seed alone, or from a model too, whose draws no seed of ours repeats; another run from the seed alone is a
    /// copy.
    fn draws(&self) -> &'static str {
        match (self.calls, self.replicate) {
            (0, 1) => "seed",
            (0, _) => "copy",
            _ => "model",
        }
    }

    /// The first cells of each row of any table.
    fn first_cells(&self) -> [String; 3] {
        [self.arm.clone(), self.seed.to_string(), self.replicate.to_string()]
    }

    /// The last cells: the parameters, the source and the program.
    fn last_cells(&self) -> Vec<String> {
        let values = self.parameters.iter().map(|(_, value)| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        values.chain([self.source.clone(), self.version.clone()]).collect()
    }

    /// Its rows, one a measure: the last sample.
    fn rows(&self) -> Vec<Vec<String>> {
        // Of each measure the last one stays.
        let last: BTreeMap<&str, &Measured> = self.measures.iter().map(|measured| (measured.measure.as_str(), measured)).collect();
        let row = |measured: &&Measured| {
            let FaultCounts { failed, dead, refused } = self.faults;
            let counts = [self.calls, self.input, self.output, failed, dead, refused].map(|count| count.to_string());
            let own = self.first_cells().into_iter().chain(measured.cells()).chain([self.draws().to_owned()]).chain(counts);
            own.chain([self.world.clone(), self.moment.to_string()]).chain(self.last_cells()).collect()
        };
        last.values().map(row).collect()
    }

    /// The rows of its whole series, one a sample.
    fn series(&self) -> Vec<Vec<String>> {
        let row = |measured: &Measured| {
            self.first_cells().into_iter().chain(measured.cells()).chain([self.world.clone()]).chain(self.last_cells()).collect()
        };
        self.measures.iter().map(row).collect()
    }
}

impl Measured {
    fn cells(&self) -> [String; 4] {
        [self.measure.clone(), self.at.clone(), cell(&self.value), self.below.to_string()]
    }
}

/// Writes the tables of all runs, in their order: the last samples, all samples, and the rows of beings.
pub(super) fn write_tables(dir: &Path, parameters: &[String], outcomes: &[SweepOutcome]) -> Result<()> {
    let header = |columns: &[&str]| -> Vec<String> {
        let last = parameters.iter().map(String::as_str).chain(["source", "version"]);
        columns.iter().copied().chain(last).map(str::to_owned).collect()
    };
    write(&dir.join("measures.csv"), &header(&COLUMNS), outcomes.iter().flat_map(SweepOutcome::rows))?;
    let series = ["arm", "seed", "replicate", "measure", "at", "value", "below", "world"];
    write(&dir.join("series.csv"), &header(&series), outcomes.iter().flat_map(SweepOutcome::series))?;
    write_rows(dir, parameters, outcomes)
}

fn write(file: &Path, header: &[String], rows: impl Iterator<Item = Vec<String>>) -> Result<()> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(header)?;
    for row in rows {
        out.write_record(row)?;
    }
    replace(file, &out.into_inner().map_err(|error| error.into_error())?)
}

/// Where the rows of a run's table stand.
fn rows_file(dir: &Path, world: &str, table: &str) -> PathBuf {
    dir.join(format!("{world}.{table}.csv"))
}

/// Keeps the rows of beings of a run, a file a table.
pub(super) fn keep_rows(dir: &Path, world: &str, measures: &Measures) -> Result<()> {
    for table in measures.tables() {
        write(&rows_file(dir, world, &table.name), &columns_of(table), table.rows.iter().map(cells_of))?;
    }
    Ok(())
}

/// Writes the rows of beings of all runs, a file a table: `table-people.csv`.
fn write_rows(dir: &Path, parameters: &[String], outcomes: &[SweepOutcome]) -> Result<()> {
    let mut tables: BTreeMap<String, csv::Writer<Vec<u8>>> = BTreeMap::new();
    let mut columns: BTreeMap<String, csv::StringRecord> = BTreeMap::new();
    for outcome in outcomes {
        for (name, file) in files_of(dir, &outcome.world)? {
            let mut reader = csv::Reader::from_path(&file).with_context(|| format!("cannot read `{}`", file.display()))?;
            let own = reader.headers()?.clone();
            let out = tables.entry(name.clone()).or_insert_with(|| csv::Writer::from_writer(Vec::new()));
            let known = columns.entry(name.clone()).or_default();
            if known.is_empty() {
                let last = parameters.iter().map(String::as_str).chain(["source", "version"]);
                out.write_record(["arm", "seed", "replicate"].into_iter().chain(own.iter()).chain(["world"]).chain(last))?;
                *known = own;
            } else if *known != own {
                bail!("the table `{name}` has other columns in `{}` than in the arms before; give it another name there", outcome.world);
            }
            for row in reader.records() {
                let own: Vec<String> = row?.iter().map(str::to_owned).collect();
                let cells = outcome.first_cells().into_iter().chain(own).chain([outcome.world.clone()]);
                out.write_record(cells.chain(outcome.last_cells()))?;
            }
        }
    }
    for (name, out) in tables {
        replace(&dir.join(format!("table-{name}.csv")), &out.into_inner().map_err(|error| error.into_error())?)?;
    }
    Ok(())
}

/// The tables of a run and their files, in the order of their names.
fn files_of(dir: &Path, world: &str) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(dir).with_context(|| format!("cannot read `{}`", dir.display()))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let table = name.strip_prefix(&format!("{world}.")).and_then(|rest| rest.strip_suffix(".csv"));
        if let Some(table) = table {
            files.insert(table.to_owned(), entry.path());
        }
    }
    Ok(files)
}

/// Puts a file in its place, durably.
fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    keep(file, bytes).with_context(|| format!("cannot write `{}`", file.display()))
}
