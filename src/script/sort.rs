//! Sort: a stable merge sort whose comparer may fail, end the script or contradict itself, and a counted order of plain values.

use std::cmp::Ordering;

use rhai::{Array, Dynamic, Engine, EvalAltResult, Position};

use super::work::{Work, Worked};

/// Sorts; the comparer's first error ends it.
pub(super) fn sort(list: Array, compare: &mut dyn FnMut(&Dynamic, &Dynamic) -> Worked<Ordering>) -> Worked<Array> {
    let mut runs: Vec<Array> = list.into_iter().map(|item| vec![item]).collect();
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut rest = runs.into_iter();
        while let Some(first) = rest.next() {
            merged.push(match rest.next() {
                Some(second) => merge(first, second, compare)?,
                None => first,
            });
        }
        runs = merged;
    }
    Ok(runs.pop().unwrap_or_default())
}

fn merge(first: Array, second: Array, compare: &mut dyn FnMut(&Dynamic, &Dynamic) -> Worked<Ordering>) -> Worked<Array> {
    let mut merged = Array::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    while let (Some(a), Some(b)) = (first.peek(), second.peek()) {
        // Of equals the earlier stays before the later.
        let next = if compare(a, b)? == Ordering::Greater { second.next() } else { first.next() };
        merged.extend(next);
    }
    merged.extend(first);
    merged.extend(second);
    Ok(merged)
}

fn unlike() -> Box<EvalAltResult> {
    EvalAltResult::ErrorMismatchDataType("numbers alone, or texts alone".to_owned(), "items that have no order".to_owned(), Position::NONE)
        .into()
}

/// The order of two plain values: numbers by what they count, texts by their letters.
fn plain(work: &Work, a: &Dynamic, b: &Dynamic) -> Worked<Ordering> {
    work.take(8)?;
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return Ok(a.cmp(&b));
    }
    let number = |value: &Dynamic| value.as_float().ok().or_else(|| value.as_int().ok().map(|n| n as f64));
    if let (Some(a), Some(b)) = (number(a), number(b)) {
        return Ok(a.total_cmp(&b));
    }
    if let (Ok(a), Ok(b)) = (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
        work.text(a.len().min(b.len()))?;
        return Ok(a.as_str().cmp(b.as_str()));
    }
    match (a.as_char(), b.as_char(), a.as_bool(), b.as_bool()) {
        (Ok(a), Ok(b), ..) => Ok(a.cmp(&b)),
        (_, _, Ok(a), Ok(b)) => Ok(a.cmp(&b)),
        _ if a.is_unit() && b.is_unit() => Ok(Ordering::Equal),
        _ => Err(unlike()),
    }
}

/// Offers the orders of plain values.
pub(super) fn offer(engine: &mut Engine, work: &Work) {
    fn ordered(work: &Work, list: &Array, backwards: bool) -> Worked<Array> {
        work.list(list)?;
        sort(list.clone(), &mut |a, b| plain(work, a, b).map(|order| if backwards { order.reverse() } else { order }))
    }
    for (name, backwards) in [("sort", false), ("sort_desc", true)] {
        let own = work.clone();
        engine.register_fn(name, move |list: &mut Array| {
            *list = ordered(&own, list, backwards)?;
            Worked::Ok(())
        });
    }
    for (name, backwards) in [("order", false), ("order_desc", true)] {
        let own = work.clone();
        engine.register_fn(name, move |list: &mut Array| ordered(&own, list, backwards));
    }
}
