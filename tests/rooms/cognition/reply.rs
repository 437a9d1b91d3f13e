//! Tests of `src/cognition/reply.rs`.

use reelm::cognition::reply::*;
use reelm::dialect::TokenCount;
use reelm::fact::{Code, Value};

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// A reply of three attempts over two connections and a call ahead in vain, in the bytes in which it is recorded.
const RECORDED: &str = r#"{"attempts":1,"body":"{}","connection":"other","model":"big","ms":52,"status":200,"tried":[{"connection":"tiny","status":503},{"body":"","connection":"tiny","error":"reply-timeout"},{"connection":"tiny","error":"ahead","vain":true}],"usage":{"input":9,"output":1}}"#;

#[test]
fn a_reply_has_one_recorded_form() {
    let attempt = |error, status| Asking { connection: Some("tiny".into()), error, status, ..Asking::default() };
    let reply = Reply {
        last: Asking {
            connection: Some("other".into()),
            status: Some(200),
            body: Some("{}".into()),
            model: Some("big".into()),
            usage: Some(TokenCount { input: 9, cached: 0, output: 1 }),
            ..Asking::default()
        },
        attempts: Some(1),
        tried: vec![
            attempt(None, Some(503)),
            Asking { body: Some("".into()), ..attempt(Some(Code::ReplyTimeout), None) },
            Asking { is_vain: true, ..attempt(Some(Code::Ahead), None) },
        ],
        ms: Some(52),
        odd: None,
    };
    assert_eq!(Value::from(reply.clone()).to_string(), RECORDED);
    assert_eq!(Reply::from(value(RECORDED)), reply);
    assert_eq!(Value::from(Reply::failed(Code::ReplyLost)).to_string(), r#"{"error":"reply-lost"}"#);
}

#[test]
fn what_is_no_reply_is_read_as_far_as_it_goes() {
    let lost = Reply::from(value(r#"{"error":"no word of ours","status":200,"usage":{"input":-3,"output":2},"ms":-7,"tried":[7]}"#));
    assert_eq!((lost.last.error, lost.last.is_answer(), lost.ms), (Some(Code::ReplyLost), false, Some(7)));
    assert_eq!((lost.last.usage, lost.tried), (Some(TokenCount { input: 3, cached: 0, output: 2 }), vec![Asking::default()]));
    let odd = Reply::from(value(r#"{"error":7,"status":204,"usage":{"input":1}}"#));
    assert!(odd.last.is_answer() && odd.last.usage.is_none());
    assert_eq!(Reply::from(value("[1]")).last, Asking::default());
}

#[test]
fn whatever_is_recorded_is_written_again_as_it_was() {
    let mut odd = vec!["7".to_owned(), "[]".to_owned(), "{}".to_owned(), RECORDED.to_owned()];
    for status in ["-1", "200", "\"200\"", "null"] {
        for more in ["\"ms\":1.5", "\"ms\":-1", "\"usage\":{\"input\":1,\"output\":2,\"total\":3}", "\"attempts\":-1", "\"x\":1"] {
            odd.push(format!("{{\"status\":{status},{more}}}"));
            for tried in ["[]", "[{\"status\":503}]", "[7]", "{}", "[{\"tried\":[{}]}]"] {
                let error = if status == "200" { "\"cassette\"" } else { "7" };
                odd.push(format!("{{\"status\":{status},\"error\":{error},\"tried\":{tried},{more}}}"));
            }
        }
    }
    for json in odd {
        assert_eq!(Value::from(Reply::from(value(&json))), value(&json), "{json}");
    }
}
