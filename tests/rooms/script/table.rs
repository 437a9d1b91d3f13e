//! Table: every function that the engine offers, by its own list: called without end with the largest arguments, each ends at its bound, and
//! called once, it counts more for larger ones, but for those that are named here.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};

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

/// Functions that fail on the table's arguments: texts that are no numbers, results that are too large; and `fail` itself.
const FAILS: &[&str] =
    &["fail(any)", "parse_float(string)", "parse_int(string)", "parse_int(string, int)", "replace(string, char, string)"];

/// Functions that take no longer for larger arguments; one list is longer already than it would be made.
const AT_ONCE: &[&str] = &[
    "bytes(string)",
    "contains(map, string)",
    "get$bytes(string)",
    "get$is_empty(array)",
    "get$is_empty(string)",
    "get$len(array)",
    "get(map, string)",
    "is_empty(array)",
    "is_empty(map)",
    "is_empty(string)",
    "len(array)",
    "len(map)",
    "pad(array, int, any)",
    "pop(array)",
    "remove(map, string)",
];

/// Functions whose arguments are weighed as they are read: the engine's own additions and comparisons, and values that become part of
/// another. So are questions to the world, whose own work is counted by the things that they look at.
const READ: &[&str] = &[
    "+(char, string)",
    "+(string, char)",
    "+(string, string)",
    "+=(array, array)",
    "+=(string, char)",
    "+=(string, string)",
    "-(string, char)",
    "-(string, string)",
    "-=(string, char)",
    "-=(string, string)",
    "act(string, string)",
    "act(string, string, map)",
    "be(string)",
    "be(string, map)",
    "chars(string)",
    "chars(string, range)",
    "chars(string, range=)",
    "chars(string, int)",
    "chars(string, int, int)",
    "count(any)",
    "count(any, any)",
    "get$chars(string)",
    "look(string)",
    "mean(any)",
    "pick(array)",
    "push(array, any)",
    "saying(map, string)",
    "see(any)",
    "set(array, int, any)",
    "set(map, string, any)",
    "setting(any)",
    "signal(any)",
    "sum(any)",
    "summon(string, any)",
    "summon(string, any, map)",
    "wearing(any)",
    "why_not(any)",
];

/// A type of arguments: its name in scripts, and values of it as a script writes them; none: no script holds any, since the engine's own
/// numbers are `i64` and `f64`.
struct Kind(TypeId, &'static str, &'static [&'static str]);

fn kinds() -> Vec<Kind> {
    fn kind<T: 'static>(name: &'static str, values: &'static [&'static str]) -> Kind {
        Kind(TypeId::of::<T>(), name, values)
    }
    vec![
        kind::<Array>("array", &["list", "texts"]),
        kind::<Map>("map", &["map"]),
        kind::<ImmutableString>("string", &["text"]),
        kind::<Dynamic>("any", &["list", "map", "text"]),
        kind::<i64>("int", &["9223372036854775807", "1900", "0"]),
        kind::<f64>("float", &["0.5"]),
        kind::<bool>("bool", &["true"]),
        kind::<char>("char", &["'x'"]),
        kind::<()>("()", &["()"]),
        kind::<FnPtr>("function", &["|a| a", "|a, b| 1", "|a| ()", "|a| true"]),
        kind::<Range<i64>>("range", &["0..1900"]),
        kind::<RangeInclusive<i64>>("range=", &["0..=1900"]),
        kind::<f32>("f32", &[]),
        kind::<i8>("i8", &[]),
        kind::<i16>("i16", &[]),
        kind::<i32>("i32", &[]),
        kind::<i128>("i128", &[]),
        kind::<u8>("u8", &[]),
        kind::<u16>("u16", &[]),
        kind::<u32>("u32", &[]),
        kind::<u64>("u64", &[]),
        kind::<u128>("u128", &[]),
        kind::<Range<f64>>("Range<f64>", &[]),
        kind::<Range<i8>>("Range<i8>", &[]),
        kind::<Range<i16>>("Range<i16>", &[]),
        kind::<Range<i32>>("Range<i32>", &[]),
        kind::<Range<i128>>("Range<i128>", &[]),
        kind::<Range<u8>>("Range<u8>", &[]),
        kind::<Range<u16>>("Range<u16>", &[]),
        kind::<Range<u32>>("Range<u32>", &[]),
        kind::<Range<u64>>("Range<u64>", &[]),
        kind::<Range<u128>>("Range<u128>", &[]),
    ]
}

/// Whether values of a type may be large.
fn is_large(kind: &Kind) -> bool {
    kind.2.iter().any(|argument| ["list", "texts", "map", "text"].contains(argument))
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
    /// Its name and the types of its arguments.
    signature: String,
    has_large: bool,
    calls: Vec<String>,
}

/// All of the engine's list.
fn offered() -> Vec<Offered> {
    let kinds = kinds();
    let sandbox = Sandbox::new(Limits::default());
    let listed =
        sandbox.engine().collect_fn_metadata(None, |info| Some((info.metadata.name.to_string(), info.metadata.param_types.to_vec())), true);
    let of = |(name, types): (String, Vec<TypeId>)| {
        let named = |of: &TypeId| {
            kinds.iter().find(|kind| kind.0 == *of).unwrap_or_else(|| panic!("`{name}` takes a type that is not listed here"))
        };
        let own: Vec<&Kind> = types.iter().map(named).collect();
        let most = own.iter().map(|kind| kind.2.len()).max().unwrap_or(1);
        let calls = (0..most).filter_map(|turn| {
            let args: Option<Vec<&str>> = own.iter().map(|kind| kind.2.iter().cycle().nth(turn).copied()).collect();
            expression(&name, &args?)
        });
        let signature = format!("{name}({})", own.iter().map(|kind| kind.1).collect::<Vec<_>>().join(", "));
        Offered { calls: calls.collect(), has_large: own.iter().any(|kind| is_large(kind)), signature }
    };
    listed.into_iter().map(of).collect()
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
    let (mut uncounted, mut failed) = (BTreeSet::new(), BTreeSet::new());
    let mut sandbox = Sandbox::new(Limits { operations: 10_000_000, ..Limits::default() });
    for Offered { signature, has_large, calls } in offered() {
        let counts = calls.iter().filter_map(|call| counted(&mut sandbox, call, 1).zip(counted(&mut sandbox, call, 3)));
        let counts: Vec<(u64, u64)> = counts.collect();
        if counts.is_empty() && !calls.is_empty() {
            failed.insert(signature);
        } else if has_large && !counts.is_empty() && !counts.iter().any(|(small, large)| large > small) {
            uncounted.insert(signature);
        }
    }
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    assert_eq!(failed, named(FAILS), "calls that come to nothing");
    assert_eq!(uncounted, named(&[AT_ONCE, READ].concat()), "functions that count no more for larger arguments");
}
