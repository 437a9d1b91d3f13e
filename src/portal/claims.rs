//! Claims: who is at what, as the map marks it and a panel says it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{BeingId, Text, Thing};
use crate::verb::Named;
use crate::world::{Claim, Local, address_of};

use super::sight::Sight;

/// A claim: until then nobody but its holder changes the thing, or what lies in it.
#[derive(Serialize, ToSchema)]
#[schema(as = Claimed)]
pub struct ClaimTold {
    /// The thing that is claimed.
    on: String,
    /// Its holder.
    by: String,
    /// Since when, in the world's zone.
    since: String,
    /// Until when, in the world's zone.
    until: String,
    /// The purpose, in the holder's words; it may be empty.
    #[schema(value_type = String)]
    why: Text,
}

impl ClaimTold {
    fn of(sight: &Sight, (thing, claim): (Thing, &Claim)) -> Self {
        let world = &sight.world;
        let instant = |at| Local::of(at, world.zone()).iso();
        Self {
            on: address_of(world, thing),
            by: address_of(world, Thing::Being(claim.by)),
            since: instant(claim.since),
            until: instant(claim.until),
            why: claim.why.clone(),
        }
    }

    /// The claim on a thing or on what is around it, as far as that may be seen.
    pub fn over(sight: &Sight, thing: Thing) -> Option<Self> {
        let mut all = sight.world.claims_over(thing, sight.at).filter(|(on, _)| sees(sight, *on));
        all.next().map(|claimed| Self::of(sight, claimed))
    }

    /// The claims of a being, as far as what it has claimed may be seen.
    pub fn by(sight: &Sight, being: BeingId) -> Vec<Self> {
        let all = sight.world.claimed_by(being, sight.at).filter(|(on, _)| sees(sight, *on));
        all.map(|claimed| Self::of(sight, claimed)).collect()
    }
}

fn sees(sight: &Sight, thing: Thing) -> bool {
    sight.may_see(&Named::Thing(thing)).is_ok()
}
