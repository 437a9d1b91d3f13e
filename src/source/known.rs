//! Known: what there is in a world that a role or a flow may name, gathered once for all that is doubted.

use std::collections::BTreeSet;

use crate::fact::{Text, Value, Verb};
use crate::moment::residents;
use crate::role::{Entry, Glob, SIGNAL_SET, Spec, overlap};
use crate::verb::{Address, BE_OPERATIONS, RECENT, SHELF, core_resolvers, in_brackets, operations};
use crate::world::{World, entries};

use super::quality_writers::QualityWriters;

/// The names that roles, rules and flows may use.
pub(super) struct Nameable<'a> {
    pub(super) world: &'a World,
    pub(super) operations: BTreeSet<Text>,
    pub(super) bindings: BTreeSet<Text>,
    pub(super) resolvers: BTreeSet<Text>,
    /// Names and types of things, of those that extensions declare too, and roles.
    names: BTreeSet<Text>,
    /// The signals that are set, or that an extension says it sets.
    pub(super) signals: BTreeSet<Text>,
    /// The namespaces whose signals some role may set.
    bound: Vec<Glob>,
    /// What writes qualities.
    pub(super) writers: QualityWriters,
}

/// Where a role comes from that every world has.
const BUILT_IN: &str = "reelm";

/// The signals that the script of an operation sets by their names in quotes.
fn signals_set(world: &World, operation: &Value) -> Vec<Text> {
    let script = operation.get("script").and_then(Value::as_str).and_then(|name| world.registry().scripts.get(name));
    let texts = script.map(|script| script.source.split("signal.set").skip(1)).into_iter().flatten();
    let named = texts.filter_map(|behind| behind.split_once("path: \"")?.1.split_once('"'));
    named.map(|(path, _)| Text::from(path)).collect()
}

impl<'a> Nameable<'a> {
    pub(super) fn of(world: &'a World) -> Self {
        let registry = world.registry();
        let mut known = Self {
            world,
            operations: operations(world).into_iter().map(|operation| operation.name).collect(),
            bindings: BE_OPERATIONS.iter().map(|(name, ..)| Text::from(*name)).collect(),
            resolvers: core_resolvers().map(Text::from).chain(registry.resolvers.keys().cloned()).collect(),
            names: registry.roles.keys().cloned().collect(),
            signals: BTreeSet::new(),
            bound: Vec::new(),
            writers: QualityWriters::of(world),
        };
        leaves("", &world.signals().to_value(), &mut known.signals);
        known.names.extend(world.beings().map(|being| being.name.clone()));
        known.names.extend(world.spaces().flat_map(|space| [space.name.clone(), space.kind.clone()]));
        known.names.extend(world.all_matter().flat_map(|matter| [matter.name.clone(), matter.kind.clone()]));
        for extension in registry.extensions.values() {
            let declared = |key: &'static str, field: &'static str| {
                entries(&extension.manifest, key).filter_map(move |item| item.get(field).and_then(Value::as_text).cloned())
            };
            known.names.extend(declared("matterTypes", "type").chain(declared("spaceTypes", "type")));
            known.signals.extend(declared("signals", "path"));
            known.signals.extend(entries(&extension.manifest, "operations").flat_map(|operation| signals_set(world, operation)));
        }
        let own = registry.roles.values().filter(|role| role.origin.as_ref() != BUILT_IN);
        known.bound = own.flat_map(|role| &role.spec.can_do).filter_map(signals_bound).collect();
        known
    }

    /// Whether something can be shown under a name as a role writes it, with its brackets.
    pub(super) fn has_resolver(&self, written: &str) -> bool {
        match in_brackets(written.strip_suffix('?').unwrap_or(written)) {
            (RECENT, count) => count.is_some_and(|count| count.parse::<usize>().is_ok()),
            (SHELF, address) => address.is_some_and(|address| address.parse::<Address>().is_ok()),
            (name, None) => self.resolvers.contains(name),
            (_, Some(_)) => false,
        }
    }

    /// Whether somebody sets a signal, or some role that is no resident's may.
    pub(super) fn is_set(&self, signal: &str) -> bool {
        let first = signal.split('.').next().unwrap_or_default();
        let is_declared = self.signals.iter().any(|known| overlap(known, signal));
        is_declared || self.bound.iter().any(|ns| ns.matches(first))
    }

    /// Whether a bare name is that of a thing, a type or a role.
    pub(super) fn is_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether something stands at an address, or may come to: what lies somewhere is carried, and a script may make it.
    pub(super) fn may_stand(&self, address: &str) -> bool {
        // Where an address begins at the place of whoever speaks, nobody is asked.
        if !address.starts_with(['@', '/']) || address.starts_with("/~") || self.is_address(address) {
            return true;
        }
        let name = address.rsplit(['/', '@']).next().unwrap_or_default();
        let is_held = address.split_once('/').is_some_and(|(holder, _)| holder.is_empty() || self.may_stand(holder));
        (is_held && self.is_name(name)) || self.is_said(name)
    }

    /// Whether a script says a name in quotation marks, or how the name begins.
    fn is_said(&self, name: &str) -> bool {
        let begins = name.rfind('-').and_then(|dash| name.get(..=dash));
        let begun = begins.into_iter().flat_map(|begins| [format!("\"{begins}"), format!("`{begins}")]);
        let said: Vec<String> = begun.chain([format!("\"{name}\"")]).collect();
        self.world.registry().scripts.values().any(|script| said.iter().any(|said| script.source.contains(said.as_str())))
    }

    /// The known names, to find the nearest.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(AsRef::as_ref)
    }
}

/// The namespaces whose signals an entry lets its wearer set.
fn signals_bound(entry: &Entry) -> Option<Glob> {
    match entry {
        Entry::Bound { ns: Some(ns), .. } if entry.covers_action(SIGNAL_SET) => Some(ns.clone()),
        Entry::Name(_) | Entry::Rel(_) | Entry::Pattern(_) | Entry::Bound { .. } => None,
    }
}

/// Whether a role comes with every world.
pub(super) fn is_built_in(origin: &str) -> bool {
    origin == BUILT_IN
}

/// The roles that every world has beside its operator's.
pub(super) fn built_in() -> Vec<Spec> {
    let residents = residents();
    let roles = residents.get("roles").and_then(Value::as_list).unwrap_or_default();
    roles.iter().filter_map(|role| Spec::from_value(role).ok()).collect()
}

/// The paths of everything in a nested map that is no map itself.
fn leaves(path: &str, value: &Value, found: &mut BTreeSet<Text>) {
    match value {
        Value::Map(map) => {
            for (key, value) in map {
                leaves(&if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }, value, found);
            }
        }
        _ => {
            found.insert(path.into());
        }
    }
}

/// The verbs whose lists name things, and not actions.
pub(super) const OF_THINGS: [Verb; 2] = [Verb::See, Verb::Summon];
