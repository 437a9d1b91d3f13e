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
pub fn to_remove(newest_first: &[RungName]) -> Vec<RungName> {
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
