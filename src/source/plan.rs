//! Plan: what a source asks for that a world has not yet, as acts of the operator, each with the line that asks.
//!
//! Planting a new world and applying a changed source to a living one are the same thing: the difference is stamped as facts. A thing that
//! the source does not name is left alone.
//!
//! Roles, scripts, flows, rights and extensions become what the source says. Things that a world changes while it lives (qualities,
//! signals, the content of matter, schedules) are compared with the source as it was last applied, which the world remembers. Only later
//! changes by its author are applied, so that a living world is not set back to its beginning.

use crate::fact::{Call, Coords, Map, Panel, Thing, Value};
use crate::verb::PROFILES;
use crate::world::{ENFORCE, EXTENSIONS, World, instant, thing_at};

use super::extending::{Act, extension_steps, role_step, script_step};
use super::gone::{BEGINNING, MADE, ZONE, matter_address};
use super::item::{BeingItem, MatterItem, OnLine, ScheduleItem, SpaceItem};
use super::said::{CONTENT, NOTED, SaidBefore, SaidKind, SaidOf, qualities, written_schedule};
use super::written::Source;

/// One act that a source asks for.
#[derive(Clone, Debug)]
pub struct Step {
    /// The act of the operator.
    pub call: Call,
    /// Why, for people.
    pub why: String,
    /// The file and line that ask for it.
    pub place: String,
}

/// The acts by which a world becomes what a source says, in their order.
pub fn plan(source: &Source, world: &World) -> Vec<Step> {
    let mut plan = Plan { source, world, said: SaidBefore::of(source, world), steps: Vec::new() };
    plan.config(false);
    plan.extensions();
    plan.profiles();
    plan.config(true);
    plan.roles_and_scripts();
    source.spaces.iter().for_each(|space| plan.space(space));
    // A being that has ended here is left alone, and its name is taken.
    let has_ended = |being: &OnLine<BeingItem>| world.being_named(&being.item.name).is_some_and(|being| being.ended);
    let beings = || source.beings.iter().filter(|being| !has_ended(being));
    beings().for_each(|being| plan.placed(being.from.as_deref(), |plan| plan.being(being)));
    // Owners, contributors and what beings hold can only be named when the beings are there.
    source.spaces.iter().for_each(|space| plan.flow_in(space));
    source.spaces.iter().for_each(|space| plan.rights(space));
    source.spaces.iter().for_each(|space| plan.settings(SaidOf::Thing(&space.item.path), &space.item.settings, space.line));
    beings().for_each(|being| plan.settings(SaidOf::Being(&being.item), &being.item.settings, being.line));
    source.matter.iter().for_each(|matter| plan.matter(matter));
    beings().for_each(|being| plan.schedules(being));
    for signal in &source.signals {
        if plan.said.is_new((SaidOf::Thing("/.signals"), SaidKind::Qualities), &signal.item.path, &signal.item.value)
            && world.signals().at(&signal.item.path) != Some(&signal.item.value)
        {
            let args = Value::map([("path", Value::text(&signal.item.path)), ("value", signal.item.value.clone())]);
            plan.act("/", "signal.set", args, format!("publish world.{}", signal.item.path), signal.line);
        }
    }
    // Last: what a source itself asks for has been done before.
    plan.rules();
    if let Some((note, why)) = plan.said.note(source) {
        plan.push(note, why.to_owned(), 1);
    }
    plan.steps
}

/// The changes that a source asks of a living world, each in a few words: what `apply` would stamp, without its notes of the source.
pub fn edits(source: &Source, world: &World) -> Vec<String> {
    plan(source, world).into_iter().filter(|step| step.why != NOTED).map(|step| step.why).collect()
}

/// The differences of a source from a living world that no act mends, in sentences: it names somebody no more who lives on, or another beginning.
pub fn unapplied(source: &Source, world: &World) -> Vec<String> {
    SaidBefore::of(source, world).unapplied(source)
}

struct Plan<'a> {
    source: &'a Source,
    world: &'a World,
    said: SaidBefore<'a>,
    steps: Vec<Step>,
}

fn list(axes: &[i64]) -> Value {
    Value::List(axes.iter().copied().map(Value::Int).collect())
}

fn texts(list: &[String]) -> Value {
    Value::List(list.iter().map(Value::text).collect())
}

fn as_coords(axes: &[i64]) -> Option<Coords> {
    Some(Coords { x: *axes.first()?, y: axes.get(1).copied().unwrap_or(0), z: axes.get(2).copied().unwrap_or(0) })
}

impl Plan<'_> {
    fn push(&mut self, call: Call, why: String, line: usize) {
        self.steps.push(Step { call, why, place: format!("{}:{line}", self.source.file) });
    }

    fn act(&mut self, target: &str, action: &str, args: Value, why: String, line: usize) {
        self.push(Call::doing(target, action, args), why, line);
    }

    /// Plans something that is made of the row of a table: what it asks for stands there.
    fn placed(&mut self, row: Option<&str>, planned: impl FnOnce(&mut Self)) {
        let before = self.steps.len();
        planned(self);
        for (step, row) in self.steps.iter_mut().skip(before).zip(row.into_iter().cycle()) {
            step.place = row.to_owned();
        }
    }

    fn thing(&self, address: &str) -> Option<Thing> {
        thing_at(self.world, address)
    }

    /// The settings of the whole world; those that name extensions, or belong to them, are set after their extensions.
    fn config(&mut self, is_theirs: bool) {
        if !is_theirs {
            self.zone();
        }
        // A connection is there before anything names it, and may be chosen before anybody chooses.
        let named = |key: &str| self.source.config.get(key).is_none_or(|value| value.get("base_url").is_none());
        let of_extensions = |key: &str| [EXTENSIONS, PROFILES, ENFORCE].contains(&key) || key.contains(':');
        let mut config: Vec<_> = self.source.config.iter().filter(|(key, _)| of_extensions(key) == is_theirs).collect();
        config.sort_by_key(|(key, _)| named(key));
        for (key, value) in config {
            if self.world.registry().config.get(key.as_str()).is_none_or(|now| **now != *value) {
                let line = self.source.line_of("setting", key).unwrap_or(1);
                let args = Value::map([("key", Value::text(key)), ("value", value.clone())]);
                self.act("/", "config.set", args, format!("set {key} to {value}"), line);
            }
        }
    }

    /// The zone, where its author has changed it since.
    fn zone(&mut self) {
        let zone = Value::text(&self.source.zone);
        let whose = (SaidOf::Thing(BEGINNING), SaidKind::Qualities);
        if self.said.is_new(whose, ZONE, &zone) && *self.world.world_setting(ZONE) != zone {
            let args = Value::map([("key", Value::text(ZONE)), ("value", zone)]);
            self.act("/", "config.set", args, format!("set {ZONE} to {}", self.source.zone), 1);
        }
    }

    /// A step for each setting that its author has changed since.
    fn settings(&mut self, whose: SaidOf<'_>, written: &Map, line: usize) {
        let address = whose.address();
        let of = self.thing(&address);
        for (key, value) in written {
            let now = of.and_then(|of| self.world.said_at(key, of));
            if self.said.is_new((whose, SaidKind::Settings), key, value) && now != Some(value) {
                let args = Value::map([("key", Value::from(key)), ("value", value.clone())]);
                self.act(&address, "config.set", args, format!("set {key} of {address} to {value}"), line);
            }
        }
    }

    fn profiles(&mut self) {
        if self.source.profiles.is_empty() {
            return;
        }
        let profiles = Value::map(self.source.profiles.iter().map(|(name, listed)| (name.as_str(), texts(listed))));
        if self.world.registry().config.get(PROFILES).is_none_or(|now| **now != profiles) {
            let args = Value::map([("key", Value::text(PROFILES)), ("value", profiles)]);
            self.act("/", "config.set", args, "name profiles of extensions".to_owned(), 1);
        }
    }

    fn extensions(&mut self) {
        extension_steps(self.source, self.world).into_iter().for_each(|(call, why)| self.push(call, why, 1));
    }

    fn roles_and_scripts(&mut self) {
        for (name, file, text) in &self.source.scripts {
            if let Some(step) = script_step(self.world, name, file, text) {
                self.push(step.0, step.1, 1);
            }
        }
        for role in &self.source.roles {
            if let Some(step) = role_step(self.world, &role.name, "world", &role.to_value()) {
                self.push(step.0, step.1, 1);
            }
        }
    }

    fn rules(&mut self) {
        for written in &self.source.rules {
            let place = |step: Act| Step { call: step.0, why: step.1, place: format!("{}:1", written.file) };
            if let Some(step) = written.script.as_ref().and_then(|(name, file, text)| script_step(self.world, name, file, text)) {
                self.steps.push(place(step));
            }
            let now = self.world.registry().rules.get(written.name.as_str());
            if now.is_none_or(|now| *now.source != written.rule) {
                let args = Value::map([("name", Value::text(&written.name)), ("rule", written.rule.clone())]);
                self.steps.push(place((Call::doing("/", "rule.set", args), format!("set rule {}", written.name))));
            }
        }
    }

    fn space(&mut self, written: &OnLine<SpaceItem>) {
        let item = &written.item;
        let path = item.path.trim_end_matches('/');
        match self.thing(if path.is_empty() { "/" } else { path }) {
            None => {
                let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
                let mut args = Map::from([("name".into(), Value::text(name))]);
                let mut put = |key: &str, value: Option<Value>| value.and_then(|value| args.insert(key.into(), value));
                put("type", item.kind.as_ref().map(Value::text));
                put("size", item.size.as_deref().map(list));
                put("coords", item.coords.as_deref().map(list));
                put("qualities", item.qualities());
                let parent = if parent.is_empty() { "/" } else { parent };
                self.act(parent, "space.make", Value::Map(args), format!("make space {path}"), written.line);
            }
            Some(Thing::Space(id)) => {
                let Some(space) = self.world.space(id).cloned() else { return };
                let mut args = Map::new();
                if let Some(kind) = item.kind.as_deref().filter(|kind| *kind != space.kind.as_ref()) {
                    args.insert("type".into(), Value::text(kind));
                }
                if let Some(size) =
                    item.size.as_deref().filter(|size| as_coords(size).map(|c| Coords { y: c.y.max(1), z: c.z.max(1), ..c }) != space.size)
                {
                    args.insert("size".into(), list(size));
                }
                if !args.is_empty() {
                    self.act(&item.path, "space.set", Value::Map(args), format!("change space {}", item.path), written.line);
                }
                self.qualities(SaidOf::Thing(&item.path), Thing::Space(id), item.qualities().as_ref(), written.line);
            }
            Some(Thing::Being(_) | Thing::Matter(_)) => {}
        }
    }

    /// A step for each quality that differs; a thing that is about to be made brings its own.
    fn qualities(&mut self, whose: SaidOf<'_>, of: Thing, written: Option<&Value>, line: usize) {
        let (address, now) = (whose.address(), self.world.qualities(of).cloned().unwrap_or_default());
        for (path, value) in qualities(written) {
            if self.said.is_new((whose, SaidKind::Qualities), &path, value) && now.at(&path) != Some(value) {
                let args = Value::map([("path", Value::text(&path)), ("value", value.clone())]);
                self.act(&address, "quality.set", args, format!("set {path} of {address}"), line);
            }
        }
    }

    fn rights(&mut self, written: &OnLine<SpaceItem>) {
        let item = &written.item;
        let space = match self.thing(&item.path) {
            Some(Thing::Space(id)) => self.world.space(id).cloned(),
            _ => None,
        };
        let address = |id| self.world.name_of(id);
        if let Some(allow) = &item.allow {
            let now = space.as_ref().map(|space| space.allow.iter().map(ToString::to_string).collect::<Vec<_>>());
            if now.as_ref() != Some(allow) {
                self.act(
                    &item.path,
                    "own.allow",
                    Value::map([("allow", texts(allow))]),
                    format!("allow {} in {}", allow.join(" "), item.path),
                    written.line,
                );
            }
        }
        let gone = space.iter().flat_map(|space| &space.contributors).filter_map(|id| self.world.name_of(*id).as_text().cloned());
        for being in gone.filter(|being| !item.contributors.iter().any(|kept| kept.as_str() == being.as_ref())) {
            let args = Value::map([("being", Value::from(&being)), ("yes", Value::Bool(false))]);
            self.act(&item.path, "own.contribute", args, format!("{being} contributes to {} no more", item.path), written.line);
        }
        for being in &item.contributors {
            let is_one =
                space.as_ref().is_some_and(|space| space.contributors.iter().any(|id| self.world.name_of(*id).as_str() == Some(being)));
            if !is_one {
                self.act(
                    &item.path,
                    "own.contribute",
                    Value::map([("being", Value::text(being))]),
                    format!("{being} contributes to {}", item.path),
                    written.line,
                );
            }
        }
        if let Some(owner) = &item.owner {
            let now = space.and_then(|space| space.owner).map(address);
            if now.as_ref().and_then(|now| now.as_str()) != Some(owner.as_str()) {
                self.act(
                    &item.path,
                    "own.set",
                    Value::map([("owner", Value::text(owner))]),
                    format!("{owner} owns {}", item.path),
                    written.line,
                );
            }
        }
    }

    /// The flow of a space for beings inside; its roles are there by now.
    fn flow_in(&mut self, written: &OnLine<SpaceItem>) {
        let Some(flow) = &written.item.flow else { return };
        let now = match self.thing(&written.item.path) {
            Some(Thing::Space(id)) => self.world.space(id).and_then(|space| space.flow.as_ref()).map(|flow| flow.flow.source().clone()),
            _ => None,
        };
        if now.unwrap_or_else(|| Value::List(Vec::new())) != *flow {
            let args = Value::map([("flow", flow.clone())]);
            self.act(&written.item.path, "flow.set", args, format!("change the flow of {}", written.item.path), written.line);
        }
    }

    fn matter(&mut self, written: &OnLine<MatterItem>) {
        let item = &written.item;
        let address = matter_address(item);
        match self.thing(&address) {
            None if !self.said.is_new((SaidOf::Thing(&address), SaidKind::Qualities), MADE, &Value::Bool(true)) => {}
            None => {
                let mut args = Map::from([("name".into(), Value::text(&item.name))]);
                let mut put = |key: &str, value: Option<Value>| value.and_then(|value| args.insert(key.into(), value));
                put("type", item.kind.as_ref().map(Value::text));
                put("content", Some(item.content.clone()).filter(|content| !content.is_null()));
                put("coords", item.coords.as_deref().map(list));
                put("qualities", item.quality.clone());
                self.act(&item.at, "matter.make", Value::Map(args), format!("make {address}"), written.line);
            }
            Some(of @ Thing::Matter(id)) => {
                let differs = self.world.matter(id).is_some_and(|matter| !item.content.is_null() && *matter.content != item.content);
                if differs && self.said.is_new((SaidOf::Thing(&address), SaidKind::Qualities), CONTENT, &item.content) {
                    self.act(
                        &address,
                        "matter.set",
                        Value::map([("content", item.content.clone())]),
                        format!("change {address}"),
                        written.line,
                    );
                }
                self.qualities(SaidOf::Thing(&address), of, item.quality.as_ref(), written.line);
            }
            Some(Thing::Being(_) | Thing::Space(_)) => {}
        }
    }

    fn being(&mut self, written: &OnLine<BeingItem>) {
        let item = &written.item;
        let Some(being) = self.world.being_named(&item.name).cloned() else {
            self.push(Call::be("birth", birth(item)), format!("give birth to @{}", item.name), written.line);
            return;
        };
        let address = format!("@{}", item.name);
        let flow = if item.flow.is_null() { Value::List(Vec::new()) } else { item.flow.clone() };
        let now = being.flow.source();
        if *now != flow && !(now.is_null() && flow.as_list().is_some_and(<[_]>::is_empty)) {
            self.act(&address, "flow.set", Value::map([("flow", flow)]), format!("change the flow of {address}"), written.line);
        }
        if being.default_role.as_deref() != item.role.as_deref() {
            let args = Value::map([("role", Value::from(item.role.clone()))]);
            self.act(&address, "flow.default", args, format!("change the default role of {address}"), written.line);
        }
        let cognition = item.cognition.as_deref().unwrap_or("script");
        // One that cannot be read is other than any that there is: the operation says what is wrong with it.
        let panel = item.panel.as_ref().map(|panel| Panel::read(panel).ok());
        let is_asked_alike = panel == being.panel.as_ref().map(|panel| Some((**panel).clone()));
        if being.cognition.word() != cognition || being.script.as_deref() != item.script.as_deref() || !is_asked_alike {
            let said = [("cognition", Value::text(cognition)), ("script", Value::from(item.script.clone()))];
            let args = Value::map(said.into_iter().chain(item.panel.clone().map(|panel| ("panel", panel))));
            self.act(&address, "cognition.set", args, format!("change the cognition of {address}"), written.line);
        }
        if being.grants.iter().map(AsRef::as_ref).ne(item.grants.iter().map(String::as_str)) {
            self.act(
                &address,
                "grants.set",
                Value::map([("grants", texts(&item.grants))]),
                format!("change the grants of {address}"),
                written.line,
            );
        }
        if self.world.path_of(being.home) != item.home {
            self.act(
                &address,
                "home.set",
                Value::map([("home", Value::text(&item.home))]),
                format!("change the home of {address}"),
                written.line,
            );
        }
        self.qualities(SaidOf::Being(item), Thing::Being(being.id), item.quality.as_ref(), written.line);
    }

    fn schedules(&mut self, written: &OnLine<BeingItem>) {
        let being = self.world.being_named(&written.item.name).cloned();
        for item in &written.item.schedule {
            let args = schedule(item);
            let now = being.as_ref().and_then(|being| being.schedules.get(item.name.as_str()));
            let is_new = self.said.is_new((SaidOf::Being(&written.item), SaidKind::Schedules), &item.name, &written_schedule(item));
            if !is_new || now.is_some_and(|now| same_schedule(now, item, self.world)) {
                continue;
            }
            let why = format!("schedule {} of @{}", item.name, written.item.name);
            self.act(&format!("@{}", written.item.name), "schedule.set", args, why, written.line);
        }
    }
}

fn birth(item: &BeingItem) -> Value {
    let mut args = Map::from([("name".into(), Value::text(&item.name)), ("home".into(), Value::text(&item.home))]);
    let mut put = |key: &str, value: Option<Value>| value.and_then(|value| args.insert(key.into(), value));
    put("parent", item.parent.as_ref().map(Value::text));
    put("coords", item.coords.as_deref().map(list));
    put("cognition", item.cognition.as_ref().map(Value::text));
    put("script", item.script.as_ref().map(Value::text));
    put("panel", item.panel.clone());
    put("defaultRole", item.role.as_ref().map(Value::text));
    put("grants", Some(texts(&item.grants)).filter(|_| !item.grants.is_empty()));
    put("flow", Some(item.flow.clone()).filter(|flow| !flow.is_null()));
    put("qualities", item.quality.clone());
    Value::Map(args)
}

fn schedule(item: &ScheduleItem) -> Value {
    let mut args = Map::from([("name".into(), Value::text(&item.name))]);
    let mut put = |key: &str, value: Option<Value>| value.and_then(|value| args.insert(key.into(), value));
    put("every", item.every.as_ref().map(Value::text));
    put("offset", item.offset.map(Value::Int));
    put("cron", item.cron.as_ref().map(Value::text));
    put("at", item.at.as_ref().map(Value::text));
    put("content", Some(item.content.clone()).filter(|content| !content.is_null()));
    put("rank", item.rank.as_ref().map(Value::text));
    Value::Map(args)
}

fn same_schedule(now: &crate::world::Schedule, item: &ScheduleItem, world: &World) -> bool {
    use crate::fact::{Timing, parse_duration};
    let timing = match (&now.timing, &item.every, &item.cron, &item.at) {
        (Timing::Every { ms, .. }, Some(every), None, None) => parse_duration(every) == Some(*ms),
        (Timing::Cron { expression }, None, Some(cron), None) => expression.as_ref() == cron,
        (Timing::At { at }, None, None, Some(written)) => instant(written, world.zone()) == Some(*at),
        _ => false,
    };
    timing && *now.content == item.content && now.rank.word() == item.rank.as_deref().unwrap_or("normal")
}
