//! Actor: who acts in a moment, as what, and for whom.

use crate::fact::{BeingId, Code, Cognition, Fact, KeyOf, Made, Millis, Reason, Seq, Thing, Value, Verbs, WornRole};
use crate::role::{SIGNAL_SET, Worn};
use crate::world::{Being, World, address_of};

use super::actions::actions;
use super::address::Named;
use super::author;
use super::draftable::{self, gives_authority, only_drafts};
use super::gate::Asker;
use super::hands::Hands;
use super::op::{Core, DRAFT_MAKE, Deed};
use super::right::Rule;

/// Where a core operation stands in its act.
#[derive(Clone, Copy)]
pub(super) struct InAct<'a> {
    /// The names under which it may stand in an allow list.
    pub names: &'a [&'a str],
    /// How many facts the frame has already.
    pub base: u32,
}

/// The request of the being that woke another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errand {
    /// The summons that it was woken by, where somebody is to be answered for it.
    pub answers: Option<Made>,
    /// Whether an answer is wanted.
    pub is_awaited: bool,
    /// The verbs to which its moment is narrowed, and so is whatever that causes.
    pub only: Verbs,
    /// The verbs to which the moment of whoever woke it was narrowed: to these, and no others, leads what it says to them.
    pub caller_only: Verbs,
}

/// The context of an act: the acting being, what it wears, the instant, and the place of the frame being drafted.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    /// The world as it is, shared with the scripts of operations.
    pub world: &'a World,
    /// The being that acts.
    pub being: &'a Being,
    /// The role worn at opening.
    pub worn: &'a Worn,
    /// The same, role by role, as frames record it.
    pub stack: &'a [WornRole],
    /// The stack of the being it acts for, as worn when that one asked; none where it acts for itself.
    pub behalf: Option<&'a Worn>,
    /// The cognition that thinks for it.
    pub cognition: Cognition,
    /// The being that woke it.
    pub caller: Option<BeingId>,
    /// The request of that being.
    pub errand: Errand,
    /// When.
    pub at: Millis,
    /// The frame that is being drafted.
    pub seq: Seq,
    /// The key of a being that is about to be born, and what it delegates.
    pub key_of: KeyOf<'a>,
}

impl<'a> Actor<'a> {
    pub(super) fn asker(&self) -> Asker<'a> {
        Asker { world: self.world, actor: self.being, worn: self.worn, caller: self.caller, at: self.at }
    }

    /// The being whose lineage, places and grants count: itself, or its asker where the worn role acts for the summoner.
    pub(super) fn accountable(&self) -> &'a Being {
        let asker = self.caller.filter(|_| self.worn.acts_for_caller && self.errand.answers.is_some());
        asker.and_then(|asker| self.world.being(asker)).map_or(self.being, AsRef::as_ref)
    }

    pub(super) fn bound_thing(&self, bound: &Result<Named, Reason>) -> Result<Thing, Reason> {
        match bound.clone()? {
            Named::Thing(thing) if self.world.is_there(thing) => Ok(thing),
            Named::Thing(thing) => Err(Reason::new(Code::Gone, thing.to_string())),
            Named::Register { register, .. } => Err(Reason::new(Code::WrongTarget, format!(".{register}"))),
        }
    }

    /// That a thing of a step is still there: an earlier step may have ended it.
    pub(super) fn finds(&self, thing: Thing, place: &str) -> Result<(), Reason> {
        if self.world.is_there(thing) { Ok(()) } else { Err(Reason::new(Code::Gone, place)) }
    }

    /// Drafts a core operation that has been judged.
    pub(super) fn carry_out(&self, core: &Core, target: Thing, args: &Value, part: InAct<'_>, hands: &Hands) -> Result<Vec<Fact>, Reason> {
        let actor = self.accountable();
        let worn_by_author = if actor.id == self.being.id { Some(self.worn) } else { self.behalf };
        // A signal needs a binding, and who acts for another that other's.
        if actor.id != self.being.id && core.name == SIGNAL_SET {
            self.on_behalf(actor)
                .map_or_else(|| Err(Reason::new(Code::GateRole, core.name)), |asker| asker.may_do(core.name, target, args))?;
        }
        self.thaws(core.name, target)?;
        self.unclaimed_for(core.rule, target)?;
        let (InAct { names, base }, tell) = (part, &|how: &str| hands.sandbox.note(how));
        let (world, author, at, seq) = (self.world, worn_by_author, self.at, self.seq);
        let deed = Deed { world, actor, author, target, args, names, at, seq, base, tell, actions };
        if core.rule == Rule::Author {
            author::check(&deed)?;
        }
        if core.name == DRAFT_MAKE {
            draftable::check(&deed)?;
        }
        if gives_authority(core.name, args) {
            self.changes(core.name)?;
        }
        if core.rule == Rule::Claim {
            self.may_claim(core, &deed)?;
        }
        let facts = (core.draft)(&deed)?;
        self.thaws_at_its_end(&facts)?;
        self.lands_unclaimed(&facts)?;
        match self.world.overfull(&facts) {
            Some(place) => Err(Reason::new(Code::LimitThings, address_of(self.world, place))),
            None => Ok(facts),
        }
    }

    /// That it changes authority itself: who acts for others and thinks with a model only draws that up.
    pub(super) fn changes(&self, action: &str) -> Result<(), Reason> {
        if only_drafts(self.worn, self.cognition) { Err(Reason::new(Code::GateDraft, action)) } else { Ok(()) }
    }

    /// The being it acts for, in the stack worn when it asked; none where it acts for itself.
    pub(super) fn on_behalf(&self, actor: &'a Being) -> Option<Asker<'a>> {
        Some(Asker { world: self.world, actor, worn: self.behalf?, caller: None, at: self.at })
    }
}
