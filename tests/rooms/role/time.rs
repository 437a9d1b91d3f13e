//! Tests of `src/role/time.rs`.

use chrono::NaiveDateTime;
use chrono::TimeZone as _;
use chrono_tz::Tz;
use reelm::fact::Millis;
use reelm::role::time::*;

use reelm::role::Flow;

fn reads(when: &str) -> TimeReads {
    Flow::compile(&serde_json::from_str(&format!(r#"[{{"when":{when},"role":"a"}}]"#)).unwrap()).unwrap().time().clone()
}

fn at(zone: Tz, text: &str) -> Millis {
    zone.from_local_datetime(&NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").unwrap()).earliest().unwrap().timestamp_millis()
}

const VIENNA: Tz = chrono_tz::Europe::Vienna;

#[test]
fn idle_for_a_minute_crosses_a_minute_after_the_last_act() {
    let reads = reads(r#"{"time.sinceLastMoment":{"gte":60}}"#);
    assert_eq!(reads.next_crossing(1_000, 500, VIENNA), Some(60_500));
    assert_eq!(reads.next_crossing(60_500, 500, VIENNA), None);
}

#[test]
fn every_comparison_of_a_wait_crosses_where_it_can_change() {
    for (test, wanted) in [
        (r#"{"gte":60}"#, vec![60]),
        (r#"{"lt":60}"#, vec![60]),
        (r#"{"gt":60}"#, vec![61]),
        (r#"{"lte":59.5}"#, vec![60]),
        (r#"{"gte":59.5}"#, vec![60]),
        (r#"{"eq":60}"#, vec![60, 61]),
        ("[5,10]", vec![5, 6, 10, 11]),
        (r#"{"gte":0}"#, vec![]),
        (r#"{"gte":"60"}"#, vec![]),
        (r#"{"present":true}"#, vec![]),
    ] {
        assert_eq!(reads(&format!(r#"{{"time.sinceLastMoment":{test}}}"#)).since_s, wanted, "{test}");
    }
    assert!(reads(r#"{"time.sinceLastMoment":{"gte":{"path":"me.quality.a.b"}}}"#).opaque);
    assert!(reads(r#"{"time.iso":{"startsWith":"2026-"}}"#).opaque);
}

#[test]
fn working_hours_cross_at_nine_and_at_five() {
    let reads = reads(r#"{"time.hour":{"gte":9,"lt":17}}"#);
    let next = |text: &str| reads.next_crossing(at(VIENNA, text), 0, VIENNA);
    assert_eq!(next("2026-01-05 03:10:00"), Some(at(VIENNA, "2026-01-05 09:00:00")));
    assert_eq!(next("2026-01-05 09:00:00"), Some(at(VIENNA, "2026-01-05 17:00:00")));
    // Both comparisons cross at midnight, though together they do not: an answer of one of them changes there.
    assert_eq!(next("2026-01-05 17:00:00"), Some(at(VIENNA, "2026-01-06 00:00:00")));
}

#[test]
fn a_jump_of_the_zone_is_a_crossing_when_it_changes_an_answer() {
    // On 29 March 2026 Vienna goes from 01:59 to 03:00; on 25 October from 02:59 back to 02:00.
    let two = reads(r#"{"time.hour":2}"#);
    assert_eq!(two.next_crossing(at(VIENNA, "2026-03-28 03:00:00"), 0, VIENNA), Some(at(VIENNA, "2026-03-30 02:00:00")));
    let three = reads(r#"{"time.hour":{"gte":2}}"#);
    assert_eq!(three.next_crossing(at(VIENNA, "2026-03-29 00:30:00"), 0, VIENNA), Some(at(VIENNA, "2026-03-29 03:00:00")));
    let october = two.next_crossing(at(VIENNA, "2026-10-25 02:00:00"), 0, VIENNA).unwrap();
    assert_eq!(october, at(VIENNA, "2026-10-25 01:59:59") + 1000 + 2 * HOUR_MS);
    // St John's jumped at one minute past midnight.
    let zone = chrono_tz::America::St_Johns;
    let one = reads(r#"{"time.hour":1}"#);
    assert_eq!(one.next_crossing(at(zone, "2005-04-02 23:30:00"), 0, zone), Some(at(zone, "2005-04-03 01:01:00")));
}

#[test]
fn days_and_minutes_cross_at_their_borders() {
    let sunday = reads(r#"{"time.dayOfWeek":0}"#);
    assert_eq!(sunday.next_crossing(at(VIENNA, "2026-01-05 03:10:00"), 0, VIENNA), Some(at(VIENNA, "2026-01-11 00:00:00")));
    let half = reads(r#"{"time.minute":{"gte":30}}"#);
    assert_eq!(half.next_crossing(at(VIENNA, "2026-01-05 03:10:07"), 0, VIENNA), Some(at(VIENNA, "2026-01-05 03:30:00")));
    let shift = reads(r#"{"me.quality.shift.start":{"lte":{"path":"time.hour"}}}"#);
    assert_eq!(shift.next_crossing(at(VIENNA, "2026-01-05 03:10:07"), 0, VIENNA), Some(at(VIENNA, "2026-01-05 04:00:00")));
    assert_eq!(shift.next_crossing(at(VIENNA, "2026-01-05 23:10:07"), 0, VIENNA), Some(at(VIENNA, "2026-01-06 00:00:00")));
    assert!(reads(r#"{"time.hour":{"lt":24}}"#).is_empty());
    assert_eq!(sunday.next_crossing(i64::MAX, 0, VIENNA), None);
}

#[test]
fn a_crossing_is_exactly_the_first_instant_at_which_an_answer_differs() {
    let reads = reads(r#"{"or":[{"time.hour":[2,3,13]},{"time.dayOfWeek":{"gte":5}}]}"#);
    let answer = |at: Millis| {
        let stand = stand(at, VIENNA).unwrap();
        ([2, 3, 13].contains(&stand.hour), stand.day >= 5)
    };
    for start in ["2026-03-27 22:00:00", "2026-10-23 22:00:00"] {
        let mut from = at(VIENNA, start);
        for _ in 0..12 {
            let next = reads.next_crossing(from, 0, VIENNA).unwrap();
            assert_ne!(answer(next), answer(next - 1));
            assert!((from..next).step_by(MINUTE_MS as usize).all(|at| answer(at) == answer(from)));
            from = next;
        }
    }
}
