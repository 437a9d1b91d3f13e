//! Rights: who may change what lies where, who stands above whom, and who may drive whom.
//!
//! The second rule of the gate: a do on a thing needs a right at its place: owner or contributor up to the nearest owned space, or
//! the action stands in the allow list of a space on that way. A being may act on itself and on what it holds. The [`Rule`] of an
//! operation says what it asks for.

use std::sync::Arc;

use crate::fact::{BeingId, Code, Cognition, Millis, Reason, SpaceId, Text, Thing};
use crate::role::Glob;
use crate::world::{Being, DRAFT, World, address_of};

macro_rules! rules {
    ($($case:ident = $about:literal),* $(,)?) => {
        /// The rule that decides, beside the worn role, whether an operation may be done.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Rule { $(#[doc = $about] $case),* }

        impl Rule {
            /// Every rule, in order.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// The condition of the rule, as the docs say it.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$case => $about),* }
            }
        }
    };
}

rules! {
    Role = "nothing more",
    Place = "a right at the place of the target",
    Claim = "a right at the place of each thing that is claimed; a claim is ended by its holder, whoever stands above that, and the owners of the place and of those around it",
    Oneself = "that the target is oneself",
    Held = "that the target is a draft that one holds",
    Move = "lineage for a being; for other things a right where they lie and where they go",
    Lineage = "lineage: the target is oneself or a descendant",
    Rein = "lineage, a right at the place, or that one is the operator",
    Thread = "that one began the thread, or is the operator; anybody else only for wakes of their own",
    Approver = "that one is asked to approve the request, or is the operator",
    Flow = "lineage: the target is oneself or a descendant; for a space a right there",
    LineageOrOperator = "lineage, or that one is the operator",
    LineageOrRoot = "lineage, or a right at the root",
    Ground = "that one owns the target's ground",
    GroundOrLeave = "that one owns the target's ground; a contributor may leave it",
    GroundAbove = "that one owns the target's ground or the ground above it",
    Setting = "for the world that one is the operator; at a space that one owns the ground or the ground above it; at a being lineage",
    Root = "a right at the root",
    Author = "a right at the root; for a role of a space's own a right there",
    Operator = "that one is the operator",
    World = "that one is `@world`",
}

impl Rule {
    /// Whether what it guards is authority, which no step of an extension's operation changes.
    pub fn is_authority(self) -> bool {
        !matches!(self, Self::Role | Self::Place | Self::Claim | Self::Move)
    }

    /// Whether what it guards changes its target, which nobody may while another has claimed that. Reins, approvals and what is said do not.
    pub fn heeds_claims(self) -> bool {
        use Rule::{Approver, Claim, LineageOrRoot, Rein, Role, Root, Thread, World};
        !matches!(self, Role | Claim | Rein | Thread | Approver | LineageOrRoot | Root | World)
    }

    /// Asks it of whoever is accountable; the action may stand in an allow list by any of its names.
    pub fn ask(self, world: &World, actor: &Being, thing: Thing, actions: &[&str]) -> Result<(), Reason> {
        let lineage = || if let Thing::Being(id) = thing { above(world, actor.id, id) } else { Ok(()) };
        match self {
            Self::Role | Self::Thread | Self::Approver => Ok(()),
            Self::Place | Self::Claim => at_place(world, actor, thing, actions),
            Self::Oneself if thing == Thing::Being(actor.id) => Ok(()),
            Self::Oneself => Err(Reason::new(Code::GateOneself, address_of(world, thing))),
            Self::Held => match thing {
                Thing::Matter(matter) if world.holder_of(matter) != Some(actor.id) => {
                    Err(Reason::new(Code::GateHolder, address_of(world, thing)))
                }
                Thing::Matter(matter) if world.matter(matter).is_some_and(|matter| matter.kind.as_ref() == DRAFT) => Ok(()),
                Thing::Being(_) | Thing::Space(_) | Thing::Matter(_) => Err(Reason::new(Code::WrongTarget, address_of(world, thing))),
            },
            Self::Move => match thing {
                Thing::Being(_) => lineage(),
                Thing::Matter(_) => at_place(world, actor, thing, actions),
                Thing::Space(id) => {
                    // A space lies on the ground around it.
                    let around = world.space(id).and_then(|space| space.parent).map(Thing::Space);
                    std::iter::once(thing).chain(around).try_for_each(|end| at_place(world, actor, end, actions))
                }
            },
            Self::Lineage => lineage(),
            Self::Rein | Self::LineageOrOperator if is_operator(world, actor.id) => Ok(()),
            Self::Rein => match (thing, world.space_of(thing)) {
                (_, Some(space)) if has_right(world, actor.id, space) => Ok(()),
                (Thing::Being(_), _) => lineage(),
                _ => Err(Reason::new(Code::GatePlace, address_of(world, thing))),
            },
            Self::Flow => match thing {
                Thing::Space(id) if has_right(world, actor.id, id) => Ok(()),
                Thing::Being(_) => lineage(),
                Thing::Space(_) | Thing::Matter(_) => Err(Reason::new(Code::GatePlace, address_of(world, thing))),
            },
            Self::LineageOrOperator => lineage(),
            Self::LineageOrRoot if has_right(world, actor.id, SpaceId::ROOT) => Ok(()),
            Self::LineageOrRoot => lineage(),
            // The arguments name the being it is about, so the operation itself checks the rest.
            Self::GroundOrLeave if is_listed(world, actor.id, thing) => Ok(()),
            Self::Ground | Self::GroundAbove | Self::GroundOrLeave => owns(world, actor.id, thing, self == Self::GroundAbove),
            Self::Setting => match thing {
                Thing::Space(SpaceId::ROOT) if is_operator(world, actor.id) => Ok(()),
                Thing::Space(SpaceId::ROOT) => Err(Reason::new(Code::GateOwner, "/")),
                Thing::Space(_) if is_operator(world, actor.id) => Ok(()),
                Thing::Space(_) => owns(world, actor.id, thing, true),
                Thing::Being(_) => lineage().or_else(|reason| if is_operator(world, actor.id) { Ok(()) } else { Err(reason) }),
                Thing::Matter(_) => Err(Reason::new(Code::WrongTarget, address_of(world, thing))),
            },
            Self::Root if has_right(world, actor.id, SpaceId::ROOT) => Ok(()),
            Self::Root => Err(Reason::new(Code::GatePlace, "/")),
            Self::Author => match thing {
                Thing::Space(id) if has_right(world, actor.id, SpaceId::ROOT) || has_right(world, actor.id, id) => Ok(()),
                Thing::Being(_) | Thing::Space(_) | Thing::Matter(_) => Err(Reason::new(Code::GatePlace, address_of(world, thing))),
            },
            Self::Operator => only_operator(world, actor.id, "/"),
            Self::World if actor.id == BeingId::WORLD => Ok(()),
            Self::World => Err(Reason::new(Code::GateOwner, "/")),
        }
    }
}

/// Allows only the operator and `@world`: a right at the root is not enough.
pub fn only_operator(world: &World, actor: BeingId, place: &str) -> Result<(), Reason> {
    if is_operator(world, actor) { Ok(()) } else { Err(Reason::new(Code::GateOperator, place)) }
}

/// Whether a being owns a space: it is the nearest owner upward, or where that is enough, any of those above.
pub(super) fn owns(world: &World, actor: BeingId, thing: Thing, or_above: bool) -> Result<(), Reason> {
    let space = world.space_of(thing).into_iter().flat_map(|space| world.upward(space));
    let mut owners = space.filter_map(|space| space.owner).take(if or_above { usize::MAX } else { 1 });
    if actor == BeingId::WORLD || owners.any(|owner| owner == actor) {
        Ok(())
    } else {
        Err(Reason::new(Code::GateOwner, address_of(world, thing)))
    }
}

/// Whether a being is listed at a space itself as one who contributes there.
fn is_listed(world: &World, being: BeingId, thing: Thing) -> bool {
    matches!(thing, Thing::Space(id) if world.space(id).is_some_and(|space| space.contributors.contains(&being)))
}

/// Whether a being is the operator: who says what holds for the whole world.
pub fn is_operator(world: &World, actor: BeingId) -> bool {
    actor == BeingId::WORLD || actor == world.operator()
}

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
            // Matter that another being holds is its holder's alone.
            Some(_) if actor.id != BeingId::WORLD => return Err(refused()),
            _ => world.space_of(thing),
        },
        Thing::Being(_) | Thing::Space(_) => world.space_of(thing),
    };
    let space = space.ok_or_else(refused)?;
    if has_right(world, actor.id, space) || actions.iter().any(|action| is_allowed(world, space, action)) { Ok(()) } else { Err(refused()) }
}

/// ListPart of the third rule: lineage. A being stands above itself.
pub fn above(world: &World, actor: BeingId, being: BeingId) -> Result<(), Reason> {
    if actor == being || actor == BeingId::WORLD || world.is_ancestor(actor, being) {
        Ok(())
    } else {
        Err(Reason::new(Code::GateLineage, address_of(world, Thing::Being(being))))
    }
}

/// ListPart of the third rule: whoever sets a flow or gives birth may name only roles that its own grants cover.
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

/// A driver may no longer drive its being.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgrown {
    /// The name of whoever drives it.
    pub driver: Text,
    /// Why they may not.
    pub reason: Reason,
}

/// The driver of a being at an instant; an error where it may no longer drive. Driving gives no more than the driver could give, even where
/// the driven being was given more meanwhile. Asked at each act and look as that being, and again in replay.
pub fn driver_of<'w>(world: &'w World, being: &Being, at: Millis) -> Result<Option<&'w Arc<Being>>, Outgrown> {
    let driver = being.driver_at(at).and_then(|driver| world.being(driver));
    let outgrown = |driver: &Being, reason| Outgrown { driver: driver.name.clone(), reason };
    driver.map(|driver| may_drive(driver, being, at).map(|()| driver).map_err(|reason| outgrown(driver, reason))).transpose()
}

/// Whether one being may drive another, to begin with and as long as it does: it lives, is a person whom nobody drives, and could have
/// given all that the driven one may wear and give.
pub fn may_drive(driver: &Being, driven: &Being, at: Millis) -> Result<(), Reason> {
    if driver.ended {
        return Err(Reason::new(Code::Ended, format!("@{}", driver.name)));
    }
    if driver.cognition != Cognition::Human || driver.driver_at(at).is_some() {
        return Err(Reason::new(Code::DriverNotHuman, format!("@{}", driver.name)));
    }
    may_grant(driver, driven.own_roles())?;
    may_pass(driver, driven.grants.iter().map(AsRef::as_ref))
}
