//! Tests of `src/portal/share.rs`.

use reelm::portal::share::*;

#[test]
fn each_has_a_share_and_gets_it_back() {
    let shares = Shares::default();
    let mut held: Vec<_> = (0..4).map_while(|_| shares.take(&"one", 3)).collect();
    assert_eq!(held.len(), 3);
    assert!(shares.take(&"other", 3).is_some());
    held.pop();
    assert!(shares.take(&"one", 3).is_some());
    drop(held);
    assert!(shares.0.lock().unwrap().is_empty());
}
