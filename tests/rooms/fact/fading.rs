//! Tests of `src/fact/fading.rs`.

use proptest::prelude::*;
use reelm::fact::Value;
use reelm::fact::fading::*;

fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

fn fading(json: &str) -> Fading {
    Fading::of(&read(json)).unwrap()
}

#[test]
fn it_leaves_late_and_comes_to_its_end_in_time() {
    let fading = fading(r#"{"from":1,"to":0,"at":1000,"over":3000}"#);
    let at = |at| fading.value(at).to_string();
    assert_eq!([0, 1000, 1001, 1003, 2500, 3999, 4000, 9000].map(at), ["1", "1", "1", "0.999", "0.5", "0.001", "0", "0"]);
    assert!(fading.goes_on(3999) && !fading.goes_on(4000));
}

#[test]
fn a_map_of_other_keys_is_a_map_and_one_of_these_that_is_none_is_named_where_it_is_wrong() {
    for plain in [r#"{"from":"@ada","to":"@bob","at":1}"#, r#"{"from":1,"to":2,"at":1,"over":1,"why":""}"#] {
        assert_eq!(Fading::written(&read(plain), 7), Ok(read(plain)));
    }
    for (wrong, place) in [
        (r#"{"from":0.0001,"to":2,"at":1,"over":1}"#, ".from"),
        (r#"{"from":1,"to":"2","at":1,"over":1}"#, ".to"),
        (r#"{"from":1,"to":1e12,"at":1,"over":1}"#, ".to"),
        (r#"{"from":1,"to":2,"at":1.5,"over":1}"#, ".at"),
        (r#"{"from":1,"to":2,"at":"soon","over":1}"#, ".at"),
        (r#"{"from":1,"to":2,"at":9223372036854775807,"over":1}"#, ".at"),
        (r#"{"from":1,"to":2,"at":1,"over":0}"#, ".over"),
        (r#"{"from":1,"to":2,"at":1,"over":-5}"#, ".over"),
        (r#"{"from":1,"to":2,"at":1,"over":"never"}"#, ".over"),
        (r#"{"deep":{"mood":{"from":1,"to":2,"at":1,"over":null}}}"#, ".deep.mood.over"),
    ] {
        assert_eq!(Fading::written(&read(wrong), 7).unwrap_err().place, place, "{wrong}");
    }
    let kept = Fading::written(&read(r#"{"a":{"from":0.9,"to":0,"at":"now","over":"10m"}}"#), 7).unwrap();
    assert_eq!(kept, read(r#"{"a":{"from":0.9,"to":0,"at":7,"over":600000}}"#));
}

proptest! {
    #[test]
    fn every_step_is_the_first_instant_of_its_number(from in -3000i64..3000, to in -3000i64..3000, over in 1i64..90_000, after in -10i64..90_000) {
        let fading = Fading { from, to, at: 0, over };
        let step = fading.next_step(after);
        prop_assert_eq!(step.is_some(), fading.goes_on(after));
        if let Some(step) = step {
            prop_assert!(step > after && step <= over);
            prop_assert_ne!(fading.thousandths(step), fading.thousandths(after));
            prop_assert_eq!(fading.thousandths(step - 1), fading.thousandths(after));
        }
    }
}
