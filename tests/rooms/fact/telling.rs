//! Tests of `src/fact/telling.rs`.

use reelm::fact::Call;
use reelm::fact::telling::*;
use reelm::fact::value::Value;

fn call(args: &str) -> Call {
    Call::doing("/hall/bin", "t:put", serde_json::from_str::<Value>(args).unwrap())
}

#[test]
fn a_sentence_is_filled_in_from_the_target_and_the_arguments() {
    let tell = |text: &str, args: &str| Telling::parse(text).unwrap().tell(&call(args));
    assert_eq!(tell("puts board {{args.board.no}} into {{ target }}", r#"{"board":{"no":684}}"#), "puts board 684 into /hall/bin");
    assert_eq!(tell("rests {{args.how}}", r#"{"how":"a\nb\u001b[2J\u202ec"}"#), "rests a b [2Jc");
    assert_eq!(tell("rests {{args.how}} now", "{}"), "rests now");
    assert_eq!(tell("{{args.all}}", r#"{"all":[1,true,null]}"#), "[1,true,null]");
    let long = tell("says {{args.x}}!", &format!(r#"{{"x":"{}"}}"#, "ä".repeat(500)));
    assert!(long.chars().count() == 5 + TOLD_MAX + 1 && long.ends_with("…!"), "{long}");
    assert_eq!(tell("{ json }", "{}"), "{ json }");
}

#[test]
fn what_is_no_sentence_says_what_was_expected() {
    for (text, expected) in [
        ("", "one line"),
        ("a\nb", "one line"),
        ("a\u{202e}b", "one line"),
        ("a {{target", "`}}` behind"),
        ("a }} b", "`{{` before"),
        ("a {{me.name}}", "found `{{me.name}}`"),
        ("a {{args.}}", "found `{{args.}}`"),
        ("a {{args.x | upper}}", "found `{{args.x | upper}}`"),
        (&"x".repeat(SENTENCE_MAX + 1), "one line"),
        (&"{{target}}".repeat(9), "at most 8"),
    ] {
        assert!(Telling::parse(text).unwrap_err().contains(expected), "{text}");
    }
}
