//! Lineage: the worlds that a history went through: a fork goes on from a frame of its parent, under an id and keys of its own.
//!
//! Seqs, the head and everything folded go on across an origin; frames, seals and the chain of commits change the world that they name.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::canon::canon_struct;
use super::id::{BeingId, Hash, Seq, WorldId};
use super::keys::{Master, PublicKey, Signature};
use super::peaks::{Peaks, head_above, joined, subtrees_beside};

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
    /// How many commits of the parent lie before it whole.
    pub number: u64,
    /// The hash of the last of them.
    pub commit: Hash,
    /// The head over all frames below the seq.
    pub head: Hash,
    /// The seal of the parent's `@world` over that head or, within a group, over one that goes on from it.
    pub seal: Signature,
    /// Where the seq lies within a group of the parent; nothing: the last of those commits ends there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<WithinGroup>,
}

/// A point within a group: its head was not sealed, and stands beneath one that was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithinGroup {
    /// The seq where the group begins.
    pub border: Seq,
    /// How many frames the sealed head is over.
    pub count: u64,
    /// The hash of the last frame before the point.
    pub last: Hash,
    /// The hashes beside the way from that frame up to the sealed head.
    pub way: Vec<Hash>,
}

impl WithinGroup {
    /// The known roots of subtrees under the sealed head, each with its frames: those beside the way, and those on it.
    pub fn roots(&self, seq: Seq) -> Vec<(Range<Seq>, Hash)> {
        let leaf = seq.saturating_sub(1);
        let (mut on, mut root, mut roots) = (leaf..seq, self.last, vec![(leaf..seq, self.last)]);
        for (range, hash) in subtrees_beside(leaf, self.count).into_iter().zip(&self.way) {
            root = if range.start < leaf { joined(*hash, root) } else { joined(root, *hash) };
            on = on.start.min(range.start)..on.end.max(range.end);
            roots.extend([(range, *hash), (on.clone(), root)]);
        }
        roots
    }

    /// The sealed head above the frames below a seq, whose head is given; nothing where they do not lead to one.
    fn sealed(&self, seq: Seq, head: &Hash) -> Option<Hash> {
        let leaf = seq.checked_sub(1)?;
        let beside = subtrees_beside(leaf, self.count);
        // The roots to its left, from above, are the peaks over all frames before it: the same under both heads.
        let left = beside.iter().zip(&self.way).rev().filter(|(range, _)| range.start < leaf).map(|(_, hash)| *hash).collect();
        let mut peaks = Peaks::going_on(leaf, left)?;
        peaks.push(self.last);
        let is_one = self.border < seq && seq < self.count && peaks.head() == *head;
        is_one.then(|| head_above(leaf, self.count, self.last, &self.way)).flatten()
    }
}

impl ForkOrigin {
    /// The seq where the last commit of the parent ends that is the fork's past, too: the fork's own groups begin there.
    pub fn border(&self) -> Seq {
        self.within.as_ref().map_or(self.seq, |within| within.border)
    }

    /// How many frames the head is over that the parent has sealed, and that head; nothing where the origin does not lead to it.
    pub fn sealed(&self) -> Option<(u64, Hash)> {
        match &self.within {
            None => Some((self.seq, self.head)),
            Some(within) => Some((within.count, within.sealed(self.seq, &self.head)?)),
        }
    }

    /// The id of a fork that goes on from here under a name.
    pub fn fork(&self, name: &str) -> WorldId {
        let mut hasher = blake3::Hasher::new_derive_key("reelm 1 fork");
        hasher.update(&self.world.0).update(&self.head.0).update(name.as_bytes());
        let mut id = [0; 16];
        id.iter_mut().zip(hasher.finalize().as_bytes()).for_each(|(to, from)| *to = *from);
        WorldId(id)
    }

    /// The hash that the first commit of a fork names as the commit before it.
    pub fn hash(&self, fork: WorldId, root_key: &Hash) -> Hash {
        let mut hasher = blake3::Hasher::new_derive_key("reelm 1 origin");
        hasher.update(&fork.0).update(&root_key.0).update(&self.world.0).update(&self.root_key.0);
        hasher.update(&self.seq.to_le_bytes()).update(&self.number.to_le_bytes());
        hasher.update(&self.commit.0).update(&self.head.0).update(&self.seal.0);
        if let Some(WithinGroup { border, count, last, way }) = &self.within {
            hasher.update(&border.to_le_bytes()).update(&count.to_le_bytes()).update(&last.0);
            for beside in way {
                hasher.update(&beside.0);
            }
        }
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

canon_struct!(WithinGroup { border, count, last, way });
canon_struct!(ForkOrigin { world, root_key, name, seq, number, commit, head, seal, within });
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

    /// The world that writes what stands in the log behind a commit that ends at a seq.
    pub fn writer(&self, border: Seq) -> Reign<'_> {
        self.nth(self.origins.partition_point(|origin| origin.border() <= border))
    }

    /// The world whose commit ends at a seq.
    pub fn sealer(&self, end: Seq) -> Reign<'_> {
        self.nth(self.sealers(end))
    }

    fn sealers(&self, end: Seq) -> usize {
        self.origins.partition_point(|origin| origin.border() < end)
    }

    /// Whether the commit that ends at a seq is a fork's over a frame that the world from which it comes has written.
    pub fn seals_for_others(&self, end: Seq, frame: Seq) -> bool {
        self.sealers(end) > self.origins.partition_point(|origin| origin.seq <= frame)
    }

    /// Where the groups of the world itself begin.
    pub fn own_groups(&self) -> Seq {
        self.origins.last().map_or(0, ForkOrigin::border)
    }

    /// The origin with whose seq a frame would be the first of another world.
    pub fn origin_at(&self, seq: Seq) -> Option<&ForkOrigin> {
        self.origins.iter().find(|origin| origin.seq == seq)
    }

    /// The origin behind which the groups of another world begin, and what the first commit there names as the one before it.
    pub fn crossing(&self, border: Seq) -> Option<(&ForkOrigin, Hash)> {
        let nth = self.origins.iter().rposition(|origin| origin.border() == border)?;
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

    /// The worlds that may have signed a checkpoint at a seq: the one whose commit ends there or, at an origin, the fork.
    pub fn signers(&self, seq: Seq) -> Vec<(WorldId, PublicKey)> {
        let reigns = [self.sealer(seq), self.writer(seq)];
        let signer = |reign: Reign<'_>| Some((reign.world, PublicKey::from_hash(reign.root_key).ok()?));
        let mut signers: Vec<_> = reigns.into_iter().filter_map(signer).collect();
        signers.dedup();
        signers
    }

    /// Whether a world that may have signed a checkpoint at a seq has signed a hash.
    pub fn has_signed(&self, world: WorldId, seq: Seq, hash: &Hash, signature: &Signature) -> bool {
        self.signers(seq).iter().any(|(signer, key)| *signer == world && key.verify(hash, signature).is_ok())
    }

    /// As much of it as a commit that ends at a seq is of.
    pub fn sealing(&self, end: Seq) -> Self {
        self.up_to(self.sealers(end))
    }

    /// As much of it as a frame is of.
    pub fn of_frame(&self, seq: Seq) -> Self {
        self.up_to(self.origins.partition_point(|origin| origin.seq <= seq))
    }

    /// As much of it as what is written behind a commit that ends at a seq is of.
    pub fn writing(&self, border: Seq) -> Self {
        self.up_to(self.origins.partition_point(|origin| origin.border() <= border))
    }

    fn up_to(&self, count: usize) -> Self {
        let Reign { world, root_key, name, .. } = self.nth(count);
        Self { origins: self.origins.iter().take(count).cloned().collect(), world, root_key: *root_key, name: name.to_owned() }
    }

    /// The first error in it: each origin must lie behind the one before, be sealed by the parent, and give the fork its id.
    pub fn fault(&self) -> Option<String> {
        let mut before = 0;
        for (nth, origin) in self.origins.iter().enumerate() {
            let (seq, next) = (origin.seq, self.nth(nth + 1));
            if seq <= before || origin.border() < before.max(1) {
                return Some(format!("expected an origin behind frame {before}, found one at {seq}"));
            }
            let Some((_, sealed)) = origin.sealed() else {
                return Some(format!("the way of the origin at frame {seq} does not lead from its head to a later one"));
            };
            if !PublicKey::from_hash(&origin.root_key).is_ok_and(|key| key.verify(&sealed, &origin.seal).is_ok()) {
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
