//! Tests of `src/role/seen.rs`.

use reelm::fact::Value;
use reelm::role::seen::*;
use std::cmp::Ordering;

#[test]
fn numbers_are_one_kind_and_nothing_else_is_coerced() {
    assert!(Seen::Int(9).equals(Seen::Float(9.0)));
    assert!(!Seen::Int(1).equals(Seen::Bool(true)));
    assert!(!Seen::Text("1").equals(Seen::Int(1)));
    assert!(!Seen::Int(0).equals(Seen::Null));
    assert!(Seen::Value(&Value::Null).equals(Seen::Null));
}

#[test]
fn large_whole_numbers_keep_their_order_beside_floats() {
    let edge = 9_007_199_254_740_993_i64;
    assert_eq!(Seen::Int(edge).order(Seen::Float(9_007_199_254_740_992.0)), Some(Ordering::Greater));
    assert_eq!(Seen::Float(1e300).order(Seen::Int(i64::MAX)), Some(Ordering::Greater));
    assert_eq!(Seen::Int(-2).order(Seen::Float(-2.5)), Some(Ordering::Greater));
    assert_eq!(Seen::Int(2).order(Seen::Float(2.5)), Some(Ordering::Less));
    assert_eq!(Seen::Text("2").order(Seen::Int(2)), None);
    assert_eq!(Seen::Bool(true).order(Seen::Bool(false)), None);
    assert_eq!(Seen::Float(f64::NAN).order(Seen::Int(0)), None);
}
