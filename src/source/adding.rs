//! Adding: an extension taken into a source, and taken back: its files in `extensions/`, its name in world.toml, its hash among the pins.
//!
//! All that can be wrong is looked for before anything is written. Its name is written last and taken away first, so that whoever is cut
//! off leaves a source that can be read, and does it again.

use std::path::{Path, PathBuf};
use std::{fs, io};

use toml_edit::{Array, DocumentMut, Item, value};

use crate::extension::{Bundle, ExtensionError, Package, toml_fault};
use crate::fact::line_of;
use crate::store::keep;

use super::error::SourceError;
use super::files::{find_extension, read};
use super::lint::warnings;
use super::pins::Pins;
use super::written::Source;

/// Why an extension is not added to a source, or not taken back.
#[derive(Debug, thiserror::Error)]
pub enum AddingError {
    /// The source cannot be read, or could not be with it or without it.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The extension cannot be used, or another stands in its place.
    #[error(transparent)]
    Extension(#[from] ExtensionError),
    /// A file cannot be written.
    #[error("cannot write `{file}`: {source}")]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The list of extensions is something else.
    #[error("{file}: extensions: expected a list of names")]
    NoList {
        /// The file.
        file: String,
    },
    /// Its place leads out of the source.
    #[error("`{0}` is a link, which leads out of the source; put a folder in its place")]
    Link(PathBuf),
    /// The source has no such extension.
    #[error("the source has no extension `{name}`; it has {there}")]
    NotThere {
        /// The name.
        name: String,
        /// Those that it has.
        there: String,
    },
    /// The source cannot be read as it is, so nobody can say who needs it.
    #[error("{0}; mend that first, or take it back with --force")]
    Unread(#[source] SourceError),
    /// Others need it.
    #[error("`{name}` is needed by {by}; take those back first, or all of it with --force")]
    Needed {
        /// The extension.
        name: String,
        /// Who needs it.
        by: String,
    },
    /// The source says what only it knows.
    #[error("without `{name}` this would be in doubt: {what}; change that first, or take it back with --force")]
    Named {
        /// The extension.
        name: String,
        /// The entries of the source that only this extension knows.
        what: String,
    },
}

/// The result of taking an extension back.
#[derive(Debug)]
pub struct TakenBack {
    /// The extensions that are no more among those of the world: it, and those that needed it.
    pub names: Vec<String>,
    /// Where files of it are left, because nobody added them or somebody changed them.
    pub left: Option<PathBuf>,
}

/// Adds an extension to a source, in the place of another content of its version only if that is meant. Says whether anything is to do;
/// does nothing of it where it is only planned.
pub fn add_extension(dir: &Path, bundle: &Bundle, replace: bool, is_plan: bool) -> Result<bool, AddingError> {
    let (source, package) = (WorldToml::read(dir)?, bundle.package()?);
    let (home, mut pins) = (dir.join("extensions"), Pins::of(dir)?);
    let place = home.join(&package.name);
    if let Some(link) = [&home, &place].into_iter().find(|path| path.is_symlink()) {
        return Err(AddingError::Link(link.clone()));
    }
    if let Some(there) = find_extension(dir, &package.name).filter(|_| !replace) {
        let there = Package::load(&there)?;
        if there.hash != package.hash {
            // A folder that no `extension add` has made is somebody's work, and no version of it is put aside unasked.
            let is_added = !place.is_dir() || pins.hash(&package.name) == Some(there.hash.to_string().as_str());
            let version = if is_added { &there.version } else { &package.version };
            package.may_follow(&version.to_string(), Some(&there.hash.to_string()))?;
        }
    }
    let text = source.listing(|names| {
        if !names.iter().any(|name| name.as_str() == Some(&package.name)) {
            names.push(package.name.as_str());
        }
    })?;
    Source::parse_beside(dir, &source.file, &text, Some(&package))?;
    let before = pins.clone();
    pins.add(&package);
    let is_there = place.is_dir() && Bundle::open(&place).is_ok_and(|there| there.files() == bundle.files());
    if is_there && text == source.text && pins == before {
        return Ok(false);
    }
    if !is_plan {
        if !is_there {
            put(&home, &package.name, bundle)?;
        }
        write_whole(&Pins::file(dir), &pins.text())?;
        write_whole(&source.path, &text)?;
    }
    Ok(true)
}

/// Lists an extension among those of a source, where it is not listed.
pub fn list_extension(dir: &Path, name: &str) -> Result<(), AddingError> {
    let source = WorldToml::read(dir)?;
    let text = source.listing(|names| {
        if !names.iter().any(|listed| listed.as_str() == Some(name)) {
            names.push(name);
        }
    })?;
    write_whole(&source.path, &text)
}

/// Takes an extension back out of a source: refused where others need it or the source names what it brings, unless that is meant.
pub fn remove_extension(dir: &Path, name: &str, force: bool) -> Result<TakenBack, AddingError> {
    let source = WorldToml::read(dir)?;
    let (home, mut pins) = (dir.join("extensions"), Pins::of(dir)?);
    let now = match Source::parse(dir, &source.file, &source.text) {
        Ok(now) => Some(now),
        Err(error) if !force => return Err(AddingError::Unread(error)),
        Err(_) => None,
    };
    let packages = now.as_ref().map_or(&[][..], |now| &now.extensions);
    let is_there = source.names()?.iter().any(|listed| listed == name)
        || packages.iter().any(|package| package.name == name)
        || pins.hash(name).is_some();
    // A name, not a path: nothing is taken away elsewhere.
    if !is_there || name.contains(['/', '.', '\\']) {
        let there = packages.iter().map(|package| format!("`{}`", package.name)).collect::<Vec<_>>().join(", ");
        return Err(AddingError::NotThere { name: name.to_owned(), there: if there.is_empty() { "none".to_owned() } else { there } });
    }
    let mut names = vec![name.to_owned()];
    // They stand in the order of their needs, so that who needs one of these comes later.
    for package in packages {
        if names.iter().any(|gone| package.needs.contains_key(gone)) {
            names.push(package.name.clone());
        }
    }
    if let Some(by) = names.get(1..).filter(|by| !by.is_empty() && !force) {
        let by = by.iter().map(|by| format!("`{by}`")).collect::<Vec<_>>().join(", ");
        return Err(AddingError::Needed { name: name.to_owned(), by });
    }
    let text = source.listing(|listed| listed.retain(|one| !one.as_str().is_some_and(|one| names.iter().any(|gone| gone == one))))?;
    if let Some(now) = now.filter(|_| !force) {
        let then = Source::parse(dir, &source.file, &text)?;
        let before = warnings(&now);
        if let Some(what) = warnings(&then).into_iter().find(|warning| !before.contains(warning)) {
            return Err(AddingError::Named { name: name.to_owned(), what });
        }
    }
    write_whole(&source.path, &text)?;
    let hash = pins.hash(name).map(str::to_owned);
    let left = unpack(&home.join(name), hash.as_deref())?;
    if hash.is_some() {
        pins.remove(name);
        write_whole(&Pins::file(dir), &pins.text())?;
    }
    Ok(TakenBack { names, left })
}

/// A world.toml as it is written.
struct WorldToml {
    path: PathBuf,
    file: String,
    text: String,
}

impl WorldToml {
    fn read(dir: &Path) -> Result<Self, AddingError> {
        let path = dir.join("world.toml");
        if !path.is_file() {
            return Err(SourceError::Missing(dir.to_owned()).into());
        }
        Ok(Self { text: read(&path)?, file: path.display().to_string(), path })
    }

    fn document(&self) -> Result<DocumentMut, AddingError> {
        self.text.parse().map_err(|error: toml_edit::TomlError| {
            let at = error.span().map_or(0, |span| span.start);
            let line = line_of(&self.text, at);
            SourceError::wrong(self.file.clone(), line, toml_fault(error.message(), error.span(), &self.text)).into()
        })
    }

    /// The extensions that it lists.
    fn names(&self) -> Result<Vec<String>, AddingError> {
        let document = self.document()?;
        let listed = document.get("extensions").and_then(Item::as_array).into_iter().flatten();
        Ok(listed.filter_map(|name| name.as_str().map(str::to_owned)).collect())
    }

    /// Its text with another list of extensions; all else stays as it was written.
    fn listing(&self, change: impl FnOnce(&mut Array)) -> Result<String, AddingError> {
        let mut document = self.document()?;
        let listed = document.entry("extensions").or_insert_with(|| value(Array::new()));
        change(listed.as_array_mut().ok_or_else(|| AddingError::NoList { file: self.file.clone() })?);
        Ok(document.to_string())
    }
}

/// Puts an extension's files into its folder: all of them, in the place of all that lay there.
fn put(home: &Path, name: &str, bundle: &Bundle) -> Result<(), AddingError> {
    let (place, new, old) = (home.join(name), home.join(format!(".{name}.new")), home.join(format!(".{name}.old")));
    let failed = |file: &Path| {
        let file = file.to_owned();
        move |source| AddingError::Write { file, source }
    };
    for left in [&new, &old] {
        if left.exists() {
            fs::remove_dir_all(left).map_err(failed(left))?;
        }
    }
    for (file, text) in bundle.files() {
        let path = new.join(file);
        let folder = path.parent().unwrap_or(&new);
        fs::create_dir_all(folder).map_err(failed(folder))?;
        fs::write(&path, text).map_err(failed(&path))?;
    }
    if place.exists() {
        fs::rename(&place, &old).map_err(failed(&old))?;
    }
    fs::rename(&new, &place).map_err(failed(&place))?;
    if old.exists() {
        fs::remove_dir_all(&old).map_err(failed(&old))?;
    }
    Ok(())
}

/// Takes the files away that were added; where they are others by now, or nobody added them, they are somebody's work and stay.
fn unpack(place: &Path, hash: Option<&str>) -> Result<Option<PathBuf>, AddingError> {
    if !place.is_dir() || place.is_symlink() {
        return Ok(None);
    }
    let Some(bundle) = Bundle::open(place).ok().filter(|bundle| hash == Some(bundle.hash().to_string().as_str())) else {
        return Ok(Some(place.to_owned()));
    };
    for file in bundle.files().keys() {
        let path = place.join(file);
        fs::remove_file(&path).map_err(|source| AddingError::Write { file: path.clone(), source })?;
        // A folder with other files stays: they are not ours.
        if let Some(folder) = path.parent() {
            let _ = fs::remove_dir(folder);
        }
    }
    let _ = fs::remove_dir(place);
    Ok(place.exists().then(|| place.to_owned()))
}

/// Writes a file whole, or leaves the one that is there.
fn write_whole(path: &Path, text: &str) -> Result<(), AddingError> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| keep(path, text.as_bytes()));
    written.map_err(|source| AddingError::Write { file: path.to_owned(), source })
}
