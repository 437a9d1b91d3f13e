//! Same: whether two values are equal, and where one stands in a list; each comparison is counted.

use rhai::{Array, Dynamic, Engine, Map};

use super::work::{DEPTH, Work, Worked};

impl Work {
    /// Whether two values are the same; numbers by what they count.
    pub fn same(&self, a: &Dynamic, b: &Dynamic, depth: usize) -> Worked<bool> {
        self.take(1)?;
        if depth > DEPTH {
            return Ok(false);
        }
        if a.is_array() || b.is_array() {
            return match (a.as_array_ref(), b.as_array_ref()) {
                (Ok(a), Ok(b)) => self.same_lists(&a, &b, depth),
                _ => Ok(false),
            };
        }
        if a.is_map() || b.is_map() {
            return match (a.as_map_ref(), b.as_map_ref()) {
                (Ok(a), Ok(b)) => self.same_maps(&a, &b, depth),
                _ => Ok(false),
            };
        }
        if let (Ok(a), Ok(b)) = (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
            self.text(a.len().min(b.len()))?;
            return Ok(a.as_str() == b.as_str());
        }
        Ok(same_leaves(a, b))
    }

    /// Whether two lists are.
    pub fn same_lists(&self, a: &Array, b: &Array, depth: usize) -> Worked<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (a, b) in a.iter().zip(b) {
            if !self.same(a, b, depth + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two maps are.
    pub fn same_maps(&self, a: &Map, b: &Map, depth: usize) -> Worked<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for ((key, a), (other, b)) in a.iter().zip(b) {
            if key != other || !self.same(a, b, depth + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where an item stands in a list, from a place on; -1 for nowhere.
    pub fn place(&self, list: &Array, item: &Dynamic, from: usize) -> Worked<i64> {
        for (at, other) in list.iter().enumerate().skip(from) {
            if self.same(other, item, 0)? {
                return Ok(at as i64);
            }
        }
        Ok(-1)
    }
}

fn same_leaves(a: &Dynamic, b: &Dynamic) -> bool {
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

/// Offers the comparisons of lists and maps.
pub(super) fn offer(engine: &mut Engine, work: &Work) {
    let own = work.clone();
    engine.register_fn("==", move |a: &mut Array, b: Array| own.same_lists(a, &b, 0));
    let own = work.clone();
    engine.register_fn("!=", move |a: &mut Array, b: Array| own.same_lists(a, &b, 0).map(|same| !same));
    let own = work.clone();
    engine.register_fn("==", move |a: &mut Map, b: Map| own.same_maps(a, &b, 0));
    let own = work.clone();
    engine.register_fn("!=", move |a: &mut Map, b: Map| own.same_maps(a, &b, 0).map(|same| !same));
}
