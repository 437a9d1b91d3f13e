//! Way: from one frame up to the head, by the hashes that stand beside it: as many as the tree is high, however far the frame lies back.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::fact::{Hash, Peaks, Seq, middle_of, subtrees_beside};

/// The hashes beside the ways up from some frames, which come together while the hashes of all frames go by once.
#[derive(Debug)]
pub struct WaysUp {
    count: u64,
    /// The subtrees beside each way, from below.
    ways: Vec<Vec<Range<Seq>>>,
    /// Each subtree, by its bounds, as far as it has come.
    subtrees: BTreeMap<(Seq, Seq), Peaks>,
    /// The roots that are known, though the hashes of their frames do not go by.
    known: BTreeMap<(Seq, Seq), Hash>,
}

impl WaysUp {
    /// Those of some frames among so many. Where the hashes of the first frames do not go by, the peaks over them are known, and none of the frames
    /// is among them.
    pub fn going_on(seqs: &[Seq], count: u64, before: &Peaks) -> Self {
        let ways: Vec<Vec<Range<Seq>>> = seqs.iter().map(|seq| subtrees_beside(*seq, count)).collect();
        let subtrees = ways.iter().flatten().map(|range| ((range.start, range.end), before.within(range))).collect();
        Self { count, ways, subtrees, known: BTreeMap::new() }
    }

    /// Takes the hash of a frame; they come in order.
    pub fn pass(&mut self, seq: Seq, frame: Hash) {
        let mut within = 0..self.count;
        while within.end - within.start > 1 && seq < self.count {
            let middle = middle_of(&within);
            within = if seq < middle { within.start..middle } else { middle..within.end };
            if let Some(peaks) = self.subtrees.get_mut(&(within.start, within.end)) {
                peaks.push(frame);
            }
        }
    }

    /// Takes roots that are known, by the frames of their subtrees.
    pub fn know(&mut self, roots: Vec<(Range<Seq>, Hash)>) {
        self.known.extend(roots.into_iter().map(|(range, root)| ((range.start, range.end), root)));
    }

    /// The sibling hashes of each way, from below.
    pub fn hashes(&self) -> Vec<Vec<Hash>> {
        let root = |range: &Range<Seq>| {
            let bounds = (range.start, range.end);
            self.known.get(&bounds).copied().or_else(|| self.subtrees.get(&bounds)?.root())
        };
        self.ways.iter().map(|way| way.iter().filter_map(root).collect()).collect()
    }
}
