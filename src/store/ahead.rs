//! `ahead`: the calls of models that were begun before their moments and stand in no frame yet. It lies beside the log, and is durable before
//! any of them is begun: so a crash does not forget what they cost.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::disk::{Disk, PlainDisk, read_all};
use super::error::StoreError;
use super::replace::{keep, take_away};
use super::small_file;

pub const NAME: &str = "ahead";

/// A call that was begun ahead of its moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AheadCall {
    /// Whose moment it is for, as `@being`.
    pub being: String,
    /// Which moment that is, as `@being:cause`.
    pub moment: String,
    /// The hash of the request.
    pub request: String,
    /// The connection that it was sent over first.
    pub connection: String,
    /// The reply, as JSON; none: it was still under way, and nobody knows how it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AheadFile {
    call: Vec<AheadCall>,
}

impl AheadCall {
    /// What stands beside the log in `dir`.
    pub fn load(dir: &Path) -> Result<Vec<Self>, StoreError> {
        let path = dir.join(NAME);
        let bytes = match read_all(&PlainDisk, &path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.map_err(|error| StoreError::io("read", &path, error))?,
        };
        let bad = |what: String| StoreError::BadFile {
            file: path.clone(),
            what: format!("{what}; without the file, what it says of calls that were under way at the last stop is booked nowhere"),
        };
        let text = small_file::open(&bytes).map_err(bad)?;
        let AheadFile { call } = toml::from_str(text).map_err(|error| bad(error.to_string()))?;
        Ok(call)
    }

    /// Puts calls beside the log in `dir`, as a whole: durable when this returns.
    pub fn save(calls: &[Self], dir: &Path) -> Result<(), StoreError> {
        if calls.is_empty() {
            return remove(&PlainDisk, dir);
        }
        let path = dir.join(NAME);
        let text = toml::to_string(&AheadFile { call: calls.to_vec() })
            .map_err(|error| StoreError::BadFile { file: path.clone(), what: error.to_string() })?;
        keep(&path, small_file::close(text).as_bytes()).map_err(|error| StoreError::io("write", &path, error))
    }
}

/// Takes away what another world has left.
pub(super) fn remove(disk: &dyn Disk, dir: &Path) -> Result<(), StoreError> {
    take_away(disk, &dir.join(NAME)).map(drop)
}
