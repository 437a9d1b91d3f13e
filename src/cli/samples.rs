//! Samples: the CSV file of a world's measures, written whole or gone on with.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::fact::Millis;
use crate::run::Sample;
use crate::world::{Local, World, iso};

/// What stands above the samples.
const COLUMNS: [&str; 3] = ["at", "measure", "value"];

/// Writes samples to a file of their own.
pub(super) fn write(file: &Path, samples: &[Sample]) -> Result<()> {
    let failed = || format!("cannot write `{}`", file.display());
    let mut out = csv::Writer::from_path(file).with_context(failed)?;
    out.write_record(COLUMNS)?;
    put(&mut out, samples.iter()).with_context(failed)
}

fn put<'a>(out: &mut csv::Writer<File>, samples: impl Iterator<Item = &'a Sample>) -> Result<()> {
    for sample in samples {
        let value = sample.value.as_str().map_or_else(|| sample.value.to_string(), str::to_owned);
        out.write_record([sample.time.as_str(), sample.measure.as_str(), value.as_str()])?;
    }
    Ok(out.flush()?)
}

/// A file in which the samples of several runs stand one after the other.
pub(super) struct Samples {
    file: PathBuf,
    is_begun: bool,
    /// When each measure was last taken.
    last: BTreeMap<String, Millis>,
}

impl Samples {
    /// Reads how far a file goes: one that cannot be gone on with is said before the run, and stays as it is.
    pub(super) fn open(file: &Path) -> Result<Self> {
        let failed = || format!("--measures: cannot write `{}`", file.display());
        OpenOptions::new().create(true).append(true).open(file).with_context(failed)?;
        let mut reader = csv::Reader::from_path(file).with_context(failed)?;
        let mut samples = Self { file: file.to_owned(), is_begun: false, last: BTreeMap::new() };
        let columns = reader.headers().map(|columns| columns.iter().map(str::to_owned).collect::<Vec<_>>()).unwrap_or_default();
        if columns.is_empty() && std::fs::metadata(file).with_context(failed)?.len() == 0 {
            return Ok(samples);
        }
        samples.is_begun = true;
        if columns != COLUMNS {
            let found = columns.join(",");
            bail!(
                "--measures: expected the columns `{}` in `{}`, found `{}`; name another file, or move this one away",
                COLUMNS.join(","),
                file.display(),
                found.chars().take(80).collect::<String>()
            );
        }
        for (line, row) in (2u64..).zip(reader.records()) {
            let row = row.ok().and_then(|row| Some((row.get(1)?.to_owned(), instant(row.get(0)?)?)));
            let Some((measure, at)) = row else {
                bail!("--measures: line {line} of `{}` is no sample; name another file, or move this one away", file.display());
            };
            samples.last.insert(measure, at);
        }
        Ok(samples)
    }

    /// Refuses a file that was written later than a world has come: it tells of another history.
    pub(super) fn fit(&self, world: &World) -> Result<()> {
        let now = world.at();
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

    /// Adds what the file has not yet: at the border of two runs both take a sample.
    pub(super) fn add(&self, samples: &[Sample]) -> Result<()> {
        let failed = || format!("cannot write `{}`", self.file.display());
        let file = OpenOptions::new().append(true).open(&self.file).with_context(failed)?;
        let mut out = csv::Writer::from_writer(file);
        if !self.is_begun {
            out.write_record(COLUMNS)?;
        }
        let is_new = |sample: &&Sample| self.last.get(&sample.measure).is_none_or(|last| sample.at > *last);
        put(&mut out, samples.iter().filter(is_new)).with_context(failed)
    }
}

fn instant(text: &str) -> Option<Millis> {
    chrono::DateTime::parse_from_rfc3339(text).ok().map(|at| at.timestamp_millis())
}
