//! Checkpoint policy: after how many frames a world is worth another checkpoint, and which of the old ones are kept.

use crate::fact::Seq;
use crate::world::World;

/// At least so many frames lie between two checkpoints.
const EVERY: u64 = 65_536;
/// And so many for each being, space and piece of matter, so that writing pages costs little beside what it saves.
const PER_THING: u64 = 8;

/// After how many frames a world of this size is worth another checkpoint.
pub fn frames_between(world: &World) -> u64 {
    let things = world.beings().len() + world.spaces().len() + world.all_matter().len();
    EVERY.max(PER_THING.saturating_mul(things as u64))
}

/// Of all checkpoints, the newest two, and of the older ones fewer and fewer: one for each doubling of their age.
pub(super) fn kept(newest_first: &[Seq]) -> Vec<Seq> {
    let newest = newest_first.first().copied().unwrap_or_default();
    let age = |seq: Seq| (newest - seq).checked_ilog2().unwrap_or_default();
    let (young, old) = newest_first.split_at(newest_first.len().min(2));
    let is_oldest_of_its_age = |(at, seq): (usize, &Seq)| old.get(at + 1).is_none_or(|older| age(*older) != age(*seq)).then_some(*seq);
    young.iter().copied().chain(old.iter().enumerate().filter_map(is_oldest_of_its_age)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_the_fewer_are_kept() {
        let mut seqs: Vec<Seq> = Vec::new();
        for n in 1..=1_000 {
            seqs.insert(0, n * EVERY);
            seqs = kept(&seqs);
            assert!(seqs.contains(&(n * EVERY)));
        }
        assert!((8..=14).contains(&seqs.len()), "{seqs:?}");
        assert!(seqs.last().is_some_and(|oldest| *oldest <= 500 * EVERY), "{seqs:?}");
    }
}
