//! Operate: an extension's operation: its script drafts steps, and each of them is a core operation under the gate.
//!
//! A step may touch only what the operation's schema marks, and changes no authority.

use std::sync::Arc;

use crate::fact::{Code, Fact, Made, MatterId, Reason, SpaceId, Thing, Value};
use crate::script::{Host, Program};
use crate::world::{Operation, World};

use super::actor::Actor;
use super::draw::draw;
use super::hands::Hands;
use super::op::{core, thing_named};
use super::right::Rule;
use super::see::{Eyes, describe, describe_self};

/// The most facts of one moment.
const FACTS_MAX: usize = 1_000;

impl Actor<'_> {
    /// Runs the script and carries out the steps that it drafts.
    pub(super) fn operate(&self, operation: &Operation, target: Thing, args: &Value, hands: &mut Hands) -> Result<Vec<Fact>, Reason> {
        let registry = self.world.registry();
        let script = registry.scripts.get(&operation.script).ok_or_else(|| Reason::new(Code::UnknownScript, &operation.script))?;
        let program = Program { hash: script.hash, file: script.file.clone(), source: script.source.clone() };
        let given = Value::map([
            ("actor", describe_self(self.world, self.being, self.worn.stack.iter(), self.at)),
            ("target", describe(self.world, target, self.at)),
            ("args", args.clone()),
            ("at", Value::Int(self.at)),
        ]);
        let eyes: Arc<dyn Host> = Arc::new(Eyes::new(self.world.clone(), self.being.id, self.at));
        let draws = draw(self.world, self.being, "operation");
        // An operation has a bound of its own, as large as that of the mind that called it.
        hands.sandbox.begin();
        let drafted = hands.sandbox.call(&program, "run", vec![given], eyes, draws).map_err(|error| match error.thrown() {
            Some(text) => Reason::new(Code::OperationRefused, text),
            None => Reason::new(error.code(), error.place(&program.file)),
        })?;
        let steps = match drafted {
            Value::List(steps) => steps,
            Value::Null => Vec::new(),
            step => vec![step],
        };
        self.steps(operation, target, args, &steps)
    }

    fn steps(&self, operation: &Operation, target: Thing, args: &Value, steps: &[Value]) -> Result<Vec<Fact>, Reason> {
        let own = operation.name.split(':').next().unwrap_or_default();
        let touched = self.touchable(operation, target, args)?;
        let mut facts: Vec<Fact> = Vec::new();
        // Each step finds the world as the steps before it have left it.
        let mut after: Option<World> = None;
        for (at, step) in steps.iter().enumerate() {
            let world = after.as_ref().unwrap_or(self.world);
            let actor = world.being(self.being.id).map_or(self.being, AsRef::as_ref);
            let place = || format!("{}[{at}]", operation.name);
            let action = step.get("action").and_then(Value::as_str).ok_or_else(|| Reason::new(Code::StepMalformed, place()))?;
            let address = step.get("target").and_then(Value::as_str).unwrap_or("/");
            // Named as the script saw it; what an earlier step has made or moved there, as it is now.
            let thing = thing_named(self.world, self.being, self.at, address).or_else(|_| thing_named(world, actor, self.at, address))?;
            let step_args = step.get("args").filter(|args| !args.is_null()).cloned().unwrap_or_else(|| Value::Map(Default::default()));
            let (core, schema) = core(action).ok_or_else(|| Reason::new(Code::UnknownOperation, action))?;
            schema.check(&step_args)?;
            let is_own_signal = action == "signal.set"
                && step_args.get("path").and_then(Value::as_str).and_then(|path| path.split('.').next()) == Some(own);
            let is_said_here = action == "say" && thing == Thing::Space(actor.position);
            // A space with an owner of its own is authority too.
            let gives_authority = action == "space.make" && step_args.get("owner").is_some_and(|owner| !owner.is_null());
            if core.rule.is_authority() || gives_authority {
                return Err(Reason::new(Code::GateAuthority, action));
            }
            let is_made_here = facts.iter().zip(0u32..).any(|(fact, index)| made_by(fact, Made { seq: self.seq, index }) == Some(thing));
            if !is_own_signal && !is_said_here && (core.rule == Rule::Role || !(touched.contains(&thing) || is_made_here)) {
                return Err(Reason::new(Code::GateTouches, place()));
            }
            let base = facts.len() as u32;
            let stepping = Actor {
                world,
                being: actor,
                worn: self.worn,
                stack: self.stack,
                behalf: self.behalf,
                caller: self.caller,
                answers: self.answers,
                at: self.at,
                seq: self.seq,
                key_of: self.key_of,
            };
            if !stepping.is_there(thing) {
                return Err(Reason::new(Code::Gone, place()));
            }
            stepping.stands(core, thing, &[action, &operation.name])?;
            let drafted = stepping.carry_out(core, thing, &step_args, &[action, &operation.name], base)?;
            if at + 1 < steps.len() {
                let next = world.imagine(actor.id, (self.seq, base), self.at, &drafted);
                after = Some(next);
            }
            facts.extend(drafted);
            if facts.len() > FACTS_MAX {
                return Err(Reason::new(Code::TooManyFacts, place()));
            }
        }
        Ok(facts)
    }

    /// What the operation's facts may touch: as its schema marks it.
    fn touchable(&self, operation: &Operation, target: Thing, args: &Value) -> Result<Vec<Thing>, Reason> {
        let mut things = Vec::new();
        for mark in &operation.touches {
            match mark.as_ref() {
                "actor" => things.push(Thing::Being(self.being.id)),
                "target" => things.push(target),
                mark => {
                    let path = mark.strip_prefix("args.").unwrap_or(mark);
                    if let Some(address) = args.at(path).and_then(Value::as_str) {
                        things.push(thing_named(self.world, self.being, self.at, address)?);
                    }
                }
            }
        }
        Ok(things)
    }
}

/// The thing that a fact makes.
fn made_by(fact: &Fact, made: Made) -> Option<Thing> {
    match fact {
        Fact::SpaceMade { .. } => Some(Thing::Space(SpaceId(made))),
        Fact::MatterMade { .. } => Some(Thing::Matter(MatterId(made))),
        _ => None,
    }
}
