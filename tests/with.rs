//! With: what would other code have done in each moment of a history: is it found where it differs first, and nowhere else?

use serde_json::Value;

use super::kit;
use super::terminal::{Terminal, package};

/// A court that has lived for some hours, and a copy of its extension in `court`, changed in one file.
fn court_with(file: &str, from: &str, to: &str) -> Terminal {
    let terminal = Terminal::with_world("court", 400);
    kit::copy(&package().join("extensions/court"), &terminal.path("court"));
    change(&terminal, &format!("court/{file}"), from, to);
    terminal
}

fn change(terminal: &Terminal, file: &str, from: &str, to: &str) {
    let text = terminal.read(file);
    assert!(text.contains(from), "`{from}` is not in {file}");
    terminal.write(file, &text.replace(from, to));
}

/// The acts of an operation that were done, as the names of their moments.
fn done(terminal: &Terminal, action: &str) -> Vec<u64> {
    let found = terminal.types(&format!("find --action {action} --json")).json_lines();
    found.iter().map(|told| told["seq"].as_u64().unwrap()).collect()
}

fn seqs(told: &Value) -> Vec<u64> {
    told["first"].as_array().unwrap().iter().map(|retake| retake["seq"].as_u64().unwrap()).collect()
}

/// The report where something comes out otherwise.
fn otherwise(terminal: &Terminal, line: &str) -> Value {
    serde_json::from_str(&terminal.types(line).fails(3).out).unwrap()
}

/// The report for the extension in `court`: exactly the acts of one operation are otherwise, in one part.
fn only(terminal: &Terminal, action: &str, part: &str) -> Value {
    let told = otherwise(terminal, "replay --with court --json");
    assert_eq!(seqs(&told), done(terminal, action), "{told}");
    let acts = seqs(&told).len() as u64;
    assert!(acts > 0);
    assert_eq!((told["differs"].as_u64(), told["unknown"].as_u64()), (Some(acts), Some(0)), "{told}");
    assert_eq!(told["byPart"], serde_json::json!({ part: acts }), "{told}");
    let moments = |key: &str| told[key].as_u64().unwrap();
    let end = moments("to");
    assert_eq!(moments("same") + moments("differs"), end - 1, "every moment but genesis: {told}");
    told
}

#[test]
fn another_script_is_found_at_the_first_moment_in_which_it_acts_otherwise() {
    let open = r#"act(here, "court:open-session")"#;
    let terminal = court_with("scripts/bailiff.rhai", open, r#"act(here, "say", #{ content: "Silence!" })"#);
    let told = only(&terminal, "court:open-session", "act");
    let first = &told["first"][0];
    assert_eq!(first["changes"][0]["recorded"], "do /court court:open-session", "{told}");
    assert_eq!(first["changes"][0]["would"], r#"do /court say {"content":"Silence!"}"#, "{told}");
    assert_eq!(told["byRole"]["court:bailiff"]["first"], first["moment"], "{told}");
    let name = first["moment"].as_str().unwrap();
    terminal.types(&format!("explain {name}")).says(&["court:open-session"]);
    terminal.types("replay --with court").fails(3).says(&[name, "1 differ", "act: do /court court:open-session → do /court say"]);
    // Before it nothing differs, and from behind it nothing does.
    let seq = first["seq"].as_u64().unwrap();
    terminal.types(&format!("replay --with court --to {seq}")).ok();
    terminal.types(&format!("replay --with court --from {}", seq + 1)).ok();
    assert_eq!(seqs(&otherwise(&terminal, &format!("replay --with court --from {seq} --to {seq}+ --json"))), [seq]);
    // The same script alone, under the name that the world has for it.
    terminal.write("alone/bailiff.rhai", &terminal.read("court/scripts/bailiff.rhai"));
    terminal.types("replay --with alone").fails(1).warns(&["the world has nothing of what was given (script bailiff)"]);
}

#[test]
fn another_operation_is_found_by_the_facts_that_it_would_stamp() {
    let terminal = court_with("ops/open-session.rhai", "All rise.", "Please rise.");
    let told = only(&terminal, "court:open-session", "facts");
    assert!(told["first"][0]["changes"][0]["would"].as_str().unwrap().contains("Please rise."), "{told}");
}

#[test]
fn another_schema_is_found_where_it_would_have_refused() {
    let terminal =
        court_with("manifest.toml", "amount = { type = \"integer\", minimum = 0 }", "amount = { type = \"integer\", minimum = 100000 }");
    let told = only(&terminal, "court:file-case", "closing");
    assert_eq!(told["first"][0]["changes"][0]["would"], "refused (args-minimum at `/amount`)", "{told}");
}

#[test]
fn what_a_role_may_do_no_more_is_found_where_it_did_it() {
    let terminal = court_with("roles/bailiff.md", "  - court:close-session\n", "");
    let told = only(&terminal, "court:close-session", "closing");
    assert_eq!(told["first"][0]["changes"][0]["would"], "refused (gate-role at `court:close-session`)", "{told}");
    terminal.types("replay --with court --junit out.xml").fails(3);
    let junit = terminal.read("out.xml");
    assert!(junit.contains("failures=\"1\"") && junit.contains("name=\"court:bailiff\">\n    <failure message=\""), "{junit}");
    assert!(junit.contains("name=\"court:party\">\n  </testcase>"), "{junit}");
    // A part that only models read makes no difference without them.
    let other = court_with("roles/bailiff.md", "You are the bailiff.", "You are a mild bailiff.");
    other.types("replay --with court").says(&[", 0 differ, 0 unknown"]).ok();
}

#[test]
fn a_role_that_asks_for_more_is_found_where_it_was_worn() {
    let terminal = court_with("roles/bailiff.md", "name: bailiff\n", "name: bailiff\nwhen: {world.court.in-session: {ne: true}}\n");
    let told = otherwise(&terminal, "replay --with court --json");
    let opened = done(&terminal, "court:open-session")[0];
    assert!(seqs(&told).iter().all(|seq| *seq > opened), "{told}");
    assert!(
        !seqs(&told).is_empty() && told["byRole"].as_object().unwrap().values().filter(|role| role["differs"] != 0).count() == 1,
        "{told}"
    );
}

#[test]
fn its_own_source_makes_every_moment_again() {
    for world in kit::size(["court", "committee"].as_slice(), &["court", "skateco", "karate", "library", "town", "committee"]) {
        let terminal = Terminal::with_world(world, kit::size(40, 150));
        let told = terminal.types(&format!("replay --with $worlds/{world} --json")).fails(0).json();
        assert_eq!((told["differs"].as_u64(), told["unknown"].as_u64()), (Some(0), Some(0)), "{told}");
        assert_eq!(told["left"], serde_json::json!([]), "{told}");
        assert!(told["same"].as_u64().unwrap() > kit::size(20, 100), "{told}");
    }
    // Of a folder of all that there is, what the world has counts.
    let terminal = Terminal::with_world("court", 60);
    terminal.types("replay --with $extensions $package/roles").says(&["0 differ", "left out, because the world has none: extension"]).ok();
}

#[test]
fn a_model_that_would_be_asked_something_else_is_unknown() {
    let terminal = Terminal::new();
    terminal.types("run $worlds/lighthouse --moments 7 --quiet --from $package/fixtures/cassettes/lighthouse.jsonl").ok();
    terminal.types("replay --with $worlds/lighthouse").says(&["0 differ, 0 unknown"]).ok();
    kit::copy(&package().join("fixtures/worlds/lighthouse/roles"), &terminal.path("roles"));
    change(&terminal, "roles/keeper.md", "You keep the light.", "You guard the light.");
    let told = terminal.types("replay --with roles --json --junit out.xml").fails(0).json();
    let asked = terminal.types("find --being @ines --json").json_lines();
    let asked = asked.iter().filter(|told| !told["cost"].is_null()).count() as u64;
    assert_eq!((told["differs"].as_u64(), told["unknown"].as_u64()), (Some(0), Some(asked)), "{told}");
    assert_eq!(told["byPart"], serde_json::json!({ "request": asked }), "{told}");
    let first = &told["firstUnknown"][0]["changes"][0];
    assert!(first["recorded"].as_str().unwrap().contains("You keep") && first["would"].as_str().unwrap().contains("You guard"), "{told}");
    let junit = terminal.read("out.xml");
    assert!(junit.contains("failures=\"0\" skipped=\"1\"") && junit.contains("<skipped message="), "{junit}");
}

#[test]
fn what_cannot_be_taken_says_why() {
    let terminal = Terminal::with_world("court", 30);
    terminal.types("replay --with nowhere").fails(1).warns(&["cannot read `nowhere`"]);
    std::fs::create_dir(terminal.path("empty")).unwrap();
    terminal.types("replay --with empty").fails(1).warns(&["`empty` holds no code: expected a role"]);
    terminal.write("bad.md", "---\nname: watcher\ncanFly: true\n---\nYou watch.\n");
    terminal.types("replay --with bad.md").fails(1).warns(&["bad.md:3: `canFly`"]);
    terminal.write("watchr.md", "---\nname: watchr\n---\nYou watch.\n");
    terminal.types("replay --with watchr.md").fails(1).warns(&["watchr.md:1: the world has no role watchr; did you mean `watcher`?"]);
    terminal.write("bad.rhai", "fn think(face) {\n  let a = ;\n}\n");
    terminal.types("replay --with bad.rhai").fails(1).warns(&["bad.rhai:2"]);
    terminal.types("replay --with $worlds/court --from 20 --to 20").fails(1).warns(&["expected --to behind --from"]);
    terminal.types("replay @judith --with $worlds/court").fails(2);
    terminal.types("replay --junit out.xml").fails(2);
}
