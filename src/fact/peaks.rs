//! Peaks: the mountain range over the hashes of all frames so far, kept as the few roots from which it goes on.
//!
//! The frames are the leaves of one Merkle tree: its left half is the largest whole power of two below their number, and so on down. Every
//! whole subtree on its left edge is a mountain; nothing but their peaks is needed to add a frame. The head is over the root and the number.

use std::ops::Range;

use super::id::{Hash, Seq};

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

    /// How many frames they are over.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The roots, the highest first.
    pub fn as_slice(&self) -> &[Hash] {
        &self.peaks
    }

    /// As much of it as lies among some frames, where these are a whole subtree or the rest behind one.
    pub fn within(&self, frames: &Range<Seq>) -> Self {
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
            root = self.peaks.pop().map_or(root, |left| joined(left, root));
        }
        self.peaks.push(root);
    }

    /// The root of the one tree: the mountains joined from the lowest up. Nothing where there is no frame.
    pub fn root(&self) -> Option<Hash> {
        self.peaks.iter().rev().copied().reduce(|right, left| joined(left, right))
    }

    /// The head, which `@world` seals: over the root and how many frames are below it; [`Hash::NOTHING`] before the first frame.
    pub fn head(&self) -> Hash {
        self.root().map_or(Hash::NOTHING, |root| head_of_root(self.count, root))
    }
}

/// The head over a tree of so many frames.
pub fn head_of_root(count: u64, root: Hash) -> Hash {
    derived("reelm 1 head", &count.to_le_bytes(), &root)
}

/// The parent hash of two subtrees. No frame has this hash: theirs are plain BLAKE3, outside this context.
pub fn joined(left: Hash, right: Hash) -> Hash {
    derived("reelm 1 node", &left.0, &right)
}

fn derived(context: &str, first: &[u8], second: &Hash) -> Hash {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    Hash(*hasher.update(first).update(&second.0).finalize().as_bytes())
}

/// Where the right half of a subtree of more than one frame begins: the left one is the largest power of two that leaves something for it.
pub fn middle_of(frames: &Range<Seq>) -> Seq {
    frames.start + (1 << (frames.end - frames.start - 1).ilog2())
}

/// The subtrees beside the way from a frame up to the root, from below, as the seqs of their frames; nothing of a frame that there is not.
pub fn subtrees_beside(seq: Seq, count: u64) -> Vec<Range<Seq>> {
    let (mut from, mut below, mut beside) = (0, count, Vec::new());
    while below - from > 1 && seq < count {
        let middle = middle_of(&(from..below));
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

/// How many hashes stand beside the way up from a frame among so many.
pub fn height(seq: Seq, count: u64) -> usize {
    subtrees_beside(seq, count).len()
}

/// The head to which a way leads from the frame of a seq among so many; none if it has another number of hashes.
pub fn head_above(seq: Seq, count: u64, frame: Hash, way: &[Hash]) -> Option<Hash> {
    let beside = subtrees_beside(seq, count);
    if seq >= count || beside.len() != way.len() {
        return None;
    }
    let above = |below: Hash, (range, other): (&Range<Seq>, &Hash)| {
        if range.start < seq { joined(*other, below) } else { joined(below, *other) }
    };
    Some(head_of_root(count, beside.iter().zip(way).fold(frame, above)))
}
