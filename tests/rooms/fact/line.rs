//! Tests of `src/fact/line.rs`.

use reelm::fact::line::*;
use std::borrow::Cow;

#[test]
fn what_others_have_written_moves_nothing_of_ours() {
    let told = |text: &str| plain(text).collect::<String>();
    assert_eq!(told("one\ntwo\r\x1b[2Jthree\u{85}"), "one two  [2Jthree ");
    assert_eq!(told("gate\u{202e}elor\u{2066}\u{200b}\u{200f}\u{2028}"), "gateelor");
    assert_eq!(visible("a\x1b[2J\u{9b}b\u{202e}\u{feff}\n\u{f6}"), "a\\u{1b}[2J\\u{9b}b\\u{202e}\\u{feff}\\u{a}\u{f6}");
    assert_eq!(told("l\u{f6}wenzahn \u{2014} \u{1f33b}"), "l\u{f6}wenzahn \u{2014} \u{1f33b}");
}

#[test]
fn no_text_takes_hold_of_a_terminal_and_our_own_lines_stay() {
    let hostile = "a\x1b[2J\u{9b}31m\u{7f}\r\u{8}b\u{202e}c\u{2066}\u{2028}\n\tlöwe \u{1f469}\u{200d}\u{1f680}";
    let told = harmless(hostile);
    assert_eq!(told, "a\\u{1b}[2J\\u{9b}31m\\u{7f}\\u{d}\\u{8}b\\u{202e}c\\u{2066}\\u{2028}\n\tlöwe \u{1f469}\u{200d}\u{1f680}");
    assert!(matches!(harmless("löwe\n\t-"), Cow::Borrowed(_)));
    let json = serde_json::to_string(hostile).unwrap();
    let told = harmless_json(&json);
    assert!(!told.chars().any(seizes), "{told}");
    assert_eq!(serde_json::from_str::<String>(&told).unwrap(), hostile);
}
