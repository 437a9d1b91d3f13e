//! Refusals: is a run whose operations are mostly refused told so at its end, and no run without?

use super::terminal::Terminal;

/// Ada tries to move Bob once a minute; Cy does something that passes every second time.
const WORLD: &str = r#"name = "shoving"
start = "2026-03-02T08:00:00"
[[space]]
path = "/hall"
allow = ["quality.inc"]
[[being]]
name = "ada"
home = "/hall"
role = "any"
script = "shove"
[[being.schedule]]
name = "turn"
every = "1m"
[[being]]
name = "bob"
home = "/hall"
role = "any"
script = "rest"
[[being]]
name = "cy"
home = "/hall"
role = "any"
script = "half"
[[being.schedule]]
name = "turn"
every = "1m"
"#;

fn shoving(shove: &str) -> Terminal {
    let terminal = Terminal::new();
    terminal.write("shoving/world.toml", WORLD);
    terminal.write("shoving/roles/any.md", "---\nname: any\ncanSee: ['**']\ncanDo: ['**']\n---\n\nYou are in a test.\n");
    terminal.write("shoving/scripts/shove.rhai", &format!("fn think(face) {{ {shove} }}"));
    terminal.write("shoving/scripts/rest.rhai", "fn think(face) { () }");
    let half = r#"fn think(face) { let n = face.me.qualities.t?.n ?? 0;
        if face.time.at / 60000 % 2 == 0 { act("/", "quality.inc", #{ path: "t.n" }) } else { act("/hall", "quality.inc", #{ path: "t.n" }) } }"#;
    terminal.write("shoving/scripts/half.rhai", half);
    terminal
}

const LINE: &str = "move: 10 of 10 refused (gate-lineage)";

#[test]
fn a_run_ends_with_a_line_for_each_operation_that_was_mostly_refused() {
    let shove = r#"act("@bob", "move", #{ to: "/" })"#;
    let told = shoving(shove).types("run shoving --for 10m --quiet").ok();
    assert!(told.contains(&format!("\n{LINE}\n")) && !told.contains("quality.inc:"), "{told}");
    shoving(shove).types("run shoving --for 10m --quiet --strict").fails(1).warns(&["--strict: ", LINE]);
    let told = shoving(shove).types("run shoving --for 10m --quiet --json").json();
    let wanted = serde_json::json!([{ "operation": "move", "calls": 10, "refused": 10, "reasons": { "gate-lineage": 10 } }]);
    assert_eq!(told["mostlyRefused"], wanted, "{told}");
    // Three calls say nothing yet.
    let told = shoving(shove).types("run shoving --for 3m --quiet --strict").ok();
    assert!(!told.contains("move:"), "{told}");
}

#[test]
fn an_operation_that_passes_as_often_as_not_is_not_told_of_and_a_name_that_is_none_is() {
    let told = shoving("()").types("run shoving --for 10m --quiet --strict").ok();
    assert!(told.contains("refused 5 (gate-place 5)") && !told.contains("quality.inc:"), "{told}");
    let told = shoving(r#"act("@bob", "ward:traet", #{})"#).types("run shoving --for 10m --quiet").ok();
    assert!(told.contains("ward:traet: 10 of 10 refused (unknown-operation)"), "{told}");
}
