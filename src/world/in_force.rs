//! In force: the settings that hold at one place, merged on the way to it, and how the settings inside it change them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::fact::{Text, Value};

use super::registry::Registry;
use super::setting::{Merge, OwnSettings, SaidSetting, Setting, SettingPlace};

/// The setting that says which others nothing inside a place overrules.
pub const ENFORCE: &str = "enforce";
/// The setting that says who answers when a place is summoned.
pub const STEWARD: &str = "steward";
/// The setting that says which connections may be chosen by whoever is not the operator.
pub const OFFERED: &str = "llm.offered";

pub(super) static NOTHING: Value = Value::Null;

/// The settings in force at one place, merged on the way to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct InForce {
    values: BTreeMap<Text, Arc<Value>>,
    enforced: BTreeSet<Text>,
}

impl InForce {
    /// The value in force, where any place sets it.
    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key).map(Arc::as_ref)
    }

    /// Whether nothing inside overrules what holds of a setting.
    pub(super) fn enforces(&self, key: &str) -> bool {
        self.enforced.contains(key)
    }

    /// The settings of the whole world.
    pub(super) fn of_world(registry: &Registry) -> Self {
        let known = registry.config.iter().filter(|(key, _)| registry.in_force(key, SettingPlace::World).is_some());
        let values: BTreeMap<Text, Arc<Value>> = known.map(|(key, value)| (key.clone(), value.clone())).collect();
        let enforced = values.get(ENFORCE).map(|keys| texts(keys)).unwrap_or_default();
        Self { values, enforced }
    }

    /// The settings in force inside it, merged with those of an inner place.
    pub(super) fn inside(&self, own: &OwnSettings, stand: SettingPlace, registry: &Registry) -> Self {
        let mut held = self.clone();
        for (key, said) in own.iter() {
            if let Some(value) = self.with(key, said, own, stand, registry) {
                held.values.insert(key.clone(), value);
            }
        }
        held.enforced = held.values.get(ENFORCE).map(|keys| texts(keys)).unwrap_or_default();
        held
    }

    /// The value of one setting merged with that of an inner place; nothing where it changes nothing.
    pub(super) fn with(
        &self,
        key: &str,
        said: &SaidSetting,
        own: &OwnSettings,
        stand: SettingPlace,
        registry: &Registry,
    ) -> Option<Arc<Value>> {
        let setting = registry.in_force(key, stand)?;
        let outer = self.values.get(key);
        match setting.merge {
            Merge::Nearest if self.enforced.contains(key) => None,
            Merge::Nearest if setting.names_connection() && !self.reaches(said, own, stand, registry) => None,
            Merge::Nearest => Some(said.value.clone()),
            Merge::Outermost => outer.is_none().then(|| said.value.clone()),
            merge => Some(Arc::new(merge.together(outer.unwrap_or(&setting.default), &said.value))),
        }
    }

    /// Whether a connection that is named inside it can be asked: it is there, and the operator named it or offers it.
    fn reaches(&self, said: &SaidSetting, own: &OwnSettings, stand: SettingPlace, registry: &Registry) -> bool {
        let Some(name) = said.value.as_str() else { return false };
        let is_there = registry.config.contains_key(format!("llm.{name}").as_str());
        let offers = |offered: &Value| offered.as_list().is_some_and(|offered| offered.contains(&said.value));
        let around = self.values.get(OFFERED).is_some_and(|offered| offers(offered));
        let here = own.get(OFFERED).filter(|_| registry.in_force(OFFERED, stand).is_some());
        is_there && (said.by.is_none() || (around && here.is_none_or(|here| offers(&here.value))))
    }
}

fn texts(list: &Value) -> BTreeSet<Text> {
    list.as_list().unwrap_or_default().iter().filter_map(|item| item.as_text().cloned()).collect()
}

impl Registry {
    /// The setting of that key: of the core, or declared by an extension.
    pub fn setting(&self, key: &str) -> Option<&Setting> {
        super::register::core(key).or_else(|| self.settings.get(key).map(|(_, setting)| setting))
    }

    /// Whether what is said of that key counts: no extension declares it, or one that is enabled.
    pub fn is_live(&self, key: &str) -> bool {
        !key.contains(':') || self.settings.get(key).is_some_and(|(enabled, _)| *enabled)
    }

    /// The setting of that key, where it may stand there and counts.
    pub(super) fn in_force(&self, key: &str, stand: SettingPlace) -> Option<&Setting> {
        self.setting(key).filter(|setting| setting.stands.contains(&stand) && self.is_live(key))
    }

    pub(super) fn default_of(&self, key: &str) -> &Value {
        self.setting(key).map_or(&NOTHING, |setting| &setting.default)
    }
}
