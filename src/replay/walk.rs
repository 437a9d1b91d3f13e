//! Walk: each frame's moment is opened, thought and closed again; its draft must be the recorded one, byte for byte.
//!
//! Signatures are checked in batches on threads of their own while the walk goes on. Checking that the reels hold needs no world;
//! recomputing moments needs the world as of each one's `opened`, which is a handle taken when the fold came by.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use crate::cognition::{afford, hear, request, think, unasked};
use crate::fact::{
    BeingId, Call, Canon, Closing, Cognition, Content, Draft, Fact, Frame, Hash, PublicKey, Seq, Signature, Thought, Value, WakeId,
    WakeKind, WorldId, verify_batch,
};
use crate::moment::{Answer, Closer, Composer, SEMANTICS, ask, close, genesis, is_asking, open};
use crate::reel::Chain;
use crate::run::{Kept, LoadError};
use crate::script::{Limits, Sandbox};
use crate::store::{Entry, Store};
use crate::verb::Hands;
use crate::world::{Blobs, Wake, World};

/// Why a history cannot be replayed at all.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read, chained or folded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It follows rules that this program does not know.
    #[error(
        "the world follows semantics version {found}; this program replays version {SEMANTICS}: use the program that it was run with, or `reelm verify`"
    )]
    Semantics {
        /// The version found.
        found: i64,
    },
    /// A signature does not hold.
    #[error("frame {seq} of {being} does not carry its being's signature")]
    Signature {
        /// The frame.
        seq: Seq,
        /// Its writer.
        being: BeingId,
    },
    /// A commit's head is not sealed by `@world`.
    #[error("the head after frame {seq} is not sealed by @world")]
    Seal {
        /// The last frame of the group.
        seq: Seq,
    },
}

/// The first moment that comes out differently.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// The frame.
    pub seq: Seq,
    /// Whose moment.
    pub being: BeingId,
    /// Its n.
    pub n: u64,
    /// The beat: `assign`, `think` or `momentum`.
    pub beat: &'static str,
    /// The field of the frame.
    pub field: &'static str,
    /// What was recorded.
    pub recorded: String,
    /// What came out.
    pub computed: String,
}

/// What a replay came to.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// How many frames were walked.
    pub frames: u64,
    /// How many of them were recomputed.
    pub moments: u64,
    /// The head over all of them.
    pub head: Hash,
    /// The hash of the world at the end.
    pub world: Hash,
    /// The first difference.
    pub difference: Option<Difference>,
}

/// What is to be walked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    /// Only this being's moments are recomputed; all others are only folded.
    pub being: Option<BeingId>,
    /// Nothing is recomputed: chain, fold and signatures only.
    pub only_verify: bool,
}

/// Shown the world after each frame.
pub type Progress<'a> = &'a mut dyn FnMut(&World);

/// How many signatures are checked at once.
const BATCH: usize = 128;

type Sealed = (PublicKey, Hash, Signature, Seq, BeingId);

/// Walks a history from genesis.
pub fn replay(store: &dyn Store, id: WorldId, thread: Thread, progress: Progress<'_>) -> Result<Replayed, ReplayError> {
    let (seals, waiting) = sync_channel::<Vec<Sealed>>(8);
    std::thread::scope(|scope| {
        let checker = scope.spawn(move || {
            while let Ok(batch) = waiting.recv() {
                check(&batch)?;
            }
            Ok(())
        });
        let mut walk = Walk::new(id, thread);
        let walked = walk.all(store, &seals, progress);
        drop(seals);
        let checked: Result<(), ReplayError> = checker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        // A seal that does not hold explains whatever else went wrong.
        checked?;
        walked
    })
}

fn check(batch: &[Sealed]) -> Result<(), ReplayError> {
    let items: Vec<_> = batch.iter().map(|(key, hash, signature, ..)| (*key, *hash, *signature)).collect();
    if verify_batch(&items).is_ok() {
        return Ok(());
    }
    match batch.iter().find(|(key, hash, signature, ..)| key.verify(hash, signature).is_err()) {
        Some((.., seq, being)) => Err(ReplayError::Signature { seq: *seq, being: *being }),
        None => Ok(()),
    }
}

struct Walk {
    thread: Thread,
    world: Arc<World>,
    /// The world on which the newest moments were opened, and those of moments that wait for a model.
    opened: BTreeMap<Seq, Arc<World>>,
    /// Who waits for a model, and on which world its moment was opened.
    asked: BTreeMap<BeingId, (WakeId, Seq)>,
    chain: Chain,
    kept: Kept,
    composer: Composer,
    closer: Closer,
    sandbox: Sandbox,
    frames: u64,
    moments: u64,
}

impl Walk {
    fn new(id: WorldId, thread: Thread) -> Self {
        let world = Arc::new(World::new(id));
        let closer = Closer { hands: Hands::new(Sandbox::new(Limits::default())), composer: Composer::default() };
        Self {
            thread,
            opened: BTreeMap::new(),
            asked: BTreeMap::new(),
            world,
            chain: Chain::new(id),
            kept: Kept::default(),
            composer: Composer::default(),
            closer,
            sandbox: Sandbox::new(Limits::default()),
            frames: 0,
            moments: 0,
        }
    }

    fn all(
        &mut self,
        store: &dyn Store,
        seals: &std::sync::mpsc::SyncSender<Vec<Sealed>>,
        progress: Progress<'_>,
    ) -> Result<Replayed, ReplayError> {
        let mut batch: Vec<Sealed> = Vec::with_capacity(BATCH);
        let mut difference = None;
        for entry in store.read(0).map_err(LoadError::from)? {
            match entry.map_err(LoadError::from)? {
                Entry::Blob { hash, bytes, .. } => {
                    self.kept.0.insert(hash, bytes);
                }
                Entry::Frame { bytes, at, .. } => {
                    let frame = Frame::read(&bytes).map_err(|source| LoadError::Frame { at: at.clone(), source })?;
                    let draft = frame.draft();
                    let key = self.chain.key(draft).map_err(|source| LoadError::Chain { at: at.clone(), source })?;
                    batch.push((key, frame.hash(), *frame.signature(), draft.seq, draft.being));
                    if batch.len() == BATCH && seals.send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH))).is_err() {
                        break;
                    }
                    difference = self.moment(draft)?;
                    self.chain.admit(&frame).map_err(|source| LoadError::Chain { at, source })?;
                    Arc::make_mut(&mut self.world).apply(draft, &self.kept).map_err(LoadError::from)?;
                    self.frames += 1;
                    progress(&self.world);
                    if difference.is_some() {
                        break;
                    }
                }
                Entry::Commit(commit) => {
                    let seq = self.chain.next().saturating_sub(1);
                    if commit.head != self.chain.head() {
                        return Err(LoadError::Head { seq, found: self.chain.head(), sealed: commit.head }.into());
                    }
                    self.chain.verify_seal(&commit.head, &Signature(commit.seal)).map_err(|_| ReplayError::Seal { seq })?;
                }
            }
        }
        // The checker is gone only if it found a seal that does not hold.
        let _ = seals.send(batch);
        Ok(Replayed { frames: self.frames, moments: self.moments, head: self.chain.head(), world: self.world.hash(), difference })
    }

    /// Recomputes the moment of a recorded draft on the world as it is now, and compares.
    fn moment(&mut self, recorded: &Draft) -> Result<Option<Difference>, ReplayError> {
        if self.thread.only_verify {
            return Ok(None);
        }
        // Whoever comes first in a round stands where all of them opened. While a model thinks others may act, however much: what its
        // moment was opened on is kept until it has answered, and no other world is: each that is kept has to be copied from.
        if self.world.next_seq() == recorded.opened {
            let asked = &self.asked;
            self.opened.retain(|seq, _| asked.values().any(|(_, opened)| opened == seq));
            self.opened.insert(recorded.opened, self.world.clone());
        }
        if is_asking(recorded) {
            self.asked.insert(recorded.being, (recorded.wake.clone(), recorded.opened));
        } else if self.asked.get(&recorded.being).is_some_and(|(wake, _)| *wake == recorded.wake || recorded.closing == Closing::Ended) {
            self.asked.remove(&recorded.being);
        }
        if self.thread.being.is_some_and(|being| being != recorded.being) {
            return Ok(None);
        }
        self.moments += 1;
        let call = recorded.call.as_ref().map(|call| self.whole(call));
        let keys = births(recorded);
        let key_of = |being: BeingId| keys.iter().find(|(born, _)| *born == being).map_or(Hash::NOTHING, |(_, key)| *key);
        let mut computed = if recorded.seq == 0 {
            let args = match call.as_ref().map(|call| &call.args) {
                Some(Content::Here(args)) => args.clone(),
                _ => Value::Null,
            };
            let semantics = recorded.facts.iter().find_map(|fact| match fact {
                Fact::ConfigSet { key, value: Content::Here(Value::Int(found)) } if key.as_ref() == "semantics" => Some(*found),
                _ => None,
            });
            if let Some(found) = semantics.filter(|found| *found != SEMANTICS) {
                return Err(ReplayError::Semantics { found });
            }
            genesis(recorded.world, &args, recorded.at, &key_of)
        } else {
            match self.again(recorded, call, &key_of) {
                Ok(draft) => draft,
                Err(difference) => return Ok(Some(*difference)),
            }
        };
        computed.shed();
        (computed.prev, computed.prev_seq) = self.chain.reel(recorded.being).map_or((Hash::NOTHING, 0), |reel| (reel.hash, reel.seq));
        Ok(compare(recorded, &computed))
    }

    /// Opens, thinks and closes the moment again.
    fn again(&mut self, recorded: &Draft, call: Option<Call>, key_of: &dyn Fn(BeingId) -> Hash) -> Result<Draft, Box<Difference>> {
        let lost = |field: &'static str, recorded_as: String| {
            let (seq, being, n) = (recorded.seq, recorded.being, recorded.n);
            Box::new(Difference { seq, being, n, beat: "intake", field, recorded: recorded_as, computed: "nothing".to_owned() })
        };
        let is_gesture = recorded.wake.kind == WakeKind::Gesture;
        let opened = || self.opened.get(&recorded.opened).or_else(|| self.opened.values().next_back()).unwrap_or(&self.world).clone();
        let world = if is_gesture { self.world.clone() } else { opened() };
        let being = world.being(recorded.being).cloned().ok_or_else(|| lost("being", recorded.being.to_string()))?;
        let wake = if is_gesture {
            Arc::new(Wake::gesture(recorded.seq, recorded.at))
        } else {
            // A person answers whichever of the open wakes they like.
            let next = match being.cognition_at(recorded.opened_at) {
                Cognition::Human => world.inbox().get(recorded.being, &recorded.wake),
                Cognition::Llm | Cognition::Script => world.inbox().next(recorded.being, recorded.opened_at),
            }
            .cloned();
            let shown = |wake: Option<&WakeId>| serde_json::to_string(&wake).unwrap_or_default();
            match next {
                Some(next) if next.id == recorded.wake => next,
                other => {
                    let mut difference = lost("wake", shown(Some(&recorded.wake)));
                    difference.computed = shown(other.as_ref().map(|wake| &wake.id));
                    return Err(difference);
                }
            }
        };
        let opening = open(&world, &being, &wake, recorded.opened_at, call.as_ref().filter(|_| is_gesture), &mut self.composer);
        // An act that a person or a program sent may have been narrowed, which the frame says; nobody else's is.
        let is_given = is_gesture || (opening.cognition == Cognition::Human && opening.verdict.is_none());
        let opening = opening.narrowed(recorded.narrowed().filter(|_| is_given).unwrap_or_default());
        let given = |thought: Thought| {
            let call = call.clone().map(|call| {
                let bound = opening.bind(&world, &call);
                (call, bound)
            });
            Answer { thought, call, once: recorded.once(), ..Answer::none() }
        };
        // Only what came from outside is taken as it came; a script thinks again, whatever the frame says of its thought.
        let answer = match (&opening.verdict, opening.cognition, &recorded.thought) {
            (_, _, _) if is_gesture => given(Thought::Given),
            (None, Cognition::Human, _) => given(Thought::Given),
            (None, Cognition::Llm, Thought::Model { reply, .. }) => {
                let reply = self.content(reply).ok_or_else(|| lost("thought", "the reply".to_owned()))?;
                match request(&opening, &world, &mut self.sandbox) {
                    Ok(request) => hear(&opening, &world, &request, reply),
                    Err(reason) => unasked(reason),
                }
            }
            // It was not asked yet, or could not be: what it may cost is judged on the world as it is.
            (None, Cognition::Llm, _) => {
                let request = request(&opening, &world, &mut self.sandbox);
                match request.and_then(|request| afford(&opening, &self.world, request)) {
                    Ok((_, most)) if is_asking(recorded) => return Ok(ask(&opening, &self.world, recorded.at, most)),
                    Ok(_) => Answer::none(),
                    Err(reason) => unasked(reason),
                }
            }
            (None, Cognition::Script, _) => think(&opening, &world, &mut self.sandbox),
            (Some(_), _, _) => Answer::none(),
        };
        Ok(close(&opening, answer, &self.world, recorded.at, key_of, &mut self.closer))
    }

    /// A recorded call with its arguments read from their blob.
    fn whole(&self, call: &Call) -> Call {
        let mut call = call.clone();
        if let Some(value) = self.content(&call.args) {
            call.args = Content::Here(value);
        }
        call
    }

    /// A recorded value, read from its blob if it was large.
    fn content(&self, content: &Content) -> Option<Value> {
        match content {
            Content::Here(value) => Some(value.clone()),
            Content::There { hash, .. } => self.kept.blob(hash).and_then(|bytes| Value::from_canon(&bytes).ok()),
            // Nothing read it then, and nothing has to now.
            Content::Unread { .. } => None,
        }
    }
}

/// The public keys that a frame's births recorded.
fn births(draft: &Draft) -> Vec<(BeingId, Hash)> {
    let born =
        |(index, fact): (u32, &Fact)| if let Fact::Born(birth) = fact { Some((BeingId::new(draft.seq, index), birth.key)) } else { None };
    (0u32..).zip(&draft.facts).filter_map(born).collect()
}

/// The first field that differs, in the order of the beats.
fn compare(recorded: &Draft, computed: &Draft) -> Option<Difference> {
    if recorded == computed {
        return None;
    }
    macro_rules! fields {
        ($($beat:literal $field:ident),* $(,)?) => {
            $(if recorded.$field != computed.$field {
                return Some(difference(recorded, $beat, stringify!($field), &recorded.$field, &computed.$field));
            })*
        };
    }
    fields!(
        "intake" world, "intake" wake, "intake" attempt, "intake" driver, "intake" cognition, "intake" opened, "intake" opened_at, "intake" offset,
        "assign" stack, "assign" worn,
        "think" thought, "think" call,
        "momentum" closing, "momentum" facts,
        "stamp" n, "stamp" prev, "stamp" prev_seq, "stamp" seq, "stamp" at, "stamp" intent,
    );
    None
}

fn difference<T: serde::Serialize>(draft: &Draft, beat: &'static str, field: &'static str, recorded: &T, computed: &T) -> Difference {
    let show = |value: &T| serde_json::to_string(value).unwrap_or_default();
    Difference { seq: draft.seq, being: draft.being, n: draft.n, beat, field, recorded: show(recorded), computed: show(computed) }
}
