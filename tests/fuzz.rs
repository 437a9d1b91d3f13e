//! Fuzz: does any input break the decoder, or make a log lose what was acknowledged?
//!
//! The twins of the fuzz targets in tests/fuzz: what those ask of any bytes, for as long as one lets them, is asked here of some hundreds.

mod change;
mod decode;
mod recover;

use proptest::prelude::*;

use super::kit;

proptest! {
    #![proptest_config(kit::cases(512, 2048))]

    #[test]
    fn any_bytes_are_canonical_and_read_back_the_same_or_are_refused(input in prop::collection::vec(any::<u8>(), 0..40)) {
        decode::check(&input);
    }

    #[test]
    fn a_log_that_was_changed_opens_with_all_that_it_can_know_to_be_acknowledged_or_is_refused(
        which in any::<u8>(),
        changes in prop::collection::vec(any::<u8>(), 6..20),
    ) {
        recover::check(&[&[which][..], &changes].concat());
    }
}
