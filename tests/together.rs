//! Together: which barrier speaks where several stand at once: a role's own `when`, the worn role, the flow of a space, the scope of an
//! extension, the place and a rule, for whoever acts and for a deputy?

use std::fs;
use std::path::Path;

use reelm::extension::Package;
use reelm::fact::Call;
use reelm::role::Spec;
use reelm::source::Source;
use serde_json::Value as Json;

use super::kit::{Small, args, code, package, source};

/// A role that may ring the bell; `more` are further keys of it.
fn ringing(name: &str, more: &str, row: &Json) -> String {
    let when = if row["when"].is_null() { "" } else { "when: {world.t.open: true}\n" };
    format!("---\nname: {name}\ncanDo: ['bell:ring']\n{when}{more}\n---\n\nYou are in a test.\n")
}

fn role(text: &str) -> Spec {
    Spec::from_markdown("together.md", text).unwrap_or_else(|error| panic!("{error}"))
}

/// The bell: whoever rings it changes the place.
fn bell(more: &str, row: &Json) -> Package {
    let manifest =
        "name = \"bell\"\nversion = \"1.0.0\"\n[[operation]]\nname = \"ring\"\nscript = \"ops/ring.rhai\"\ntouches = [\"target\"]\n";
    let ring = r#"fn run(ctx) { act(ctx.target.address, "quality.inc", #{ path: "bell.n" }) }"#;
    package("bell", &[("manifest.toml", manifest), ("ops/ring.rhai", ring), ("roles/ringer.md", &ringing("ringer", more, row))])
}

/// A hall with whoever acts in it: @ada herself, or @dan for her.
fn hall(row: &Json) -> Source {
    let is_deputy = row["for"] == "ada";
    let flow = match row["by"].as_str().unwrap() {
        "own" => r#"[{ role = "ringer" }]"#,
        "its" => r#"[{ role = "bell:ringer" }]"#,
        _ => "[]",
    };
    let lends = if row["by"] == "lent" { "flow = [{ role = \"visitor\", stack = true }]\n" } else { "" };
    let allow = if row["place"] == false { "" } else { "allow = [\"bell:ring\"]\n" };
    let (ada, dan) = if is_deputy { ("[]", flow) } else { (flow, "[]") };
    let mut hall = source(&format!(
        "[[space]]\npath = \"/hall\"\n{allow}{lends}\
         [[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"idle\"\ncognition = \"human\"\nflow = {ada}\n\
         [[being]]\nname = \"dan\"\nhome = \"/hall\"\nrole = \"valet\"\nscript = \"ring\"\nflow = {dan}\n"
    ));
    let more = if is_deputy { "actsForCaller: true" } else { "canSummon: ['@dan']" };
    hall.extensions.push(bell(more, row));
    hall.roles.extend([
        role(&ringing("ringer", more, row)),
        role(&ringing("visitor", "", row)),
        role("---\nname: idle\ncanSummon: ['@dan']\n---\n\nYou are in a test.\n"),
        role("---\nname: valet\nactsForCaller: true\n---\n\nYou do as you are told.\n"),
    ]);
    let ring = r#"fn think(face) { act("/hall", "bell:ring", #{}) }"#;
    hall.scripts.push(("ring".to_owned(), "scripts/ring.rhai".to_owned(), ring.to_owned()));
    hall
}

/// The outcome of ringing.
fn rung(row: &Json) -> String {
    let mut small = Small::grow(&hall(row), 1, 1);
    small.operate("/", "signal.set", args(&format!(r#"{{"path":"t.open","value":{}}}"#, row["when"] == true)));
    if row["blocked"] == true {
        small.operate("/hall", "config.set", args(r#"{"key":"extensions","value":{"blocked":["bell"]}}"#));
    }
    if row["rule"] == true {
        let rule = r#"{"name":"quiet","rule":{"on":["bell:ring"],"when":{"actor.name":"ada"},"refuse":"it is late"}}"#;
        small.operate("/", "rule.set", args(rule));
    }
    let is = if row["for"] == "ada" {
        assert_eq!(code(&small.act("ada", Call::summon("@dan", args(r#"{"content":"ring"}"#)))), "act");
        small.run("1s");
        code(small.reel("dan").last().unwrap())
    } else {
        code(&small.act("ada", Call::doing("/hall", "bell:ring", args("{}"))))
    };
    assert_eq!(small.replay().unwrap().difference, None, "{row}");
    is
}

#[test]
#[ignore = "long: each row of a table of barriers, in a world of its own"]
fn where_several_barriers_stand_the_first_of_them_speaks() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gate/together.json");
    let table: Json = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let rows = table["rows"].as_array().unwrap();
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(rung(row)).filter(|is| row["is"] != is.as_str()).map(|is| format!("{row}\n    comes to {is}")))
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert!(rows.iter().filter(|row| row["is"] != "act").count() * 2 > rows.len(), "most rows are refusals");
}
