//! Write: a world written back out as a source, so that it can be read, changed, and planted again.
//!
//! The output has all that a source can say: spaces, matter, beings with their flows, qualities and schedules, signals, roles, scripts.
//! History, open wakes and ended beings are not part of a source.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use crate::fact::{BeingId, SpaceId, Text, Thing, Timing, Value, write_duration};
use crate::verb::PROFILES;
use crate::world::{Being, DRAFT, Extension, LOOKS, Local, NOW, Schedule, Space, TRIES, World, address_of, iso};

use super::inline_write::inline_tables;
use super::item::OnLine;
use super::measured::MeasureList;
use super::toml_table::{TomlTable, toml_value};

/// The keys of the configuration that a source says in words of its own, or that genesis sets.
const OWN_KEYS: &[&str] =
    &["name", "about", "seed", "zone", "simulated", "semantics", "register", "operator", "clock", "absence", "source", "profiles"];

/// Writes a world into a new directory.
pub fn write_source(world: &World, dir: &Path) -> io::Result<()> {
    fs::create_dir(dir)?;
    fs::write(dir.join("world.toml"), world_toml(world))?;
    let registry = world.registry();
    let own_roles = registry.roles.iter().filter(|(_, role)| role.origin.as_ref() == "world");
    for (at, (name, role)) in own_roles.enumerate() {
        if at == 0 {
            fs::create_dir(dir.join("roles"))?;
        }
        fs::write(dir.join("roles").join(format!("{}.md", name.replace(':', "-"))), role.spec.to_markdown())?;
    }
    write_rules(world, dir)?;
    // Scripts of extensions come with their extensions.
    let own_scripts = registry.scripts.values().filter(|script| !script.name.contains('/') && script.set_at > 0);
    for (at, script) in own_scripts.enumerate() {
        if at == 0 {
            fs::create_dir(dir.join("scripts"))?;
        }
        fs::write(dir.join("scripts").join(format!("{}.rhai", script.name)), script.source.as_ref())?;
    }
    Ok(())
}

/// The world's own rules, each in a file of its own, and their scripts beside them.
fn write_rules(world: &World, dir: &Path) -> io::Result<()> {
    let registry = world.registry();
    for (at, (name, rule)) in registry.rules.iter().enumerate() {
        if at == 0 {
            fs::create_dir(dir.join("rules"))?;
        }
        let mut rule = rule.source.as_map().cloned().unwrap_or_default();
        if let Some(script) = rule.get("script").and_then(Value::as_str).and_then(|name| registry.scripts.get(name)) {
            let file = format!("rules/{}.rhai", script.name.rsplit('/').next().unwrap_or_default());
            fs::write(dir.join(&file), script.source.as_ref())?;
            rule.insert("script".into(), Value::from(file));
        }
        // TOML has no null, and a rule that loses a condition refuses more.
        let (ending, text) = if has_null(&Value::Map(rule.clone())) {
            ("json", format!("{}\n", Value::Map(rule)))
        } else {
            ("toml", rule.iter().map(|(key, value)| format!("{key} = {}\n", toml_value(value))).collect())
        };
        fs::write(dir.join("rules").join(format!("{name}.{ending}")), text)?;
    }
    Ok(())
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::List(list) => list.iter().any(has_null),
        Value::Map(map) => map.values().any(has_null),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Text(_) => false,
    }
}

fn local(at: i64, world: &World) -> String {
    iso(at, Local::of(at, world.zone()).offset).chars().take(19).collect()
}

fn world_toml(world: &World) -> String {
    let registry = world.registry();
    let began = world.being(BeingId::WORLD).map_or(0, |being| being.born_at);
    let mut text = format!("name = {}\n", toml_value(world.world_setting("name")));
    if let Some(about) = world.world_said("about").filter(|about| about.as_str().is_some_and(|about| !about.is_empty())) {
        text += &format!("about = {}\n", toml_value(about));
    }
    text += &format!("zone = \"{}\"\nstart = \"{}\"\n", world.zone(), local(began.max(world.now()), world));
    text += &format!("seed = {}\n", world.world_setting("seed").as_int().unwrap_or(0).max(0));
    if let Some(absence) = world.world_said("absence").and_then(Value::as_str) {
        text += &format!("absence = \"{absence}\"\n");
    }
    let names = |of: &dyn Fn(&Extension) -> bool| {
        Value::List(
            registry
                .extensions
                .values()
                .filter(|extension| !extension.is_own() && of(extension))
                .map(|extension| Value::from(&extension.name))
                .collect(),
        )
    };
    text += &format!("extensions = {}\n", toml_value(&names(&|_| true)));
    if registry.extensions.values().any(|extension| !extension.enabled) {
        text += &format!("only = {}\n", toml_value(&names(&|extension| extension.enabled)));
    }
    let config: Vec<_> = registry.config.iter().filter(|(key, _)| !OWN_KEYS.contains(&key.as_ref())).collect();
    if let Some(profiles) = registry.config.get(PROFILES).and_then(|profiles| profiles.as_map()) {
        text += "\n[profiles]\n";
        profiles.iter().for_each(|(name, listed)| text += &format!("{} = {}\n", toml::Value::String(name.to_string()), toml_value(listed)));
    }
    if !config.is_empty() {
        text += "\n[config]\n";
        config.iter().for_each(|(key, value)| text += &format!("\"{key}\" = {}\n", toml_value(value)));
    }
    // The root is there in every world; it is written where it stacks something on everybody, or allows anything.
    let says = |space: &Space| space.flow.is_some() || !space.allow.is_empty();
    world.spaces().filter(|space| space.id != SpaceId::ROOT || says(space)).for_each(|space| text += &space_table(world, space));
    world.living().for_each(|being| text += &being_tables(world, being));
    let mut holders: Vec<Thing> = world.spaces().map(|space| Thing::Space(space.id)).collect();
    holders.extend(world.beings().filter(|being| !being.ended).map(|being| Thing::Being(being.id)));
    holders.into_iter().for_each(|holder| text += &matter_tables(world, holder));
    for (ns, value) in world.signals().iter() {
        for (key, value) in value.as_map().into_iter().flatten() {
            let mut table = TomlTable::new("signal");
            table.text("path", Some(&format!("{ns}.{key}")));
            table.put("value", value);
            text += &table.into_text();
        }
    }
    text + inline_tables(world).as_str() + measured_tables(world).as_str() + page_tables(world).as_str()
}

/// The measures of the world, as TOML tables.
fn measured_tables(world: &World) -> String {
    let measured = MeasureList::of_world(world);
    let measures = measured.measures.iter().map(|OnLine { item, .. }| {
        let mut table = TomlTable::new("measure");
        table.text("name", Some(&item.name));
        table.text("value", Some(&item.value));
        table.text("every", item.every.as_deref());
        table.text("title", item.title.as_deref());
        table.put("warn", &item.warn.clone().unwrap_or_default());
        table.into_text()
    });
    let tables = measured.tables.iter().map(|OnLine { item, .. }| {
        let mut table = TomlTable::new("table");
        table.text("name", Some(&item.name));
        table.put("columns", &Value::List(item.columns.iter().map(Value::text).collect()));
        table.text("every", item.every.as_deref());
        table.into_text()
    });
    measures.chain(tables).collect()
}

/// The lists for the page, as TOML tables.
fn page_tables(world: &World) -> String {
    let tables = [(LOOKS, "look"), (TRIES, "try"), (NOW, "now")].into_iter();
    let written = tables.flat_map(|(key, header)| world.registry().page(key).iter().map(move |item| (header, item)));
    let table = |(header, item): (&str, &Value)| {
        let mut table = TomlTable::new(header);
        item.as_map().into_iter().flatten().for_each(|(key, value)| table.put(key, value));
        table.into_text()
    };
    written.map(table).collect()
}

fn space_table(world: &World, space: &crate::world::Space) -> String {
    let mut table = TomlTable::new("space");
    table.text("path", Some(&world.path_of(space.id)));
    table.text("type", Some(&space.kind));
    table.coords("size", space.size);
    table.coords("coords", space.coords);
    table.put("owner", &space.owner.map_or(Value::Null, |owner| world.name_of(owner)));
    if !space.contributors.is_empty() {
        table.put("contributors", &Value::List(space.contributors.iter().map(|being| world.name_of(*being)).collect()));
    }
    if !space.allow.is_empty() {
        table.put("allow", &Value::List(space.allow.iter().map(Value::from).collect()));
    }
    table.settings(&space.settings);
    if let Some(flow) = &space.flow {
        table.put("flow", flow.flow.source());
    }
    if !space.qualities.is_empty() {
        table.put("quality", &space.qualities.to_value());
    }
    table.into_text()
}

fn being_tables(world: &World, being: &Being) -> String {
    // Named one by one, so that a new one is either written or left out on purpose.
    let Being {
        name,
        parent,
        home,
        position,
        coords,
        cognition,
        script,
        panel,
        default_role,
        flow,
        grants,
        qualities,
        settings,
        schedules,
        // Only the living are written, whoever drives them and whether they go on just now or not.
        ended: _,
        driver: _,
        paused: _,
        // Where it stands in a history that is not written.
        id: _,
        key: _,
        born_at: _,
        next_n: _,
        last_seq: _,
        counted_from: _,
        previous_role: _,
        wearing: _,
        bound_at: _,
        listens: _,
        looked: _,
        missed: _,
        moments: _,
        withheld: _,
        brakes: _,
    } = being;
    let mut table = TomlTable::new("being");
    table.text("name", Some(name));
    table.put("parent", &parent.filter(|parent| *parent != world.operator()).map_or(Value::Null, |parent| world.name_of(parent)));
    table.text("home", Some(&world.path_of(*home)));
    table.coords("coords", coords.filter(|_| position == home));
    table.mind(*cognition, script.as_deref(), panel.as_deref());
    table.text("role", default_role.as_deref());
    if !grants.is_empty() {
        table.put("grants", &Value::List(grants.iter().map(Value::from).collect()));
    }
    if flow.source().as_list().is_some_and(|clauses| !clauses.is_empty()) {
        table.put("flow", flow.source());
    }
    table.settings(settings);
    if !qualities.is_empty() {
        table.put("quality", &qualities.to_value());
    }
    table.into_text() + schedule_tables(world, schedules).as_str()
}

fn schedule_tables(world: &World, schedules: &BTreeMap<Text, Schedule>) -> String {
    // A schedule that was due once and is over cannot be planted again; a source counts in seconds.
    let is_over = |timing: &Timing| matches!(timing, Timing::At { at } if at / 1000 <= world.now() / 1000);
    let planned = schedules.iter().filter(|(_, schedule)| !is_over(&schedule.timing));
    planned.map(|(name, schedule)| schedule_table(world, name, schedule)).collect()
}

fn schedule_table(world: &World, name: &str, schedule: &Schedule) -> String {
    let Schedule { timing, content, rank, made: _, set_at: _ } = schedule;
    let mut table = TomlTable::new("being.schedule");
    table.text("name", Some(name));
    match timing {
        Timing::Every { ms, offset } => {
            table.text("every", Some(&write_duration(*ms)));
            if *offset > 0 {
                table.text("offset", Some(&write_duration(*offset)));
            }
        }
        Timing::Cron { expression } => table.text("cron", Some(expression)),
        Timing::At { at } => table.text("at", Some(&local(*at, world))),
    }
    table.put("content", content);
    table.text("rank", Some(rank.word()));
    table.into_text()
}

fn matter_tables(world: &World, holder: Thing) -> String {
    let mut text = String::new();
    for (_, id) in world.matter_in(holder) {
        // A draft that awaits a decision refers to things of this world, and means nothing in another.
        let Some(matter) = world.matter(id).filter(|matter| matter.kind.as_ref() != DRAFT) else { continue };
        let mut table = TomlTable::new("matter");
        table.text("at", Some(&address_of(world, holder)));
        table.text("name", Some(&matter.name));
        table.text("type", Some(&matter.kind));
        table.put("content", &matter.content);
        table.coords("coords", matter.coords);
        if !matter.qualities.is_empty() {
            table.put("quality", &matter.qualities.to_value());
        }
        text += &table.into_text();
        text += &matter_tables(world, Thing::Matter(id));
    }
    text
}
