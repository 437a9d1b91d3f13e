//! Proof: one frame of a history and what is needed to see that `@world` sealed it, without the history.
//!
//! Beside the frame it has one hash for each level of the tree under the head. A reader who trusts the key of `@world` need trust nothing else.
//! Where the frame carries no signature, the frames stand beside it that let the seal answer for it, each with its own way up.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fact::{
    BeingId, Bytes, FORMAT, ForkOrigin, Frame, FrameError, Hash, Lineage, PublicKey, Reign, Seq, Signature, WithinGroup, WorldId,
    head_above, height,
};

use super::answered::{AnswerError, Answering, BundleKey, Companion};

/// A frame, its way up to a head, and the seal over it; as JSON, all bytes in hex.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proof {
    /// The format of the history.
    pub format: u64,
    /// The world.
    pub world: WorldId,
    /// The key of `@world`: whom one has to trust.
    pub root_key: Hash,
    /// Where the world comes from, if it is a fork, the first origin first.
    pub origins: Vec<ProofOrigin>,
    /// The seq of the frame.
    pub seq: Seq,
    /// The frame's bytes.
    #[serde(with = "hex")]
    pub frame: Vec<u8>,
    /// The key of its being, as its birth records it; null where the frame carries no signature of its own.
    pub key: Option<Hash>,
    /// How many frames the head is over.
    pub count: u64,
    /// The hashes beside the way from the frame up to the root, from below, one behind the other.
    #[serde(with = "hex_hashes")]
    pub path: Vec<Hash>,
    /// The head.
    pub head: Hash,
    /// The signature of `@world` over it.
    #[serde(deserialize_with = "hex_signature")]
    pub seal: Signature,
    /// The frames by which one without a signature is believed, in order; none where the frame is signed.
    pub companions: Vec<ProofCompanion>,
}

/// Where a fork goes on from its parent, as far as a proof needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProofOrigin {
    /// The parent.
    pub world: WorldId,
    /// The key of the parent's `@world`.
    pub root_key: Hash,
    /// The seq of the fork's first own frame.
    pub seq: Seq,
    /// The parent's head there.
    pub head: Hash,
    /// The signature of the parent's `@world` over it.
    #[serde(deserialize_with = "hex_signature")]
    pub seal: Signature,
    /// Where the seq lies within a group of the parent: the way from the head there to the one that is sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<WithinGroup>,
    /// The fork's name.
    pub fork: String,
}

/// A frame that answers for the one that is proved, with its own way up to the same head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProofCompanion {
    /// Its bytes.
    #[serde(with = "hex")]
    pub frame: Vec<u8>,
    /// The key of its being; null where it carries no signature of its own.
    pub key: Option<Hash>,
    /// The hashes beside its way up.
    #[serde(with = "hex_hashes")]
    pub path: Vec<Hash>,
}

/// Why a proof does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// Another format.
    #[error("the proof has format {found}; this program knows {FORMAT}, so a newer one is needed")]
    Format {
        /// The format found.
        found: u64,
    },
    /// Its frame cannot be read.
    #[error("what it holds is no frame: {0}")]
    Frame(#[from] FrameError),
    /// The frame is of another world.
    #[error("the proof is of the world {said}; the frame in it is of the world {found}")]
    World {
        /// The world that the proof states.
        said: WorldId,
        /// The world that the frame states.
        found: WorldId,
    },
    /// The frame is another one.
    #[error("the proof is of frame {said}; the frame in it is frame {found}")]
    Seq {
        /// The seq that the proof states.
        said: Seq,
        /// The seq that the frame states.
        found: Seq,
    },
    /// The head is over fewer frames.
    #[error("the proof is of frame {seq}; its head is over {count} frames, the last of which has a lower seq")]
    Beyond {
        /// The frame.
        seq: Seq,
        /// How many frames.
        count: u64,
    },
    /// The path is too long or too short.
    #[error("the path from frame {seq} to a head over {count} frames has {expected} hashes; that of the proof has {found}")]
    Height {
        /// The frame.
        seq: Seq,
        /// How many frames.
        count: u64,
        /// How many hashes it has.
        expected: usize,
        /// How many were found.
        found: usize,
    },
    /// The path leads elsewhere.
    #[error("the path leads from the frame to the head {found}; the proof says {said}: frame, path or count is not what was sealed")]
    Head {
        /// Where it leads.
        found: Hash,
        /// The head that the proof states.
        said: Hash,
    },
    /// A key is none, or is not whose it should be.
    #[error("`{field}` of the proof is not the key of {whose}")]
    Key {
        /// Which.
        field: &'static str,
        /// The being whose key it should be.
        whose: BeingId,
    },
    /// The worlds from which it comes do not belong together.
    #[error("the origin of its world does not hold: {what}")]
    Lineage {
        /// The fault.
        what: String,
    },
    /// The head is not sealed.
    #[error("the head is not sealed by `rootKey`")]
    Seal,
    /// A key without a signature, or a signature without a key.
    #[error("frame {seq} carries a signature of its own and `key` is null, or it carries none and `key` is one")]
    Bearing {
        /// The frame.
        seq: Seq,
    },
    /// Nobody answers for the frame.
    #[error(transparent)]
    Answer(#[from] AnswerError),
}

impl Proof {
    /// The frame that it proves.
    ///
    /// In order: the format is known, the frame is one, of this world and seq; the head is over it; the path has as many hashes as it must, and leads to
    /// the head; `@world` has sealed that; the worlds from which it comes belong together; and the frame's being answers for it.
    pub fn check(&self) -> Result<Frame, ProofError> {
        if self.format != FORMAT {
            return Err(ProofError::Format { found: self.format });
        }
        let frame = Frame::read(&self.frame)?;
        self.is_of(&frame)?;
        self.leads_to_head(frame.hash())?;
        let root = PublicKey::from_hash(&self.root_key).map_err(|_| ProofError::Key { field: "rootKey", whose: BeingId::WORLD })?;
        root.verify(&self.head, &self.seal).map_err(|_| ProofError::Seal)?;
        self.is_answered(&frame)?;
        Ok(frame)
    }

    /// From which worlds the frame comes; what a proof does not say of them is left empty.
    fn lineage(&self) -> Result<Lineage, ProofError> {
        let names = std::iter::once("").chain(self.origins.iter().map(|origin| origin.fork.as_str()));
        let origin = |(ProofOrigin { world, root_key, seq, head, seal, within, .. }, name): (&ProofOrigin, &str)| ForkOrigin {
            world: *world,
            root_key: *root_key,
            name: name.to_owned(),
            seq: *seq,
            number: 0,
            commit: Hash::NOTHING,
            head: *head,
            seal: *seal,
            within: within.clone(),
        };
        let name = self.origins.last().map(|origin| origin.fork.clone()).unwrap_or_default();
        let origins = self.origins.iter().zip(names).map(origin).collect();
        let lineage = Lineage { origins, world: self.world, root_key: self.root_key, name };
        let behind = lineage.origins.last().filter(|origin| origin.seq > self.seq);
        let fault = lineage.fault().or_else(|| behind.map(|origin| format!("it lies at {}, behind the frame", origin.seq)));
        fault.map_or(Ok(lineage), |what| Err(ProofError::Lineage { what }))
    }

    /// Somebody answers for the frame; the proof says one key for each that is signed, and none for others.
    fn is_answered(&self, frame: &Frame) -> Result<(), ProofError> {
        let lineage = self.lineage()?;
        let mut keys: BTreeMap<(BeingId, Seq), Hash> = BTreeMap::new();
        let mut companions = Vec::with_capacity(self.companions.len());
        let mut take = |frame: &Frame, key: &Option<Hash>| {
            let (seq, being) = (frame.draft().seq, frame.draft().being);
            let Reign { root_key, began, .. } = lineage.reign(seq);
            match key.filter(|_| frame.signature().is_some()) {
                _ if key.is_some() != frame.signature().is_some() => Err(ProofError::Bearing { seq }),
                Some(key) if being == BeingId::WORLD && key != *root_key => Err(ProofError::Key { field: "key", whose: being }),
                Some(key) if being != BeingId::WORLD && keys.insert((being, began), key).is_some_and(|other| other != key) => {
                    Err(AnswerError::StrayKey { being }.into())
                }
                Some(_) | None => Ok(()),
            }
        };
        take(frame, &self.key)?;
        for ProofCompanion { frame, key, path } in &self.companions {
            take(&Frame::read(frame).map_err(AnswerError::from)?, key)?;
            companions.push(Companion { frame: Bytes(frame.as_slice().into()), path: path.clone() });
        }
        let keys: Vec<_> = keys.into_iter().map(|((being, began), key)| BundleKey { being, began, key }).collect();
        let (frames, count, head) = (std::slice::from_ref(frame), self.count, self.head);
        Answering { lineage: &lineage, count, head, frames, companions: &companions, keys: &keys }.check()?;
        Ok(())
    }

    fn is_of(&self, frame: &Frame) -> Result<(), ProofError> {
        let (world, seq) = (frame.draft().world, frame.draft().seq);
        if world != self.world {
            return Err(ProofError::World { said: self.world, found: world });
        }
        if seq != self.seq {
            return Err(ProofError::Seq { said: self.seq, found: seq });
        }
        if seq >= self.count { Err(ProofError::Beyond { seq, count: self.count }) } else { Ok(()) }
    }

    fn leads_to_head(&self, frame: Hash) -> Result<(), ProofError> {
        let Self { seq, count, .. } = *self;
        match head_above(seq, count, frame, &self.path) {
            Some(found) if found == self.head => Ok(()),
            Some(found) => Err(ProofError::Head { found, said: self.head }),
            None => Err(ProofError::Height { seq, count, expected: height(seq, count), found: self.path.len() }),
        }
    }
}

/// Bytes in hex, small letters.
mod hex {
    use super::*;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&HEXLOWER.encode_display(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(d)?;
        HEXLOWER.decode(text.as_bytes()).map_err(|_| D::Error::custom("expected hex digits, two a byte, small letters"))
    }
}

/// Hashes one behind the other.
mod hex_hashes {
    use super::*;

    pub(super) fn serialize<S: Serializer>(hashes: &[Hash], s: S) -> Result<S::Ok, S::Error> {
        hex::serialize(&hashes.iter().flat_map(|hash| hash.0).collect::<Vec<u8>>(), s)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Hash>, D::Error> {
        let bytes = hex::deserialize(d)?;
        let (hashes, rest) = bytes.as_chunks::<32>();
        if rest.is_empty() {
            Ok(hashes.iter().map(|hash| Hash(*hash)).collect())
        } else {
            Err(D::Error::custom("expected hashes of 64 hex digits each"))
        }
    }
}

pub(super) fn hex_signature<'de, D: Deserializer<'de>>(d: D) -> Result<Signature, D::Error> {
    hex::deserialize(d)?.try_into().map(Signature).map_err(|_| D::Error::custom("expected 128 hex digits"))
}
