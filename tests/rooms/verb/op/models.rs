//! Tests of `src/verb/op/models.rs`.

use reelm::verb::op::models::*;

#[test]
fn a_dialect_that_is_none_and_a_sampling_that_says_what_is_not_its_to_say_are_refused() {
    for (json, place) in [
        (r#"{"base_url":"u","model":"m","sampling":{"may":1}}"#, None),
        (r#"{"base_url":"u","model":"m","dialect":"openai","sampling":{"may":1}}"#, None),
        (r#"{"base_url":"u","model":"m","dialect":"opnai"}"#, Some("/value/dialect")),
        (r#"{"base_url":"u","model":"m","dialect":"anthropic","sampling":{"system":"x"}}"#, Some("/value/sampling")),
        (r#"{"base_url":"u","model":"m","sampling":{"model":"dearer"}}"#, Some("/value/sampling")),
    ] {
        let found = wrong(&serde_json::from_str(json).unwrap()).map(|reason| reason.at.to_string());
        assert_eq!(found.as_deref(), place, "{json}");
    }
}
