//! Way: from one frame up to the head, by the hashes that stand beside it: as many as the tree is high, however far the frame lies back.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::fact::{Hash, Seq};

use super::peaks::{Peaks, beside, head, middle, node};

/// The hashes beside the ways up from some frames, which come together while the hashes of all frames go by once.
#[derive(Debug)]
pub struct WaysUp {
    count: u64,
    /// The subtrees beside each way, from below.
    ways: Vec<Vec<Range<Seq>>>,
    /// Each subtree, by its bounds, as far as it has come.
    subtrees: BTreeMap<(Seq, Seq), Peaks>,
}

impl WaysUp {
    /// Those of some frames among so many. Where the hashes of the first frames do not go by, the peaks over them are known, and none of the frames
    /// is among them.
    pub fn going_on(seqs: &[Seq], count: u64, before: &Peaks) -> Self {
        let ways: Vec<Vec<Range<Seq>>> = seqs.iter().map(|seq| beside(*seq, count)).collect();
        let subtrees = ways.iter().flatten().map(|range| ((range.start, range.end), before.within(range))).collect();
        Self { count, ways, subtrees }
    }

    /// Takes the hash of a frame; they come in order.
    pub fn pass(&mut self, seq: Seq, frame: Hash) {
        let mut within = 0..self.count;
        while within.end - within.start > 1 && seq < self.count {
            let middle = middle(&within);
            within = if seq < middle { within.start..middle } else { middle..within.end };
            if let Some(peaks) = self.subtrees.get_mut(&(within.start, within.end)) {
                peaks.push(frame);
            }
        }
    }

    /// What stands beside each way, from below.
    pub fn hashes(&self) -> Vec<Vec<Hash>> {
        let root = |range: &Range<Seq>| self.subtrees.get(&(range.start, range.end))?.root();
        self.ways.iter().map(|way| way.iter().filter_map(root).collect()).collect()
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
