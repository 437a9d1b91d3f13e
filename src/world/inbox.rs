//! The inbox: every being's open wakes, in their order, with an index of who is due when.
//!
//! Nothing here scans an inbox: the first wake of a being is found by rank, the next instant at which anybody is due by one look.

use std::ops::Bound;
use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use crate::fact::{BeingId, Made, Millis, Rank, SpaceId, Text, WakeId, WakeKind};

use super::wake::{Body, DeadLetter, Wake};

/// All open wakes and dead letters of a world.
#[derive(Clone, Debug, Default)]
pub struct Inbox {
    /// In the order in which they are taken.
    pub(super) open: OrdMap<(BeingId, WakeId), Arc<Wake>>,
    /// In the order in which they fall due, for each being.
    by_due: OrdSet<(BeingId, Millis, WakeId)>,
    /// Each being that has an open wake, by the earliest.
    first: OrdSet<(Millis, BeingId)>,
    /// The open wake for a signal, of which there is one per being and path.
    signals: OrdMap<(BeingId, Text), WakeId>,
    /// The open wake for what is watched, of which there is one per being and entry.
    watches: OrdMap<(BeingId, Text), WakeId>,
    /// The open wake of a mind for what is said in a space, of which there is one.
    heard: OrdMap<(BeingId, SpaceId), WakeId>,
    /// The one open wake of a being for each of the kinds of which it has only one.
    single: OrdMap<(BeingId, WakeKind), WakeId>,
    /// The wake in which a panel waits for an answer to what it has asked.
    polls: OrdMap<(BeingId, Made), WakeId>,
    /// Given up.
    pub(super) dead: OrdMap<(BeingId, Made, WakeKind), Arc<DeadLetter>>,
}

/// Of which kinds a being has one open wake at most.
fn is_single(kind: WakeKind) -> bool {
    matches!(kind, WakeKind::Crossing | WakeKind::SelfContinue | WakeKind::Change | WakeKind::Boot)
}

/// The side effects of adding a wake.
#[derive(Debug, Default)]
pub(super) struct Added {
    /// The roots of which an open wake is no more: it was replaced, or stands for another fact now.
    pub left: Vec<Made>,
}

const LOWEST: Made = Made { seq: 0, index: 0 };
const HIGHEST: Made = Made { seq: u64::MAX, index: u32::MAX };

fn lowest(rank: Rank) -> WakeId {
    WakeId { rank, due: Millis::MIN, cause: LOWEST, kind: WakeKind::Summons }
}

fn highest(rank: Rank) -> WakeId {
    WakeId { rank, due: Millis::MAX, cause: HIGHEST, kind: WakeKind::End }
}

impl Inbox {
    /// The earliest instant at which a being has a wake.
    fn earliest(&self, being: BeingId) -> Option<Millis> {
        let from = (being, Millis::MIN, lowest(Rank::Person));
        let to = (being, Millis::MAX, highest(Rank::Background));
        self.by_due.range((Bound::Included(from), Bound::Included(to))).next().map(|(_, due, _)| *due)
    }

    fn refresh(&mut self, being: BeingId, before: Option<Millis>) {
        let after = self.earliest(being);
        if before != after {
            if let Some(due) = before {
                self.first.remove(&(due, being));
            }
            if let Some(due) = after {
                self.first.insert((due, being));
            }
        }
    }

    /// Adds a wake. A signal joins the open wake for it, as does a word that a mind hears in the same space, as do another change of what is worn, and what is watched for by one entry, which is
    /// counted; one fact that changes many signals wakes once, for the last of them; of crossings and self-continuations a being has one, the
    /// newest.
    pub(super) fn add(&mut self, being: BeingId, wake: Wake) -> Added {
        let mut added = Added::default();
        if let Body::Signal { path } = &wake.body {
            let key = (being, path.clone());
            if let Some(open) = self.signals.get(&key).and_then(|id| self.open.get_mut(&(being, id.clone()))) {
                // From now on it stands for the newest fact, and counts where that one began.
                let open = Arc::make_mut(open);
                added.left.extend(open.root);
                (open.newest, open.root, open.depth) = (wake.newest, wake.root, wake.depth);
                return added;
            }
            if let Some(open) = self.open.get(&(being, wake.id.clone())) {
                added.left.extend(open.root);
                if let Body::Signal { path: other } = &open.body {
                    self.signals.remove(&(being, other.clone()));
                }
            }
            self.signals.insert(key, wake.id.clone());
        }
        if let Some(left) = self.join_word(being, &wake) {
            return Added { left };
        }
        if let Body::Watch { entry, who, action, target, place, count } = &wake.body {
            let key = (being, entry.clone());
            if let Some(open) = self.watches.get(&key).and_then(|id| self.open.get_mut(&(being, id.clone()))) {
                let open = Arc::make_mut(open);
                added.left.extend(open.root);
                (open.newest, open.root, open.depth) = (wake.newest, wake.root, wake.depth);
                if let Body::Watch { who: last, action: done, target: to, place: at, count: all, .. } = &mut open.body {
                    (*last, *done, *to, *at, *all) = (*who, action.clone(), *target, *place, all.saturating_add(*count));
                }
                return added;
            }
            self.watches.insert(key, wake.id.clone());
        }
        if let Body::Change { .. } = &wake.body
            && let Some(open) = self.single.get(&(being, WakeKind::Change)).and_then(|id| self.open.get_mut(&(being, id.clone())))
        {
            let open = Arc::make_mut(open);
            added.left.extend(open.root);
            (open.newest, open.root, open.depth) = (wake.newest, wake.root, wake.depth);
            return added;
        }
        if is_single(wake.id.kind) {
            let old = self.single.insert((being, wake.id.kind), wake.id.clone());
            if old.as_ref() == Some(&wake.id) {
                added.left.extend(wake.root);
                return added;
            }
            added.left.extend(old.and_then(|old| self.replaced(being, &old, &wake)).and_then(|replaced| replaced.root));
        }
        for polled in wake.poll().iter().flat_map(|poll| &poll.asked) {
            self.polls.insert((being, polled.asked), wake.id.clone());
        }
        let before = self.earliest(being);
        self.by_due.insert((being, wake.id.due, wake.id.clone()));
        self.open.insert((being, wake.id.clone()), Arc::new(wake));
        self.refresh(being, before);
        added
    }

    /// Takes out the wake in whose place another comes, of a kind of which there is one.
    fn replaced(&mut self, being: BeingId, old: &WakeId, by: &Wake) -> Option<Arc<Wake>> {
        let replaced = self.remove(being, old);
        self.single.insert((being, by.id.kind), by.id.clone());
        replaced
    }

    /// Has a word that a mind hears join its open wake in the same space: the roots of words that this keeps no more; none where there is no
    /// such wake yet.
    fn join_word(&mut self, being: BeingId, wake: &Wake) -> Option<Vec<Made>> {
        let hearing = wake.hearing()?;
        let key = (being, hearing.joins?);
        let Some(open) = self.heard.get(&key).and_then(|id| self.open.get_mut(&(being, id.clone()))).map(Arc::make_mut) else {
            self.heard.insert(key, wake.id.clone());
            return None;
        };
        (open.newest, open.root, open.depth) = (wake.newest, wake.root, wake.depth);
        let left = if let Body::Hear { hearing: all } = &mut open.body { all.join(hearing) } else { Vec::new() };
        Some(left)
    }

    /// Takes a wake out.
    pub(super) fn remove(&mut self, being: BeingId, id: &WakeId) -> Option<Arc<Wake>> {
        let before = self.earliest(being);
        let wake = self.open.remove(&(being, id.clone()))?;
        self.by_due.remove(&(being, id.due, id.clone()));
        if let Body::Signal { path } = &wake.body {
            self.signals.remove(&(being, path.clone()));
        }
        if let Body::Watch { entry, .. } = &wake.body {
            self.watches.remove(&(being, entry.clone()));
        }
        if let Some(space) = wake.hearing().and_then(|hearing| hearing.joins) {
            self.heard.remove(&(being, space));
        }
        if is_single(id.kind) {
            self.single.remove(&(being, id.kind));
        }
        for polled in wake.poll().iter().flat_map(|poll| &poll.asked) {
            self.polls.remove(&(being, polled.asked));
        }
        self.refresh(being, before);
        Some(wake)
    }

    /// The wake in which a panel waits for an answer to what it asked by a fact.
    pub(super) fn poll_of(&self, panel: BeingId, asked: Made) -> Option<&Arc<Wake>> {
        self.get(panel, self.polls.get(&(panel, asked))?)
    }

    /// Takes the one open wake of a kind out.
    pub(super) fn remove_single(&mut self, being: BeingId, kind: WakeKind) {
        if let Some(id) = self.single.get(&(being, kind)).cloned() {
            self.remove(being, &id);
        }
    }

    /// When the one open wake of a kind is due.
    pub(super) fn single_due(&self, being: BeingId, kind: WakeKind) -> Option<Millis> {
        self.single.get(&(being, kind)).map(|id| id.due)
    }

    /// Whether a being goes on by itself with nothing narrowed: what was only asked in between does not take that wake's place.
    pub(super) fn goes_on_freely(&self, being: BeingId) -> bool {
        let open = self.single.get(&(being, WakeKind::SelfContinue)).and_then(|id| self.get(being, id));
        open.is_some_and(|wake| wake.only().is_all())
    }

    /// Takes all wakes of a being out.
    pub(super) fn clear(&mut self, being: BeingId) -> Vec<Arc<Wake>> {
        let ids: Vec<WakeId> = self.of(being).map(|wake| wake.id.clone()).collect();
        ids.iter().filter_map(|id| self.remove(being, id)).collect()
    }

    /// Lays a wake with the dead letters.
    pub(super) fn bury(&mut self, being: BeingId, letter: DeadLetter) {
        self.dead.insert((being, letter.wake.id.cause, letter.wake.id.kind), Arc::new(letter));
    }

    /// Keeps so many dead letters of a being: the oldest go.
    pub(super) fn keep_dead(&mut self, being: BeingId, most: usize) {
        let mut own: Vec<_> = self.dead_of(being).map(|letter| (letter.at, (being, letter.wake.id.cause, letter.wake.id.kind))).collect();
        if own.len() <= most {
            return;
        }
        own.sort_unstable();
        own.iter().take(own.len() - most).for_each(|(_, key)| drop(self.dead.remove(key)));
    }

    /// Takes a dead letter back.
    pub(super) fn unbury(&mut self, being: BeingId, cause: Made, kind: WakeKind) -> Option<Arc<DeadLetter>> {
        self.dead.remove(&(being, cause, kind))
    }

    /// An open wake.
    pub fn get(&self, being: BeingId, id: &WakeId) -> Option<&Arc<Wake>> {
        self.open.get(&(being, id.clone()))
    }

    /// A being's open wakes, in their order; those not yet due among them.
    pub fn of(&self, being: BeingId) -> impl Iterator<Item = &Arc<Wake>> {
        self.open
            .range((Bound::Included((being, lowest(Rank::Person))), Bound::Included((being, highest(Rank::Background)))))
            .map(|(_, wake)| wake)
    }

    /// The wake that a being takes next at an instant: of the first rank that has one due, the first.
    pub fn next(&self, being: BeingId, at: Millis) -> Option<&Arc<Wake>> {
        Rank::ALL.iter().find_map(|rank| {
            let range = (Bound::Included((being, lowest(*rank))), Bound::Included((being, highest(*rank))));
            self.open.range(range).next().map(|(_, wake)| wake).filter(|wake| wake.id.due <= at)
        })
    }

    /// The first instant after another at which a wake of a being falls due.
    pub(super) fn next_due(&self, being: BeingId, after: Millis) -> Option<Millis> {
        let from = Bound::Excluded((being, after, highest(Rank::Background)));
        let to = Bound::Included((being, Millis::MAX, highest(Rank::Background)));
        self.by_due.range((from, to)).next().map(|(_, due, _)| *due)
    }

    /// Every being that has a wake, with the instant at which its earliest is due, in the order of those.
    pub fn due(&self) -> impl Iterator<Item = (Millis, BeingId)> {
        self.first.iter().copied()
    }

    /// The dead letters.
    pub fn dead(&self) -> impl Iterator<Item = (BeingId, &Arc<DeadLetter>)> {
        self.dead.iter().map(|((being, _, _), letter)| (*being, letter))
    }

    /// The dead letters of a being.
    pub fn dead_of(&self, being: BeingId) -> impl Iterator<Item = &Arc<DeadLetter>> {
        let from = Bound::Included((being, Made::default(), WakeKind::Summons));
        self.dead.range((from, Bound::Unbounded)).take_while(move |((whose, ..), _)| *whose == being).map(|(_, letter)| letter)
    }

    /// How many they are.
    pub fn dead_len(&self) -> usize {
        self.dead.len()
    }

    /// A dead letter.
    pub fn dead_letter(&self, being: BeingId, cause: Made, kind: WakeKind) -> Option<&Arc<DeadLetter>> {
        self.dead.get(&(being, cause, kind))
    }

    /// How many wakes are open, those not yet due among them.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether no wake is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// All open wakes, for the world hash.
    pub(super) fn all(&self) -> impl Iterator<Item = (BeingId, &Wake)> {
        self.open.iter().map(|((being, _), wake)| (*being, wake.as_ref()))
    }
}
