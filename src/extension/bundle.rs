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
    pub(super) fn of(shown: String, files: BTreeMap<String, String>) -> Self {
        Self { shown, files }
    }

    /// Its files.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// The extension, checked; whatever records it records its hash too.
    pub fn package(&self) -> Result<Package, ExtensionError> {
        let told = self.files.iter().filter(|(name, _)| is_told(name)).map(|(name, text)| (name.clone(), text.clone())).collect();
        let mut package = Package::parse(&self.shown, &told)?;
        package.is_pinned = true;
        Ok(package)
    }

    /// The hash of what of it comes into worlds.
    pub fn hash(&self) -> Hash {
        hash_of(self.files.iter().filter(|(name, _)| is_told(name)))
    }
}

impl Package {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(files: &[(&str, &str)]) -> Bundle {
        let own = [("manifest.toml", "name = \"x\"\nversion = \"1.0.0\"\n")];
        let files = own.iter().chain(files).map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Bundle::of("x".to_owned(), files)
    }

    #[test]
    fn a_hash_is_of_all_that_comes_into_a_world_and_of_nothing_else() {
        let role = ("roles/a.md", "---\nname: a\n---\nBe calm.");
        let plain = bundle(&[role]);
        assert_eq!(plain.hash(), plain.package().unwrap().hash);
        for (files, is_same) in [
            (vec![role, ("README.md", "About it")], true),
            (vec![role, ("tests/a.toml", "")], true),
            (vec![("roles/a.md", "---\nname: a\n---\nBe quick.")], false),
            (vec![("roles/b.md", role.1)], false),
            (vec![role, ("scripts/a.rhai", "fn think(face) { }")], false),
            (vec![], false),
        ] {
            assert_eq!(bundle(&files).hash() == plain.hash(), is_same, "{files:?}");
        }
        // Where one file ends and the next begins is part of it.
        assert_ne!(bundle(&[("roles/a", "b")]).hash(), bundle(&[("roles/ab", "")]).hash());
    }

    #[test]
    fn a_record_is_kept_by_the_same_files_alone() {
        let (pinned, other) = (bundle(&[]).package().unwrap(), bundle(&[("scripts/a.rhai", "fn think(face) { }")]).package().unwrap());
        let loose = |package: &Package| Package { is_pinned: false, ..package.clone() };
        let record = pinned.manifest_value();
        assert!(pinned.is_recorded_as(&record) && loose(&pinned).is_recorded_as(&record));
        assert!(!other.is_recorded_as(&record) && !loose(&other).is_recorded_as(&record));
        assert!(!pinned.is_recorded_as(&loose(&pinned).manifest_value()), "the pin is not there yet");
        assert!(!pinned.is_recorded_as(&removed(&record)) && is_removed(&removed(&record)));
        assert!(super::pinned(&removed(&record)).is_none());
    }

    #[test]
    fn another_content_follows_only_an_earlier_version() {
        let package = bundle(&[]).package().unwrap();
        assert!(package.may_follow("0.9.0", None).is_ok());
        assert!(package.may_follow("1.0.0", Some("ab")).unwrap_err().to_string().contains("--replace"));
        assert!(package.may_follow("1.0.1", None).unwrap_err().to_string().contains("1.0.1"));
        assert!(package.may_follow("?", None).is_err());
    }
}
