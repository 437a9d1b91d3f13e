//! Admission: the one list of checks that a history passes, whoever reads it: opening, verify, replay, import, the portal.
//!
//! It takes the records of a store in order, and names the fault of one that is no history. The caller asks for the costly checks:
//! whether signatures hold ([`Unverified::verify`], [`Admission::verify_seal`]), and whether keys follow from the seed
//! ([`Admission::deriving`]).

use std::collections::VecDeque;
use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::{
    BeingId, Birth, BirthKey, Canon, Content, Draft, Frame, FrameError, Hash, INLINE_MAX, Lineage, Master, N, Reign, Seq, Signature, Value,
    WorldId, delegated, simulated,
};

use super::chain::{Chain, ChainError};

/// Why something is no part of a history.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    /// The bytes are no frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The record says another place in the world than its frame.
    #[error("the record says that it is frame {n} of {being}, in the world {seq}; the frame in it is another")]
    Record {
        /// The seq where it lies.
        seq: Seq,
        /// The being that the record names.
        being: BeingId,
        /// The n that the record names.
        n: N,
    },
    /// The frame does not continue the world.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// Attempts are counted from 1.
    #[error("frame {seq} says that it is no attempt; the first is number 1")]
    Attempt {
        /// The frame.
        seq: Seq,
    },
    /// Only `@world` is born of nothing, and it by the first fact of all.
    #[error("{being}, born in frame {seq}, has no parent, or is @world and has one")]
    Parent {
        /// The frame.
        seq: Seq,
        /// The being that is born.
        being: BeingId,
    },
    /// The frame names a value that does not stand before it.
    #[error("frame {seq} names the blob {hash}, which does not stand before it")]
    Missing {
        /// The frame.
        seq: Seq,
        /// The blob.
        hash: Hash,
    },
    /// The frame says another length of a blob than it has.
    #[error("frame {seq} says that the blob {hash} has {said} bytes; it has {found}")]
    Length {
        /// The frame.
        seq: Seq,
        /// The blob.
        hash: Hash,
        /// The length that the frame states.
        said: u64,
        /// Its real length.
        found: u64,
    },
    /// The blobs of a group stand in the order in which its frames first name them.
    #[error("frame {seq} names the blob {hash} before one that stands earlier in its group")]
    Disorder {
        /// The frame.
        seq: Seq,
        /// The blob.
        hash: Hash,
    },
    /// A blob stands behind a frame of its group.
    #[error("the blob {hash} stands behind a frame of its group")]
    Late {
        /// The blob.
        hash: Hash,
    },
    /// A blob that a frame would carry itself.
    #[error("the blob {hash} has {found} bytes; values of up to {INLINE_MAX} stand in their frame")]
    Small {
        /// The blob.
        hash: Hash,
        /// Its length.
        found: usize,
    },
    /// A blob that is no value.
    #[error("the blob {hash} is not one value in canonical form")]
    NotAValue {
        /// The blob.
        hash: Hash,
    },
    /// A blob is there already.
    #[error("the blob {hash} is in the log already")]
    Twice {
        /// The blob.
        hash: Hash,
    },
    /// A blob that nobody names.
    #[error("no frame of its group names the blob {hash}")]
    Unnamed {
        /// The blob.
        hash: Hash,
    },
    /// A group without a frame.
    #[error("the group behind frame {seq} holds no frame")]
    Empty {
        /// The frame before it.
        seq: Seq,
    },
    /// The frames are not those that `@world` sealed.
    #[error("the head after frame {seq} is {found}, but {sealed} was sealed")]
    Head {
        /// The last frame of the group.
        seq: Seq,
        /// The hash over the frames.
        found: Hash,
        /// The hash that the commit states.
        sealed: Hash,
    },
    /// A frame carries no signature where it has to, or one where the seals cover it.
    #[error("frame {seq} of {being} carries {found}; expected {expected}, as its world seals")]
    Bearing {
        /// The frame.
        seq: Seq,
        /// Its writer.
        being: BeingId,
        /// The signature that is due: one, or none.
        expected: &'static str,
        /// The signature that it carries.
        found: &'static str,
    },
    /// A new being has not delegated to the seals as its world says.
    #[error(
        "{being}, born in frame {seq}, delegates to the seals where it must not (a person, or where each frame is signed), or does not where its world seals in batches"
    )]
    Undelegated {
        /// The frame of its birth.
        seq: Seq,
        /// The being.
        being: BeingId,
    },
    /// A delegation is not signed by the being.
    #[error("the delegation of {being}, born in frame {seq}, is not signed with its key for the key of @world")]
    Delegation {
        /// The frame of its birth.
        seq: Seq,
        /// The being.
        being: BeingId,
    },
    /// A frame does not carry its being's signature.
    #[error("frame {seq} of {being} does not carry its being's signature")]
    Signature {
        /// The frame.
        seq: Seq,
        /// Its writer.
        being: BeingId,
    },
    /// A head is not sealed.
    #[error("the head after frame {seq} is not sealed by @world")]
    Seal {
        /// The last frame of the group.
        seq: Seq,
    },
    /// A key of a simulated world is not the one that follows from its seed.
    #[error("the key of {being}, which frame {seq} gives it, does not follow from the seed, as those of a simulated world do")]
    NotItsKey {
        /// The frame of its birth, or its first one in a fork.
        seq: Seq,
        /// The being.
        being: BeingId,
    },
    /// The id of a simulated world is not the one that follows from its name and seed.
    #[error("the id of the world does not follow from its name and seed, as that of a simulated world does")]
    NotItsId,
    /// The history is of another world than is said of it.
    #[error("`world.toml` says that {what} is `{said}`; the history's first frame says `{found}`")]
    Identity {
        /// What.
        what: &'static str,
        /// The value in `world.toml`.
        said: String,
        /// The value in the history.
        found: String,
    },
}

/// The identity of a world as its store states it: its first frame must say the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its id, its name and the key of its `@world`, and those of the worlds from which it comes.
    pub lineage: Arc<Lineage>,
    /// Whether its keys follow from its seed.
    pub simulated: bool,
}

/// The header of a frame in its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its place in the world.
    pub seq: Seq,
    /// The being that wrote it.
    pub being: BeingId,
    /// Its place on the reel.
    pub n: N,
}

/// A frame that goes on from where the history stands; its signature is not checked yet.
#[derive(Debug)]
pub struct Unverified {
    /// The frame.
    pub frame: Frame,
    /// The key that must have signed it.
    key: BirthKey,
    /// The key of `@world`.
    root: Hash,
    /// How many blobs it names for the first time.
    fresh: usize,
}

/// A signature in a history: whose it has to be, over what, and what is wrong if it does not hold.
#[derive(Clone, Debug)]
pub struct Owed {
    /// The key.
    pub key: BirthKey,
    /// The hash that is signed.
    pub hash: Hash,
    /// The signature.
    pub signature: Signature,
    /// The error where it does not hold.
    pub wrong: AdmissionError,
}

impl Owed {
    /// Whether it holds.
    pub fn holds(&self) -> bool {
        self.key.verify(&self.hash, &self.signature).is_ok()
    }
}

impl Unverified {
    /// The signatures in it: its being's, if it carries one, and that of each who is born and delegates to the seals.
    pub fn owed(&self) -> impl Iterator<Item = Owed> {
        let draft = self.frame.draft();
        let (seq, being, world) = (draft.seq, draft.being, draft.world);
        let wrong = AdmissionError::Signature { seq, being };
        let own = self.frame.signature().map(|signature| Owed { key: self.key.clone(), hash: self.frame.hash(), signature, wrong });
        let delegations = draft.births().filter_map(move |(being, birth)| {
            let (key, hash) = (BirthKey::said(birth.key), delegated(world, being, &self.root));
            birth.delegation.map(|signature| Owed { key, hash, signature, wrong: AdmissionError::Delegation { seq, being } })
        });
        own.into_iter().chain(delegations)
    }

    /// Checks them.
    pub fn verify(&self) -> Result<(), AdmissionError> {
        self.owed().find(|owed| !owed.holds()).map_or(Ok(()), |owed| Err(owed.wrong))
    }
}

impl Recorded {
    /// Reads the frame in a record: it must be the one that the record says.
    pub fn read(self, bytes: &[u8]) -> Result<Frame, AdmissionError> {
        let frame = Frame::read(bytes)?;
        let draft = frame.draft();
        let Self { seq, being, n } = self;
        if (draft.seq, draft.being, draft.n) == (seq, being, n) { Ok(frame) } else { Err(AdmissionError::Record { seq, being, n }) }
    }
}

/// Where a history stands that is being read.
#[derive(Clone, Debug)]
pub struct Admission {
    chain: Chain,
    identity: Option<Identity>,
    /// Whether keys are derived, to be compared with those of births.
    derives: bool,
    /// The seed from which they follow, in a simulated world, and the master that does, of the world whose id it is.
    derived: Option<(u64, WorldId, Master)>,
    /// Each blob before here with its length.
    blobs: OrdMap<Hash, u64>,
    /// The blobs of this group that no frame has named yet, in order.
    unnamed: VecDeque<Hash>,
    /// Whether this group has a frame.
    has_frame: bool,
}

impl Admission {
    /// Before the first frame of a world.
    pub fn new(world: WorldId, identity: Option<Identity>) -> Self {
        let lineage = identity.as_ref().map_or_else(|| Arc::new(Lineage::plain(world)), |identity| identity.lineage.clone());
        Self::at(Chain::of(lineage), OrdMap::new(), identity)
    }

    fn at(chain: Chain, blobs: OrdMap<Hash, u64>, identity: Option<Identity>) -> Self {
        Self { chain, identity, derives: false, derived: None, blobs, unnamed: VecDeque::new(), has_frame: false }
    }

    /// From the first frame on, the id and the keys of a simulated world are compared with its seed: it costs a signature for each birth.
    pub fn deriving(self) -> Self {
        Self { derives: true, ..self }
    }

    /// In the middle of a history that was read before. It must be of the world that is said.
    pub fn going_on(chain: Chain, blobs: OrdMap<Hash, u64>, identity: Option<Identity>) -> Result<Self, AdmissionError> {
        if let (Some(identity), Some(world)) = (&identity, chain.reel(BeingId::WORLD)) {
            identity.has_key(world.seq, world.key.to_hash())?;
        }
        Ok(Self::at(chain, blobs, identity))
    }

    /// Where the reels stand.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Where the reels stand, and which blobs there are. Those that no frame before here has named are left out: whoever goes on from here
    /// meets them again.
    pub fn into_parts(mut self) -> (Chain, OrdMap<Hash, u64>) {
        self.unnamed.iter().for_each(|hash| {
            self.blobs.remove(hash);
        });
        (self.chain, self.blobs)
    }

    /// Takes a blob, whose bytes hash to its name.
    ///
    /// In order: it stands before the frames of its group, is too large for a frame, is new, and is one value.
    pub fn blob(&mut self, hash: Hash, bytes: &[u8]) -> Result<(), AdmissionError> {
        if self.has_frame {
            return Err(AdmissionError::Late { hash });
        }
        if bytes.len() <= INLINE_MAX {
            return Err(AdmissionError::Small { hash, found: bytes.len() });
        }
        if self.blobs.insert(hash, bytes.len() as u64).is_some() {
            return Err(AdmissionError::Twice { hash });
        }
        Value::from_canon(bytes).map_err(|_| AdmissionError::NotAValue { hash })?;
        self.unnamed.push_back(hash);
        Ok(())
    }

    /// Passes a blob of a group of which some frames were taken before, by somebody who went on from there.
    pub fn pass_blob(&mut self, hash: Hash, bytes: &[u8]) {
        self.blobs.insert(hash, bytes.len() as u64);
    }

    /// Passes a frame that was taken before.
    pub fn pass_frame(&mut self) {
        self.has_frame = true;
    }

    /// Whether a frame goes on from here.
    ///
    /// In order: its bytes are a frame in canonical form, its record says the same place, its writer is known, it goes on from the reels, it is
    /// an attempt, whoever is born has a parent, it carries a signature and its births delegate as the world seals, its large values stand before it, the first one is of the world that is said, and keys follow from
    /// the seed.
    pub fn frame(&mut self, recorded: Recorded, bytes: &[u8]) -> Result<Unverified, AdmissionError> {
        let frame = recorded.read(bytes)?;
        let draft = frame.draft();
        let key = self.chain.key(draft)?;
        self.chain.check(draft)?;
        if draft.attempt == 0 {
            return Err(AdmissionError::Attempt { seq: draft.seq });
        }
        parents(draft)?;
        self.borne(&frame)?;
        let fresh = self.named(draft)?;
        if let Some(identity) = self.identity.as_ref().filter(|_| draft.seq == 0) {
            identity.begins(draft, key.to_hash())?;
        }
        if self.derives {
            self.derived(draft)?;
        }
        if let Some(identity) = self.identity.as_ref().filter(|_| draft.being == BeingId::WORLD && draft.rekeyed().is_some()) {
            identity.has_key(draft.seq, key.to_hash())?;
        }
        let reign = self.chain.lineage().reign(draft.seq);
        let root = if reign.began > 0 { *reign.root_key } else { self.root().unwrap_or_else(|| key.to_hash()) };
        Ok(Unverified { frame, key, root, fresh })
    }

    /// The key of `@world` as it stands here.
    fn root(&self) -> Option<Hash> {
        self.chain.reel(BeingId::WORLD).map(|world| world.key.to_hash())
    }

    /// Whether a frame carries a signature, and its births a delegation, where they have to and nowhere else.
    fn borne(&self, frame: &Frame) -> Result<(), AdmissionError> {
        let (draft, seq) = (frame.draft(), frame.draft().seq);
        let said = |is_signed| if is_signed { "a signature of its own" } else { "none of its own" };
        let (expected, found) = (!self.chain.is_covered(draft), frame.signature().is_some());
        if expected != found {
            return Err(AdmissionError::Bearing { seq, being: draft.being, expected: said(expected), found: said(found) });
        }
        let delegates = self.chain.delegates(draft);
        let is_due = |being: BeingId, birth: &Birth| delegates && being != BeingId::WORLD && birth.cognition.delegates();
        let wrong = draft.births().find(|(being, birth)| birth.delegation.is_some() != is_due(*being, birth));
        wrong.map_or(Ok(()), |(being, _)| Err(AdmissionError::Undelegated { seq, being }))
    }

    /// Goes past a frame that was admitted here.
    pub fn advance(&mut self, admitted: &Unverified) -> Result<(), AdmissionError> {
        self.unnamed.drain(..admitted.fresh.min(self.unnamed.len()));
        self.has_frame = true;
        self.chain.advance(admitted.frame.draft(), admitted.frame.hash())?;
        let (seq, next) = (admitted.frame.draft().seq, self.chain.next());
        match self.chain.lineage().origin_at(next).map(|origin| (self.chain.head(), origin.head)) {
            Some((found, sealed)) if found != sealed => Err(AdmissionError::Head { seq, found, sealed }),
            _ => Ok(()),
        }
    }

    /// Whether the id of a simulated world follows from its name and seed, and each key from the seed; in a fork, from its id, too.
    fn derived(&mut self, draft: &Draft) -> Result<(), AdmissionError> {
        let config = |key: &str| draft.first_config(key).filter(|_| draft.seq == 0);
        if config("simulated") == Some(&Value::Bool(true)) {
            let name = config("name").and_then(Value::as_str).unwrap_or_default();
            let seed = u64::from_be_bytes(config("seed").and_then(Value::as_int).unwrap_or_default().to_be_bytes());
            let (master, id) = simulated(name, seed);
            if id != draft.world {
                return Err(AdmissionError::NotItsId);
            }
            self.derived = Some((seed, id, master));
        }
        let Some((seed, id, master)) = &mut self.derived else { return Ok(()) };
        if *id != draft.world {
            (*id, *master) = (draft.world, Master::simulated_fork(*seed, draft.world));
            let seq = draft.seq;
            if self.chain.lineage().reign(seq).root_key != &master.public(draft.world, BeingId::WORLD) {
                return Err(AdmissionError::NotItsKey { seq, being: BeingId::WORLD });
            }
        }
        let given = draft.births().map(|(being, birth)| (being, birth.key)).chain(draft.rekeyed().map(|key| (draft.being, key)));
        match given.into_iter().find(|(being, key)| master.public(draft.world, *being) != *key) {
            Some((being, _)) => Err(AdmissionError::NotItsKey { seq: draft.seq, being }),
            None => Ok(()),
        }
    }

    /// How many blobs of this group a frame is the first to name; each that it names stands before it and has the length that it says.
    fn named(&self, draft: &Draft) -> Result<usize, AdmissionError> {
        let (seq, mut fresh) = (draft.seq, 0);
        for content in draft.contents() {
            let Content::There { hash, len } = content else { continue };
            let Some(&found) = self.blobs.get(hash) else { return Err(AdmissionError::Missing { seq, hash: *hash }) };
            if found != *len {
                return Err(AdmissionError::Length { seq, hash: *hash, said: *len, found });
            }
            match self.unnamed.iter().position(|unnamed| unnamed == hash) {
                Some(at) if at == fresh => fresh += 1,
                Some(at) if at > fresh => return Err(AdmissionError::Disorder { seq, hash: *hash }),
                Some(_) | None => {}
            }
        }
        Ok(fresh)
    }

    /// Takes the end of a group: it has a frame, all its blobs are named, and its head is the one that its frames come to.
    pub fn commit(&mut self, head: &Hash) -> Result<(), AdmissionError> {
        let seq = self.chain.next().saturating_sub(1);
        if !std::mem::take(&mut self.has_frame) {
            return Err(AdmissionError::Empty { seq });
        }
        if let Some(hash) = self.unnamed.pop_front() {
            return Err(AdmissionError::Unnamed { hash });
        }
        let found = self.chain.head();
        if found == *head { Ok(()) } else { Err(AdmissionError::Head { seq, found, sealed: *head }) }
    }

    /// Checks that `@world` sealed the head at which the history stands.
    pub fn verify_seal(&self, seal: &[u8; 64]) -> Result<(), AdmissionError> {
        let seq = self.chain.next().saturating_sub(1);
        self.chain.verify_seal(&self.chain.head(), &Signature(*seal)).map_err(|_| AdmissionError::Seal { seq })
    }
}

fn parents(draft: &Draft) -> Result<(), AdmissionError> {
    match draft.births().find(|(being, birth)| birth.parent.is_none() != (*being == BeingId::WORLD)) {
        Some((being, _)) => Err(AdmissionError::Parent { seq: draft.seq, being }),
        None => Ok(()),
    }
}

impl Identity {
    /// Whether `@world` has the key that is said of the world that a frame is of.
    fn has_key(&self, seq: Seq, found: Hash) -> Result<(), AdmissionError> {
        self.says("the key of @world", self.lineage.reign(seq).root_key, &found)
    }

    fn says<T: PartialEq + ToString + ?Sized>(&self, what: &'static str, said: &T, found: &T) -> Result<(), AdmissionError> {
        if said == found {
            return Ok(());
        }
        Err(AdmissionError::Identity { what, said: said.to_string(), found: found.to_string() })
    }

    /// Whether a world that begins so is the one that is said.
    fn begins(&self, first: &Draft, key: Hash) -> Result<(), AdmissionError> {
        let Reign { root_key, name, .. } = self.lineage.nth(0);
        self.says("the key of @world", root_key, &key)?;
        let config = |key: &str| first.first_config(key).cloned().unwrap_or_default();
        self.says("`simulated`", &Value::Bool(self.simulated), &config("simulated"))?;
        self.says("its name", &Value::text(name), &config("name"))
    }
}
