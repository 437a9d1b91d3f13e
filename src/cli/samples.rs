//! Samples: the CSV files of a world's measures and tables, written whole or gone on with.
//!
//! The samples of measures stand in the file that was named, the rows of a table `people` beside it: `out.csv`, `out.people.csv`.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::fact::{Millis, Value};
use crate::run::{Measures, Row, Sample, Table};
use crate::source::other_separator;
use crate::world::{Local, World, iso};

use super::given::may_replace;

/// The header of the table of samples.
const COLUMNS: [&str; 4] = ["at", "measure", "value", "below"];

/// Writes samples to files of their own.
pub(super) fn write(file: &Path, measures: &Measures) -> Result<()> {
    let sheets = Samples::sheets(file, measures);
    for (sheet, records) in sheets.iter().zip(records(measures)) {
        let failed = || format!("cannot write `{}`", sheet.file.display());
        may_replace(&sheet.file, &[&sheet.columns.join(",")], "a table of these measures")?;
        let mut out = csv::Writer::from_path(&sheet.file).with_context(failed)?;
        out.write_record(&sheet.columns)?;
        put(&mut out, records.into_iter()).with_context(failed)?;
    }
    Ok(())
}

/// The header of a table of beings.
pub(super) fn columns_of(table: &Table) -> Vec<String> {
    ["at", "being"].into_iter().map(str::to_owned).chain(table.columns.iter().cloned()).chain(["below".to_owned()]).collect()
}

/// A line of a file: when, of what, and all of its cells.
type CsvLine<'a> = (Millis, &'a str, Vec<String>);

/// The lines of each file.
fn records(measures: &Measures) -> Vec<Vec<CsvLine<'_>>> {
    let samples = measures.samples.iter().map(|sample: &Sample| {
        let cells = vec![sample.time.clone(), sample.measure.clone(), cell(&sample.value), sample.below.to_string()];
        (sample.at, sample.measure.as_str(), cells)
    });
    let rows = measures.tables().map(|table| table.rows.iter().map(|of| (of.at, of.being.as_str(), cells_of(of))).collect());
    std::iter::once(samples.collect()).chain(rows).collect()
}

/// A row of such a table.
pub(super) fn cells_of(row: &Row) -> Vec<String> {
    let cells = [row.time.clone(), row.being.clone()].into_iter().chain(row.cells.iter().map(cell));
    cells.chain([row.below.to_string()]).collect()
}

/// A value as a cell of a table.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        value => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    }
}

fn put<'a>(out: &mut csv::Writer<File>, records: impl Iterator<Item = CsvLine<'a>>) -> Result<()> {
    for (.., cells) in records {
        out.write_record(cells)?;
    }
    Ok(out.flush()?)
}

/// The files in which the samples of several runs stand one after the other.
pub(super) struct Samples(Vec<Sheet>);

/// One of them.
struct Sheet {
    file: PathBuf,
    columns: Vec<String>,
    is_begun: bool,
    /// How often it is written, where not at the end alone.
    every: Option<Millis>,
    /// When each measure, or each being, was last taken.
    last: BTreeMap<String, Millis>,
}

impl Samples {
    fn sheets(file: &Path, measures: &Measures) -> Vec<Sheet> {
        let sheet = |(file, columns): (PathBuf, Vec<String>)| Sheet { file, columns, is_begun: false, every: None, last: BTreeMap::new() };
        let own = (file.to_owned(), COLUMNS.map(str::to_owned).to_vec());
        let tables = measures.tables().map(|table| (file.with_extension(format!("{}.csv", table.name)), columns_of(table)));
        let sheets = std::iter::once(own).chain(tables).map(sheet).zip(measures.intervals());
        sheets.map(|(sheet, every)| Sheet { every, ..sheet }).collect()
    }

    /// Reads how far the files go: one that cannot be gone on with is said before the run, and stays as it is.
    pub(super) fn open(file: &Path, measures: &Measures) -> Result<Self> {
        let mut sheets = Self::sheets(file, measures);
        sheets.iter_mut().try_for_each(Sheet::open)?;
        Ok(Self(sheets))
    }

    /// The first file that holds samples already.
    pub(super) fn begun(&self) -> Option<&Path> {
        self.0.iter().find(|sheet| sheet.is_begun).map(|sheet| sheet.file.as_path())
    }

    /// Refuses files that were written later than a world has come: they tell of another history. The files that lack what was due since,
    /// because a run was cut off or took no samples.
    pub(super) fn fit(&self, world: &World) -> Result<Vec<&Path>> {
        self.0.iter().try_for_each(|sheet| sheet.fit(world))?;
        Ok(self.0.iter().filter(|sheet| sheet.lacks(world)).map(|sheet| sheet.file.as_path()).collect())
    }

    /// Adds what the files have not yet.
    pub(super) fn add(&self, measures: &Measures) -> Result<()> {
        self.0.iter().zip(records(measures)).try_for_each(|(sheet, records)| sheet.add(records))
    }
}

impl Sheet {
    fn open(&mut self) -> Result<()> {
        let file = self.file.as_path();
        let failed = || format!("--measures: cannot write `{}`", file.display());
        OpenOptions::new().create(true).append(true).open(file).with_context(failed)?;
        let mut reader = csv::Reader::from_path(file).with_context(failed)?;
        let columns = reader.headers().map(|columns| columns.iter().map(str::to_owned).collect::<Vec<_>>()).unwrap_or_default();
        if columns.is_empty() && std::fs::metadata(file).with_context(failed)?.len() == 0 {
            return Ok(());
        }
        self.is_begun = true;
        if columns != self.columns {
            if let Some(what) = other_separator(&columns.join(",")) {
                bail!("--measures: {}:1: {what}", file.display());
            }
            let found = columns.join(",");
            bail!(
                "--measures: expected the columns `{}` in `{}`, found `{}`; name another file, or move this one away",
                self.columns.join(","),
                file.display(),
                found.chars().take(80).collect::<String>()
            );
        }
        for (line, row) in (2u64..).zip(reader.records()) {
            let row = row.ok().and_then(|row| Some((row.get(1)?.to_owned(), instant(row.get(0)?)?)));
            let Some((of, at)) = row else {
                bail!("--measures: line {line} of `{}` is no sample; name another file, or move this one away", file.display());
            };
            self.last.insert(of, at);
        }
        Ok(())
    }

    fn fit(&self, world: &World) -> Result<()> {
        let now = world.now();
        if let Some(last) = self.last.values().max().filter(|last| **last > now) {
            let time = |at: Millis| iso(at, Local::of(at, world.zone()).offset);
            bail!(
                "--measures: `{}` goes up to {}, and this world has come to {}: it is of another history; name another file",
                self.file.display(),
                time(*last),
                time(now)
            );
        }
        Ok(())
    }

    /// Whether a sample was due between its last and where a world stands.
    fn lacks(&self, world: &World) -> bool {
        let last = self.last.values().max().copied();
        self.every.zip(last).is_some_and(|(every, last)| last.saturating_add(every) <= world.now())
    }

    fn add(&self, records: Vec<CsvLine<'_>>) -> Result<()> {
        let failed = || format!("cannot write `{}`", self.file.display());
        let file = OpenOptions::new().append(true).open(&self.file).with_context(failed)?;
        let mut out = csv::Writer::from_writer(file);
        if !self.is_begun {
            out.write_record(&self.columns)?;
        }
        let is_new = |(at, of, _): &CsvLine<'_>| self.last.get(*of).is_none_or(|last| at > last);
        put(&mut out, records.into_iter().filter(is_new)).with_context(failed)
    }
}

fn instant(text: &str) -> Option<Millis> {
    chrono::DateTime::parse_from_rfc3339(text).ok().map(|at| at.timestamp_millis())
}
