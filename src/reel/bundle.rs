//! Bundle: some frames of a history in one file, with what shows that `@world` sealed them, without the history.
//!
//! They are all frames of a span, or those of one being; a moment is a span of one. Beside them stand the large values that they name, the
//! keys of their beings, the frames that answer for those without a signature, and the roots of the subtrees aside. It may carry the checkpoint before them, and all frames since, so
//! that their moments can be computed again.
//!
//! ```text
//! magic 8 | the bundle in canonical form | hash of all bytes before 32
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::canon::canon_struct;
use crate::fact::{
    BeingId, Bytes, Canon, CanonError, Content, FORMAT, Frame, FrameError, Hash, INLINE_MAX, Lineage, N, PublicKey, Seq, Signature, WorldId,
};

use super::answered::{AnswerError, Answering, BundleKey, Companion};
use super::aside::{asides_of, head_over};

const MAGIC: &[u8; 8] = b"reelmbnd";

/// Frames that prove themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameBundle {
    /// The format of the history.
    pub format: u64,
    /// The world, and those from which it comes, as far as the head is over them.
    pub lineage: Lineage,
    /// The being whose frames these are; none: everybody's.
    pub being: Option<BeingId>,
    /// The first of them.
    pub from: Seq,
    /// Behind the last of them.
    pub to: Seq,
    /// From which seq on everybody's frames are in it, so that their moments can be computed again; none: they cannot.
    pub since: Option<Seq>,
    /// The frames' bytes, in order.
    pub frames: Vec<Bytes>,
    /// The large values that they name, in the order in which they first do.
    pub values: Vec<Bytes>,
    /// The keys of those who signed them, but for `@world`.
    pub keys: Vec<BundleKey>,
    /// How many frames the head is over.
    pub count: u64,
    /// The roots of the subtrees that hold none of them, from left to right.
    pub asides: Vec<Hash>,
    /// The head.
    pub head: Hash,
    /// The signature of `@world` over it.
    pub seal: Signature,
    /// The frames by which those without a signature are believed, and which are not among `frames`, in order.
    pub companions: Vec<Companion>,
    /// The checkpoint of `since`, and those on which it stands, the lowest first; none where that is the beginning.
    pub rungs: Vec<Bytes>,
}

canon_struct!(FrameBundle { format, lineage, being, from, to, since, frames, values, keys, count, asides, head, seal, companions, rungs });

/// Why a bundle proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// Another kind of file.
    #[error("expected a bundle, as `reelm export FILE --moment @ada/7` writes one, found another kind of file")]
    NotOne,
    /// Its bytes cannot be read.
    #[error("the bundle was damaged or cut off: {0}")]
    Damaged(#[from] CanonError),
    /// Another format.
    #[error("the bundle has format {found}; this program knows {FORMAT}, so a newer one is needed")]
    Format {
        /// The format found.
        found: u64,
    },
    /// The worlds from which it comes do not belong together.
    #[error("the origin of its world does not hold: {what}")]
    Lineage {
        /// The fault.
        what: String,
    },
    /// One of its frames cannot be read.
    #[error("what stands at the place of frame {seq} is no frame: {source}")]
    Frame {
        /// The seq that it should have.
        seq: Seq,
        /// Why.
        #[source]
        source: FrameError,
    },
    /// Not the frames that it says.
    #[error("expected frame {expected} next, found {found}: a frame was left out, put in, or put in another place")]
    Order {
        /// The frame expected.
        expected: Seq,
        /// The frame found; none: the end.
        found: FrameOrEnd,
    },
    /// A frame is somebody else's.
    #[error("expected frames of {expected} alone, found frame {seq} of {found}")]
    Being {
        /// The being that they should belong to.
        expected: BeingId,
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        found: BeingId,
    },
    /// A frame is of another world.
    #[error("frame {seq} is of the world {found}; the bundle is of the world {expected}")]
    World {
        /// The frame.
        seq: Seq,
        /// The world of the bundle there.
        expected: WorldId,
        /// The frame's.
        found: WorldId,
    },
    /// The frame before it on its reel is another one.
    #[error("frame {seq}, n {n} of {being}, does not go on from n {before}, which stands before it here: a frame was left out or changed")]
    Reel {
        /// The frame.
        seq: Seq,
        /// The being that wrote it.
        being: BeingId,
        /// Its n.
        n: N,
        /// The n of the one before it in the bundle.
        before: N,
    },
    /// Nobody answers for one of its frames.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// A large value is not there.
    #[error("frame {seq} names a value with the hash {hash}, which is not the next one in the bundle: it was left out or changed")]
    Value {
        /// The frame.
        seq: Seq,
        /// Its hash.
        hash: Hash,
    },
    /// Something that no frame names.
    #[error("a value of {len} bytes stands in it that none of its frames names")]
    StrayValue {
        /// How long it is.
        len: usize,
    },
    /// The head is not over all frames.
    #[error("its head is over {count} frames, the last of which has a lower seq than frame {seq}")]
    Beyond {
        /// The last frame.
        seq: Seq,
        /// How many frames.
        count: u64,
    },
    /// Too many hashes, or too few.
    #[error("expected {expected} hashes beside its frames, found {found}")]
    Asides {
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The frames lead to another head.
    #[error("its frames lead to another head than the one that was sealed: a frame, a hash beside them or the head was changed")]
    Head,
    /// The head is not sealed.
    #[error("the head is not sealed by the world that the bundle names: seal, head or key are another world's, or were changed")]
    Seal,
    /// It has a checkpoint where none belongs, or none where one does.
    #[error("it begins at frame {since} and has {found} checkpoints, of which the frames there need {}", if *since == 0 { "none" } else { "one or more" })]
    Rungs {
        /// Where it begins.
        since: Seq,
        /// How many there are.
        found: usize,
    },
    /// A part that no seal covers was changed.
    #[error("its frames hold, and something beside them was changed: the hash that closes the file is another")]
    Check,
}

/// A frame, or that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameOrEnd(pub Option<Seq>);

impl std::fmt::Display for FrameOrEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(seq) => write!(f, "frame {seq}"),
            None => f.write_str("the end"),
        }
    }
}

impl FrameBundle {
    /// The bytes of its file.
    pub fn to_file(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.to_canon());
        let check = Hash::of(&bytes);
        bytes.extend(check.0);
        bytes
    }

    /// Whether a file begins like one.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads one from the bytes of its file and checks all of it.
    pub fn open(bytes: &[u8]) -> Result<(Self, Vec<Frame>), BundleError> {
        let behind = bytes.strip_prefix(MAGIC).ok_or(BundleError::NotOne)?;
        let (own, check) = behind.split_last_chunk::<32>().ok_or(CanonError::Truncated { at: bytes.len() })?;
        let bundle = Self::from_canon(own)?;
        let frames = bundle.check()?;
        let sum = bytes.get(..MAGIC.len() + own.len()).map(Hash::of);
        if sum == Some(Hash(*check)) { Ok((bundle, frames)) } else { Err(BundleError::Check) }
    }

    /// Its frames.
    ///
    /// In order: the format is known; the worlds belong together; the frames are those that it says, of these worlds; somebody answers for
    /// each, with keys and companions that are all needed; each reel goes on; the large values are there, and no other; the frames lead to the head; `@world` has sealed
    /// that; and it has a checkpoint if it needs one.
    pub fn check(&self) -> Result<Vec<Frame>, BundleError> {
        if self.format != FORMAT {
            return Err(BundleError::Format { found: self.format });
        }
        let behind = self.lineage.origins.last().filter(|origin| origin.seq > self.count);
        let fault = self.lineage.fault().or_else(|| behind.map(|origin| format!("it lies at {}, behind the head", origin.seq)));
        let other = self.lineage.origin_at(self.count).filter(|origin| origin.head != self.head);
        let fault = fault.or_else(|| other.map(|origin| format!("its head at {} is not the one of the bundle", origin.seq)));
        if let Some(what) = fault {
            return Err(BundleError::Lineage { what });
        }
        let frames = self.in_order()?;
        let Self { lineage, count, head, companions, keys, .. } = self;
        Answering { lineage, count: *count, head: *head, frames: &frames, companions, keys }.check()?;
        reels(&frames)?;
        self.valued(&frames)?;
        self.sealed(&frames)?;
        match self.since {
            Some(since) if (since == 0) != self.rungs.is_empty() => Err(BundleError::Rungs { since, found: self.rungs.len() }),
            None if !self.rungs.is_empty() => Err(BundleError::Rungs { since: 0, found: self.rungs.len() }),
            Some(_) | None => Ok(frames),
        }
    }

    /// The large values, by their hashes.
    pub fn values(&self) -> impl Iterator<Item = (Hash, &Bytes)> {
        self.values.iter().map(|value| (Hash::of(&value.0), value))
    }

    /// Whether a frame is one of those that it is about, and not only one that lies between the checkpoint and them.
    pub fn is_about(&self, frame: &Frame) -> bool {
        let draft = frame.draft();
        (self.from..self.to).contains(&draft.seq) && self.being.is_none_or(|being| being == draft.being)
    }

    /// Its frames, which are those that it says.
    fn in_order(&self) -> Result<Vec<Frame>, BundleError> {
        let first = self.since.unwrap_or(self.from);
        let is_whole = self.being.is_none() || self.since.is_some();
        let (mut frames, mut expected) = (Vec::with_capacity(self.frames.len()), first);
        for bytes in &self.frames {
            let frame = Frame::read(&bytes.0).map_err(|source| BundleError::Frame { seq: expected, source })?;
            let (seq, being, found) = (frame.draft().seq, frame.draft().being, frame.draft().world);
            let is_next = if is_whole || frames.is_empty() { seq == expected } else { seq >= expected };
            if !is_next || seq >= self.to {
                return Err(BundleError::Order { expected, found: FrameOrEnd(Some(seq)) });
            }
            if let Some(expected) = self.being.filter(|expected| *expected != being && (self.since.is_none() || seq == self.from)) {
                return Err(BundleError::Being { expected, seq, found: being });
            }
            let world = self.lineage.reign(seq).world;
            if found != world {
                return Err(BundleError::World { seq, expected: world, found });
            }
            expected = seq + 1;
            frames.push(frame);
        }
        let last = frames.last().filter(|frame| self.is_about(frame));
        if expected != self.to || last.is_none() || first > self.from || self.from >= self.to {
            return Err(BundleError::Order { expected, found: FrameOrEnd(None) });
        }
        Ok(frames)
    }

    /// The large values are those that the frames name, in the order in which they first do.
    fn valued(&self, frames: &[Frame]) -> Result<(), BundleError> {
        let (mut values, mut known) = (self.values(), BTreeSet::new());
        for frame in frames {
            for content in frame.draft().contents() {
                let Content::There { hash, len } = content else { continue };
                if known.insert((*hash, *len))
                    && values
                        .next()
                        .is_none_or(|(found, value)| found != *hash || value.0.len() as u64 != *len || value.0.len() <= INLINE_MAX)
                {
                    return Err(BundleError::Value { seq: frame.draft().seq, hash: *hash });
                }
            }
        }
        values.next().map_or(Ok(()), |(_, value)| Err(BundleError::StrayValue { len: value.0.len() }))
    }

    /// The frames lead to the head, and that is sealed.
    fn sealed(&self, frames: &[Frame]) -> Result<(), BundleError> {
        let chosen: Vec<(Seq, Hash)> = frames.iter().map(|frame| (frame.draft().seq, frame.hash())).collect();
        let seqs: Vec<Seq> = chosen.iter().map(|(seq, _)| *seq).collect();
        if let Some(seq) = seqs.last().filter(|seq| **seq >= self.count) {
            return Err(BundleError::Beyond { seq: *seq, count: self.count });
        }
        let (expected, found) = (asides_of(&seqs, self.count), self.asides.len());
        if expected != found {
            return Err(BundleError::Asides { expected, found });
        }
        if head_over(&chosen, self.count, &self.asides) != Some(self.head) {
            return Err(BundleError::Head);
        }
        let key = PublicKey::from_hash(&self.lineage.root_key).map_err(|_| BundleError::Seal)?;
        key.verify(&self.head, &self.seal).map_err(|_| BundleError::Seal)
    }
}

/// Each frame of a being goes on from the one of it that stands before it: none was left out between them.
fn reels(frames: &[Frame]) -> Result<(), BundleError> {
    let mut reels: BTreeMap<BeingId, &Frame> = BTreeMap::new();
    for frame in frames {
        let draft = frame.draft();
        let (seq, being, n) = (draft.seq, draft.being, draft.n);
        if let Some(before) = reels.insert(being, frame) {
            let last = before.draft();
            if last.n.checked_add(1) != Some(n) || draft.prev_seq != last.seq || draft.prev != before.hash() {
                return Err(BundleError::Reel { seq, being, n, before: last.n });
            }
        }
    }
    Ok(())
}
