//! The one reducer: a frame's facts become state, its wake closes, and others open. No I/O, and no knowledge of extensions.
//!
//! It takes what was sealed: whether a fact was allowed was judged at the gate. A fact about a thing that is not there changes
//! nothing, so that no input whatever can make the fold panic or diverge.

use std::borrow::Cow;
use std::sync::Arc;

use crate::fact::{
    BeingId, Call, Canon, Closing, Code, Content, Coords, Draft, Fact, Hash, Made, MatterId, Millis, Rank, Reason, Receipt, Seq, SpaceId,
    Summons, Telling, Text, Thing, Thought, Trigger, Value, Verb, Verbs, WakeId, WakeKind,
};
use crate::role::Flow;

use super::approval::ApprovalAnswer;
use super::being::{Attempted, Being, LookedAt, Missed, Schedule};
use super::bridge::BRIDGE;
use super::claim::Claim;
use super::heed::Wore;
use super::ledger::Reservation;
use super::local::iso;
use super::memory::{Left, SpokenTo};
use super::quality::{Change, Qualities};
use super::registry::{Extension, RuleVersion, SOURCE, Script};
use super::scope::EXTENSIONS;
use super::setting::OwnSettings;
use super::space::{DRAFT, Matter, Space};
use super::stems::{LANGUAGES, StemLanguages};
use super::wake::{Body, Wake};
use super::whole::World;

/// How many with a mind keep what is said aloud to a crowd.
const HEARERS: usize = 256;

/// Why a frame cannot be folded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// A value lies in a blob that is not there.
    #[error("frame {seq} names blob {hash}, which is not in the log before it, or has another length")]
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

/// The context that a frame passes on, while it is folded, to the wakes that it causes.
#[derive(Clone, Copy)]
pub(super) struct Cause {
    pub(super) being: BeingId,
    pub(super) seq: Seq,
    pub(super) at: Millis,
    pub(super) root: Option<Made>,
    pub(super) depth: u32,
    /// The verbs to which its moment was narrowed by whoever woke it.
    pub(super) only: Verbs,
    /// The panel that asked for a vote and the fact by which it did, where the moment is a member's.
    pub(super) ballot: Option<(BeingId, Made)>,
    /// The being that drives its being, if any does.
    pub(super) driver: Option<BeingId>,
    /// Whether the world is only being planted.
    pub(super) is_planting: bool,
}

impl Cause {
    pub(super) fn wake(&self, kind: WakeKind, rank: Rank, index: u32, body: Body) -> Wake {
        let cause = Made { seq: self.seq, index };
        let (root, depth) = (Some(self.root.unwrap_or(cause)), self.depth.saturating_add(1));
        Wake { root, depth, ..Wake::by_nobody(WakeId { rank, due: self.at, cause, kind }, body) }
    }
}

pub(super) fn read(content: &Content, seq: Seq, blobs: &dyn Blobs) -> Result<Value, FoldError> {
    match content {
        Content::Here(value) => Ok(value.clone()),
        Content::There { hash, len } => {
            let bytes = blobs.blob(hash).filter(|bytes| bytes.len() as u64 == *len).ok_or(FoldError::BlobMissing { seq, hash: *hash })?;
            Value::from_canon(&bytes).map_err(|_| FoldError::BlobMissing { seq, hash: *hash })
        }
        // No frame that can be read says so of a fact.
        Content::Unread { hash, .. } => Err(FoldError::BlobMissing { seq, hash: *hash }),
    }
}

/// A call with its arguments, wherever they lie; of those that nobody kept nothing is known.
fn whole<'a>(call: &'a Call, seq: Seq, blobs: &dyn Blobs) -> Result<Cow<'a, Call>, FoldError> {
    match &call.args {
        Content::Here(_) | Content::Unread { .. } => Ok(Cow::Borrowed(call)),
        there => Ok(Cow::Owned(Call { args: Content::Here(read(there, seq, blobs)?), ..call.clone() })),
    }
}

/// The look of a call: its address, where it begins, and its words.
fn looked_at(call: &Call) -> LookedAt {
    let of = |key: &str| if let Content::Here(args) = &call.args { args.get(key) } else { None };
    let from = of("from").and_then(Value::as_int).and_then(|from| u64::try_from(from).ok()).unwrap_or(0);
    LookedAt { address: call.target.clone(), from, words: of("words").and_then(Value::as_text).cloned() }
}

/// Whether a model thought of it.
fn is_a_model(draft: &Draft) -> bool {
    matches!(draft.thought, Thought::Model { .. })
}

/// The failure that a model has to hear of: a refused deed, or an answer that was not understood. Faults of endpoints and brakes are none.
fn missed(draft: &Draft) -> Option<Missed> {
    if !is_a_model(draft) {
        return None;
    }
    if let Some(reason) = draft.closing.refusal() {
        return Some(Missed { deed: draft.call.as_ref().map(Attempted::of), reason });
    }
    if let Some(count) = draft.left_out() {
        return Some(Missed { deed: None, reason: Reason::new(Code::LeftOut, count.to_string()) });
    }
    let (Closing::Failed(reason) | Closing::DeadLetter(reason)) = &draft.closing else { return None };
    is_the_models(reason.code).then(|| Missed { deed: None, reason: reason.clone() })
}

/// Whether what went wrong is of the model's own making: it can say it otherwise.
fn is_the_models(code: Code) -> bool {
    use Code::{ReplyArguments, ReplyCut, ReplyMalformed, ReplyRefused, ReplyTooLarge, ReplyUnknownTool, ReplyUnvoted};
    matches!(code, ReplyArguments | ReplyCut | ReplyMalformed | ReplyRefused | ReplyTooLarge | ReplyUnknownTool | ReplyUnvoted)
}

/// Whether a model was told what it is told in this moment.
fn is_told(draft: &Draft) -> bool {
    let is_out = |reason: &Reason| matches!(reason.code, Code::Outage | Code::ConnectionHeld | Code::GivenUp);
    is_a_model(draft) && !matches!(&draft.closing, Closing::Requeued(reason) if is_out(reason))
}

impl World {
    /// Folds the next frame in.
    pub fn apply(&mut self, draft: &Draft, blobs: &dyn Blobs) -> Result<(), FoldError> {
        if draft.seq != self.next {
            return Err(FoldError::Order { expected: self.next, found: draft.seq });
        }
        self.at = draft.at;
        // The root is held open until the frame's own wakes have been added to it: a chain of single wakes is one root, not many.
        let wake = self.rooted_of(draft.being, &draft.wake);
        let (held, only) = wake.as_ref().map_or((None, Verbs::ALL), |wake| (wake.root, wake.only()));
        let is_asked = |wake: &Wake| wake.summons().is_some_and(Summons::is_ballot);
        let ballot = wake.as_ref().filter(|wake| is_asked(wake)).and_then(|wake| Some((wake.caller()?, wake.id.cause)));
        if let Some(root) = held {
            self.roots.entry(root).or_default().open += 1;
        }
        self.prepare(draft);
        self.account(draft);
        let is_planting = self.plants(draft);
        if !is_planting {
            self.count_in(draft, wake.as_deref());
        }
        let is_watched = !is_planting && self.is_watched();
        let act = if is_watched { self.concerned_by_act(draft) } else { None };
        let (root, depth) = self.close(draft);
        let (root, depth) = self.passed_on(draft, root, depth);
        let cause =
            Cause { being: draft.being, seq: draft.seq, at: draft.at, root, depth, only, ballot, driver: draft.driver, is_planting };
        let mut wore = Wore::default();
        for (index, fact) in (0u32..).zip(&draft.facts) {
            if !is_planting {
                self.heed(fact, draft, &mut wore);
            }
            let before = if is_watched { self.concerned_before(fact, draft.being) } else { Default::default() };
            self.fold(fact, index, &cause, blobs)?;
            self.follow_plots(fact, Made { seq: draft.seq, index });
            if is_watched {
                self.watched(fact, index, &cause, before);
            }
        }
        self.submitted(draft, blobs)?;
        if let Some(act) = act {
            self.act_watched(act, &cause);
        }
        self.next = draft.seq + 1;
        if self.lineage.origin_at(self.next).is_some() {
            // The fork that goes on from here hears none of the calls that were begun: it asks anew.
            self.ledger.release();
        }
        if !is_planting {
            self.heed_stamp(draft, &mut wore);
        }
        self.stamp(draft, &cause);
        self.pay(draft, held);
        self.note(draft);
        self.remember(draft, root, self.aside.stood.map(|(space, _)| space), is_planting, blobs)?;
        self.worn_memo.forget();
        self.changed(wore, &cause);
        if let Some(root) = held {
            self.release(root);
        }
        Ok(())
    }

    /// Sets aside what was before a frame; with its first one a fork forgets what was approved for the world from which it comes.
    fn prepare(&mut self, draft: &Draft) {
        self.claims.run_out(draft.at);
        self.aside.begins = (draft.wake.kind != WakeKind::Schedule && draft.being != BeingId::WORLD).then_some(draft.being);
        self.aside.stood = self.beings.get(&draft.being).map(|being| (being.position, being.coords));
        if self.lineage.origin_at(draft.seq).is_some() {
            self.unapprove();
        }
    }

    /// Counts what brakes and people wait for.
    fn count_in(&mut self, draft: &Draft, wake: Option<&Wake>) {
        self.count_for_brakes(draft);
        self.count_repeats(draft);
        self.note_questions(draft, wake);
    }

    /// Whether a frame plants the world: nobody's life has begun.
    fn plants(&self, draft: &Draft) -> bool {
        !self.planted && draft.wake.kind == WakeKind::Gesture
    }

    /// Keeps what of the frame can be recalled.
    fn remember(
        &mut self,
        draft: &Draft,
        root: Option<Made>,
        stood: Option<SpaceId>,
        is_planting: bool,
        blobs: &dyn Blobs,
    ) -> Result<(), FoldError> {
        if draft.closing != Closing::Act {
            if let Some(reason) = draft.closing.refusal().filter(|_| draft.cognition.remembers()) {
                let call = draft.call.as_ref().map(|call| whole(call, draft.seq, blobs)).transpose()?;
                self.memory.note_refused(draft, call.as_deref(), root, &reason);
            }
            return Ok(());
        }
        let mut summoned = Vec::new();
        for (index, fact) in (0u32..).zip(&draft.facts) {
            if let Fact::Asked(summons) = fact {
                let has_mind = self.beings.get(&summons.to).is_some_and(|being| being.cognition_at(draft.at).remembers());
                // Scripts that want to remember what they say to each other do so in their qualities.
                if has_mind || draft.cognition.remembers() {
                    let content = read(&summons.content, draft.seq, blobs)?;
                    let receipt = Receipt::read(&content).filter(|_| summons.is_receipt()).map(|receipt| receipt.sentence().into());
                    let words = receipt.or_else(|| content.as_text().cloned()).unwrap_or_else(|| content.to_string().into());
                    let root = root.unwrap_or(Made { seq: draft.seq, index });
                    summoned.push(SpokenTo { to: summons.to, words, answers: summons.in_reply_to, root, has_mind });
                }
            }
        }
        let stands = self.beings.get(&draft.being).map(|being| being.position);
        let said = draft.facts.iter().filter_map(|fact| if let Fact::Said { space, .. } = fact { Some(*space) } else { None });
        let minds = said.flat_map(|space| self.minds_in(space).take(HEARERS).map(move |being| (space, being)));
        let hearers = minds.filter(|(_, being)| *being != draft.being).collect();
        let Some(call) = &draft.call else { return Ok(()) };
        let call = whole(call, draft.seq, blobs)?;
        let told = self.sentence(&call).unwrap_or_else(|| "".into());
        self.memory.note(&Left { draft, call: &call, root, stood, stands, summoned, hearers, is_planting, told });
        Ok(())
    }

    /// How the operation of a call is told.
    fn sentence(&self, call: &Call) -> Option<Text> {
        let operation = self.registry.operations.get(&call.action).filter(|_| call.verb == Verb::Do)?;
        Some(Telling::parse(operation.told.as_deref()?).ok()?.tell(call).into())
    }

    /// The world as it would be after some facts of a frame that is still being drafted, the first of them at this seq and index.
    pub fn imagine(&self, being: BeingId, (seq, first): (Seq, u32), at: Millis, facts: &[Fact]) -> Self {
        let mut world = self.clone();
        let cause = Cause { being, seq, at, root: None, depth: 0, only: Verbs::ALL, ballot: None, driver: None, is_planting: false };
        for (index, fact) in (first..).zip(facts) {
            // A draft carries its values itself: nothing is missing.
            let _ = world.fold(fact, index, &cause, &NoBlobs);
        }
        world.worn_memo.forget();
        world
    }

    /// Sums up what a frame has cost, once its facts are folded.
    fn pay(&mut self, draft: &Draft, root: Option<Made>) {
        let mut paid = std::mem::take(&mut self.paid);
        paid.note(draft, root, || {
            let being = self.beings.get(&draft.being);
            let name = being.map_or_else(|| draft.being.to_string(), |being| being.name.to_string());
            let space = being.map(|being| self.path_of(being.position)).unwrap_or_default();
            let day: String = iso(draft.at, draft.offset).chars().take(10).collect();
            [format!("@{name}").into(), space.into(), day.into()]
        });
        self.paid = paid;
    }

    /// Notes what there was in a frame, once its facts are folded.
    fn note(&mut self, draft: &Draft) {
        let mut chapters = std::mem::take(&mut self.chapters);
        let stands = self.beings.get(&draft.being).map(|being| being.position);
        chapters.note(draft, stands, |space| self.path_of(space));
        self.chapters = chapters;
        self.density.note(draft);
    }

    /// Holds back what a call can cost, or settles what it has cost.
    fn account(&mut self, draft: &Draft) {
        let reserved = draft.reserved();
        // In most worlds no model is asked, and in all of them most frames have nothing to do with one.
        if reserved.is_none() && !self.ledger.holds_any() {
            return;
        }
        self.ledger.settle(draft.being, &draft.wake, draft.spent().map(|spent| (spent.spend, spent.vain)));
        if draft.closing == Closing::Ended {
            self.ledger.end(draft.being);
        }
        for settled in draft.settled() {
            if let Some(wake) = self.ledger.held_at(draft.being, settled.of).cloned() {
                self.ledger.settle(draft.being, &wake, Some((settled.spent.spend, settled.spent.vain)));
            }
        }
        let (Some(spend), Some(being)) = (reserved, self.beings.get(&draft.being).cloned()) else { return };
        let (inbox, id) = (&self.inbox, draft.being);
        self.ledger.tidy(id, draft.at, |wake| inbox.get(id, wake).is_some());
        let accounts = self.accounts(&being, self.rooted_of(id, &draft.wake).as_deref());
        // Of a trial nobody is asked as what they wear.
        let is_moment = matches!(&draft.closing, Closing::Requeued(reason) if reason.code == Code::Asking);
        let worn = draft.stack.iter().filter(|_| is_moment);
        let own = worn.clone().filter(|worn| worn.space.is_none()).count() as u64;
        let stack = worn.map(|worn| worn.role.clone()).collect();
        self.ledger.reserve(id, draft.wake.clone(), Reservation { spend, at: draft.at, offset: draft.offset, accounts, stack, own });
    }

    /// Applies what every frame changes of its own being: its reel, what it wears, what it waits for.
    fn stamp(&mut self, draft: &Draft, cause: &Cause) {
        let id = draft.being;
        let Some(being) = self.beings.get_mut(&id) else { return };
        let being = Arc::make_mut(being);
        (being.next_n, being.last_seq) = (draft.n + 1, draft.seq);
        // It has not thought yet: nothing of it has changed.
        if matches!(&draft.closing, Closing::Requeued(reason) if reason.code == Code::Asking) {
            return;
        }
        let acted = draft.closing == Closing::Act;
        // Planting counts no moment of a life, so draws begin alike however much a source asks for.
        let is_planting = !self.planted && draft.wake.kind == WakeKind::Gesture;
        being.moments += u64::from(!is_planting);
        match (&draft.closing, &draft.call) {
            (Closing::Requeued(reason), Some(call)) if reason.code == Code::Looked => being.looked.now.push(looked_at(call)),
            // Its looks stay, since they stand in the next question.
            (Closing::Requeued(reason), _)
                if matches!(reason.code, Code::Outage | Code::ConnectionHeld | Code::GivenUp | Code::Refused) => {}
            (Closing::Failed(_), _) => {}
            _ => being.looked.end(draft.call.as_ref().filter(|call| call.verb == Verb::See && is_a_model(draft)).map(looked_at)),
        }
        // It is told once.
        if is_told(draft) {
            being.missed = missed(draft).map(Arc::new);
        }
        // A being that was only asked something is neither busy nor bored by it.
        let is_deed = acted && !cause.only.is_within(Verbs::ASKING);
        if is_deed {
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
            new.iter().enumerate().for_each(|(at, role)| self.hues.give(role, at == 0));
        }
        let place = self.beings.get(&id).map(|being| being.position);
        // Also where it has just gone out of scope: what it goes on with waits until it is in it again.
        let primary = draft.stack.first().zip(place).and_then(|(worn, place)| self.version_at(&worn.role, place));
        // Once the brake has held, nothing more is begun that it would only have to end.
        let is_spent = |(count, most): (u64, u64)| count > most;
        let goes_on = acted && primary.is_some_and(|role| role.spec.self_continue) && !is_spent(self.continued(id, cause.root));
        let rest = primary.and_then(|role| role.spec.rest).unwrap_or(0);
        if is_deed {
            self.rest(id, draft.at);
        }
        if goes_on && (cause.only.is_all() || !self.inbox.goes_on_freely(id)) {
            // Going on by oneself has a brake of its own, so it does not count towards the depth of what others caused.
            let mut wake = cause.wake(WakeKind::SelfContinue, Rank::Normal, u32::MAX, Body::SelfContinue { only: cause.only });
            wake.depth = cause.depth;
            wake.id.due = wake.id.due.saturating_add(rest);
            self.add_wake(id, wake);
        }
        self.await_crossing(id, Made { seq: draft.seq, index: u32::MAX });
    }

    fn fold(&mut self, fact: &Fact, index: u32, cause: &Cause, blobs: &dyn Blobs) -> Result<(), FoldError> {
        self.worn_memo.forget();
        let made = Made { seq: cause.seq, index };
        let read = |content: &Content| read(content, cause.seq, blobs);
        match fact {
            Fact::Born(birth) => self.born(BeingId(made), birth, &read(&birth.flow)?, &read(&birth.qualities)?, cause),
            Fact::Ended { of } => self.ended(*of, made, cause),
            // A new thing lies in one that is there already, or the fact says nothing.
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
                    settings: OwnSettings::default(),
                    paused: false,
                    frozen: false,
                    // The world itself is born before the root in which it stands.
                    count: self.beings_in(id).count() as u64,
                    flow: None,
                };
                self.spaces.insert(id, Arc::new(space));
                self.tally_moved(Thing::Space(id), None, parent.map(Thing::Space));
                if let Some(parent) = parent {
                    self.space_names.insert((*parent, name.clone()), id);
                }
                if !self.held.is_empty() {
                    self.hold_in(id);
                }
            }
            Fact::MatterMade { name, kind, place, coords, content } => {
                self.matter_made((name, kind), (*place, *coords), read(content)?, made, cause);
            }
            Fact::Drafted { holder, name, content } => {
                self.matter_made((name, &DRAFT.into()), (Thing::Being(*holder), None), read(content)?, made, cause);
            }
            Fact::Named { of, name, kind } => self.named(*of, name, kind),
            Fact::Sized { space, size } => self.space_mut(*space, |space| space.size = *size),
            Fact::Moved { of, to, coords } => self.moved(*of, *to, *coords, index, cause),
            Fact::Filled { matter, content } => {
                let content = Arc::new(read(content)?);
                self.matter_mut(*matter, |matter| matter.content = content);
            }
            Fact::QualitySet { of, path, value } => self.change(*of, path, &Change::Set(&read(value)?), made),
            Fact::QualityUnset { of, path } => self.change(*of, path, &Change::Unset, made),
            Fact::QualityInc { of, path, by } => self.change(*of, path, &Change::Inc(&read(by)?), made),
            Fact::QualityPush { of, path, value, keep } => self.change(*of, path, &Change::Push(&read(value)?, *keep), made),
            Fact::Signalled { path, value } => self.signalled(path, &read(value)?, index, cause),
            Fact::Asked(summons) => self.summoned(summons, read(&summons.content)?, index, cause),
            Fact::Said { space, content } => self.said(*space, content, index, cause),
            Fact::RoleSet { name, origin, role } => self.role_set(None, name, origin, &read(role)?, made),
            Fact::RoleSetIn { space, name, origin, role } => self.role_set(Some(*space), name, origin, &read(role)?, made),
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
                self.hold();
                self.aside.scoped = cause.seq;
            }
            Fact::RuleSet { name, rule } => self.rule_set(name, read(rule)?, made),
            Fact::ConfigSet { key, value } => {
                let value = read(value)?;
                self.planted |= key.as_ref() == SOURCE;
                if key.as_ref() == LANGUAGES {
                    self.memory.diaries.languages = StemLanguages::read(&value);
                }
                let is_same = self.registry.config.get(key).is_some_and(|said| **said == value);
                let config = &mut Arc::make_mut(&mut self.registry).config;
                // A setting set to null is as if it had never been said.
                if value.is_null() {
                    config.remove(key);
                } else {
                    config.insert(key.clone(), Arc::new(value));
                }
                self.hold();
                if !is_same {
                    self.bridge_changed(key, cause.at);
                }
                if key.as_ref() == EXTENSIONS {
                    self.aside.scoped = cause.seq;
                }
                if key.as_ref() == "zone" {
                    self.zone = self.zone_said();
                    self.rearm(made, cause);
                }
            }
            Fact::ConfigSetIn { of, key, value } => {
                self.say(*of, key, read(value)?, cause.being);
                if key.as_ref() == BRIDGE {
                    self.reconsider(cause.at, |_, being, _| *of == Thing::Being(being));
                }
                if key.as_ref() == EXTENSIONS {
                    self.aside.scoped = cause.seq;
                }
            }
            Fact::FlowSet { being, flow } => {
                let flow = Arc::new(Flow::compile(&read(flow)?).unwrap_or_else(|_| Flow::empty()));
                self.bind(*being, made, |being| being.flow = flow);
            }
            Fact::FlowSetIn { space, flow } => self.flow_set_in(*space, &read(flow)?, made),
            Fact::DefaultRoleSet { being, role } => self.bind(*being, made, |being| being.default_role.clone_from(role)),
            Fact::CognitionSet { being, cognition, script } => {
                self.reconsider(cause.at, |_, bridge, _| bridge == *being);
                self.bind(*being, made, |being| {
                    being.cognition = *cognition;
                    being.script.clone_from(script);
                    // Its panel is set anew with every cognition.
                    being.panel = None;
                });
                self.list_mind(*being);
            }
            Fact::PanelSet { being, panel } => self.bind(*being, made, |being| being.panel = Some(Arc::from(panel.clone()))),
            Fact::Granted { being, grants } => self.bind(*being, made, |being| being.grants.clone_from(grants)),
            Fact::HomeSet { being, home } => {
                self.being_mut(*being, |being| being.home = *home);
                self.relist_watches(*being);
            }
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
                if let Some(tick) = self.tick(name, &schedule, cause.at).filter(|_| self.listens_to(*being, Trigger::Schedule)) {
                    self.add_wake(*being, tick);
                }
                self.being_mut(*being, |being| {
                    being.schedules.insert(name.clone(), schedule);
                });
            }
            Fact::ScheduleEnded { being, name } => self.unschedule(*being, name),
            Fact::Paused { of, writes } => self.pause(*of, true, *writes),
            Fact::Resumed { of } => self.pause(*of, false, false),
            Fact::Inhabited { being, driver, until } => self.lease(*being, made, Some((*driver, *until))),
            Fact::Released { being } => self.lease(*being, made, None),
            Fact::Requeued { being, cause: of, kind } => {
                if let Some(letter) = self.inbox.unbury(*being, *of, *kind) {
                    let mut wake = letter.wake.clone();
                    (wake.id.due, wake.failed, wake.failure, wake.looked, wake.approval) = (cause.at, 0, None, 0, None);
                    self.add_wake(*being, wake.of_its_own(made));
                }
            }
            Fact::Reopened { since } => self.reopened(*since, index, cause),
            Fact::Cut { root, whose } => self.cut(*root, *whose, index, cause),
            Fact::Claimed { of, by, until, why } => self.claim(*of, Claim { by: *by, since: cause.at, until: *until, why: why.clone() }),
            Fact::ClaimEnded { of } => self.claims.end(*of),
            Fact::Approved { bridge, wake, request: _ } => self.answered(*bridge, *wake, ApprovalAnswer::Yes { by: cause.being }, cause),
            Fact::Declined { bridge, wake, request: _, why } => {
                self.answered(*bridge, *wake, ApprovalAnswer::No { by: cause.being, why: why.clone() }, cause);
            }
            // The frame as a whole is accounted for.
            Fact::Rekeyed { key } => self.being_mut(cause.being, |being| being.key = *key),
            Fact::Owned { epoch, by } => self.owner = Some((*epoch, by.clone())),
            Fact::Reserved(_)
            | Fact::Spent(_)
            | Fact::Settled(_)
            | Fact::Keyed(_)
            | Fact::Narrowed { .. }
            | Fact::LossAccepted { .. }
            | Fact::LeftOut { .. }
            | Fact::Resolved { .. } => {}
        }
        Ok(())
    }

    fn matter_made(&mut self, named: (&Text, &Text), lies: (Thing, Option<Coords>), content: Value, made: Made, cause: &Cause) {
        let ((name, kind), (place, coords), id) = (named, lies, MatterId(made));
        self.matter_names.insert((place, name.clone()), id);
        self.placed.moved(Thing::Matter(id), None, Some((place, coords)));
        self.tally_moved(Thing::Matter(id), None, Some(place));
        let (name, kind, content) = (name.clone(), kind.clone(), Arc::new(content));
        let (author, qualities, carried) = (cause.being, Qualities::default(), self.brings(cause, made));
        self.matter.insert(id, Arc::new(Matter { id, name, kind, place, coords, content, author, qualities, carried }));
    }

    fn rule_set(&mut self, name: &Text, rule: Value, made: Made) {
        let registry = Arc::make_mut(&mut self.registry);
        if rule.is_null() {
            registry.rules.remove(name);
        } else {
            registry.rules.insert(name.clone(), RuleVersion { source: Arc::new(rule), made });
        }
        registry.rejudge();
    }

    pub(super) fn being_mut(&mut self, id: BeingId, change: impl FnOnce(&mut Being)) {
        if let Some(being) = self.beings.get_mut(&id) {
            change(Arc::make_mut(being));
        }
    }

    pub(super) fn space_mut(&mut self, id: SpaceId, change: impl FnOnce(&mut Space)) {
        if let Some(space) = self.spaces.get_mut(&id) {
            change(Arc::make_mut(space));
        }
    }

    pub(super) fn matter_mut(&mut self, id: MatterId, change: impl FnOnce(&mut Matter)) {
        if let Some(matter) = self.matter.get_mut(&id) {
            change(Arc::make_mut(matter));
        }
    }

    pub(super) fn change(&mut self, of: Thing, path: &Text, change: &Change<'_>, made: Made) {
        // A sealed change passed the checks; one that cannot be made changes nothing.
        let apply = |qualities: &mut Qualities| {
            let _ = qualities.change(path, change, false);
        };
        match of {
            Thing::Being(id) => self.being_mut(id, |being| apply(&mut being.qualities)),
            Thing::Space(id) => self.space_mut(id, |space| apply(&mut space.qualities)),
            Thing::Matter(id) => self.matter_mut(id, |matter| apply(&mut matter.qualities)),
        }
        self.quality_changed(of, path, made);
    }

    /// Lets a driver have a being until an instant, or nobody.
    pub(super) fn lease(&mut self, id: BeingId, made: Made, lease: Option<(BeingId, Millis)>) {
        let Some(being) = self.beings.get(&id) else { return };
        if let Some((driver, _)) = being.driver {
            self.driven.remove(&(driver, id));
        }
        self.driven.extend(lease.map(|(driver, _)| (driver, id)));
        self.bind(id, made, |being| being.driver = lease);
    }

    /// Changes what binds a being: its flow, default role, cognition, grants or driver; what follows from them is listed again.
    pub(super) fn bind(&mut self, id: BeingId, made: Made, change: impl FnOnce(&mut Being)) {
        self.unlist(id);
        self.being_mut(id, |being| {
            change(being);
            being.bound_at = made.seq;
        });
        self.list(id);
        self.await_crossing(id, made);
    }
}
