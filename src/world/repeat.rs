//! Repeat: the same call with the same end, again and again in one thread. Beyond `brakes.repeat` its wake is a dead letter.

use std::sync::Arc;

use crate::fact::{BeingId, Call, Canon, Closing, Code, Cognition, Content, Draft, Hash, Made, Verb, WakeKind};

use super::brake::RepeatCount;
use super::whole::{RootCount, World};

/// The setting that says how often.
pub const REPEAT: &str = "brakes.repeat";
/// How many different calls of a being are counted in a thread.
const CALLS_KEPT: usize = 8;

/// The hash of a call with how it ended. A look changes nothing, and what a person does is theirs to do again. A wake by what happens to things
/// stands for many happenings, each of another beginning: to do the same about each is no repetition.
fn call_and_end(draft: &Draft) -> Option<Hash> {
    let is_asked = matches!(draft.wake.kind, WakeKind::Summons | WakeKind::Hear | WakeKind::SelfContinue | WakeKind::ReplyDue);
    if !is_asked {
        return None;
    }
    let call = draft.call.as_ref().filter(|call| call.verb != Verb::See && draft.cognition != Cognition::Human)?;
    let end = match &draft.closing {
        Closing::Act => None,
        closing => Some(closing.refusal()?.code),
    };
    Some(Hash::of(&(call_hash(call), end.map(Code::word).unwrap_or_default().to_owned()).to_canon()))
}

/// The hash of what is called, to what, and with which arguments, wherever these lie.
fn call_hash(call: &Call) -> Hash {
    let args = match &call.args {
        Content::Here(args) => Hash::of(&args.to_canon()),
        Content::There { hash, .. } | Content::Unread { hash, .. } => *hash,
    };
    Hash::of(&((call.verb, call.action.clone(), call.target.clone()), args, call.content.clone()).to_canon())
}

impl RootCount {
    /// Counts a call. One more than are kept takes the place of the rarest, and begins anew: nobody is held for calls that are not the same.
    fn note_call(&mut self, being: BeingId, call: Hash) {
        let calls = Arc::make_mut(self.repeats.entry(being).or_default());
        if let Some(same) = calls.iter_mut().find(|same| same.call == call) {
            same.count = same.count.saturating_add(1);
        } else if calls.len() < CALLS_KEPT {
            calls.push(RepeatCount { call, count: 1 });
        } else if let Some(rarest) = calls.iter_mut().min_by_key(|other| other.count) {
            *rarest = RepeatCount { call, count: 1 };
        }
    }

    fn times(&self, being: BeingId, call: Hash) -> u64 {
        let calls = self.repeats.get(&being).into_iter().flat_map(|calls| calls.iter());
        calls.filter(|same| same.call == call).map(|same| same.count).sum()
    }
}

impl World {
    /// Whether a being has made the call of a frame as often as it may in its thread, and each time with the same end.
    pub fn is_one_too_many(&self, root: Made, draft: &Draft) -> bool {
        let Some((being, call)) = self.being(draft.being).zip(call_and_end(draft)) else { return false };
        self.root_count(root).is_some_and(|count| count.times(being.id, call) >= self.count_setting(REPEAT, being))
    }

    /// Counts the call of a frame in its thread.
    pub(super) fn count_repeats(&mut self, draft: &Draft) {
        let root = self.rooted_of(draft.being, &draft.wake).and_then(|wake| wake.root);
        let Some((root, call)) = root.zip(call_and_end(draft)) else { return };
        if let Some(count) = self.roots.get_mut(&root) {
            count.note_call(draft.being, call);
        }
    }
}
