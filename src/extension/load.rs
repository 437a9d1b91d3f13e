//! Load: an extension's directory, read into memory; nothing outside of it is touched.

use std::collections::BTreeMap;
use std::path::Path;

use super::package::{ExtensionError, Package};

/// The largest file of an extension.
const FILE_MAX: u64 = 1 << 20;

impl Package {
    /// Reads an extension's directory: its manifest, and everything in `roles/`, `scripts/`, `ops/`, `resolvers/` and `schemas/`.
    pub fn load(dir: &Path) -> Result<Self, ExtensionError> {
        let shown = dir.display().to_string();
        let mut files = BTreeMap::new();
        let manifest = dir.join("manifest.toml");
        if !manifest.is_file() {
            return Err(ExtensionError::NoManifest { dir: shown });
        }
        take(&manifest, "manifest.toml".to_owned(), &mut files)?;
        for folder in ["roles", "scripts", "ops", "resolvers", "schemas"] {
            let path = dir.join(folder);
            if !path.is_dir() {
                continue;
            }
            let failed = |source| ExtensionError::Read { file: path.display().to_string(), source };
            for entry in std::fs::read_dir(&path).map_err(failed)? {
                let entry = entry.map_err(failed)?.path();
                if let Some(name) = entry.file_name().and_then(|name| name.to_str()).filter(|_| entry.is_file()) {
                    take(&entry, format!("{folder}/{name}"), &mut files)?;
                }
            }
        }
        Self::parse(&shown, &files)
    }
}

fn take(path: &Path, name: String, files: &mut BTreeMap<String, String>) -> Result<(), ExtensionError> {
    let failed = |source| ExtensionError::Read { file: path.display().to_string(), source };
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > FILE_MAX {
        return Err(ExtensionError::Wrong { file: path.display().to_string(), line: 1, what: format!("expected at most {FILE_MAX} bytes, found {size}") });
    }
    files.insert(name, std::fs::read_to_string(path).map_err(failed)?);
    Ok(())
}
