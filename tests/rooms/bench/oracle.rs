//! Tests of `src/bench/oracle.rs`.

use reelm::bench::oracle::*;

/// A call of a second by a being in a room, in a round of its own.
fn call(round: usize, being: &str, room: &str) -> TracedCall {
    TracedCall { being: being.into(), room: room.into(), round, latency_us: 1_000_000, ..TracedCall::default() }
}

fn oracle(trace: &[TracedCall], slots: usize) -> f64 {
    CallBounds::of(trace, slots).oracle
}

#[test]
fn calls_that_need_no_other_wait_for_slots_alone() {
    let trace = ["ada", "ben", "cyd", "dot"].map(|being| call(being.len() + being.as_bytes()[0] as usize, being, "/a"));
    assert_eq!([1, 2, 4, 9].map(|slots| oracle(&trace, slots)), [4.0, 2.0, 1.0, 1.0]);
    assert_eq!((CallBounds::of(&trace, 9).sync, CallBounds::of(&trace, 9).alone), (4.0, 4.0));
    let together = trace.map(|call| TracedCall { round: 1, ..call });
    assert_eq!((CallBounds::of(&together, 2).sync, CallBounds::of(&together, 2).alone), (2.0, 4.0));
}

#[test]
fn a_call_waits_for_the_last_of_its_being_for_what_woke_it_for_words_it_holds_and_for_movements_of_its_room() {
    let first = TracedCall { closed: Some(7), spoken: Some("w1".into()), moved_to: Some("/b".into()), ..call(1, "ada", "/a") };
    let of_second = |second: TracedCall| oracle(&[first.clone(), second], 9);
    assert_eq!(of_second(call(2, "ben", "/c")), 1.0, "nothing of it");
    assert_eq!(of_second(call(2, "ada", "/c")), 2.0, "the last of its being");
    assert_eq!(of_second(TracedCall { cause: Some(7), ..call(2, "ben", "/c") }), 2.0, "what woke it");
    assert_eq!(of_second(TracedCall { heard: ["w1".into()].into(), ..call(2, "ben", "/c") }), 2.0, "a word");
    assert_eq!([of_second(call(2, "ben", "/a")), of_second(call(2, "ben", "/b"))], [2.0, 2.0], "movements");
    assert_eq!(of_second(TracedCall { round: 1, ..call(2, "ben", "/b") }), 1.0, "both see one world in a round");
}

#[test]
fn a_free_slot_is_given_to_the_first_call_that_may_be_made() {
    let long = TracedCall { latency_us: 3_000_000, ..call(1, "ada", "/a") };
    // The second of Ada's waits, and Ben's does not.
    assert_eq!(oracle(&[long.clone(), call(2, "ada", "/a"), call(3, "ben", "/b"), call(4, "cyd", "/c")], 2), 4.0);
}
