//! Pins: the extensions that were added to a source, with the hash of what was added: other files under their names are not read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use semver::Version;
use serde::{Deserialize, Serialize};

use crate::extension::{Package, toml_fault};
use crate::fact::line_of;

use super::error::SourceError;
use super::files::read;

/// The comment at the top of the file.
const HEAD: &str = "# What `reelm extension add` has pinned: files that have another hash are not read under these names.\n";

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pin {
    version: Version,
    hash: String,
}

/// The pins of a source, by the names of the extensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pins(BTreeMap<String, Pin>);

impl Pins {
    /// Where they lie.
    pub(super) fn file(dir: &Path) -> PathBuf {
        dir.join("extensions").join("pins.toml")
    }

    /// Those of a source; none where there is no file.
    pub(super) fn of(dir: &Path) -> Result<Self, SourceError> {
        let file = Self::file(dir);
        if !file.is_file() {
            return Ok(Self::default());
        }
        let text = read(&file)?;
        toml::from_str(&text).map(Self).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = line_of(&text, at);
            SourceError::wrong(file.display().to_string(), line, toml_fault(error.message(), error.span(), &text))
        })
    }

    /// The file that says them.
    pub(super) fn text(&self) -> String {
        let pin = |(name, pin): (&String, &Pin)| format!("\n[{name}]\nversion = \"{}\"\nhash = \"{}\"\n", pin.version, pin.hash);
        format!("{HEAD}{}", self.0.iter().map(pin).collect::<String>())
    }

    /// The hash of one.
    pub(super) fn hash(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|pin| pin.hash.as_str())
    }

    /// Pins one, in the place of another.
    pub(super) fn add(&mut self, package: &Package) {
        self.0.insert(package.name.clone(), Pin { version: package.version.clone(), hash: package.hash.to_string() });
    }

    /// Forgets one.
    pub(super) fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// The package that was read, as one that is pinned if it is; refused if its files are others than those that were added.
    pub(super) fn checked(&self, dir: &Path, package: Package) -> Result<Package, SourceError> {
        match self.hash(&package.name) {
            None => Ok(package),
            Some(hash) if *hash == package.hash.to_string() => Ok(package.pin()),
            Some(hash) => Err(SourceError::Unpinned {
                name: package.name,
                dir: dir.display().to_string(),
                pinned: hash.to_owned(),
                found: package.hash.to_string(),
            }),
        }
    }
}
