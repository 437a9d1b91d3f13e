//! Brings: what an extension adds to a world, in words: what can be done with it, what it forbids, who it lets be what.

use crate::extension::{Package, pinned};
use crate::fact::{Text, Value, Verb, plain};
use crate::role::{Entry, Spec};
use crate::world::World;

/// The contents of an extension: its manifest, roles and scripts.
pub struct Brings<'a> {
    manifest: Value,
    roles: Vec<&'a Spec>,
    scripts: Vec<&'a str>,
}

impl<'a> Brings<'a> {
    /// The contents of a package that is not in the world.
    pub fn of(package: &'a Package) -> Self {
        let scripts = package.scripts.iter().map(|script| script.name.as_str()).collect();
        Self { manifest: package.clone().pin().manifest_value(), roles: package.specs().collect(), scripts }
    }

    /// The contents of an extension that a world has.
    pub fn in_world(world: &'a World, name: &str) -> Option<Self> {
        let registry = world.registry();
        let extension = registry.extensions.get(name)?;
        let roles = registry.roles.values().filter(|role| role.origin.as_ref() == name).map(|role| role.spec.as_ref());
        let own = |script: &&Text| script.split_once('/').is_some_and(|(space, _)| space == name);
        let scripts = registry.scripts.keys().filter(own).map(AsRef::as_ref);
        Some(Self { manifest: (*extension.manifest).clone(), roles: roles.collect(), scripts: scripts.collect() })
    }

    /// All of it as one value.
    pub fn to_value(&self) -> Value {
        let mut whole = self.manifest.as_map().cloned().unwrap_or_default();
        whole.insert("roles".into(), Value::List(self.roles.iter().map(|role| role.to_value()).collect()));
        whole.insert("scripts".into(), Value::List(self.scripts.iter().map(Value::text).collect()));
        Value::Map(whole)
    }

    /// A line for each thing of it.
    pub fn words(&self) -> String {
        let text = |key: &str| self.manifest.get(key).and_then(Value::as_str).unwrap_or("?").to_owned();
        let mut lines = vec![one_line(&format!("{} {}: {}", text("name"), text("version"), text("description")))];
        let mut say = |kind: &str, what: String| lines.push(format!("  {kind:<10} {}", one_line(&what)));
        say("hash", pinned(&self.manifest).unwrap_or("not pinned").to_owned());
        for (name, wanted) in self.manifest.get("needs").and_then(Value::as_map).into_iter().flatten() {
            say("needs", format!("{name} {}", wanted.as_str().unwrap_or_default()));
        }
        self.items("operations").for_each(|item| say("operation", operation(item)));
        self.items("resolvers").for_each(|item| say("resolver", part(item, "name")));
        self.items("rules").for_each(|item| say("rule", rule(item)));
        self.roles.iter().for_each(|spec| say("role", role(spec)));
        self.items("settings").for_each(|item| say("setting", setting(item)));
        self.items("signals").for_each(|item| say("signal", format!("world.{}", part(item, "path"))));
        self.items("matterTypes").for_each(|item| say("matter", part(item, "type")));
        self.items("spaceTypes").for_each(|item| say("space", part(item, "type")));
        self.scripts.iter().for_each(|name| say("script", (*name).to_owned()));
        lines.join("\n")
    }

    fn items(&self, key: &str) -> impl Iterator<Item = &Value> {
        if let Some(Value::List(list)) = self.manifest.get(key) { list.as_slice() } else { &[] }.iter()
    }
}

/// Words of whoever wrote the extension.
fn one_line(words: &str) -> String {
    plain(words).collect()
}

fn part(item: &Value, key: &str) -> String {
    item.get(key).map(shown).unwrap_or_default()
}

/// A value as one reads it: text without its quotes.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The texts of a list, or what stands for none.
fn list(item: &Value, key: &str, none: &str) -> String {
    let Some(Value::List(list)) = item.get(key) else { return none.to_owned() };
    if list.is_empty() { none.to_owned() } else { list.iter().map(shown).collect::<Vec<_>>().join(", ") }
}

fn operation(item: &Value) -> String {
    format!(
        "{} on {}; touches {}",
        part(item, "name"),
        list(item, "target", "anything"),
        list(item, "touches", "nothing but what it makes")
    )
}

fn rule(item: &Value) -> String {
    let says = if item.get("refuse").is_some() { format!("refuses: {}", part(item, "refuse")) } else { "asks its script".to_owned() };
    format!("{} on {}; {says}", part(item, "name"), list(item, "on", "nothing"))
}

fn setting(item: &Value) -> String {
    format!(
        "{} at {}, {}; {} where nobody says it",
        part(item, "key"),
        list(item, "where", "nothing"),
        part(item, "merge"),
        part(item, "default")
    )
}

fn role(spec: &Spec) -> String {
    let entries = |list: &[Entry]| list.iter().map(|entry| shown(&entry.to_value())).collect::<Vec<_>>().join(", ");
    let mut parts = vec![spec.name.to_string()];
    for (verb, says) in [(Verb::Do, "does"), (Verb::See, "sees"), (Verb::Summon, "speaks to"), (Verb::Be, "binds")] {
        if !spec.list(verb).is_empty() {
            parts.push(format!("{says} {}", entries(spec.list(verb))));
        }
    }
    if !spec.watch.is_empty() {
        parts.push(format!("watches {}", entries(&spec.watch)));
    }
    if !spec.lets.is_empty() {
        parts.push(format!("lets itself be moved by {}", spec.lets.iter().map(|glob| glob.as_str()).collect::<Vec<_>>().join(", ")));
    }
    if spec.acts_for_caller {
        parts.push("acts for whoever asks".to_owned());
    }
    parts.join("; ")
}
