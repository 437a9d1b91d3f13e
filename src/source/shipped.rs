//! Shipped: the worlds, recipes and extensions that the program brings along.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, DirEntry, include_dir};
use tempfile::TempDir;

static WORLDS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/worlds");
static EXTENSIONS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/extensions");
static BEGINNINGS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/fixtures/new");
static RECIPES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/cookbook");

/// The role that others are begun from.
const ROLE: &str = "role.md";

/// How a recipe is named that a shipped world is called like.
const COOKBOOK: &str = "cookbook/";

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
    write(&files_of(&EXTENSIONS), &path.join("extensions"))?;
    if let Some(world) = WORLDS.get_dir(name) {
        write(&files_of(world), &path.join(name))?;
    }
    Ok(folder)
}

/// Files by their paths in a folder.
pub(super) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The files of a folder that the program brings along.
pub(super) fn files_of(dir: &Dir<'_>) -> Files {
    let mut files = Files::new();
    let mut open = vec![dir];
    while let Some(folder) = open.pop() {
        for entry in folder.entries() {
            match entry {
                DirEntry::Dir(below) => open.push(below),
                DirEntry::File(file) => {
                    let path = file.path().strip_prefix(dir.path()).unwrap_or(file.path());
                    files.insert(path.to_owned(), file.contents().to_owned());
                }
            }
        }
    }
    files
}

/// Writes files into a folder.
pub(super) fn write(files: &Files, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for (name, bytes) in files {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap_or(to))?;
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// The names of the extensions that the program brings along.
pub(super) fn shipped_extensions() -> impl Iterator<Item = &'static str> {
    EXTENSIONS.dirs().filter_map(|extension| extension.path().to_str())
}

/// Files as texts.
pub(super) fn texts(files: Files) -> BTreeMap<String, String> {
    let text = |(path, bytes): (PathBuf, Vec<u8>)| Some((path.to_str()?.to_owned(), String::from_utf8(bytes).ok()?));
    files.into_iter().filter_map(text).collect()
}

/// The files of an extension that the program brings along.
pub(super) fn shipped_extension(name: &str) -> Option<Files> {
    EXTENSIONS.get_dir(name).map(files_of)
}

/// The files of the beginning of a world.
pub(super) fn beginning(name: &str) -> Option<Files> {
    beginnings().find(|known| *known == name).and_then(|known| BEGINNINGS.get_dir(known)).map(files_of)
}

/// The beginning of a role.
pub(super) fn role_beginning() -> &'static str {
    BEGINNINGS.get_file(ROLE).and_then(include_dir::File::contents_utf8).unwrap_or_default()
}

/// All that a world can be begun from by its name.
pub(super) fn begun_from() -> Vec<String> {
    let is_taken = |name: &str| shipped_worlds().any(|world| world == name);
    let recipes = names(&RECIPES).map(|name| if is_taken(name) { format!("{COOKBOOK}{name}") } else { name.to_owned() });
    beginnings().chain(shipped_worlds()).map(str::to_owned).chain(recipes).collect()
}

/// The shipped world of that name, else the recipe of the cookbook: its name and its files.
pub(super) fn taken(name: &str) -> Option<(String, Files)> {
    let recipe = || RECIPES.get_dir(name.strip_prefix(COOKBOOK).unwrap_or(name));
    let world = WORLDS.get_dir(name).or_else(recipe).filter(|world| world.get_file(world.path().join("world.toml")).is_some())?;
    Some((world.path().display().to_string(), files_of(world)))
}
