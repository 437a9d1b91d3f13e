//! The gate's first rule: the worn role has an entry that matches the concrete target. [`right`](super::right) asks the others.

use crate::fact::{BeingId, Code, Reason, Thing, Value, Verb};
use crate::role::{Entry, Rel, Worn};
use crate::world::{Being, World};

use super::address::{Named, address_of};

/// Who asks, and as what.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    /// The world as it is.
    pub world: &'a World,
    /// Who acts.
    pub actor: &'a Being,
    /// The role worn.
    pub worn: &'a Worn,
    /// Who woke it.
    pub caller: Option<BeingId>,
}

impl Asker<'_> {
    /// Why nothing in the worn role's list of a verb covers something: it is narrowed to other verbs, or has no such entry.
    fn unlisted(&self, verb: Verb, place: impl AsRef<str>) -> Reason {
        if self.worn.only.contains(verb) { Reason::new(Code::GateRole, place) } else { Reason::new(Code::GateNarrowed, verb.word()) }
    }

    /// Whether the role's canSee, or canSummon, has an entry for a thing.
    pub fn may_reach(&self, verb: Verb, thing: Thing) -> Result<(), Reason> {
        let entries = self.worn.list(verb);
        if entries.iter().any(|entry| self.matches(entry, thing)) {
            Ok(())
        } else {
            Err(self.unlisted(verb, address_of(self.world, thing)))
        }
    }

    /// Whether the role's canSee has an entry for what an address names.
    pub fn may_see(&self, named: &Named) -> Result<(), Reason> {
        match named {
            Named::Thing(thing) => self.may_reach(Verb::See, *thing),
            Named::Register { of, register, entry } => {
                let home = address_of(self.world, *of);
                let address = format!("{}/.{register}", home.trim_end_matches('/'));
                let full = format!("{address}/{entry}");
                // As in a shell, what begins with a dot is meant only where a dot is written: `/**` is places, not the world's books.
                let is_meant = |glob: &str| glob == "**" || glob.contains("/.");
                let covers = |entry: &Entry| match entry {
                    Entry::Name(glob) => is_meant(glob.as_str()) && (glob.matches(&address) || glob.matches(&full)),
                    Entry::Rel(_) | Entry::Pattern(_) | Entry::Bound { .. } => false,
                };
                // What a being knows of itself is its own to read.
                let own = *of == Thing::Being(self.actor.id) && self.worn.only.contains(Verb::See);
                if own || self.worn.list(Verb::See).iter().any(covers) { Ok(()) } else { Err(self.unlisted(Verb::See, address)) }
            }
        }
    }

    /// Whether the role's canDo has an entry for an action on a thing.
    pub fn may_do(&self, action: &str, thing: Thing, args: &Value) -> Result<(), Reason> {
        let matches = |entry: &Entry| match entry {
            Entry::Name(_) => entry.covers_action(action),
            Entry::Bound { action: _, on, ns } => {
                let path = args.get("path").and_then(Value::as_str).unwrap_or_default();
                let first = path.split('.').next().unwrap_or_default();
                entry.covers_action(action)
                    && on.as_deref().is_none_or(|on| self.matches(on, thing))
                    && ns.as_ref().is_none_or(|ns| ns.matches(first))
            }
            Entry::Rel(_) | Entry::Pattern(_) => false,
        };
        if self.worn.list(Verb::Do).iter().any(matches) { Ok(()) } else { Err(self.unlisted(Verb::Do, action)) }
    }

    /// The same before its arguments are known: a namespace that an entry binds may still be named.
    pub fn could_do(&self, action: &str, thing: Thing) -> Result<(), Reason> {
        let matches = |entry: &Entry| match entry {
            Entry::Name(_) => entry.covers_action(action),
            Entry::Bound { on, .. } => entry.covers_action(action) && on.as_deref().is_none_or(|on| self.matches(on, thing)),
            Entry::Rel(_) | Entry::Pattern(_) => false,
        };
        if self.worn.list(Verb::Do).iter().any(matches) { Ok(()) } else { Err(self.unlisted(Verb::Do, action)) }
    }

    /// The same of an operation on identity before it is known on whom.
    pub fn could_be(&self, operation: &str) -> Result<(), Reason> {
        let covers = |entry: &Entry| match entry {
            Entry::Name(glob) => glob.matches(operation),
            Entry::Bound { .. } => entry.covers_action(operation),
            Entry::Rel(_) | Entry::Pattern(_) => false,
        };
        if self.worn.list(Verb::Be).iter().any(covers) { Ok(()) } else { Err(self.unlisted(Verb::Be, operation)) }
    }

    /// Whether the role's canBe has an entry for an operation on a being; without one, on nobody yet.
    pub fn may_be(&self, operation: &str, thing: Option<Thing>) -> Result<(), Reason> {
        let covers = |entry: &Entry| match entry {
            Entry::Name(glob) => glob.matches(operation),
            Entry::Bound { on, .. } => {
                entry.covers_action(operation) && on.as_deref().is_none_or(|on| thing.is_some_and(|thing| self.matches(on, thing)))
            }
            Entry::Rel(_) | Entry::Pattern(_) => false,
        };
        if self.worn.list(Verb::Be).iter().any(covers) { Ok(()) } else { Err(self.unlisted(Verb::Be, operation)) }
    }

    /// Whether an entry's token holds for a thing: a predicate over the concrete thing, never a list of candidates.
    pub fn matches(&self, entry: &Entry, thing: Thing) -> bool {
        match entry {
            Entry::Name(glob) => names(self.world, thing).iter().any(|name| glob.matches(name)),
            Entry::Pattern(glob) => patterns(self.world, thing).iter().any(|name| glob.matches(name)),
            Entry::Rel(rel) => self.related(*rel, thing),
            Entry::Bound { .. } => false,
        }
    }

    fn related(&self, rel: Rel, thing: Thing) -> bool {
        let actor = self.actor;
        let is = |being: Option<BeingId>| being.is_some_and(|being| thing == Thing::Being(being));
        match rel {
            // A space lies in itself.
            Rel::Here => self.world.space_of(thing) == Some(actor.position),
            Rel::SelfRel => thing == Thing::Being(actor.id) || self.held_by_actor(thing),
            Rel::Home => thing == Thing::Space(actor.home),
            Rel::Parent => is(actor.parent),
            Rel::Children | Rel::AnyChild => {
                matches!(thing, Thing::Being(id) if self.world.being(id).is_some_and(|being| being.parent == Some(actor.id)))
            }
            Rel::Caller => is(self.caller),
            Rel::Predecessor => is(predecessor(self.world, actor)),
        }
    }

    fn held_by_actor(&self, thing: Thing) -> bool {
        matches!(thing, Thing::Matter(id) if self.world.holder_of(id) == Some(self.actor.id))
    }
}

/// The being born before another of the same parent.
pub fn predecessor(world: &World, being: &Being) -> Option<BeingId> {
    world.children_of(being.parent?).take_while(|sibling| *sibling < being.id).last()
}

/// What an entry's name may be compared with: the address, the bare name, the type; for a being also the roles it wears.
fn names(world: &World, thing: Thing) -> Vec<String> {
    let mut names = vec![address_of(world, thing)];
    match thing {
        Thing::Being(id) => names.extend(world.being(id).into_iter().flat_map(|being| {
            let roles = being.default_role.iter().chain(being.wearing.iter());
            std::iter::once(&being.name).chain(roles).map(ToString::to_string).collect::<Vec<_>>()
        })),
        Thing::Space(id) => names.extend(world.space(id).into_iter().flat_map(|space| [space.name.to_string(), space.kind.to_string()])),
        Thing::Matter(id) => {
            names.extend(world.matter(id).into_iter().flat_map(|matter| [matter.name.to_string(), matter.kind.to_string()]))
        }
    }
    names
}

/// What a pattern such as `fitness/@coach` is compared with: place and name, place and each role.
fn patterns(world: &World, thing: Thing) -> Vec<String> {
    let Thing::Being(id) = thing else { return vec![address_of(world, thing).trim_start_matches('/').to_owned()] };
    let Some(being) = world.being(id) else { return Vec::new() };
    let path = world.path_of(being.position);
    let place = path.trim_start_matches('/');
    let slash = if place.is_empty() { "" } else { "/" };
    let roles = being.default_role.iter().chain(being.wearing.iter());
    std::iter::once(&being.name).chain(roles).map(|name| format!("{place}{slash}@{name}")).collect()
}
