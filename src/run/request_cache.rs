//! Request cache: what models were to be asked at the last looks ahead, reused for as long as nothing happened where their beings stand.
//!
//! It serves a copy of the world that nobody seals. A request that is out of date costs a call, and its being is asked by no cached request
//! until a call of it was of use again.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use imbl::OrdMap;

use crate::cognition::{Request, Unasked};
use crate::fact::{BeingId, Canon, Draft, Fact, Millis, N, SpaceId, Thing, WakeId};
use crate::moment::{Opening, is_asking};
use crate::world::World;

/// How many requests of one being are kept.
const KEPT: usize = 8;

/// Digests of what happened in each place, and of what everybody may see.
#[derive(Clone, Default)]
pub(super) struct PlaceDigests {
    everywhere: u64,
    places: OrdMap<SpaceId, u64>,
    positions: OrdMap<BeingId, SpaceId>,
    /// The seq after the newest frame that they tell of.
    next_seq: u64,
}

impl PlaceDigests {
    /// Takes a moment in, with the world after it.
    pub(super) fn note(&mut self, draft: &Draft, world: &World) {
        self.next_seq = draft.seq + 1;
        if is_asking(draft) {
            return;
        }
        let digest = digest_of(&(draft.being, draft.n, draft.call.as_ref().map(Canon::to_canon)));
        let Some(places) = self.touched(draft, world) else {
            self.everywhere = digest_of(&(self.everywhere, digest));
            return;
        };
        for place in places {
            let was = self.places.get(&place).copied().unwrap_or_default();
            self.places.insert(place, digest_of(&(was, digest)));
        }
    }

    /// Takes in that more has happened than was noted.
    pub(super) fn catch_up(&mut self, next_seq: u64) {
        if self.next_seq != next_seq {
            (self.everywhere, self.next_seq) = (digest_of(&(self.everywhere, next_seq)), next_seq);
        }
    }

    /// The places in which something may be seen of a moment; nothing: in all of them.
    fn touched(&mut self, draft: &Draft, world: &World) -> Option<Vec<SpaceId>> {
        let moved = draft.facts.iter().filter_map(|fact| if let Fact::Moved { of, .. } = fact { Some(of) } else { None });
        let mut places = moved.map(|of| self.left_by(*of)).collect::<Option<Vec<SpaceId>>>()?;
        places.push(self.place_of(Thing::Being(draft.being), world)?);
        for fact in &draft.facts {
            let touched = match fact {
                Fact::Reserved(_) | Fact::Spent(_) | Fact::Keyed(_) | Fact::Narrowed { .. } => continue,
                Fact::Said { space, .. } => Thing::Space(*space),
                Fact::Filled { matter, .. } => Thing::Matter(*matter),
                Fact::QualitySet { of, .. } | Fact::QualityUnset { of, .. } => *of,
                Fact::QualityInc { of, .. } | Fact::QualityPush { of, .. } | Fact::Moved { of, .. } => *of,
                Fact::Asked(summons) => Thing::Being(summons.to),
                _ => return None,
            };
            places.push(self.place_of(touched, world)?);
        }
        Some(places)
    }

    /// Where a being was before it moved.
    fn left_by(&self, thing: Thing) -> Option<SpaceId> {
        if let Thing::Being(being) = thing { self.positions.get(&being).copied() } else { None }
    }

    /// Where a thing is now.
    fn place_of(&mut self, thing: Thing, world: &World) -> Option<SpaceId> {
        let place = world.space_of(thing)?;
        if let Thing::Being(being) = thing {
            self.positions.insert(being, place);
        }
        Some(place)
    }
}

fn digest_of(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// A moment, and what had happened before it where its being stands.
#[derive(PartialEq)]
struct MomentKey {
    n: N,
    wake: WakeId,
    at: Millis,
    everywhere: u64,
    place: u64,
}

/// The requests of the moments that were looked at.
#[derive(Default)]
pub(super) struct RequestCache {
    digests: PlaceDigests,
    kept: BTreeMap<BeingId, KeptRequests>,
    /// How many looks there were.
    looks: u64,
}

/// The newest requests of one being.
#[derive(Default)]
struct KeptRequests {
    newest: VecDeque<(MomentKey, Request)>,
    /// The last look that needed one of them.
    look: u64,
}

impl RequestCache {
    /// The request of a moment: the one that was written before, or else another.
    pub(super) fn request(&mut self, opening: &Opening, write: impl FnOnce() -> Result<Request, Unasked>) -> Result<Request, Unasked> {
        let key = self.key(opening);
        let KeptRequests { newest, look } = self.kept.entry(opening.being.id).or_default();
        *look = self.looks;
        if let Some((_, request)) = newest.iter().find(|(of, _)| *of == key) {
            return Ok(request.clone());
        }
        let request = write()?;
        newest.truncate(KEPT - 1);
        newest.push_front((key, request.clone()));
        Ok(request)
    }

    fn key(&mut self, opening: &Opening) -> MomentKey {
        let being = &opening.being;
        self.digests.positions.insert(being.id, being.position);
        let PlaceDigests { everywhere, places, .. } = &self.digests;
        MomentKey {
            n: being.next_n,
            wake: opening.wake.id.clone(),
            at: opening.opened_at,
            everywhere: *everywhere,
            place: places.get(&being.position).copied().unwrap_or_default(),
        }
    }

    /// Begins a look at a world in which so much has happened. Forgotten are requests that the last look did not need, and those of beings
    /// that are to be thought about anew.
    pub(super) fn begin(&mut self, digests: PlaceDigests, anew: impl Fn(BeingId) -> bool) {
        self.kept.retain(|being, kept| kept.look == self.looks && !anew(*being));
        (self.digests, self.looks) = (digests, self.looks + 1);
    }

    /// Takes in moments of the copy, with the world after them.
    pub(super) fn note(&mut self, drafts: &[Draft], world: &World) {
        drafts.iter().for_each(|draft| self.digests.note(draft, world));
    }
}
