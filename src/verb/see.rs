//! See: what an address shows, the same for a script, a model, the command line and the portal; and what a script may ask besides.

use std::sync::LazyLock;

use crate::fact::{BeingId, Code, Cognition, Map, MatterId, Millis, Reason, SpaceId, Text, Thing, Value, Verb, WakeKind};
use crate::script::Host;
use crate::world::{Being, Local, MEASURES, RoleVersion, Silence, Unanswered, Wake, World, address_of};

use super::address::{Address, Named};
use super::be::OPERATIONS;
use super::claims::{ITSELF, MayKnow, claim_value, claimed, claims};
use super::expand::for_tools;
use super::gate::Asker;
use super::health::health;
use super::life::life;
use super::op::{Core, core_operations, is_of};
use super::outbox::outbox;
use super::panel::shown;
use super::part::{ListPart, Parted, line_of, texts};
use super::registers::{did, identity_of, identity_of_world, moments, registers};
use super::short::{ALONE, BESIDE, CROWD, LOOKED_AT, PAGE, Short, coords_value, list};
use super::shown::Shown;
use super::threads::{thread, threads};

/// The description of what an address names; whether it may be read is not judged here.
pub fn see(world: &World, speaker: &Being, address: &str, at: Millis) -> Result<Value, Reason> {
    show(world, &named(world, speaker, address, at)?, Some(speaker.id), at)
}

/// The thing or register that an address names for somebody.
pub fn named(world: &World, speaker: &Being, address: &str, at: Millis) -> Result<Named, Reason> {
    let parsed: Address = address.parse().map_err(|_| Reason::new(Code::BadAddress, address.chars().take(80).collect::<String>()))?;
    parsed.resolve(world, speaker, at)
}

/// Describes a named thing at an instant, for its reader.
pub fn show(world: &World, named: &Named, reader: Option<BeingId>, at: Millis) -> Result<Value, Reason> {
    SeeReader { id: reader, ..SeeReader::of_all(at) }.show(world, named).map(|seen| seen.value)
}

/// A thing, described as it is at an instant.
pub fn describe(world: &World, thing: Thing, at: Millis) -> Value {
    SeeReader::of_all(at).describe(world, thing)
}

/// A being in what it wears: as others find it, or in a moment of its own what it wears there.
pub fn describe_being<'a>(world: &World, being: &Being, worn: impl Iterator<Item = &'a Text>, at: Millis) -> Value {
    SeeReader::of_all(at).being(world, being, worn)
}

/// An entry of an inbox.
#[derive(Clone, Copy)]
enum InboxLine<'w> {
    /// A wake that is open.
    Wake(&'w Wake),
    /// A question of the being's own, of which nobody answers.
    Unanswered(&'w Unanswered, &'w Silence),
}

impl InboxLine<'_> {
    fn told(self, world: &World) -> Value {
        match self {
            Self::Wake(wake) => world.told(wake),
            Self::Unanswered(question, silence) => world.told_unanswered((question, silence)),
        }
    }
}

/// A reader of a look: who, when, of which part of lists, and with which right to see things one by one.
#[derive(Clone)]
pub struct SeeReader<'a> {
    /// The reader of a life is told of the things that it may see.
    pub id: Option<BeingId>,
    /// When.
    pub at: Millis,
    /// Of each list.
    pub part: ListPart,
    /// Nothing: all.
    pub sees: Option<&'a dyn Fn(Thing) -> bool>,
    /// Of which things it is told that they are claimed; nothing: of all.
    pub knows: MayKnow<'a>,
}

/// The answer of a look.
pub struct SeenValue {
    /// The value: of a list, the items of one part.
    pub value: Value,
    /// Of a register that is a list: what of it is not shown.
    pub rest: Option<ListRest>,
}

/// The rest of a list, which is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListRest {
    /// How many items stand behind those that are.
    pub more: usize,
    /// The number of items that were not searched for the words.
    pub unsought: usize,
}

impl SeenValue {
    /// As programs are told: a list with how many more there are.
    pub fn to_value(self) -> Value {
        let Some(ListRest { more, unsought }) = self.rest else { return self.value };
        Value::map([("list", self.value), ("more", Value::Int(more as i64))].into_iter().chain(counted("unsought", unsought)))
    }
}

/// How many of something there are, told only where there are any.
fn counted(name: &'static str, count: usize) -> Option<(&'static str, Value)> {
    (count > 0).then_some((name, Value::Int(count as i64)))
}

/// The lists of a thing, as far as they are shown, with what is not.
#[derive(Default)]
struct Lists {
    lists: Vec<(&'static str, Value)>,
    more: Vec<(&'static str, Value)>,
    unsought: usize,
}

impl Lists {
    fn add<T>(&mut self, name: &'static str, parted: Parted<T>, told: impl FnOnce(Vec<T>) -> Value) {
        self.more.extend(counted(name, parted.more));
        self.unsought += parted.unsought;
        self.lists.push((name, told(parted.items)));
    }

    /// The lists; then, only where there is something to tell, how many more there are of each.
    fn told(self) -> impl Iterator<Item = (&'static str, Value)> {
        let more = (!self.more.is_empty()).then(|| ("more", Value::map(self.more)));
        self.lists.into_iter().chain(more).chain(counted("unsought", self.unsought))
    }
}

impl SeeReader<'_> {
    /// Somebody who may see everything, at the beginning of each list.
    pub fn of_all(at: Millis) -> Self {
        Self { id: None, at, part: ListPart::default(), sees: None, knows: None }
    }

    /// Describes a named thing.
    pub fn show(&self, world: &World, named: &Named) -> Result<SeenValue, Reason> {
        match named {
            Named::Thing(thing) => Ok(SeenValue { value: self.describe(world, *thing), rest: None }),
            Named::Register { of, register, entry } => self.register(world, *of, (register, entry)),
        }
    }

    fn register(&self, world: &World, of: Thing, (register, entry): (&str, &str)) -> Result<SeenValue, Reason> {
        let parted = match (of, register, entry) {
            (Thing::Space(SpaceId::ROOT), "roles", name) if !name.is_empty() => {
                return self.role(world, name).map(|value| SeenValue { value, rest: None });
            }
            (Thing::Being(id), "children", "") => {
                let children = self.things(world, world.children_of(id).map(Thing::Being), None);
                children.map(|child| Value::from(address_of(world, child)))
            }
            (Thing::Being(id), "inbox", "") => {
                let wakes = world.inbox().of(id).filter(|wake| wake.id.kind != WakeKind::End).map(|wake| InboxLine::Wake(wake));
                let letters = wakes.chain(world.unanswered(id).map(|(question, silence)| InboxLine::Unanswered(question, silence)));
                self.part.of(letters, None, PAGE, |letter| texts(&letter.told(world))).map(|letter| letter.told(world))
            }
            (Thing::Space(SpaceId::ROOT), "threads", root) if !root.is_empty() => {
                return thread(world, root, self.id).map(|value| SeenValue { value, rest: None });
            }
            (Thing::Space(SpaceId::ROOT), "outbox", "") => self.part.of(outbox(world, self.id).into_iter(), None, PAGE, texts),
            (Thing::Space(id), "claims", "") => {
                let open = claims(world, id, self.id, self.at, self.knows);
                self.part
                    .of(open.into_iter(), None, PAGE, |claim| texts(&claim_value(world, *claim)))
                    .map(|claim| claim_value(world, claim))
            }
            (Thing::Space(id), "health", "") => {
                return Ok(SeenValue { value: health(world, id, self.at, self.knows), rest: None });
            }
            (Thing::Being(id), "life", entry) => life(world, id, entry, &self.part, (self.id, self.at)),
            (of, register, entry) => match registered(world, of, (register, entry))? {
                // Other lists, such as a flow, come whole unless a part is asked for.
                Value::List(list) if matches!(register, "dead" | "threads") => self.part.of(list.into_iter(), None, PAGE, texts),
                Value::List(list) if !self.part.is_first() => self.part.of(list.into_iter(), None, PAGE, texts),
                Value::Map(map) if !self.part.is_first() => return Ok(self.keys(map)),
                value => return Ok(SeenValue { value, rest: None }),
            },
        };
        let rest = ListRest { more: parted.more, unsought: parted.unsought };
        Ok(SeenValue { value: Value::List(parted.items), rest: Some(rest) })
    }

    /// One part of the keys of a map, such as settings are.
    fn keys(&self, map: Map) -> SeenValue {
        let Parted { items, more, unsought } = self.part.of(map.into_iter(), None, PAGE, |(key, value)| format!("{key} {}", texts(value)));
        let rest = (more > 0 || unsought > 0).then_some(ListRest { more, unsought });
        SeenValue { value: Value::Map(items.into_iter().collect()), rest }
    }

    /// A role of the world, with those who name it.
    fn role(&self, world: &World, name: &str) -> Result<Value, Reason> {
        let role = world.registry().roles.get(name).ok_or_else(|| Reason::new(Code::NotFound, format!(".roles/{name}")))?;
        let mut lists = Lists::default();
        let beings = self.things(world, world.wearers_of(&Text::from(name)).map(Thing::Being), None);
        lists.add("namedBy", beings, |all| Value::List(all.into_iter().map(|being| Value::from(address_of(world, being))).collect()));
        Ok(Value::map(role_said(role).into_iter().chain(lists.told())))
    }

    /// One part of a list of things that may be seen.
    fn things(&self, world: &World, all: impl Iterator<Item = Thing>, total: Option<usize>) -> Parted<Thing> {
        let line = |thing: &Thing| line_of(world, *thing, self.at);
        match self.sees {
            None => self.part.of(all, total, PAGE, line),
            Some(sees) => self.part.of(all.filter(|thing| sees(*thing)), None, PAGE, line),
        }
    }

    fn matter(&self, world: &World, holder: Thing) -> Parted<Thing> {
        self.things(world, world.matter_in(holder).map(|(_, id)| Thing::Matter(id)), Some(world.matter_count(holder)))
    }

    fn short<'w>(&self, world: &'w World, things: Vec<Thing>) -> impl Iterator<Item = Short<'w>> {
        // Beside others only what is claimed itself is told to be: the place says the rest.
        let (at, knows) = (self.at, ITSELF);
        things.into_iter().filter_map(move |thing| match thing {
            Thing::Being(id) => Short::being(world, id, at, knows),
            Thing::Matter(id) => Short::matter(world, id, at, knows),
            Thing::Space(_) => None,
        })
    }

    fn describe(&self, world: &World, thing: Thing) -> Value {
        match thing {
            Thing::Being(id) => world.being(id).map_or(Value::Null, |being| self.being(world, being, world.wears(id, self.at).iter())),
            Thing::Space(id) => self.space(world, id),
            Thing::Matter(id) => self.piece(world, id),
        }
    }

    fn piece(&self, world: &World, id: MatterId) -> Value {
        let Some(mut told) = Short::matter(world, id, self.at, self.knows).map(Short::whole) else { return Value::Null };
        let mut lists = Lists::default();
        let named = |thing: Thing| world.thing_name(thing).map_or(Value::Null, Value::from);
        lists.add("holds", self.matter(world, Thing::Matter(id)), |things| Value::List(things.into_iter().map(named).collect()));
        if let Value::Map(map) = &mut told {
            map.extend(lists.told().map(|(key, value)| (key.into(), value)));
        }
        told
    }

    fn being<'w>(&self, world: &World, being: &Being, worn: impl Iterator<Item = &'w Text>) -> Value {
        // Named one by one, so that a new one is either shown or left out on purpose.
        let Being {
            id,
            name,
            parent,
            home,
            position,
            coords,
            cognition,
            default_role,
            qualities,
            paused,
            ended,
            // Told at an instant, asked of its flow, or told of those alone who ask others.
            driver: _,
            wearing: _,
            panel: _,
            // Registers of their own.
            settings: _,
            flow: _,
            schedules: _,
            key: _,
            // For those who may read its flow.
            script: _,
            grants: _,
            // The run's own state.
            born_at: _,
            next_n: _,
            last_seq: _,
            counted_from: _,
            previous_role: _,
            bound_at: _,
            listens: _,
            looked: _,
            missed: _,
            moments: _,
            // In the health of the place.
            withheld: _,
            brakes: _,
        } = being;
        let told = [
            ("kind", Value::from("being")),
            ("id", Value::from(id.to_string())),
            ("name", Value::from(name)),
            ("address", Value::from(format!("@{name}"))),
            ("parent", parent.map_or(Value::Null, |parent| world.name_of(parent))),
            ("home", Value::from(world.path_of(*home))),
            ("position", Value::from(world.path_of(*position))),
            ("coords", coords_value(*coords)),
            ("cognition", Value::from(cognition.word())),
            ("defaultRole", default_role.as_ref().into()),
            ("wearing", Value::from(worn.map(Value::from).collect::<Vec<_>>())),
            ("inhabitedBy", being.driver_at(self.at).map_or(Value::Null, |driver| world.name_of(driver))),
            ("paused", Value::Bool(*paused)),
            ("ended", Value::Bool(*ended)),
            ("qualities", qualities.read(self.at)),
        ];
        Value::map(told.into_iter().chain(self.beside(world, being)))
    }

    /// Its holdings, and the marks that only some beings have.
    fn beside(&self, world: &World, being: &Being) -> impl Iterator<Item = (&'static str, Value)> {
        let mut lists = Lists::default();
        lists.add("holds", self.matter(world, Thing::Being(being.id)), |things| list(self.short(world, things), BESIDE));
        let told = undressed(world, being, self.at)
            .into_iter()
            .chain(lets(world, being, self.at))
            .chain(bridge(world, being))
            .chain(claimed(world, Thing::Being(being.id), self.at, self.knows))
            .chain(shown(world, being));
        lists.told().chain(told.collect::<Vec<_>>())
    }

    fn space(&self, world: &World, id: SpaceId) -> Value {
        let Some(space) = world.space(id) else { return Value::Null };
        let mut lists = Lists::default();
        let beings = self.things(world, world.beings_in(id).map(Thing::Being), Some(space.count as usize));
        lists.add("beings", beings, |things| list(self.short(world, things), BESIDE));
        let name = |thing: Thing| world.thing_name(thing).map_or(Value::Null, Value::from);
        let spaces = self.things(world, world.spaces_in(id).map(|(_, id)| Thing::Space(id)), None);
        lists.add("spaces", spaces, |things| Value::List(things.into_iter().map(name).collect()));
        lists.add("matter", self.matter(world, Thing::Space(id)), |things| list(self.short(world, things), BESIDE));
        let contributors = self.things(world, space.contributors.iter().copied().map(Thing::Being), Some(space.contributors.len()));
        lists.add("contributors", contributors, |all| {
            Value::List(all.into_iter().map(|being| Value::from(address_of(world, being))).collect())
        });
        let told = [
            ("kind", Value::from("space")),
            ("id", Value::from(id.to_string())),
            ("name", Value::from(&space.name)),
            ("address", Value::from(world.path_of(id))),
            ("type", Value::from(&space.kind)),
            ("size", coords_value(space.size)),
            ("owner", space.owner.map_or(Value::Null, |owner| world.name_of(owner))),
            ("allow", Value::List(space.allow.iter().map(Value::from).collect())),
            ("paused", Value::Bool(space.paused)),
            ("frozen", Value::Bool(space.frozen)),
            ("count", Value::Int(space.count as i64)),
            ("qualities", space.qualities.read(self.at)),
        ];
        Value::map(told.into_iter().chain(claimed(world, Thing::Space(id), self.at, self.knows)).chain(lists.told()))
    }
}

impl Asker<'_> {
    /// The answer of its look at what an address names, without judging whether it may be looked at. Of claims it shows those on what the asker
    /// may see.
    pub fn look(&self, named: &Named, part: ListPart) -> Result<SeenValue, Reason> {
        let sees = |thing: Thing| self.may_reach(Verb::See, thing).is_ok();
        SeeReader { id: Some(self.actor.id), at: self.at, part, sees: None, knows: Some(&sees) }.show(self.world, named)
    }
}

/// The operations by which others may move it; none where it lets none.
fn lets(world: &World, being: &Being, at: Millis) -> Option<(&'static str, Value)> {
    let lets = world.lets(being.id, at);
    (!lets.is_empty()).then(|| ("lets", Value::List(lets.iter().map(|glob| glob.as_str().into()).collect())))
}

/// The kind of a bridge: so whoever summons it knows what it takes.
fn bridge(world: &World, being: &Being) -> Option<(&'static str, Value)> {
    let said = (being.cognition == Cognition::Bridge).then(|| world.bridge_of(being)).flatten()?.1;
    said.get("kind").map(|kind| ("bridge", kind.clone()))
}

/// Told only of those of whom it is so: it is in every face.
fn undressed(world: &World, being: &Being, at: Millis) -> Option<(&'static str, Value)> {
    world.stands_undressed(being, at).then_some(("undressed", Value::Bool(true)))
}

/// The registers that only the edge knows.
pub const AT_THE_EDGE: &[&str] = &["clock"];

/// A version of a role.
fn role_said(role: &RoleVersion) -> [(&'static str, Value); 4] {
    [
        ("role", role.spec.to_value()),
        ("origin", Value::from(&role.origin)),
        ("hash", Value::from(role.hash.to_string())),
        ("version", Value::Int(i64::from(role.version))),
    ]
}

/// The value of any other register.
fn registered(world: &World, of: Thing, (register, entry): (&str, &str)) -> Result<Value, Reason> {
    let missing = || Reason::new(Code::NotFound, format!(".{register}/{entry}"));
    let registry = world.registry();
    let names = |names: &mut dyn Iterator<Item = &Text>| Value::List(names.map(Value::from).collect());
    match (of, register, entry) {
        (of, "", "") => Ok(registers(of)),
        (Thing::Space(SpaceId::ROOT), "identity", "") => Ok(identity_of_world(world)),
        (Thing::Being(id), "identity", "") => Ok(identity_of(world, id)),
        (Thing::Space(SpaceId::ROOT), "moments", "") => Ok(moments(world, None)),
        (Thing::Being(id), "moments", "") => Ok(moments(world, Some(id))),
        (Thing::Space(SpaceId::ROOT), "roles", "") => Ok(names(&mut registry.roles.keys())),
        (Thing::Space(id), "roles", "") => {
            let own = registry.local_roles.iter().filter(|(_, places)| places.contains_key(&id));
            Ok(Value::List(own.map(|(name, _)| Value::from(name)).collect()))
        }
        (Thing::Space(id), "roles", name) => {
            let role = registry.local_role(name, id).ok_or_else(missing)?;
            Ok(Value::map(role_said(role)))
        }
        (Thing::Space(SpaceId::ROOT), "ops", "") => {
            let core = core_operations().map(|op| Value::from(op.name));
            let bound = OPERATIONS.iter().map(|(name, ..)| Value::from(format!("be.{name}")));
            Ok(Value::List(core.chain(bound).chain(registry.operations.keys().map(Value::from)).collect()))
        }
        (Thing::Space(SpaceId::ROOT), "ops", name) => operation(world, name).ok_or_else(missing),
        (Thing::Space(SpaceId::ROOT), "extensions", "") => {
            Ok(Value::Map(registry.extensions.iter().map(|(name, extension)| (name.clone(), Value::Bool(extension.enabled))).collect()))
        }
        (Thing::Space(SpaceId::ROOT), "extensions", name) => {
            registry.extensions.get(name).map(|extension| (*extension.manifest).clone()).ok_or_else(missing)
        }
        (Thing::Space(SpaceId::ROOT), "rules", "") => Ok(names(&mut registry.judges.all().iter().map(|judge| judge.name()))),
        (Thing::Space(SpaceId::ROOT), "rules", name) => {
            let judge = registry.judges.all().iter().find(|judge| judge.name().as_ref() == name).ok_or_else(missing)?;
            Ok(Value::map([("name", Value::from(judge.name())), ("rule", judge.source().clone())]))
        }
        (Thing::Space(SpaceId::ROOT), "scripts", "") => Ok(names(&mut registry.scripts.keys())),
        (Thing::Space(SpaceId::ROOT), "scripts", name) => {
            registry.scripts.get(name).map(|script| Value::from(&script.source)).ok_or_else(missing)
        }
        (Thing::Space(SpaceId::ROOT), "config", "") => {
            Ok(Value::Map(registry.config.iter().map(|(key, value)| (key.clone(), (**value).clone())).collect()))
        }
        (Thing::Space(SpaceId::ROOT), "config", key) => registry.config.get(key).map(|value| (**value).clone()).ok_or_else(missing),
        (Thing::Being(_) | Thing::Space(_), "settings", "") => {
            Ok(Value::Map(Shown::all(world, of).into_iter().map(|shown| (shown.key.clone(), shown.to_value())).collect()))
        }
        (Thing::Being(_) | Thing::Space(_), "settings", key) => Shown::of(world, key, of).map(|shown| shown.to_value()).ok_or_else(missing),
        (Thing::Space(SpaceId::ROOT), "measures", "") => Ok(Value::List(registry.measured(MEASURES).to_vec())),
        (Thing::Space(SpaceId::ROOT), "measures", name) => {
            let is_meant = |measure: &&Value| measure.get("name").and_then(Value::as_str) == Some(name);
            registry.measured(MEASURES).iter().find(is_meant).cloned().ok_or_else(missing)
        }
        (Thing::Space(SpaceId::ROOT), "signals", "") => Ok(world.signals().to_value()),
        (Thing::Space(SpaceId::ROOT), "signals", path) => Ok(world.signals().at(path).cloned().unwrap_or_default()),
        (Thing::Space(SpaceId::ROOT), "dead", "") => {
            // The newest first: whoever looks wants to know what is going wrong now.
            let mut letters: Vec<_> = world.inbox().dead().collect();
            letters.sort_by_key(|(being, letter)| (std::cmp::Reverse(letter.at), *being));
            Ok(Value::List(letters.into_iter().map(|(being, letter)| dead(world, being, letter)).collect()))
        }
        (Thing::Space(SpaceId::ROOT), "threads", "") => Ok(threads(world)),
        (Thing::Being(id), "dead", "") => Ok(Value::List(world.inbox().dead_of(id).map(|letter| dead(world, id, letter)).collect())),
        (of, "fading", "") => {
            let qualities = world.qualities(of).ok_or_else(missing)?;
            Ok(Value::Map(qualities.fadings().into_iter().map(|(path, value)| (path, value.clone())).collect()))
        }
        (Thing::Space(id), "flow", "") => {
            let flow = world.space(id).and_then(|space| space.flow.as_ref()).map(|flow| flow.flow.source().clone());
            Ok(flow.unwrap_or_else(|| Value::List(Vec::new())))
        }
        (Thing::Being(id), "flow", "") => Ok(world.being(id).map(|being| being.flow.source().clone()).unwrap_or_default()),
        (Thing::Being(id), "schedules", "") => {
            let being = world.being(id).ok_or_else(missing)?;
            let timing = |schedule: &crate::world::Schedule| {
                serde_json::to_value(&schedule.timing).ok().and_then(|json| serde_json::from_value(json).ok())
            };
            Ok(Value::Map(being.schedules.iter().map(|(name, schedule)| (name.clone(), timing(schedule).unwrap_or_default())).collect()))
        }
        (Thing::Being(id), "key", "") => Some(did(world, id)).filter(|did| *did != Value::Null).ok_or_else(missing),
        _ => Err(missing()),
    }
}

fn dead(world: &World, being: BeingId, letter: &crate::world::DeadLetter) -> Value {
    Value::map([
        ("being", world.name_of(being)),
        ("wake", world.told(&letter.wake)),
        ("reason", Value::from(letter.reason.to_string())),
        ("at", Value::Int(letter.at)),
    ])
}

/// An operation as a mind is told of it.
#[derive(Clone)]
pub struct Doable {
    /// Its name.
    pub name: Text,
    /// The sentence on what it does.
    pub about: Text,
    /// The JSON Schema of its arguments, without references.
    pub schema: Value,
    /// The kinds of thing it can be done to; none: any.
    pub target: Vec<Text>,
}

impl Doable {
    /// Whether it can be done to a thing of that kind by a being.
    pub fn fits(&self, actor: &Being, thing: Thing) -> bool {
        is_of(self.target.iter().map(AsRef::as_ref), actor, thing).is_ok()
    }
}

/// All operations, core ones and those of the enabled extensions.
pub fn operations(world: &World) -> Vec<Doable> {
    operations_of(world, |_| true)
}

/// The same, as far as their names are wanted.
pub fn operations_of(world: &World, is_wanted: impl Fn(&str) -> bool) -> Vec<Doable> {
    static CORE: LazyLock<Vec<Doable>> = LazyLock::new(|| core_operations().map(of_core).collect());
    let others = world.registry().operations.values().filter(|op| is_wanted(&op.name)).map(|op| Doable {
        name: op.name.clone(),
        about: op.about(),
        schema: for_tools(&op.schema),
        target: op.target.clone(),
    });
    CORE.iter().filter(|op| is_wanted(&op.name)).cloned().chain(others).collect()
}

fn of_core(op: &Core) -> Doable {
    Doable {
        name: op.name.into(),
        about: op.about.into(),
        schema: serde_json::from_str(op.schema).unwrap_or_default(),
        target: op.target.iter().map(|kind| Text::from(*kind)).collect(),
    }
}

/// The names of everything that can be done without any extension, as a watch names it: core operations, and those on identity.
pub fn actions() -> Vec<Text> {
    let core = core_operations().map(|op| Text::from(op.name));
    core.chain(OPERATIONS.iter().map(|(name, ..)| Text::from(format!("be.{name}")))).collect()
}

/// An operation, core or an extension's, with the schema of its arguments; `be.birth` and its like with that of their payload.
fn operation(world: &World, name: &str) -> Option<Value> {
    if let Some((_, about, schema, _)) = OPERATIONS.iter().find(|(bound, ..)| name.strip_prefix("be.") == Some(*bound)) {
        let schema: Value = serde_json::from_str(schema).ok()?;
        return Some(Value::map([("name", Value::from(name)), ("about", Value::from(*about)), ("args", schema)]));
    }
    if let Some(core) = core_operations().find(|op| op.name == name) {
        let schema: Value = serde_json::from_str(core.schema).ok()?;
        return Some(Value::map([("name", Value::from(core.name)), ("about", Value::from(core.about)), ("args", schema)]));
    }
    let operation = world.registry().operations.get(name)?;
    Some(Value::map([
        ("name", Value::from(&operation.name)),
        ("about", Value::from(operation.about())),
        ("args", (*operation.schema).clone()),
    ]))
}

/// The eyes of an operation's script: it reads the world as it is when the moment closes.
pub struct Eyes {
    world: World,
    being: BeingId,
    at: Millis,
}

impl Eyes {
    /// Eyes of a being at an instant.
    pub fn new(world: World, being: BeingId, at: Millis) -> Self {
        Self { world, being, at }
    }
}

impl Host for Eyes {
    fn ask(&self, what: &str, args: Vec<Value>) -> Result<Value, String> {
        let speaker = self.world.being(self.being).ok_or("ended")?;
        let first = args.first().and_then(Value::as_str).unwrap_or_default();
        answer(&self.world, speaker, (what, first), self.at).map_err(|reason| reason.to_string())
    }

    fn looks_at(&self, what: &str, args: &[Value]) -> usize {
        if matches!(what, "see" | "why_not") { looks_for(&self.world, args) } else { 1 }
    }
}

/// How many things are counted for a look of a script: a register of many beings asks little of each, but of all of them.
pub fn looks_for(world: &World, args: &[Value]) -> usize {
    const A_LOOK: usize = 8;
    let address = args.first().and_then(Value::as_str).unwrap_or_default();
    let is_of_many = address.ends_with("/.health") || address.contains("/.threads") || world.has_claims() && address.ends_with("/.claims");
    if is_of_many { world.standing().min(LOOKED_AT) / A_LOOK + 1 } else { 1 }
}

/// The answer to a script's question: of an address, a signal, a setting, the space it stands in, or who is there.
pub fn answer(world: &World, speaker: &Being, (what, first): (&str, &str), at: Millis) -> Result<Value, Reason> {
    match what {
        "see" => see(world, speaker, first, at),
        "why_not" => Ok(see(world, speaker, first, at).err().map_or(Value::Null, |reason| Value::text(reason.code.to_string()))),
        "signal" => Ok(world.signals().at(first).cloned().unwrap_or_default()),
        // Those of the world's own are for whoever may look at them.
        "setting" if !first.contains(':') || world.registry().setting(first).is_none() => Err(Reason::new(Code::SettingUnknown, first)),
        "setting" => Ok(world.setting(first, speaker).into_owned()),
        "space" => Ok(describe(world, Thing::Space(speaker.position), at)),
        "here" => Ok(here(world, speaker, at, &|_| true)),
        _ => Err(Reason::new(Code::UnknownQuestion, what)),
    }
}

/// The others where a being stands, as far as it may see them: those among the first of a crowd.
pub fn here(world: &World, speaker: &Being, at: Millis, may_see: &dyn Fn(BeingId) -> bool) -> Value {
    let others = world.beings_in(speaker.position).filter(|id| *id != speaker.id).take(CROWD).filter(|id| may_see(*id));
    list(others.filter_map(|id| Short::being(world, id, at, ITSELF)), ALONE)
}

/// World time as a mind is told it.
pub fn time_value(world: &World, at: i64, since: i64) -> Value {
    let local = Local::of(at, world.zone());
    Value::map([
        ("at", Value::Int(at)),
        ("hour", Value::Int(local.hour)),
        ("minute", Value::Int(local.minute)),
        ("dayOfWeek", Value::Int(local.day_of_week)),
        ("iso", Value::from(local.iso())),
        ("sinceLastMoment", Value::Int(since)),
    ])
}
