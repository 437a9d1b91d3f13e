//! Tests of `src/portal/once.rs`.

use reelm::fact::{BeingId, Hash, Once};
use reelm::portal::once::*;
use std::sync::Arc;

#[test]
fn a_key_is_remembered_until_its_sender_has_used_so_many_more_and_stands_for_one_act_alone() {
    let (acts, one, other) = (Acts::default(), BeingId::new(1, 0), BeingId::new(2, 0));
    let once = |key: usize| Once { key: Hash::of(&key.to_be_bytes()), asked: Hash::of(b"asked") };
    let first = acts.answer(one, once(0)).unwrap();
    assert!(Arc::ptr_eq(&first, &acts.answer(one, once(0)).unwrap()));
    let another = Once { asked: Hash::of(b"another"), ..once(0) };
    assert!(acts.answer(one, another).is_err());
    let others = acts.answer(other, once(KEYS + 1)).unwrap();
    (1..=KEYS).for_each(|key| drop(acts.answer(one, once(key)).unwrap()));
    assert!(!Arc::ptr_eq(&first, &acts.answer(one, once(0)).unwrap()), "the oldest of its own has gone");
    assert!(Arc::ptr_eq(&others, &acts.answer(other, once(KEYS + 1)).unwrap()));
}
