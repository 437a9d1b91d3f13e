//! Tests of `src/portal/refusals.rs`.

use reelm::fact::BeingId;
use reelm::portal::refusals::*;
use std::time::{Duration, Instant};

#[test]
fn after_a_hundred_refusals_in_an_hour_a_person_waits_until_the_first_of_them_is_an_hour_old() {
    let (refusals, now) = (Refusals::default(), Instant::now());
    let [one, other] = [BeingId::new(1, 0), BeingId::new(2, 0)];
    (0..100).for_each(|second| {
        refusals.may(one, now + Duration::from_secs(second)).unwrap();
        refusals.count(one, now + Duration::from_secs(second));
    });
    let later = now + Duration::from_secs(600);
    assert_eq!(refusals.may(one, later), Err(HOUR - Duration::from_secs(600)));
    refusals.may(other, later).unwrap();
    refusals.may(one, now + HOUR).unwrap();
    refusals.count(one, now + HOUR);
    assert_eq!(refusals.may(one, now + HOUR), Err(Duration::from_secs(1)));
}
