//! Proof: one frame of a history and what is needed to see that `@world` sealed it, without the history.
//!
//! Beside the frame it has one hash for each level of the tree under the head. Who trusts the key of `@world` need trust nothing else.

use data_encoding::HEXLOWER;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fact::{BeingId, FORMAT, Frame, FrameError, Hash, KeyError, PublicKey, Seq, Signature, WorldId};

use super::way::{head_above, height};

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
    /// Which frame it is.
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
        /// What the proof says.
        said: WorldId,
        /// What the frame says.
        found: WorldId,
    },
    /// The frame is another one.
    #[error("the proof is of frame {said}; the frame in it is frame {found}")]
    Seq {
        /// What the proof says.
        said: Seq,
        /// What the frame says.
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
        /// What the proof says.
        said: Hash,
    },
    /// A key is none, or is not whose it should be.
    #[error("`{field}` of the proof is not the key of {whose}")]
    Key {
        /// Which.
        field: &'static str,
        /// Whose it should be.
        whose: BeingId,
    },
    /// The head is not sealed.
    #[error("the head is not sealed by `rootKey`")]
    Seal,
    /// A key without a signature, or a signature without a key.
    #[error("the frame carries a signature of its own and `key` is null, or it carries none and `key` is one")]
    Bearing,
    /// The frame is not signed.
    #[error("the frame is not signed by `key`")]
    Signature,
}

impl Proof {
    /// The frame that it proves.
    ///
    /// In order: the format is known, the frame is one, of this world and seq; the head is over it; the path has as many hashes as it must, and leads to
    /// the head; `@world` has sealed that; and the frame's being has signed it, if it carries a signature.
    pub fn check(&self) -> Result<Frame, ProofError> {
        if self.format != FORMAT {
            return Err(ProofError::Format { found: self.format });
        }
        let frame = Frame::read(&self.frame)?;
        self.is_of(&frame)?;
        self.leads_to_head(frame.hash())?;
        let root = key(&self.root_key, "rootKey", BeingId::WORLD)?;
        root.verify(&self.head, &self.seal).map_err(|_| ProofError::Seal)?;
        self.is_signed(&frame, &root)?;
        Ok(frame)
    }

    fn is_signed(&self, frame: &Frame, root: &PublicKey) -> Result<(), ProofError> {
        let (said, signature) = match (&self.key, frame.signature()) {
            (None, None) => return Ok(()),
            (Some(key), Some(signature)) => (key, signature),
            (Some(_), None) | (None, Some(_)) => return Err(ProofError::Bearing),
        };
        let being = frame.draft().being;
        let own = key(said, "key", being)?;
        if being == BeingId::WORLD && own != *root {
            return Err(ProofError::Key { field: "key", whose: being });
        }
        own.verify(&frame.hash(), signature).map_err(|_: KeyError| ProofError::Signature)
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

fn key(said: &Hash, field: &'static str, whose: BeingId) -> Result<PublicKey, ProofError> {
    PublicKey::from_hash(said).map_err(|_| ProofError::Key { field, whose })
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
