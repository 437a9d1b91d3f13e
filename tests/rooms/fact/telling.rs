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
    assert_eq!(tell("puts board {{args.board.no}} into the {{ target }}", r#"{"board":{"no":684}}"#), "puts board 684 into the bin");
    assert_eq!(tell("rests {{args.how}}", r#"{"how":"a\nb\u001b[2J\u202ec"}"#), "rests a b [2Jc");
    assert_eq!(tell("rests {{args.how}} now", "{}"), "rests now");
    assert_eq!(tell("{{args.all}}", r#"{"all":[1,true,null]}"#), "[1,true,null]");
    let long = tell("says {{args.x}}!", &format!(r#"{{"x":"{}"}}"#, "ä".repeat(500)));
    assert!(long.chars().count() == 5 + TOLD_MAX + 1 && long.ends_with("…!"), "{long}");
    assert_eq!(tell("{ json }", "{}"), "{ json }");
}

#[test]
fn a_thing_is_named_as_people_name_it_or_as_it_was_written() {
    let told = |target: &str| Telling::parse("packs {{target}}").unwrap().tell(&Call::doing(target, "t:pack", Value::Null));
    let written = |target: &str| Telling::parse("packs {{target}}").unwrap().write(&Call::doing(target, "t:pack", Value::Null));
    for (target, text) in [
        ("/factory/line/qa/board-00684", "packs board 684"),
        ("/factory/line/defect-bin", "packs defect bin"),
        ("/line/veneer-00000", "packs veneer 0"),
        ("@ada", "packs @ada"),
        ("@ada/crate-0007", "packs crate 7"),
        ("/court/007", "packs 7"),
    ] {
        assert_eq!(told(target), text);
        assert_eq!(written(target), format!("packs {target}"));
    }
    // A text that is no address of a thing is told as it is.
    for target in ["bin-007", "/", "/.roles/judge", "/a b", "and/or"] {
        assert_eq!((told(target), written(target)), (format!("packs {target}"), format!("packs {}", marked(target))));
    }
    let args = r#"{"bin":"/hall/defect-bin","note":"see /hall","n":[1]}"#;
    let told = Telling::parse("{{args.bin}}, {{args.note}}, {{args.n}}").unwrap().tell(&call(args));
    assert_eq!(told, "defect bin, see /hall, [1]");
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
