//! Tests of `src/source/changing.rs`.

use reelm::fact::Value;
use reelm::source::changing::*;

fn what(text: &str) -> Changing {
    text.parse::<WantedChange>().unwrap().what
}

#[test]
fn a_change_is_read_by_its_kind_or_by_the_ending_of_its_file() {
    assert_eq!(what("roles/judge.md"), Changing::Role(None, "roles/judge.md".into()));
    assert_eq!(what("role:court:judge=a.md"), Changing::Role(Some("court:judge".into()), "a.md".into()));
    assert_eq!(what("scripts/judge.rhai"), Changing::Script("judge".into(), "scripts/judge.rhai".into()));
    assert_eq!(what("signal:/court.in-session=true"), Changing::Signal("court.in-session".into(), Value::Bool(true)));
    assert_eq!(what("setting:llm.connection=small"), Changing::Setting("/".into(), "llm.connection".into(), Value::from("small")));
    assert_eq!(what("setting:/court/brakes.depth=3"), Changing::Setting("/court".into(), "brakes.depth".into(), Value::Int(3)));
    assert_eq!(what("flow:@ada=[]"), Changing::Flow("@ada".into(), "[]".into()));
    assert_eq!(what("."), Changing::Source(".".into()));
    assert_eq!(what("reply:@ada/7=said.txt"), Changing::Reply("@ada/7".into(), ReplyText::File("said.txt".into())));
    assert_eq!(what("reply:@ada/7=\"No.\""), Changing::Reply("@ada/7".into(), ReplyText::Here("No.".into())));
    let call = "{\"name\":\"see\",\"arguments\":{}}";
    assert_eq!(what(&format!("reply:19={call}")), Changing::Reply("19".into(), ReplyText::Here(call.into())));
}

#[test]
fn what_is_written_out_reads_no_file() {
    for text in ["reply:19=\"No.\"", "role:judge={\"name\":\"judge\"}", "flow:@ada=[]", "signal:tea=true", "setting:brakes.depth=3"] {
        assert!(WantedChange::written(text).is_ok(), "{text}");
    }
    for text in [
        "reply:19=/etc/passwd",
        "role:judge=/etc/passwd",
        "script:x=/etc/passwd",
        "flow:@ada=/etc/passwd",
        "x.md",
        ".",
        "/",
        "role:judge={",
        "moon",
    ] {
        assert!(WantedChange::written(text).is_err(), "{text}");
    }
}

#[test]
fn what_is_no_change_says_what_could_be() {
    let error = "moon=full".parse::<WantedChange>().unwrap_err();
    assert!(error.starts_with("expected a role (`judge.md`)") && error.ends_with("found `moon=full`"), "{error}");
}
