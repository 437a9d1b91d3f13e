//! Files: what a source names beside its world.toml, found and read: extensions, roles, scripts.

use std::path::{Component, Path, PathBuf};

use crate::role::Spec;
use crate::script::Sandbox;

use super::error::SourceError;

/// Reads a file whole.
pub(super) fn read(file: &Path) -> Result<String, SourceError> {
    std::fs::read_to_string(file).map_err(|source| SourceError::Read { file: file.to_owned(), source })
}

/// A file that a source names: in its own folder, whatever links lead there, or it could carry any file into a history.
pub(super) fn inside(dir: &Path, name: &str) -> Result<PathBuf, String> {
    let path = dir.join(name);
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let whole = |path: &Path| path.canonicalize().ok();
    let leads_out = matches!((whole(dir), whole(&path)), (Some(dir), Some(path)) if !path.starts_with(&dir));
    if is_plain && !leads_out {
        Ok(path)
    } else {
        Err(format!("expected a file in the source's own folder, found `{name}`; copy it there"))
    }
}

/// The folder of an extension: in `extensions/` of a directory, or of each one above it.
pub fn find_extension(dir: &Path, name: &str) -> Option<PathBuf> {
    // A name, not a path: it is looked for in `extensions/` and nowhere else.
    if Path::new(name).components().count() != 1 || name.starts_with('.') || Path::new(name).is_absolute() {
        return None;
    }
    let start = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    start.ancestors().map(|above| above.join("extensions").join(name)).find(|folder| folder.join("manifest.toml").is_file())
}

/// The files of a folder with one of these endings, by name.
pub(super) fn files_in(dir: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, SourceError> {
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    if dir.is_symlink() {
        let what = "expected a folder, found a link, which may leave the source; copy the folder".to_owned();
        return Err(SourceError::Wrong { file: dir.display().to_string(), line: 1, what });
    }
    let failed = |source| SourceError::Read { file: dir.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().and_then(|ending| ending.to_str()).is_some_and(|ending| endings.contains(&ending)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The role files of a directory's `roles/`.
pub(super) fn roles(dir: &Path) -> Result<Vec<Spec>, SourceError> {
    files_in(&dir.join("roles"), &["md", "json"])?.iter().map(|file| read_role(file)).collect()
}

/// Reads a role from a Markdown or JSON file.
pub fn read_role(file: &Path) -> Result<Spec, SourceError> {
    let (name, text) = (file.display().to_string(), read(file)?);
    let is_json = file.extension().is_some_and(|ending| ending == "json");
    Ok(if is_json { Spec::from_json(&name, &text)? } else { Spec::from_markdown(&name, &text)? })
}

/// The scripts of a directory: name, file, source.
pub(super) fn scripts(dir: &Path) -> Result<Vec<(String, String, String)>, SourceError> {
    let mut scripts = Vec::new();
    for file in files_in(&dir.join("scripts"), &["rhai"])? {
        let source = read(&file)?;
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let shown = format!("scripts/{stem}.rhai");
        Sandbox::check(&source, &file.display().to_string(), "think", 1).map_err(|error| SourceError::Wrong {
            file: file.display().to_string(),
            line: error.line().unwrap_or(1) as usize,
            what: error.to_string(),
        })?;
        scripts.push((stem, shown, source));
    }
    Ok(scripts)
}
