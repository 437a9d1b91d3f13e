//! May: what a being may do to a thing right now, and by which rule it may not: for forms that offer it before anybody tries.

use std::cell::LazyCell;

use crate::fact::{Code, Reason, SpaceId, Text, Thing, Value};
use crate::world::address_of;

use super::admit::in_scope;
use super::be::{END, OPERATIONS};
use super::claimed::Claimant;
use super::draftable::{is_guarded, only_drafts};
use super::drafted::BE;
use super::frozen::thaws;
use super::gate::Asker;
use super::op::{CLAIM_END, core, may_end_claim};
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
    let claimant = Claimant::of(asker);
    let claimed =
        LazyCell::new(|| claimant.bars(thing).or_else(|| claimant.bars_a_claim(thing)).map(|barred| claimant.refusal(thing, barred)));
    let told = |reason: Reason| if reason.code == Code::GateClaimed { claimed.clone().unwrap_or(reason) } else { reason };
    let judged = fitting.map(|operation| {
        let why = could_act(asker, &operation.name, thing).err().map(told);
        May { action: operation.name, about: operation.about, args: operation.schema, why }
    });
    judged.collect()
}

/// Whether role, scope and place let an operation be done to a thing of its kind, as far as they can be asked before its arguments are
/// known; of who acts for whoever woke it, whether they let its caller.
pub fn could_act(asker: &Asker<'_>, action: &str, thing: Thing) -> Result<(), Reason> {
    let (world, who) = (asker.world, asker.accountable());
    let own = core(action).map_or(Rule::Place, |(core, _)| core.rule);
    // An operation that needs the role alone also needs a right at the place where it is done for another.
    let rule = if who.id != asker.actor.id && own == Rule::Role { Rule::Place } else { own };
    asker.could_do(action, thing)?;
    if only_draws_up(asker, action) {
        return Err(Reason::new(Code::GateDraft, action));
    }
    thaws(world, asker.actor, action, thing)?;
    in_scope(world, action, [Some(asker.actor.position), world.space_of(thing)])?;
    match own {
        Rule::Claim if !Claimant::of(asker).knows(thing) => return Err(Reason::new(Code::NotFound, address_of(world, thing))),
        Rule::Claim if action == CLAIM_END => return may_end_claim(world, who.id, thing, asker.at),
        Rule::Claim if thing == Thing::Space(SpaceId::ROOT) => return Err(Reason::new(Code::ArgsRequired, "/on")),
        _ => rule.ask(world, who, thing, &[action])?,
    }
    if !world.has_claims() {
        return Ok(());
    }
    let claimant = Claimant::of(asker);
    let barred = match own {
        Rule::Claim => claimant.bars_a_claim(thing),
        Rule::Move if !matches!(thing, Thing::Being(_)) => claimant.bars(thing).or_else(|| claimant.goes_along(thing)),
        own if own.heeds_claims() => claimant.bars(thing),
        _ => None,
    };
    barred.map_or(Ok(()), |_| Err(Reason::new(Code::GateClaimed, address_of(world, thing))))
}

/// Whether an action is one that whoever asks only draws up: it acts for others, and a model thinks for it.
pub fn only_draws_up(asker: &Asker<'_>, action: &str) -> bool {
    let is_one = action.starts_with(BE) || core(action).is_some_and(|(core, _)| is_guarded(core));
    is_one && only_drafts(asker.worn, asker.actor.cognition_at(asker.at))
}

/// The operations on identity, as far as they are about a being.
pub fn may_be(asker: &Asker<'_>, thing: Thing) -> Vec<May> {
    let judged = OPERATIONS.iter().map(|(name, about, schema, _)| {
        let of = if *name == "birth" { Thing::Being(asker.actor.id) } else { thing };
        let lineage = || match (of, *name) {
            (Thing::Being(being), END | "inhabit") => above(asker.world, asker.actor.id, being),
            _ => Ok(()),
        };
        let barred = || Claimant::of(asker).bars(of).filter(|_| *name == END);
        let unclaimed = || barred().map_or(Ok(()), |barred| Err(Claimant::of(asker).refusal(of, barred)));
        May {
            action: (*name).into(),
            about: (*about).into(),
            args: serde_json::from_str(schema).unwrap_or_default(),
            why: asker
                .may_be(name, Some(of))
                .and_then(|()| lineage())
                .and_then(|()| thaws(asker.world, asker.actor, name, of))
                .and_then(|()| unclaimed())
                .err(),
        }
    });
    judged.collect()
}
