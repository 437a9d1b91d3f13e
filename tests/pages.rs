//! Pages: is a long list told page by page at every door, with how many more there are, and found in by words?

use reelm::cognition::block::{Block, Item, ItemGroup};
use reelm::fact::Call;
use reelm::verb::{ListPart, SeeReader, named};
use serde_json::json;

use super::kit::{Small, args};
use super::mind::{Script, tool};
use super::told::{ADA, block, told, world};

/// A library with so many books, of which every tenth is about tea.
fn books(count: usize) -> String {
    let about = |n: usize| if n.is_multiple_of(10) { "All about Tea and cups." } else { "All is well." };
    let book = |n: usize| format!("[[matter]]\nat = \"/library\"\nname = \"book-{n:05}\"\ntype = \"book\"\ncontent = \"{}\"\n", about(n));
    (0..count).map(book).collect()
}

/// The names of the books that stand under a title.
fn named_in(system: &str, title: &str) -> Vec<usize> {
    let lines = block(system, title).lines().filter_map(|line| line.strip_prefix("- /library/book-"));
    lines.map(|line| line[..5].parse().unwrap()).collect()
}

#[test]
#[ignore = "long: 2,300 things in one place"]
fn a_model_goes_on_through_a_list_from_where_it_ended_and_misses_nothing() {
    let mut small = world(&format!("{ADA}{}", books(2_300)));
    let (mut next, mut seen) = (0, Vec::new());
    for _ in 0..4 {
        let script = Script::of(vec![tool("see", json!({ "address": "/library", "from": next })), json!({ "content": "" })]);
        let (system, _) = told(&mut small, &script, "hello").pop().unwrap();
        let title = if next == 0 { "place".to_owned() } else { format!("you looked at /library from {next}") };
        let page = named_in(&system, &title);
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
#[ignore = "long: 4,200 things in one place"]
fn a_model_finds_in_a_list_by_words_and_is_told_what_was_not_looked_through() {
    let mut small = world(&format!("{ADA}{}", books(4_200)));
    let look = |words: &str| tool("see", json!({ "address": "/library", "words": words }));
    let script = Script::of(vec![look("tea CUPS"), look("coffee"), json!({ "content": "" })]);
    let (system, _) = told(&mut small, &script, "hello").pop().unwrap();
    let title = "you looked at /library by the words tea CUPS";
    let found = named_in(&system, title);
    assert_eq!(found, (0..found.len()).map(|n| n * 10).collect::<Vec<_>>(), "{system}");
    assert!(
        found.len() >= 20
            && block(&system, title).contains(&format!("… {} more: see /library by these words from {}", 410 - found.len(), found.len()))
    );
    let onward = "Nothing was sought in 104 more of them: see /library by these words from 4096";
    assert!(block(&system, title).contains(onward), "{system}");
    assert!(system.contains(&format!("[you looked at /library by the words coffee]\n{onward}")), "{system}");
    let script = Script::of(vec![tool("see", json!({ "address": "/library", "words": "tea", "from": 4_096 })), json!({ "content": "" })]);
    let (system, _) = told(&mut small, &script, "hello").pop().unwrap();
    let behind = named_in(&system, "you looked at /library from 4096 by the words tea");
    assert_eq!(behind, (4_100..4_200).step_by(10).collect::<Vec<_>>(), "{system}");
}

#[test]
fn words_are_found_without_their_accents_the_marks_around_them_and_in_other_forms() {
    let lines = ["The *mice* are in the Cafe\u{301}.", "a goose", "Foxes and ox-carts", "ÜBER ALLES"];
    let found = |words: &str| {
        let part = ListPart::new(0, Some(words));
        part.of(lines.iter(), None, 9, |line| (**line).to_owned()).items.len()
    };
    let rows = [
        ("*mice*", 1),
        ("mouse", 1),
        ("\"mice\"", 1),
        ("café", 1),
        ("cafe", 1),
        ("CAFÉ,", 1),
        ("geese", 1),
        ("uber", 1),
        ("oxen", 1),
        ("mice goose", 0),
        ("**", 0),
    ];
    for (words, count) in rows {
        assert_eq!(found(words), count, "{words}");
    }
    // Behind as many items as one look goes through, the next ones.
    let part = ListPart::new(4_096, Some("7"));
    let behind = part.of(0..5_000, None, 2, |n| n.to_string());
    assert_eq!((behind.items, behind.unsought), (vec![4_097, 4_107], 0));
}

#[test]
fn words_are_sought_in_what_a_thing_is_called_and_not_in_where_it_lies() {
    let small = world(&format!("{ADA}{}", books(30)));
    let world = small.world();
    let found = |address: &str, words: &str| {
        let ada = world.being(small.id_of("ada")).unwrap();
        let reader = SeeReader { part: ListPart::new(0, Some(words)), ..SeeReader::of_all(world.now()) };
        reader.show(&world, &named(&world, ada, address, world.now()).unwrap()).unwrap().to_value()
    };
    assert_eq!(found("/library", "library").get("matter").unwrap().as_list().unwrap().len(), 0);
    assert_eq!(found("/library", "TEA").get("matter").unwrap().as_list().unwrap().len(), 3);
    assert_eq!(found("/library", "tea coffee").get("matter").unwrap().as_list().unwrap().len(), 0, "all of them stand there, or none");
    assert_eq!(found("/library", "ada").get("beings").unwrap().as_list().unwrap().len(), 1);
}

#[test]
fn whoever_looks_further_into_a_place_is_shown_and_told_of_nothing_that_its_role_does_not_let_it_see() {
    let mut source = super::kit::source(&format!("{}{}{}", super::told::WORLD, ADA.replace("\"free\"", "\"outside\""), books(60)));
    let role = "---\nname: outside\ncanSee: ['/library', '/library/book-00050']\ntriggerOn: [message]\n---\nYou wait.\n";
    source.roles.push(reelm::role::Spec::from_markdown("role.md", role).unwrap());
    let mut small = Small::grow(&source, 1, 1);
    let looks =
        [json!({ "address": "/library" }), json!({ "address": "/library", "from": 1 }), json!({ "address": "/library", "words": "tea" })];
    let script = Script::of(looks.into_iter().map(|look| tool("see", look)).chain([json!({ "content": "" })]).collect());
    let (system, _) = told(&mut small, &script, "hello").pop().unwrap();
    // A glance tells what is there; a look, and whatever goes on behind it, is a list of its own.
    assert!(block(&system, "place").ends_with("… 36 more: see /library"), "{system}");
    assert_eq!(named_in(&system, "you looked at /library"), [50], "{system}");
    assert_eq!(block(&system, "you looked at /library from 1").trim_end(), "Nothing.", "{system}");
    assert_eq!(named_in(&system, "you looked at /library by the words tea"), [50], "{system}");
    assert!(!block(&system, "you looked at /library by the words tea").contains("more"), "{system}");
}

#[test]
fn a_life_is_a_page_with_how_much_lies_before_it_and_what_is_too_long_is_passed_over() {
    let mut small = world(&format!("{ADA}[[being]]\nname = \"bob\"\nhome = \"/library\"\nrole = \"free\"\ncognition = \"human\"\n"));
    for n in 0..70 {
        small.act("bob", Call::doing("/library", "say", args(&format!(r#"{{"content":"word {n}"}}"#))));
    }
    let world = small.world();
    let life = |from: u64| {
        let ada = world.being(small.id_of("ada")).unwrap();
        let reader = SeeReader { part: ListPart::new(from, None), ..SeeReader::of_all(world.now()) };
        reader.show(&world, &named(&world, ada, "@ada/.life", world.now()).unwrap()).unwrap()
    };
    let all = world.memory().diaries().count(small.id_of("ada")) as usize;
    let (first, second) = (life(0), life(64));
    assert_eq!((first.value.as_list().unwrap().len(), first.rest.unwrap().more), (64, all - 64));
    assert_eq!((second.value.as_list().unwrap().len(), second.rest.unwrap().more), (all - 64, 0));
    let items = ["x".repeat(9_000), "short".to_owned()].map(|text| Item::or(text.clone(), text));
    let group = ItemGroup { from: Some(7), ..ItemGroup::of(items.into()) };
    let text = Block::new("t", vec![group]).seen_at("/a").within(100);
    assert_eq!(text, "\n[t]\n- (too long to be told here)\nshort\n");
    // Behind the first that has no room none is told, so that the next page misses none.
    let items = [90, 300, 20, 20].map(|length| Item::or("x".repeat(length), "y".repeat(length)));
    let group = ItemGroup { from: Some(7), more: 5, ..ItemGroup::of(items.into()) };
    let text = Block::new("t", vec![group]).seen_at("/a").within(60);
    assert_eq!(text, format!("\n[t]\n{}\n… 8 more: see /a from 8\n", "x".repeat(90)));
}

#[test]
fn a_shelf_says_how_much_more_lies_there_and_from_where_it_is_seen() {
    let mut source = super::kit::source(&format!("{}{}{}", super::told::WORLD, ADA.replace("\"free\"", "\"reader\""), books(40)));
    let role = "---\nname: reader\ncanSee: ['/library', '/library/**']\nsee: ['shelf(/library)']\ntriggerOn: [message]\n---\nYou read.\n";
    source.roles.push(reelm::role::Spec::from_markdown("role.md", role).unwrap());
    let mut small = Small::grow(&source, 1, 1);
    let script = Script::of(vec![tool("see", json!({ "address": "/library", "from": 24 })), json!({ "content": "" })]);
    let (system, _) = told(&mut small, &script, "hello").pop().unwrap();
    let shelf = block(&system, "shelf(/library)");
    assert!(shelf.contains("- book-00023: ") && shelf.ends_with("\n… 16 more: see /library from 24"), "{system}");
    assert!(block(&system, "you looked at /library from 24").contains("book-00024"), "{system}");
}

#[test]
fn a_shelf_where_one_stands_is_told_in_the_order_in_which_it_is_looked_through_and_counts_what_one_may_see() {
    let pot = |n: usize| {
        format!(
            "[[matter]]\nat = \"/garden\"\nname = \"pot-{n:02}\"\ntype = \"pot\"\ncoords = [{}, 40]\n",
            if n < 40 { 79 - n } else { 90 - n }
        )
    };
    let secret = "[[matter]]\nat = \"/garden\"\nname = \"secret\"\ntype = \"pot\"\n";
    let ada = ADA.replace("\"free\"", "\"reader\"").replace("home = \"/library\"", "home = \"/garden\"\ncoords = [40, 40]");
    let mut source = super::kit::source(&format!("{}{ada}{}{secret}", super::told::WORLD, (0..45).map(pot).collect::<String>()));
    let role = "---\nname: reader\ncanSee: ['/garden', '/garden/pot-*']\nsee: ['shelf(/garden)']\ntriggerOn: [message]\n---\nYou read.\n";
    source.roles.push(reelm::role::Spec::from_markdown("role.md", role).unwrap());
    let mut small = Small::grow(&source, 1, 1);
    let look = |from: usize| tool("see", json!({ "address": "/garden", "from": from }));
    let script = Script::of(vec![look(24), json!({ "content": "" })]);
    let (system, _) = told(&mut small, &script, "hello").pop().unwrap();
    let named = |title: &str| -> Vec<usize> {
        let names = block(&system, title).lines().filter_map(|line| line.split("pot-").nth(1)).map(|rest| rest[..2].parse().unwrap());
        names.collect()
    };
    let (shelf, rest) = (named("shelf(/garden)"), named("you looked at /garden from 24"));
    assert_eq!((shelf.len(), shelf[0], shelf[1]), (24, 39, 38), "the nearest first: {system}");
    assert!(block(&system, "shelf(/garden)").ends_with("\n… 21 more: see /garden from 24"), "{system}");
    let all: std::collections::BTreeSet<usize> = shelf.iter().chain(&rest).copied().collect();
    assert_eq!((all.len(), shelf.len() + rest.len()), (45, 45), "each once: {system}");
}

#[test]
fn a_shelf_of_things_that_one_may_not_look_at_is_a_table_of_contents_behind_which_no_look_goes_on() {
    let mut source = super::kit::source(&format!("{}{}{}", super::told::WORLD, ADA.replace("\"free\"", "\"reader\""), books(40)));
    let role = "---\nname: reader\ncanSee: ['/library']\nsee: ['shelf(/library)']\ntriggerOn: [message]\n---\nYou read.\n";
    source.roles.push(reelm::role::Spec::from_markdown("role.md", role).unwrap());
    let (system, _) = told(&mut Small::grow(&source, 1, 1), &Script::default(), "hello").pop().unwrap();
    let shelf = block(&system, "shelf(/library)");
    assert!(shelf.contains("- book-00023: ") && shelf.ends_with("\n… 16 more: see /library"), "{system}");
}

#[test]
fn the_keys_of_a_place_are_found_by_words_and_words_in_a_life_by_its_index_at_every_door() {
    let config = "[config]\n\"tokens.recall\" = 300\n\"attempts.max\" = 2\n";
    let mut small = Small::plant(&format!("{}{ADA}", super::told::WORLD.replacen("[config]\n", config, 1)));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Where are the flowerpots of 1912?"}"#)));
    let world = small.world();
    let ada = world.being(small.id_of("ada")).unwrap();
    let found = |address: &str, from: u64, words: &str| {
        let reader = SeeReader { part: ListPart::new(from, Some(words)), ..SeeReader::of_all(world.now()) };
        reader.show(&world, &named(&world, ada, address, world.now()).unwrap()).unwrap().value
    };
    let keys = |words: &str| found("/.settings", 0, words).as_map().unwrap().keys().map(|key| key.to_string()).collect::<Vec<_>>();
    assert_eq!(
        (keys("attempts max"), keys("TOKENS.rec"), keys("zebra").len()),
        (vec!["attempts.max".to_owned()], vec!["tokens.recall".to_owned()], 0)
    );
    for words in ["flowerpot", "1912"] {
        let lines = found("@ada/.life", 0, words);
        assert!(lines.as_list().unwrap().len() == 1 && lines.to_string().contains("flowerpots of 1912"), "{words}: {lines}");
    }
    assert_eq!(found("@ada/.life", 1, "flowerpot").as_list().unwrap().len(), 0, "behind all that was found");
}

#[test]
fn those_who_may_help_in_a_place_and_those_who_name_a_role_are_pages_and_counted() {
    let people: String =
        (0..70).map(|n| format!("[[being]]\nname = \"p{n}\"\nhome = \"/library\"\nrole = \"free\"\ncognition = \"human\"\n")).collect();
    let names: Vec<String> = (0..70).map(|n| format!("@p{n}")).collect();
    let world = super::told::WORLD.replace("type = \"library\"", &format!("type = \"library\"\ncontributors = {}", json!(names)));
    let small = Small::plant(&format!("{world}{people}"));
    let world = small.world();
    let page = |address: &str, list: &str, from: u64| {
        let speaker = world.being(small.id_of("p0")).unwrap();
        let reader = SeeReader { part: ListPart::new(from, None), ..SeeReader::of_all(world.now()) };
        let seen = reader.show(&world, &named(&world, speaker, address, world.now()).unwrap()).unwrap().to_value();
        let more = seen.get("more").and_then(|more| more.get(list)).and_then(reelm::fact::Value::as_int);
        (seen.get(list).unwrap().as_list().unwrap().len(), more)
    };
    for (address, list) in [("/library", "contributors"), ("/.roles/free", "namedBy")] {
        assert_eq!((page(address, list, 0), page(address, list, 64)), ((64, Some(6)), (6, None)), "{address}");
    }
}
