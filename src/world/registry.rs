//! Registry: the roles and scripts of a world, and the operations and resolvers of its extensions, each by version.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::fact::{Canon, Hash, Made, Seq, SpaceId, Text, Value};
use crate::role::{Judge, Spec};

use super::drawn::{LOOK, Look};
use super::judges::Judges;
use super::setting::{Merge, Sayer, Setting, SettingPlace};
use super::touch::{Touch, Touched};

/// The key of the configuration under which a world remembers what its source last said. It is set last when a world is planted, and is
/// how the fold knows that its life begins.
pub const SOURCE: &str = "source";

/// The name under [`SOURCE`] of the world's measures: lists of [`MEASURES`] and [`TABLES`].
pub const MEASURED: &str = "/.measures";
/// Expressions by name.
pub const MEASURES: &str = "measures";
/// Columns of its beings by name.
pub const TABLES: &str = "tables";

/// The name under [`SOURCE`] of the data for the page: lists of [`LOOKS`], [`TRIES`] and [`NOW`].
pub const PAGE: &str = "/.page";
/// How types are drawn.
pub const LOOKS: &str = "looks";
/// Suggestions of what to try.
pub const TRIES: &str = "tries";
/// Sentences on what is going on, by conditions.
pub const NOW: &str = "now";

/// The mark in a recorded manifest that what it brings is the world's own.
pub const OWN: &str = "own";

/// The name before the colon of the rules that the world itself has: those that its operator set.
pub const OWN_RULES: &str = "world";

/// A role as last set.
#[derive(Clone, Debug)]
pub struct RoleVersion {
    /// The role itself, parsed.
    pub spec: Arc<Spec>,
    /// The role as written.
    pub source: Arc<Value>,
    /// The hash of the role as written.
    pub hash: Hash,
    /// Where it comes from.
    pub origin: Text,
    /// The fact that set it.
    pub made: Made,
    /// How many versions there have been, this one counted.
    pub version: u32,
}

/// A script as last set.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its name.
    pub name: Text,
    /// The file it was read from.
    pub file: Text,
    /// Its text.
    pub source: Text,
    /// The hash of its text.
    pub hash: Hash,
    /// The seq that set it.
    pub set_at: Seq,
}

/// An extension as last set.
#[derive(Clone, Debug)]
pub struct Extension {
    /// Its name.
    pub name: Text,
    /// Whether its operations and resolvers can be used.
    pub enabled: bool,
    /// Its manifest, as recorded.
    pub manifest: Arc<Value>,
    /// The fact that last set it.
    pub made: Made,
}

/// A dependency of an extension on another.
pub struct Need<'a> {
    /// The other's name.
    pub name: &'a str,
    /// The versions that will do.
    pub wanted: &'a str,
    /// Whether it does without, where the other is not there: its name is written with a `?`.
    pub can_do_without: bool,
}

impl Extension {
    /// Whether its operations are there only where a place allows it.
    pub fn is_confined(&self) -> bool {
        self.manifest.get("confined").and_then(Value::as_bool).unwrap_or_default()
    }

    /// Whether it is the world's own, made of what stands in its world.toml.
    pub fn is_own(&self) -> bool {
        self.manifest.get(OWN).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Its dependencies, as its manifest records them.
    pub fn needs(&self) -> impl Iterator<Item = Need<'_>> {
        let written = self.manifest.get("needs").and_then(Value::as_map);
        written.into_iter().flatten().map(|(name, wanted)| Need {
            name: name.trim_end_matches('?'),
            wanted: wanted.as_str().unwrap_or_default(),
            can_do_without: name.ends_with('?'),
        })
    }

    /// Whether it needs another, or could use it.
    pub fn knows(&self, other: &str) -> bool {
        self.needs().any(|need| need.name == other)
    }
}

/// An operation of an extension, as its manifest records it.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `ns:name`.
    pub name: Text,
    /// Its purpose, for people and models.
    pub description: Text,
    /// The JSON Schema of its arguments.
    pub schema: Arc<Value>,
    /// The hash of that schema.
    pub schema_hash: Hash,
    /// The script that drafts its facts.
    pub script: Text,
    /// The kinds of thing it can be done to.
    pub target: Vec<Text>,
    /// The marks of the things that its facts may touch.
    pub touches: Vec<Text>,
    /// The sentence by which it is told.
    pub told: Option<Text>,
}

impl Registry {
    /// Whether the operations of an extension may set signals of a namespace: its own, and for those of the world each that no extension has.
    pub fn may_set(&self, extension: &str, namespace: &str) -> bool {
        let is_own = || self.extensions.get(extension).is_some_and(Extension::is_own);
        extension == namespace || (is_own() && !self.extensions.contains_key(namespace))
    }

    /// The measures of the world from its source: the list at a key.
    pub fn measured(&self, key: &str) -> &[Value] {
        self.said(MEASURED, key)
    }

    /// The page data from the source: the list at a key.
    pub fn page(&self, key: &str) -> &[Value] {
        self.said(PAGE, key)
    }

    fn said(&self, of: &str, key: &str) -> &[Value] {
        let said = self.config.get(SOURCE).and_then(|said| said.get(of)?.get(key)?.as_list());
        said.unwrap_or_default()
    }

    /// How types are drawn: by the enabled extensions, each over those that it needs, and by the source over all of them.
    pub fn looks(&self) -> BTreeMap<Text, Look> {
        let types = |extension: &Extension| {
            let types = entries(&extension.manifest, "spaceTypes").chain(entries(&extension.manifest, "matterTypes"));
            types.filter_map(|item| Some((text(item, "type")?, Look::readable(item.get(LOOK)?)?))).collect::<Vec<_>>()
        };
        let brought = in_order(&self.extensions).into_iter().flat_map(types);
        let own = self.page(LOOKS).iter().filter_map(|item| Some((text(item, "type")?, Look::readable(item)?)));
        let mut looks = BTreeMap::<Text, Look>::new();
        for (kind, look) in brought.chain(own) {
            let below = looks.remove(&kind).unwrap_or_default();
            looks.insert(kind, look.over(below));
        }
        looks
    }
}

impl Operation {
    /// The extension that it comes from.
    pub fn namespace(&self) -> &str {
        self.name.split(':').next().unwrap_or_default()
    }

    /// The things that its facts may touch; a text that is no mark touches nothing.
    pub fn marks(&self) -> impl Iterator<Item = Touch<'_>> {
        self.touches.iter().filter_map(|mark| Touch::parse(mark))
    }

    /// Whether it may move a being that is not its actor.
    pub fn moves_others(&self) -> bool {
        self.marks().any(|mark| mark.is_position)
    }

    /// Its description with the beings that it moves, for people and models.
    pub fn about(&self) -> Text {
        let name = |of: Touched<'_>| match of {
            Touched::Actor => "who does it".to_owned(),
            Touched::Target => "its target".to_owned(),
            Touched::Argument(path) => format!("`{path}`"),
        };
        let moved: Vec<String> = self.marks().filter(|mark| mark.is_position).map(|mark| name(mark.of)).collect();
        if moved.is_empty() {
            return self.description.clone();
        }
        let moved = moved.join(" and ");
        format!("{} It moves {moved} only where both places and the role of whoever is moved let it.", self.description).trim_start().into()
    }
}

/// A see-resolver of an extension.
#[derive(Clone, Debug)]
pub struct Resolver {
    /// `ns:name`.
    pub name: Text,
    /// The script that computes it.
    pub script: Text,
}

/// A rule of the world's own as last set.
#[derive(Clone, Debug)]
pub struct RuleVersion {
    /// The rule as written.
    pub source: Arc<Value>,
    /// The fact that set it.
    pub made: Made,
}

/// Everything registered.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// Roles by name.
    pub roles: BTreeMap<Text, RoleVersion>,
    /// Versions of roles that are in force in a space and those inside it only, by name and space.
    pub local_roles: BTreeMap<Text, BTreeMap<SpaceId, RoleVersion>>,
    /// Scripts by name.
    pub scripts: BTreeMap<Text, Arc<Script>>,
    /// Extensions by name, enabled or not.
    pub extensions: BTreeMap<Text, Extension>,
    /// The operations of the enabled ones.
    pub operations: BTreeMap<Text, Arc<Operation>>,
    /// The resolvers of the enabled ones.
    pub resolvers: BTreeMap<Text, Arc<Resolver>>,
    /// The world's own rules, by their names without the namespace.
    pub rules: BTreeMap<Text, RuleVersion>,
    /// All rules in force, as they are asked.
    pub judges: Judges,
    /// The settings of the whole world.
    pub config: BTreeMap<Text, Arc<Value>>,
    /// The settings that extensions declare, and whether theirs is enabled.
    pub settings: BTreeMap<Text, (bool, Setting)>,
}

impl Registry {
    /// The version of a role that a space has of its own.
    pub fn local_role(&self, name: &str, space: SpaceId) -> Option<&RoleVersion> {
        self.local_roles.get(name)?.get(&space)
    }

    /// Takes versions back that spaces have of their own; a role of which none is left is not listed any more.
    pub(super) fn drop_local(&mut self, is_gone: impl Fn(&Text, SpaceId) -> bool) {
        for (name, places) in &mut self.local_roles {
            places.retain(|space, _| !is_gone(name, *space));
        }
        self.local_roles.retain(|_, places| !places.is_empty());
    }

    /// Lists operations, resolvers, settings and rules again, after an extension has changed.
    pub fn relist(&mut self) {
        self.operations.clear();
        self.resolvers.clear();
        let declared = self.extensions.values().flat_map(|extension| {
            let settings = entries(&extension.manifest, "settings").filter_map(setting);
            settings.map(|setting| (setting.key.clone(), (extension.enabled, setting)))
        });
        self.settings = declared.collect();
        for extension in self.extensions.values().filter(|extension| extension.enabled) {
            for operation in entries(&extension.manifest, "operations").filter_map(operation) {
                self.operations.insert(operation.name.clone(), Arc::new(operation));
            }
            for item in entries(&extension.manifest, "resolvers") {
                if let (Some(name), Some(script)) = (text(item, "name"), text(item, "script")) {
                    self.resolvers.insert(name.clone(), Arc::new(Resolver { name, script }));
                }
            }
        }
        self.rejudge();
    }

    /// Lists the rules again that are in force: of each enabled extension, behind those that it needs, as its manifest lists them; then the
    /// world's own.
    pub(super) fn rejudge(&mut self) {
        // One that is malformed was never let in.
        let compiled =
            |name: &str, source: &Value| self.judges.same(name, source).or_else(|| Judge::compile(name, source).ok().map(Arc::new));
        let brought = in_order(&self.extensions).into_iter().flat_map(|extension| entries(&extension.manifest, "rules"));
        let brought = brought.filter_map(|rule| compiled(rule.get("name")?.as_str()?, rule));
        let own = self.rules.iter().filter_map(|(name, rule)| compiled(&format!("{OWN_RULES}:{name}"), &rule.source));
        self.judges = Judges::of(brought.chain(own));
    }
}

/// The list under a key of a manifest.
pub fn entries<'a>(manifest: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    manifest.get(key).and_then(Value::as_list).unwrap_or_default().iter()
}

fn text(item: &Value, key: &str) -> Option<Text> {
    item.get(key)?.as_text().cloned()
}

fn texts(item: &Value, key: &str) -> Vec<Text> {
    item.get(key).and_then(Value::as_list).unwrap_or_default().iter().filter_map(|item| item.as_text().cloned()).collect()
}

/// A setting that an extension declares: whoever owns a place says it there.
fn setting(item: &Value) -> Option<Setting> {
    let stands = texts(item, "where");
    let merge = text(item, "merge").unwrap_or_else(|| Merge::Nearest.word().into());
    Some(Setting {
        key: text(item, "key")?,
        about: text(item, "about").unwrap_or_else(|| "".into()),
        schema: Arc::new(item.get("schema").cloned().unwrap_or_else(|| Value::Map(Default::default()))),
        default: Arc::new(item.get("default").cloned().unwrap_or_default()),
        stands: SettingPlace::ALL.iter().copied().filter(|stand| stands.iter().any(|word| word.as_ref() == stand.word())).collect(),
        who: Sayer::Owner,
        merge: Merge::ALL.iter().copied().find(|one| one.word() == merge.as_ref())?,
    })
}

fn operation(item: &Value) -> Option<Operation> {
    let schema = item.get("args").cloned().unwrap_or_else(|| Value::map([("type", Value::text("object"))]));
    Some(Operation {
        name: text(item, "name")?,
        description: text(item, "description").unwrap_or_else(|| "".into()),
        schema_hash: Hash::of(&schema.to_canon()),
        schema: Arc::new(schema),
        script: text(item, "script")?,
        target: texts(item, "target"),
        touches: texts(item, "touches"),
        told: text(item, "told"),
    })
}

/// The enabled extensions, each behind those that it needs; among equals, by name.
fn in_order(extensions: &BTreeMap<Text, Extension>) -> Vec<&Extension> {
    let mut left: Vec<&Extension> = extensions.values().filter(|extension| extension.enabled).collect();
    let mut waiting: BTreeSet<&str> = left.iter().map(|extension| extension.name.as_ref()).collect();
    let mut sorted = Vec::new();
    while !left.is_empty() {
        // Of a circle the first goes first: it is no business of the fold's that there is one.
        let at = left.iter().position(|extension| extension.needs().all(|need| !waiting.contains(need.name))).unwrap_or(0);
        let next = left.remove(at);
        waiting.remove(next.name.as_ref());
        sorted.push(next);
    }
    sorted
}
