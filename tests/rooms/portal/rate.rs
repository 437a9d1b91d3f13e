//! Tests of `src/portal/rate.rs`.

use reelm::portal::rate::*;

#[test]
fn who_asks_too_often_has_to_wait_and_the_others_need_not() {
    let rate = Rate::default();
    let [one, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(|address| Counted::Address(std::net::IpAddr::from(address).into()));
    let asked = (0..100_000).take_while(|_| rate.may(&one)).count();
    assert!(asked >= BURST.get() as usize && asked < 100_000, "{asked}");
    assert!(rate.may(&other));
}
