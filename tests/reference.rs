//! Reference: does docs/REFERENCE.md say the operations, the faces, the wakes and the answers of `see` as they are?

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::terminal::Terminal;

type Names = BTreeSet<String>;

fn reference() -> String {
    std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/REFERENCE.md")).unwrap()
}

/// The words in backticks.
fn words(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The rows of the tables below a heading, up to the next one, each with its cells; heads and rules left out.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let text = reference();
    let section = text.split(&format!("\n{heading}\n")).nth(1).unwrap_or_else(|| panic!("no heading {heading}"));
    let section = section.split("\n#").next().unwrap();
    let row = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).skip(1).collect::<Vec<_>>();
    section.lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

/// All that the first cells of some rows name.
fn named(rows: &[Vec<String>]) -> Names {
    rows.iter().flat_map(|row| words(&row[0])).collect()
}

fn keys(value: &Value) -> Names {
    value.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect()
}

fn strings(value: &Value) -> Names {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The keys of things of a kind: those of its table, and those that stand there as of a being.
fn keys_of(heading: &str) -> Names {
    named(&rows(heading))
}

#[test]
fn every_operation_stands_there_with_its_arguments() {
    let terminal = Terminal::with_world("court", 400);
    let ops = terminal.types("see /.ops --json").json();
    let core = |name: &&String| !name.contains(':');
    let there: Names = strings(&ops).iter().filter(core).cloned().collect();
    let rows = rows("## Operations");
    assert_eq!(named(&rows), there);
    for row in rows {
        let name = &words(&row[0])[0];
        let schema = terminal.types(&format!("see /.ops/{name} --json")).json()["args"].clone();
        let told: Names =
            words(&row[2]).into_iter().filter(|word| word.trim_start_matches('?').chars().all(char::is_alphanumeric)).collect();
        let bare: Names = told.iter().map(|word| word.trim_start_matches('?').to_owned()).collect();
        assert_eq!(bare, keys(&schema["properties"]), "{name}");
        if !row[2].contains("one of") {
            let needed: Names = told.into_iter().filter(|word| !word.starts_with('?')).collect();
            assert_eq!(needed, strings(&schema["required"]), "{name}");
        }
    }
}

#[test]
#[ignore = "long: a command for each of 120 faces"]
fn every_key_of_a_face_and_of_a_wake_stands_there() {
    let (face, wake) = (rows("## The face"), rows("### The wake"));
    let of_face: Names = named(&face).into_iter().map(|key| key.split('.').next().unwrap().to_owned()).collect();
    let of_time: Names = named(&face).iter().filter_map(|key| key.strip_prefix("time.")).map(str::to_owned).collect();
    let of_being = keys_of("### A being");
    let every: Names = ["kind", "cause", "due"].map(str::to_owned).into();
    let kinds: BTreeMap<String, Names> = wake
        .iter()
        .skip_while(|row| row[1] != "opens because")
        .flat_map(|row| words(&row[0]).into_iter().map(|kind| (kind, words(&row[2]).into_iter().collect())))
        .collect();
    let (mut seen, mut met) = (Names::new(), Names::new());
    for world in ["court", "skateco", "committee", "library"] {
        let terminal = Terminal::with_world(world, 400);
        for line in terminal.types("find --last 30 --json").ok().lines() {
            let report: Value = serde_json::from_str(line).unwrap();
            let explained = terminal.types(&format!("explain {} --json", report["seq"])).json();
            let Some(face) = explained["face"].as_object() else { continue };
            let face = Value::Object(face.clone());
            let strange: Names = keys(&face).difference(&of_face).cloned().collect();
            assert_eq!(strange, Names::new(), "{world} {face}");
            let strange: Names = keys(&face["me"]).difference(&of_being).cloned().collect();
            assert_eq!(strange, Names::new(), "{world} {face}");
            assert_eq!(keys(&face["time"]), of_time);
            let wake = &face["wake"];
            let kind = wake["kind"].as_str().unwrap();
            let known: Names = every.union(&kinds[kind]).cloned().collect();
            let strange: Names = keys(wake).difference(&known).cloned().collect();
            assert_eq!(strange, Names::new(), "{world} {wake}");
            seen.extend(keys(&face));
            met.insert(kind.to_owned());
        }
    }
    assert!(seen.len() >= 6 && met.len() >= 4, "{seen:?} {met:?}");
}

#[test]
fn no_key_that_stands_there_is_doubted_in_a_script() {
    let (face, wake) = (rows("## The face"), rows("### The wake"));
    // Three tables: what every wake has, what each kind has beside it, and what that is.
    let (every, kinds) = wake.split_at(wake.iter().position(|row| row[1] == "opens because").unwrap());
    let (kinds, rest) = kinds.split_at(kinds.iter().position(|row| row[0] == "`from`").unwrap());
    let in_wake = every.iter().chain(rest).flat_map(|row| words(&row[0]));
    let of_kinds = kinds.iter().skip(1).flat_map(|row| words(&row[2]));
    let reads = named(&face).into_iter().filter(|key| key != "ballots").map(|key| format!("face.{key}"));
    let of_me = keys_of("### A being").into_iter().filter(|key| !key.contains(' ')).map(|key| format!("face.me.{key}"));
    let of_wake = in_wake.chain(of_kinds).map(|key| format!("face.wake[\"{key}\"]"));
    let reads: Vec<String> = reads.chain(of_me).chain(of_wake).collect();
    assert!(reads.len() > 50, "{reads:?}");
    let script: String = reads.iter().map(|read| format!("if {read} == 12345 {{ return }}\n")).collect();
    let terminal = Terminal::new();
    terminal.write("w/world.toml", "name = \"w\"\n[[space]]\npath = \"/h\"\n[[being]]\nname = \"a\"\nhome = \"/h\"\nscript = \"a\"\n");
    terminal.write("w/scripts/a.rhai", &format!("fn think(face) {{\n{script}}}\n"));
    let said = terminal.types("check w").ok();
    assert!(!said.contains("has no `"), "{said}");
}

#[test]
fn no_key_of_a_thing_is_doubted_in_an_operation_or_a_rule() {
    let things: Names = ["### A being", "### A space", "### Matter"].into_iter().flat_map(keys_of).collect();
    let of_being = keys_of("### A being");
    let reads = |of: &str, keys: &Names| keys.iter().map(|key| format!("if ctx.{of}.{key} == 12345 {{ return }}\n")).collect::<String>();
    let terminal = Terminal::new();
    let manifest = "name = \"x\"\nversion = \"1.0.0\"\n[[operation]]\nname = \"o\"\nscript = \"ops/o.rhai\"\n[[rule]]\nname = \"r\"\non = [\"say\"]\nscript = \"rules/r.rhai\"\n";
    terminal.write("w/extensions/x/manifest.toml", manifest);
    terminal.write("w/world.toml", "name = \"w\"\nextensions = [\"x\"]\n");
    let written = |extra: &str| {
        let (run, judge) = (reads("actor", &of_being) + &*reads("target", &things), reads("by", &of_being) + &*reads("target", &things));
        terminal.write("w/extensions/x/ops/o.rhai", &format!("fn run(ctx) {{\n{run}{extra}[]\n}}\n"));
        terminal.write("w/extensions/x/rules/r.rhai", &format!("fn judge(ctx) {{\n{judge}{extra}()\n}}\n"));
        terminal.types("check w").ok()
    };
    let said = written("");
    assert!(!said.contains("has no `"), "{said}");
    let said = written("if ctx.target.qualites == 1 { return }\nif ctx.actr == 1 { return }\n");
    assert_eq!(said.matches("`target` has no `qualites`").count(), 2, "{said}");
    assert_eq!(said.matches("the context has no `actr`").count(), 2, "{said}");
}

#[test]
fn a_wake_by_coming_somewhere_has_the_address_of_that_place() {
    let terminal = Terminal::new();
    let spaces = "[[space]]\npath = \"/hall\"\n[[space]]\npath = \"/yard\"\n";
    let role = "[[role]]\nname = \"walker\"\ncanSee = [\"**\"]\ncanDo = [\"move\"]\ntriggerOn = [\"schedule\", \"enter\"]\nthink = 'if wake.kind == \"schedule\" { act(me.address, \"move\", #{ to: \"/yard\" }) }'\n";
    let being = "[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"walker\"\nschedule = [{ name = \"go\", every = \"1m\" }]\n";
    terminal.write("w/world.toml", &format!("name = \"w\"\n{spaces}{role}{being}"));
    terminal.types("run w --for 90s --quiet").ok();
    let log = terminal.types("log @ada --json").json_lines();
    let entered = log.iter().find(|line| line["report"]["wake"] == "enter").unwrap_or_else(|| panic!("{log:?}"));
    let explained = terminal.types(&format!("explain {} --json", entered["report"]["seq"])).json();
    assert_eq!(explained["face"]["wake"]["space"], "/yard");
}

#[test]
fn what_see_shows_of_a_thing_stands_there() {
    let terminal = Terminal::with_world("skateco", 400);
    let (being, space, matter) = (keys_of("### A being"), keys_of("### A space"), keys_of("### Matter"));
    let only_some: Names = ["more", "unsought", "undressed", "lets", "bridge", "claimed", "panel", "leftOut"].map(str::to_owned).into();
    let seen = |address: &str| keys(&terminal.types(&format!("see {address} --json")).json());
    for (address, told) in [("@ines", &being), ("/factory", &space), ("/", &space)] {
        let shown = seen(address);
        assert_eq!(shown.difference(told).collect::<Vec<_>>(), Vec::<&String>::new(), "{address}");
        let lacking: Vec<&String> = told.difference(&shown).filter(|key| !only_some.contains(*key)).collect();
        assert_eq!(lacking, Vec::<&String>::new(), "{address}");
    }
    let things = terminal.types("see /factory --json").json()["matter"].clone();
    for thing in things.as_array().unwrap() {
        assert_eq!(keys(thing).difference(&matter).collect::<Vec<_>>(), Vec::<&String>::new(), "{thing}");
    }
}

#[test]
fn what_a_line_of_the_log_says_stands_there() {
    let terminal = Terminal::with_world("court", 400);
    let told: Names = named(&rows("### A reel"));
    for line in terminal.types("log --last 60 --json").ok().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let said: Names = keys(&line).union(&keys(&line["report"])).cloned().collect();
        assert_eq!(said.difference(&told).collect::<Vec<_>>(), Vec::<&String>::new(), "{line}");
    }
}
