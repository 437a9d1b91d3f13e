//! Tests of `src/role/words.rs`.

use proptest::prelude::*;
use reelm::fact::{Text, Value};
use reelm::role::words::*;

fn layers(words: &[&str]) -> Vec<Layer> {
    let layer = |(place, words): (usize, &&str)| Layer { role: format!("role-{place}").into(), words: Text::from(*words) };
    words.iter().enumerate().map(layer).collect()
}

fn fit(words: &[&str], room: usize) -> String {
    fit_words(&layers(words), &Value::map([("me", Value::map([("name", Value::from("ada"))]))]), room).unwrap()
}

#[test]
fn modifiers_without_room_fall_to_their_names_the_last_first() {
    let (primary, one, two) = ("You are {{me.name}}.", "x".repeat(100), "z".repeat(100));
    let words = [primary, &one, &two];
    assert_eq!(fit(&words, 1_000), written_words(&layers(&words)).replace("{{me.name}}", "ada"));
    let some = fit(&words, 320);
    assert!(some.contains(&one) && !some.contains('z') && some.ends_with("no room — role-2.") && some.len() <= 320, "{some}");
    let none = fit(&words, 150);
    assert_eq!(none, format!("You are ada.\n\n{NAMED_MODES}role-1, role-2."));
}

#[test]
fn words_that_are_too_long_alone_lose_their_last_paragraphs() {
    let long = format!("You judge.\n\nBe brief.\n\n{}", "z".repeat(200));
    let told = fit(&[&long], 100);
    assert_eq!(told, "You judge.\n\nBe brief.\n\nThere is no room for the rest of the words of role-0.");
    assert_eq!(fit(&[&long], 0), "");
    assert_eq!(fit(&["", "You rest."], 100), "Additionally, you are currently in this mode — role-1:\nYou rest.");
}

proptest! {
    #[test]
    fn words_never_take_more_than_their_room_and_every_paragraph_stands_there_whole(
        lengths in proptest::collection::vec(proptest::collection::vec(0_usize..90, 0..5), 1..20), room in 0_usize..2_000,
    ) {
        let paragraph = |(n, length): (usize, &usize)| format!("<{n}{}>", "p".repeat(*length));
        let words: Vec<String> = lengths.iter().map(|all| all.iter().enumerate().map(paragraph).collect::<Vec<_>>().join("\n\n")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (told, whole) = (fit(&words, room), written_words(&layers(&words)));
        prop_assert!(told.len() <= room);
        prop_assert_eq!(told.matches('<').count(), told.matches('>').count());
        prop_assert!(whole.len() > room || told == whole);
    }
}
