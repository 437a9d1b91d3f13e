//! Tests of `src/verb/short.rs`.

use reelm::fact::Value;
use reelm::verb::short::*;

#[test]
fn whoever_carries_much_gives_room_and_takes_none() {
    assert_eq!(share(&[10, 20, 30], 100), usize::MAX);
    assert_eq!(share(&[10, 10, 1_000], 100), 80);
    assert_eq!(share(&[10, 500, 1_000], 100), 45);
    assert_eq!(share(&[], 100), usize::MAX);
}

#[test]
fn text_items_and_keys_have_a_bound_each() {
    let weight = |value: Value| Weight::default().and(&value, usize::MAX).map_or(0, |weight| weight.sum());
    assert_eq!(weight(Value::text("x".repeat(500))), 500);
    assert_eq!(weight(Value::List(vec![Value::Int(1); 100])), 100 * ITEM);
    assert_eq!(weight(Value::map((0..99).map(|n| (format!("k{n}"), Value::Null)))), 100 * KEY);
}
