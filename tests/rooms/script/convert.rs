//! Tests of `src/script/convert.rs`.

use proptest::prelude::*;
use reelm::fact::Value;
use reelm::script::convert::*;
use rhai::{Array, Dynamic, Map as RhaiMap};

fn any_value() -> impl Strategy<Value = Value> {
    let number = any::<f64>().prop_filter_map("finite", Value::number);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        number,
        ".{0,8}".prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List);
        let map = prop::collection::btree_map(".{0,8}", inner, 0..6).prop_map(Value::map);
        prop_oneof![list, map]
    })
}

proptest! {
    #[test]
    fn every_value_comes_back_as_it_went_in(value in any_value()) {
        prop_assert_eq!(to_value(to_dynamic(value.clone())).unwrap(), value);
    }
}

#[test]
fn what_is_no_value_is_named_with_its_path() {
    let list: Array = vec![Dynamic::from_int(1), Dynamic::from_float(f64::NAN)];
    let map: RhaiMap = [("a".into(), Dynamic::from_array(list))].into();
    let lost = to_value(Dynamic::from_map(map)).unwrap_err();
    assert_eq!((lost.path.as_str(), lost.found.as_str()), (".a[1]", "a number that is not finite"));
    let deep = (0..100).fold(Dynamic::UNIT, |inner, _| Dynamic::from_array(vec![inner]));
    assert!(to_value(deep).unwrap_err().found.contains("deeper"));
}
