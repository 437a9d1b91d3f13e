//! Tests of `src/dialect/answered.rs`.

use reelm::dialect::answered::*;
use serde_json::json;

/// Bodies that are no JSON of an object, and how each is named.
const BODIES: [(&str, &str); 15] = [
    ("", "nothing"),
    (" \n", "nothing"),
    ("<!DOCTYPE html><title>502</title>", "a page of HTML"),
    ("<html></html>", "a page of HTML"),
    ("\u{feff}<?xml version=\"1.0\"?>", "a page of HTML"),
    ("data: {\"choices\":[]}\n\ndata: [DONE]\n", "a stream of events, which was not asked for"),
    (": OPENROUTER PROCESSING\n\n{\"choices\":[]}", "a comment of a stream of events"),
    ("// by the gateway\n{}", "a comment"),
    ("# by the gateway\n{}", "a comment"),
    ("upstream connect error", "words that are no JSON"),
    ("{\"choices\":[", "JSON that ends before its end, line 1, column 12"),
    ("{\"choices\":[]} and more", "words behind the object, line 1, column 16"),
    ("{}{}", "words behind the object, line 1, column 3"),
    ("{'choices':[]}", "JSON that cannot be read, line 1, column 2"),
    ("{\n\"a\": tru }", "JSON that cannot be read, line 2, column 9"),
];

#[test]
fn a_body_that_is_no_json_is_named() {
    for (body, named) in BODIES {
        assert_eq!(body_of(body).unwrap_err().to_string(), named, "{body}");
    }
}

#[test]
fn a_mark_before_a_body_and_half_a_letter_in_it_are_mended() {
    for (body, is) in [
        ("\u{feff}{\"a\":1}", json!({ "a": 1 })),
        (r#"{"a":"Hello \ud83d there."}"#, json!({ "a": "Hello \u{fffd} there." })),
        (r#"{"a":"\ude00\ud83d\ud83d\ude00"}"#, json!({ "a": "\u{fffd}\u{fffd}\u{1f600}" })),
        (r#"{"a":"\\ud83d"}"#, json!({ "a": "\\ud83d" })),
    ] {
        assert_eq!(body_of(body).unwrap(), is, "{body}");
    }
}

/// Bodies of servers that say what went wrong, and the sentence in each.
const SAID: [(&str, Option<&str>); 14] = [
    (r#"{"error":{"message":"max_tokens is too large","code":null}}"#, Some("max_tokens is too large")),
    (r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long"}}"#, Some("prompt is too long")),
    (r#"{"error":"model \"tiny\" not found"}"#, Some("model 'tiny' not found")),
    (r#"{"error":{"message":"Provider returned error","metadata":{"raw":"context is too long"}}}"#, Some("context is too long")),
    (r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#, Some("field required")),
    (r#"{"detail":"Not Found"}"#, Some("Not Found")),
    (r#"{"message":"no such route"}"#, Some("no such route")),
    (r#"[{"error":{"message":"API key not valid"}}]"#, Some("API key not valid")),
    (r#"{"error":{"message":"Two\nlines\u001b[2J"}}"#, Some("Two lines [2J")),
    (r#"{"error":{"message":"Incorrect API key provided: sk-abcdefgh12345678."}}"#, Some("Incorrect API key provided: …(20)")),
    (r#"{"error":{"message":" "},"message":"as below"}"#, Some("as below")),
    ("Payload Too Large", Some("Payload Too Large")),
    ("<html><body>413</body></html>", None),
    ("{}", None),
];

#[test]
fn the_sentence_of_a_server_is_one_line_without_keys() {
    for (body, said) in SAID {
        assert_eq!(sentence_of(body).as_deref(), said, "{body}");
    }
    let long = sentence_of(&json!({ "error": { "message": "é".repeat(90_000) } }).to_string()).unwrap();
    assert_eq!(long.chars().count(), 200);
}
