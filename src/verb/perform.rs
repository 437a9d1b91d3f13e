//! One call, judged and carried out against the world as it is: facts, or the reason of its refusal.
//!
//! The rules of the gate are asked in their order: the worn role, the place, authority, and for an extension's operation what its
//! facts may touch.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::fact::{
    BeingId, Call, Code, Fact, Hash, Made, Millis, Orientation, Rank, Reason, Seq, SpaceId, Summons, Text, Thing, Value, Verb,
};
use crate::role::Worn;
use crate::script::{Host, Program, Sandbox};
use crate::world::{Being, Operation, World};

use super::address::{Named, address_of};
use super::admit::{Admitted, args_of};
use super::be::{Binding, OPERATIONS};
use super::draw::draw;
use super::gate::Asker;
use super::op::{Core, Deed, Rule, core, thing_named};
use super::schema::{Schema, Schemas};
use super::see::{Eyes, describe};

/// What the one who closes moments keeps from one to the next: compiled schemas and the sandbox for extensions' operations.
pub struct Hands {
    schemas: Schemas,
    sandbox: Sandbox,
}

impl Hands {
    /// Hands with a sandbox of their own.
    pub fn new(sandbox: Sandbox) -> Self {
        Self { schemas: Schemas::default(), sandbox }
    }

    /// Whether a stop ends the scripts of operations, while moments of a round are closed.
    pub fn heed(&mut self, heeds: bool) {
        self.sandbox.heed(heeds);
    }

    /// Whether a stop has ended the script of the last operation: nothing that came of it may be kept.
    pub fn was_stopped(&self) -> bool {
        self.sandbox.was_stopped()
    }

    /// What the script of the last operation has said to whoever watches; asked once.
    pub fn notes(&mut self) -> Vec<String> {
        self.sandbox.notes()
    }
}

/// Who acts, as what, when; and where the frame that is being drafted stands.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    /// The world as it is, shared with the scripts of operations.
    pub world: &'a World,
    /// Who acts.
    pub being: &'a Being,
    /// The role worn at opening.
    pub worn: &'a Worn,
    /// Who woke it.
    pub caller: Option<BeingId>,
    /// The summons that an answer answers.
    pub answers: Option<Made>,
    /// When.
    pub at: Millis,
    /// The frame that is being drafted.
    pub seq: Seq,
    /// The public key of a being that is about to be born.
    pub key_of: &'a dyn Fn(BeingId) -> Hash,
}

/// What a call comes to.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was a see: nothing changes.
    Seen,
    /// What changes.
    Facts(Vec<Fact>),
}

/// The most facts of one moment.
const FACTS_MAX: usize = 1_000;

impl Admitted<'_> {
    /// Judges the call with its arguments, and carries it out.
    pub fn perform(&self, hands: &mut Hands) -> Result<Outcome, Reason> {
        let Self { actor, call, bound } = *self;
        match call.verb {
            // A look reads no arguments.
            Verb::See => Ok(Outcome::Seen),
            Verb::Do => actor.act(&call.action, bound, &args_of(call)?, hands).map(Outcome::Facts),
            Verb::Summon => actor.summon(bound, &args_of(call)?, call.content.as_ref()).map(Outcome::Facts),
            Verb::Be => actor.bind(&call.action, &args_of(call)?).map(Outcome::Facts),
        }
    }
}

impl<'a> Actor<'a> {
    pub(super) fn asker(&self) -> Asker<'a> {
        Asker { world: self.world, actor: self.being, worn: self.worn, caller: self.caller }
    }

    /// Judges a call whose target was bound at opening, and carries it out.
    pub fn perform(&self, call: &Call, bound: &Result<Named, Reason>, hands: &mut Hands) -> Result<Outcome, Reason> {
        self.admit(call, bound)?.perform(hands)
    }

    /// Whose lineage, places and grants count: its own, or its asker's where the worn role acts for whoever summons.
    pub(super) fn accountable(&self) -> &'a Being {
        let asker = self.caller.filter(|_| self.worn.acts_for_caller && self.answers.is_some());
        asker.and_then(|asker| self.world.being(asker)).map_or(self.being, AsRef::as_ref)
    }

    pub(super) fn bound_thing(&self, bound: &Result<Named, Reason>) -> Result<Thing, Reason> {
        match bound.clone()? {
            Named::Thing(thing) if self.is_there(thing) => Ok(thing),
            Named::Thing(thing) => Err(Reason::new(Code::Gone, thing.to_string())),
            Named::Register { register, .. } => Err(Reason::new(Code::WrongTarget, format!(".{register}"))),
        }
    }

    fn is_there(&self, thing: Thing) -> bool {
        match thing {
            Thing::Being(id) => self.world.being(id).is_some_and(|being| !being.ended),
            Thing::Space(id) => self.world.space(id).is_some(),
            Thing::Matter(id) => self.world.matter(id).is_some(),
        }
    }

    fn act(&self, action: &str, bound: &Result<Named, Reason>, args: &Value, hands: &mut Hands) -> Result<Vec<Fact>, Reason> {
        let target = self.bound_thing(bound)?;
        let args = &if args.is_null() { Value::Map(Default::default()) } else { args.clone() };
        self.asker().may_do(action, target, args)?;
        match (core(action), self.world.registry().operations.get(action)) {
            (Some((core, schema)), _) => {
                schema.check(args)?;
                self.carry_out(core, target, args, &[action], 0)
            }
            (None, Some(operation)) => {
                let operation = operation.clone();
                hands.schemas.check(operation.schema_hash, &operation.schema, args)?;
                self.operate(&operation, target, args, hands)
            }
            (None, None) => Err(Reason::new(Code::UnknownOperation, action)),
        }
    }

    /// The core operation itself.
    fn carry_out(&self, core: &Core, target: Thing, args: &Value, names: &[&str], base: u32) -> Result<Vec<Fact>, Reason> {
        let actor = self.accountable();
        (core.draft)(&Deed { world: self.world, actor, target, args, names, at: self.at, seq: self.seq, base })
    }

    /// An extension's operation: its script drafts steps, each of them a core operation under the fourth rule.
    fn operate(&self, operation: &Operation, target: Thing, args: &Value, hands: &mut Hands) -> Result<Vec<Fact>, Reason> {
        let registry = self.world.registry();
        let script = registry.scripts.get(&operation.script).ok_or_else(|| Reason::new(Code::UnknownScript, &operation.script))?;
        let program = Program { hash: script.hash, file: script.file.clone(), source: script.source.clone() };
        let given = Value::map([
            ("actor", describe(self.world, Thing::Being(self.being.id))),
            ("target", describe(self.world, target)),
            ("args", args.clone()),
            ("at", Value::Int(self.at)),
        ]);
        let eyes: Arc<dyn Host> = Arc::new(Eyes::new(self.world.clone(), self.being.id));
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
            let thing = thing_named(self.world, self.being, address).or_else(|_| thing_named(world, actor, address))?;
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
                        things.push(thing_named(self.world, self.being, address)?);
                    }
                }
            }
        }
        Ok(things)
    }

    fn summon(&self, bound: &Result<Named, Reason>, args: &Value, spoken: Option<&Text>) -> Result<Vec<Fact>, Reason> {
        let thing = self.bound_thing(bound)?;
        let Thing::Being(to) = thing else { return Err(Reason::new(Code::WrongTarget, address_of(self.world, thing))) };
        summon_schema().check(args)?;
        let text = |key: &str| args.get(key).and_then(Value::as_text).cloned();
        let content = args.get("content").cloned().or_else(|| spoken.map(Value::from)).unwrap_or_default();
        let orientation: Option<Orientation> = text("orientation").and_then(|word| word.parse().ok());
        if orientation.is_some_and(|orientation| orientation != Orientation::Forward) && to != self.being.id {
            return Err(Reason::new(Code::Orientation, "/orientation"));
        }
        if text("intent").as_deref() == Some(Summons::RECEIPT) {
            return Err(Reason::new(Code::Intent, "/intent"));
        }
        let replied = text("inReplyTo").and_then(|text| text.parse().ok());
        let summons = Summons {
            to,
            content: content.into(),
            intent: text("intent"),
            rank: text("rank").and_then(|word| word.parse().ok()).unwrap_or(Rank::Normal),
            in_reply_to: replied.or(self.answers.filter(|_| Some(to) == self.caller)),
            orientation,
            role: text("role"),
            caller_role: Some(self.worn.name.clone()).filter(|name| !name.is_empty()),
        };
        Ok(vec![Fact::Summoned(Box::new(summons))])
    }

    /// Whoever is narrowed does not have another do in their name what they are narrowed from: not by one who may act for its caller.
    pub(super) fn may_ask(&self, to: BeingId) -> Result<(), Reason> {
        let only = self.worn.only;
        if only.contains(Verb::Do) && only.contains(Verb::Be) {
            return Ok(());
        }
        let to = self.world.being(to);
        let mut roles =
            to.into_iter().flat_map(|to| to.flow.roles().chain(to.default_role.as_deref()).map(move |role| (role, to.position)));
        match roles.any(|(role, at)| self.world.role_at(role, at).is_some_and(|role| role.spec.acts_for_caller)) {
            true => Err(Reason::new(Code::GateNarrowed, if only.contains(Verb::Do) { Verb::Be.word() } else { Verb::Do.word() })),
            false => Ok(()),
        }
    }

    fn bind(&self, operation: &str, payload: &Value) -> Result<Vec<Fact>, Reason> {
        // A name that is nobody's is the operation's to refuse, after the role has been asked.
        let of = payload.get("being").and_then(Value::as_str).and_then(|address| thing_named(self.world, self.being, address).ok());
        self.asker().may_be(operation, of.or(Some(Thing::Being(self.being.id))))?;
        let payload = &if payload.is_null() { Value::Map(Default::default()) } else { payload.clone() };
        be_schemas().get(operation).ok_or_else(|| Reason::new(Code::UnknownOperation, operation))?.check(payload)?;
        Binding { world: self.world, actor: self.accountable(), at: self.at, seq: self.seq, key_of: self.key_of }.draft(operation, payload)
    }
}

/// Resolves a call's target for whoever makes it; a do without a target is done to the root, a be to nothing.
pub fn bind_target(world: &World, speaker: &Being, call: &Call, caller: Option<BeingId>) -> Result<Named, Reason> {
    match call.verb {
        Verb::Be => Ok(Named::Thing(Thing::Being(speaker.id))),
        Verb::Summon if call.target.is_empty() => {
            caller.map(|caller| Named::Thing(Thing::Being(caller))).ok_or_else(|| Reason::new(Code::NoTarget, ""))
        }
        Verb::Do if call.target.is_empty() => Ok(Named::Thing(Thing::Space(SpaceId::ROOT))),
        Verb::See | Verb::Do | Verb::Summon => {
            let address: super::address::Address =
                call.target.parse().map_err(|_| Reason::new(Code::BadAddress, call.target.chars().take(80).collect::<String>()))?;
            address.resolve(world, speaker)
        }
    }
}

/// The thing that a fact makes.
fn made_by(fact: &Fact, made: Made) -> Option<Thing> {
    match fact {
        Fact::SpaceMade { .. } => Some(Thing::Space(SpaceId(made))),
        Fact::MatterMade { .. } => Some(Thing::Matter(crate::fact::MatterId(made))),
        _ => None,
    }
}

/// The arguments of a summons.
pub const SUMMON_SCHEMA: &str = r#"{"type":"object","additionalProperties":false,"properties":{
    "content":{},"intent":{"type":"string","maxLength":64},"rank":{"enum":["person","urgent","normal","background"]},
    "inReplyTo":{"type":"string"},"orientation":{"enum":["forward","half","inward"]},"role":{"type":"string","maxLength":64}}}"#;

fn compile(text: &str) -> Schema {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    // A schema that does not compile here would refuse everything, and the tests of every verb with it.
    Schema::compile(&value).unwrap_or_else(|_| Schema::nothing())
}

fn summon_schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| compile(SUMMON_SCHEMA))
}

fn be_schemas() -> &'static BTreeMap<&'static str, Schema> {
    static SCHEMAS: OnceLock<BTreeMap<&'static str, Schema>> = OnceLock::new();
    SCHEMAS.get_or_init(|| OPERATIONS.iter().map(|(name, _, schema)| (*name, compile(schema))).collect())
}
