//! Measured: are `about`, measures and the sentences of operations facts of the world, told to whom they are for?

use serde_json::json;

use super::kit::{Small, package, source};
use super::served::{Person, Served};
use super::terminal::Terminal;

const WORLD: &str = "name = \"small\"\nabout = \"A hall where nothing happens\"\n[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\n";
const MEASURE: &str = "[[measure]]\nname = \"living\"\nvalue = \"beings()\"\nevery = \"1m\"\n";
const TABLE: &str = "[[table]]\nname = \"people\"\ncolumns = [\"me.position\"]\n";

#[test]
fn a_world_without_its_source_has_its_measures() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", &format!("{WORLD}{MEASURE}{TABLE}"));
    terminal.types("run src --for 2m --measures out.csv --quiet").ok();
    let sampled = terminal.types("measure src").ok();
    std::fs::remove_dir_all(terminal.path("src")).unwrap();
    assert_eq!(terminal.types("measure").ok(), sampled);
    assert!(sampled.contains("living") && sampled.contains("people @ada"), "{sampled}");
    terminal.types("measure --out again.csv").ok();
    assert_eq!(terminal.read("again.csv"), terminal.read("out.csv"));
    terminal.types("run --for 1m --measures out.csv --quiet").ok();
    assert!(terminal.read("out.csv").lines().count() > terminal.read("again.csv").lines().count());
    let shown = terminal.types("see /.measures --json").json();
    assert_eq!(shown, json!([{ "name": "living", "value": "beings()", "every": "1m", "now": 1 }]));
    terminal.types("see /.settings/about").fails(0).says(&["A hall where nothing happens"]);
    // One file carries them, a fork has them, and a source that is written out says them again.
    terminal.types("export day.reelm").ok();
    terminal.types("import day.reelm --data other").ok();
    terminal.types("measure --data other").fails(0).says(&["living"]);
    terminal.types("fork twin").ok();
    terminal.types("measure --data twin").fails(0).says(&["living"]);
    terminal.types("export --source back").ok();
    let back = terminal.read("back/world.toml");
    assert!(
        back.contains("about = \"A hall where nothing happens\"") && back.contains("[[measure]]") && back.contains("[[table]]"),
        "{back}"
    );
    terminal.types("run back --data third --moments 0 --quiet").ok();
    terminal.types("see /.measures --data third").fails(0).says(&["beings()"]);
    terminal.types("replay").ok();
}

#[test]
fn apply_changes_what_is_measured_and_a_source_that_measures_something_else_says_so() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", WORLD);
    terminal.types("run src --for 1m --quiet").ok();
    terminal.types("measure").fails(1).warns(&["nothing is measured of this world"]);
    terminal.types("run --for 1m --measures out.csv").fails(1).warns(&["nothing is measured of this world"]);
    terminal.write("src/world.toml", &format!("{WORLD}{MEASURE}"));
    terminal.types("measure src").fails(0).says(&["living"]).warns(&["measures something else than the world does"]);
    terminal.types("run src --for 1m --measures out.csv --quiet").fails(0).warns(&["`reelm apply` gives it to the world"]);
    terminal.types("apply src").fails(0).says(&["change what is measured of the world"]);
    terminal.types("apply src").fails(0).says(&["nothing to do"]);
    assert!(!terminal.types("measure src").fails(0).err.contains("something else"));
    terminal.write("src/world.toml", &WORLD.replace("where nothing", "in which little"));
    terminal.types("apply src").fails(0).says(&["set about to", "change what is measured"]);
    terminal.types("measure").fails(1);
    terminal.write("src/world.toml", &WORLD.replace("A hall", &"x".repeat(1001)));
    terminal.types("check src").fails(1).warns(&["world.toml:2:9: about: expected at most 1000 characters"]);
}

#[test]
fn an_operation_is_told_by_its_sentence() {
    let mut small = source(
        "[[space]]\npath = \"/hall\"\nallow = [\"t:*\"]\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n",
    );
    let manifest = "name = \"t\"\nversion = \"1.0.0\"\n[[operation]]\nname = \"mark\"\ntold = \"marks {{target}} with {{args.how}}\"\nscript = \"ops/mark.rhai\"\ntouches = [\"actor\"]\n";
    let script = "fn run(ctx) { [] }";
    small.extensions.push(package("t", &[("manifest.toml", manifest), ("ops/mark.rhai", script)]));
    let mut small = Small::grow(&small, 1, 1);
    let call = reelm::fact::Call::doing("/hall", "t:mark", super::kit::args(r#"{"how":"a\nred \u001b line"}"#));
    let report = small.living().act("ada", call).unwrap();
    assert_eq!(report.sentence(), "Ada marked the hall with a red line");
    let parts = json!([{ "text": "marked " }, { "text": "the hall", "to": "/hall" }, { "text": " with a red line" }]);
    assert_eq!(serde_json::to_value(&report).unwrap()["told"], parts);
    assert!(small.replay().is_ok());
}

#[test]
fn everybody_is_told_what_a_world_is_for_and_measures_are_told_by_right() {
    let terminal = Terminal::new();
    terminal.write("src/world.toml", &format!("{WORLD}{MEASURE}[[measure]]\nname = \"broken\"\nvalue = \"signal(1)\"\n"));
    terminal.write("src/roles/looker.md", "---\nname: looker\ncanSee: ['/', '/hall']\ncanDo: [quality.inc]\n---\n");
    let served = Served::begin(terminal, "serve src --port 0 --paused --json");
    let operator = served.operator();
    let looker = served.person(&operator, "pat", json!({ "defaultRole": "looker", "home": "/hall" }));
    let world = |person: &Person| served.get(person, "/api/world").ok();
    let stranger = world(&Person::default());
    assert_eq!((&stranger["name"], &stranger["about"]), (&json!("small"), &json!("A hall where nothing happens")));
    let seen = world(&looker);
    assert_eq!((&seen["about"], seen["beings"].as_u64().is_some()), (&stranger["about"], true), "{seen}");
    for told in [&stranger, &seen] {
        assert!(told.get("measures").is_none() && !told.to_string().contains("beings()"), "{told}");
    }
    let measures = world(&operator)["measures"].clone();
    assert_eq!((&measures[0]["name"], &measures[0]["value"], &measures[0]["every"]), (&json!("living"), &json!("beings()"), &json!("1m")));
    assert!(measures[0]["now"] == 2 && measures[1]["now"].is_null(), "{measures}");
    let past = served.get(&operator, "/api/world?at=3").ok();
    assert_eq!(past["measures"], json!([]), "at the third frame nothing was measured");
}
