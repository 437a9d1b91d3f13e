//! Tests of `src/cli/speech.rs`.

use std::io::Write as _;

use reelm::cli::speech::*;

#[test]
fn a_line_of_the_log_takes_hold_of_no_terminal() {
    let mut told = Tame(Vec::new());
    writeln!(told, "WARN cannot read `a\u{9b}2J\u{202e}.reelm`").unwrap();
    assert_eq!(String::from_utf8(told.0).unwrap(), "WARN cannot read `a\\u009b2J\\u202e.reelm`\n");
}
