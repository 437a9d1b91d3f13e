//! Claimed: while somebody has claimed a thing, nobody else changes it or what lies in it, brings anything there or carries it away.
//!
//! One may always act on oneself and on what one carries, and walk away. A refusal says who has the thing, until when and why, and what
//! else of its kind is free. It says none of that to somebody who may not see the thing.

use crate::fact::{BeingId, Code, Coords, Fact, Reason, SpaceId, Thing, Value, Verb};
use crate::world::{Claim, address_of, apart};

use super::actor::Actor;
use super::address::{Address, Named};
use super::claims::told;
use super::gate::Asker;
use super::op::{CLAIM_SET, Core, Deed, PLAIN_MATTER, PLAIN_SPACE, claimed_things, thing_named};
use super::right::{Rule, at_place};
use super::see::named;

/// Through how many things of a place one looks for a free one.
const LOOKED_THROUGH: usize = 256;

/// Somebody before what others have claimed: whose claims are its own, and what it may see.
pub struct Claimant<'a> {
    asker: Asker<'a>,
    /// The one whose claims are its own: itself, or whoever it acts for.
    pub who: BeingId,
    /// The one it acts for, who has to see a thing too.
    behalf: Option<Asker<'a>>,
}

impl<'a> Claimant<'a> {
    /// As a look ahead asks, before anything is done.
    pub fn of(asker: &Asker<'a>) -> Self {
        Self { asker: *asker, who: asker.accountable().id, behalf: None }
    }

    /// Whether it may see a thing, and so does whoever it acts for.
    pub fn sees(&self, thing: Thing) -> bool {
        std::iter::once(&self.asker).chain(&self.behalf).all(|asker| asker.may_reach(Verb::See, thing).is_ok())
    }

    /// Whether it may know of a thing that an operation on claims names: it sees it, or has claimed it.
    pub(super) fn knows(&self, thing: Thing) -> bool {
        let is_own = || self.asker.world.claim_on(thing, self.asker.at).is_some_and(|claim| claim.by == self.who);
        self.sees(thing) || is_own()
    }

    /// The claim of somebody else that keeps it from changing a thing: on that, or on what is around it as far as that is not oneself.
    pub fn bars(&self, thing: Thing) -> Option<(Thing, &'a Claim)> {
        self.bars_behind(thing, |_| true)
    }

    fn bars_behind(&self, thing: Thing, counts: impl Fn(Thing) -> bool) -> Option<(Thing, &'a Claim)> {
        let (world, at) = (self.asker.world, self.asker.at);
        let mut claims = world.claims_over(thing, at).filter(|(around, _)| counts(*around));
        // A thing that one carries is one's own, and so is oneself.
        let is_own = || world.enclosing(Some(thing)).any(|around| around == Thing::Being(self.who));
        claims.find(|(_, claim)| claim.by != self.who).filter(|_| !is_own())
    }

    /// The claim of somebody else on a thing, on what is around it or on anything in it.
    pub(super) fn bars_a_claim(&self, thing: Thing) -> Option<(Thing, &'a Claim)> {
        let (world, at) = (self.asker.world, self.asker.at);
        world.claims_over(thing, at).chain(world.claims_inside(thing, at)).find(|(_, claim)| claim.by != self.who)
    }

    /// The claim of somebody else on a thing or on anything in it, which would go along with it.
    pub(super) fn goes_along(&self, thing: Thing) -> Option<(Thing, &'a Claim)> {
        self.asker.world.claims_on_all_of(thing, self.asker.at).find(|(_, claim)| claim.by != self.who)
    }

    /// That a thing goes to where nobody else has claimed anything that it is not in already, and brings no claim into that of somebody else.
    fn goes_to(&self, thing: Thing, to: Thing) -> Result<(), Reason> {
        let (world, at) = (self.asker.world, self.asker.at);
        let is_new = |around: Thing| !world.enclosing(Some(thing)).any(|now| now == around);
        if let Some(barred) = self.bars_behind(to, is_new) {
            return Err(self.refusal(to, barred));
        }
        for there in world.claims_over(to, at) {
            if let Some(brought) = world.claims_on_all_of(thing, at).find(|(_, claim)| claim.by != there.1.by) {
                return Err(self.refusal(thing, if there.1.by == self.who { brought } else { there }));
            }
        }
        Ok(())
    }

    /// Why something claimed is not changed: `/press: @ada until 10:20, repairing it; free: /press-2`, for whoever may see it.
    pub(super) fn refusal(&self, thing: Thing, (claimed, claim): (Thing, &Claim)) -> Reason {
        let world = self.asker.world;
        if !self.sees(claimed) {
            return Reason::new(Code::GateClaimed, address_of(world, thing));
        }
        let free = self.free_alike(claimed).map(|free| format!("; free: {}", address_of(world, free))).unwrap_or_default();
        Reason::new(Code::GateClaimed, format!("{}{free}", told(world, claimed, claim, self.asker.at)))
    }

    /// The nearest thing of the same type in the same place that nobody has claimed, as far as it may be seen. Of a type that says nothing
    /// none is like another.
    pub fn free_alike(&self, like: Thing) -> Option<Thing> {
        let (world, at) = (self.asker.world, self.asker.at);
        let is_claimed = |thing: Thing| world.claims_over(thing, at).chain(world.claims_inside(thing, at)).next().is_some();
        let is_free = |thing: &Thing| *thing != like && self.sees(*thing) && !is_claimed(*thing);
        let (from, alike): (_, Vec<(Option<Coords>, Thing)>) = match like {
            Thing::Being(_) => return None,
            Thing::Matter(id) => {
                let own = world.matter(id).filter(|own| own.kind.as_ref() != PLAIN_MATTER)?;
                let beside = world.matter_in(own.place).take(LOOKED_THROUGH).filter_map(|(_, id)| world.matter(id));
                let alike = beside.filter(|other| other.kind == own.kind).map(|other| (other.coords, Thing::Matter(other.id)));
                (own.coords, alike.collect())
            }
            Thing::Space(id) => {
                let own = world.space(id).filter(|own| own.kind.as_ref() != PLAIN_SPACE)?;
                let beside = world.spaces_in(own.parent?).take(LOOKED_THROUGH).filter_map(|(_, id)| world.space(id));
                let alike = beside.filter(|other| other.kind == own.kind).map(|other| (other.coords, Thing::Space(other.id)));
                (own.coords, alike.collect())
            }
        };
        // Of those without a spot, the first by name.
        let distance = |to: Option<Coords>| from.zip(to).map_or(i128::MAX, |(from, to)| apart(from, to));
        let free = alike.into_iter().filter(|(_, thing)| is_free(thing));
        free.min_by_key(|(coords, _)| distance(*coords)).map(|(_, thing)| thing)
    }
}

impl<'a> Actor<'a> {
    fn claimant(&self) -> Claimant<'a> {
        let actor = self.accountable();
        let behalf = self.on_behalf(actor).filter(|_| actor.id != self.being.id);
        Claimant { asker: self.asker(), who: actor.id, behalf }
    }

    /// That nobody else has claimed what is changed.
    pub(super) fn unclaimed(&self, thing: Thing) -> Result<(), Reason> {
        if !self.world.has_claims() {
            return Ok(());
        }
        let claimant = self.claimant();
        claimant.bars(thing).map_or(Ok(()), |barred| Err(claimant.refusal(thing, barred)))
    }

    /// The same of a core operation: not all of them change their target.
    pub(super) fn unclaimed_for(&self, rule: Rule, thing: Thing) -> Result<(), Reason> {
        if rule.heeds_claims() { self.unclaimed(thing) } else { Ok(()) }
    }

    /// That what facts move or rename goes nowhere that somebody else has claimed, and takes nothing along that somebody has.
    pub(super) fn lands_unclaimed(&self, facts: &[Fact]) -> Result<(), Reason> {
        if !self.world.has_claims() {
            return Ok(());
        }
        let claimant = self.claimant();
        let alone = |thing: Thing| claimant.goes_along(thing).map_or(Ok(()), |claimed| Err(claimant.refusal(thing, claimed)));
        facts.iter().try_for_each(|fact| match fact {
            Fact::Moved { of, to, .. } => {
                // A being takes along what it carries, which nobody else has claimed.
                if !matches!(of, Thing::Being(_)) {
                    alone(*of)?;
                }
                claimant.goes_to(*of, *to)
            }
            Fact::Born(birth) => self.unclaimed(Thing::Space(birth.home)),
            Fact::Named { of, name, .. } if self.world.thing_name(*of) != Some(name) => alone(*of),
            _ => Ok(()),
        })
    }

    /// That an operation on claims is about things that the being sees and whose places are open to it, and that nobody else has claimed them,
    /// what is around them or anything in them. A thing that one may not see is as if it were not there.
    pub(super) fn may_claim(&self, core: &Core, deed: &Deed<'_>) -> Result<(), Reason> {
        for address in deed.args.get("on").and_then(Value::as_list).unwrap_or_default().iter().filter_map(Value::as_str) {
            self.knows(&named(deed.world, deed.actor, address, deed.at), address)?;
            self.asker().may_do(core.name, thing_named(deed.world, deed.actor, deed.at, address)?, deed.args)?;
        }
        let (things, claimant) = (claimed_things(deed)?, self.claimant());
        for thing in things {
            self.knows(&Ok(Named::Thing(thing)), &address_of(self.world, thing))?;
            self.thaws(core.name, thing)?;
            if core.name == CLAIM_SET {
                at_place(deed.world, deed.actor, thing, deed.names)?;
                claimant.bars_a_claim(thing).map_or(Ok(()), |barred| Err(claimant.refusal(thing, barred)))?;
            }
        }
        Ok(())
    }

    /// That a being may know of what an operation on claims names.
    pub(super) fn knows(&self, named: &Result<Named, Reason>, address: &str) -> Result<(), Reason> {
        let (Ok(Named::Thing(thing)) | Ok(Named::Register { of: thing, .. })) = named else { return Ok(()) };
        if self.claimant().knows(*thing) {
            return Ok(());
        }
        let written = address.parse::<Address>().map_or_else(|_| address.to_owned(), |address| address.to_string());
        Err(Reason::new(Code::NotFound, written))
    }
}

/// Whether an operation on claims names nothing by its target: the world is the target of whatever names none.
pub(super) fn names_no_target(core: &Core, target: Thing) -> bool {
    core.rule == Rule::Claim && target == Thing::Space(SpaceId::ROOT)
}
