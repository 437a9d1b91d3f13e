//! Tests of `src/source/macros.rs`.

use proptest::prelude::*;
use reelm::fact::Value;
use reelm::role::{check_template, fill_template};
use reelm::source::macros::*;
use std::collections::BTreeSet;

fn told(text: &str) -> (String, Vec<String>) {
    let mut left_out = BTreeSet::new();
    let words = role_words(text, "Ada", &mut left_out);
    let caller = Value::map([("caller", Value::map([("name", Value::from("pat"))]))]);
    (fill_template(&words, &caller).unwrap(), left_out.into_iter().collect())
}

#[test]
fn names_are_written_in_and_what_is_no_name_stays_words() {
    for (text, wanted) in [
        ("{{char}} greets {{ USER }}, says {{Char}}.", "Ada greets pat, says Ada."),
        ("<USER> and <bot> < 3", "pat and Ada < 3"),
        ("{{original}}Be kind.{{// a remark}}{{comment: x}}", "Be kind."),
        ("{{random: tea, coffee}} or {{pick::one::two}}", "tea or one"),
        ("{{roll:d6}} {% raw %} {# no #} {{{user}}} }} {", "roll:d6 {% raw %} {# no #} {pat} }} {"),
        ("{{ open", "{{ open"),
        ("a\r\nb\u{1b}[2J", "a\nb[2J"),
    ] {
        assert_eq!(told(text).0, wanted, "{text}");
    }
    assert_eq!(told("{{roll:d6}} {{random:a,b}}").1.len(), 2);
    assert_eq!(fill_template(&role_words("{{user}}!", "Ada", &mut BTreeSet::new()), &Value::map::<&str>([])).unwrap(), "somebody!");
    assert_eq!(thing_words("{{user}} {{char}} {{ {%", "Ada", &mut BTreeSet::new()), "somebody Ada {{ {%");
}

proptest! {
    #[test]
    fn whatever_a_card_says_is_a_prompt_that_can_be_filled_in(text in "([{}<>%#a-c:,' \n]|\\{\\{user\\}\\}|\\{\\{char\\}\\}){0,40}") {
        let words = role_words(&text, "{{Ada", &mut BTreeSet::new());
        prop_assert!(check_template(&words).is_ok(), "{words}");
        prop_assert!(fill_template(&words, &Value::Null).is_ok(), "{words}");
    }
}
