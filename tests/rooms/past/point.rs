//! Tests of `src/past/point.rs`.

use proptest::prelude::*;
use reelm::fact::{N, Seq};
use reelm::past::point::*;
use reelm::world::{Local, Timestamp};

fn moment() -> impl Strategy<Value = MomentName> {
    prop_oneof![
        (0..Seq::MAX / 2).prop_map(MomentName::Seq),
        ("[a-z][a-z0-9-]{0,8}", 0..N::MAX / 2).prop_map(|(name, n)| MomentName::Of(name, n))
    ]
}

fn point() -> impl Strategy<Value = Point> {
    let local = (0i64..4_000_000_000_000).prop_map(|at| chrono::DateTime::from_timestamp_millis(at).unwrap_or_default().naive_utc());
    prop_oneof![
        moment().prop_map(Point::Before),
        moment().prop_map(Point::After),
        local.prop_map(|local| Point::Instant(Timestamp::Local(local))),
        (0i64..4_000_000_000_000).prop_map(|at| Point::Instant(Timestamp::Exact(at))),
        (0i64..).prop_map(Point::Ago),
        Just(Point::Now),
    ]
}

proptest! {
    #[test]
    fn what_is_shown_is_read_again(point in point()) {
        prop_assert_eq!(point.to_string().parse(), Ok(point));
    }
}

#[test]
fn a_point_that_is_none_says_what_was_expected() {
    let error = |text: &str| text.parse::<Point>().unwrap_err();
    for text in
        ["", "+", "x", "-1", "+5", "12026-01-01", "2026-3-2", "99999999999999999999", "2026-03-02T25:00", "2026-03-02T09:00+", "1 2"]
    {
        assert!(error(text).ends_with(&format!("~10m or now, found `{text}`")), "{text}: {}", error(text));
    }
    assert_eq!(error("2026-13-01"), "there is no day 2026-13-01: a year has the months 01 to 12");
    assert_eq!(error("2027-02-29T09:00"), "there is no day 2027-02-29: that month has 28 days");
    assert_eq!(
        error("@ada"),
        "expected a seq such as 120, or @ada/7, found `@ada`; `reelm log @ada` lists the moments of a being, and `@ada/0` is its first"
    );
    assert_eq!(error("@ada/x"), "expected a number behind `@ada/`, found `x`");
    assert_eq!(error("@ada/+7"), "expected a number behind `@ada/`, found `+7`");
    assert_eq!(error("~ 10m"), "expected a duration such as 10m or 1h30m behind `~`, found ` 10m`");
    assert_eq!(error("~soon"), "expected a duration such as 10m or 1h30m behind `~`, found `soon`");
}

#[test]
fn an_instant_is_read_as_it_is_told_everywhere_and_where_no_zone_is_said_in_the_worlds() {
    let zone = chrono_tz::Europe::Vienna;
    let at = |text: &str| match text.parse() {
        Ok(Point::Instant(instant)) => Local::of(instant.last_in_zone(zone), zone).iso(),
        other => panic!("{text}: {other:?}"),
    };
    for text in ["2026-03-02T06:00:00.002+01:00", "2026-03-02T06:00:00.002", "2026-03-02T05:00:00.002Z"] {
        assert_eq!(at(text), "2026-03-02T06:00:00.002+01:00", "{text}");
    }
    assert_eq!(at("2026-03-02"), "2026-03-02T00:00:00+01:00");
    assert_eq!(at("2026-03-29T02:30"), "2026-03-29T03:30:00+02:00", "an hour that the clocks leap over");
    assert_eq!(at("2026-10-25T02:30"), "2026-10-25T02:30:00+01:00", "an hour that comes twice: the later");
}
