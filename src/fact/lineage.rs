//! Lineage: the worlds that a history went through: a fork goes on from a frame of its parent, under an id and keys of its own.
//!
//! Seqs, the head and everything folded go on across an origin; frames, seals and the chain of commits change the world that they name.

use serde::Serialize;
use zeroize::Zeroizing;

use super::canon::canon_struct;
use super::id::{BeingId, Hash, Seq, WorldId};
use super::keys::{Master, PublicKey, Signature};

/// Where a fork goes on from its parent: which world that is, and the last commit of it that is the fork's past, too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ForkOrigin {
    /// The parent's id.
    pub world: WorldId,
    /// The key of the parent's `@world`.
    pub root_key: Hash,
    /// The parent's name.
    pub name: String,
    /// The seq of the fork's first own frame.
    pub seq: Seq,
    /// How many commits the past has.
    pub number: u64,
    /// The hash of the last of them.
    pub commit: Hash,
    /// The head that it seals.
    pub head: Hash,
    /// The seal of the parent's `@world` over that.
    pub seal: Signature,
}

impl ForkOrigin {
    /// The id of a fork that goes on from here under a name.
    pub fn fork(&self, name: &str) -> WorldId {
        let mut hasher = blake3::Hasher::new_derive_key("reelm 1 fork");
        hasher.update(&self.world.0).update(&self.head.0).update(name.as_bytes());
        let mut id = [0; 16];
        id.iter_mut().zip(hasher.finalize().as_bytes()).for_each(|(to, from)| *to = *from);
        WorldId(id)
    }

    /// What the first commit of a fork names as the one before it.
    pub fn hash(&self, fork: WorldId, root_key: &Hash) -> Hash {
        let mut hasher = blake3::Hasher::new_derive_key("reelm 1 origin");
        hasher.update(&fork.0).update(&root_key.0).update(&self.world.0).update(&self.root_key.0);
        hasher.update(&self.seq.to_le_bytes()).update(&self.number.to_le_bytes());
        hasher.update(&self.commit.0).update(&self.head.0).update(&self.seal.0);
        Hash(*hasher.finalize().as_bytes())
    }
}

/// A world and, where it is a fork, those from which it comes, the first one first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lineage {
    /// Where it and its ancestors forked off; none: it is a world with a beginning of its own.
    pub origins: Vec<ForkOrigin>,
    /// The world's own id.
    pub world: WorldId,
    /// The key of its own `@world`.
    pub root_key: Hash,
    /// Its own name.
    pub name: String,
}

canon_struct!(ForkOrigin { world, root_key, name, seq, number, commit, head, seal });
canon_struct!(Lineage { origins, world, root_key, name });

/// One world of a lineage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reign<'a> {
    /// Its id.
    pub world: WorldId,
    /// The key of its `@world`.
    pub root_key: &'a Hash,
    /// Its name.
    pub name: &'a str,
    /// The seq of its first own frame.
    pub began: Seq,
}

impl Lineage {
    /// A world of which nothing but its id is known, and that is no fork.
    pub fn plain(world: WorldId) -> Self {
        Self { origins: Vec::new(), world, root_key: Hash::NOTHING, name: String::new() }
    }

    /// The world that a frame is of.
    pub fn reign(&self, seq: Seq) -> Reign<'_> {
        self.nth(self.origins.partition_point(|origin| origin.seq <= seq))
    }

    /// The n-th world of it, from the first one on; the world itself where there are not so many.
    pub fn nth(&self, nth: usize) -> Reign<'_> {
        let began = nth.min(self.origins.len()).checked_sub(1).and_then(|before| self.origins.get(before)).map_or(0, |origin| origin.seq);
        let own = Reign { world: self.world, root_key: &self.root_key, name: &self.name, began };
        self.origins.get(nth).map_or(own, |ForkOrigin { world, root_key, name, .. }| Reign { world: *world, root_key, name, began })
    }

    /// The origin behind which a frame would be the first, and what the first commit there names as the one before it.
    pub fn border(&self, seq: Seq) -> Option<(&ForkOrigin, Hash)> {
        let nth = self.origins.iter().position(|origin| origin.seq == seq)?;
        let (origin, next) = (self.origins.get(nth)?, self.nth(nth + 1));
        Some((origin, origin.hash(next.world, next.root_key)))
    }

    /// The seq up to which it has one past with another; nothing where they never had one, or are one world.
    pub fn shared(&self, other: &Self) -> Option<Seq> {
        // Each world that a history went through, and the seq at which it went on as another.
        let reigns =
            |of: &Self| of.origins.iter().map(|origin| (origin.world, origin.seq)).chain([(of.world, Seq::MAX)]).collect::<Vec<_>>();
        let mut apart = None;
        for ((one, ends), (two, other_ends)) in reigns(self).into_iter().zip(reigns(other)) {
            if one != two {
                break;
            }
            apart = Some(ends.min(other_ends));
            if ends != other_ends {
                break;
            }
        }
        apart.filter(|seq| *seq < Seq::MAX)
    }

    /// Who may have signed a checkpoint at a seq: the world that wrote the frame before it or, at an origin, the fork that goes on from there.
    pub fn signers(&self, seq: Seq) -> Vec<(WorldId, PublicKey)> {
        let reigns = [seq.saturating_sub(1), seq].map(|seq| self.reign(seq));
        let signer = |reign: Reign<'_>| Some((reign.world, PublicKey::from_hash(reign.root_key).ok()?));
        let mut signers: Vec<_> = reigns.into_iter().filter_map(signer).collect();
        signers.dedup();
        signers
    }

    /// Whether a world that may have signed a checkpoint at a seq has signed a hash.
    pub fn has_signed(&self, world: WorldId, seq: Seq, hash: &Hash, signature: &Signature) -> bool {
        self.signers(seq).iter().any(|(signer, key)| *signer == world && key.verify(hash, signature).is_ok())
    }

    /// As much of it as frames below a seq are of.
    pub fn below(&self, seq: Seq) -> Self {
        let count = self.origins.partition_point(|origin| origin.seq < seq);
        let Reign { world, root_key, name, .. } = self.nth(count);
        Self { origins: self.origins.iter().take(count).cloned().collect(), world, root_key: *root_key, name: name.to_owned() }
    }

    /// What is wrong with it: each origin lies behind the one before, is sealed by the parent, and gives the fork its id.
    pub fn fault(&self) -> Option<String> {
        let mut before = 0;
        for (nth, origin) in self.origins.iter().enumerate() {
            let (seq, next) = (origin.seq, self.nth(nth + 1));
            if seq <= before {
                return Some(format!("expected an origin behind frame {before}, found one at {seq}"));
            }
            if !PublicKey::from_hash(&origin.root_key).is_ok_and(|key| key.verify(&origin.head, &origin.seal).is_ok()) {
                return Some(format!("the seal of the origin at frame {seq} is not one of its parent over its head"));
            }
            if origin.fork(next.name) != next.world {
                return Some(format!("expected {} as the id of the fork at frame {seq}, found {}", origin.fork(next.name), next.world));
            }
            before = seq;
        }
        None
    }
}

impl Master {
    /// The master of a fork of a simulated world: it follows from the seed, as its parent's does, and from the fork's own id.
    pub fn simulated_fork(seed: u64, fork: WorldId) -> Self {
        let mut material = Zeroizing::new([0u8; 8 + 16]);
        material.iter_mut().zip(seed.to_be_bytes().into_iter().chain(fork.0)).for_each(|(to, from)| *to = from);
        Self::new(blake3::derive_key("reelm 1 simulated fork master", material.as_slice()))
    }

    /// The public key that a being has in a world.
    pub fn public(&self, world: WorldId, being: BeingId) -> Hash {
        self.key(world, being).public().to_hash()
    }
}
