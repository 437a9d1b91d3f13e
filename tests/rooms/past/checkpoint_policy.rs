//! Tests of `src/past/checkpoint_policy.rs`.

use reelm::fact::Seq;
use reelm::past::checkpoint_policy::*;
use reelm::store::RungName;

fn whole(seq: Seq) -> RungName {
    RungName { seq, base: None }
}

fn on(base: Seq, seq: Seq) -> RungName {
    RungName { seq, base: Some(base) }
}

#[test]
fn what_something_stands_on_stays() {
    assert_eq!(to_remove(&[on(6, 7), on(5, 6), whole(5)]), []);
    assert_eq!(to_remove(&[]), []);
}

#[test]
fn short_runs_leave_nothing_behind_once_all_is_written_anew() {
    let rungs = [whole(9_000), on(8_300, 8_301), on(8_200, 8_300), on(8_192, 8_200), whole(8_192)];
    // The one at 8,192 is needed: the next below it is the beginning.
    assert_eq!(to_remove(&rungs), rungs[1..4]);
}

#[test]
fn no_two_rungs_come_to_lie_further_apart_than_a_look_may_cost() {
    let mut rungs: Vec<RungName> = Vec::new();
    let mut seq = 0;
    for n in 0..2_000u64 {
        seq += 1 + n * 7_919 % 400;
        let last = rungs.first().map_or(0, |rung| rung.seq);
        let rung = if n % 7 == 0 { whole(seq) } else { on(last, seq) };
        rungs.insert(0, rung);
        let gone = to_remove(&rungs);
        rungs.retain(|rung| !gone.contains(rung));
        assert!(rungs.windows(2).all(|pair| pair[0].seq - pair[1].seq <= APART), "{rungs:?}");
        for rung in &rungs {
            assert!(rung.base.is_none_or(|base| rungs.iter().any(|below| below.seq == base)), "{rung:?} stands on nothing");
        }
    }
    assert!(rungs.len() < 300, "{}", rungs.len());
}
