//! Begin: worlds, extensions and roles of one's own, which work at once: as something begins that the program brings along, or as a source is.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use deunicode::deunicode;

use crate::world::OWN_RULES;

use super::called::{ascii, slug};
use super::files::find_extension;
use super::renaming::Renaming;
use super::shipped::{Files, beginning, begun_from, role_beginning, shipped_extension, taken, write};

/// The extension that others are begun from.
const HELLO: &str = "hello";
/// The name of the role that others are begun from.
const OWN: &str = "newcomer";
/// The folder of a source's extensions.
const EXTENSIONS: &str = "extensions";

/// Why nothing can be begun.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// Something is there.
    #[error("`{0}` is there already; choose another name")]
    There(PathBuf),
    /// There is no such beginning.
    #[error("no world `{found}` can be begun from; expected the folder of a source, or {}", known())]
    Unknown {
        /// What was named.
        found: String,
    },
    /// What it would be begun from is the data of a world.
    #[error("`{0}` holds a world that lives, and no source of one; `reelm export --source DIR --data {0}` writes its source")]
    Data(PathBuf),
    /// No name comes of it.
    #[error("expected a name with letters or digits, found `{0}`")]
    NoName(String),
    /// A file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// Which one.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
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
    begun_from().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// What is begun from: the name of a source, its files, and those of the extensions that come along.
struct Original {
    name: String,
    files: Files,
}

impl Original {
    /// The source in a folder, else what the program brings along under that name.
    fn of(from: &str) -> Result<Self, BeginError> {
        let (dir, plain) = (Path::new(from), deunicode(from).to_lowercase());
        if is_data(dir) {
            return Err(BeginError::Data(dir.to_owned()));
        }
        if dir.join("world.toml").is_file() {
            return Self::in_folder(dir);
        }
        if let Some(files) = beginning(&plain) {
            return Ok(Self { name: plain, files });
        }
        let (name, files) = taken(&plain).ok_or_else(|| BeginError::Unknown { found: from.to_owned() })?;
        let mut original = Self { name, files };
        original.bring(|name| Ok(shipped_extension(name)))?;
        Ok(original)
    }

    fn in_folder(dir: &Path) -> Result<Self, BeginError> {
        let mut original = Self { name: String::new(), files: read(dir)? };
        original.name = original.table().get("name").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        original.bring(|name| find_extension(dir, name).map_or_else(|| Ok(shipped_extension(name)), |found| read(&found).map(Some)))?;
        Ok(original)
    }

    /// What its world.toml says; nothing where that is malformed, as `check` tells of the copy.
    fn table(&self) -> toml::Table {
        let text = self.files.get(Path::new("world.toml")).map(|bytes| String::from_utf8_lossy(bytes));
        text.and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// Takes in the extensions that it lists and that do not lie in it.
    fn bring(&mut self, find: impl Fn(&str) -> Result<Option<Files>, BeginError>) -> Result<(), BeginError> {
        let table = self.table();
        let listed = table.get(EXTENSIONS).and_then(toml::Value::as_array).into_iter().flatten().filter_map(toml::Value::as_str);
        for name in listed {
            let folder = Path::new(EXTENSIONS).join(name);
            if self.files.contains_key(&folder.join("manifest.toml")) {
                continue;
            }
            let found = find(name)?.unwrap_or_default();
            self.files.extend(found.into_iter().map(|(path, bytes)| (folder.join(path), bytes)));
        }
        Ok(())
    }

    /// Its files under another name; its operations, signals and qualities too, unless an extension of it speaks of the same.
    fn renamed(self, renaming: &Renaming<'_>) -> Files {
        let is_brought = |path: &Path| path.starts_with(EXTENSIONS);
        let is_shared = self.files.iter().any(|(path, bytes)| is_brought(path) && renaming.is_named_in(path, bytes));
        let one = |(path, bytes): (PathBuf, Vec<u8>)| match is_brought(&path) {
            true => (path, bytes),
            false if is_shared => {
                let bytes = renaming.title(&path, bytes);
                (path, bytes)
            }
            false => {
                let bytes = renaming.file(&path, bytes);
                (path, bytes)
            }
        };
        self.files.into_iter().map(one).collect()
    }
}

/// Whether a folder holds the data of a world that lives.
fn is_data(dir: &Path) -> bool {
    dir.join("log").is_dir() && dir.join("lock").is_file()
}

/// The files of a folder, without those that are hidden, that a link leads to, or that are the data of a world.
fn read(dir: &Path) -> Result<Files, BeginError> {
    let (mut files, mut open) = (Files::new(), vec![dir.to_owned()]);
    while let Some(folder) = open.pop() {
        let failed = |source| BeginError::Read { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(failed)?);
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if is_hidden || is_data(&path) {
                continue;
            }
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() {
                let bytes = fs::read(&path).map_err(|source| BeginError::Read { path: path.clone(), source })?;
                files.insert(path.strip_prefix(dir).unwrap_or(&path).to_owned(), bytes);
            }
        }
    }
    Ok(files)
}

/// Makes a world source of one's own in a new folder, called as the folder is, and says the world's name.
///
/// It is a copy of what the program brings along under a name, or of another source, with its operations, signals and qualities renamed.
pub fn begin_world(dir: &Path, from: &str, schema: &serde_json::Value) -> Result<String, BeginError> {
    let (name, original) = (own_name(dir)?, Original::of(from)?);
    let from = original.name.clone();
    let folder = dir.file_name().map_or_else(|| name.clone(), |folder| folder.to_string_lossy().into_owned());
    let files = original.renamed(&Renaming { from: &from, to: &name, folder: &folder });
    begin(dir, |to| {
        write(&files, to)?;
        name_schema(to, "world", schema)
    })?;
    Ok(name)
}

/// Writes the schema of a TOML file beside it, and names it in its first line, as taplo reads it.
fn name_schema(dir: &Path, file: &str, schema: &serde_json::Value) -> io::Result<()> {
    let (path, beside) = (dir.join(format!("{file}.toml")), format!("{file}.schema.json"));
    let text = fs::read_to_string(&path)?;
    if !text.starts_with("#:schema") {
        fs::write(path, format!("#:schema ./{beside}\n{text}"))?;
    }
    fs::write(dir.join(beside), format!("{schema:#}\n"))
}

/// An extension of one's own, in `extensions/` of a folder; its manifest names its schema.
pub fn begin_extension(folder: &Path, name: &str, schema: &serde_json::Value) -> Result<PathBuf, BeginError> {
    let name = own_name(Path::new(name))?;
    let dir = folder.join(EXTENSIONS).join(&name);
    let renaming = Renaming { from: HELLO, to: &name, folder: &name };
    let files = shipped_extension(HELLO).unwrap_or_default();
    let files = files.into_iter().map(|(path, bytes)| (path.clone(), renaming.file(&path, bytes))).collect();
    begin(&dir, |to| {
        write(&files, to)?;
        name_schema(to, "manifest", schema)
    })?;
    Ok(dir)
}

/// A role of one's own, in `roles/` of a folder.
pub fn begin_role(folder: &Path, name: &str) -> Result<PathBuf, BeginError> {
    let name = own_name(Path::new(name))?;
    let path = folder.join("roles").join(format!("{name}.md"));
    if path.exists() {
        return Err(BeginError::There(path));
    }
    let text = role_beginning().replace(OWN, &name);
    let written = fs::create_dir_all(folder.join("roles")).and_then(|()| fs::write(&path, text));
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
