//! Canonical bytes: the vectors of RFC 8949, every hostile form by the name of its error, and any bytes at all.

use proptest::prelude::*;
use reelm::fact::{Call, Canon, CanonError, Closing, DEPTH_MAX, Draft, Fact, Frame, Hash, Timing, Value};

use super::kit;

/// The RFC's own examples (appendix A) as far as they are values here, and the orders of keys of section 4.2.1.
const VECTORS: &str = include_str!("../fixtures/canon/vectors.json");

fn read(hex: &str) -> Result<Value, CanonError> {
    Value::from_canon(&kit::bytes(hex))
}

fn not_canonical(hex: &str, at: usize, what: &'static str) {
    assert_eq!(read(hex), Err(CanonError::NonCanonical { at, what }), "{hex}");
}

#[test]
fn every_vector_has_its_one_form_and_comes_back() {
    let vectors: Vec<serde_json::Value> = serde_json::from_str(VECTORS).unwrap();
    assert!(vectors.len() > 40);
    for vector in vectors {
        let value: Value = serde_json::from_value(vector["value"].clone()).unwrap();
        let hex = vector["hex"].as_str().unwrap();
        assert_eq!(kit::hex(&value.to_canon()), hex, "{value}");
        assert_eq!(read(hex), Ok(value));
    }
}

#[test]
fn the_hash_of_a_value_is_the_blake3_of_its_bytes() {
    let value = Value::map([("a", Value::Int(1))]);
    assert_eq!(Hash::of(&value.to_canon()).0, *blake3::hash(&kit::bytes("a1616101")).as_bytes());
    // The empty input's hash, from the BLAKE3 test vectors.
    assert_eq!(Hash::of(b"").to_string(), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
}

#[test]
fn a_number_that_is_not_in_its_shortest_form_is_refused() {
    for hex in [
        "1800",
        "1817",
        "190000",
        "1900ff",
        "1a0000ffff",
        "1b00000000ffffffff",
        "3800",
        "3900ff",
        "7801", /* text */
        "980101",
        "b801616101",
    ] {
        not_canonical(hex, 0, "not the shortest form");
    }
    not_canonical("821800", 1, "not the shortest form");
}

#[test]
fn a_float_that_fits_in_fewer_bytes_is_refused() {
    not_canonical("fa3fc00000", 0, "not the shortest form");
    not_canonical("fb3ff8000000000000", 0, "not the shortest form");
}

#[test]
fn an_indefinite_length_is_refused() {
    for hex in ["9f0102ff", "bf616101ff", "7f6161ff", "5f4101ff"] {
        not_canonical(hex, 0, "indefinite length");
    }
}

#[test]
fn a_whole_float_is_refused() {
    not_canonical("f93c00", 0, "a whole number as a float");
    not_canonical("f90000", 0, "a whole number as a float");
    not_canonical("f98000", 0, "a whole number as a float");
}

#[test]
fn what_is_no_number_is_refused() {
    for hex in ["f97e00", "f97c00", "f9fc00"] {
        not_canonical(hex, 0, "not a finite number");
    }
}

#[test]
fn a_reserved_head_is_refused() {
    for hex in ["1c", "1d", "1e", "3c", "fc"] {
        not_canonical(hex, 0, "no such head");
    }
}

#[test]
fn a_key_that_stands_twice_is_refused_with_its_place() {
    assert_eq!(read("a2616101616102"), Err(CanonError::DuplicateKey { at: 4 }));
}

#[test]
fn keys_out_of_order_are_refused_with_their_place() {
    assert_eq!(read("a2616201616102"), Err(CanonError::KeyOrder { at: 4 }));
    // A longer key may not stand before a shorter one.
    assert_eq!(read("a262616101617a02"), Err(CanonError::KeyOrder { at: 5 }));
}

#[test]
fn a_set_or_a_table_out_of_order_is_refused_with_its_place() {
    type Set = std::collections::BTreeSet<u64>;
    type Table = std::collections::BTreeMap<u64, u64>;
    assert_eq!(Set::from_canon(&kit::bytes("83010203")), Ok(Set::from([1, 2, 3])));
    assert_eq!(Table::from_canon(&kit::bytes("82820105820206")), Ok(Table::from([(1, 5), (2, 6)])));
    for (hex, at) in [("83010302", 3), ("820201", 2), ("820101", 2), ("83010202", 3)] {
        assert_eq!(Set::from_canon(&kit::bytes(hex)), Err(CanonError::KeyOrder { at }), "{hex}");
    }
    for hex in ["82820205820106", "82820105820106"] {
        assert_eq!(Table::from_canon(&kit::bytes(hex)), Err(CanonError::KeyOrder { at: 4 }), "{hex}");
    }
}

#[test]
fn a_wrong_length_is_refused_with_both_lengths() {
    assert_eq!(Hash::from_canon(&kit::bytes("42abcd")), Err(CanonError::WrongLength { at: 0, expected: 32, found: 2 }));
    let call = Call::see("/").to_canon();
    let mut longer = call.clone();
    longer[0] += 1;
    longer.push(0xf6);
    assert_eq!(Call::from_canon(&longer), Err(CanonError::WrongLength { at: 0, expected: 5, found: 6 }));
}

#[test]
fn nesting_is_allowed_to_its_depth_and_no_deeper() {
    let nested = |depth: usize| [vec![0x81; depth], vec![0x00]].concat();
    assert!(Value::from_canon(&nested(DEPTH_MAX)).is_ok());
    assert_eq!(Value::from_canon(&nested(DEPTH_MAX + 1)), Err(CanonError::TooDeep { at: DEPTH_MAX + 1 }));
    assert_eq!(Value::from_canon(&nested(1_000_000)), Err(CanonError::TooDeep { at: DEPTH_MAX + 1 }));
}

#[test]
fn bytes_behind_the_item_are_refused_and_counted() {
    assert_eq!(read("000000"), Err(CanonError::Trailing { at: 1, count: 2 }));
}

#[test]
fn every_beginning_of_an_item_is_truncated() {
    let whole = kit::bytes("a2616118ff6162836161fb3ff199999999999af6");
    assert!(Value::from_canon(&whole).is_ok());
    for len in 0..whole.len() {
        assert!(matches!(Value::from_canon(&whole[..len]), Err(CanonError::Truncated { .. })), "{len}");
    }
}

#[test]
fn a_length_that_the_input_does_not_pay_for_reserves_nothing() {
    for hex in ["9b7fffffffffffffff", "bb7fffffffffffffff", "7b7fffffffffffffff", "9bffffffffffffffff"] {
        assert!(matches!(read(hex), Err(CanonError::Truncated { .. })), "{hex}");
    }
}

#[test]
fn text_that_is_not_utf8_is_refused() {
    assert_eq!(read("62c328"), Err(CanonError::NotUtf8 { at: 0 }));
    assert_eq!(read("a161ff01"), Err(CanonError::NotUtf8 { at: 1 }));
    // A surrogate half.
    assert_eq!(read("63eda080"), Err(CanonError::NotUtf8 { at: 0 }));
}

#[test]
fn another_type_is_refused_where_it_stands() {
    for hex in ["4101", "c000", "f7", "f0", "ff"] {
        assert_eq!(read(hex), Err(CanonError::WrongType { at: 0, expected: "a value" }), "{hex}");
    }
    assert_eq!(read("1b8000000000000000"), Err(CanonError::WrongType { at: 0, expected: "a number of 64 bits" }));
    assert_eq!(read("3b8000000000000000"), Err(CanonError::WrongType { at: 0, expected: "a number of 64 bits" }));
    assert_eq!(read("a10101"), Err(CanonError::WrongType { at: 1, expected: "text" }));
}

#[test]
fn a_code_of_a_later_version_is_refused_by_its_number() {
    assert_eq!(Closing::from_canon(&kit::bytes("811863")), Err(CanonError::UnknownCode { at: 0, code: 99, of: "Closing" }));
    assert_eq!(Timing::from_canon(&kit::bytes("80")), Err(CanonError::WrongLength { at: 0, expected: 1, found: 0 }));
    assert!(matches!(Fact::from_canon(&kit::bytes("8119ffff")), Err(CanonError::UnknownCode { of: "Fact", .. })));
}

/// Any value that is one.
pub(super) fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_map(|x| Value::number(x).unwrap_or_default()),
        any::<f32>().prop_map(|x| Value::number(f64::from(x)).unwrap_or_default()),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            prop::collection::btree_map("[a-zü]{0,9}".prop_map(|key: String| key.into()), inner, 0..6).prop_map(Value::Map),
        ]
    })
}

fn agrees(ours: &Value, theirs: &ciborium::Value) -> bool {
    use ciborium::Value as C;
    match (ours, theirs) {
        (Value::Null, C::Null) => true,
        (Value::Bool(a), C::Bool(b)) => a == b,
        (Value::Int(a), C::Integer(b)) => i128::from(*a) == i128::from(*b),
        (Value::Float(a), C::Float(b)) => a == b,
        (Value::Text(a), C::Text(b)) => a.as_ref() == b,
        (Value::List(a), C::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agrees(a, b)),
        (Value::Map(a), C::Map(b)) => {
            a.len() == b.len() && b.iter().all(|(key, b)| key.as_text().and_then(|key| a.get(key)).is_some_and(|a| agrees(a, b)))
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(kit::cases(64, 256))]

    #[test]
    fn any_bytes_are_a_value_in_its_one_form_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(value) = Value::from_canon(&bytes) {
            prop_assert_eq!(value.to_canon(), bytes);
        }
    }

    #[test]
    fn any_bytes_are_a_frame_in_its_one_form_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        prop_assert!(Draft::from_canon(&bytes).is_err());
        if let Ok(frame) = Frame::read(&bytes) {
            prop_assert_eq!(frame.bytes(), &bytes[..]);
        }
        if let Ok(fact) = Fact::from_canon(&bytes) {
            prop_assert_eq!(fact.to_canon(), bytes);
        }
    }

    #[test]
    fn every_value_comes_back_from_its_bytes(value in any_value()) {
        prop_assert_eq!(Value::from_canon(&value.to_canon()), Ok(value));
    }

    #[test]
    fn one_altered_byte_of_a_value_is_refused_or_makes_another(value in any_value(), at in any::<prop::sample::Index>(), flip in 1u8..) {
        let bytes = value.to_canon();
        let mut altered = bytes.clone();
        altered[at.index(bytes.len())] ^= flip;
        if let Ok(other) = Value::from_canon(&altered) {
            prop_assert_ne!(&other, &value);
            prop_assert_eq!(other.to_canon(), altered);
        }
    }

    #[test]
    fn ciborium_reads_what_we_write_as_the_same(value in any_value()) {
        let theirs: ciborium::Value = ciborium::from_reader(value.to_canon().as_slice()).unwrap();
        prop_assert!(agrees(&value, &theirs), "{} {:?}", value, theirs);
    }
}
