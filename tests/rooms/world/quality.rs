//! Tests of `src/world/quality.rs`.

use reelm::fact::Value;
use reelm::world::quality::*;

fn after(changes: &[(&str, Change<'_>)]) -> (Qualities, Vec<bool>) {
    let mut qualities = Qualities::default();
    let done = changes.iter().map(|(path, change)| qualities.change(&(*path).into(), change, true).is_ok()).collect();
    (qualities, done)
}

#[test]
fn deep_set_and_unset_leave_no_empty_maps() {
    let (qualities, _) = after(&[("a.b.c", Change::Set(&Value::Int(1))), ("a.b.c", Change::Unset)]);
    assert!(qualities.is_empty());
}

#[test]
fn a_refused_change_changes_nothing() {
    let (qualities, done) =
        after(&[("a.b", Change::Set(&Value::Int(1))), ("a.b.c", Change::Set(&Value::Int(2))), ("a.b", Change::Push(&Value::Int(2), None))]);
    assert_eq!(done, [true, false, false]);
    assert_eq!(qualities.at("a.b"), Some(&Value::Int(1)));
}

#[test]
fn push_keeps_only_the_newest() {
    let one = Value::Int(1);
    let two = Value::Int(2);
    let (qualities, _) = after(&[("a.l", Change::Push(&one, Some(1))), ("a.l", Change::Push(&two, Some(1)))]);
    assert_eq!(qualities.at("a.l"), Some(&Value::List(vec![Value::Int(2)])));
}

#[test]
fn a_namespace_over_its_cap_is_refused_and_unchanged() {
    let big = Value::text("x".repeat(NAMESPACE_MAX));
    let (qualities, done) = after(&[("a.small", Change::Set(&Value::Int(1))), ("a.big", Change::Set(&big))]);
    assert_eq!(done, [true, false]);
    assert_eq!((qualities.at("a.small"), qualities.at("a.big")), (Some(&Value::Int(1)), None));
}

#[test]
fn what_a_thing_has_is_bounded_over_all_of_its_namespaces() {
    let (mut qualities, part) = (Qualities::default(), Value::text("x".repeat(15_000)));
    let mut grow = |path: String, change: &Change<'_>| {
        let mut copy = qualities.clone();
        let grown = copy.grow(&path.into(), change);
        grown.is_ok().then(|| qualities = copy);
        grown.is_ok()
    };
    let done = (0..20).filter(|n| grow(format!("b{n}.x"), &Change::Set(&part))).count();
    assert_eq!(done, QUALITIES_MAX / 15_010);
    // Also by names alone, and what takes away is always possible.
    let counted = (0..2_000).filter(|n| grow(format!("c{n}.{}", "y".repeat(200)), &Change::Inc(&Value::Int(1)))).count();
    assert!((1..40).contains(&counted), "{counted}");
    assert!(grow("b0.x".to_owned(), &Change::Unset));
    assert!(grow("b19.x".to_owned(), &Change::Set(&part)));
}

#[test]
fn nine_levels_are_one_too_many() {
    let (_, done) = after(&[("a.1.2.3.4.5.6.7.8", Change::Set(&Value::Int(1))), ("a.1.2.3.4.5.6.7.8.9", Change::Set(&Value::Int(1)))]);
    assert_eq!(done, [true, false]);
}
