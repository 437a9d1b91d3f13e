//! Tests of `src/fact/line.rs`.

use reelm::fact::line::*;

#[test]
fn what_others_have_written_moves_nothing_of_ours() {
    let told = |text: &str| plain(text).collect::<String>();
    assert_eq!(told("one\ntwo\r\x1b[2Jthree\u{85}"), "one two  [2Jthree ");
    assert_eq!(told("gate\u{202e}elor\u{2066}\u{200b}\u{200f}\u{2028}"), "gateelor");
    assert_eq!(visible("a\x1b[2J\u{9b}b\u{202e}\u{feff}\n\u{f6}"), "a\\u{1b}[2J\\u{9b}b\\u{202e}\\u{feff}\\u{a}\u{f6}");
    assert_eq!(told("l\u{f6}wenzahn \u{2014} \u{1f33b}"), "l\u{f6}wenzahn \u{2014} \u{1f33b}");
}
