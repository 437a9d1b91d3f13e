//! Tests of `src/past/timeline.rs`.

use proptest::prelude::*;
use reelm::past::timeline::*;
use reelm::world::{Counts, Stretch};

proptest! {
    #[test]
    fn nothing_is_lost_among_the_parts(steps in proptest::collection::vec((0i64..50_000, 0u64..200), 1..60), parts in 1usize..300) {
        let (mut at, mut seq, mut stretches) = (7, 3, Vec::new());
        for (step, moments) in steps {
            let began = at;
            at += step;
            stretches.push((seq..seq + moments, Stretch { began, ended: at, counts: Counts { moments, refused: moments / 3, failed: 0 } }));
            seq += moments;
        }
        let timeline = Timeline::of(&stretches, parts);
        prop_assert_eq!(timeline.parts.len(), parts);
        prop_assert_eq!(timeline.parts.iter().map(|part| part.counts.moments).sum::<u64>(), seq - 3);
        prop_assert!(timeline.parts.windows(2).all(|pair| pair[0].seq <= pair[1].seq && pair[0].at < pair[1].at));
        prop_assert_eq!(timeline.parts.last().map(|part| part.seq), Some(seq));
    }
}
