//! Tests of `src/portal/tries.rs`.

use reelm::portal::origin::Origin;
use reelm::portal::tries::*;
use std::net::IpAddr;
use std::time::Instant;

fn origin(last: u8) -> Origin {
    IpAddr::from([10, 0, 0, last]).into()
}

fn guess(tries: &Tries, name: &str, from: u8, browser: Option<&str>, times: usize) -> usize {
    let now = Instant::now();
    (0..times).take_while(|_| tries.begin(&Try::under(name, origin(from), browser.map(str::to_owned)), now).is_ok()).count()
}

#[test]
fn a_stranger_uses_up_what_strangers_have_and_not_what_the_owner_has() {
    let tries = Tries::default();
    tries.right(&Try::under("ada", origin(1), None));
    assert_eq!(guess(&tries, "ada", 2, None, 12), TRIES);
    // From where she came before, and in her own browser wherever it stands.
    assert_eq!(guess(&tries, "ada", 1, None, 12), TRIES);
    assert_eq!(guess(&tries, "ada", 2, Some("hers"), 12), TRIES);
    assert_eq!(guess(&tries, "bob", 3, None, 12), TRIES, "others are counted by themselves");
}

#[test]
fn an_address_that_tries_many_names_waits_and_whoever_came_in_from_there_need_not() {
    let tries = Tries::default();
    tries.right(&Try::under("ada", origin(1), None));
    let made: usize = (0..40).map(|name| guess(&tries, &format!("n{name}"), 1, None, 1)).sum();
    assert_eq!(made, OF_ADDRESS);
    assert_eq!(guess(&tries, "ada", 1, None, 1), 1);
    assert_eq!(guess(&tries, "ada", 2, None, 1), 1);
}

#[test]
fn a_try_is_forgotten_after_a_while_and_a_right_one_at_once() {
    let (tries, now) = (Tries::default(), Instant::now());
    let made = Try::under("ada", origin(1), None);
    (0..TRIES).for_each(|_| tries.begin(&made, now).unwrap());
    assert_eq!(tries.begin(&made, now + WHILE / 2), Err(WHILE / 2));
    tries.begin(&made, now + WHILE).unwrap();
    tries.right(&made);
    assert_eq!(guess(&tries, "ada", 1, None, 12), TRIES);
}
