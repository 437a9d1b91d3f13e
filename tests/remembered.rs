//! Remembered: does a world know what its source said of a population without remembering each of its beings?

use reelm::fact::{Canon, Value};

use super::kit::{Small, source};
use super::terminal::Terminal;

fn town(count: usize) -> String {
    format!(
        "[[space]]\npath = \"/square\"\n[[population]]\nprefix = \"c\"\ncount = {count}\nhome = \"/square\"\nrole = \"deaf\"\nscript = \"look\"\n\
         quality.mood.level = 5\nsettings = {{ \"brakes.depth\" = 9 }}\n[[population.schedule]]\nname = \"day\"\nevery = \"1h\"\nspread = true\n"
    )
}

fn remembered(small: &Small) -> Value {
    let world = small.world();
    (**world.registry().config.get("source").unwrap()).clone()
}

#[test]
fn what_a_source_says_of_a_population_does_not_grow_with_it() {
    let [few, many] = [5, 500].map(|count| remembered(&Small::plant(&town(count))));
    let but_how_many = |said: &Value| {
        let map = said.as_map().unwrap();
        Value::map(map.iter().filter(|(key, _)| key.as_ref() != "/.beings").map(|(key, value)| (key.to_string(), value.clone())))
    };
    assert_eq!(but_how_many(&few), but_how_many(&many));
    assert!(many.to_canon().len() < 400, "{many}");
}

#[test]
fn who_is_added_to_a_population_gets_all_that_the_others_have() {
    let mut small = Small::plant(&town(3));
    let done = small.living().apply(&source(&town(5))).unwrap();
    let expected = ["give birth to @c-4", "give birth to @c-5", "set brakes.depth of @c-4 to 9", "set brakes.depth of @c-5 to 9"];
    let schedules = ["schedule day of @c-4", "schedule day of @c-5", "remember what the source says"];
    assert_eq!(done, expected.into_iter().chain(schedules).map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(small.living().apply(&source(&town(5))).unwrap(), Vec::<String>::new());
    // A being that is taken out of the source lives on, and no act follows from that.
    assert_eq!(small.living().apply(&source(&town(2))).unwrap(), Vec::<String>::new());
    assert!(small.replay().is_ok());
}

#[test]
fn life_goes_on_where_the_author_of_a_population_changes_something_else() {
    let terminal = Terminal::new();
    let head =
        "name = \"small\"\n[[space]]\npath = \"/hall\"\n[[population]]\nhome = \"/hall\"\npersonas = \"people.csv\"\nties = \"ties.csv\"\n";
    let rows = |ada: u32, more: &str| format!("name,age,town\n{more}ada,{ada},Ulm\nbob,41,Bonn\ncid,52,Ulm\n");
    let write = |quality: &str, rows: &str, ties: &str| {
        terminal.write("src/world.toml", &format!("{head}{quality}\n"));
        terminal.write("src/people.csv", rows);
        terminal.write("src/ties.csv", &format!("from,to\n{ties}"));
    };
    let applied = || {
        let said = terminal.types("apply src --plan").ok();
        terminal.types("apply src").ok();
        let what = said.lines().filter_map(|line| line.split_once(" (").map(|(what, _)| what));
        let told: Vec<String> = what
            .filter(|what| what.contains('@'))
            .map(|what| what.split(" to ").next().unwrap().to_owned() + if what.starts_with("give") { &what[10..] } else { "" })
            .collect();
        told
    };
    write("quality.mood.level = 5", &rows(30, ""), "ada,bob\n");
    terminal.types("run src --moments 0 --quiet").ok();
    // Life has changed these.
    for (of, path, value) in [("@bob", "persona.age", 99), ("@bob", "mood.level", 1), ("@cid", "persona.age", 98)] {
        terminal.types(&format!("do {of} quality.set '{{\"path\":\"{path}\",\"value\":{value}}}'")).ok();
    }
    terminal.types("apply src").fails(0).says(&["nothing to do"]);
    // A row more, before the others; a cell that has changed; ties; what holds for all.
    write("quality.mood.level = 5", &rows(30, "eve,20,Kiel\n"), "ada,bob\n");
    assert_eq!(applied(), ["give birth to @eve"]);
    write("quality.mood.level = 5", &rows(31, "eve,20,Kiel\n"), "ada,bob\n");
    assert_eq!(applied(), ["set persona.age of @ada"]);
    write("quality.mood.level = 5", &rows(31, "eve,20,Kiel\n"), "ada,bob\nada,eve\n");
    assert_eq!(applied(), ["set social.ties of @eve", "set social.ties of @ada"]);
    write("quality.mood.level = 6", &rows(31, "eve,20,Kiel\n"), "ada,bob\nada,eve\n");
    assert_eq!(applied().len(), 4, "what is said of all is said anew of all");
    terminal.types("see @bob").fails(0).says(&["age: 99", "level: 6"]);
    terminal.types("replay").ok();
}

#[test]
fn a_source_that_says_more_than_a_world_remembers_is_an_error_of_check() {
    let terminal = Terminal::new();
    let page = "x".repeat(400_000);
    let matter: String = (0..11).map(|n| format!("[[matter]]\nat = \"/\"\nname = \"page-{n}\"\ncontent = \"{page}\"\n")).collect();
    terminal.write("src/world.toml", &format!("name = \"small\"\n{matter}"));
    for line in ["check src", "run src --moments 0"] {
        terminal.types(line).fails(1).warns(&[
            "src/world.toml: source-size: expected at most 4000000 bytes",
            "found 44",
            "`/page-",
            "[[population]]",
        ]);
    }
    assert!(!terminal.path("world").exists());
    terminal.write("src/world.toml", "name = \"small\"\n[[population]]\ncount = 999999\nprefix = \"a\"\n[[population]]\ncount = 2\n");
    terminal
        .types("check src")
        .fails(1)
        .warns(&["world.toml:6:9: count: source-beings: expected at most 1000000 beings in a source, found 1000001"]);
}
