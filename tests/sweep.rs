//! Sweep: are worlds that differ in one thing compared from the same seeds, is no model paid twice, and does a sweep that was cut off go on?

use std::process::Stdio;

use serde_json::{Value, json};

use super::faulty::{Does, Faulty};
use super::fork::{drafts, replays};
use super::mind::{body, tool};
use super::terminal::Terminal;

/// Two dice and, where there is a model, one who says a number each minute.
fn dice(terminal: &Terminal, url: Option<&str>) {
    let being = |name: &str, role: &str, how: &str| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"{role}\"\n{how}\n[[being.schedule]]\nname = \"turn\"\nevery = \"1m\"\n"
        )
    };
    let model = url.map(|url| format!("\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"{url}\", model = \"tiny\" }}\n"));
    let mia = model.as_ref().map(|_| being("mia", "thinker", "cognition = \"llm\"")).unwrap_or_default();
    let measure = |name: &str, value: &str| format!("[[measure]]\nname = \"{name}\"\nvalue = '{value}'\n");
    let ticks = "[[measure]]\nname = \"ticks\"\nvalue = '1 + 1'\nevery = \"1m\"\n";
    let measures = [measure("ada", "signal(\"dice.ada\")"), measure("ben", "signal(\"dice.ben\")"), ticks.to_owned()].concat();
    let beings = [being("ada", "roller", "script = \"roll\""), being("ben", "roller", "script = \"roll\""), mia].concat();
    let config = model.unwrap_or_default();
    terminal.write(
        "lab/dice/world.toml",
        &format!("name = \"dice\"\n[config]\n{config}[[space]]\npath = \"/hall\"\nallow = [\"say\"]\n{beings}{measures}"),
    );
    let roller = "---\nname: roller\ncanSee: ['**']\ncanDo: [{action: signal.set, ns: dice}]\n---\nYou roll.\n";
    terminal.write("lab/dice/roles/roller.md", roller);
    let thinker = "---\nname: thinker\ncanSee: ['**']\ncanDo: [say]\n---\nYou say a number.\n";
    terminal.write("lab/dice/roles/thinker.md", thinker);
    terminal.write("lab/loud.md", &thinker.replace("a number", "a number, loudly"));
    let roll = |sides: u32| {
        format!("fn think(face) {{ act(\"/\", \"signal.set\", #{{ path: \"dice.\" + face.me.name, value: random_int(1, {sides}) }}) }}")
    };
    terminal.write("lab/dice/scripts/roll.rhai", &roll(1_000_000));
    terminal.write("lab/quiet.rhai", "fn think(face) { if face.me.name == \"ben\" { act(\"/\", \"signal.set\", #{ path: \"dice.ben\", value: -1 }) } else { act(\"/\", \"signal.set\", #{ path: \"dice.ada\", value: random_int(1, 1000000) }) } }");
}

fn experiment(arms: &Value, more: &Value) -> String {
    let mut all = json!({ "source": "dice", "arms": arms, "seeds": [1, 2], "for": "3m" });
    all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    all.to_string()
}

/// The rows of a table, each its columns by name.
fn rows(terminal: &Terminal, file: &str) -> Vec<serde_json::Map<String, Value>> {
    let text = terminal.read(file);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    reader.records().map(|row| columns.iter().cloned().zip(row.unwrap().iter().map(Value::from)).collect()).collect()
}

fn cell(rows: &[serde_json::Map<String, Value>], of: &[(&str, &str)], column: &str) -> String {
    let found: Vec<_> = rows.iter().filter(|row| of.iter().all(|(key, value)| row[*key] == *value)).collect();
    assert_eq!(found.len(), 1, "{of:?} in {rows:?}");
    found[0][column].as_str().unwrap().to_owned()
}

#[test]
fn arms_are_paired_by_their_seeds_and_each_row_names_its_world_and_moment() {
    let terminal = Terminal::new();
    dice(&terminal, None);
    terminal.write(
        "lab/dice.json",
        &experiment(&json!([{ "name": "as-is" }, { "name": "quiet", "change": ["script:roll=quiet.rhai"] }]), &json!({})),
    );
    let plan = terminal.types("sweep lab/dice.json --out out --plan --json").json();
    assert_eq!(
        (plan["runs"].as_u64(), plan["about"]["calls"].as_u64(), terminal.path("out").exists()),
        (Some(4), Some(0), false),
        "{plan}"
    );
    terminal.types("sweep lab/dice.json --out out --jobs 1").says(&["4 runs"]).fails(0);
    let table = rows(&terminal, "out/measures.csv");
    assert_eq!(table.len(), 12, "a row a run and measure");
    let value = |arm: &str, seed: &str, measure: &str| cell(&table, &[("arm", arm), ("seed", seed), ("measure", measure)], "value");
    for seed in ["1", "2"] {
        assert_eq!(value("as-is", seed, "ada"), value("quiet", seed, "ada"), "what is changed for Ben leaves Ada's draws");
        assert_ne!(value("as-is", seed, "ben"), value("quiet", seed, "ben"));
    }
    assert_ne!(value("as-is", "1", "ada"), value("as-is", "2", "ada"));
    for row in &table {
        let (world, moment) = (row["world"].as_str().unwrap(), row["moment"].as_str().unwrap());
        assert_eq!((row["draws"].as_str(), row["replicate"].as_str()), (Some("seed"), Some("1")));
        terminal.types(&format!("explain {moment} --data out/{world}")).ok();
        assert_eq!(drafts(&terminal.path(&format!("out/{world}"))).last().unwrap().seq.to_string(), moment);
        replays(&terminal, &format!("out/{world}"));
    }
    // However many live at once, the table is the same; and whoever sweeps again runs nothing.
    terminal.types("sweep lab/dice.json --out four --jobs 4").ok();
    assert_eq!(terminal.read("out/measures.csv"), terminal.read("four/measures.csv"));
    terminal.types("sweep lab/dice.json --out out --json").says(&["\"new\":0"]).fails(0);
    // More replicates go on with the same folder; another experiment does not.
    terminal.types("sweep lab/dice.json --out out --replicates 2 --json").says(&["\"new\":4"]).fails(0);
    terminal.write("lab/other.json", &experiment(&json!([{ "name": "as-is" }]), &json!({ "for": "4m" })));
    terminal.types("sweep lab/other.json --out out").fails(1).warns(&["the runs of another experiment"]);
}

/// Says a number that follows from the words of the request, so that arms go apart where these do.
fn numbers() -> Faulty {
    Faulty::reading(|_, request| {
        let says = tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": format!("{}", request.len() % 97) } }));
        Does::Says(200, String::new(), body(&says).replacen("\"total_tokens\":7", "\"prompt_tokens\":9,\"completion_tokens\":1", 1))
    })
}

const ARMS: &str =
    r#"[{"name": "as-is"}, {"name": "quiet", "change": ["script:roll=quiet.rhai"]}, {"name": "loud", "change": ["role:thinker=loud.md"]}]"#;

#[test]
fn what_another_arm_has_asked_alike_is_not_paid_twice_and_who_differs_is_asked() {
    let terminal = Terminal::new();
    let server = numbers();
    dice(&terminal, Some(&server.url));
    terminal.write("lab/dice.json", &experiment(&serde_json::from_str(ARMS).unwrap(), &json!({ "seeds": [1] })));
    terminal.types("sweep lab/dice.json --out out").fails(1).warns(&["models think in these worlds", "--budget"]);
    let plan = terminal.types("sweep lab/dice.json --out out --plan --json").json();
    assert!(plan["about"]["calls"].as_u64().unwrap() >= 9 && server.count() == 0, "{plan}");
    for (jobs, out) in [(1, "one"), (4, "four")] {
        let asked = server.count();
        terminal.types(&format!("sweep lab/dice.json --out {out} --jobs {jobs} --budget calls=100")).ok();
        let own = server.count() - asked;
        let table = rows(&terminal, &format!("{out}/measures.csv"));
        let calls = |arm: &str| cell(&table, &[("arm", arm), ("measure", "ada")], "calls").parse::<usize>().unwrap();
        // Mia hears nothing of the dice, so two arms ask alike all the way; with other words in her role she is asked otherwise.
        assert_eq!(own, calls("as-is") + calls("loud"), "{out}");
        assert_eq!(calls("as-is"), calls("quiet"));
        assert!(table.iter().all(|row| row["draws"] == "model"), "a model's draw is no seed's");
    }
    assert_eq!(terminal.read("one/measures.csv"), terminal.read("four/measures.csv"));
    // Each replicate draws anew.
    let (asked, own) = (server.count(), server.count() / 2);
    terminal.types("sweep lab/dice.json --out one --replicates 2 --budget calls=100").ok();
    assert_eq!(server.count() - asked, own);
}

#[test]
fn the_budget_of_a_sweep_holds_for_all_of_it_and_another_run_goes_on() {
    let terminal = Terminal::new();
    let server = numbers();
    dice(&terminal, Some(&server.url));
    terminal.write("lab/dice.json", &experiment(&serde_json::from_str(ARMS).unwrap(), &json!({})));
    terminal.types("sweep lab/dice.json --out whole --budget calls=100").ok();
    let all = server.count();
    let first = terminal.types(&format!("sweep lab/dice.json --out part --jobs 2 --budget calls={}", all / 2)).fails(1);
    assert!(first.err.contains("the budget had no room for"), "{}", first.err);
    assert_eq!(server.count(), all + all / 2, "no more than it says");
    terminal.types("sweep lab/dice.json --out part --budget calls=100").ok();
    assert_eq!(server.count(), all + all, "nobody is paid twice");
    assert_eq!(terminal.read("part/measures.csv"), terminal.read("whole/measures.csv"));
}

#[test]
fn a_sweep_that_was_killed_goes_on_and_comes_to_the_same_table() {
    let terminal = Terminal::new();
    let server = Faulty::reading(|number, request| {
        let says = tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": format!("{}", request.len() % 97) } }));
        if number == 4 { Does::Hangs } else { Does::Says(200, String::new(), body(&says)) }
    });
    dice(&terminal, Some(&server.url));
    terminal.write("lab/dice.json", &experiment(&serde_json::from_str(ARMS).unwrap(), &json!({})));
    let line = "sweep lab/dice.json --out out --jobs 1 --budget calls=100";
    let mut child = terminal.command(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while server.count() < 5 {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    terminal.types(line).ok();
    let asked = server.count();
    terminal.types("sweep lab/dice.json --out whole --jobs 1 --budget calls=100").ok();
    assert_eq!(server.count() - asked, asked - 1, "all but the one that nobody heard");
    assert_eq!(terminal.read("out/measures.csv"), terminal.read("whole/measures.csv"));
}

#[test]
fn an_experiment_that_says_something_wrong_is_told_where_and_nothing_is_run() {
    let terminal = Terminal::new();
    dice(&terminal, None);
    let arms = json!([{ "name": "a" }]);
    for (text, says) in [
        ("{".to_owned(), "bad.json:1: expected an experiment as JSON"),
        (experiment(&json!([]), &json!({})), "at `/`: expected `arms`"),
        (experiment(&arms, &json!({ "seed": 1 })), "at `/seed`: expected only"),
        (experiment(&arms, &json!({ "seeds": [-1] })), "at `/seeds/0`: expected a seed"),
        (experiment(&arms, &json!({ "replicates": 0 })), "at `/replicates`: expected a whole number of 1 or more"),
        (experiment(&arms, &json!({ "for": "soon" })), "at `/for`: expected a duration"),
        (experiment(&arms, &json!({ "until": "soon" })), "at `/until`: expected a condition"),
        (r#"{"source": "dice", "arms": [{"name": "a"}]}"#.to_owned(), "expected `for`, `moments` or `until`"),
        (r#"{"arms": [{"name": "a"}], "moments": 1}"#.to_owned(), "at `/arms/0`: expected a `source`"),
        (experiment(&json!([{ "name": "a" }, { "name": "a" }]), &json!({})), "at `/arms/1/name`: expected a name of its own"),
        (experiment(&json!([{ "name": "../a" }]), &json!({})), "at `/arms/0/name`: expected letters"),
        (experiment(&json!([{ "name": "a", "change": ["moon=full"] }]), &json!({})), "at `/arms/0/change/0`: expected a role"),
        (experiment(&json!([{ "name": "a", "change": ["setting:brakes.dpeth=3"] }]), &json!({})), "setting-unknown"),
        (experiment(&json!([{ "name": "a", "source": "nowhere" }]), &json!({})), "nowhere"),
    ] {
        terminal.write("lab/bad.json", &text);
        terminal.types("sweep lab/bad.json --out out").fails(1).warns(&[says]);
        assert!(!terminal.path("out").exists(), "{text}");
    }
    terminal.write("lab/good.json", &experiment(&arms, &json!({})));
    terminal.write("full/of", "things");
    terminal.types("sweep lab/good.json --out full").fails(1).warns(&["expected an empty folder"]);
}
