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
        let there = fs::read_to_string(package().join("docs/cookbook").join(&world).join("world.toml")).unwrap();
        let here = terminal.read(&format!("{world}/world.toml"));
        assert_eq!(here, format!("#:schema ./world.schema.json\n{}", there.replace("docs/cookbook/", "")));
        terminal.types(&format!("check {world} --strict")).ok();
    }
    // A folder goes before a recipe or a shipped world of its name, and a shipped world before a recipe.
    terminal.write("queue/world.toml", "name = \"my-own\"\n");
    terminal.types("new again --from queue").ok();
    assert_eq!(terminal.read("again/world.toml"), "#:schema ./world.schema.json\nname = \"again\"\n");
    fs::remove_dir_all(terminal.path("court")).unwrap();
    terminal.types("new sits --from court").ok();
    assert!(terminal.read("sits/world.toml").contains("nobody is a judge"));
    terminal.types("new none --from cookbook/nothing").fails(1).warns(&["`cookbook/court`, ", "`two-editors`"]);
}

/// A recipe as somebody copies it by hand: its folder, with another name and the operations that `check` then asks for.
fn by_hand(terminal: &Terminal, world: &str) {
    let there = package().join("docs/cookbook").join(world);
    for file in fs::read_dir(&there).unwrap().map(|entry| entry.unwrap()) {
        let text = fs::read_to_string(file.path()).unwrap();
        let text = text.replacen(&format!("name = \"{world}\""), "name = \"own\"", 1).replace(&format!("{world}:"), "own:");
        terminal.write(&format!("hand-{world}/{}", file.file_name().to_str().unwrap()), &text);
    }
}

#[test]
fn each_pattern_holds_under_a_name_of_ones_own() {
    let terminal = Terminal::new();
    for world in worlds() {
        for name in [format!("my-{world}"), "mine".to_owned()] {
            terminal.types(&format!("new {name} --from cookbook/{world}")).ok();
            terminal.types(&format!("check {name} --strict")).fails(0).says(&["0 warnings"]);
            terminal.types(&format!("test {name}")).fails(0).says(&["ok "]);
            let text = terminal.read(&format!("{name}/world.toml"));
            assert!(text.contains(&format!("name = \"{name}\"")), "{world}: {text}");
            // Where an extension of that name comes along, what it brings keeps its name.
            let is_spoken = |mark: &str| text.contains(&format!("\"{world}{mark}"));
            assert!(world == "court" || !(is_spoken(":") || is_spoken(".")), "{world}: {text}");
        }
        fs::remove_dir_all(terminal.path("mine")).unwrap();
        // The answers of models are keyed by requests, which say the operations' names: by hand nobody keys them anew.
        if !package().join("docs/cookbook").join(&world).join("cassette.jsonl").exists() {
            by_hand(&terminal, &world);
            terminal.types(&format!("test hand-{world}")).fails(0).says(&["ok "]);
        }
    }
}

#[test]
fn a_copy_of_a_folder_has_all_of_it_but_what_lives_in_it() {
    let terminal = Terminal::new();
    terminal.types("new first --from two-arms").ok();
    terminal.write("first/notes/plan.txt", "two-arms first.quota");
    terminal.write("first/.hidden", "no");
    terminal.types("run first --moments 1 --data first/world --quiet").ok();
    terminal.types("new second-one --from ./first").ok();
    assert_eq!(terminal.read("second-one/notes/plan.txt"), "two-arms first.quota", "prose keeps its words");
    assert!(terminal.read("second-one/sweep.json").contains("signal:second-one.quota=true"));
    assert!(!terminal.path("second-one/.hidden").exists() && !terminal.path("second-one/world").exists());
    terminal.types("test second-one").fails(0).says(&["ok "]);
    terminal
        .types("new third --from first/world")
        .fails(1)
        .warns(&["`first/world` holds a world that lives", "reelm export --source DIR --data first/world"]);
    assert!(!terminal.path("third").exists());
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
