//! Tests of `src/script/stream.rs`.

use reelm::script::stream::*;

fn draws(name: &str, n: u64, purpose: &str) -> Vec<u64> {
    let mut stream = Stream::of(&[7; 32], name, n, purpose);
    (0..4).map(|_| stream.next_u64()).collect()
}

#[test]
fn the_same_origins_give_the_same_draws_and_others_give_others() {
    assert_eq!(draws("ada", 2, "think"), draws("ada", 2, "think"));
    for other in [draws("bob", 2, "think"), draws("ada", 3, "think"), draws("ada", 2, "see"), draws("adat", 2, "hink")] {
        assert_ne!(draws("ada", 2, "think"), other);
    }
}

#[test]
fn below_stays_below_and_reaches_every_number() {
    let mut stream = Stream::of(&[7; 32], "ada", 0, "test");
    let mut seen = [0u32; 5];
    (0..1000).for_each(|_| seen[stream.below(5) as usize] += 1);
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    assert_eq!(stream.below(0), 0);
}
