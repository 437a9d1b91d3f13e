//! Table: every function that the engine offers, by its own list: called without end with the largest arguments, each ends at its bound, and
//! called once, it counts more for larger ones, but for those that are named here.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use reelm::fact::{Code, Hash, Value};

use reelm::script::Host;
use reelm::script::ScriptError;
use reelm::script::Stream;
use reelm::script::work::STEP;
use reelm::script::{Limits, Program, Sandbox};

struct Yes;

impl Host for Yes {
    fn ask(&self, _: &str, _: Vec<Value>) -> Result<Value, String> {
        Ok(Value::List(vec![Value::Int(1); 1_000]))
    }
}

/// Values of a hundredth of the largest size that a script may hold, so many times.
fn face(size: usize) -> Value {
    let list = Value::List(vec![Value::Int(7); 19 * size]);
    let map = (0..39 * size as i64).map(|n| (format!("key {n}").as_str().into(), Value::Int(n))).collect();
    let texts = Value::List((0..10 * size).map(|n| Value::from(format!("text {n}"))).collect());
    Value::map([("list", list), ("map", Value::Map(map)), ("text", Value::from("x y".repeat(200 * size))), ("texts", texts)])
}

/// Large enough that a call which is not counted would be felt.
const LARGE: usize = 20;

/// Types of arguments that no script holds: the engine's own numbers are `i64` and `f64`.
const UNHELD: &[&str] = &[
    "f32",
    "i128",
    "i16",
    "i32",
    "i8",
    "std::ops::Range<FLOAT>",
    "std::ops::Range<i128>",
    "std::ops::Range<i16>",
    "std::ops::Range<i32>",
    "std::ops::Range<i64>",
    "std::ops::Range<i8>",
    "std::ops::Range<u128>",
    "std::ops::Range<u16>",
    "std::ops::Range<u32>",
    "std::ops::Range<u64>",
    "std::ops::Range<u8>",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
];

/// Functions that fail on the table's arguments: texts that are no numbers, results that are too large; and `fail` itself.
const FAILS: &[&str] = &[
    "fail(types::dynamic::Dynamic)",
    "parse_float(&str)",
    "parse_int(&str)",
    "parse_int(&str, i64)",
    "replace(&mut string, char, string)",
    "to_float()",
    "to_int()",
];

/// Functions that take no longer for larger arguments; one list is longer already than it would be made.
const AT_ONCE: &[&str] = &[
    "bytes(&mut string)",
    "contains(&mut map, string)",
    "get$bytes(&mut string)",
    "get$is_empty(&mut array)",
    "get$is_empty(&mut string)",
    "get$len(&mut array)",
    "get(&mut map, string)",
    "is_empty(&mut array)",
    "is_empty(&mut map)",
    "is_empty(&mut string)",
    "len(&mut array)",
    "len(&mut map)",
    "pad(&mut array, i64, types::dynamic::Dynamic)",
    "pop(&mut array)",
    "remove(&mut map, string)",
];

/// Functions whose arguments are weighed as they are read: the engine's own additions and comparisons, and values that become part of
/// another. So are questions to the world, whose own work is counted by the things that they look at.
const READ: &[&str] = &[
    "+(char, string)",
    "+(string, char)",
    "+(string, string)",
    "+=(&mut array, array)",
    "+=(&mut string, char)",
    "+=(&mut string, string)",
    "-(&mut string, char)",
    "-(&mut string, string)",
    "-=(&mut string, char)",
    "-=(&mut string, string)",
    "act(string, string)",
    "act(string, string, map)",
    "be(string)",
    "be(string, map)",
    "chars(&str)",
    "chars(&str, Range<i64>)",
    "chars(&str, RangeInclusive<i64>)",
    "chars(&str, i64)",
    "chars(&str, i64, i64)",
    "count(types::dynamic::Dynamic)",
    "count(types::dynamic::Dynamic, types::dynamic::Dynamic)",
    "get$chars(&str)",
    "look(string)",
    "mean(types::dynamic::Dynamic)",
    "pick(array)",
    "push(&mut array, types::dynamic::Dynamic)",
    "saying(map, string)",
    "see(types::dynamic::Dynamic)",
    "set(&mut array, i64, types::dynamic::Dynamic)",
    "set(&mut map, string, types::dynamic::Dynamic)",
    "setting(types::dynamic::Dynamic)",
    "signal(types::dynamic::Dynamic)",
    "sum(types::dynamic::Dynamic)",
    "summon(string, types::dynamic::Dynamic)",
    "summon(string, types::dynamic::Dynamic, map)",
    "wearing(types::dynamic::Dynamic)",
    "why_not(types::dynamic::Dynamic)",
];

/// Whether values of a type may be large.
fn is_large(kind: &str) -> bool {
    arguments(kind).iter().any(|argument| ["list", "texts", "map", "text"].contains(argument))
}

/// Arguments of a type, as a script writes them; none: nothing that a script holds is of it.
fn arguments(kind: &str) -> &'static [&'static str] {
    match kind.trim_start_matches("&mut ").trim_start_matches('&').trim() {
        "array" | "Array" => &["list", "texts"],
        "map" | "Map" => &["map"],
        "ImmutableString" | "string" | "str" => &["text"],
        "types::dynamic::Dynamic" | "Dynamic" => &["list", "map", "text"],
        "i64" => &["9223372036854775807", "1900", "0"],
        "f64" => &["0.5"],
        "bool" => &["true"],
        "char" => &["'x'"],
        "()" => &["()"],
        "FnPtr" | "Fn" => &["|a| a", "|a, b| 1", "|a| ()", "|a| true"],
        "Range<i64>" | "range" => &["0..1900"],
        "RangeInclusive<i64>" | "range=" => &["0..=1900"],
        _ => &[],
    }
}

/// How a function is called: `f(a, b)`, `a + b`, `a.len`.
fn expression(name: &str, args: &[&str]) -> Option<String> {
    if let (Some(field), [of, ..]) = (name.strip_prefix("get$"), args) {
        return Some(format!("({of}).{field}"));
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

/// A function of the engine's list, and how it is called.
struct Offered {
    name: String,
    kinds: Vec<String>,
    calls: Vec<String>,
}

/// All of the engine's list.
fn offered() -> Vec<Offered> {
    let listed: serde_json::Value =
        serde_json::from_str(&Sandbox::new(Limits::default()).engine().gen_fn_metadata_to_json(true).unwrap()).unwrap();
    let none = Vec::new();
    let of = |function: &serde_json::Value| {
        let name = function["name"].as_str().unwrap().to_owned();
        let params = function["params"].as_array().unwrap_or(&none).iter();
        let kinds: Vec<String> = params.map(|param| param["type"].as_str().unwrap_or("").to_owned()).collect();
        let most = kinds.iter().map(|kind| arguments(kind).len()).max().unwrap_or(1);
        let calls = (0..most).filter_map(|turn| {
            let args: Option<Vec<&str>> = kinds.iter().map(|kind| arguments(kind).iter().cycle().nth(turn).copied()).collect();
            expression(&name, &args?)
        });
        Offered { calls: calls.collect(), name, kinds }
    };
    listed["functions"].as_array().unwrap().iter().map(of).collect()
}

/// Every call of the table: of each function, but those of values that no script holds.
fn calls() -> Vec<String> {
    let mut calls: Vec<String> = offered().into_iter().flat_map(|function| function.calls).collect();
    calls.sort();
    calls.dedup();
    calls
}

const NAMES: &str = "let list = face.list; let map = face.map; let text = face.text; let texts = face.texts;";

/// The work that one call counts with arguments of a size, less that of its surroundings; `None` where it fails.
fn counted(sandbox: &mut Sandbox, call: &str, size: usize) -> Option<u64> {
    let mut spent = |call: &str| {
        let source = format!("fn think(face) {{ {NAMES} {call}; true }}");
        let program = Program { hash: Hash::of(source.as_bytes()), file: "t.rhai".into(), source: source.as_str().into() };
        sandbox.begin();
        let ended = sandbox.call(&program, "think", vec![face(size)], Arc::new(Yes), Stream::of(&[1; 32], "ada", 0, "think"));
        ended.ok().map(|_| sandbox.spent())
    };
    Some(spent(call)?.saturating_sub(spent("()")?))
}

/// How a call ends that is repeated without end, alone and in a callback, and at which count.
fn ends(sandbox: &mut Sandbox, call: &str) -> [(Result<Value, ScriptError>, u64); 2] {
    let alone = format!("fn think(face) {{ {NAMES} loop {{ try {{ {call}; }} catch {{ }} }} }}");
    let within = format!("fn think(face) {{ [face].filter(|face| {{ {NAMES} loop {{ try {{ {call}; }} catch {{ }} }} true }}); }}");
    [alone, within].map(|source| {
        let program = Program { hash: Hash::of(source.as_bytes()), file: "t.rhai".into(), source: source.as_str().into() };
        sandbox.begin();
        let ended = sandbox.call(&program, "think", vec![face(LARGE)], Arc::new(Yes), Stream::of(&[1; 32], "ada", 0, "think"));
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
#[ignore = "long: each function of the engine four times, beside threads that are busy"]
fn every_function_that_the_engine_offers_ends_at_its_bound_and_at_the_same_count_beside_busy_threads() {
    assert!(calls().len() > 250, "{}", calls().len());
    let first = table();
    let stop = AtomicBool::new(false);
    let second = std::thread::scope(|scope| {
        // One for each core: others' tests run beside this one.
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
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

#[test]
fn every_function_that_the_engine_offers_is_called_and_counts_its_work() {
    let (mut unheld, mut uncounted, mut failed) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut sandbox = Sandbox::new(Limits { operations: 10_000_000, ..Limits::default() });
    for Offered { name, kinds, calls } in offered() {
        unheld.extend(kinds.iter().filter(|kind| arguments(kind).is_empty()).cloned());
        let counts = calls.iter().filter_map(|call| counted(&mut sandbox, call, 1).zip(counted(&mut sandbox, call, 3)));
        let counts: Vec<(u64, u64)> = counts.collect();
        let signature = format!("{name}({})", kinds.join(", "));
        if counts.is_empty() && !calls.is_empty() {
            failed.insert(signature);
        } else if kinds.iter().any(|kind| is_large(kind)) && !counts.is_empty() && !counts.iter().any(|(small, large)| large > small) {
            uncounted.insert(signature);
        }
    }
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    assert_eq!(unheld, named(UNHELD), "a type whose functions are called by nobody here");
    assert_eq!(failed, named(FAILS), "calls that come to nothing");
    assert_eq!(uncounted, named(&[AT_ONCE, READ].concat()), "functions that count no more for larger arguments");
}
