//! Tests of `src/fact/value.rs`.

use reelm::fact::value::*;
use std::cmp::Ordering;

#[test]
fn a_whole_float_is_the_integer() {
    assert_eq!(Value::number(9.0), Some(Value::Int(9)));
    assert_eq!(Value::number(-0.0), Some(Value::Int(0)));
    assert_eq!(Value::number(0.5), Some(Value::Float(0.5)));
    assert_eq!(Value::number(f64::NAN), None);
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    assert!(serde_json::from_str::<Value>(r#"{"a":1,"a":2}"#).unwrap_err().to_string().contains("stands twice"));
}

#[test]
fn only_like_compares_with_like() {
    assert_eq!(Value::Int(1).compare(&Value::Float(1.5)), Some(Ordering::Less));
    assert_eq!(Value::text("b").compare(&Value::text("a")), Some(Ordering::Greater));
    assert_eq!(Value::text("1").compare(&Value::Int(1)), None);
}
