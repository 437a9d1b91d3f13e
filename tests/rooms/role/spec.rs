//! Tests of `src/role/spec.rs`.

use reelm::role::spec::*;

fn read(json: &str) -> Result<Spec, String> {
    Spec::from_value(&serde_json::from_str(json).unwrap()).map_err(|error| error.to_string())
}

#[test]
fn what_is_as_by_default_is_left_out_of_the_canonical_form() {
    let json = r#"{"name":"a","selfContinue":false,"triggerOn":["message","signal","schedule","watch"],"canSee":[],"respondMode":"async","thinks":"60s"}"#;
    assert_eq!(read(json).unwrap().to_value().to_string(), r#"{"name":"a","thinks":"1m"}"#);
}

#[test]
fn the_hash_is_of_what_is_meant_and_not_of_how_it_is_spelled() {
    let spelled = read(r#"{"prompt":"\n\nhello\r\nyou  \n","name":"a","thinks":"2000ms"}"#).unwrap();
    let plain = read(r#"{"name":"a","thinks":"2s","prompt":"hello\nyou"}"#).unwrap();
    assert_eq!(spelled.hash(), plain.hash());
    assert_ne!(plain.hash(), read(r#"{"name":"a","thinks":"2s","prompt":"hello"}"#).unwrap().hash());
}

#[test]
fn every_refusal_names_the_key_and_the_place() {
    for (json, wanted) in [
        (r#"{}"#, "`name`: expected the role's name"),
        (r#"{"name":"A b"}"#, "`name`: expected kebab case"),
        (r#"{"name":"a","canse":[]}"#, "`canse`: no role has this key; did you mean `canSee`?"),
        (r#"{"name":"a","canDo":"move"}"#, "`canDo`: expected a list"),
        (r#"{"name":"a","canDo":["move",{"action":"x","on":{"rel":"up"}}]}"#, "`canDo[1].on.rel`: expected a relation"),
        (r#"{"name":"a","canDo":["signal.set"]}"#, "`canDo[0]`: `signal.set` covers"),
        (r#"{"name":"a","see":[1]}"#, "`see[0]`: expected text"),
        (r#"{"name":"a","lets":"ward:treat"}"#, "`lets`: expected a list"),
        (r#"{"name":"a","lets":["ward:treat",{"action":"ward:treat"}]}"#, "`lets[1]`: expected the name of an operation"),
        (r#"{"name":"a","lets":["***"]}"#, "`lets[0]`: expected `*` or `**`"),
        (r#"{"name":"a","requiredCognition":"robot"}"#, "`requiredCognition`: `robot` is not a known cognition"),
        (r#"{"name":"a","triggerOn":["message","scent"]}"#, "`triggerOn[1]`: `scent` is not"),
        (r#"{"name":"a","thinks":"2 s"}"#, "`thinks`: expected a time"),
        (r#"{"name":"a","thinks":"99999999999999999999h"}"#, "`thinks`: expected a time"),
        (r#"{"name":"a","thinks":"ms"}"#, "`thinks`: expected a time"),
        (
            r#"{"name":"a","when":{"me.qualty.t.n":1}}"#,
            "`when.\"me.qualty.t.n\"`: expected a path that a moment has, found `me.qualty.t.n`; did you mean",
        ),
        (
            r#"{"name":"a","when":{"time.hour":{"gtee":9}}}"#,
            "expected a path that a moment has, found `time.hour.gtee`; did you mean the operator `gte`?",
        ),
        (r#"{"name":"a","when":{"time.hour":{"gte":9,"lessthan":3}}}"#, "found `lessthan` beside operators"),
        (r#"{"name":"a","when":[]}"#, "`when`: expected an object of conditions"),
        (r#"{"name":"a","selfContinue":1}"#, "`selfContinue`: expected true or false"),
        (r#"{"name":"a","script":""}"#, "`script`: expected text, found none"),
        (r#"[]"#, "expected a role as an object"),
    ] {
        let error = read(json).unwrap_err();
        assert!(error.contains(wanted), "{json}: {error}");
    }
}
