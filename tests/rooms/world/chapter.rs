//! Tests of `src/world/chapter.rs`.

use reelm::fact::Seq;
use reelm::world::chapter::*;
use std::ops::Range;
use std::sync::Arc;

#[test]
fn a_column_of_too_many_values_says_nothing() {
    let mut chapter = Chapter::default();
    for value in 0..VALUES {
        assert!(!chapter.may_hold(Of::Roles, |found| found == "other"), "{value}");
        assert_eq!(chapter.values(Of::Roles).unwrap().count(), value);
        chapter.columns.entry(Of::Roles).or_default().note(&value.to_string());
    }
    assert!(chapter.values(Of::Roles).is_none() && chapter.may_hold(Of::Roles, |found| found == "other"));
    chapter.columns.entry(Of::Roles).or_default().note("other");
    assert_eq!(chapter.columns[&Of::Roles].values.len(), VALUES);
}

#[test]
fn frames_lie_in_the_chapters_that_begin_before_them_and_end_behind_them() {
    let chapters = Chapters { chapters: (0..4).map(|at| (at, Arc::new(Chapter { money: at, ..Chapter::default() }))).collect() };
    let of = |frames: Range<Seq>| chapters.of(frames).map(|chapter| chapter.money).collect::<Vec<_>>();
    assert_eq!(of(0..CHAPTER), [0]);
    assert_eq!(of(CHAPTER - 1..CHAPTER + 1), [0, 1]);
    assert_eq!(of(CHAPTER..9 * CHAPTER), [1, 2, 3]);
    assert_eq!(chapters.all().map(|(frames, _)| frames.start).collect::<Vec<_>>(), [0, CHAPTER, 2 * CHAPTER, 3 * CHAPTER]);
}
