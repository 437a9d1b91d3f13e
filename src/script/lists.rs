//! Lists: what scripts do with lists, each function counted by what it walks or copies.
//!
//! They are the language's own by name and meaning; the language's own do not count what they take.

use std::ops::{Range, RangeInclusive};

use rhai::{Array, Dynamic, Engine, NativeCallContext};

use super::work::{Work, Worked, too_large};

/// A place in a list of so many, counted from the end where it is negative; at most behind the last.
pub(super) fn place(len: usize, at: i64) -> usize {
    let far = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
    if at < 0 { len.saturating_sub(far) } else { far.min(len) }
}

/// The part of a list from a place on, so many items long at most.
pub(super) fn part(len: usize, start: i64, count: i64) -> Range<usize> {
    let start = place(len, start);
    let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
    start..start.saturating_add(count).min(len)
}

/// The same, of a range; a range counts from the beginning alone.
fn within(len: usize, range: Range<i64>) -> Range<usize> {
    let start = range.start.max(0);
    part(len, start, range.end.saturating_sub(start))
}

fn closed(range: &RangeInclusive<i64>) -> Range<i64> {
    *range.start()..range.end().saturating_add(1)
}

/// Offers a function of lists; the length of the list is counted before it runs.
macro_rules! offer {
    ($engine:ident, $work:ident, $name:literal, |$own:ident, $list:ident $(, $arg:ident: $type:ty)*| $body:expr) => {{
        let $own = $work.clone();
        $engine.register_fn($name, move |$list: &mut Array $(, $arg: $type)*| -> Worked<_> {
            $own.take($list.len() / 4)?;
            $body
        });
    }};
}

/// Offers them all.
pub(super) fn offer(engine: &mut Engine, work: &Work) {
    single(engine, work);
    joined(engine, work);
    parts(engine, work);
    ranges(engine, work);
    search(engine, work);
}

fn single(engine: &mut Engine, work: &Work) {
    engine.register_get("len", |list: &mut Array| list.len() as i64);
    engine.register_fn("len", |list: &mut Array| list.len() as i64);
    engine.register_get("is_empty", |list: &mut Array| list.is_empty());
    engine.register_fn("is_empty", |list: &mut Array| list.is_empty());
    offer!(engine, work, "get", |own, list, at: i64| {
        list.get(place(list.len(), at)).map_or(Ok(Dynamic::UNIT), |item| own.whole(item).map(|()| item.clone()))
    });
    engine.register_fn("set", |list: &mut Array, at: i64, item: Dynamic| {
        let at = place(list.len(), at);
        if let Some(place) = list.get_mut(at) {
            *place = item;
        }
    });
    engine.register_fn("push", |list: &mut Array, item: Dynamic| list.push(item));
    engine.register_fn("pop", |list: &mut Array| list.pop().unwrap_or(Dynamic::UNIT));
    offer!(engine, work, "shift", |own, list| Ok(if list.is_empty() { Dynamic::UNIT } else { list.remove(0) }));
    offer!(engine, work, "insert", |own, list, at: i64, item: Dynamic| {
        let at = place(list.len(), at);
        list.insert(at, item);
        Ok(())
    });
    offer!(engine, work, "remove", |own, list, at: i64| {
        let is_there = if at < 0 { at.unsigned_abs() as usize <= list.len() } else { (at as usize) < list.len() };
        let at = place(list.len(), at);
        Ok(if is_there { list.remove(at) } else { Dynamic::UNIT })
    });
    offer!(engine, work, "clear", |own, list| {
        list.clear();
        Ok(())
    });
    offer!(engine, work, "reverse", |own, list| {
        list.reverse();
        Ok(())
    });
}

fn joined(engine: &mut Engine, work: &Work) {
    for name in ["append", "+="] {
        let own = work.clone();
        engine.register_fn(name, move |list: &mut Array, more: Array| own.items(more.len()).map(|()| list.extend(more)));
    }
    let own = work.clone();
    engine.register_fn("+", move |mut list: Array, more: Array| {
        own.items(list.len() + more.len())?;
        list.extend(more);
        Worked::Ok(list)
    });
    let own = work.clone();
    engine.register_fn("pad", move |context: NativeCallContext<'_>, list: &mut Array, length: i64, item: Dynamic| {
        let length = usize::try_from(length).unwrap_or(0);
        if length <= list.len() {
            return Ok(());
        }
        if length > context.engine().max_array_size() {
            return Err(too_large("Size of array/BLOB"));
        }
        let before = own.spent();
        own.whole(&item)?;
        // Each of the others costs what the first did.
        own.take(usize::try_from(own.spent() - before).unwrap_or(usize::MAX).saturating_mul(length - list.len()))?;
        list.resize(length, item);
        Worked::Ok(())
    });
}

/// Takes a part out of a list.
fn taken(list: &mut Array, part: Range<usize>) -> Array {
    list.drain(part).collect()
}

/// Keeps a part of a list, and gives the others.
fn kept(list: &mut Array, part: Range<usize>) -> Array {
    let mut others: Array = list.drain(part.end..).collect();
    let mut before: Array = list.drain(..part.start).collect();
    before.append(&mut others);
    before
}

fn copied(own: &Work, list: &Array, part: Range<usize>) -> Worked<Array> {
    let part = list.get(part).unwrap_or_default();
    own.list(part)?;
    Ok(part.to_vec())
}

fn parts(engine: &mut Engine, work: &Work) {
    offer!(engine, work, "truncate", |own, list, length: i64| {
        list.truncate(usize::try_from(length.max(0)).unwrap_or(usize::MAX));
        Ok(())
    });
    offer!(engine, work, "chop", |own, list, length: i64| {
        let left = usize::try_from(length.max(0)).unwrap_or(usize::MAX).min(list.len());
        list.drain(..list.len() - left);
        Ok(())
    });
    offer!(engine, work, "extract", |own, list, start: i64, count: i64| copied(&own, list, part(list.len(), start, count)));
    offer!(engine, work, "extract", |own, list, start: i64| copied(&own, list, part(list.len(), start, i64::MAX)));
    offer!(engine, work, "split", |own, list, at: i64| {
        let at = place(list.len(), at);
        Ok(list.split_off(at))
    });
    offer!(engine, work, "splice", |own, list, start: i64, count: i64, with: Array| {
        own.items(with.len())?;
        list.splice(part(list.len(), start, count), with);
        Ok(())
    });
    offer!(engine, work, "drain", |own, list, start: i64, count: i64| {
        let part = part(list.len(), start, count);
        Ok(taken(list, part))
    });
    offer!(engine, work, "retain", |own, list, start: i64, count: i64| {
        let part = part(list.len(), start, count);
        Ok(if part.is_empty() { Array::new() } else { kept(list, part) })
    });
}

/// The same by ranges, which may leave their last out or not.
fn ranges(engine: &mut Engine, work: &Work) {
    macro_rules! both {
        ($name:literal, |$own:ident, $list:ident, $part:ident| $body:expr) => {
            offer!(engine, work, $name, |$own, $list, range: Range<i64>| {
                let $part = within($list.len(), range);
                $body
            });
            offer!(engine, work, $name, |$own, $list, range: RangeInclusive<i64>| {
                let $part = within($list.len(), closed(&range));
                $body
            });
        };
    }
    both!("extract", |own, list, part| copied(&own, list, part));
    both!("drain", |own, list, part| Ok(taken(list, part)));
    both!("retain", |own, list, part| Ok(if part.is_empty() { Array::new() } else { kept(list, part) }));
    offer!(engine, work, "splice", |own, list, range: Range<i64>, with: Array| {
        own.items(with.len())?;
        list.splice(within(list.len(), range), with);
        Ok(())
    });
    offer!(engine, work, "splice", |own, list, range: RangeInclusive<i64>, with: Array| {
        own.items(with.len())?;
        list.splice(within(list.len(), closed(&range)), with);
        Ok(())
    });
}

fn search(engine: &mut Engine, work: &Work) {
    let own = work.clone();
    engine.register_fn("contains", move |list: &mut Array, item: Dynamic| own.place(list, &item, 0).map(|at| at >= 0));
    let own = work.clone();
    engine.register_fn("index_of", move |list: &mut Array, item: Dynamic| own.place(list, &item, 0));
    let own = work.clone();
    engine.register_fn("index_of", move |list: &mut Array, item: Dynamic, from: i64| own.place(list, &item, place(list.len(), from)));
    offer!(engine, work, "dedup", |own, list| {
        own.list(list)?;
        let mut kept: Array = Array::with_capacity(list.len());
        for item in list.iter() {
            let is_again = kept.last().map_or(Ok(false), |last| own.same(last, item, 0))?;
            if !is_again {
                kept.push(item.clone());
            }
        }
        *list = kept;
        Ok(())
    });
}
