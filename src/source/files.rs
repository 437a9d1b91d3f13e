//! Files: what a source names beside its world.toml, found and read: extensions, roles, scripts.

use std::path::{Component, Path, PathBuf};

use crate::extension::Package;
use crate::fact::Value;
use crate::role::Spec;
use crate::script::{Sandbox, ScriptError};
use crate::verb::{WORDS, too_long};
use crate::world::settings;

use super::error::SourceError;

/// Reads a file whole.
pub(super) fn read(file: &Path) -> Result<String, SourceError> {
    let bytes = std::fs::read(file).map_err(|source| SourceError::Read { file: file.to_owned(), source })?;
    String::from_utf8(bytes).map_err(|error| {
        let (bytes, at) = (error.as_bytes(), error.utf8_error().valid_up_to());
        let is_wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let found = if is_wide { "UTF-16".to_owned() } else { format!("the byte 0x{:02x}", bytes.get(at).copied().unwrap_or_default()) };
        let line = bytes.iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
        let what = format!("expected text in UTF-8, found {found}; save the file as UTF-8");
        SourceError::wrong(file.display().to_string(), line, what)
    })
}

/// The same without the mark that some programs begin a file with.
pub fn read_text(file: &Path) -> Result<String, SourceError> {
    let text = read(file)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
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
        return Err(SourceError::wrong(dir.display().to_string(), 1, what));
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

/// The role files of a directory's `roles/`, each in so many tokens at most.
pub(super) fn roles(dir: &Path, most: u64) -> Vec<Result<Spec, SourceError>> {
    each_in(&dir.join("roles"), &["md", "json"], |file| {
        let spec = read_role(file)?;
        fits(&spec, file, 1, most)?;
        Ok(spec)
    })
}

/// Each file of a folder with one of these endings, read.
pub(super) fn each_in<T>(dir: &Path, endings: &[&str], read: impl Fn(&Path) -> Result<T, SourceError>) -> Vec<Result<T, SourceError>> {
    match files_in(dir, endings) {
        Ok(files) => files.iter().map(|file| read(file)).collect(),
        Err(error) => vec![Err(error)],
    }
}

/// How many tokens the words of a role may take, where a source says so much of it, or nothing.
pub(super) fn words_most(said: Option<&Value>) -> u64 {
    let default = || settings().iter().find(|setting| setting.key.as_ref() == WORDS).map(|setting| &*setting.default);
    said.or_else(default).and_then(Value::as_int).and_then(|most| u64::try_from(most).ok()).unwrap_or(0)
}

/// How many tokens the words of a role may take by a source's configuration, and that those of its extensions do not take more.
pub(super) fn words_of(said: Option<&Value>, extensions: &[Package]) -> Result<u64, SourceError> {
    let most = words_most(said);
    extensions.iter().flat_map(|package| &package.roles).try_for_each(|role| fits(&role.spec, Path::new(&role.file), 1, most))?;
    Ok(most)
}

/// Refuses a role whose words take more than so many tokens.
pub(super) fn fits(spec: &Spec, file: &Path, line: usize, most: u64) -> Result<(), SourceError> {
    let Some(tokens) = too_long(spec, most) else { return Ok(()) };
    let what = format!(
        "role-too-long: prompt: expected at most {most} tokens of four bytes ({WORDS}), found {tokens}; shorten it, or say more under `[config]`"
    );
    Err(SourceError::wrong(file.display().to_string(), line, what))
}

/// Reads a role from a Markdown or JSON file.
pub fn read_role(file: &Path) -> Result<Spec, SourceError> {
    let (name, text) = (file.display().to_string(), read(file)?);
    let is_json = file.extension().is_some_and(|ending| ending == "json");
    Ok(if is_json { Spec::from_json(&name, &text)? } else { Spec::from_markdown(&name, &text)? })
}

/// The scripts of a directory: name, file, source.
pub(super) fn scripts(dir: &Path) -> Vec<Result<(String, String, String), SourceError>> {
    each_in(&dir.join("scripts"), &["rhai"], |file| {
        let source = read(file)?;
        let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let (name, shown) = (file.display().to_string(), format!("scripts/{stem}.rhai"));
        Sandbox::check(&source, &name, "think", 1).map_err(|error| in_script(&name, &error))?;
        Ok((stem, shown, source))
    })
}

/// What is wrong in a script, at its line and column.
pub(super) fn in_script(file: &str, error: &ScriptError) -> SourceError {
    let what = match error {
        ScriptError::Syntax { reason, .. } => format!("not a script: {reason}"),
        other => other.to_string(),
    };
    let line = error.line().unwrap_or(1) as usize;
    SourceError::Wrong { file: file.to_owned(), line, column: error.column().map(|column| column as usize), what }
}
