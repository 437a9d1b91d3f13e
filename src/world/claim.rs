//! Claim: who is at what. While a claim lives, nobody but its holder changes the thing, or what lies in it.
//!
//! A claim ends at its time by itself: no fact says so, and whoever asks says when. A claim that has run out is forgotten with the next frame.

use imbl::{OrdMap, OrdSet};

use crate::fact::canon::canon_struct;
use crate::fact::{BeingId, Made, Millis, Text, Thing};

/// How many things a being may claim at once.
pub const CLAIMS_MAX: usize = 16;

/// A claim on one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its holder.
    pub by: BeingId,
    /// When it began; renewing it changes nothing of that.
    pub since: Millis,
    /// When it ends, unless it is renewed.
    pub until: Millis,
    /// The purpose, in the holder's words.
    pub why: Text,
}

canon_struct!(Claim { by, since, until, why });

impl Claim {
    pub(super) fn lives(&self, at: Millis) -> bool {
        at < self.until
    }
}

/// All claims, by thing and by holder.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    pub(super) of: OrdMap<Thing, Claim>,
    holders: OrdSet<(BeingId, Thing)>,
    ends: OrdSet<(Millis, Thing)>,
}

impl Claims {
    pub(super) fn set(&mut self, thing: Thing, claim: Claim) {
        self.end(thing);
        self.holders.insert((claim.by, thing));
        self.ends.insert((claim.until, thing));
        self.of.insert(thing, claim);
    }

    pub(super) fn end(&mut self, thing: Thing) {
        if let Some(claim) = self.of.remove(&thing) {
            self.holders.remove(&(claim.by, thing));
            self.ends.remove(&(claim.until, thing));
        }
    }

    /// Forgets what has run out.
    pub(super) fn run_out(&mut self, at: Millis) {
        while let Some((_, thing)) = self.ends.get_min().copied().filter(|(until, _)| *until <= at) {
            self.end(thing);
        }
    }

    pub(super) fn held(&self, by: BeingId) -> impl Iterator<Item = Thing> {
        let first = (by, Thing::Being(BeingId(Made { seq: 0, index: 0 })));
        self.holders.range(first..).take_while(move |(holder, _)| *holder == by).map(|(_, thing)| *thing)
    }
}

impl FromIterator<(Thing, Claim)> for Claims {
    fn from_iter<I: IntoIterator<Item = (Thing, Claim)>>(all: I) -> Self {
        let mut claims = Self::default();
        all.into_iter().for_each(|(thing, claim)| claims.set(thing, claim));
        claims
    }
}
