//! Tests of `src/portal/words.rs`.

use reelm::fact::Code;
use reelm::fact::{Closing, Reason};
use reelm::portal::words::*;

#[test]
fn every_way_in_which_a_moment_closes_is_told_in_words() {
    let reason = || Reason::new(Code::Looked, "");
    let all = [
        Closing::Act,
        Closing::See,
        Closing::Refused(reason()),
        Closing::Failed(reason()),
        Closing::Requeued(reason()),
        Closing::DeadLetter(reason()),
        Closing::Ended,
    ];
    let words: Vec<&str> = all.iter().map(Closing::word).collect();
    assert_eq!(words, CLOSINGS.iter().map(|(word, _)| *word).collect::<Vec<_>>());
}

#[test]
fn the_words_that_the_pages_own_tests_learn_are_those_that_the_server_tells() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/page/words.json");
    let told = format!("{}\n", serde_json::to_string_pretty(&serde_json::to_value(told()).unwrap()).unwrap());
    if std::env::var_os("REMAKE").is_some() {
        std::fs::write(path, &told).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == told, "it differs: `REMAKE=1 cargo test --lib portal::words` writes it anew");
}
