//! Acting: the actor of a moment, the roles it acts under, and the asker it acts for.

use std::sync::Arc;

use crate::fact::{Call, Code, KeyOf, Millis, Reason, Summons, WornRole};
use crate::role::Worn;
use crate::verb::{Actor, Errand, TRIALS};
use crate::world::{Being, Body, World};

use super::open::{Composer, Opening};

/// The actor of a call, or the reason why it can no longer act.
pub(super) fn actor<'a>(
    opening: &'a Opening,
    call: &Call,
    world: &'a World,
    at: Millis,
    (key_of, behalf): (KeyOf<'a>, Option<&'a Worn>),
) -> Result<Actor<'a>, Reason> {
    let being = world.being(opening.being.id).filter(|being| !being.ended).ok_or_else(|| Reason::new(Code::Ended, ""))?;
    if being.driver_at(at) != opening.driver {
        return Err(Reason::new(Code::DriverChanged, ""));
    }
    // A trial costs money: only a gesture may start one, never a mind that thinks or answers.
    if TRIALS.contains(&call.action.as_ref()) && !matches!(opening.wake.about().body, Body::Gesture) {
        return Err(Reason::new(Code::Trial, call.action.clone()));
    }
    // A receipt asks for nothing: an act in response to it is done for nobody else, and answers nobody.
    let answers = opening.wake.answers().filter(|_| !opening.wake.summons().is_some_and(Summons::is_receipt));
    let caller_only = opening.wake.summons().map(|summons| summons.caller_only).unwrap_or_default();
    let errand = Errand { answers, is_awaited: opening.is_awaited(), only: opening.wake.only(), caller_only };
    let (worn, stack) = (opening.worn.as_ref(), opening.stack.as_slice());
    let (cognition, caller, seq) = (opening.cognition, opening.caller, world.next_seq());
    Ok(Actor { world, being, worn, stack, behalf, cognition, caller, errand, at, seq, key_of })
}

/// The asker's worn role, for a moment that acts for its asker.
pub(super) fn behalf(opening: &Opening, world: &World, composer: &mut Composer) -> Option<Arc<Worn>> {
    let Body::Summons { from, summons, .. } = &opening.wake.about().body else { return None };
    let asker = world.being(*from).filter(|_| opening.worn.acts_for_caller)?;
    Some(worn_when_asking(asker, summons, world, composer))
}

/// The roles that the asker wore then, as they are now at the asker's place. Roles lent by a space do not count elsewhere.
pub(super) fn worn_when_asking(asker: &Being, summons: &Summons, world: &World, composer: &mut Composer) -> Arc<Worn> {
    let own: Vec<WornRole> = summons.stack.iter().filter(|worn| worn.space.is_none()).cloned().collect();
    composer.worn(world, asker.position, &own)
}
