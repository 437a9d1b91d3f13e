//! `clock`: where world time stands between two frames, and where a run was told to end: an input like the wall clock, and no state.
//!
//! No frame says it. A world without the file stands where its last frame left it.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::fact::{CALENDAR, Millis};

use super::disk::{Disk, PlainDisk, read_all};
use super::error::StoreError;
use super::replace::{Keep, replace, take_away};
use super::small_file;

pub const NAME: &str = "clock";

/// Where world time stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockFile {
    /// Where the newest run began.
    pub from: Millis,
    /// Where it was told to end, if anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Millis>,
    /// How far world time has come: no later frame lies before it.
    pub position: Millis,
    /// Whether the run came to its end.
    pub done: bool,
}

impl ClockFile {
    /// The instants that the calendar has: the years 1 to 9999.
    pub const CALENDAR: std::ops::RangeInclusive<Millis> = CALENDAR;

    /// World time that stands at an instant, and no run that was cut off.
    pub const fn standing(position: Millis) -> Self {
        Self { from: position, target: None, position, done: true }
    }

    /// Reads the file beside the log in `dir`, if there is one.
    pub fn load(dir: &Path) -> Result<Option<Self>, StoreError> {
        let path = dir.join(NAME);
        let bytes = match read_all(&PlainDisk, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| StoreError::io("read", &path, error))?,
        };
        let bad = |what: String| StoreError::BadFile {
            file: path.clone(),
            what: format!("{what}; without the file, world time stands where the last frame left it"),
        };
        let text = small_file::open(&bytes).map_err(bad)?;
        let clock: Self = toml::from_str(text).map_err(|error| bad(error.to_string()))?;
        small_file::in_form(&bytes, &clock.to_text(&path)?).map_err(bad)?;
        clock.check().map_err(bad)?;
        Ok(Some(clock))
    }

    /// Puts it beside the log in `dir`, as a whole.
    pub fn save(&self, dir: &Path) -> Result<(), StoreError> {
        self.write(&PlainDisk, dir)
    }

    pub(super) fn write(&self, disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
        let path = dir.join(NAME);
        // A value that could not be read back is not written.
        self.check().map_err(|what| StoreError::BadFile { file: path.clone(), what })?;
        replace(disk, &path, self.to_text(&path)?.as_bytes(), Keep::Durable).map_err(|error| StoreError::io("write", &path, error))
    }

    fn to_text(self, path: &Path) -> Result<String, StoreError> {
        let text = toml::to_string(&self).map_err(|error| StoreError::BadFile { file: path.to_owned(), what: error.to_string() })?;
        Ok(small_file::close(text))
    }

    /// The line of an export that says the same.
    pub(super) fn line(&self) -> String {
        let target = self.target.map(|target| format!("target = {target}, ")).unwrap_or_default();
        format!("clock = {{ from = {}, {target}position = {}, done = {} }}\n", self.from, self.position, self.done)
    }

    /// Refuses instants that no calendar has.
    pub(super) fn check(&self) -> Result<(), String> {
        let instants = [Some(self.from), self.target, Some(self.position)];
        match instants.into_iter().flatten().find(|at| !Self::CALENDAR.contains(at)) {
            Some(at) => Err(format!("expected instants of the years 1 to 9999, found {at}")),
            None => Ok(()),
        }
    }
}

/// Takes away what another world has left.
pub(super) fn remove(disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
    take_away(disk, &dir.join(NAME)).map(drop)
}
