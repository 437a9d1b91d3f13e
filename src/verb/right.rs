//! Rights: who may change what lies where, and who stands above whom.
//!
//! The second rule of the gate: a do on a thing needs a right at its place: owner or contributor up to the nearest owned space, or
//! the action stands in the allow list of a space on that way. A being may act on itself and on what it holds.

use crate::fact::{BeingId, Code, Reason, SpaceId, Thing};
use crate::role::Glob;
use crate::world::{Being, World};

use super::address::address_of;

/// Whether a being has a right of its own at a space: it owns the nearest owned space above, or contributes on the way there.
pub fn has_right(world: &World, actor: BeingId, space: SpaceId) -> bool {
    if actor == BeingId::WORLD {
        return true;
    }
    for space in world.upward(space) {
        if space.contributors.contains(&actor) {
            return true;
        }
        if let Some(owner) = space.owner {
            return owner == actor;
        }
    }
    false
}

/// Whether anybody may do an action on things in a space.
pub fn is_allowed(world: &World, space: SpaceId, action: &str) -> bool {
    for space in world.upward(space) {
        if space.allow.iter().any(|glob| Glob::new(glob).is_ok_and(|glob| glob.matches(action))) {
            return true;
        }
        if space.owner.is_some() {
            return false;
        }
    }
    false
}

/// The second rule of the gate, for one of several names of the action: an operation's own and the one that it is part of.
pub fn at_place(world: &World, actor: &Being, thing: Thing, actions: &[&str]) -> Result<(), Reason> {
    let refused = || Reason::new(Code::GatePlace, address_of(world, thing));
    let space = match thing {
        Thing::Being(id) if id == actor.id => return Ok(()),
        Thing::Matter(id) => match world.holder_of(id) {
            Some(holder) if holder == actor.id => return Ok(()),
            // What another holds is the holder's alone.
            Some(_) if actor.id != BeingId::WORLD => return Err(refused()),
            _ => world.space_of(thing),
        },
        Thing::Being(_) | Thing::Space(_) => world.space_of(thing),
    };
    let space = space.ok_or_else(refused)?;
    if has_right(world, actor.id, space) || actions.iter().any(|action| is_allowed(world, space, action)) { Ok(()) } else { Err(refused()) }
}

/// Part of the third rule: lineage. A being stands above itself.
pub fn above(world: &World, actor: BeingId, being: BeingId) -> Result<(), Reason> {
    if actor == being || actor == BeingId::WORLD || world.is_ancestor(actor, being) {
        Ok(())
    } else {
        Err(Reason::new(Code::GateLineage, address_of(world, Thing::Being(being))))
    }
}

/// Part of the third rule: whoever sets a flow or gives birth may name only roles that its own grants cover.
pub fn may_grant<'a>(actor: &Being, roles: impl IntoIterator<Item = &'a str>) -> Result<(), Reason> {
    if actor.id == BeingId::WORLD {
        return Ok(());
    }
    let covers = |role: &str| {
        actor
            .grants
            .iter()
            .any(|glob| glob.as_ref() == "*" || glob.as_ref() == role || Glob::new(glob).is_ok_and(|glob| glob.matches(role)))
    };
    match roles.into_iter().find(|role| !covers(role)) {
        Some(role) => Err(Reason::new(Code::GateGrants, role)),
        None => Ok(()),
    }
}

/// The same for grants that are passed on: a glob is covered only by one that surely matches whatever it matches.
pub fn may_pass<'a>(actor: &Being, grants: impl IntoIterator<Item = &'a str>) -> Result<(), Reason> {
    const MARKS: [char; 2] = ['*', '?'];
    let literal = |glob: &str| glob.split(MARKS).next().unwrap_or_default().to_owned();
    let covers = |grant: &str| {
        if !grant.contains(MARKS) {
            return may_grant(actor, [grant]).is_ok();
        }
        actor.grants.iter().any(|own| {
            let prefix = own.strip_suffix('*').filter(|prefix| !prefix.contains(MARKS));
            own.as_ref() == grant
                || own.as_ref() == "*"
                || prefix.is_some_and(|prefix| !prefix.is_empty() && literal(grant).starts_with(prefix))
        })
    };
    match grants.into_iter().find(|grant| actor.id != BeingId::WORLD && !covers(grant)) {
        Some(grant) => Err(Reason::new(Code::GateGrants, grant)),
        None => Ok(()),
    }
}
