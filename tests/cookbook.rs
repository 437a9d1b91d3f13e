//! Cookbook: does each pattern hold, and does the page show what stands in its world?

use std::fs;

use super::terminal::{Terminal, package};

/// The worlds of the cookbook, in order.
fn worlds() -> Vec<String> {
    let entries = fs::read_dir(package().join("docs/cookbook")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn each_pattern_is_a_world_without_a_doubt_whose_scenes_hold() {
    let terminal = Terminal::new();
    for world in worlds() {
        terminal.types(&format!("check $package/docs/cookbook/{world} --strict")).fails(0).says(&["0 warnings"]);
        let played = terminal.types(&format!("test $package/docs/cookbook/{world}")).ok();
        assert!(played.lines().any(|line| line.starts_with("ok ")), "{world}: no scene was played\n{played}");
    }
}

#[test]
fn each_pattern_can_be_taken_by_its_name() {
    let terminal = Terminal::new();
    for world in worlds() {
        terminal.types(&format!("new {world} --from cookbook/{world}")).ok();
        let there = package().join("docs/cookbook").join(&world).join("world.toml");
        assert_eq!(terminal.read(&format!("{world}/world.toml")), fs::read_to_string(there).unwrap());
        terminal.types(&format!("check {world} --strict")).ok();
    }
    terminal.types("new mine --from two-editors").ok();
    assert_eq!(terminal.read("mine/world.toml"), terminal.read("two-editors/world.toml"));
    terminal.types("test mine").says(&["ok "]);
    // A shipped world goes before a recipe of its name.
    terminal.types("new sits --from court").ok();
    assert!(terminal.read("sits/world.toml") != terminal.read("court/world.toml"));
    terminal.types("new none --from cookbook/nothing").fails(1).warns(&["`cookbook/court`, ", "`two-editors`"]);
}

#[test]
fn the_page_shows_each_world_and_nothing_that_does_not_stand_there() {
    let page = fs::read_to_string(package().join("docs/COOKBOOK.md")).unwrap();
    let mut shown: Vec<String> = Vec::new();
    for section in page.split("\n### ").skip(1) {
        let title = section.lines().next().unwrap_or_default();
        let (_, command) = section.split_once("\n    reelm test docs/cookbook/").unwrap_or_else(|| panic!("`{title}` names no world"));
        let world = command.split_whitespace().next().unwrap_or_default();
        let (_, fence) = section.split_once("\n```toml\n").unwrap_or_else(|| panic!("`{title}` shows nothing of its world"));
        let (fence, _) = fence.split_once("\n```").unwrap_or_else(|| panic!("`{title}` has a fence without an end"));
        let source = fs::read_to_string(package().join("docs/cookbook").join(world).join("world.toml")).unwrap();
        let mut lines = source.lines().map(str::trim);
        for line in fence.lines().map(str::trim).filter(|line| !line.is_empty()) {
            assert!(lines.any(|other| other == line), "`{title}`: behind what is shown before it, {world}/world.toml has no `{line}`");
        }
        shown.push(world.to_owned());
    }
    shown.sort();
    shown.dedup();
    assert_eq!(shown, worlds(), "the worlds that the page shows, and those in docs/cookbook");
}
