//! May: what a being may do to a thing right now, and by which rule it may not: for forms that offer it before anybody tries.

use crate::fact::{Code, Reason, Text, Thing, Value};

use super::admit::in_scope;
use super::be::OPERATIONS;
use super::draftable::{is_guarded, only_drafts};
use super::drafted::BE;
use super::frozen::thaws;
use super::gate::Asker;
use super::op::core;
use super::right::Rule;
use super::right::above;
use super::see::operations;

/// Something that could be done to a thing.
pub struct May {
    /// The operation.
    pub action: Text,
    /// The sentence on what it does.
    pub about: Text,
    /// The JSON Schema of its arguments.
    pub args: Value,
    /// Why it may not be done now; none: nothing that can be known before its arguments are speaks against it.
    pub why: Option<Reason>,
}

/// The operations that fit a thing.
pub fn may_do(asker: &Asker<'_>, thing: Thing) -> Vec<May> {
    let fitting = operations(asker.world).into_iter().filter(|operation| operation.fits(asker.actor, thing));
    let judged = fitting.map(|operation| {
        let why = could_act(asker, &operation.name, thing).err();
        May { action: operation.name, about: operation.about, args: operation.schema, why }
    });
    judged.collect()
}

/// Whether role, scope and place let an operation be done to a thing of its kind, as far as they can be asked before its arguments are
/// known; of who acts for whoever woke it, whether they let its caller.
pub fn could_act(asker: &Asker<'_>, action: &str, thing: Thing) -> Result<(), Reason> {
    let world = asker.world;
    let caller = asker.caller.filter(|_| asker.worn.acts_for_caller).and_then(|caller| world.being(caller));
    let rule = core(action).map_or(Rule::Place, |(core, _)| core.rule);
    // An operation that needs the role alone also needs a right at the place where it is done for another.
    let rule = if caller.is_some() && rule == Rule::Role { Rule::Place } else { rule };
    asker.could_do(action, thing)?;
    if only_draws_up(asker, action) {
        return Err(Reason::new(Code::GateDraft, action));
    }
    thaws(world, asker.actor, action, thing)?;
    in_scope(world, action, [Some(asker.actor.position), world.space_of(thing)])?;
    rule.ask(world, caller.map_or(asker.actor, AsRef::as_ref), thing, &[action])
}

/// Whether an action is one that whoever asks only draws up: it acts for others, and a model thinks for it.
pub fn only_draws_up(asker: &Asker<'_>, action: &str) -> bool {
    let is_one = action.starts_with(BE) || core(action).is_some_and(|(core, _)| is_guarded(core));
    is_one && only_drafts(asker.worn, asker.actor.cognition_at(asker.at))
}

/// The operations on identity, as far as they are about a being.
pub fn may_be(asker: &Asker<'_>, thing: Thing) -> Vec<May> {
    let judged = OPERATIONS.iter().map(|(name, about, schema)| {
        let of = if *name == "birth" { Thing::Being(asker.actor.id) } else { thing };
        let lineage = || match (of, *name) {
            (Thing::Being(being), "end" | "inhabit") => above(asker.world, asker.actor.id, being),
            _ => Ok(()),
        };
        May {
            action: (*name).into(),
            about: (*about).into(),
            args: serde_json::from_str(schema).unwrap_or_default(),
            why: asker.may_be(name, Some(of)).and_then(|()| lineage()).and_then(|()| thaws(asker.world, asker.actor, name, of)).err(),
        }
    });
    judged.collect()
}
