//! Package: an extension read and checked as a whole, and several of them in the order of their needs.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::{Hash, Telling, Text, Value, is_type, line_of, text_lines, type_of};
use crate::role::{Judge, RoleError, Spec};
use crate::script::{Sandbox, ScriptError};
use crate::verb::{Schema, doubt, expanded};
use crate::world::{LOOK, Look, Merge, OWN, OWN_RULES, SettingPlace, Touch};
use semver::{Version, VersionReq};

use super::archive::ArchiveError;
use super::files::hash_of;
use super::manifest::{DeclaredSignal, Manifest, OperationItem, ResolverItem, RuleItem, SettingItem, TypeItem};
use super::toml_fault::toml_fault;

/// Why an extension cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ExtensionError {
    /// There is no manifest.
    #[error("`{dir}` is no extension: expected a `manifest.toml` in it")]
    NoManifest {
        /// The directory.
        dir: String,
    },
    /// A file cannot be read.
    #[error("cannot read `{file}`: {source}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A file says something that it cannot say.
    #[error("{file}:{line}: {what}")]
    Wrong {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The fault there, and what was expected.
        what: String,
    },
    /// An archive is no extension.
    #[error("`{file}`: {source}")]
    Archive {
        /// The file.
        file: String,
        /// Why.
        #[source]
        source: ArchiveError,
    },
    /// Other files stand under its name and version.
    #[error(
        "`{name}` {version} is there with other files (there {there}, given {given}); give it another version, or put it in their place with --replace"
    )]
    OtherFiles {
        /// The extension.
        name: String,
        /// The version of both.
        version: Version,
        /// The hash of what is there.
        there: String,
        /// The hash of what was given.
        given: String,
    },
    /// A later version of it is there.
    #[error("`{name}` is there as {there}, and {own} is older; put it in its place with --replace")]
    Older {
        /// The extension.
        name: String,
        /// The version that was given.
        own: Version,
        /// The version that is there.
        there: Version,
    },
    /// A role is malformed.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// A script is malformed.
    #[error("in `{dir}`: {source}")]
    Script {
        /// The directory.
        dir: String,
        /// Why.
        #[source]
        source: ScriptError,
    },
    /// Another extension is needed that is not there.
    #[error("extension `{name}` needs `{need}`, which is not among those given; add it")]
    NeedMissing {
        /// The extension.
        name: String,
        /// The extension that it needs.
        need: String,
    },
    /// Another version of it is needed.
    #[error("extension `{name}` needs `{need}` {wanted}, found {found}")]
    NeedVersion {
        /// The extension.
        name: String,
        /// The extension that it needs.
        need: String,
        /// The wanted version.
        wanted: VersionReq,
        /// The version that is there.
        found: Version,
    },
    /// Extensions need each other.
    #[error("extensions need each other in a circle: {0}")]
    Circle(String),
    /// Two have the same name.
    #[error("two extensions are called `{0}`")]
    NameTaken(String),
}

/// A role file, as written.
#[derive(Clone, Debug)]
pub struct RoleFile {
    /// `ns:name`.
    pub name: String,
    /// The file.
    pub file: String,
    /// The role, its name with the namespace.
    pub spec: Spec,
}

/// A script file.
#[derive(Clone, Debug)]
pub struct ScriptFile {
    /// `ns/stem`, or `ns/folder/stem` for scripts of operations and resolvers.
    pub name: String,
    /// The file, from the extension's folder on.
    pub file: String,
    /// Its text.
    pub source: String,
}

/// An extension, read and checked.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name and namespace.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// Its purpose, for people.
    pub description: String,
    /// Whether its operations are there only where a place allows it.
    pub is_confined: bool,
    /// Its required dependencies.
    pub needs: BTreeMap<String, VersionReq>,
    /// The optional dependencies, used where they are there.
    pub uses: BTreeMap<String, VersionReq>,
    /// Its operations as the manifest records them.
    pub operations: Vec<Value>,
    /// Its resolvers as the manifest records them.
    pub resolvers: Vec<Value>,
    /// Its rules as the manifest records them.
    pub rules: Vec<Value>,
    /// Its types of matter.
    pub matter_types: Vec<TypeItem>,
    /// Its types of space.
    pub space_types: Vec<TypeItem>,
    /// Its signals.
    pub signals: Vec<DeclaredSignal>,
    /// Its settings as the manifest records them.
    pub settings: Vec<Value>,
    /// Its roles.
    pub roles: Vec<RoleFile>,
    /// Its scripts.
    pub scripts: Vec<ScriptFile>,
    /// The hash of its files.
    pub hash: Hash,
    /// Whether a world records that hash with it.
    pub is_pinned: bool,
    /// Whether it is the world's own: made of what stands in its world.toml. No manifest can say so.
    pub is_own: bool,
}

/// Reads one package's files.
struct Parser<'a> {
    dir: &'a str,
    files: &'a BTreeMap<String, String>,
    text: &'a str,
}

impl Parser<'_> {
    fn path(&self, file: &str) -> String {
        format!("{}/{file}", self.dir)
    }

    /// The manifest's own fault, on the line where some text of it stands.
    fn wrong(&self, near: &str, what: String) -> ExtensionError {
        let at = self.text.find(near).unwrap_or(0);
        let line = line_of(self.text, at);
        ExtensionError::Wrong { file: self.path("manifest.toml"), line, what }
    }

    fn check_kebab(&self, key: &str, name: &str) -> Result<(), ExtensionError> {
        let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        if name.len() <= 64 && name.split('-').all(is_part) {
            return Ok(());
        }
        Err(self.wrong(name, format!("{key}: expected small letters, digits and `-`, found `{name}`")))
    }

    /// Names of one kind stand once each, and are not empty.
    fn once<'n>(&self, key: &str, names: impl Iterator<Item = &'n String>) -> Result<(), ExtensionError> {
        let mut seen = BTreeSet::new();
        for name in names {
            if name.is_empty() || name.split('.').any(str::is_empty) {
                return Err(self.wrong(&format!("[[{key}]]"), format!("{key}: expected a name, found `{name}`")));
            }
            if !seen.insert(name) {
                return Err(self.wrong(name, format!("{key} `{name}` stands twice")));
            }
        }
        Ok(())
    }

    /// A script that the manifest names: it lies in the folder, and has the function.
    fn script(&self, key: &str, file: &str, function: &str) -> Result<(), ExtensionError> {
        if file.starts_with('/') || file.split('/').any(|part| part == "..") {
            return Err(self.wrong(file, format!("{key}: `{file}` leaves the extension's folder; name a file in it")));
        }
        let source = self
            .files
            .get(file)
            .ok_or_else(|| self.wrong(file, format!("{key}: no file `{file}`; expected it in `ops/`, `resolvers/` or `scripts/`")))?;
        self.check_script(file, source, function)
    }

    fn check_script(&self, file: &str, source: &str, function: &str) -> Result<(), ExtensionError> {
        Sandbox::check(source, file, function, 1).map_err(|source| ExtensionError::Script { dir: self.dir.to_owned(), source })
    }

    /// A schema as written: what its file says, or what stands in the manifest.
    fn written(&self, key: &str, args: Option<&Value>) -> Result<Value, ExtensionError> {
        match args {
            None => Ok(Value::map([("type", Value::text("object"))])),
            Some(Value::Text(file)) => {
                let text = self
                    .files
                    .get(file.as_ref())
                    .ok_or_else(|| self.wrong(file, format!("{key}: no file `{file}`; expected it in `schemas/`")))?;
                serde_json::from_str(text).map_err(|error| ExtensionError::Wrong {
                    file: self.path(file),
                    line: error.line(),
                    what: error.to_string(),
                })
            }
            Some(schema) => Ok(schema.clone()),
        }
    }

    fn schema(&self, key: &str, args: Option<&Value>) -> Result<Value, ExtensionError> {
        let schema = self.written(key, args)?;
        match Schema::compile(&schema) {
            Ok(_) => Ok(schema),
            Err(error) => Err(self.wrong("args", format!("{key}: {error}"))),
        }
    }

    /// The schema of an operation's arguments: its references can be resolved, since a model's tools take none.
    fn args(&self, key: &str, args: Option<&Value>) -> Result<Value, ExtensionError> {
        let json = serde_json::to_value(self.written(key, args)?).unwrap_or_default();
        expanded(&json).map_err(|error| {
            let what = format!("{key}: {error}");
            // The fault stands where its reference does, as far as that can be told.
            let near = json.pointer(&error.place).and_then(serde_json::Value::as_str).unwrap_or("args");
            match args {
                Some(Value::Text(file)) => {
                    let text = self.files.get(file.as_ref()).map(String::as_str).unwrap_or_default();
                    let line = line_of(text, text.find(near).unwrap_or(0));
                    ExtensionError::Wrong { file: self.path(file), line, what }
                }
                _ => self.wrong(near, what),
            }
        })?;
        self.schema(key, args)
    }

    /// Its required and its optional dependencies.
    fn needs(&self, ns: &str, written: BTreeMap<String, VersionReq>) -> Result<[BTreeMap<String, VersionReq>; 2], ExtensionError> {
        let [mut needs, mut uses] = [const { BTreeMap::new() }; 2];
        for (name, wanted) in written {
            let (bare, is_optional) = (name.trim_end_matches('?').to_owned(), name.ends_with('?'));
            self.check_kebab("needs", &bare)?;
            if bare == ns {
                return Err(self.wrong(&name, format!("needs: `{bare}` cannot need itself; take it out")));
            }
            let all = if is_optional { &mut uses } else { &mut needs };
            all.insert(bare, wanted);
        }
        match uses.keys().find(|name| needs.contains_key(*name)) {
            Some(name) => Err(self.wrong(name, format!("needs: `{name}` and `{name}?` stand there; keep one of them"))),
            None => Ok([needs, uses]),
        }
    }

    fn roles(&self, ns: &str) -> Result<Vec<RoleFile>, ExtensionError> {
        let mut roles = Vec::new();
        for (file, text) in self.files.iter().filter(|(file, _)| file.starts_with("roles/")) {
            let shown = self.path(file);
            let mut spec = if file.ends_with(".json") { Spec::from_json(&shown, text)? } else { Spec::from_markdown(&shown, text)? };
            let bare = spec.name.strip_prefix(&format!("{ns}:")).unwrap_or(&spec.name).to_owned();
            if bare.contains(':') {
                return Err(ExtensionError::Wrong {
                    file: shown,
                    line: 1,
                    what: format!("name: expected a bare name or `{ns}:<name>`, found `{}`", spec.name),
                });
            }
            let name = format!("{ns}:{bare}");
            if let Some(other) = roles.iter().find(|role: &&RoleFile| role.name == name) {
                return Err(ExtensionError::Wrong {
                    file: shown,
                    line: 1,
                    what: format!("name: the role `{name}` stands in `{}` already; give it another name", other.file),
                });
            }
            spec.name = name.as_str().into();
            roles.push(RoleFile { name, file: file.clone(), spec });
        }
        Ok(roles)
    }

    fn scripts(&self, ns: &str) -> Result<Vec<ScriptFile>, ExtensionError> {
        let mut scripts = Vec::new();
        for (file, source) in self.files.iter().filter(|(file, _)| file.ends_with(".rhai")) {
            if file.starts_with("scripts/") {
                self.check_script(file, source, "think")?;
            }
            scripts.push(ScriptFile { name: script_name(ns, file), file: format!("{ns}/{file}"), source: source.clone() });
        }
        Ok(scripts)
    }

    /// Its operations, as a world records them.
    fn operations(&self, ns: &str, items: &[OperationItem]) -> Result<Vec<Value>, ExtensionError> {
        let mut names = BTreeSet::new();
        let operation = |item: &OperationItem| {
            let key = format!("operation `{}`", item.name);
            self.check_kebab("operation.name", &item.name)?;
            if !names.insert(item.name.clone()) {
                return Err(self.wrong(&item.name, format!("{key} stands twice")));
            }
            self.script(&format!("{key}.script"), &item.script, "run")?;
            if let Some(mark) = item.touches.iter().find(|mark| Touch::parse(mark).is_none()) {
                let what = "expected `actor`, `target`, `args.<path>`, `target.position` or `args.<path>.position`";
                return Err(self.wrong(mark, format!("{key}.touches: {what}, found `{mark}`")));
            }
            let args = self.args(&format!("{key}.args"), item.args.as_ref())?;
            if text_lines(item.description.trim_end()).count() > 1 {
                let first = text_lines(&item.description).next().unwrap_or_default();
                return Err(self.wrong(first, format!("{key}.description: expected one line; say the rest in the extension's README")));
            }
            if let Some(told) = &item.told {
                let telling = Telling::parse(told).map_err(|what| self.wrong(told, format!("{key}.told: {what}")))?;
                if let Some(strange) = telling.arguments().find(|path| !takes(&args, path)) {
                    return Err(self.wrong(told, format!("{key}.told: the operation has no argument `{strange}`")));
                }
            }
            let told = item.told.as_ref().map(|told| ("told", Value::text(told)));
            let pairs = [
                ("name", Value::from(format!("{ns}:{}", item.name))),
                ("description", Value::text(&item.description)),
                ("target", Value::from(item.target.iter().map(|kind| kind.word()).collect::<Vec<_>>())),
                ("script", Value::from(script_name(ns, &item.script))),
                ("args", args),
                ("touches", Value::from(item.touches.iter().map(Value::text).collect::<Vec<_>>())),
            ];
            Ok(Value::map(pairs.into_iter().chain(told)))
        };
        items.iter().map(operation).collect()
    }

    /// Its rules, as a world records them: compiled once, so that whatever is unknown in one is an error here.
    fn rules(&self, manifest: &Manifest) -> Result<Vec<Value>, ExtensionError> {
        let ns = &manifest.name;
        let operations: Vec<Text> = manifest.operation.iter().map(|item| Text::from(format!("{ns}:{}", item.name))).collect();
        let rule = |item: &RuleItem| {
            self.check_kebab("rule.name", &item.name)?;
            let key = format!("rule `{}`", item.name);
            if manifest.rule.iter().filter(|other| other.name == item.name).count() > 1 {
                return Err(self.wrong(&item.name, format!("{key} stands twice")));
            }
            if let Some(script) = &item.script {
                self.script(&format!("{key}.script"), script, "judge")?;
            }
            let full = format!("{ns}:{}", item.name);
            let value = item.to_value(item.script.as_deref().map(|script| script_name(ns, script)).as_deref());
            let judge = Judge::compile(&full, &value).map_err(|error| self.wrong(&item.name, format!("{key}: {error}")))?;
            for entry in judge.on() {
                // An operation of a needed extension is known only where that extension is.
                if let Some(doubt) = doubt(entry, &operations, |space| manifest.needs.contains_key(space)) {
                    return Err(self.wrong(&item.name, format!("{key}.on: {doubt}")));
                }
            }
            let Value::Map(mut map) = value else { return Ok(value) };
            map.insert("name".into(), Value::from(full));
            Ok(Value::Map(map))
        };
        manifest.rule.iter().map(rule).collect()
    }

    /// Its see-resolvers, as a world records them.
    fn resolvers(&self, ns: &str, items: &[ResolverItem]) -> Result<Vec<Value>, ExtensionError> {
        let resolver = |item: &ResolverItem| {
            self.check_kebab("resolver.name", &item.name)?;
            if items.iter().filter(|other| other.name == item.name).count() > 1 {
                return Err(self.wrong(&item.name, format!("resolver `{}` stands twice", item.name)));
            }
            self.script(&format!("resolver `{}`.script", item.name), &item.script, "resolve")?;
            Ok(Value::map([
                ("name", Value::from(format!("{ns}:{}", item.name))),
                ("description", Value::text(&item.description)),
                ("script", Value::from(script_name(ns, &item.script))),
            ]))
        };
        items.iter().map(resolver).collect()
    }
}

impl Parser<'_> {
    /// Its types are drawn as a page can draw them.
    fn looks(&self, key: &str, items: &[TypeItem]) -> Result<(), ExtensionError> {
        for item in items {
            let own = self.text.find(&format!("type = \"{}\"", item.kind)).unwrap_or(0);
            if !is_type(&item.kind) {
                let (file, line) = (self.path("manifest.toml"), line_of(self.text, own));
                let what = format!("{key} `{}`: this is no type, so nothing can be of it; write `{}`", item.kind, type_of(&item.kind));
                return Err(ExtensionError::Wrong { file, line, what });
            }
            let Some(Err(what)) = item.look.as_ref().map(Look::read) else { continue };
            let at = own + self.text.get(own..).and_then(|rest| rest.find("look")).unwrap_or(0);
            let (file, line) = (self.path("manifest.toml"), line_of(self.text, at));
            return Err(ExtensionError::Wrong { file, line, what: format!("{key} `{}`.look: {what}", item.kind) });
        }
        Ok(())
    }

    /// Its settings, as a world records them.
    fn settings(&self, ns: &str, items: &[SettingItem]) -> Result<Vec<Value>, ExtensionError> {
        self.once("setting", items.iter().map(|item| &item.key))?;
        items.iter().map(|item| self.setting(ns, item)).collect()
    }

    fn setting(&self, ns: &str, item: &SettingItem) -> Result<Value, ExtensionError> {
        self.check_kebab("setting.key", &item.key)?;
        let key = format!("setting `{}`", item.key);
        let schema = self.schema(&format!("{key}.schema"), Some(&item.schema))?;
        let fits = Schema::compile(&schema).ok().is_some_and(|schema| item.default.is_null() || schema.check(&item.default).is_ok());
        if !fits {
            return Err(self.wrong(&item.key, format!("{key}.default: `{}` is not what its schema takes", item.default)));
        }
        let known = |word: &String| SettingPlace::ALL.iter().any(|stand| stand.word() == word);
        if let Some(place) = item.stands.iter().find(|word| !known(word)) {
            return Err(self.wrong(place, format!("{key}.where: expected `world`, `space` or `being`, found `{place}`")));
        }
        let merge = item.merge.as_deref().unwrap_or(Merge::Nearest.word());
        if !Merge::DECLARED.iter().any(|one| one.word() == merge) {
            let words = Merge::DECLARED.map(|one| format!("`{}`", one.word())).join(", ");
            return Err(self.wrong(merge, format!("{key}.merge: expected {words}, found `{merge}`")));
        }
        let everywhere = || SettingPlace::ALL.iter().map(|stand| Value::text(stand.word())).collect();
        let stands = if item.stands.is_empty() { everywhere() } else { item.stands.iter().map(Value::text).collect() };
        Ok(Value::map([
            ("key", Value::from(format!("{ns}:{}", item.key))),
            ("about", Value::text(&item.about)),
            ("schema", schema),
            ("default", item.default.clone()),
            ("where", Value::List(stands)),
            ("merge", Value::text(merge)),
        ]))
    }
}

/// The name under which a world knows a script file: thinking scripts by their stem alone.
/// Whether arguments of a schema may have something at a path.
fn takes(schema: &Value, path: &str) -> bool {
    let key = path.split('.').next().unwrap_or_default();
    let is_open = schema.get("additionalProperties") != Some(&Value::Bool(false));
    is_open || schema.get("properties").is_some_and(|properties| properties.get(key).is_some())
}

fn script_name(ns: &str, file: &str) -> String {
    let stem = file.strip_suffix(".rhai").unwrap_or(file);
    format!("{ns}/{}", stem.strip_prefix("scripts/").unwrap_or(stem))
}

impl Package {
    /// Checks an extension's files, by their paths in its folder.
    pub fn parse(dir: &str, files: &BTreeMap<String, String>) -> Result<Self, ExtensionError> {
        let text = files.get("manifest.toml").ok_or_else(|| ExtensionError::NoManifest { dir: dir.to_owned() })?;
        let parser = Parser { dir, files, text };
        let manifest: Manifest = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = line_of(text, at);
            ExtensionError::Wrong { file: parser.path("manifest.toml"), line, what: toml_fault(error.message(), error.span(), text) }
        })?;
        parser.check_kebab("name", &manifest.name)?;
        let own = Version::parse(env!("CARGO_PKG_VERSION")).unwrap_or_else(|_| Version::new(0, 0, 0));
        if let Some(wanted) = manifest.reelm.as_ref().filter(|wanted| !wanted.matches(&own)) {
            return Err(parser.wrong("reelm", format!("reelm: this is Reelm {own}; the extension wants {wanted}")));
        }
        let ns = &manifest.name;
        let operations = parser.operations(ns, &manifest.operation)?;
        if ns == OWN_RULES {
            return Err(parser.wrong("name", format!("name: `{OWN_RULES}` is what a world's own rules are called by; take another")));
        }
        let resolvers = parser.resolvers(ns, &manifest.resolver)?;
        let rules = parser.rules(&manifest)?;
        parser.once("signal", manifest.signal.iter().map(|item| &item.path))?;
        let settings = parser.settings(ns, &manifest.setting)?;
        parser.once("matter", manifest.matter.iter().map(|item| &item.kind))?;
        parser.once("space", manifest.space.iter().map(|item| &item.kind))?;
        parser.looks("matter", &manifest.matter)?;
        parser.looks("space", &manifest.space)?;
        let [needs, uses] = parser.needs(ns, manifest.needs)?;
        Ok(Self {
            roles: parser.roles(ns)?,
            scripts: parser.scripts(ns)?,
            operations,
            resolvers,
            rules,
            version: manifest.version,
            description: manifest.description,
            is_confined: manifest.confined,
            needs,
            uses,
            matter_types: manifest.matter,
            space_types: manifest.space,
            signals: manifest.signal,
            settings,
            name: manifest.name,
            hash: hash_of(files.iter()),
            is_pinned: false,
            is_own: false,
        })
    }

    /// Its roles, by their full names.
    pub fn specs(&self) -> impl Iterator<Item = &Spec> {
        self.roles.iter().map(|role| &role.spec)
    }

    /// The manifest as a world records it.
    pub fn manifest_value(&self) -> Value {
        let types = |list: &[TypeItem]| {
            Value::List(
                list.iter()
                    .map(|item| {
                        let pairs = [("type", Value::text(&item.kind)), ("description", Value::text(&item.description))];
                        Value::map(pairs.into_iter().chain(item.look.clone().map(|look| (LOOK, look))))
                    })
                    .collect(),
            )
        };
        let signal = |item: &DeclaredSignal| {
            Value::map([("path", Value::from(format!("{}.{}", self.name, item.path))), ("description", Value::text(&item.description))])
        };
        let needs = self.needs.iter().map(|(name, wanted)| (name.as_str().into(), Value::from(wanted.to_string())));
        let uses = self.uses.iter().map(|(name, wanted)| (format!("{name}?").into(), Value::from(wanted.to_string())));
        let hash = self.is_pinned.then(|| ("hash", Value::from(self.hash.to_string())));
        let whole = [
            ("name", Value::text(&self.name)),
            ("version", Value::from(self.version.to_string())),
            ("description", Value::text(&self.description)),
            ("needs", Value::Map(needs.chain(uses).collect())),
            ("operations", Value::List(self.operations.clone())),
            ("resolvers", Value::List(self.resolvers.clone())),
            ("rules", Value::List(self.rules.clone())),
            ("matterTypes", types(&self.matter_types)),
            ("spaceTypes", types(&self.space_types)),
            ("signals", Value::List(self.signals.iter().map(signal).collect())),
            ("settings", Value::List(self.settings.clone())),
        ];
        let marks = [("confined", self.is_confined), (OWN, self.is_own)].into_iter().filter(|(_, holds)| *holds);
        Value::map(whole.into_iter().chain(hash).chain(marks.map(|(mark, _)| (mark, Value::Bool(true)))))
    }
}

/// Packages in the order of their needs; among equals, by name.
pub fn order(packages: Vec<Package>) -> Result<Vec<Package>, ExtensionError> {
    let mut left: BTreeMap<String, Package> = BTreeMap::new();
    for package in packages {
        let name = package.name.clone();
        if left.insert(name.clone(), package).is_some() {
            return Err(ExtensionError::NameTaken(name));
        }
    }
    for package in left.values() {
        for (need, wanted) in package.needs.iter().chain(&package.uses) {
            let (name, need) = (package.name.clone(), need.clone());
            match left.get(&need) {
                None if package.uses.contains_key(&need) => {}
                None => return Err(ExtensionError::NeedMissing { name, need }),
                Some(found) if !wanted.matches(&found.version) => {
                    return Err(ExtensionError::NeedVersion { name, need, wanted: wanted.clone(), found: found.version.clone() });
                }
                Some(_) => {}
            }
        }
    }
    let mut sorted: Vec<Package> = Vec::new();
    while !left.is_empty() {
        let ready = left
            .values()
            .find(|package| package.needs.keys().chain(package.uses.keys()).all(|need| !left.contains_key(need)))
            .map(|package| package.name.clone());
        let Some(package) = ready.and_then(|name| left.remove(&name)) else {
            return Err(ExtensionError::Circle(left.into_keys().collect::<Vec<_>>().join(", ")));
        };
        sorted.push(package);
    }
    Ok(sorted)
}
