//! Walk: each frame's moment is opened, thought and closed again; its draft must be the recorded one, byte for byte.
//!
//! Signatures are checked on threads of their own while the walk goes on. Checking that the reels hold needs no world;
//! recomputing moments needs the world as of each one's `opened`, which is a handle taken when the fold came by.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cognition::{afford, hear, request, think, unasked};
use crate::fact::{
    BeingId, Call, Canon, Closing, Cognition, Content, Draft, Fact, Hash, Master, Seq, Thought, Value, WakeId, WakeKind, WorldId,
};
use crate::moment::{Answer, Closer, Composer, SEMANTICS, ask, close, genesis, is_asking, open};
use crate::reel::{Admission, Recorded};
use crate::run::{Kept, LoadError, identity, simulated};
use crate::script::{Limits, Sandbox};
use crate::store::{Entry, Place, Store};
use crate::verb::Hands;
use crate::world::{Blobs, Wake, World};

use super::compare::{Difference, compare};
use super::seals::{Sealed, Seals, checked};

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
    /// A key of a simulated world is not the one that follows from its seed.
    #[error("the key of {being}, born in frame {seq}, does not follow from the seed, as those of a simulated world do")]
    NotItsKey {
        /// The frame of its birth.
        seq: Seq,
        /// The being.
        being: BeingId,
    },
    /// The id of a simulated world is not the one that follows from its name and seed.
    #[error("the id of the world does not follow from its name and seed, as that of a simulated world does")]
    NotItsId,
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

/// Walks a history from genesis. A signature that does not hold is said before anything else that is wrong.
pub fn replay(store: &dyn Store, id: WorldId, thread: Thread, progress: Progress<'_>) -> Result<Replayed, ReplayError> {
    let admission = Admission::new(id, identity(store)?);
    checked(|seals| Walk::new(id, admission, thread).all(store, seals, progress))
}

struct Walk {
    thread: Thread,
    world: Arc<World>,
    /// The world on which the newest moments were opened, and those of moments that wait for a model.
    opened: BTreeMap<Seq, Arc<World>>,
    /// Who waits for a model, and on which world its moment was opened.
    asked: BTreeMap<BeingId, (WakeId, Seq)>,
    admission: Admission,
    /// From what the keys of a simulated world follow.
    master: Option<Master>,
    kept: Kept,
    composer: Composer,
    closer: Closer,
    sandbox: Sandbox,
    frames: u64,
    moments: u64,
}

impl Walk {
    fn new(id: WorldId, admission: Admission, thread: Thread) -> Self {
        let world = Arc::new(World::new(id));
        let closer = Closer { hands: Hands::new(Sandbox::new(Limits::default())), composer: Composer::default() };
        Self {
            thread,
            opened: BTreeMap::new(),
            asked: BTreeMap::new(),
            world,
            admission,
            master: None,
            kept: Kept::default(),
            composer: Composer::default(),
            closer,
            sandbox: Sandbox::new(Limits::default()),
            frames: 0,
            moments: 0,
        }
    }

    fn all(&mut self, store: &dyn Store, seals: &mut Seals, progress: Progress<'_>) -> Result<Replayed, ReplayError> {
        let mut difference = None;
        for entry in store.read(0).map_err(LoadError::from)? {
            if difference.is_some() || seals.are_broken() {
                break;
            }
            match entry.map_err(LoadError::from)? {
                Entry::Blob { hash, bytes, at } => {
                    self.admission.blob(hash, &bytes).map_err(LoadError::at(at))?;
                    self.kept.0.insert(hash, bytes);
                }
                Entry::Frame { seq, being, n, bytes, at } => {
                    difference = self.frame(Recorded { seq, being, n }, &bytes, at, seals)?;
                    progress(&self.world);
                }
                Entry::Commit { commit, at } => {
                    self.admission.commit(&commit.head).map_err(LoadError::at(at.clone()))?;
                    seals.add(Sealed::head(self.admission.chain(), &commit.seal, at));
                }
            }
        }
        let (head, world) = (self.admission.chain().head(), self.world.hash());
        Ok(Replayed { frames: self.frames, moments: self.moments, head, world, difference })
    }

    /// Takes the next frame: admitted, its signature handed over, its moment walked again, folded.
    fn frame(&mut self, recorded: Recorded, bytes: &[u8], at: Place, seals: &mut Seals) -> Result<Option<Difference>, ReplayError> {
        let admitted = self.admission.frame(recorded, bytes).map_err(LoadError::at(at.clone()))?;
        seals.add(Sealed::frame(&admitted, at.clone()));
        let draft = admitted.frame.draft();
        self.births(draft)?;
        let difference = self.moment(draft)?;
        self.admission.advance(&admitted).map_err(LoadError::at(at))?;
        Arc::make_mut(&mut self.world).apply(draft, &self.kept).map_err(LoadError::from)?;
        self.frames += 1;
        Ok(difference)
    }

    /// In a simulated world all keys, and its id, follow from its name and seed.
    fn births(&mut self, draft: &Draft) -> Result<(), ReplayError> {
        if draft.seq == 0 {
            let config = |wanted: &str| {
                draft.facts.iter().find_map(|fact| match fact {
                    Fact::ConfigSet { key, value: Content::Here(value) } if key.as_ref() == wanted => Some(value),
                    _ => None,
                })
            };
            if config("simulated") == Some(&Value::Bool(true)) {
                let name = config("name").and_then(Value::as_str).unwrap_or_default();
                let seed = config("seed").and_then(Value::as_int).unwrap_or_default();
                let (master, id) = simulated(name, u64::from_be_bytes(seed.to_be_bytes()));
                if id != draft.world {
                    return Err(ReplayError::NotItsId);
                }
                self.master = Some(master);
            }
        }
        let Some(master) = &self.master else { return Ok(()) };
        for (being, key) in births(draft) {
            if master.key(draft.world, being).public().to_hash() != key {
                return Err(ReplayError::NotItsKey { seq: draft.seq, being });
            }
        }
        Ok(())
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
        (computed.prev, computed.prev_seq) =
            self.admission.chain().reel(recorded.being).map_or((Hash::NOTHING, 0), |reel| (reel.hash, reel.seq));
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
