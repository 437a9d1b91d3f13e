//! Lives: how beings, spaces and matter come to be, move and end while a frame is folded, and the lists in which they stand.

use std::sync::Arc;

use crate::fact::{BeingId, Birth, Canon, Cognition, Coords, Hash, Made, Rank, SpaceId, Text, Thing, Trigger, Value, WakeId, WakeKind};
use crate::role::{Flow, Spec};

use super::being::{Being, Looks, Withheld};
use super::brake::BrakeCounts;
use super::fold::Cause;
use super::ledger::Account;
use super::look::looks;
use super::quality::Qualities;
use super::registry::RoleVersion;
use super::setting::OwnSettings;
use super::space::{Space, SpaceFlow};
use super::wake::{Body, Wake};
use super::whole::World;

impl World {
    pub(super) fn count_wearing(&mut self, space: SpaceId, roles: &[Text], more: bool) {
        for role in roles {
            let key = (space, role.clone());
            let count = self.wearing.get(&key).copied().unwrap_or(0);
            match if more { count + 1 } else { count.saturating_sub(1) } {
                0 => self.wearing.remove(&key),
                count => self.wearing.insert(key, count),
            };
        }
    }

    pub(super) fn born(&mut self, id: BeingId, birth: &Birth, flow: &Value, qualities: &Value, cause: &Cause) {
        // A parent was born before.
        let parent = birth.parent.filter(|parent| self.beings.contains_key(parent));
        let flow = if flow.is_null() { Flow::empty() } else { Flow::compile(flow).unwrap_or_else(|_| Flow::empty()) };
        let being = Being {
            id,
            name: birth.name.clone(),
            parent,
            home: birth.home,
            position: birth.home,
            coords: birth.coords,
            cognition: birth.cognition,
            script: birth.script.clone(),
            panel: None,
            default_role: birth.default_role.clone(),
            flow: Arc::new(flow),
            grants: birth.grants.clone(),
            qualities: Qualities::from_value(qualities),
            settings: OwnSettings::default(),
            key: birth.key,
            born_at: cause.at,
            next_n: 0,
            last_seq: cause.seq,
            counted_from: cause.at,
            previous_role: None,
            wearing: Arc::from([]),
            driver: None,
            paused: false,
            ended: false,
            bound_at: cause.seq,
            listens: Vec::new(),
            schedules: Default::default(),
            looked: Looks::default(),
            missed: None,
            moments: 0,
            withheld: Withheld::default(),
            brakes: BrakeCounts::default(),
        };
        self.name(&birth.name, id);
        if let Some(parent) = parent {
            self.children.insert((parent, id));
        }
        self.beings.insert(id, Arc::new(being));
        self.here.insert((birth.home, id));
        self.placed.moved(Thing::Being(id), None, Some((Thing::Space(birth.home), birth.coords)));
        self.list_mind(id);
        self.space_mut(birth.home, |space| space.count += 1);
        self.list(id);
        self.await_crossing(id, id.0);
    }

    /// Lists a being's name, which is its alone for good, and so is what it looks like.
    pub(super) fn name(&mut self, name: &Text, id: BeingId) {
        self.names.insert(name.clone(), id);
        self.looks.extend(looks(name));
    }

    /// Passes the spaces of an ended being to the owner of the ground above, the root itself to the operator. It contributes
    /// nowhere any more, and a being that it drove is free.
    fn disown(&mut self, id: BeingId, made: Made, cause: &Cause) {
        let had = |space: &Space| space.owner == Some(id) || space.contributors.contains(&id);
        let spaces: Vec<SpaceId> = self.spaces.values().filter(|space| had(space)).map(|space| space.id).collect();
        let heir = Some(self.operator()).filter(|operator| *operator != id).unwrap_or(BeingId::WORLD);
        for space in spaces {
            self.space_mut(space, |space| {
                space.contributors.remove(&id);
                if space.owner == Some(id) {
                    space.owner = space.parent.is_none().then_some(heir);
                }
            });
        }
        // Only people drive, so hardly anybody's end asks for this.
        if self.beings.get(&id).is_none_or(|being| being.cognition != Cognition::Human) {
            return;
        }
        let is_driven = |being: &&Arc<Being>| being.driver_at(cause.at) == Some(id);
        let driven: Vec<BeingId> = self.driven_by(id).filter(is_driven).map(|being| being.id).collect();
        driven.into_iter().for_each(|being| self.lease(being, made, None));
    }

    pub(super) fn ended(&mut self, of: Thing, made: Made, cause: &Cause) {
        self.forget(of, cause);
        match of {
            Thing::Being(id) => {
                let Some(being) = self.beings.get(&id).filter(|being| !being.ended).cloned() else { return };
                self.unlist(id);
                // Nobody will ask for it again; what its calls have cost its last moment says.
                self.ledger.forget(Account::Being(id));
                for wake in self.inbox.clear(id) {
                    self.withdraw(&wake);
                    self.call_off(&wake);
                    wake.roots().into_iter().for_each(|root| self.release(root));
                }
                self.approver_ended(id, cause.at);
                self.here.remove(&(being.position, id));
                self.placed.moved(of, Some((Thing::Space(being.position), being.coords)), None);
                self.minds.remove(&(being.position, id));
                self.count_wearing(being.position, &being.wearing, false);
                self.space_mut(being.position, |space| space.count = space.count.saturating_sub(1));
                if let Some(parent) = being.parent {
                    self.children.remove(&(parent, id));
                }
                self.disown(id, made, cause);
                self.being_mut(id, |being| {
                    being.ended = true;
                    being.schedules.clear();
                    being.listens.clear();
                    being.wearing = Arc::from([]);
                    being.bound_at = made.seq;
                });
                let id_ = WakeId { rank: Rank::Person, due: cause.at, cause: made, kind: WakeKind::End };
                self.add_wake(id, Wake::by_nobody(id_, Body::End));
            }
            Thing::Space(id) => {
                self.ledger.forget(Account::Space(id));
                self.tally_moved(of, self.spaces.get(&id).and_then(|space| space.parent).map(Thing::Space), None);
                self.tallies.remove(&of);
                self.flowing.remove(&id);
                if !self.registry.local_roles.is_empty() {
                    Arc::make_mut(&mut self.registry).drop_local(|_, space| space == id);
                }
                if let Some(space) = self.spaces.remove(&id)
                    && let Some(parent) = space.parent
                {
                    self.space_names.remove(&(parent, space.name.clone()));
                }
                self.held.remove(&id);
            }
            Thing::Matter(id) => {
                if let Some(matter) = self.matter.remove(&id) {
                    self.tally_moved(of, Some(matter.place), None);
                    self.tallies.remove(&of);
                    self.placed.moved(of, Some((matter.place, matter.coords)), None);
                    self.matter_names.remove(&(matter.place, matter.name.clone()));
                }
            }
        }
    }

    pub(super) fn named(&mut self, of: Thing, name: &Text, kind: &Text) {
        match of {
            Thing::Being(_) => {}
            Thing::Space(id) => {
                let Some(space) = self.spaces.get(&id).cloned() else { return };
                if let Some(parent) = space.parent {
                    self.space_names.remove(&(parent, space.name.clone()));
                    self.space_names.insert((parent, name.clone()), id);
                }
                self.space_mut(id, |space| (space.name, space.kind) = (name.clone(), kind.clone()));
            }
            Thing::Matter(id) => {
                let Some(matter) = self.matter.get(&id).cloned() else { return };
                self.matter_names.remove(&(matter.place, matter.name.clone()));
                self.matter_names.insert((matter.place, name.clone()), id);
                self.matter_mut(id, |matter| (matter.name, matter.kind) = (name.clone(), kind.clone()));
            }
        }
    }

    pub(super) fn moved(&mut self, of: Thing, to: Thing, coords: Option<Coords>, index: u32, cause: &Cause) {
        match (of, to) {
            (Thing::Being(id), Thing::Space(space)) => self.walked(id, space, coords, index, cause),
            // Nothing can come to lie in itself: the gate lets nobody try, and a history that says so says nothing.
            (of, place) if self.lies_in(place, of) => {}
            (Thing::Matter(id), place) => {
                let Some(matter) = self.matter.get(&id).cloned() else { return };
                self.pass_claims(of, place, cause);
                self.matter_names.remove(&(matter.place, matter.name.clone()));
                self.matter_names.insert((place, matter.name.clone()), id);
                self.matter_mut(id, |matter| (matter.place, matter.coords) = (place, coords));
                self.placed.moved(of, Some((matter.place, matter.coords)), Some((place, coords)));
                self.tally_moved(of, Some(matter.place), Some(place));
            }
            (Thing::Space(id), Thing::Space(parent)) => {
                let Some(space) = self.spaces.get(&id).cloned() else { return };
                if let Some(old) = space.parent {
                    self.space_names.remove(&(old, space.name.clone()));
                }
                self.space_names.insert((parent, space.name.clone()), id);
                self.space_mut(id, |space| (space.parent, space.coords) = (Some(parent), coords));
                self.tally_moved(of, space.parent.map(Thing::Space), Some(to));
                self.hold_in(id);
                // The beings in it stand in another scope now.
                if self.is_scoped_anywhere() {
                    self.aside.scoped = cause.seq;
                }
                self.relist_moved(id, Made { seq: cause.seq, index });
            }
            (Thing::Being(_), Thing::Being(_) | Thing::Matter(_)) | (Thing::Space(_), Thing::Being(_) | Thing::Matter(_)) => {}
        }
    }

    /// Whether a thing is another, or lies in it at whatever depth.
    pub(super) fn lies_in(&self, thing: Thing, other: Thing) -> bool {
        let mut at = Some(thing);
        while let Some(here) = at {
            if here == other {
                return true;
            }
            at = match here {
                Thing::Space(id) => self.spaces.get(&id).and_then(|space| space.parent).map(Thing::Space),
                Thing::Matter(id) => self.matter.get(&id).map(|matter| matter.place),
                Thing::Being(_) => None,
            };
        }
        false
    }

    pub(super) fn walked(&mut self, id: BeingId, to: SpaceId, coords: Option<Coords>, index: u32, cause: &Cause) {
        let Some(being) = self.beings.get(&id).filter(|being| !being.ended) else { return };
        let stood = (Thing::Space(being.position), being.coords);
        self.placed.moved(Thing::Being(id), Some(stood), Some((Thing::Space(to), coords)));
        // A step within a space is by far the most common: nothing but the being changes, and it is not copied.
        if being.position == to {
            return self.being_mut(id, |being| being.coords = coords);
        }
        let being = being.clone();
        self.being_mut(id, |being| (being.position, being.coords) = (to, coords));
        self.here.remove(&(being.position, id));
        self.here.insert((to, id));
        if being.cognition.remembers() {
            self.minds.remove(&(being.position, id));
            self.minds.insert((to, id));
        }
        for trigger in being.listens.iter().filter(|trigger| trigger.is_of_a_place()) {
            self.listening.remove(&(being.position, *trigger, id));
            self.listening.insert((to, *trigger, id));
        }
        if let Some(reads) = self.reads_of(id).cloned() {
            self.list_paths_in(being.position, id, &reads.paths, false);
            self.list_paths_in(to, id, &reads.paths, true);
        }
        self.relist_watches(id);
        if !self.registry.local_roles.is_empty() || !self.flowing.is_empty() {
            self.relist(id, Made { seq: cause.seq, index });
        }
        self.count_wearing(being.position, &being.wearing, false);
        self.count_wearing(to, &being.wearing, true);
        self.space_mut(being.position, |space| space.count = space.count.saturating_sub(1));
        self.space_mut(to, |space| space.count += 1);
        if self.beings.get(&id).is_some_and(|being| being.listens.contains(&Trigger::Enter)) {
            self.add_wake(id, cause.wake(WakeKind::Enter, Rank::Normal, index, Body::Enter { space: to }));
        }
        if self.reads_of(id).is_some_and(|reads| !reads.fades.is_empty()) {
            self.look_ahead(id, Made { seq: cause.seq, index });
        }
        for other in self.listeners(to, Trigger::Arrival, id) {
            self.add_wake(other, cause.wake(WakeKind::Arrival, Rank::Normal, index, Body::Arrival { who: id }));
        }
    }

    /// Gives a role a version: in the world, or in a space and those inside it.
    pub(super) fn role_set(&mut self, place: Option<SpaceId>, name: &Text, origin: &Text, role: &Value, made: Made) {
        let registry = Arc::make_mut(&mut self.registry);
        let spec = if role.is_null() { None } else { Spec::from_value(role).ok() };
        let version = |old: Option<&RoleVersion>, spec: Spec| {
            let (hash, source) = (Hash::of(&role.to_canon()), Arc::new(role.clone()));
            let version = old.map_or(0, |role| role.version) + 1;
            RoleVersion { spec: Arc::new(spec), source, hash, origin: origin.clone(), made, version }
        };
        match (place, spec) {
            (None, Some(spec)) => {
                let set = version(registry.roles.get(name), spec);
                registry.roles.insert(name.clone(), set);
            }
            // No space has a role that the world has not.
            (None, None) => {
                registry.roles.remove(name);
                registry.drop_local(|local, _| local == name);
            }
            (Some(space), Some(spec)) => {
                let set = version(registry.local_role(name, space), spec);
                registry.local_roles.entry(name.clone()).or_default().insert(space, set);
            }
            (Some(space), None) => registry.drop_local(|local, place| local == name && place == space),
        }
        self.relist_wearers(name, made);
    }

    /// Gives a space another flow; an empty one is none.
    pub(super) fn flow_set_in(&mut self, space: SpaceId, flow: &Value, made: Made) {
        let flow = Flow::compile_for_space(flow).ok().filter(|flow| flow.roles().next().is_some()).map(Arc::new);
        if flow.is_some() && self.spaces.contains_key(&space) {
            self.flowing.insert(space);
        } else {
            self.flowing.remove(&space);
        }
        self.space_mut(space, |space| space.flow = flow.map(|flow| SpaceFlow { flow, made }));
        self.relist_within(space, made);
    }

    /// Lists everybody anew for whom it matters where they stand: some space has versions of roles of its own, or a flow.
    fn relist_moved(&mut self, space: SpaceId, made: Made) {
        if !self.registry.local_roles.is_empty() || !self.flowing.is_empty() {
            self.relist_within(space, made);
        }
    }

    pub(super) fn unschedule(&mut self, id: BeingId, name: &Text) {
        let Some(schedule) = self.beings.get(&id).and_then(|being| being.schedules.get(name)).cloned() else { return };
        let open: Option<Arc<Wake>> =
            self.inbox.of(id).find(|wake| wake.id.kind == WakeKind::Schedule && wake.id.cause == schedule.made).cloned();
        if let Some(wake) = open {
            self.drop_wake(id, &wake);
        }
        self.being_mut(id, |being| {
            being.schedules.remove(name);
        });
    }

    pub(super) fn pause(&mut self, of: Option<Thing>, paused: bool, frozen: bool) {
        match of {
            None => self.paused = paused,
            Some(Thing::Being(id)) => self.being_mut(id, |being| being.paused = paused),
            Some(Thing::Space(id)) => self.space_mut(id, |space| (space.paused, space.frozen) = (paused, frozen)),
            Some(Thing::Matter(_)) => {}
        }
    }
}
