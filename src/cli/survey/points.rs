//! Points: where each point of a survey stood as its table began, in a file beside the table: whoever goes on asks at the same.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};

use crate::fact::Seq;
use crate::store::keep;

/// A point as it was understood: behind which frame, and at which instant of the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct StoodAt {
    /// The seq at which the fork begins.
    pub(in crate::cli) seq: Seq,
    /// The instant, as it is written in the table.
    pub(in crate::cli) time: String,
}

/// The points of a table, by how they are named.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct SurveyPoints {
    /// The questions and the world, as in the table.
    instrument: String,
    points: BTreeMap<String, StoodAt>,
}

impl SurveyPoints {
    /// The file beside a table.
    fn file(table: &Path) -> PathBuf {
        let mut name = table.as_os_str().to_owned();
        name.push(".points.json");
        name.into()
    }

    /// Those of a table; none where it has no such file, or one of other questions.
    pub(in crate::cli) fn of(table: &Path, instrument: &str) -> Result<Self> {
        let file = Self::file(table);
        let found = match std::fs::read(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Self::default(),
            text => serde_json::from_slice(&text.with_context(|| format!("cannot read `{}`", file.display()))?).map_err(|error| {
                anyhow!(
                    "--out: {}:{}: expected the points of the table beside it: {error}; with another --out it begins anew",
                    file.display(),
                    error.line()
                )
            })?,
        };
        Ok(if found.instrument == instrument { found } else { Self { instrument: instrument.to_owned(), points: BTreeMap::new() } })
    }

    /// None, for a table that begins now.
    pub(in crate::cli) fn begun(table: &Path, instrument: &str) -> Self {
        let _ = std::fs::remove_file(Self::file(table));
        Self { instrument: instrument.to_owned(), points: BTreeMap::new() }
    }

    /// Where a point stood.
    pub(in crate::cli) fn get(&self, point: &str) -> Option<&StoodAt> {
        self.points.get(point)
    }

    /// Notes where points stand that it does not have yet, and has them on the disk when this returns.
    pub(in crate::cli) fn add(&mut self, table: &Path, stand: BTreeMap<String, StoodAt>) -> Result<()> {
        let before = self.points.len();
        for (point, at) in stand {
            self.points.entry(point).or_insert(at);
        }
        if self.points.len() == before {
            return Ok(());
        }
        let file = Self::file(table);
        keep(&file, serde_json::to_string_pretty(self)?.as_bytes()).with_context(|| format!("cannot write `{}`", file.display()))
    }
}
