//! Tests of `src/world/density.rs`.

use proptest::prelude::*;
use reelm::world::density::*;

proptest! {
    #[test]
    fn all_shares_together_are_the_whole(moments in 0u64..100_000, refused in 0u64..1000, failed in 0u64..1000, parts in 1u64..700) {
        let whole = Counts { moments, refused, failed };
        let mut sum = Counts::default();
        (0..parts).for_each(|part| sum.add(whole.share(part, parts)));
        prop_assert_eq!(sum, whole);
    }
}
