//! Tests of `src/run/tally.rs`.

use reelm::fact::Reason;
use reelm::fact::{Closing, Code};
use reelm::run::tally::*;

#[test]
fn a_tally_names_each_closing_and_the_most_frequent_reason_first() {
    let mut tally = Tally::default();
    let because = |code| Reason::new(code, "somewhere");
    assert_eq!((tally.to_string().as_str(), tally.failures()), ("", None));
    for closing in [Closing::Act, Closing::See, Closing::Act, Closing::Refused(because(Code::GatePlace))] {
        tally.close(&closing);
    }
    for _ in 0..2 {
        tally.close(&Closing::Refused(because(Code::GateRole)));
    }
    assert_eq!(tally.to_string(), "acts 2, sees 1, refused 3 (gate-role 2, gate-place 1)");
    assert_eq!((tally.moments(), tally.failures()), (6, None));
    tally.close(&Closing::Failed(because(Code::ScriptThrow)));
    tally.close(&Closing::DeadLetter(because(Code::ScriptThrow)));
    assert_eq!(tally.failures().as_deref(), Some("failed 1 (script-throw 1), dead letters 1 (script-throw 1)"));
    assert_eq!(tally.moments(), 8);
}
