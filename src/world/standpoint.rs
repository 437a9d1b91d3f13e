//! Standpoint: whether an entry of a can* list, a rule or a watch covers a concrete thing, from where a being stands.
//!
//! A predicate over the thing, never a list of candidates. The room `role` defines entries and their notation.

use crate::fact::{BeingId, Millis, Text, Thing};
use crate::role::{Entry, Glob, Rel};

use super::being::Being;
use super::called::{address_of, names};
use super::whole::World;

/// The being and instant from which `here`, `self`, `home` and `caller` are read.
#[derive(Clone, Copy)]
pub struct Standpoint<'a> {
    /// The world as it is.
    pub world: &'a World,
    /// The being that stands there.
    pub being: &'a Being,
    /// The being that woke it.
    pub caller: Option<BeingId>,
    /// When: what others wear is what they wear then.
    pub at: Millis,
}

impl Standpoint<'_> {
    /// Whether an entry of actions covers this one on a thing, in a namespace. Without one, what an entry binds of namespaces is not asked.
    pub fn covers(&self, entry: &Entry, action: &str, thing: Thing, namespace: Option<&str>) -> bool {
        entry.covers_action(action)
            && match entry {
                Entry::Bound { action: _, on, ns } => {
                    on.as_deref().is_none_or(|on| self.matches(on, thing))
                        && namespace.is_none_or(|namespace| ns.as_ref().is_none_or(|ns| ns.matches(namespace)))
                }
                Entry::Name(_) | Entry::Rel(_) | Entry::Pattern(_) => true,
            }
    }

    /// Whether an entry's token holds for a thing.
    pub fn matches(&self, entry: &Entry, thing: Thing) -> bool {
        match entry {
            Entry::Name(glob) => names(self.world, thing).iter().any(|name| glob.matches(name)) || self.wears_like(glob, thing),
            Entry::Pattern(glob) => self.fits(glob, thing),
            Entry::Rel(rel) => self.related(*rel, thing),
            Entry::Bound { .. } => false,
        }
    }

    fn related(&self, rel: Rel, thing: Thing) -> bool {
        let being = self.being;
        let is = |other: Option<BeingId>| other.is_some_and(|other| thing == Thing::Being(other));
        match rel {
            // A space lies in itself.
            Rel::Here => self.world.space_of(thing) == Some(being.position),
            Rel::SelfRel => thing == Thing::Being(being.id) || self.holds(thing),
            Rel::Home => thing == Thing::Space(being.home),
            Rel::Parent => is(being.parent),
            Rel::Children | Rel::AnyChild => {
                matches!(thing, Thing::Being(id) if self.world.being(id).is_some_and(|child| child.parent == Some(being.id)))
            }
            Rel::Caller => is(self.caller),
            Rel::Predecessor => is(self.world.predecessor(being)),
        }
    }

    /// Whether a being wears a role of a name like this. No role is named like an address, so for those nobody's flow is asked.
    fn wears_like(&self, glob: &Glob, thing: Thing) -> bool {
        let Thing::Being(id) = thing else { return false };
        !glob.as_str().starts_with(['/', '@']) && self.world.wears(id, self.at).iter().any(|role| glob.matches(role))
    }

    /// Whether a thing is as a pattern such as `fitness/@coach` says: place and name, or place and a role that is worn.
    fn fits(&self, glob: &Glob, thing: Thing) -> bool {
        let Thing::Being(id) = thing else { return glob.matches(address_of(self.world, thing).trim_start_matches('/')) };
        let Some(being) = self.world.being(id) else { return false };
        let path = self.world.path_of(being.position);
        let place = path.trim_start_matches('/');
        let slash = if place.is_empty() { "" } else { "/" };
        let is_like = |name: &Text| glob.matches(&format!("{place}{slash}@{name}"));
        is_like(&being.name) || self.world.wears(id, self.at).iter().any(is_like)
    }

    fn holds(&self, thing: Thing) -> bool {
        matches!(thing, Thing::Matter(id) if self.world.holder_of(id) == Some(self.being.id))
    }
}
