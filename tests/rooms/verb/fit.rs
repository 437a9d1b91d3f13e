//! Tests of `src/verb/fit.rs`: arguments as an operation takes them.

use reelm::fact::{Call, Content, Value};
use reelm::verb::fitted;

use crate::kit::Small;

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// The arguments of an operation, as they are judged and recorded.
fn fit(action: &str, args: &str) -> Value {
    let small = Small::plant("");
    match fitted(&small.world(), Call::doing("/", action, value(args))).args {
        Content::Here(args) => args,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_number_as_text_is_one_where_the_schema_takes_a_number_and_no_text() {
    assert_eq!(fit("loss.accept", r#"{"from":"7"}"#), value(r#"{"from":7}"#));
    assert_eq!(fit("loss.accept", r#"{"from":"7","groups":"2"}"#), value(r#"{"from":7,"groups":2}"#));
    // `every` takes both, and words are no numbers.
    for (action, args) in [
        ("schedule.set", r#"{"every":"7"}"#),
        ("loss.accept", r#"{"from":"seven"}"#),
        ("loss.accept", r#"{"from":"7 "}"#),
        ("nobody.knows", r#"{"from":"7"}"#),
    ] {
        assert_eq!(fit(action, args), value(args), "{action}");
    }
}

#[test]
fn arguments_stand_under_no_key_that_the_operation_does_not_have() {
    let right = value(r#"{"from":7,"groups":2}"#);
    for args in [
        r#"{"arguments":{"from":7,"groups":"2"}}"#,
        r#"{"args":{"from":7,"groups":2}}"#,
        r#"{"args":"{\"from\":7,\"groups\":2,}"}"#,
        r#""{\"from\":7,\"groups\":2}}""#,
    ] {
        assert_eq!(fit("loss.accept", args), right, "{args}");
    }
    // The operation has such a key, or something else stands beside it.
    for (action, args) in [("draft.make", r#"{"args":{"content":"hi"}}"#), ("loss.accept", r#"{"args":{"from":7},"groups":2}"#)] {
        assert_eq!(fit(action, args), value(args), "{action}");
    }
}
