//! Retell: the parts of a past moment that no seal holds: the lines of its scripts, and the rules that were asked. They are asked again.

use std::sync::Arc;

use crate::cognition::{deliberate, request, think};
use crate::fact::{Call, Code, CodeKind, Content, Credential, Draft, WakeKind};
use crate::moment::{Answer, Closer, Composer, Thinker, close, is_asking, open};
use crate::script::{Limits, Sandbox};
use crate::verb::{Hands, RuleTrace};
use crate::world::World;

use super::trial::wake_of;

/// The parts of a moment that no seal holds.
#[derive(Default)]
pub struct Retold {
    /// The lines of its scripts.
    pub notes: Vec<String>,
    /// The rules that were asked about its act, each with what it saw.
    pub rules: Vec<RuleTrace>,
}

/// The lines and rules of a moment, from the world on which it opened and the one on which it closed.
pub fn retell(draft: &Draft, opened: &Arc<World>, before: &World) -> Retold {
    tell(draft, opened, before).unwrap_or_default()
}

/// Whether there is a sentence for what became of a moment that no seal holds: the engine's of a script that failed, a rule's of its refusal, or
/// what is wrong with a call, a flow, a role or a rule.
pub fn has_sentence(draft: &Draft) -> bool {
    let says =
        |code: Code| matches!(code, Code::Rule | Code::CallMalformed | Code::FlowMalformed | Code::RoleMalformed | Code::RuleMalformed);
    draft.closing.reason().is_some_and(|reason| reason.code.kind() == CodeKind::Script || says(reason.code))
}

fn tell(draft: &Draft, opened: &Arc<World>, before: &World) -> Option<Retold> {
    if draft.seq == 0 || is_asking(draft) {
        return None;
    }
    let being = opened.being(draft.being)?;
    let given: Option<&Call> = draft.call.as_ref();
    let is_gesture = draft.wake.kind == WakeKind::Gesture;
    let wake = wake_of(draft, opened)?;
    let opening = open(opened, being, &wake, draft.opened_at, given.filter(|_| is_gesture), &mut Composer::default());
    let mut sandbox = Sandbox::new(Limits::default());
    let said = |call: &Call| Answer { call: Some((call.clone(), opening.bind(opened, call))), ..Answer::none() };
    let answer = match opening.thinker() {
        Thinker::Nobody => return None,
        Thinker::Person | Thinker::Script | Thinker::Outside | Thinker::Panel if is_gesture => given.map(said),
        Thinker::Person => given.map(said),
        Thinker::Script => Some(think(&opening, opened, &mut sandbox)),
        Thinker::Panel => Some(deliberate(&opening, opened, &mut sandbox)),
        Thinker::Outside => {
            // Its see-resolvers are scripts; what the model said is in the frame.
            let _ = request(&opening, opened, &mut sandbox);
            given.map(said)
        }
    };
    let mut retold = Retold { notes: sandbox.notes(), rules: Vec::new() };
    if let Some(answer) = answer.filter(|answer| answer.failure.is_none() && asks_anew(draft, answer, before)) {
        let mut closer = Closer { hands: Hands::new(Sandbox::new(Limits::default())), composer: Composer::default() };
        closer.hands.remember_rules();
        close(&opening, answer, before, draft.at, &|_| Credential::default(), &mut closer);
        retold.notes.extend(closer.hands.notes());
        retold.rules = closer.hands.rules();
    }
    Some(retold)
}

/// Whether an answer calls an operation that is a script, rules are asked about it, or it was refused with a sentence.
fn asks_anew(draft: &Draft, answer: &Answer, world: &World) -> bool {
    let registry = world.registry();
    let runs = |call: &Call| registry.operations.contains_key(&call.action) || !registry.judges.all().is_empty() || has_sentence(draft);
    answer.call.as_ref().is_some_and(|(call, _)| runs(call) && !matches!(call.args, Content::Unread { .. }))
}
