//! Recasting: the roles, scripts, rules and extensions in some files and folders, and what a source says of things, as other code for a world.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::extension::{Package, ScriptFile};
use crate::fact::{Text, Value};
use crate::role::{Flow, or_meant};
use crate::script::Sandbox;
use crate::world::{OtherBeing, OtherExtension, OtherScript, OtherSpace, Recast, Registry, World};

use super::error::SourceError;
use super::files::{files_in, read, read_role};
use super::item::OnLine;
use super::written::Source;

/// The name of something that can be recast.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OtherName {
    /// A role.
    Role(Text),
    /// A script.
    Script(Text),
    /// A rule of the world's own.
    Rule(Text),
    /// An extension.
    Extension(Text),
    /// The settings of the world.
    Settings,
    /// The flow, default role and settings of a being.
    Being(Text),
    /// The flow and settings of a space, by its path.
    Space(Text),
}

impl fmt::Display for OtherName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Role(name) => write!(f, "role {name}"),
            Self::Script(name) => write!(f, "script {name}"),
            Self::Rule(name) => write!(f, "rule {name}"),
            Self::Extension(name) => write!(f, "extension {name}"),
            Self::Settings => write!(f, "settings of the world"),
            Self::Being(name) => write!(f, "@{name}"),
            Self::Space(path) => write!(f, "{path}"),
        }
    }
}

impl OtherName {
    /// Whether a world has something by that name; things are those with which it was planted.
    fn is_in(&self, registry: &Registry, begun: Option<&World>) -> bool {
        match self {
            Self::Role(name) => registry.roles.contains_key(name),
            Self::Script(name) => registry.scripts.contains_key(name),
            Self::Rule(name) => registry.rules.contains_key(name),
            Self::Extension(name) => registry.extensions.contains_key(name),
            Self::Settings => begun.is_some(),
            Self::Being(name) => begun.is_some_and(|begun| begun.being_named(name).is_some()),
            Self::Space(path) => begun.is_some_and(|begun| begun.spaces().any(|space| begun.path_of(space.id) == path.as_ref())),
        }
    }

    /// The name that a world has and that may have been meant, as a question.
    fn meant(&self, registry: &Registry) -> String {
        match self {
            Self::Role(name) => or_meant("", name, registry.roles.keys().map(AsRef::as_ref)),
            Self::Script(name) => or_meant("", name, registry.scripts.keys().map(AsRef::as_ref)),
            Self::Rule(name) => or_meant("", name, registry.rules.keys().map(AsRef::as_ref)),
            Self::Extension(name) => or_meant("", name, registry.extensions.keys().map(AsRef::as_ref)),
            // They come with a source, and are never given alone.
            Self::Settings | Self::Being(_) | Self::Space(_) => String::new(),
        }
    }
}

fn is_extension(dir: &Path) -> bool {
    dir.join("manifest.toml").is_file()
}

/// Other code for a world, as it was given.
#[derive(Debug, Default)]
pub struct OtherCode {
    /// The code that replaces the world's own.
    pub recast: Recast,
    /// Each name in it, and the file by which it was given alone; nothing: it came with a folder.
    names: BTreeMap<OtherName, Option<PathBuf>>,
}

impl OtherCode {
    /// Reads it: role files, scripts, folders of them, extensions, folders of those, whole sources. A later path overrides an earlier one.
    pub fn read(paths: &[PathBuf]) -> Result<Self, SourceError> {
        let mut code = Self::default();
        paths.iter().try_for_each(|path| code.add(path))?;
        Ok(code)
    }

    /// Leaves out what a world has not, and names it; what was given alone, or all that was given, cannot be left out.
    pub fn fit(&mut self, registry: &Registry, begun: Option<World>) -> Result<Vec<OtherName>, SourceError> {
        let is_missing = |name: &OtherName| !name.is_in(registry, begun.as_ref());
        let missing: Vec<(&OtherName, &Option<PathBuf>)> = self.names.iter().filter(|(name, _)| is_missing(name)).collect();
        if let Some((name, file)) = missing.iter().find_map(|(name, file)| Some((name, file.as_ref()?))) {
            let meant = Some(name.meant(registry)).filter(|meant| !meant.is_empty());
            let what = meant.unwrap_or_else(|| "; what is new is tried in a fork (`reelm fork DIR --change`)".to_owned());
            let what = format!("the world has no {name}{what}");
            return Err(SourceError::wrong(file.display().to_string(), 1, what));
        }
        let left: Vec<OtherName> = missing.into_iter().map(|(name, _)| name.clone()).collect();
        if left.len() == self.names.len() {
            return Err(SourceError::NothingKnown(left.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")));
        }
        left.iter().for_each(|name| drop(self.names.remove(name)));
        if let Some(begun) = begun {
            self.recast.planted(Arc::new(begun));
        }
        Ok(left)
    }

    /// The names of what is recast.
    pub fn names(&self) -> impl Iterator<Item = &OtherName> {
        self.names.keys()
    }

    fn add(&mut self, path: &Path) -> Result<(), SourceError> {
        let failed = |source| SourceError::Read { file: path.to_owned(), source };
        if path.join("world.toml").is_file() {
            let source = Source::read(path)?;
            self.source(&source);
            return self.things(&source);
        }
        if is_extension(path) {
            self.package(&Package::load(path)?, Some(path));
            return Ok(());
        }
        if !std::fs::metadata(path).map_err(failed)?.is_dir() {
            return self.file(path, true);
        }
        let entries: Result<Vec<PathBuf>, std::io::Error> =
            std::fs::read_dir(path).map_err(failed)?.map(|entry| Ok(entry?.path())).collect();
        let mut folders: Vec<PathBuf> = entries.map_err(failed)?.into_iter().filter(|entry| is_extension(entry)).collect();
        folders.sort();
        for folder in &folders {
            self.package(&Package::load(folder)?, None);
        }
        // Beside extensions lie texts about them.
        let files = if folders.is_empty() { files_in(path, &["md", "json", "rhai"])? } else { Vec::new() };
        files.iter().try_for_each(|file| self.file(file, false))?;
        if folders.is_empty() && files.is_empty() { Err(SourceError::NoCode(path.to_owned())) } else { Ok(()) }
    }

    fn file(&mut self, file: &Path, is_alone: bool) -> Result<(), SourceError> {
        let alone = is_alone.then(|| file.to_owned());
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("md" | "json") => {
                let spec = read_role(file)?;
                self.names.insert(OtherName::Role(spec.name.clone()), alone);
                self.recast.roles.insert(spec.name.clone(), Arc::new(spec));
            }
            Some("rhai") => {
                let (source, shown) = (read(file)?, file.display().to_string());
                // Any function will do: what the script is for is said where it is used.
                Sandbox::compiles(&source, &shown)
                    .map_err(|error| SourceError::wrong(shown.clone(), error.line().unwrap_or(1) as usize, error.to_string()))?;
                let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
                self.script(stem, &shown, &source, alone);
            }
            _ => return Err(SourceError::NoCode(file.to_owned())),
        }
        Ok(())
    }

    fn script(&mut self, name: &str, file: &str, source: &str, alone: Option<PathBuf>) {
        self.names.insert(OtherName::Script(name.into()), alone);
        self.recast.scripts.insert(name.into(), OtherScript { file: file.into(), source: source.into() });
    }

    fn package(&mut self, package: &Package, alone: Option<&Path>) {
        let script = |file: &ScriptFile| {
            (Text::from(file.name.as_str()), OtherScript { file: file.file.as_str().into(), source: file.source.as_str().into() })
        };
        let extension = OtherExtension {
            manifest: Arc::new(package.manifest_value()),
            roles: package.specs().map(|spec| (spec.name.clone(), Arc::new(spec.clone()))).collect(),
            scripts: package.scripts.iter().map(script).collect(),
        };
        let name = Text::from(package.name.as_str());
        self.names.insert(OtherName::Extension(name.clone()), alone.map(Path::to_owned));
        self.recast.extensions.insert(name, extension);
    }

    fn source(&mut self, source: &Source) {
        source.extensions.iter().for_each(|package| self.package(package, None));
        source.scripts.iter().for_each(|(name, file, text)| self.script(name, file, text, None));
        for role in &source.roles {
            self.names.insert(OtherName::Role(role.name.clone()), None);
            self.recast.roles.insert(role.name.clone(), Arc::new(role.clone()));
        }
        for rule in &source.rules {
            let name = Text::from(rule.name.as_str());
            self.names.insert(OtherName::Rule(name.clone()), None);
            self.recast.rules.insert(name, Arc::new(rule.rule.clone()));
            if let Some((name, file, text)) = &rule.script {
                self.script(name, file, text, None);
            }
        }
    }

    /// Takes over the flows, default roles and settings of a source, in place of those with which the world was planted.
    fn things(&mut self, source: &Source) -> Result<(), SourceError> {
        let none = Value::List(Vec::new());
        let wrong = |line: usize, of: &str, error: &dyn fmt::Display| {
            SourceError::wrong(source.file.clone(), line, format!("flow of `{of}`: {error}"))
        };
        for OnLine { item, line, .. } in &source.beings {
            let flow = if item.flow.is_null() { &none } else { &item.flow };
            let flow = Arc::new(Flow::compile(flow).map_err(|error| wrong(*line, &item.name, &error))?);
            let default_role = item.role.as_deref().map(Text::from);
            let name = Text::from(item.name.as_str());
            self.names.insert(OtherName::Being(name.clone()), None);
            self.recast.things.beings.insert(name, OtherBeing { flow, default_role, settings: item.settings.clone() });
        }
        for OnLine { item, line, .. } in source.spaces.iter().filter(|space| space.item.flow.is_some() || !space.item.settings.is_empty()) {
            let compile = |flow: &Value| Flow::compile_for_space(flow).map(Arc::new).map_err(|error| wrong(*line, &item.path, &error));
            let flow = item.flow.as_ref().map(compile).transpose()?;
            let path = Text::from(item.path.as_str());
            self.names.insert(OtherName::Space(path.clone()), None);
            self.recast.things.spaces.insert(path, OtherSpace { flow, settings: item.settings.clone() });
        }
        let config = source.config.iter().map(|(key, value)| (Text::from(key.as_str()), Arc::new(value.clone())));
        self.recast.things.config.extend(config);
        if !source.config.is_empty() {
            self.names.insert(OtherName::Settings, None);
        }
        Ok(())
    }
}
