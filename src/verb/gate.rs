//! The gate's first rule: the worn role has an entry that matches the concrete target. [`right`](super::right) asks the others.

use crate::fact::{BeingId, Code, Millis, Reason, SpaceId, Thing, Value, Verb};
use crate::role::{Entry, Lent, Worn};
use crate::world::{Being, Standpoint, World, address_of};

use super::address::Named;
use super::op::core;

/// The being that the gate judges, and the stack that it wears.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    /// The world as it is.
    pub world: &'a World,
    /// The being that acts.
    pub actor: &'a Being,
    /// The role worn.
    pub worn: &'a Worn,
    /// The being that woke it.
    pub caller: Option<BeingId>,
    /// When: what others wear is what they wear then.
    pub at: Millis,
}

impl<'a> Asker<'a> {
    /// The being whose lineage and places count, as far as is known beforehand: itself, or whoever woke it where its role acts for them.
    pub fn accountable(&self) -> &'a Being {
        let caller = self.caller.filter(|_| self.worn.acts_for_caller);
        caller.and_then(|caller| self.world.being(caller)).map_or(self.actor, AsRef::as_ref)
    }

    fn standpoint(&self) -> Standpoint<'a> {
        Standpoint { world: self.world, being: self.actor, caller: self.caller, at: self.at }
    }

    /// Whether an entry's token holds for a thing.
    pub fn matches(&self, entry: &Entry, thing: Thing) -> bool {
        self.standpoint().matches(entry, thing)
    }

    /// Why nothing in the worn role's list of a verb covers something: it is narrowed to other verbs, or has no such entry.
    fn unlisted(&self, verb: Verb, place: impl AsRef<str>) -> Reason {
        if self.worn.only.contains(verb) { Reason::new(Code::GateRole, place) } else { Reason::new(Code::GateNarrowed, verb.word()) }
    }

    /// Whether a list has an entry for a thing, as far as the test says; one that a space lends counts only for what is inside that space.
    fn has(&self, verb: Verb, thing: Thing, test: impl Fn(&Entry) -> bool) -> bool {
        let is_inside =
            |space: SpaceId| self.world.space_of(thing).is_some_and(|at| self.world.upward(at).any(|around| around.id == space));
        let lent = |lent: &Lent| lent.list(verb).iter().any(&test) && is_inside(lent.space);
        self.worn.list(verb).iter().any(&test) || self.worn.lent.iter().any(lent)
    }

    /// Whether the role's canSee, or canSummon, has an entry for a thing.
    pub fn may_reach(&self, verb: Verb, thing: Thing) -> Result<(), Reason> {
        let point = self.standpoint();
        if self.has(verb, thing, |entry| point.matches(entry, thing)) {
            Ok(())
        } else {
            Err(self.unlisted(verb, address_of(self.world, thing)))
        }
    }

    /// Whether the role's canSee lists everything, or all places and all beings.
    pub fn sees_all(&self) -> bool {
        let entries = self.worn.list(Verb::See);
        let has = |wanted: &str| entries.iter().any(|entry| matches!(entry, Entry::Name(glob) if glob.as_str() == wanted));
        has("**") || (has("/**") && has("@*"))
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
                // A being may read what it knows of itself, and how far what it began has come.
                // And two registers that show nobody what is not theirs to see: the outbox, and who is at what.
                let is_filtered = matches!((of, register.as_ref(), entry.as_ref()), (Thing::Space(SpaceId::ROOT), "outbox" | "claims", ""));
                let own = (*of == Thing::Being(self.actor.id) || self.began(named) || is_filtered) && self.worn.only.contains(Verb::See);
                if own || self.has(Verb::See, *of, covers) { Ok(()) } else { Err(self.unlisted(Verb::See, address)) }
            }
        }
    }

    /// Whether what an address names is a thread that the being itself began.
    fn began(&self, named: &Named) -> bool {
        let Named::Register { of: Thing::Space(SpaceId::ROOT), register, entry } = named else { return false };
        let count = entry.parse().ok().filter(|_| register.as_ref() == "threads").and_then(|root| self.world.root_count(root));
        count.is_some_and(|count| count.began == Some(self.actor.id))
    }

    /// Whether the role's canDo has an entry for an action on a thing.
    pub fn may_do(&self, action: &str, thing: Thing, args: &Value) -> Result<(), Reason> {
        let (point, ns) = (self.standpoint(), namespace_of(args));
        if self.does(action, thing, |entry| point.covers(entry, action, thing, Some(ns))) {
            Ok(())
        } else {
            Err(self.unlisted(Verb::Do, action))
        }
    }

    /// Whether canDo has an entry for an action on a thing; what a space lends changes no authority.
    fn does(&self, action: &str, thing: Thing, test: impl Fn(&Entry) -> bool) -> bool {
        let is_authority = || core(action).is_some_and(|(core, _)| core.rule.is_authority());
        if self.worn.lent.is_empty() || is_authority() {
            self.worn.list(Verb::Do).iter().any(test)
        } else {
            self.has(Verb::Do, thing, test)
        }
    }

    /// The same before its arguments are known: a namespace that an entry binds may still be named.
    pub fn could_do(&self, action: &str, thing: Thing) -> Result<(), Reason> {
        let point = self.standpoint();
        if self.does(action, thing, |entry| point.covers(entry, action, thing, None)) {
            Ok(())
        } else {
            Err(self.unlisted(Verb::Do, action))
        }
    }

    /// Whether canDo has an entry for an action, on whatever.
    pub fn lists_act(&self, action: &str) -> Result<(), Reason> {
        if self.worn.entries(Verb::Do).any(|entry| entry.covers_action(action)) { Ok(()) } else { Err(self.unlisted(Verb::Do, action)) }
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
        let point = self.standpoint();
        let covers = |entry: &Entry| match entry {
            Entry::Name(glob) => glob.matches(operation),
            Entry::Bound { on, .. } => {
                entry.covers_action(operation) && on.as_deref().is_none_or(|on| thing.is_some_and(|thing| point.matches(on, thing)))
            }
            Entry::Rel(_) | Entry::Pattern(_) => false,
        };
        if self.worn.list(Verb::Be).iter().any(covers) { Ok(()) } else { Err(self.unlisted(Verb::Be, operation)) }
    }
}

/// The namespace that an act's arguments name.
pub(super) fn namespace_of(args: &Value) -> &str {
    args.get("path").and_then(Value::as_str).and_then(|path| path.split('.').next()).unwrap_or_default()
}
