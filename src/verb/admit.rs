//! Admit: what the role, the target, the place and the size alone say of a call, before anything reads its arguments.
//!
//! A call refused here costs little: only the hash and length of its arguments are kept, and replay decides the same from those.

use crate::fact::{BeingId, Call, Code, Content, Reason, SpaceId, Thing, Trigger, Value, Verb};
use crate::role::SIGNAL_SET;
use crate::world::{Being, Extension, Operation, STEWARD, World, address_of, entries, extension_of};

use super::actions::SUMMON;
use super::actor::Actor;
use super::address::Named;
use super::be::OPERATIONS;
use super::claimed::names_no_target;
use super::draftable::{is_guarded, only_drafts};
use super::drafted::BE;
use super::op::{Core, core, is_of};
use super::right::Rule;

/// The largest arguments and words of a call, in canonical bytes.
pub const ARGS_MAX: u64 = 4 << 20;

/// A call that nothing speaks against so far; only such a one can be carried out.
pub struct Admitted<'c> {
    pub(super) actor: &'c Actor<'c>,
    pub(super) call: &'c Call,
    pub(super) bound: &'c Result<Named, Reason>,
}

impl Actor<'_> {
    /// Asks, in this order: whether it is narrowed to other verbs, the target, the worn role as far as it does not read arguments, the place,
    /// the size.
    pub fn admit<'c>(&'c self, call: &'c Call, bound: &'c Result<Named, Reason>) -> Result<Admitted<'c>, Reason> {
        if !self.worn.only.contains(call.verb) {
            return Err(Reason::new(Code::GateNarrowed, call.verb.word()));
        }
        match call.verb {
            Verb::See => self.admit_look(&bound.clone()?)?,
            Verb::Do => self.admit_act(call, bound)?,
            Verb::Summon => self.admit_summons(bound)?,
            Verb::Be => {
                self.asker().could_be(&call.action)?;
                if !OPERATIONS.iter().any(|(name, ..)| *name == call.action.as_ref()) {
                    return Err(Reason::new(Code::UnknownOperation, &call.action));
                }
                self.changes(&format!("{BE}{}", call.action))?;
            }
        }
        match call.size() {
            size if size > ARGS_MAX => Err(Reason::new(Code::ArgsSize, size.to_string())),
            _ => Ok(Admitted { actor: self, call, bound }),
        }
    }

    /// A being that acts for another looks only at what that other may see too.
    fn admit_look(&self, named: &Named) -> Result<(), Reason> {
        self.asker().may_see(named)?;
        let actor = self.accountable();
        match self.on_behalf(actor).filter(|_| actor.id != self.being.id) {
            Some(asker) => asker.may_see(named),
            None => Ok(()),
        }
    }

    /// The same of a summons, which may also be a step of an operation.
    pub(super) fn admit_summons(&self, bound: &Result<Named, Reason>) -> Result<(), Reason> {
        let (asker, thing) = (self.asker(), self.bound_thing(bound)?);
        let to = addressee(self.world, thing)?;
        // The right to speak to a place includes the being that answers there.
        asker.may_reach(Verb::Summon, thing).or_else(|reason| asker.may_reach(Verb::Summon, Thing::Being(to)).map_err(|_| reason))?;
        self.may_ask(to)?;
        // Nobody is told that it was done where nothing can come of it.
        if self.world.being(to).is_some_and(|to| !to.listens.contains(&Trigger::Message)) {
            return Err(Reason::new(Code::Unheard, address_of(self.world, Thing::Being(to))));
        }
        if self.world.being(to).is_some_and(|to| self.world.is_full_for(to, self.accountable())) {
            return Err(Reason::new(Code::InboxFull, address_of(self.world, Thing::Being(to))));
        }
        Ok(())
    }

    fn admit_act(&self, call: &Call, bound: &Result<Named, Reason>) -> Result<(), Reason> {
        let (action, known) = (call.action.as_ref(), core(&call.action));
        let is_root = matches!(bound, Ok(Named::Thing(Thing::Space(SpaceId::ROOT))));
        if known.is_some_and(|(core, _)| core.rule == Rule::Claim) && !is_root {
            self.knows(bound, &call.target)?;
        }
        let target = self.bound_thing(bound)?;
        if known.is_some_and(|(core, _)| names_no_target(core, target)) {
            self.asker().lists_act(action)?;
        } else {
            self.asker().could_do(action, target)?;
        }
        match (known, self.world.registry().operations.get(action)) {
            (Some((core, _)), _) => self.stands(core, target, &[action]),
            (None, Some(operation)) => self.reaches(operation, target, &[&operation.name]),
            (None, None) => Err(unknown(self.world, action)),
        }
    }

    /// The second and third rule of a core operation, as far as they depend on the target alone.
    pub(super) fn stands(&self, core: &Core, target: Thing, names: &[&str]) -> Result<(), Reason> {
        self.is_kind(core.target.iter().copied(), target)?;
        self.thaws(core.name, target)?;
        if is_guarded(core) {
            self.changes(core.name)?;
        }
        let actor = self.accountable();
        if actor.id != self.being.id && core.name == SIGNAL_SET {
            let asker = self.on_behalf(actor).ok_or_else(|| Reason::new(Code::GateRole, core.name))?;
            return asker.could_do(core.name, target);
        }
        // It asks that itself, of each thing that it names.
        if core.rule == Rule::Claim {
            return Ok(());
        }
        // An operation that needs the role alone also needs a right at the place where it is done for another.
        let acts_for_another = actor.id != self.being.id && core.rule == Rule::Role;
        let rule = if acts_for_another { Rule::Place } else { core.rule };
        rule.ask(self.world, actor, target, names)?;
        self.unclaimed_for(core.rule, target)
    }

    fn is_kind<'k>(&self, kinds: impl ExactSizeIterator<Item = &'k str>, target: Thing) -> Result<(), Reason> {
        is_of(kinds, self.being, target).map_err(|code| Reason::new(code, address_of(self.world, target)))
    }

    /// The same of an extension's operation: whatever its steps come to touch, it is done to its target.
    pub(super) fn reaches(&self, operation: &Operation, target: Thing, names: &[&str]) -> Result<(), Reason> {
        self.is_kind(operation.target.iter().map(AsRef::as_ref), target)?;
        self.holds(&operation.name, target)?;
        self.thaws(&operation.name, target)?;
        Rule::Place.ask(self.world, self.accountable(), target, names)?;
        self.unclaimed(target)
    }

    /// Checks an extension's scope: at the actor's place, at that of the being it acts for, and at the target's.
    pub(super) fn holds(&self, name: &str, thing: Thing) -> Result<(), Reason> {
        let places = [Some(self.being.position), Some(self.accountable().position), self.world.space_of(thing)];
        in_scope(self.world, name, places)
    }

    /// Refuses to let a narrowed being, or one that only draws up, summon a being that may act for its caller: that would get around the
    /// limits. A summons that carries the same narrowing passes.
    fn may_ask(&self, to: BeingId) -> Result<(), Reason> {
        let (only, errand) = (self.worn.only, self.errand);
        let carried = if Some(to) == self.caller { errand.caller_only } else { errand.only };
        let is_kept = |verb: Verb| only.contains(verb) || !carried.contains(verb);
        let (is_narrowed, only_drafts) = (!is_kept(Verb::Do) || !is_kept(Verb::Be), only_drafts(self.worn, self.cognition));
        let Some(to) = self.world.being(to).filter(|to| (is_narrowed || only_drafts) && self.may_act_for_caller(to)) else { return Ok(()) };
        if is_narrowed {
            return Err(Reason::new(Code::GateNarrowed, if is_kept(Verb::Do) { Verb::Be.word() } else { Verb::Do.word() }));
        }
        // Nor does a script do what a model only draws up.
        if to.cognition.is_persuadable() { Ok(()) } else { Err(Reason::new(Code::GateDraft, SUMMON)) }
    }

    fn may_act_for_caller(&self, being: &Being) -> bool {
        let mut roles = being.own_roles().filter_map(|role| self.world.version_at(role, being.position));
        roles.any(|role| role.spec.acts_for_caller)
    }
}

/// Whether an operation can be done in all of these places; where it cannot is named.
pub(super) fn in_scope(world: &World, name: &str, places: impl IntoIterator<Item = Option<SpaceId>>) -> Result<(), Reason> {
    match places.into_iter().flatten().find(|place| !world.operates(name, *place)) {
        Some(place) => Err(Reason::new(Code::GateScope, world.path_of(place))),
        None => Ok(()),
    }
}

/// Why there is no such operation: nobody offers it, or an extension that is disabled.
pub(super) fn unknown(world: &World, action: &str) -> Reason {
    let is_its = |extension: &Extension| {
        entries(&extension.manifest, "operations").any(|one| one.get("name").and_then(Value::as_str) == Some(action))
    };
    match extension_of(action).and_then(|name| world.registry().extensions.get(name)).filter(|extension| is_its(extension)) {
        Some(extension) => Reason::new(Code::GateScope, format!("/.extensions/{}", extension.name)),
        None => Reason::new(Code::UnknownOperation, action),
    }
}

/// The arguments of a call that are there to be read.
pub(super) fn args_of(call: &Call) -> Result<Value, Reason> {
    match &call.args {
        Content::Here(value) => Ok(value.clone()),
        Content::There { hash, .. } | Content::Unread { hash, .. } => Err(Reason::new(Code::ArgsBlob, hash.to_string())),
    }
}

/// The being that hears what is said to a thing: the being itself, or the steward of a space.
pub fn addressee(world: &World, thing: Thing) -> Result<BeingId, Reason> {
    match thing {
        Thing::Being(id) => Ok(id),
        Thing::Matter(_) => Err(Reason::new(Code::WrongTarget, address_of(world, thing))),
        Thing::Space(space) => {
            let name = world.setting_at(STEWARD, space).as_str();
            let name = name.ok_or_else(|| Reason::new(Code::NoSteward, world.path_of(space)))?;
            let steward = world.being_named(name.trim_start_matches('@')).filter(|steward| !steward.ended);
            steward.map(|steward| steward.id).ok_or_else(|| Reason::new(Code::StewardEnded, format!("{}: {name}", world.path_of(space))))
        }
    }
}
