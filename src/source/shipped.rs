//! Shipped: the worlds that the program brings along, and the beginnings of worlds, extensions and roles of one's own.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use deunicode::deunicode;
use include_dir::{Dir, DirEntry, include_dir};
use tempfile::TempDir;

use crate::world::OWN_RULES;

use super::called::{ascii, slug};

static WORLDS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/worlds");
static EXTENSIONS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/extensions");
static BEGINNINGS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/new");
static RECIPES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/cookbook");

/// How a recipe is named that a shipped world is called like.
const COOKBOOK: &str = "cookbook/";

/// The extension that others are begun from.
const HELLO: &str = "hello";
/// The role that others are begun from, and its name.
const ROLE: &str = "role.md";
const OWN: &str = "newcomer";

/// The names of the worlds that the program brings along.
pub fn shipped_worlds() -> impl Iterator<Item = &'static str> {
    names(&WORLDS)
}

/// The names of the beginnings of a world.
pub fn beginnings() -> impl Iterator<Item = &'static str> {
    names(&BEGINNINGS)
}

/// The folders that hold a world.
fn names(all: &'static Dir<'_>) -> impl Iterator<Item = &'static str> {
    let worlds = all.dirs().filter(|world| world.get_file(world.path().join("world.toml")).is_some());
    worlds.filter_map(|world| world.path().to_str())
}

/// The shipped world that a path names, where it is no path but a name.
pub(super) fn shipped(named: &Path) -> Option<&'static str> {
    shipped_worlds().find(|name| Path::new(name) == named)
}

/// A shipped world in a folder of its own, which ends with what is given back, beside the extensions that it may need.
pub(super) fn unpacked(name: &str) -> io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    let path = folder.path();
    write(&EXTENSIONS, &path.join("extensions"), &|text| text)?;
    if let Some(world) = WORLDS.get_dir(name) {
        write(world, &path.join(name), &|text| text)?;
    }
    Ok(folder)
}

/// Writes a folder's files, each changed as is said.
fn write(from: &Dir<'_>, to: &Path, change: &dyn Fn(String) -> String) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in from.entries() {
        let path = to.join(entry.path().file_name().unwrap_or_default());
        match entry {
            DirEntry::Dir(dir) => write(dir, &path, change)?,
            DirEntry::File(file) => match file.contents_utf8() {
                Some(text) => fs::write(path, change(text.to_owned()))?,
                None => fs::write(path, file.contents())?,
            },
        }
    }
    Ok(())
}

/// Writes the schema of a TOML file beside it, and names it in its first line, as taplo reads it.
fn name_schema(dir: &Path, file: &str, schema: &serde_json::Value) -> io::Result<()> {
    let (path, beside) = (dir.join(format!("{file}.toml")), format!("{file}.schema.json"));
    let text = fs::read_to_string(&path)?;
    fs::write(path, format!("#:schema ./{beside}\n{text}"))?;
    fs::write(dir.join(beside), format!("{schema:#}\n"))
}

/// Why nothing can be begun.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// Something is there.
    #[error("`{0}` is there already; choose another name")]
    There(PathBuf),
    /// There is no such beginning.
    #[error("no world `{found}` can be begun from; expected {}", known())]
    Unknown {
        /// What was named.
        found: String,
    },
    /// No name comes of it.
    #[error("expected a name with letters or digits, found `{0}`")]
    NoName(String),
    /// It cannot be written.
    #[error("cannot write `{path}`: {source}")]
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

fn known() -> String {
    let is_taken = |name: &str| shipped_worlds().any(|world| world == name);
    let recipes = names(&RECIPES).map(|name| if is_taken(name) { format!("{COOKBOOK}{name}") } else { name.to_owned() });
    let all = beginnings().chain(shipped_worlds()).map(str::to_owned).chain(recipes);
    all.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The shipped world of that name, else the recipe of the cookbook.
fn taken(name: &str) -> Option<&'static Dir<'static>> {
    let recipe = || RECIPES.get_dir(name.strip_prefix(COOKBOOK).unwrap_or(name));
    WORLDS.get_dir(name).or_else(recipe).filter(|world| world.get_file(world.path().join("world.toml")).is_some())
}

/// Makes a world source of one's own in a new folder, and says the world's name.
///
/// A beginning is called as the folder, and has the schema of its world.toml beside it. A shipped world and a recipe are taken as they are.
pub fn begin_world(dir: &Path, from: &str, schema: &serde_json::Value) -> Result<String, BeginError> {
    let plain = deunicode(from).to_lowercase();
    if let Some(beginning) = beginnings().find(|name| *name == plain).and_then(|name| BEGINNINGS.get_dir(name)) {
        let name = own_name(dir)?;
        return begin(dir, |to| {
            write(beginning, to, &|text| renamed(&text, &plain, &name))?;
            name_schema(to, "world", schema)
        })
        .map(|()| name);
    }
    let world = taken(&plain).ok_or_else(|| BeginError::Unknown { found: from.to_owned() })?;
    begin(dir, |to| {
        write(world, to, &|text| text)?;
        EXTENSIONS
            .dirs()
            .filter(|extension| is_needed(world, extension))
            .try_for_each(|extension| write(extension, &to.join("extensions").join(extension.path()), &|text| text))
    })?;
    Ok(world.path().display().to_string())
}

/// Whether a world lists an extension.
fn is_needed(world: &Dir<'_>, extension: &Dir<'_>) -> bool {
    let text = world.get_file(world.path().join("world.toml")).and_then(include_dir::File::contents_utf8).unwrap_or_default();
    let listed = text.parse::<toml::Table>().ok().and_then(|mut table| table.remove("extensions"));
    let mut names = listed.iter().filter_map(toml::Value::as_array).flatten().filter_map(toml::Value::as_str);
    names.any(|name| extension.path() == Path::new(name))
}

/// An extension of one's own, in `extensions/` of a folder; its manifest names its schema.
pub fn begin_extension(folder: &Path, name: &str, schema: &serde_json::Value) -> Result<PathBuf, BeginError> {
    let (name, dir) = (own_name(Path::new(name))?, folder.join("extensions").join(own_name(Path::new(name))?));
    if let Some(beginning) = EXTENSIONS.get_dir(HELLO) {
        begin(&dir, |to| {
            write(beginning, to, &|text| renamed(&text, HELLO, &name))?;
            name_schema(to, "manifest", schema)
        })?;
    }
    Ok(dir)
}

/// A role of one's own, in `roles/` of a folder.
pub fn begin_role(folder: &Path, name: &str) -> Result<PathBuf, BeginError> {
    let name = own_name(Path::new(name))?;
    let path = folder.join("roles").join(format!("{name}.md"));
    if path.exists() {
        return Err(BeginError::There(path));
    }
    let text = BEGINNINGS.get_file(ROLE).and_then(include_dir::File::contents_utf8).unwrap_or_default();
    let written = fs::create_dir_all(folder.join("roles")).and_then(|()| fs::write(&path, text.replace(OWN, &name)));
    written.map_err(|source| BeginError::Write { path: path.clone(), source })?;
    Ok(path)
}

/// Makes a folder that is not there yet, whole or not at all.
fn begin(dir: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), BeginError> {
    let failed = |source| BeginError::Write { path: dir.to_owned(), source };
    if dir.exists() {
        let is_empty = fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none());
        return if is_empty { write(dir).map_err(failed) } else { Err(BeginError::There(dir.to_owned())) };
    }
    let above = dir.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(above).map_err(failed)?;
    let made = tempfile::Builder::new().prefix(".new-").tempdir_in(above).map_err(failed)?;
    let begun = made.path().join("begun");
    write(&begun).and_then(|()| fs::rename(&begun, dir)).map_err(failed)
}

/// The name that a folder gives: its letters as an address has them.
fn own_name(dir: &Path) -> Result<String, BeginError> {
    let said = match dir.components().next_back() {
        Some(Component::Normal(name)) => name.to_string_lossy().into_owned(),
        _ => dir.canonicalize().ok().and_then(|dir| Some(dir.file_name()?.to_string_lossy().into_owned())).unwrap_or_default(),
    };
    let name = ascii(&slug(&deunicode(&said)));
    match name.as_str() {
        "" => Err(BeginError::NoName(said)),
        // A world's own rules are called so.
        OWN_RULES => Ok(format!("my-{name}")),
        _ => Ok(name),
    }
}

/// A text in which a world or an extension has another name: where it says its name, and before `:` and `.`, as in `hello:wave`.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let (mut renamed, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(from) {
        let (before, behind) = (rest.get(..at).unwrap_or_default(), rest.get(at + from.len()..).unwrap_or_default());
        let is_part = before.ends_with(|sign: char| sign.is_alphanumeric() || "-_".contains(sign));
        let mut signs = behind.chars();
        let is_space = match (signs.next(), signs.next()) {
            (Some(':'), Some(next)) => next.is_alphanumeric() || next == '*',
            (Some('.'), Some(next)) => next.is_alphanumeric(),
            _ => ["name = \"", "extensions = [\"", "script: ", "extensions/", "# "].iter().any(|opens| before.ends_with(opens)),
        };
        renamed += before;
        renamed += if is_space && !is_part { to } else { from };
        rest = behind;
    }
    renamed + rest
}
