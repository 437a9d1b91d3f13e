//! Checkpoint policy: after how many frames a world is worth another rung of its ladder, and which are not needed any more.

use crate::fact::Seq;
use crate::store::RungName;
use crate::world::World;

/// So many frames lie between two rungs at most, and what one round has more: folding so many is what a look at the past may cost.
pub const APART: u64 = 8_192;
/// A rung of a world with fewer things than this is cheap: there are twice as many.
const SMALL: usize = 4_096;

/// After how many frames a world of this size is worth another rung.
pub fn frames_between(world: &World) -> u64 {
    let things = world.beings().len() + world.spaces().len() + world.all_matter().len();
    if things < SMALL { APART / 2 } else { APART }
}

/// The rungs that nothing stands on and without which no two others lie too far apart: those of many short runs, once everything was written
/// anew. The newest stays.
pub(super) fn to_remove(newest_first: &[RungName]) -> Vec<RungName> {
    let Some((newest, older)) = newest_first.split_first() else { return Vec::new() };
    let (mut above, mut removed): (Seq, Vec<RungName>) = (newest.seq, Vec::new());
    let mut footings: Vec<Seq> = newest.base.into_iter().collect();
    for (at, rung) in older.iter().enumerate() {
        let below = older.get(at + 1).map_or(0, |below| below.seq);
        if !footings.contains(&rung.seq) && above - below <= APART / 2 {
            removed.push(*rung);
            continue;
        }
        above = rung.seq;
        footings.extend(rung.base);
        // A rung stands on the one that was written before it: what lies further back was looked at when it was written.
        if footings.len() > 256 {
            break;
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(seq: Seq) -> RungName {
        RungName { seq, base: None }
    }

    fn on(base: Seq, seq: Seq) -> RungName {
        RungName { seq, base: Some(base) }
    }

    #[test]
    fn what_something_stands_on_stays() {
        assert_eq!(to_remove(&[on(6, 7), on(5, 6), whole(5)]), []);
        assert_eq!(to_remove(&[]), []);
    }

    #[test]
    fn short_runs_leave_nothing_behind_once_all_is_written_anew() {
        let rungs = [whole(9_000), on(8_300, 8_301), on(8_200, 8_300), on(8_192, 8_200), whole(8_192)];
        // The one at 8,192 is needed: the next below it is the beginning.
        assert_eq!(to_remove(&rungs), rungs[1..4]);
    }

    #[test]
    fn no_two_rungs_come_to_lie_further_apart_than_a_look_may_cost() {
        let mut rungs: Vec<RungName> = Vec::new();
        let mut seq = 0;
        for n in 0..2_000u64 {
            seq += 1 + n * 7_919 % 400;
            let last = rungs.first().map_or(0, |rung| rung.seq);
            let rung = if n % 7 == 0 { whole(seq) } else { on(last, seq) };
            rungs.insert(0, rung);
            let gone = to_remove(&rungs);
            rungs.retain(|rung| !gone.contains(rung));
            assert!(rungs.windows(2).all(|pair| pair[0].seq - pair[1].seq <= APART), "{rungs:?}");
            for rung in &rungs {
                assert!(rung.base.is_none_or(|base| rungs.iter().any(|below| below.seq == base)), "{rung:?} stands on nothing");
            }
        }
        assert!(rungs.len() < 300, "{}", rungs.len());
    }
}
