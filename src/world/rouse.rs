//! Rouse: how wakes open, wait and close while a frame is folded, and the roots that they belong to.

use std::ops::Bound;
use std::sync::Arc;

use crate::fact::{
    BeingId, Closing, Code, Cognition, Content, Draft, Made, Millis, Rank, Reason, Receipt, SpaceId, Summons, Text, Timing, Trigger, Value,
    WakeId, WakeKind,
};

use super::being::{Being, Schedule};
use super::fold::Cause;
use super::inbox::Added;
use super::ledger::Account;
use super::local::next_due;
use super::quality::Change;
use super::wake::{Body, Wake};
use super::whole::{RootCount, World};

/// How long a wake waits whose model's endpoint did not answer, in milliseconds.
const OUTAGE_WAIT: Millis = 60_000;
/// How long one waits whose provider answers nobody over its connection, once that may be asked again.
pub const HELD_WAIT: Millis = 1_000;

impl World {
    /// Closes the frame's wake as the frame says, and returns the root and depth that it passes on.
    pub(super) fn close(&mut self, draft: &Draft) -> (Option<Made>, u32) {
        let being = draft.being;
        let Some(open) = self.rooted_of(being, &draft.wake) else { return (None, 0) };
        let (origin, about) = ((open.root, open.depth), open.about());
        let rearm = |due: Millis, cause: Made, failed: u32| {
            // A panel asks its members anew.
            let mut wake = about.clone().unasked();
            (wake.id.due, wake.id.cause, wake.failed, wake.failure) = (due, cause, failed, draft.closing.reason().cloned());
            wake
        };
        let anew = |due: Millis, cause: Made| Wake { looked: 0, failure: None, ..rearm(due, cause, 0) };
        if let Closing::Requeued(reason) = &draft.closing {
            self.requeued(draft, &open, reason);
            return origin;
        }
        if about.id.kind == WakeKind::Change {
            self.being_mut(being, |being| being.withheld.last_change = Some(draft.opened_at));
        }
        if let Some(count) = open.root.and_then(|root| self.roots.get_mut(&root)) {
            count.moments += 1;
            // A failed attempt is made again, and counts when it succeeds or is given up.
            if about.id.kind == WakeKind::SelfContinue && !matches!(draft.closing, Closing::Failed(_)) {
                *count.continued.entry(being).or_default() += 1;
            }
        }
        let again = match &draft.closing {
            Closing::Failed(reason) => match Self::budget_turns(reason, draft.at, draft.offset) {
                // No attempt was made: it waits for the budget, and for nothing else.
                Some(turns) => Some(rearm(turns, about.id.cause, open.failed)),
                None => {
                    let failed = open.failed + 1;
                    let due = draft.at.saturating_add(self.backoff(being, failed));
                    Some(rearm(self.due_again(being, about, due), about.id.cause, failed))
                }
            },
            // A signal that changed after the moment had opened has not been seen yet.
            Closing::Act | Closing::See | Closing::Refused(_) if about.id.kind == WakeKind::Signal && about.newest.seq >= draft.opened => {
                Some(anew(draft.at, about.newest))
            }
            // Nor has what became another since.
            Closing::Act | Closing::See | Closing::Refused(_) if about.id.kind == WakeKind::Change && about.newest.seq >= draft.opened => {
                Some(anew(self.changes_from(being, draft.at), about.newest))
            }
            Closing::Act | Closing::See | Closing::Refused(_) | Closing::DeadLetter(_) if about.id.kind == WakeKind::Hear => {
                self.hears_on(about, draft)
            }
            Closing::Act | Closing::See | Closing::Refused(_) => self.watches_on(being, about, draft),
            Closing::DeadLetter(_) | Closing::Requeued(_) | Closing::Ended => None,
        };
        let again = again.or_else(|| self.next_tick(being, about, draft.at));
        let held = again.as_ref().map(|wake| self.hold_roots(wake)).unwrap_or_default();
        self.drop_wake(being, &open);
        self.call_off(&open);
        if let Closing::DeadLetter(reason) = &draft.closing {
            self.bury(being, about, reason, draft.at);
        }
        again.into_iter().for_each(|wake| self.add_wake(being, wake));
        held.into_iter().for_each(|root| self.release(root));
        origin
    }

    /// Keeps a wake open, by the reason of its requeueing.
    fn requeued(&mut self, draft: &Draft, open: &Wake, reason: &Reason) {
        let failure = Some(reason.clone());
        match reason.code {
            // Those whom it asks are waited for.
            Code::Asking if draft.cognition == Cognition::Panel => self.await_members(draft, open),
            Code::Asking => self.note_call(draft.being, open),
            // It is as it was, but does not ask again at once.
            Code::Outage | Code::ConnectionHeld => {
                let mut wake = open.clone().unasked();
                let waits = if reason.code == Code::Outage { OUTAGE_WAIT } else { HELD_WAIT };
                (wake.id.due, wake.failure) = (draft.at.saturating_add(waits), failure);
                self.replace_wake(draft.being, open, wake);
            }
            Code::Looked => self.replace_wake(draft.being, open, Wake { looked: open.looked + 1, ..open.clone().unasked() }),
            // It is told why, and tries again at once.
            Code::Refused => self.replace_wake(draft.being, open, Wake { failed: open.failed + 1, failure, ..open.clone().unasked() }),
            _ => {}
        }
    }

    /// Keeps those roots open for a while that a wake to come will keep: one that is forgotten in between would be counted anew.
    fn hold_roots(&mut self, wake: &Wake) -> Vec<Made> {
        let mut held = wake.roots();
        held.retain(|root| self.roots.get_mut(root).map(|count| count.open += 1).is_some());
        held
    }

    pub(super) fn replace_wake(&mut self, being: BeingId, open: &Wake, other: Wake) {
        let held = self.hold_roots(&other);
        self.drop_wake(being, open);
        self.add_wake(being, other);
        held.into_iter().for_each(|root| self.release(root));
    }

    /// When a failed wake is due again: one of a watch that rests waits longer.
    fn due_again(&self, being: BeingId, open: &Wake, due: Millis) -> Millis {
        match (&open.body, self.beings.get(&being)) {
            (Body::Watch { entry, .. }, Some(being)) => self.watch_rested(being, entry, due),
            _ => due,
        }
    }

    /// How long a being's wake waits after so many failed attempts: doubling from the first wait that is set for it.
    pub(super) fn backoff(&self, being: BeingId, failed: u32) -> Millis {
        let set = self.beings.get(&being).and_then(|being| self.setting("attempts.backoff_ms", being).as_int());
        let first = set.unwrap_or(0).max(1);
        first.saturating_mul(1 << failed.saturating_sub(1).min(16))
    }

    pub(super) fn next_tick(&self, being: BeingId, open: &Wake, at: Millis) -> Option<Wake> {
        let Body::Schedule { name, .. } = &open.body else { return None };
        if !self.listens_to(being, Trigger::Schedule) {
            return None;
        }
        let schedule = self.beings.get(&being)?.schedules.get(name).filter(|schedule| schedule.made == open.id.cause)?;
        self.tick(name, schedule, at)
    }

    pub(super) fn tick(&self, name: &Text, schedule: &Schedule, after: Millis) -> Option<Wake> {
        let due = next_due(&schedule.timing, schedule.set_at, after, self.zone)?;
        let id = WakeId { rank: schedule.rank, due, cause: schedule.made, kind: WakeKind::Schedule };
        let body = Body::Schedule { name: name.clone(), content: schedule.content.clone() };
        Some(Wake::by_nobody(id, body))
    }

    /// Lets the schedules of a being wake it, or no more, where what it may come to wear has changed in that.
    pub(super) fn heed_schedules(&mut self, before: &Being) {
        let listens = self.listens_to(before.id, Trigger::Schedule);
        if listens == before.listens.contains(&Trigger::Schedule) {
            return;
        }
        for (name, schedule) in &before.schedules {
            let open = |wake: &&Arc<Wake>| wake.id.kind == WakeKind::Schedule && wake.id.cause == schedule.made;
            let open = self.inbox.of(before.id).find(open).cloned();
            match (listens, open) {
                (true, None) => {
                    if let Some(tick) = self.tick(name, schedule, self.at) {
                        self.add_wake(before.id, tick);
                    }
                }
                (false, Some(wake)) => self.drop_wake(before.id, &wake),
                (true, Some(_)) | (false, None) => {}
            }
        }
    }

    pub(super) fn add_wake(&mut self, being: BeingId, wake: Wake) {
        let Some(target) = self.beings.get(&being) else { return };
        if target.ended && wake.id.kind != WakeKind::End {
            return;
        }
        // Counted before another wake's root is let go: where both are one, it stays open.
        let began = self.aside.begins;
        for root in wake.roots() {
            self.roots.entry(root).or_insert_with(|| RootCount { began, ..RootCount::default() }).open += 1;
        }
        let Added { left } = self.inbox.add(being, wake);
        for root in left {
            self.release(root);
        }
    }

    pub(super) fn drop_wake(&mut self, being: BeingId, wake: &Wake) {
        self.withdraw(wake);
        let roots = self.inbox.remove(being, &wake.id).map(|wake| wake.roots());
        roots.into_iter().flatten().for_each(|root| self.release(root));
    }

    /// Forgets a root once nothing that it caused is open any more.
    pub(super) fn release(&mut self, root: Made) {
        if let Some(count) = self.roots.get_mut(&root) {
            count.open = count.open.saturating_sub(1);
            if count.open == 0 {
                self.roots.remove(&root);
                self.paid.close(root, |root| self.roots.contains_key(root));
                self.ledger.forget(Account::Root(root));
            }
        }
    }

    /// Computes again what was computed in another zone: crossings, and schedules by the clock.
    pub(super) fn rearm(&mut self, made: Made, cause: &Cause) {
        let beings: Vec<BeingId> = self.beings.keys().copied().collect();
        for id in beings {
            self.await_crossing(id, made);
            let Some(being) = self.beings.get(&id).cloned() else { continue };
            for (name, schedule) in being.schedules.iter().filter(|(_, schedule)| matches!(schedule.timing, Timing::Cron { .. })) {
                let open = self.inbox.of(id).find(|wake| wake.id.kind == WakeKind::Schedule && wake.id.cause == schedule.made).cloned();
                if let Some(open) = open {
                    self.drop_wake(id, &open);
                }
                if let Some(tick) = self.tick(name, schedule, cause.at).filter(|_| being.listens.contains(&Trigger::Schedule)) {
                    self.add_wake(id, tick);
                }
            }
        }
    }

    /// Opens a wake at the next instant at which a condition over time can change by which the being wears what it wears.
    pub(super) fn await_crossing(&mut self, id: BeingId, cause: Made) {
        let Some(being) = self.beings.get(&id).filter(|being| !being.ended) else { return };
        match self.next_crossing(being, self.at) {
            None => self.inbox.remove_single(id, WakeKind::Crossing),
            Some(due) if self.inbox.single_due(id, WakeKind::Crossing) == Some(due) => {}
            Some(due) => {
                let id_ = WakeId { rank: Rank::Normal, due, cause, kind: WakeKind::Crossing };
                self.inbox.add(id, Wake::by_nobody(id_, Body::Crossing));
            }
        }
    }

    /// The same after something else than a moment of its own has changed what it waits for. A crossing that is due is not taken back: its
    /// moment arms the next.
    pub(super) fn look_ahead(&mut self, id: BeingId, cause: Made) {
        if self.inbox.single_due(id, WakeKind::Crossing).is_none_or(|due| due > self.at) {
            self.await_crossing(id, cause);
        }
    }

    /// Whether anybody wakes when the world is opened again.
    pub fn boots(&self) -> bool {
        self.living().any(|being| being.listens.contains(&Trigger::Boot))
    }

    /// Wakes all who listen for it that the world was opened again.
    pub(super) fn reopened(&mut self, since: Millis, index: u32, cause: &Cause) {
        let woken: Vec<BeingId> = self.living().filter(|being| being.listens.contains(&Trigger::Boot)).map(|being| being.id).collect();
        for being in woken {
            self.add_wake(being, cause.wake(WakeKind::Boot, Rank::Normal, index, Body::Boot { since }));
        }
    }

    pub(super) fn listeners(&self, space: SpaceId, trigger: Trigger, but: BeingId) -> Vec<BeingId> {
        let range = (
            Bound::Included((space, trigger, BeingId(super::whole::FIRST))),
            Bound::Included((space, trigger, BeingId(super::whole::LAST))),
        );
        self.listening.range(range).map(|(_, _, being)| *being).filter(|being| *being != but).collect()
    }

    pub(super) fn summoned(&mut self, summons: &Summons, content: Value, index: u32, cause: &Cause) {
        // The answer of a member to its panel is a ballot, and opens no moment.
        if let Some(asked) = cause.ballot.filter(|(panel, asked)| *panel == summons.to && summons.in_reply_to == Some(*asked)) {
            return self.take_ballot(asked, &content, cause);
        }
        // The gate lets nobody be summoned so; a receipt comes to whoever asked, whatever they wear by then.
        if !self.listens_to(summons.to, Trigger::Message) {
            return;
        }
        let tells_of_brake = summons.is_receipt() && Receipt::read(&content).is_some_and(|receipt| receipt.code == Some(Code::BrakeCalls));
        if let Some(count) = cause.root.filter(|_| tells_of_brake).and_then(|root| self.roots.get_mut(&root)) {
            count.is_told |= count.began == Some(summons.to);
        }
        let is_heard_again = summons.is_receipt() && self.has_heard(summons.to, cause);
        if is_heard_again {
            return;
        }
        // Its words stand beside it: a frame may name them by their hash alone.
        let summons_alone = Summons { content: Content::Here(Value::Null), ..summons.clone() };
        let body = Body::Summons { from: cause.being, driver: cause.driver, summons: Box::new(summons_alone), content: Arc::new(content) };
        let is_driven = self.beings.get(&summons.to).is_some_and(|to| to.driver_at(cause.at).is_some());
        let wake = cause.wake(WakeKind::Summons, summons.rank, index, body);
        self.add_wake(summons.to, Wake { quiet: is_driven && summons.is_receipt(), ..wake });
    }

    /// Counts a receipt; whether the same model has had one of the same being in this root already.
    fn has_heard(&mut self, to: BeingId, cause: &Cause) -> bool {
        let is_model = self.beings.get(&to).is_some_and(|to| to.cognition_at(cause.at) == Cognition::Llm);
        let Some(count) = cause.root.filter(|_| is_model).and_then(|root| self.roots.get_mut(&root)) else { return false };
        !count.receipts.insert((cause.being, to))
    }

    /// Publishes a signal, and wakes each being whose flow reads a path at which the value is another now.
    pub(super) fn signalled(&mut self, path: &Text, value: &Value, index: u32, cause: &Cause) {
        // Only what is read is compared: a copy of all signals would cost as much as there are.
        let reads: Vec<(Text, Option<Value>)> =
            self.paths_read_around(path).into_iter().map(|read| (read.clone(), self.signals.at(&read).cloned())).collect();
        let _ = self.signals.change(path, &Change::Set(value), false);
        for (read, before) in reads {
            if before.as_ref() == self.signals.at(&read) {
                continue;
            }
            let woken: Vec<BeingId> = self.readers_of(&read).filter(|reader| self.listens_to(*reader, Trigger::Signal)).collect();
            for being in woken {
                self.add_wake(being, cause.wake(WakeKind::Signal, Rank::Normal, index, Body::Signal { path: read.clone() }));
            }
        }
    }

    /// The paths that flows read at, above or below a path.
    pub(super) fn paths_read_around(&self, path: &Text) -> Vec<Text> {
        let above = path.match_indices('.').filter_map(|(end, _)| path.get(..end)).map(Text::from);
        let read = |path: &Text| self.readers_of(path).next().is_some();
        let mut paths: Vec<Text> = above.chain([path.clone()]).filter(read).collect();
        let prefix = format!("{path}.");
        let from = Bound::Excluded((Text::from(prefix.as_str()), BeingId(super::whole::FIRST)));
        let below =
            self.readers.range((from, Bound::Unbounded)).map(|(path, _)| path).take_while(|path| path.starts_with(&prefix)).cloned();
        paths.extend(below);
        paths.dedup();
        paths
    }
}
