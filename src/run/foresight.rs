//! Foresight: while models are waited for, those are asked too whose moments come next, on the world as it stands.
//!
//! Nobody sees that but the clock: at its moment each is asked as ever, and its reply is there already where nothing that it is told has
//! changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::cognition::{Connection, afford};
use crate::fact::{BeingId, Cognition, Millis, SpaceId, Spend, Text, WakeId};
use crate::minds::{AnswerWait, Knock};
use crate::world::{Being, Wake, World};

use super::engine::{Begun, Engine, Pondered};

/// What is set aside for calls whose moments are still to come: when they are, and what they can cost at most.
#[derive(Default)]
pub(super) struct Foresight(BTreeMap<(BeingId, WakeId), ((Millis, i64), Spend)>);

impl Foresight {
    /// Begins to ask the models that are due next, while those of a round are asked: none beyond the end of the run, no more than moments
    /// are left to it, and of each connection no more than it takes. Who was asked in vain the last time is asked only where no other model of its place comes before it.
    pub fn look(&mut self, engine: &mut Engine, begun: &Begun, (end, left): (Option<Millis>, u64), patience: &AnswerWait, knock: &Knock) {
        let Some(span) = engine.minds.ahead().map(|ahead| ahead.span()).filter(|span| *span > 0) else { return };
        let until = end.unwrap_or(Millis::MAX).min(begun.at.saturating_add(span));
        let (mut counted, mut room, mut requests) = (self.counted(&engine.world), Room::beside(engine, begun), Vec::new());
        let mut places: BTreeSet<SpaceId> = begun.pondered.iter().map(|pondered| pondered.opening.being.position).collect();
        for (being, wake, at) in coming(engine, begun, until) {
            if self.0.len() as u64 >= left {
                break;
            }
            let (key, comes_first) = ((being.id, wake.id.clone()), places.insert(being.position));
            let is_worth_it = comes_first || engine.minds.ahead().is_some_and(|ahead| !ahead.was_vain(&being.name));
            if !is_worth_it || self.0.contains_key(&key) || !room.has_some_for(engine, &being) {
                continue;
            }
            let Some(Pondered { opening, request: Some(request), .. }) = engine.think_ahead(&being, &wake, at) else { continue };
            if !room.has_some(engine, &request.connection) {
                continue;
            }
            if let Ok((request, most)) = afford(&opening, &counted, request) {
                let when = (at, opening.offset);
                Arc::make_mut(&mut counted).set_aside(&being, &wake, when, most);
                self.0.insert(key, (when, most));
                room.take(&request.connection);
                requests.push(request);
            }
        }
        if let Some(ahead) = engine.minds.ahead() {
            ahead.foresee(requests, patience, knock);
        }
    }

    /// The world with all of it counted; what has had its moment is no more.
    fn counted(&mut self, world: &Arc<World>) -> Arc<World> {
        let mut counted = world.clone();
        self.0.retain(|(being, wake), (when, spend)| {
            let (Some(being), Some(wake)) = (world.being(*being), world.inbox().get(*being, wake)) else { return false };
            Arc::make_mut(&mut counted).set_aside(being, wake, *when, *spend);
            true
        });
        counted
    }
}

/// How many calls each connection takes ahead.
struct Room(BTreeMap<Text, isize>);

impl Room {
    /// What the round that is asked now leaves.
    fn beside(engine: &mut Engine, begun: &Begun) -> Self {
        let mut room = Self(BTreeMap::new());
        for request in begun.requests() {
            room.has_some(engine, &request.connection);
            room.take(&request.connection);
        }
        room
    }

    fn has_some(&mut self, engine: &mut Engine, connection: &Connection) -> bool {
        let ask = || engine.minds.ahead().map_or(0, |ahead| isize::try_from(ahead.room(connection)).unwrap_or(isize::MAX));
        *self.0.entry(connection.name.clone()).or_insert_with(ask) > 0
    }

    /// Whether there is room for a being, before its request is written.
    fn has_some_for(&mut self, engine: &mut Engine, being: &Being) -> bool {
        let world = engine.world.clone();
        Connection::any(&world, being, |connection| self.has_some(engine, connection))
    }

    fn take(&mut self, connection: &Connection) {
        self.0.entry(connection.name.clone()).and_modify(|room| *room -= 1);
    }
}

/// The models that are due after a round, up to an instant, in the order in which they are due: each with its wake and when that is opened.
fn coming(engine: &Engine, begun: &Begun, until: Millis) -> Vec<(Arc<Being>, Arc<Wake>, Millis)> {
    let (world, soonest) = (&engine.world, begun.at.saturating_add(1));
    let asked: BTreeSet<BeingId> = begun.pondered.iter().map(|pondered| pondered.opening.being.id).collect();
    let mut coming = Vec::new();
    for (since, id) in world.inbox().due().take_while(|(due, _)| *due <= until) {
        let at = since.max(soonest);
        let Some(being) = world.being(id).filter(|being| !being.ended && !asked.contains(&id) && !world.holds_still(being)) else {
            continue;
        };
        let Some(wake) = world.inbox().next(id, at).filter(|_| being.cognition_at(at) == Cognition::Llm) else { continue };
        if engine.reaches(being, Some(wake)) && !world.is_undressed(being, Some(wake), at) {
            coming.push((being.clone(), wake.clone(), at));
        }
    }
    coming
}
