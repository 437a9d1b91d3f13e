//! Rule: what is asked of every deed after the gate and before anything is stamped: a rule refuses it, or is silent.
//!
//! A rule changes nothing and draws nothing, and the first refusal ends it. One that fails refuses the deed: nobody passes because a rule is
//! broken. An operation that repairs a rule is never judged; else a rule that refuses
//! everything could not be taken back.

use std::sync::Arc;

use crate::fact::{BeingId, Code, Reason, Text, Value};
use crate::role::Judge;
use crate::script::{Host, Program};
use crate::world::{World, address_of};

use super::actor::Actor;
use super::asked::{RuleTrace, Ruling};
use super::case::{Drafted, Hearing};
use super::hands::Hands;
use super::see::Eyes;

/// The most steps of one rule's script.
const RULE_STEPS: u64 = 10_000;

/// The operations that no rule is asked about: those that repair a world or keep its books.
const UNJUDGED: &[&str] = &[
    "extension.set",
    "extension.only",
    "pause.set",
    "pause.end",
    "config.set",
    "rule.set",
    "model.reserve",
    "model.settle",
    "loss.accept",
];

impl Actor<'_> {
    /// Asks every rule about a deed, in their order; the first refusal ends it.
    pub(super) fn ruled(&self, deed: Drafted<'_>, hands: &mut Hands) -> Result<(), Reason> {
        if UNJUDGED.contains(&deed.action) || self.being.id == BeingId::WORLD {
            return Ok(());
        }
        let judges = self.world.registry().judges.on(deed.action);
        if judges.is_empty() {
            return Ok(());
        }
        let case = Hearing::of(self, deed);
        judges.into_iter().filter(|judge| case.concerns(judge)).try_for_each(|judge| ask(judge, &case, self.being.id, hands))
    }
}

/// Asks one rule.
fn ask(judge: &Judge, case: &Hearing<'_>, by: BeingId, hands: &mut Hands) -> Result<(), Reason> {
    let (holds, conditions) = if hands.asked.is_some() { judge.explain(case) } else { (judge.holds(case), Vec::new()) };
    let (verdict, sentence) = match (holds, judge.script()) {
        (false, _) => (Ruling::Silent, None),
        (true, None) => (Ruling::Refuses, judge.refuse().cloned()),
        (true, Some(script)) => ask_script(script, case, by, hands).unwrap_or_else(|code| (Ruling::Fails, Some(code.sentence().into()))),
    };
    let sentence = if verdict == Ruling::Refuses { sentence.or_else(|| judge.refuse().cloned()) } else { sentence };
    if let Some(asked) = &mut hands.asked {
        let (rule, action, target) = (judge.name().clone(), case.deed.action.into(), address_of(case.world, case.deed.target));
        asked.push(RuleTrace { rule, action, target, verdict, sentence: sentence.clone(), conditions });
    }
    let code = match verdict {
        Ruling::Silent => return Ok(()),
        Ruling::Refuses => Code::Rule,
        Ruling::Fails => Code::RuleFailed,
    };
    // The sentence is only told to watchers, and readers look it up: no seal holds it.
    hands.sandbox.note(&format!("rule {}: {}", judge.name(), sentence.as_deref().unwrap_or("no")));
    Err(Reason::new(code, judge.name()))
}

/// Asks the script of a rule: nothing, or the sentence with which it refuses.
fn ask_script(script: &Text, case: &Hearing<'_>, by: BeingId, hands: &mut Hands) -> Result<(Ruling, Option<Text>), Code> {
    let script = case.world.registry().scripts.get(script).ok_or(Code::UnknownScript)?;
    let program = Program { hash: script.hash, file: script.file.clone(), source: script.source.clone() };
    let eyes: Arc<dyn Host> = Arc::new(Eyes::new(World::clone(case.world), by, case.at));
    let (said, steps) = hands.sandbox.judge(&program, vec![case.shown()], eyes, RULE_STEPS.min(hands.rule_steps));
    hands.rule_steps = hands.rule_steps.saturating_sub(steps);
    match said.map_err(|error| error.code())? {
        Value::Null => Ok((Ruling::Silent, None)),
        Value::Text(sentence) => Ok((Ruling::Refuses, Some(sentence).filter(|sentence| !sentence.trim().is_empty()))),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::List(_) | Value::Map(_) => Err(Code::ScriptResult),
    }
}
