//! The one reducer: a frame's facts become state, its wake closes, and others open. No I/O, and no knowledge of extensions.
//!
//! It takes what was sealed: whether a fact was allowed was judged at the gate. A fact about a thing that is not there changes
//! nothing, so that no input whatever can make the fold panic or diverge.

use std::ops::Bound;
use std::sync::Arc;

use crate::fact::Rank;
use crate::fact::{
    BeingId, Birth, Canon, Closing, Cognition, Content, Coords, Draft, Fact, Hash, Made, MatterId, Millis, Reason, Seq, SpaceId, Summons,
    Text, Thing, Timing, Trigger, Value, WakeId, WakeKind,
};
use crate::role::{Flow, Spec};

use super::World;
use super::being::{Being, Schedule};
use super::inbox::Added;
use super::local::next_due;
use super::memory::Left;
use super::quality::{Change, Qualities};
use super::registry::{Extension, RoleVersion, Script};
use super::space::{Matter, Space};
use super::wake::{Body, DeadLetter, Wake};

/// The code with which a wake is requeued whose being has looked at something, and goes on with what it saw.
pub const LOOKED: &str = "looked";

/// Why a frame cannot be folded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// A value lies in a blob that is not there.
    #[error("frame {seq} names blob {hash}, which is not in the log before it")]
    BlobMissing {
        /// The frame.
        seq: Seq,
        /// The blob.
        hash: Hash,
    },
    /// Frames are folded in order.
    #[error("expected frame {expected} next, found {found}")]
    Order {
        /// The seq expected.
        expected: Seq,
        /// The seq found.
        found: Seq,
    },
}

/// Where the fold finds the large values that frames only refer to.
pub trait Blobs {
    /// The canonical bytes with this hash.
    fn blob(&self, hash: &Hash) -> Option<Arc<[u8]>>;
}

/// For drafts that still carry all their values themselves.
pub struct NoBlobs;

impl Blobs for NoBlobs {
    fn blob(&self, _: &Hash) -> Option<Arc<[u8]>> {
        None
    }
}

/// What the frame that is being folded passes on to the wakes that it causes.
#[derive(Clone, Copy)]
struct Cause {
    being: BeingId,
    seq: Seq,
    at: Millis,
    root: Option<Made>,
    depth: u32,
}

impl Cause {
    fn wake(&self, kind: WakeKind, rank: Rank, index: u32, body: Body) -> Wake {
        let cause = Made { seq: self.seq, index };
        Wake {
            id: WakeId { rank, due: self.at, cause, kind },
            newest: cause,
            failed: 0,
            root: Some(self.root.unwrap_or(cause)),
            depth: self.depth.saturating_add(1),
            body,
        }
    }
}

fn read(content: &Content, seq: Seq, blobs: &dyn Blobs) -> Result<Value, FoldError> {
    match content {
        Content::Here(value) => Ok(value.clone()),
        Content::There { hash, .. } => {
            let bytes = blobs.blob(hash).ok_or(FoldError::BlobMissing { seq, hash: *hash })?;
            Value::from_canon(&bytes).map_err(|_| FoldError::BlobMissing { seq, hash: *hash })
        }
    }
}

impl World {
    /// Folds the next frame in.
    pub fn apply(&mut self, draft: &Draft, blobs: &dyn Blobs) -> Result<(), FoldError> {
        if draft.seq != self.next {
            return Err(FoldError::Order { expected: self.next, found: draft.seq });
        }
        self.at = draft.at;
        // The root is held open until the frame's own wakes have been added to it: a chain of single wakes is one root, not many.
        let held = self.inbox.get(draft.being, &draft.wake).and_then(|wake| wake.root);
        if let Some(root) = held {
            self.roots.entry(root).or_default().open += 1;
        }
        let stood = self.beings.get(&draft.being).map(|being| being.position);
        let (root, depth) = self.close(draft);
        let cause = Cause { being: draft.being, seq: draft.seq, at: draft.at, root, depth };
        for (index, fact) in (0u32..).zip(&draft.facts) {
            self.fold(fact, index, &cause, blobs)?;
        }
        self.next = draft.seq + 1;
        self.stamp(draft, &cause);
        self.remember(draft, stood, blobs)?;
        if let Some(root) = held {
            self.release(root);
        }
        Ok(())
    }

    /// Keeps what of the frame can be recalled.
    fn remember(&mut self, draft: &Draft, stood: Option<SpaceId>, blobs: &dyn Blobs) -> Result<(), FoldError> {
        if draft.closing != Closing::Act {
            return Ok(());
        }
        let mut summoned = Vec::new();
        for fact in &draft.facts {
            if let Fact::Summoned(summons) = fact {
                let has_mind = self.beings.get(&summons.to).is_some_and(|being| being.cognition_at(draft.at) != Cognition::Script);
                // What scripts say to each other they remember, if they want to, in their qualities.
                if has_mind || draft.cognition != Cognition::Script {
                    let content = read(&summons.content, draft.seq, blobs)?;
                    let words = content.as_text().cloned().unwrap_or_else(|| content.to_string().into());
                    summoned.push((summons.to, words, summons.in_reply_to));
                }
            }
        }
        let stands = self.beings.get(&draft.being).map(|being| being.position);
        self.memory.note(&Left { draft, stood, stands, summoned });
        Ok(())
    }

    /// The world as it would be after some facts of a frame that is still being drafted, the first of them at this seq and index.
    pub fn imagine(&self, being: BeingId, (seq, first): (Seq, u32), at: Millis, facts: &[Fact]) -> Self {
        let mut world = self.clone();
        let cause = Cause { being, seq, at, root: None, depth: 0 };
        for (index, fact) in (first..).zip(facts) {
            // A draft carries its values itself: nothing is missing.
            let _ = world.fold(fact, index, &cause, &NoBlobs);
        }
        world
    }

    /// Closes the frame's wake as the frame says, and returns the root and depth that it passes on.
    fn close(&mut self, draft: &Draft) -> (Option<Made>, u32) {
        let being = draft.being;
        let Some(open) = self.inbox.get(being, &draft.wake).cloned() else { return (None, 0) };
        let origin = (open.root, open.depth);
        if matches!(draft.closing, Closing::Requeued(_)) {
            return origin;
        }
        if let Some(count) = open.root.and_then(|root| self.roots.get_mut(&root)) {
            count.moments += 1;
        }
        let rearm = |due: Millis, cause: Made, failed: u32| {
            let mut wake = (*open).clone();
            (wake.id.due, wake.id.cause, wake.failed) = (due, cause, failed);
            wake
        };
        let again = match &draft.closing {
            Closing::Failed(_) => {
                let failed = open.failed + 1;
                Some(rearm(draft.at.saturating_add(self.backoff(failed)), open.id.cause, failed))
            }
            // A signal that changed after the moment had opened has not been seen yet.
            Closing::Act | Closing::See | Closing::Refused(_) if open.id.kind == WakeKind::Signal && open.newest.seq >= draft.opened => {
                Some(rearm(draft.at, open.newest, 0))
            }
            Closing::Act | Closing::See | Closing::Refused(_) | Closing::DeadLetter(_) | Closing::Requeued(_) | Closing::Ended => None,
        };
        let again = again.or_else(|| self.next_tick(being, &open, draft.at));
        self.drop_wake(being, &open);
        if let Closing::DeadLetter(reason) = &draft.closing {
            self.bury(being, &open, reason, draft.at);
        }
        if let Some(wake) = again {
            self.add_wake(being, wake);
        }
        origin
    }

    fn bury(&mut self, being: BeingId, wake: &Wake, reason: &Reason, at: Millis) {
        self.inbox.bury(being, DeadLetter { wake: wake.clone(), reason: reason.clone(), at });
    }

    /// How long a wake waits after so many failed attempts: doubling from the configured first wait.
    fn backoff(&self, failed: u32) -> Millis {
        let first = self.config_int("attempts.backoff_ms", 1_000).max(1);
        first.saturating_mul(1 << failed.saturating_sub(1).min(16))
    }

    fn next_tick(&self, being: BeingId, open: &Wake, at: Millis) -> Option<Wake> {
        let Body::Schedule { name, .. } = &open.body else { return None };
        let schedule = self.beings.get(&being)?.schedules.get(name).filter(|schedule| schedule.made == open.id.cause)?;
        self.tick(name, schedule, at)
    }

    fn tick(&self, name: &Text, schedule: &Schedule, after: Millis) -> Option<Wake> {
        let due = next_due(&schedule.timing, schedule.set_at, after, self.zone)?;
        let id = WakeId { rank: schedule.rank, due, cause: schedule.made, kind: WakeKind::Schedule };
        let body = Body::Schedule { name: name.clone(), content: schedule.content.clone() };
        Some(Wake { id, newest: schedule.made, failed: 0, root: None, depth: 0, body })
    }

    fn add_wake(&mut self, being: BeingId, wake: Wake) {
        let Some(target) = self.beings.get(&being) else { return };
        if target.ended && wake.id.kind != WakeKind::End {
            return;
        }
        // Counted before another wake's root is let go: where both are one, it stays open.
        if let Some(root) = wake.root {
            self.roots.entry(root).or_default().open += 1;
        }
        let Added { left } = self.inbox.add(being, wake);
        for root in left {
            self.release(root);
        }
    }

    fn drop_wake(&mut self, being: BeingId, wake: &Wake) {
        if let Some(root) = self.inbox.remove(being, &wake.id).and_then(|wake| wake.root) {
            self.release(root);
        }
    }

    /// Forgets a root once nothing that it caused is open any more.
    fn release(&mut self, root: Made) {
        if let Some(count) = self.roots.get_mut(&root) {
            count.open = count.open.saturating_sub(1);
            if count.open == 0 {
                self.roots.remove(&root);
            }
        }
    }

    /// What every frame changes of its own being: its reel, what it wears, what it waits for.
    fn stamp(&mut self, draft: &Draft, cause: &Cause) {
        let id = draft.being;
        let Some(being) = self.beings.get_mut(&id) else { return };
        let being = Arc::make_mut(being);
        (being.next_n, being.last_seq) = (draft.n + 1, draft.seq);
        let acted = draft.closing == Closing::Act;
        let own = draft.wake.kind == WakeKind::SelfContinue;
        being.continued = if own { being.continued.saturating_add(1) } else { 0 };
        match (&draft.closing, &draft.call) {
            (Closing::Requeued(reason), Some(call)) if reason.code.as_ref() == LOOKED => being.looked.push(call.target.clone()),
            _ => being.looked.clear(),
        }
        if acted {
            being.counted_from = draft.at;
            being.previous_role = draft.stack.first().map(|worn| worn.role.clone());
        }
        let same = being.wearing.len() == draft.stack.len() && being.wearing.iter().zip(&draft.stack).all(|(old, new)| *old == new.role);
        if !same && !being.ended {
            let (space, old) = (being.position, being.wearing.clone());
            being.wearing = draft.stack.iter().map(|worn| worn.role.clone()).collect();
            let new = being.wearing.clone();
            self.count_wearing(space, &old, false);
            self.count_wearing(space, &new, true);
        }
        let goes_on =
            acted && draft.stack.first().and_then(|worn| self.registry.roles.get(&worn.role)).is_some_and(|role| role.spec.self_continue);
        if goes_on {
            // Going on by oneself has a brake of its own, so it does not count towards the depth of what others caused.
            let mut wake = cause.wake(WakeKind::SelfContinue, Rank::Normal, u32::MAX, Body::SelfContinue);
            wake.depth = cause.depth;
            self.add_wake(id, wake);
        }
        self.await_crossing(id, Made { seq: draft.seq, index: u32::MAX });
    }

    pub(super) fn count_wearing(&mut self, space: SpaceId, roles: &[Text], more: bool) {
        for role in roles {
            let key = (space, role.clone());
            let count = self.wearing.get(&key).copied().unwrap_or(0);
            match if more { count + 1 } else { count.saturating_sub(1) } {
                0 => self.wearing.remove(&key),
                count => self.wearing.insert(key, count),
            };
        }
    }

    /// Computes again what was computed in another zone: crossings, and schedules by the clock.
    fn rearm(&mut self, made: Made, cause: &Cause) {
        let beings: Vec<BeingId> = self.beings.keys().copied().collect();
        for id in beings {
            self.await_crossing(id, made);
            let Some(being) = self.beings.get(&id).cloned() else { continue };
            for (name, schedule) in being.schedules.iter().filter(|(_, schedule)| matches!(schedule.timing, Timing::Cron { .. })) {
                let open = self.inbox.of(id).find(|wake| wake.id.kind == WakeKind::Schedule && wake.id.cause == schedule.made).cloned();
                if let Some(open) = open {
                    self.drop_wake(id, &open);
                }
                if let Some(tick) = self.tick(name, schedule, cause.at) {
                    self.add_wake(id, tick);
                }
            }
        }
    }

    /// Opens a wake at the next instant at which a condition of the being's flow over time can change.
    fn await_crossing(&mut self, id: BeingId, cause: Made) {
        let Some(being) = self.beings.get(&id).filter(|being| !being.ended) else { return };
        let due = if being.flow.time().is_empty() { None } else { being.flow.time().next_crossing(self.at, being.counted_from, self.zone) };
        match due {
            None => self.inbox.remove_single(id, WakeKind::Crossing),
            Some(due) if self.inbox.single_due(id, WakeKind::Crossing) == Some(due) => {}
            Some(due) => {
                let id_ = WakeId { rank: Rank::Normal, due, cause, kind: WakeKind::Crossing };
                self.inbox.add(id, Wake { id: id_, newest: cause, failed: 0, root: None, depth: 0, body: Body::Crossing });
            }
        }
    }

    fn fold(&mut self, fact: &Fact, index: u32, cause: &Cause, blobs: &dyn Blobs) -> Result<(), FoldError> {
        let made = Made { seq: cause.seq, index };
        let read = |content: &Content| read(content, cause.seq, blobs);
        match fact {
            Fact::Born(birth) => self.born(BeingId(made), birth, &read(&birth.flow)?, &read(&birth.qualities)?, cause),
            Fact::Ended { of } => self.ended(*of, made, cause),
            // What is made lies in what is there already, or the fact says nothing.
            Fact::SpaceMade { parent: Some(parent), .. } if !self.spaces.contains_key(parent) => {}
            Fact::MatterMade { place: Thing::Matter(place), .. } if !self.matter.contains_key(place) => {}
            Fact::SpaceMade { name, parent, kind, size, coords, owner } => {
                let id = SpaceId(made);
                let space = Space {
                    id,
                    name: name.clone(),
                    parent: *parent,
                    kind: kind.clone(),
                    size: *size,
                    coords: *coords,
                    owner: *owner,
                    contributors: Default::default(),
                    allow: Vec::new(),
                    qualities: Qualities::default(),
                    paused: false,
                    count: 0,
                };
                self.spaces.insert(id, Arc::new(space));
                if let Some(parent) = parent {
                    self.space_names.insert((*parent, name.clone()), id);
                }
            }
            Fact::MatterMade { name, kind, place, coords, content } => {
                let id = MatterId(made);
                let content = Arc::new(read(content)?);
                let (name, kind, place, coords) = (name.clone(), kind.clone(), *place, *coords);
                self.matter_names.insert((place, name.clone()), id);
                let matter = Matter { id, name, kind, place, coords, content, author: cause.being, qualities: Qualities::default() };
                self.matter.insert(id, Arc::new(matter));
            }
            Fact::Named { of, name, kind } => self.named(*of, name, kind),
            Fact::Sized { space, size } => self.space_mut(*space, |space| space.size = *size),
            Fact::Moved { of, to, coords } => self.moved(*of, *to, *coords, index, cause),
            Fact::Filled { matter, content } => {
                let content = Arc::new(read(content)?);
                self.matter_mut(*matter, |matter| matter.content = content);
            }
            Fact::QualitySet { of, path, value } => self.change(*of, path, &Change::Set(&read(value)?)),
            Fact::QualityUnset { of, path } => self.change(*of, path, &Change::Unset),
            Fact::QualityInc { of, path, by } => self.change(*of, path, &Change::Inc(&read(by)?)),
            Fact::QualityPush { of, path, value, keep } => self.change(*of, path, &Change::Push(&read(value)?, *keep)),
            Fact::Signalled { path, value } => self.signalled(path, &read(value)?, index, cause),
            Fact::Summoned(summons) => self.summoned(summons, read(&summons.content)?, index, cause),
            Fact::Said { space, content } => self.said(*space, content, index, cause),
            Fact::RoleSet { name, origin, role } => self.role_set(name, origin, &read(role)?, made),
            Fact::ScriptSet { name, file, source } => {
                let source: Text = read(source)?.as_text().cloned().unwrap_or_else(|| "".into());
                let script =
                    Script { name: name.clone(), file: file.clone(), hash: Hash::of(source.as_bytes()), source, set_at: cause.seq };
                Arc::make_mut(&mut self.registry).scripts.insert(name.clone(), Arc::new(script));
            }
            Fact::ExtensionSet { name, enabled, manifest } => {
                let manifest = read(manifest)?;
                let registry = Arc::make_mut(&mut self.registry);
                let kept = registry.extensions.get(name).map(|extension| extension.manifest.clone());
                let manifest = if manifest.is_null() { kept.unwrap_or_default() } else { Arc::new(manifest) };
                registry.extensions.insert(name.clone(), Extension { name: name.clone(), enabled: *enabled, manifest, made });
                registry.relist();
            }
            Fact::ConfigSet { key, value } => {
                let value = read(value)?;
                if key.as_ref() == "zone" {
                    self.zone = value.as_str().and_then(|name| name.parse().ok()).unwrap_or(self.zone);
                    self.rearm(made, cause);
                }
                Arc::make_mut(&mut self.registry).config.insert(key.clone(), Arc::new(value));
            }
            Fact::FlowSet { being, flow } => {
                let flow = Arc::new(Flow::compile(&read(flow)?).unwrap_or_else(|_| Flow::empty()));
                self.bind(*being, made, |being| being.flow = flow);
            }
            Fact::DefaultRoleSet { being, role } => self.bind(*being, made, |being| being.default_role.clone_from(role)),
            Fact::CognitionSet { being, cognition, script } => self.bind(*being, made, |being| {
                being.cognition = *cognition;
                being.script.clone_from(script);
            }),
            Fact::Granted { being, grants } => self.bind(*being, made, |being| being.grants.clone_from(grants)),
            Fact::HomeSet { being, home } => self.being_mut(*being, |being| being.home = *home),
            Fact::OwnerSet { space, owner } => self.space_mut(*space, |space| space.owner = *owner),
            Fact::ContributorSet { space, being, yes } => self.space_mut(*space, |space| {
                if *yes {
                    space.contributors.insert(*being);
                } else {
                    space.contributors.remove(being);
                }
            }),
            Fact::AllowSet { space, allow } => self.space_mut(*space, |space| space.allow.clone_from(allow)),
            Fact::ScheduleSet { being, name, timing, content, rank } => {
                let content = Arc::new(read(content)?);
                self.unschedule(*being, name);
                let schedule = Schedule { made, set_at: cause.at, timing: timing.clone(), content, rank: *rank };
                if let Some(tick) = self.tick(name, &schedule, cause.at) {
                    self.add_wake(*being, tick);
                }
                self.being_mut(*being, |being| {
                    being.schedules.insert(name.clone(), schedule);
                });
            }
            Fact::ScheduleEnded { being, name } => self.unschedule(*being, name),
            Fact::Paused { of } => self.pause(*of, true),
            Fact::Resumed { of } => self.pause(*of, false),
            Fact::Inhabited { being, driver, until } => self.bind(*being, made, |being| being.driver = Some((*driver, *until))),
            Fact::Released { being } => self.bind(*being, made, |being| being.driver = None),
            Fact::Requeued { being, cause: of, kind } => {
                if let Some(letter) = self.inbox.unbury(*being, *of, *kind) {
                    let mut wake = letter.wake.clone();
                    (wake.id.due, wake.failed, wake.root, wake.depth) = (cause.at, 0, Some(made), 0);
                    self.add_wake(*being, wake);
                }
            }
        }
        Ok(())
    }

    fn being_mut(&mut self, id: BeingId, change: impl FnOnce(&mut Being)) {
        if let Some(being) = self.beings.get_mut(&id) {
            change(Arc::make_mut(being));
        }
    }

    fn space_mut(&mut self, id: SpaceId, change: impl FnOnce(&mut Space)) {
        if let Some(space) = self.spaces.get_mut(&id) {
            change(Arc::make_mut(space));
        }
    }

    fn matter_mut(&mut self, id: MatterId, change: impl FnOnce(&mut Matter)) {
        if let Some(matter) = self.matter.get_mut(&id) {
            change(Arc::make_mut(matter));
        }
    }

    fn change(&mut self, of: Thing, path: &Text, change: &Change<'_>) {
        // What was sealed passed the checks; a change that cannot be made changes nothing.
        let apply = |qualities: &mut Qualities| {
            let _ = qualities.change(path, change, false);
        };
        match of {
            Thing::Being(id) => self.being_mut(id, |being| apply(&mut being.qualities)),
            Thing::Space(id) => self.space_mut(id, |space| apply(&mut space.qualities)),
            Thing::Matter(id) => self.matter_mut(id, |matter| apply(&mut matter.qualities)),
        }
    }

    /// Changes what binds a being: its flow, default role, cognition, grants or driver; what follows from them is listed again.
    fn bind(&mut self, id: BeingId, made: Made, change: impl FnOnce(&mut Being)) {
        self.unlist(id);
        self.being_mut(id, |being| {
            change(being);
            being.bound_at = made.seq;
        });
        self.list(id);
        self.await_crossing(id, made);
    }

    fn unlist(&mut self, id: BeingId) {
        let Some(being) = self.beings.get(&id).cloned() else { return };
        for path in being.flow.signals() {
            self.readers.remove(&(path.clone(), id));
        }
        for role in being.flow.roles().chain(being.default_role.as_deref()) {
            self.wearers.remove(&(Text::from(role), id));
        }
        for trigger in &being.listens {
            self.listening.remove(&(being.position, *trigger, id));
        }
    }

    pub(super) fn list(&mut self, id: BeingId) {
        let Some(being) = self.beings.get(&id).filter(|being| !being.ended).cloned() else { return };
        for path in being.flow.signals() {
            self.readers.insert((path.clone(), id));
        }
        for role in being.flow.roles().chain(being.default_role.as_deref()) {
            self.wearers.insert((Text::from(role), id));
        }
        let listens = self.listens(&being);
        for trigger in &listens {
            self.listening.insert((being.position, *trigger, id));
        }
        if listens != being.listens {
            self.being_mut(id, |being| being.listens = listens);
        }
    }

    fn born(&mut self, id: BeingId, birth: &Birth, flow: &Value, qualities: &Value, cause: &Cause) {
        // A parent was born before.
        let parent = birth.parent.filter(|parent| self.beings.contains_key(parent));
        let flow = if flow.is_null() { Flow::empty() } else { Flow::compile(flow).unwrap_or_else(|_| Flow::empty()) };
        let being = Being {
            id,
            name: birth.name.clone(),
            parent,
            home: birth.home,
            position: birth.home,
            coords: birth.coords,
            cognition: birth.cognition,
            script: birth.script.clone(),
            default_role: birth.default_role.clone(),
            flow: Arc::new(flow),
            grants: birth.grants.clone(),
            qualities: Qualities::from_value(qualities),
            key: birth.key,
            born_at: cause.at,
            next_n: 0,
            last_seq: cause.seq,
            counted_from: cause.at,
            previous_role: None,
            wearing: Arc::from([]),
            driver: None,
            paused: false,
            ended: false,
            bound_at: cause.seq,
            listens: Vec::new(),
            schedules: Default::default(),
            looked: Vec::new(),
            continued: 0,
        };
        self.names.insert(birth.name.clone(), id);
        if let Some(parent) = parent {
            self.children.insert((parent, id));
        }
        self.beings.insert(id, Arc::new(being));
        self.here.insert((birth.home, id));
        self.space_mut(birth.home, |space| space.count += 1);
        self.list(id);
        self.await_crossing(id, id.0);
    }

    fn ended(&mut self, of: Thing, made: Made, cause: &Cause) {
        self.memory.forget(of);
        match of {
            Thing::Being(id) => {
                let Some(being) = self.beings.get(&id).filter(|being| !being.ended).cloned() else { return };
                self.unlist(id);
                for root in self.inbox.clear(id).iter().filter_map(|wake| wake.root) {
                    self.release(root);
                }
                self.here.remove(&(being.position, id));
                self.count_wearing(being.position, &being.wearing, false);
                self.space_mut(being.position, |space| space.count = space.count.saturating_sub(1));
                if let Some(parent) = being.parent {
                    self.children.remove(&(parent, id));
                }
                self.being_mut(id, |being| {
                    being.ended = true;
                    being.schedules.clear();
                    being.listens.clear();
                    being.wearing = Arc::from([]);
                    being.bound_at = made.seq;
                });
                let id_ = WakeId { rank: Rank::Person, due: cause.at, cause: made, kind: WakeKind::End };
                self.add_wake(id, Wake { id: id_, newest: made, failed: 0, root: None, depth: 0, body: Body::End });
            }
            Thing::Space(id) => {
                if let Some(space) = self.spaces.remove(&id)
                    && let Some(parent) = space.parent
                {
                    self.space_names.remove(&(parent, space.name.clone()));
                }
            }
            Thing::Matter(id) => {
                if let Some(matter) = self.matter.remove(&id) {
                    self.matter_names.remove(&(matter.place, matter.name.clone()));
                }
            }
        }
    }

    fn named(&mut self, of: Thing, name: &Text, kind: &Text) {
        match of {
            Thing::Being(_) => {}
            Thing::Space(id) => {
                let Some(space) = self.spaces.get(&id).cloned() else { return };
                if let Some(parent) = space.parent {
                    self.space_names.remove(&(parent, space.name.clone()));
                    self.space_names.insert((parent, name.clone()), id);
                }
                self.space_mut(id, |space| (space.name, space.kind) = (name.clone(), kind.clone()));
            }
            Thing::Matter(id) => {
                let Some(matter) = self.matter.get(&id).cloned() else { return };
                self.matter_names.remove(&(matter.place, matter.name.clone()));
                self.matter_names.insert((matter.place, name.clone()), id);
                self.matter_mut(id, |matter| (matter.name, matter.kind) = (name.clone(), kind.clone()));
            }
        }
    }

    fn moved(&mut self, of: Thing, to: Thing, coords: Option<Coords>, index: u32, cause: &Cause) {
        match (of, to) {
            (Thing::Being(id), Thing::Space(space)) => self.walked(id, space, coords, index, cause),
            // Nothing can come to lie in itself: the gate lets nobody try, and a history that says so says nothing.
            (of, place) if self.lies_in(place, of) => {}
            (Thing::Matter(id), place) => {
                let Some(matter) = self.matter.get(&id).cloned() else { return };
                self.matter_names.remove(&(matter.place, matter.name.clone()));
                self.matter_names.insert((place, matter.name.clone()), id);
                self.matter_mut(id, |matter| (matter.place, matter.coords) = (place, coords));
            }
            (Thing::Space(id), Thing::Space(parent)) => {
                let Some(space) = self.spaces.get(&id).cloned() else { return };
                if let Some(old) = space.parent {
                    self.space_names.remove(&(old, space.name.clone()));
                }
                self.space_names.insert((parent, space.name.clone()), id);
                self.space_mut(id, |space| (space.parent, space.coords) = (Some(parent), coords));
            }
            (Thing::Being(_), Thing::Being(_) | Thing::Matter(_)) | (Thing::Space(_), Thing::Being(_) | Thing::Matter(_)) => {}
        }
    }

    /// Whether a thing is another, or lies in it at whatever depth.
    fn lies_in(&self, thing: Thing, other: Thing) -> bool {
        let mut at = Some(thing);
        while let Some(here) = at {
            if here == other {
                return true;
            }
            at = match here {
                Thing::Space(id) => self.spaces.get(&id).and_then(|space| space.parent).map(Thing::Space),
                Thing::Matter(id) => self.matter.get(&id).map(|matter| matter.place),
                Thing::Being(_) => None,
            };
        }
        false
    }

    fn walked(&mut self, id: BeingId, to: SpaceId, coords: Option<Coords>, index: u32, cause: &Cause) {
        let Some(being) = self.beings.get(&id).filter(|being| !being.ended) else { return };
        // A step within a space is by far the most common: nothing but the being changes, and it is not copied.
        if being.position == to {
            return self.being_mut(id, |being| being.coords = coords);
        }
        let being = being.clone();
        self.being_mut(id, |being| (being.position, being.coords) = (to, coords));
        self.here.remove(&(being.position, id));
        self.here.insert((to, id));
        for trigger in &being.listens {
            self.listening.remove(&(being.position, *trigger, id));
            self.listening.insert((to, *trigger, id));
        }
        self.count_wearing(being.position, &being.wearing, false);
        self.count_wearing(to, &being.wearing, true);
        self.space_mut(being.position, |space| space.count = space.count.saturating_sub(1));
        self.space_mut(to, |space| space.count += 1);
        if being.listens.contains(&Trigger::Enter) {
            self.add_wake(id, cause.wake(WakeKind::Enter, Rank::Normal, index, Body::Enter { space: to }));
        }
        for other in self.listeners(to, Trigger::Arrival, id) {
            self.add_wake(other, cause.wake(WakeKind::Arrival, Rank::Normal, index, Body::Arrival { who: id }));
        }
    }

    fn listeners(&self, space: SpaceId, trigger: Trigger, but: BeingId) -> Vec<BeingId> {
        let range = (Bound::Included((space, trigger, BeingId(super::FIRST))), Bound::Included((space, trigger, BeingId(super::LAST))));
        self.listening.range(range).map(|(_, _, being)| *being).filter(|being| *being != but).collect()
    }

    fn said(&mut self, space: SpaceId, content: &Text, index: u32, cause: &Cause) {
        for other in self.listeners(space, Trigger::Hear, cause.being) {
            let body = Body::Hear { who: cause.being, content: content.clone() };
            self.add_wake(other, cause.wake(WakeKind::Hear, Rank::Normal, index, body));
        }
    }

    fn summoned(&mut self, summons: &Summons, content: Value, index: u32, cause: &Cause) {
        let body = Body::Summons { from: cause.being, summons: Box::new(summons.clone()), content: Arc::new(content) };
        self.add_wake(summons.to, cause.wake(WakeKind::Summons, summons.rank, index, body));
    }

    /// Publishes a signal, and wakes each being whose flow reads a path at which the value is another now.
    fn signalled(&mut self, path: &Text, value: &Value, index: u32, cause: &Cause) {
        // Only what is read is compared: a copy of all signals would cost as much as there are.
        let reads: Vec<(Text, Option<Value>)> =
            self.paths_read_around(path).into_iter().map(|read| (read.clone(), self.signals.at(&read).cloned())).collect();
        let _ = self.signals.change(path, &Change::Set(value), false);
        for (read, before) in reads {
            if before.as_ref() == self.signals.at(&read) {
                continue;
            }
            let woken: Vec<BeingId> = self.readers_of(&read).collect();
            for being in woken {
                self.add_wake(being, cause.wake(WakeKind::Signal, Rank::Normal, index, Body::Signal { path: read.clone() }));
            }
        }
    }

    /// The paths that flows read at, above or below a path.
    fn paths_read_around(&self, path: &Text) -> Vec<Text> {
        let above = path.match_indices('.').filter_map(|(end, _)| path.get(..end)).map(Text::from);
        let read = |path: &Text| self.readers_of(path).next().is_some();
        let mut paths: Vec<Text> = above.chain([path.clone()]).filter(read).collect();
        let prefix = format!("{path}.");
        let from = Bound::Excluded((Text::from(prefix.as_str()), BeingId(super::FIRST)));
        let below =
            self.readers.range((from, Bound::Unbounded)).map(|(path, _)| path).take_while(|path| path.starts_with(&prefix)).cloned();
        paths.extend(below);
        paths.dedup();
        paths
    }

    fn role_set(&mut self, name: &Text, origin: &Text, role: &Value, made: Made) {
        let registry = Arc::make_mut(&mut self.registry);
        match Spec::from_value(role) {
            Ok(spec) if !role.is_null() => {
                let version = registry.roles.get(name).map_or(0, |role| role.version) + 1;
                let (hash, source) = (Hash::of(&role.to_canon()), Arc::new(role.clone()));
                let set = RoleVersion { spec: Arc::new(spec), source, hash, origin: origin.clone(), made, version };
                registry.roles.insert(name.clone(), set);
            }
            _ => {
                registry.roles.remove(name);
            }
        }
        let worn: Vec<BeingId> = self.wearers_of(name).collect();
        for being in worn {
            self.unlist(being);
            self.list(being);
        }
    }

    fn unschedule(&mut self, id: BeingId, name: &Text) {
        let Some(schedule) = self.beings.get(&id).and_then(|being| being.schedules.get(name)).cloned() else { return };
        let open: Option<Arc<Wake>> =
            self.inbox.of(id).find(|wake| wake.id.kind == WakeKind::Schedule && wake.id.cause == schedule.made).cloned();
        if let Some(wake) = open {
            self.drop_wake(id, &wake);
        }
        self.being_mut(id, |being| {
            being.schedules.remove(name);
        });
    }

    fn pause(&mut self, of: Option<Thing>, paused: bool) {
        match of {
            None => self.paused = paused,
            Some(Thing::Being(id)) => self.being_mut(id, |being| being.paused = paused),
            Some(Thing::Space(id)) => self.space_mut(id, |space| space.paused = paused),
            Some(Thing::Matter(_)) => {}
        }
    }
}
