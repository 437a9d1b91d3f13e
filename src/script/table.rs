//! Table: every function that the engine offers, by its own list, called without end with the largest arguments: each ends at its bound.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::sandbox::{Limits, Program, Sandbox};
use super::work::STEP;
use super::{Host, ScriptError, Stream};
use crate::fact::{Code, Hash, Value};

struct Yes;

impl Host for Yes {
    fn ask(&self, _: &str, _: Vec<Value>) -> Result<Value, String> {
        Ok(Value::List(vec![Value::Int(1); 1_000]))
    }
}

/// The largest values that a script may hold.
fn face() -> Value {
    let list = || Value::List(vec![Value::Int(7); 1_900]);
    let map = (0..3_900).map(|n| (format!("key {n}").as_str().into(), Value::Int(n))).collect();
    let texts = Value::List((0..1_000).map(|n| Value::from(format!("text {n}"))).collect());
    Value::map([("list", list()), ("map", Value::Map(map)), ("text", Value::from("x y".repeat(20_000))), ("texts", texts)])
}

/// Arguments of a type, as a script writes them; none: nothing that a script holds is of it.
fn arguments(kind: &str) -> &'static [&'static str] {
    match kind.trim_start_matches("&mut ").trim_start_matches('&').trim() {
        "Array" | "Vec<Dynamic>" => &["list", "texts"],
        "Map" | "BTreeMap<Identifier, Dynamic>" => &["map"],
        "ImmutableString" | "str" | "String" | "&str" => &["text"],
        "Dynamic" | "" | "_" | "?" => &["list", "map", "text"],
        "INT" | "i64" | "int" => &["9223372036854775807", "1900"],
        "FLOAT" | "f64" => &["0.5"],
        "bool" => &["true"],
        "char" => &["'x'"],
        "()" => &["()"],
        "FnPtr" | "Fn" => &["|a| a", "|a, b| 1"],
        "Range<INT>" | "Range<i64>" | "ExclusiveRange" | "range" => &["0..1900"],
        "RangeInclusive<INT>" | "RangeInclusive<i64>" | "InclusiveRange" | "range=" => &["0..=1900"],
        _ => &[],
    }
}

/// How a function is called: `f(a, b)`, `a + b`, `a.len`.
fn expression(name: &str, args: &[&str]) -> Option<String> {
    if let (Some(field), [of, ..]) = (name.strip_prefix("get$"), args) {
        return Some(format!("{of}.{field}"));
    }
    if name.contains('$') {
        return None;
    }
    let is_word = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    match args {
        _ if is_word => Some(format!("{name}({})", args.join(", "))),
        [a] => Some(format!("{name}({a})")),
        [a, b] if name.ends_with('=') && !matches!(name, "==" | "!=" | "<=" | ">=") => Some(format!("{{ let one = {a}; one {name} {b} }}")),
        [a, b] => Some(format!("({a}) {name} ({b})")),
        _ => None,
    }
}

/// Every call of the table: of each function, but those of values that no script holds.
fn calls() -> Vec<String> {
    let listed: serde_json::Value = serde_json::from_str(&Sandbox::new(Limits::default()).functions()).unwrap();
    let (mut calls, none) = (Vec::new(), Vec::new());
    for function in listed["functions"].as_array().unwrap() {
        let name = function["name"].as_str().unwrap();
        let kinds: Vec<&str> =
            function["params"].as_array().unwrap_or(&none).iter().map(|param| param["type"].as_str().unwrap_or("")).collect();
        let most = kinds.iter().map(|kind| arguments(kind).len()).max().unwrap_or(1);
        calls.extend((0..most).filter_map(|turn| {
            let args: Option<Vec<&str>> = kinds.iter().map(|kind| arguments(kind).iter().cycle().nth(turn).copied()).collect();
            expression(name, &args?)
        }));
    }
    calls.sort();
    calls.dedup();
    calls
}

/// How a call ends that is repeated without end, alone and in a callback, and at which count.
fn ends(sandbox: &mut Sandbox, call: &str) -> [(Result<Value, ScriptError>, u64); 2] {
    let names = "let list = face.list; let map = face.map; let text = face.text; let texts = face.texts;";
    let alone = format!("fn think(face) {{ {names} loop {{ try {{ {call}; }} catch {{ }} }} }}");
    let within = format!("fn think(face) {{ [face].filter(|face| {{ {names} loop {{ try {{ {call}; }} catch {{ }} }} true }}); }}");
    [alone, within].map(|source| {
        let program = Program { hash: Hash::of(source.as_bytes()), file: "t.rhai".into(), source: source.as_str().into() };
        sandbox.begin();
        let ended = sandbox.call(&program, "think", vec![face()], Arc::new(Yes), Stream::of(&[1; 32], "ada", 0, "think"));
        (ended, sandbox.spent())
    })
}

/// Runs the whole table: how each call ended, and at which count.
fn table() -> Vec<(String, Code, u64)> {
    let limits = Limits { operations: 2_000, ..Limits::default() };
    let mut sandbox = Sandbox::new(limits);
    let mut ended = Vec::new();
    for call in calls() {
        for (end, spent) in ends(&mut sandbox, &call) {
            let code = match end {
                Err(ScriptError::Limit { code, .. }) => code,
                other => panic!("{call}: {other:?}"),
            };
            assert!(code != Code::ScriptLimitOperations || spent > 2_000 * STEP, "{call}: {spent}");
            ended.push((call.clone(), code, spent));
        }
    }
    ended
}

#[test]
fn every_function_that_the_engine_offers_ends_at_its_bound_and_at_the_same_count_beside_eight_busy_threads() {
    assert!(calls().len() > 250, "{}", calls().len());
    let first = table();
    let stop = AtomicBool::new(false);
    let second = std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        let ended = table();
        stop.store(true, Ordering::Relaxed);
        ended
    });
    assert_eq!(first, second);
}
