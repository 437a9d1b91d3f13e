//! Bounds: the language's own functions whose cost the engine does not count, replaced by ones that count it.
//!
//! The engine counts steps of evaluation and the size of values, but one step may compare two long lists, or search a long text. What
//! stands here adds the length of what it walks to a sum of work, which the engine's progress checks like its steps. The work follows
//! from the values alone, so a script ends at the same place on any machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::fact::Value;

use rhai::{Array, Dynamic, Engine, EvalAltResult, ImmutableString, Map, NativeCallContext, Position};

/// How deep a comparison goes; deeper values are not values of ours anyway.
const DEPTH: usize = 64;

/// An item that is made or moved costs about as much as this many steps of a comparison.
const WORK_AN_ITEM: usize = 8;

/// The bytes of text that count as one step of work.
const BYTES_A_STEP: usize = 16;

type Answer<T> = Result<T, Box<EvalAltResult>>;

/// The work of the call that runs now.
#[derive(Clone, Default)]
pub(super) struct Work(Arc<AtomicU64>);

impl Work {
    /// A new call begins.
    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// The work so far.
    pub fn sum(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, steps: usize) {
        self.0.fetch_add(steps as u64, Ordering::Relaxed);
    }

    fn text(&self, bytes: usize) {
        self.add(bytes / BYTES_A_STEP);
    }

    /// Counts a value that is made for a script, each item of it.
    pub fn value(&self, value: &Value) {
        self.add(WORK_AN_ITEM);
        match value {
            Value::List(list) => list.iter().for_each(|item| self.value(item)),
            Value::Map(map) => map.values().for_each(|item| self.value(item)),
            Value::Text(text) => self.text(text.len()),
            Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) => {}
        }
    }

    /// Counts what a function of ours or of the language walks or copies.
    pub fn items(&self, count: usize) {
        self.add(count.saturating_mul(WORK_AN_ITEM));
    }

    fn same(&self, a: &Dynamic, b: &Dynamic, depth: usize) -> bool {
        self.add(1);
        if depth > DEPTH {
            return false;
        }
        if let (Ok(a), Ok(b)) = (a.as_array_ref(), b.as_array_ref()) {
            return self.same_lists(&a, &b, depth);
        }
        if let (Ok(a), Ok(b)) = (a.as_map_ref(), b.as_map_ref()) {
            return self.same_maps(&a, &b, depth);
        }
        if let (Ok(a), Ok(b)) = (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
            return a.as_str() == b.as_str();
        }
        let number = |value: &Dynamic| value.as_float().ok().or_else(|| value.as_int().ok().map(|n| n as f64));
        match (a.as_int(), b.as_int()) {
            (Ok(a), Ok(b)) => a == b,
            _ => match (number(a), number(b)) {
                (Some(a), Some(b)) => a == b,
                _ => {
                    (a.is_unit() && b.is_unit())
                        || a.as_bool().is_ok_and(|a| b.as_bool() == Ok(a))
                        || a.as_char().is_ok_and(|a| b.as_char() == Ok(a))
                }
            },
        }
    }

    fn same_lists(&self, a: &Array, b: &Array, depth: usize) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b, depth + 1))
    }

    fn same_maps(&self, a: &Map, b: &Map, depth: usize) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|((key, a), (other, b))| key == other && self.same(a, b, depth + 1))
    }

    fn place(&self, list: &Array, item: &Dynamic, from: i64) -> i64 {
        let from = if from < 0 { list.len().saturating_sub(from.unsigned_abs() as usize) } else { from as usize };
        let found = list.iter().enumerate().skip(from).find(|(_, other)| self.same(other, item, 0));
        found.map_or(-1, |(at, _)| at as i64)
    }
}

fn too_long() -> Box<EvalAltResult> {
    EvalAltResult::ErrorDataTooLarge("Length of string".to_owned(), Position::NONE).into()
}

/// Replaces, in an engine, what is not counted by what is.
pub(super) fn bound(engine: &mut Engine, work: &Work) {
    comparisons(engine, work);
    searches(engine, work);
    texts(engine, work);
}

fn comparisons(engine: &mut Engine, work: &Work) {
    let own = work.clone();
    engine.register_fn("==", move |a: &mut Array, b: Array| own.same_lists(a, &b, 0));
    let own = work.clone();
    engine.register_fn("!=", move |a: &mut Array, b: Array| !own.same_lists(a, &b, 0));
    let own = work.clone();
    engine.register_fn("==", move |a: &mut Map, b: Map| own.same_maps(a, &b, 0));
    let own = work.clone();
    engine.register_fn("!=", move |a: &mut Map, b: Map| !own.same_maps(a, &b, 0));
}

fn searches(engine: &mut Engine, work: &Work) {
    let own = work.clone();
    engine.register_fn("contains", move |list: &mut Array, item: Dynamic| own.place(list, &item, 0) >= 0);
    let own = work.clone();
    engine.register_fn("index_of", move |list: &mut Array, item: Dynamic| own.place(list, &item, 0));
    let own = work.clone();
    engine.register_fn("index_of", move |list: &mut Array, item: Dynamic, from: i64| own.place(list, &item, from));
    let own = work.clone();
    engine.register_fn("dedup", move |list: &mut Array| list.dedup_by(|a, b| own.same(a, b, 0)));
}

fn texts(engine: &mut Engine, work: &Work) {
    let own = work.clone();
    engine.register_fn("pad", move |context: NativeCallContext<'_>, text: &mut ImmutableString, length: i64, with: &str| {
        pad(&context, &own, text, length, with)
    });
    let own = work.clone();
    engine.register_fn("replace", move |context: NativeCallContext<'_>, text: &mut ImmutableString, find: &str, with: &str| {
        let times = if find.is_empty() { text.chars().count() + 1 } else { text.matches(find).count() };
        own.text(text.len());
        // Counted before anything is built; the engine looks only at what has been built.
        if text.len().saturating_add(times.saturating_mul(with.len()))
            > context.engine().max_string_size().saturating_add(times.saturating_mul(find.len()))
        {
            return Err(too_long());
        }
        *text = text.replace(find, with).into();
        Answer::Ok(())
    });
    let own = work.clone();
    engine.register_fn("index_of", move |text: &mut ImmutableString, part: &str| {
        own.text(text.len());
        let found = if part.is_empty() { None } else { text.find(part) };
        found.and_then(|at| text.get(..at)).map_or(-1, |before| before.chars().count() as i64)
    });
    let own = work.clone();
    engine.register_fn("contains", move |text: &mut ImmutableString, part: &str| {
        own.text(text.len());
        text.contains(part)
    });
}

/// Pads to a length in characters; nothing can be padded with nothing.
fn pad(context: &NativeCallContext<'_>, work: &Work, text: &mut ImmutableString, length: i64, with: &str) -> Answer<()> {
    let length = usize::try_from(length).unwrap_or(0);
    let missing = length.saturating_sub(text.chars().count());
    if missing == 0 || with.is_empty() {
        return Ok(());
    }
    if length > context.engine().max_string_size() {
        return Err(too_long());
    }
    work.text(length);
    let padding: String = with.chars().cycle().take(missing).collect();
    *text = format!("{text}{padding}").into();
    Ok(())
}
