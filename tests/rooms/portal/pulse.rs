//! Tests of `src/portal/pulse.rs`.

use std::sync::Arc;

use proptest::prelude::*;
use reelm::past::Report;
use reelm::portal::pulse::*;

fn report(seq: u64, space: &str, closing: &'static str) -> Arc<Report> {
    Arc::new(Report {
        seq,
        at: seq as i64,
        time: String::new(),
        being: format!("b{seq}").as_str().into(),
        place: space.to_owned(),
        stack: Vec::new(),
        clauses: Vec::new(),
        why: None,
        wake: reelm::fact::WakeKind::Schedule,
        closing: closing.parse().unwrap(),
        reason: None,
        deed: String::new(),
        told: Vec::new(),
        turn: Vec::new(),
        because_of: Vec::new(),
        args: reelm::fact::Value::Null,
        said: None,
        is_beside: false,
        left_out: None,
        comes_twice: false,
        space: space.to_owned(),
        coords: None,
        because: String::new(),
        cause: String::new(),
        in_reply_to: None,
        verb: None,
        action: None,
        target: None,
        driver: None,
        cognition: "script",
        cost: None,
        notes: Vec::new(),
        hints: Vec::new(),
    })
}

fn whole(sent: &[Outgoing]) -> Vec<u64> {
    sent.iter().filter_map(|sent| if let Outgoing::Moment { report, .. } = sent { Some(report.seq) } else { None }).collect()
}

fn pulses(sent: &[Outgoing]) -> Vec<&Pulse> {
    sent.iter().filter_map(|sent| if let Outgoing::Pulse(pulse) = sent { Some(&**pulse) } else { None }).collect()
}

/// One half second: where each moment was, how it closed.
fn half() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let place = prop::sample::select(vec!["/", "/town", "/town/inn", "/townhall", "/wood"]);
    let closing = prop::sample::select(vec!["act", "act", "see", "refused", "failed", "dead-letter", "requeued"]);
    prop::collection::vec((place, closing), 0..60)
}

proptest! {
    #[test]
    fn whole_moments_and_skipped_ones_are_all_frames_and_whoever_goes_on_behind_an_id_counts_none_twice(
        halves in prop::collection::vec(half(), 1..12), most in 1_usize..80, view in prop::sample::select(vec!["/", "/town", "/wood"]),
    ) {
        let (mut pulsing, mut seq, mut all, mut rates) = (Pulsing::new(view, Some(most)), 0, Vec::new(), vec![0]);
        for half in &halves {
            let before = all.len();
            for (place, closing) in half {
                all.extend(pulsing.take(report(seq, place, closing), None, false));
                seq += 1;
            }
            all.extend(pulsing.turn());
            rates.push(whole(&all[before..]).len());
            prop_assert!(!pulsing.is_open());
        }
        let sent = whole(&all);
        prop_assert!(sent.is_sorted() && sent.windows(2).all(|two| two[0] < two[1]), "{:?}", sent);
        prop_assert_eq!(sent.len() as u64 + pulses(&all).iter().map(|pulse| pulse.skipped).sum::<u64>(), seq);
        prop_assert!(rates.windows(2).all(|two| two[0] + two[1] <= most), "{:?} of {}", rates, most);
        // The moments between two ids are those that the second id counts, left out or sent.
        let (mut next, mut loose) = (0, 0);
        for one in &all {
            match one {
                Outgoing::Moment { report, has_id: true } => {
                    prop_assert_eq!((report.seq, loose), (next, 0));
                    next += 1;
                }
                Outgoing::Moment { .. } => loose += 1,
                Outgoing::Pulse(pulse) => {
                    prop_assert_eq!((pulse.moments, pulse.moments - pulse.skipped), (pulse.seq - next, loose));
                    prop_assert_eq!(pulse.acts + pulse.looks + pulse.refused + pulse.failed <= pulse.moments, true);
                    (next, loose) = (pulse.seq, 0);
                }
            }
        }
        prop_assert_eq!((next, loose), (seq, 0));
    }

    #[test]
    fn while_few_happen_every_moment_comes_whole_with_its_id(halves in prop::collection::vec(0_usize..20, 1..20)) {
        let (mut pulsing, mut seq, mut all) = (Pulsing::new("/", Some(40)), 0, Vec::new());
        for half in halves {
            for _ in 0..half {
                all.extend(pulsing.take(report(seq, "/town", "act"), None, false));
                seq += 1;
            }
            all.extend(pulsing.turn());
        }
        let is_whole = all.iter().all(|sent| matches!(sent, Outgoing::Moment { has_id: true, .. }));
        prop_assert!(is_whole);
        prop_assert_eq!(whole(&all), (0..seq).collect::<Vec<_>>());
    }
}

#[test]
fn of_many_those_that_went_wrong_come_first_and_the_places_right_in_view_are_counted() {
    let mut pulsing = Pulsing::new("/town", Some(8));
    let mut all = Vec::new();
    for seq in 0..1000 {
        let (place, closing) = match seq {
            700 | 900 => ("/town/inn/cellar", "refused"),
            _ if seq % 2 == 0 => ("/town/inn", "act"),
            _ => ("/wood", "act"),
        };
        all.extend(pulsing.take(report(seq, place, closing), Some(Stands { being: seq, space: 1 }), false));
    }
    all.extend(pulsing.turn());
    assert_eq!(whole(&all).split_at(2).1, [700, 900]);
    let pulse = pulses(&all)[0];
    assert_eq!((pulse.seq, pulse.moments, pulse.refused, pulse.skipped), (1000, 1000 - 1, 2, 996));
    assert_eq!(pulse.places, [Busy("/town/inn".to_owned(), 499)]);
    assert!(pulse.moved.is_empty() && pulse.worn.is_empty() && !pulse.is_cut);
}

#[test]
fn a_pulse_says_where_each_stands_last_and_tells_where_it_had_no_room_for_all() {
    let mut pulsing = Pulsing::new("/town", Some(1));
    let moved = |seq: u64, to: &str| {
        Arc::new(Report {
            place: "/town".to_owned(),
            why: Some(String::new()),
            stack: vec!["guard".into()],
            ..(*report(seq, to, "act")).clone()
        })
    };
    for seq in 0..4 {
        let to = if seq % 2 == 0 { "/town/inn" } else { "/town/hall" };
        pulsing.take(moved(seq, to), Some(Stands { being: 7, space: seq }), false);
    }
    let sent = pulsing.turn();
    let pulse = pulses(&sent)[0];
    assert_eq!((&pulse.moved[..], &pulse.worn[..], pulse.is_cut), (&[Moved(vec![7, 3])][..], &[Wears(7, "guard".into())][..], false));
    for seq in 4..1004 {
        pulsing.take(moved(seq, "/town/inn"), Some(Stands { being: seq, space: 1 }), false);
    }
    let sent = pulsing.turn();
    let pulse = pulses(&sent)[0];
    assert_eq!((pulse.moved.len(), pulse.worn.len(), pulse.is_cut), (500, 500, true));
}
