//! Way: from one frame up to the head, by the hashes that stand beside it: as many as the tree is high, however far the frame lies back.

use std::ops::Range;

use crate::fact::{Hash, Seq};

use super::peaks::{Peaks, beside, head, node};

/// The hashes beside the way up from one frame, which come together while the hashes of all frames go by once.
#[derive(Debug)]
pub struct WayUp {
    subtrees: Vec<(Range<Seq>, Peaks)>,
}

impl WayUp {
    /// That of a frame among so many.
    pub fn of(seq: Seq, count: u64) -> Self {
        Self::going_on(seq, count, &Peaks::default())
    }

    /// The same where the hashes of the first frames do not go by, but the peaks over them are known; the frame itself is none of them.
    pub fn going_on(seq: Seq, count: u64, before: &Peaks) -> Self {
        Self { subtrees: beside(seq, count).into_iter().map(|range| (range.clone(), before.within(&range))).collect() }
    }

    /// Takes the hash of a frame; they come in order.
    pub fn pass(&mut self, seq: Seq, frame: Hash) {
        if let Some((_, peaks)) = self.subtrees.iter_mut().find(|(range, _)| range.contains(&seq)) {
            peaks.push(frame);
        }
    }

    /// What stands beside it, from below.
    pub fn hashes(&self) -> Vec<Hash> {
        self.subtrees.iter().filter_map(|(_, peaks)| peaks.root()).collect()
    }
}

/// How many hashes stand beside the way up from a frame among so many.
pub fn height(seq: Seq, count: u64) -> usize {
    beside(seq, count).len()
}

/// The head to which a way leads from the frame of a seq among so many; none if it has another number of hashes.
pub fn head_above(seq: Seq, count: u64, frame: Hash, way: &[Hash]) -> Option<Hash> {
    let beside = beside(seq, count);
    if seq >= count || beside.len() != way.len() {
        return None;
    }
    let above = |below: Hash, (range, other): (&Range<Seq>, &Hash)| {
        if range.start < seq { node(*other, below) } else { node(below, *other) }
    };
    Some(head(count, beside.iter().zip(way).fold(frame, above)))
}
