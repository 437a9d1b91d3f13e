//! Anchor: a sealed head of a history, kept elsewhere to know it again: even a holder of all its keys cannot rewrite it unseen then.

use serde::{Deserialize, Serialize};

use crate::fact::{FORMAT, Hash, Peaks, PublicKey, Seq, Signature, WorldId};

use super::proof::hex_signature;

/// The head over the first frames of a world, with its seal, and the peaks from which it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Anchor {
    /// The format of the history.
    pub format: u64,
    /// The world.
    pub world: WorldId,
    /// The key of `@world`.
    pub root_key: Hash,
    /// How many frames the head is over: all below this seq.
    pub seq: Seq,
    /// The head.
    pub head: Hash,
    /// The signature of `@world` over it.
    #[serde(deserialize_with = "hex_signature")]
    pub seal: Signature,
    /// The peaks that the head hashes, the highest mountain first: they show where another history differs.
    pub peaks: Vec<Hash>,
}

/// Why an anchor holds nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnchorError {
    /// Another format.
    #[error("the anchor has format {found}; this program knows {FORMAT}, so a newer one is needed")]
    Format {
        /// The format found.
        found: u64,
    },
    /// Its parts do not belong together.
    #[error("the anchor was changed: its head is not the one that its peaks come to, or `@world` has not sealed it")]
    Changed,
}

impl Anchor {
    /// Checks it by itself. In order: its format is known, its peaks come to its head, the key that it names has sealed that.
    pub fn check(&self) -> Result<(), AnchorError> {
        if self.format != FORMAT {
            return Err(AnchorError::Format { found: self.format });
        }
        let peaks = Peaks::going_on(self.seq, self.peaks.clone()).filter(|peaks| peaks.head() == self.head);
        let key = PublicKey::from_hash(&self.root_key).ok();
        let is_sealed = key.is_some_and(|key| key.verify(&self.head, &self.seal).is_ok());
        if peaks.is_some() && is_sealed { Ok(()) } else { Err(AnchorError::Changed) }
    }

    /// Where another range over as many frames differs first: those frames, or none if it is the same.
    pub fn differs(&self, found: &Peaks) -> Option<std::ops::Range<Seq>> {
        let (mut from, mut rest) = (0, self.seq);
        for (ours, theirs) in self.peaks.iter().zip(found.as_slice()) {
            let mountain = rest.checked_ilog2().map_or(0, |height| 1 << height);
            if ours != theirs {
                return Some(from..from + mountain);
            }
            (from, rest) = (from + mountain, rest - mountain);
        }
        (self.head != found.head()).then_some(from..self.seq)
    }
}
