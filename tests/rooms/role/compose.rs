//! Tests of `src/role/compose.rs`.

use reelm::fact::{SpaceId, Text, Verb};
use reelm::role::Spec;
use reelm::role::compose::*;

fn spec(json: &str) -> Spec {
    Spec::from_value(&serde_json::from_str(json).unwrap()).unwrap()
}

#[test]
fn a_modifier_adds_to_the_lists_and_the_prompt_and_changes_no_option() {
    let worker = spec(
        r#"{"name":"worker","canSee":["station","conveyor"],"canDo":["skateco:*"],"see":["thread"],"thinks":"2s","prompt":"You work."}"#,
    );
    let bored = spec(
        r#"{"name":"emotions:bored","canSee":["window","station"],"see":["thread","recent-here"],"selfContinue":true,"thinks":"9s","prompt":"You are bored."}"#,
    );
    let worn = compose(&[&worker, &bored]).unwrap();
    let names: Vec<_> = worn.can_see.iter().map(|entry| entry.to_value().to_string()).collect();
    assert_eq!(names, [r#""station""#, r#""conveyor""#, r#""window""#]);
    assert_eq!(worn.see, [Text::from("thread"), Text::from("recent-here")]);
    assert_eq!((worn.thinks, worn.self_continue), (Some(2000), false));
    assert_eq!(worn.words(), "You work.\n\nAdditionally, you are currently in this mode — emotions:bored:\nYou are bored.");
    assert_eq!(worn.stack, [Text::from("worker"), Text::from("emotions:bored")]);
}

#[test]
fn what_a_space_lends_adds_to_the_prompt_and_stands_apart_from_ones_own_entries() {
    let (worker, quiet) = (
        spec(r#"{"name":"worker","canDo":["move"],"prompt":"You work."}"#),
        spec(r#"{"name":"quiet","canDo":["say"],"canBe":["end"],"see":["thread"]}"#),
    );
    let own = compose(&[&worker]).unwrap();
    let worn = own.lend(SpaceId::ROOT, &quiet);
    assert_eq!((worn.can_do.len(), worn.entries(Verb::Do).count(), worn.has(Verb::Be)), (1, 2, false));
    assert_eq!(worn.words(), "You work.\n\nAdditionally, you are currently in this mode — quiet:");
    assert_eq!((worn.stack.len(), worn.see.len()), (2, 1));
    assert_ne!(worn.hash, own.hash);
    assert_ne!(worn.hash, compose(&[&worker, &quiet]).unwrap().hash);
    assert!(!worn.narrow("see".parse().unwrap()).has(Verb::Do));
}

#[test]
fn the_hash_tells_members_and_order_apart() {
    let (a, b) = (spec(r#"{"name":"a"}"#), spec(r#"{"name":"b"}"#));
    let hash = |stack: &[&Spec]| compose(stack).unwrap().hash;
    assert_ne!(hash(&[&a, &b]), hash(&[&b, &a]));
    assert_ne!(hash(&[&a]), hash(&[&a, &b]));
    assert_eq!(compose(&[]), None);
}
