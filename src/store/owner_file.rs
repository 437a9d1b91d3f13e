//! Owner file: by which mark a directory is known as the owner of its world, and from which owner a person has brought it here. It is not
//! copied: a copy of the directory is another owner.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::fact::Hash;

use super::error::StoreError;
use super::replace::keep;

/// The name of the file.
pub(super) const NAME: &str = "owner";

/// Its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnerFile {
    /// The mark, which no other directory has.
    pub mark: String,
    /// The epoch of the owner whose history was brought here: it may be taken over from that one without a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<u64>,
}

impl OwnerFile {
    /// That of a directory; a new one where it has none.
    pub fn of(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(NAME);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let made = Self { mark: mark(), from: None };
                made.save(dir)?;
                return Ok(made);
            }
            Err(error) => return Err(StoreError::io("read", &path, error)),
        };
        toml::from_str(&text).map_err(|error| StoreError::BadFile { file: path, what: error.to_string() })
    }

    /// Refuses a directory whose world has a copy, for whoever would write without it.
    pub fn refuse(dir: &Path) -> Result<(), StoreError> {
        let file = dir.join(NAME);
        if file.exists() { Err(StoreError::HasCopy { file }) } else { Ok(()) }
    }

    /// Keeps it.
    pub fn save(&self, dir: &Path) -> Result<(), StoreError> {
        let path = dir.join(NAME);
        let text = toml::to_string(self).map_err(|error| StoreError::BadFile { file: path.clone(), what: error.to_string() })?;
        keep(&path, text.as_bytes()).map_err(|error| StoreError::io("write", &path, error))
    }
}

/// A mark by chance.
fn mark() -> String {
    let mut bytes = [0; 32];
    // Without chance the process and the instant tell directories apart.
    if getrandom::fill(&mut bytes).is_err() {
        let told = format!("{}{:?}", std::process::id(), std::time::SystemTime::now());
        bytes = Hash::of(told.as_bytes()).0;
    }
    Hash(bytes).to_string().chars().take(16).collect()
}
