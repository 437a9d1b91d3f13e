//! Tests of `src/verb/repair.rs`: what is understood, what is not, and what is said of it.

use proptest::prelude::*;
use reelm::verb::object_of;
use serde_json::{Value as Json, json};

fn mended(text: &str) -> Result<Json, String> {
    object_of(text, true).map(Json::Object).map_err(|fault| fault.to_string())
}

#[test]
fn what_any_reader_understands_is_understood() {
    let hi = json!({ "content": "hi" });
    for text in [
        r#"{"content":"hi"}"#,
        r#" {"content":"hi",} "#,
        r#"{"content":"hi"}}"#,
        "```json\n{\"content\":\"hi\"}\n```",
        "```\n{\"content\":\"hi\",}}\n```",
        r#""{\"content\":\"hi\"}""#,
    ] {
        assert_eq!(mended(text), Ok(hi.clone()), "{text}");
        assert_eq!(
            object_of(text, false).is_ok(),
            text.starts_with(r#"{"content":"hi"}"#) && !text.ends_with("}}"),
            "a cut text is not mended: {text}"
        );
    }
    assert_eq!(mended("{\"content\":\"hi\nthere\"}"), Ok(json!({ "content": "hi\nthere" })));
    assert_eq!(mended("{\"list\":[1,2,],\"deep\":{\"a\":true,},}"), Ok(json!({ "list": [1, 2], "deep": { "a": true } })));
}

#[test]
fn what_is_not_on_the_list_is_not_mended_and_says_why() {
    for (text, why) in [
        ("{&quot;a&quot;: 1}", "line 1, column 2: expected a key in quotation marks, found `&`"),
        (r#"{"a": \n{"b": 1}}"#, r"line 1, column 7: expected a value, found `\`"),
        (r#"{"a": 1"#, "line 1, column 8: expected `,` or `}`, found the end"),
        (r#"{"a": "b"#, "line 1, column 9: expected the end of a string, found the end"),
        ("{\n\"a\" 1}", "line 2, column 5: expected `:`, found `1`"),
        (r#"{"a": 1,,}"#, "line 1, column 9: expected a key in quotation marks, found `,`"),
        (r#"{"a": 1}}}"#, "line 1, column 10: expected the end, found `}`"),
        (r#"{"a": 1} and more"#, "line 1, column 10: expected the end, found `a`"),
        ("{'a': 1}", "line 1, column 2: expected a key in quotation marks, found `'`"),
        ("[1]", "line 1, column 1: expected an object, found `[`"),
        ("```json\n{\"a\" 1}\n```", "line 2, column 6: expected `:`, found `1`"),
        (r#""\"{}\"""#, "line 1, column 1: expected an object, found `\"`"),
    ] {
        assert_eq!(mended(text), Err(why.to_owned()), "{text}");
    }
}

#[test]
fn only_short_and_flat_texts_are_mended() {
    let of = |len: usize| format!("{{\"a\":\"{}\",}}", "x".repeat(len));
    assert!(mended(&of(60_000)).is_ok());
    assert!(mended(&of(66_000)).is_err());
    assert!(mended(&of(66_000).replace(",}", "}")).is_ok());
    let deep = |levels: usize| format!("{}1,{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    assert!(mended(&deep(24)).is_ok());
    assert!(mended(&deep(25)).unwrap_err().contains("at most 24 levels"));
}

proptest! {
    #[test]
    fn what_is_json_is_read_as_it_is(text in "\\PC{0,40}", number in any::<i64>()) {
        let whole = json!({ "text": text, "number": number, "list": [null, true, { "a": text }] });
        prop_assert_eq!(mended(&whole.to_string()), Ok(whole.clone()));
        // The same with a comma too many is read by hand.
        let nearly = whole.to_string().replacen(']', ",]", 1);
        if !text.contains(']') {
            prop_assert_eq!(mended(&nearly), Ok(whole));
        }
    }

    #[test]
    fn nothing_does_harm(text in "[{}\\[\\]\",:'`a1\\\\\n u-]{0,80}") {
        let _ = mended(&text);
    }
}
