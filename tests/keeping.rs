//! Keeping: does a command that cannot do what it is told leave all that was there as it was?

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::terminal::Terminal;

/// All files below a folder, with what stands in them.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.display().to_string(), fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn no_planting_puts_its_secret_in_the_place_of_another() {
    for plants in ["run mine --for 1m --quiet --data world", "serve mine --port 0 --paused --data world"] {
        let terminal = Terminal::new();
        terminal.types("new mine").ok();
        terminal.types("new other").ok();
        terminal.types("run mine --for 20m --quiet").ok();
        // A world that has lost the file that makes it one.
        fs::rename(terminal.path("world/world.toml"), terminal.path("kept")).unwrap();
        let before = files(&terminal.path("world"));
        terminal.types(plants).fails(1).warns(&["expected an empty directory"]);
        assert!(files(&terminal.path("world")) == before, "{plants}");
        fs::rename(terminal.path("kept"), terminal.path("world/world.toml")).unwrap();
        terminal.types("verify").ok();
        terminal.types("run --for 1m --quiet").ok();
    }
    // Of which nothing but its secret is left: another world's is not put there.
    let terminal = Terminal::new();
    terminal.types("new mine").ok();
    terminal.types("run mine --moments 1 --quiet").ok();
    fs::create_dir(terminal.path("bare")).unwrap();
    fs::copy(terminal.path("world/keystore"), terminal.path("bare/keystore")).unwrap();
    let before = files(&terminal.path("bare"));
    terminal.types("run mine --seed 99 --moments 1 --quiet --data bare").fails(1).warns(&["holds a secret"]);
    assert!(files(&terminal.path("bare")) == before);
    // Its own it finds there.
    terminal.types("run mine --moments 1 --quiet --data bare").ok();
}

#[test]
fn a_folder_of_somebody_elses_is_left_as_it_is() {
    let terminal = Terminal::new();
    terminal.types("new mine").ok();
    for name in ["notes", "keystore", "lock", "log/app.log"] {
        fs::create_dir_all(terminal.path("full/log")).unwrap();
        terminal.write(&format!("full/{name}"), "mine own words");
        let before = files(&terminal.path("full"));
        terminal.types("run mine --moments 1 --quiet --data full").fails(1);
        assert!(files(&terminal.path("full")) == before, "{name}");
        fs::remove_dir_all(terminal.path("full")).unwrap();
    }
    // A source is no world that lives, and is not damaged.
    for line in ["see / --data mine", "run mine --data mine --quiet", "log --data mine"] {
        let before = files(&terminal.path("mine"));
        terminal.types(line).fails(1).warns(&["`mine` is a world source"]);
        assert!(files(&terminal.path("mine")) == before, "{line}");
    }
}

#[test]
fn a_result_takes_the_place_of_nothing_but_a_result() {
    let terminal = Terminal::new();
    terminal.types("new mine").ok();
    terminal.types("run mine --for 20m --quiet").ok();
    terminal.write("note.md", "my own words");
    for line in ["measure --out note.md", "test mine --junit note.md", "run --for 1m --quiet --record note.md"] {
        terminal.types(line).fails(1).warns(&["`note.md` is there already"]);
        assert_eq!(terminal.read("note.md"), "my own words", "{line}");
    }
    for line in ["measure --out out.csv", "test mine --junit out.xml"] {
        terminal.types(line).ok();
        terminal.types(line).ok();
    }
}

#[test]
fn a_world_begins_in_an_empty_folder_and_under_any_name() {
    let terminal = Terminal::new();
    fs::create_dir(terminal.path("club")).unwrap();
    terminal.types("new club").ok();
    terminal.types("check club --strict").fails(0);
    terminal.types("new world").ok();
    terminal.types("check world --strict").fails(0);
    terminal.types("new 'a b'").fails(0).says(&["reelm check 'a b'"]);
}
