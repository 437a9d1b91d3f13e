//! Tests of `src/run/logs.rs`.

use reelm::run::logs::*;

#[test]
fn of_each_kind_one_line_a_second_is_told_and_none_is_lost() {
    let mut tally = PerSecond::default();
    let mut told = Vec::new();
    let happened = [("loop", 1), ("loop", 1), ("role", 1), ("loop", 1), ("loop", 2), ("loop", 2), ("role", 5), ("loop", 5)];
    for (at, (kind, second)) in happened.into_iter().enumerate() {
        told.extend(tally.count(kind, (kind, at), second).into_iter().map(|((kind, at), count)| (second, kind, at, count)));
    }
    // At second 2 two more of the loop had happened in the first; at second 5 one in the second.
    assert_eq!(told, [(1, "loop", 0, 1), (1, "role", 2, 1), (2, "loop", 4, 3), (5, "loop", 5, 1), (5, "role", 6, 1), (5, "loop", 7, 1)]);
    tally.count("loop", ("loop", 8), 5);
    assert_eq!(tally.rest(), [(("loop", 8), 1)], "what was not told is told at the end");
}
