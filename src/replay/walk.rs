//! Walk: each frame's moment is opened, thought and closed again; its draft must be the recorded one, byte for byte.
//!
//! Signatures are checked on threads of their own while the walk goes on. Checking that the reels hold needs no world;
//! recomputing moments needs the world as of each one's `opened`, which is a handle taken when the fold came by.

use std::sync::Arc;

use crate::fact::{BeingId, Draft, Frame, Hash, Lineage, Seq, Thought, Value, WakeKind, WorldId};
use crate::moment::{SEMANTICS, genesis};
use crate::past::{BundledError, Kept, LoadError, Loaded, begun_in, identity};
use crate::reel::{Admission, FrameBundle, Identity, Recorded};
use crate::store::{Beginning, RecordPlace, Store, Stored};
use crate::world::World;

use super::again::Again;
use super::compare::{Difference, compare, differs};
use super::opened::OpenedWorlds;
use super::seals::{Sealed, Seals, checked};
use super::stage::{Stage, keys_of};

/// Why a history cannot be replayed at all.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It cannot be read, chained or folded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It is a bundle that carries nothing to begin at.
    #[error(transparent)]
    Bundled(#[from] BundledError),
    /// It follows rules that this program does not know.
    #[error(
        "the world follows semantics version {found}; this program replays version {SEMANTICS}: use the program that it was run with, or `reelm verify`"
    )]
    Semantics {
        /// The version found.
        found: i64,
    },
}

/// The result of a replay.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// How many frames were walked.
    pub frames: u64,
    /// How many of them were recomputed.
    pub moments: u64,
    /// How many of them carry no signature of their own, and are covered by the seals.
    pub covered: u64,
    /// The head over all of them.
    pub head: Hash,
    /// The hash of the world at the end.
    pub world: Hash,
    /// The first difference.
    pub difference: Option<Difference>,
}

/// The scope of a replay.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thread {
    /// Only this being's moments are recomputed; all others are only folded.
    pub being: Option<BeingId>,
    /// Nothing is recomputed: chain, fold and signatures only.
    pub only_verify: bool,
    /// Moments before this seq are only folded.
    pub from: Seq,
}

/// Shown the world after each frame.
pub type Progress<'a> = &'a mut dyn FnMut(&World);

/// Walks a history from genesis or, where what lies before was archived, from the checkpoint there. A signature that does not hold is said before anything else that is wrong.
pub fn replay(store: &dyn Store, id: WorldId, thread: Thread, progress: Progress<'_>) -> Result<Replayed, ReplayError> {
    let identity = identity(store)?;
    let lineage = identity.as_ref().map_or_else(|| Arc::new(Lineage::plain(id)), |identity| identity.lineage.clone());
    let Loaded { world, chain, blobs, .. } = Loaded::beginning(store, lineage)?;
    if world.next_seq() > 0 && !thread.only_verify {
        known(world.world_setting("semantics").as_int())?;
    }
    let place = RecordPlace { file: "beginning".into(), offset: 0 };
    let admission = Admission::going_on(chain, blobs, identity).map_err(LoadError::at(place))?.deriving();
    let mut kept = Kept::default();
    for hash in store.beginning().into_iter().flat_map(Beginning::value_names) {
        kept.0.extend(store.blob(&hash).map_err(LoadError::from)?.map(|bytes| (hash, bytes)));
    }
    let mut walk = Walk { kept, world: Arc::new(world), ..Walk::new(admission, thread) };
    checked(|seals| walk.all(store, seals, progress))
}

/// Walks the frames of a bundle that was checked, from the checkpoint in it on; only the moments that it is about are computed again.
pub fn replay_bundle(bundle: &FrameBundle, frames: &[Frame], progress: Progress<'_>) -> Result<Replayed, ReplayError> {
    let Loaded { world, chain, blobs, .. } = begun_in(bundle)?;
    if world.next_seq() > 0 {
        known(world.world_setting("semantics").as_int())?;
    }
    let begins = frames.first().and_then(|first| first.draft().first_config("simulated"));
    let simulated = begins.unwrap_or(world.world_setting("simulated")).as_bool().unwrap_or_default();
    let place = || RecordPlace { file: "the bundle".into(), offset: 0 };
    let identity = Some(Identity { lineage: chain.lineage().clone(), simulated });
    let mut admission = Admission::going_on(chain, blobs, identity).map_err(LoadError::at(place()))?.deriving();
    let mut kept = Kept::default();
    for (hash, value) in bundle.values() {
        admission.pass_blob(hash, &value.0);
        kept.0.insert(hash, value.0.clone());
    }
    let thread = Thread { being: bundle.being, from: bundle.from, only_verify: false };
    let mut walk = Walk { kept, world: Arc::new(world), ..Walk::new(admission, thread) };
    checked(|seals| {
        let mut difference = None;
        for frame in frames {
            if difference.is_some() || seals.are_broken() {
                break;
            }
            let draft = frame.draft();
            let recorded = Recorded { seq: draft.seq, being: draft.being, n: draft.n };
            difference = walk.frame(recorded, frame.bytes(), place(), seals)?;
            progress(&walk.world);
        }
        Ok(walk.done(difference))
    })
}

/// Whether a world follows rules that this program knows.
fn known(semantics: Option<i64>) -> Result<(), ReplayError> {
    semantics.filter(|found| *found != SEMANTICS).map_or(Ok(()), |found| Err(ReplayError::Semantics { found }))
}

struct Walk {
    thread: Thread,
    /// The first seq that is walked.
    begins: Seq,
    world: Arc<World>,
    opened: OpenedWorlds,
    admission: Admission,
    kept: Kept,
    again: Again,
    /// The newest round, by the world on which it opened, and how many moments of it there have been.
    round: (Seq, usize),
    frames: u64,
    moments: u64,
    covered: u64,
}

impl Walk {
    fn new(admission: Admission, thread: Thread) -> Self {
        let world = Arc::new(World::of(admission.chain().lineage().clone()));
        Self {
            thread,
            begins: admission.chain().next(),
            opened: OpenedWorlds::default(),
            world,
            admission,
            kept: Kept::default(),
            again: Again::new(),
            round: (0, 0),
            frames: 0,
            moments: 0,
            covered: 0,
        }
    }

    fn all(&mut self, store: &dyn Store, seals: &mut Seals, progress: Progress<'_>) -> Result<Replayed, ReplayError> {
        let mut difference = None;
        for entry in store.read(store.begins()).map_err(LoadError::from)? {
            if difference.is_some() || seals.are_broken() {
                break;
            }
            match entry.map_err(LoadError::from)? {
                Stored::Blob { hash, bytes, at } => {
                    self.admission.blob(hash, &bytes).map_err(LoadError::at(at))?;
                    self.kept.0.insert(hash, bytes);
                }
                Stored::Frame { seq, being, n, bytes, at } => {
                    difference = self.frame(Recorded { seq, being, n }, &bytes, at, seals)?;
                    progress(&self.world);
                }
                Stored::Commit { commit, at } => {
                    self.admission.commit(&commit.head).map_err(LoadError::at(at.clone()))?;
                    seals.add(Sealed::head(self.admission.chain(), &commit.seal, at));
                }
            }
        }
        Ok(self.done(difference))
    }

    fn done(&self, difference: Option<Difference>) -> Replayed {
        let (head, world) = (self.admission.chain().head(), self.world.hash());
        Replayed { frames: self.frames, moments: self.moments, covered: self.covered, head, world, difference }
    }

    /// Takes the next frame: admitted, its signature handed over, its moment walked again, folded.
    fn frame(&mut self, recorded: Recorded, bytes: &[u8], at: RecordPlace, seals: &mut Seals) -> Result<Option<Difference>, ReplayError> {
        let admitted = self.admission.frame(recorded, bytes).map_err(LoadError::at(at.clone()))?;
        admitted.owed().for_each(|owed| seals.add(Sealed::frame(owed, recorded.seq, at.clone())));
        self.covered += u64::from(admitted.frame.signature().is_none());
        let draft = admitted.frame.draft();
        let difference = self.moment(draft)?;
        self.admission.advance(&admitted).map_err(LoadError::at(at))?;
        Arc::make_mut(&mut self.world).apply(draft, &self.kept).map_err(LoadError::from)?;
        self.frames += 1;
        Ok(difference)
    }

    /// Recomputes the moment of a recorded draft on the world as it is now, and compares.
    fn moment(&mut self, recorded: &Draft) -> Result<Option<Difference>, ReplayError> {
        if self.thread.only_verify {
            return Ok(None);
        }
        self.opened.note(recorded, &self.world);
        if let Some(difference) = self.crowded(recorded) {
            return Ok(Some(difference));
        }
        if recorded.seq < self.thread.from || self.thread.being.is_some_and(|being| being != recorded.being) {
            return Ok(None);
        }
        // The world on which it was opened may be archived: the frame is folded as it was recorded.
        if recorded.opened < self.begins {
            return Ok(None);
        }
        self.moments += 1;
        let key_of = keys_of(recorded);
        let mut computed = if recorded.seq == 0 {
            let args = recorded.call.as_ref().and_then(|call| self.kept.value(&call.args)).unwrap_or_default();
            known(recorded.first_config("semantics").and_then(Value::as_int))?;
            genesis(recorded.world, &args, recorded.at, &key_of)
        } else {
            let opened = self.opened.of(recorded).or_else(|| self.opened.newest()).unwrap_or(&self.world);
            match self.again.moment(recorded, &Stage { opened, now: &self.world, kept: &self.kept, key_of: &key_of }) {
                Ok(draft) => draft,
                Err(difference) => return Ok(Some(*difference)),
            }
        };
        computed.shed();
        (computed.prev, computed.prev_seq) =
            self.admission.chain().reel(recorded.being).map_or((Hash::NOTHING, 0), |reel| (reel.hash, reel.seq));
        Ok(compare(recorded, &computed))
    }

    /// A round that holds more moments than its world lets it.
    fn crowded(&mut self, recorded: &Draft) -> Option<Difference> {
        // Acts of people are in no round, and a model's moment counts in the round whose frame records that it was asked.
        if recorded.wake.kind == WakeKind::Gesture
            || recorded.thought == Thought::Given
            || matches!(recorded.thought, Thought::Model { .. })
        {
            return None;
        }
        let count = if self.round.0 == recorded.opened { self.round.1 + 1 } else { 1 };
        self.round = (recorded.opened, count);
        let most = self.world.round_moments();
        (count > most)
            .then(|| *differs(recorded, "intake", "opened", &recorded.opened, format!("a later one: a round holds {most} moments")))
    }
}
