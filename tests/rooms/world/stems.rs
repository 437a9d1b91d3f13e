//! Tests of `src/world/stems.rs`.

use std::sync::Arc;

use reelm::fact::{BeingId, Made, Value};
use reelm::world::diary::*;
use reelm::world::{Happened, Happening, StemLanguages, stem_languages};

use crate::kit::args;

fn have_one_stem(languages: &StemLanguages, one: &str, other: &str) -> bool {
    languages.stems(one).iter().any(|stem| languages.stems(other).contains(stem))
}

#[test]
fn forms_of_a_word_have_one_stem_in_the_languages_that_are_said() {
    let usual = StemLanguages::default();
    assert!(have_one_stem(&usual, "flowerpots", "flowerpot") && have_one_stem(&usual, "häuser", "haus"));
    assert!(!have_one_stem(&usual, "flowerpot", "window") && !have_one_stem(&usual, "chevaux", "cheval"));
    assert!(have_one_stem(&StemLanguages::read(&args(r#"["french"]"#)), "chevaux", "cheval"));
    assert!(StemLanguages::read(&Value::List(Vec::new())).stems("flowerpots").is_empty());
    assert!(stem_languages().is_sorted());
}

#[test]
fn what_was_said_is_found_by_other_forms_of_its_words_and_the_very_word_comes_first() {
    let being = BeingId(Made { seq: 1, index: 0 });
    let mut diaries = Diaries::default();
    for (seq, words) in (1..).zip(["the flowerpot stands by the window", "rain", "two flowerpots fell", "rain"]) {
        let what = Happened::Said { words: words.into() };
        diaries.write(being, &Arc::new(Happening { seq, at: 0, who: being, driver: None, root: None, what }));
    }
    let found = |diaries: &Diaries, text: &str| {
        let sought = Topic::words(text).map(|word| (word, 1)).collect();
        diaries.best(being, &sought, |_| true, 0).into_iter().map(|happening| happening.seq).collect::<Vec<_>>()
    };
    assert_eq!((found(&diaries, "flowerpots"), found(&diaries, "flowerpot")), (vec![3, 1], vec![1, 3]));
    diaries.languages = StemLanguages::read(&Value::List(Vec::new()));
    assert_eq!(found(&diaries, "flowerpots"), [3]);
}
