//! Whence: the origin of a setting's value: walked from the world inward, with the value at each place and whether it counts.
//!
//! It keeps nothing and asks nobody who keeps something: what [`held`](super::held) has worked out is tried against it.

use crate::fact::{BeingId, SpaceId, Thing, Value};

use super::in_force::{ENFORCE, OFFERED};
use super::setting::{Merge, Setting, SettingPlace};
use super::whole::World;

/// The value of a setting at one place on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// Where; the root stands for the world.
    pub at: Thing,
    /// What.
    pub value: Value,
    /// The being that set it; none: the operator.
    pub by: Option<BeingId>,
    /// The place whose value overrules it; nothing where it counts.
    pub overruled: Option<Thing>,
}

/// The value of a setting at a thing, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldSetting {
    /// The value in force.
    pub value: Value,
    /// The values along the way, the world first.
    pub stated: Vec<Stated>,
}

impl ToldSetting {
    /// Where what holds comes from, the nearest last: nothing where it is the default.
    pub fn from(&self, merge: Merge) -> Vec<Thing> {
        let counting = self.stated.iter().filter(|stated| stated.overruled.is_none());
        let deciding = counting.filter(|stated| match merge {
            Merge::Narrow | Merge::Longest => stated.value == self.value || stated.value.as_float().is_none(),
            Merge::Nearest | Merge::Outermost | Merge::Gather | Merge::Scope => true,
        });
        deciding.map(|stated| stated.at).collect()
    }
}

/// The root, where the world's own settings are said.
const ROOT: Thing = Thing::Space(SpaceId::ROOT);

impl World {
    /// The places on the way to a thing at which something may be said: the world, the spaces inward, and a being itself.
    pub fn way_to(&self, thing: Thing) -> Vec<Thing> {
        let mut way: Vec<Thing> =
            self.space_of(thing).into_iter().flat_map(|space| self.upward(space)).map(|space| Thing::Space(space.id)).collect();
        way.reverse();
        way.extend(Some(thing).filter(|thing| matches!(thing, Thing::Being(_))));
        way
    }

    /// The value of a setting at a thing, walked place by place.
    pub fn tell(&self, key: &str, thing: Thing) -> ToldSetting {
        let default = Value::Null;
        let Some(setting) = self.registry.setting(key) else { return ToldSetting { value: default, stated: Vec::new() } };
        let mut told = ToldSetting { value: (*setting.default).clone(), stated: Vec::new() };
        let mut enforced: Option<Thing> = None;
        for at in self.way_to(thing) {
            if let Some(stated) = self.stated(setting, key, at) {
                told.hear(setting, stated, enforced);
            }
            enforced = enforced.or_else(|| Some(at).filter(|at| self.enforces(key, *at)));
        }
        told
    }

    fn enforces(&self, key: &str, at: Thing) -> bool {
        let is_one = |keys: &Value| keys.as_list().is_some_and(|keys| keys.iter().any(|one| one.as_str() == Some(key)));
        SettingPlace::of(at) != Some(SettingPlace::Being) && self.said_at(ENFORCE, at).is_some_and(is_one)
    }

    /// The value that is set there, where the setting may stand and counts by itself.
    fn stated(&self, setting: &Setting, key: &str, at: Thing) -> Option<Stated> {
        if !setting.stands.contains(&SettingPlace::of(at)?) || !self.registry.is_live(key) {
            return None;
        }
        let value = self.said_at(key, at)?.clone();
        let by = if at == ROOT { None } else { self.own_settings(at)?.get(key)?.by };
        let is_lost = at != ROOT && setting.names_connection() && !self.may_name(&value, by, at);
        Some(Stated { at, value, by, overruled: is_lost.then_some(ROOT) })
    }

    /// Whether the connection is there, and whoever names it at that place may.
    pub fn may_name(&self, connection: &Value, by: Option<BeingId>, at: Thing) -> bool {
        let Some(name) = connection.as_str() else { return false };
        let offers = |at: &Thing| match self.said_at(OFFERED, *at).filter(|_| SettingPlace::of(*at) != Some(SettingPlace::Being)) {
            None => *at != ROOT,
            Some(offered) => offered.as_list().is_some_and(|offered| offered.contains(connection)),
        };
        self.registry.config.contains_key(format!("llm.{name}").as_str()) && (by.is_none() || self.way_to(at).iter().all(offers))
    }
}

impl ToldSetting {
    /// Takes in what is said further inward.
    fn hear(&mut self, setting: &Setting, mut stated: Stated, enforced: Option<Thing>) {
        if stated.overruled.is_none() {
            let counts = self.stated.iter_mut().filter(|earlier| earlier.overruled.is_none());
            match setting.merge {
                Merge::Nearest if enforced.is_some() => stated.overruled = enforced,
                Merge::Nearest => {
                    counts.for_each(|earlier| earlier.overruled = Some(stated.at));
                    self.value = stated.value.clone();
                }
                Merge::Outermost => match counts.map(|earlier| earlier.at).next() {
                    Some(outermost) => stated.overruled = Some(outermost),
                    None => self.value = stated.value.clone(),
                },
                // The world's value takes the place of the default; within it all values are merged.
                _ if stated.at == ROOT => self.value = stated.value.clone(),
                merge => self.value = merge.together(&self.value, &stated.value),
            }
        }
        self.stated.push(stated);
    }
}
