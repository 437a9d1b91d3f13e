//! Actor: who acts in a moment, as what, and for whom.

use crate::fact::{BeingId, Code, Fact, Hash, Made, Millis, Reason, Seq, Thing, Value};
use crate::role::Worn;
use crate::world::{Being, World};

use super::address::Named;
use super::gate::Asker;
use super::op::{Core, Deed};

/// Who acts, as what, when; and where the frame that is being drafted stands.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    /// The world as it is, shared with the scripts of operations.
    pub world: &'a World,
    /// Who acts.
    pub being: &'a Being,
    /// The role worn at opening.
    pub worn: &'a Worn,
    /// Who woke it.
    pub caller: Option<BeingId>,
    /// The summons that an answer answers.
    pub answers: Option<Made>,
    /// When.
    pub at: Millis,
    /// The frame that is being drafted.
    pub seq: Seq,
    /// The public key of a being that is about to be born.
    pub key_of: &'a dyn Fn(BeingId) -> Hash,
}

impl<'a> Actor<'a> {
    pub(super) fn asker(&self) -> Asker<'a> {
        Asker { world: self.world, actor: self.being, worn: self.worn, caller: self.caller }
    }

    /// Whose lineage, places and grants count: its own, or its asker's where the worn role acts for whoever summons.
    pub(super) fn accountable(&self) -> &'a Being {
        let asker = self.caller.filter(|_| self.worn.acts_for_caller && self.answers.is_some());
        asker.and_then(|asker| self.world.being(asker)).map_or(self.being, AsRef::as_ref)
    }

    pub(super) fn bound_thing(&self, bound: &Result<Named, Reason>) -> Result<Thing, Reason> {
        match bound.clone()? {
            Named::Thing(thing) if self.is_there(thing) => Ok(thing),
            Named::Thing(thing) => Err(Reason::new(Code::Gone, thing.to_string())),
            Named::Register { register, .. } => Err(Reason::new(Code::WrongTarget, format!(".{register}"))),
        }
    }

    /// Whether a thing is there, and where it is a being, lives.
    pub(super) fn is_there(&self, thing: Thing) -> bool {
        match thing {
            Thing::Being(id) => self.world.being(id).is_some_and(|being| !being.ended),
            Thing::Space(id) => self.world.space(id).is_some(),
            Thing::Matter(id) => self.world.matter(id).is_some(),
        }
    }

    /// Drafts a core operation that has been judged.
    pub(super) fn carry_out(&self, core: &Core, target: Thing, args: &Value, names: &[&str], base: u32) -> Result<Vec<Fact>, Reason> {
        let actor = self.accountable();
        (core.draft)(&Deed { world: self.world, actor, target, args, names, at: self.at, seq: self.seq, base })
    }
}
