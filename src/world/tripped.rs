//! Tripped: a being that was refused, failed or woke as often as it may within a window waits until that turns, and its wakes with it. No frame says
//! so: it follows from its counts, as it follows from a pause.

use std::collections::BTreeMap;

use crate::fact::{BeingId, Closing, Code, CodeKind, Cognition, Draft, Fact, Millis, Reason, Text};

use super::being::Being;
use super::brake::{Brake, HOUR, Tripped, WindowCount};
use super::ledger::{number_of, turn_of};
use super::local::Local;
use super::wake::Body;
use super::whole::World;

/// How often in a row the moments of a watch, or a resolver, fail before it rests.
const IN_A_ROW: u64 = 5;

/// Whether a refusal counts: one that nobody has meant. An operation's own no, a rule's, a freeze and a claim are what they are there for.
fn is_counted(code: Code) -> bool {
    matches!(code.kind(), CodeKind::Gate | CodeKind::Args | CodeKind::Script) && !matches!(code, Code::GateFrozen | Code::GateClaimed)
}

/// Whether a thought failed by what its mind did; that nobody could be asked, and that a brake held, is not of its making.
fn is_failed_thought(draft: &Draft) -> bool {
    // A bridge stands for many: what comes to nothing for one of them is no fault of the others.
    if draft.cognition == Cognition::Bridge {
        return false;
    }
    let (Closing::Failed(reason) | Closing::DeadLetter(reason)) = &draft.closing else { return false };
    matches!(reason.code.kind(), CodeKind::Script | CodeKind::Call | CodeKind::Args | CodeKind::Reply)
}

/// The refusal that counts, or the failure, by which a moment came to nothing. That there was no money left is none.
fn fault(closing: &Closing) -> Option<Reason> {
    match closing {
        Closing::Failed(reason) | Closing::DeadLetter(reason) => Some(reason.clone()).filter(|reason| reason.code != Code::Budget),
        _ => closing.refusal().filter(|reason| is_counted(reason.code)),
    }
}

/// Counts one more failure in an hour; what goes well ends its row, and the rows of other hours are over.
fn count_row(rows: &mut BTreeMap<Text, WindowCount>, name: &Text, number: i64, has_failed: bool) {
    rows.retain(|row, failed| failed.number == number && (has_failed || row != name));
    if has_failed {
        let failed = rows.entry(name.clone()).or_insert(WindowCount { number, count: 0 });
        failed.count = failed.count.saturating_add(1);
    }
}

impl World {
    /// How often a being failed in the hour of an instant, or was refused, by code.
    pub fn faults<'a>(&self, being: &'a Being, at: Millis) -> impl Iterator<Item = (Code, u64)> + use<'a> {
        let codes = &being.brakes.codes;
        let is_now = codes.number == number_of(HOUR, at, self.offset_at(at));
        codes.counts.iter().filter(move |_| is_now).map(|(code, count)| (*code, *count))
    }

    /// The count of a brake in the window of an instant, beside what a being may have where it stands.
    pub fn braked(&self, being: &Being, brake: Brake, at: Millis) -> (u64, u64) {
        let WindowCount { number, count } = brake.count(&being.brakes);
        let is_now = count > 0 && number == number_of(brake.window(), at, self.offset_at(at));
        (if is_now { count } else { 0 }, self.count_setting(brake.key(), being))
    }

    /// The brake that holds a being at an instant, the one that holds longest.
    pub fn tripped(&self, being: &Being, at: Millis) -> Option<Tripped> {
        let holds = |brake: Brake| {
            // It is asked of everybody who is due, and of most hardly anything is ever counted.
            let WindowCount { count, .. } = brake.count(&being.brakes);
            if count == 0 || count < self.count_setting(brake.key(), being) {
                return None;
            }
            let (count, most) = self.braked(being, brake, at);
            (count >= most).then(|| Tripped { brake, count, most, until: turn_of(brake.window(), at, self.offset_at(at)) })
        };
        if being.ended { None } else { Brake::ALL.into_iter().filter_map(holds).max_by_key(|tripped| tripped.until) }
    }

    /// From when on a being that is due at an instant is held by no brake.
    pub fn cooled_from(&self, being: &Being, due: Millis) -> Millis {
        self.tripped(being, due).map_or(due, |tripped| tripped.until)
    }

    /// The watches and resolvers of a being that rest, each with when it is asked again.
    pub fn resting<'a>(&'a self, being: &'a Being, at: Millis) -> impl Iterator<Item = (&'a Text, Millis)> {
        let rows = [&being.brakes.watches, &being.brakes.resolvers];
        rows.into_iter().flatten().map(move |(name, failed)| (name, self.rested(failed, at))).filter(move |(_, until)| *until > at)
    }

    /// Until when a resolver of a being rests at an instant.
    pub fn resolver_rests(&self, being: &Being, name: &Text, at: Millis) -> Option<Millis> {
        being.brakes.resolvers.get(name).map(|failed| self.rested(failed, at)).filter(|until| *until > at)
    }

    /// When a watch is asked that is due at an instant.
    pub(super) fn watch_rested(&self, being: &Being, entry: &Text, due: Millis) -> Millis {
        being.brakes.watches.get(entry).map_or(due, |failed| self.rested(failed, due))
    }

    /// When something is asked that is due at an instant: not before the hour turns in which it failed so often in a row.
    fn rested(&self, failed: &WindowCount, due: Millis) -> Millis {
        let offset = self.offset_at(due);
        let is_weary = failed.count >= IN_A_ROW && failed.number == number_of(HOUR, due, offset);
        if is_weary { turn_of(HOUR, due, offset) } else { due }
    }

    /// Counts that the moment of a watch has failed; one that has not ends the row, and one that is not over yet is none.
    fn count_watch(&mut self, draft: &Draft) {
        let Some(wake) = self.inbox.get(draft.being, &draft.wake).filter(|_| !matches!(draft.closing, Closing::Requeued(_))).cloned()
        else {
            return;
        };
        let Body::Watch { entry, .. } = &wake.about().body else { return };
        let (number, has_failed) = (number_of(HOUR, draft.at, draft.offset), is_failed_thought(draft));
        self.being_mut(draft.being, |being| count_row(&mut being.brakes.watches, entry, number, has_failed));
    }

    /// Counts the resolvers that failed, and those that go well again.
    fn count_resolvers(&mut self, draft: &Draft) {
        let number = number_of(HOUR, draft.at, draft.offset);
        for fact in &draft.facts {
            let Fact::Resolved { resolver, failed } = fact else { continue };
            self.being_mut(draft.being, |being| count_row(&mut being.brakes.resolvers, resolver, number, *failed));
        }
    }

    fn offset_at(&self, at: Millis) -> i64 {
        Local::of(at, self.zone).offset
    }

    /// Counts what a frame says of its being, and of whoever it acts for.
    pub(super) fn count_for_brakes(&mut self, draft: &Draft) {
        // The world itself is never held, and a frame that only announces a call, or asks for leave to make one, is no moment.
        let is_announced = |reason: &Reason| matches!(reason.code, Code::Asking | Code::Approval);
        if draft.being == BeingId::WORLD || draft.closing.reason().is_some_and(is_announced) {
            return;
        }
        let count = |world: &mut Self, being: BeingId, brake: Brake| {
            let number = number_of(brake.window(), draft.at, draft.offset);
            world.being_mut(being, |being| {
                let window = brake.count_mut(&mut being.brakes);
                let before = if window.number == number { window.count } else { 0 };
                *window = WindowCount { number, count: before.saturating_add(1) };
            });
        };
        count(self, draft.being, Brake::Rate);
        if let Some(reason) = fault(&draft.closing) {
            let number = number_of(HOUR, draft.at, draft.offset);
            self.being_mut(draft.being, |being| being.brakes.codes.note(number, reason.code));
        }
        if draft.closing.refusal().is_some_and(|reason| is_counted(reason.code)) {
            let accountable = self.acts_for(draft).unwrap_or(draft.being);
            count(self, accountable, Brake::Refusals);
        }
        if is_failed_thought(draft) {
            count(self, draft.being, Brake::Failures);
        }
        self.count_watch(draft);
        self.count_resolvers(draft);
    }

    /// For whom a moment acts, where its primary role acts for its caller.
    fn acts_for(&self, draft: &Draft) -> Option<BeingId> {
        let being = self.beings.get(&draft.being)?;
        let role = &draft.stack.first()?.role;
        let acts = self.version_at(role, being.position).is_some_and(|version| version.spec.acts_for_caller);
        self.rooted_of(draft.being, &draft.wake).filter(|_| acts)?.caller()
    }
}
