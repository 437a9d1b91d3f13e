//! Tests of `src/past/gauge.rs`.

use reelm::past::gauge::*;

#[test]
fn a_value_is_named_by_its_thing_and_its_path() {
    for text in [
        "@ada.bag.count",
        "/hall.owner",
        "/hall/cup.t.n",
        "@ada/bag.t.n",
        "m9.0.t.n",
        "./cup.t.n",
        "world.court.in-session",
        "/hall@ada.coords",
        "/.t.n",
    ] {
        assert_eq!(text.parse::<Gauge>().unwrap().to_string(), text);
    }
    for text in ["@ada", "", "@ada.", "m9.0", "world.", "ada.bag"] {
        assert!(text.parse::<Gauge>().is_err(), "{text}");
    }
}
