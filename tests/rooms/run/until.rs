//! Tests of `src/run/until.rs`.

use chrono::NaiveDateTime;
use chrono_tz::Tz;
use reelm::run::until::*;
use reelm::store::ClockFile;
use reelm::world::Timestamp;

#[test]
fn a_run_ends_at_an_instant_or_when_a_condition_holds() {
    let zone: Tz = "Europe/Berlin".parse().unwrap();
    let at = |text: &str| match text.parse() {
        Ok(End::At(instant)) => instant.in_zone(zone),
        other => panic!("{text}: {other:?}"),
    };
    let noon = at("2026-03-02T12:00:00+01:00");
    for text in ["2026-03-02T11:00:00Z", "2026-03-02T12:00:00", "2026-03-02T12:00", " 2026-03-02T12:00:00.000 "] {
        assert_eq!(at(text), noon, "{text}");
    }
    assert_eq!(at("2026-03-02"), noon - 12 * 3_600_000);
    assert_eq!(at("2026-03-29T02:30:00"), at("2026-03-29T03:30:00+02:00"), "an hour that the clocks leap over");
    for text in ["when {\"world.a.b\": 1}", "{\"world.a.b\": 1}"] {
        assert!(matches!(text.parse(), Ok(End::When(_))), "{text}");
    }
    // At the very end of the calendar a zone may lie beyond it, and no arithmetic does.
    let newest: NaiveDateTime = NaiveDateTime::MAX;
    assert!(Timestamp::Local(newest).in_zone("America/New_York".parse().unwrap()) > *ClockFile::CALENDAR.end());
    for text in ["0000-01-01", "0000-12-31T23:59:59", "+10000-01-01", "+262142-12-31T23:30:00"] {
        assert!(matches!(text.parse::<End>(), Err(EndError::Year(_))), "{text:?}");
    }
    for text in ["2026-13-02", "2026-02-30T00:00"] {
        assert!(matches!(text.parse::<End>(), Err(EndError::Day(_))), "{text:?}");
    }
    for text in ["", "tomorrow", "12:00", "world.a.b", "2026-03-02T25:00:00"] {
        assert!(matches!(text.parse::<End>(), Err(EndError::Neither(_))), "{text:?}");
    }
}
