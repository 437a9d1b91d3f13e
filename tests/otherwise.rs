//! Otherwise: does what another source says of beings, spaces and settings judge the recorded moments, and does what the history has set stay?

use serde_json::{Value, json};

use super::terminal::{Terminal, package};

const ROLE: &str = "canSee: ['**']\ncanDo: ['**']\n";

/// A hall of two scripts: each ten minutes Ada asks Ben, who says something.
const HALL: &str = r#"name = "hall"
start = "2026-03-02T08:00:00"
[[space]]
path = "/hall"
[[being]]
name = "ada"
home = "/hall"
role = "guest"
script = "lives"
schedule = [{ name = "turn", every = "10m" }]
[[being]]
name = "ben"
home = "/hall"
role = "guest"
script = "lives"
"#;

/// The hall has lived from eight to ten; `other` is its source once more, to be changed.
fn hall() -> Terminal {
    let terminal = Terminal::new();
    for dir in ["hall", "other"] {
        terminal.write(&format!("{dir}/world.toml"), HALL);
        let guest = format!("---\nname: guest\n{ROLE}canSummon: ['**']\n---\nYou are in a test.\n");
        terminal.write(&format!("{dir}/roles/guest.md"), &guest);
        terminal.write(&format!("{dir}/roles/quiet.md"), &format!("---\nname: quiet\n{ROLE}---\nYou are quiet.\n"));
        let lives = "fn think(face) {\n    if face.wake.kind == \"schedule\" { return summon(\"@ben\", \"Well?\"); }\n    act(\"/hall\", \"say\", #{ content: \"Well.\" })\n}\n";
        terminal.write(&format!("{dir}/scripts/lives.rhai"), lives);
    }
    terminal.types("run hall --for 2h --quiet").ok();
    terminal
}

fn change(terminal: &Terminal, from: &str, to: &str) {
    assert_eq!(HALL.matches(from).count(), 1, "`{from}`");
    terminal.write("other/world.toml", &HALL.replace(from, to));
}

/// The moments of a being that the engine opened, by seq, from an instant on.
fn moments(terminal: &Terminal, being: &str, from: &str) -> Vec<Value> {
    let found = terminal.types(&format!("find --being {being} --from {from} --json")).json_lines();
    found.iter().filter(|told| told["wake"]["kind"] != "gesture").map(|told| told["seq"].clone()).collect()
}

/// The differences with `other`: the moments and the part, which is the same for all of them.
fn found(terminal: &Terminal) -> (Vec<Value>, Value, Value) {
    let told: Value = serde_json::from_str(&terminal.types("replay --with other --json").fails(3).out).unwrap();
    assert_eq!((&told["left"], &told["unknown"]), (&json!([]), &json!(0)), "{told}");
    let first = told["first"].as_array().unwrap();
    (first.iter().map(|retake| retake["seq"].clone()).collect(), told["byPart"].clone(), told)
}

const BEN: &str = "name = \"ben\"\nhome = \"/hall\"\nrole = \"guest\"";

#[test]
fn a_setting_alone_is_found_wherever_it_is_said() {
    let terminal = hall();
    let bens = moments(&terminal, "@ben", "0");
    assert!(bens.len() >= 10, "{bens:?}");
    for (from, to) in [
        ("[[space]]\npath", "[config]\n\"brakes.depth\" = 0\n[[space]]\npath".to_owned()),
        ("path = \"/hall\"\n", "path = \"/hall\"\nsettings = { \"brakes.depth\" = 0 }\n".to_owned()),
        (BEN, format!("{BEN}\nsettings = {{ \"brakes.depth\" = 0 }}")),
    ] {
        change(&terminal, from, &to);
        let (seqs, parts, told) = found(&terminal);
        assert_eq!(seqs, bens, "{to}: {told}");
        assert_eq!(parts, json!({ "act": bens.len(), "closing": bens.len() }), "{told}");
        assert!(told["first"][0]["changes"][1]["would"].as_str().unwrap().contains("brake-depth"), "{told}");
    }
}

#[test]
fn a_flow_or_a_default_role_alone_is_found_where_it_dresses_otherwise() {
    let terminal = hall();
    change(
        &terminal,
        "home = \"/hall\"\nrole = \"guest\"\nscript = \"lives\"\nschedule",
        "home = \"/hall\"\nrole = \"guest\"\nflow = [{ when = { \"time.hour\" = 9 }, role = \"quiet\" }]\nscript = \"lives\"\nschedule",
    );
    let (seqs, parts, told) = found(&terminal);
    let from_nine = moments(&terminal, "@ada", "2026-03-02T08:59");
    let on_nine = from_nine.len() < moments(&terminal, "@ada", "0").len();
    assert!(on_nine && seqs.iter().all(|seq| from_nine.contains(seq)) && seqs.len() >= 6, "{told}");
    assert_eq!((&parts["stack"], &parts["closing"]), (&json!(seqs.len()), &json!(seqs.len())), "{told}");
    assert!(told["first"][0]["time"].as_str().unwrap().contains("T09:00"), "{told}");
    change(&terminal, BEN, &BEN.replace("guest", "quiet"));
    let (seqs, parts, told) = found(&terminal);
    assert_eq!((seqs, &parts["stack"]), (moments(&terminal, "@ben", "0"), &json!(moments(&terminal, "@ben", "0").len())), "{told}");
    // A space's flow stacks on whoever stands there.
    change(&terminal, "path = \"/hall\"\n", "path = \"/hall\"\nflow = [{ stack = true, role = \"quiet\" }]\n");
    let (_, parts, told) = found(&terminal);
    let all = moments(&terminal, "@ben", "0").len() + moments(&terminal, "@ada", "0").len();
    assert_eq!((&parts["stack"], &parts["closing"], told["differs"].as_u64()), (&json!(all), &Value::Null, Some(all as u64)), "{told}");
}

#[test]
fn what_the_history_has_set_itself_stays_and_is_said() {
    let terminal = hall();
    change(&terminal, BEN, &BEN.replace("guest", "quiet"));
    let before = moments(&terminal, "@ben", "0");
    terminal.types("do @ben flow.default '{\"role\":\"guest\"}'").ok();
    terminal.types("run --for 30m --quiet").ok();
    // It was set to what it was: nobody can tell, and it is the source's.
    assert!(found(&terminal).0.len() > before.len());
    terminal.types("do / role.set '{\"name\":\"host\",\"role\":{\"name\":\"host\",\"canSee\":[\"**\"],\"canDo\":[\"**\"]}}'").ok();
    let border = terminal.types("do @ben flow.default '{\"role\":\"host\"}' --json").json()["seq"].as_u64().unwrap();
    terminal.types("run --for 30m --quiet").ok();
    let (seqs, _, told) = found(&terminal);
    assert!(seqs.iter().all(|seq| seq.as_u64().unwrap() < border), "{told}");
    assert_eq!(told["kept"], json!(["default role of @ben"]), "{told}");
    terminal.types("replay --with other").fails(3).says(&["kept from where the history has set it otherwise: default role of @ben"]);
    // So do a space and the world.
    let said = HALL.replace("[[space]]", "[config]\n\"brakes.depth\" = 0\n[[space]]");
    let said = said.replace(
        "path = \"/hall\"\n",
        "path = \"/hall\"\nsettings = { steward = \"@ada\" }\nflow = [{ stack = true, role = \"quiet\" }]\n",
    );
    terminal.write("other/world.toml", &said);
    for line in [
        r#"do / config.set '{"key":"brakes.depth","value":9}'"#,
        r#"do /hall config.set '{"key":"steward","value":"@ben"}'"#,
        r#"do /hall flow.set '{"flow":[{"stack":true,"role":"host"}]}'"#,
    ] {
        terminal.types(line).ok();
    }
    let told: Value = serde_json::from_str(&terminal.types("replay --with other --json").fails(3).out).unwrap();
    let kept = ["brakes.depth of the world", "flow of /hall", "steward of /hall", "default role of @ben"];
    assert_eq!(told["kept"], json!(kept), "{told}");
    // A being that the source names and the world has not is left out, and named.
    let more = format!("{HALL}[[being]]\nname = \"cleo\"\nhome = \"/hall\"\nrole = \"guest\"\n");
    terminal.write("other/world.toml", &more);
    terminal.types("replay --with other").says(&["left out, because the world has none: @cleo", "0 differ"]).ok();
}

#[test]
fn of_each_recording_its_own_source_makes_every_moment_again() {
    let mut recordings = 0;
    for entry in std::fs::read_dir(package().join("replay")).unwrap() {
        let dir = entry.unwrap().path();
        let Ok(from) = std::fs::read_to_string(dir.join("from.toml")) else { continue };
        let from: toml::Table = toml::from_str(&from).unwrap();
        let world = package().join(from["world"].as_str().unwrap());
        let terminal = Terminal::new();
        terminal.types(&format!("import '{}'", dir.join("world.reelm").display())).ok();
        let told = terminal.types(&format!("replay --with '{}' --json", world.display())).fails(0).json();
        assert_eq!(
            (&told["differs"], &told["unknown"], &told["left"], &told["kept"]),
            (&json!(0), &json!(0), &json!([]), &json!([])),
            "{told}"
        );
        assert!(told["same"].as_u64().unwrap() > 3, "{told}");
        recordings += 1;
    }
    assert!(recordings >= 4, "{recordings}");
}
