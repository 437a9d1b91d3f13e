//! Schema: does each JSON Schema take every file that its reader takes, refuse what its reader refuses, and know every key?

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use reelm::extension::{Manifest, Package};
use reelm::fact::{Cognition, Orientation, RespondMode, Trigger};
use reelm::role::flow::CLAUSE_KEYS;
use reelm::role::spec::KEYS;
use reelm::role::{Flow, Operator, Path as Asked, Rel, Spec, flow_schema};
use reelm::run::Living;
use reelm::source::Source;
use reelm::world::settings;
use serde_json::{Value, json};

use super::terminal::{Terminal, package};

fn validator(schema: &Value) -> Validator {
    jsonschema::draft7::meta::validate(schema).unwrap();
    jsonschema::draft7::new(schema).unwrap()
}

/// The errors of a file by a schema.
fn faults(validator: &Validator, value: &Value) -> Vec<String> {
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Every file of such a kind that stands in the repository.
fn files(is_one: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = ["fixtures", "docs", "extensions", "roles", "tests"].map(|folder| package().join(folder)).into();
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() && is_called(&path, "node_modules") {
            continue;
        }
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if is_one(&path) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_called(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|file| file == name)
}

fn toml(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

/// The text of each file, if its schema takes it as it stands.
fn all_are_taken(schema: &Value, files: &[PathBuf], least: usize, read: impl Fn(&str) -> Option<Value>) {
    let validator = validator(schema);
    let values: Vec<_> = files.iter().filter_map(|path| Some((path, read(&fs::read_to_string(path).unwrap())?))).collect();
    assert!(values.len() >= least, "{} files", values.len());
    let wrong: Vec<String> = values
        .iter()
        .flat_map(|(path, value)| faults(&validator, value).into_iter().map(|fault| format!("{}: {fault}", path.display())))
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_schemas_take_every_world_that_is_here() {
    let is_one = |path: &Path| {
        is_called(path, "world.toml")
            || (path.extension().is_some_and(|ending| ending == "toml") && path.parent().is_some_and(|folder| is_called(folder, "tests")))
    };
    // A file of scenes has no name; that of a world that lives already has its key.
    all_are_taken(&Source::schema(), &files(is_one), 30, |text| {
        Some(toml(text)).filter(|value| value.get("name").is_some() && value.get("root_key").is_none())
    });
}

#[test]
fn the_schemas_take_every_manifest_and_every_role_that_is_here() {
    all_are_taken(&Manifest::schema(), &files(|path| is_called(path, "manifest.toml")), 10, |text| Some(toml(text)));
    let is_role =
        |path: &Path| path.extension().is_some_and(|ending| ending == "md") && fs::read_to_string(path).unwrap().starts_with("---\n");
    let front = |text: &str| serde_saphyr::from_str(text.split("---\n").nth(1).unwrap()).unwrap();
    all_are_taken(&Spec::schema(), &files(is_role), 20, |text| Some(front(text)));
}

#[test]
fn the_schema_takes_every_flow_that_is_here() {
    let validator = validator(&flow_schema());
    let (mut flows, mut wrong) = (0, Vec::new());
    for path in files(|path| path.extension().is_some_and(|ending| ending == "json")) {
        // A file that is only part of one is none.
        let Ok(value) = serde_json::from_str::<Value>(&fs::read_to_string(&path).unwrap()) else { continue };
        let rows = value.get("rows").and_then(Value::as_array).into_iter().flatten();
        let found = rows.filter(|row| row.get("refused").is_none() && row.get("warns").is_none()).flat_map(|row| {
            let when = row.get("when").map(|when| json!([{ "when": when, "role": "some" }]));
            row.get("flow").cloned().into_iter().chain(when)
        });
        for flow in found.chain([value.clone()]) {
            let read = serde_json::from_value(flow.clone()).map(|flow| Flow::compile(&flow));
            if read.is_ok_and(|read| read.is_ok_and(|flow| flow.roles().next().is_some())) {
                flows += 1;
                wrong.extend(faults(&validator, &flow).into_iter().map(|fault| format!("{}: {fault}: {flow}", path.display())));
            }
        }
    }
    assert!(flows > 20, "{flows} flows");
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

const WORLD: &str = r#"name = "small"
[config]
brakes.depth = 3
"tokens.keep" = 100
llm.near = { base_url = "http://localhost:1", model = "m" }
llm.connection = "near"
llm.budget = { day = { calls = 3 } }
[[space]]
path = "/hall"
size = [4, 4]
settings = { brakes.depth = 2 }
flow = [{ role = "guest", stack = true, when = { time.hour = { gte = 3 } } }]
quality = { look = { icon = "house" }, mood = { light = 3 } }
[[matter]]
at = "/hall"
name = "table"
[[role]]
name = "guest"
canSee = ["**", { rel = "here" }]
canDo = ["say", { action = "quality.set", on = { rel = "self" }, ns = "mood" }]
triggerOn = ["message"]
think = "()"
[[operation]]
name = "knock"
by = ["guest"]
run = "[]"
[[rule]]
name = "quiet"
on = ["small:knock"]
when = { "target.name" = { in = ["hall"] } }
refuse = "it is quiet here"
[[being]]
name = "ada"
home = "/hall"
cognition = "script"
role = "guest"
schedule = [{ name = "tea", every = "1h30m", rank = "normal" }]
flow = [{ role = "guest", when = { or = [{ "space.name" = "hall" }, { not = { "me.name" = ["ada", "eve"] } }] } }]
[[being]]
name = "jury"
cognition = "panel"
panel = { of = ["@ada"], ask = "in-turn", until = "1m" }
[[population]]
count = 2
role = "guest"
think = "()"
[[signal]]
path = "small.tea"
value = true
[[measure]]
name = "people"
value = "1"
every = "10m"
warn = { gte = 3 }
[[table]]
name = "folk"
columns = ["me.name"]
[[look]]
type = "hall"
colour = "maple"
[[try]]
say = "Ada hears you."
button = "Greet Ada"
verb = "summon"
target = "@ada"
[[now]]
when = { "measure.people" = 1 }
say = "It is calm."
[[test]]
name = "it is there"
given = [{ after = "1m", as = "@ada", do = "say", on = "/hall", args = { text = "hello" } }]
expect = [{ on = "/hall", when = { "target.name" = "hall" } }]
"#;

/// The error of a world, if any: where it is read, or where it begins.
fn read_world(text: &str) -> Result<(), String> {
    let dir = tempfile::tempdir().unwrap();
    let source = Source::parse(dir.path(), "world.toml", text).map_err(|error| error.to_string())?;
    Living::plant(&source, None, &dir.path().join("world"), 1).map(drop).map_err(|error| error.to_string())
}

#[test]
fn what_is_wrong_in_a_world_both_the_schema_and_the_reader_refuse() {
    let validator = validator(&Source::schema());
    assert_eq!((faults(&validator, &toml(WORLD)), read_world(WORLD)), (Vec::new(), Ok(())));
    for (right, wrong) in [
        ("name = \"small\"\n", ""),
        ("name = \"small\"", "name = 3"),
        ("name = \"small\"", "name = \"small\"\nzones = \"UTC\""),
        ("name = \"small\"", "name = \"small\"\nabsence = \"sleep\""),
        ("[[space]]", "[[spaces]]"),
        ("brakes.depth = 3", "brakes.depth = \"three\""),
        ("\"tokens.keep\" = 100", "\"tokens.keep\" = -1"),
        ("model = \"m\"", "modell = \"m\""),
        ("day = {", "week = {"),
        ("size = [4, 4]", "size = 4"),
        ("size = [4, 4]", "sizes = [4, 4]"),
        ("settings = { brakes.depth = 2 }", "settings = { brakes.depth = true }"),
        ("stack = true, ", ""),
        ("icon = \"house\"", "icons = \"house\""),
        ("at = \"/hall\"", "in = \"/hall\""),
        ("canSee", "cansee"),
        ("rel = \"here\"", "rel = \"there\""),
        ("ns = \"mood\"", "namespace = \"mood\""),
        ("[\"message\"]", "[\"massage\"]"),
        ("run = \"[]\"", "runs = \"[]\""),
        ("refuse =", "refuses ="),
        ("\"target.name\" = { in", "\"target.name\" = { inn"),
        ("on = [\"small:knock\"]", "on = \"small:knock\""),
        ("cognition = \"script\"", "cognition = \"scripts\""),
        ("every = \"1h30m\"", "every = \"often\""),
        ("rank = \"normal\"", "rank = \"fast\""),
        ("rank = \"normal\"", "ranks = \"normal\""),
        ("or = [{ \"space.name\" = \"hall\" }, ", "or = { \"space.name\" = \"hall\" }, and = ["),
        ("\"me.name\" = [\"ada\", \"eve\"]", "\"me.name\" = { startsWith = 3 }"),
        ("role = \"guest\", when = { or", "roles = \"guest\", when = { or"),
        ("ask = \"in-turn\"", "ask = \"at-once\""),
        ("until = \"1m\"", "untill = \"1m\""),
        ("of = [\"@ada\"]", "of = \"@ada\""),
        ("count = 2", "count = \"2\""),
        ("path = \"small.tea\"", "paths = \"small.tea\""),
        ("warn = { gte = 3 }", "warns = { gte = 3 }"),
        ("columns = [\"me.name\"]", "columns = \"me.name\""),
        ("colour = \"maple\"", "color = \"maple\""),
        ("verb = \"summon\"", "verb = \"ask\""),
        ("say = \"It is calm.\"", "says = \"It is calm.\""),
        ("after = \"1m\"", "later = \"1m\""),
    ] {
        assert!(WORLD.contains(right), "{right}");
        let text = WORLD.replacen(right, wrong, 1);
        assert!(!faults(&validator, &toml(&text)).is_empty(), "the schema takes {wrong:?} for {right:?}");
        assert!(read_world(&text).is_err(), "the reader takes {wrong:?} for {right:?}");
    }
}

#[test]
fn what_is_wrong_in_a_role_or_a_flow_both_the_schema_and_the_reader_refuse() {
    let (role, flow) = (validator(&Spec::schema()), validator(&flow_schema()));
    for wrong in [
        json!({}),
        json!({ "name": "Judge" }),
        json!({ "name": "a", "canFly": [] }),
        json!({ "name": "a", "canSee": "**" }),
        json!({ "name": "a", "canSee": [3] }),
        json!({ "name": "a", "canSee": [{ "action": "say" }] }),
        json!({ "name": "a", "canDo": [{ "rel": "here" }] }),
        json!({ "name": "a", "canBe": [{ "action": "birth", "ns": "x" }] }),
        json!({ "name": "a", "lets": [3] }),
        json!({ "name": "a", "triggerOn": ["massage"] }),
        json!({ "name": "a", "requiredCognition": "robot" }),
        json!({ "name": "a", "defaultOrientation": "backward" }),
        json!({ "name": "a", "respondMode": "later" }),
        json!({ "name": "a", "selfContinue": "yes" }),
        json!({ "name": "a", "rest": "1d" }),
        json!({ "name": "a", "thinks": 3 }),
        json!({ "name": "a", "when": [] }),
        json!({ "name": "a", "when": { "time.hour": { "gtee": 3 } } }),
        json!({ "name": "a", "when": { "time.hour": { "gte": true } } }),
    ] {
        assert!(!faults(&role, &wrong).is_empty(), "the schema takes {wrong}");
        assert!(Spec::from_json("role.json", &wrong.to_string()).is_err(), "the reader takes {wrong}");
    }
    for wrong in [
        json!({}),
        json!([{}]),
        json!([{ "role": "Judge" }]),
        json!([{ "role": "a", "then": 1 }]),
        json!([{ "role": "a", "stack": "yes" }]),
        json!([{ "role": "a", "when": { "and": {} } }]),
        json!([{ "role": "a", "when": { "or": [3] } }]),
        json!([{ "role": "a", "when": { "me.quality.mood.x": { "in": 3 } } }]),
        json!([{ "role": "a", "when": { "me.quality": { "gte": 3, "mood": 1 } } }]),
        json!([{ "role": "a", "when": { "me": { "and": [] } } }]),
        json!([{ "role": "a", "when": { "time.hour": { "present": "yes" } } }]),
    ] {
        assert!(!faults(&flow, &wrong).is_empty(), "the schema takes {wrong}");
        assert!(Flow::compile(&serde_json::from_value(wrong.clone()).unwrap()).is_err(), "the reader takes {wrong}");
    }
}

/// The keys that a schema has under a definition; of the whole without one.
fn keys<'s>(schema: &'s Value, of: &str) -> BTreeSet<&'s str> {
    let table = if of.is_empty() { schema } else { &schema["definitions"][of] };
    assert_eq!(table["additionalProperties"], false, "{of}");
    table["properties"].as_object().unwrap_or_else(|| panic!("{of}: {table}")).keys().map(String::as_str).collect()
}

/// The keys that serde says it expects.
fn expected(error: &str) -> BTreeSet<&str> {
    let (_, behind) = error.split_once("expected ").unwrap_or_else(|| panic!("{error}"));
    behind.split('`').skip(1).step_by(2).collect()
}

#[test]
fn each_key_that_is_read_stands_in_the_schema() {
    let world = Source::schema();
    for (table, of) in [
        ("", ""),
        ("[[space]]", "SpaceItem"),
        ("[[matter]]", "MatterItem"),
        ("[[operation]]", "InlineOperation"),
        ("[[resolver]]", "InlineResolver"),
        ("[[rule]]", "InlineRule"),
        ("[[being]]", "BeingItem"),
        ("[[being]]\nname = \"a\"\n[[being.schedule]]", "ScheduleItem"),
        ("[[population]]", "PopulationItem"),
        ("[[signal]]", "SignalItem"),
        ("[[measure]]", "MeasureItem"),
        ("[[table]]", "TableItem"),
        ("[[try]]", "TryItem"),
        ("[[now]]", "NowItem"),
        ("[[test]]", "TestItem"),
        ("[[test]]\nname = \"a\"\n[[test.given]]", "GivenItem"),
    ] {
        let error = read_world(&format!("name = \"small\"\n{table}\nzzz = 1\n")).unwrap_err();
        assert_eq!(keys(&world, of), expected(&error), "{of}");
    }
    let error = read_world("name = \"small\"\n[[look]]\ntype = \"a\"\nzzz = 1\n").unwrap_err();
    let with_type: BTreeSet<&str> = expected(&error).into_iter().filter(|key| *key != "zzz").chain(["type"]).collect();
    assert_eq!(keys(&world, "TypeLook"), with_type);
    let manifest = Manifest::schema();
    for (table, of) in [
        ("", ""),
        ("[[setting]]", "SettingItem"),
        ("[[operation]]", "OperationItem"),
        ("[[resolver]]", "ResolverItem"),
        ("[[rule]]", "RuleItem"),
        ("[[matter]]", "TypeItem"),
        ("[[space]]", "TypeItem"),
        ("[[signal]]", "DeclaredSignal"),
    ] {
        let text = format!("name = \"small\"\nversion = \"1.0.0\"\n{table}\nzzz = 1\n");
        let error = Package::parse("", &BTreeMap::from([("manifest.toml".to_owned(), text)])).map(drop).unwrap_err().to_string();
        assert_eq!(keys(&manifest, of), expected(&error), "{of}");
    }
}

#[test]
fn each_word_that_is_read_stands_in_the_schema() {
    let (world, role, flow) = (Source::schema(), Spec::schema(), flow_schema());
    let set = |words: &[&'static str]| words.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(keys(&role, ""), set(KEYS));
    assert_eq!(keys(&world, "InlineRole"), KEYS.iter().copied().chain(["think"]).collect());
    assert!(role["properties"].as_object().unwrap().values().all(|key| key["description"].is_string()));
    let clause = &flow["items"];
    assert_eq!(clause["properties"].as_object().unwrap().keys().map(String::as_str).collect::<BTreeSet<_>>(), set(CLAUSE_KEYS));
    assert!(clause["properties"].as_object().unwrap().values().all(|key| key["description"].is_string()));
    let words = |name: &str| -> Vec<String> {
        role["definitions"][name]["oneOf"].as_array().unwrap().iter().map(|one| one["const"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(words("Trigger"), Trigger::ALL.iter().map(|one| one.word()).collect::<Vec<_>>());
    assert_eq!(words("Orientation"), Orientation::ALL.iter().map(|one| one.word()).collect::<Vec<_>>());
    assert_eq!(words("RespondMode"), RespondMode::ALL.iter().map(|one| one.word()).collect::<Vec<_>>());
    assert_eq!(words("Cognition"), Cognition::ALL.iter().map(|one| one.word()).collect::<Vec<_>>());
    let all = flow.to_string();
    for word in Operator::WORDS.iter().chain(Asked::WORDS) {
        assert!(all.contains(&format!("\"{word}\":")), "{word}");
    }
    assert!(Rel::WORDS.iter().all(|word| role.to_string().contains(&format!("\"const\":\"{word}\""))));
    let config = world["definitions"].to_string();
    for setting in
        settings().iter().filter(|setting| !["name", "seed", "simulated", "semantics", "register"].contains(&setting.key.as_ref()))
    {
        assert!(config.contains(&*json!(setting.about).to_string()), "{}", setting.key);
    }
}

#[test]
fn what_is_begun_names_its_schema_and_is_what_it_would_be_without_it() {
    let terminal = Terminal::new();
    terminal.types("new mine").ok();
    assert!(terminal.read("mine/world.toml").starts_with("#:schema ./world.schema.json\n"));
    assert_eq!(terminal.read("mine/world.schema.json"), terminal.types("schema world").ok());
    terminal.types("check mine --strict").fails(0);
    terminal.types("new --extension Wächter").ok();
    let there = terminal.path("mine/extensions/wachter");
    assert!(terminal.read("mine/extensions/wachter/manifest.toml").starts_with("#:schema ./manifest.schema.json\n"));
    assert_eq!(terminal.read("mine/extensions/wachter/manifest.schema.json"), terminal.types("schema manifest").ok());
    let hash = || Package::load(&there).unwrap().hash;
    let before = hash();
    fs::remove_file(there.join("manifest.schema.json")).unwrap();
    assert_eq!(hash(), before);
}
