//! Each: functions of lists and maps that call a function of the script for each item. A callback is counted, and what it is given.

use std::cmp::Ordering;

use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, Map, NativeCallContext};

use super::lists::place;
use super::sort::sort;
use super::work::{Growing, Work, Worked};

/// A function of the script, called for one item after the other: with the item alone, or with its place behind it.
struct Callback<'a> {
    context: &'a NativeCallContext<'a>,
    function: &'a FnPtr,
    work: &'a Work,
    with_place: Option<bool>,
}

impl<'a> Callback<'a> {
    fn new(context: &'a NativeCallContext<'a>, function: &'a FnPtr, work: &'a Work) -> Self {
        Self { context, function, work, with_place: None }
    }

    fn call(&mut self, given: &[&Dynamic], place: Dynamic) -> Worked<Dynamic> {
        self.work.callbacks(1)?;
        given.iter().try_for_each(|value| self.work.whole(value))?;
        let args = || given.iter().map(|value| (*value).clone());
        if self.with_place != Some(true) {
            let answer = self.function.call_raw(self.context, None, args().collect::<Vec<_>>());
            let is_other = self.with_place.is_none() && answer.as_ref().is_err_and(|error| self.is_missing(error));
            self.with_place = Some(is_other);
            if !is_other {
                return answer;
            }
        }
        self.function.call_raw(self.context, None, args().chain([place]).collect::<Vec<_>>())
    }

    /// Whether there is no such function of so many arguments.
    fn is_missing(&self, error: &EvalAltResult) -> bool {
        matches!(error, EvalAltResult::ErrorFunctionNotFound(sign, _) if sign.split(' ').next() == Some(self.function.fn_name()))
    }

    fn holds(&mut self, given: &[&Dynamic], place: Dynamic) -> Worked<bool> {
        Ok(self.call(given, place)?.as_bool().unwrap_or(false))
    }

    /// The first item from a place on of which the function holds.
    fn first(&mut self, list: &Array, from: usize) -> Worked<Option<usize>> {
        for (at, item) in list.iter().enumerate().skip(from) {
            if self.holds(&[item], index(at))? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}

fn index(at: usize) -> Dynamic {
    Dynamic::from_int(at as i64)
}

/// Offers a function of a list or a map and a callback.
macro_rules! offer {
    ($engine:ident, $work:ident, $of:ty, $name:literal, |$each:ident, $list:ident $(, $arg:ident: $type:ty)*| $body:expr) => {{
        let own = $work.clone();
        $engine.register_fn($name, move |context: NativeCallContext<'_>, $list: &mut $of, function: FnPtr $(, $arg: $type)*| -> Worked<_> {
            own.items(1)?;
            #[allow(unused_mut, reason = "not every function calls back here")]
            let mut $each = Callback::new(&context, &function, &own);
            $body
        });
    }};
}

/// Offers them all.
pub(super) fn offer(engine: &mut Engine, work: &Work) {
    made(engine, work);
    asked(engine, work);
    summed(engine, work);
    divided(engine, work);
    sorted(engine, work);
    maps(engine, work);
}

fn made(engine: &mut Engine, work: &Work) {
    offer!(engine, work, Array, "for_each", |each, list| {
        for (at, item) in list.iter().enumerate() {
            drop(each.call(&[item], index(at))?);
        }
        Ok(())
    });
    offer!(engine, work, Array, "map", |each, list| {
        let (mut mapped, mut growing) = (Array::with_capacity(list.len()), Growing::new());
        for (at, item) in list.iter().enumerate() {
            let item = each.call(&[item], index(at))?;
            growing.keep(&item)?;
            mapped.push(item);
        }
        Ok(mapped)
    });
    offer!(engine, work, Array, "filter", |each, list| {
        let mut kept = Array::new();
        for (at, item) in list.iter().enumerate() {
            if each.holds(&[item], index(at))? {
                each.work.whole(item)?;
                kept.push(item.clone());
            }
        }
        Ok(kept)
    });
    let own = work.clone();
    engine.register_fn("zip", move |context: NativeCallContext<'_>, list: &mut Array, other: Array, function: FnPtr| {
        let mut each = Callback::new(&context, &function, &own);
        let (mut zipped, mut growing) = (Array::new(), Growing::new());
        for (at, (a, b)) in list.iter().zip(&other).enumerate() {
            let item = each.call(&[a, b], index(at))?;
            growing.keep(&item)?;
            zipped.push(item);
        }
        Worked::Ok(zipped)
    });
}

fn asked(engine: &mut Engine, work: &Work) {
    let at = |found: Option<usize>| found.map_or(-1, |at| at as i64);
    let found = |each: &Callback<'_>, list: &Array, found: Option<usize>| {
        found.and_then(|at| list.get(at)).map_or(Ok(Dynamic::UNIT), |item| each.work.whole(item).map(|()| item.clone()))
    };
    offer!(engine, work, Array, "index_of", |each, list| each.first(list, 0).map(at));
    offer!(engine, work, Array, "index_of", |each, list, from: i64| each.first(list, place(list.len(), from)).map(at));
    offer!(engine, work, Array, "find", |each, list| each.first(list, 0).and_then(|at| found(&each, list, at)));
    offer!(engine, work, Array, "find", |each, list, from: i64| {
        each.first(list, place(list.len(), from)).and_then(|at| found(&each, list, at))
    });
    offer!(engine, work, Array, "find_map", |each, list| find_map(&mut each, list, 0));
    offer!(engine, work, Array, "find_map", |each, list, from: i64| find_map(&mut each, list, place(list.len(), from)));
    offer!(engine, work, Array, "some", |each, list| each.first(list, 0).map(|at| at.is_some()));
    offer!(engine, work, Array, "all", |each, list| {
        for (at, item) in list.iter().enumerate() {
            if !each.holds(&[item], index(at))? {
                return Ok(false);
            }
        }
        Ok(true)
    });
}

fn find_map(each: &mut Callback<'_>, list: &Array, from: usize) -> Worked<Dynamic> {
    for (at, item) in list.iter().enumerate().skip(from) {
        let found = each.call(&[item], index(at))?;
        if !found.is_unit() {
            return Ok(found);
        }
    }
    Ok(Dynamic::UNIT)
}

fn summed(engine: &mut Engine, work: &Work) {
    fn reduce(each: &mut Callback<'_>, list: &Array, initial: Dynamic, backwards: bool) -> Worked<Dynamic> {
        let mut sum = initial;
        for step in 0..list.len() {
            let at = if backwards { list.len() - 1 - step } else { step };
            if let Some(item) = list.get(at) {
                sum = each.call(&[&sum, item], index(at))?;
            }
        }
        Ok(sum)
    }
    offer!(engine, work, Array, "reduce", |each, list| reduce(&mut each, list, Dynamic::UNIT, false));
    offer!(engine, work, Array, "reduce", |each, list, initial: Dynamic| reduce(&mut each, list, initial, false));
    offer!(engine, work, Array, "reduce_rev", |each, list| reduce(&mut each, list, Dynamic::UNIT, true));
    offer!(engine, work, Array, "reduce_rev", |each, list, initial: Dynamic| reduce(&mut each, list, initial, true));
}

/// Divides a list by a callback: those of which it holds, and the others. Where a callback fails, the list stays as it was.
fn divide(each: &mut Callback<'_>, list: &mut Array) -> Worked<(Array, Array)> {
    let marks: Vec<bool> = list.iter().enumerate().map(|(at, item)| each.holds(&[item], index(at))).collect::<Worked<_>>()?;
    let (mut holds, mut others) = (Array::new(), Array::new());
    for (item, is_one) in std::mem::take(list).into_iter().zip(marks) {
        if is_one { holds.push(item) } else { others.push(item) }
    }
    Ok((holds, others))
}

fn divided(engine: &mut Engine, work: &Work) {
    offer!(engine, work, Array, "drain", |each, list| {
        let (drained, kept) = divide(&mut each, list)?;
        *list = kept;
        Ok(drained)
    });
    offer!(engine, work, Array, "retain", |each, list| {
        let (kept, others) = divide(&mut each, list)?;
        *list = kept;
        Ok(others)
    });
    offer!(engine, work, Array, "dedup", |each, list| {
        each.work.list(list)?;
        let mut kept: Array = Array::with_capacity(list.len());
        for (at, item) in list.iter().enumerate() {
            let is_again = kept.last().map_or(Ok(false), |last| each.holds(&[item, last], index(at)))?;
            if !is_again {
                kept.push(item.clone());
            }
        }
        *list = kept;
        Ok(())
    });
}

/// The order by a comparer's answer: a number below, at or above 0, or whether the first stands before the second.
fn order(answer: &Dynamic) -> Ordering {
    match (answer.as_int(), answer.as_bool()) {
        (Ok(number), _) => number.cmp(&0),
        (_, Ok(before)) => {
            if before {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        _ => Ordering::Equal,
    }
}

fn sorted(engine: &mut Engine, work: &Work) {
    fn by(each: &mut Callback<'_>, list: &Array) -> Worked<Array> {
        each.work.list(list)?;
        // A comparer that contradicts itself gives some order, and nothing worse.
        sort(list.clone(), &mut |a, b| each.call(&[a, b], Dynamic::UNIT).map(|answer| order(&answer)))
    }
    macro_rules! both {
        ($in_place:literal, $copied:literal) => {
            offer!(engine, work, Array, $in_place, |each, list| {
                *list = by(&mut each, list)?;
                Ok(())
            });
            offer!(engine, work, Array, $copied, |each, list| by(&mut each, list));
        };
    }
    both!("sort", "order");
    both!("sort_by", "order_by");
}

fn maps(engine: &mut Engine, work: &Work) {
    offer!(engine, work, Map, "map", |each, map| {
        let (mut mapped, mut growing) = (Map::new(), Growing::new());
        for (key, item) in map.iter() {
            let item = each.call(&[&key.clone().into(), item], Dynamic::UNIT)?;
            growing.keep(&item)?;
            mapped.insert(key.clone(), item);
        }
        Ok(mapped)
    });
    offer!(engine, work, Map, "filter", |each, map| {
        let mut kept = Map::new();
        for (key, item) in map.iter() {
            if each.holds(&[&key.clone().into(), item], Dynamic::UNIT)? {
                each.work.whole(item)?;
                kept.insert(key.clone(), item.clone());
            }
        }
        Ok(kept)
    });
    fn divide(each: &mut Callback<'_>, map: &mut Map) -> Worked<(Map, Map)> {
        let marks: Vec<bool> =
            map.iter().map(|(key, item)| each.holds(&[&key.clone().into(), item], Dynamic::UNIT)).collect::<Worked<_>>()?;
        let (mut holds, mut others) = (Map::new(), Map::new());
        for ((key, item), is_one) in std::mem::take(map).into_iter().zip(marks) {
            if is_one {
                holds.insert(key, item)
            } else {
                others.insert(key, item)
            };
        }
        Ok((holds, others))
    }
    offer!(engine, work, Map, "drain", |each, map| {
        let (drained, kept) = divide(&mut each, map)?;
        *map = kept;
        Ok(drained)
    });
    offer!(engine, work, Map, "retain", |each, map| {
        let (kept, others) = divide(&mut each, map)?;
        *map = kept;
        Ok(others)
    });
}
