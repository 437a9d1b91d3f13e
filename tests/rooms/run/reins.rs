//! Tests of `src/run/reins.rs`.

use reelm::run::Pace;
use reelm::run::reins::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[test]
fn a_held_world_takes_as_many_rounds_as_it_is_told_and_stop_comes_first() {
    let reins = Reins::default();
    assert_eq!(reins.order(), Order::Go);
    reins.pause();
    assert_eq!(reins.order(), Order::Hold);
    reins.step();
    reins.step();
    assert_eq!([reins.order(), reins.order(), reins.order()], [Order::Step, Order::Step, Order::Hold]);
    reins.set_pace(Pace::Times(10.0));
    assert_eq!([reins.order(), reins.order()], [Order::Pace(Pace::Times(10.0)), Order::Hold]);
    reins.toggle();
    assert_eq!(reins.order(), Order::Go);
    assert_eq!((reins.stop(), reins.stop(), reins.order()), (false, true, Order::Stop));
}

#[test]
fn a_press_ends_the_scripts_of_a_round_that_yields_and_nothing_before_or_after_it() {
    let (reins, flag) = (Reins::default(), Arc::new(AtomicBool::new(false)));
    let ends = || flag.load(Ordering::Relaxed);
    assert!(!reins.press(Duration::MAX), "nothing runs");
    let bound = reins.bind(&flag);
    assert!(!reins.press(Duration::MAX) && !ends(), "no round runs");
    let yielding = reins.yielding();
    assert!(!reins.press(Duration::ZERO) && !ends(), "nobody has waited for it");
    assert!(reins.press(Reins::PATIENCE) && ends());
    assert!(!reins.press(Duration::MAX), "it is given up once");
    drop(yielding);
    assert!(!ends(), "what comes next is not ended");
    drop(reins.yielding());
    assert!(!reins.press(Duration::MAX) && !ends(), "the round is over");
    let yielding = reins.yielding();
    reins.stop();
    drop(yielding);
    assert!(ends(), "a stop ends all that comes");
    drop(bound);
    assert!(!ends());
}

#[test]
fn a_round_that_was_given_up_has_twice_as_long_until_one_has_closed() {
    let (reins, flag) = (Reins::default(), Arc::default());
    let _bound = reins.bind(&flag);
    for doubled in 0..20 {
        let yielding = reins.yielding();
        let patience = Reins::PATIENCE * (1 << doubled.min(16));
        assert!(!reins.press(patience - Duration::from_millis(1)), "{doubled}");
        assert!(reins.press(patience), "{doubled}");
        drop(yielding);
    }
    reins.yielding().closed();
    let _yielding = reins.yielding();
    assert!(reins.press(Reins::PATIENCE));
}

#[test]
fn a_step_whose_round_was_given_up_is_taken_again_unless_the_world_goes_on() {
    let reins = Reins::default();
    reins.step();
    assert_eq!(reins.order(), Order::Step);
    reins.give_back(Order::Step);
    assert_eq!([reins.order(), reins.order()], [Order::Step, Order::Hold]);
    reins.go_on();
    reins.give_back(Order::Go);
    reins.give_back(Order::Step);
    assert_eq!(reins.order(), Order::Go);
    reins.step();
    assert_eq!([reins.order(), reins.order()], [Order::Step, Order::Hold]);
}

#[test]
fn pulling_the_reins_ends_a_wait() {
    let reins = Reins::default();
    reins.pause();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| reins.hold());
        reins.go_on();
        waiting.join().unwrap();
        assert!(reins.wait(Duration::ZERO));
        let waiting = scope.spawn(|| reins.wait(Duration::from_secs(3600)));
        reins.stop();
        assert!(!waiting.join().unwrap());
    });
}
