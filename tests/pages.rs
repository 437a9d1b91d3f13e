//! Pages: is a long list told page by page at every door, with how many more there are, and found in by words?

use serde_json::json;

use super::mind::{Script, tool};
use super::told::{ADA, block, told, world};

/// A library with so many books, of which every tenth is about tea.
fn books(count: usize) -> String {
    let about = |n: usize| if n.is_multiple_of(10) { "All about Tea and cups." } else { "All is well." };
    let book = |n: usize| format!("[[matter]]\nat = \"/library\"\nname = \"book-{n:05}\"\ntype = \"book\"\ncontent = \"{}\"\n", about(n));
    (0..count).map(book).collect()
}

/// The names of the books that stand under a title.
fn named(system: &str, title: &str) -> Vec<usize> {
    let lines = block(system, title).lines().filter_map(|line| line.strip_prefix("- /library/book-"));
    lines.map(|line| line[..5].parse().unwrap()).collect()
}

#[test]
fn a_model_goes_on_through_a_list_from_where_it_ended_and_misses_nothing() {
    let mut small = world(&format!("{ADA}{}", books(2_300)));
    let (mut next, mut seen) = (0, Vec::new());
    for _ in 0..4 {
        let script = Script::of(vec![tool("see", json!({ "address": "/library", "from": next })), json!({ "content": "" })]);
        let (system, _) = told(&mut small, &script, "hello").pop().unwrap();
        let title = if next == 0 { "place".to_owned() } else { format!("you looked at /library from {next}") };
        let page = named(&system, &title);
        assert_eq!(page, (next..next + page.len()).collect::<Vec<_>>(), "{system}");
        seen.extend(page);
        next = seen.len();
        let rest = block(&system, &title).lines().last().unwrap().to_owned();
        let left = 2_300 - next;
        assert_eq!(rest, format!("… {},{:03} more: see /library from {next}", left / 1_000, left % 1_000), "{system}");
    }
    assert!(seen.len() > 100, "{}", seen.len());
}

#[test]
fn a_model_finds_in_a_list_by_words_and_is_told_what_was_not_looked_through() {
    let mut small = world(&format!("{ADA}{}", books(4_200)));
    let look = |words: &str| tool("see", json!({ "address": "/library", "words": words }));
    let script = Script::of(vec![look("tea CUPS"), look("coffee"), json!({ "content": "" })]);
    let (system, _) = told(&mut small, &script, "hello").pop().unwrap();
    let title = "you looked at /library by the words tea CUPS";
    let found = named(&system, title);
    assert_eq!(found, (0..found.len()).map(|n| n * 10).collect::<Vec<_>>(), "{system}");
    assert!(
        found.len() >= 20
            && block(&system, title).contains(&format!("… {} more: see /library by these words from {}", 410 - found.len(), found.len()))
    );
    assert!(block(&system, title).contains("Nothing was sought in 104 more of them."), "{system}");
    assert!(system.contains("[you looked at /library by the words coffee]\nNothing was sought in 104 more"), "{system}");
}
