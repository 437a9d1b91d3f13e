//! Tests of `src/cli/survey/answer.rs`.

use reelm::cli::survey::answer::*;
use reelm::fact::Value;
use std::collections::BTreeMap;

fn read(kind: &str, said: &str) -> Option<String> {
    kind.parse::<AnswerKind>().unwrap().read(&Value::text(said)).map(|answer| answer.to_string())
}

#[test]
fn a_number_is_read_where_one_was_said_and_only_one() {
    for (said, answer) in [
        ("4", Some("4")),
        (" 4. ", Some("4")),
        ("4 out of 7", Some("4")),
        ("I would say 6!", Some("6")),
        ("My answer: 2", Some("2")),
        ("between 2 and 3", None),
        ("8", None),
        ("4.5", None),
        ("5.5 maybe 6", None),
        ("5,5 or 6", None),
        ("1. I feel content.\n2. The work is good.\n\nAnswer: 6", Some("6")),
        ("1) content\n2) tired", None),
        ("6. I feel content.", Some("6")),
        ("-4", None),
        ("four", None),
        ("", None),
    ] {
        assert_eq!(read("scale=1..7", said).as_deref(), answer, "{said}");
    }
    assert_eq!(read("scale=-3..3", "-2").as_deref(), Some("-2"));
    assert_eq!("scale=1..7".parse::<AnswerKind>().unwrap().read(&Value::Int(5)), Some(Value::Int(5)));
    let labelled = AnswerKind::scale(1, 2, BTreeMap::from([(1, "Not at all".to_owned()), (2, "Very much".to_owned())])).unwrap();
    assert_eq!(labelled.read(&Value::text("very much.")), Some(Value::Int(2)));
}

#[test]
fn an_option_is_read_where_one_was_named_and_only_one() {
    for (said, answer) in [
        ("yes", Some("\"yes\"")),
        ("Yes, certainly.", Some("\"yes\"")),
        ("Not sure", Some("\"not sure\"")),
        ("I am not sure, yes", None),
        ("yesterday", None),
        ("", None),
    ] {
        assert_eq!(read("choice=yes,no,not sure,sure", said).as_deref(), answer, "{said}");
    }
}

#[test]
fn an_option_that_is_denied_is_no_answer() {
    for said in ["Not yes.", "I would never say yes.", "I can't say yes", "I don\u{2019}t think yes"] {
        assert_eq!(read("choice=yes,no", said), None, "{said}");
    }
    assert_eq!(read("choice=yes,no", "Yes, I do not mind.").as_deref(), Some("\"yes\""));
    assert_eq!(read("choice=not at all,very", "I am not at all sure.").as_deref(), Some("\"not at all\""));
}

#[test]
fn what_is_no_kind_says_what_was_expected() {
    for text in ["", "opne", "open=1", "scale=7..1", "scale=1", "scale=a..b", "choice", "choice=yes", "choice=yes,Yes", "choice=yes,,no"] {
        assert!(text.parse::<AnswerKind>().is_err_and(|error| error.starts_with("expected ")), "{text}");
    }
}

#[test]
fn words_of_reasoning_are_no_answer() {
    assert_eq!(read("choice=yes,no", "<thinking>yes would be bold</thinking>I would not."), None);
    assert_eq!(read("choice=yes,no", "[THINK]no?[/THINK]Yes.<|im_end|>").as_deref(), Some("\"yes\""));
    assert_eq!(read("scale=1..7", "I weigh 2 and 3.</think>6</s>").as_deref(), Some("6"));
    assert_eq!(read("open", "<think>hm").as_deref(), None);
}
