//! Aside: the subtrees that hold none of some chosen frames, from left to right: with their roots the chosen frames lead to the head.
//!
//! Of one frame these are the hashes beside its way up; of frames that lie together, the peaks before them and the roots behind.

use std::ops::Range;

use crate::fact::{Hash, Peaks, Seq, head_of_root, joined, middle_of};

/// The roots of the subtrees aside, which come together while the hashes of frames go by in order.
#[derive(Debug)]
pub struct Asides {
    first: Seq,
    left: Peaks,
    right: Vec<(Range<Seq>, Peaks)>,
    /// How many of them are behind us.
    passed: usize,
}

impl Asides {
    /// Those of ascending frames among so many, from the peaks of all frames before one that is not behind the first of them.
    pub fn going_on(chosen: &[Seq], count: u64, before: Peaks) -> Self {
        let first = chosen.first().copied().unwrap_or_default();
        let right = subtrees(chosen, count).into_iter().filter(|range| range.start > first);
        Self { first, left: before, right: right.map(|range| (range, Peaks::default())).collect(), passed: 0 }
    }

    /// Takes the hash of the next frame.
    pub fn pass(&mut self, seq: Seq, frame: Hash) {
        if seq < self.first {
            return self.left.push(frame);
        }
        while self.right.get(self.passed).is_some_and(|(range, _)| range.end <= seq) {
            self.passed += 1;
        }
        if let Some((_, peaks)) = self.right.get_mut(self.passed).filter(|(range, _)| range.contains(&seq)) {
            peaks.push(frame);
        }
    }

    /// Their roots, from left to right.
    pub fn hashes(&self) -> Vec<Hash> {
        self.left.as_slice().iter().copied().chain(self.right.iter().filter_map(|(_, peaks)| peaks.root())).collect()
    }
}

/// How many subtrees stand aside of ascending frames among so many.
pub fn asides_of(chosen: &[Seq], count: u64) -> usize {
    subtrees(chosen, count).len()
}

/// The head to which ascending frames lead among so many; none if one of them is not among them, or another number of subtrees stands aside.
pub fn head_over(chosen: &[(Seq, Hash)], count: u64, asides: &[Hash]) -> Option<Hash> {
    if chosen.last().is_none_or(|(seq, _)| *seq >= count) {
        return None;
    }
    let mut asides = asides.iter().copied();
    let root = root_of(0..count, chosen, &mut asides)?;
    asides.next().is_none().then(|| head_of_root(count, root))
}

/// The root over some frames, of which some are chosen; it is as deep as the tree is high.
fn root_of(frames: Range<Seq>, chosen: &[(Seq, Hash)], asides: &mut dyn Iterator<Item = Hash>) -> Option<Hash> {
    match chosen {
        [] => asides.next(),
        [(_, hash)] if frames.end - frames.start == 1 => Some(*hash),
        _ if frames.end - frames.start <= 1 => None,
        _ => {
            let middle = middle_of(&frames);
            let (left, right) = chosen.split_at(chosen.partition_point(|(seq, _)| *seq < middle));
            let left = root_of(frames.start..middle, left, asides)?;
            Some(joined(left, root_of(middle..frames.end, right, asides)?))
        }
    }
}

/// The largest subtrees that hold none of the chosen frames, from left to right.
fn subtrees(chosen: &[Seq], count: u64) -> Vec<Range<Seq>> {
    let (mut found, mut open) = (Vec::new(), vec![(0..count, chosen)]);
    while let Some((frames, chosen)) = open.pop() {
        if chosen.is_empty() {
            found.push(frames);
        } else if frames.end - frames.start > 1 {
            let middle = middle_of(&frames);
            let (left, right) = chosen.split_at(chosen.partition_point(|seq| *seq < middle));
            open.extend([(middle..frames.end, right), (frames.start..middle, left)]);
        }
    }
    found
}
