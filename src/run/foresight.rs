//! Foresight: while models are waited for, those are asked too whose moments come next, on a copy of the world that nobody seals.
//!
//! The copy goes on with each answer that has come: whoever it wakes or changes is thought about there. Nobody sees that but the clock: at its
//! moment each is asked as ever, and its reply is there already where nothing that it is told has changed.

use std::collections::{BTreeMap, BTreeSet};

use crate::cognition::{Reply, Request};
use crate::fact::{BeingId, Draft, Millis, SpaceId, Text};
use crate::minds::{AnswerWait, Foreseen, Foresees, Knock};
use crate::world::World;

use super::engine::{Begun, Engine, Next};
use super::request_cache::PlaceDigests;

/// So many frames are drafted ahead at most.
const FRAMES: u64 = 2_048;

/// The copy of a world.
#[derive(Default)]
pub(super) struct Foresight {
    scratch: Option<Box<Engine>>,
    /// Of what has really happened.
    digests: PlaceDigests,
}

/// As far as it is looked.
pub(super) struct RunHorizon {
    /// Where the run ends.
    pub end: Option<Millis>,
    /// How many moments it has left.
    pub moments: u64,
    /// Whether people may act meanwhile: then nobody is sure to be asked as the world will be.
    pub is_live: bool,
}

/// One look ahead.
struct LookAhead {
    /// Where somebody is still to answer.
    places: BTreeSet<SpaceId>,
    /// The requests that are to be made.
    requests: Vec<Request>,
    /// How many are asked beside those that were begun ahead, by connection.
    asked: BTreeMap<Text, usize>,
    /// How many models were looked at, and how many moments in all.
    models: usize,
    moments: u64,
    /// Where no more than these are looked at.
    window: usize,
    is_live: bool,
}

impl Foresight {
    /// Takes in what has happened since the first look.
    pub fn note(&mut self, drafts: &[Draft], world: &World) {
        if self.scratch.is_some() {
            drafts.iter().for_each(|draft| self.digests.note(draft, world));
        }
    }

    /// Begins to ask models whose moments come after a round, of which some have answered: none beyond the horizon, and of each connection no more than it
    /// takes. The first of each place among those still to answer cannot be asked in vain by what is said there.
    pub fn look(
        &mut self,
        engine: &mut Engine,
        (begun, replies): (&Begun, &[Option<Reply>]),
        horizon: &RunHorizon,
        (patience, knock): (&AnswerWait, &Knock),
    ) {
        if engine.minds.ahead().is_none_or(|ahead| ahead.window(1) == 0) {
            return;
        }
        let scratch = self.scratch.get_or_insert_with(|| Box::new(engine.apprentice()));
        self.digests.catch_up(engine.world().next_seq());
        if let (Some(requests), Some(ahead)) = (scratch.requests(), engine.minds.ahead()) {
            let is_in_vain = |being: BeingId| engine.world.being(being).is_none_or(|being| ahead.was_in_vain(&being.name));
            requests.begin(self.digests.clone(), is_in_vain);
        }
        if scratch.follow(engine, begun, replies).is_ok()
            && let Some(ahead) = engine.minds.ahead()
        {
            let requests = looked(scratch, ahead, horizon);
            ahead.foresee(requests, patience, knock);
        }
        scratch.rest();
    }
}

/// Lets a copy go on as far as the horizon; what is to be asked.
fn looked(scratch: &mut Engine, ahead: &mut dyn Foresees, horizon: &RunHorizon) -> Vec<Request> {
    let (mut places, mut asked) = (BTreeSet::new(), BTreeMap::new());
    for pondered in scratch.waiting() {
        places.insert(pondered.opening.being.position);
        *asked.entry(pondered.request.as_ref().map(|request| request.connection.name.clone()).unwrap_or_default()).or_default() += 1;
    }
    let ends = scratch.world().next_seq().saturating_add(FRAMES);
    let mut outlook = LookAhead { places, asked, requests: Vec::new(), models: 0, moments: 0, window: 1, is_live: horizon.is_live };
    let is_far = |scratch: &Engine, outlook: &LookAhead| {
        scratch.world().next_seq() >= ends || outlook.models >= outlook.window || outlook.moments >= horizon.moments
    };
    while !is_far(scratch, &outlook) && outlook.goes_on(scratch, ahead, horizon.end) {}
    outlook.requests
}

impl LookAhead {
    /// Lets the copy go on by a round; whether there may be another.
    fn goes_on(&mut self, scratch: &mut Engine, ahead: &mut dyn Foresees, end: Option<Millis>) -> bool {
        let Next::At(at) = scratch.next() else { return false };
        if end.is_some_and(|end| at > end) {
            return false;
        }
        let Ok(mut begun) = scratch.begin_round(at, &mut |_, _| ()) else { return false };
        self.moments += begun.pondered.len() as u64;
        let mut here = BTreeSet::new();
        begun.hear_some(|place, being, request| {
            (self.models, self.window) = (self.models + 1, self.window.max(ahead.window(request.connection.parallel)));
            match ahead.foreseen(request) {
                Foreseen::Replied(reply) => return Some(reply),
                Foreseen::UnderWay => {}
                Foreseen::Not => self.consider(place, being, request, ahead),
            }
            here.insert(place);
            None
        });
        self.places.append(&mut here);
        scratch.end_those_heard(&mut begun).is_ok()
    }

    /// Has a model asked, where it is worth it and its connection has room. Its other requests are of no use any more.
    fn consider(&mut self, place: SpaceId, being: &str, request: &Request, ahead: &mut dyn Foresees) {
        ahead.give_up_others(request);
        let asked = self.asked.entry(request.connection.name.clone()).or_default();
        let is_first = !self.is_live && !self.places.contains(&place);
        let is_worth_it = is_first || ahead.dares(being);
        if is_worth_it && ahead.room(&request.connection) > *asked {
            *asked += 1;
            self.requests.push(request.clone());
        }
    }
}
