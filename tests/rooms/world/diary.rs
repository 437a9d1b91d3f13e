//! Tests of `src/world/diary.rs`.

use proptest::prelude::*;
use reelm::fact::{BeingId, Made, Seq};
use reelm::world::diary::*;
use reelm::world::{Happened, Happening};
use std::sync::Arc;

fn being(seq: u64) -> BeingId {
    BeingId(Made { seq, index: 0 })
}

fn said(seq: Seq, words: &str) -> Arc<Happening> {
    Arc::new(Happening { seq, at: 0, who: being(9), driver: None, root: None, what: Happened::Said { words: words.into() } })
}

fn written(texts: &[String]) -> Diaries {
    let mut diaries = Diaries::default();
    (1..).zip(texts).for_each(|(seq, text)| diaries.write(being(1), &said(seq, text)));
    diaries
}

fn found(diaries: &Diaries, text: &str) -> Vec<Seq> {
    let sought = Topic::words(text).map(|word| (word, 1)).collect();
    diaries.best(being(1), &sought, |_| true, 0).into_iter().map(|happening| happening.seq).collect()
}

#[test]
fn what_is_rarer_and_what_is_said_in_fewer_words_comes_first() {
    let mut texts = vec!["the rain".to_owned(); 40];
    texts[3] = "the Attic, said Ada, has ada's key and a good many other things of no use to anybody".to_owned();
    texts[8] = "the attic".to_owned();
    texts[20] = "the rain and a third stone".to_owned();
    texts[24] = "the lamp".to_owned();
    (25..31).for_each(|at| texts[at] = "the bell".to_owned());
    texts[32] = "the moth".to_owned();
    texts[33] = "the moth and a good many other things of no use to anybody".to_owned();
    let diaries = written(&texts);
    assert_eq!(found(&diaries, "moth"), [33, 34]);
    assert_eq!(found(&diaries, "the ATTIC"), [9, 4]);
    assert_eq!(found(&diaries, "attic key"), [4, 9]);
    assert_eq!(found(&diaries, "Ada's third"), [4, 21]);
    assert_eq!(found(&diaries, "the"), [0; 0], "what is said always says nothing");
    assert_eq!(found(&diaries, "cellar"), [0; 0]);
    assert_eq!(found(&diaries, "lamp bell")[0], 25, "the rarer comes first, however old");
}

#[test]
fn words_of_languages_without_spaces_are_found() {
    let diaries = written(&["閣楼の鍵は石の下".to_owned(), "今日は雨".to_owned()]);
    assert_eq!(found(&diaries, "鍵"), [1]);
}

#[test]
fn in_a_long_list_the_newest_are_looked_through() {
    let count = 4 * LOOKED_THROUGH;
    let mut texts = vec!["rain".to_owned(); 5 * count];
    (0..count).for_each(|at| texts[5 * at] = "a bell".to_owned());
    texts[1] = "a key".to_owned();
    let diaries = written(&texts);
    let bells = found(&diaries, "bell");
    assert_eq!((bells.len(), bells[0]), (LOOKED_THROUGH, 5 * (count as u64 - 1) + 1));
    assert_eq!(found(&diaries, "key"), [2]);
    assert!(diaries.found.values().all(|list| list.len() <= LISTED), "what is full is written once");
}

proptest! {
    #[test]
    fn nothing_is_found_but_what_was_heard_and_all_of_it_by_rare_words(
        texts in proptest::collection::vec("[a-f]{1,2}( [a-f]{1,2}){0,6}", 1..60), sought in "[a-f]{1,2}( [a-f]{1,2}){0,2}", end in 1_u64..70,
    ) {
        let mut diaries = written(&texts);
        let words: Vec<&str> = sought.split(' ').collect();
        let has = |text: &String| text.split(' ').any(|word| words.contains(&word));
        let heard: Vec<Seq> = (1..).zip(&texts).filter(|(_, text)| has(text)).map(|(seq, _)| seq).collect();
        let mut found = found(&diaries, &sought);
        found.sort_unstable();
        prop_assert!(found.iter().all(|seq| heard.contains(seq)));
        if heard.len() as u64 <= FEW {
            prop_assert_eq!(&found, &heard);
        }
        let before: Vec<Seq> = diaries.before(being(1), end as u32 - 1).map(|happening| happening.seq).collect();
        prop_assert_eq!(before, (1..end.min(texts.len() as u64 + 1)).rev().collect::<Vec<_>>());
        for entry in 0..texts.len() as u32 {
            let happening = diaries.entries[&(being(1), entry)].clone();
            prop_assert_eq!(diaries.entry(being(1), &happening), Some(entry));
        }
        prop_assert_eq!(diaries.entry(being(1), &said(99, "a")), None);
        diaries.write(being(2), &said(99, "a"));
        diaries.forget(being(1));
        prop_assert_eq!((diaries.entries.len(), diaries.count(being(2))), (1, 1));
        prop_assert!(diaries.found.keys().all(|(of, ..)| *of == being(2)));
    }

    #[test]
    fn what_stands_oftener_counts_more_and_in_a_longer_text_less(times in 1_u64..40, length in 40_u64..900, all in 1_u64..1_000_000) {
        prop_assert!(weight(times + 1, length) >= weight(times, length) && weight(times, length + 1) <= weight(times, length));
        let standing = times.min(all);
        prop_assert!(rarity(standing, all + 1) >= rarity(standing, all) && rarity(standing + 1, all) <= rarity(standing, all));
    }
}

#[test]
fn a_word_is_found_with_and_without_its_accents_and_in_its_other_form() {
    let diaries = written(&["The geese are by the café.", "A mouse sat there.", "Nothing of note."].map(str::to_owned));
    for (sought, seq) in [("goose", 1), ("geese", 1), ("cafe", 1), ("cafe\u{301}", 1), ("mice", 2)] {
        assert_eq!(found(&diaries, sought), [seq], "{sought}");
    }
}
