//! Recast: a world as it is, with other roles, scripts, rules, extensions, flows and settings in place of its own of the same names.
//!
//! Nothing that has happened is otherwise in it: who waits for what, who stands where and what is remembered stay as they were recorded.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{Canon, Hash, Made, Text, Value};
use crate::role::Spec;

use super::otherwise::{OtherLives, OtherThings};
use super::registry::{Registry, RoleVersion, Script};
use super::whole::World;

/// The text of a script that is to stand in place of a recorded one.
#[derive(Clone, Debug)]
pub struct OtherScript {
    /// The file, for messages.
    pub file: Text,
    /// Its text.
    pub source: Text,
}

/// An extension that is to stand in place of a recorded one: whether it is enabled stays as it was.
#[derive(Clone, Debug)]
pub struct OtherExtension {
    /// Its manifest.
    pub manifest: Arc<Value>,
    /// Its roles by name.
    pub roles: BTreeMap<Text, Arc<Spec>>,
    /// Its scripts by name.
    pub scripts: BTreeMap<Text, OtherScript>,
}

/// Other code for worlds. A name stands for what a world has by it at the time; what it has not yet it does not get.
#[derive(Clone, Debug, Default)]
pub struct Recast {
    /// Roles, in place of the whole world's: versions of a space's own stay.
    pub roles: BTreeMap<Text, Arc<Spec>>,
    /// Scripts.
    pub scripts: BTreeMap<Text, OtherScript>,
    /// The world's own rules, as the world records them.
    pub rules: BTreeMap<Text, Arc<Value>>,
    /// Extensions, each with all that it brings.
    pub extensions: BTreeMap<Text, OtherExtension>,
    /// The overrides of things, and of settings of the world.
    pub things: OtherThings,
    /// That, for the history that is recast.
    lives: Option<OtherLives>,
    /// The last registry that was recast, what came of it, and whether other settings are declared there: it hardly ever changes.
    last: Option<(Arc<Registry>, Arc<Registry>, bool)>,
}

impl Recast {
    /// Takes what is said of things for the things of one history, by the world as that was planted. Without it nothing is taken of that.
    pub fn planted(&mut self, begun: Arc<World>) {
        self.lives = Some(OtherLives::of(&self.things, begun));
    }

    /// The values that a world's history has set since it was planted, so that their overrides here do not count.
    pub fn kept(&self, world: &World) -> Vec<String> {
        self.lives.as_ref().map(|lives| lives.kept(world, &self.things.config)).unwrap_or_default()
    }

    /// A world with this code in place of its own.
    pub fn world(&mut self, world: &World) -> World {
        let mut recast = world.clone();
        let known = self.last.take().filter(|(of, ..)| Arc::ptr_eq(of, &world.registry));
        let (of, registry, declares) = known.unwrap_or_else(|| {
            let registry = self.registry(&world.registry, world.planted);
            let declares = registry.settings.values().ne(world.registry.settings.values()) || registry.config != world.registry.config;
            (world.registry.clone(), Arc::new(registry), declares)
        });
        recast.registry = registry.clone();
        self.last = Some((of, registry, declares));
        // While it is planted, what is there is not yet what its source says.
        let is_set = self.lives.as_mut().is_some_and(|lives| world.planted && lives.put(&mut recast));
        if declares || is_set {
            recast.hold();
        }
        recast
    }

    fn registry(&self, of: &Registry, is_planted: bool) -> Registry {
        let mut registry = of.clone();
        if let Some(lives) = self.lives.as_ref().filter(|_| is_planted) {
            registry.config.extend(lives.config(&of.config, &self.things.config).map(|(key, value)| (key.clone(), value.clone())));
        }
        for (name, extension) in &self.extensions {
            // Of one that is switched off nothing can be used, so that nothing of it is put there.
            let Some(known) = registry.extensions.get_mut(name).filter(|known| known.enabled) else { continue };
            known.manifest = extension.manifest.clone();
            extension.scripts.iter().for_each(|(name, script)| put_script(&mut registry, name, script));
            extension.roles.iter().for_each(|(role, spec)| put_role(&mut registry, role, name, spec));
        }
        // A role given by its own name goes before the role of an extension.
        for (name, spec) in &self.roles {
            if registry.roles.contains_key(name) {
                put_role(&mut registry, name, "world", spec);
            }
        }
        for (name, script) in &self.scripts {
            if registry.scripts.contains_key(name) {
                put_script(&mut registry, name, script);
            }
        }
        for (name, rule) in &self.rules {
            if let Some(known) = registry.rules.get_mut(name) {
                known.source = rule.clone();
            }
        }
        registry.relist();
        registry
    }
}

/// Puts a role in the place of the one that is there; who set that and as which version stays as it was, for nothing was set.
fn put_role(registry: &mut Registry, name: &Text, origin: &str, spec: &Arc<Spec>) {
    let source = spec.to_value();
    let hash = Hash::of(&source.to_canon());
    let role = registry.roles.entry(name.clone()).or_insert_with(|| RoleVersion {
        spec: spec.clone(),
        source: Arc::default(),
        hash,
        origin: origin.into(),
        made: Made::default(),
        version: 1,
    });
    (role.spec, role.source, role.hash) = (spec.clone(), Arc::new(source), hash);
}

fn put_script(registry: &mut Registry, name: &Text, script: &OtherScript) {
    let OtherScript { file, source } = script.clone();
    let set_at = registry.scripts.get(name).map_or(0, |known| known.set_at);
    let hash = Hash::of(source.as_bytes());
    registry.scripts.insert(name.clone(), Arc::new(Script { name: name.clone(), file, source, hash, set_at }));
}
