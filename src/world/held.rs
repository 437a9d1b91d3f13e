//! Held: the settings in force at each place, kept for each space at or inside which one is set.
//!
//! Settings change seldom and are read at every moment, so the values in force are worked out on a change. They follow from what is
//! hashed, and are no part of any hash or checkpoint.

use std::borrow::Cow;
use std::sync::Arc;

use crate::fact::{BeingId, SpaceId, Text, Thing, Value};

use super::being::Being;
use super::in_force::{InForce, NOTHING};
use super::scope::EXTENSIONS;
use super::setting::{OwnSettings, SaidSetting, SettingPlace};
use super::whole::World;

impl World {
    /// The value of a setting for a being: its own, else that of the spaces around it outward, of the world, or the default.
    pub fn setting<'a>(&'a self, key: &str, being: &'a Being) -> Cow<'a, Value> {
        if let Some(said) = being.settings.get(key) {
            let around = self.held_in(being.position);
            if let Some(value) = around.with(key, said, &being.settings, SettingPlace::Being, &self.registry) {
                return Cow::Owned((*value).clone());
            }
        }
        Cow::Borrowed(self.setting_at(key, being.position))
    }

    /// The same for whoever stands in a space and says nothing.
    pub fn setting_at(&self, key: &str, space: SpaceId) -> &Value {
        self.held_in(space).value(key).unwrap_or_else(|| self.registry.default_of(key))
    }

    /// The value of a setting around a thing, before its own settings count.
    pub fn setting_around(&self, key: &str, of: Thing) -> &Value {
        match of {
            Thing::Space(id) => match self.spaces.get(&id).and_then(|space| space.parent) {
                Some(parent) => self.setting_at(key, parent),
                None => self.registry.default_of(key),
            },
            Thing::Being(id) => self.beings.get(&id).map_or(&NOTHING, |being| self.setting_at(key, being.position)),
            Thing::Matter(_) => &NOTHING,
        }
    }

    /// The value of a setting for the world.
    pub fn world_setting(&self, key: &str) -> &Value {
        self.held_world.value(key).unwrap_or_else(|| self.registry.default_of(key))
    }

    /// A setting of a being that is a count; any other value counts as nothing.
    pub fn count_setting(&self, key: &str, being: &Being) -> u64 {
        self.setting(key, being).as_int().and_then(|count| u64::try_from(count).ok()).unwrap_or(0)
    }

    /// The same for whoever stands in a space and says nothing.
    pub fn count_at(&self, key: &str, space: SpaceId) -> u64 {
        self.setting_at(key, space).as_int().and_then(|count| u64::try_from(count).ok()).unwrap_or(0)
    }

    /// Whether a place around a being enforces a setting of its own, or the being's.
    pub fn is_enforced(&self, key: &str, being: &Being) -> bool {
        self.held_in(being.position).enforces(key)
    }

    /// The value that is set for the world, without the default.
    pub fn world_said(&self, key: &str) -> Option<&Value> {
        self.registry.config.get(key).map(Arc::as_ref)
    }

    /// The value that is set at a thing itself.
    pub fn said_at(&self, key: &str, of: Thing) -> Option<&Value> {
        match of {
            Thing::Space(SpaceId::ROOT) => self.world_said(key),
            Thing::Space(_) | Thing::Being(_) => self.own_settings(of)?.get(key).map(|said| said.value.as_ref()),
            Thing::Matter(_) => None,
        }
    }

    /// The settings of a space or a being itself.
    pub fn own_settings(&self, of: Thing) -> Option<&OwnSettings> {
        match of {
            Thing::Space(id) => self.spaces.get(&id).map(|space| &space.settings),
            Thing::Being(id) => self.beings.get(&id).map(|being| &being.settings),
            Thing::Matter(_) => None,
        }
    }

    /// Whether any place may say where extensions hold.
    pub(super) fn is_scoped_anywhere(&self) -> bool {
        !self.held.is_empty() || self.held_world.value(EXTENSIONS).is_some()
    }

    /// The settings in force in a space.
    pub(super) fn held_in(&self, space: SpaceId) -> &InForce {
        // In most worlds no space says anything.
        if self.held.is_empty() { &self.held_world } else { self.held.get(&space).unwrap_or(&self.held_world) }
    }

    /// Takes in what is said, or with null is said no more, at a space or a being.
    pub(super) fn say(&mut self, of: Thing, key: &Text, value: Value, by: BeingId) {
        // A setting by the operator stays the operator's, whoever that is later.
        let by = Some(by).filter(|by| *by != BeingId::WORLD && *by != self.operator());
        let old = by.and_then(|by| Some((by, self.own_settings(of)?.get(key)?)));
        let above = old.and_then(|(by, old)| old.with_above().find(|said| self.stands_above(said.by, by, of))).cloned();
        let said = if value.is_null() { above } else { Some(SaidSetting { value: Arc::new(value), by, above: above.map(Arc::new) }) };
        match of {
            Thing::Space(SpaceId::ROOT) | Thing::Matter(_) => {}
            Thing::Space(id) => {
                self.space_mut(id, |space| space.settings.say(key, said));
                self.hold_in(id);
            }
            Thing::Being(id) => self.being_mut(id, |being| being.settings.say(key, said)),
        }
    }

    /// Whether who said something at a place stands above somebody who acts there now.
    pub fn stands_above(&self, said_by: Option<BeingId>, actor: BeingId, of: Thing) -> bool {
        let Some(by) = said_by else { return true };
        match of {
            _ if by == actor => false,
            Thing::Space(id) => {
                let around = self.spaces.get(&id).and_then(|space| space.parent);
                around.is_some_and(|around| self.upward(around).any(|space| space.owner == Some(by)))
            }
            Thing::Being(_) => self.is_ancestor(by, actor),
            Thing::Matter(_) => false,
        }
    }

    /// Works out anew what holds everywhere: after the world's own settings or its extensions have changed, or when it has been read.
    pub fn hold(&mut self) {
        self.held_world = Arc::new(InForce::of_world(&self.registry));
        self.held = Default::default();
        let speaking: Vec<SpaceId> = self.spaces.values().filter(|space| !space.settings.is_empty()).map(|space| space.id).collect();
        for space in speaking {
            // A space inside another that has been worked out is done.
            if !self.held.contains_key(&space) {
                self.hold_in(space);
            }
        }
    }

    /// Works out anew what holds in a space and those inside it.
    pub(super) fn hold_in(&mut self, space: SpaceId) {
        let mut open = vec![space];
        while let Some(id) = open.pop() {
            let Some(space) = self.spaces.get(&id) else { continue };
            let parent = space.parent.and_then(|parent| self.held.get(&parent)).cloned();
            let held = if space.settings.is_empty() {
                parent
            } else {
                let around = parent.as_ref().unwrap_or(&self.held_world);
                Some(Arc::new(around.inside(&space.settings, SettingPlace::Space, &self.registry)))
            };
            let is_new = self.held.get(&id) != held.as_ref();
            match held {
                Some(held) => self.held.insert(id, held),
                None => self.held.remove(&id),
            };
            if is_new {
                open.extend(self.spaces_in(id).map(|(_, inner)| inner).collect::<Vec<_>>());
            }
        }
    }
}
