//! Tests of `src/bench/figure.rs`.

use reelm::bench::figure::*;

#[test]
fn a_large_number_is_grouped_and_a_small_one_keeps_its_fraction() {
    let number = |value| Figure::new("town", "x", value, "").number();
    assert_eq!((number(1_234_567.0).as_str(), number(100_000.4).as_str(), number(2.346).as_str()), ("1,234,567", "100,000", "2.35"));
}

#[test]
fn the_median_is_the_middle() {
    assert_eq!(median(vec![9.0, 1.0, 5.0]), 5.0);
    assert_eq!(quantile((0..100).map(f64::from).collect(), 0.99), 99.0);
}
