//! Compare: are two worlds aligned by being and moment at one instant, and does what operators did count for nothing?

use serde_json::{Value, json};

use super::faulty::{Does, Faulty};
use super::mind::{body, tool};
use super::sweep::{counter, dice};
use super::terminal::Terminal;

#[test]
fn two_worlds_of_a_sweep_are_aligned_by_being_and_moment() {
    let terminal = Terminal::new();
    counter(&terminal);
    let grid = json!({ "source": "counter", "grid": { "signal:lab.step": [1, 2, 10] }, "for": "5m" });
    terminal.write("lab/grid.json", &grid.to_string());
    terminal.types("sweep lab/grid.json --out out").ok();
    let compared = |line: &str| terminal.types(&format!("compare {line} --json")).json();
    // The operator set a signal otherwise; from Ada's second moment on it shows in what she does.
    let told = compared("out/g1-s7-r1 out/g3-s7-r1");
    assert_eq!(
        (&told["first"]["being"], &told["first"]["n"], &told["differ"]),
        (&json!("ada"), &told["beings"][0]["apart"], &json!(1)),
        "{told}"
    );
    assert!(told["first"]["one"]["deed"].as_str().unwrap().contains("quality.inc"), "{told}");
    let total = &told["measures"][0];
    assert_eq!((&total["measure"], total["more"].as_f64()), (&json!("total"), Some(total["one"].as_f64().unwrap() * 9.0)), "{told}");
    // An act of the operator that changes nothing else is no difference.
    terminal.types("do / signal.set '{\"path\":\"lab.other\",\"value\":1}' --data out/g1-s7-r1").ok();
    terminal.types("sweep lab/grid.json --out again").ok();
    let told = compared("out/g1-s7-r1 again/g1-s7-r1");
    assert_eq!((&told["first"], &told["differ"]), (&Value::Null, &json!(0)), "{told}");
    let words = terminal.types("compare out/g1-s7-r1 out/g3-s7-r1").says(&[
        "first apart: @ada/",
        "1 beings differ",
        "cost: 0 and 0 calls",
        "measure total: ",
    ]);
    assert!(words.out.contains("(+"), "{}", words.out);
}

#[test]
fn both_are_compared_at_the_last_instant_to_which_both_have_come() {
    let terminal = Terminal::new();
    counter(&terminal);
    terminal.types("run lab/counter --for 3m --quiet --data short").ok();
    terminal.types("run lab/counter --for 9m --quiet --data long").ok();
    let told = terminal.types("compare short long --json").json();
    assert_eq!((&told["first"], &told["one"]["at"]), (&Value::Null, &told["other"]["at"]), "{told}");
    assert_eq!(told["measures"][0]["more"], 0.0, "{told}");
    let ends = terminal.types("compare short long --ends --json").json();
    assert_eq!((&ends["first"]["one"], &ends["beings"][0]["being"]), (&Value::Null, &json!("ada")), "{ends}");
    assert!(ends["first"]["other"].is_object(), "{ends}");
    let then = terminal.types("compare short long --at 2026-01-01T00:01 --json").json();
    assert_eq!(then["first"], Value::Null, "{then}");
    terminal
        .types("compare short long --at 2026-01-01T00:05")
        .fails(1)
        .warns(&["expected an instant to which both worlds have come, and `short` stands at"]);
    terminal.types("compare short long --at 7").fails(1).warns(&["--at: expected an instant such as 2026-03-02T12:00"]);
    terminal.types("compare short nowhere").fails(1).warns(&["`nowhere`"]);
    terminal
        .types("compare short long --at 2025-12-01")
        .fails(1)
        .warns(&["both worlds are there, found 2025-12-01T00:00:00Z, and `short` begins at 2026-01-01T00:00:00Z"]);
}

#[test]
fn what_one_of_both_has_archived_is_left_out_of_both_and_named() {
    let terminal = Terminal::new();
    counter(&terminal);
    terminal.types("run lab/counter --for 60m --quiet --data whole").ok();
    terminal.types("backup part --data whole").ok();
    terminal.types("archive old --before 40 --data part").ok();
    for line in ["compare whole part", "compare part whole"] {
        let said = terminal.types(line).fails(0).says(&["no being goes another way", "0 beings differ, 1 are the same"]);
        said.says(&["aligned only behind 2026-01-01T00:"]).warns(&["`part`: the frames before", "were archived", "`old` (BLAKE3"]);
    }
    assert!(terminal.types("compare whole part --json").json()["since"].is_string());
    // A difference behind it is found, with the same names.
    for data in ["whole", "part"] {
        let step = if data == "whole" { 2 } else { 3 };
        let lines = [format!("do / signal.set '{{\"path\":\"lab.step\",\"value\":{step}}}'"), "run --for 5m --quiet".to_owned()];
        lines.iter().for_each(|line| drop(terminal.types(&format!("{line} --data {data}")).ok()));
    }
    let told = terminal.types("compare whole part --json").json();
    assert_eq!((&told["first"]["being"], &told["first"]["n"], &told["differ"]), (&json!("ada"), &json!(60), &json!(1)), "{told}");
    terminal.types("compare part part --at 2026-01-01T00:01").fails(1).warns(&["were archived", "`old` (BLAKE3"]);
}

#[test]
fn who_asks_a_model_is_aligned_with_who_asks_none() {
    let terminal = Terminal::new();
    let says = body(&tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": "one" } })));
    let server = Faulty::new(move |_| Does::Says(200, String::new(), says.clone()));
    dice(&terminal, Some(&server.url));
    terminal.types("run lab/dice --for 3m --quiet --data model").ok();
    let source = terminal.read("lab/dice/world.toml");
    terminal.write("lab/dice/world.toml", &source.replace("cognition = \"llm\"", "script = \"roll\""));
    terminal.types("run lab/dice --for 3m --quiet --data script").ok();
    for (line, numbers) in [("compare model script", (1, 0)), ("compare script model", (0, 1))] {
        let told = terminal.types(&format!("{line} --json")).json();
        let first = &told["first"];
        assert_eq!((&first["being"], &first["n"], &first["otherN"]), (&json!("mia"), &json!(numbers.0), &json!(numbers.1)), "{told}");
        assert!(first["one"].is_object() && first["other"].is_object(), "both have a first moment: {told}");
        assert_eq!((&told["beings"][0]["one"], &told["beings"][0]["other"]), (&json!(3), &json!(3)), "{told}");
    }
    terminal.types("compare model script").says(&["first apart: @mia/1, in B @mia/0"]);
}

#[test]
fn two_moments_that_differ_in_milliseconds_alone_show_them() {
    let terminal = Terminal::new();
    counter(&terminal);
    terminal.types("run lab/counter --for 5m --quiet --data soon").ok();
    let source = terminal.read("lab/counter/world.toml");
    terminal.write("lab/counter/world.toml", &source.replace("seed = 7", "seed = 7\nstart = \"2026-01-01T00:00:00.250\""));
    terminal.types("run lab/counter --for 5m --quiet --data late").ok();
    terminal.types("compare soon late").says(&["first apart: @ada/0\n  A: 2026-01-01T00:01:00Z #", "\n  B: 2026-01-01T00:01:00.250Z #"]);
    // Where the deeds differ, the short time of a line is enough.
    terminal.write("lab/counter/world.toml", &source.replace("value = 1", "value = 2"));
    terminal.types("run lab/counter --for 5m --quiet --data other").ok();
    let words = terminal.types("compare soon other").says(&["first apart: @ada/0\n  A: #"]).out;
    assert!(!words.contains("  A: 2026"), "{words}");
}
