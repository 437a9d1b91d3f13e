//! Claiming: what is claimed in a world at an instant, and how a claim begins and ends while frames are folded.

use crate::fact::{BeingId, Millis, Thing};

use super::claim::Claim;
use super::fold::Cause;
use super::whole::World;

impl World {
    /// Whether anything may be claimed: in most worlds nothing ever is.
    pub fn has_claims(&self) -> bool {
        !self.claims.of.is_empty()
    }

    /// The claims that live at an instant.
    pub fn claims(&self, at: Millis) -> impl Iterator<Item = (Thing, &Claim)> {
        self.claims.of.iter().map(|(thing, claim)| (*thing, claim)).filter(move |(_, claim)| claim.lives(at))
    }

    /// The things that a being has claimed.
    pub fn claimed_by(&self, being: BeingId, at: Millis) -> impl Iterator<Item = (Thing, &Claim)> {
        self.claims.held(being).filter_map(move |thing| Some((thing, self.claim_on(thing, at)?)))
    }

    /// The claim on a thing itself.
    pub fn claim_on(&self, thing: Thing, at: Millis) -> Option<&Claim> {
        self.claims.of.get(&thing).filter(|claim| claim.lives(at))
    }

    /// The claims on a thing and on all around it, from it outward.
    pub fn claims_over(&self, thing: Thing, at: Millis) -> impl Iterator<Item = (Thing, &Claim)> {
        let thing = Some(thing).filter(|_| self.has_claims());
        self.enclosing(thing).filter_map(move |around| Some((around, self.claim_on(around, at)?)))
    }

    /// The claims on what lies in a thing, at whatever depth.
    pub fn claims_inside(&self, thing: Thing, at: Millis) -> impl Iterator<Item = (Thing, &Claim)> {
        // Of a piece of matter and of a being it is known how much lies in them: mostly nothing.
        let is_empty = !matches!(thing, Thing::Space(_)) && self.tally(thing) == 0;
        let lies_in_it = move |inner: Thing| inner != thing && self.enclosing(Some(inner)).any(|around| around == thing);
        self.claims(at).take_while(move |_| !is_empty).filter(move |(inner, _)| lies_in_it(*inner))
    }

    /// The claims on a thing itself and on what lies in it.
    pub fn claims_on_all_of(&self, thing: Thing, at: Millis) -> impl Iterator<Item = (Thing, &Claim)> {
        self.claim_on(thing, at).map(|claim| (thing, claim)).into_iter().chain(self.claims_inside(thing, at))
    }

    /// A thing and all around it outward: what holds it, who holds that, where they stand, up to the root.
    pub fn enclosing(&self, thing: Option<Thing>) -> impl Iterator<Item = Thing> {
        std::iter::successors(thing, |at| match at {
            Thing::Space(id) => self.spaces.get(id)?.parent.map(Thing::Space),
            Thing::Matter(id) => Some(self.matter.get(id)?.place),
            Thing::Being(id) => Some(Thing::Space(self.beings.get(id)?.position)),
        })
    }

    /// Takes in a claim, or one renewed, as of its beginning.
    pub(super) fn claim(&mut self, of: Thing, claim: Claim) {
        let (by, at) = (claim.by, claim.since);
        if !self.is_there(of) || !self.is_there(Thing::Being(by)) {
            return;
        }
        let own = self.claim_on(of, at).filter(|claim| claim.by == by);
        let since = own.map_or(at, |claim| claim.since);
        self.claims.set(of, Claim { since, ..claim });
    }

    /// Whether a thing is there, and where it is a being, lives.
    pub fn is_there(&self, thing: Thing) -> bool {
        match thing {
            Thing::Being(id) => self.beings.get(&id).is_some_and(|being| !being.ended),
            Thing::Space(id) => self.spaces.contains_key(&id),
            Thing::Matter(id) => self.matter.contains_key(&id),
        }
    }

    /// A thing that somebody carries is theirs: once it has come to them nobody else has claimed it any more, or anything in it.
    pub(super) fn pass_claims(&mut self, of: Thing, to: Thing, cause: &Cause) {
        let Some(Thing::Being(holder)) = self.outward(to).last().filter(|_| self.has_claims()) else { return };
        let all = self.claims_on_all_of(of, self.at);
        let others: Vec<Thing> = all.filter(|(_, claim)| claim.by != holder).map(|(thing, _)| thing).collect();
        self.let_go(others, cause);
    }

    /// Ends claims that no fact of their own ends; whoever watches for that, where the things lie now, hears of it.
    fn let_go(&mut self, things: Vec<Thing>, cause: &Cause) {
        for (at, thing) in (1u32..).zip(things) {
            self.claims.end(thing);
            if self.is_watched() && !cause.is_planting {
                self.let_go_watched(thing, at, cause);
            }
        }
    }

    /// Forgets a thing that ends: what is remembered of it, the claim on it, and what it has claimed.
    pub(super) fn forget(&mut self, of: Thing, cause: &Cause) {
        self.memory.forget(of);
        let held: Vec<Thing> = match of {
            Thing::Being(id) => {
                self.questions.forget(id);
                self.claims.held(id).collect()
            }
            Thing::Space(_) | Thing::Matter(_) => Vec::new(),
        };
        let own = self.claim_on(of, self.at).map(|_| of);
        self.let_go(own.into_iter().chain(held).collect(), cause);
    }
}
