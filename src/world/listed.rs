//! Listed: the paths and triggers that concern each being, so that a change finds them without asking everybody.
//!
//! It follows from the being, the spaces around it and the roles that it may come to wear, and is no part of the state.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fact::{BeingId, Made, SpaceId, Text, Trigger};
use crate::role::{Around, Reads};

use super::being::Being;
use super::index::Concern;
use super::whole::World;

impl World {
    /// The spaces around a being whose flows stack roles on it, the nearest first. Those of genesis run the world, and no place of it
    /// programs them.
    pub fn around(&self, being: &Being) -> Vec<Around<'_>> {
        if self.flowing.is_empty() || being.id.0.seq == 0 {
            return Vec::new();
        }
        let spaces = self.upward(being.position);
        spaces.filter_map(|space| space.flow.as_ref().map(|flow| Around { space: space.id, flow: &flow.flow })).collect()
    }

    /// The roles that a being may come to wear: those that its flow, its default and the spaces around it name.
    pub fn may_wear(&self, being: &Being) -> BTreeSet<Text> {
        self.named_for(being).map(Text::from).collect()
    }

    /// The same in the order in which they are named, however often.
    pub(super) fn named_for<'a>(&'a self, being: &'a Being) -> impl Iterator<Item = &'a str> {
        let around = self.around(being).into_iter().flat_map(|around| around.flow.roles());
        being.own_roles().chain(around)
    }

    fn concern(&self, being: &Being) -> Concern {
        let (roles, mut reads) = (self.may_wear(being), being.flow.reads().clone());
        // Most are concerned by their own flow alone, whose reads they share.
        self.around(being).iter().for_each(|around| Arc::make_mut(&mut reads).add(around.flow.reads()));
        // Also of those that are out of scope: what wakes it meanwhile waits until they are in it again.
        let guards = || roles.iter().filter_map(|role| self.version_at(role, being.position)?.spec.when.as_ref());
        guards().for_each(|guard| Arc::make_mut(&mut reads).add(guard.reads()));
        let is_guarded = guards().next().is_some();
        Concern { reads, roles, is_guarded }
    }

    /// The reads that decide what a being wears: signals, time, numbers that fade, and other parts of the world.
    pub fn reads_of(&self, id: BeingId) -> Option<&Arc<Reads>> {
        self.listed.get(&id).map(|listed| &listed.reads)
    }

    /// The triggers of all roles that a being may come to wear.
    fn listens(&self, being: &Being, roles: &BTreeSet<Text>) -> Vec<Trigger> {
        let specs = roles.iter().filter_map(|role| self.version_at(role, being.position));
        let mut specs = specs.peekable();
        // A being with no role to wear is woken as by a role that says nothing.
        if specs.peek().is_none() {
            return Trigger::USUAL.to_vec();
        }
        let mut triggers: Vec<Trigger> = specs.flat_map(|role| role.spec.trigger_on.iter().copied()).collect();
        triggers.sort();
        triggers.dedup();
        triggers
    }

    /// Lists a being among those with a mind where it stands, or takes it out of them.
    pub(super) fn list_mind(&mut self, id: BeingId) {
        let Some(being) = self.beings.get(&id) else { return };
        let (listed, has_mind) = ((being.position, id), being.cognition.remembers() && !being.ended);
        let _ = if has_mind { self.minds.insert(listed) } else { self.minds.remove(&listed) };
    }

    pub(super) fn unlist(&mut self, id: BeingId) {
        let Some(being) = self.beings.get(&id).cloned() else { return };
        let Some(listed) = self.listed.remove(&id) else { return };
        for path in &listed.reads.signals {
            self.readers.remove(&(path.clone(), id));
        }
        for role in &listed.roles {
            self.wearers.remove(&(role.clone(), id));
        }
        self.list_paths_in(being.position, id, &listed.reads.paths, false);
        self.list_shared(id, &listed.reads.paths, false);
        self.unlist_watches(id);
        for trigger in being.listens.iter().filter(|trigger| trigger.is_of_a_place()) {
            self.listening.remove(&(being.position, *trigger, id));
        }
    }

    pub(super) fn list(&mut self, id: BeingId) {
        let Some(being) = self.beings.get(&id).filter(|being| !being.ended).cloned() else { return };
        let listed = self.concern(&being);
        for path in &listed.reads.signals {
            self.readers.insert((path.clone(), id));
        }
        for role in &listed.roles {
            self.wearers.insert((role.clone(), id));
        }
        self.list_paths_in(being.position, id, &listed.reads.paths, true);
        self.list_shared(id, &listed.reads.paths, true);
        self.list_watches(&being);
        let listens = self.listens(&being, &listed.roles);
        for trigger in listens.iter().filter(|trigger| trigger.is_of_a_place()) {
            self.listening.insert((being.position, *trigger, id));
        }
        if listens != being.listens {
            self.being_mut(id, |being| being.listens = listens);
            self.heed_schedules(&being);
        }
        self.listed.insert(id, Arc::new(listed));
    }

    /// Whether a being is woken so.
    pub(super) fn listens_to(&self, id: BeingId, trigger: Trigger) -> bool {
        self.beings.get(&id).is_some_and(|being| being.listens.contains(&trigger))
    }

    /// Lists a being anew, after what it may wear there has changed.
    pub(super) fn relist(&mut self, id: BeingId, made: Made) {
        let before = self.reads_of(id).cloned();
        self.unlist(id);
        self.list(id);
        if before.as_ref() != self.reads_of(id) {
            self.look_ahead(id, made);
        }
    }

    /// Lists everybody anew who may come to wear a role.
    pub(super) fn relist_wearers(&mut self, name: &Text, made: Made) {
        let worn: Vec<BeingId> = self.wearers_of(name).collect();
        worn.into_iter().for_each(|being| self.relist(being, made));
    }

    /// The same for all who stand in a space or in one inside it.
    pub(super) fn relist_within(&mut self, space: SpaceId, made: Made) {
        self.beings_within(space).into_iter().for_each(|being| self.relist(being, made));
    }

    /// All who stand in a space or in one inside it.
    pub(super) fn beings_within(&self, space: SpaceId) -> Vec<BeingId> {
        let (mut spaces, mut found) = (vec![space], Vec::new());
        while let Some(space) = spaces.pop() {
            spaces.extend(self.spaces_in(space).map(|(_, id)| id));
            found.extend(self.beings_in(space));
        }
        found
    }
}
