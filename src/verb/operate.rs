//! Operate: an extension's operation: its script drafts steps, and each of them is judged as an act of its own.
//!
//! A step is a core operation, an operation of an extension that this one needs, or, once in an act, a summons. It may touch only what the
//! schema of each operation that it is part of marks, and changes no authority. Whether it moves another being is [`consent`](super::consent)'s
//! to ask. Together they are one act: all of it happens, or nothing.

use std::sync::Arc;

use crate::fact::{Code, Fact, Made, MatterId, Reason, SpaceId, Text, Thing, Value, Verb};
use crate::script::{Host, Program};
use crate::world::{Operation, Touched, World};

use super::actions::SUMMON;
use super::actor::{Actor, InAct};
use super::address::Named;
use super::admit::{in_scope, unknown};
use super::case::{Drafted, goes_to, spoken};
use super::consent::MovedBeing;
use super::draftable::gives_authority;
use super::draw::draw;
use super::hands::Hands;
use super::op::{Core, core, thing_named};
use super::right::Rule;
use super::schema::Schema;
use super::see::{Eyes, describe, describe_being};

/// The most facts of one moment.
const FACTS_MAX: usize = 1_000;
/// How deep an operation may be a step of another.
const DEPTH_MAX: usize = 4;

/// The result of the steps of an act.
pub(super) struct Operated {
    /// The facts that they change.
    pub(super) facts: Vec<Fact>,
    /// The steps that some rule asks about, each with the world that it found.
    pub(super) steps: Vec<Stepped>,
}

/// A step that has been drafted.
pub(super) struct Stepped {
    world: World,
    verb: Verb,
    action: Text,
    target: Thing,
    to: Option<Thing>,
    args: Value,
}

impl Stepped {
    /// Asks the rules about it, as the actor did it.
    pub(super) fn ruled(&self, actor: &Actor<'_>, hands: &mut Hands) -> Result<(), Reason> {
        let being = self.world.being(actor.being.id).map_or(actor.being, AsRef::as_ref);
        let Self { world, verb, action, target, to, args } = self;
        Actor { world, being, ..*actor }.ruled(Drafted { verb: *verb, action, target: *target, to: *to, args }, hands)
    }
}

impl Actor<'_> {
    /// Runs the script and carries out the steps that it drafts.
    pub(super) fn operate(&self, operation: &Operation, target: Thing, args: &Value, hands: &mut Hands) -> Result<Operated, Reason> {
        // An operation has a bound of its own, as large as that of the mind that called it; the operations in it share it.
        hands.sandbox.begin();
        let mut steps =
            DeedParts { actor: self, done: Operated { facts: Vec::new(), steps: Vec::new() }, known: 0, after: None, spoke: false };
        let level = Level { names: vec![&operation.name], touched: vec![self.touchable(operation, target, args)?], operation, path: "" };
        steps.run(&level, target, args, hands)?;
        Ok(steps.done)
    }

    /// The things that the operation's facts may touch, as its manifest marks them.
    fn touchable(&self, operation: &Operation, target: Thing, args: &Value) -> Result<Touchable, Reason> {
        let mut marked = Touchable::default();
        for mark in operation.marks() {
            let thing = match mark.of {
                Touched::Actor => Some(Thing::Being(self.being.id)),
                Touched::Target => Some(target),
                Touched::Argument(path) => {
                    let address = args.at(path).and_then(Value::as_str);
                    address.map(|address| thing_named(self.world, self.being, self.at, address)).transpose()?
                }
            };
            if mark.is_position { &mut marked.positions } else { &mut marked.things }.extend(thing);
        }
        Ok(marked)
    }
}

/// The things that an operation may touch.
#[derive(Clone, Default)]
struct Touchable {
    /// The things.
    things: Vec<Thing>,
    /// The things that it may move, whoever they are.
    positions: Vec<Thing>,
}

impl Touchable {
    fn touches(&self, thing: Thing) -> bool {
        self.things.contains(&thing)
    }

    fn moves(&self, thing: Thing) -> bool {
        self.positions.contains(&thing)
    }
}

/// An operation, and those that it is a step of.
struct Level<'l> {
    operation: &'l Operation,
    /// The names under which its steps may stand in an allow list, its own first.
    names: Vec<&'l str>,
    /// The things that each of them may touch.
    touched: Vec<Touchable>,
    /// The indices of the steps that lead to it, which key its draws.
    path: &'l str,
}

/// A step as its script drafted it.
struct DeedPart<'s> {
    verb: Option<&'s str>,
    action: &'s str,
    address: &'s str,
    args: Value,
    /// Where it stands, for people.
    place: String,
}

impl<'s> DeedPart<'s> {
    fn read(step: &'s Value, level: &Level<'_>, at: usize) -> Result<Self, Reason> {
        let text = |key: &str| step.get(key).and_then(Value::as_str);
        let place = format!("{}[{at}]", level.operation.name);
        let verb = text("verb");
        let action = if verb == Some(Verb::Summon.word()) { Some(SUMMON) } else { text("action") };
        let action = action.ok_or_else(|| Reason::new(Code::StepMalformed, &place))?;
        let args = step.get("args").filter(|args| !args.is_null()).cloned().unwrap_or_else(|| Value::Map(Default::default()));
        let args = spoken(args, step.get("content").and_then(Value::as_text).filter(|_| action == SUMMON));
        Ok(Self { verb, action, address: text("target").unwrap_or("/"), args, place })
    }
}

/// The steps of one act: each finds the world as those before it have left it.
struct DeedParts<'a> {
    actor: &'a Actor<'a>,
    done: Operated,
    /// How many of the facts the world after them knows.
    known: usize,
    after: Option<World>,
    spoke: bool,
}

impl DeedParts<'_> {
    /// The world after what has been drafted.
    fn world(&self) -> &World {
        self.after.as_ref().unwrap_or(self.actor.world)
    }

    /// Lets the world know what has been drafted.
    fn settle(&mut self) {
        let new = self.done.facts.get(self.known..).unwrap_or_default();
        if !new.is_empty() {
            let after = self.world().imagine(self.actor.being.id, (self.actor.seq, self.known as u32), self.actor.at, new);
            (self.after, self.known) = (Some(after), self.done.facts.len());
        }
    }

    /// The actor as it now stands in that world.
    fn actor(&self) -> Actor<'_> {
        let world = self.world();
        let being = world.being(self.actor.being.id).map_or(self.actor.being, AsRef::as_ref);
        Actor { world, being, ..*self.actor }
    }

    /// Runs an operation's script, and carries out what it drafts.
    fn run(&mut self, level: &Level<'_>, target: Thing, args: &Value, hands: &mut Hands) -> Result<(), Reason> {
        self.settle();
        let seen = self.world().clone();
        let speaker = seen.being(self.actor.being.id).map_or(self.actor.being, AsRef::as_ref);
        let script = seen.registry().scripts.get(&level.operation.script);
        let script = script.ok_or_else(|| Reason::new(Code::UnknownScript, &level.operation.script))?;
        let program = Program { hash: script.hash, file: script.file.clone(), source: script.source.clone() };
        let given = Value::map([
            ("actor", describe_being(&seen, speaker, self.actor.worn.stack.iter(), self.actor.at)),
            ("target", describe(&seen, target, self.actor.at)),
            ("args", args.clone()),
            ("at", Value::Int(self.actor.at)),
        ]);
        let eyes: Arc<dyn Host> = Arc::new(Eyes::new(seen.clone(), self.actor.being.id, self.actor.at));
        // Each operation in an act has draws of its own.
        let draws = draw(self.actor.world, self.actor.being, &format!("operation{}", level.path));
        let drafted = hands.sandbox.call(&program, "run", vec![given], eyes, draws).map_err(|error| match error.thrown() {
            Some(text) => Reason::new(Code::OperationRefused, text),
            None => Reason::new(error.code(), error.place(&program.file)),
        })?;
        let drafted = match drafted {
            Value::List(steps) => steps,
            Value::Null => Vec::new(),
            step => vec![step],
        };
        for (at, step) in drafted.iter().enumerate() {
            let step = DeedPart::read(step, level, at)?;
            self.settle();
            // Named as the script saw it; what an earlier step has made or moved there, as it is now.
            let named = |address: &str| {
                let now = self.actor();
                thing_named(&seen, speaker, now.at, address).or_else(|_| thing_named(now.world, now.being, now.at, address))
            };
            let is_summons = step.verb == Some(Verb::Summon.word());
            let thing = match self.actor.caller.filter(|_| is_summons && step.address.is_empty()) {
                Some(caller) => Thing::Being(caller),
                None => named(step.address)?,
            };
            match core(step.action) {
                _ if is_summons => self.summon(&step, thing)?,
                Some(core) => self.change(level, &step, thing, core, hands)?,
                None => self.descend(level, &step, thing, at, hands)?,
            }
            if self.done.facts.len() > FACTS_MAX {
                return Err(Reason::new(Code::TooManyFacts, step.place));
            }
        }
        Ok(())
    }

    /// A step that is a core operation.
    fn change(
        &mut self,
        level: &Level<'_>,
        step: &DeedPart<'_>,
        thing: Thing,
        core: (&Core, &Schema),
        hands: &Hands,
    ) -> Result<(), Reason> {
        let (core, schema) = core;
        schema.check(&step.args)?;
        let actor = self.actor();
        let namespace = step.args.get("path").and_then(Value::as_str).and_then(|path| path.split('.').next());
        let may_set = |namespace: &str| self.actor.world.registry().may_set(level.operation.namespace(), namespace);
        let is_own_signal = step.action == "signal.set" && namespace.is_some_and(may_set);
        let is_said_here = step.action == "say" && thing == Thing::Space(actor.being.position);
        // A space with an owner of its own is authority too.
        // A step claims its target alone, as the manifest marks it.
        if core.rule == Rule::Claim && step.args.get("on").is_some() {
            return Err(Reason::new(Code::GateTouches, &step.place));
        }
        if core.rule.is_authority() || gives_authority(step.action, &step.args) {
            return Err(Reason::new(Code::GateAuthority, step.action));
        }
        let other = if core.rule == Rule::Move { actor.other(thing) } else { None };
        let is_marked = |marked: &Touchable| match (core.rule, other) {
            (_, Some(_)) => marked.moves(thing),
            (Rule::Move, None) => marked.touches(thing) || marked.moves(thing),
            _ => marked.touches(thing),
        };
        if !is_own_signal && !is_said_here && (core.rule == Rule::Role || !self.may_touch(level, thing, is_marked)) {
            return Err(Reason::new(Code::GateTouches, &step.place));
        }
        actor.finds(thing, &step.place)?;
        let names: Vec<&str> = std::iter::once(step.action).chain(level.names.iter().copied()).collect();
        level.names.iter().try_for_each(|name| actor.holds(name, thing))?;
        if other.is_none() {
            actor.stands(core, thing, &names)?;
        }
        let part = InAct { names: &names, base: self.done.facts.len() as u32 };
        let drafted = actor.carry_out(core, thing, &step.args, part, hands)?;
        level.names.iter().try_for_each(|name| brings_within(actor.world, name, &drafted))?;
        if let Some(being) = other {
            MovedBeing { being, names: &level.names, began: self.actor.world }.ask(&actor, part.base, &drafted)?;
        }
        self.note(Verb::Do, step, thing, goes_to(&drafted));
        self.done.facts.extend(drafted);
        Ok(())
    }

    /// A step that is an operation of an extension, whose own steps follow.
    fn descend(&mut self, level: &Level<'_>, step: &DeedPart<'_>, thing: Thing, at: usize, hands: &mut Hands) -> Result<(), Reason> {
        let registry = self.actor.world.registry().clone();
        let operation = registry.operations.get(step.action).ok_or_else(|| unknown(self.actor.world, step.action))?;
        let own = level.operation.namespace();
        // An optional dependency may be used where it is there.
        let is_listed = registry.extensions.get(own).is_some_and(|extension| extension.knows(operation.namespace()));
        if operation.namespace() != own && !is_listed {
            return Err(Reason::new(Code::GateNeeds, step.action));
        }
        if level.touched.len() >= DEPTH_MAX {
            return Err(Reason::new(Code::StepDepth, &step.place));
        }
        let actor = self.actor();
        if !self.may_touch(level, thing, |marked| marked.touches(thing) || marked.moves(thing)) {
            return Err(Reason::new(Code::GateTouches, &step.place));
        }
        actor.finds(thing, &step.place)?;
        let names: Vec<&str> = std::iter::once(operation.name.as_ref()).chain(level.names.iter().copied()).collect();
        actor.reaches(operation, thing, &names)?;
        hands.schemas.check(operation.schema_hash, &operation.schema, &step.args)?;
        // The inner operation may touch only what the outer ones may touch too.
        let touched = level.touched.iter().cloned().chain([actor.touchable(operation, thing, &step.args)?]).collect();
        self.note(Verb::Do, step, thing, None);
        let path = format!("{} {at}", level.path);
        self.run(&Level { operation, names, touched, path: &path }, thing, &step.args, hands)
    }

    /// A step that says something to somebody: as the actor's worn role lets it.
    fn summon(&mut self, step: &DeedPart<'_>, thing: Thing) -> Result<(), Reason> {
        if std::mem::replace(&mut self.spoke, true) {
            return Err(Reason::new(Code::TooManySummons, &step.place));
        }
        let actor = self.actor();
        actor.admit_summons(&Ok(Named::Thing(thing)))?;
        let drafted = actor.summon(&Ok(Named::Thing(thing)), &step.args)?;
        self.note(Verb::Summon, step, thing, None);
        self.done.facts.extend(drafted);
        Ok(())
    }

    /// Whether every operation that a step is part of marks a thing so, or the act itself has made it.
    fn may_touch(&self, level: &Level<'_>, thing: Thing, is_marked: impl Fn(&Touchable) -> bool) -> bool {
        let is_made = |(fact, index): (&Fact, u32)| made_by(fact, Made { seq: self.actor.seq, index }) == Some(thing);
        self.done.facts.iter().zip(0u32..).any(is_made) || level.touched.iter().all(is_marked)
    }

    /// Keeps a step that some rule may ask about, with the world that it found.
    fn note(&mut self, verb: Verb, step: &DeedPart<'_>, target: Thing, to: Option<Thing>) {
        let world = self.world();
        if !world.registry().judges.on(step.action).is_empty() {
            let step = Stepped { world: world.clone(), verb, action: step.action.into(), target, to, args: step.args.clone() };
            self.done.steps.push(step);
        }
    }
}

/// Where a step brings something, the operation holds too.
fn brings_within(world: &World, operation: &str, drafted: &[Fact]) -> Result<(), Reason> {
    let place = |fact: &Fact| if let Fact::Moved { to, .. } = fact { world.space_of(*to) } else { None };
    in_scope(world, operation, drafted.iter().map(place))
}

/// The thing that a fact makes.
fn made_by(fact: &Fact, made: Made) -> Option<Thing> {
    match fact {
        Fact::SpaceMade { .. } => Some(Thing::Space(SpaceId(made))),
        Fact::MatterMade { .. } => Some(Thing::Matter(MatterId(made))),
        _ => None,
    }
}
