//! Tests of `src/fact/code.rs`.

use reelm::fact::code::*;
use std::collections::BTreeSet;

#[test]
fn every_code_has_a_word_of_its_own_that_leads_back_to_it_and_a_plain_sentence() {
    let words: BTreeSet<&str> = Code::ALL.iter().map(|code| code.word()).collect();
    assert_eq!(words.len(), Code::ALL.len());
    for code in Code::ALL {
        assert_eq!(code.word().parse(), Ok(*code));
        let sentence = code.sentence();
        assert!(!sentence.ends_with('.') && sentence.starts_with(|c: char| c.is_lowercase() || c == '`'), "{code}: {sentence}");
    }
    assert!("gate-nothing".parse::<Code>().is_err());
}
