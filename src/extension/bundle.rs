//! Bundle: the files of an extension as they were given, and the hash by which they are known again.

use std::collections::BTreeMap;

use crate::fact::{Hash, Value};

use super::files::{hash_of, is_told};
use super::package::{ExtensionError, Package};

/// The key under which a world's record of an extension has its hash.
const HASH: &str = "hash";
/// The key by which that record says that the extension was taken back.
const REMOVED: &str = "removed";

/// An extension's files, by their paths in its folder.
#[derive(Clone, Debug)]
pub struct Bundle {
    shown: String,
    files: BTreeMap<String, String>,
}

impl Bundle {
    pub fn of(shown: String, files: BTreeMap<String, String>) -> Self {
        Self { shown, files }
    }

    /// Its files.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// The extension, checked; whatever records it records its hash too.
    pub fn package(&self) -> Result<Package, ExtensionError> {
        Package::of_files(&self.shown, &self.files).map(Package::pin)
    }

    /// The hash of what of it comes into worlds.
    pub fn hash(&self) -> Hash {
        hash_of(self.files.iter().filter(|(name, _)| is_told(name)))
    }
}

impl Package {
    /// Checks an extension's files, of which only those count that come into worlds.
    pub fn of_files(dir: &str, files: &BTreeMap<String, String>) -> Result<Self, ExtensionError> {
        let told = files.iter().filter(|(name, _)| is_told(name)).map(|(name, text)| (name.clone(), text.clone())).collect();
        Self::parse(dir, &told)
    }

    /// Whether what a world has recorded of an extension is this one. A pin is kept by whoever brings the same files.
    pub fn is_recorded_as(&self, manifest: &Value) -> bool {
        if self.is_pinned || pinned(manifest).is_none() {
            return self.manifest_value() == *manifest;
        }
        pinned(manifest) == Some(self.hash.to_string().as_str()) && self.clone().pin().manifest_value() == *manifest
    }

    /// The same, of which the hash is recorded.
    pub fn pin(mut self) -> Self {
        self.is_pinned = true;
        self
    }

    /// Whether it may stand where another of its name and of that version stands, whose files are not its own.
    pub fn may_follow(&self, version: &str, hash: Option<&str>) -> Result<(), ExtensionError> {
        let (name, own) = (self.name.clone(), self.version.clone());
        match version.parse::<semver::Version>() {
            Ok(there) if there < own => Ok(()),
            Ok(there) if there > own => Err(ExtensionError::Older { name, own, there }),
            _ => {
                let there = hash.map_or_else(|| "not pinned".to_owned(), str::to_owned);
                Err(ExtensionError::OtherFiles { name, version: own, there, given: self.hash.to_string() })
            }
        }
    }
}

/// The hash that a world's record of an extension pins.
pub fn pinned(manifest: &Value) -> Option<&str> {
    manifest.get(HASH).and_then(Value::as_str)
}

/// Whether a world's record of an extension says that it was taken back.
pub fn is_removed(manifest: &Value) -> bool {
    manifest.get(REMOVED).and_then(Value::as_bool) == Some(true)
}

/// The record of an extension that is taken back: it pins nothing.
pub fn removed(manifest: &Value) -> Value {
    let mut kept = manifest.as_map().cloned().unwrap_or_default();
    kept.remove(HASH);
    kept.insert(REMOVED.into(), Value::Bool(true));
    Value::Map(kept)
}
