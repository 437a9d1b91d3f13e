//! Answered: whether somebody answers for each of some frames under one head: its being by a signature, or the seal under a delegation.
//!
//! Proofs and bundles ask here alone. A frame without a signature is believed only together with its *companions*: the birth of its being with the
//! delegation in it, and in a fork the being's newest key. No field says how the world seals, so a forger has none to change.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::canon::canon_struct;
use crate::fact::{
    BeingId, Birth, BirthKey, Bytes, Frame, FrameError, Hash, KeyError, Lineage, PublicKey, Reign, Seq, WorldId, delegated, head_above,
};

/// A frame that answers for others, with its own way up to their head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Companion {
    /// Its bytes.
    pub frame: Bytes,
    /// The hashes beside the way from it up to the root, from below.
    pub path: Vec<Hash>,
}

/// The key of a being in one world of a lineage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleKey {
    /// Whose.
    pub being: BeingId,
    /// The seq at which that world began.
    pub began: Seq,
    /// The key.
    pub key: Hash,
}

canon_struct!(Companion { frame, path });
canon_struct!(BundleKey { being, began, key });

/// Why nobody answers for a frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// A companion cannot be read.
    #[error("a frame that should answer for another is none: {0}")]
    Companion(#[from] FrameError),
    /// A companion is of another world.
    #[error("frame {seq}, which should answer for another, is of the world {found}; expected the world {expected}")]
    World {
        /// The companion.
        seq: Seq,
        /// The world there.
        expected: WorldId,
        /// Its own.
        found: WorldId,
    },
    /// Companions stand in another order, twice, or are among the frames already.
    #[error("frame {seq} stands out of order among the frames that answer for others, twice, or needlessly")]
    Order {
        /// The companion.
        seq: Seq,
    },
    /// A companion lies under another head.
    #[error("frame {seq}, which should answer for another, does not lead to the same head: the frame or its path was changed")]
    Head {
        /// The companion.
        seq: Seq,
    },
    /// A companion for which no frame asks.
    #[error("frame {seq} stands in it and answers for none of its frames")]
    Stray {
        /// The companion.
        seq: Seq,
    },
    /// No key stands in it for a frame.
    #[error("frame {seq} of {being} is signed, and no key of {being} stands in it")]
    NoKey {
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        being: BeingId,
    },
    /// A key that belongs to none of its frames, or is not the one that a birth in it says.
    #[error("a key of {being} stands in it that none of its frames is signed with, twice, or that is another than its birth says")]
    StrayKey {
        /// Whose.
        being: BeingId,
    },
    /// A frame is not signed by its being.
    #[error("frame {seq} is not signed by {being}: the frame, its signature or the key was changed")]
    Signature {
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        being: BeingId,
    },
    /// A frame carries no signature, and no seal can answer for it.
    #[error("frame {seq} of {being} has lost its signature: what a person, @world or a new key in a fork did is always signed")]
    Unsigned {
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        being: BeingId,
    },
    /// The birth of a being is missing.
    #[error("frame {seq} carries no signature, and the birth of {being} (frame {}), which could let the seal answer for it, is missing", being.0.seq)]
    NoBirth {
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        being: BeingId,
    },
    /// A being has not delegated.
    #[error("frame {seq} of {being} has lost its signature: at its birth {being} did not let the seal answer for it")]
    Undelegated {
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        being: BeingId,
    },
    /// A delegation does not hold.
    #[error("the delegation in the birth of {being} is not signed with its key for the key of @world, so no seal answers for frame {seq}")]
    Delegation {
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        being: BeingId,
    },
    /// The being has not gone along into a fork.
    #[error("frame {seq} carries no signature, and the frame by which {being} took up a key in the fork that began at {began} is missing")]
    NotTaken {
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        being: BeingId,
        /// Where the fork began.
        began: Seq,
    },
}

/// Frames under one head, and what stands beside them.
pub(super) struct Answering<'a> {
    pub(super) lineage: &'a Lineage,
    /// How many frames the head is over.
    pub(super) count: u64,
    pub(super) head: Hash,
    /// The frames that are meant, ascending.
    pub(super) frames: &'a [Frame],
    pub(super) companions: &'a [Companion],
    /// The keys of those who signed any of them, but for `@world`.
    pub(super) keys: &'a [BundleKey],
}

/// The key of each being in each world, and whether a frame has needed it.
type KeysNeeded = BTreeMap<(BeingId, Seq), (PublicKey, bool)>;

/// The births, keys and delegations in the frames so far.
#[derive(Default)]
struct Vouched<'a> {
    births: BTreeMap<BeingId, &'a Birth>,
    /// The frame in which a being took up its key in the fork that began at a seq.
    taken: BTreeMap<(BeingId, Seq), Seq>,
    /// The beings whose delegations hold.
    delegated: BTreeSet<BeingId>,
    /// The frames that have answered for another.
    used: BTreeSet<Seq>,
}

impl Answering<'_> {
    /// The companions, read. It is not asked whether the frames that are meant lead to the head.
    ///
    /// In order: each companion is a frame of its world, behind the one before, none of the frames, and leads to the head; each frame is signed by the
    /// key that stands there or, where it carries no signature, was entrusted to the seal by a birth and a key before it; no companion and no
    /// key is there for nothing.
    pub(super) fn check(&self) -> Result<Vec<Frame>, AnswerError> {
        let companions = self.companions.iter().map(|companion| self.read(companion)).collect::<Result<Vec<_>, _>>()?;
        let mut all: BTreeMap<Seq, &Frame> = self.frames.iter().map(|frame| (frame.draft().seq, frame)).collect();
        let mut last = None;
        for frame in &companions {
            let seq = frame.draft().seq;
            if last.replace(seq) >= Some(seq) || all.insert(seq, frame).is_some() {
                return Err(AnswerError::Order { seq });
            }
        }
        let (mut keys, mut told) = (self.keyed()?, Vouched::default());
        for frame in all.values() {
            match frame.signature() {
                Some(_) => self.is_signed(frame, &mut keys)?,
                None => self.is_entrusted(frame, &mut told)?,
            }
            told.births.extend(frame.draft().births());
            let began = self.lineage.reign(frame.draft().seq).began;
            told.taken.extend(frame.draft().rekeyed().map(|_| ((frame.draft().being, began), frame.draft().seq)));
        }
        self.no_stray_key(all.into_values(), &keys)?;
        let stray = companions.iter().map(|frame| frame.draft().seq).find(|seq| !told.used.contains(seq));
        stray.map_or(Ok(companions), |seq| Err(AnswerError::Stray { seq }))
    }

    fn read(&self, companion: &Companion) -> Result<Frame, AnswerError> {
        let frame = Frame::read(&companion.frame.0)?;
        let (seq, found) = (frame.draft().seq, frame.draft().world);
        let expected = self.lineage.reign(seq).world;
        if found != expected {
            return Err(AnswerError::World { seq, expected, found });
        }
        match head_above(seq, self.count, frame.hash(), &companion.path) {
            Some(head) if head == self.head => Ok(frame),
            Some(_) | None => Err(AnswerError::Head { seq }),
        }
    }

    /// The keys, each with whether a frame has needed it.
    fn keyed(&self) -> Result<KeysNeeded, AnswerError> {
        let mut keys: BTreeMap<_, _> = BTreeMap::new();
        for BundleKey { being, began, key } in self.keys {
            let stray = || AnswerError::StrayKey { being: *being };
            let key = PublicKey::from_hash(key).map_err(|_: KeyError| stray())?;
            if *being == BeingId::WORLD || keys.last_key_value().is_some_and(|(last, _)| *last >= (*being, *began)) {
                return Err(stray());
            }
            keys.insert((*being, *began), (key, false));
        }
        Ok(keys)
    }

    fn is_signed(&self, frame: &Frame, keys: &mut KeysNeeded) -> Result<(), AnswerError> {
        let (seq, being) = (frame.draft().seq, frame.draft().being);
        let Reign { root_key, began, .. } = self.lineage.reign(seq);
        let key = if being == BeingId::WORLD {
            PublicKey::from_hash(root_key).map_err(|_| AnswerError::Signature { seq, being })?
        } else {
            let (key, is_needed) = keys.get_mut(&(being, began)).ok_or(AnswerError::NoKey { seq, being })?;
            *is_needed = true;
            *key
        };
        frame.verify(&key).map_err(|_| AnswerError::Signature { seq, being })
    }

    /// Whether the seal answers for a frame without a signature, as its being has let it.
    fn is_entrusted(&self, frame: &Frame, told: &mut Vouched<'_>) -> Result<(), AnswerError> {
        let draft = frame.draft();
        let (seq, being, born) = (draft.seq, draft.being, draft.being.0.seq);
        // By its own signature a being takes up its key in a fork.
        if being == BeingId::WORLD || !draft.is_entrusted() || draft.rekeyed().is_some() {
            return Err(AnswerError::Unsigned { seq, being });
        }
        let birth = told.births.get(&being).ok_or(AnswerError::NoBirth { seq, being })?;
        if !told.delegated.contains(&being) {
            let Reign { world, root_key, .. } = self.lineage.reign(born);
            let delegation = birth.delegation.ok_or(AnswerError::Undelegated { seq, being })?;
            let holds = BirthKey::said(birth.key).verify(&delegated(world, being, root_key), &delegation);
            holds.map_err(|_: KeyError| AnswerError::Delegation { seq, being })?;
            told.delegated.insert(being);
        }
        told.used.insert(born);
        let began = self.lineage.reign(seq).began;
        if born < began {
            told.used.insert(*told.taken.get(&(being, began)).ok_or(AnswerError::NotTaken { seq, being, began })?);
        }
        Ok(())
    }

    /// Each key is needed, and is the one that a birth or a fork's first frame among these says.
    fn no_stray_key<'a>(&self, frames: impl Iterator<Item = &'a Frame>, keys: &KeysNeeded) -> Result<(), AnswerError> {
        let said: BTreeMap<(BeingId, Seq), Hash> = frames.flat_map(|frame| self.said(frame)).collect();
        let is_stray = |(whose, (key, is_needed)): &(&(BeingId, Seq), &(PublicKey, bool))| {
            !is_needed || said.get(whose).is_some_and(|said| *said != key.to_hash())
        };
        keys.iter().find(is_stray).map_or(Ok(()), |((being, _), _)| Err(AnswerError::StrayKey { being: *being }))
    }

    /// The keys that a frame itself gives: to whom it bears, and in a fork to its own being.
    fn said(&self, frame: &Frame) -> Vec<((BeingId, Seq), Hash)> {
        let began = self.lineage.reign(frame.draft().seq).began;
        let births = frame.draft().births().map(|(being, birth)| ((being, began), birth.key));
        births.chain(frame.draft().rekeyed().map(|key| ((frame.draft().being, began), key))).collect()
    }
}
