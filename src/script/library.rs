//! Library: everything that a script may use beyond the language itself.
//!
//! Maths comes from a pure-Rust library, so that two machines agree to the last bit. There is no clock, no file and no network; chance
//! comes from the moment's own stream, and what a script logs only watchers hear. Functions that walk or copy are counted by
//! [`super::work`].

use std::sync::{Arc, Mutex, PoisonError};

use rhai::packages::{
    ArithmeticPackage, BasicFnPackage, BasicIteratorPackage, BasicMathPackage, BasicStringPackage, LogicPackage, Package,
};
use rhai::{Array, Dynamic, Engine, EvalAltResult, FLOAT, INT, ImmutableString, Map, NativeCallContext};

use super::convert::{to_dynamic, to_value};
use super::notes::Notes;
use super::print::text_of;
use super::stream::Stream;
use super::work::{Work, Worked};
use super::{each, lists, maps, print, same, sort, texts};
use crate::fact::Value;

/// The questions that a script may ask beyond its arguments.
pub trait Host: Send + Sync {
    /// Answers a question such as `see`, or refuses it with a reason.
    fn ask(&self, what: &str, args: Vec<Value>) -> Result<Value, String>;

    /// How many things have to be looked at for an answer; counted before it is given.
    fn looks_at(&self, _what: &str, _args: &[Value]) -> usize {
        1
    }
}

/// The functions given to scripts, and what each is for.
pub const FUNCTIONS: &[(&str, &str)] = &[
    ("see(address)", "what an address shows; () for what the worn role does not let one see, and for what is not there"),
    ("why_not(address)", "why see gives () for it, as a code such as `gate-role`; () where one may see it"),
    ("signal(path)", "the value of a signal, or ()"),
    ("setting(key)", "what a setting that an extension declares is where one stands"),
    ("space()", "the space that one stands in"),
    ("here()", "the others in that space"),
    ("act(target, action, args?)", "a do, to be returned"),
    ("summon(target, content, options?)", "a summons, to be returned"),
    ("be(operation, payload?)", "a be, to be returned"),
    ("look(address)", "a see, to be returned"),
    ("call.saying(text)", "the same call, with something said alongside"),
    ("fail(reason)", "ends the moment as failed, with a reason of one's own; the same as throw"),
    ("log(value)", "says something to whoever watches; it is kept nowhere and changes nothing"),
    ("random()", "a number from 0 up to but not 1"),
    ("random_int(low, high)", "a whole number, both ends included"),
    ("chance(p)", "true with probability p"),
    ("pick(list)", "an item of a list, or ()"),
    ("shuffle(list)", "the list in random order"),
    ("count(path, value?) sum(path) mean(path) wearing(role) beings()", "measures over all living beings; only in measures"),
];

/// The state that the functions of one call share; it travels in the call's tag.
#[derive(Clone)]
pub(super) struct Shared {
    pub host: Arc<dyn Host>,
    /// Its draws; none where nothing may depend on chance.
    pub stream: Option<Arc<Mutex<Stream>>>,
    pub work: Work,
}

fn reach(context: &NativeCallContext<'_>) -> Worked<Shared> {
    let lost = || EvalAltResult::ErrorRuntime("no world to ask".into(), context.call_position());
    context.tag().and_then(|tag| tag.clone().try_cast::<Shared>()).ok_or_else(|| lost().into())
}

fn draw<T>(context: &NativeCallContext<'_>, take: impl FnOnce(&mut Stream) -> T) -> Worked<T> {
    let reach = reach(context)?;
    let undrawn = || EvalAltResult::ErrorRuntime("a rule draws nothing".into(), context.call_position());
    let stream = reach.stream.ok_or_else(undrawn)?;
    let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(take(&mut stream))
}

fn ask(context: &NativeCallContext<'_>, what: &str, args: Vec<Dynamic>) -> Worked<Dynamic> {
    let at = context.call_position();
    let refused = |text: String| Box::new(EvalAltResult::ErrorRuntime(text.into(), at));
    let args: Vec<Value> =
        args.into_iter().map(to_value).collect::<Result<_, _>>().map_err(|lost| refused(format!("not-a-value {}", lost.path)))?;
    let reach = reach(context)?;
    reach.work.items(reach.host.looks_at(what, &args))?;
    let answer = reach.host.ask(what, args).map_err(refused)?;
    reach.work.value(&answer)?;
    Ok(to_dynamic(answer))
}

/// An engine with the language's own packages, as far as they are bounded, and this library.
pub fn engine(work: &Work, notes: &Notes) -> Engine {
    let mut engine = Engine::new_raw();
    ArithmeticPackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    BasicStringPackage::new().register_into_engine(&mut engine);
    BasicIteratorPackage::new().register_into_engine(&mut engine);
    BasicFnPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    questions(&mut engine);
    calls(&mut engine);
    chance(&mut engine);
    maths(&mut engine);
    whole(&mut engine);
    for offer in [same::offer, lists::offer, each::offer, sort::offer, maps::offer, texts::offer, print::offer] {
        offer(&mut engine, work);
    }
    said(&mut engine, work, notes);
    engine
}

/// Registers the output of a script to its watchers.
fn said(engine: &mut Engine, work: &Work, notes: &Notes) {
    let (own, heard) = (work.clone(), notes.clone());
    engine.register_fn("log", move |value: Dynamic| text_of(&own, &value, false).map(|text| heard.hear(&text)));
    let heard = notes.clone();
    engine.on_print(move |text| heard.hear(text));
    let heard = notes.clone();
    engine.on_debug(move |text, _, _| heard.hear(text));
}

fn questions(engine: &mut Engine) {
    for what in ["see", "why_not", "signal", "setting", "count", "sum", "wearing"] {
        engine.register_fn(what, move |context: NativeCallContext<'_>, first: Dynamic| ask(&context, what, vec![first]));
    }
    // The mean of nobody is a number that is none: it can be reckoned with, and makes no other number.
    engine.register_fn("mean", |context: NativeCallContext<'_>, path: Dynamic| {
        ask(&context, "mean", vec![path]).map(|mean| if mean.is_unit() { Dynamic::from_float(FLOAT::NAN) } else { mean })
    });
    for what in ["space", "here", "beings"] {
        engine.register_fn(what, move |context: NativeCallContext<'_>| ask(&context, what, Vec::new()));
    }
    engine.register_fn("count", |context: NativeCallContext<'_>, path: Dynamic, value: Dynamic| ask(&context, "count", vec![path, value]));
}

fn call(verb: &str, target: &str, action: &str, args: Dynamic) -> Map {
    let text = |text: &str| Dynamic::from(ImmutableString::from(text));
    Map::from([("verb".into(), text(verb)), ("target".into(), text(target)), ("action".into(), text(action)), ("args".into(), args)])
}

fn calls(engine: &mut Engine) {
    engine.register_fn("act", |target: &str, action: &str| call("do", target, action, Map::new().into()));
    engine.register_fn("act", |target: &str, action: &str, args: Map| call("do", target, action, args.into()));
    engine.register_fn("summon", |target: &str, content: Dynamic| {
        call("summon", target, "", Map::from([("content".into(), content)]).into())
    });
    engine.register_fn("summon", |target: &str, content: Dynamic, options: Map| {
        let mut args = options;
        args.insert("content".into(), content);
        call("summon", target, "", args.into())
    });
    engine.register_fn("be", |operation: &str| call("be", "", operation, Map::new().into()));
    engine.register_fn("be", |operation: &str, payload: Map| call("be", "", operation, payload.into()));
    engine.register_fn("look", |address: &str| call("see", address, "", Dynamic::UNIT));
    engine.register_fn("fail", |context: NativeCallContext<'_>, reason: Dynamic| {
        Err::<Dynamic, _>(Box::new(EvalAltResult::ErrorRuntime(reason, context.call_position())))
    });
    engine.register_fn("saying", |mut call: Map, text: &str| {
        call.insert("content".into(), Dynamic::from(ImmutableString::from(text)));
        call
    });
}

fn chance(engine: &mut Engine) {
    engine.register_fn("random", |context: NativeCallContext<'_>| draw(&context, Stream::unit));
    engine.register_fn("chance", |context: NativeCallContext<'_>, p: FLOAT| draw(&context, |stream| stream.unit() < p));
    engine.register_fn("chance", |context: NativeCallContext<'_>, p: INT| draw(&context, |stream| stream.unit() < p as FLOAT));
    engine.register_fn("random_int", |context: NativeCallContext<'_>, low: INT, high: INT| {
        let count = high.wrapping_sub(low).wrapping_add(1) as u64;
        if high < low {
            return Err(Box::new(EvalAltResult::ErrorRuntime("random_int: low is above high".into(), context.call_position())));
        }
        draw(&context, |stream| if count == 0 { stream.next_u64() as INT } else { low.wrapping_add(stream.below(count) as INT) })
    });
    engine.register_fn("pick", |context: NativeCallContext<'_>, list: Array| {
        let at = draw(&context, |stream| stream.below(list.len() as u64))?;
        Ok::<_, Box<EvalAltResult>>(list.into_iter().nth(at as usize).unwrap_or(Dynamic::UNIT))
    });
    engine.register_fn("shuffle", |context: NativeCallContext<'_>, mut list: Array| {
        // A draw for each item costs more than moving it.
        reach(&context)?.work.items(list.len().saturating_mul(4))?;
        for end in (1..list.len()).rev() {
            let at = draw(&context, |stream| stream.below(end as u64 + 1))?;
            list.swap(at as usize, end);
        }
        Ok::<_, Box<EvalAltResult>>(list)
    });
}

/// Replaces the platform's maths by a library's of our own: the platform's last digits differ between machines.
fn maths(engine: &mut Engine) {
    type One = fn(FLOAT) -> FLOAT;
    let one: [(&str, One); 15] = [
        ("sin", libm::sin),
        ("cos", libm::cos),
        ("tan", libm::tan),
        ("asin", libm::asin),
        ("acos", libm::acos),
        ("atan", libm::atan),
        ("sinh", libm::sinh),
        ("cosh", libm::cosh),
        ("tanh", libm::tanh),
        ("asinh", libm::asinh),
        ("acosh", libm::acosh),
        ("atanh", libm::atanh),
        ("exp", libm::exp),
        ("ln", libm::log),
        ("sqrt", libm::sqrt),
    ];
    for (name, function) in one {
        engine.register_fn(name, function);
        engine.register_fn(name, move |n: INT| function(n as FLOAT));
    }
    engine.register_fn("log10", libm::log10);
}

/// Lets functions of fractions take whole numbers too: a value of ours that is whole comes as an integer.
fn whole(engine: &mut Engine) {
    for name in ["floor", "ceiling", "round", "int"] {
        engine.register_fn(name, |n: INT| n);
    }
    engine.register_fn("fraction", |_: INT| 0.0);
    engine.register_fn("is_nan", |_: INT| false);
    engine.register_fn("is_finite", |_: INT| true);
    engine.register_fn("is_infinite", |_: INT| false);
    engine.register_fn("log10", |n: INT| libm::log10(n as FLOAT));
    two(engine, "log", |x, base| libm::log(x) / libm::log(base));
    two(engine, "atan", libm::atan2);
    two(engine, "hypot", libm::hypot);
    two(engine, "pow", libm::pow);
}

fn two(engine: &mut Engine, name: &str, function: fn(FLOAT, FLOAT) -> FLOAT) {
    engine.register_fn(name, move |x: INT, y: INT| function(x as FLOAT, y as FLOAT));
    engine.register_fn(name, move |x: INT, y: FLOAT| function(x as FLOAT, y));
    engine.register_fn(name, move |x: FLOAT, y: INT| function(x, y as FLOAT));
    engine.register_fn(name, function);
}
