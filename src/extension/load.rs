//! Load: an extension's directory, read into memory; nothing outside of it is touched.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use super::archive::unpacked;
use super::bundle::Bundle;
use super::files::{FILE_MAX, FOLDERS, MANIFEST, README, SCENES};
use super::package::{ExtensionError, Package};

impl Package {
    /// Reads an extension's directory: its manifest, and everything in `roles/`, `scripts/`, `ops/`, `resolvers/`, `rules/` and `schemas/`.
    pub fn load(dir: &Path) -> Result<Self, ExtensionError> {
        Self::parse(&dir.display().to_string(), &read(dir, FOLDERS)?)
    }
}

impl Bundle {
    /// Reads all files of an extension: from its directory, or from an archive of that.
    pub fn open(path: &Path) -> Result<Self, ExtensionError> {
        let shown = path.display().to_string();
        if path.is_file() {
            let failed = |source| ExtensionError::Read { file: shown.clone(), source };
            let files = unpacked(File::open(path).map_err(failed)?);
            return Ok(Self::of(shown.clone(), files.map_err(|source| ExtensionError::Archive { file: shown, source })?));
        }
        let mut files = read(path, &[FOLDERS, &[SCENES]].concat())?;
        if path.join(README).is_file() {
            take(&path.join(README), README.to_owned(), &mut files)?;
        }
        Ok(Self::of(shown, files))
    }
}

/// The manifest in a directory, and the files of some of its folders.
fn read(dir: &Path, folders: &[&str]) -> Result<BTreeMap<String, String>, ExtensionError> {
    let mut files = BTreeMap::new();
    let manifest = dir.join(MANIFEST);
    if !manifest.is_file() {
        return Err(ExtensionError::NoManifest { dir: dir.display().to_string() });
    }
    take(&manifest, MANIFEST.to_owned(), &mut files)?;
    for folder in folders {
        let path = dir.join(folder);
        if !path.is_dir() {
            continue;
        }
        if path.is_symlink() {
            let what = "expected a folder, found a link, which may leave the extension's folder; copy the folder".to_owned();
            return Err(ExtensionError::Wrong { file: path.display().to_string(), line: 1, what });
        }
        let failed = |source| ExtensionError::Read { file: path.display().to_string(), source };
        for entry in std::fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?.path();
            let name = entry.file_name().and_then(|name| name.to_str()).filter(|name| !name.starts_with('.') && entry.is_file());
            if let Some(name) = name {
                take(&entry, format!("{folder}/{name}"), &mut files)?;
            }
        }
    }
    Ok(files)
}

fn take(path: &Path, name: String, files: &mut BTreeMap<String, String>) -> Result<(), ExtensionError> {
    let failed = |source| ExtensionError::Read { file: path.display().to_string(), source };
    let found = std::fs::symlink_metadata(path).map_err(failed)?;
    if found.is_symlink() {
        return Err(ExtensionError::Wrong {
            file: path.display().to_string(),
            line: 1,
            what: "expected a file, found a link, which may leave the extension's folder; copy the file".to_owned(),
        });
    }
    let size = found.len();
    if size > FILE_MAX {
        return Err(ExtensionError::Wrong {
            file: path.display().to_string(),
            line: 1,
            what: format!("expected at most {FILE_MAX} bytes, found {size}"),
        });
    }
    files.insert(name, std::fs::read_to_string(path).map_err(failed)?);
    Ok(())
}
