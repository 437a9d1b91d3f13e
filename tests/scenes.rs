//! Scenes: is everything that ships as its own scenes say, and does a scene that is not so say why?

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use reelm::run::play;
use reelm::source::scenes;

fn shipped() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("extensions");
    let mut dirs: Vec<_> = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    dirs.sort();
    dirs
}

#[test]
fn every_extension_that_ships_has_scenes_and_they_come_out() {
    let mut wrong = Vec::new();
    for dir in shipped() {
        let scenes = scenes(&dir).unwrap_or_else(|error| panic!("{error}"));
        assert!(!scenes.is_empty(), "{} has no scenes", dir.display());
        for scene in &scenes {
            for seed in scene.world.seed..scene.world.seed + scene.item.seeds.map_or(1, NonZeroU64::get) {
                let faults = play(scene, seed);
                wrong.extend(faults.into_iter().map(|fault| format!("{}: {}: {fault}", scene.place, scene.item.name)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// A person, and somebody whose model nobody can ask.
const SMALL: &str = r#"
name = "small"
[config]
"llm.connection" = "desk"
"llm.desk" = { base_url = "http://127.0.0.1:9/v1", model = "none" }
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "person"
cognition = "human"
[[being]]
name = "mo"
home = "/"
role = "person"
cognition = "llm"
"#;

/// The differences that a source of one scene reports.
fn faults(scene: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("world.toml"), format!("{SMALL}[[test]]\nname = \"it is so\"\n{scene}")).unwrap();
    let scenes = scenes(dir.path()).unwrap_or_else(|error| panic!("{error}"));
    play(&scenes[0], 1)
}

#[test]
fn a_scene_that_comes_out_otherwise_says_what_it_found() {
    let set = "{ do = \"signal.set\", args = { path = \"t.n\", value = 2 } }";
    assert_eq!(faults(&format!("given = [{set}]\nexpect = {{ \"world.t.n\" = 2 }}\n")), [""; 0]);
    for (scene, expected) in [
        (format!("given = [{set}]\nexpect = {{ \"world.t.n\" = 3 }}\n"), "expect[0]: world.t.n is 2, wanted eq 3"),
        (
            "expect = [{ as = \"@ada\", when = { \"me.position\" = \"/\" } }]\n".to_owned(),
            "expect[0]: me.position is \"/hall\", wanted eq \"/\"",
        ),
        ("expect = [{ on = \"/hall\", when = { \"target.count\" = 2 } }]\n".to_owned(), "expect[0]: target.count is 1, wanted eq 2"),
        ("expect = [{ on = \"/shed\", when = { \"target.count\" = 2 } }]\n".to_owned(), "expect[0]: not-found at `/shed`"),
        ("expect = [{ on = \"/hall\", when = { \"target.cuont\" = 2 } }]\n".to_owned(), "did you mean `target.count`?"),
        ("expect = { \"wrld.t.n\" = 2 }\n".to_owned(), "did you mean `world.t.n`?"),
        ("expect = [{ as = \"@eve\", when = { \"time.hour\" = { gte = 0 } } }]\n".to_owned(), "there is no being `@eve`"),
        (
            format!("given = [{{ refused = \"rule\",{}]\n", &set[1..]),
            "given[0]: expected it to be refused as `rule`, found that @operator has done it",
        ),
        (
            "given = [{ as = \"@ada\", do = \"role.set\", args = { name = \"x\", role = {} } }]\n".to_owned(),
            "given[0]: expected that @ada may do it",
        ),
        ("given = [{ as = \"@eve\", do = \"say\" }]\n".to_owned(), "there is no living being `@eve`"),
        ("given = [{ as = \"@ada\" }]\n".to_owned(), "expected one of `do`, `summon` and `be`"),
        ("run = \"1m\"\n".to_owned(), "expected `given` or `expect`, found neither"),
        ("run = \"a while\"\nexpect = { \"time.hour\" = { gte = 0 } }\n".to_owned(), "run: expected a duration"),
        ("cassette = \"none.jsonl\"\nexpect = { \"time.hour\" = { gte = 0 } }\n".to_owned(), "none.jsonl"),
        (
            "given = [{ summon = \"@mo\", args = { content = \"well?\" } }]\nrun = \"1m\"\n".to_owned(),
            "holds no answer to the request of @mo",
        ),
        (
            "given = [{ do = \"say\", args = { content = \"hi\" } }]\n[[being]]\nname = \"bob\"\nhome = \"/shed\"\n".to_owned(),
            "cannot give birth to @bob",
        ),
    ] {
        let found = faults(&scene);
        assert!(found.len() == 1 && found[0].contains(expected), "{scene}: {found:?}");
    }
}

#[test]
fn what_holds_no_scene_or_cannot_be_read_is_an_error_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let said = || scenes(dir.path()).unwrap_err().to_string();
    assert!(said().contains("is neither a world source nor an extension: expected a directory with a `world.toml` or a `manifest.toml`"));
    std::fs::write(dir.path().join("world.toml"), SMALL).unwrap();
    std::fs::create_dir(dir.path().join("tests")).unwrap();
    assert!(scenes(dir.path()).unwrap().is_empty());
    for (text, expected) in [
        ("[[test]]\nnaem = \"x\"\n", "one.toml:2: unknown field `naem`"),
        ("[[test]]\nname = \"x\"\nseeds = 0\n", "one.toml:3: invalid value: integer `0`"),
        ("[[test]\nname = \"x\"\n", "one.toml:1: "),
        ("name = \"other\"\nextensions = [\"none\"]\n", "one.toml:2:15: extensions: no extension `none`"),
    ] {
        std::fs::write(dir.path().join("tests/one.toml"), text).unwrap();
        assert!(said().contains(expected), "{text}: {}", said());
    }
}
