//! Perform: one call, judged and carried out against the world as it is: facts, or the reason of its refusal.
//!
//! The rules of the gate are asked in their order: the worn role, the place, authority, and for an extension's operation what its
//! facts may touch. The last is [`operate`](super::operate)'s. Where all of them have nothing against it,
//! [`rule`](super::rule) asks those of the world and its extensions.

use std::sync::OnceLock;

use crate::fact::{
    Answering, BeingId, Call, Code, Fact, Millis, Orientation, Rank, Reason, SpaceId, Summons, Text, Thing, Value, Verb, Verbs, in_a_line,
};
use crate::world::{Being, World};

use super::actions::SUMMON;
use super::actor::{Actor, InAct};
use super::address::{Address, Named};
use super::admit::{Admitted, addressee, args_of, unknown};
use super::be::{Binding, END, payload_schema};
use super::case::{Drafted, claimed_by, goes_to, spoken};
use super::claimed::names_no_target;
use super::drafted::{BE, DraftedCall};
use super::hands::Hands;
use super::op::{DRAFT_PUBLISH, core, thing_named};
use super::schema::Schema;

/// The result of a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Performed {
    /// It was a see: nothing changes.
    Seen,
    /// The facts that change the world.
    Facts(Vec<Fact>),
}

impl Admitted<'_> {
    /// Judges the call with its arguments, carries it out, and asks the rules about it.
    pub fn perform(&self, hands: &mut Hands) -> Result<Performed, Reason> {
        hands.begin();
        self.carry_out(hands)
    }

    /// The same as a part of another act, within the bounds of that.
    fn carry_out(&self, hands: &mut Hands) -> Result<Performed, Reason> {
        let Self { actor, call, bound } = *self;
        match call.verb {
            // A look reads no arguments, and no rule is asked about it.
            Verb::See => Ok(Performed::Seen),
            Verb::Do => actor.act(&call.action, bound, &args_of(call)?, hands).map(Performed::Facts),
            Verb::Summon => {
                let args = spoken(args_of(call)?, call.content.as_ref());
                let facts = actor.summon(bound, &args)?;
                let target = Thing::Being(addressee(actor.world, actor.bound_thing(bound)?)?);
                actor.ruled(Drafted { verb: Verb::Summon, action: SUMMON, target, to: None, args: &args }, hands)?;
                Ok(Performed::Facts(facts))
            }
            Verb::Be => {
                let args = args_of(call)?;
                let facts = actor.bind(&call.action, &args, hands)?;
                let target = actor.bound_to(&args).unwrap_or(Thing::Being(actor.being.id));
                let action = format!("{BE}{}", call.action);
                actor.ruled(Drafted { verb: Verb::Be, action: &action, target, to: goes_to(&facts), args: &args }, hands)?;
                Ok(Performed::Facts(facts))
            }
        }
    }
}

impl Actor<'_> {
    /// Judges a call whose target was bound at opening, and carries it out.
    pub fn perform(&self, call: &Call, bound: &Result<Named, Reason>, hands: &mut Hands) -> Result<Performed, Reason> {
        self.admit(call, bound)?.perform(hands)
    }

    fn act(&self, action: &str, bound: &Result<Named, Reason>, args: &Value, hands: &mut Hands) -> Result<Vec<Fact>, Reason> {
        let target = self.bound_thing(bound)?;
        let args = &if args.is_null() { Value::Map(Default::default()) } else { args.clone() };
        let known = core(action);
        if !known.is_some_and(|(core, _)| names_no_target(core, target)) {
            self.asker().may_do(action, target, args)?;
        }
        match (known, self.world.registry().operations.get(action)) {
            (Some((core, schema)), _) => {
                schema.check(args)?;
                let mut facts = self.carry_out(core, target, args, InAct { names: &[action], base: 0 }, hands)?;
                if core.name == DRAFT_PUBLISH {
                    facts.splice(0..0, self.publish(target, hands)?);
                }
                let claimed: Vec<Thing> = facts.iter().filter_map(claimed_by).collect();
                // A rule hears of each thing that is claimed.
                for target in if claimed.is_empty() { vec![target] } else { claimed } {
                    self.ruled(Drafted { verb: Verb::Do, action, target, to: goes_to(&facts), args }, hands)?;
                }
                Ok(facts)
            }
            (None, Some(operation)) => {
                let operation = operation.clone();
                hands.schemas.check(operation.schema_hash, &operation.schema, args)?;
                let operated = self.operate(&operation, target, args, hands)?;
                // The whole first, then its steps in their order.
                self.ruled(Drafted { verb: Verb::Do, action, target, to: None, args }, hands)?;
                operated.steps.iter().try_for_each(|step| step.ruled(self, hands))?;
                Ok(operated.facts)
            }
            (None, None) => Err(unknown(self.world, action)),
        }
    }

    /// Judges and carries out the call of a draft as if its publisher made it.
    fn publish(&self, draft: Thing, hands: &mut Hands) -> Result<Vec<Fact>, Reason> {
        let matter = if let Thing::Matter(id) = draft { self.world.matter(id) } else { None };
        let call = matter.and_then(|matter| DraftedCall::of(matter)).ok_or_else(|| Reason::new(Code::WrongTarget, ""))?.call();
        let bound = bind_target(self.world, self.being, &call, self.caller, self.at);
        if let Some((core, _)) = core(&call.action).filter(|(core, _)| core.name == DRAFT_PUBLISH) {
            return Err(Reason::new(Code::DraftAction, core.name));
        }
        match self.admit(&call, &bound)?.carry_out(hands)? {
            Performed::Facts(facts) => Ok(facts),
            Performed::Seen => Ok(Vec::new()),
        }
    }

    /// Drafts a summons.
    pub(super) fn summon(&self, bound: &Result<Named, Reason>, args: &Value) -> Result<Vec<Fact>, Reason> {
        let to = addressee(self.world, self.bound_thing(bound)?)?;
        summon_schema().check(args)?;
        let text = |key: &str| args.get(key).and_then(Value::as_text).cloned();
        let content = args.get("content").cloned().unwrap_or_default();
        let orientation: Option<Orientation> = text("orientation").and_then(|word| word.parse().ok());
        if orientation.is_some_and(|orientation| orientation != Orientation::Forward) && to != self.being.id {
            return Err(Reason::new(Code::Orientation, "/orientation"));
        }
        let intent = text("intent").map(|intent| in_a_line(&intent));
        if intent.as_deref().is_some_and(|intent| Summons::OWN.contains(&intent)) {
            return Err(Reason::new(Code::Intent, "/intent"));
        }
        let replied = text("inReplyTo").and_then(|text| text.parse().ok());
        let errand = self.errand;
        let (is_back, own) = (Some(to) == self.caller, errand.only);
        let summons = Summons {
            to,
            content: content.into(),
            intent: intent.filter(|intent| !intent.is_empty()).map(Text::from),
            rank: text("rank").and_then(|word| word.parse().ok()).unwrap_or(Rank::Normal),
            in_reply_to: replied.or(errand.answers.filter(|_| is_back && errand.is_awaited)),
            orientation,
            role: text("role"),
            caller_role: Some(self.worn.name.clone()).filter(|name| !name.is_empty()),
            stack: self.stack.to_vec(),
            // A reply to the asker allows no more than the asker could do when it asked.
            only: only_of(args)?.and(if is_back { errand.caller_only } else { own }),
            answer: text("answer").and_then(|word| word.parse().ok()).unwrap_or(Answering::Wanted),
            until: None,
            caller_only: own,
        };
        Ok(vec![Fact::Asked(Box::new(summons))])
    }

    /// The being that an operation on identity is about. The operation itself refuses an unknown name, after the role has been asked.
    fn bound_to(&self, payload: &Value) -> Option<Thing> {
        payload.get("being").and_then(Value::as_str).and_then(|address| thing_named(self.world, self.being, self.at, address).ok())
    }

    fn bind(&self, operation: &str, payload: &Value, hands: &Hands) -> Result<Vec<Fact>, Reason> {
        self.asker().may_be(operation, self.bound_to(payload).or(Some(Thing::Being(self.being.id))))?;
        let payload = &if payload.is_null() { Value::Map(Default::default()) } else { payload.clone() };
        payload_schema(operation).ok_or_else(|| Reason::new(Code::UnknownOperation, operation))?.check(payload)?;
        let tell = &|how: &str| hands.sandbox.note(how);
        let binding = Binding { world: self.world, actor: self.accountable(), at: self.at, seq: self.seq, key_of: self.key_of, tell };
        let facts = binding.draft(operation, payload)?;
        let of = self.bound_to(payload).unwrap_or(Thing::Being(self.being.id));
        self.thaws(operation, of)?;
        if operation == END {
            self.unclaimed(of)?;
        }
        self.thaws_at_its_end(&facts)?;
        self.lands_unclaimed(&facts)?;
        Ok(facts)
    }
}

/// Resolves a call's target at an instant, for whoever makes it; a do without a target is done to the root, a be to nothing.
pub fn bind_target(world: &World, speaker: &Being, call: &Call, caller: Option<BeingId>, at: Millis) -> Result<Named, Reason> {
    match call.verb {
        Verb::Be => Ok(Named::Thing(Thing::Being(speaker.id))),
        Verb::Summon if call.target.is_empty() => {
            caller.map(|caller| Named::Thing(Thing::Being(caller))).ok_or_else(|| Reason::new(Code::NoTarget, ""))
        }
        Verb::Do if call.target.is_empty() => Ok(Named::Thing(Thing::Space(SpaceId::ROOT))),
        Verb::See | Verb::Do | Verb::Summon => {
            let address: Address =
                call.target.parse().map_err(|_| Reason::new(Code::BadAddress, call.target.chars().take(80).collect::<String>()))?;
            address.resolve(world, speaker, at)
        }
    }
}

/// The arguments of a summons.
pub const SUMMON_SCHEMA: &str = r#"{"type":"object","additionalProperties":false,"properties":{
    "content":{},"intent":{"type":"string","maxLength":64},"rank":{"enum":["person","urgent","normal","background"]},
    "inReplyTo":{"type":"string"},"orientation":{"enum":["forward","half","inward"]},"role":{"type":"string","maxLength":64},
    "only":{"type":"array","items":{"type":"string"},"maxItems":16},"answer":{"enum":["wanted","none"]}}}"#;

/// The verbs to which a summons narrows whoever hears it: all four where it says nothing.
fn only_of(args: &Value) -> Result<Verbs, Reason> {
    let Some(words) = args.get("only").and_then(Value::as_list) else { return Ok(Verbs::ALL) };
    let wrong = |place: String| Reason::new(Code::OnlyVerbs, place);
    let verb = |(at, word): (usize, &Value)| {
        word.as_str().and_then(|word| word.parse::<Verb>().ok()).ok_or_else(|| wrong(format!("/only/{at}: {word}")))
    };
    let verbs = words.iter().enumerate().map(verb).collect::<Result<Vec<_>, _>>()?;
    if verbs.is_empty() { Err(wrong("/only".to_owned())) } else { Ok(verbs.into_iter().collect()) }
}

/// The schema of a summons.
pub(super) fn summon_schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema::of_text(SUMMON_SCHEMA))
}
