//! Tests of `src/fact/masked.rs`.

use reelm::fact::{has_known_secret, masked};

/// A text as it is written, and as it is shown.
const ROWS: [(&str, &str); 40] = [
    // By their forms, wherever they stand.
    ("found `sk-abcdef1234567890`; write", "found `…(19)`; write"),
    ("sk-proj-abc_DEF-123456789", "…(25)"),
    ("(ghp_0123456789abcdefABCDEF0123456789abcd)", "(…(40))"),
    ("github_pat_11ABCDEFG0123456789_abcdef", "…(37)"),
    ("glpat-abcdefghij0123456789 and hf_abcdefghij0123456789", "…(26) and …(23)"),
    ("xoxb-123456789012-abcdef", "…(24)"),
    ("AKIAIOSFODNN7EXAMPLE", "…(20)"),
    ("AIzaSyA-0123456789abcdefghijklmnopqrstu", "…(39)"),
    ("Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123", "Bearer …(48)"),
    // By the names of the values.
    (r#"{"base_url":"http://a","key":"hunter2"}"#, r#"{"base_url":"http://a","key":"…(7)"}"#),
    (r#"key = "a b""#, r#"key = "…(3)""#),
    ("api_key = 'x'", "api_key = '…(1)'"),
    (r#"{"apiKey": "12345"}"#, r#"{"apiKey": "…(5)"}"#),
    (r#"\"key\":\"hunter2\",\"model\":\"tiny\""#, r#"\"key\":\"…(7)\",\"model\":\"tiny\""#),
    (r#"{"key":"a\"b","model":"m"}"#, r#"{"key":"…(4)","model":"m"}"#),
    ("password=hunter2 and more", "password=…(7) and more"),
    ("authorization: abc123def456", "authorization: …(12)"),
    ("Authorization: \"Basic Zm9v\"", "Authorization: \"…(10)\""),
    ("llm.small.key = \"q\"", "llm.small.key = \"…(1)\""),
    ("access-token: 'ü'", "access-token: '…(1)'"),
    ("SECRET=äöü;", "SECRET=…(3);"),
    ("key = \"not closed\n  | ^", "key = \"…(10)\n  | ^"),
    ("cannot set llm.small.key to \"hunter2\": secret", "cannot set llm.small.key to \"…(7)\": secret"),
    ("key = [\"a1\"]", "key = [\"…(2)\"]"),
    ("base_url = \"https://ada:hunter2@models.example/v1\"", "base_url = \"https://…(11)@models.example/v1\""),
    // A line of a log in JSON stays one, also where the text in it closes no quotes.
    (r#"{"message":"at key = \"abc","seq":4}"#, r#"{"message":"at key = \"…(3)","seq":4}"#),
    // These stay as they are.
    (r#"{"token":1234567890,"seq":4}"#, r#"{"token":1234567890,"seq":4}"#),
    (r#"key = "env:NAME""#, r#"key = "env:NAME""#),
    (r#"{"key":"llm.connection","value":"small"}"#, r#"{"key":"llm.connection","value":"small"}"#),
    (r#"{"key":"brakes.depth","value":3}"#, r#"{"key":"brakes.depth","value":3}"#),
    ("root_key = \"0123abcd\"", "root_key = \"0123abcd\""),
    ("public-key: \"zAbc\"", "public-key: \"zAbc\""),
    ("unknown field `key`, expected `name`", "unknown field `key`, expected `name`"),
    ("the key: it names where the secret lies", "the key: it names where the secret lies"),
    ("token: expected 4", "token: expected 4"),
    (
        "world hash 71b28d1bb6771a05d326092333e670d79c5ca7b47dc4cfb64e2fcb1251e102fc",
        "world hash 71b28d1bb6771a05d326092333e670d79c5ca7b47dc4cfb64e2fcb1251e102fc",
    ),
    (
        "key = \"71b28d1bb6771a05d326092333e670d79c5ca7b47dc4cfb64e2fcb1251e102fc\"",
        "key = \"71b28d1bb6771a05d326092333e670d79c5ca7b47dc4cfb64e2fcb1251e102fc\"",
    ),
    ("sk-short and ghp_x", "sk-short and ghp_x"),
    ("monkey: \"banana\"", "monkey: \"banana\""),
    ("", ""),
];

#[test]
fn each_secret_in_a_text_is_masked_and_nothing_else_is() {
    for (written, shown) in ROWS {
        assert_eq!(masked(written), shown, "{written}");
        assert_eq!(masked(shown), shown, "what was masked stays so");
    }
}

#[test]
fn what_is_a_secret_by_its_form_is_known_without_a_name() {
    assert!(has_known_secret("use sk-abcdef1234567890, please") && has_known_secret("ghp_0123456789abcdefABCDEF"));
    assert!(!has_known_secret("key = \"hunter2\"") && !has_known_secret("a sk-8 in the snow"));
}
