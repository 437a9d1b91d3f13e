//! Retell: what the scripts of a past moment said to whoever watched. No seal holds it: they run again, where they ran.

use std::sync::Arc;

use crate::cognition::{request, think};
use crate::fact::{Call, CodeKind, Content, Draft, Hash, WakeKind};
use crate::moment::{Answer, Closer, Composer, Thinker, close, is_asking, open};
use crate::script::{Limits, Sandbox};
use crate::verb::Hands;
use crate::world::World;

use super::trial::wake_of;

/// The lines of a moment, from the world on which it opened and the one on which it closed.
pub fn retell(draft: &Draft, opened: &Arc<World>, before: &World) -> Vec<String> {
    tell(draft, opened, before).unwrap_or_default()
}

/// Whether a moment failed in a script, so that the engine has a sentence for it.
pub fn has_sentence(draft: &Draft) -> bool {
    draft.closing.reason().is_some_and(|reason| reason.code.kind() == CodeKind::Script)
}

fn tell(draft: &Draft, opened: &Arc<World>, before: &World) -> Option<Vec<String>> {
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
        Thinker::Person | Thinker::Script | Thinker::Model if is_gesture => given.map(said),
        Thinker::Person => given.map(said),
        Thinker::Script => Some(think(&opening, opened, &mut sandbox)),
        Thinker::Model => {
            // Its see-resolvers are scripts; what the model said is in the frame.
            let _ = request(&opening, opened, &mut sandbox);
            given.map(said)
        }
    };
    let mut notes = sandbox.notes();
    if let Some(answer) = answer.filter(|answer| answer.failure.is_none() && calls_a_script(answer, before)) {
        let mut closer = Closer { hands: Hands::new(Sandbox::new(Limits::default())), composer: Composer::default() };
        close(&opening, answer, before, draft.at, &|_| Hash::NOTHING, &mut closer);
        notes.extend(closer.hands.notes());
    }
    Some(notes)
}

/// Whether an answer calls an operation that is a script.
fn calls_a_script(answer: &Answer, world: &World) -> bool {
    let runs = |call: &Call| world.registry().operations.contains_key(&call.action) && !matches!(call.args, Content::Unread { .. });
    answer.call.as_ref().is_some_and(|(call, _)| runs(call))
}
