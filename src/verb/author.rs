//! Author: a role that is written from inside, by somebody without a right at the root: it gives nobody more than its author has.
//!
//! It is a role of the author's own space and is in force there alone. An entry is refused unless it provably gives no more than the author has.

use crate::fact::{Code, Reason, SpaceId, Thing, Value, Verb};
use crate::role::{Entry, Spec};

use super::op::{Deed, core_operations, is_named_after};
use super::right::{has_right, may_grant};

/// Asks in this order: the name, that the world has no such role, what no such role has, and each entry. The operation itself refuses
/// malformed roles.
pub(super) fn check(deed: &Deed<'_>) -> Result<(), Reason> {
    let (Thing::Space(space), Some(name)) = (deed.target, deed.args.get("name").and_then(Value::as_str)) else { return Ok(()) };
    if has_right(deed.world, deed.actor.id, SpaceId::ROOT) {
        return Ok(());
    }
    if !is_named_after(deed.world, space, name) {
        return Err(Reason::new(Code::RoleName, "/name"));
    }
    if deed.world.registry().roles.contains_key(name) {
        return Err(Reason::new(Code::GatePlace, "/"));
    }
    let Some(spec) = deed.args.get("role").and_then(|role| Spec::from_value(role).ok()) else { return Ok(()) };
    let refused = |place: &str| Err(Reason::new(Code::GateAuthor, format!("/role/{place}")));
    if let Some(key) = beyond(&spec) {
        return refused(key);
    }
    for verb in Verb::ALL.iter().copied() {
        let may = |entry: &Entry| !is_authority(verb, entry) && is_had(deed, verb, entry);
        if let Some(at) = spec.list(verb).iter().position(|entry| !may(entry)) {
            return refused(&format!("{}/{at}", Spec::list_key(verb)));
        }
    }
    Ok(())
}

/// The key of what no role has that is written from inside: who thinks, for whom it acts, how often and how long, and who may move its wearer.
fn beyond(spec: &Spec) -> Option<&'static str> {
    let keys = [
        ("script", spec.script.is_some()),
        ("actsForCaller", spec.acts_for_caller),
        ("slot", spec.slot.is_some()),
        ("selfContinue", spec.self_continue),
        ("thinks", spec.thinks.is_some()),
        ("canBe", !spec.can_be.is_empty()),
        ("lets", !spec.lets.is_empty()),
    ];
    keys.into_iter().find(|(_, is_there)| *is_there).map(|(key, _)| key)
}

/// Whether an entry covers an operation that changes authority.
fn is_authority(verb: Verb, entry: &Entry) -> bool {
    verb == Verb::Do && core_operations().any(|core| core.rule.is_authority() && entry.covers_action(core.name))
}

/// Whether the author has an entry: in what they wear, or in a role that they may give.
fn is_had(deed: &Deed<'_>, verb: Verb, entry: &Entry) -> bool {
    let worn = deed.author.is_some_and(|worn| worn.list(verb).iter().any(|own| entry.is_within(own)));
    let mut given = deed.world.registry().roles.iter().filter(|(name, _)| may_grant(deed.actor, [name.as_ref()]).is_ok());
    worn || given.any(|(_, role)| role.spec.list(verb).iter().any(|own| entry.is_within(own)))
}
