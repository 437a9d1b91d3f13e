//! Peaks: the mountain range over the hashes of all frames so far, kept as the few roots from which it goes on.
//!
//! The frames are the leaves of one Merkle tree: its left half is the largest whole power of two below their number, and so on down. Every
//! whole subtree on its left edge is a mountain; nothing but their peaks is needed to add a frame. The head is over the root and the number.

use std::ops::Range;

use crate::fact::{Hash, Seq};

/// The roots of the mountains over the first `count` frames, the highest first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Peaks {
    count: u64,
    peaks: Vec<Hash>,
}

impl Peaks {
    /// The range over so many frames, from its peaks as they were kept; none if that many frames have another number of peaks.
    pub fn going_on(count: u64, peaks: Vec<Hash>) -> Option<Self> {
        (count.count_ones() as usize == peaks.len()).then_some(Self { count, peaks })
    }

    /// The roots, the highest first.
    pub fn as_slice(&self) -> &[Hash] {
        &self.peaks
    }

    /// As much of it as lies among some frames, where these are a whole subtree or the rest behind one.
    pub(super) fn within(&self, frames: &Range<Seq>) -> Self {
        let (mut at, mut within) = (0, Self::default());
        for (height, root) in (0..u64::BITS).rev().filter(|height| self.count >> height & 1 == 1).zip(&self.peaks) {
            if frames.start <= at && at < frames.end {
                within.count += 1 << height;
                within.peaks.push(*root);
            }
            at += 1 << height;
        }
        within
    }

    /// Adds the hash of the next frame: each two mountains of one height become one.
    pub fn push(&mut self, frame: Hash) {
        self.count += 1;
        let mut root = frame;
        for _ in 0..self.count.trailing_zeros() {
            root = self.peaks.pop().map_or(root, |left| node(left, root));
        }
        self.peaks.push(root);
    }

    /// The root of the one tree: the mountains joined from the lowest up. Nothing where there is no frame.
    pub fn root(&self) -> Option<Hash> {
        self.peaks.iter().rev().copied().reduce(|right, left| node(left, right))
    }

    /// The head, which `@world` seals: over the root and how many frames are below it; [`Hash::NOTHING`] before the first frame.
    pub fn head(&self) -> Hash {
        self.root().map_or(Hash::NOTHING, |root| head(self.count, root))
    }
}

/// The head over a tree of so many frames.
pub(super) fn head(count: u64, root: Hash) -> Hash {
    derived("reelm 1 head", &count.to_le_bytes(), &root)
}

/// What stands above two subtrees. No frame has this hash: theirs are plain BLAKE3 and not of this context.
pub(super) fn node(left: Hash, right: Hash) -> Hash {
    derived("reelm 1 node", &left.0, &right)
}

fn derived(context: &str, first: &[u8], second: &Hash) -> Hash {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    Hash(*hasher.update(first).update(&second.0).finalize().as_bytes())
}

/// Where the right half of a subtree of more than one frame begins: the left one is the largest power of two that leaves something for it.
pub(super) fn middle(frames: &Range<Seq>) -> Seq {
    frames.start + (1 << (frames.end - frames.start - 1).ilog2())
}

/// The subtrees beside the way from a frame up to the root, from below, as the seqs of their frames; nothing of a frame that there is not.
pub(super) fn beside(seq: Seq, count: u64) -> Vec<Range<Seq>> {
    let (mut from, mut below, mut beside) = (0, count, Vec::new());
    while below - from > 1 && seq < count {
        let middle = middle(&(from..below));
        if seq < middle {
            beside.push(middle..below);
            below = middle;
        } else {
            beside.push(from..middle);
            from = middle;
        }
    }
    beside.reverse();
    beside
}
