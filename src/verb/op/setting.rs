//! Settings: said of the world, a space or a being, and taken back.
//!
//! Asked in this order: that there is such a setting and that it may stand there, who says it, what it says, and whether that is more than
//! one may say who is not the operator.

use crate::fact::{Code, Fact, Reason, Text, Thing, Value};
use crate::role::or_meant;
use crate::world::{Being, ENFORCE, EXTENSIONS, Merge, STEWARD, SaidSetting, Sayer, Setting, SettingPlace, World, settings};

use super::super::right::{Rule, is_operator};
use super::super::schema::Schema;
use super::bridges;
use super::deed::{Core, Deed};
use super::extension::PROFILES;
use super::models;
use super::needed::{has_role, keeps_operator};

/// The operation that says a setting.
pub const CONFIG_SET: &str = "config.set";

pub(super) const OPS: &[Core] = &[Core {
    name: CONFIG_SET,
    target: &["space", "being"],
    about: "says a setting for the target: at the root the world, a space and those inside, or a being; null takes it back",
    told: &[
        "takes up what the source says{{is args.key=source}}",
        "{{is args.key=clock}}sets the pace to {{pace args.value}}",
        "{{is args.key=clock}}sets the clock[ to {{args.value}}]",
        "clears {{args.key}}[ for {{other}}]{{null args.value}}",
        "sets {{args.key}}[ to {{args.value}}][ for {{other}}]",
        "sets {{args.key}}[ for {{other}}]",
        "sets a setting[ for {{other}}]",
    ],
    schema: r#"{"type":"object","required":["key","value"],"additionalProperties":false,"properties":{
        "key":{"type":"string","maxLength":128,"description":"as `see /.settings` lists them"},"value":{}}}"#,
    rule: Rule::Setting,
    draft: say,
}];

/// The most that is said at one space or being.
const SAID_MAX: usize = 256;

fn say(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (key, value) = (deed.required("key")?, deed.value("value"));
    let (world, of) = (deed.world, deed.target);
    let stand = SettingPlace::of(of).ok_or_else(|| deed.wrong_target())?;
    may_say(world, deed.actor, of, &key)?;
    let setting = world.registry().setting(&key).ok_or_else(|| unknown(world, &key, ""))?;
    if value.is_null() {
        world.said_at(&key, of).ok_or_else(|| Reason::new(Code::NotFound, &key))?;
    } else {
        fits(setting, &value)?;
        means(deed, setting, &key, &value)?;
    }
    if !is_operator(world, deed.actor.id) {
        within(deed, setting, &key, &value)?;
    }
    let is_full = |own: &crate::world::OwnSettings| own.len() >= SAID_MAX && own.get(&key).is_none();
    if !value.is_null() && stand != SettingPlace::World && world.own_settings(of).is_some_and(is_full) {
        return Err(Reason::new(Code::SettingCount, SAID_MAX.to_string()));
    }
    let (is_scope, value) = (setting.merge == Merge::Scope, value.into());
    let facts = vec![match stand {
        SettingPlace::World => Fact::ConfigSet { key, value },
        SettingPlace::Space | SettingPlace::Being => Fact::ConfigSetIn { of, key, value },
    }];
    if is_scope {
        keeps_operator(world, &facts)?;
    }
    Ok(facts)
}

/// There is no such setting; what may have been meant is named.
fn unknown(world: &World, key: &str, place: &str) -> Reason {
    let known = settings().iter().map(|setting| setting.key.as_ref()).filter(|key| !key.ends_with('.'));
    let known = known.chain(world.registry().settings.keys().map(AsRef::as_ref));
    let meant = or_meant("", key, known);
    let key: String = key.chars().take(80).collect();
    Reason::new(Code::SettingUnknown, format!("{place}{key}{meant}"))
}

/// Whether somebody may say a setting at a thing, whatever they would say.
pub fn may_say(world: &World, actor: &Being, of: Thing, key: &str) -> Result<(), Reason> {
    let setting = world.registry().setting(key).ok_or_else(|| unknown(world, key, ""))?;
    if !SettingPlace::of(of).is_some_and(|stand| setting.stands.contains(&stand)) {
        let places: Vec<&str> = setting.stands.iter().map(|stand| stand.word()).collect();
        return Err(Reason::new(Code::SettingPlace, format!("{key}: {}", places.join(", "))));
    }
    match setting.who {
        Sayer::Genesis => Err(Reason::new(Code::ConfigFixed, key)),
        Sayer::Operator if !is_operator(world, actor.id) => Err(Reason::new(Code::GateSetting, key)),
        Sayer::Operator | Sayer::Owner => Rule::Setting.ask(world, actor, of, &[]),
    }
}

/// Whether a value is what the setting's schema takes.
fn fits(setting: &Setting, value: &Value) -> Result<(), Reason> {
    let schema = Schema::compile(&setting.schema).unwrap_or_else(|_| Schema::nothing());
    schema.check(value).map_err(|reason| Reason::new(reason.code, format!("/value{}", reason.at)))
}

/// Whether a value names what is there: what no schema can say.
fn means(deed: &Deed<'_>, setting: &Setting, key: &Text, value: &Value) -> Result<(), Reason> {
    let world = deed.world;
    let text = value.as_str().unwrap_or_default();
    match setting.key.as_ref() {
        "zone" if text.parse::<chrono_tz::Tz>().is_err() => Err(Reason::new(Code::BadZone, "/value")),
        "operator" => match world.being_named(text).filter(|being| !being.ended) {
            None => Err(Reason::new(Code::NotFound, "/value")),
            Some(being) if !has_role(world, being) => Err(Reason::new(Code::Needed, format!("@{text}"))),
            Some(_) => Ok(()),
        },
        STEWARD => match world.being_named(text.trim_start_matches('@')) {
            None => Err(Reason::new(Code::NotFound, "/value")),
            Some(being) if being.ended => Err(Reason::new(Code::StewardEnded, "/value")),
            Some(_) => Ok(()),
        },
        EXTENSIONS => ["blocked", "only", "restricted", "allowed"]
            .iter()
            .try_for_each(|part| all_extensions(world, value.get(part), &format!("/value/{part}"))),
        PROFILES => {
            let mut profiles = value.as_map().into_iter().flatten();
            profiles.try_for_each(|(name, listed)| match world.registry().extensions.contains_key(name) {
                // It would never be found: an extension of that name is meant.
                true => Err(Reason::new(Code::NameTaken, format!("/value/{name}"))),
                false => all_extensions(world, Some(listed), &format!("/value/{name}")),
            })
        }
        "llm." => models::wrong(value).map_or(Ok(()), Err),
        "bridge." => bridges::wrong(value),
        ENFORCE => {
            for (at, one) in value.as_list().unwrap_or_default().iter().enumerate() {
                let one = one.as_str().unwrap_or_default();
                match world.registry().setting(one) {
                    None => return Err(unknown(world, one, &format!("/value/{at}: "))),
                    Some(other) if other.merge != Merge::Nearest || !other.stands.contains(&SettingPlace::Space) => {
                        return Err(Reason::new(Code::SettingEnforce, format!("/value/{at}")));
                    }
                    Some(_) => {}
                }
            }
            Ok(())
        }
        _ if setting.names_connection() => {
            let by = Some(deed.actor.id).filter(|by| !is_operator(world, *by));
            if world.may_name(value, by, deed.target) { Ok(()) } else { Err(Reason::new(Code::SettingOffered, format!("{key}: {text}"))) }
        }
        _ => Ok(()),
    }
}

/// Whether each name of a list is that of an extension, enabled or not; a pattern is none.
fn all_extensions(world: &World, listed: Option<&Value>, place: &str) -> Result<(), Reason> {
    let known = &world.registry().extensions;
    for (at, one) in listed.and_then(Value::as_list).unwrap_or_default().iter().enumerate() {
        let name = one.as_str().unwrap_or_default();
        if !known.contains_key(name) {
            let meant = or_meant("", name, known.keys().map(AsRef::as_ref));
            return Err(Reason::new(Code::NotFound, format!("{place}/{at}: {name}{meant}")));
        }
    }
    Ok(())
}

/// Whether it is no more than somebody may say who is not the operator: what is narrow is never widened, neither against the place around
/// nor against what was said here by one who stands above.
fn within(deed: &Deed<'_>, setting: &Setting, key: &Text, value: &Value) -> Result<(), Reason> {
    let (world, of, actor) = (deed.world, deed.target, deed.actor.id);
    let refused = || Err(Reason::new(Code::GateSetting, key));
    let own = world.own_settings(of);
    let is_above = |said: &&SaidSetting| world.stands_above(said.by, actor, of);
    let above = |key: &str| own.and_then(|own| own.get(key)).and_then(|said| said.with_above().find(is_above));
    let here = above(key);
    let is_own = own.and_then(|own| own.get(key)).is_some_and(|said| !is_above(&said));
    // One takes back what one has said oneself, and what stood there before holds again.
    if value.is_null() {
        return if here.is_some() && !is_own { refused() } else { Ok(()) };
    }
    if !setting.merge.is_narrow() {
        let names = |said: &SaidSetting| said.value.as_list().is_some_and(|keys| keys.iter().any(|one| one.as_str() == Some(key.as_ref())));
        let is_enforced = above(ENFORCE).is_some_and(names);
        return if here.is_some() && is_enforced { refused() } else { Ok(()) };
    }
    let around = world.setting_around(key, of);
    if setting.merge.widens(around, value) {
        return Err(Reason::new(Code::GateSetting, format!("{key}: {around}")));
    }
    if here.is_none_or(|here| setting.merge.keeps(&here.value, value)) { Ok(()) } else { refused() }
}
