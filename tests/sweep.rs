//! Sweep: are worlds that differ in one thing compared from the same seeds, is no model paid twice, and does a sweep that was cut off go on?

use std::process::Stdio;

use serde_json::{Value, json};

use super::faulty::{Does, Faulty, status};
use super::fork::{drafts, replays};
use super::mind::{body, tool};
use super::outage::until_asked;
use super::terminal::Terminal;

/// Two dice and, where there is a model, one who says a number each minute.
pub fn dice(terminal: &Terminal, url: Option<&str>) {
    let being = |name: &str, role: &str, how: &str| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"{role}\"\n{how}\n[[being.schedule]]\nname = \"turn\"\nevery = \"1m\"\n"
        )
    };
    let model = url.map(|url| {
        format!("\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"{url}\", model = \"tiny\", timeout_ms = 3000 }}\n")
    });
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
    // More seeds go on with the same folder; another experiment does not.
    let arms = json!([{ "name": "as-is" }, { "name": "quiet", "change": ["script:roll=quiet.rhai"] }]);
    terminal.write("lab/dice.json", &experiment(&arms, &json!({ "seeds": [1, 2, 3] })));
    terminal.types("sweep lab/dice.json --out out --json").says(&["\"new\":2"]).fails(0);
    terminal.write("lab/other.json", &experiment(&json!([{ "name": "as-is" }]), &json!({ "for": "4m" })));
    terminal.types("sweep lab/other.json --out out").fails(1).warns(&["the runs of another experiment"]);
}

/// Says a number that follows from the words of the request, so that arms go apart where these do.
fn numbers() -> Faulty {
    Faulty::reading(|_, request| number_of(request))
}

fn number_of(request: &str) -> Does {
    let says = tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": format!("{}", request.len() % 97) } }));
    Does::Says(200, String::new(), body(&says).replacen("\"total_tokens\":7", "\"prompt_tokens\":9,\"completion_tokens\":1", 1))
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
    // The instrument and the replies make the same tables again, and no model is asked.
    let asked = server.count();
    for (again, budget) in [("some", "--budget calls=1"), ("none", "")] {
        std::fs::create_dir(terminal.path(again)).unwrap();
        std::fs::copy(terminal.path("one/replies.jsonl"), terminal.path(&format!("{again}/replies.jsonl"))).unwrap();
        terminal.types(&format!("sweep lab/dice.json --out {again} {budget}")).ok();
        assert_eq!((terminal.read(&format!("{again}/measures.csv")), server.count()), (terminal.read("one/measures.csv"), asked));
    }
    // Each replicate draws anew.
    let (asked, own) = (server.count(), server.count() / 2);
    terminal.types("sweep lab/dice.json --out one --replicates 2 --budget calls=100").ok();
    assert_eq!(server.count() - asked, own);
}

#[test]
fn where_a_model_was_not_heard_there_is_no_row_and_the_same_command_asks_again() {
    for (wrong, why) in [
        (status(401), "status 401"),
        (Does::Hangs, "reply-timeout"),
        (Does::Says(200, String::new(), "<html>a proxy</html>".to_owned()), "reply-malformed"),
    ] {
        let terminal = Terminal::new();
        let healthy = numbers();
        dice(&terminal, Some(&healthy.url));
        terminal.write("lab/dice.json", &experiment(&json!([{ "name": "as-is" }]), &json!({ "seeds": [1] })));
        terminal.types("sweep lab/dice.json --out whole --budget calls=100").ok();
        let all = healthy.count();
        // Its second question meets the fault.
        let second = wrong.clone();
        let server = Faulty::reading(move |number, request| if number == 1 { second.clone() } else { number_of(request) });
        dice(&terminal, Some(&server.url));
        let line = "sweep lab/dice.json --out part --budget calls=100";
        terminal.types(line).fails(1).warns(&[
            "1 of the runs have no row",
            "as-is-s1-r1: a model was not heard: @mia/",
            &format!(": {why}"),
        ]);
        assert!(!terminal.read("part/measures.csv").contains("as-is"), "{why}");
        terminal.types(line).ok();
        assert_eq!(terminal.read("part/measures.csv").lines().count(), terminal.read("whole/measures.csv").lines().count(), "{why}");
        assert_eq!(server.count(), all + 1, "{why}: what was heard before is not asked again");
    }
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
    until_asked(&server, 5);
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
        (experiment(&arms, &json!({ "seeds": [1, 2, 1] })), "at `/seeds/2`: expected each seed once, found 1 again"),
        (experiment(&arms, &json!({ "moments": 5 })), "at `/moments`: expected `for` or `moments`, found both"),
        (experiment(&arms, &json!({ "replicates": 2 })), "expected one replicate, found 2: no model thinks in these worlds"),
        (experiment(&json!([]), &json!({ "grid": {} })), "at `/grid`: expected parameters, such as"),
        (experiment(&arms, &json!({ "grid": { "moon": [1] } })), "at `/grid/moon`: expected `setting:KEY`"),
        (experiment(&arms, &json!({ "grid": { "signal:a.b": [] } })), "at `/grid/signal:a.b`: expected a value at least"),
        (experiment(&arms, &json!({ "grid": { "signal:a.b": [1, 1] } })), "expected each value once, found 1 again"),
        (experiment(&arms, &json!({ "grid": { "signal:a.b": [64, 64.0] } })), "expected each value once, found 64.0 again"),
        (
            experiment(
                &json!([{ "name": "a", "change": ["setting:brakes.depth=9"] }]),
                &json!({ "grid": { "setting:brakes.depth": [3, 4] } }),
            ),
            "at `/grid`: expected a parameter that no arm sets, found `setting:brakes.depth`, which the arm `a` changes itself",
        ),
        (
            experiment(
                &json!([{ "name": "a", "change": ["setting:/brakes.depth=9"] }]),
                &json!({ "grid": { "setting:brakes.depth": [3] } }),
            ),
            "expected a parameter that no arm sets",
        ),
        (
            experiment(
                &json!([{ "name": "a", "change": ["loud.md"] }]),
                &json!({ "samples": { "count": 1, "of": { "setting:brakes.depth": { "from": 1, "to": 2 } } }, "grid": { "role:thinker": ["loud.md"] } }),
            ),
            "found `role:thinker`, which the arm `a` changes itself",
        ),
        (experiment(&arms, &json!({ "grid": { "signal:a.b": { "from": 2, "to": 1, "step": 1 } } })), "expected a step above 0"),
        (experiment(&arms, &json!({ "grid": { "setting:brakes.dpeth": [3, 4] } })), "setting-unknown"),
        (experiment(&arms, &json!({ "samples": { "of": { "signal:a.b": { "from": 0, "to": 1 } } } })), "at `/samples/count`: expected"),
        (
            experiment(&arms, &json!({ "samples": { "count": 3, "of": { "signal:a.b": { "from": 0.5, "to": 3, "whole": true } } } })),
            "at `/samples/of/signal:a.b`: expected a whole `from` and `to`",
        ),
        (experiment(&json!([{ "name": "a", "change": ["signal:dcie.ada=1"] }]), &json!({})), "reads the signal `dcie.ada`"),
        (experiment(&arms, &json!({ "replicates": 0 })), "at `/replicates`: expected a whole number of 1 or more"),
        (experiment(&arms, &json!({ "for": "soon" })), "at `/for`: expected a duration"),
        (experiment(&arms, &json!({ "until": "soon" })), "at `/until`: expected a condition"),
        (experiment(&arms, &json!({ "until": "2026-02-30T00:00" })), "at `/until`: there is no day 2026-02-30: that month has 28 days"),
        (
            experiment(&arms, &json!({ "until": "2025-12-31T09:00" })),
            "until: expected an instant behind the start of the world, 2026-01-01T00:00:00Z, found 2025-12-31T09:00:00Z",
        ),
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

/// One who counts by a signal each minute, with a table of beings and a series.
pub fn counter(terminal: &Terminal) {
    terminal.write(
        "lab/counter/world.toml",
        "name = \"counter\"\nseed = 7\n[[space]]\npath = \"/hall\"\n[[signal]]\npath = \"lab.step\"\nvalue = 1\n\
         [[being]]\nname = \"ada\"\nhome = \"/hall\"\nscript = \"count\"\nrole = \"r\"\n[[being.schedule]]\nname = \"turn\"\nevery = \"1m\"\n\
         [[measure]]\nname = \"total\"\nvalue = 'sum(\"n.v\")'\nevery = \"1m\"\n[[table]]\nname = \"people\"\ncolumns = [\"me.quality.n.v\"]\n",
    );
    terminal.write("lab/counter/roles/r.md", "---\nname: r\ncanSee: ['**']\ncanDo: [quality.inc]\n---\nx\n");
    let script = "fn think(face) { act(face.me.address, \"quality.inc\", #{ path: \"n.v\", by: signal(\"lab.step\") }) }";
    terminal.write("lab/counter/scripts/count.rhai", script);
}

#[test]
fn a_grid_refuses_text_where_a_truth_or_a_number_is_meant() {
    let terminal = Terminal::new();
    counter(&terminal);
    let source = terminal.read("lab/counter/world.toml");
    let more = "[[signal]]\npath = \"lab.open\"\nvalue = true\n[[signal]]\npath = \"lab.mood\"\nvalue = \"1\"\n[[now]]\nwhen = { \"world.lab.open\" = true, \"world.lab.mood\" = \"1\" }\nsay = \"Open.\"\n";
    terminal.write("lab/counter/world.toml", &format!("{source}{more}"));
    let swept = |parameter: &str, values: Value| {
        let grid = json!({ "source": "counter", "grid": { parameter: values }, "for": "2m" });
        terminal.write("lab/grid.json", &grid.to_string());
        let _ = std::fs::remove_dir_all(terminal.path("out"));
        terminal.types("sweep lab/grid.json --out out")
    };
    for (parameter, values, why) in [
        ("signal:lab.open", json!([true, "false"]), "expected true or false, found the text `false`; write false without quotes"),
        ("signal:lab.open", json!([true, "tru"]), "expected true or false, found `tru`; did you mean `true`?"),
        ("signal:lab.step", json!([1, "2"]), "expected a number, found the text `2`; write 2 without quotes"),
        ("setting:brakes.depth", json!([8, "9"]), "expected a number for `brakes.depth`, found the text `9`; write 9 without quotes"),
        ("signal:lab.mood", json!(["1", 2]), "expected text, found `2`; write it in quotes (`\"2\"`)"),
    ] {
        swept(parameter, values).fails(1).warns(&[why]);
        assert!(!terminal.path("out/measures.csv").exists(), "{parameter}");
    }
    swept("signal:lab.mood", json!(["1", "true"])).says(&["2 runs"]).fails(0);
}

#[test]
fn a_grid_varies_parameters_which_are_columns_of_every_table() {
    let terminal = Terminal::new();
    counter(&terminal);
    let grid = json!({ "source": "counter", "grid": { "signal:lab.step": [1, 10], "setting:brakes.depth": { "from": 8, "to": 9, "step": 0.5 } }, "for": "3m" });
    terminal.write("lab/grid.json", &grid.to_string().replace("0.5", "1"));
    terminal.types("sweep lab/grid.json --out out").says(&["4 runs"]).fails(0);
    let table = rows(&terminal, "out/measures.csv");
    let cells: Vec<[&str; 5]> = table
        .iter()
        .map(|row| ["arm", "seed", "signal:lab.step", "setting:brakes.depth", "value"].map(|key| row[key].as_str().unwrap()))
        .collect();
    // Without seeds each arm has its source's.
    assert_eq!(
        cells,
        [["g1", "7", "1", "8", "3"], ["g2", "7", "10", "8", "30"], ["g3", "7", "1", "9", "3"], ["g4", "7", "10", "9", "30"]],
        "{table:?}"
    );
    assert!(
        table.iter().all(|row| row["version"] == env!("CARGO_PKG_VERSION") && row["source"] == table[0]["source"] && row["source"] != "")
    );
    let series = rows(&terminal, "out/series.csv");
    assert_eq!(series.len(), 4 * 4, "one row a sample: {series:?}");
    let of_g4: Vec<&str> = series.iter().filter(|row| row["arm"] == "g4").map(|row| row["value"].as_str().unwrap()).collect();
    assert_eq!(of_g4, ["0", "10", "20", "30"]);
    let people = rows(&terminal, "out/table-people.csv");
    assert_eq!(people.iter().filter(|row| row["being"] == "@ada").count(), 4, "{people:?}");
    assert!(
        people.iter().any(|row| row["being"] == "@ada" && row["signal:lab.step"] == "10" && row["me.quality.n.v"] == "30"),
        "{people:?}"
    );
    // The same instrument gives the same bytes in another folder.
    terminal.types("sweep lab/grid.json --out again --jobs 1").ok();
    for file in ["measures.csv", "series.csv", "table-people.csv"] {
        assert_eq!(terminal.read(&format!("out/{file}")), terminal.read(&format!("again/{file}")), "{file}");
    }
}

#[test]
fn samples_fill_each_strip_of_each_range_once_and_follow_from_their_seed() {
    let terminal = Terminal::new();
    counter(&terminal);
    let experiment = |seed: u64| {
        let of = json!({ "signal:lab.step": { "from": 0, "to": 8 }, "setting:brakes.depth": { "from": 1, "to": 8, "whole": true } });
        json!({ "source": "counter", "arms": [{ "name": "a" }], "samples": { "count": 8, "seed": seed, "of": of }, "for": "1m" })
            .to_string()
    };
    let values = |out: &str, key: &str| -> Vec<f64> {
        rows(&terminal, &format!("{out}/measures.csv")).iter().map(|row| row[key].as_str().unwrap().parse().unwrap()).collect()
    };
    for (seed, out) in [(1, "one"), (1, "same"), (2, "two")] {
        terminal.write("lab/samples.json", &experiment(seed));
        terminal.types(&format!("sweep lab/samples.json --out {out}")).says(&["8 runs"]).fails(0);
        for key in ["signal:lab.step", "setting:brakes.depth"] {
            let mut strips: Vec<i64> = values(out, key).iter().map(|value| value.floor() as i64).collect();
            strips.sort_unstable();
            let first = strips[0];
            assert_eq!(strips, (first..first + 8).collect::<Vec<_>>(), "{key}");
        }
    }
    assert_eq!(values("one", "signal:lab.step"), values("same", "signal:lab.step"));
    assert_ne!(values("one", "signal:lab.step"), values("two", "signal:lab.step"));
    let order = |key: &str, first: f64| values("one", key).iter().map(|value| (value.floor() - first) as i64).collect::<Vec<_>>();
    assert_ne!(order("signal:lab.step", 0.0), order("setting:brakes.depth", 1.0), "each in an order of its own");
}

#[test]
fn a_replicate_in_which_no_model_was_asked_is_marked_as_a_copy() {
    let terminal = Terminal::new();
    let server = numbers();
    dice(&terminal, Some(&server.url));
    counter(&terminal);
    let arms = json!([{ "name": "model" }, { "name": "plain", "source": "counter" }]);
    terminal.write("lab/both.json", &experiment(&arms, &json!({ "seeds": [1], "replicates": 2 })));
    terminal.types("sweep lab/both.json --out out --budget calls=100").ok();
    let table = rows(&terminal, "out/measures.csv");
    let draws =
        |arm: &str, replicate: &str, measure: &str| cell(&table, &[("arm", arm), ("replicate", replicate), ("measure", measure)], "draws");
    assert_eq!([draws("model", "1", "ada"), draws("model", "2", "ada")], ["model", "model"]);
    assert_eq!([draws("plain", "1", "total"), draws("plain", "2", "total")], ["seed", "copy"]);
    // One value is a grid too.
    terminal.write("lab/one.json", r#"{"source": "counter", "grid": {"signal:lab.step": [3]}, "moments": 2}"#);
    terminal.types("sweep lab/one.json --out one").says(&["1 runs"]).fails(0);
    assert_eq!(cell(&rows(&terminal, "one/measures.csv"), &[("arm", "g1")], "signal:lab.step"), "3");
}

/// The world of the dice with a person for whom it waits, a model without a key, one whose world has a budget, or a script that fails.
fn held_by(terminal: &Terminal, what: &str, url: &str) {
    dice(terminal, (what != "a person").then_some(url));
    let file = "lab/dice/world.toml";
    let text = terminal.read(file);
    let text = match what {
        "a person" => text.replace(
            "[[measure]]\nname = \"ada\"",
            "[[being]]\nname = \"pat\"\nhome = \"/hall\"\nrole = \"roller\"\ncognition = \"human\"\nsettings = { absence = \"wait\" }\n[[being.schedule]]\nname = \"turn\"\nevery = \"1m\"\n[[measure]]\nname = \"ada\"",
        ),
        "a key" => text.replace("model = \"tiny\", ", "model = \"tiny\", key = \"env:REELM_NO_SUCH_KEY\", "),
        "a budget" => text.replace("[[space]]", "\"llm.budget\" = { day = { calls = 2 } }\n[[space]]"),
        _ => text,
    };
    terminal.write(file, &text);
}

#[test]
fn a_run_in_which_somebody_was_held_has_no_row_and_goes_on_once_nobody_is() {
    for (what, why) in [
        ("a person", "it waits for @pat, a person"),
        ("a key", "key-missing: @mia cannot be asked"),
        ("a budget", "budget: its own budgets"),
    ] {
        let terminal = Terminal::new();
        let server = numbers();
        held_by(&terminal, what, &server.url);
        terminal.write("lab/dice.json", &experiment(&json!([{ "name": "as-is" }]), &json!({ "seeds": [1] })));
        let line = "sweep lab/dice.json --out out --budget calls=100";
        for _ in 0..2 {
            terminal.types(line).fails(1).warns(&["1 of the runs have no row", "as-is-s1-r1: ", why]);
            assert_eq!(terminal.read("out/measures.csv").lines().count(), 1, "{what}");
        }
        if what == "a key" {
            assert_eq!(server.count(), 0);
            let keyed = terminal.command(line).env("REELM_NO_SUCH_KEY", "open").output().unwrap();
            assert!(keyed.status.success(), "{keyed:?}");
            assert!(cell(&rows(&terminal, "out/measures.csv"), &[("measure", "ada")], "calls").parse::<u64>().unwrap() > 0);
        }
    }
    // The end that nobody comes to is no end.
    let terminal = Terminal::new();
    dice(&terminal, None);
    let text = terminal.read("lab/dice/world.toml");
    terminal
        .write("lab/dice/world.toml", &text.replace("name = \"turn\"\nevery = \"1m\"", "name = \"turn\"\nat = \"2026-03-02T08:00:20\""));
    terminal.write("lab/dice.json", r#"{"source": "dice", "arms": [{"name": "a"}], "until": "when {\"world.dice.ada\": -5}"}"#);
    terminal.types("sweep lab/dice.json --out never").fails(1).warns(&["nobody has anything to do any more, and its end has not come"]);
}

#[test]
fn what_came_to_nothing_is_counted_beside_each_row_and_a_strict_sweep_takes_none_of_it() {
    let terminal = Terminal::new();
    dice(&terminal, None);
    terminal.write(
        "lab/bad.rhai",
        "fn think(face) { if face.me.name == \"ada\" { throw \"no\" } act(\"/\", \"space.make\", #{ name: \"x\" }) }",
    );
    let arms = json!([{ "name": "as-is" }, { "name": "bad", "change": ["script:roll=bad.rhai"] }]);
    terminal.write("lab/dice.json", &experiment(&arms, &json!({ "seeds": [1] })));
    terminal.types("sweep lab/dice.json --out out").ok();
    let table = rows(&terminal, "out/measures.csv");
    let counts = |arm: &str| ["failed", "dead", "refused"].map(|column| cell(&table, &[("arm", arm), ("measure", "ada")], column));
    assert_eq!(counts("as-is"), ["0", "0", "0"]);
    let [failed, _, refused] = counts("bad").map(|count| count.parse::<u64>().unwrap());
    assert!(failed > 0 && refused >= 2, "{failed} {refused}");
    terminal.types("sweep lab/dice.json --out out --strict").fails(1).warns(&[
        "--strict: 1 of the runs are not in the tables",
        "bad-s1-r1: failed",
        "refused",
    ]);
    assert!(rows(&terminal, "out/measures.csv").iter().all(|row| row["arm"] == "as-is"));
    terminal.types("sweep lab/dice.json --out out --json").says(&["\"new\":0", "\"faulty\":0"]).fails(0);
}

#[test]
fn an_experiment_and_an_instrument_are_read_as_any_file_of_a_source() {
    let terminal = Terminal::new();
    counter(&terminal);
    terminal.types("run lab/counter --for 1m --quiet").ok();
    let plan = r#"{"source": "counter", "arms": [{"name": "a"}], "for": "1m"}"#;
    let asks = r#"{"items": [{"id": "a", "text": "How content are you, René?"}], "whom": ["@ada"]}"#;
    let utf16 = |text: &str| [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect::<Vec<u8>>();
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    for (file, text, line) in [("lab/x.json", plan, "sweep lab/x.json --out out --plan"), ("lab/x.json", asks, "survey lab/x.json --plan")]
    {
        std::fs::write(terminal.path(file), format!("\u{feff}{text}")).unwrap();
        terminal.types(line).ok();
        std::fs::write(terminal.path(file), utf16(text)).unwrap();
        terminal.types(line).fails(1).warns(&["lab/x.json:1: expected text in UTF-8, found UTF-16; save the file as UTF-8"]);
        std::fs::write(terminal.path(file), latin(&text.replace("arms", "ärms"))).unwrap();
        terminal.types(line).fails(1).warns(&["lab/x.json:1: expected text in UTF-8, found the byte 0xe"]);
    }
}
