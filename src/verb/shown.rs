//! Shown: a setting at a thing: what holds there, where that comes from, who may say otherwise, and by whom what is said is overruled.

use crate::fact::{SpaceId, Text, Thing, Value};
use crate::world::{Sayer, Setting, SettingPlace, World, address_of, settings};

/// A setting at a thing.
pub struct Shown<'a> {
    /// Its whole key.
    pub key: Text,
    /// Its entry in the register.
    pub setting: &'a Setting,
    /// The value that holds.
    pub value: Value,
    /// Where that comes from, as addresses; nowhere: it is the default.
    pub from: Vec<String>,
    /// The values said on the way to the thing, the world's first.
    pub said: Vec<SaidThere>,
    /// The beings that may say it there.
    pub who: Vec<Value>,
    /// Whether it may be said there at all.
    pub may_stand: bool,
}

/// The value of a setting that is said at one place.
pub struct SaidThere {
    /// Where.
    pub at: String,
    /// The value.
    pub value: Value,
    /// The being that said it.
    pub by: Value,
    /// The place of the value that overrules it, if any does.
    pub overruled_by: Option<String>,
}

impl<'a> Shown<'a> {
    /// The setting of that key at a thing; nothing where there is no such setting.
    pub fn of(world: &'a World, key: &str, of: Thing) -> Option<Self> {
        let setting = world.registry().setting(key)?;
        let told = world.tell(key, of);
        let from = told.from(setting.merge).into_iter().map(|place| address_of(world, place)).collect();
        let said = told.stated.iter().map(|stated| SaidThere {
            at: address_of(world, stated.at),
            value: stated.value.clone(),
            by: world.name_of(stated.by.unwrap_or_else(|| world.operator())),
            overruled_by: stated.overruled.map(|place| address_of(world, place)),
        });
        let may_stand = SettingPlace::of(of).is_some_and(|stand| setting.stands.contains(&stand));
        let who = if may_stand { who(world, setting.who, of) } else { Vec::new() };
        Some(Self { key: key.into(), setting, from, said: said.collect(), value: told.value, who, may_stand })
    }

    /// All settings at a thing by their keys: those that may be said there or hold there, and of families those that are said.
    pub fn all(world: &'a World, of: Thing) -> Vec<Self> {
        let Some(stand) = SettingPlace::of(of) else { return Vec::new() };
        let concerns = |setting: &Setting| {
            stand == SettingPlace::World || setting.stands.iter().any(|one| *one == stand || *one == SettingPlace::Space)
        };
        let registry = world.registry();
        let declared = registry.settings.values().map(|(_, setting)| setting);
        let all = settings().iter().chain(declared).filter(|setting| concerns(setting) && !setting.key.ends_with('.'));
        let mut keys: Vec<Text> = all.map(|setting| setting.key.clone()).collect();
        for key in world.way_to(of).into_iter().flat_map(|at| said_at(world, at)) {
            if !keys.contains(&key) && registry.setting(&key).is_some_and(concerns) {
                keys.push(key);
            }
        }
        keys.iter().filter_map(|key| Self::of(world, key, of)).collect()
    }

    /// As `see` shows it.
    pub fn to_value(&self) -> Value {
        let texts = |texts: &[String]| Value::List(texts.iter().map(Value::text).collect());
        let said = self.said.iter().map(|said| {
            Value::map([
                ("at", Value::text(&said.at)),
                ("value", said.value.clone()),
                ("by", said.by.clone()),
                ("overruledBy", said.overruled_by.as_ref().map_or(Value::Null, Value::text)),
            ])
        });
        Value::map([
            ("key", Value::from(&self.key)),
            ("about", Value::from(&self.setting.about)),
            ("value", self.value.clone()),
            ("default", (*self.setting.default).clone()),
            ("from", texts(&self.from)),
            ("said", Value::List(said.collect())),
            ("where", Value::List(self.setting.stands.iter().map(|stand| Value::text(stand.word())).collect())),
            ("who", Value::List(self.who.clone())),
            ("merge", Value::text(self.setting.merge.word())),
            ("schema", (*self.setting.schema).clone()),
        ])
    }
}

/// The beings that may say a setting at a thing.
fn who(world: &World, sayer: Sayer, of: Thing) -> Vec<Value> {
    let operator = world.name_of(world.operator());
    let owner = match of {
        Thing::Space(SpaceId::ROOT) | Thing::Matter(_) => None,
        Thing::Space(id) => world.upward(id).find_map(|space| space.owner),
        Thing::Being(id) => Some(id),
    };
    match sayer {
        Sayer::Genesis => Vec::new(),
        Sayer::Operator => vec![operator],
        Sayer::Owner => {
            let owner = owner.map(|owner| world.name_of(owner)).filter(|owner| *owner != operator);
            owner.into_iter().chain([operator]).collect()
        }
    }
}

fn said_at(world: &World, at: Thing) -> Vec<Text> {
    match at {
        Thing::Space(SpaceId::ROOT) => world.registry().config.keys().cloned().collect(),
        at => world.own_settings(at).into_iter().flat_map(|own| own.iter().map(|(key, _)| key.clone())).collect(),
    }
}
